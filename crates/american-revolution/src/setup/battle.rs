//! A battle ready to be played: counters, ground, charts, what the volume adds to the series rules. Immutable.

use game::scenario::Head;
use game::{BySide, Side};
use hexmap::{Hex, HexSet};

use crate::rules::charts::{Charts, Terrain};
use crate::setup::ground::Ground;
use crate::setup::pieces::{Piece, Pieces};

/// How a counter moves and fights.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Arm {
    Infantry,
    Cavalry,
    Artillery,
    Leader,
}

impl Arm {
    /// The column of the Terrain Effects Chart; leaders pay as cavalry.
    #[inline]
    #[must_use]
    pub const fn column(self) -> usize {
        match self {
            Arm::Infantry => 0,
            Arm::Cavalry | Arm::Leader => 1,
            Arm::Artillery => 2,
        }
    }

    /// As files write it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Arm::Infantry => "infantry",
            Arm::Cavalry => "cavalry",
            Arm::Artillery => "artillery",
            Arm::Leader => "leader",
        }
    }
}

/// Where a piece begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Start {
    /// On the map.
    At(Hex),
    /// It arrives on that turn in that hex.
    Enters(u8, Hex),
}

/// A counter as printed (2.2).
#[derive(Debug, Clone)]
pub struct Counter {
    /// In notation: `b-23`.
    pub id: String,
    /// `23rd Foot`.
    pub name: String,
    /// `Royal Welch Fusiliers`.
    pub byname: Option<String>,
    /// Whose.
    pub side: Side,
    /// Nationality, where it matters to the eye.
    pub nation: Option<String>,
    /// Infantry, cavalry, artillery or leader.
    pub arm: Arm,
    /// SP for close combat and stacking: full and reduced side.
    pub strength: [u8; 2],
    /// SP for fire: full and reduced side.
    pub fire: [u8; 2],
    /// Morale: full and reduced side.
    pub morale: [i8; 2],
    /// 1 or 2.
    pub steps: u8,
    /// Movement allowance.
    pub allowance: u8,
    /// Where it begins.
    pub start: Start,
    /// It begins on its reduced side (4.d).
    pub starts_reduced: bool,
    /// What a leader counter prints.
    pub leader: Option<LeaderSheet>,
    /// The first turn on which it may move; none: never.
    pub free: Option<u8>,
    /// Before this turn it may not move next to an enemy.
    pub shy_until: u8,
    /// Before this turn it may not leave roads and open ground.
    pub road_bound_until: u8,
    /// It may not leave these parts of the map before a turn.
    pub leash: Vec<Leash>,
    /// VP for its capture.
    pub captured_vp: u8,
    /// VP on top when it is eliminated or captured.
    pub bonus_vp: u8,
}

/// Rows and columns that a piece must keep to before a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Leash {
    /// It is off from this turn; none: never.
    pub until: Option<u8>,
    /// The northernmost row.
    pub north: u16,
    /// The southernmost row.
    pub south: u16,
    /// The westernmost column.
    pub west: u16,
}

/// What a leader counter prints, and what the volume says of him.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LeaderSheet {
    /// 1 is the most senior.
    pub seniority: u8,
    /// Close combat DRM.
    pub close_combat: i8,
    /// Leadership DRM.
    pub leadership: i8,
    /// He commands the army.
    pub commander: bool,
    /// His leadership reaches adjacent hexes (14.23.b).
    pub reaches: bool,
    /// His close combat DRM and tactics serve dragoons alone (12.54.b).
    pub dragoons_only: bool,
    /// He may not command in close combat at all (12.54.b).
    pub no_close_combat: bool,
}

/// Who is what (2.1.a, 3.1): per-unit data of the scenario as sets.
#[derive(Debug, Clone, Copy, Default)]
pub struct Roles {
    pub artillery: Pieces,
    pub cavalry: Pieces,
    pub rifles: Pieces,
    /// Musket/rifle units: among the rifles in the Rifle Fire phase, line infantry otherwise (R79).
    pub mixed: Pieces,
    pub white_r: Pieces,
    pub light: Pieces,
    pub militia: Pieces,
    pub dragoons: Pieces,
    pub indians: Pieces,
    pub jaegers: Pieces,
    pub demi_leaders: Pieces,
    /// May not lead in close combat.
    pub no_lead: Pieces,
    /// May not lead a stack that holds units of another kind.
    pub no_lead_mixed: Pieces,
    /// May not attack.
    pub no_attack: Pieces,
    /// Exempt from mandatory retreat.
    pub no_retreat: Pieces,
    /// May withdraw before combat like Indians.
    pub withdrawers: Pieces,
    /// Guns that need no line of sight.
    pub indirect: Pieces,
    /// Go home after a close combat unless they stand.
    pub home_goers: Pieces,
    /// Have a fence before them in their first close combat.
    pub fence: Pieces,
    /// Leave the map when their army wavers.
    pub waverers: Pieces,
    /// Reinforcements that may not be delayed.
    pub prompt: Pieces,
    /// May not use strategic movement on the turn of entry.
    pub no_forced_entry: Pieces,
}

