//! Chapter 4: the Hour. Initiative, the cup, Turns, time.

use game::dice::{Die, Test};
use game::log::Kind;
use game::words::{does, side_does, the};
use game::{Effects, Entry, Outcome, RollNote, Side};

use crate::action::Action;
use crate::rules::{
    advance, approach, bombardment, cavalry, combat, engagement, morale, movement, night, reinforcements,
    retreat, victory,
};
use crate::setup::battle::{Battle, Condition};
use crate::state::{Id, MAX_FORMATIONS, NO_FORMATION, State, Status, Step};

/// A marker in the cup: a Formation's number, or [`MAX_FORMATIONS`] and the next for the Combat markers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Marker {
    Move(u8),
    Combat(Side),
}

impl Marker {
    #[must_use]
    pub(crate) fn of_bit(bit: u8) -> Marker {
        match usize::from(bit) {
            MAX_FORMATIONS => Marker::Combat(Side::First),
            n if n > MAX_FORMATIONS => Marker::Combat(Side::Second),
            _ => Marker::Move(bit),
        }
    }

    #[must_use]
    pub(crate) fn bit(self) -> u8 {
        match self {
            Marker::Move(formation) => formation,
            Marker::Combat(side) => (MAX_FORMATIONS + side.index()) as u8,
        }
    }

    /// `move wadsworth`, `combat usa`.
    #[must_use]
    pub(crate) fn word(self, battle: &Battle) -> String {
        match self {
            Marker::Move(formation) => format!("move {}", battle.formations[usize::from(formation)].id),
            Marker::Combat(side) => format!("combat {}", battle.armies[side].id),
        }
    }
}

/// The markers of a cup, in the order of the page on dice.
pub(crate) fn markers(cup: u32) -> impl Iterator<Item = Marker> {
    (0..32).filter(move |bit| cup >> bit & 1 != 0).map(Marker::of_bit)
}

/// R3: a Formation's marker is in play while it has a unit on the map, due, or waiting to be placed.
#[must_use]
pub(crate) fn in_play(battle: &Battle, state: &State, formation: u8) -> bool {
    battle.formations[usize::from(formation)].units.into_iter().any(|id| match state.piece(id).status {
        Status::OnMap | Status::Rallied => true,
        Status::Due | Status::Away => reinforcements::is_due(battle, state, id),
        Status::Shattered | Status::Eliminated | Status::Exited => false,
    })
}

/// What the scenario makes the Initiative of the present Hour depend on.
fn condition<'b>(battle: &'b Battle, state: &State) -> Option<&'b Condition> {
    battle.conditions.iter().find(|c| c.hours.contains(&state.hour))
}

/// Who holds the Initiative in the present Hour (3.9.a); nobody at night (R4).
#[must_use]
pub(crate) fn initiative(battle: &Battle, state: &State) -> Option<Side> {
    let hour = &battle.hours[usize::from(state.hour)];
    if hour.night {
        return None;
    }
    match condition(battle, state) {
        Some(condition) => {
            Some(condition.side).filter(|_| condition.units.without(state.on_map()).is_empty())
        }
        None => hour.initiative,
    }
}

/// All markers that belong into the cup of this Hour (4.b, 4.c).
#[must_use]
pub(crate) fn full_cup(battle: &Battle, state: &State) -> u32 {
    let mut cup = 0u32;
    for formation in 0..battle.formations.len() as u8 {
        if in_play(battle, state, formation) {
            cup |= 1 << Marker::Move(formation).bit();
        }
    }
    if !night::is_night(battle, state) {
        for side in Side::BOTH {
            if state.initiative != Some(side) {
                cup |= 1 << Marker::Combat(side).bit();
            }
        }
    }
    cup
}

