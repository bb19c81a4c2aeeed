//! A scenario made ready for play: ground, forces, rates, switches.

use game::{BySide, Options, Side};
use table::{Area, INCH, Line, Pt, Spot, TableTop};

use crate::at::At;
use crate::rules::basics::{Arm, Formation};
use crate::rules::charts::{Rating, Scale, ScaleRow, Tables};
use crate::state::{Body, BodyId, Command, LeaderId, Marks, Personality, State};

/// A compiled scenario.
#[derive(Debug)]
pub struct Battle {
    pub title: String,
    pub subtitle: String,
    pub blurb: String,
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

/// A side of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TableEdge {
    North,
    East,
    South,
    West,
}

impl TableEdge {
    pub const NAMES: [&'static str; 4] = ["north", "east", "south", "west"];
    pub const ALL: [TableEdge; 4] = [TableEdge::North, TableEdge::East, TableEdge::South, TableEdge::West];
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

/// A weapon at the battle's scale.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Weapon {
    pub name: String,
    pub kind: WeaponKind,
    pub smoothbore: bool,
    pub improved: bool,
    /// Short, medium, long, extreme.
    pub ranges: [i64; 4],
    /// Dice a stand.
    pub dice: u8,
}

/// What sort of weapon.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WeaponKind {
    None,
    SmallArm,
    Bow,
    Gun,
    /// More than 20 pounds.
    Position,
    Rockets,
    /// Jams at two ones.
    EarlyMachineGun,
    /// Jams at three ones.
    LateMachineGun,
}

impl WeaponKind {
    /// The artillery procedure applies.
    #[must_use]
    pub fn is_artillery(self) -> bool {
        matches!(
            self,
            WeaponKind::Gun
                | WeaponKind::Position
                | WeaponKind::Rockets
                | WeaponKind::EarlyMachineGun
                | WeaponKind::LateMachineGun
        )
    }

    /// Canister is to be had.
    #[must_use]
    pub fn has_canister(self) -> bool {
        matches!(self, WeaponKind::Gun | WeaponKind::Position)
    }
}

/// A basic manoeuvre unit as the scenario lists it.
#[derive(Debug, Clone)]
pub struct BmuInfo {
    pub id: String,
    pub name: String,
    pub side: Side,
    pub leader: LeaderId,
    pub arm: Arm,
    pub men: i64,
    pub stands: u8,
    pub weapon: Weapon,
    pub morale: Rating,
    pub fire: Option<Rating>,
    pub melee: Rating,
    pub skirmish: bool,
    pub lances: bool,
    pub armored: bool,
    pub breechloader: bool,
    pub repeater: bool,
    pub shrapnel: bool,
    pub civilian_drivers: bool,
    pub scout: bool,
    pub sapper: bool,
    pub rush: bool,
    pub late: bool,
    pub telescope: bool,
    pub binoculars: bool,
    pub poor: bool,
    pub arrival: Option<Arrival>,
}

impl BmuInfo {
    /// Carries nothing that shoots.
    #[must_use]
    pub fn melee_only(&self) -> bool {
        self.weapon.kind == WeaponKind::None
    }
}

/// When and where a unit comes on.
#[derive(Debug, Clone, Copy)]
pub struct Arrival {
    pub turn: u8,
    pub edge: TableEdge,
    /// The stretch of the edge.
    pub from: i64,
    pub to: i64,
    pub facing: table::Angle,
}

/// A commander as the scenario lists him.
#[derive(Debug, Clone)]
pub struct LeaderInfo {
    pub id: String,
    pub name: String,
    pub side: Side,
    pub overall: bool,
    pub bodyguard: Option<u8>,
    /// Comes on with this unit.
    pub arrives_with: Option<u8>,
    /// His quality or personality is rolled before the first turn.
    pub rolled: bool,
}

/// Cover against fire.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cover {
    None,
    Light,
    Heavy,
}

impl Cover {
    pub const NAMES: [&'static str; 3] = ["none", "light", "heavy"];
    pub const ALL: [Cover; 3] = [Cover::None, Cover::Light, Cover::Heavy];
}

/// Kinds of woods.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Woods {
    Light,
    Medium,
    Heavy,
}

