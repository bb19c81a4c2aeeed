//! 8.1 to 8.2 The march of one piece: what each step costs, where it must stop, and all that it can reach.

use arrayvec::ArrayVec;
use game::{Allowed, No};
use hexmap::{Direction, Hex, HexSet};

use crate::at::At;
use crate::legal::no;
use crate::rules::charts::Closed;
use crate::rules::concepts::Lines;
use crate::rules::movement::HORSE;
use crate::setup::map::{Stroke, Way};
use crate::setup::pieces::Arm;
use crate::state::{Piece, Post, UnitId};

/// Halves of a movement point to leave an enemy zone (8.1.5).
const EXIT: u8 = 2;
/// The least that a step costs, in halves, and in column.
const CHEAPEST: u8 = 2;
const CHEAPEST_IN_COLUMN: u8 = 1;

/// What is the same for all steps of a piece's move.
#[derive(Debug)]
pub(crate) struct Walk<'a> {
    at: At<'a>,
    lines: &'a Lines,
    piece: Piece,
    guns: bool,
    combat_unit: bool,
    column: bool,
    /// 9.8.u: a routed unit moves one hex at no cost.
    pub(crate) routed: bool,
    /// Why it may not enter an enemy zone, if it may not.
    shy: Option<No>,
    /// The zones of the enemies in whose zones it began.
    banned: HexSet,
    pub(crate) spent: u8,
    pub(crate) allowance: u8,
    pub(crate) stopped: bool,
}

impl<'a> At<'a> {
    /// What is the same for all steps of the piece's move.
    pub(crate) fn walk(self, lines: &'a Lines, piece: Piece) -> Walk<'a> {
        let mover = self.state.mover.filter(|m| m.piece == piece);
        let start = mover.map_or(self.state.post_of(piece).hex(), |m| m.start);
        let unit = match piece {
            Piece::Unit(id) => Some(id),
            Piece::Leader(_) => None,
        };
        Walk {
            at: self,
            lines,
            piece,
            guns: unit.is_some_and(|id| self.battle.unit(id).arm == Arm::Artillery),
            combat_unit: unit.is_some(),
            column: unit.is_none_or(|id| self.may_column(id)),
            routed: unit.is_some_and(|id| self.state.unit(id).routed),
            shy: self.may_enter_zone(unit).err(),
            banned: start.map_or(HexSet::EMPTY, |hex| self.zones_left(lines, piece, hex)),
            spent: mover.map_or(0, |m| m.spent),
            allowance: self.allowance(piece),
            stopped: mover.is_some_and(|m| m.stopped),
        }
    }

    /// 1.1.2.d: the zones of the enemies in whose zones the piece began its move.
    fn zones_left(self, lines: &Lines, piece: Piece, start: Hex) -> HexSet {
        if !lines.zone.contains(start) {
            return HexSet::EMPTY;
        }
        self.zones_of(self.covered_by(self.battle.side_of(piece), start).iter())
    }

    /// The hexes that the zones of these units cover now.
    pub(crate) fn zones_of(self, units: impl Iterator<Item = UnitId>) -> HexSet {
        let mut zones = HexSet::EMPTY;
        for unit in units {
            if let Some(hex) = self.state.unit_hex(unit) {
                self.add_zone(unit, hex, &mut zones);
            }
        }
        zones
    }
}

impl Walk<'_> {
    /// 1.1, 8.1: may the piece be in this hex on its way?
    fn admits(&self, to: Hex, closed: Closed) -> Allowed {
        if closed == Closed::ToAll || closed == Closed::ToGuns && self.guns {
            return Err(no!("8.1.4.b", "the hex or the hexside is prohibited to it"));
        }
        if self.lines.enemies.contains(to) {
            return Err(no!("1.1.1.a", "an enemy unit stands there"));
        }
        if self.guns && self.lines.beside.contains(to) {
            return Err(no!("8.1.6.a", "limbered guns may not move next to an enemy unit"));
        }
        if self.lines.zone.contains(to) {
            if let Some(no) = self.shy {
                return Err(no);
            }
            if self.banned.contains(to) {
                return Err(no!(
                    "1.1.2.d",
                    "it began its move in the zone of an enemy whose zone covers that hex too"
                ));
            }
        }
        Ok(())
    }

