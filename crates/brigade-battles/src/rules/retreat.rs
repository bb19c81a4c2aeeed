//! 9.8 Retreat and rout: the ways back, what they cost, and whom they disturb.

use arrayvec::ArrayVec;
use game::words::does;
use game::{Effects, Entry, Kind, Place};
use hexmap::{Direction, Hex, HexSet};

use crate::refusals::{Bar, bar};
use crate::rules::charts::Closed;
use crate::rules::concepts::{Lines, eliminate, enter, leaders_in, lose, on_map, way};
use crate::rules::{leaders, victory};
use crate::setup::battle::Battle;
use crate::setup::pieces::Arm;
use crate::state::{
    LEADERS, LeaderId, Leaders, MANY_WAIT, PASSED, Post, State, Step, TRAIL, Task, UNITS, UnitId, Why,
};

type Trail = ArrayVec<Hex, TRAIL>;

/// Puts on the agenda: guns limber, leaders choose, the unit goes back.
pub(crate) fn begin(battle: &Battle, state: &mut State, unit: UnitId, rout: bool) {
    state.trail.clear();
    state.agenda.push(Step::Retreat { unit, rout, class: 0 });
    if let Some(hex) = state.unit(unit).post.hex() {
        let with = leaders_in(battle, state, battle.unit(unit).side, hex);
        next_chooses(state, with, unit);
    }
    state.agenda.push(Step::Limber { unit });
}

/// 9.8.l: each leader decides for himself (R29), the last of the list first.
fn next_chooses(state: &mut State, mut undecided: Leaders, unit: UnitId) {
    if let Some(leader) = undecided.take_last() {
        state.agenda.push(Step::Choose { leader, unit });
    }
}

/// The leader has decided: the next of those with the unit follows.
pub(crate) fn chosen(battle: &Battle, state: &mut State, leader: LeaderId, unit: UnitId) {
    state.agenda.pop();
    let Some(hex) = state.unit(unit).post.hex() else { return };
    let with = leaders_in(battle, state, battle.unit(unit).side, hex);
    next_chooses(state, with.iter().filter(|&other| other < leader).collect(), unit);
}

/// 9.8.k, 9.8.y: unlimbered guns that must go back lose 1 SP and limber.
pub(crate) fn limber(battle: &Battle, state: &mut State, unit: UnitId, fx: &mut impl Effects) {
    state.agenda.pop();
    if limbers(battle, state, unit) {
        state.unit_mut(unit).deployed = false;
        fx.tell(|| {
            let text = does(&battle.unit(unit).name, "limbers in haste.");
            crate::rules::concepts::piece_entry(battle, state, Kind::Loss, text, unit).rule(cite!("9.8.k"))
        });
        lose(battle, state, unit, 1, fx);
    }
}

/// Whether the unit is guns that must limber before they go back.
pub(crate) fn limbers(battle: &Battle, state: &State, unit: UnitId) -> bool {
    let unlimbered = battle.unit(unit).arm == Arm::Artillery && state.unit(unit).deployed;
    unlimbered && state.unit(unit).post.hex().is_some()
}

/// What a way back is measured by.
#[derive(Debug)]
struct Way<'a> {
    battle: &'a Battle,
    state: &'a State,
    lines: Lines,
    /// Hexes with another combat unit of its side.
    others: HexSet,
    guns: bool,
    rout: bool,
    /// Hexes to be gone before the way may end.
    least: usize,
    /// 9.8.a: where the firing units stand.
    firers: ArrayVec<Hex, UNITS>,
    /// 9.8.c, 9.8.p: where it should lead: entry hexes, leaders.
    havens: &'a [Hex],
    leaders: ArrayVec<Hex, LEADERS>,
}