/// An area of the table.
#[derive(Debug)]
pub struct Ground {
    pub name: String,
    pub kind: String,
    pub area: Area,
    pub level: i8,
    pub cover: Cover,
    /// Twice the movement multiplier.
    pub cost: i64,
    pub suppress: bool,
    pub woods: Option<Woods>,
    pub hill: bool,
    pub road: bool,
    /// Blocks sight at its level.
    pub building: bool,
    /// Closed to guns, and to formed cavalry.
    pub closed_to_guns: bool,
    pub closed_to_cavalry: bool,
    /// Unknown to the attacker until he is as near as this.
    pub unseen: Option<i64>,
    /// Anything but clear, for squares and broken terrain.
    pub rough: bool,
}

impl Ground {
    /// Whether marching over it differs from marching in the open: roads only for those who may use them.
    #[must_use]
    pub fn changes_pace(&self, road: bool) -> bool {
        if self.road { road } else { self.cost != 2 }
    }
}

/// A wall, fence or work.
#[derive(Debug)]
pub struct Linear {
    pub name: String,
    pub line: Line,
    pub cover: Cover,
    /// A fortification: only entered by assault, gate or breach.
    pub fort: bool,
    /// Its defenders stand above the ground outside.
    pub raised: bool,
    /// Taller than a man.
    pub high: bool,
    /// Stone, to be shot down by cannon.
    pub stone: bool,
    /// Gates: how far along, in working units.
    pub gates: Vec<i64>,
    /// Ladders on the inner side; else stairs.
    pub ladders: bool,
    pub from_turn: u8,
    pub until_turn: u8,
}

impl Linear {
    /// Stands in this turn.
    #[must_use]
    pub fn stands(&self, turn: u8) -> bool {
        self.from_turn <= turn && turn <= self.until_turn
    }
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

/// What a scenario uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Switches {
    pub orders: bool,
    pub personalities: bool,
    pub sighting: bool,
    pub skirmish: bool,
    pub forts: bool,
    pub opportunity: bool,
    pub prone: bool,
    pub shrapnel: bool,
    pub rush: bool,
    pub boxes: bool,
    pub late: bool,
    pub hidden_terrain: bool,
    pub strict_print: bool,
}

impl Switches {
    /// Each switch: its name in files, what it turns on, and whether it is on by default.
    pub const LIST: [(&'static str, &'static str, bool); 13] = [
        ("orders", "Sub-commanders act under orders that must be issued and received", true),
        ("personalities", "Sub-commanders have personalities", true),
        ("sighting", "Hidden units are markers until they are sighted", false),
        ("skirmish", "Stands may be detached as skirmishers, and skirmishers fall back", true),
        ("forts", "Walls are fortifications with groups, assaults, gates and breaches", false),
        ("opportunity", "Opportunity fire and opportunity charges interrupt movement", true),
        ("prone", "Units may go prone", true),
        ("shrapnel", "Batteries that have shrapnel may use it", true),
        ("rush", "Infantry may charge as a rush from 1855 on", false),
        ("box", "Several units may form one large square", false),
        ("late", "Attacks by thickening skirmish lines", false),
        ("hidden_terrain", "Depressions and bogs may be unknown to the attacker", false),
        ("strict_print", "Charts as printed where the rulings correct them", false),
    ];

    /// The switches of a file, overridden by the player's.
    #[must_use]
    pub fn from(options: &Options) -> Switches {
        let is = |i: usize| options.get(Self::LIST[i].0).copied().unwrap_or(Self::LIST[i].2);
        Switches {
            orders: is(0),
            personalities: is(1),
            sighting: is(2),
            skirmish: is(3),
            forts: is(4),
            opportunity: is(5),
            prone: is(6),
            shrapnel: is(7),
            rush: is(8),
            boxes: is(9),
            late: is(10),
            hidden_terrain: is(11),
            strict_print: is(12),
        }
    }

    /// In the order of [`Switches::LIST`].
    #[must_use]
    pub fn all(&self) -> [bool; 13] {
        [
            self.orders,
            self.personalities,
            self.sighting,
            self.skirmish,
            self.forts,
            self.opportunity,
            self.prone,
            self.shrapnel,
            self.rush,
            self.boxes,
            self.late,
            self.hidden_terrain,
            self.strict_print,
        ]
    }
}