    /// Every hex that [`Walk::admits`] lets it be in, ways set aside.
    fn open(&self) -> HexSet {
        let mut open = self.at.battle.map.in_play - self.lines.enemies;
        if self.guns {
            open -= self.lines.beside | self.at.battle.map.no_guns;
        }
        if self.shy.is_some() {
            open -= self.lines.zone;
        }
        open - (self.banned & self.lines.zone)
    }

    /// The cost of one step in halves, without the limit of what is left.
    pub(crate) fn step(&self, from: Hex, direction: Direction) -> Allowed<(Hex, u8)> {
        let Some(way) = self.at.way(from, direction) else {
            return Err(no!("2.1.a", "only numbered hexes are in play"));
        };
        self.admits(way.to, way.closed)?;
        if self.routed {
            return Ok((way.to, 0));
        }
        let exit = if self.leaves_zone(from) { EXIT } else { 0 };
        Ok((way.to, exit + if self.in_column(from, way.to) { way.column } else { way.full }))
    }

    /// 8.2: whether both hexes lie beyond 4 hexes of every enemy, and the piece may use it.
    pub(crate) fn in_column(&self, from: Hex, to: Hex) -> bool {
        self.column && !self.lines.near.contains(from) && !self.lines.near.contains(to)
    }

    /// 8.1.5: whether a step from here leaves an enemy zone.
    pub(crate) fn leaves_zone(&self, from: Hex) -> bool {
        self.lines.zone.contains(from)
    }

    /// 8.3, R57: the cost of coming onto the map in this hex, and whether it may.
    pub(crate) fn entry(&self, hex: Hex) -> Allowed<u8> {
        let map = &self.at.battle.map;
        let terrain = self.at.battle.ground(hex);
        self.admits(hex, terrain.closed)?;
        if self.lines.zone.contains(hex) {
            return Err(no!("8.3.c", "a reinforcement does not come onto the map in an enemy zone"));
        }
        let column =
            self.column && !self.lines.near.contains(hex) && (terrain.column || map.road.contains(hex));
        Ok(if column { 1 } else { 2 * terrain.cost })
    }

    /// 8.1.8, 9.8.u: may the move end here?
    pub(crate) fn may_end(&self, to: Hex) -> Allowed {
        if self.combat_unit
            && self.lines.friends.contains(to)
            && self.at.state.post_of(self.piece) != Post::On(to)
        {
            return Err(no!("8.1.8.a", "a friendly combat unit stands there, and only one may be in a hex"));
        }
        if self.routed && self.closer(to) {
            return Err(no!("9.8.u", "a routed unit may not end its move closer to an enemy unit"));
        }
        Ok(())
    }

    /// R33: whether `to` is nearer to any enemy than the piece is now.
    fn closer(&self, to: Hex) -> bool {
        let Some(from) = self.at.state.post_of(self.piece).hex() else { return false };
        let grid = &self.at.battle.map.grid;
        let mut enemies = self.at.on_map(self.at.battle.side_of(self.piece).enemy());
        enemies.any(|(enemy, _)| grid.distance(enemy, to) < grid.distance(enemy, from))
    }
}

/// Words of a set of hexes.
const WORDS: usize = HexSet::CAPACITY / 64;

/// More than any allowance.
const BEYOND: usize = HORSE as usize + 1;

/// What a piece can reach, sorted by the least that it will have spent there, in halves. On the stack.
#[derive(Debug)]
pub(crate) struct Reach {
    levels: [[u64; WORDS]; BEYOND + 1],
    pub(crate) hexes: HexSet,
}

impl Walk<'_> {
    /// Explores from where the piece is, or from its entry hexes.
    #[inline]
    pub(crate) fn reach(&self) -> Reach {
        let mut reach = Reach { levels: [[0; WORDS]; BEYOND + 1], hexes: HexSet::EMPTY };
        reach.set_out(self);
        reach
    }
}

