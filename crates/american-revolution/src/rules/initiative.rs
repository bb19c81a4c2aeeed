//! 6. Initiative.

use game::words::{counted, number, side_does};
use game::{Allowed, Die, Effects, Entry, Kind, Modifier, No, RollNote, Side};

use crate::action::Action;
use crate::at::{At, Run};
use crate::rules::sequence::Step;
use crate::state::Phase;

impl<F: Effects> Run<'_, F> {
    /// Begins a turn: who goes first is given, or the holder of the initiative declares his momentum first (6.3.a).
    pub(crate) fn begin_turn(&mut self) {
        self.state.agenda.pop();
        self.state.phase = Phase::Initiative;
        self.state.spent = Default::default();
        let turn = self.state.turn;
        self.fx.tell(|| {
            let label =
                self.battle.labels.get(usize::from(turn) - 1).map_or(String::new(), |l| format!(", {l}"));
            Entry::new(Kind::Time, format!("Turn {turn}{label}.")).rule(cite!("5.a"))
        });
        if turn == 1
            && let Some(first) = self.battle.first_turn
        {
            self.take_first_turn(first);
            return;
        }
        let holder = self.state.previous;
        self.state.agenda.push(Step::Initiative);
        self.state.agenda.push(Step::Declare(!holder));
        self.state.agenda.push(Step::Declare(holder));
    }

    /// The side has the first player turn.
    fn take_first_turn(&mut self, side: Side) {
        self.state.first = side;
        self.state.previous = side;
        self.tell_side(Kind::Time, side, "takes the first player turn", cite!("6.1.a"));
        self.state.agenda.push(Step::EndOfTurn);
        self.state.agenda.push(Step::PlayerTurn(!side));
        self.state.agenda.push(Step::PlayerTurn(side));
    }

    pub(crate) fn spend_on_initiative(&mut self, side: Side, chits: u8) {
        self.state.agenda.pop();
        self.state.chits[side] -= chits;
        self.state.spent[side] = chits;
        self.fx.tell(|| {
            Entry::new(
                Kind::Draw,
                match chits {
                    0 => side_does(&self.battle.armies[side].name, "spends no momentum on the initiative."),
                    n => {
                        let chits = counted(n, "momentum chit");
                        format!(
                            "{} {chits} on the initiative.",
                            side_does(&self.battle.armies[side].name, "spends")
                        )
                    }
                },
            )
            .side(side)
            .rule(cite!("12.62.b"))
        });
    }

    pub(crate) fn dictate_order(&mut self, side: Side, first: Side) {
        while matches!(self.state.agenda.top(), Some(Step::Declare(_) | Step::Initiative)) {
            self.state.agenda.pop();
        }
        self.state.chits[side] -= self.battle.charts.chits[2];
        self.tell_side(Kind::Draw, side, "spends three chits to dictate the order", cite!("12.62.c"));
        self.take_first_turn(first);
    }

    /// Both roll; equal totals are rolled again with the same modifiers (6.1.a, 6.2.a).
    pub(crate) fn roll_initiative(&mut self) {
        let mut totals = [0; 2];
        for (total, side) in totals.iter_mut().zip(Side::BOTH) {
            let level = self.at().army_level(side);
            let drm = self.at().initiative_drm(side);
            let bought = (self.state.spent[side] * self.battle.charts.chits[1]) as i8;
            let face = self.fx.die(Die::Z10, || {
                let mut modifiers = Vec::new();
                if drm != 0 {
                    modifiers.push(Modifier::new(drm.into(), level.name(), level.rule()));
                }
                if bought != 0 {
                    modifiers.push(Modifier::new(bought.into(), "momentum", cite!("12.62.b")));
                }
                RollNote::new(
                    side_does(&self.battle.armies[side].name, "rolls for the initiative"),
                    cite!("6.1.a"),
                )
                .outcomes((0..=9).map(|face: i8| number(face + drm + bought)))
                .side(side)
                .modifiers(modifiers)
            });
            *total = face as i8 + drm + bought;
        }
        if totals[0] == totals[1] {
            self.fx.tell(|| Entry::new(Kind::Note, "A tie; both roll again.").rule(cite!("6.2.a")));
            return;
        }
        self.state.agenda.pop();
        self.take_first_turn(if totals[0] > totals[1] { Side::First } else { Side::Second });
    }
}

impl At<'_> {
    pub(crate) fn offer_declarations(self, side: Side, out: &mut Vec<Action>) {
        out.extend((0..=self.state.chits[side]).map(Action::Spend));
        if self.state.chits[side] >= self.battle.charts.chits[2] {
            out.extend(Side::BOTH.map(Action::Dictate));
        }
    }

    pub(crate) fn check_declaration(self, side: Side, action: &Action) -> Allowed {
        match *action {
            Action::Spend(chits) if chits <= self.state.chits[side] => Ok(()),
            Action::Spend(chits) => Err(No::short(
                cite!("12.62.b"),
                "not enough momentum chits",
                chits.into(),
                self.state.chits[side].into(),
            )),
            Action::Dictate(_) if self.state.chits[side] >= self.battle.charts.chits[2] => Ok(()),
            Action::Dictate(_) => Err(No::short(
                cite!("12.62.c"),
                "not enough momentum chits to dictate the order",
                self.battle.charts.chits[2].into(),
                self.state.chits[side].into(),
            )),
            _ => Err(No::other("momentum for the initiative is declared first")),
        }
    }
}
