//! 6. Initiative.

use game::words::{counted, number, side_does};
use game::{Die, Effects, Entry, Kind, Modifier, RollNote, Side};

use crate::action::Action;
use crate::legal::{Bar, Lawful};
use crate::rules::army_morale;
use crate::rules::sequence::Step;
use crate::setup::battle::Battle;
use crate::state::{Phase, State};

/// Begins a turn: who goes first is given, or the holder of the initiative declares his momentum first (6.3.a).
pub(crate) fn begin(battle: &Battle, state: &mut State, fx: &mut impl Effects) {
    state.phase = Phase::Initiative;
    state.spent = Default::default();
    let turn = state.turn;
    fx.tell(|| {
        let label = battle.labels.get(usize::from(turn) - 1).map_or(String::new(), |l| format!(", {l}"));
        Entry::new(Kind::Time, format!("Turn {turn}{label}.")).rule(cite!("5.a"))
    });
    if turn == 1
        && let Some(first) = battle.first_turn
    {
        take(battle, state, first, fx);
        return;
    }
    let holder = state.previous;
    state.agenda.push(Step::Initiative);
    state.agenda.push(Step::Declare(!holder));
    state.agenda.push(Step::Declare(holder));
}

/// The side has the first player turn.
fn take(battle: &Battle, state: &mut State, side: Side, fx: &mut impl Effects) {
    state.first = side;
    state.previous = side;
    fx.tell(|| {
        Entry::new(Kind::Time, side_does(&battle.armies[side].name, "takes the first player turn."))
            .side(side)
            .rule(cite!("6.1.a"))
    });
    state.agenda.push(Step::EndOfTurn);
    state.agenda.push(Step::PlayerTurn(!side));
    state.agenda.push(Step::PlayerTurn(side));
}

pub(crate) fn offers(battle: &Battle, state: &State, side: Side, out: &mut Vec<Action>) {
    out.extend((0..=state.chits[side]).map(Action::Spend));
    if state.chits[side] >= battle.charts.chits[2] {
        out.extend(Side::BOTH.map(Action::Dictate));
    }
}

pub(crate) fn check(battle: &Battle, state: &State, side: Side, action: &Action) -> Lawful {
    match *action {
        Action::Spend(chits) if chits <= state.chits[side] => Ok(()),
        Action::Spend(chits) => {
            Err(Bar::short(cite!("12.62.b"), "not enough momentum chits", chits, state.chits[side]))
        }
        Action::Dictate(_) if state.chits[side] >= battle.charts.chits[2] => Ok(()),
        Action::Dictate(_) => Err(Bar::short(
            cite!("12.62.c"),
            "not enough momentum chits to dictate the order",
            battle.charts.chits[2],
            state.chits[side],
        )),
        _ => Err(Bar::other("momentum for the initiative is declared first")),
    }
}

pub(crate) fn spend(battle: &Battle, state: &mut State, side: Side, chits: u8, fx: &mut impl Effects) {
    state.agenda.pop();
    state.chits[side] -= chits;
    state.spent[side] = chits;
    fx.tell(|| {
        Entry::new(
            Kind::Draw,
            match chits {
                0 => side_does(&battle.armies[side].name, "spends no momentum on the initiative."),
                n => {
                    let chits = counted(n, "momentum chit");
                    format!("{} {chits} on the initiative.", side_does(&battle.armies[side].name, "spends"))
                }
            },
        )
        .side(side)
        .rule(cite!("12.62.b"))
    });
}

pub(crate) fn dictate(battle: &Battle, state: &mut State, side: Side, first: Side, fx: &mut impl Effects) {
    while matches!(state.agenda.top(), Some(Step::Declare(_) | Step::Initiative)) {
        state.agenda.pop();
    }
    state.chits[side] -= battle.charts.chits[2];
    fx.tell(|| {
        Entry::new(
            Kind::Draw,
            side_does(&battle.armies[side].name, "spends three chits to dictate the order."),
        )
        .side(side)
        .rule(cite!("12.62.c"))
    });
    take(battle, state, first, fx);
}

/// Both roll; equal totals are rolled again with the same modifiers (6.1.a, 6.2.a).
pub(crate) fn roll(battle: &Battle, state: &mut State, fx: &mut impl Effects) {
    let mut totals = [0; 2];
    for (total, side) in totals.iter_mut().zip(Side::BOTH) {
        let level = army_morale::level(battle, state, side);
        let drm = army_morale::initiative_drm(battle, state, side);
        let bought = (state.spent[side] * battle.charts.chits[1]) as i8;
        let face = fx.die(Die::Z10, || {
            let mut modifiers = Vec::new();
            if drm != 0 {
                modifiers.push(Modifier::new(drm.into(), level.name(), level.rule()));
            }
            if bought != 0 {
                modifiers.push(Modifier::new(bought.into(), "momentum", cite!("12.62.b")));
            }
            RollNote::new(side_does(&battle.armies[side].name, "rolls for the initiative"), cite!("6.1.a"))
                .outcomes((0..=9).map(|face: i8| number(face + drm + bought)))
                .side(side)
                .modifiers(modifiers)
        });
        *total = face as i8 + drm + bought;
    }
    if totals[0] == totals[1] {
        fx.tell(|| Entry::new(Kind::Note, "A tie; both roll again.").rule(cite!("6.2.a")));
        return;
    }
    state.agenda.pop();
    take(battle, state, if totals[0] > totals[1] { Side::First } else { Side::Second }, fx);
}
