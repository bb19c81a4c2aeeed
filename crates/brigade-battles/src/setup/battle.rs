//! A compiled scenario: what never changes during play.

use arrayvec::ArrayVec;
use game::scenario::Head;
use game::{Agenda, BySide, PieceId, Rule, Side};
use hexmap::{Hex, HexSet, Side as HexSide};

use crate::rules::charts::{Charts, Terrain};
use crate::setup::map::Map;
use crate::setup::pieces::{LeaderSheet, Start, UnitSheet};
use crate::state::{
    Face, Fire, Ford, Leader, LeaderId, Leaders, Phase, Piece, Post, State, Task, Unit, UnitId, Units,
};

/// A turn of the track.
#[derive(Debug, Clone)]
pub struct Turn {
    pub label: String,
    pub night: bool,
    pub stragglers: bool,
    pub day: u8,
    /// Hours it stands for.
    pub hours: u8,
}

/// A terrain objective.
#[derive(Debug, Clone)]
pub struct Objective {
    pub hex: Hex,
    pub points: i32,
    pub name: String,
    pub control: Option<Side>,
}

/// 6.1.2: what can be burned.
#[derive(Debug, Clone)]
pub struct Site {
    pub name: String,
    pub place: SitePlace,
}

/// Where a site is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SitePlace {
    Bridge(HexSide),
    /// A depot or a rail line.
    Depot(Hex),
}

/// 6.1.3: a ford marker.
#[derive(Debug, Clone)]
pub struct FordSite {
    pub side: HexSide,
    pub face: Face,
}

/// 6.1: which organization actions the battle has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Switches {
    pub breastworks: bool,
    pub burning: bool,
    pub fords: bool,
    /// Ford markers are mixed: nobody knows the face of any until it is searched.
    pub mixed_fords: bool,
}

/// What might have been: pieces that come elsewhere or at another hour, and what that is worth to the other side.
#[derive(Debug, Clone)]
pub struct Variant {
    pub id: String,
    pub name: String,
    pub says: String,
    pub on: bool,
    /// The rule that states it.
    pub rule: Rule,
}

/// Pieces whose hour nobody knows before a die is thrown for them.
#[derive(Debug, Clone)]
pub struct Lot {
    pub name: String,
    pub rule: Rule,
    /// The turn (index into the track) that each face brings, the earliest first. On the earliest it is thrown.
    pub turns: [u8; 10],
}

/// Victory points for the first infantry unit of a side that stands in a hex.
#[derive(Debug, Clone)]
pub struct Prize {
    pub name: String,
    pub rule: Rule,
    pub hex: Hex,
    pub side: Side,
    pub points: i32,
}

/// A side of the battle.
#[derive(Debug, Clone)]
pub struct Army {
    pub id: String,
    pub name: String,
    pub livery: String,
    /// Victory points at the start.
    pub points: i32,
    /// 9.8: where retreats and routs lead.
    pub havens: Vec<Hex>,
}

/// A compiled scenario.
#[derive(Debug)]
pub struct Battle {
    pub head: Head,
    pub first: Side,
    pub armies: BySide<Army>,
    pub map: Map,
    pub survey: serde_json::Value,
    pub inset: [i32; 2],
    pub hex_yards: u32,
    pub charts: Charts,
    pub units: Vec<UnitSheet>,
    pub leaders: Vec<LeaderSheet>,
    pub of: BySide<Units>,
    pub leaders_of: BySide<Leaders>,
    pub turns: Vec<Turn>,
    pub areas: Vec<(String, Vec<Hex>)>,
    pub objectives: Vec<Objective>,
    pub objective_hexes: HexSet,
    pub sites: Vec<Site>,
    pub fords: Vec<FordSite>,
    pub switches: Switches,
    pub variants: Vec<Variant>,
    pub lots: Vec<Lot>,
    pub prizes: Vec<Prize>,
}

impl Battle {
    #[inline]
    #[must_use]
    pub fn unit(&self, id: UnitId) -> &UnitSheet {
        &self.units[id.index()]
    }

    #[inline]
    #[must_use]
    pub fn leader(&self, id: LeaderId) -> &LeaderSheet {
        &self.leaders[id.index()]
    }

    #[inline]
    #[must_use]
    pub fn side_of(&self, piece: Piece) -> Side {
        match piece {
            Piece::Unit(id) => self.unit(id).side,
            Piece::Leader(id) => self.leader(id).side,
        }
    }

    #[must_use]
    pub fn start_of(&self, piece: Piece) -> Start {
        match piece {
            Piece::Unit(id) => self.unit(id).start,
            Piece::Leader(id) => self.leader(id).start,
        }
    }

    #[must_use]
    pub fn name_of(&self, piece: Piece) -> &str {
        match piece {
            Piece::Unit(id) => &self.unit(id).name,
            Piece::Leader(id) => &self.leader(id).name,
        }
    }

    #[must_use]
    pub fn slug_of(&self, piece: Piece) -> &str {
        match piece {
            Piece::Unit(id) => &self.unit(id).slug,
            Piece::Leader(id) => &self.leader(id).slug,
        }
    }

    /// The piece as the board counts: units first, then leaders.
    #[must_use]
    pub fn piece_id(&self, piece: Piece) -> PieceId {
        match piece {
            Piece::Unit(id) => PieceId(u16::from(id.0)),
            Piece::Leader(id) => PieceId(self.units.len() as u16 + u16::from(id.0)),
        }
    }

