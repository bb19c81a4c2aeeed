//! Which orders are refused, and under which rule. Shares its predicates with the offers.

use game::words::does;
use game::{Refusal, Rule, Side};
use hexmap::{Hex, HexSet};

use crate::action::Action;
use crate::rules::basics;
use crate::rules::movement::{self, Explorer, bounds, column_now, is_night, may_march, points_left};
use crate::rules::reach::{Bounds, MOST_POINTS};
use crate::rules::zones::{Field, arm_now};
use crate::rules::{
    advance, approach, bombardment, cavalry, combat, engagement, morale, reinforcements, retreat,
};
use crate::setup::battle::{Arm, Battle};
use crate::setup::ground::{CLOSED, Feature};
use crate::state::{Id, NOWHERE, State, Status, Step};

/// Decides any order.
///
/// # Errors
/// The refusal names the rule.
pub(crate) fn check(battle: &Battle, state: &State, action: &Action) -> Result<(), Refusal> {
    if state.outcome.is_some() {
        return Err(Refusal::off_turn("The battle is over."));
    }
    let Some(step) = state.agenda.top() else { return Err(Refusal::off_turn("Nothing is to be decided.")) };
    match (step, *action) {
        (Step::Draw, Action::Combat | Action::Wait) => Ok(()),
        (_, Action::Combat) => {
            let why = "The Initiative side announces it before a marker is drawn, while it holds its own.";
            Err(Refusal::new("Not a Combat Turn now.", why, cite!("3.9.d")))
        }
        (Step::March, Action::Done) if movement::must_march_on(state) => Err(Refusal::new(
            "The Turn cannot end here.",
            "A unit stands in a friend's hex and must march on.",
            cite!("3.7.c"),
        )),
        (Step::March, Action::Done) => match movement::strayed(battle, state) {
            Some(unit) => Err(must_return("The Movement Turn is not over.".into(), battle, unit)),
            None => Ok(()),
        },
        (
            _,
            Action::March { unit, .. }
            | Action::Mount { unit }
            | Action::Dismount { unit, .. }
            | Action::Enter { unit, .. }
            | Action::Exit { unit, .. }
            | Action::Rally { unit },
        ) => {
            check_turn(battle, state, step, unit)?;
            check_movement(battle, state, action)
        }
        (Step::Place(waiting), Action::Place { unit, at }) if waiting == unit => {
            check_place(battle, state, unit, at)
        }
        (_, Action::Place { unit, at }) => {
            check_turn(battle, state, step, unit)?;
            check_unmoved(battle, state, unit)?;
            check_place(battle, state, unit, at)
        }
        (Step::CavalryRetreat, Action::Withdraw { unit }) => {
            check_side(battle, unit, combat::attacker(state).enemy(), cite!("6.c"))?;
            combat::check_cavalry_retreat(battle, state, unit)
                .map_err(|b| b.refusal(format!("{} may not withdraw before combat.", battle.name(unit))))
        }
        (Step::Withdraw, Action::Withdraw { unit }) => {
            check_side(battle, unit, combat::attacker(state), cite!("6.c"))?;
            combat::check_withdrawal(battle, state, unit)
                .map_err(|b| b.refusal(format!("{} may not withdraw before combat.", battle.name(unit))))
        }
        (Step::Bombard, Action::Bombard { unit, at }) => {
            check_side(battle, unit, combat::attacker(state), cite!("6.c"))?;
            let what = || format!("{} may not bombard {}.", battle.name(unit), battle.name(at));
            bombardment::check(battle, state, unit, at).map_err(|b| b.refusal(what()))
        }
        (Step::Split(fire), Action::Split { unit, targets, shares }) => {
            approach::check_split(battle, state, fire, unit, &targets, &shares)
        }
        (Step::Engage, Action::Engage { unit }) => engagement::check_engage(battle, state, unit),
        (Step::Engage | Step::Options, Action::Attack { unit, at }) => {
            engagement::check_attack(battle, state, unit, at)
        }
        (Step::Engage, Action::Pass) => engagement::check_pass(battle, state),
        (Step::FallBack | Step::Sweep, Action::FallBack { unit }) => {
            combat::check_fall_back(battle, state, unit)
        }
        (Step::FallBack | Step::Sweep, Action::Pass) if !combat::must_fall_back(battle, state).is_empty() => {
            let why = "Attackers in a defender's zone of control that have not advanced must fall back.";
            let rule = if step == Step::Sweep { cite!("6.1.d") } else { cite!("6.1.8.b") };
            Err(Refusal::new("A unit must still fall back.", why, rule))
        }
        (Step::Checks(_, side), Action::Check { unit }) => approach::check_order(battle, state, side, unit),
        (Step::Retreat(_), Action::Retreat { unit, to }) => retreat::check(battle, state, unit, Some(to)),
        (Step::Retreat(_), Action::RetreatOff { unit }) => retreat::check(battle, state, unit, None),
        (Step::Advance, Action::Advance { unit, to }) => {
            check_side(battle, unit, combat::attacker(state), cite!("6.c"))?;
            let what = || format!("{} may not advance to {}.", battle.name(unit), battle.ground.name(to));
            advance::check(battle, state, unit, to).map_err(|b| b.refusal(what()))?;
            match advance::left_to_chance(battle, state, to) {
                true => Err(Refusal::new(
                    "Chance picks the unit.",
                    "Several could advance there, and At Random is on.",
                    cite!("3.1.f"),
                )),
                false => Ok(()),
            }
        }
        (Step::Advance, Action::AdvanceInto { to }) => advance::check_into(battle, state, to),
        (
            Step::CavalryRetreat
            | Step::Bombard
            | Step::Withdraw
            | Step::Options
            | Step::Advance
            | Step::FallBack
            | Step::Sweep,
            Action::Pass,
        ) => Ok(()),
        _ => Err(Refusal::off_turn("Another decision is at hand.")),
    }
}

