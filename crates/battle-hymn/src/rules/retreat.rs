//! Chapter 7: retreats, one hex at a time, planned as whole paths (R47).

use arrayvec::ArrayVec;
use game::log::Kind;
use game::words::does;
use game::{Effects, Entry, Refusal, RollNote};
use hexmap::{Hex, HexSet};
use serde::{Deserialize, Serialize};

use crate::rules::zones::directions;
use crate::rules::{basics, cavalry, morale, movement, zones};
use crate::setup::battle::Battle;
use crate::setup::ground::CLOSED;
use crate::state::{Causes, Id, LONGEST_RETREAT, NOWHERE, Retreat, State, Step};

/// The next hexes of a retreat.
pub(crate) type Hexes = ArrayVec<Hex, 6>;

/// Which paths a retreat is left with (R47): the first of these that exists.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Plan {
    /// No enemy zone, no surplus step.
    Clean,
    /// No enemy zone.
    Roundabout,
    /// Through enemy zones, no surplus step.
    Gauntlet,
    /// Any legal path.
    Desperate,
}

impl Plan {
    const ALL: [Plan; 4] = [Plan::Clean, Plan::Roundabout, Plan::Gauntlet, Plan::Desperate];

    fn allows_zone(self) -> bool {
        matches!(self, Plan::Gauntlet | Plan::Desperate)
    }

    fn allows_surplus(self) -> bool {
        matches!(self, Plan::Roundabout | Plan::Desperate)
    }
}

/// 7.3: what kind of hex it is to a retreating unit, the best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Class {
    Free,
    Friendly,
    Zone,
}

/// The choices of the next step.
#[derive(Debug, Clone, Default)]
pub(crate) struct Choices {
    pub hexes: Hexes,
    /// It may leave the map from where it stands (R54).
    pub off: bool,
}

impl Choices {
    fn is_empty(&self) -> bool {
        self.hexes.is_empty() && !self.off
    }

    fn len(&self) -> usize {
        self.hexes.len() + usize::from(self.off)
    }
}

/// Puts a retreat on the agenda.
pub(crate) fn begin(state: &mut State, unit: Id, causes: Causes, voluntary: bool) {
    debug_assert!(state.piece(unit).on_map());
    state.retreated.insert(unit);
    // 8.a: who falls back gives up the advance.
    state.piece_mut(unit).shot_into = 0;
    state.agenda.push(Step::Retreat(new_retreat(state, unit, causes, voluntary)));
}

#[must_use]
pub(crate) fn new_retreat(state: &State, unit: Id, causes: Causes, voluntary: bool) -> Retreat {
    Retreat {
        path: 0,
        unit,
        steps: 0,
        start: state.piece(unit).hex,
        causes,
        pausing_before: NOWHERE,
        checked: Id::NONE,
        voluntary,
        plan: None,
    }
}

/// 7.2.a, 7.2.b: far enough from the start and from every cause.
fn is_far_enough(battle: &Battle, retreat: &Retreat, hex: Hex) -> bool {
    let ground = &battle.ground;
    ground.distance(hex, retreat.start) >= 2
        && directions(retreat.causes.directions).all(|d| {
            let cause = ground.beyond[retreat.causes.at.index()][d];
            cause == NOWHERE || ground.distance(hex, cause) >= 2
        })
}

fn class_of(battle: &Battle, state: &State, unit: Id, hex: Hex) -> Option<Class> {
    let own = battle.side(unit);
    match state.at(hex) {
        // Its own hex is among those already entered and never asked about.
        Some(other) if battle.armies[own].units.contains(other) => Some(Class::Friendly),
        Some(_) => None,
        None if zones::covers(battle, state, own.enemy(), hex) => Some(Class::Zone),
        None => Some(Class::Free),
    }
}

/// The search for a complete path onward from a hex.
struct Search<'a> {
    battle: &'a Battle,
    state: &'a State,
    retreat: &'a Retreat,
    costs: &'a [[u8; 6]],
    entered: HexSet,
    plan: Plan,
}

