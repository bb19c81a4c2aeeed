//! Finding room: past friends, short of them, beside them, and side by side on one edge.

use arrayvec::ArrayVec;

/// Open intervals of a move that are taken.
type Taken<'a> = &'a [(i64, i64)];

/// The smallest distance of at least `from` outside every open interval.
pub fn clear_from(taken: Taken<'_>, from: i64) -> i64 {
    let mut at = from;
    while let Some((_, hi)) = taken.iter().find(|(lo, hi)| *lo < at && at < *hi) {
        at = *hi;
    }
    at
}

/// The largest distance of at most `limit` outside every open interval, zero at the least.
pub fn clear_up_to(taken: Taken<'_>, limit: i64) -> i64 {
    let mut at = limit;
    while let Some((lo, _)) = taken.iter().find(|(lo, hi)| *lo < at && at < *hi) {
        at = *lo;
    }
    at.max(0)
}

/// The shift of least size within `lo..=hi` outside every open interval; the negative one (left) on a tie.
pub fn nearest_free(taken: Taken<'_>, lo: i64, hi: i64) -> Option<i64> {
    let right = clear_from(taken, 0.max(lo));
    let mut left = 0.min(hi);
    while let Some((to, _)) = taken.iter().find(|(lo, hi)| *lo < left && left < *hi) {
        left = *to;
    }
    match (left >= lo, right <= hi) {
        (true, true) => Some(if left.abs() <= right { left } else { right }),
        (true, false) => Some(left),
        (false, true) => Some(right),
        (false, false) => None,
    }
}

/// Places units side by side on an edge of length `edge`, in the order given, as near as possible (least sum of squares)
/// to the desired middles of their fronts, each touching the edge over at least `grip`. `None` when they do not fit.
pub fn pack(desired: &[i64], widths: &[i64], edge: i64, grip: i64) -> Option<ArrayVec<i64, 16>> {
    let (first, last) = (*widths.first()?, *widths.last()?);
    pack_between(desired, widths, grip - first / 2, edge - grip + last / 2)
}

/// As [`pack`], with the least place of the first unit and the greatest of the last given.
pub fn pack_between(desired: &[i64], widths: &[i64], least: i64, greatest: i64) -> Option<ArrayVec<i64, 16>> {
    let n = desired.len().min(widths.len());
    if n == 0 || n > 16 {
        return None;
    }
    // In shifted coordinates "side by side" is "not decreasing", and the bounds of the two outermost units bind all.
    let mut offset = ArrayVec::<i64, 16>::new();
    offset.push(0);
    for i in 1..n {
        offset.push(offset[i - 1] + (widths[i - 1] + widths[i]) / 2);
    }
    let (lo, hi) = (least, greatest - offset[n - 1]);
    if lo > hi {
        return None;
    }
    // Pool adjacent violators: blocks of (sum, count) with increasing means.
    let mut blocks = ArrayVec::<(i64, i64), 16>::new();
    for i in 0..n {
        let mut block = (desired[i] - offset[i], 1);
        while let Some(&(sum, count)) = blocks.last() {
            if sum * block.1 <= block.0 * count {
                break;
            }
            blocks.pop();
            block = (sum + block.0, count + block.1);
        }
        blocks.push(block);
    }
    let mut out = ArrayVec::new();
    for (sum, count) in blocks {
        for _ in 0..count {
            out.push(crate::grid::div_round(sum, count).clamp(lo, hi) + offset[out.len()]);
        }
    }
    Some(out)
}
