//! A body of stands: its marks, its order, where it is and which face it shows.

use serde::{Deserialize, Serialize};
use table::Pose;

use super::BodyId;
use crate::rules::basics::Shape;

/// What happened to a body this turn, and how it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Marks(pub u64);

macro_rules! marks {
    ($($(#[$doc:meta])* $name:ident = $bit:literal as $word:literal;)*) => {
        impl Marks {
            $($(#[$doc])* pub const $name: Marks = Marks(1 << $bit);)*
            /// The words of `[position]` and of facts.
            pub const WORDS: &'static [(&'static str, Marks)] = &[$(($word, Marks::$name)),*];
        }
    };
}

marks! {
    /// Moved this turn in the sense of R22.
    MOVED = 0 as "moved";
    /// Moved in the Reaction or Charge Phase.
    MOVED_EARLY = 1 as "moved-early";
    /// Has had its go in the Movement Phase.
    GONE_ABOUT = 2 as "done";
    /// Fired in the Charge or Movement Phase.
    FIRED_EARLY = 3 as "fired-early";
    /// Fired or declared its fire in the Fire Phase.
    FIRED = 4 as "fired";
    /// Has declared a charge this phase.
    CHARGED = 5 as "charged";
    /// Half speed and half fire for the rest of the turn.
    HALVED = 6 as "halved";
    /// Reaction: may only change facing.
    HALT = 7 as "halt";
    /// Reaction: half a move, no charge.
    CAUTIOUS = 8 as "cautious";
    /// May not move in this turn's Movement Phase.
    BARRED = 9 as "barred";
    /// May not move in the next turn's Movement Phase.
    BARRED_NEXT = 10 as "barred-next";
    /// May not be charged for the rest of the Charge Phase.
    IMMUNE = 11 as "immune";
    /// Lies down.
    PRONE = 12 as "prone";
    /// Stood up this turn.
    STOOD = 13 as "stood";
    /// Hidden from the enemy.
    HIDDEN = 14 as "hidden";
    /// Was hidden when the turn began.
    WAS_HIDDEN = 15 as "was-hidden";
    /// Cavalry on foot.
    DISMOUNTED = 16 as "dismounted";
    /// Guns turned by 45 degrees or less this turn.
    PROLONGED = 17 as "prolonged";
    /// Limbered or unlimbered this turn.
    LIMBERING = 18 as "limbering";
    /// Passed through or was passed through: no fire this turn.
    PASSED = 19 as "passed-through";
    /// Won its last round of melee.
    WON = 20 as "won";
    /// Took hits this turn.
    HIT = 21 as "hit";
    /// Lost a stand this turn.
    LOST_STAND = 22 as "lost-stand";
    /// Made a compulsory move in the Morale Phase.
    FLED = 23 as "fled";
    /// Was charged or fired at by somebody hidden.
    SURPRISED = 24 as "surprised";
    /// Has tried an opportunity charge this phase.
    TRIED = 25 as "tried";
    /// Part of a box.
    BOX = 27 as "box";
    /// Passed its test of the Morale Phase.
    STEADY = 28 as "steady";
    /// Reacted in the Reaction Phase.
    TESTED = 29 as "tested";
    /// Chases the body in `quarry`.
    PURSUING = 30 as "pursuing";
    /// Was Suppressed when the Morale Phase began.
    WAS_SUPPRESSED = 31 as "was-suppressed";
    /// Charges as a rush.
    RUSH = 32 as "rush";
    /// On top of a wall or behind it, above the ground.
    ON_WALL = 33 as "on-wall";
    /// Gunners without guns, or guns without gunners.
    CREW = 34 as "crew";
    /// Guns left behind.
    ABANDONED = 35 as "abandoned";
    /// Sappers at a gate, ready to blow it.
    MINING = 36 as "mining";
    /// Routed by a test this turn, so that its one rally comes next turn.
    JUST_ROUTED = 37 as "just-routed";
    /// Was in a melee at the beginning of the Morale Phase.
    IN_MELEE = 38 as "in-melee";
    /// Failed to close by three or more: may not move in this turn's Movement Phase.
    BALKED = 39 as "balked";
    /// Sighted: shown to the enemy though it still counts as in hiding.
    SPOTTED = 40 as "spotted";
    /// Friends ran through it this turn.
    SHOVED = 41 as "shoved";
    /// Foot charged it this phase.
    BY_FOOT = 42 as "charged-by-foot";
    /// Horse charged it this phase.
    BY_HORSE = 43 as "charged-by-horse";
    /// Used opportunity fire.
    SNAPPED = 44 as "opportunity-fire";
    /// Lies in hiding by choice, in cover.
    LURKING = 45 as "lurking";
    /// Its melee enemy has left: a Pursuit Test is due.
    DUE = 46 as "pursuit-due";
    /// Has used its one rally from rout.
    RALLIED = 47 as "rallied";
    /// Has driven the defenders from a wall and goes up.
    WALL_WON = 48 as "wall-won";
    /// All that this side sees of it is a marker.
    CONCEALED = 49 as "concealed";
    /// Fired in the Movement Phase, at an opportunity charge.
    FIRED_AT_DASH = 50 as "fired-at-dash";
    /// Has tested in the Morale Phase; the result waits until all have.
    RESULT = 51 as "result-waits";
    /// A result of the Morale Phase moves it.
    GOES_BACK = 52 as "goes-back";
    /// Has rallied and chooses a formation.
    REFORMS = 53 as "reforms";
    /// Friends ran through it: a Morale Test is due.
    RUN_THROUGH = 54 as "run-through";
    /// Its inspiring leader has fallen: a Morale Test is due.
    LEADER_FELL = 55 as "leader-fell";
}

impl Marks {
    /// What a new turn wipes off.
    const OF_A_TURN: u64 = !(Marks::PRONE.0
        | Marks::HIDDEN.0
        | Marks::DISMOUNTED.0
        | Marks::BARRED_NEXT.0
        | Marks::WON.0
        | Marks::BOX.0
        | Marks::PURSUING.0
        | Marks::ON_WALL.0
        | Marks::CREW.0
        | Marks::ABANDONED.0
        | Marks::MINING.0
        | Marks::LURKING.0
        | Marks::SPOTTED.0
        | Marks::RALLIED.0);

    /// Any of them.
    #[must_use]
    pub const fn has(self, other: Marks) -> bool {
        self.0 & other.0 != 0
    }

    /// Puts them on.
    pub const fn set(&mut self, other: Marks) {
        self.0 |= other.0;
    }

    /// Takes them off.
    pub const fn clear(&mut self, other: Marks) {
        self.0 &= !other.0;
    }

    /// Both.
    #[must_use]
    pub const fn and(self, other: Marks) -> Marks {
        Marks(self.0 | other.0)
    }

    /// Hidden, and the enemy has not sighted it: a marker.
    #[must_use]
    pub const fn unsighted(self) -> bool {
        self.has(Marks::HIDDEN) && !self.has(Marks::SPOTTED)
    }

    /// It is in hiding no longer.
    pub const fn show(&mut self) {
        self.clear(Marks::HIDDEN.and(Marks::SPOTTED).and(Marks::LURKING));
    }

    /// A new turn begins.
    pub const fn new_turn(&mut self) {
        let barred = self.has(Marks::BARRED_NEXT);
        let fired = self.has(Marks::FIRED.and(Marks::FIRED_EARLY));
        let unsighted = self.unsighted();
        self.0 &= !Self::OF_A_TURN;
        self.clear(Marks::BARRED_NEXT);
        if fired {
            // Whoever fired is in hiding no longer than that turn (R62).
            self.show();
        }
        if barred {
            self.set(Marks::BARRED);
        }
        if unsighted {
            self.set(Marks::WAS_HIDDEN);
        }
    }
}

/// Good order, or how it has left it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Order {
    Good,
    Suppressed,
    Shaken,
    Routed,
}

impl Order {
    pub const NAMES: [&'static str; 4] = ["good", "suppressed", "shaken", "routed"];
    pub const ALL: [Order; 4] = [Order::Good, Order::Suppressed, Order::Shaken, Order::Routed];

    /// In files and facts.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    /// Shaken or routed.
    #[must_use]
    pub fn broken(self) -> bool {
        self >= Order::Shaken
    }
}

/// What part of its BMU a body is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Part {
    /// The BMU itself, or what is left of it.
    Main,
    /// Two stands sent out to skirmish.
    Skirmishers,
    /// Stands on one segment of a wall.
    Group,
    /// Gunners who left their guns.
    Crew,
}

/// Whether it is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Where {
    Table,
    /// Arrives later.
    Coming,
    /// Removed from play.
    Gone,
    /// Has rejoined its parent.
    Joined,
    /// Has left the table unbeaten.
    Left,
}

