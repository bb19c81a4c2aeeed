//! What a player sees and reads. Here: what stays the same all through a battle, the map and the charts.

mod charts;
pub(crate) mod fate;
mod hour;
mod march;
pub(crate) mod offer;
pub(crate) mod overlay;
pub(crate) mod prompt;
pub(crate) mod view;

use game::board::{
    Board, Ground, HexFace, HexGround, HouseRule, OverlayName, OverlayOf, SideFace, SideOfHex,
};
use hexmap::{EvenColumns, Hex};

use crate::rules::zones;
use crate::setup::battle::Battle;
use crate::setup::ground::Feature;
use crate::state::NOWHERE;

impl Battle {
    pub(crate) fn board(&self) -> Board {
        let name = |id: &str, name: &str, of| OverlayName { id: id.into(), name: name.into(), of };
        Board {
        system: "Battle Hymn".into(),
        title: self.head.title.clone(),
        subtitle: self.head.subtitle.clone(),
        blurb: self.head.blurb.clone(),
        sides: game::BySide::from_fn(|side| {
            let army = &self.armies[side];
            SideFace::new(&army.id, &army.name, &army.livery)
        }),
        ground: Ground::Hexes(self.hex_ground()),
        charts: self.chart_pages(),
        options: vec![HouseRule {
            id: "at_random".into(),
            name: "At Random".into(),
            says: "Chance settles the order of engagements and checks, odd SPs, ties of retreats, blocked entry and who advances.".into(),
            on: self.house.at_random,
            rule: Some(cite!("3.1.a")),
        }],
        overlays: vec![
            name("zones", "Zones of control", OverlayOf::Board),
            name("sight", "Line of sight", OverlayOf::Place),
            name("reach", "Reach", OverlayOf::Piece),
            name("objectives", "Objectives", OverlayOf::Board),
        ],
    }
    }

    fn hex_ground(&self) -> HexGround {
        let ground = &self.ground;
        let hexes: Vec<Hex> = ground.on_map.iter().collect();
        let face = |hex: Hex| HexFace {
            hex: ground.name(hex),
            terrain: spoken(&self.charts.hexes[usize::from(ground.terrain[hex.index()])].name),
            level: ground.level[hex.index()],
            name: ground.names[hex.index()].clone(),
        };
        let side = |hex: Hex, d: usize| {
            let features = ground.side_features(hex, d);
            let beyond = ground.beyond[hex.index()][d];
            // Each side once: from its upper hex, or the one a fortification protects, or the lower number.
            let level = |h: Hex| ground.level[h.index()];
            let mine = beyond == NOWHERE
                || match level(hex).cmp(&level(beyond)) {
                    std::cmp::Ordering::Equal if features.has(Feature::Fortification) => {
                        !features.fortified_beyond()
                            || (hex < beyond
                                && ground.side_features(beyond, zones::opposite(d)).fortified_beyond())
                    }
                    std::cmp::Ordering::Equal => hex < beyond,
                    order => order == std::cmp::Ordering::Greater,
                };
            let words: Vec<String> = features.iter().map(|f| spoken(f.word())).collect();
            (mine && !words.is_empty()).then(|| SideOfHex {
                a: ground.name(hex),
                b: (beyond != NOWHERE).then(|| ground.name(beyond)),
                features: words,
            })
        };
        HexGround {
            cols: ground.grid.columns(),
            rows: ground.grid.rows(),
            even_low: ground.grid.even_columns() == EvenColumns::Lower,
            hex_yards: ground.hex_yards,
            inset: ground.inset,
            survey: ground.survey.clone(),
            sides: hexes.iter().flat_map(|&h| (0..6).filter_map(move |d| side(h, d))).collect(),
            hexes: hexes.iter().map(|&h| face(h)).collect(),
        }
    }
}

/// A word of the files as it is said: `heavy forest`.
pub(crate) fn spoken(word: &str) -> String {
    word.replace('-', " ")
}
