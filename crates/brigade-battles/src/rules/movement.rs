//! 8 Movement Phase: allowances, costs, zones, column, formation, and the pieces that may move.

use game::words::does;
use game::{Effects, Entry, Kind, Place};
use hexmap::{Direction, Hex, HexSet};

use crate::action::{Action, Drill};
use crate::refusals::{Bar, bar};
use crate::rules::charts::Closed;
use crate::rules::command::in_command;
use crate::rules::concepts::{Lines, add_zone, covered_by, enter, on_map, shattered, way};
use crate::rules::{leaders, reinforcements, victory};
use crate::setup::battle::Battle;
use crate::setup::map::{Stroke, Way};
use crate::setup::pieces::Arm;
use crate::state::{Leaders, Mover, Piece, Post, State, Task, UnitId};

/// Movement points are counted in halves.
pub(crate) const FOOT: u8 = 12;
pub(crate) const HORSE: u8 = 18;
const CHANGE: u8 = 4;
const EXIT: u8 = 2;
/// The least that a step costs, in halves, and in column.
const CHEAPEST: u8 = 2;
const CHEAPEST_IN_COLUMN: u8 = 1;

/// 8.1.1: the allowance of a piece as it is now.
pub(crate) fn allowance(battle: &Battle, state: &State, piece: Piece) -> u8 {
    match piece {
        Piece::Leader(_) => HORSE,
        Piece::Unit(id) if battle.unit(id).arm == Arm::Cavalry && !state.unit(id).deployed => HORSE,
        Piece::Unit(_) => FOOT,
    }
}

/// What the piece has spent this turn.
pub(crate) fn spent(state: &State, piece: Piece) -> u8 {
    state.mover.filter(|m| m.piece == piece).map_or(0, |m| m.spent)
}

/// Whether the piece may still act in this Movement Phase, before any hex is named.
pub(crate) fn may_act(battle: &Battle, state: &State, piece: Piece) -> Result<(), Bar> {
    if battle.side_of(piece) != state.active {
        return Err(bar!("8.1.1.a", "only pieces of the player whose turn it is move"));
    }
    let moved = match piece {
        Piece::Unit(id) => state.moved.contains(id),
        Piece::Leader(id) => state.moved_leaders.contains(id),
    };
    if moved && state.mover.is_none_or(|m| m.piece != piece) {
        return Err(bar!(
            "8.1.4.c",
            "its move is over: what it did not spend is lost once another piece has moved"
        ));
    }
    match state.hex_of(piece) {
        Post::Gone => return Err(bar!("8.1.1.a", "it is no longer on the map")),
        Post::Due => reinforcements::is_due(battle, state, piece)?,
        Post::On(_) => {}
    }
    let Piece::Unit(id) = piece else { return Ok(()) };
    if state.fired_marks.contains(id) {
        return Err(bar!(
            "8.1.1.b",
            "it carries a FIRED marker: guns that fired this turn stay where they are"
        ));
    }
    match state.unit(id).task {
        Task::None => Ok(()),
        Task::Build => Err(bar!("6.1.1.b", "it is building a breastwork and may not move this turn")),
        Task::Burn(_) => Err(bar!("6.1.2.b", "it is setting a fire and may not move this turn")),
    }
}

/// What is the same for all steps of a piece's move.
#[derive(Debug)]
pub(crate) struct Walk<'a> {
    battle: &'a Battle,
    state: &'a State,
    lines: &'a Lines,
    guns: bool,
    combat_unit: bool,
    column: bool,
    /// 9.8.u: a routed unit moves one hex at no cost.
    pub(crate) routed: bool,
    /// Why it may not enter an enemy zone, if it may not.
    shy: Option<Bar>,
    /// The zones of the enemies in whose zones it began.
    banned: HexSet,
    pub(crate) spent: u8,
    pub(crate) allowance: u8,
    pub(crate) stopped: bool,
}

