//! 13. Combat Results: what each does, and who suffers it.

use game::{Allowed, Effects, Kind, No, Side};
use serde::{Deserialize, Serialize};

use crate::action::Action;
use crate::at::{At, Run};
use crate::legal::no;
use crate::rules::rally::Check;
use crate::rules::sequence::Step;
use crate::setup::battle::Battle;
use crate::setup::pieces::{Piece, Pieces};
use crate::state::{Spot, State};

/// What a result does to the side that suffers it (13.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Effect {
    Nothing,
    ArmyMorale,
    Retreat,
    Disrupt,
    Step,
    TwoSteps,
    DefendersChoice,
    AttackersChoice,
    Pin,
}

/// A result, with or without an asterisk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Hit {
    /// What it does.
    pub effect: Effect,
    /// A leader may fall.
    pub star: bool,
}

impl Hit {
    /// No effect.
    pub const NOTHING: Hit = Hit { effect: Effect::Nothing, star: false };

    /// Reads `1*` and the like.
    #[must_use]
    pub fn parse(text: &str) -> Option<Hit> {
        let (body, star) = text.strip_suffix('*').map_or((text, false), |body| (body, true));
        let effect = match body {
            "-" | "." => Effect::Nothing,
            "AM" => Effect::ArmyMorale,
            "R" => Effect::Retreat,
            "D" => Effect::Disrupt,
            "1" => Effect::Step,
            "2" => Effect::TwoSteps,
            "DC" => Effect::DefendersChoice,
            "AC" => Effect::AttackersChoice,
            "PIN" => Effect::Pin,
            _ => return None,
        };
        Some(Hit { effect, star })
    }

    /// As the table prints it.
    #[must_use]
    pub fn words(self) -> String {
        let body = match self.effect {
            Effect::Nothing => "-",
            Effect::ArmyMorale => "AM",
            Effect::Retreat => "R",
            Effect::Disrupt => "D",
            Effect::Step => "1",
            Effect::TwoSteps => "2",
            Effect::DefendersChoice => "DC",
            Effect::AttackersChoice => "AC",
            Effect::Pin => "PIN",
        };
        if self.star { format!("{body}*") } else { body.to_owned() }
    }

    /// What it does to `whom` ("the attacker"), in words.
    #[must_use]
    pub fn told(self, whom: &str) -> String {
        let what = match self.effect {
            Effect::Nothing => format!("nothing for {whom}"),
            Effect::ArmyMorale => format!("{whom} loses army morale"),
            Effect::Retreat => format!("{whom} retreats"),
            Effect::Disrupt => format!("{whom} is disrupted"),
            Effect::Step => format!("{whom} loses a step"),
            Effect::TwoSteps => format!("{whom} loses two steps"),
            Effect::DefendersChoice => format!("{whom} loses a captured unit that the defender picks"),
            Effect::AttackersChoice => format!("{whom} loses a captured unit that the attacker picks"),
            Effect::Pin => format!("{whom} is pinned"),
        };
        if self.star { format!("{what} and perhaps a leader") } else { what }
    }

    /// The result of a close combat beside its code: `D/-: the attacker is disrupted, nothing for the defender`.
    #[must_use]
    pub fn told_of_both([attacker, defender]: [Hit; 2]) -> String {
        if attacker.effect == Effect::Pin {
            return "PIN: both sides are pinned where they stand".into();
        }
        let (code, first) = (attacker.words(), attacker.told("the attacker"));
        format!("{code}/{}: {first}, {}", defender.words(), defender.told("the defender"))
    }
}

impl State {
    /// Takes a unit off the map and forgets what was noted of it.
    fn remove_unit(&mut self, battle: &Battle, unit: Piece, to: Spot) {
        self.at[unit.index()] = to;
        for set in [
            &mut self.disrupted,
            &mut self.shattered,
            &mut self.withdrawn,
            &mut self.unfired,
            &mut self.driven,
        ] {
            set.drop(unit);
        }
        self.fight.soft.drop(unit);
        self.fight.harsh.drop(unit);
        self.waiting.drop(unit);
        self.forget_pins(battle, unit);
    }

    /// The unit retreats one hex, or must be captured; some units are exempt (13.1.b, 13.1.ad).
    pub(crate) fn retreat_one(&mut self, battle: &Battle, unit: Piece) {
        if !battle.roles.no_retreat.has(unit) && self.hex(unit).is_some() {
            self.agenda.push(Step::Retreating { unit, hexes: 1, disrupts: false });
        }
    }

    /// Units that still take a further D at the end of the phase (13.3.f).
    pub(crate) fn straggling(&self) -> Pieces {
        self.waiting & self.on_map()
    }
}