/// A body of stands that moves and tests as one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Body {
    pub bmu: u8,
    pub part: Part,
    pub place: Where,
    pub pose: Pose,
    pub shape: Shape,
    /// Stands without any hits.
    pub strength: u8,
    /// Permanent hits.
    pub lost: u8,
    /// Hits of this turn.
    pub fresh: u8,
    pub order: Order,
    pub marks: Marks,
    /// Whom it pursues, or who caused its flight.
    pub other: Option<BodyId>,
    /// The most hits that one fire has given it this turn.
    pub worst: u8,
    /// How far it has given way as skirmishers this turn, in thousandths of an inch (R99).
    pub given: u16,
    /// By how much it missed its test of the Morale Phase.
    pub missed: i8,
    /// The enemy from whom those fled who ran through it.
    pub shover: Option<BodyId>,
}

impl Body {
    /// A whole BMU in good order on the table, fresh and unmarked.
    #[must_use]
    pub fn new(bmu: u8, pose: Pose, shape: Shape, strength: u8) -> Body {
        Body {
            bmu,
            part: Part::Main,
            place: Where::Table,
            pose,
            shape,
            strength,
            lost: 0,
            fresh: 0,
            order: Order::Good,
            marks: Marks::default(),
            other: None,
            worst: 0,
            given: 0,
            missed: 0,
            shover: None,
        }
    }

