//! What a scenario puts right by hand.

use serde::Deserialize;
use survey::Fault;
use toml::Spanned;

use super::{Cover, Ground, SideFeatures};
use crate::{Grid, Hex, Side};

/// A correction as a scenario writes it: some hexes with a cover or level, or some hexsides with features
/// added or removed.
///
/// Sides are written as chains of hexes: `0101/0102` is one side, `0101/0102/0202` are two. `0101>0102` says
/// besides that the side rises towards, or its works shelter, the second hex.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Correction {
    /// The hexes it is about.
    #[serde(default)]
    pub hexes: Vec<Spanned<String>>,
    /// What they are covered with from now on.
    pub cover: Option<Cover>,
    /// Their level from now on.
    pub level: Option<i8>,
    /// The hexsides it is about.
    #[serde(default)]
    pub sides: Vec<Spanned<String>>,
    /// What is added to them.
    #[serde(default)]
    pub add: Vec<Spanned<String>>,
    /// What is taken off them.
    #[serde(default)]
    pub remove: Vec<Spanned<String>>,
}

/// Covers and levels, before slopes are drawn between the levels.
pub(super) fn hexes(ground: &mut Ground, corrections: &[Correction]) -> Result<(), Vec<Fault>> {
    let mut faults = Vec::new();
    for correction in corrections {
        for number in &correction.hexes {
            let Some(hex) = ground.grid.parse(number.get_ref()) else {
                faults.push(Fault::new(number.span(), format!("there is no hex {}", number.get_ref())));
                continue;
            };
            if let Some(cover) = correction.cover {
                ground.set_cover(hex, cover);
            }
            if let Some(level) = correction.level {
                ground.set_level(hex, level);
            }
        }
    }
    if faults.is_empty() { Ok(()) } else { Err(faults) }
}

/// Features of hexsides, after everything the survey says.
pub(super) fn sides(ground: &mut Ground, corrections: &[Correction]) -> Result<(), Vec<Fault>> {
    let mut faults = Vec::new();
    for correction in corrections {
        let added = features(&correction.add, &mut faults);
        let removed = features(&correction.remove, &mut faults);
        for text in &correction.sides {
            match chain(&ground.grid, text.get_ref()) {
                Ok(links) => {
                    for Link { side, towards } in links {
                        ground.remove(side, removed);
                        ground.add(side, added);
                        direct(ground, side, added, towards);
                    }
                }
                Err(message) => faults.push(Fault::new(text.span(), message)),
            }
        }
    }
    if faults.is_empty() { Ok(()) } else { Err(faults) }
}

fn direct(ground: &mut Ground, side: Side, added: SideFeatures, towards: Option<Hex>) {
    if towards.is_some() && added.intersects(SideFeatures::RISES) {
        ground.rise(side, towards);
    }
    if added.intersects(SideFeatures::SHELTER) {
        ground.protect(side, towards);
    }
}

fn features(words: &[Spanned<String>], faults: &mut Vec<Fault>) -> SideFeatures {
    let mut all = SideFeatures::empty();
    for word in words {
        match SideFeatures::parse(word.get_ref()) {
            Some(feature) => all |= feature,
            None => {
                let known: Vec<String> = SideFeatures::all().words().collect();
                let message = format!("\"{}\" is none of {}", word.get_ref(), known.join(", "));
                faults.push(Fault::new(word.span(), message));
            }
        }
    }
    all
}

struct Link {
    side: Side,
    towards: Option<Hex>,
}

/// Reads `0101/0102/0202` or `0101>0102`.
fn chain(grid: &Grid, text: &str) -> Result<Vec<Link>, String> {
    let mut links = Vec::new();
    let mut before: Option<(Hex, bool)> = None;
    for piece in text.split_inclusive(['/', '>']) {
        let number = piece.trim_end_matches(['/', '>']);
        let hex = grid.parse(number).ok_or_else(|| format!("there is no hex {number}"))?;
        if let Some((from, directed)) = before {
            let side = grid
                .side_between(from, hex)
                .ok_or_else(|| format!("{} and {number} do not touch", grid.name(from)))?;
            links.push(Link { side, towards: directed.then_some(hex) });
        }
        before = Some((hex, piece.ends_with('>')));
    }
    if links.is_empty() { Err(format!("{text} names no hexside")) } else { Ok(links) }
}
