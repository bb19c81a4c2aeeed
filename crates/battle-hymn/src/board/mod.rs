//! What a player sees and reads. Here: what stays the same all through a battle, the map and the charts.

pub(crate) mod fate;
pub(crate) mod offer;
pub(crate) mod overlay;
pub(crate) mod prompt;
pub(crate) mod view;

use game::Rule;
use game::board::{
    Board, Chart, Ground, HexFace, HexGround, HouseRule, OverlayName, OverlayOf, SideFace, SideOfHex,
};
use game::words::signed;
use hexmap::{EvenColumns, Hex};

use crate::rules::charts::ZoneStop;
use crate::rules::zones;
use crate::setup::battle::Battle;
use crate::setup::ground::Feature;
use crate::setup::pieces::Column;
use crate::state::NOWHERE;

impl Battle {
    pub(crate) fn board(&self) -> Board {
        let name = |id: &str, name: &str, of| OverlayName { id: id.into(), name: name.into(), of };
        Board {
        system: "Battle Hymn".into(),
        title: self.title.clone(),
        subtitle: self.subtitle.clone(),
        blurb: self.blurb.clone(),
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

impl Battle {
    fn chart_pages(&self) -> Vec<Chart> {
        let charts = &self.charts;
        let cost = |c: Option<u8>, plus: &str| c.map_or("closed".to_owned(), |n| format!("{plus}{n}"));
        let strings = |words: &[&str]| words.iter().map(|w| (*w).to_owned()).collect::<Vec<_>>();
        let hexes = charts.hexes.iter().map(|row| {
            let mut cells = vec![spoken(&row.name)];
            cells.extend(Column::ALL.map(|c| cost(row.cost[c as usize], "")));
            cells.extend([
                row.to_hit.to_string(),
                signed(row.firing_out),
                if row.blocks_sight { "yes" } else { "no" }.into(),
                row.ours.clone(),
            ]);
            cells
        });
        let sides = Feature::ALL.into_iter().map(|feature| {
            let row = &charts.sides[feature as usize];
            let mut cells = vec![spoken(feature.word())];
            cells.extend(Column::ALL.map(|c| {
                row.instead.map_or_else(|| cost(row.cost[c as usize], "+"), |n| format!("{n} instead"))
            }));
            let zone = match row.zone {
                ZoneStop::Nowhere => "",
                ZoneStop::Both => "both ways",
                ZoneStop::Up => "upward",
                ZoneStop::In => "inward",
            };
            cells.extend([signed(row.to_hit), zone.into(), row.ours.clone()]);
            cells
        });
        let s = &charts.situations;
        let situation = |what: &str, n: i8| vec![what.to_owned(), signed(n)];
        let mut situations = vec![
            situation("the firer is surrounded", s.firer_surrounded),
            situation("the target is surrounded", s.target_surrounded),
            situation("approach fire", s.approach_fire),
            situation("from higher to lower ground", s.from_high_to_low),
            situation("infantry on guns", s.infantry_on_guns),
            situation("infantry on cavalry", s.infantry_on_cavalry),
            situation("artillery on cavalry", s.artillery_on_cavalry),
            situation("cavalry on infantry", s.cavalry_on_infantry),
            situation("cavalry on guns", s.cavalry_on_guns),
        ];
        situations
            .extend((1..=4).map(|r| situation(&format!("artillery at range {r}"), charts.range[r - 1])));
        let rally = (-3i8..=3).map(|mr| vec![signed(mr), charts.rally[(mr + 3) as usize].to_string()]);
        let points = &charts.points;
        let vp = |what: &str, n: [u8; 2]| vec![what.to_owned(), n[0].to_string(), n[1].to_string()];
        let chart = |title: &str, columns: &[&str], rows: Vec<Vec<String>>, rule: Rule, note: &str| Chart {
            title: title.into(),
            columns: strings(columns),
            rows,
            rule: Some(rule),
            note: note.into(),
        };
        vec![
            chart(
                "Terrain effects: hexes",
                &[
                    "hex",
                    "infantry MP",
                    "artillery MP",
                    "cavalry MP",
                    "To Hit",
                    "firing out",
                    "blocks sight",
                    "our values",
                ],
                hexes.collect(),
                cite!("5.4.1.a"),
                "Closed ground can be entered by road, minor road or railroad.",
            ),
            chart(
                "Terrain effects: hexsides",
                &[
                    "hexside",
                    "infantry MP",
                    "artillery MP",
                    "cavalry MP",
                    "To Hit",
                    "stops zones",
                    "our values",
                ],
                sides.collect(),
                cite!("5.4.2.a"),
                "Slopes and escarpments count upward, fortifications inward. Artillery ignores creek, river, bridge and ford when firing.",
            ),
            chart(
                "Special combat situations",
                &["situation", "To Hit"],
                situations,
                cite!("6.2.2.c"),
                &format!("Ours: {}.", s.ours),
            ),
            chart(
                "Rally",
                &["morale", "SPs that rally"],
                rally.collect(),
                cite!("10.5.4.a"),
                "One SP always stays demoralised.",
            ),
            chart(
                "Victory points",
                &["for each SP", "infantry", "others"],
                vec![
                    vp("lost", points.lost),
                    vp("demoralised, unit shattered", points.shattered),
                    vp("demoralised", points.demoralised),
                ],
                cite!("14.2.a"),
                "",
            ),
        ]
    }
}
