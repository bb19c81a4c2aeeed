//! 11. Defensive Artillery Fire, and what both kinds of fire share.

use game::words::does;
use game::{Allowed, Die, Effects, Entry, Kind, No, Place, RollNote, Sum, Test};
use hexmap::{Hex, HexSet};

use crate::action::Action;
use crate::at::{At, Run};
use crate::legal::no;
use crate::rules::results::{Effect, Hit};
use crate::rules::sequence::Step;
use crate::setup::battle::Battle;
use crate::setup::ground::Sight;
use crate::setup::pieces::{Piece, Pieces};
use crate::state::State;

impl At<'_> {
    /// Every hex that holds combat units (11.42.b).
    pub(crate) fn occupied(self) -> HexSet {
        (self.battle.all_units() & self.on_map()).filter_map(|u| self.hex(u)).collect()
    }

    /// Whether a gun may fire in this phase at all (11.1).
    fn may_bombard(self, gun: Piece) -> Allowed {
        if !self.battle.roles.artillery.has(gun) || self.hex(gun).is_none() {
            return no(cite!("11.1.a"), "only artillery on the map fires in this phase");
        }
        if !self.battle.units[!self.state.phasing].has(gun) {
            return no(cite!("11.1.a"), "only the non-phasing player's artillery fires");
        }
        if self.state.acted.has(gun) {
            return no(cite!("11.1.c"), "it has fired in this phase");
        }
        self.state.may_fire_in_its_order(gun)
    }

    /// Whether a gun reaches and sees a hex (11.2.a, 11.2.d, 11.41.a).
    pub(crate) fn may_reach(self, gun: Piece, at: Hex, occupied: &HexSet) -> Allowed {
        let Some(from) = self.hex(gun) else { return Err(No::other("the gun is not on the map")) };
        let (far, range) = (self.battle.ground.grid.distance(from, at), self.battle.charts.artillery_range);
        if far > range.into() {
            return Err(No::short(
                cite!("11.2.d"),
                "the target is out of range",
                far.min(99) as i16,
                range.into(),
            ));
        }
        if self.battle.roles.indirect.has(gun) {
            return Ok(());
        }
        match self.battle.ground.sight(&self.battle.charts, from, at, occupied) {
            Sight::Clear => Ok(()),
            Sight::Terrain => no(cite!("11.42.a"), "blocking terrain lies in the line of sight"),
            Sight::Unit => no(cite!("11.42.b"), "a hex with combat units lies in the line of sight"),
            Sight::Slope => no(cite!("11.43.b"), "a slope lies in the line of sight"),
        }
    }

    /// Enemy units in a hex that may still be fired on in this phase.
    pub(crate) fn fire_targets(self, at: Hex, by: game::Side) -> Pieces {
        self.units_in(at, !by) - self.state.targeted
    }

    pub(crate) fn offer_bombardments(self, out: &mut Vec<Action>) {
        let side = !self.state.phasing;
        let ready: Pieces = (self.battle.roles.artillery & self.battle.units[side])
            .filter(|&g| self.may_bombard(g).is_ok())
            .collect();
        if !ready.is_empty() {
            let occupied = self.occupied();
            let foes: HexSet =
                (self.battle.units[!side] & self.on_map()).filter_map(|u| self.hex(u)).collect();
            for at in foes {
                if self.fire_targets(at, side).is_empty() {
                    continue;
                }
                let able: Pieces = ready.filter(|&g| self.may_reach(g, at, &occupied).is_ok()).collect();
                out.extend(able.subsets().map(|guns| Action::Bombard { guns, at }));
            }
        }
        out.push(Action::Done);
    }

    /// Whether any gun has anything to fire at.
    pub(crate) fn anybody_may_bombard(self) -> bool {
        let side = !self.state.phasing;
        let ready: Pieces = (self.battle.roles.artillery & self.battle.units[side])
            .filter(|&g| self.may_bombard(g).is_ok())
            .collect();
        if ready.is_empty() {
            return false;
        }
        let occupied = self.occupied();
        (self.battle.units[!side] & self.on_map())
            .filter(|&u| !self.state.targeted.has(u))
            .filter_map(|u| self.hex(u))
            .any(|at| {
                let mut guns = ready;
                guns.any(|g| self.may_reach(g, at, &occupied).is_ok())
            })
    }

    pub(crate) fn check_bombardment(self, action: &Action) -> Allowed {
        match *action {
            Action::Bombard { guns, at } => self.check_guns(guns, at),
            Action::Done => Ok(()),
            _ => Err(No::other("this is the defensive artillery fire phase")),
        }
    }

    fn check_guns(self, guns: Pieces, at: Hex) -> Allowed {
        if guns.is_empty() || at.index() >= self.battle.ground.grid.len() {
            return Err(No::other("no gun, or no hex of the map, was named"));
        }
        let occupied = self.occupied();
        for gun in guns {
            if gun.index() >= self.battle.counters.len() {
                return Err(No::other("there is no such piece"));
            }
            self.may_bombard(gun)?;
            self.may_reach(gun, at, &occupied)?;
        }
        self.check_fire_targets(at, !self.state.phasing, cite!("11.2.a"), cite!("11.2.b"))
    }

    pub(crate) fn check_fire_targets(
        self,
        at: Hex,
        by: game::Side,
        none: game::Rule,
        spent: game::Rule,
    ) -> Allowed {
        if self.units_in(at, !by).is_empty() {
            return no(none, "no enemy combat unit is there");
        }
        if self.fire_targets(at, by).is_empty() {
            return no(spent, "every unit there has been fired on in this phase");
        }
        Ok(())
    }

    pub(crate) fn check_target(self, by: Pieces, at: Hex, rifles: bool, action: &Action) -> Allowed {
        let Action::Target(unit) = *action else { return Err(No::other("the target in the hex is picked")) };
        if self.fire_targets(at, self.battle.firing_side(by)).has(unit) {
            return Ok(());
        }
        let rule = match (self.state.targeted.has(unit), rifles) {
            (true, true) => cite!("10.2.c"),
            (true, false) => cite!("11.2.b"),
            (false, true) => cite!("10.2.b"),
            (false, false) => cite!("11.2.a"),
        };
        no(
            rule,
            "the target must be an enemy combat unit of that hex that has not been fired on in this phase",
        )
    }

    /// Every modifier of a roll to hit.
    pub(crate) fn fire_sum(self, by: Pieces, target: Piece, rifles: bool) -> Sum {
        let At { battle, state } = self;
        let chart = &battle.charts.fire;
        let mut sum = Sum::new();
        let first = rifles && by.within(state.unfired);
        sum.add_if(first, chart.first_fire.into(), "first fire", cite!("10.5.a"));
        sum.add(self.fire_terrain(by, target).into(), "the target's ground", fire_rules(rifles).0);
        sum.add_if(battle.rains(state.turn), chart.rain.into(), "rain", cite!("1.c"));
        let dusk = battle.is_dusk(state.turn);
        sum.add_if(dusk, battle.special.dusk.into(), "dusk", cite!("freemans-farm.k"));
        sum
    }

    /// Cover, works and slope together, never below the floor; a shattered target gets nothing from its ground
    /// (13.4.c).
    fn fire_terrain(self, by: Pieces, target: Piece) -> i8 {
        let chart = &self.battle.charts.fire;
        let Some(at) = self.hex(target).filter(|_| !self.state.shattered.has(target)) else { return 0 };
        let here = self.units_in(at, self.side(target)) - self.battle.roles.artillery;
        let cover = [chart.light_forest, chart.orchard, chart.heavy_forest, chart.building];
        let mut terrain = self.cover(at, here, cover);
        let all = |test: &dyn Fn(Hex) -> bool| by.filter_map(|u| self.hex(u)).all(test);
        if all(&|from| self.battle.ground.enters_works(from, at)) {
            terrain += chart.into_fieldworks;
        }
        if all(&|from| self.battle.ground.up_slope(at, from)) {
            terrain += chart.target_up_slope;
        }
        terrain.max(chart.terrain_floor)
    }
}