fn check_place(battle: &Battle, state: &State, unit: Id, at: Hex) -> Result<(), Refusal> {
    let what = || format!("{} may not be placed in {}.", battle.name(unit), battle.ground.name(at));
    morale::check_place(battle, state, unit, at).map_err(|b| b.refusal(what()))
}

fn check_side(battle: &Battle, unit: Id, side: Side, rule: Rule) -> Result<(), Refusal> {
    if battle.side(unit) == side {
        return Ok(());
    }
    let what = format!("Not with {}.", battle.name(unit));
    Err(Refusal::new(what, format!("Only the {} may do this now.", battle.armies[side].name), rule))
}

/// 5.a: only in the Movement Turn of its own Formation.
fn check_turn(battle: &Battle, state: &State, step: Step, unit: Id) -> Result<(), Refusal> {
    if matches!(step, Step::March) && battle.unit(unit).formation == state.active {
        return Ok(());
    }
    let what = does(battle.name(unit), "does not move now.");
    let formation = &battle.formations[usize::from(battle.unit(unit).formation)].name;
    Err(Refusal::new(what, format!("It moves in the Movement Turn of {formation}."), cite!("5.a")))
}

/// 5.2.a and its relatives: the unit's move must not be over.
fn check_unmoved(battle: &Battle, state: &State, unit: Id) -> Result<(), Refusal> {
    if !state.moved.contains(unit) {
        return Ok(());
    }
    let what = format!("The move of {} is over.", battle.name(unit));
    if state.rallied.contains(unit) {
        return Err(Refusal::new(what, "A rally is the whole move.", cite!("10.5.b")));
    }
    if state.stopped_entering.contains(unit) {
        return Err(Refusal::new(
            what,
            "It entered the map into an enemy zone of control and stopped.",
            cite!("12.3.a"),
        ));
    }
    if state.stopped.contains(unit) {
        return Err(Refusal::new(what, "It stopped in an enemy zone of control.", cite!("5.3.a")));
    }
    Err(Refusal::new(what, "A unit moves once in its Movement Turn, before the next.", cite!("5.2.a")))
}

