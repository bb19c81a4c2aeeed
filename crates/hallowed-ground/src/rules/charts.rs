//! The tables of the book: statistics (2.6), bases (2.1) and the distances the rules measure.

use table::{INCH, Size, mm};

use crate::rules::formations::{Arm, Formation};

/// A row of the statistics table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stat {
    /// Normal rate in inches.
    pub rate: i64,
    /// Shooting dice at point blank, to half range, beyond (small arms: the same three times).
    pub shooting: [u8; 3],
    pub melee: u8,
}

const fn row(rate: i64, shooting: [u8; 3], melee: u8) -> Stat {
    Stat { rate, shooting, melee }
}

/// The statistics table (2.6). A formation that the type cannot take has no rate and no dice.
pub const fn stat(arm: Arm, formation: Formation) -> Stat {
    use Formation as F;
    match (arm, formation) {
        (Arm::Infantry, F::Line) => row(8, [10; 3], 4),
        (Arm::Infantry, F::SupportedLine) => row(8, [6; 3], 5),
        (Arm::Infantry, F::MarchColumn) => row(12, [2; 3], 1),
        (Arm::Cavalry, F::SupportedLine) => row(12, [6; 3], 4),
        (Arm::Cavalry, F::MarchColumn) => row(18, [0; 3], 1),
        (Arm::Cavalry, F::DismountedLine) => row(8, [8; 3], 2),
        (Arm::LightArtillery, F::Deployed) => row(4, [5, 4, 2], 1),
        (Arm::RegularArtillery, F::Deployed) => row(4, [6, 5, 3], 1),
        (Arm::SiegeArtillery, F::Deployed) => row(2, [8, 7, 4], 1),
        (Arm::SiegeArtillery, F::Limbered) => row(8, [0; 3], 0),
        (Arm::LightArtillery | Arm::RegularArtillery, F::Limbered) => row(12, [0; 3], 0),
        _ => row(0, [0; 3], 0),
    }
}

/// The normal rate in working units.
pub(crate) const fn normal_rate(arm: Arm, formation: Formation) -> i64 {
    stat(arm, formation).rate * INCH
}

/// The envelope of all bases (R2), in tenths of a millimetre: width and depth.
const fn envelope(arm: Arm, formation: Formation) -> (i64, i64) {
    use Formation as F;
    match (arm, formation) {
        (Arm::Infantry, F::SupportedLine) => (1350, 800),
        (Arm::Infantry, F::MarchColumn) => (450, 2000),
        (Arm::Cavalry, F::SupportedLine) => (1500, 1000),
        (Arm::Cavalry, F::MarchColumn) => (500, 3000),
        (Arm::Cavalry, F::DismountedLine) => (1800, 1258),
        (_, F::Limbered) => (500, 2500),
        (_, F::Deployed) => (1000, 1750),
        _ => (2250, 400),
    }
}

pub const fn footprint(arm: Arm, formation: Formation) -> Size {
    let (width, depth) = envelope(arm, formation);
    Size { width: mm(width), depth: mm(depth) }
}

/// Depth of a single base, for recoil (9.5.h).
pub const fn base_depth(arm: Arm, formation: Formation) -> i64 {
    match (arm, formation) {
        (Arm::Infantry, _) => mm(400),
        (Arm::Cavalry, Formation::DismountedLine) => mm(300),
        (Arm::Cavalry, _) => mm(500),
        _ => mm(1000),
    }
}

/// Each base of a formation for drawing: left, front, width, depth in tenths of a millimetre, from the middle of the
/// front edge.
pub(crate) fn bases(arm: Arm, formation: Formation) -> Vec<[i64; 4]> {
    use Formation as F;
    let rank = |n: i64, w: i64, d: i64, front: i64| (0..n).map(move |i| [i * w - n * w / 2, -front, w, d]);
    match (arm, formation) {
        (Arm::Infantry, F::SupportedLine) => rank(3, 450, 400, 0).chain(rank(2, 450, 400, 400)).collect(),
        (Arm::Infantry, F::MarchColumn) => (0..5).flat_map(|i| rank(1, 450, 400, 400 * i)).collect(),
        (Arm::Cavalry, F::SupportedLine) => rank(3, 500, 500, 0).chain(rank(3, 500, 500, 500)).collect(),
        (Arm::Cavalry, F::MarchColumn) => (0..6).flat_map(|i| rank(1, 500, 500, 500 * i)).collect(),
        (Arm::Cavalry, F::DismountedLine) => rank(4, 450, 300, 0).chain(rank(2, 800, 450, 808)).collect(),
        (_, F::Limbered) => rank(1, 500, 1000, 0).chain(rank(1, 500, 1500, 1000)).collect(),
        (_, F::Deployed) => rank(2, 500, 1000, 0).chain(rank(2, 500, 750, 1000)).collect(),
        _ => rank(5, 450, 400, 0).collect(),
    }
}

/// The depth of the gun bases: how far the leader point comes forward on deploying (5.5.ac).
pub(crate) const GUN_DEPTH: i64 = mm(1000);

// Distances of the rules, in working units.
pub(crate) const PROXIMITY: i64 = INCH;
pub(crate) const POINT_BLANK: i64 = 6 * INCH;
pub(crate) const FRONTAL_ZONE: i64 = 4 * INCH;
pub(crate) const COVER: i64 = INCH / 2;
pub(crate) const COMMAND: i64 = 12 * INCH;
pub(crate) const ENEMY_NEAR: i64 = 6 * INCH;
pub(crate) const COMMANDER_MOVE: i64 = 24 * INCH;

/// The shortest contact that is melee (R48).
pub(crate) const GRIP: i64 = INCH / 4;

/// Less of a target than this is not seen (R6).
pub(crate) const GLIMPSE: i64 = INCH / 100;
pub(crate) const BRIGADE_DISC: i64 = mm(300);
pub(crate) const ARMY_DISC: i64 = mm(400);
