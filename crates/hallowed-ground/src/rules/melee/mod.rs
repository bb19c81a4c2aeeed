//! Chapter 9: a round of melee, from counting dice to breakthrough, recoil and consolidation (procedure P3).

pub(crate) mod aftermath;

use arrayvec::ArrayVec;
use game::words::{counted, side_does};
use game::{BySide, Effects, Entry, Kind, Side, Sum};
use serde::{Deserialize, Serialize};
use table::Side as Edge;

use crate::at::{At, Run};
use crate::field::Field;
use crate::rules::formations::Formation;
use crate::rules::morale::After;
use crate::rules::rolls::on;
use crate::rules::sequence::Step;
use crate::rules::shooting::score_needed;
use crate::setup::battle::Battle;
use crate::setup::pieces::{UnitId, UnitSet, piece};
use crate::state::{Flags, Marker, State};

/// Dice of one unit at one enemy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Share {
    pub by: UnitId,
    pub at: UnitId,
    pub dice: u8,
}

/// The melee being fought.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Melee {
    pub units: ArrayVec<UnitId, 16>,
    pub shares: ArrayVec<Share, 32>,
    pub hits: BySide<u8>,
    pub winner: Option<Side>,
    /// Fought at once after a breakthrough; no second one follows.
    pub breakthrough: bool,
    /// Who charged or countercharged into this round.
    pub charged: UnitSet,
    /// Who has retired or been Broken in this round.
    pub gone: UnitSet,
}

impl Melee {
    pub const fn is_gone(&self, u: UnitId) -> bool {
        self.gone.has(u)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum MeleeStep {
    /// Odd dice are placed by their owner.
    Split,
    Roll,
    /// Losers test, in their owner's order.
    Tests,
    Parting,
    /// Those who must retire do so, in their owner's order, the active side first; those who tested go before those
    /// whom their hits have Shaken.
    Retires,
    After,
    /// The winner may break through.
    Breakthrough,
    /// The melee at the end of a breakthrough.
    AfterBreakthrough {
        target: UnitId,
    },
    Consolidate,
}

impl<F: Effects> Run<'_, F> {
    /// Limbered guns in contact are destroyed at the start of the phase (7.7.a, R81).
    fn destroy_limbered(&mut self) {
        for u in self.battle.all_units() {
            if self.state.on_table(u)
                && self.state.engaged(u)
                && self.state.unit(u).formation == Formation::Limbered
            {
                self.break_unit(u, cite!("7.7.a"));
            }
        }
    }
}

impl State {
    /// What a charge or a won round gives ends with the melee it was gained in: who is in none has nothing of it
    /// (9.2.d, 9.2.f, R71).
    pub(crate) fn end_bonuses(&mut self, units: impl IntoIterator<Item = UnitId>) {
        for u in units {
            if !self.engaged(u) {
                self.unit_mut(u).flags.clear(Flags::WON | Flags::IMPETUS | Flags::DIFFICULT);
            }
        }
    }
}

impl At<'_> {
    /// The melees not yet fought in this phase, each by its first unit: connected components of contact (R69).
    pub(crate) fn unfought_melees(self) -> ArrayVec<UnitId, 16> {
        let mut heads = ArrayVec::new();
        let mut seen = UnitSet::default();
        for u in self.battle.all_units() {
            if !self.state.on_table(u) || !self.state.engaged(u) || seen.has(u) {
                continue;
            }
            let group = self.state.melee_of(u);
            for v in &group {
                seen.insert(*v);
            }
            if group.iter().any(|v| !self.state.unit(*v).flags.has(Flags::FOUGHT)) {
                let _ = heads.try_push(u);
            }
        }
        heads
    }
}

impl State {
    /// All units connected with one by contact.
    fn melee_of(&self, u: UnitId) -> ArrayVec<UnitId, 16> {
        let mut group = ArrayVec::new();
        group.push(u);
        let mut i = 0;
        while i < group.len() {
            for (foe, _, _) in self.foes(group[i]) {
                if !group.contains(&foe) {
                    let _ = group.try_push(foe);
                }
            }
            i += 1;
        }
        group.sort_unstable();
        group
    }
}