    /// The piece of that number on the board.
    #[must_use]
    pub fn piece(&self, id: PieceId) -> Option<Piece> {
        let index = usize::from(id.0);
        if index < self.units.len() {
            Some(Piece::Unit(UnitId(index as u8)))
        } else if index < self.units.len() + self.leaders.len() {
            Some(Piece::Leader(LeaderId((index - self.units.len()) as u8)))
        } else {
            None
        }
    }

    /// The combat unit of that slug.
    #[must_use]
    pub fn unit_named(&self, slug: &str) -> Option<UnitId> {
        self.units.iter().position(|u| u.slug == slug).map(|i| UnitId(i as u8))
    }

    /// The leader of that slug.
    #[must_use]
    pub fn leader_named(&self, slug: &str) -> Option<LeaderId> {
        self.leaders.iter().position(|l| l.slug == slug).map(|i| LeaderId(i as u8))
    }

    /// The unit or leader of that slug.
    #[must_use]
    pub fn piece_named(&self, slug: &str) -> Option<Piece> {
        self.unit_named(slug).map(Piece::Unit).or_else(|| self.leader_named(slug).map(Piece::Leader))
    }

    /// The side of that id.
    #[must_use]
    pub fn side_named(&self, id: &str) -> Option<Side> {
        Side::BOTH.into_iter().find(|&side| self.armies[side].id == id)
    }

    /// 5.3.d, R48: whether the unit belongs to the leader's command, by the division and corps that its counter names.
    #[must_use]
    pub fn commands(&self, leader: LeaderId, unit: UnitId) -> bool {
        self.unit(unit).chain().any(|above| above == leader)
    }

    /// The turn under way.
    #[must_use]
    pub fn turn(&self, state: &State) -> &Turn {
        &self.turns[usize::from(state.turn).min(self.turns.len() - 1)]
    }

    /// Whether it is night.
    #[inline]
    #[must_use]
    pub fn is_night(&self, state: &State) -> bool {
        self.turn(state).night
    }

    /// The ground of a hex, as the Terrain Effects Chart has it.
    #[inline]
    pub(crate) fn ground(&self, hex: Hex) -> &Terrain {
        &self.charts.terrain[usize::from(self.map.terrain[hex.index()])]
    }

    /// 6.1.2: whether a unit in this hex can set fire to the site: next to the bridge, or in the hex of the depot.
    pub(crate) fn is_at_site(&self, site: u8, hex: Hex) -> bool {
        match self.sites[usize::from(site)].place {
            SitePlace::Bridge(side) => self.map.is_beside(side, hex),
            SitePlace::Depot(at) => at == hex,
        }
    }

    /// The site that files and players write as `0405/0505` (a bridge) or `0405` (a depot or rail line).
    pub(crate) fn site_at(&self, place: &str) -> Option<u8> {
        let place = match self.map.grid.parse_side(place) {
            Some(side) => Some(SitePlace::Bridge(side)),
            None => self.map.grid.parse(place).map(SitePlace::Depot),
        };
        self.sites.iter().position(|site| Some(site.place) == place).map(|index| index as u8)
    }

    /// The ford marker on the hexside that files and players write as `0405/0505`.
    pub(crate) fn ford_at(&self, place: &str) -> Option<u8> {
        let side = self.map.grid.parse_side(place);
        self.fords.iter().position(|ford| Some(ford.side) == side).map(|index| index as u8)
    }

    /// The printed number of a hex.
    #[must_use]
    pub fn number(&self, hex: Hex) -> String {
        self.map.number(hex)
    }

    /// 3.1: both sides as the scenario says, before the first player's Command Phase.
    pub(crate) fn muster(&self) -> State {
        let post = |start: Start| match start {
            Start::At(hex) => Post::On(hex),
            Start::Enters { .. } | Start::ByDie { .. } => Post::Due,
            Start::Nowhere => Post::Gone,
        };
        let unit = |sheet: &UnitSheet| Unit {
            post: post(sheet.start),
            sp: sheet.sp,
            routed: false,
            deployed: sheet.deployed,
            task: Task::None,
        };
        let mixed = self.switches.mixed_fords;
        let mut state = State {
            turn: 0,
            phase: Phase::Command,
            active: self.first,
            units: self.units.iter().map(unit).collect(),
            leaders: self
                .leaders
                .iter()
                .map(|l| Leader { post: post(l.start), replaced: l.replaced })
                .collect(),
            losses: BySide::default(),
            tide: BySide { first: true, second: true },
            uncommanded: Units::EMPTY,
            fired_marks: Units::EMPTY,
            acted: Units::EMPTY,
            moved: Units::EMPTY,
            moved_leaders: Leaders::EMPTY,
            mover: None,
            left: ArrayVec::new(),
            fired: Units::EMPTY,
            targeted: Units::EMPTY,
            targeted_leaders: Leaders::EMPTY,
            adjacent: Units::EMPTY,
            control: self.objectives.iter().map(|o| o.control).collect(),
            works: HexSet::EMPTY,
            burned: 0,
            fords: self
                .fords
                .iter()
                .map(|f| Ford::Unsearched(if mixed { Face::Hidden } else { f.face }))
                .collect(),
            lots: self.lots.iter().map(|_| None).collect(),
            prizes: 0,
            fire: Fire::NONE,
            trail: ArrayVec::new(),
            escort: Leaders::EMPTY,
            to_check: Leaders::EMPTY,
            to_place: Leaders::EMPTY,
            agenda: Agenda::new(),
        };
        state.set_up_control(self);
        state.note_adjacent(self);
        state
    }
}