impl Reach {
    fn set_out(&mut self, walk: &Walk<'_>) {
        let start = walk.at.state.post_of(walk.piece).hex();
        match start {
            Some(_) if walk.stopped => return,
            Some(hex) if walk.routed => return self.routed_step(walk, hex),
            Some(hex) => self.arrive(hex, walk.spent),
            None => {
                for hex in walk.at.battle.entry_hexes(walk.lines, walk.piece).iter() {
                    if let Ok(cost) = walk.entry(hex) {
                        self.arrive(hex, walk.spent + cost);
                    }
                }
            }
        }
        self.explore(walk, start);
    }

    /// Goes on from where it has arrived, what has been spent least first.
    fn explore(&mut self, walk: &Walk<'_>, start: Option<Hex>) {
        let map = &walk.at.battle.map;
        // 8.2: both the hex left and the hex entered must lie beyond 4 hexes of every enemy.
        let far = if walk.column { map.in_play - walk.lines.near } else { HexSet::EMPTY };
        let mut open = walk.open();
        if let Some(hex) = start {
            open.insert(hex);
            // 1.1.2: a piece that has entered an enemy zone stops; only one that stands there at the start goes on.
            if walk.lines.zone.contains(hex) {
                self.go_on(walk, hex, walk.spent + EXIT, &far);
            }
        }
        // Except in column a step costs whole points. From the outermost hexes, a third of all, nothing is left for
        // another.
        let cheapest = if far.is_empty() { CHEAPEST } else { CHEAPEST_IN_COLUMN };
        let last = walk.allowance.saturating_sub(cheapest);
        let zone = walk.lines.zone.words();
        let mut left = *open.words();
        for spent in (walk.spent..=walk.allowance).step_by(usize::from(cheapest)) {
            for word in map.words.clone() {
                let fresh = self.levels[usize::from(spent)][word] & left[word];
                self.levels[usize::from(spent)][word] = fresh;
                left[word] &= !fresh;
                let mut bits = if spent <= last { fresh & !zone[word] } else { 0 };
                while bits != 0 {
                    let hex = Hex((word * 64) as u16 + bits.trailing_zeros() as u16);
                    bits &= bits - 1;
                    self.go_on(walk, hex, spent, &far);
                }
            }
        }
        self.hexes = open - HexSet::from_words(left);
        if let Some(hex) = start {
            self.hexes.remove(hex);
        }
    }

    /// Goes on from a hex in which `spent` halves have been spent, its exit cost among them.
    #[inline(always)]
    fn go_on(&mut self, walk: &Walk<'_>, hex: Hex, spent: u8, far: &HexSet) {
        let map = &walk.at.battle.map;
        let mut near = u64::MAX;
        if far.contains(hex) {
            for stroke in map.column.from(hex) {
                self.sweep(stroke, spent, far.words()[usize::from(stroke.word) % WORDS]);
            }
            near = 0;
        }
        for stroke in map.full.from(hex) {
            self.sweep(stroke, spent, near | !far.words()[usize::from(stroke.word) % WORDS]);
        }
        if map.changes && map.changing.contains(hex) {
            self.over_changing_sides(walk, hex, spent);
        }
    }

    /// The ways over bridges that may be burned and fords that may be found, as they are now.
    #[cold]
    fn over_changing_sides(&mut self, walk: &Walk<'_>, hex: Hex, spent: u8) {
        let exit = if walk.lines.zone.contains(hex) { EXIT } else { 0 };
        for direction in Direction::ALL {
            let changes =
                walk.at.battle.map.ways[hex.index()][direction.index()].is_some_and(|way| way.changes);
            if let Ok((to, cost)) = walk.step(hex, direction)
                && changes
            {
                self.arrive(to, spent.saturating_add(cost - exit));
            }
        }
    }

    fn routed_step(&mut self, walk: &Walk<'_>, from: Hex) {
        for direction in Direction::ALL {
            if let Ok((to, _)) = walk.step(from, direction) {
                self.arrive(to, walk.spent);
                self.hexes.insert(to);
            }
        }
    }

    /// Notes an arrival, the cheapest or not: the levels are gone through in order, and only the first counts.
    #[inline]
    fn arrive(&mut self, hex: Hex, spent: u8) {
        self.levels[usize::from(spent).min(BEYOND)][hex.index() / 64] |= 1 << (hex.index() % 64);
    }