impl<F: Effects> Run<'_, F> {
    /// Begins a round among these units.
    fn begin_melee(&mut self, units: ArrayVec<UnitId, 16>, breakthrough: bool) {
        self.fx.tell(|| {
            let names: Vec<&str> = units.iter().map(|u| self.battle.unit(*u).name.as_str()).collect();
            let mut entry =
                Entry::new(Kind::Melee, format!("Melee: {}.", names.join(", "))).rule(cite!("9.a"));
            for u in &units {
                entry = entry.piece(piece(*u));
            }
            entry
        });
        let mut melee = Melee {
            units,
            shares: ArrayVec::new(),
            hits: BySide::default(),
            winner: None,
            breakthrough,
            charged: UnitSet::default(),
            gone: UnitSet::default(),
        };
        for u in melee.units.clone() {
            let unit = self.state.unit_mut(u);
            unit.flags.set(Flags::FOUGHT);
            if unit.flags.has(Flags::IMPETUS) {
                melee.charged.insert(u);
            }
        }
        self.at().share_out(&mut melee);
        self.state.melee = Some(melee);
        self.state.agenda.push(Step::Melee(MeleeStep::Split));
    }
}

impl At<'_> {
    /// Melee dice of a unit before they are split (9.1, R70).
    pub(crate) fn melee_dice(self, u: UnitId) -> u8 {
        let mut dice = self.stat(u).melee;
        if self.state.unit(u).shaken {
            dice = dice.div_ceil(2);
        }
        dice += self.state.attached(u).count() as u8;
        let fights = |want: fn(Edge) -> bool| self.state.foes(u).any(|(_, side, _)| want(side));
        if fights(Edge::is_flank) {
            dice = dice.saturating_sub(1);
        }
        if fights(|s| s == Edge::Rear) {
            dice = dice.saturating_sub(2);
        }
        dice.max(1)
    }

    /// The active side's units first, in unit order, then the others (G27).
    fn in_melee_order(self, units: &[UnitId]) -> ArrayVec<UnitId, 16> {
        let mut out: ArrayVec<UnitId, 16> = units.iter().copied().collect();
        out.sort_by_key(|u| (self.battle.unit(*u).side != self.state.active, *u));
        out
    }

    /// Splits dice evenly between enemies; what is odd waits for the owner (9.c).
    fn share_out(self, melee: &mut Melee) {
        for u in self.in_melee_order(&melee.units) {
            let foes: ArrayVec<UnitId, 16> =
                self.state.foes(u).map(|(f, _, _)| f).filter(|f| melee.units.contains(f)).take(16).collect();
            if foes.is_empty() {
                continue;
            }
            let dice = self.melee_dice(u);
            for f in &foes {
                let _ = melee.shares.try_push(Share { by: u, at: *f, dice: dice / foes.len() as u8 });
            }
        }
    }

    /// The next unit with dice still to be placed, and the enemies among whom its owner chooses.
    pub(crate) fn odd_dice(self) -> Option<(UnitId, ArrayVec<UnitId, 16>)> {
        let melee = self.state.melee.as_ref()?;
        for u in self.in_melee_order(&melee.units) {
            let mine: ArrayVec<&Share, 16> = melee.shares.iter().filter(|s| s.by == u).take(16).collect();
            let placed: u8 = mine.iter().map(|s| s.dice).sum();
            if !mine.is_empty() && placed < self.melee_dice(u) {
                return Some((u, mine.iter().map(|s| s.at).collect()));
            }
        }
        None
    }
}

impl State {
    pub(crate) fn place_odd_die(&mut self, by: UnitId, at: UnitId) {
        if let Some(melee) = &mut self.melee
            && let Some(share) = melee.shares.iter_mut().find(|s| s.by == by && s.at == at)
        {
            share.dice += 1;
        }
    }

    /// The modifiers of one unit against one enemy (9.2).
    pub(crate) fn melee_mods(&self, u: UnitId, foe: UnitId) -> Sum {
        let flags = self.unit(u).flags;
        let struck = self.foes(u).find(|(f, _, _)| *f == foe).map(|(_, _, theirs)| theirs);
        let mut mods = Sum::new();
        mods.add_if(struck == Some(Edge::Rear), 2, "against the enemy's rear", cite!("9.2.b"));
        mods.add_if(struck.is_some_and(Edge::is_flank), 1, "against the enemy's flank", cite!("9.2.c"));
        let impetus = flags.has(Flags::IMPETUS) || flags.has(Flags::WON);
        mods.add_if(impetus, 1, "charged, or won the last round", cite!("9.2.d"));
        mods.add_if(self.is_defending(u, foe), 1, "defends an obstacle", cite!("9.2.e"));
        mods.add_if(flags.has(Flags::DIFFICULT), -1, "charged through difficult terrain", cite!("9.2.f"));
        mods.add_if(self.unit(u).shaken, -2, "Shaken", cite!("9.2.g"));
        mods
    }

    fn next_melee_step(&mut self, step: MeleeStep) {
        self.agenda.replace(Step::Melee(step));
    }
}