fn check_movement(battle: &Battle, state: &State, action: &Action) -> Result<(), Refusal> {
    match *action {
        Action::March { unit, to, path } => {
            check_unmoved(battle, state, unit)?;
            check_march(battle, state, unit, to, path)
        }
        Action::Mount { unit } => {
            check_seat(battle, state, unit)?;
            cavalry::check_mount(battle, state, unit)
                .map_err(|b| b.refusal(format!("{} may not mount.", battle.name(unit))))
        }
        Action::Dismount { unit, horses } => {
            check_seat(battle, state, unit)?;
            let what = || {
                format!(
                    "{} may not dismount with its horses in {}.",
                    battle.name(unit),
                    battle.ground.name(horses)
                )
            };
            cavalry::check_dismount_with(battle, state, unit, horses).map_err(|b| b.refusal(what()))
        }
        Action::Enter { unit, at } => {
            check_unmoved(battle, state, unit)?;
            check_hand(battle, state, unit)?;
            let place = if at == NOWHERE {
                "beside its Area".to_owned()
            } else {
                format!("at {}", battle.ground.name(at))
            };
            let what = || format!("{} may not enter {place}.", battle.name(unit));
            reinforcements::check_enter(battle, state, unit, at).map_err(|b| b.refusal(what()))
        }
        Action::Exit { unit, by } => {
            check_unmoved(battle, state, unit)?;
            check_exit(battle, state, unit, by)
        }
        Action::Rally { unit } => {
            check_unmoved(battle, state, unit)?;
            check_hand(battle, state, unit)?;
            if state.hand == unit {
                let what = format!("{} may not rally.", battle.name(unit));
                return Err(Refusal::new(
                    what,
                    "It has already moved; a rally is the whole move.",
                    cite!("10.5.b"),
                ));
            }
            if movement::must_return(battle, state, unit) {
                return Err(must_return(format!("{} may not rally.", battle.name(unit)), battle, unit));
            }
            morale::check_rally(battle, state, unit)
                .map_err(|b| b.refusal(format!("{} may not rally.", battle.name(unit))))
        }
        _ => Ok(()),
    }
}

/// 11.3.k: beyond its leash a unit comes nearer to its horses before anything else.
fn must_return(what: String, battle: &Battle, unit: Id) -> Refusal {
    let why = does(battle.name(unit), "is more than 9 MP from the horses and must come nearer to them.");
    Refusal::new(what, why, cite!("11.3.k"))
}

fn check_seat(battle: &Battle, state: &State, unit: Id) -> Result<(), Refusal> {
    check_unmoved(battle, state, unit)?;
    check_hand(battle, state, unit)?;
    check_on_map(battle, state, unit)?;
    check_held(battle, state, unit)
}

/// 3.7.c: a unit in a friend's hex must march on before another acts.
fn check_hand(battle: &Battle, state: &State, unit: Id) -> Result<(), Refusal> {
    if movement::must_march_on(state) {
        let what = format!("{} cannot act yet.", battle.name(unit));
        let why = format!("{} stands in a friend's hex and must march on.", battle.name(state.hand));
        return Err(Refusal::new(what, why, cite!("3.7.c")));
    }
    Ok(())
}

fn check_on_map(battle: &Battle, state: &State, unit: Id) -> Result<(), Refusal> {
    match state.piece(unit).status {
        Status::OnMap => Ok(()),
        Status::Due | Status::Away => Err(Refusal::new(
            format!("{} is not on the map.", battle.name(unit)),
            "It must enter first.",
            cite!("12.a"),
        )),
        _ => Err(Refusal::new(
            format!("{} is not on the map.", battle.name(unit)),
            "It has left the field.",
            cite!("5.a"),
        )),
    }
}

fn check_held(battle: &Battle, state: &State, unit: Id) -> Result<(), Refusal> {
    let Some(held) = battle.unit(unit).held.filter(|_| movement::held_back(battle, state, unit)) else {
        return Ok(());
    };
    let hour = battle.hours.get(usize::from(held.until)).map_or(0, |h| h.clock % 24);
    let near = match held.unless_within {
        0 => String::new(),
        hexes => format!(", or when an enemy comes within {hexes} hexes"),
    };
    let what = format!("{} is held back.", battle.name(unit));
    Err(Refusal::new(what, format!("The scenario releases it in Hour {hour}{near}."), held.rule))
}

