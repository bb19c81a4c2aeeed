//! Chapter 7: retreats, one hex at a time, planned as whole paths (R47).

use arrayvec::ArrayVec;
use game::log::Kind;
use game::words::does;
use game::{Allowed, Effects, No, RollNote};
use hexmap::{Hex, HexSet};
use serde::{Deserialize, Serialize};

use crate::at::At;
use crate::at::Run;
use crate::rules::zones::directions;
use crate::setup::battle::Battle;
use crate::setup::ground::{CLOSED, Ground};
use crate::state::{Causes, Id, LONGEST_RETREAT, NOWHERE, Retreat, State, Step, Trail};

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

impl At<'_> {
    fn class_of(self, unit: Id, hex: Hex) -> Option<Class> {
        let own = self.side(unit);
        match self.state.at(hex) {
            // Its own hex is among those already entered and never asked about.
            Some(other) if self.battle.armies[own].units.contains(other) => Some(Class::Friendly),
            Some(_) => None,
            None if self.covers(own.enemy(), hex) => Some(Class::Zone),
            None => Some(Class::Free),
        }
    }

    /// R54: the scenario leaves a way out there.
    fn may_leave(self, unit: Id, hex: Hex) -> bool {
        self.battle.way_out(unit, hex, self.state.hour).is_some()
    }

    /// The next steps open to a retreat, and the plan they belong to; none: 7.4.g.
    pub(crate) fn retreat_choices(self, retreat: &Retreat) -> Option<(Plan, Choices)> {
        let column = self.column_now(retreat.unit);
        let mut search = Search {
            at: self,
            retreat,
            costs: &self.ground().costs[column as usize],
            entered: retreat.entered(self.ground()),
            plan: Plan::Clean,
        };
        let kept = retreat.plan.into_iter();
        for plan in kept.chain(Plan::ALL) {
            search.plan = plan;
            let mut choices = search.choices();
            if !choices.is_empty() {
                self.nearest_to_horses(retreat.unit, &mut choices.hexes);
                choices.hexes.sort_unstable();
                return Some((plan, choices));
            }
        }
        None
    }

    /// R44: whether a unit could retreat from its hex without an enemy zone.
    pub(crate) fn has_free_path(self, unit: Id, causes: Causes) -> bool {
        let retreat = self.state.new_retreat(unit, causes, false);
        self.retreat_choices(&retreat).is_some_and(|(plan, _)| !plan.allows_zone())
    }

    /// R19: nobody withdraws who could not complete it.
    pub(crate) fn has_path_of_retreat(self, unit: Id, causes: Causes) -> bool {
        self.retreat_choices(&self.state.new_retreat(unit, causes, true)).is_some()
    }

    /// Whether the retreat is complete where the unit stands.
    fn retreat_is_over(self, retreat: &Retreat) -> bool {
        let hex = self.piece(retreat.unit).hex;
        retreat.steps >= 2
            && self.state.occupant(hex) == retreat.unit
            && !self.covers(self.side(retreat.unit).enemy(), hex)
            && retreat.is_far_enough(self.ground(), hex)
    }

    /// R50: the friend has gone and left an enemy zone behind, which 7.6.a closes while a path free of zones is open.
    fn must_turn_aside(self, retreat: &Retreat, hex: Hex) -> bool {
        let afresh = Retreat { plan: None, ..*retreat };
        self.class_of(retreat.unit, hex) == Some(Class::Zone)
            && self.retreat_choices(&afresh).is_some_and(|(plan, _)| !plan.allows_zone())
    }

    /// `retreat X HEX`.
    pub(crate) fn check_retreat(self, unit: Id, to: Option<Hex>) -> Allowed {
        let Some(retreat) = self.state.retreat_under_way().filter(|r| r.unit == unit) else {
            return Err(No::other("Another unit is falling back."));
        };
        let (plan, choices) = self.retreat_choices(&retreat).unzip();
        let choices = choices.unwrap_or_default();
        let Some(to) = to else {
            let why = "No way off the map is open here.";
            return if choices.off { Ok(()) } else { Err(No::new(cite!("7.4.d"), why)) };
        };
        if choices.hexes.contains(&to) {
            return Ok(());
        }
        Err(self.why_no_retreat(&retreat, to, plan, &choices))
    }

    /// Why a hex is not open to a retreat, by the first prohibition that bars it.
    fn why_no_retreat(self, retreat: &Retreat, to: Hex, plan: Option<Plan>, choices: &Choices) -> No {
        let at = self.piece(retreat.unit).hex;
        let column = self.column_now(retreat.unit);
        let refuse = |why, rule| No::new(rule, why);
        if !self.ground().on_map.contains(to) {
            return refuse("A retreat does not leave the map.", cite!("7.4.d"));
        }
        let Some(direction) = self.ground().direction(at, to) else {
            return refuse("A retreat goes hex by hex.", cite!("7.2.a"));
        };
        let Some(class) = self.class_of(retreat.unit, to) else {
            return refuse("An enemy stands there.", cite!("7.4.b"));
        };
        if self.ground().costs[column as usize][at.index()][direction] == CLOSED {
            return refuse("The ground is closed to it.", cite!("7.4.a"));
        }
        if retreat.entered(self.ground()).contains(to) {
            return refuse("It has been there in this retreat.", cite!("7.4.c"));
        }
        match class {
            Class::Friendly
                if choices.hexes.iter().any(|&h| self.class_of(retreat.unit, h) == Some(Class::Free)) =>
            {
                refuse("A free hex is open; it comes before a friend's.", cite!("7.3.a"))
            }
            // Every way leads through a zone somewhere; a hex outside one still comes first.
            Class::Zone if plan.is_some_and(Plan::allows_zone) => {
                refuse("A hex outside enemy zones is open; it comes first.", cite!("7.3.a"))
            }
            Class::Zone => {
                refuse("It is in an enemy zone of control, and a way around is open.", cite!("7.6.a"))
            }
            _ => refuse(
                "It lies on no path that ends two hexes from the start and from every enemy that caused the retreat.",
                cite!("7.2.a"),
            ),
        }
    }

    /// Every legal path of a retreat, for those who ask: the hexes still to be entered, joined by hyphens.
    pub(crate) fn all_retreat_paths(self, retreat: &Retreat) -> Vec<String> {
        let mut paths = Vec::new();
        let mut scratch = self.state.clone();
        collect(self.battle, &mut scratch, *retreat, &mut Vec::new(), &mut paths);
        paths
    }
}