impl<'a> Walk<'a> {
    pub(crate) fn new(battle: &'a Battle, state: &'a State, lines: &'a Lines, piece: Piece) -> Walk<'a> {
        let mover = state.mover.filter(|m| m.piece == piece);
        let start = mover.map_or(state.hex_of(piece).hex(), |m| m.start);
        let mut banned = HexSet::EMPTY;
        if let Some(start) = start
            && lines.zone.contains(start)
        {
            let side = battle.side_of(piece);
            for enemy in covered_by(battle, state, side, start).iter() {
                if let Some(hex) = state.unit(enemy).post.hex() {
                    add_zone(battle, state, enemy, hex, &mut banned);
                }
            }
        }
        let unit = match piece {
            Piece::Unit(id) => Some(id),
            Piece::Leader(_) => None,
        };
        Walk {
            battle,
            state,
            lines,
            guns: unit.is_some_and(|id| battle.unit(id).arm == Arm::Artillery),
            combat_unit: unit.is_some(),
            column: unit.is_none_or(|id| may_column(battle, state, id)),
            routed: unit.is_some_and(|id| state.unit(id).routed),
            shy: may_close(battle, state, unit).err(),
            banned,
            spent: mover.map_or(0, |m| m.spent),
            allowance: allowance(battle, state, piece),
            stopped: mover.is_some_and(|m| m.stopped),
        }
    }

    /// 1.1, 8.1: may the piece be in this hex on its way?
    fn admits(&self, to: Hex, closed: Closed) -> Result<(), Bar> {
        if closed == Closed::ToAll || closed == Closed::ToGuns && self.guns {
            return Err(bar!("8.1.4.b", "the hex or the hexside is prohibited to it"));
        }
        if self.lines.enemies.contains(to) {
            return Err(bar!("1.1.1.a", "an enemy unit stands there"));
        }
        if self.guns && self.lines.beside.contains(to) {
            return Err(bar!("8.1.6.a", "limbered guns may not move next to an enemy unit"));
        }
        if self.lines.zone.contains(to) {
            if let Some(bar) = self.shy {
                return Err(bar);
            }
            if self.banned.contains(to) {
                return Err(bar!(
                    "1.1.2.d",
                    "it began its move in the zone of an enemy whose zone covers that hex too"
                ));
            }
        }
        Ok(())
    }

    /// Every hex that [`Walk::admits`] lets it be in, ways set aside.
    fn open(&self) -> HexSet {
        let mut open = self.battle.map.in_play - self.lines.enemies;
        if self.guns {
            open -= self.lines.beside | self.battle.map.no_guns;
        }
        if self.shy.is_some() {
            open -= self.lines.zone;
        }
        open - (self.banned & self.lines.zone)
    }

    /// The cost of one step in halves, without the limit of what is left.
    pub(crate) fn step(&self, from: Hex, direction: Direction) -> Result<(Hex, u8), Bar> {
        let Some(way) = way(self.battle, self.state, from, direction) else {
            return Err(bar!("2.1.a", "only numbered hexes are in play"));
        };
        self.admits(way.to, way.closed)?;
        if self.routed {
            return Ok((way.to, 0));
        }
        let free = self.column && !self.lines.near.contains(from) && !self.lines.near.contains(way.to);
        let exit = if self.lines.zone.contains(from) { EXIT } else { 0 };
        Ok((way.to, exit + if free { way.column } else { way.full }))
    }

    /// 8.3, R57: the cost of coming onto the map in this hex, and whether it may.
    pub(crate) fn entry(&self, hex: Hex) -> Result<u8, Bar> {
        let map = &self.battle.map;
        let terrain = &self.battle.charts.terrain[usize::from(map.terrain[hex.index()])];
        self.admits(hex, terrain.closed)?;
        if self.lines.zone.contains(hex) {
            return Err(bar!("8.3.c", "a reinforcement does not come onto the map in an enemy zone"));
        }
        let column =
            self.column && !self.lines.near.contains(hex) && (terrain.column || map.road.contains(hex));
        Ok(if column { 1 } else { 2 * terrain.cost })
    }

    /// 8.1.8, 9.8.u: may the move end here?
    pub(crate) fn may_end(&self, piece: Piece, to: Hex) -> Result<(), Bar> {
        if self.combat_unit && self.lines.friends.contains(to) && self.state.hex_of(piece) != Post::On(to) {
            return Err(bar!("8.1.8.a", "a friendly combat unit stands there, and only one may be in a hex"));
        }
        if self.routed && self.closer(piece, to) {
            return Err(bar!("9.8.u", "a routed unit may not end its move closer to an enemy unit"));
        }
        Ok(())
    }

    /// Whether `to` is nearer to the nearest enemy than the piece is now.
    fn closer(&self, piece: Piece, to: Hex) -> bool {
        let Some(from) = self.state.hex_of(piece).hex() else { return false };
        let enemies = self.battle.side_of(piece).enemy();
        let distance = |hex: Hex| {
            let all = on_map(self.battle, self.state, enemies);
            all.map(|(at, _)| self.battle.map.grid.distance(at, hex)).min().unwrap_or(u16::MAX)
        };
        distance(to) < distance(from)
    }
}

/// 8.2: column is denied to routed, shattered and out-of-command units.
fn may_column(battle: &Battle, state: &State, unit: UnitId) -> bool {
    !state.unit(unit).routed && !shattered(battle, state, unit) && in_command(state, unit)
}

/// Who may enter an enemy zone of control.
pub(crate) fn may_close(battle: &Battle, state: &State, unit: Option<UnitId>) -> Result<(), Bar> {
    if battle.is_night(state) {
        return Err(bar!("11.0.a", "nobody enters an enemy zone at night"));
    }
    let Some(unit) = unit else { return Ok(()) };
    if state.unit(unit).routed {
        return Err(bar!("9.8.w", "a routed unit may not move into an enemy zone: it would have to rally"));
    }
    if shattered(battle, state, unit) {
        return Err(bar!("1.1.4.c", "a shattered unit may not enter an enemy zone"));
    }
    if !in_command(state, unit) {
        return Err(bar!("5.2.4.a", "it is out of command: only a unit in command moves into an enemy zone"));
    }
    Ok(())
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

impl Reach {
    /// Explores from where the piece is, or from its entry hexes.
    #[inline]
    pub(crate) fn of(walk: &Walk<'_>, piece: Piece) -> Reach {
        let mut reach = Reach { levels: [[0; WORDS]; BEYOND + 1], hexes: HexSet::EMPTY };
        reach.set_out(walk, piece);
        reach
    }

    fn set_out(&mut self, walk: &Walk<'_>, piece: Piece) {
        let start = walk.state.hex_of(piece).hex();
        match start {
            Some(_) if walk.stopped => return,
            Some(hex) if walk.routed => return self.routed_step(walk, hex),
            Some(hex) => self.arrive(hex, walk.spent),
            None => {
                for hex in reinforcements::doors(walk.battle, walk.lines, piece).iter() {
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
        let map = &walk.battle.map;
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
        // A step costs whole points but in column. From the outermost hexes, a third of all, nothing is left for another.
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
        let map = &walk.battle.map;
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
            let changes = walk.battle.map.ways[hex.index()][direction.index()].is_some_and(|way| way.changes);
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
    pub(crate) fn path(&self, walk: &Walk<'_>, piece: Piece, to: Hex) -> arrayvec::ArrayVec<Hex, 40> {
        let mut path = arrayvec::ArrayVec::new();
        let start = walk.state.hex_of(piece).hex();
        let mut at = to;
        while Some(at) != start && !path.is_full() {
            path.push(at);
            let spent_here = self.spent_at(at);
            let before = walk.battle.map.beside[at.index()].iter().find(|&from| {
                let open =
                    Some(from) == start || self.hexes.contains(from) && !walk.lines.zone.contains(from);
                let spent = if Some(from) == start { Some(walk.spent) } else { self.spent_at(from) };
                open && spent < spent_here
                    && walk.battle.map.grid.direction(from, at).is_some_and(|direction| {
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

/// May the piece march to this hex?
pub(crate) fn may_march(battle: &Battle, state: &State, piece: Piece, to: Hex) -> Result<(), Bar> {
    may_act(battle, state, piece)?;
    if !battle.map.in_play.contains(to) {
        return Err(bar!("2.1.a", "only numbered hexes are in play"));
    }
    may_leave(battle, state, piece)?;
    let lines = Lines::of(battle, state, state.active);
    let walk = Walk::new(battle, state, &lines, piece);
    let reach = Reach::of(&walk, piece);
    if reach.hexes.contains(to) {
        return walk.may_end(piece, to);
    }
    Err(why_not(&walk, piece, to))
}

/// 8.1.1, 1.1.2: may the piece enter any further hex?
pub(crate) fn may_leave(battle: &Battle, state: &State, piece: Piece) -> Result<(), Bar> {
    if let Piece::Unit(id) = piece
        && battle.unit(id).arm == Arm::Artillery
        && state.unit(id).deployed
    {
        return Err(bar!("8.1.1.c", "unlimbered guns do not move: limber them first"));
    }
    has_stopped(state, piece)
}

/// 9.8.u, 1.1.2: whether the piece's movement is over although nothing else has moved.
fn has_stopped(state: &State, piece: Piece) -> Result<(), Bar> {
    if state.mover.is_none_or(|m| m.piece != piece || !m.stopped) {
        return Ok(());
    }
    Err(match piece {
        Piece::Unit(id) if state.unit(id).routed => {
            bar!("9.8.u", "a routed unit moves one hex a turn, and it has moved")
        }
        _ => bar!("1.1.2.c", "it has entered an enemy zone, and its movement is over for this turn"),
    })
}

/// Why a hex is out of reach, the most specific reason first.
fn why_not(walk: &Walk<'_>, piece: Piece, to: Hex) -> Bar {
    let Some(start) = walk.state.hex_of(piece).hex() else {
        return reinforcements::why_not(walk, to);
    };
    if start == to {
        return bar!("8.1.3.a", "it is there already");
    }
    if walk.routed {
        return match walk.battle.map.grid.direction(start, to) {
            Some(direction) => walk.step(start, direction).err(),
            None => None,
        }
        .unwrap_or(bar!("9.8.u", "a routed unit moves one hex"));
    }
    let closed = walk.battle.charts.terrain[usize::from(walk.battle.map.terrain[to.index()])].closed;
    if let Err(bar) = walk.admits(to, closed) {
        return bar;
    }
    let reachable = |through: Through| flood(walk, start, to, through);
    if reachable(Through::Open) {
        bar!("8.1.4.a", "it does not have the movement points for the way there")
    } else if reachable(Through::Zones) {
        bar!("1.1.2.c", "every way there leads through an enemy zone, where it would have to stop")
    } else if reachable(Through::Enemies) {
        bar!("1.1.1.a", "enemy units stand in every way there")
    } else {
        bar!("8.1.4.b", "every way there is barred by prohibited terrain")
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

/// Whether a way exists, cost set aside.
fn flood(walk: &Walk<'_>, start: Hex, to: Hex, through: Through) -> bool {
    let admits = |way: Way| match through {
        Through::Open => walk.admits(way.to, way.closed).is_ok(),
        Through::Zones => way.closed == Closed::ToNobody && !walk.lines.enemies.contains(way.to),
        Through::Enemies => way.closed == Closed::ToNobody,
    };
    let mut reached = HexSet::EMPTY;
    reached.insert(start);
    let mut rim = reached;
    while !rim.is_empty() {
        let mut next = HexSet::EMPTY;
        for hex in rim.iter() {
            if through == Through::Open && hex != start && walk.lines.zone.contains(hex) {
                continue;
            }
            for direction in Direction::ALL {
                if let Some(way) = way(walk.battle, walk.state, hex, direction).filter(|&way| admits(way))
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

/// 8.1.9: may the unit be given this order? Each is for one arm, and changes something.
pub(crate) fn may_drill(battle: &Battle, state: &State, unit: UnitId, drill: Drill) -> Result<(), Bar> {
    match (battle.unit(unit).arm, drill) {
        (Arm::Artillery, Drill::Mount | Drill::Dismount) => {
            return Err(bar!("8.1.9.a", "guns limber and unlimber: only cavalry mounts and dismounts"));
        }
        (Arm::Cavalry, Drill::Limber | Drill::Unlimber) => {
            return Err(bar!("8.1.9.b", "cavalry mounts and dismounts: only guns limber and unlimber"));
        }
        _ => {}
    }
    if battle.unit(unit).arm != Arm::Infantry && drill != Drill::next(battle, state, unit) {
        return Err(bar!("8.1.9.a", "it is in that formation already"));
    }
    may_change(battle, state, unit)
}

/// 8.1.9 to 8.1.11: may the unit change formation now?
fn may_change(battle: &Battle, state: &State, unit: UnitId) -> Result<(), Bar> {
    may_act(battle, state, Piece::Unit(unit))?;
    if state.unit(unit).post == Post::Due {
        return Err(bar!("8.3.a", "it is not on the map yet"));
    }
    if battle.unit(unit).arm == Arm::Infantry {
        return Err(bar!("8.1.9.a", "only artillery and cavalry change formation"));
    }
    if state.unit(unit).routed {
        return Err(bar!("9.8.u", "a routed unit may do no more than move one hex"));
    }
    let piece = Piece::Unit(unit);
    // R51: a change of formation is paid for with movement points: it is movement, and that has stopped.
    has_stopped(state, piece)?;
    if spent(state, piece) + CHANGE > allowance(battle, state, piece) {
        return Err(bar!(
            "8.1.11.b",
            "the change costs 2 movement points in the formation it is in, and it has fewer left"
        ));
    }
    Ok(())
}

/// The pieces of the active player that may still do something, and all they may do.
pub(crate) fn offers(battle: &Battle, state: &State, out: &mut Vec<Action>) {
    let lines = Lines::of(battle, state, state.active);
    for unit in battle.of[state.active].iter() {
        piece_offers(battle, state, &lines, Piece::Unit(unit), out);
    }
    for leader in battle.leaders_of[state.active].iter() {
        piece_offers(battle, state, &lines, Piece::Leader(leader), out);
    }
}

fn piece_offers(battle: &Battle, state: &State, lines: &Lines, piece: Piece, out: &mut Vec<Action>) {
    if may_act(battle, state, piece).is_err() {
        return;
    }
    if let Piece::Unit(unit) = piece
        && may_change(battle, state, unit).is_ok()
    {
        out.push(Action::Change { unit, drill: Drill::next(battle, state, unit) });
    }
    if may_leave(battle, state, piece).is_err() {
        return;
    }
    let walk = Walk::new(battle, state, lines, piece);
    let reach = Reach::of(&walk, piece);
    let ends = match piece {
        Piece::Unit(_) => reach.hexes - lines.friends,
        Piece::Leader(_) => reach.hexes,
    };
    if walk.routed {
        out.extend(
            ends.iter().filter(|&to| walk.may_end(piece, to).is_ok()).map(|to| Action::March { piece, to }),
        );
    } else {
        out.extend(ends.iter().map(|to| Action::March { piece, to }));
    }
}

/// Whether anybody may still do something in this Movement Phase.
pub(crate) fn anything(battle: &Battle, state: &State) -> bool {
    let lines = Lines::of(battle, state, state.active);
    let units = battle.of[state.active].iter().map(Piece::Unit);
    let leaders = battle.leaders_of[state.active].iter().map(Piece::Leader);
    units.chain(leaders).any(|piece| {
        if may_act(battle, state, piece).is_err() {
            return false;
        }
        if let Piece::Unit(unit) = piece
            && may_change(battle, state, unit).is_ok()
        {
            return true;
        }
        may_leave(battle, state, piece).is_ok() && can_go(battle, state, &lines, piece)
    })
}

/// Whether the piece can end in some other hex: a neighbour in nearly every case, so that is tried first.
fn can_go(battle: &Battle, state: &State, lines: &Lines, piece: Piece) -> bool {
    let walk = Walk::new(battle, state, lines, piece);
    if let Post::On(hex) = state.hex_of(piece) {
        let quick = Direction::ALL.into_iter().any(|direction| {
            walk.step(hex, direction).is_ok_and(|(to, cost)| {
                walk.spent + cost <= walk.allowance && !walk.stopped && walk.may_end(piece, to).is_ok()
            })
        });
        if quick || walk.routed {
            return quick;
        }
    }
    let reach = Reach::of(&walk, piece);
    reach.hexes.iter().any(|to| walk.may_end(piece, to).is_ok())
}

/// Carries a march out.
pub(crate) fn march(battle: &Battle, state: &mut State, piece: Piece, to: Hex, fx: &mut impl Effects) {
    let lines = Lines::of(battle, state, state.active);
    let walk = Walk::new(battle, state, &lines, piece);
    let reach = Reach::of(&walk, piece);
    let path = if walk.routed { [to].into_iter().collect() } else { reach.path(&walk, piece, to) };
    let spent = reach.spent_at(to).unwrap_or(walk.spent);
    let stopped = walk.routed || lines.zone.contains(to);
    let from = state.hex_of(piece).hex();
    let start = state.mover.filter(|m| m.piece == piece).map_or(from, |m| m.start);
    state.mover = Some(Mover { piece, start, spent, stopped });
    match piece {
        Piece::Leader(leader) => {
            state.moved_leaders.insert(leader);
            state.leaders[leader.index()].post = Post::On(to);
        }
        Piece::Unit(unit) => {
            state.moved.insert(unit);
            for &hex in &path {
                victory::take(battle, state, state.active, hex, fx);
            }
            enter(battle, state, unit, to, Leaders::EMPTY, fx);
            victory::stand(battle, state, unit, fx);
        }
    }
    fx.tell(|| {
        let verb = if from.is_some() { "marches to" } else { "comes onto the map and marches to" };
        let text = format!("{} {}.", does(battle.name_of(piece), verb), battle.number(to));
        let mut entry = Entry::new(Kind::March, text).side(state.active).piece(battle.piece_id(piece));
        for hex in from.into_iter().chain(path.iter().copied()) {
            entry = entry.place(Place::Hex(battle.number(hex)));
        }
        entry.rule(if from.is_some() { cite!("8.1.3.a") } else { cite!("8.3.a") })
    });
    if let Piece::Unit(_) = piece {
        for &hex in &path {
            leaders::displace_beside(battle, state, state.active.enemy(), hex);
        }
    }
}

/// Carries a change of formation out.
pub(crate) fn change(battle: &Battle, state: &mut State, unit: UnitId, fx: &mut impl Effects) {
    let piece = Piece::Unit(unit);
    let before = state.mover.filter(|m| m.piece == piece);
    let start = before.map_or(state.unit(unit).post.hex(), |m| m.start);
    let stopped = before.is_some_and(|m| m.stopped);
    let spent = spent(state, piece) + CHANGE;
    state.unit_mut(unit).deployed ^= true;
    state.moved.insert(unit);
    state.mover = Some(Mover { piece, start, spent, stopped });
    fx.tell(|| {
        let what = match (battle.unit(unit).arm, state.unit(unit).deployed) {
            (Arm::Artillery, true) => "unlimbers",
            (Arm::Artillery, false) => "limbers",
            (_, true) => "dismounts",
            (_, false) => "mounts",
        };
        let rule =
            if battle.unit(unit).arm == Arm::Artillery { cite!("8.1.10.a") } else { cite!("8.1.11.a") };
        let text = format!("{}.", does(&battle.unit(unit).name, what));
        crate::rules::concepts::piece_entry(battle, state, Kind::March, text, unit).rule(rule)
    });
}

/// What the piece has left, in halves (8.1.11.c: never below 0).
pub(crate) fn left(battle: &Battle, state: &State, piece: Piece) -> u8 {
    allowance(battle, state, piece).saturating_sub(spent(state, piece))
}
