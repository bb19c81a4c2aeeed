//! A scenario made ready for play: ground, forces, rates, switches.

use game::scenario::Head;
use game::{BySide, Side};
use table::{Area, INCH, Pt, TableTop};

use crate::rules::basics::Arm;
use crate::rules::charts::{Scale, ScaleRow, Tables};
use crate::setup::ground::{Ground, Linear, TableEdge};
use crate::setup::pieces::{BmuInfo, LeaderInfo, Rate, Rates};
use crate::state::{Body, BodyId, LeaderId, Marks, State};

/// A compiled scenario.
#[derive(Debug)]
pub struct Battle {
    pub head: Head,
    pub scale: Scale,
    pub year: i64,
    pub top: TableTop,
    pub turns: u8,
    pub attacker: Option<Side>,
    pub sides: BySide<SideInfo>,
    pub tables: Tables,
    pub row: ScaleRow,
    pub rates: Rates,
    pub on: Switches,
    pub bmus: Vec<BmuInfo>,
    pub leaders: Vec<LeaderInfo>,
    pub areas: Vec<Ground>,
    /// The special terrain among them, as bits by their numbers.
    pub unseen: u32,
    pub lines: Vec<Linear>,
    pub scores: Vec<Score>,
    pub sudden: Vec<Sudden>,
    /// By how many points one must lead to win.
    pub margin: i32,
    pub start: State,
    /// Everything of the terrain file in the order written, for the board.
    pub pieces: Vec<game::board::TerrainPiece>,
}

/// One of the two armies.
#[derive(Debug, Clone)]
pub struct SideInfo {
    pub id: String,
    pub name: String,
    pub livery: String,
    pub edge: Option<TableEdge>,
    /// Where those who run go inside a work.
    pub rally: Vec<Pt>,
    /// The edge by which it may march off unbeaten, from this turn on.
    pub exit: Option<(TableEdge, u8)>,
}

/// Something that counts at the end.
#[derive(Debug, Clone)]
pub struct Score {
    pub name: String,
    pub what: What,
    pub points: BySide<i32>,
    /// No more than this from it.
    pub most: i32,
}

/// What is counted.
#[derive(Debug, Clone)]
pub enum What {
    /// More stands in good order on these areas at the end.
    HoldArea { areas: Vec<usize>, foot_and_guns: bool },
    /// The last unit in good order within so far of a point.
    HoldPoint { at: Pt, within: i64, slot: usize },
    /// Nobody of the enemy inside at the end.
    Clear { area: Area },
    /// Each enemy unit removed: any, batteries only, or foot and horse only.
    Removed { batteries: Option<bool> },
    /// Each enemy unit Shaken or Routed at the end.
    Broken,
    /// The smaller percentage of hits lost.
    FewerLosses,
    /// Each so many enemy stands lost for good.
    StandsLost { each: i32 },
    /// Each enemy unit removed or at half its hits.
    Spent,
    /// The enemy holds none of these objectives at the end.
    Kept { names: Vec<String> },
    /// An enemy stand is inside an area before a turn: scored at once.
    Entered { area: Area, before: u8, bit: u32 },
    /// Own stands inside at the start of a turn: scored then.
    HeldAt { area: Area, turn: u8, bit: u32 },
}

/// What ends the battle at once.
#[derive(Debug, Clone)]
pub struct Sudden {
    pub winner: Side,
    pub when: When,
}

/// When it ends.
#[derive(Debug, Clone)]
pub enum When {
    /// The winner alone has stands in the area.
    Alone { area: Area },
    /// The loser is down to so many stands.
    StandsLeft { stands: i32 },
    /// The winner holds the first objective and so many of the others, from a turn on.
    Holds { names: Vec<String>, most: usize, from: u8 },
}

