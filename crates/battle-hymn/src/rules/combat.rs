//! Chapter 6: the Combat Turn, its steps, and the retreats before and after it.

use game::log::Kind;
use game::{Allowed, Effects, No, Side};

use crate::action::Action;
use crate::at::{At, Run};
use crate::rules::zones::directions;
use crate::setup::battle::Battle;
use crate::setup::pieces::Arm;
use crate::state::{Causes, Id, NOWHERE, Retreat, State, Step, UnitSet};

impl At<'_> {
    /// The units of a side on the map.
    pub(crate) fn army(self, side: Side) -> UnitSet {
        self.state.on_map().and(self.battle.armies[side].units)
    }

    /// 6.1.1: whether a defending unit may try to withdraw.
    pub(crate) fn check_cavalry_retreat(self, id: Id) -> Allowed {
        let piece = self.piece(id);
        let over = if piece.on_map() { self.enemies_over(id) } else { 0 };
        if !matches!(self.arm_now(id), Arm::Cavalry | Arm::HorseArtillery) || over == 0 {
            let why = "Only mounted cavalry and horse artillery in an attacker's zone of control withdraw before combat.";
            return Err(No::new(cite!("6.1.1.a"), why));
        }
        if self.state.tried.contains(id) {
            return Err(No::new(cite!("6.1.1.c"), "It has tried in this Combat Turn."));
        }
        let pinned = self.units_in(piece.hex, over).into_iter().any(|u| self.arm_now(u) == Arm::Cavalry);
        if pinned {
            return Err(No::new(cite!("6.1.1.b"), "Enemy cavalry has it in its zone of control."));
        }
        if !self.has_path_of_retreat(id, self.state.causes_of_cavalry_retreat(id)) {
            return Err(No::new(cite!("7.4.g"), "No path of retreat is open to it."));
        }
        Ok(())
    }

    /// 7.5.c: the defenders it withdraws from.
    fn causes_of_withdrawal(self, id: Id) -> Causes {
        let hex = self.piece(id).hex;
        Causes { at: hex, directions: self.adjacent_to(self.side(id).enemy(), hex) }
    }

    /// 6.1.3: whether an attacking unit may withdraw.
    pub(crate) fn check_withdrawal(self, id: Id) -> Allowed {
        if !self.piece(id).on_map() || self.causes_of_withdrawal(id).directions == 0 {
            return Err(No::new(
                cite!("6.1.3.a"),
                "It is neither next to an enemy nor in an enemy zone of control.",
            ));
        }
        if self.state.retreated.contains(id) {
            return Err(No::new(cite!("6.1.3.b"), "It has withdrawn in this Combat Turn."));
        }
        if !self.has_path_of_retreat(id, self.causes_of_withdrawal(id)) {
            return Err(No::new(cite!("7.4.g"), "No path of retreat is open to it."));
        }
        Ok(())
    }

    /// As if it withdrew before combat now.
    pub(crate) fn imagined_withdrawal(self, id: Id) -> Retreat {
        self.state.new_retreat(id, self.causes_of_withdrawal(id), true)
    }

    /// 6.1.8.b, 6.1.d: attackers that must go: in a defender's zone, without having advanced.
    pub(crate) fn must_fall_back(self) -> UnitSet {
        let all = self.army(self.state.attacking_side()).without(self.state.advanced);
        let units = match self.state.agenda.top() {
            Some(Step::Sweep) => all.without(self.state.retreated),
            _ => all.and(self.state.members),
        };
        units.into_iter().filter(|&id| self.is_in_enemy_zone(id)).collect()
    }

    /// 6.1.8.c: attackers that may go: next to a defender, but in no zone, after a second Round.
    pub(crate) fn may_fall_back(self) -> UnitSet {
        if self.state.agenda.top() != Some(Step::FallBack) || self.state.round < 2 {
            return UnitSet::EMPTY;
        }
        let units = self
            .army(self.state.attacking_side())
            .and(self.state.members)
            .without(self.state.advanced)
            .without(self.state.settled);
        let may = |id: &Id| {
            let causes = self.causes_of_withdrawal(*id);
            causes.directions != 0 && !self.is_in_enemy_zone(*id) && self.has_path_of_retreat(*id, causes)
        };
        units.into_iter().filter(may).collect()
    }

    /// `pass` at the end of an Engagement or a Combat Turn.
    pub(crate) fn check_stay(self, step: Step) -> Allowed {
        if self.must_fall_back().is_empty() {
            return Ok(());
        }
        let why = "Attackers in a defender's zone of control that have not advanced must fall back.";
        Err(No::new(if step == Step::Sweep { cite!("6.1.d") } else { cite!("6.1.8.b") }, why))
    }

    /// `fallback`.
    pub(crate) fn check_fall_back(self, id: Id) -> Allowed {
        if self.must_fall_back().contains(id) || self.may_fall_back().contains(id) {
            return Ok(());
        }
        if self.state.advanced.contains(id) {
            return Err(No::new(cite!("6.1.7.i"), "It has advanced after combat and holds its ground."));
        }
        let why = "Only attackers in a defender's zone of control, or next to a defender after a second Round, fall back.";
        Err(No::new(cite!("6.1.8.b"), why))
    }

    /// Offers of `fallback`; the end only when nobody is bound to go.
    pub(crate) fn offer_falling_back(self, out: &mut Vec<Action>) {
        let must = self.must_fall_back();
        out.extend(must.or(self.may_fall_back()).into_iter().map(|unit| Action::FallBack { unit }));
        if must.is_empty() {
            out.push(Action::Pass);
        }
    }
}

