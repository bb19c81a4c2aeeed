//! What becomes of a unit, in the words of the game: the panel of odds speaks them.

use game::PieceId;
use game::odds::{Fate, Fates, Standing, Tone};

use crate::at::At;
use crate::setup::battle::Battle;
use crate::setup::pieces::Unit;
use crate::state::{Id, Mount, Piece, State, Status, Step, UnitSet};

impl At<'_> {
    /// How every unit stands.
    pub(crate) fn standings(self) -> Fates {
        let standing = |(i, unit): (usize, &Unit)| {
            let piece = self.piece(Id(i as u8));
            let strength = piece.strength + piece.holders;
            let standing = Standing {
                whole: strength - piece.demoralised,
                hurt: piece.demoralised,
                lost: unit.strength - strength.min(unit.strength),
                place: u32::from(piece.hex.0),
                off: !piece.on_map(),
                order: 0,
            };
            (PieceId(i as u16), standing)
        };
        self.battle.units.iter().enumerate().map(standing).collect()
    }
}

/// What becomes of a piece.
pub(crate) fn fate(
    battle: &Battle,
    before: &State,
    after: &State,
    piece: PieceId,
    was: &Standing,
    is: &Standing,
) -> Fate {
    match usize::from(piece.0) < battle.units.len() {
        true => Ends { battle, before, after, id: Id(piece.0 as u8) }.fate(was, is),
        false => Fate::of_standings(was, is),
    }
}

/// A unit before a decision and in one end of it.
struct Ends<'a> {
    battle: &'a Battle,
    before: &'a State,
    after: &'a State,
    id: Id,
}

impl Ends<'_> {
    fn was(&self) -> &Piece {
        self.before.piece(self.id)
    }

    fn is(&self) -> &Piece {
        self.after.piece(self.id)
    }

    /// The word and the tone for it.
    fn fate(&self, was: &Standing, is: &Standing) -> Fate {
        match (self.was().on_map(), self.is().on_map()) {
            (true, false) => self.gone(),
            (false, true) => self.arrives(),
            (false, false) => self.off_the_map(),
            (true, true) if is.place != was.place => self.elsewhere(was, is),
            (true, true) => self.in_place(was, is),
        }
    }

    fn gone(&self) -> Fate {
        match self.is().status {
            Status::Shattered => Fate::new("shattered", Tone::Gone),
            Status::Eliminated => Fate::new("destroyed", Tone::Gone),
            _ => Fate::new("leaves the map", Tone::Gone),
        }
    }

    fn arrives(&self) -> Fate {
        match self.was().status {
            Status::Due | Status::Away => Fate::new("enters", Tone::Holds),
            _ => Fate::new("back in line", Tone::Gains),
        }
    }

    /// Shattered or rallied, in its box.
    fn off_the_map(&self) -> Fate {
        match (self.was().status, self.is().status) {
            (Status::Shattered, Status::Rallied) => Fate::new("rallies", Tone::Gains),
            (Status::Shattered, Status::Shattered) => Fate::new("stays shattered", Tone::Holds),
            _ => Fate::UNHURT,
        }
    }

    fn elsewhere(&self, was: &Standing, is: &Standing) -> Fate {
        let hurt = is.lost > was.lost || is.hurt > was.hurt;
        if self.advanced() {
            return match hurt {
                true => Fate::new("advances, hurt", Tone::Hurt),
                false => Fate::new("advances", Tone::Gains),
            };
        }
        match self.before.agenda.top() {
            Some(Step::March) => Fate::new("marches", Tone::Holds),
            _ if self.withdraws(hurt) => Fate::new("withdraws", Tone::Holds),
            _ if self.slips_away(hurt) => Fate::new("slips away", Tone::Gains),
            _ => Fate::new("falls back", Tone::Yields),
        }
    }

    /// An advance is always asked about and goes one hex; every retreat ends two or more away.
    fn advanced(&self) -> bool {
        matches!(self.before.agenda.top(), Some(Step::Advance))
            && self.battle.ground.distance(self.was().hex, self.is().hex) == 1
    }

    /// An attacker on its own way back: its retreat is by choice, or nothing has been fought yet.
    fn withdraws(&self, hurt: bool) -> bool {
        match self.before.agenda.top() {
            Some(Step::Retreat(retreat)) => retreat.voluntary && retreat.unit == self.id,
            Some(Step::Withdraw) => {
                let same_turn = self.after.attacker == self.before.attacker;
                let fought = self.after.members.or(self.after.fought).contains(self.id);
                self.battle.side(self.id) == self.before.attacking_side() && same_turn && !fought && !hurt
            }
            _ => false,
        }
    }

    /// Defenders move unhurt only by a retreat before combat.
    fn slips_away(&self, hurt: bool) -> bool {
        let defends = self.battle.side(self.id) != self.before.attacking_side();
        matches!(self.before.agenda.top(), Some(Step::CavalryRetreat)) && defends && !hurt
    }

    fn in_place(&self, was: &Standing, is: &Standing) -> Fate {
        if self.is().mount == Mount::HorsesLost && self.was().mount != Mount::HorsesLost {
            return Fate::new("loses its horses", Tone::Hurt);
        }
        if is.lost > was.lost {
            return Fate::new("takes losses", Tone::Hurt);
        }
        if is.hurt > was.hurt {
            return Fate::new("demoralised", Tone::Hurt);
        }
        if is.hurt < was.hurt {
            return Fate::new("rallies", Tone::Gains);
        }
        let now = |set: fn(&State) -> UnitSet| {
            set(self.after).contains(self.id) && !set(self.before).contains(self.id)
        };
        if now(|s| s.tried) {
            Fate::new("must stand", Tone::Holds)
        } else if now(|s| s.rallied) {
            Fate::new("does not rally", Tone::Holds)
        } else {
            Fate::new("stands", Tone::Holds)
        }
    }
}
