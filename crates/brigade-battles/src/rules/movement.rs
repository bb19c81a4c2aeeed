//! 8 Movement Phase: allowances, costs, zones, column, formation, and the pieces that may move.

use game::words::does;
use game::{Allowed, Effects, Kind};
use hexmap::{Direction, Hex};

use crate::action::{Action, Drill};
use crate::at::{At, Run};
use crate::legal::no;
use crate::rules::concepts::Lines;
use crate::setup::pieces::Arm;
use crate::state::{Leaders, Leave, Mover, Piece, Post, State, Task, UnitId};

/// Movement points are counted in halves.
pub(crate) const FOOT: u8 = 12;
pub(crate) const HORSE: u8 = 18;

const CHANGE: u8 = 4;

impl At<'_> {
    /// 8.1.1: the allowance of a piece as it is now.
    pub(crate) fn allowance(self, piece: Piece) -> u8 {
        match piece {
            Piece::Leader(_) => HORSE,
            Piece::Unit(id) if self.battle.unit(id).arm == Arm::Cavalry && !self.state.unit(id).deployed => {
                HORSE
            }
            Piece::Unit(_) => FOOT,
        }
    }

    /// What the piece has left, in halves (8.1.11.c: never below 0).
    pub(crate) fn points_left(self, piece: Piece) -> u8 {
        self.allowance(piece).saturating_sub(self.state.spent_by(piece))
    }

    /// Whether the piece may still act in this Movement Phase, before any hex is named.
    pub(crate) fn may_move(self, piece: Piece) -> Allowed {
        if self.battle.side_of(piece) != self.state.active {
            return Err(no!("8.1.1.a", "only pieces of the player whose turn it is move"));
        }
        let moved = match piece {
            Piece::Unit(id) => self.state.moved.contains(id),
            Piece::Leader(id) => self.state.moved_leaders.contains(id),
        };
        if moved && self.state.mover.is_none_or(|m| m.piece != piece) {
            return Err(no!(
                "8.1.4.c",
                "its move is over: what it did not spend is lost once another piece has moved"
            ));
        }
        match self.state.post_of(piece) {
            Post::Gone => return Err(no!("8.1.1.a", "it is no longer on the map")),
            Post::Due => self.is_due(piece)?,
            Post::On(_) => {}
        }
        let Piece::Unit(id) = piece else { return Ok(()) };
        if self.state.fired_marks.contains(id) {
            return Err(no!(
                "8.1.1.b",
                "it carries a FIRED marker: guns that fired this turn stay where they are"
            ));
        }
        match self.state.unit(id).task {
            Task::None => Ok(()),
            Task::Build => Err(no!("6.1.1.b", "it is building a breastwork and may not move this turn")),
            Task::Burn(_) => Err(no!("6.1.2.b", "it is setting a fire and may not move this turn")),
        }
    }

    /// 8.2: column is denied to routed, shattered and out-of-command units.
    pub(crate) fn may_column(self, unit: UnitId) -> bool {
        !self.state.unit(unit).routed && !self.shattered(unit) && self.state.in_command(unit)
    }

    /// Who may enter an enemy zone of control.
    pub(crate) fn may_enter_zone(self, unit: Option<UnitId>) -> Allowed {
        if self.battle.is_night(self.state) {
            return Err(no!("11.0.a", "nobody enters an enemy zone at night"));
        }
        let Some(unit) = unit else { return Ok(()) };
        if self.state.unit(unit).routed {
            return Err(no!(
                "9.8.w",
                "a routed unit may not move into an enemy zone: it would have to rally"
            ));
        }
        if self.shattered(unit) {
            return Err(no!("1.1.4.c", "a shattered unit may not enter an enemy zone"));
        }
        if !self.state.in_command(unit) {
            return Err(no!(
                "5.2.4.a",
                "it is out of command: only a unit in command moves into an enemy zone"
            ));
        }
        Ok(())
    }

    /// May the piece march to this hex?
    pub(crate) fn may_march(self, piece: Piece, to: Hex) -> Allowed {
        self.may_move(piece)?;
        if !self.battle.map.in_play.contains(to) {
            return Err(no!("2.1.a", "only numbered hexes are in play"));
        }
        self.may_leave(piece)?;
        let lines = self.lines(self.state.active);
        let walk = self.walk(&lines, piece);
        let reach = walk.reach();
        if reach.hexes.contains(to) {
            return walk.may_end(to);
        }
        Err(walk.why_not(to))
    }

    /// 8.1.1, 1.1.2: may the piece enter any further hex?
    pub(crate) fn may_leave(self, piece: Piece) -> Allowed {
        if let Piece::Unit(id) = piece
            && self.battle.unit(id).arm == Arm::Artillery
            && self.state.unit(id).deployed
        {
            return Err(no!("8.1.1.c", "unlimbered guns do not move: limber them first"));
        }
        self.state.may_go_on(piece)
    }

    /// 8.1.9: may the unit be given this order? Each is for one arm, and changes something.
    pub(crate) fn may_drill(self, unit: UnitId, drill: Drill) -> Allowed {
        match (self.battle.unit(unit).arm, drill) {
            (Arm::Artillery, Drill::Mount | Drill::Dismount) => {
                return Err(no!("8.1.9.a", "guns limber and unlimber: only cavalry mounts and dismounts"));
            }
            (Arm::Cavalry, Drill::Limber | Drill::Unlimber) => {
                return Err(no!("8.1.9.b", "cavalry mounts and dismounts: only guns limber and unlimber"));
            }
            _ => {}
        }
        if self.battle.unit(unit).arm != Arm::Infantry && drill != self.next_drill(unit) {
            return Err(no!("8.1.9.a", "it is in that formation already"));
        }
        self.may_change(unit)
    }

    /// 8.1.9 to 8.1.11: may the unit change formation now?
    fn may_change(self, unit: UnitId) -> Allowed {
        self.may_move(Piece::Unit(unit))?;
        if self.state.unit(unit).post == Post::Due {
            return Err(no!("8.3.a", "it is not on the map yet"));
        }
        if self.battle.unit(unit).arm == Arm::Infantry {
            return Err(no!("8.1.9.a", "only artillery and cavalry change formation"));
        }
        if self.state.unit(unit).routed {
            return Err(no!("9.8.u", "a routed unit may do no more than move one hex"));
        }
        let piece = Piece::Unit(unit);
        // R51: a change of formation is paid for with movement points: it is movement, and that has stopped.
        self.state.may_go_on(piece)?;
        if self.state.spent_by(piece) + CHANGE > self.allowance(piece) {
            return Err(no!(
                "8.1.11.b",
                "the change costs 2 movement points in the formation it is in, and it has fewer left"
            ));
        }
        Ok(())
    }

    /// The pieces of the active player that may still do something, and all they may do.
    pub(crate) fn offer_marches(self, out: &mut Vec<Action>) {
        let lines = self.lines(self.state.active);
        for unit in self.battle.of[self.state.active].iter() {
            self.offer_piece(&lines, Piece::Unit(unit), out);
        }
        for leader in self.battle.leaders_of[self.state.active].iter() {
            self.offer_piece(&lines, Piece::Leader(leader), out);
        }
    }

    fn offer_piece(self, lines: &Lines, piece: Piece, out: &mut Vec<Action>) {
        if self.may_move(piece).is_err() {
            return;
        }
        if let Piece::Unit(unit) = piece
            && self.may_change(unit).is_ok()
        {
            out.push(Action::Change { unit, drill: self.next_drill(unit) });
        }
        if self.may_leave(piece).is_err() {
            return;
        }
        let walk = self.walk(lines, piece);
        let reach = walk.reach();
        let ends = match piece {
            Piece::Unit(_) => reach.hexes - lines.friends,
            Piece::Leader(_) => reach.hexes,
        };
        if walk.routed {
            out.extend(
                ends.iter().filter(|&to| walk.may_end(to).is_ok()).map(|to| Action::March { piece, to }),
            );
        } else {
            out.extend(ends.iter().map(|to| Action::March { piece, to }));
        }
    }

    /// Whether anybody may still do something in this Movement Phase.
    pub(crate) fn can_anyone_move(self) -> bool {
        let lines = self.lines(self.state.active);
        let units = self.battle.of[self.state.active].iter().map(Piece::Unit);
        let leaders = self.battle.leaders_of[self.state.active].iter().map(Piece::Leader);
        units.chain(leaders).any(|piece| {
            if self.may_move(piece).is_err() {
                return false;
            }
            if let Piece::Unit(unit) = piece
                && self.may_change(unit).is_ok()
            {
                return true;
            }
            self.may_leave(piece).is_ok() && self.can_go(&lines, piece)
        })
    }

    /// Whether the piece can end in some other hex: a neighbour in nearly every case, so that is tried first.
    fn can_go(self, lines: &Lines, piece: Piece) -> bool {
        let walk = self.walk(lines, piece);
        if let Post::On(hex) = self.state.post_of(piece) {
            let quick = Direction::ALL.into_iter().any(|direction| {
                walk.step(hex, direction).is_ok_and(|(to, cost)| {
                    walk.spent + cost <= walk.allowance && !walk.stopped && walk.may_end(to).is_ok()
                })
            });
            if quick || walk.routed {
                return quick;
            }
        }
        let reach = walk.reach();
        reach.hexes.iter().any(|to| walk.may_end(to).is_ok())
    }
}