impl Roles {
    /// The two kinds of rifle unit, outside the Rifle Fire phase (3.1.h, 3.1.i, R79).
    #[inline]
    #[must_use]
    pub fn rifle_units(&self) -> Pieces {
        self.rifles - self.mixed
    }
}

/// A side of the battle.
#[derive(Debug, Clone)]
pub struct Army {
    /// In files: `crown`.
    pub id: String,
    /// `Crown forces`.
    pub name: String,
    /// Of the palette: `crown`, `continental`.
    pub livery: String,
    /// Army morale at the start.
    pub morale: i8,
    /// Chits at the start.
    pub chits: u8,
    /// Distance of each hex from the home edge.
    pub home: Vec<u8>,
    /// Hexes into which a retreat always goes in direction.
    pub haven: HexSet,
    /// The player may not examine enemy stacks (7.42).
    pub limited: bool,
}

/// A terrain objective.
#[derive(Debug, Clone)]
pub struct Objective {
    /// Where.
    pub hex: Hex,
    /// `Court house`.
    pub name: String,
    /// VP for holding it at the end.
    pub vp: BySide<u8>,
    /// Who holds it at the start.
    pub held: Option<Side>,
}

/// A victory by conditions of the volume; all that are named must hold.
#[derive(Debug, Clone, Default)]
pub struct Condition {
    /// Objectives to be held.
    pub hold: Vec<usize>,
    /// At least one of these must be held.
    pub hold_any: Vec<usize>,
    /// A lead in VP.
    pub lead: Option<i16>,
    /// Enemy steps lost, at least.
    pub enemy_lost: Option<u8>,
    /// Own steps lost, at most.
    pub own_lost: Option<u8>,
    /// Enemy pieces that must be eliminated or captured.
    pub gone: Pieces,
    /// Looked at at the end of every turn (5.c).
    pub automatic: bool,
}

/// How the battle is won besides by demoralisation.
#[derive(Debug, Clone, Default)]
pub struct Victory {
    /// Decisive victories of each side.
    pub decisive: BySide<Vec<Condition>>,
    /// The lead that wins marginally; none: denied to that side (4.a).
    pub marginal: BySide<Option<i16>>,
}

/// A brigade whose leader steadies it from anywhere (a volume's morale check modifier, 13.5.d).
#[derive(Debug, Clone, Copy)]
pub struct Brigade {
    /// While he is in play.
    pub leader: Piece,
    /// These units.
    pub units: Pieces,
    /// Add this to morale checks.
    pub check: i8,
}

/// Units that must stay near a place.
#[derive(Debug, Clone, Copy)]
pub struct Anchor {
    /// Whose.
    pub side: Side,
    /// From this turn.
    pub from: u8,
    /// These units.
    pub units: Pieces,
    /// With at least so many SP.
    pub sp: u8,
    /// Within so many hexes.
    pub within: u8,
    /// Of this hex.
    pub hex: Hex,
}

/// Where units may leave the map.
#[derive(Debug, Clone)]
pub struct Exit {
    /// Whose.
    pub side: Side,
    /// From this turn.
    pub from: u8,
    /// From these hexes.
    pub hexes: HexSet,
    /// When all of these have left, the game ends and the enemy holds every objective.
    pub army: Pieces,
}

/// Units that are let go as soon as an enemy comes too near; those that are held for good are not.
#[derive(Debug, Clone)]
pub struct Alarm {
    /// Whose.
    pub side: Side,
    /// These.
    pub units: Pieces,
    /// When an enemy unit stands here.
    pub near: HexSet,
}

/// Guns that may fire into a close combat of their own side, once.
#[derive(Debug, Clone, Copy)]
pub struct Grape {
    /// These guns.
    pub gun: Piece,
    /// At so many hexes.
    pub within: u8,
}

/// A leader who may, once, let units go a turn before their time.
#[derive(Debug, Clone)]
pub struct Hasten {
    /// While he is in play.
    pub leader: Piece,
    /// The releases that he may bring forward, by their turns.
    pub turns: Vec<u8>,
    /// What it costs in army morale.
    pub price: u8,
}

