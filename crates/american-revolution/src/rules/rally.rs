//! 15. The Rally Phase and Unit Morale, and 13.5 Morale Checks.

use game::words::does;
use game::{Allowed, Die, Effects, Entry, Kind, Modifier, No, RollNote, Rule, Test};

use crate::action::Action;
use crate::at::{At, Run};
use crate::legal::no;
use crate::setup::battle::{Battle, Brigade};
use crate::setup::pieces::{Piece, Pieces};
use crate::state::{Spot, State};

/// A morale check to be made.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Check {
    pub(crate) unit: Piece,
    /// What the unit does, in words.
    pub(crate) what: &'static str,
    pub(crate) rule: Rule,
    /// What this kind of check adds: value, reason, rule.
    pub(crate) more: (i8, &'static str, Rule),
}

impl At<'_> {
    /// What is added to a morale check, each term with its rule; `morale_sum` is their total.
    fn morale_terms(self, check: &Check) -> Vec<Modifier> {
        let Check { unit, more: (value, reason, rule), .. } = *check;
        let side = self.side(unit);
        let mut terms = vec![Modifier::new(self.base_morale(unit).into(), "unit morale", cite!("15.31.a"))];
        let level = self.army_level(side);
        let drm = self.unit_drm(side);
        if drm != 0 {
            terms.push(Modifier::new(drm.into(), level.name(), level.rule()));
        }
        if let Some((leader, drm)) = self.leadership(unit)
            && drm != 0
        {
            terms.push(Modifier::new(
                drm.into(),
                format!("leadership of {}", self.counter(leader).name),
                cite!("14.23.a"),
            ));
        }
        let steadied = self.brigade_bonus(unit);
        if steadied != 0 {
            terms.push(Modifier::new(
                steadied.into(),
                "steadied by the brigade's leader",
                cite!("guilford-court-house.f"),
            ));
        }
        if self.battle.special.check != 0 {
            terms.push(Modifier::new(
                self.battle.special.check.into(),
                "the scenario's check modifier",
                cite!("13.5.d"),
            ));
        }
        if value != 0 {
            terms.push(Modifier::new(value.into(), reason, rule));
        }
        terms
    }

    fn brigade_bonus(self, unit: Piece) -> i8 {
        let steadies = |b: &&Brigade| b.units.has(unit) && self.hex(b.leader).is_some();
        self.battle.special.brigades.iter().filter(steadies).map(|b| b.check).sum()
    }

    /// Modified morale (15.32.a): base morale and the army's level.
    pub(crate) fn modified_morale(self, unit: Piece) -> i8 {
        self.base_morale(unit) + self.unit_drm(self.side(unit))
    }

    fn morale_sum(self, check: &Check) -> i8 {
        self.modified_morale(check.unit)
            + self.leadership(check.unit).map_or(0, |(_, drm)| drm)
            + self.brigade_bonus(check.unit)
            + self.battle.special.check
            + check.more.0
    }

    /// Units that may try to rally (15.1.a).
    pub(crate) fn may_rally_now(self) -> Pieces {
        let broken = (self.state.disrupted | self.state.shattered)
            & self.battle.units[self.state.phasing]
            & self.on_map();
        broken.filter(|&unit| self.may_rally(unit).is_ok()).collect()
    }

    fn may_rally(self, unit: Piece) -> Allowed {
        let shattered = self.state.shattered.has(unit);
        if !(shattered || self.state.disrupted.has(unit)) || !self.battle.units[self.state.phasing].has(unit)
        {
            return no(cite!("15.1.a"), "only the phasing player's disrupted and shattered units rally");
        }
        if self.state.acted.has(unit) {
            return no(cite!("15.1.a"), "it has made its attempt in this phase");
        }
        let Some(hex) = self.hex(unit) else {
            return no(cite!("15.1.a"), "it is not on the map");
        };
        if self.in_zone(!self.state.phasing, hex) {
            let rule = if shattered { cite!("13.4.e") } else { cite!("13.3.h") };
            return no(rule, "it lies in an enemy zone of control");
        }
        Ok(())
    }

    /// Units that the scenario lets their owner send home now.
    fn may_dismiss(self, unit: Piece) -> Allowed {
        let theirs = self.battle.roles.home_goers & self.battle.units[self.state.phasing];
        if theirs.has(unit) && self.state.turn >= 2 && self.hex(unit).is_some() {
            return Ok(());
        }
        no(
            cite!("guilford-court-house.c"),
            "the scenario lets only some militia be sent home, from turn 2 on",
        )
    }

    /// Whether the owner may send anybody home now.
    pub(crate) fn may_send_anybody_home(self) -> bool {
        (self.battle.roles.home_goers & self.battle.units[self.state.phasing])
            .any(|unit| self.may_dismiss(unit).is_ok())
    }

    pub(crate) fn offer_rallies(self, out: &mut Vec<Action>) {
        out.extend(self.may_rally_now().map(Action::Rally));
        let theirs = self.battle.roles.home_goers & self.battle.units[self.state.phasing];
        out.extend(theirs.filter(|&unit| self.may_dismiss(unit).is_ok()).map(Action::Dismiss));
        out.push(Action::Done);
    }

    pub(crate) fn check_rally(self, action: &Action) -> Allowed {
        match *action {
            Action::Rally(unit) => self.may_rally(unit),
            Action::Dismiss(unit) => self.may_dismiss(unit),
            Action::Done => Ok(()),
            _ => Err(No::other("this is the rally phase")),
        }
    }

    /// A volume's call that rallies rifles, in place of the caller's own leadership.
    fn turkey_call(self, unit: Piece) -> i8 {
        let Some((leader, bonus)) = self.battle.special.call else { return 0 };
        let (Some(at), Some(hex)) = (self.hex(leader), self.hex(unit)) else { return 0 };
        if !self.battle.roles.rifles.has(unit)
            || self.side(leader) != self.side(unit)
            || (at != hex && !self.battle.ground.adjacent(at, hex))
        {
            return 0;
        }
        let own = self.leadership(unit).filter(|&(who, _)| who == leader).map_or(0, |(_, drm)| drm);
        bonus - own
    }
}

