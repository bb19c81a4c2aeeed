//! 6.1.5 to 6.1.9: Engagements, their Rounds, and who fires at whom.

use arrayvec::ArrayVec;
use game::log::Kind;
use game::words::does;
use game::{Allowed, Effects, Entry, No, RollNote, Side};

use crate::action::Action;
use crate::at::{At, Run};
use crate::rules::zones::{directions, opposite};
use crate::state::{FireOf, Id, MAX_UNITS, State, Step, UnitSet};

/// Groups of units, in file order of their first attacker.
pub(crate) type Groups = ArrayVec<UnitSet, MAX_UNITS>;

impl At<'_> {
    /// 6.1.6.a: the defenders, not yet fought out, whose zones cover an attacker.
    fn compulsory_targets(self, id: Id) -> u8 {
        let hex = self.piece(id).hex;
        let mask = self.enemies_over(id);
        directions(mask)
            .filter(|&d| {
                self.state
                    .at(self.ground().beyond[hex.index()][d])
                    .is_some_and(|u| !self.state.fought.contains(u))
            })
            .fold(0, |m, d| m | 1 << d)
    }

    /// The compulsory Engagements a side still has to fight (R27).
    pub(crate) fn engagements(self, side: Side) -> Groups {
        let mut groups = Groups::new();
        for id in self.army(side).without(self.state.fought) {
            let targets = self.compulsory_targets(id);
            if targets == 0 {
                continue;
            }
            let mut group = self.units_in(self.piece(id).hex, targets);
            group.insert(id);
            // Whatever it touches becomes one group.
            groups.retain(|other| {
                let touches = !other.and(group).is_empty();
                if touches {
                    group = group.or(*other);
                }
                !touches
            });
            groups.push(group);
        }
        let own = self.battle.armies[side].units;
        groups.sort_unstable_by_key(|g| g.and(own).first());
        groups
    }

    /// Visits each pair of an attacker and a defender next to it in whose zone it does not stand, neither fought out.
    fn each_pair(self, mut visit: impl FnMut(Id, Id)) {
        let side = self.state.attacking_side();
        // R21: guns that bombarded take no optional combat.
        for a in self.army(side).without(self.state.bombarded).without(self.state.fought) {
            let hex = self.piece(a).hex;
            let outside = self.adjacent_to(side.enemy(), hex) & !self.enemies_over(a);
            for d in directions(outside) {
                if let Some(defender) = self.state.at(self.ground().beyond[hex.index()][d])
                    && !self.state.fought.contains(defender)
                {
                    visit(a, defender);
                }
            }
        }
    }

    /// The pairs that belong to the decision at hand.
    fn each_option(self, mut visit: impl FnMut(Id, Id)) {
        let owing = if self.state.round == 1 { UnitSet::EMPTY } else { self.owing() };
        if self.state.agenda.top() == Some(Step::Engage) {
            return self.each_pair(|a, d| {
                if !owing.contains(a) && !owing.contains(d) {
                    visit(a, d);
                }
            });
        }
        self.each_pair(|a, d| {
            if self.state.may_opt(owing, a, d) && !self.fires_at(a, d) {
                visit(a, d);
            }
        });
    }

    /// The units that still have a compulsory Engagement to fight, other than the one under way.
    fn owing(self) -> UnitSet {
        let groups = self.engagements(self.state.attacking_side());
        groups.into_iter().fold(UnitSet::EMPTY, UnitSet::or).without(self.state.members)
    }

    fn has_options(self) -> bool {
        let mut any = false;
        self.each_option(|_, _| any = true);
        any
    }

    /// Whether one unit has already named the other as its target.
    fn fires_at(self, firer: Id, target: Id) -> bool {
        let hex = self.piece(firer).hex;
        let direction = self.ground().direction(hex, self.piece(target).hex);
        direction.is_some_and(|d| self.piece(firer).shot_into & 1 << d != 0)
    }

    pub(crate) fn offer_engagements(self, out: &mut Vec<Action>) {
        let own = self.battle.armies[self.state.attacking_side()].units;
        let groups = self.engagements(self.state.attacking_side());
        out.extend(groups.iter().filter_map(|g| g.and(own).first()).map(|unit| Action::Engage { unit }));
        self.each_option(|unit, at| out.push(Action::Attack { unit, at }));
        if groups.is_empty() {
            out.push(Action::Pass);
        }
    }

    /// `engage`.
    pub(crate) fn check_engage(self, unit: Id) -> Allowed {
        if self.state.fought.contains(unit) {
            return Err(No::new(cite!("6.1.5.b"), "It has fought its engagement of this Combat Turn."));
        }
        if self.engagements(self.state.attacking_side()).iter().any(|g| g.contains(unit)) {
            return Ok(());
        }
        Err(No::new(cite!("6.1.5.a"), "No attacker stands in a zone of control that would bind it."))
    }

    /// `attack`: an optional attack.
    pub(crate) fn check_attack(self, unit: Id, at: Id) -> Allowed {
        let mut found = false;
        self.each_option(|a, d| found |= (a, d) == (unit, at));
        if found {
            return Ok(());
        }
        if self.state.fought.contains(unit) || self.state.fought.contains(at) {
            return Err(No::new(cite!("6.1.5.b"), "A unit fights in one engagement of a Combat Turn."));
        }
        if self.state.bombarded.contains(unit) {
            return Err(No::new(cite!("6.3.a"), "It has bombarded in this Combat Turn."));
        }
        let mut next_to_it = false;
        self.each_pair(|a, d| next_to_it |= (a, d) == (unit, at));
        if !next_to_it {
            let why = "The choice is open to an attacker next to a defender in whose zone of control it does not stand.";
            return Err(No::new(cite!("6.1.5.c"), why));
        }
        if self.state.agenda.top() == Some(Step::Engage) {
            let why =
                "One of them has a compulsory engagement: choose that first, then add this attack to it.";
            return Err(No::new(cite!("6.1.5.c"), why));
        }
        if self.fires_at(unit, at) {
            return Err(No::new(cite!("6.1.7.d"), "This attack has been declared."));
        }
        if self.owing().contains(unit) {
            let why = "It still has an engagement of its own to fight, and a unit fights in one only.";
            return Err(No::new(cite!("6.1.5.b"), why));
        }
        let why = "The target is not in this engagement; only a unit that advanced may take on outsiders.";
        Err(No::new(cite!("8.2.b"), why))
    }

    /// `pass` over what may not be passed over.
    pub(crate) fn check_pass_over(self) -> Allowed {
        if self.engagements(self.state.attacking_side()).is_empty() {
            return Ok(());
        }
        let why = "Every defender whose zone of control reaches an attacker must be attacked.";
        Err(No::new(cite!("6.4.a"), why))
    }

    pub(crate) fn offer_attacks(self, out: &mut Vec<Action>) {
        self.each_option(|unit, at| out.push(Action::Attack { unit, at }));
        out.push(Action::Pass);
    }

    /// The defenders an attacker of the Engagement must fire on this Round (6.1.7.b, 8.2.a).
    pub(crate) fn bound_to_fire_on(self, id: Id) -> u8 {
        let hex = self.piece(id).hex;
        let mask = self.enemies_over(id);
        // Who has advanced is in Round Two: it fights no other Engagement.
        if self.state.advanced.contains(id) {
            return mask;
        }
        let member = |d: &usize| {
            self.state
                .at(self.ground().beyond[hex.index()][*d])
                .is_some_and(|u| self.state.members.contains(u))
        };
        directions(mask).filter(member).fold(0, |m, d| m | 1 << d)
    }
}