impl<F: Effects> Run<'_, F> {
    /// Carries a march out.
    pub(crate) fn march(&mut self, piece: Piece, to: Hex) {
        let lines = self.at().lines(self.state.active);
        let walk = self.at().walk(&lines, piece);
        let reach = walk.reach();
        let path = if walk.routed { [to].into_iter().collect() } else { reach.path(&walk, to) };
        let spent = reach.spent_at(to).unwrap_or(walk.spent);
        let stopped = walk.routed || lines.zone.contains(to);
        let from = self.state.post_of(piece).hex();
        let start = self.state.mover.filter(|m| m.piece == piece).map_or(from, |m| m.start);
        self.state.mover = Some(Mover { piece, start, spent, stopped });
        self.leave_zones(piece, from.filter(|_| from == start));
        match piece {
            Piece::Leader(leader) => {
                self.state.moved_leaders.insert(leader);
                self.state.leaders[leader.index()].post = Post::On(to);
            }
            Piece::Unit(unit) => {
                self.state.moved.insert(unit);
                for &hex in &path {
                    self.take_objective(self.state.active, hex);
                }
                self.enter(unit, to, Leaders::EMPTY);
                self.take_prize(unit);
            }
        }
        self.tell(|at| {
            let verb = if from.is_some() { "marches to" } else { "comes onto the map and marches to" };
            let text = format!("{} {}.", does(at.battle.name_of(piece), verb), at.battle.number(to));
            let entry = at.battle.entry(Kind::March, text, piece);
            let entry = at.battle.along(entry, from.into_iter().chain(path.iter().copied()));
            entry.rule(if from.is_some() { cite!("8.1.3.a") } else { cite!("8.3.a") })
        });
        if let Piece::Unit(_) = piece {
            for &hex in &path {
                self.state.displace_beside(self.battle, self.state.active.enemy(), hex);
            }
        }
    }

    /// 1.1.2.d, R35: remembers whose zones a unit leaves, for the rest of the turn.
    fn leave_zones(&mut self, piece: Piece, start: Option<Hex>) {
        let (Piece::Unit(unit), Some(start)) = (piece, start) else { return };
        for zone_of in self.at().covered_by(self.state.active, start).iter() {
            self.state.left.push(Leave { unit, zone_of });
        }
    }

    /// Carries a change of formation out.
    pub(crate) fn change_formation(&mut self, unit: UnitId) {
        let piece = Piece::Unit(unit);
        let before = self.state.mover.filter(|m| m.piece == piece);
        let start = before.map_or(self.state.unit_hex(unit), |m| m.start);
        let stopped = before.is_some_and(|m| m.stopped);
        let spent = self.state.spent_by(piece) + CHANGE;
        self.state.unit_mut(unit).deployed ^= true;
        self.state.moved.insert(unit);
        self.state.mover = Some(Mover { piece, start, spent, stopped });
        self.tell(|at| {
            let what = match (at.battle.unit(unit).arm, at.state.unit(unit).deployed) {
                (Arm::Artillery, true) => "unlimbers",
                (Arm::Artillery, false) => "limbers",
                (_, true) => "dismounts",
                (_, false) => "mounts",
            };
            let rule = if at.battle.unit(unit).arm == Arm::Artillery {
                cite!("8.1.10.a")
            } else {
                cite!("8.1.11.a")
            };
            let text = format!("{}.", does(&at.battle.unit(unit).name, what));
            at.piece_entry(Kind::March, text, unit).rule(rule)
        });
    }
}

impl State {
    /// What the piece has spent this turn.
    pub(crate) fn spent_by(&self, piece: Piece) -> u8 {
        self.mover.filter(|m| m.piece == piece).map_or(0, |m| m.spent)
    }

    /// 9.8.u, 1.1.2: whether the piece may still move: nothing has stopped it.
    fn may_go_on(&self, piece: Piece) -> Allowed {
        if self.mover.is_none_or(|m| m.piece != piece || !m.stopped) {
            return Ok(());
        }
        Err(match piece {
            Piece::Unit(id) if self.unit(id).routed => {
                no!("9.8.u", "a routed unit moves one hex a turn, and it has moved")
            }
            _ => no!("1.1.2.c", "it has entered an enemy zone, and its movement is over for this turn"),
        })
    }
}
