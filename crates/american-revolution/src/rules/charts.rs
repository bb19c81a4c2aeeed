//! The charts: printed tables of the series, and the volumes' charts as the scenario has them. All data.

use game::read::{self, Field, Section};

use crate::rules::close_combat::Column;
use crate::rules::results::{Effect, Hit};
use crate::rules::tactics::Tactic;

/// The tables that the series rulebook prints.
const PRINTED: &str = include_str!("../../../../rules/american-revolution/tables.toml");

/// The charts that it leaves to each volume, as we play them.
const OURS: &str = include_str!("../../charts.toml");

/// "May not enter", among costs.
pub(crate) const PROHIBITED: u8 = u8::MAX;

/// The longest range a to-hit chart may have.
pub(crate) const LONGEST: usize = 6;

/// Both sides of an entry of the Army Morale Adjustment Chart: the side concerned, its opponent.
pub(crate) type Change = [i8; 2];

/// Everything that is looked up.
#[derive(Debug, Clone)]
pub struct Charts {
    /// To-hit numbers by firing SP (1 to 6 and more) and range.
    pub to_hit: [[u8; LONGEST]; 6],
    /// Rifle Fire Damage Table, by the face.
    pub rifle_damage: [Hit; 10],
    /// Artillery Fire Damage Table, by the face.
    pub artillery_damage: [Hit; 10],
    /// Ranged fire modifiers.
    pub fire: FireDrm,
    /// Close Combat DRM Chart.
    pub close: CloseDrm,
    /// Close Combat Table: row of the modified roll from -2, column; attacker's part, defender's part.
    pub table: [[[Hit; 2]; 7]; 14],
    /// The smallest ratio of each column.
    pub thresholds: [[u16; 2]; 7],
    /// The modifier for odds below the first column.
    pub below_first: i8,
    /// Surrounded defender, surrounded attacker.
    pub surrounded: [i8; 2],
    /// The defender gains a chit at or below the first, the attacker at or above the second.
    pub momentum_at: [i8; 2],
    /// Tactical Matrix: defender's row, attacker's column; none is No Combat.
    pub matrix: [[Option<i8>; 8]; 8],
    /// The modifier when one side alone plays a card it may not.
    pub illegal_tactic: i8,
    /// Army Morale Track.
    pub track: Track,
    /// Army Morale Adjustment Chart.
    pub change: Changes,
    /// What a morale check must reach.
    pub pass_at: i8,
    /// On checks of defenders attacked only across fieldworks.
    pub works_check: i8,
    /// Chits in all, what one adds to the initiative roll, what dictating the order costs.
    pub chits: [u8; 3],
    /// SP of foot and horse, and guns, that a hex holds.
    pub stacking: [u8; 2],
    /// How far guns reach.
    pub artillery_range: u8,
    /// Terrain Effects Chart: hexes.
    pub terrain: [TerrainRow; Terrain::ALL.len()],
    /// Terrain Effects Chart: hexsides.
    pub hexside: [[u8; 3]; Crossing::ALL.len()],
    /// Victory points: a leader, an army commander.
    pub leader_vp: [u8; 2],
}

/// Ranged fire modifiers.
#[derive(Debug, Clone, Copy, Default)]
pub struct FireDrm {
    pub first_fire: i8,
    pub light_forest: i8,
    pub orchard: i8,
    pub heavy_forest: i8,
    pub building: i8,
    pub into_fieldworks: i8,
    pub target_up_slope: i8,
    pub rain: i8,
    pub terrain_floor: i8,
}

/// Close Combat DRM Chart.
#[derive(Debug, Clone, Copy, Default)]
pub struct CloseDrm {
    pub white_r_attacking: i8,
    pub white_r_defending: i8,
    pub all_militia_attacking: i8,
    pub all_militia_defending: i8,
    pub light_forest: i8,
    pub orchard: i8,
    pub heavy_forest: i8,
    pub building: i8,
    pub up_slope: i8,
    pub creek: i8,
    pub ford: i8,
    pub bridge: i8,
    pub up_slope_creek: i8,
    pub down_slope_creek: i8,
    pub into_fieldworks: i8,
    pub rain: i8,
    pub terrain_floor: i8,
}