/// 4.a, 4.b: a new Hour.
pub(crate) fn begin_hour(battle: &Battle, state: &mut State, fx: &mut impl Effects) {
    state.agenda.replace(Step::Draw);
    state.initiative = initiative(battle, state);
    state.held = state.initiative;
    state.draws = 0;
    let night = night::is_night(battle, state);
    fx.tell(|| {
        let hour = &battle.hours[usize::from(state.hour)];
        let rule = condition(battle, state).filter(|_| !night).map_or(cite!("4.a"), |c| c.rule);
        let holder = match (night, state.initiative) {
            (true, _) => "Night falls over the field.".to_owned(),
            (false, Some(side)) => side_does(&battle.armies[side].name, "has the initiative."),
            (false, None) => "Nobody has the initiative.".to_owned(),
        };
        let mut entry = Entry::new(Kind::Time, format!("Hour {}. {holder}", hour.clock % 24)).rule(rule);
        entry.side = state.initiative;
        entry
    });
    if night {
        approach::remove_markers(state);
    }
    state.cup = full_cup(battle, state);
    mishaps(battle, state, fx);
}

/// A scenario's accidents of command: a marker may be left out of the cup, once.
fn mishaps(battle: &Battle, state: &mut State, fx: &mut impl Effects) {
    for (i, mishap) in battle.mishaps.iter().enumerate() {
        let marker = 1 << Marker::Move(mishap.formation).bit();
        if state.mishaps >> i & 1 != 0 || !mishap.hours.contains(&state.hour) || state.cup & marker == 0 {
            continue;
        }
        let falls = fx.passes(Test::at_most(Die::D10, i16::from(mishap.at_most)), || {
            let formation = &battle.formations[usize::from(mishap.formation)].name;
            let idle = format!("yes, {formation} stays out of the cup in this Hour");
            RollNote::new(format!("{}?", mishap.name), mishap.rule)
                .outcomes(["no".to_owned(), idle])
                .side(battle.formations[usize::from(mishap.formation)].side)
        });
        if falls {
            state.mishaps |= 1 << i;
            state.cup &= !marker;
        }
    }
}

/// 4.d: one draw, or what happens when the cup is empty; false if the Initiative side must say whether it waits.
pub(crate) fn draw_step(battle: &Battle, state: &mut State, fx: &mut impl Effects) -> bool {
    match (state.cup, state.held) {
        (0, None) => state.agenda.replace(Step::TimePasses),
        // 3.9.e: what was never declared happens as the last Turn.
        (0, Some(side)) => use_held_marker(battle, state, side, fx),
        (_, Some(_)) => return false,
        (_, None) => draw(battle, state, fx),
    }
    true
}

/// The Initiative side takes its Combat Turn.
pub(crate) fn use_held_marker(battle: &Battle, state: &mut State, side: Side, fx: &mut impl Effects) {
    state.held = None;
    begin_turn_of(battle, state, Marker::Combat(side), fx);
}

/// A marker out of the cup; the last one needs no number.
pub(crate) fn draw(battle: &Battle, state: &mut State, fx: &mut impl Effects) {
    let n = state.cup.count_ones() as usize;
    let drawn = match n {
        1 => 0,
        n => fx.draw(n, || {
            let names = markers(state.cup).map(|marker| match marker {
                Marker::Move(f) => format!("the Movement Turn of {}", battle.formations[usize::from(f)].name),
                Marker::Combat(side) => format!("the Combat Turn of {}", the(&battle.armies[side].name)),
            });
            RollNote::new("A marker is drawn from the cup", cite!("4.d")).outcomes(names)
        }),
    };
    if let Some(marker) = markers(state.cup).nth(drawn) {
        state.cup &= !(1 << marker.bit());
        begin_turn_of(battle, state, marker, fx);
    }
}

fn begin_turn_of(battle: &Battle, state: &mut State, marker: Marker, fx: &mut impl Effects) {
    if usize::from(state.draws) < state.drawn.len() {
        state.drawn[usize::from(state.draws)] = marker.bit();
        state.draws += 1;
    }
    fx.tell(|| {
        let (side, text, rule) = match marker {
            Marker::Move(f) => {
                let formation = &battle.formations[usize::from(f)];
                (formation.side, format!("{}.", does(&formation.name, "moves")), cite!("4.e"))
            }
            Marker::Combat(side) => {
                (side, format!("Combat Turn of {}.", the(&battle.armies[side].name)), cite!("4.f"))
            }
        };
        let mut entry = Entry::new(Kind::Draw, text).side(side).rule(rule);
        if let Marker::Move(f) = marker {
            entry.pieces = battle.formations[usize::from(f)].units.into_iter().map(Id::piece).collect();
        }
        entry
    });
    match marker {
        Marker::Move(formation) => movement::begin_turn(battle, state, formation),
        Marker::Combat(side) => combat::begin_turn(battle, state, side),
    }
}