impl<'a> At<'a> {
    /// The defenders who may still try.
    pub(crate) fn cavalry_retreats(self) -> impl Iterator<Item = Id> + 'a {
        let defenders = self.army(self.state.attacking_side().enemy()).without(self.state.tried);
        defenders.into_iter().filter(move |&id| {
            matches!(self.arm_now(id), Arm::Cavalry | Arm::HorseArtillery)
                && self.check_cavalry_retreat(id).is_ok()
        })
    }

    /// The attackers who may withdraw.
    pub(crate) fn withdrawals(self) -> impl Iterator<Item = Id> + 'a {
        let attackers = self.army(self.state.attacking_side()).without(self.state.retreated);
        attackers.into_iter().filter(move |&id| self.check_withdrawal(id).is_ok())
    }
}

impl<F: Effects> Run<'_, F> {
    pub(crate) fn cavalry_retreat(&mut self, id: Id) {
        self.state.tried.insert(id);
        let causes = self.state.causes_of_cavalry_retreat(id);
        if self.passes_check(id, "tries to slip away before combat", cite!("6.1.1.c")) {
            self.state.screened.insert(self.state.piece(id).hex);
            self.state.begin_retreat(id, causes, true);
        }
    }

    pub(crate) fn withdraw(&mut self, id: Id) {
        let causes = self.at().causes_of_withdrawal(id);
        self.state.begin_retreat(id, causes, true);
    }

    /// R35, R36: compulsory from the zones it stands in, by choice from the defenders next to it.
    pub(crate) fn fall_back(&mut self, id: Id) {
        self.state.settled.insert(id);
        let over = self.at().enemies_over(id);
        if over != 0 {
            self.fx.tell(|| {
                let hex = self.state.piece(id).hex;
                let mut entry = self
                    .battle
                    .entry(
                        Kind::Note,
                        id,
                        format!("{} back: it has not advanced.", self.battle.does(id, "falls")),
                        cite!("6.1.8.b"),
                    )
                    .place(self.battle.place(hex));
                entry.pieces.extend(
                    directions(over)
                        .filter_map(|d| self.state.at(self.battle.ground.beyond[hex.index()][d]))
                        .map(Id::piece),
                );
                entry
            });
            self.state.begin_retreat(id, Causes { at: self.state.piece(id).hex, directions: over }, false);
        } else {
            self.withdraw(id);
        }
    }
}

impl State {
    /// 6.1.c: the steps of a Combat Turn, each of which takes itself off the agenda when it is done.
    pub(crate) fn begin_combat_turn(&mut self, battle: &Battle, attacker: Side) {
        self.attacker = Some(attacker);
        self.forget_turn();
        self.note_who_presses(battle);
        for step in
            [Step::Sweep, Step::Engage, Step::Approach, Step::Withdraw, Step::Bombard, Step::CavalryRetreat]
        {
            self.agenda.push(step);
        }
    }

    /// After step 7 nothing of the Turn is remembered, so that positions that look alike are alike.
    pub(crate) fn end_combat_turn(&mut self) {
        self.attacker = None;
        self.agenda.pop();
        self.forget_turn();
    }

    fn forget_turn(&mut self) {
        self.members = UnitSet::EMPTY;
        self.fought = UnitSet::EMPTY;
        self.bombarded = UnitSet::EMPTY;
        self.advanced = UnitSet::EMPTY;
        self.advanced_now = UnitSet::EMPTY;
        self.retreated = UnitSet::EMPTY;
        self.tried = UnitSet::EMPTY;
        self.fired_in_two = UnitSet::EMPTY;
        self.screened.clear();
        self.forget_fire();
    }

    /// Nobody has fired in this step yet.
    pub(crate) fn forget_fire(&mut self) {
        self.settled = UnitSet::EMPTY;
        for piece in &mut self.pieces[..usize::from(self.units)] {
            if piece.on_map() {
                (piece.was, piece.shot_from, piece.shot_into, piece.extra) = (NOWHERE, 0, 0, 0);
            }
        }
    }

    /// The side whose Combat Turn it is (6.1.a).
    pub(crate) fn attacking_side(&self) -> Side {
        self.attacker.unwrap_or(Side::First)
    }

    /// 7.5.b: the attackers in whose zones the defender's cavalry begins the Turn; they cause its retreat though they may be
    /// gone when it comes to it.
    pub(crate) fn note_who_presses(&mut self, battle: &Battle) {
        for id in At::new(battle, self).army(self.attacking_side().enemy()) {
            if matches!(At::new(battle, self).arm_now(id), Arm::Cavalry | Arm::HorseArtillery) {
                self.piece_mut(id).shot_from = At::new(battle, self).enemies_over(id);
            }
        }
    }

    fn causes_of_cavalry_retreat(&self, id: Id) -> Causes {
        Causes { at: self.piece(id).hex, directions: self.piece(id).shot_from }
    }

    /// Step 1 is over.
    pub(crate) fn end_cavalry_retreats(&mut self) {
        self.agenda.pop();
        self.forget_fire();
    }
}