/// `march`.
fn check_march(battle: &Battle, state: &State, unit: Id, to: Hex, path: u64) -> Result<(), Refusal> {
    if state.hand != unit {
        check_hand(battle, state, unit)?;
    }
    check_on_map(battle, state, unit)?;
    check_held(battle, state, unit)?;
    let what = format!("{} may not march to {}.", battle.name(unit), battle.ground.name(to));
    if !may_march(battle, state, unit) {
        return Err(Refusal::new(what, "A march is the whole move of a unit.", cite!("5.2.a")));
    }
    let field = Field::seen_by(battle, state, battle.side(unit));
    let bounds = bounds(battle, state, &field, unit);
    if path == 0 || to != state.piece(unit).hex {
        check_end(battle, state, &field, unit, to)?;
    }
    match path {
        0 => check_reach(battle, state, &field, &bounds, unit, to)?,
        _ => check_way(battle, state, &field, &bounds, unit, path)?,
    }
    check_leash(battle, state, &field, unit, to)
}

/// Where a march may end: 3.7.
fn check_end(battle: &Battle, state: &State, field: &Field, unit: Id, to: Hex) -> Result<(), Refusal> {
    let what = format!("{} may not march to {}.", battle.name(unit), battle.ground.name(to));
    if !battle.ground.on_map.contains(to) {
        return Err(Refusal::new(what, "It is not on the map.", cite!("5.5.a")));
    }
    if field.enemies.contains(to) {
        return Err(Refusal::new(what, "An enemy stands there.", cite!("3.7.a")));
    }
    if to == state.piece(unit).hex {
        return Err(Refusal::new(what, "It is there already.", cite!("5.1.a")));
    }
    if field.friends.contains(to) {
        return Err(Refusal::new(what, "A friend stands there; it may pass, but not stop.", cite!("3.7.c")));
    }
    Ok(())
}

fn check_leash(battle: &Battle, state: &State, field: &Field, unit: Id, to: Hex) -> Result<(), Refusal> {
    let Some(leash) = cavalry::Leash::of(battle, state, field, unit).filter(|l| !l.allows(to)) else {
        return Ok(());
    };
    let what = format!("{} may not march to {}.", battle.name(unit), battle.ground.name(to));
    if leash.is_overstretched() {
        return Err(Refusal::new(
            what,
            "It is more than 9 MP from its horses and must come nearer to them.",
            cite!("11.3.k"),
        ));
    }
    Err(Refusal::new(what, "It would be more than 9 infantry MP from its horses.", cite!("11.3.j")))
}

/// A hex in a zone that is closed to the unit, and why: 13.c, 5.3.e, 5.3.f, 5.3.c, the first that applies.
fn zone_refusal(
    battle: &Battle,
    state: &State,
    field: &Field,
    unit: Id,
    hex: Hex,
) -> Option<(&'static str, Rule)> {
    if !field.zone.contains(hex) {
        return None;
    }
    if is_night(battle, state) {
        return Some(("At night no unit enters an enemy zone of control.", cite!("13.c")));
    }
    match arm_now(battle, state, unit) {
        Arm::Artillery => {
            return Some(("Artillery does not enter an enemy zone of control.", cite!("5.3.e")));
        }
        Arm::Cavalry | Arm::HorseArtillery if field.foot_zone.contains(hex) => {
            let why =
                "Cavalry and horse artillery do not enter the zone of control of infantry or artillery.";
            return Some((why, cite!("5.3.f")));
        }
        _ => {}
    }
    let why = "A unit that began in an enemy zone of control may not enter another this Turn.";
    state.began_in_zone.contains(unit).then_some((why, cite!("5.3.c")))
}

/// Why no march within the allowance leads there.
fn check_reach(
    battle: &Battle,
    state: &State,
    field: &Field,
    bounds: &Bounds,
    unit: Id,
    to: Hex,
) -> Result<(), Refusal> {
    let start = state.piece(unit).hex;
    let budget = points_left(battle, state, unit);
    let costs = &battle.ground.costs[column_now(battle, state, unit) as usize];
    let mut reach = Explorer::new();
    let mut reaches = |budget: u8, bounds: &Bounds| {
        reach.explore(&battle.ground, costs, start, budget, bounds, |_, _| {});
        reach.cost(to, start, bounds).is_some()
    };
    if reaches(budget, bounds) {
        return Ok(());
    }
    let what = format!("{} may not march to {}.", battle.name(unit), battle.ground.name(to));
    if let Some((why, rule)) = zone_refusal(battle, state, field, unit, to) {
        return Err(Refusal::new(what, why, rule));
    }
    let without_zones = Bounds { closed: field.enemies, stops: HexSet::EMPTY };
    if reaches(budget, &without_zones) {
        let (why, rule) = zone_on_the_way(battle, state, field, unit, to, budget);
        return Err(Refusal::new(what, why, rule));
    }
    if let Some((why, rule)) = closed_step(battle, state, unit, to) {
        return Err(Refusal::new(what, why, rule));
    }
    Err(Refusal::new(what, too_dear(needed(battle, state, field, unit, to), budget), cite!("5.2.c")))
}