impl<'a> Way<'a> {
    fn new(battle: &'a Battle, state: &'a State, unit: UnitId, rout: bool) -> Way<'a> {
        let side = battle.unit(unit).side;
        let firers = state.fire.firers.iter().filter_map(|u| state.unit(u).post.hex()).collect();
        Way {
            battle,
            state,
            lines: Lines::of(battle, state, side),
            others: on_map(battle, state, side).filter(|&(_, id)| id != unit).map(|(hex, _)| hex).collect(),
            guns: battle.unit(unit).arm == Arm::Artillery,
            rout,
            least: if rout { 3 } else { 2 },
            firers,
            havens: &battle.armies[side].havens,
            leaders: leading(battle, state, unit, rout),
        }
    }

    fn goals(&self) -> impl Iterator<Item = Hex> {
        self.havens.iter().chain(&self.leaders).copied()
    }

    /// How many kinds of ways there are, by where they lead (R21, R22).
    fn kinds(&self) -> u8 {
        if self.rout { 3 } else { 4 }
    }

    /// The classes of ways, the best first: every kind as long as the rules ask, then every kind lengthened.
    fn classes(&self) -> std::ops::RangeInclusive<u8> {
        1..=2 * self.kinds()
    }

    /// Where the ways of a class lead.
    fn kind(&self, class: u8) -> u8 {
        (class.saturating_sub(1)) % self.kinds() + 1
    }

    /// R24: whether ways of the class go on through enemy zones until they are out of them.
    fn goes_on(&self, class: u8) -> bool {
        class > self.kinds()
    }

    /// Whether a way of the class that has come this far stops in the hex: no friend is there (R23), and no enemy zone
    /// that it is to leave (R24).
    fn rests(&self, class: u8, hex: Hex) -> bool {
        !(self.occupied(hex) || self.goes_on(class) && self.lines.zone.contains(hex))
    }

    fn off_firers(&self, hex: Hex) -> u16 {
        let grid = &self.battle.map.grid;
        self.firers.iter().map(|&at| grid.distance(at, hex)).min().unwrap_or(u16::MAX)
    }

    fn occupied(&self, hex: Hex) -> bool {
        self.others.contains(hex)
    }

    /// The hard limits of one step, wherever the way has been.
    fn may_cross(&self, at: Hex, direction: Direction) -> Result<Hex, Bar> {
        let Some(way) = way(self.battle, self.state, at, direction) else {
            return Err(bar!("9.8.f", "a retreat may not leave the map"));
        };
        if way.closed == Closed::ToAll || way.closed == Closed::ToGuns && self.guns {
            return Err(bar!("9.8.f", "a retreat may not enter or cross prohibited terrain"));
        }
        if self.lines.enemies.contains(way.to) {
            return Err(bar!("9.8.d", "an enemy unit stands there"));
        }
        Ok(way.to)
    }

    /// The hard limits of the next step.
    fn may_step(&self, trail: &Trail, direction: Direction) -> Result<Hex, Bar> {
        let to = self.may_cross(trail[trail.len() - 1], direction)?;
        if trail.contains(&to) {
            return Err(bar!("9.8.e", "a retreat may not enter the same hex twice"));
        }
        Ok(to)
    }

    /// Whether a step keeps to the class.
    fn keeps_class(&self, class: u8, from: Hex, to: Hex) -> bool {
        match (self.rout, self.kind(class)) {
            (false, 1 | 2) => self.off_firers(to) > self.off_firers(from),
            _ => true,
        }
    }

    fn nearer(&self, goal: Hex, from: Hex, to: Hex) -> bool {
        let grid = &self.battle.map.grid;
        grid.distance(goal, to) < grid.distance(goal, from)
    }

    /// The goals to which every step of the trail came nearer.
    fn approached(&self, trail: &Trail) -> impl Iterator<Item = Hex> {
        self.goals().filter(|&goal| trail.windows(2).all(|w| self.nearer(goal, w[0], w[1])))
    }

    /// Whether a way of the class that has kept to it so far may end there.
    fn ends_well(&self, class: u8, start: Hex, end: Hex) -> bool {
        if self.lines.zone.contains(end) {
            return false;
        }
        match (self.rout, self.kind(class)) {
            (false, 1) | (true, 2) => self.goals().any(|goal| self.nearer(goal, start, end)),
            (false, 3) => self.off_firers(end) > self.off_firers(start),
            _ => true,
        }
    }

    /// Whether the trail as it is can still become one of the class.
    fn completes(&self, class: u8, trail: &mut Trail) -> bool {
        let at = trail[trail.len() - 1];
        if self.rout && self.kind(class) == 1 && self.approached(trail).next().is_none() {
            return false;
        }
        if trail.len() > self.least {
            return if self.rests(class, at) {
                self.ends_well(class, trail[0], at)
            } else {
                self.comes_through(class, trail)
            };
        }
        Direction::ALL.into_iter().any(|direction| {
            let Ok(to) = self.may_step(trail, direction) else { return false };
            if !self.keeps_class(class, at, to) {
                return false;
            }
            trail.push(to);
            let completes = self.completes(class, trail);
            trail.pop();
            completes
        })
    }

    /// R23, R24: past its friends and through enemy zones, however many, the way goes on to the first free hex.
    fn comes_through(&self, class: u8, trail: &Trail) -> bool {
        if self.rout && self.kind(class) == 1 {
            return self
                .approached(trail)
                .any(|goal| self.comes_out(class, trail, |from, to| self.nearer(goal, from, to)));
        }
        self.comes_out(class, trail, |from, to| self.keeps_class(class, from, to))
    }

    /// Whether steps through hexes where it may not stop, each as it must be, come to a hex where the way may end. What
    /// is reached without touching the trail is also reached without entering a hex twice, so it is enough to spread.
    fn comes_out(&self, class: u8, trail: &Trail, keeps: impl Fn(Hex, Hex) -> bool) -> bool {
        let mut seen: HexSet = trail.iter().copied().collect();
        let mut open = HexSet::EMPTY;
        open.insert(trail[trail.len() - 1]);
        while let Some(at) = open.first() {
            open.remove(at);
            for direction in Direction::ALL {
                let Ok(to) = self.may_cross(at, direction) else { continue };
                if !keeps(at, to) || !seen.insert(to) {
                    continue;
                }
                if !self.rests(class, to) {
                    open.insert(to);
                } else if self.ends_well(class, trail[0], to) {
                    return true;
                }
            }
        }
        false
    }

    /// The best class that has a way at all.
    fn best_class(&self, trail: &mut Trail) -> Option<u8> {
        self.classes().find(|&class| self.completes(class, trail))
    }

    /// The hexes with which the trail may go on.
    fn next(&self, class: u8, trail: &mut Trail) -> ArrayVec<Hex, 6> {
        let at = trail[trail.len() - 1];
        Direction::ALL
            .into_iter()
            .filter_map(|direction| {
                let to = self.may_step(trail, direction).ok()?;
                if !self.keeps_class(class, at, to) {
                    return None;
                }
                trail.push(to);
                let completes = self.completes(class, trail);
                trail.pop();
                completes.then_some(to)
            })
            .collect()
    }
}

