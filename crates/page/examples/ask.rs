//! Answers requests as the page's module does, one a line, with the time each took in milliseconds before the answer: to compare
//! the module with the native program.

use std::io::{BufRead as _, Write as _};
use std::time::Instant;

fn main() -> std::io::Result<()> {
    let mut page = page::Page::default();
    for request in std::io::stdin().lock().lines() {
        let request = request?;
        let begun = Instant::now();
        let answer = page::handle(&mut page, &request);
        writeln!(std::io::stdout(), "{:.3} {answer}", begun.elapsed().as_secs_f64() * 1000.0)?;
    }
    Ok(())
}