    /// On the table.
    #[must_use]
    pub fn on_table(&self) -> bool {
        self.place == Where::Table
    }
}

/// What a BMU as a whole remembers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct Bmu {
    /// Has fired in this battle.
    pub fired: bool,
    /// Has tried to recover stands.
    pub recovered: bool,
}

/// The face of a body that is struck.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Face {
    Front,
    Left,
    Right,
    Rear,
}

impl Face {
    pub const NAMES: [&'static str; 4] = ["front", "left", "right", "rear"];
    pub const ALL: [Face; 4] = [Face::Front, Face::Left, Face::Right, Face::Rear];

    /// In files and facts.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    /// The edge of a rectangle.
    #[must_use]
    pub fn edge(self) -> table::Side {
        match self {
            Face::Front => table::Side::Front,
            Face::Left => table::Side::Left,
            Face::Right => table::Side::Right,
            Face::Rear => table::Side::Rear,
        }
    }

    /// The face it is to a body that has turned by so many hundredths of a degree, a quarter turn or more.
    #[must_use]
    pub fn after(self, turn: i32) -> Face {
        let quarters = |hundredths: i32| hundredths.rem_euclid(36_000) / 9000;
        let now = (quarters(self.edge().bearing()) - quarters(turn)).rem_euclid(4);
        Face::ALL.into_iter().find(|f| quarters(f.edge().bearing()) == now).unwrap_or(self)
    }

    /// The face of an edge.
    #[must_use]
    pub fn of(edge: table::Side) -> Face {
        match edge {
            table::Side::Front => Face::Front,
            table::Side::Left => Face::Left,
            table::Side::Right => Face::Right,
            table::Side::Rear => Face::Rear,
        }
    }
}