/// What the cheapest march there would cost, if any allowance a unit may have pays for it.
fn needed(battle: &Battle, state: &State, field: &Field, unit: Id, to: Hex) -> Option<u8> {
    let free = Bounds { closed: field.enemies, stops: HexSet::EMPTY };
    let start = state.piece(unit).hex;
    let costs = &battle.ground.costs[column_now(battle, state, unit) as usize];
    let mut reach = Explorer::new();
    reach.explore(&battle.ground, costs, start, MOST_POINTS as u8, &free, |_, _| {});
    reach.cost(to, start, &free)
}

/// "Not enough movement points (needs 5, has 3)."
fn too_dear(needs: Option<u8>, has: u8) -> String {
    match needs {
        Some(needs) => format!("Not enough movement points (needs {needs}, has {has})."),
        None => format!("Not enough movement points (has {has})."),
    }
}

/// The zone that bars the shortest way: entering it stops the unit, or it may not enter it at all.
fn zone_on_the_way(
    battle: &Battle,
    state: &State,
    field: &Field,
    unit: Id,
    to: Hex,
    budget: u8,
) -> (String, Rule) {
    let free = Bounds { closed: field.enemies, stops: HexSet::EMPTY };
    let start = state.piece(unit).hex;
    let costs = &battle.ground.costs[column_now(battle, state, unit) as usize];
    let mut reach = Explorer::new();
    reach.explore(&battle.ground, costs, start, budget, &free, |_, _| {});
    let path = reach.path(&battle.ground, costs, start, to, &free).unwrap_or_default();
    let stops = ("To enter an enemy zone of control ends the march.", cite!("5.3.a"));
    let Some(&hex) = path.iter().find(|h| field.zone.contains(**h)) else { return (stops.0.into(), stops.1) };
    let (why, rule) = zone_refusal(battle, state, field, unit, hex).unwrap_or(stops);
    (format!("The shortest way leads through {}. {why}", battle.ground.name(hex)), rule)
}

/// Terrain that closes the step to a neighbour, or every way farther off however many MPs there were.
fn closed_step(battle: &Battle, state: &State, unit: Id, to: Hex) -> Option<(&'static str, Rule)> {
    let start = state.piece(unit).hex;
    let costs = &battle.ground.costs[column_now(battle, state, unit) as usize];
    if let Some(direction) = battle.ground.direction(start, to) {
        return (costs[start.index()][direction] == CLOSED)
            .then(|| terrain_refusal(battle, state, unit, start, direction));
    }
    let open = Bounds { closed: HexSet::EMPTY, stops: HexSet::EMPTY };
    let far = MOST_POINTS as u8;
    let mut reach = Explorer::new();
    reach.explore(&battle.ground, costs, start, far, &open, |_, _| {});
    if reach.cost(to, start, &open).is_some() {
        return None;
    }
    // As if closed ground were open: the first closed step on that way is what bars it.
    let opened: Vec<[u8; 6]> = (0..costs.len())
        .map(|hex| {
            std::array::from_fn(|d| match battle.ground.beyond[hex][d] {
                NOWHERE => CLOSED,
                _ => {
                    if costs[hex][d] == CLOSED {
                        2
                    } else {
                        costs[hex][d]
                    }
                }
            })
        })
        .collect();
    reach.explore(&battle.ground, &opened, start, far, &open, |_, _| {});
    let path = reach.path(&battle.ground, &opened, start, to, &open)?;
    let mut at = start;
    for next in path {
        let direction = battle.ground.direction(at, next)?;
        if costs[at.index()][direction] == CLOSED {
            return Some(terrain_refusal(battle, state, unit, at, direction));
        }
        at = next;
    }
    None
}

