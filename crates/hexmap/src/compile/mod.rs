//! From a survey in yards to a map of hexes.
//!
//! A [`Plan`] lays a grid over a survey; [`compile`] reads off, for each hex, the cover that takes up most of
//! it and its level, and for each hexside the waters, roads, slopes and works that cross or follow it. What
//! the survey gets wrong by a few yards the plan puts right with [`Correction`]s. The result names kinds of
//! ground, not rules: each game maps them to its own terrain chart.

mod correct;
mod ground;
mod layout;
mod lines;

use serde::Deserialize;
use survey::{Fault, RoadKind, Survey, WallKind, WaterKind};
use toml::Spanned;

pub use correct::Correction;
pub use ground::{Cover, Ground, HexFeatures, SideFeatures};
pub use layout::Layout;

use crate::{EvenColumns, Grid, Hex};
use lines::Marked;

/// How a grid lies on a survey and what is put right by hand: the `[map]` of a scenario.
///
/// ```toml
/// [map]
/// survey = "gettysburg"
/// hex = 300
/// columns = 28
/// rows = 21
/// even-columns = "lower"
///
/// [[map.correct]]
/// hexes = ["1905"]
/// level = 1
/// ```
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Plan {
    /// The file name of the survey without its ending.
    pub survey: Spanned<String>,
    /// Yards from flat to flat.
    pub hex: u16,
    /// How many columns there are.
    pub columns: u16,
    /// How many rows there are.
    pub rows: u16,
    /// Which way even columns are shifted.
    #[serde(default)]
    pub even_columns: EvenColumns,
    /// The north-west corner of the map in the survey, if it is not that of the sheet.
    pub corner: Option<[i32; 2]>,
    /// The part of the map a smaller scenario is played on; numbers stay those of the whole map.
    pub play: Option<Play>,
    /// Where slopes are drawn.
    #[serde(default)]
    pub slopes: Slopes,
    /// What is changed by hand afterwards.
    #[serde(default)]
    pub correct: Vec<Correction>,
}

/// First and last column and row of a part of the map.
#[derive(Copy, Clone, Debug, Eq, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Play {
    /// The first and the last column.
    pub columns: [u16; 2],
    /// The first and the last row.
    pub rows: [u16; 2],
}

/// Which hexsides are slopes.
#[derive(Copy, Clone, Debug, Default, Eq, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Slopes {
    /// All between hexes of different level that are not escarpments.
    #[default]
    Levels,
    /// Only those a correction names.
    Listed,
}

/// Makes the hex map. Faults of the corrections lie where these are written, all others at the name of the
/// survey.
pub fn compile(survey: &Survey, plan: &Plan) -> Result<Ground, Vec<Fault>> {
    let fault = |message: String| vec![Fault::new(plan.survey.span(), message)];
    let grid =
        Grid::new(plan.columns, plan.rows, plan.even_columns).map_err(|error| fault(error.to_string()))?;
    if plan.hex == 0 {
        return Err(fault("a hex must measure at least one yard".to_string()));
    }
    let [west, north] = plan.corner.unwrap_or([0, survey.size[1]]);
    let layout = Layout::new(plan.hex, west, north);
    let mut ground = Ground::new(grid, layout);
    if let Some(play) = plan.play {
        ground.play_on(play);
    }
    if ground.in_play().is_empty() {
        return Err(fault("no hex of the map is in play".to_string()));
    }
    ground.survey_hexes(survey);
    correct::hexes(&mut ground, &plan.correct)?;
    survey_waters(&mut ground, survey);
    survey_roads(&mut ground, survey);
    survey_walls(&mut ground, survey);
    survey_crossings(&mut ground, survey);
    survey_escarpments(&mut ground, survey, plan.slopes);
    if plan.slopes == Slopes::Levels {
        ground.slope_between_levels();
    }
    correct::sides(&mut ground, &plan.correct)?;
    ground.note_ways_in_hexes();
    Ok(ground)
}

fn survey_waters(ground: &mut Ground, survey: &Survey) {
    for water in &survey.water {
        let feature = match water.kind {
            WaterKind::Stream => SideFeatures::STREAM,
            WaterKind::Creek => SideFeatures::CREEK,
            WaterKind::River => SideFeatures::RIVER,
        };
        // Water that covers hexes needs no hexsides.
        if water.outline.is_none() {
            for Marked { side, .. } in lines::chain_of_sides(ground, &water.line) {
                ground.add(side, feature);
            }
        }
    }
}

fn survey_roads(ground: &mut Ground, survey: &Survey) {
    for road in &survey.road {
        let feature = match road.kind {
            RoadKind::Road => SideFeatures::ROAD,
            RoadKind::Lane => SideFeatures::LANE,
            RoadKind::Railroad => SideFeatures::RAILROAD,
            RoadKind::Unfinished => SideFeatures::UNFINISHED,
        };
        for chain in lines::chains_of_hexes(ground, &road.line) {
            for side in chain.sides(&ground.grid) {
                ground.add(side, feature);
            }
        }
    }
    for cut in &survey.cut {
        for hex in lines::hexes_under(ground, &cut.line) {
            ground.add_in(hex, HexFeatures::CUT);
        }
    }
}

fn survey_walls(ground: &mut Ground, survey: &Survey) {
    for wall in &survey.wall {
        let feature = match wall.kind {
            WallKind::Wall => SideFeatures::WALL,
            WallKind::Fence => SideFeatures::FENCE,
            WallKind::Works => SideFeatures::WORKS,
        };
        for marked in lines::chain_of_sides(ground, &wall.line) {
            ground.add(marked.side, feature);
            if let Some(hand) = wall.protects {
                ground.protect(marked.side, marked.on(hand));
            }
        }
    }
}

fn survey_crossings(ground: &mut Ground, survey: &Survey) {
    for bridge in &survey.bridge {
        let feature = if bridge.is_burnt() { SideFeatures::BURNT_BRIDGE } else { SideFeatures::BRIDGE };
        if let Some(side) = lines::crossing_near(ground, bridge.at) {
            ground.add(side, feature);
        }
    }
    for ford in &survey.ford {
        if let Some(side) = lines::crossing_near(ground, ford.at) {
            ground.add(side, SideFeatures::FORD);
        }
    }
}

/// Where slopes follow the levels, so do escarpments: between hexes of one level there is no face to climb.
fn survey_escarpments(ground: &mut Ground, survey: &Survey, slopes: Slopes) {
    for escarpment in &survey.escarpment {
        for marked in lines::chain_of_sides(ground, &escarpment.line) {
            let level = |hex: Option<Hex>| hex.map(|hex| ground.level(hex));
            if slopes == Slopes::Levels && level(marked.left) == level(marked.right) {
                continue;
            }
            ground.add(marked.side, SideFeatures::ESCARPMENT);
            ground.rise(marked.side, marked.off(escarpment.falls));
        }
    }
}