impl<F: Effects> Run<'_, F> {
    /// One step of a retreat by itself; false if its owner must choose.
    pub(crate) fn retreat_step(&mut self, retreat: Retreat) -> bool {
        let unit = retreat.unit;
        if !self.state.piece(unit).on_map() {
            self.state.agenda.pop();
            return true;
        }
        if let Some(hex) = retreat.pausing_before {
            if self.at().must_turn_aside(&retreat, hex) {
                self.state.set_retreat(Retreat {
                    pausing_before: None,
                    checked: None,
                    plan: None,
                    ..retreat
                });
                return true;
            }
            // R50: the friend has stood or gone; the unit is bound to the hex, whoever is in it now.
            self.fall_back_to(hex);
            return true;
        }
        if self.at().retreat_is_over(&retreat) {
            self.finish_retreat(&retreat);
            return true;
        }
        let Some((plan, choices)) = self.at().retreat_choices(&retreat) else {
            self.state.agenda.pop();
            self.shatter_for_want_of_retreat(unit);
            return true;
        };
        self.state.set_retreat(Retreat { plan: Some(plan), ..retreat });
        if choices.len() > 1 && !self.battle.house.at_random {
            return false;
        }
        // At Random a unit leaves the map only where no hex is open to it.
        match choices.hexes.as_slice() {
            [] => self.leave_in_retreat(),
            [only] => self.fall_back_to(*only),
            several => {
                let drawn = self.fx.draw(several.len(), || {
                    let what = format!("Where {} falls back", self.battle.name(unit));
                    RollNote::new(what, cite!("3.1.d"))
                        .side(self.battle.side(unit))
                        .by(unit.piece())
                        .outcomes(several.iter().map(|&hex| self.battle.ground.name(hex)))
                });
                self.fall_back_to(several[drawn]);
            }
        }
        true
    }

    /// `retreat X off`: out by a way the scenario leaves open.
    pub(crate) fn leave_in_retreat(&mut self) {
        let Some(retreat) = self.state.retreat_under_way() else { return };
        self.state.agenda.pop();
        let by = self.state.piece(retreat.unit).hex;
        self.tell_way(&retreat);
        self.leave_map(retreat.unit, by);
    }

    /// `retreat X HEX`: into the next hex, after its occupant has checked if there is one (7.8).
    pub(crate) fn fall_back_to(&mut self, to: Hex) {
        let Some(retreat) = self.state.retreat_under_way() else { return };
        match self.state.at(to) {
            Some(friend)
                if !retreat.voluntary
                    && retreat.checked != Some(friend)
                    && !self.state.is_retreating(friend) =>
            {
                self.state.set_retreat(Retreat {
                    pausing_before: Some(to),
                    checked: Some(friend),
                    ..retreat
                });
                let direction = self.battle.ground.direction(to, self.state.piece(retreat.unit).hex);
                let causes = Causes { at: to, directions: direction.map_or(0, |d| 1 << d) };
                if self.gives_way(friend, causes) {
                    self.state.begin_retreat(friend, causes, false);
                }
            }
            _ => self.retreat_into(retreat, to),
        }
    }

    /// The unit enters the hex; an enemy zone there costs an SP, unless a friend stands in it (7.6.b, 7.6.d, R49).
    fn retreat_into(&mut self, retreat: Retreat, to: Hex) {
        let unit = retreat.unit;
        let from = self.state.piece(unit).hex;
        let Some(direction) = self.battle.ground.direction(from, to) else {
            self.state.agenda.pop();
            return;
        };
        let costs_a_point =
            self.state.at(to).is_none() && self.at().covers(self.battle.side(unit).enemy(), to);
        let path = Trail::longer(retreat.path, direction);
        self.state.set_retreat(Retreat {
            path,
            steps: retreat.steps + 1,
            pausing_before: None,
            checked: None,
            ..retreat
        });
        self.change_hex(unit, to);
        if costs_a_point {
            self.lose_one(unit, cite!("7.6.b"));
            self.remove_if_broken(unit, retreat.causes);
        }
    }

    fn finish_retreat(&mut self, retreat: &Retreat) {
        self.state.agenda.pop();
        self.tell_way(retreat);
    }

    fn tell_way(&mut self, retreat: &Retreat) {
        let to = self.state.piece(retreat.unit).hex;
        let way = self.battle.ground.walk(retreat.start, retreat.path);
        let places = std::iter::once(retreat.start).chain(way);
        self.tell_at(retreat.unit, Kind::Retreat, cite!("7.a"), places, |name, hex| {
            let verb = if retreat.voluntary { "withdraws" } else { "falls back" };
            format!("{} from {} to {}.", does(name, verb), hex(retreat.start), hex(to))
        });
    }
}