/// The lowest space of each level, the top of the track, and where an army begins.
#[derive(Debug, Clone, Copy, Default)]
pub struct Track {
    pub high: i8,
    pub fatigued: i8,
    pub wavering: i8,
    pub demoralized: i8,
    pub top: i8,
    pub start: i8,
    /// Initiative DRM at High, Fatigued, Wavering.
    pub initiative: [i8; 3],
    /// What unit morale changes by at High, Fatigued, Wavering.
    pub units: [i8; 3],
}

/// Army Morale Adjustment Chart.
#[derive(Debug, Clone, Copy, Default)]
pub struct Changes {
    pub am_result: Change,
    pub retreat: Change,
    pub pin: Change,
    pub one_level_worse: Change,
    pub shattered_eliminated: Change,
    pub step_loss: Change,
    pub two_step_result: Change,
    pub captured_unit: Change,
    pub rally: Change,
    pub pin_broken: Change,
    pub forbidden_peek: Change,
    pub leader_killed: Change,
    pub army_commander_killed: Change,
    pub leader_captured: Change,
    pub army_commander_captured: Change,
}

/// What a hex is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Terrain {
    Clear,
    Field,
    Crops,
    LightForest,
    Orchard,
    HeavyForest,
    Swamp,
    Building,
    Water,
}

impl Terrain {
    /// All, in the chart's order.
    pub const ALL: [Terrain; 9] = [
        Terrain::Clear,
        Terrain::Field,
        Terrain::Crops,
        Terrain::LightForest,
        Terrain::Orchard,
        Terrain::HeavyForest,
        Terrain::Swamp,
        Terrain::Building,
        Terrain::Water,
    ];
    /// As files write them.
    pub const NAMES: [&'static str; 9] =
        ["clear", "field", "crops", "light_forest", "orchard", "heavy_forest", "swamp", "building", "water"];

    /// As files write it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    /// As people say it.
    #[must_use]
    pub fn words(self) -> String {
        self.name().replace('_', " ")
    }

    /// Clear, field or crops: where foot may not slip away from dragoons (12.53.b).
    #[must_use]
    pub const fn is_open(self) -> bool {
        matches!(self, Terrain::Clear | Terrain::Field | Terrain::Crops)
    }

    /// Heavy woods, light woods or orchard: covered terrain (10.7.a).
    #[must_use]
    pub const fn is_covered(self) -> bool {
        matches!(self, Terrain::LightForest | Terrain::Orchard | Terrain::HeavyForest)
    }
}

/// A line of the Terrain Effects Chart.
#[derive(Debug, Clone, Copy, Default)]
pub struct TerrainRow {
    /// Movement points for infantry, cavalry, artillery.
    pub mp: [u8; 3],
    /// Whether zones of control enter.
    pub zoc: bool,
    /// Whether it blocks sight.
    pub blocks: bool,
}

/// What is crossed from one hex to the next, water and slope as one kind where they meet (9.4.b).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Crossing {
    Creek,
    Ford,
    Bridge,
    River,
    UpSlope,
    DownSlope,
    UpSlopeCreek,
    DownSlopeCreek,
    FieldworksIn,
    FieldworksOut,
}

impl Crossing {
    /// All, in the chart's order.
    pub const ALL: [Crossing; 10] = [
        Crossing::Creek,
        Crossing::Ford,
        Crossing::Bridge,
        Crossing::River,
        Crossing::UpSlope,
        Crossing::DownSlope,
        Crossing::UpSlopeCreek,
        Crossing::DownSlopeCreek,
        Crossing::FieldworksIn,
        Crossing::FieldworksOut,
    ];
    /// As files write them.
    pub const NAMES: [&'static str; 10] = [
        "creek",
        "ford",
        "bridge",
        "river",
        "up_slope",
        "down_slope",
        "up_slope_creek",
        "down_slope_creek",
        "fieldworks_in",
        "fieldworks_out",
    ];
}