/// 5.4.1.b, 5.4.4.e, 5.2.e: what closes a step.
fn terrain_refusal(
    battle: &Battle,
    state: &State,
    unit: Id,
    from: Hex,
    direction: usize,
) -> (&'static str, Rule) {
    let to = battle.ground.beyond[from.index()][direction];
    let column = column_now(battle, state, unit) as usize;
    let row = &battle.charts.hexes[usize::from(battle.ground.terrain[to.index()])];
    if row.cost[column].is_none() {
        return match row.name.as_str() {
            "marsh" => ("Marsh is closed to it except by road, minor road or railroad.", cite!("5.4.1.b")),
            _ => ("The ground there is closed to it.", cite!("5.2.e")),
        };
    }
    let features = battle.ground.side_features(from, direction);
    if features.has(Feature::Escarpment)
        && battle.charts.sides[Feature::Escarpment as usize].cost[column].is_none()
    {
        return ("It crosses an escarpment only by road, minor road or railroad.", cite!("5.4.4.e"));
    }
    ("The hexside is closed to it.", cite!("5.2.e"))
}

/// A way that is named hex by hex.
fn check_way(
    battle: &Battle,
    state: &State,
    field: &Field,
    bounds: &Bounds,
    unit: Id,
    path: u64,
) -> Result<(), Refusal> {
    let costs = &battle.ground.costs[column_now(battle, state, unit) as usize];
    let mut at = state.piece(unit).hex;
    let mut left = points_left(battle, state, unit);
    let way: Vec<Hex> = basics::walk(battle, at, path).collect();
    for (i, &next) in way.iter().enumerate() {
        let what = format!("{} may not march over {}.", battle.name(unit), battle.ground.name(next));
        let Some(direction) = battle.ground.direction(at, next) else { break };
        if field.enemies.contains(next) {
            return Err(Refusal::new(what, "An enemy stands there.", cite!("3.7.a")));
        }
        if costs[at.index()][direction] == CLOSED {
            let (why, rule) = terrain_refusal(battle, state, unit, at, direction);
            return Err(Refusal::new(what, why, rule));
        }
        if bounds.closed.contains(next)
            && let Some((why, rule)) = zone_refusal(battle, state, field, unit, next)
        {
            return Err(Refusal::new(what, why, rule));
        }
        if costs[at.index()][direction] > left {
            let needs = costs[at.index()][direction];
            return Err(Refusal::new(what, too_dear(Some(needs), left), cite!("5.2.c")));
        }
        left -= costs[at.index()][direction];
        if bounds.stops.contains(next) && i + 1 < way.len() {
            return Err(Refusal::new(
                what,
                "Entering an enemy zone of control ends the march.",
                cite!("5.3.a"),
            ));
        }
        at = next;
    }
    Ok(())
}

/// `exit`.
fn check_exit(battle: &Battle, state: &State, unit: Id, by: Hex) -> Result<(), Refusal> {
    if state.hand != unit {
        check_hand(battle, state, unit)?;
    }
    check_on_map(battle, state, unit)?;
    check_held(battle, state, unit)?;
    let what = format!("{} may not leave the map at {}.", battle.name(unit), battle.ground.name(by));
    if movement::way_out(battle, state, unit, by).is_none() {
        return Err(Refusal::new(what, "The scenario leaves no way out there.", cite!("5.5.a")));
    }
    let mut offers = Vec::new();
    movement::offers(battle, state, &mut offers);
    if offers.contains(&Action::Exit { unit, by }) {
        return Ok(());
    }
    let field = Field::seen_by(battle, state, battle.side(unit));
    check_leash(battle, state, &field, unit, by)?;
    if by != state.piece(unit).hex {
        if field.zone.contains(by) {
            return Err(Refusal::new(
                what,
                "Entering an enemy zone of control ends the march.",
                cite!("5.3.a"),
            ));
        }
        let bounds = bounds(battle, state, &field, unit);
        if !field.friends.contains(by) {
            check_reach(battle, state, &field, &bounds, unit, by)?;
        }
    }
    Err(Refusal::new(what, too_dear(None, points_left(battle, state, unit)), cite!("5.2.c")))
}