impl<F: Effects> Run<'_, F> {
    /// Steps 5 and 6 by themselves; false if the Attacker must choose.
    pub(crate) fn engage_step(&mut self) -> bool {
        let groups = self.at().engagements(self.state.attacking_side());
        if groups.is_empty() {
            if self.at().has_options() {
                return false;
            }
            self.state.agenda.pop();
            return true;
        }
        if self.battle.house.at_random {
            let drawn = match groups.len() {
                1 => 0,
                n => self.fx.draw(n, || {
                    let names = |group: &UnitSet| {
                        group.into_iter().map(|u| self.battle.name(u)).collect::<Vec<_>>().join(", ")
                    };
                    RollNote::new("Which engagement is next", cite!("3.1.b"))
                        .side(self.state.attacking_side())
                        .outcomes(groups.iter().map(names))
                }),
            };
            self.begin_engagement(groups[drawn]);
            return true;
        }
        if groups.len() == 1 && !self.at().has_options() {
            self.begin_engagement(groups[0]);
            return true;
        }
        false
    }

    /// The group a unit belongs to.
    pub(crate) fn engage(&mut self, unit: Id) {
        let groups = self.at().engagements(self.state.attacking_side());
        if let Some(&group) = groups.iter().find(|g| g.contains(unit)) {
            self.begin_engagement(group);
        }
    }

    /// `attack A Z` while no engagement is under way opens one.
    pub(crate) fn open_by_attack(&mut self, unit: Id, at: Id) {
        self.begin_engagement([unit, at].into_iter().collect());
        self.attack(unit, at);
    }

    fn begin_engagement(&mut self, members: UnitSet) {
        self.state.members = members;
        self.state.round = 1;
        self.state.advanced_now = UnitSet::EMPTY;
        self.state.forget_fire();
        self.state.agenda.push(Step::NextRound);
        self.state.agenda.push(Step::Options);
        self.fx.tell(|| {
            let own = self.battle.armies[self.state.attacking_side()].units;
            let names =
                |set: UnitSet| set.into_iter().map(|u| self.battle.name(u)).collect::<Vec<_>>().join(", ");
            let attackers = members.and(own);
            let who = match attackers.len() {
                1 => does(&names(attackers), "attacks"),
                _ => format!("{} attack", names(attackers)),
            };
            let text = format!("{who} {}.", names(members.without(own)));
            let mut entry =
                Entry::new(Kind::Time, text).side(self.state.attacking_side()).rule(cite!("6.1.5.a"));
            entry.pieces = members.into_iter().map(Id::piece).collect();
            entry
        });
    }

    /// An optional attack is declared; it draws in everything it touches.
    pub(crate) fn attack(&mut self, unit: Id, at: Id) {
        let direction = self.battle.ground.direction(self.state.piece(unit).hex, self.state.piece(at).hex);
        if let Some(d) = direction {
            self.state.piece_mut(unit).shot_into |= 1 << d;
        }
        if self.state.round == 2 {
            // 8.2.b: outsiders attacked now do not join.
            self.state.members.insert(unit);
        } else {
            let drawn_in = self.state.members.or([unit, at].into_iter().collect());
            self.state.members = grow(&self.at().engagements(self.state.attacking_side()), drawn_in);
        }
    }

    pub(crate) fn options_step(&mut self) -> bool {
        if self.at().has_options() {
            return false;
        }
        self.state.agenda.replace(Step::Aim);
        true
    }

    /// All targets of the Round: each attacker's, and in return each defender's (R28, R32).
    pub(crate) fn aim(&mut self) {
        self.state.agenda.pop();
        let mut anybody = false;
        for id in self.at().army(self.state.attacking_side()).and(self.state.members) {
            let targets = self.state.piece(id).shot_into | self.at().bound_to_fire_on(id);
            let hex = self.state.piece(id).hex;
            self.state.piece_mut(id).shot_into = targets;
            self.state.piece_mut(id).was = hex;
            for d in directions(targets) {
                if let Some(target) = self.state.at(self.battle.ground.beyond[hex.index()][d]) {
                    let fires_back = !self.state.has_fired_in(target);
                    let back = self.state.piece_mut(target);
                    back.was = back.hex;
                    back.shot_into |= u8::from(fires_back) << opposite(d);
                    anybody = true;
                }
            }
        }
        if !anybody {
            // R31: a second Round that rests on options alone is not fought when they are declined. It has passed all the
            // same: who declined may fall back (6.1.8.c).
            self.tell_of_silence();
            self.state.agenda.replace(Step::FallBack);
            return;
        }
        let side = self.state.attacking_side();
        self.state.agenda.push(Step::Advance);
        self.state.agenda.push(Step::Checks(FireOf::Round, side));
        self.state.agenda.push(Step::Checks(FireOf::Round, side.enemy()));
        self.state.agenda.push(Step::Fire(FireOf::Round, Id(0), 0));
        self.state.agenda.push(Step::Split(FireOf::Round));
    }

    fn tell_of_silence(&mut self) {
        self.fx.tell(|| {
            Entry::new(Kind::Time, "Nobody fires in Round Two.".to_owned())
                .side(self.state.attacking_side())
                .rule(cite!("6.1.8.a"))
        });
    }

    /// 6.1.8: a second Round if anybody can still fire, else the end of the Engagement.
    pub(crate) fn next_round(&mut self) {
        let first = self.state.round == 1;
        self.state.advanced_now = UnitSet::EMPTY;
        self.state.forget_fire();
        if first && self.second_round() {
            self.state.agenda.push(Step::Options);
        } else {
            self.state.agenda.replace(Step::FallBack);
        }
    }

    /// 6.1.8.a, told as Round Two if it is to be fought.
    fn second_round(&mut self) -> bool {
        self.state.round = 2;
        let own = self.at().army(self.state.attacking_side()).and(self.state.members);
        let fights = own.into_iter().any(|id| self.at().bound_to_fire_on(id) != 0) || self.at().has_options();
        if !fights {
            self.state.round = 1;
        }
        fights
    }
}