    /// Notes the arrivals of a stroke, as far as `only` lets them.
    #[inline]
    fn sweep(&mut self, stroke: &Stroke, spent: u8, only: u64) {
        let level = usize::from(spent.saturating_add(stroke.cost)).min(BEYOND);
        self.levels[level][usize::from(stroke.word) % WORDS] |= stroke.hexes & only;
    }

    /// What the piece will have spent there.
    pub(crate) fn spent_at(&self, hex: Hex) -> Option<u8> {
        let here = |level: &[u64; WORDS]| level[hex.index() / 64] >> (hex.index() % 64) & 1 == 1;
        let level = self.levels[..BEYOND].iter().position(here);
        level.filter(|_| self.hexes.contains(hex)).map(|level| level as u8)
    }

    /// The hexes of the cheapest way, in order, without the start.
    pub(crate) fn path(&self, walk: &Walk<'_>, to: Hex) -> ArrayVec<Hex, 40> {
        let mut path = ArrayVec::new();
        let start = walk.at.state.post_of(walk.piece).hex();
        let mut at = to;
        while Some(at) != start && !path.is_full() {
            path.push(at);
            let spent_here = self.spent_at(at);
            let before = walk.at.battle.map.beside[at.index()].iter().find(|&from| {
                let open =
                    Some(from) == start || self.hexes.contains(from) && !walk.lines.zone.contains(from);
                let spent = if Some(from) == start { Some(walk.spent) } else { self.spent_at(from) };
                open && spent < spent_here
                    && walk.at.battle.map.grid.direction(from, at).is_some_and(|direction| {
                        let step = walk.step(from, direction).ok();
                        spent.zip(step).map(|(spent, (_, cost))| spent.saturating_add(cost)) == spent_here
                    })
            });
            // A reinforcement's way begins where it came onto the map.
            let Some(before) = before else { break };
            at = before;
        }
        path.reverse();
        path
    }
}

impl Walk<'_> {
    /// Why a hex is out of reach, the most specific reason first.
    pub(crate) fn why_not(&self, to: Hex) -> No {
        let Some(start) = self.at.state.post_of(self.piece).hex() else {
            return self.why_no_entry(to);
        };
        if start == to {
            return no!("8.1.3.a", "it is there already");
        }
        if self.routed {
            return match self.at.battle.map.grid.direction(start, to) {
                Some(direction) => self.step(start, direction).err(),
                None => None,
            }
            .unwrap_or(no!("9.8.u", "a routed unit moves one hex"));
        }
        let closed = self.at.battle.ground(to).closed;
        if let Err(no) = self.admits(to, closed) {
            return no;
        }
        let reachable = |through: Through| self.is_there_a_way(start, to, through);
        if reachable(Through::Open) {
            no!("8.1.4.a", "not enough movement points for the way there")
        } else if reachable(Through::Zones) {
            no!("1.1.2.c", "every way there leads through an enemy zone, where it would have to stop")
        } else if reachable(Through::Enemies) {
            no!("1.1.1.a", "enemy units stand in every way there")
        } else {
            no!("8.1.4.b", "prohibited terrain bars every way there")
        }
    }

    /// Whether a way exists, cost set aside.
    fn is_there_a_way(&self, start: Hex, to: Hex, through: Through) -> bool {
        let admits = |way: Way| match through {
            Through::Open => self.admits(way.to, way.closed).is_ok(),
            Through::Zones => way.closed == Closed::ToNobody && !self.lines.enemies.contains(way.to),
            Through::Enemies => way.closed == Closed::ToNobody,
        };
        let mut reached = HexSet::EMPTY;
        reached.insert(start);
        let mut rim = reached;
        while !rim.is_empty() {
            let mut next = HexSet::EMPTY;
            for hex in rim.iter() {
                if through == Through::Open && hex != start && self.lines.zone.contains(hex) {
                    continue;
                }
                for direction in Direction::ALL {
                    if let Some(way) = self.at.way(hex, direction).filter(|&way| admits(way))
                        && reached.insert(way.to)
                    {
                        next.insert(way.to);
                    }
                }
            }
            rim = next;
        }
        reached.contains(to)
    }
}

/// What a search for any way at all passes through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Through {
    /// Only what the piece may.
    Open,
    /// Enemy zones as well.
    Zones,
    /// And enemy units.
    Enemies,
}
