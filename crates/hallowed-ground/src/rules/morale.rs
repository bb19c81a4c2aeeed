//! Chapter 11: hits, states, morale tests, Broken brigades and armies.

use arrayvec::ArrayVec;
use game::words::{counted, does, number};
use game::{Effects, Entry, Kind, Side, Sum};
use serde::{Deserialize, Serialize};
use table::Side as Edge;

use crate::at::{At, Run};
use crate::field::Field;
use crate::rules::charts::ENEMY_NEAR;
use crate::rules::sequence::Step;
use crate::setup::battle::Battle;
use crate::setup::pieces::{BrigadeId, MAX_UNITS, Specials, UnitId, piece};
use crate::state::{Flags, Whereabouts};

/// What a morale test is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum After {
    Shooting,
    /// Defensive fire on a charger (7.6.c).
    Charge,
    Melee,
}

impl<F: Effects> Run<'_, F> {
    /// Marks hits; at the Shaken value the unit is Shaken, at the Break value Broken (11.a, 11.c).
    pub(crate) fn mark_hits(&mut self, u: UnitId, hits: u8) {
        if hits == 0 {
            return;
        }
        let (shaken_at, break_at) = self.battle.unit(u).arm.morale();
        let unit = self.state.unit_mut(u);
        unit.hits = unit.hits.saturating_add(hits);
        let total = unit.hits;
        let newly_shaken = total >= shaken_at && !unit.shaken;
        unit.shaken |= total >= shaken_at;
        self.fx.tell(|| {
            let text = format!(
                "{} {}, {total} in all.",
                does(&self.battle.unit(u).name, "takes"),
                counted(hits, "hit")
            );
            let mut entry = Entry::new(Kind::Loss, text)
                .side(self.battle.unit(u).side)
                .piece(piece(u))
                .rule(cite!("8.6.c"));
            if total >= break_at {
                entry = entry.rule(cite!("11.c"));
            } else if newly_shaken {
                entry = entry.rule(cite!("11.a"));
            }
            entry
        });
    }
}

impl At<'_> {
    fn is_at_break(self, u: UnitId) -> bool {
        self.state.unit(u).hits >= self.battle.unit(u).arm.morale().1
    }
}

impl<F: Effects> Run<'_, F> {
    /// Takes a unit that has reached its Break value off at once.
    pub(crate) fn break_if_due(&mut self, u: UnitId) {
        if self.state.on_table(u) && self.at().is_at_break(u) {
            self.break_unit(u, cite!("11.c"));
        }
    }

    /// Removes a Broken unit; its commanders flee, its brigade and army are looked at anew (11.1.d, 12.1.a, 11.3).
    pub(crate) fn break_unit(&mut self, u: UnitId, rule: game::Rule) {
        if !self.state.on_table(u) {
            return;
        }
        self.state.unit_mut(u).place = Whereabouts::Broken;
        let foes: ArrayVec<UnitId, MAX_UNITS> = self.state.foes(u).map(|(foe, _, _)| foe).collect();
        self.state.disengage(u);
        self.state.end_bonuses(foes);
        self.fx.tell(|| {
            Entry::new(Kind::Gone, does(&self.battle.unit(u).name, "is Broken."))
                .side(self.battle.unit(u).side)
                .rule(rule)
                .piece(piece(u))
        });
        for c in self.battle.all_officers() {
            if self.state.commanders[c.i()].attached == Some(u) {
                self.state.commanders[c.i()].attached = None;
                self.state.agenda.push(Step::Flee { commander: c });
            }
        }
        self.check_brigade(self.battle.unit(u).brigade);
    }
}

impl At<'_> {
    /// Broken infantry and cavalry of a brigade.
    pub(crate) fn broken_troops(self, b: BrigadeId) -> u8 {
        let lost = |u: &UnitId| {
            let roster = self.battle.unit(*u);
            roster.brigade == b
                && !roster.arm.is_artillery()
                && self.state.unit(*u).place == Whereabouts::Broken
        };
        self.battle.all_units().filter(lost).count() as u8
    }
}

impl Battle {
    /// Do so many Broken troops break a brigade: more than half of those it started with (11.3.a)?
    pub(crate) fn breaks_with(&self, b: BrigadeId, broken: u8) -> bool {
        let troops = self.brigade(b).troops;
        troops > 0 && broken > troops / 2
    }
}

impl<F: Effects> Run<'_, F> {
    /// A brigade breaks when more than half (rounded down) of its troops are Broken; its Shaken units break with it.
    pub(crate) fn check_brigade(&mut self, b: BrigadeId) {
        let brigade = self.battle.brigade(b);
        let due = self.battle.breaks_with(b, self.at().broken_troops(b));
        if !due || self.state.brigade_broken(b) {
            return;
        }
        self.state.broken_brigades.insert(b);
        self.fx.tell(|| {
            Entry::new(Kind::Loss, format!("{}'s brigade is Broken.", brigade.name))
                .side(brigade.side)
                .rule(cite!("11.3.a"))
        });
        for u in self.battle.all_units().filter(|u| self.battle.unit(*u).brigade == b) {
            if self.state.on_table(u) && self.state.unit(u).shaken {
                self.break_unit(u, cite!("11.3.b"));
            }
        }
    }
}

/// How many Broken brigades break an army of so many: more than half, rounded up, but never more than all (R90).
const fn army_threshold(brigades: u8) -> u8 {
    let more_than_half = brigades.div_ceil(2) + 1;
    if more_than_half > brigades { brigades } else { more_than_half }
}