impl State {
    pub(crate) fn may_fire_in_its_order(&self, unit: Piece) -> Allowed {
        if self.disrupted.has(unit) {
            return no(cite!("13.3.e"), "it is disrupted");
        }
        if self.shattered.has(unit) {
            return no(cite!("13.4.b"), "it is shattered");
        }
        Ok(())
    }
}

impl<F: Effects> Run<'_, F> {
    /// Fire is committed to a hex; its stack may now be examined (7.42.b), and one unit is picked.
    pub(crate) fn commit_fire(&mut self, by: Pieces, at: Hex, rifles: bool) {
        let side = self.battle.firing_side(by);
        self.state.acted |= by;
        self.examine_stack(side, at);
        self.state.show_firing(self.battle, by);
        self.state.agenda.push(Step::Aiming { by, at, rifles });
    }

    pub(crate) fn step_aiming(&mut self, by: Pieces, at: Hex, rifles: bool) -> bool {
        let marks = self.at().fire_targets(at, self.battle.firing_side(by));
        if marks.is_empty() {
            // The stack turns out to be leaders alone: the fire hits nobody.
            self.state.agenda.pop();
            return true;
        }
        let Some(only) = marks.only() else { return false };
        self.aim(by, only, rifles);
        true
    }

    pub(crate) fn aim(&mut self, by: Pieces, target: Piece, rifles: bool) {
        self.state.agenda.pop();
        self.state.targeted.add(target);
        if rifles {
            self.announce_shot(by, target);
            return;
        }
        let hit = self.fire(by, target, false);
        self.state.netting = true;
        self.state.agenda.push(Step::Settle);
        self.state.agenda.push(Step::Struck { unit: target, hit });
    }

    /// One fire: to hit, then damage (10.3, 11.3).
    pub(crate) fn fire(&mut self, by: Pieces, target: Piece, rifles: bool) -> Hit {
        match self.state.hex(target) {
            Some(at) if self.hits(by, target, at, rifles) => self.damage(by, target, at, rifles),
            _ => Hit::NOTHING,
        }
    }

    /// The roll to hit.
    fn hits(&mut self, by: Pieces, target: Piece, at: Hex, rifles: bool) -> bool {
        let (here, fx) = self.parts();
        let sp: u8 = by.map(|u| here.fire_strength(u)).sum();
        let ranges =
            by.filter_map(|u| here.hex(u)).map(|hex| here.battle.ground.grid.distance(hex, at) as u8);
        let range = ranges.max().unwrap_or(1);
        let sum = here.fire_sum(by, target, rifles);
        let need = i16::from(here.battle.charts.to_hit(sp, range)) - sum.total();
        let test = Test::at_least(Die::Z10, need);
        let note = || {
            let names: Vec<&str> = by.map(|u| here.counter(u).name.as_str()).collect();
            let (who, whom) = (fire_words(&names), &here.counter(target).name);
            let title = format!("{who} at {whom} with {sp} SP at range {range}");
            let mut note = RollNote::new(title, fire_rules(rifles).0)
                .side(here.battle.firing_side(by))
                .at(target.id())
                .modifiers(sum.modifiers());
            note.by = by.first().map(Piece::id);
            note
        };
        if rifles && here.fires_twice(by, at) { fx.count(2, test, note) > 0 } else { fx.passes(test, note) }
    }

    /// The roll for damage.
    fn damage(&mut self, by: Pieces, target: Piece, at: Hex, rifles: bool) -> Hit {
        let (here, fx) = self.parts();
        let (battle, rule) = (here.battle, fire_rules(rifles).1);
        let table = if rifles { &battle.charts.rifle_damage } else { &battle.charts.artillery_damage };
        let who = &battle.counter(target).name;
        let face = fx.die(Die::Z10, || {
            let mut note = RollNote::new(format!("Damage to {who}"), rule)
                .outcomes(table.iter().map(|hit| format!("{}, {}", hit.words(), hit.told("the target"))))
                .side(battle.firing_side(by))
                .at(target.id());
            note.by = by.first().map(Piece::id);
            note
        });
        let damage = table[usize::from(face)];
        fx.tell(|| {
            Entry::new(Kind::Fire, format!("{}: {}.", does(who, "is hit"), damage.told("it")))
                .side(battle.side(target))
                .rule(rule)
                .piece(target.id())
                .place(Place::Hex(battle.hex_name(at)))
        });
        damage
    }

    /// The target of a fire suffers what the damage table says; nobody else of the hex but a leader (10.3.d, 13.1.ac).
    pub(crate) fn struck(&mut self, unit: Piece, hit: Hit) {
        self.state.agenda.pop();
        let leaders = self
            .state
            .hex(unit)
            .map_or(Pieces::NONE, |hex| self.state.in_hex(hex) & self.battle.leaders[self.battle.side(unit)]);
        if hit.star {
            self.state.agenda.push(Step::Casualty(leaders));
        }
        match hit.effect {
            Effect::ArmyMorale => self.am_result(unit),
            Effect::Retreat => self.state.retreat_one(self.battle, unit),
            Effect::Disrupt => self.disrupt(unit),
            Effect::Step => self.one_step(unit),
            Effect::TwoSteps => {
                for _ in 0..self.at().steps(unit) {
                    self.one_step(unit);
                }
            }
            _ => {}
        }
    }
}

impl Battle {
    /// Whose fire it is.
    pub(crate) fn firing_side(&self, by: Pieces) -> game::Side {
        if by.meets(self.units.first) { game::Side::First } else { game::Side::Second }
    }
}

/// The rules that the rolls of a fire cite: to hit, then damage.
fn fire_rules(rifles: bool) -> (game::Rule, game::Rule) {
    if rifles { (cite!("10.3.b"), cite!("10.3.c")) } else { (cite!("11.3.a"), cite!("11.3.b")) }
}

/// `9th Foot fires`, `A and B fire`.
pub(crate) fn fire_words(names: &[&str]) -> String {
    match names {
        [one] => does(one, "fires"),
        [first @ .., last] => format!("{} and {last} fire", first.join(", ")),
        [] => "Nobody fires".into(),
    }
}