/// The leaders who are goals beside the entry hexes, or for want of any. Those who go back with the unit lead it
/// nowhere.
fn leading(battle: &Battle, state: &State, unit: UnitId, rout: bool) -> ArrayVec<Hex, LEADERS> {
    let sheet = battle.unit(unit);
    let leader_at =
        |leader: LeaderId| state.leader(leader).post.hex().filter(|_| !state.escort.contains(leader));
    if !rout {
        return battle.leaders_of[sheet.side].iter().filter_map(leader_at).collect();
    }
    if !battle.armies[sheet.side].havens.is_empty() {
        return ArrayVec::new();
    }
    [sheet.division, sheet.corps, sheet.army].into_iter().flatten().filter_map(leader_at).collect()
}

/// The hexes that the retreating unit may enter next.
pub(crate) fn options(
    battle: &Battle,
    state: &State,
    unit: UnitId,
    rout: bool,
    class: u8,
) -> ArrayVec<Hex, 6> {
    if state.trail.is_empty() {
        return ArrayVec::new();
    }
    Way::new(battle, state, unit, rout).next(class, &mut state.trail.clone())
}

/// May the retreat go on into this hex?
pub(crate) fn may_go(
    battle: &Battle,
    state: &State,
    unit: UnitId,
    rout: bool,
    class: u8,
    to: Hex,
) -> Result<(), Bar> {
    let Some(&at) = state.trail.last() else { return Err(bar!("9.8.a", "no retreat is under way")) };
    let trail = &mut state.trail.clone();
    let way = Way::new(battle, state, unit, rout);
    if trail.contains(&to) {
        return Err(if rout {
            bar!("9.8.r", "a rout may not enter the same hex twice")
        } else {
            bar!("9.8.e", "a retreat may not enter the same hex twice")
        });
    }
    let Some(direction) = battle.map.grid.direction(at, to) else {
        return Err(bar!("9.8.d", "the way back goes from hex to neighbouring hex"));
    };
    if let Err(bar) = way.may_step(trail, direction) {
        return Err(if rout && bar.rule != cite!("9.8.d") {
            bar!("9.8.r", "a rout may not enter or cross prohibited terrain nor leave the map")
        } else {
            bar
        });
    }
    if way.next(class, trail).contains(&to) {
        return Ok(());
    }
    let ends_there = trail.len() >= way.least && way.rests(class, to);
    Err(match (rout, way.lines.zone.contains(to) && ends_there) {
        (false, true) => bar!("9.8.i", "a retreat may not end in an enemy zone"),
        (true, true) => bar!("9.8.t", "a rout may not end in an enemy zone"),
        (true, false) => {
            bar!("9.8.p", "a rout leads towards an entry hex or the unit's leaders while a way there is open")
        }
        (false, false) if way.off_firers(to) <= way.off_firers(at) => {
            bar!("9.8.a", "a retreat leads away from the firing units while such a way is open")
        }
        (false, false) => bar!(
            "9.8.c",
            "a retreat leads towards an entry hex or a friendly leader while such a way is open"
        ),
    })
}