impl State {
    /// Puts a retreat on the agenda.
    pub(crate) fn begin_retreat(&mut self, unit: Id, causes: Causes, voluntary: bool) {
        debug_assert!(self.piece(unit).on_map());
        self.retreated.insert(unit);
        // 8.a: who falls back gives up the advance.
        self.piece_mut(unit).shot_into = 0;
        self.agenda.push(Step::Retreat(self.new_retreat(unit, causes, voluntary)));
    }

    pub(crate) fn new_retreat(&self, unit: Id, causes: Causes, voluntary: bool) -> Retreat {
        Retreat {
            path: None,
            unit,
            steps: 0,
            start: self.piece(unit).hex,
            causes,
            pausing_before: None,
            checked: None,
            voluntary,
            plan: None,
        }
    }

    fn set_retreat(&mut self, retreat: Retreat) {
        self.agenda.replace(Step::Retreat(retreat));
    }

    /// The retreat on top of the agenda.
    pub(crate) fn retreat_under_way(&self) -> Option<Retreat> {
        match self.agenda.top() {
            Some(Step::Retreat(retreat)) => Some(retreat),
            _ => None,
        }
    }

    /// R51: a unit already in a retreat makes no check.
    fn is_retreating(&self, unit: Id) -> bool {
        self.agenda.iter().any(|s| matches!(s, Step::Retreat(r) if r.unit == unit))
    }
}

