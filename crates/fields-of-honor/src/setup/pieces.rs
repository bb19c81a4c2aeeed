//! The units and commanders of a scenario, their weapons and their rates.

use game::Side;
use table::INCH;

use crate::rules::basics::{Arm, Formation};
use crate::rules::charts::{Rating, Scale, Tables};
use crate::setup::ground::TableEdge;
use crate::state::LeaderId;

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
    /// Its sub-commander, if it has one.
    pub leader: Option<LeaderId>,
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

impl Rates {
    /// The rates of a scale.
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
    pub fn column(&self) -> Rate {
        self.column
    }

    /// How far a leader goes (G20).
    pub fn leader(&self) -> i64 {
        self.horse_loose.charge
    }

    /// The line rate, for a box.
    pub fn line(&self) -> Rate {
        self.line
    }
}

/// A pair of rates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rate {
    pub engaged: i64,
    pub charge: i64,
}