impl<F: Effects> Run<'_, F> {
    /// One step is lost (2.2.a, 4.b); army morale is the caller's.
    pub(crate) fn lose_step(&mut self, unit: Piece) {
        let side = self.battle.side(unit);
        self.state.lost[side] += 1;
        self.state.spoils[!side] += 1;
        if self.at().steps(unit) == 2 {
            self.state.reduced.add(unit);
            self.tell_piece(Kind::Loss, unit, "loses a step and is reduced", cite!("2.2.a"));
        } else {
            self.state.spoils[!side] += self.battle.counter(unit).bonus_vp;
            self.state.remove_unit(self.battle, unit, Spot::ELIMINATED);
            self.tell_piece(Kind::Gone, unit, "is eliminated", cite!("13.1.ae"));
        }
    }

    /// A unit is captured (4.c, 12.64.a), with its army morale change.
    pub(crate) fn capture(&mut self, unit: Piece, rule: game::Rule) {
        let (side, counter) = (self.battle.side(unit), self.battle.counter(unit));
        let elite = counter.morale[0] == 2 && !self.state.reduced.has(unit);
        self.state.lost[side] += self.at().steps(unit);
        self.state.spoils[!side] += counter.captured_vp + counter.bonus_vp;
        self.state.remove_unit(self.battle, unit, Spot::CAPTURED);
        self.tell_piece(Kind::Gone, unit, "is captured", rule);
        if elite && self.state.fight.is_open() {
            self.state.fight.elites[side] += 1;
        } else if elite {
            self.surrender_momentum(side);
        }
        self.adjust_morale(side, self.battle.charts.change.captured_unit);
    }

    /// One level worse: disrupted, then shattered, then eliminated (13.1.e to 13.1.g).
    pub(crate) fn worsen(&mut self, unit: Piece) {
        let side = self.battle.side(unit);
        let chart = self.battle.charts.change;
        let mut change = chart.one_level_worse;
        if self.state.shattered.has(unit) {
            let left = self.at().steps(unit);
            for _ in 0..left {
                self.lose_step(unit);
            }
            change = chart.shattered_eliminated;
        } else if self.state.disrupted.has(unit) {
            self.state.disrupted.drop(unit);
            self.state.shattered.add(unit);
            self.tell_piece(Kind::Loss, unit, "is shattered", cite!("13.1.f"));
        } else {
            self.state.disrupted.add(unit);
            self.tell_piece(Kind::Loss, unit, "is disrupted", cite!("13.1.e"));
        }
        if self.battle.roles.home_goers.has(unit) && change == chart.one_level_worse {
            return;
        }
        self.adjust_morale(side, change);
    }

    /// A step is lost as a `1` result: with its army morale change.
    pub(crate) fn one_step(&mut self, unit: Piece) {
        self.lose_step(unit);
        self.adjust_morale(self.battle.side(unit), self.battle.charts.change.step_loss);
    }

    /// The army loses heart, nothing else (13.1.a).
    pub(crate) fn am_result(&mut self, unit: Piece) {
        if !self.battle.roles.home_goers.has(unit) {
            self.adjust_morale(self.battle.side(unit), self.battle.charts.change.am_result);
        }
    }

    /// A D result on one unit (13.1.e to 13.1.g).
    pub(crate) fn disrupt(&mut self, unit: Piece) {
        if self.state.shattered.has(unit) {
            self.worsen(unit);
        } else if self.state.hex(unit).is_some() {
            self.state.agenda.push(Step::Retreating { unit, hexes: 3, disrupts: true });
        }
    }

    /// A side of the close combat suffers its part of the result (13.1). The lead unit absorbs it first, then a leader
    /// may fall, then the others check morale (R23); steps are put on the agenda, so the last pushed comes first.
    pub(crate) fn suffer(&mut self, side: Side, hit: Hit, exact: bool) {
        self.state.agenda.pop();
        let own = self.at().fighters(side);
        let Some(lead) = self.state.fight.lead[side] else { return };
        let others = own.without(lead) & self.state.on_map();
        // Units that retreated into the combat check whatever comes of it, no effect included (13.24.b, R36).
        self.state.fight.harsh |= self.state.fight.late & self.battle.units[side];
        match hit.effect {
            Effect::DefendersChoice | Effect::AttackersChoice => self.state.fight.harsh |= own,
            Effect::Nothing | Effect::ArmyMorale | Effect::Pin => {}
            Effect::Retreat | Effect::Disrupt | Effect::Step | Effect::TwoSteps => {
                self.state.fight.soft |= others
            }
        }
        self.state.agenda.push(Step::Checks(side));
        if hit.star && exact {
            let present = self.state.fight.leaders & self.battle.leaders[side] & self.state.on_map();
            self.state.agenda.push(Step::Casualty(present));
        }
        match hit.effect {
            Effect::Nothing | Effect::Pin => {}
            Effect::ArmyMorale => self.am_result(lead),
            Effect::Retreat => {
                self.adjust_morale(side, self.battle.charts.change.retreat);
                self.state.retreat_one(self.battle, lead);
            }
            Effect::Disrupt => self.disrupt(lead),
            Effect::Step => self.one_step(lead),
            Effect::TwoSteps => self.two_steps(side, lead),
            Effect::DefendersChoice | Effect::AttackersChoice => {
                let chooser = if hit.effect == Effect::AttackersChoice {
                    self.state.phasing
                } else {
                    !self.state.phasing
                };
                self.state.agenda.push(Step::Captive(chooser, own & self.state.on_map()));
            }
        }
    }

    /// A `2` result: the lead unit is eliminated; if it had one step left, any other unit of its side in the hex loses
    /// one, whether it took part or not (13.1.j, R32).
    fn two_steps(&mut self, side: Side, lead: Piece) {
        let hex = self.state.hex(lead);
        let steps = self.at().steps(lead);
        self.adjust_morale(side, self.battle.charts.change.two_step_result);
        for _ in 0..steps {
            self.lose_step(lead);
        }
        if steps == 1 {
            let second = hex.map_or(Pieces::NONE, |hex| self.at().units_in(hex, side));
            self.state.agenda.push(Step::SecondLoss(side, second));
        }
    }

    /// PIN: disrupted and shattered units in the hexes of the combat are captured, the defender's first, and an army
    /// that this brings to 0 has lost before the attacker's are (13.1.o, R57, R80).
    pub(crate) fn pin_captures(&mut self) {
        self.state.agenda.pop();
        for side in [!self.state.phasing, self.state.phasing] {
            let broken = (self.state.disrupted | self.state.shattered) & self.battle.units[side];
            let caught: Pieces = broken
                .filter(|&u| self.state.hex(u).is_some_and(|hex| self.state.fight.holds(hex)))
                .collect();
            for unit in caught {
                self.capture(unit, cite!("13.1.o"));
            }
            self.adjust_morale(side, self.battle.charts.change.pin);
            self.weigh_morale();
            if self.state.ending.is_some() {
                return;
            }
        }
    }

    /// The pin is recorded: everybody who still stands in its hexes (13.1.p, R14).
    pub(crate) fn pin_marks(&mut self) {
        self.state.agenda.pop();
        let mut pieces = Pieces::NONE;
        for hex in self.state.fight.all_hexes() {
            pieces |= self.state.in_hex(hex);
        }
        self.record_pin(pieces);
    }

    /// The checks of a side, one unit after the other in its owner's order (R23). False while he must choose.
    pub(crate) fn step_checks(&mut self, side: Side) -> bool {
        let rest = self.at().to_check(side);
        if rest.is_empty() {
            self.state.agenda.pop();
            return true;
        }
        if let Some(only) = rest.only() {
            self.check_morale(only);
            return true;
        }
        false
    }

    /// One unit checks: soft, it retreats one hex if it fails; harsh, one hex if it passes, and a D if it fails
    /// (13.1.n, 13.24.b).
    pub(crate) fn check_morale(&mut self, unit: Piece) {
        let harsh = self.state.fight.harsh.has(unit);
        let late = self.state.fight.late.has(unit);
        self.state.fight.soft.drop(unit);
        self.state.fight.harsh.drop(unit);
        let works = if self.at().solely_across_works(unit) { self.battle.charts.works_check } else { 0 };
        let more = (works, "attacked across fieldworks", cite!("13.5.b"));
        let rule = match (harsh, late) {
            (_, true) => cite!("13.24.b"),
            (true, false) => cite!("13.1.n"),
            _ => cite!("13.5.a"),
        };
        let passed = self.passes_morale(&Check { unit, what: "checks morale", rule, more });
        match (harsh, passed) {
            (false, true) => {}
            (false, false) | (true, true) => self.state.retreat_one(self.battle, unit),
            (true, false) => self.disrupt(unit),
        }
    }

    /// One piece out of several must be picked: whoever is alone is not asked about.
    pub(crate) fn step_choice(&mut self, from: Pieces) -> bool {
        if from.is_empty() {
            self.state.agenda.pop();
            return true;
        }
        let Some(only) = from.only() else { return false };
        self.pick_piece(only);
        true
    }

    /// A piece was picked, for whatever the step at hand asks.
    pub(crate) fn pick_piece(&mut self, piece: Piece) {
        match self.state.agenda.top() {
            Some(Step::Captive(..)) => {
                self.state.agenda.pop();
                self.capture(piece, cite!("13.1.m"));
            }
            Some(Step::SecondLoss(..)) => {
                self.state.agenda.pop();
                self.state.fight.soft.drop(piece);
                self.lose_step(piece);
            }
            Some(Step::Casualty(_)) => {
                self.state.agenda.pop();
                self.kill_leader(piece);
            }
            Some(Step::Toll(hit)) => self.state.agenda.replace(Step::Struck { unit: piece, hit }),
            Some(Step::Checks(_)) => self.check_morale(piece),
            Some(Step::Overstack(..)) => self.shed_for_room(piece),
            Some(Step::Straggling) => {
                self.state.waiting.drop(piece);
                self.disrupt(piece);
            }
            Some(Step::Withdrawing(..)) => {
                self.state.waiting.drop(piece);
                self.state.withdraw_next(self.battle, piece);
            }
            _ => {}
        }
    }

    /// Shattered units of both sides next to an enemy, without a Parade Order friend in their hex, are captured
    /// (13.4.d).
    pub(crate) fn shattered_captures(&mut self) {
        let caught: Pieces = (self.state.shattered & self.battle.all_units() & self.state.on_map())
            .filter(|&unit| {
                self.state
                    .hex(unit)
                    .is_some_and(|hex| !self.at().beside(!self.battle.side(unit), hex).is_empty())
                    && !self.at().has_steady_friend(unit)
            })
            .collect();
        self.state.netting = true;
        for unit in caught {
            self.capture(unit, cite!("13.4.d"));
        }
        self.settle_morale();
    }

    /// A volume's rule: militia that defended and stand must pass a check, or they go home.
    pub(crate) fn send_home(&mut self) {
        for unit in self.battle.roles.home_goers & self.state.defended & self.state.on_map() {
            let rule = cite!("guilford-court-house.b");
            let more = (self.battle.special.home_check, "raw militia after a fight", rule);
            if self.passes_morale(&Check { unit, what: "stands or goes home", rule, more }) {
                self.state.volleyed.add(unit);
            } else {
                self.dismiss(unit, cite!("guilford-court-house.b"));
            }
        }
    }
}