impl Search<'_> {
    /// Whether a retreat may step from one hex to the next at all (7.4), and the class of that hex.
    fn step(&self, from: Hex, direction: usize) -> Option<(Hex, Class)> {
        let next = self.battle.ground.beyond[from.index()][direction];
        if next == NOWHERE || self.costs[from.index()][direction] == CLOSED || self.entered.contains(next) {
            return None;
        }
        let class = class_of(self.battle, self.state, self.retreat.unit, next)?;
        (class != Class::Zone || self.plan.allows_zone()).then_some((next, class))
    }

    /// Whether a path of this plan goes on from `hex`, entered as number `number`, to a legal end.
    fn leads_on(&self, hex: Hex, class: Class, number: u8) -> bool {
        if class == Class::Free {
            if is_far_enough(self.battle, self.retreat, hex) {
                return true;
            }
            if number >= 2 && !self.plan.allows_surplus() {
                return false;
            }
        }
        self.leaves_map(hex) || self.finds_end(hex)
    }

    /// Breadth first: a walk to an end always contains a path that enters no hex twice.
    fn finds_end(&self, from: Hex) -> bool {
        let mut seen = self.entered;
        seen.insert(from);
        let mut queue: ArrayVec<Hex, 256> = ArrayVec::new();
        queue.push(from);
        let mut head = 0;
        while head < queue.len() {
            let at = queue[head];
            head += 1;
            for direction in 0..6 {
                let Some((next, class)) = self.step(at, direction).filter(|(next, _)| !seen.contains(*next))
                else {
                    continue;
                };
                seen.insert(next);
                if class == Class::Free {
                    if is_far_enough(self.battle, self.retreat, next) {
                        return true;
                    }
                    if !self.plan.allows_surplus() {
                        continue;
                    }
                }
                if self.leaves_map(next) {
                    return true;
                }
                if queue.try_push(next).is_err() {
                    return false;
                }
            }
        }
        false
    }

    fn leaves_map(&self, hex: Hex) -> bool {
        may_leave(self.battle, self.state, self.retreat.unit, hex)
    }

    /// The hexes of the best class from which a path of this plan goes on (7.3).
    fn choices(&self) -> Choices {
        let at = self.state.piece(self.retreat.unit).hex;
        let mut found: ArrayVec<(Class, Hex), 6> = ArrayVec::new();
        if self.retreat.steps < LONGEST_RETREAT {
            for direction in 0..6 {
                if let Some((next, class)) = self.step(at, direction)
                    && self.leads_on(next, class, self.retreat.steps + 1)
                {
                    found.push((class, next));
                }
            }
        }
        let best = found.iter().map(|(class, _)| *class).min();
        let hexes = found.iter().filter(|(class, _)| Some(*class) == best).map(|(_, hex)| *hex).collect();
        Choices { hexes, off: self.retreat.steps > 0 && self.leaves_map(at) }
    }
}

/// R54: the scenario leaves a way out there.
fn may_leave(battle: &Battle, state: &State, unit: Id, hex: Hex) -> bool {
    movement::way_out(battle, state, unit, hex).is_some()
}

/// The hexes already entered, the start among them (7.4.c).
fn entered(battle: &Battle, retreat: &Retreat) -> HexSet {
    let mut set: HexSet = battle.ground.walk(retreat.start, retreat.path).collect();
    set.insert(retreat.start);
    set
}

/// The next steps open to a retreat, and the plan they belong to; none: 7.4.g.
#[must_use]
pub(crate) fn choices(battle: &Battle, state: &State, retreat: &Retreat) -> Option<(Plan, Choices)> {
    let column = movement::column_now(battle, state, retreat.unit);
    let mut search = Search {
        battle,
        state,
        retreat,
        costs: &battle.ground.costs[column as usize],
        entered: entered(battle, retreat),
        plan: Plan::Clean,
    };
    let kept = retreat.plan.into_iter();
    for plan in kept.chain(Plan::ALL) {
        search.plan = plan;
        let mut choices = search.choices();
        if !choices.is_empty() {
            cavalry::nearest_to_horses(battle, state, retreat.unit, &mut choices.hexes);
            choices.hexes.sort_unstable();
            return Some((plan, choices));
        }
    }
    None
}