macro_rules! switches {
    ($($field:ident = $name:literal, $usual:literal, $says:literal;)*) => {
        /// What a scenario uses.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub struct Switches {
            $(pub $field: bool,)*
        }

        impl Switches {
            /// Each switch: its name in files, and what it turns on.
            pub const LIST: &'static [(&'static str, &'static str)] = &[$(($name, $says)),*];
            /// As they are where a file says nothing.
            pub const USUAL: Switches = Switches { $($field: $usual,)* };

            /// Each with its name.
            pub fn named(&mut self) -> Vec<(&'static str, &mut bool)> {
                vec![$(($name, &mut self.$field)),*]
            }

            /// In the order of [`Switches::LIST`].
            #[must_use]
            pub fn all(&self) -> Vec<bool> {
                vec![$(self.$field),*]
            }
        }
    };
}

switches! {
    orders = "orders", true, "Sub-commanders act under orders that must be issued and received";
    personalities = "personalities", true, "Sub-commanders have personalities";
    sighting = "sighting", false, "Hidden units are markers until they are sighted";
    skirmish = "skirmish", true, "Stands may be detached as skirmishers, and skirmishers fall back";
    forts = "forts", false, "Walls are fortifications with groups, assaults, gates and breaches";
    opportunity = "opportunity", true, "Opportunity fire and opportunity charges interrupt movement";
    prone = "prone", true, "Units may go prone";
    shrapnel = "shrapnel", true, "Batteries that have shrapnel may use it";
    rush = "rush", false, "Infantry may charge as a rush from 1855 on";
    boxes = "box", false, "Several units may form one large square";
    late = "late", false, "Attacks by thickening skirmish lines";
    hidden_terrain = "hidden_terrain", false, "Depressions and bogs may be unknown to the attacker";
    strict_print = "strict_print", false, "Charts as printed where the rulings correct them";
}

impl Battle {
    /// The order-of-battle entry of a body.
    #[must_use]
    pub fn info(&self, body: &Body) -> &BmuInfo {
        &self.bmus[usize::from(body.bmu)]
    }

    /// Its arm.
    #[must_use]
    pub fn arm(&self, body: &Body) -> Arm {
        let arm = self.info(body).arm;
        if body.marks.has(Marks::CREW) { Arm::Infantry } else { arm }
    }

    /// Whose it is.
    #[must_use]
    pub fn side(&self, body: &Body) -> Side {
        self.info(body).side
    }

    /// Its rates as it stands.
    #[must_use]
    pub fn rate(&self, body: &Body) -> Rate {
        self.rates.rate(self.arm(body), body.mounted(self), body.shape.formation)
    }

    /// Foot in the sense of the charge rules: dismounted cavalry and crews too.
    #[must_use]
    pub fn on_foot(&self, body: &Body) -> bool {
        !body.mounted(self)
    }

    /// The overall commander of a side, if it has one.
    #[must_use]
    pub fn overall(&self, side: Side) -> Option<LeaderId> {
        self.leaders.iter().position(|l| l.side == side && l.overall).map(|i| LeaderId(i as u8))
    }

    /// Yards of the ground in working units of the table.
    #[must_use]
    pub fn yards(&self, yards: i64) -> i64 {
        yards * INCH / self.row.yards_per_inch
    }

    /// Hundredths of command range.
    #[must_use]
    pub fn command_range(&self) -> i64 {
        self.row.command_range * INCH
    }

    /// The body's id in notation: the unit's, with a number for its later groups; detachments by their number.
    #[must_use]
    pub fn slug(&self, id: BodyId) -> String {
        let Some(body) = self.start.bodies.get(id.i()) else { return format!("#{}", id.0) };
        let before = self.start.bodies[..id.i()].iter().filter(|b| b.bmu == body.bmu).count();
        let info = &self.bmus[usize::from(body.bmu)];
        if before == 0 { info.id.clone() } else { format!("{}.{}", info.id, before + 1) }
    }

    /// The leader of that notation.
    #[must_use]
    pub fn find_leader(&self, id: &str) -> Option<LeaderId> {
        self.leaders.iter().position(|l| l.id == id).map(|i| LeaderId(i as u8))
    }
}