impl State {
    /// R30: whether a pair may fight by option in this Round. In Round One it may draw in another Engagement. In Round Two
    /// nobody joins who owes one of his own, and only an advance brings a member against an outsider (8.2).
    fn may_opt(&self, owing: UnitSet, attacker: Id, defender: Id) -> bool {
        let inside = |id: Id| self.members.contains(id);
        match self.round {
            2 => {
                (inside(defender) && (inside(attacker) || !owing.contains(attacker)))
                    || (inside(attacker) && self.advanced.contains(attacker))
            }
            _ => inside(attacker) || inside(defender),
        }
    }

    /// 6.3.a, R32: one fire in each Round of a Combat Turn; a defender attacked in two Round Twos answers in the first.
    fn has_fired_in(&self, id: Id) -> bool {
        self.round == 2 && self.fired_in_two.contains(id)
    }

    /// The Engagement is over; its units fight no other in this Combat Turn (6.1.5.b).
    pub(crate) fn end_engagement(&mut self) {
        self.fought = self.fought.or(self.members);
        self.members = UnitSet::EMPTY;
        self.settled = UnitSet::EMPTY;
        self.round = 0;
        self.agenda.pop();
    }
}

/// The group of a unit, grown to everything linked with it.
fn grow(groups: &Groups, members: UnitSet) -> UnitSet {
    let mut grown = members;
    for group in groups {
        if !group.and(grown).is_empty() {
            grown = grown.or(*group);
        }
    }
    grown
}