/// R44: whether a unit could retreat from its hex without an enemy zone.
#[must_use]
pub(crate) fn has_free_path(battle: &Battle, state: &State, unit: Id, causes: Causes) -> bool {
    let retreat = new_retreat(state, unit, causes, false);
    choices(battle, state, &retreat).is_some_and(|(plan, _)| !plan.allows_zone())
}

/// R19: nobody withdraws who could not complete it.
#[must_use]
pub(crate) fn has_path(battle: &Battle, state: &State, unit: Id, causes: Causes) -> bool {
    choices(battle, state, &new_retreat(state, unit, causes, true)).is_some()
}

/// Whether the retreat is complete where the unit stands.
fn is_over(battle: &Battle, state: &State, retreat: &Retreat) -> bool {
    let hex = state.piece(retreat.unit).hex;
    retreat.steps >= 2
        && state.occupant(hex) == retreat.unit
        && !zones::covers(battle, state, battle.side(retreat.unit).enemy(), hex)
        && is_far_enough(battle, retreat, hex)
}

/// One step of a retreat by itself; false if its owner must choose.
pub(crate) fn step(battle: &Battle, state: &mut State, retreat: Retreat, fx: &mut impl Effects) -> bool {
    let unit = retreat.unit;
    if !state.piece(unit).on_map() {
        state.agenda.pop();
        return true;
    }
    if retreat.pausing_before != NOWHERE {
        if must_turn_aside(battle, state, &retreat) {
            set(state, Retreat { pausing_before: NOWHERE, checked: Id::NONE, plan: None, ..retreat });
            return true;
        }
        // R50: the friend has stood or gone; the unit is bound to the hex, whoever is in it now.
        go(battle, state, retreat.pausing_before, fx);
        return true;
    }
    if is_over(battle, state, &retreat) {
        finish(battle, state, &retreat, fx);
        return true;
    }
    let Some((plan, choices)) = choices(battle, state, &retreat) else {
        state.agenda.pop();
        morale::shatter_for_want_of_retreat(battle, state, unit, fx);
        return true;
    };
    set(state, Retreat { plan: Some(plan), ..retreat });
    if choices.len() > 1 && !battle.house.at_random {
        return false;
    }
    // At Random a unit leaves the map only where no hex is open to it.
    match choices.hexes.as_slice() {
        [] => leave(battle, state, fx),
        [only] => go(battle, state, *only, fx),
        several => {
            let drawn = fx.draw(several.len(), || {
                let what = format!("Where {} falls back", battle.name(unit));
                RollNote::new(what, cite!("3.1.d"))
                    .side(battle.side(unit))
                    .by(unit.piece())
                    .outcomes(several.iter().map(|&hex| battle.ground.name(hex)))
            });
            go(battle, state, several[drawn], fx);
        }
    }
    true
}

/// R50: the friend has gone and left an enemy zone behind, which 7.6.a closes while a path free of zones is open.
fn must_turn_aside(battle: &Battle, state: &State, retreat: &Retreat) -> bool {
    let hex = retreat.pausing_before;
    let afresh = Retreat { plan: None, ..*retreat };
    class_of(battle, state, retreat.unit, hex) == Some(Class::Zone)
        && choices(battle, state, &afresh).is_some_and(|(plan, _)| !plan.allows_zone())
}

fn set(state: &mut State, retreat: Retreat) {
    state.agenda.replace(Step::Retreat(retreat));
}