impl<F: Effects> Run<'_, F> {
    /// Runs a step that needs no decision.
    fn run_melee(&mut self, step: MeleeStep) {
        match step {
            MeleeStep::Split => self.state.next_melee_step(MeleeStep::Roll),
            MeleeStep::Roll => self.roll_melee(),
            MeleeStep::Tests => self.state.next_melee_step(MeleeStep::Parting),
            MeleeStep::Parting => self.parting_hits(),
            MeleeStep::Retires => self.state.next_melee_step(MeleeStep::After),
            MeleeStep::After => self.melee_aftermath(),
            // The winner is asked.
            MeleeStep::Breakthrough => {}
            MeleeStep::AfterBreakthrough { target } => self.after_breakthrough(target),
            MeleeStep::Consolidate => self.consolidate(),
        }
    }

    /// Both sides roll; hits are marked together; the side with more of them has won (9.3, R74, R76).
    fn roll_melee(&mut self) {
        let Some(mut melee) = self.state.melee.clone() else {
            self.state.agenda.pop();
            return;
        };
        self.state.next_melee_step(MeleeStep::Tests);
        let mut struck: ArrayVec<(UnitId, u8), 32> = ArrayVec::new();
        for share in melee.shares.iter().filter(|s| s.dice > 0) {
            let mods = self.state.melee_mods(share.by, share.at);
            let (need, halved) = score_needed(4, mods.total());
            let dice = if halved { share.dice.div_ceil(2) } else { share.dice };
            let note = || {
                self.battle
                    .note_of_roll(share.by, share.at, "fights", cite!("9.2.a"))
                    .modifiers(mods.modifiers())
            };
            let hits = self.fx.count(dice, on(need), note);
            melee.hits[self.battle.unit(share.by).side] += hits;
            struck.push((share.at, hits));
        }
        melee.winner = match melee.hits.first.cmp(&melee.hits.second) {
            std::cmp::Ordering::Greater => Some(Side::First),
            std::cmp::Ordering::Less => Some(Side::Second),
            std::cmp::Ordering::Equal => None,
        };
        let (winner, units) = (melee.winner, melee.units.clone());
        self.fx.tell(|| {
            let text = match winner {
                Some(side) => format!(
                    "{}, {} to {}.",
                    side_does(&self.battle.armies[side].name, "wins the round"),
                    counted(melee.hits[side], "hit"),
                    melee.hits[!side]
                ),
                None => format!("The round is drawn at {} each.", counted(melee.hits.first, "hit")),
            };
            let rule = if winner.is_some() { cite!("9.3.a") } else { cite!("9.3.c") };
            Entry::new(Kind::Melee, text).rule(rule)
        });
        for u in &units {
            let unit = self.state.unit_mut(*u);
            // A charger that came in Shaken (R59) leaves after this round; so does everyone whom it makes Shaken.
            if unit.shaken && unit.flags.has(Flags::IMPETUS) {
                unit.flags.set(Flags::RETIRING);
            }
            unit.flags.clear(Flags::WON | Flags::IMPETUS | Flags::DIFFICULT);
        }
        self.state.melee = Some(melee);
        for (u, hits) in struck {
            let before = self.state.unit(u).shaken;
            self.mark_hits(u, hits);
            if self.state.unit(u).shaken && !before {
                self.state.unit_mut(u).flags.set(Flags::RETIRING);
            }
        }
        for u in &units {
            self.break_if_due(*u);
        }
        let Some(winner) = winner else { return };
        for u in units {
            if self.state.on_table(u) && self.battle.unit(u).side != winner {
                self.state.unit_mut(u).flags.set(Flags::LOSER);
            } else if self.state.on_table(u) {
                self.state.unit_mut(u).flags.set(Flags::WON);
            }
        }
    }
}

impl At<'_> {
    /// Units of the melee with this flag, of one side at a time, the active side first.
    pub(crate) fn flagged(self, flag: u16) -> ArrayVec<UnitId, 16> {
        let Some(melee) = &self.state.melee else { return ArrayVec::new() };
        let all = self.in_melee_order(&melee.units);
        let due: ArrayVec<UnitId, 16> = all
            .into_iter()
            .filter(|u| self.state.on_table(*u) && self.state.unit(*u).flags.has(flag))
            .collect();
        let Some(first) = due.first().map(|u| self.battle.unit(*u).side) else { return due };
        due.into_iter().filter(|u| self.battle.unit(*u).side == first).collect()
    }

    /// Who must retire next: those whose test says so before those whom their hits have Shaken (P3, step 6).
    pub(crate) fn retirers(self) -> ArrayVec<UnitId, 16> {
        let tested = self.flagged(Flags::TESTED_OUT);
        if tested.is_empty() { self.flagged(Flags::RETIRING) } else { tested }
    }
}