/// Goes on with the retreat as far as it needs no choice; false when the owner must choose the next hex.
pub(crate) fn run(
    battle: &Battle,
    state: &mut State,
    unit: UnitId,
    rout: bool,
    class: u8,
    fx: &mut impl Effects,
) -> bool {
    let Some(at) = state.unit(unit).post.hex() else {
        state.agenda.pop();
        return true;
    };
    if class == 0 {
        state.trail.clear();
        state.trail.push(at);
        // Only the leaders who set out with the unit go on with it, whomever it passes.
        state.escort = leaders_in(battle, state, battle.unit(unit).side, at);
        // R59: the work needs the unit.
        state.unit_mut(unit).task = Task::None;
        let best = Way::new(battle, state, unit, rout).best_class(&mut state.trail.clone());
        let Some(class) = best else {
            state.agenda.pop();
            fx.tell(|| {
                let text = does(&battle.unit(unit).name, "has no way back.");
                let entry = crate::rules::concepts::piece_entry(battle, state, Kind::Gone, text, unit);
                entry.rule(if rout { cite!("9.8.r") } else { cite!("9.8.g") })
            });
            eliminate(battle, state, unit, fx);
            return true;
        };
        state.agenda.replace(Step::Retreat { unit, rout, class });
        return true;
    }
    let way = Way::new(battle, state, unit, rout);
    if state.trail.len() > way.least && way.rests(class, at) {
        finish(battle, state, unit, rout, fx);
        return true;
    }
    let next = way.next(class, &mut state.trail.clone());
    if let [only] = next[..] {
        go(battle, state, unit, rout, only, fx);
        return true;
    }
    false
}

/// One hex of a retreat.
pub(crate) fn go(
    battle: &Battle,
    state: &mut State,
    unit: UnitId,
    rout: bool,
    to: Hex,
    fx: &mut impl Effects,
) {
    let side = battle.unit(unit).side;
    let Some(from) = state.unit(unit).post.hex() else { return };
    let with = leaders_in(battle, state, side, from).and(state.escort);
    state.trail.push(to);
    let zone = Lines::of(battle, state, side).zone;
    enter(battle, state, unit, to, with, fx);
    if zone.contains(to) {
        fx.tell(|| {
            let text = does(&battle.unit(unit).name, "goes back through an enemy zone.");
            let entry = crate::rules::concepts::piece_entry(battle, state, Kind::Retreat, text, unit);
            entry.rule(if rout { cite!("9.8.s") } else { cite!("9.8.h") })
        });
        if state.unit(unit).sp == 1 {
            die_on_the_way(battle, state, unit, rout, fx);
        } else {
            lose(battle, state, unit, 1, fx);
        }
    }
}