/// The retreat on top of the agenda.
#[must_use]
pub(crate) fn under_way(state: &State) -> Option<Retreat> {
    match state.agenda.top() {
        Some(Step::Retreat(retreat)) => Some(retreat),
        _ => None,
    }
}

/// `retreat X off`: out by a way the scenario leaves open.
pub(crate) fn leave(battle: &Battle, state: &mut State, fx: &mut impl Effects) {
    let Some(retreat) = under_way(state) else { return };
    state.agenda.pop();
    let by = state.piece(retreat.unit).hex;
    tell_way(battle, state, &retreat, fx);
    movement::leave_map(battle, state, retreat.unit, by, fx);
}

/// `retreat X HEX`: into the next hex, after its occupant has checked if there is one (7.8).
pub(crate) fn go(battle: &Battle, state: &mut State, to: Hex, fx: &mut impl Effects) {
    let Some(retreat) = under_way(state) else { return };
    match state.at(to) {
        Some(friend) if !retreat.voluntary && friend != retreat.checked && !is_retreating(state, friend) => {
            set(state, Retreat { pausing_before: to, checked: friend, ..retreat });
            let direction = battle.ground.direction(to, state.piece(retreat.unit).hex);
            let causes = Causes { at: to, directions: direction.map_or(0, |d| 1 << d) };
            if morale::gives_way(battle, state, friend, causes, fx) {
                begin(state, friend, causes, false);
            }
        }
        _ => enter(battle, state, retreat, to, fx),
    }
}

/// R51: a unit already in a retreat makes no check.
fn is_retreating(state: &State, unit: Id) -> bool {
    state.agenda.iter().any(|s| matches!(s, Step::Retreat(r) if r.unit == unit))
}

/// The unit enters the hex; an enemy zone there costs an SP, unless a friend stands in it (7.6.b, 7.6.d, R49).
fn enter(battle: &Battle, state: &mut State, retreat: Retreat, to: Hex, fx: &mut impl Effects) {
    let unit = retreat.unit;
    let from = state.piece(unit).hex;
    let Some(direction) = battle.ground.direction(from, to) else {
        state.agenda.pop();
        return;
    };
    let costs_a_point = state.at(to).is_none() && zones::covers(battle, state, battle.side(unit).enemy(), to);
    let path = retreat.path | (direction as u64 + 1) << (3 * u32::from(retreat.steps));
    set(
        state,
        Retreat { path, steps: retreat.steps + 1, pausing_before: NOWHERE, checked: Id::NONE, ..retreat },
    );
    basics::change_hex(battle, state, unit, to, fx);
    if costs_a_point {
        morale::lose_one(battle, state, unit, cite!("7.6.b"), fx);
        morale::remove_if_broken(battle, state, unit, retreat.causes, fx);
    }
}

fn finish(battle: &Battle, state: &mut State, retreat: &Retreat, fx: &mut impl Effects) {
    state.agenda.pop();
    tell_way(battle, state, retreat, fx);
}

fn tell_way(battle: &Battle, state: &State, retreat: &Retreat, fx: &mut impl Effects) {
    fx.tell(|| {
        let unit = retreat.unit;
        let to = battle.ground.name(state.piece(unit).hex);
        let verb = if retreat.voluntary { "withdraws" } else { "falls back" };
        let mut entry = Entry::new(
            Kind::Retreat,
            format!("{} from {} to {to}.", does(battle.name(unit), verb), battle.ground.name(retreat.start)),
        )
        .side(battle.side(unit))
        .rule(cite!("7.a"))
        .piece(unit.piece())
        .place(battle.place(retreat.start));
        entry.places.extend(battle.ground.walk(retreat.start, retreat.path).map(|h| battle.place(h)));
        entry
    });
}