impl Charts {
    /// The charts without any change by a scenario.
    ///
    /// # Panics
    /// When the shipped tables cannot be read; a test holds them readable.
    #[must_use]
    pub fn series() -> Charts {
        let mut charts = read::document(PRINTED, printed).expect("the printed tables can be read");
        let whole = |sheet: &Section<'_>| {
            volume(sheet, &mut charts);
            Some(())
        };
        read::document(OURS, whole).expect("the default charts can be read");
        charts
    }

    /// Replaces what the scenario's `[charts]` names (1.a: exclusive rules win).
    pub fn replace(&mut self, section: &Section<'_>) {
        if let Some(printed) = section.field("close_combat").section() {
            self.close_combat_table(&printed);
            printed.finish();
        }
        volume(section, self);
    }

    /// The row of the Close Combat Table for a modified roll, clamped (CCT.c).
    #[must_use]
    pub fn row(&self, roll: i8) -> &[[Hit; 2]; 7] {
        &self.table[(roll.clamp(-2, 11) + 2) as usize]
    }

    /// The matrix' answer to both tactics (TM.a).
    #[must_use]
    pub fn tactics(&self, attacker: Tactic, defender: Tactic) -> Option<i8> {
        self.matrix[defender as usize][attacker as usize]
    }

    /// The number that fire of `sp` at `range` must reach.
    #[must_use]
    pub fn to_hit(&self, sp: u8, range: u8) -> i8 {
        self.to_hit[usize::from(sp.clamp(1, 6)) - 1][usize::from(range.clamp(1, LONGEST as u8)) - 1] as i8
    }

    fn close_combat_table(&mut self, section: &Section<'_>) {
        for row in section.field("row").sections() {
            let roll = row.field("roll").required().integer(-2..=11);
            let cells = row.field("results").required().list();
            row.ignore(&["momentum"]);
            row.finish();
            if cells.len() != 7 {
                row.fault("a row of the Close Combat Table has seven results", "one for each column");
            }
            let Some(roll) = roll else { continue };
            for (column, cell) in cells.iter().enumerate().take(7) {
                let parsed = cell.text().map(|text| {
                    let both = cell_of(&text);
                    if both.is_none() {
                        cell.fault(format!("`{text}` is no result"), "such as `R/-`, `-/1*`, `PIN`");
                    }
                    both
                });
                if let Some(Some(both)) = parsed {
                    self.table[(roll + 2) as usize][column] = both;
                }
            }
        }
    }
}

fn cell_of(text: &str) -> Option<[Hit; 2]> {
    if text == "PIN" {
        return Some([Hit { effect: Effect::Pin, star: false }; 2]);
    }
    let (attacker, defender) = text.split_once('/')?;
    Some([Hit::parse(attacker)?, Hit::parse(defender)?])
}

fn blank() -> Charts {
    Charts {
        to_hit: [[9; LONGEST]; 6],
        rifle_damage: [Hit::NOTHING; 10],
        artillery_damage: [Hit::NOTHING; 10],
        fire: FireDrm::default(),
        close: CloseDrm::default(),
        table: [[[Hit::NOTHING; 2]; 7]; 14],
        thresholds: [[1, 1]; 7],
        below_first: 0,
        surrounded: [0, 0],
        momentum_at: [-1, 10],
        matrix: [[None; 8]; 8],
        illegal_tactic: 0,
        track: Track::default(),
        change: Changes::default(),
        pass_at: 5,
        works_check: 0,
        chits: [0; 3],
        stacking: [0; 2],
        artillery_range: 3,
        terrain: [TerrainRow::default(); 9],
        hexside: [[0; 3]; 10],
        leader_vp: [0; 2],
    }
}

/// `key = number`, put into a place of any small type.
fn number<T: TryFrom<i64>>(
    section: &Section<'_>,
    key: &'static str,
    into: &mut T,
    range: std::ops::RangeInclusive<i64>,
) {
    if let Some(read) = section.field(key).integer(range).and_then(|n| T::try_from(n).ok()) {
        *into = read;
    }
}

fn numbers<T: TryFrom<i64>>(field: &Field<'_>, into: &mut [T], range: std::ops::RangeInclusive<i64>) {
    for (place, item) in into.iter_mut().zip(field.list()) {
        if let Some(read) = item.integer(range.clone()).and_then(|n| T::try_from(n).ok()) {
            *place = read;
        }
    }
}

