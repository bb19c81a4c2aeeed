//! What may become of a piece, in words: the outcomes that odds are counted for.

use game::PieceId;
use game::odds::{Fate, Fates, Standing, Tone};

use crate::at::At;
use crate::state::{LeaderId, Phase, Piece, Post, State, UnitId};

impl At<'_> {
    /// How every piece stands: what odds compare before and after.
    pub(crate) fn standings(self) -> Fates {
        let units = (0..self.battle.units.len()).map(|i| {
            let id = UnitId(i as u8);
            let (sheet, here) = (self.battle.unit(id), self.state.unit(id));
            let whole = here.sp.saturating_sub(sheet.back);
            let order = if here.routed { 2 } else { u8::from(self.shattered(id)) };
            let (hurt, lost) = (here.sp - whole, sheet.sp.saturating_sub(here.sp));
            (
                self.battle.piece_id(Piece::Unit(id)),
                Standing { whole, hurt, lost, order, ..posted(here.post) },
            )
        });
        let leaders = (0..self.battle.leaders.len()).map(|i| {
            let id = LeaderId(i as u8);
            let here = self.state.leader(id);
            let standing = Standing { lost: u8::from(here.replaced), ..posted(here.post) };
            (self.battle.piece_id(Piece::Leader(id)), standing)
        });
        units.chain(leaders).collect()
    }

    /// What became of a piece between two positions, none if the battle has no such piece.
    pub(crate) fn fate(self, after: &State, piece: PieceId) -> Option<Fate> {
        Some(match self.battle.piece(piece)? {
            Piece::Unit(unit) => self.unit_fate(after, unit),
            Piece::Leader(leader) => self.leader_fate(after, leader),
        })
    }

    /// What becomes of a combat unit, the worst first.
    fn unit_fate(self, after: &State, unit: UnitId) -> Fate {
        let At { battle, state: before } = self;
        let (was, is) = (before.unit(unit), after.unit(unit));
        let moved = was.post != is.post;
        let own = battle.unit(unit).side == before.firing_side();
        if was.post != Post::Gone && is.post == Post::Gone {
            return Fate::new("eliminated", Tone::Gone);
        }
        match (was.routed, is.routed) {
            (false, true) => return Fate::new("routs", Tone::Yields),
            (true, true) if moved && before.phase != Phase::Movement => {
                return Fate::new("routs on", Tone::Yields);
            }
            (true, true) if before.phase == Phase::Rally => return Fate::new("stays routed", Tone::Holds),
            (true, false) => return Fate::new("rallies", Tone::Gains),
            _ => {}
        }
        if moved {
            return match before.phase {
                Phase::Movement if was.post == Post::Due => Fate::new("arrives", Tone::Gains),
                Phase::Movement => Fate::new("marches", Tone::Holds),
                _ if own => Fate::new("advances", Tone::Gains),
                _ => Fate::new("retreats", Tone::Yields),
            };
        }
        if !self.shattered(unit) && At::new(battle, after).shattered(unit) {
            return Fate::new("shattered", Tone::Hurt);
        }
        match is.sp.cmp(&was.sp) {
            std::cmp::Ordering::Less => Fate::new("loses SP", Tone::Hurt),
            std::cmp::Ordering::Greater => Fate::new("recovers", Tone::Gains),
            std::cmp::Ordering::Equal => Fate::new("stands", Tone::Holds),
        }
    }

    /// What becomes of a leader.
    fn leader_fate(self, after: &State, leader: LeaderId) -> Fate {
        let (was, is) = (self.state.leader(leader), after.leader(leader));
        let own = self.battle.leader(leader).side == self.state.firing_side();
        if was.post != Post::Gone && is.post == Post::Gone {
            return Fate::new("leaves the field", Tone::Gone);
        }
        if is.replaced && !was.replaced {
            return Fate::new("falls", Tone::Hurt);
        }
        if was.post == is.post {
            return Fate::new("stays", Tone::Holds);
        }
        match self.state.phase {
            Phase::Movement if own && was.post == Post::Due => Fate::new("arrives", Tone::Gains),
            Phase::Movement if own => Fate::new("rides", Tone::Holds),
            Phase::Movement => Fate::new("driven off", Tone::Yields),
            _ if own => Fate::new("follows", Tone::Gains),
            _ => Fate::new("falls back", Tone::Yields),
        }
    }
}

/// A piece without losses that stands there.
fn posted(post: Post) -> Standing {
    let place = post.hex().map_or(u32::MAX, |hex| u32::from(hex.0));
    Standing { whole: 0, hurt: 0, lost: 0, place, off: post.hex().is_none(), order: 0 }
}