impl<F: Effects> Run<'_, F> {
    /// A morale check (13.5.a): the die, modified morale and the check modifiers must reach five.
    pub(crate) fn passes_morale(&mut self, check: &Check) -> bool {
        let (at, fx) = self.parts();
        let need = at.battle.charts.pass_at - at.morale_sum(check);
        fx.passes(Test::at_least(Die::Z10, need.into()), || {
            RollNote::new(does(&at.counter(check.unit).name, check.what), check.rule)
                .side(at.side(check.unit))
                .by(check.unit.id())
                .modifiers(at.morale_terms(check))
        })
    }

    /// One rally attempt (15.1.a, 15.2).
    pub(crate) fn rally(&mut self, unit: Piece) {
        self.state.acted.add(unit);
        let call = self.at().turkey_call(unit);
        let more = (call, "the leader's call", cite!("freemans-farm.e"));
        if !self.passes_morale(&Check { unit, what: "tries to rally", rule: cite!("15.1.a"), more }) {
            return;
        }
        let from_shattered = self.state.shattered.has(unit);
        self.state.shattered.drop(unit);
        if from_shattered {
            self.state.disrupted.add(unit);
        } else {
            self.state.disrupted.drop(unit);
        }
        let (rule, to) = if from_shattered {
            (cite!("15.2.b"), "disrupted")
        } else {
            (cite!("15.2.a"), "in Parade Order")
        };
        self.fx.tell(|| {
            Entry::new(
                Kind::Rally,
                format!("{}: now {to}.", does(&self.battle.counter(unit).name, "rallies")),
            )
            .side(self.battle.side(unit))
            .rule(rule)
            .piece(unit.id())
        });
        self.adjust_morale(self.battle.side(unit), self.battle.charts.change.rally);
    }

    /// A unit is sent home: no victory points, no army morale (a volume's rule).
    pub(crate) fn dismiss(&mut self, unit: Piece, rule: Rule) {
        self.state.at[unit.index()] = Spot::GONE;
        self.tell_piece(Kind::Gone, unit, "goes home", rule);
        self.state.forget_pins(self.battle, unit);
    }
}

impl State {
    /// Withdrawal markers come off the phasing side (12.43.a).
    pub(crate) fn begin_rally(&mut self, battle: &Battle) {
        self.withdrawn -= battle.pieces(self.phasing);
    }
}
