//! 7. Stacking, and what may be examined.

use game::words::side_does;
use game::{Allowed, Effects, Entry, Kind, No, Side};
use hexmap::Hex;

use crate::action::Action;
use crate::at::{At, Run};
use crate::legal::no;
use crate::rules::sequence::Step;
use crate::setup::battle::Battle;
use crate::setup::pieces::{Piece, Pieces};
use crate::state::State;

impl At<'_> {
    /// SP of foot and horse, and guns, that a set of units stacks with (7.1.a, 7.1.b).
    pub(crate) fn stack_load(self, units: Pieces) -> (u8, u8) {
        let guns = units & self.battle.roles.artillery;
        let sp = (units - guns).map(|u| self.strength(u)).sum();
        (sp, guns.len() as u8)
    }

    /// Whether a hex that holds `units` is within the limit.
    pub(crate) fn within_limit(self, units: Pieces) -> bool {
        let (sp, guns) = self.stack_load(units);
        sp <= self.battle.charts.stacking[0] && guns <= self.battle.charts.stacking[1]
    }

    /// Whether `unit` finds room in `hex`, on its present side or, if it `sheds`, on its reduced one.
    pub(crate) fn has_room(self, unit: Piece, sheds: bool, hex: Hex) -> bool {
        let side = self.side(unit);
        if self.battle.leaders[side].has(unit) {
            return true;
        }
        let (sp, guns) = self.stack_load(self.units_in(hex, side).without(unit));
        if self.battle.roles.artillery.has(unit) {
            return guns < self.battle.charts.stacking[1];
        }
        let own = self.counter(unit).strength[if sheds { 1 } else { self.state.face(unit) }];
        sp + own <= self.battle.charts.stacking[0]
    }

    /// The first hex found over the limit, and whose (7.3.a).
    #[must_use]
    pub fn overstacked(self) -> Option<(Side, Hex)> {
        for side in Side::BOTH {
            for unit in self.battle.units[side] & self.on_map() {
                if let Some(hex) = self.hex(unit)
                    && !self.within_limit(self.units_in(hex, side))
                {
                    return Some((side, hex));
                }
            }
        }
        None
    }

    /// Units whose loss of a step would bring the hex nearer to the limit.
    pub(crate) fn may_shed_here(self, side: Side, hex: Hex) -> Pieces {
        let here = self.units_in(hex, side);
        let (sp, guns) = self.stack_load(here);
        let mut out = Pieces::NONE;
        if sp > self.battle.charts.stacking[0] {
            out |= here - self.battle.roles.artillery;
        }
        if guns > self.battle.charts.stacking[1] {
            out |= here & self.battle.roles.artillery;
        }
        out
    }

    pub(crate) fn check_overstack(self, side: Side, hex: Hex, action: &Action) -> Allowed {
        match action {
            Action::Pick(unit) if self.may_shed_here(side, hex).has(*unit) => Ok(()),
            Action::Pick(_) => no(
                cite!("7.3.a"),
                "the step must come from a unit of the overstacked hex that weighs on the limit",
            ),
            _ => Err(No::other("a step to be lost for overstacking must be picked")),
        }
    }

    /// The enemy pieces whose stack `side` may not examine now (7.42.a).
    #[must_use]
    pub fn unknown(self, side: Side) -> Pieces {
        if !self.battle.armies[side].limited {
            return Pieces::NONE;
        }
        (self.battle.pieces(!side) & self.on_map()) - self.state.known[side]
    }

    /// Whether `side` may look at that stack against the rule, and pay for it (7.43.a).
    pub(crate) fn check_peek(self, side: Side, hex: Hex) -> Allowed {
        if !self.battle.armies[side].limited {
            return no(
                cite!("7.41.a"),
                "every stack may be examined freely here: there is no limited intelligence",
            );
        }
        if self.unknown(side).meets(self.in_hex(hex)) {
            return Ok(());
        }
        no(cite!("7.43.a"), "there is no enemy stack that you have not examined in this phase")
    }
}

impl<F: Effects> Run<'_, F> {
    /// The owner takes steps off until every hex is within the limit (7.3.a, 7.3.b). False while he must choose.
    pub(crate) fn step_overstack(&mut self, side: Side, hex: Hex) -> bool {
        let done = self.shed_in_hex(side, hex);
        let met = self.state.agenda.top() != Some(Step::Overstack(side, hex));
        if done && met && self.state.ending.is_none() {
            self.state.enforce_stacking(self.battle);
        }
        done
    }

    fn shed_in_hex(&mut self, side: Side, hex: Hex) -> bool {
        let candidates = self.at().may_shed_here(side, hex);
        if candidates.is_empty() {
            self.state.agenda.pop();
            return true;
        }
        if let Some(only) = candidates.only() {
            self.shed_for_room(only);
            return true;
        }
        false
    }

    pub(crate) fn shed_for_room(&mut self, unit: Piece) {
        self.tell_piece(Kind::Loss, unit, "loses a step: the hex is overstacked", cite!("7.3.a"));
        self.lose_step(unit);
        self.adjust_morale(self.battle.side(unit), self.battle.charts.change.step_loss);
    }

    /// Lets `side` examine a stack; under limited intelligence that is news to it.
    pub(crate) fn examine_stack(&mut self, side: Side, hex: Hex) {
        let stack = self.state.in_hex(hex) & self.battle.pieces(!side);
        if self.at().unknown(side).meets(stack) {
            self.state.known[side] |= stack;
            self.fx.revealed();
            self.fx.tell(|| {
                let names: Vec<&str> = stack.map(|p| self.battle.counter(p).name.as_str()).collect();
                let mut entry = Entry::new(
                    Kind::Draw,
                    format!("In {} stand {}.", self.battle.hex_name(hex), names.join(", ")),
                )
                .side(side)
                .rule(cite!("7.42.a"))
                .place(self.battle.place(hex))
                .only(side);
                entry.pieces.extend(stack.map(Piece::id));
                entry
            });
        }
    }

    pub(crate) fn peek_at(&mut self, side: Side, hex: Hex) {
        self.fx.tell(|| {
            Entry::new(
                Kind::Note,
                format!(
                    "{} {} against the rule.",
                    side_does(&self.battle.armies[side].name, "examines the stack in"),
                    self.battle.hex_name(hex)
                ),
            )
            .side(side)
            .rule(cite!("7.43.a"))
            .place(self.battle.place(hex))
        });
        self.examine_stack(side, hex);
        self.adjust_morale(side, self.battle.charts.change.forbidden_peek);
    }
}

impl State {
    /// Asks for steps where a hex is over the limit.
    pub(crate) fn enforce_stacking(&mut self, battle: &Battle) {
        if let Some((side, hex)) = At::new(battle, self).overstacked() {
            self.agenda.push(Step::Overstack(side, hex));
        }
    }

    /// Whoever fires or attacks shows himself, and the leaders with him, to an enemy under limited intelligence.
    pub(crate) fn show_firing(&mut self, battle: &Battle, by: Pieces) {
        for piece in by {
            let (side, hex) = (battle.side(piece), self.hex(piece));
            if battle.armies[!side].limited {
                let leaders = hex.map_or(Pieces::NONE, |hex| self.in_hex(hex) & battle.leaders[side]);
                self.known[!side] |= leaders.with(piece);
            }
        }
    }
}