fn printed(sheet: &Section<'_>) -> Option<Charts> {
    let mut charts = blank();
    let close = sheet.field("close_combat").required().section()?;
    close.ignore(&["columns", "diversion_column_shift", "roll_min", "roll_max"]);
    for (into, pair) in charts.thresholds.iter_mut().zip(close.field("thresholds").required().list()) {
        numbers(&pair, into, 1..=9);
    }
    number(&close, "below_first_column_drm", &mut charts.below_first, -9..=9);
    number(&close, "surrounded_defender_drm", &mut charts.surrounded[0], -9..=9);
    number(&close, "surrounded_attacker_drm", &mut charts.surrounded[1], -9..=9);
    number(&close, "defender_momentum_at_or_below", &mut charts.momentum_at[0], -9..=9);
    number(&close, "attacker_momentum_at_or_above", &mut charts.momentum_at[1], 0..=20);
    charts.close_combat_table(&close);
    close.finish();
    tactical_matrix(&sheet.field("tactics").required().section()?, &mut charts);
    let morale = sheet.field("army_morale").required().section()?;
    numbers(&morale.field("initiative_drm"), &mut charts.track.initiative, -9..=9);
    numbers(&morale.field("unit_morale_modifier"), &mut charts.track.units, -9..=9);
    let check = sheet.field("morale_check").required().section()?;
    number(&check, "pass_at", &mut charts.pass_at, 0..=9);
    number(&check, "fieldworks_drm", &mut charts.works_check, -9..=9);
    let momentum = sheet.field("momentum").required().section()?;
    number(&momentum, "chits_total", &mut charts.chits[0], 0..=9);
    number(&momentum, "initiative_bonus_per_chit", &mut charts.chits[1], 0..=9);
    number(&momentum, "dictate_order_cost", &mut charts.chits[2], 1..=9);
    let stacking = sheet.field("stacking").required().section()?;
    number(&stacking, "max_sp_non_artillery", &mut charts.stacking[0], 1..=20);
    number(&stacking, "max_artillery_units", &mut charts.stacking[1], 0..=9);
    sheet.ignore(&["victory_points", "artillery"]);
    Some(charts)
}

fn tactical_matrix(section: &Section<'_>, charts: &mut Charts) {
    number(section, "illegal_one_side_drm", &mut charts.illegal_tactic, 0..=9);
    for row in section.field("defender_row").sections() {
        let Some(defender) = row.field("defender").text().and_then(|name| Tactic::parse(&name)) else {
            continue;
        };
        for (attacker, cell) in row.field("cells").texts().iter().enumerate().take(8) {
            charts.matrix[defender as usize][attacker] = cell.trim_start_matches('+').parse().ok();
        }
    }
}

macro_rules! lines {
    ($section:expr, $into:expr, $($key:ident),+ $(,)?) => {
        $( number($section, stringify!($key), &mut $into.$key, -20..=40); )+
    };
}

macro_rules! changes {
    ($section:expr, $into:expr, $($key:ident),+ $(,)?) => {
        $( numbers(&$section.field(stringify!($key)), &mut $into.$key, -20..=20); )+
    };
}

/// What each volume brings: whatever is named replaces what was there.
fn volume(sheet: &Section<'_>, charts: &mut Charts) {
    fire_charts(sheet, charts);
    close_combat_chart(sheet, charts);
    morale_charts(sheet, charts);
    terrain_charts(sheet, charts);
    if let Some(s) = sheet.field("victory_points").section() {
        number(&s, "leader", &mut charts.leader_vp[0], 0..=20);
        number(&s, "army_commander", &mut charts.leader_vp[1], 0..=20);
        s.finish();
    }
    number(sheet, "artillery_range", &mut charts.artillery_range, 1..=LONGEST as i64);
}

