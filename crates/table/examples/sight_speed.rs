//! How long the visible fraction of an edge takes among forty units: `cargo run --release --example sight_speed`.
#![allow(clippy::print_stdout)]

use std::hint::black_box;
use std::time::Instant;
use table::{Angle, Look, Pose, Rect, Size, length, mm};

fn main() {
    let size = Size { width: mm(2250), depth: mm(400) };
    // Two armies of twenty lines, each two lines deep, facing each other.
    let units: Vec<Rect> = (0..40)
        .map(|i| {
            let (row, column) = (i / 10, i % 10);
            let (y, facing) = [(10_000, 0), (16_000, 0), (32_000, 180), (38_000, 180)][row];
            Rect::new(
                Pose::new(4_000 + 7_000 * column as i32, y, Angle::degrees(facing + 3 * column as i32)),
                size,
            )
        })
        .collect();
    let (mut looks, mut total) = (0u64, 0);
    let start = Instant::now();
    while looks < 2_000_000 {
        for viewer in 0..20 {
            for target in 20..40 {
                let side = units[target].arc_of(units[viewer].front);
                let Some(mut look) = Look::at(&units[viewer], &units[target], side) else { continue };
                for (i, u) in units.iter().enumerate() {
                    if i != viewer && i != target {
                        look.blocked_by(u);
                    }
                }
                total += length(&black_box(look.seen()));
                looks += 1;
            }
        }
    }
    let each = start.elapsed().as_nanos() as f64 / looks as f64;
    println!("{each:.0} ns a look among 40 units ({looks} looks, checksum {total})");
}