impl At<'_> {
    /// Units of a side that still have to check morale in this combat.
    pub(crate) fn to_check(self, side: Side) -> Pieces {
        (self.state.fight.soft | self.state.fight.harsh) & self.battle.units[side] & self.on_map()
    }

    /// Whom the step at hand asks to pick from; none where it asks for something else.
    pub(crate) fn pick(self, step: Step) -> Option<Pick> {
        let (from, rule, why) = match step {
            Step::Withdrawing(side, _) => {
                (self.to_withdraw(side), cite!("12.23.l"), "it is not among the units that withdraw")
            }
            Step::Captive(_, from) => {
                let own = from.meets(self.battle.units[self.state.phasing]);
                let rule = if own { cite!("13.1.m") } else { cite!("13.1.l") };
                (from, rule, "it is not a combat unit of the side that suffers the capture")
            }
            Step::SecondLoss(_, from) => {
                (from, cite!("13.1.j"), "the second step falls on another unit of the lead unit's hex")
            }
            Step::Casualty(from) => (from, cite!("3.1.c"), "he is not among the leaders present"),
            Step::Checks(side) => (self.to_check(side), cite!("13.1.b"), "it has no morale check to make"),
            Step::Toll(_) => (
                self.state.toll(),
                cite!("guilford-court-house.j"),
                "it is not one of the own units of this combat",
            ),
            Step::Straggling => (self.state.straggling(), cite!("13.3.f"), "it takes no further D"),
            _ => return None,
        };
        Some(Pick { from, rule, why })
    }

    /// Disrupted units of the phasing side that end their close combat phase next to a Parade Order enemy without a
    /// Parade Order friend in their hex (13.3.f, R38).
    pub(crate) fn stragglers(self) -> Pieces {
        (self.state.disrupted & self.battle.units[self.state.phasing] & self.on_map())
            .filter(|&unit| {
                let Some(hex) = self.hex(unit) else { return false };
                self.beside(!self.state.phasing, hex).meets(self.state.parade())
                    && !self.has_steady_friend(unit)
            })
            .collect()
    }

    fn has_steady_friend(self, unit: Piece) -> bool {
        let side = self.side(unit);
        self.hex(unit).is_some_and(|hex| {
            (self.units_in(hex, side) & self.state.parade()).meets(self.battle.units[side])
        })
    }
}

/// One piece out of several, and why no other.
pub(crate) struct Pick {
    from: Pieces,
    rule: game::Rule,
    why: &'static str,
}

impl Pick {
    pub(crate) fn check(&self, action: &Action) -> Allowed {
        match action {
            Action::Pick(piece) if self.from.has(*piece) => Ok(()),
            Action::Pick(_) => no(self.rule, self.why),
            _ => Err(No::other("one piece must be picked")),
        }
    }
}
