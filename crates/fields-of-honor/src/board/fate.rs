//! The odds in words: what becomes of a body.

use game::PieceId;
use game::odds::{Fate, Standing, Tone};

use crate::at::At;
use crate::rules::sequence::Phase;
use crate::state::{Body, BodyId, LeaderId, Marks, Order, State, Where};

impl At<'_> {
    /// What becomes of a piece between two positions.
    pub(crate) fn fate(self, after: &State, piece: PieceId, was: &Standing, is: &Standing) -> Fate {
        let number = usize::from(piece.0);
        let plain = Fate::of_standings(was, is);
        if let Some(leader) = number.checked_sub(100).filter(|i| *i < self.battle.leaders.len()) {
            let hit = |state: &State| state.leaders[LeaderId(leader as u8).i()].disabled;
            return if hit(after) && !hit(self.state) {
                Fate::new("out of action", Tone::Gone)
            } else {
                plain
            };
        }
        match (self.state.bodies.get(number), after.bodies.get(number)) {
            (Some(old), Some(new)) => self.fate_of_body(after, BodyId(number as u8), old, new),
            _ => plain,
        }
    }

    fn fate_of_body(self, after: &State, id: BodyId, old: &Body, new: &Body) -> Fate {
        let gains = |mark: Marks| new.marks.has(mark) && !old.marks.has(mark);
        let moved = new.pose != old.pose;
        let attacks = |state: &State| state.bouts.iter().any(|b| b.attacker == id);
        let struck = |state: &State| state.bouts.iter().any(|b| b.defender == id);
        let (stands, left) = (old.stands(self.battle), new.stands(self.battle));
        let worse = new.order > old.order;
        match () {
            () if old.on_table() && !new.on_table() => off_the_table(left, old, new),
            () if worse && new.order == Order::Routed => Fate::new("routs", Tone::Yields),
            () if worse && new.order == Order::Shaken => Fate::new("runs Shaken", Tone::Yields),
            () if gains(Marks::ABANDONED) => Fate::new("is left by its gunners", Tone::Yields),
            () if attacks(after) && !attacks(self.state) => Fate::new("makes contact", Tone::Gains),
            () if gains(Marks::IMMUNE) => Fate::new("halts short", Tone::Hurt),
            () if gains(Marks::BALKED) => Fate::new("does not close", Tone::Hurt),
            () if gains(Marks::HALVED) => Fate::new("does not charge", Tone::Hurt),
            () if worse && moved && charged(new) && new.mounted(self.battle) => {
                Fate::new("falls back from its charge", Tone::Yields)
            }
            () if new.order.broken() && moved => Fate::new("runs on", Tone::Yields),
            () if goes_back(old, new) => Fate::new("falls back Suppressed", Tone::Yields),
            () if old.order.broken() && !new.order.broken() => Fate::new("rallies", Tone::Gains),
            () if struck(after) && !struck(self.state) => Fate::new("is met in melee", Tone::Hurt),
            () if left < stands => Fate::new("loses stands", Tone::Hurt),
            () if left > stands => Fate::new("gets stands back", Tone::Gains),
            () if hits(new) > hits(old) => Fate::new("is hit", Tone::Hurt),
            () if worse => Fate::new("is Suppressed", Tone::Hurt),
            () if new.order < old.order => Fate::new("is steady again", Tone::Gains),
            () if gains(Marks::HALT) => Fate::new("halts", Tone::Hurt),
            () if gains(Marks::CAUTIOUS) => Fate::new("is cautious", Tone::Hurt),
            () if gains(Marks::TESTED) => Fate::new("carries on", Tone::Holds),
            () if moved && charged(new) && !charged(old) => Fate::new("takes the place", Tone::Gains),
            () if moved && after.phase >= Phase::Morale => Fate::new("pursues", Tone::Gains),
            () if moved => Fate::new("moves", Tone::Holds),
            () if struck(after) || attacks(after) => Fate::new("fights on", Tone::Holds),
            () => Fate::new("holds", Tone::Holds),
        }
    }
}

fn off_the_table(left: u8, old: &Body, new: &Body) -> Fate {
    match new.place {
        Where::Left => Fate::new("marches off", Tone::Holds),
        Where::Joined => Fate::new("rejoins its unit", Tone::Holds),
        _ if left == 0 => Fate::new("is destroyed", Tone::Gone),
        _ if old.order == Order::Routed => Fate::new("is lost in rout", Tone::Gone),
        _ => Fate::new("leaves the table", Tone::Gone),
    }
}

fn charged(body: &Body) -> bool {
    body.marks.has(Marks::CHARGED)
}

/// A compulsory move in which it keeps its head: Suppressed and no longer where it was.
fn goes_back(old: &Body, new: &Body) -> bool {
    let early = new.marks.has(Marks::MOVED_EARLY.and(Marks::FLED)) && !charged(new);
    new.pose != old.pose && new.order == Order::Suppressed && early
}

fn hits(body: &Body) -> u8 {
    body.lost + body.fresh
}