/// Engaged and Charge rates in working units.
#[derive(Debug, Clone)]
pub struct Rates {
    line: Rate,
    column: Rate,
    loose: Rate,
    horse: Rate,
    horse_loose: Rate,
    guns: Rate,
    horse_guns: Rate,
    /// What a rout or pursuit adds to its dice, in inches.
    pub rout: i64,
}

/// A pair of rates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rate {
    pub engaged: i64,
    pub charge: i64,
}

impl Rates {
    /// The rates of a scale.
    #[must_use]
    pub fn of(tables: &Tables, scale: Scale) -> Rates {
        let row = |name: &str| {
            let (engaged, charge) = tables.rate(name, scale);
            Rate { engaged: engaged * INCH, charge: charge * INCH }
        };
        let plus = tables.movement.get("rout_pursuit_foot").and_then(|r| r.get("plus"));
        let rout = plus.and_then(|p| p.get(scale as usize)).and_then(toml::Value::as_integer).unwrap_or(0);
        Rates {
            line: row("infantry_line"),
            column: row("infantry_column"),
            loose: row("infantry_loose"),
            horse: row("cavalry_formed"),
            horse_loose: row("cavalry_loose"),
            guns: row("artillery_foot"),
            horse_guns: row("artillery_horse"),
            rout,
        }
    }

    /// The rate of an arm in a formation (qrs.rates).
    #[must_use]
    pub fn rate(&self, arm: Arm, mounted: bool, formation: Formation) -> Rate {
        match arm {
            Arm::FootArtillery => self.guns,
            Arm::HorseArtillery => self.horse_guns,
            Arm::Cavalry if mounted && formation.is_loose() => self.horse_loose,
            Arm::Cavalry if mounted => self.horse,
            _ => match formation {
                Formation::AttackColumn | Formation::MarchColumn | Formation::Limbered => self.column,
                Formation::Mob | Formation::Skirmish => self.loose,
                Formation::Square => Rate { engaged: self.line.engaged / 2, charge: self.line.charge / 2 },
                _ => self.line,
            },
        }
    }

    /// Five of these are as far as a Move or Attack marker may be.
    #[must_use]
    pub fn column(&self) -> Rate {
        self.column
    }

    /// How far a leader goes (G20).
    #[must_use]
    pub fn leader(&self) -> i64 {
        self.horse_loose.charge
    }

    /// The line rate, for a box.
    #[must_use]
    pub fn line(&self) -> Rate {
        self.line
    }
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

impl At<'_> {
    /// Whose the body of that id is.
    #[must_use]
    pub(crate) fn side_of(self, id: BodyId) -> Side {
        self.battle.side(self.state.body(id))
    }

    /// A name for the log that both sides read.
    #[must_use]
    pub(crate) fn name(self, id: BodyId) -> String {
        if self.state.is_marker(id) {
            return "A hidden unit".to_owned();
        }
        self.own_name(id)
    }

    /// Its name among its own.
    #[must_use]
    pub(crate) fn own_name(self, id: BodyId) -> String {
        let At { battle, state } = self;
        let body = state.body(id);
        let name = &battle.info(body).name;
        match body.part {
            crate::state::Part::Main => name.clone(),
            crate::state::Part::Skirmishers => format!("{name}'s skirmishers"),
            crate::state::Part::Group => {
                let slug = battle.slug(id);
                format!("{name} {}", slug.split_once('.').map_or("1", |(_, number)| number))
            }
            crate::state::Part::Crew => format!("the gunners of {name}"),
        }
    }

    /// The body of that notation.
    #[must_use]
    pub(crate) fn find_body(self, slug: &str) -> Option<BodyId> {
        (0..self.state.bodies.len()).map(|i| BodyId(i as u8)).find(|id| self.battle.slug(*id) == slug)
    }
}

/// A leader at the start.
#[must_use]
pub fn leader_at(at: Spot, order: Command, marker: Spot) -> crate::state::Leader {
    crate::state::Leader {
        at,
        place: crate::state::Where::Table,
        attached: None,
        disabled: false,
        incompetent: false,
        personality: Personality::Typical,
        order,
        marker,
        moved: false,
        rolled: false,
        ordered: false,
        exposed: false,
    }
}