fn fire_charts(sheet: &Section<'_>, charts: &mut Charts) {
    if let Some(s) = sheet.field("fire_to_hit").section() {
        for (into, row) in charts.to_hit.iter_mut().zip(s.field("rows").list()) {
            let given = row.list().len().min(LONGEST);
            numbers(&row, into, 0..=20);
            for beyond in given..LONGEST {
                into[beyond] = (into[beyond - 1] + 1).min(9);
            }
        }
        s.finish();
    }
    if let Some(s) = sheet.field("fire_drm").section() {
        lines!(
            &s,
            charts.fire,
            first_fire,
            light_forest,
            orchard,
            heavy_forest,
            building,
            into_fieldworks,
            target_up_slope,
            rain,
            terrain_floor
        );
        s.finish();
    }
    if let Some(s) = sheet.field("fire_damage").section() {
        for (key, into) in [("rifle", &mut charts.rifle_damage), ("artillery", &mut charts.artillery_damage)]
        {
            for (place, cell) in into.iter_mut().zip(s.field(key).list()) {
                match cell.text().as_deref().map(Hit::parse) {
                    Some(Some(hit)) => *place = hit,
                    Some(None) => cell.fault("this is no result", "-, AM, R, D, 1 or 1*"),
                    None => {}
                }
            }
        }
        s.finish();
    }
}

fn close_combat_chart(sheet: &Section<'_>, charts: &mut Charts) {
    if let Some(s) = sheet.field("close_combat_drm").section() {
        lines!(
            &s,
            charts.close,
            white_r_attacking,
            white_r_defending,
            all_militia_attacking,
            all_militia_defending,
            light_forest,
            orchard,
            heavy_forest,
            building,
            up_slope,
            creek,
            ford,
            bridge,
            up_slope_creek,
            down_slope_creek,
            into_fieldworks,
            rain,
            terrain_floor
        );
        s.finish();
    }
}

fn morale_charts(sheet: &Section<'_>, charts: &mut Charts) {
    if let Some(s) = sheet.field("army_morale_track").section() {
        lines!(&s, charts.track, high, fatigued, wavering, demoralized, top, start);
        s.finish();
    }
    if let Some(s) = sheet.field("army_morale_change").section() {
        changes!(
            &s,
            charts.change,
            am_result,
            retreat,
            pin,
            one_level_worse,
            shattered_eliminated,
            step_loss,
            two_step_result,
            captured_unit,
            rally,
            pin_broken,
            forbidden_peek,
            leader_killed,
            army_commander_killed,
            leader_captured,
            army_commander_captured
        );
        s.finish();
    }
}

fn terrain_charts(sheet: &Section<'_>, charts: &mut Charts) {
    if let Some(s) = sheet.field("terrain").section() {
        for (name, row) in Terrain::NAMES.iter().zip(&mut charts.terrain) {
            let Some(line) = s.field(name).section() else { continue };
            costs(&line.field("mp"), &mut row.mp);
            row.zoc = line.field("zoc").truth().unwrap_or(row.zoc);
            row.blocks = line.field("blocks").truth().unwrap_or(row.blocks);
            line.finish();
        }
        s.finish();
    }
    if let Some(s) = sheet.field("hexside").section() {
        for (name, row) in Crossing::NAMES.iter().zip(&mut charts.hexside) {
            costs(&s.field(name), row);
        }
        s.finish();
    }
}

fn costs(field: &Field<'_>, into: &mut [u8; 3]) {
    for (place, item) in into.iter_mut().zip(field.list()) {
        let prohibited = matches!(item.raw(), Some(value) if value.as_str() == Some("P"));
        if prohibited {
            *place = PROHIBITED;
        } else if let Some(mp) = item.integer(0..=20) {
            *place = mp as u8;
        }
    }
}

/// The columns of the Close Combat Table as printed.
pub(crate) const COLUMNS: [&str; 7] = ["1-3", "1-2", "1-1", "3-2", "2-1", "3-1", "4-1"];

impl Charts {
    /// The highest column whose ratio does not exceed `attack` to `defence`, before any shift (12.23.b, CCT.a, CCT.b).
    #[must_use]
    pub fn column(&self, attack: u16, defence: u16) -> Column {
        let reached = |t: &[u16; 2]| attack * t[1] >= defence * t[0];
        match self.thresholds.iter().rposition(reached) {
            Some(column) => Column { column: column as u8, below: false },
            None => Column { column: 0, below: true },
        }
    }
}
