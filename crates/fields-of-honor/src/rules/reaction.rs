//! The Reaction Phase: units out of command (reaction.test, seq.reaction, qrs.reaction).

use game::words::does;
use game::{Allowed, Die, Effects, Kind, RollNote, Side, Sum};

use crate::action::Action;
use crate::at::{At, Run};
use crate::cite;
use crate::legal::require;
use crate::rules::basics::Formation;
use crate::rules::rolls::rolled_by;
use crate::rules::rout::Flight;
use crate::state::{BodyId, Marks, Order, Part};

impl At<'_> {
    /// Whether a body must take a Reaction Test (reaction.test.a, R12, R91).
    pub(crate) fn must_react(self, id: BodyId) -> bool {
        let body = self.body(id);
        body.on_table()
            && !body.marks.has(Marks::TESTED.and(Marks::ABANDONED))
            && !body.order.broken()
            && body.shape.formation != Formation::Unlimbered
            && !body.skirmishing()
            && !matches!(body.part, Part::Skirmishers | Part::Crew)
            && !self.state.in_melee(id)
            && self.answers_to(id).is_some()
            && !self.in_command(id)
    }

    /// What is added to the die (qrs.reaction).
    pub(crate) fn reaction_modifiers(self, id: BodyId) -> Sum {
        let body = self.body(id);
        let mods = &self.battle.tables.test.reaction.modifiers;
        let mut sum = Sum::new();
        sum.add(mods.rating(self.battle.info(body).morale), "morale rating", cite!("qrs.reaction.b"));
        if body.order == Order::Suppressed {
            sum.add(mods.suppressed, "suppressed", cite!("qrs.reaction.c"));
        }
        let losses = match self.state.percent_lost(self.battle, body.bmu) {
            70.. if self.battle.on.strict_print => 1,
            70.. => mods.casualties_70,
            50.. => mods.casualties_50,
            20.. => mods.casualties_20,
            _ => 0,
        };
        sum.add(losses, "casualties", cite!("qrs.reaction.d"));
        if self.attached_helper(id).is_some() {
            sum.add(mods.sub_commander_attached, "sub-commander attached", cite!("commander.functions.c"));
        }
        if self.has_brash_leader(id) {
            sum.add(mods.brash_attached, "brash leader attached", cite!("personality.c"));
        }
        sum
    }

    /// The tests a side must take, the gates its sappers may blow, and rides that could change a test.
    pub(crate) fn offer_reaction_tests(self, side: Side, out: &mut Vec<Action>) {
        out.extend(self.reactors(side).map(Action::Test));
        let before = out.len();
        out.extend(self.miners(side).map(Action::Blow));
        if before == 0 || out.len() > before {
            out.push(Action::Pass);
        }
        self.offer_leads_before_reaction(side, out);
    }

    /// Whether a side may end its reactions: no unit must test, or its sappers may still decide not to blow a gate.
    pub(crate) fn may_end_reactions(self, side: Side) -> Allowed {
        let must = self.reactors(side).next().is_some() && self.miners(side).next().is_none();
        require(!must, cite!("qrs.reaction.a"), "a unit out of command must test")
    }

    pub(crate) fn may_test_reaction(self, side: Side, id: BodyId) -> Allowed {
        let must = self.reactors(side).any(|r| r == id);
        require(must, cite!("reaction.test.a"), "it is in command, has tested, or is excused")
    }

    pub(crate) fn may_blow_gate(self, side: Side, id: BodyId) -> Allowed {
        let ready = self.miners(side).any(|r| r == id);
        let why = "only sappers that stood at a gate through the last turn blow it";
        require(ready, cite!("fort.destroy.c"), why)
    }
}

impl<F: Effects> Run<'_, F> {
    /// Takes the test and does at once what it demands.
    pub(crate) fn take_reaction_test(&mut self, id: BodyId) {
        let sum = self.at().reaction_modifiers(id);
        let die = self.die(Die::D6, |at| {
            let note = RollNote::new(
                format!("{}: a reaction test", does(&at.name(id), "is out of command")),
                cite!("qrs.reaction.a"),
            )
            .side(at.side_of(id))
            .modifiers(sum.modifiers());
            // Its modifiers would tell what stands behind a marker.
            let note = if at.state.is_marker(id) { note.only(at.side_of(id)) } else { note };
            rolled_by(note, at.state, id)
        });
        let body = self.state.body_mut(id);
        body.marks.set(Marks::TESTED);
        match i16::from(die) + sum.total() {
            ..=2 => {
                self.tell_of(id, Kind::Retreat, "withdraws", cite!("qrs.reaction.e"));
                self.flee(id, Flight { cause: None, order: Order::Suppressed, later: false });
            }
            3 => {
                body.marks.set(Marks::HALT);
                self.tell_of(id, Kind::Check, "halts", cite!("qrs.reaction.f"));
            }
            4 => {
                body.marks.set(Marks::CAUTIOUS);
                self.tell_of(id, Kind::Check, "is cautious", cite!("qrs.reaction.g"));
            }
            _ => self.tell_of(id, Kind::Check, "carries on", cite!("qrs.reaction.h")),
        }
    }

    pub(crate) fn next_reaction(&mut self) -> bool {
        let side = self.state.turn_of;
        let mut mine = self.at().reactors(side);
        let (first, second) = (mine.next(), mine.next());
        drop(mine);
        let miner = self.at().miners(side).next();
        match (first, second, miner) {
            (Some(only), None, None) if !self.at().could_help(side) => {
                self.state.turn_of = side.enemy();
                self.take_reaction_test(only);
                true
            }
            (None, _, None) => {
                let other = self.at().reactors(side.enemy()).next().is_some()
                    || self.at().miners(side.enemy()).next().is_some();
                if other {
                    self.state.turn_of = side.enemy();
                } else {
                    self.state.agenda.pop();
                }
                true
            }
            _ => false,
        }
    }

    /// The unit a side picked tests; then the other side picks.
    pub(crate) fn test_reaction(&mut self, id: BodyId) {
        self.state.turn_of = self.state.turn_of.enemy();
        self.take_reaction_test(id);
    }

    /// The sappers a side picked blow their gate; then the other side picks.
    pub(crate) fn blow_gate_now(&mut self, id: BodyId) {
        self.state.turn_of = self.state.turn_of.enemy();
        self.blow_gate(id);
    }

    /// No more gates are blown by the side whose go it is.
    pub(crate) fn leave_gates(&mut self) {
        let side = self.state.turn_of;
        let mine = self.state.bodies.iter_mut().filter(|b| self.battle.side(b) == side);
        mine.for_each(|b| b.marks.clear(Marks::MINING));
    }
}

impl<'a> At<'a> {
    /// The units of a side that must still test.
    pub(crate) fn reactors(self, side: Side) -> impl Iterator<Item = BodyId> + 'a {
        self.state.ids().filter(move |id| self.side_of(*id) == side && self.must_react(*id))
    }

    /// The sappers of a side that stand at a gate.
    pub(crate) fn miners(self, side: Side) -> impl Iterator<Item = BodyId> + 'a {
        self.state.ids().filter(move |id| {
            let body = self.body(*id);
            body.on_table() && body.marks.has(Marks::MINING) && self.battle.side(body) == side
        })
    }
}