impl Retreat {
    /// 7.2.a, 7.2.b: far enough from the start and from every cause.
    fn is_far_enough(&self, ground: &Ground, hex: Hex) -> bool {
        ground.distance(hex, self.start) >= 2
            && directions(self.causes.directions).all(|d| {
                let cause = ground.beyond[self.causes.at.index()][d];
                cause == NOWHERE || ground.distance(hex, cause) >= 2
            })
    }

    /// The hexes already entered, the start among them (7.4.c).
    fn entered(&self, ground: &Ground) -> HexSet {
        let mut set: HexSet = ground.walk(self.start, self.path).collect();
        set.insert(self.start);
        set
    }
}

/// The search for a complete path onward from a hex.
struct Search<'a> {
    at: At<'a>,
    retreat: &'a Retreat,
    costs: &'a [[u8; 6]],
    entered: HexSet,
    plan: Plan,
}

impl Search<'_> {
    /// Whether a retreat may step from one hex to the next at all (7.4), and the class of that hex.
    fn step(&self, from: Hex, direction: usize) -> Option<(Hex, Class)> {
        let next = self.at.battle.ground.beyond[from.index()][direction];
        if next == NOWHERE || self.costs[from.index()][direction] == CLOSED || self.entered.contains(next) {
            return None;
        }
        let class = self.at.class_of(self.retreat.unit, next)?;
        (class != Class::Zone || self.plan.allows_zone()).then_some((next, class))
    }

    /// Whether a path of this plan goes on from `hex`, entered as number `number`, to a legal end.
    fn leads_on(&self, hex: Hex, class: Class, number: u8) -> bool {
        if class == Class::Free {
            if self.retreat.is_far_enough(&self.at.battle.ground, hex) {
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
                    if self.retreat.is_far_enough(&self.at.battle.ground, next) {
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
        self.at.may_leave(self.retreat.unit, hex)
    }

    /// The hexes of the best class from which a path of this plan goes on (7.3).
    fn choices(&self) -> Choices {
        let at = self.at.state.piece(self.retreat.unit).hex;
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
    if At::new(battle, state).retreat_is_over(&retreat) {
        paths.push(way.iter().map(|&h| battle.ground.name(h)).collect::<Vec<_>>().join("-"));
        return;
    }
    let Some((plan, choices)) = At::new(battle, state).retreat_choices(&retreat) else { return };
    for to in choices.hexes {
        let Some(direction) = battle.ground.direction(at, to) else { continue };
        state.agenda.push(Step::Retreat(retreat));
        state.lift(retreat.unit);
        state.put(retreat.unit, to);
        way.push(to);
        let path = Trail::longer(retreat.path, direction);
        let next =
            Retreat { path, steps: retreat.steps + 1, plan: Some(plan), pausing_before: None, ..retreat };
        collect(battle, state, next, way, paths);
        way.pop();
        state.lift(retreat.unit);
        state.put(retreat.unit, at);
        state.agenda.pop();
    }
}