/// What the volume changes (1.a).
#[derive(Debug, Clone, Default)]
pub struct Special {
    /// Dragoons may not attack into these.
    pub dragoons_shun: Vec<Terrain>,
    /// A building shelters at most so many SP; 0 no limit.
    pub shelter: u8,
    /// Morale check modifier of those who may go home.
    pub home_check: i8,
    /// Fence modifier.
    pub fence: i8,
    /// Brigades steadied by their leader.
    pub brigades: Vec<Brigade>,
    /// Leader whose call rallies rifles in or next to his hex, and what it adds in place of his leadership.
    pub call: Option<(Piece, i8)>,
    /// Units that must stay near a place.
    pub anchor: Option<Anchor>,
    /// Where units may leave.
    pub exit: Option<Exit>,
    /// What frees units that are held back, or on a leash, before their time.
    pub alarms: Vec<Alarm>,
    /// On dusk turns: modifier to all fire; strategic movement is barred.
    pub dusk: i8,
    /// Morale check modifier for everybody.
    pub check: i8,
    /// Indian withdrawal is also allowed in these.
    pub withdrawal_terrain: Vec<Terrain>,
    /// Chits may be spent on army morale: what one buys; 0 no such use (12.62.e).
    pub chit_buys_morale: u8,
    /// Guns that may fire into a melee, where the house rule is on.
    pub grape: Option<Grape>,
    /// Who may let units go before their time.
    pub hasten: Option<Hasten>,
    /// Whose units mend the broken bridges of the map.
    pub mends: Option<Side>,
}

/// House rules.
#[derive(Debug, Clone, Copy, Default)]
pub struct House {
    /// Cards that are not eligible may be played, at the price of 12.55.
    pub illegal_tactics: bool,
    /// Neither side may examine the other's stacks.
    pub limited_intelligence: bool,
    /// The volume's guns may fire into a melee.
    pub grape: bool,
}

/// A battle.
#[derive(Debug)]
pub struct Battle {
    /// How the battle introduces itself.
    pub head: Head,
    /// The ground.
    pub ground: Ground,
    /// The survey that the art is drawn from, as JSON; null without one.
    pub survey: serde_json::Value,
    /// Yards between opposite sides of a hex.
    pub hex_yards: u32,
    /// Yards from the survey's west and north edges to the map's.
    pub inset: [i32; 2],
    /// The two sides.
    pub armies: BySide<Army>,
    /// Every combat unit and leader.
    pub counters: Vec<Counter>,
    /// The combat units of each side.
    pub units: BySide<Pieces>,
    /// The leaders of each side.
    pub leaders: BySide<Pieces>,
    /// Who is what.
    pub roles: Roles,
    /// The charts.
    pub charts: Charts,
    /// How many turns.
    pub turns: u8,
    /// What the track calls them.
    pub labels: Vec<String>,
    /// Turns of rain, a bit each.
    pub rain: u32,
    /// Turns of dusk, a bit each.
    pub dusk: u32,
    /// Who counts as having had the initiative before turn 1.
    pub previous: Side,
    /// Who moves first on turn 1 without a roll.
    pub first_turn: Option<Side>,
    /// Objectives.
    pub objectives: Vec<Objective>,
    /// Victory.
    pub victory: Victory,
    /// What the volume changes.
    pub special: Special,
    /// House rules.
    pub house: House,
}

impl Battle {
    /// The counter of a piece.
    #[inline]
    #[must_use]
    pub fn counter(&self, piece: Piece) -> &Counter {
        &self.counters[piece.index()]
    }

    /// Whose piece it is.
    #[inline]
    #[must_use]
    pub fn side(&self, piece: Piece) -> Side {
        if self.units.first.has(piece) || self.leaders.first.has(piece) { Side::First } else { Side::Second }
    }

    /// All pieces of a side.
    #[inline]
    #[must_use]
    pub fn pieces(&self, side: Side) -> Pieces {
        self.units[side] | self.leaders[side]
    }

    /// Every combat unit (3.1.a).
    #[inline]
    #[must_use]
    pub fn all_units(&self) -> Pieces {
        self.units.first | self.units.second
    }

    /// Every leader.
    #[inline]
    #[must_use]
    pub fn all_leaders(&self) -> Pieces {
        self.leaders.first | self.leaders.second
    }

    /// The piece of that id.
    #[must_use]
    pub fn find(&self, id: &str) -> Option<Piece> {
        self.counters.iter().position(|c| c.id == id).map(|i| Piece(i as u8))
    }

    /// The side of that id.
    #[must_use]
    pub fn find_side(&self, id: &str) -> Option<Side> {
        Side::BOTH.into_iter().find(|&s| self.armies[s].id == id)
    }

    /// Whether it rains on that turn.
    #[must_use]
    pub fn rains(&self, turn: u8) -> bool {
        self.rain >> turn.min(31) & 1 == 1
    }

    /// Whether dusk falls on that turn.
    #[must_use]
    pub fn is_dusk(&self, turn: u8) -> bool {
        self.dusk >> turn.min(31) & 1 == 1
    }

    /// The number of a hex as printed.
    #[must_use]
    pub fn hex_name(&self, hex: Hex) -> String {
        self.ground.grid.name(hex).to_string()
    }

    /// The leader sheet of a leader.
    #[must_use]
    pub fn sheet(&self, piece: Piece) -> LeaderSheet {
        self.counter(piece).leader.unwrap_or(LeaderSheet {
            seniority: u8::MAX,
            close_combat: 0,
            leadership: 0,
            commander: false,
            reaches: false,
            dragoons_only: false,
            no_close_combat: true,
        })
    }
}