impl<F: Effects> Run<'_, F> {
    /// Each enemy in contact with a unit that its test makes retire rolls one die (9.4, R75).
    fn parting_hits(&mut self) {
        self.state.next_melee_step(MeleeStep::Retires);
        let Some(melee) = self.state.melee.clone() else { return };
        for u in self.at().in_melee_order(&melee.units) {
            if !self.state.unit(u).flags.has(Flags::TESTED_OUT) {
                continue;
            }
            let foes: ArrayVec<UnitId, 16> = self.state.foes(u).map(|(f, _, _)| f).take(16).collect();
            let mut hits = 0;
            for foe in foes {
                let note = || self.battle.note_of_roll(foe, u, "strikes at the back of", cite!("9.4.a"));
                hits += u8::from(self.fx.passes(on(3), note));
            }
            self.mark_hits(u, hits);
            self.break_if_due(u);
        }
    }

    /// A melee at once between those who broke through and their target (9.5.e, R80).
    fn after_breakthrough(&mut self, target: UnitId) {
        self.state.agenda.pop();
        if !self.state.on_table(target) {
            return;
        }
        if self.state.unit(target).formation == Formation::Limbered {
            return self.break_unit(target, cite!("7.7.a"));
        }
        let mut units: ArrayVec<UnitId, 16> = self
            .state
            .foes(target)
            .map(|(f, _, _)| f)
            .filter(|f| {
                self.state.unit(*f).flags.has(Flags::BROKE_THROUGH)
                    && self.state.unit(*f).flags.has(Flags::IMPETUS)
            })
            .take(8)
            .collect();
        if units.is_empty() {
            return;
        }
        for f in units.clone() {
            for (foe, _, _) in self.state.foes(f) {
                if !units.contains(&foe) {
                    let _ = units.try_push(foe);
                }
            }
        }
        units.sort_unstable();
        self.begin_melee(units, true);
    }
}

impl State {
    /// Order markers of those who stay engaged (5.4.m, R83).
    pub(crate) fn mark_orders(&mut self, battle: &Battle, units: &[UnitId], winner: Option<Side>) {
        for u in units {
            if self.on_table(*u) && self.engaged(*u) {
                let won = winner == Some(battle.unit(*u).side);
                self.unit_mut(*u).order = Some(if won { Marker::Charge } else { Marker::Hold });
            }
        }
    }
}

impl At<'_> {
    /// The field of a melee's survivors: who is still there on a side.
    pub(crate) fn survivors(self, melee: &Melee, side: Side) -> ArrayVec<UnitId, 16> {
        melee
            .units
            .iter()
            .copied()
            .filter(|u| self.battle.unit(*u).side == side && self.state.on_table(*u) && !melee.is_gone(*u))
            .collect()
    }
}

impl Field<'_> {
    /// What a unit would need against an enemy in contact, for facts and views.
    pub(crate) fn melee_need(&self, u: UnitId, foe: UnitId) -> i16 {
        score_needed(4, self.state.melee_mods(u, foe).total()).0
    }
}

impl At<'_> {
    pub(crate) fn limbered_in_melee(self) -> bool {
        let limbered = |u: UnitId| self.state.unit(u).formation == Formation::Limbered;
        self.battle.all_units().any(|u| self.state.on_table(u) && limbered(u) && self.state.engaged(u))
    }
}

impl<F: Effects> Run<'_, F> {
    /// The next melee of the phase; the active player picks among several (G50).
    pub(crate) fn next_melee(&mut self) {
        if self.at().limbered_in_melee() {
            return self.destroy_limbered();
        }
        match self.at().unfought_melees().first() {
            Some(u) => self.fight_melee(*u),
            None => {
                self.state.end_bonuses(self.battle.all_units());
                self.state.agenda.pop();
            }
        }
    }

    pub(crate) fn fight_melee(&mut self, head: UnitId) {
        let units = self.state.melee_of(head);
        self.begin_melee(units, false);
    }

    pub(crate) fn melee_step(&mut self, step: MeleeStep) {
        let tester = self.at().flagged(Flags::LOSER).first().copied();
        let retirer = self.at().retirers().first().copied();
        match (step, tester, retirer) {
            (MeleeStep::Tests, Some(u), _) => self.state.begin_melee_test(u),
            (MeleeStep::Retires, _, Some(u)) => self.state.begin_retire(u),
            _ => self.run_melee(step),
        }
    }
}

impl State {
    pub(crate) fn begin_melee_test(&mut self, u: UnitId) {
        self.unit_mut(u).flags.clear(Flags::LOSER);
        self.agenda.push(Step::Morale { unit: u, after: After::Melee });
    }
}
