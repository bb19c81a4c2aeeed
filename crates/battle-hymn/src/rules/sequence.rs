//! Chapter 4: the Hour. Initiative, the cup, Turns, time.

use game::dice::{Die, Test};
use game::log::Kind;
use game::words::{does, side_does, the};
use game::{Effects, Entry, Outcome, RollNote, Side};

use crate::rules::basics::piece_id;
use crate::rules::{approach, combat, movement, reinforcements, victory};
use crate::setup::battle::{Battle, Condition};
use crate::state::{Id, MAX_FORMATIONS, State, Status, Step};

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
    if !movement::is_night(battle, state) {
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
    let night = movement::is_night(battle, state);
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
            entry.pieces = battle.formations[usize::from(f)].units.into_iter().map(piece_id).collect();
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
    state.active = crate::state::NO_FORMATION;
    state.hand = Id::NONE;
    state.agenda.replace(Step::Hour);
}
