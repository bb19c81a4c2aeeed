//! 5.2 and 5.3: what bars a march, and the refusal that says so.

use game::words::does;
use game::{Refusal, Rule};
use hexmap::{Hex, HexSet};

use crate::action::Action;
use crate::rules::movement::{Explorer, bounds, column_now, may_march, points_left};
use crate::rules::night::is_night;
use crate::rules::reach::{Bounds, MOST_POINTS};
use crate::rules::zones::{Field, arm_now};
use crate::rules::{cavalry, morale, movement, reinforcements};
use crate::setup::battle::Battle;
use crate::setup::ground::{CLOSED, Feature};
use crate::setup::pieces::Arm;
use crate::state::{Id, NOWHERE, State, Status, Step};

/// 5.a: only in the Movement Turn of its own Formation.
pub(crate) fn check_turn(battle: &Battle, state: &State, step: Step, unit: Id) -> Result<(), Refusal> {
    if matches!(step, Step::March) && battle.unit(unit).formation == state.active {
        return Ok(());
    }
    let what = does(battle.name(unit), "does not move now.");
    let formation = &battle.formations[usize::from(battle.unit(unit).formation)].name;
    Err(Refusal::new(what, format!("It moves in the Movement Turn of {formation}."), cite!("5.a")))
}

/// 5.2.a and its relatives: the unit's move must not be over.
pub(crate) fn check_unmoved(battle: &Battle, state: &State, unit: Id) -> Result<(), Refusal> {
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

pub(crate) fn check_movement(battle: &Battle, state: &State, action: &Action) -> Result<(), Refusal> {
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
pub(crate) fn must_return(what: String, battle: &Battle, unit: Id) -> Refusal {
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
    let way: Vec<Hex> = battle.ground.walk(at, path).collect();
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
