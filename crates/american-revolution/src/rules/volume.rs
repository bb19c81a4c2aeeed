//! 1. What single volumes add to the series rules: grape into a melee, early releases, broken bridges.

use game::{Allowed, Effects, Entry, Kind, No, Place};

use crate::action::Action;
use crate::at::{At, Run};
use crate::legal::no;
use crate::rules::results::{Effect, Hit};
use crate::rules::sequence::Step;
use crate::setup::battle::Grape;
use crate::setup::pieces::{Piece, Pieces};
use crate::state::{Spot, State};

impl At<'_> {
    // Grape: guns fire into a close combat of their own side, and hit friend and foe alike.

    /// The guns that may fire into the close combat at hand: after a pin, or when the attacker must retreat, once a
    /// game.
    pub(crate) fn grape_at_hand(self) -> Option<Grape> {
        let grape = self.battle.special.grape.filter(|_| self.battle.house.grape && !self.state.graped)?;
        let [attacker, _] = self.result();
        let stalled = matches!(attacker.effect, Effect::Pin | Effect::Retreat);
        (stalled && self.side(grape.gun) == self.state.phasing).then_some(grape)
    }

    /// Whether the guns may fire at that unit of the combat.
    fn may_grape(self, unit: Piece) -> Allowed {
        let Some(grape) = self.grape_at_hand() else {
            return no(
                cite!("guilford-court-house.j"),
                "the scenario lets guns fire into a melee once, where it stalls",
            );
        };
        if !(self.state.fight.defenders & self.on_map()).has(unit) {
            return no(cite!("guilford-court-house.j"), "the target must be an enemy unit of this combat");
        }
        let (Some(from), Some(at)) = (self.hex(grape.gun), self.hex(unit)) else {
            return no(cite!("guilford-court-house.j"), "the guns are not on the map");
        };
        self.state.may_fire_in_its_order(grape.gun)?;
        if self.battle.ground.grid.distance(from, at) > grape.within.into() {
            return no(
                cite!("guilford-court-house.j"),
                "the scenario lets them fire into a melee close by only",
            );
        }
        self.may_reach(grape.gun, at, &self.occupied())
    }

    /// Whom the guns may fire at.
    pub(crate) fn grape_marks(self) -> Pieces {
        self.state.fight.defenders.filter(|&unit| self.may_grape(unit).is_ok()).collect()
    }

    pub(crate) fn check_grape(self, action: &Action) -> Allowed {
        match *action {
            Action::Target(unit) => self.may_grape(unit),
            Action::Done => Ok(()),
            _ => Err(No::other("the guns may fire into the melee, or hold their fire")),
        }
    }

    // Early release: a leader lets units go a turn before their time.

    /// Whether the release of that turn may be brought forward now.
    pub(crate) fn may_hasten(self, turn: u8) -> Allowed {
        let Some(hasten) = &self.battle.special.hasten else {
            return no(cite!("freemans-farm.d"), "the scenario brings no release forward");
        };
        if self.side(hasten.leader) != self.state.phasing || self.hex(hasten.leader).is_none() {
            return no(cite!("freemans-farm.d"), "the leader who may give this order is not in play");
        }
        if self.state.hastened().is_some() {
            return no(
                cite!("freemans-farm.d"),
                "a release has been brought forward already; it is done once",
            );
        }
        if !hasten.turns.contains(&turn) || self.state.turn + 1 != turn {
            return no(
                cite!("freemans-farm.d"),
                "only some releases may be brought forward, each by one turn",
            );
        }
        Ok(())
    }

    pub(crate) fn offer_hastening(self, out: &mut Vec<Action>) {
        let turns = self.battle.special.hasten.iter().flat_map(|hasten| &hasten.turns);
        out.extend(turns.filter(|&&turn| self.may_hasten(turn).is_ok()).map(|&turn| Action::Hasten(turn)));
    }

    /// Whether an order has let the piece go before its time.
    #[inline]
    pub(crate) fn is_hastened(self, piece: Piece) -> bool {
        self.state.hastened().is_some_and(|turn| self.counter(piece).free == Some(turn))
            && self.battle.special.hasten.as_ref().is_some_and(|h| self.side(h.leader) == self.side(piece))
    }
}

impl<F: Effects> Run<'_, F> {
    /// The guns fire; what they do to the enemy, one of their own suffers too.
    pub(crate) fn fire_grape(&mut self, target: Piece) {
        let Some(grape) = self.battle.special.grape else { return };
        self.state.agenda.pop();
        self.state.graped = true;
        let hit = self.fire(Pieces::one(grape.gun), target, false);
        if hit != Hit::NOTHING {
            self.state.agenda.push(Step::Toll(hit));
            self.state.agenda.push(Step::Struck { unit: target, hit });
        }
    }

    pub(crate) fn hasten(&mut self, turn: u8) {
        let Some(hasten) = &self.battle.special.hasten else { return };
        let side = self.state.phasing;
        self.state.hastened = turn;
        self.fx.tell(|| {
            let leader = &self.battle.counter(hasten.leader).name;
            Entry::new(Kind::Note, format!("{leader} lets the units of turn {turn} go a turn early."))
                .side(side)
                .rule(cite!("freemans-farm.d"))
                .piece(hasten.leader.id())
        });
        self.adjust_morale(side, [-(hasten.price as i8), 0]);
    }

    // Bridges: a broken one is a ford until units have stood at it for a whole turn.

    /// At the end of a turn: a bridge that was attended when it began, and still is, is whole again.
    pub(crate) fn mend_bridges(&mut self) {
        let Some(side) = self.battle.special.mends else { return };
        let mut attended = 0;
        for (i, bridge) in self.battle.ground.broken.iter().enumerate() {
            let mut units = self.battle.units[side] & self.state.on_map();
            if units.any(|unit| self.state.hex(unit).is_some_and(|hex| bridge.ends.contains(&hex))) {
                attended |= 1 << i;
            }
        }
        let whole = attended & self.state.attended & !self.state.mended;
        self.state.attended = attended;
        self.state.mended |= whole;
        for (i, bridge) in self.battle.ground.broken.iter().enumerate() {
            if whole >> i & 1 == 1 {
                self.fx.tell(|| {
                    let [a, b] = bridge.ends.map(|hex| self.battle.hex_name(hex));
                    Entry::new(Kind::Note, format!("The bridge between {a} and {b} is mended."))
                        .side(side)
                        .rule(cite!("freemans-farm.j"))
                        .place(Place::Hex(a))
                        .place(Place::Hex(b))
                });
            }
        }
    }
}

impl State {
    /// The own units of the combat that may pay for the grape.
    pub(crate) fn toll(&self) -> Pieces {
        self.fight.attackers & self.on_map()
    }

    // Leaving the field.

    /// Whether an army is off the map and at least one of its units left of its own will.
    pub(crate) fn has_marched_off(&self, army: Pieces) -> bool {
        let mut all = army;
        !army.meets(self.on_map()) && all.any(|unit| self.at[unit.index()] == Spot::GONE)
    }
}