impl At<'_> {
    pub(crate) fn army_broken(self, side: Side) -> bool {
        let counted: Vec<BrigadeId> =
            self.battle.brigades_of(side).filter(|b| self.battle.brigade(*b).troops > 0).collect();
        let broken = counted.iter().filter(|b| self.state.brigade_broken(**b)).count() as u8;
        !counted.is_empty() && broken >= army_threshold(counted.len() as u8)
    }
}

impl Field<'_> {
    /// The modifiers of a morale test (11.2.c to 11.2.k); the hits are one of them.
    pub(crate) fn morale_mods(&self, u: UnitId) -> Sum {
        let (battle, state) = (self.battle, self.state);
        let (unit, roster) = (state.unit(u), battle.unit(u));
        let break_at = i16::from(roster.arm.morale().1);
        let mut mods = Sum::new();
        mods.add(i16::from(unit.hits), "hits", cite!("11.2.k"));
        mods.add_if(state.has_commander(u), -2, "commander attached", cite!("11.2.c"));
        mods.add_if(
            2 * i16::from(unit.hits) < break_at,
            -1,
            "fewer hits than half its Break value",
            cite!("11.2.d"),
        );
        mods.add_if(!unit.shaken, -1, "Steady", cite!("11.2.e"));
        mods.add_if(roster.specials.has(Specials::ELITE), -1, "Elite", cite!("11.2.f"));
        mods.add_if(state.brigade_broken(roster.brigade), 1, "brigade Broken", cite!("11.2.g"));
        let threatened = self.enemies(u).any(|e| {
            state.steady(e) && self.rect(u).within(self.rect(e), ENEMY_NEAR) && self.before_its_eyes(u, e)
        });
        mods.add_if(threatened, 1, "Steady enemy within 6 in and in sight", cite!("11.2.h"));
        let sides = |want: fn(Edge) -> bool| state.foes(u).any(|(_, side, _)| want(side));
        mods.add_if(sides(Edge::is_flank), 1, "engaged on a flank", cite!("11.2.i"));
        mods.add_if(sides(|s| s == Edge::Rear), 2, "engaged at the rear", cite!("11.2.j"));
        mods
    }

    /// In the unit's own sight (R86): an enemy in contact with its front always is, one at its flank or rear never, for
    /// that has modifiers of its own.
    fn before_its_eyes(&self, u: UnitId, e: UnitId) -> bool {
        match self.state.foes(u).find(|(v, _, _)| *v == e) {
            Some((_, side, _)) => side == Edge::Front,
            None => self.sees(u, e),
        }
    }
}

impl<F: Effects> Run<'_, F> {
    /// Rolls the two dice of a test.
    fn roll_morale(&mut self, u: UnitId) -> i16 {
        let mods = self.field().morale_mods(u);
        self.two_dice(u, "morale test", &mods, cite!("11.2.b")) + mods.total()
    }
}

/// What a result means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Result {
    Passed,
    Retires,
    Broken,
}

impl Battle {
    fn morale_result(&self, u: UnitId, total: i16) -> Result {
        let (shaken_at, break_at) = self.unit(u).arm.morale();
        if total >= i16::from(break_at) {
            Result::Broken
        } else if total >= i16::from(shaken_at) {
            Result::Retires
        } else {
            Result::Passed
        }
    }
}

impl<F: Effects> Run<'_, F> {
    /// Carries a result out; in a melee a retirer first suffers parting hits and waits for the others (P3).
    fn apply_morale(&mut self, u: UnitId, total: i16, after: After) {
        let outcome = self.battle.morale_result(u, total);
        self.fx.tell(|| {
            let (word, rule) = match outcome {
                Result::Passed => ("stands", cite!("11.2.n")),
                Result::Retires => ("must retire, Shaken", cite!("11.2.m")),
                Result::Broken => ("breaks", cite!("11.2.l")),
            };
            let (shaken_at, break_at) = self.battle.unit(u).arm.morale();
            let text = format!(
                "{}: the test comes to {}; {shaken_at} shakes it, {break_at} breaks it.",
                does(&self.battle.unit(u).name, word),
                number(total)
            );
            Entry::new(Kind::Check, text).side(self.battle.unit(u).side).rule(rule).piece(piece(u))
        });
        match outcome {
            Result::Passed => {}
            Result::Broken => self.break_unit(u, cite!("11.2.l")),
            Result::Retires => {
                let unit = self.state.unit_mut(u);
                unit.shaken = true;
                match after {
                    After::Melee => unit.flags.set(Flags::TESTED_OUT | Flags::RETIRING),
                    After::Shooting | After::Charge => self.state.agenda.push(Step::Retire { unit: u }),
                }
            }
        }
    }

    pub(crate) fn test_morale(&mut self, u: UnitId, after: After) {
        self.state.agenda.pop();
        if !self.state.on_table(u) {
            return;
        }
        let total = self.roll_morale(u);
        let failed = self.battle.morale_result(u, total) != Result::Passed;
        if failed && self.battle.unit(u).specials.has(Specials::STUBBORN) {
            self.state.agenda.push(Step::Reroll { unit: u, total, after });
        } else {
            self.apply_morale(u, total, after);
        }
    }

    /// A Stubborn unit's owner rolls again or lets it stand (13.f, R88).
    pub(crate) fn reroll(&mut self, again: bool) {
        let Some(Step::Reroll { unit, total, after }) = self.state.agenda.pop() else { return };
        let total = if again { self.roll_morale(unit) } else { total };
        self.apply_morale(unit, total, after);
    }
}
