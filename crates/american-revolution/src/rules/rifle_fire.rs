//! 10. Rifle Fire.

use game::{Allowed, Effects, Entry, Kind, No, Side};
use hexmap::{Hex, HexSet};

use crate::action::Action;
use crate::at::{At, Run};
use crate::legal::no;
use crate::rules::results::{Effect, Hit};
use crate::rules::sequence::Step;
use crate::setup::battle::Battle;
use crate::setup::pieces::{Piece, Pieces};
use crate::state::{Shot, State};

impl At<'_> {
    /// Whether a rifle unit of that side may still shoot in this phase (10.1).
    fn may_shoot(self, side: Side, unit: Piece) -> Allowed {
        if !self.battle.roles.rifles.has(unit)
            || !self.battle.units[side].has(unit)
            || self.hex(unit).is_none()
        {
            return no(cite!("10.1.a"), "only the side's own rifle units on the map fire");
        }
        if self.state.acted.has(unit) {
            return no(cite!("10.1.c"), "it has fired in this phase");
        }
        self.state.may_fire_in_its_order(unit)
    }

    fn rifles_ready(self, side: Side) -> Pieces {
        (self.battle.roles.rifles & self.battle.units[side])
            .filter(|&u| self.may_shoot(side, u).is_ok())
            .collect()
    }

    fn rifle_reaches(self, unit: Piece, at: Hex) -> bool {
        self.hex(unit).is_some_and(|from| self.battle.ground.adjacent(from, at))
    }

    /// Whether any rifle unit of the side has an enemy beside it.
    pub(crate) fn anybody_may_shoot(self, side: Side) -> bool {
        let mut rifles = self.rifles_ready(side);
        rifles.any(|unit| {
            (self.battle.units[!side] & self.on_map())
                .filter(|&u| !self.state.targeted.has(u))
                .any(|u| self.hex(u).is_some_and(|at| self.rifle_reaches(unit, at)))
        })
    }

    pub(crate) fn offer_volleys(self, side: Side, out: &mut Vec<Action>) {
        let ready = self.rifles_ready(side);
        let foes: HexSet = (self.battle.units[!side] & self.on_map()).filter_map(|u| self.hex(u)).collect();
        for at in foes {
            if self.fire_targets(at, side).is_empty() {
                continue;
            }
            let able: Pieces = ready.filter(|&u| self.rifle_reaches(u, at)).collect();
            out.extend(able.subsets().map(|rifles| Action::Shoot { rifles, at }));
        }
        out.push(Action::Done);
    }

    pub(crate) fn check_volley(self, side: Side, action: &Action) -> Allowed {
        let (rifles, at) = match *action {
            Action::Shoot { rifles, at } => (rifles, at),
            Action::Done => return Ok(()),
            _ => return Err(No::other("this is the rifle fire phase")),
        };
        if rifles.is_empty() || at.index() >= self.battle.ground.grid.len() {
            return Err(No::other("no rifle unit, or no hex of the map, was named"));
        }
        for unit in rifles {
            if unit.index() >= self.battle.counters.len() {
                return Err(No::other("there is no such piece"));
            }
            self.may_shoot(side, unit)?;
            if !self.rifle_reaches(unit, at) {
                return no(cite!("10.2.b"), "rifles fire at adjacent units only");
            }
        }
        self.check_fire_targets(at, side, cite!("10.2.b"), cite!("10.2.c"))
    }

    /// Whether Jaegers roll twice: each in covered terrain, each with an open flank (10.7.a, R54, R55).
    pub(crate) fn fires_twice(self, by: Pieces, at: Hex) -> bool {
        let mut units = by;
        by.within(self.battle.roles.jaegers)
            && units.all(|unit| {
                let Some(from) = self.hex(unit) else { return false };
                let arm = self.counter(unit).arm;
                self.battle.ground.terrain[from.index()].is_covered()
                    && self.battle.hexes_next_to_both(from, at).any(|hex| {
                        self.in_hex(hex).is_empty() && self.battle.ground.may_enter(arm, from, hex)
                    })
            })
    }
}

impl<F: Effects> Run<'_, F> {
    /// A target is named; nothing is rolled before both sides have named theirs (10.2.a, 10.4.a).
    pub(crate) fn announce_shot(&mut self, by: Pieces, target: Piece) {
        self.state.shots.push(Shot { by, at: target, hit: Hit::NOTHING });
        self.fx.tell(|| {
            let names: Vec<&str> = by.map(|u| self.battle.counter(u).name.as_str()).collect();
            let mut entry = Entry::new(
                Kind::Fire,
                format!("{} will fire at {}.", names.join(", "), self.battle.counter(target).name),
            )
            .side(self.battle.side(target).enemy())
            .rule(cite!("10.2.a"));
            entry.pieces.extend(by.map(Piece::id).chain([target.id()]));
            entry
        });
    }

    /// All fires of both sides are rolled before any takes effect (10.4.a).
    pub(crate) fn resolve_volleys(&mut self) {
        self.state.agenda.pop();
        let mut shots = std::mem::take(&mut self.state.shots);
        for shot in &mut shots {
            shot.hit = self.fire(shot.by, shot.at, true);
        }
        for shot in &shots {
            self.state.unfired -= shot.by;
        }
        shots.retain(|shot| shot.hit != Hit::NOTHING);
        if shots.is_empty() {
            return;
        }
        self.state.shots = shots;
        self.state.netting = true;
        self.state.agenda.push(Step::Settle);
        self.state.agenda.push(Step::Hits);
    }
}

impl State {
    /// The hits take effect together: nobody retreats before everybody who falls has fallen, and then the non-phasing
    /// player's units go first (10.4.a, 10.4.b).
    pub(crate) fn step_hits(&mut self, battle: &Battle) {
        let turn = |shot: &Shot| match () {
            () if !self.drives_back(shot) => 0,
            () if battle.units[!self.phasing].has(shot.at) => 1,
            () => 2,
        };
        match (0..self.shots.len()).min_by_key(|&i| turn(&self.shots[i])) {
            Some(next) => {
                let shot = self.shots.remove(next);
                self.agenda.push(Step::Struck { unit: shot.at, hit: shot.hit });
            }
            None => drop(self.agenda.pop()),
        }
    }

    /// Whether a hit makes its target retreat.
    fn drives_back(&self, shot: &Shot) -> bool {
        match shot.hit.effect {
            Effect::Retreat => true,
            Effect::Disrupt => !self.shattered.has(shot.at),
            _ => false,
        }
    }

    /// Units that the volley has disrupted and that have not yet run: they control no zone any more (10.4.a, 8.1.a).
    pub(crate) fn reeling(&self) -> Pieces {
        self.shots.iter().filter(|shot| shot.hit.effect == Effect::Disrupt).map(|shot| shot.at).collect()
    }
}