/// `retreat X HEX`.
///
/// # Errors
/// The rule that forbids it.
pub(crate) fn check(battle: &Battle, state: &State, unit: Id, to: Option<Hex>) -> Result<(), Refusal> {
    let Some(retreat) = under_way(state).filter(|r| r.unit == unit) else {
        return Err(Refusal::off_turn("Another unit is falling back."));
    };
    let choices = choices(battle, state, &retreat).map(|(_, c)| c).unwrap_or_default();
    let Some(to) = to else {
        let why = "No way off the map is open here.";
        return if choices.off { Ok(()) } else { Err(Refusal::new("Not off the map.", why, cite!("7.4.d"))) };
    };
    if choices.hexes.contains(&to) {
        return Ok(());
    }
    Err(refusal(battle, state, &retreat, to, &choices))
}

/// Why a hex is not open to a retreat, by the first prohibition that bars it.
fn refusal(battle: &Battle, state: &State, retreat: &Retreat, to: Hex, choices: &Choices) -> Refusal {
    let what = format!("{} may not fall back to {}.", battle.name(retreat.unit), battle.ground.name(to));
    let at = state.piece(retreat.unit).hex;
    let column = movement::column_now(battle, state, retreat.unit);
    let refuse = |why: &str, rule| Refusal::new(what.clone(), why, rule);
    if !battle.ground.on_map.contains(to) {
        return refuse("A retreat does not leave the map.", cite!("7.4.d"));
    }
    let Some(direction) = battle.ground.direction(at, to) else {
        return refuse("A retreat goes hex by hex.", cite!("7.2.a"));
    };
    let Some(class) = class_of(battle, state, retreat.unit, to) else {
        return refuse("An enemy stands there.", cite!("7.4.b"));
    };
    if battle.ground.costs[column as usize][at.index()][direction] == CLOSED {
        return refuse("The ground is closed to it.", cite!("7.4.a"));
    }
    if entered(battle, retreat).contains(to) {
        return refuse("It has been there in this retreat.", cite!("7.4.c"));
    }
    match class {
        Class::Friendly
            if choices
                .hexes
                .iter()
                .any(|&h| class_of(battle, state, retreat.unit, h) == Some(Class::Free)) =>
        {
            refuse("A free hex is open; it comes before a friend's.", cite!("7.3.a"))
        }
        Class::Zone => refuse("It is in an enemy zone of control, and a way around is open.", cite!("7.6.a")),
        _ => refuse(
            "It lies on no path that ends two hexes from the start and from every enemy that caused the retreat.",
            cite!("7.2.a"),
        ),
    }
}

/// Every legal path of a retreat, for those who ask: the hexes still to be entered, joined by hyphens.
#[must_use]
pub(crate) fn all_paths(battle: &Battle, state: &State, retreat: &Retreat) -> Vec<String> {
    let mut paths = Vec::new();
    let mut scratch = state.clone();
    collect(battle, &mut scratch, *retreat, &mut Vec::new(), &mut paths);
    paths
}

fn collect(
    battle: &Battle,
    state: &mut State,
    retreat: Retreat,
    way: &mut Vec<Hex>,
    paths: &mut Vec<String>,
) {
    if paths.len() > 500 {
        return;
    }
    let at = state.piece(retreat.unit).hex;
    if is_over(battle, state, &retreat) {
        paths.push(way.iter().map(|&h| battle.ground.name(h)).collect::<Vec<_>>().join("-"));
        return;
    }
    let Some((plan, choices)) = choices(battle, state, &retreat) else { return };
    for to in choices.hexes {
        let Some(direction) = battle.ground.direction(at, to) else { continue };
        state.agenda.push(Step::Retreat(retreat));
        state.lift(retreat.unit);
        state.put(retreat.unit, to);
        way.push(to);
        let path = retreat.path | (direction as u64 + 1) << (3 * u32::from(retreat.steps));
        let next =
            Retreat { path, steps: retreat.steps + 1, plan: Some(plan), pausing_before: NOWHERE, ..retreat };
        collect(battle, state, next, way, paths);
        way.pop();
        state.lift(retreat.unit);
        state.put(retreat.unit, at);
        state.agenda.pop();
    }
}