/// R25: its last SP is lost on the way. Those it ran through check even though it does not come to the end of its rout;
/// the unit in whose hex it dies does not, since it never left that hex (R75). Lone leaders it came next to leave (R41).
fn die_on_the_way(battle: &Battle, state: &mut State, unit: UnitId, rout: bool, fx: &mut impl Effects) {
    state.agenda.pop();
    let trail = state.trail.clone();
    if rout {
        disturb(battle, state, unit, &trail);
    }
    lose(battle, state, unit, 1, fx);
    send_off_beside(battle, state, unit, &trail);
}

/// 5.3.2: lone leaders of the enemy leave whom the unit came next to.
fn send_off_beside(battle: &Battle, state: &mut State, unit: UnitId, trail: &Trail) {
    for &hex in trail.iter().skip(1) {
        leaders::displace_beside(battle, state, battle.unit(unit).side.enemy(), hex);
    }
}

/// The unit has come to rest: those it ran through check, lone leaders it came next to leave.
fn finish(battle: &Battle, state: &mut State, unit: UnitId, rout: bool, fx: &mut impl Effects) {
    state.agenda.pop();
    let trail = state.trail.clone();
    state.trail.clear();
    victory::stand(battle, state, unit, fx);
    let side = battle.unit(unit).side;
    fx.tell(|| {
        let what = if rout { "routs to" } else { "retreats to" };
        let text =
            format!("{} {}.", does(&battle.unit(unit).name, what), battle.number(trail[trail.len() - 1]));
        let mut entry = Entry::new(Kind::Retreat, text).side(side).rule(if rout {
            cite!("9.8.n")
        } else {
            cite!("9.8.a")
        });
        entry = entry.piece(battle.piece_id(crate::state::Piece::Unit(unit)));
        for &hex in &trail {
            entry = entry.place(Place::Hex(battle.number(hex)));
        }
        entry
    });
    if rout {
        disturb(battle, state, unit, &trail);
    }
    send_off_beside(battle, state, unit, &trail);
}

/// 9.8.ab: the units that a rout moved through check, routed ones too, in the order in which it passed them (R27).
fn disturb(battle: &Battle, state: &mut State, unit: UnitId, trail: &Trail) {
    let side = battle.unit(unit).side;
    for &hex in trail[1..trail.len() - 1].iter().rev() {
        let passed = battle.of[side].iter().find(|&id| id != unit && state.unit(id).post == Post::On(hex));
        if let Some(id) = passed {
            will_check(state, id);
        }
    }
}

/// The unit checks before all those that wait already. When more than five hundred checks wait, one that waits already
/// is not put down again (R27): what is left of the agenda has room for every unit of a side once.
fn will_check(state: &mut State, unit: UnitId) {
    if state.agenda.depth() >= MANY_WAIT && waits(state, unit) {
        return;
    }
    if let Some(Step::PassedBy { units, left }) = state.agenda.top_mut()
        && usize::from(*left) < PASSED
    {
        units[usize::from(*left)] = unit;
        *left += 1;
    } else {
        state.agenda.push(Step::PassedBy { units: [unit; PASSED], left: 1 });
    }
}

/// Whether the unit waits for a check already.
fn waits(state: &State, unit: UnitId) -> bool {
    state.agenda.iter().any(|step| match step {
        Step::PassedBy { units, left } => units[..usize::from(*left)].contains(&unit),
        _ => false,
    })
}

/// The next of the units that were passed checks its morale.
pub(crate) fn next_passed(state: &mut State, units: [UnitId; PASSED], left: u8) {
    let left = left - 1;
    if left > 0 {
        state.agenda.replace(Step::PassedBy { units, left });
    } else {
        state.agenda.pop();
    }
    state.agenda.push(Step::Morale { unit: units[usize::from(left)], why: Why::Passed });
}