/// 4.h: the time marker moves, and victory is judged where the track says so.
pub(crate) fn time_passes(battle: &Battle, state: &mut State, fx: &mut impl Effects) {
    victory::bank_awards(battle, state, fx);
    let entering = state.hour + 1;
    if let Some((outcome, rule)) = victory::judge(battle, state, entering) {
        state.outcome = Some(outcome);
        state.agenda.clear();
        fx.tell(|| {
            let score = victory::score(battle, state);
            let text = match outcome {
                Outcome::Won(side) => format!(
                    "{}, {} to {}.",
                    side_does(&battle.armies[side].name, "has won the day"),
                    score[side],
                    score[side.enemy()]
                ),
                Outcome::Drawn => format!("The battle is drawn, {} to {}.", score.first, score.second),
            };
            Entry::new(Kind::Score, text).rule(rule)
        });
        return;
    }
    state.hour = entering;
    state.active = NO_FORMATION;
    state.hand = Id::NONE;
    state.agenda.replace(Step::Hour);
}

/// Who must decide.
pub(crate) fn decider(battle: &Battle, state: &State) -> Side {
    let attacker = combat::attacker(state);
    match state.agenda.top() {
        Some(Step::Draw) => state.held.unwrap_or(Side::First),
        Some(Step::March) => movement::mover(battle, state),
        Some(Step::Place(id)) => battle.side(id),
        Some(Step::CavalryRetreat) => attacker.enemy(),
        Some(Step::Split(fire)) => {
            approach::next_to_split(battle, state, fire).map_or(attacker, |id| battle.side(id))
        }
        Some(Step::Checks(_, side)) => side,
        Some(Step::Retreat(retreat)) => battle.side(retreat.unit),
        _ => attacker,
    }
}

/// Runs the top step by itself; false if somebody must decide.
pub(crate) fn step(battle: &Battle, state: &mut State, fx: &mut impl Effects) -> bool {
    let Some(top) = state.agenda.top() else { return false };
    match top {
        Step::Hour => begin_hour(battle, state, fx),
        Step::Draw => return draw_step(battle, state, fx),
        Step::March => {
            if let Some(only) = movement::forced_return(battle, state) {
                answer(battle, state, &only, fx);
            } else if movement::anything_to_do(battle, state) {
                return false;
            } else {
                movement::end_turn(state);
            }
        }
        Step::Place(unit) => return place_step(battle, state, unit, fx),
        Step::CavalryRetreat => {
            if combat::cavalry_retreats(battle, state).next().is_some() {
                return false;
            }
            combat::end_cavalry_retreats(state);
        }
        Step::Bombard => {
            let open = bombardment::ready(battle, state).next().is_some();
            return asks(state, open);
        }
        Step::Withdraw => {
            let open = combat::withdrawals(battle, state).next().is_some();
            return asks(state, open);
        }
        Step::Approach => approach::begin(battle, state),
        Step::Engage => return engagement::engage_step(battle, state, fx),
        Step::Options => return engagement::options_step(battle, state),
        Step::Aim => engagement::aim(battle, state),
        Step::Split(fire) => return approach::split_step(battle, state, fire, fx),
        Step::Fire(fire, firer, at) => approach::fire_step(battle, state, fire, (firer, at), fx),
        Step::Checks(fire, side) => return approach::checks_step(battle, state, fire, side, fx),
        Step::Advance => {
            let open = advance::open(battle, state).next().is_some();
            return asks(state, open);
        }
        Step::NextRound => engagement::next_round(battle, state),
        Step::FallBack | Step::Sweep => return fall_back_step(battle, state, fx),
        Step::Retreat(retreat) => return retreat::step(battle, state, retreat, fx),
        Step::TimePasses => time_passes(battle, state, fx),
    }
    true
}

/// A step with an option in it waits; without one it is over.
fn asks(state: &mut State, open: bool) -> bool {
    if !open {
        state.agenda.pop();
    }
    !open
}

