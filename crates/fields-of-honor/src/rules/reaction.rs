//! The Reaction Phase: units out of command.

use game::words::does;
use game::{Die, Effects, Kind, RollNote, Side};

use crate::at::{At, Run};
use crate::cite;
use crate::rules::basics::Formation;
use crate::rules::rolls::{Sum, rolled_by};
use crate::rules::rout::Flight;
use crate::state::{BodyId, Marks, Order, Part};

impl At<'_> {
    /// Whether a body must take a Reaction Test (reaction.test.a, R12, R91).
    #[must_use]
    pub(crate) fn must_react(self, id: BodyId) -> bool {
        let body = self.state.body(id);
        body.on_table()
            && !body.marks.has(Marks::TESTED.and(Marks::ABANDONED))
            && !body.order.broken()
            && body.shape.formation != Formation::Unlimbered
            && !body.skirmishing()
            && !matches!(body.part, Part::Skirmishers | Part::Crew)
            && !self.state.in_melee(id)
            && self.commander_of(id).is_some()
            && !self.in_command(id)
    }

    /// What is added to the die (qrs.reaction).
    #[must_use]
    pub(crate) fn reaction_modifiers(self, id: BodyId) -> Sum {
        let body = self.state.body(id);
        let mods = &self.battle.tables.test.reaction.modifiers;
        let mut sum = Sum::default();
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
}

impl<'a> At<'a> {
    /// The units of a side that must still test.
    pub(crate) fn reactors(self, side: Side) -> impl Iterator<Item = BodyId> + 'a {
        (0..self.state.bodies.len())
            .map(|i| BodyId(i as u8))
            .filter(move |id| self.side_of(*id) == side && self.must_react(*id))
    }

    /// The sappers of a side that stand at a gate.
    pub(crate) fn miners(self, side: Side) -> impl Iterator<Item = BodyId> + 'a {
        (0..self.state.bodies.len()).map(|i| BodyId(i as u8)).filter(move |id| {
            let body = self.state.body(*id);
            body.on_table() && body.marks.has(Marks::MINING) && self.battle.side(body) == side
        })
    }
}

impl<F: Effects> Run<'_, F> {
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
}