fn place_step(battle: &Battle, state: &mut State, unit: Id, fx: &mut impl Effects) -> bool {
    let hexes = morale::placements(battle, state, unit);
    if hexes.len() > 1 {
        return false;
    }
    state.agenda.pop();
    if let Some(hex) = hexes.first() {
        morale::place_unit(battle, state, unit, hex, fx);
    }
    true
}

fn fall_back_step(battle: &Battle, state: &mut State, fx: &mut impl Effects) -> bool {
    let (must, may) = (combat::must_fall_back(battle, state), combat::may_fall_back(battle, state));
    if let (1, true, Some(unit)) = (must.len(), may.is_empty(), must.first()) {
        combat::fall_back(battle, state, unit, fx);
        return true;
    }
    if !must.is_empty() || !may.is_empty() {
        return false;
    }
    end_of_fall_back(state);
    true
}

fn end_of_fall_back(state: &mut State) {
    match state.agenda.top() {
        Some(Step::Sweep) => combat::end_turn(state),
        _ => engagement::end(state),
    }
}

pub(crate) fn answer(battle: &Battle, state: &mut State, action: &Action, fx: &mut impl Effects) {
    match *action {
        Action::Combat => {
            if let Some(side) = state.held {
                use_held_marker(battle, state, side, fx);
            }
        }
        Action::Wait => draw(battle, state, fx),
        Action::March { unit, to, path } => movement::march(battle, state, unit, to, path, fx),
        Action::Mount { unit } => cavalry::mount(battle, state, unit, fx),
        Action::Dismount { unit, horses } => cavalry::dismount(battle, state, unit, horses, fx),
        Action::Enter { unit, at } => reinforcements::enter(battle, state, unit, at, fx),
        Action::Exit { unit, by } => movement::exit(battle, state, unit, by, fx),
        Action::Rally { unit } => morale::rally(battle, state, unit, fx),
        Action::Place { unit, at } => {
            if state.agenda.top() == Some(Step::Place(unit)) {
                state.agenda.pop();
            } else {
                movement::take_in_hand(battle, state, unit);
                movement::end_move(state);
            }
            morale::place_unit(battle, state, unit, at, fx);
        }
        Action::Done => {
            movement::end_move(state);
            movement::end_turn(state);
        }
        Action::Withdraw { unit } if state.agenda.top() == Some(Step::CavalryRetreat) => {
            combat::cavalry_retreat(battle, state, unit, fx);
        }
        Action::Withdraw { unit } => combat::withdraw(battle, state, unit),
        Action::Bombard { unit, at } => bombardment::bombard(battle, state, unit, at, fx),
        Action::Split { unit, targets, shares } => {
            if let Some(Step::Split(fire)) = state.agenda.top() {
                approach::split(battle, state, fire, unit, &targets, &shares);
            }
        }
        Action::Engage { unit } => engagement::engage(battle, state, unit, fx),
        Action::Attack { unit, at } if state.agenda.top() == Some(Step::Engage) => {
            engagement::open_by_attack(battle, state, unit, at, fx);
        }
        Action::Attack { unit, at } => engagement::attack(battle, state, unit, at),
        Action::Check { unit } => {
            if let Some(Step::Checks(fire, _)) = state.agenda.top() {
                morale::check_after_fire(battle, state, unit, fire, fx);
            }
        }
        Action::Retreat { to, .. } => retreat::go(battle, state, to, fx),
        Action::RetreatOff { .. } => retreat::leave(battle, state, fx),
        Action::Advance { unit, to } => advance::advance(battle, state, unit, to, fx),
        Action::AdvanceInto { to } => advance::advance_at_random(battle, state, to, fx),
        Action::FallBack { unit } => combat::fall_back(battle, state, unit, fx),
        Action::Pass => pass(state),
    }
}

/// Declines or ends what the top step asks about.
fn pass(state: &mut State) {
    match state.agenda.top() {
        Some(Step::CavalryRetreat) => combat::end_cavalry_retreats(state),
        Some(Step::Options) => state.agenda.replace(Step::Aim),
        Some(Step::FallBack | Step::Sweep) => end_of_fall_back(state),
        _ => {
            state.agenda.pop();
        }
    }
}
