//! The Fire Phase: declared by both, rolled on one state, applied together (seq.fire, R21).

use game::{Allowed, Effects, No, Side};

use crate::action::Action;
use crate::at::{At, Run};
use crate::cite;
use crate::rules::basics::Formation;
use crate::rules::fire::arcs::Bearing;
use crate::rules::fire::{Aim, FireOrder, Volley, When};
use crate::rules::sequence::Step;
use crate::state::{BodyId, Command, MAX_BODIES, MAX_LEADERS, MAX_VOLLEYS, Marks, State};

impl State {
    /// The stands of a body that have not been given a target yet.
    pub(crate) fn stands_unassigned(&self, by: BodyId) -> u16 {
        let given = self.volleys.iter().filter(|v| v.by == by && !matches!(v.at, Aim::Leader(_)));
        !given.fold(0, |all, v| all | v.stands)
    }

    /// Whether a body that has declared a fire may declare another: everybody else's first fire, and a shot at every leader,
    /// must still find room.
    fn may_split_fire(&self, by: BodyId) -> Allowed {
        let again = self.volleys.iter().any(|v| v.by == by && !matches!(v.at, Aim::Leader(_)));
        if again && self.volleys.len() >= MAX_VOLLEYS - MAX_BODIES - MAX_LEADERS {
            return Err(No::new(
                cite!("fire.arcs.b"),
                "108 fires are declared; give all its stands one target",
            ));
        }
        Ok(())
    }

    /// Whether a body fires in this segment of the phase.
    pub(crate) fn fires_in_segment(&self, by: BodyId, moving: bool) -> bool {
        self.body(by).marks.has(Marks::MOVED) == moving
    }

    /// A march column, or the side of a square that bears, has fired: their dice are counted for the whole.
    fn bears_used(&self, by: BodyId, aim: &Bearing) -> bool {
        self.stands_unassigned(by) & aim.stands != aim.stands
    }
}

impl At<'_> {
    /// Checks a declared fire.
    pub(crate) fn check_volley(self, volley: &Volley, side: Side, moving: bool) -> Allowed {
        if self.side_of(volley.by) != side {
            return Err(No::new(cite!("fire.procedure.a"), "it is not yours"));
        }
        if !self.state.fires_in_segment(volley.by, moving) {
            return Err(No::new(
                cite!("fire.stationary.a"),
                "stationary units fire first, those that moved afterwards",
            ));
        }
        match volley.at {
            Aim::Leader(leader) => return self.may_snipe(volley.by, leader),
            Aim::Wall { wall, along } => {
                self.state.may_split_fire(volley.by)?;
                return self.may_batter(volley, wall, along);
            }
            Aim::Body(_) => {}
        }
        self.state.may_split_fire(volley.by)?;
        self.may_fire(volley.by, When::Phase)?;
        let Aim::Body(at) = volley.at else { return Ok(()) };
        self.may_be_target(volley.by, at)?;
        let target = self.layout(at);
        let aim = self.bearing(volley.by, at, &target)?;
        if volley.stands == 0 {
            return Err(No::new(cite!("fire.arcs.a"), "no stand is left to fire"));
        }
        if let Some(stand) = (0..16).find(|i| (volley.stands & !aim.stands) & (1 << i) != 0) {
            return Err(self.why_no_fire(volley.by, at, &target, stand));
        }
        if volley.stands & !self.state.stands_unassigned(volley.by) != 0
            || aim.fixed.is_some() && self.state.bears_used(volley.by, &aim)
        {
            return Err(No::new(cite!("fire.arcs.b"), "a stand fires at one target only"));
        }
        if volley.shrapnel && (!self.info(volley.by).shrapnel || aim.band == 0) {
            return Err(No::new(
                cite!("qrs.artillery.a"),
                "shrapnel is for batteries that have it, beyond short range",
            ));
        }
        self.order_allows_fire(volley.by, aim.band)
    }

    /// Under a Move order only at short range (R97).
    pub(crate) fn order_allows_fire(self, by: BodyId, band: usize) -> Allowed {
        if self.order_of(by) == Some(Command::Move) && band > 0 {
            return Err(No::new(
                cite!("orders.h"),
                "under a Move order it fires only at enemies within its short range",
            ));
        }
        Ok(())
    }

    /// Every fire a side may declare in a segment; it stops looking once it has found `enough`.
    pub(crate) fn find_volleys(self, side: Side, moving: bool, enough: usize, out: &mut Vec<Volley>) {
        for (by, body) in self.state.on_table() {
            if out.len() >= enough {
                return;
            }
            if self.battle.side(body) != side || !self.state.fires_in_segment(by, moving) {
                continue;
            }
            self.snipes(by, out);
            if self.may_fire(by, When::Phase).is_err() {
                continue;
            }
            let free = self.state.stands_unassigned(by);
            if free & 0xfff == 0 && body.shape.formation != Formation::Square
                || self.state.may_split_fire(by).is_err()
            {
                continue;
            }
            let mine = body.layout(self.battle);
            let far = self.battle.info(body).weapon.ranges[3] + 2 * table::INCH;
            for (at, enemy) in self.state.on_table() {
                if self.battle.side(enemy) == side || !mine.may_be_within(&enemy.layout(self.battle), far) {
                    continue;
                }
                if self.may_be_target(by, at).is_err() {
                    continue;
                }
                let Ok(aim) = self.bearing(by, at, &enemy.layout(self.battle)) else { continue };
                let stands = aim.stands & free;
                if aim.fixed.is_some() && stands != aim.stands {
                    continue;
                }
                if stands == 0 || self.order_allows_fire(by, aim.band).is_err() {
                    continue;
                }
                let volley = Volley::of(by, Aim::Body(at), stands);
                out.push(volley);
                if self.battle.info(body).shrapnel && aim.band > 0 {
                    out.push(Volley { shrapnel: true, ..volley });
                }
                // The half of the stands that is nearer to either end, so that fire can be split.
                if stands.count_ones() >= 4 && aim.fixed.is_none() {
                    let mut half = 0;
                    for bit in
                        (0..12).filter(|b| stands & (1 << b) != 0).take(stands.count_ones() as usize / 2)
                    {
                        half |= 1 << bit;
                    }
                    out.push(Volley { stands: half, ..volley });
                }
            }
            self.batteries(by, out);
        }
    }

    pub(crate) fn offer_fire(self, side: Side, moving: bool, out: &mut Vec<Action>) {
        let mut found = Vec::new();
        self.find_volleys(side, moving, usize::MAX, &mut found);
        out.extend(found.into_iter().map(Action::Fire));
    }

    /// Whether a side has a fire to declare.
    pub(crate) fn has_fire(self, side: Side, moving: bool) -> bool {
        let mut found = Vec::new();
        self.find_volleys(side, moving, 1, &mut found);
        !found.is_empty()
    }
}

impl<F: Effects> Run<'_, F> {
    /// Rolls one declared fire; all are rolled on the same state and strike together (R21).
    pub(crate) fn roll_volley(&mut self, index: usize) {
        let mut volley = self.state.volleys[index];
        match volley.at {
            Aim::Body(at) => {
                let target = self.at().layout(at);
                let Ok(aim) = self.at().bearing(volley.by, at, &target) else { return };
                let plain = FireOrder::plain(When::Phase, volley.stands);
                let order = FireOrder { shrapnel: volley.shrapnel, ..plain };
                let shot = self.at().shot(volley.by, at, &target, &aim, order);
                volley.hits = self.roll_shot(&shot);
                volley.through = shot.through;
            }
            Aim::Wall { wall, along } => self.batter(&mut volley, wall, along),
            Aim::Leader(_) => {}
        }
        self.state.volleys[index] = volley;
    }

    /// What the declared fires have come to falls on all at once (R21).
    pub(crate) fn strike_all(&mut self) {
        for volley in std::mem::take(&mut self.state.volleys) {
            match volley.at {
                Aim::Body(at) => {
                    self.state.note_fired(volley.by, Marks::FIRED);
                    self.apply_shot(volley.by, at, volley.through, volley.hits);
                }
                Aim::Wall { wall, along } => {
                    self.state.note_fired(volley.by, Marks::FIRED);
                    self.record_damage(&volley, wall, along);
                }
                Aim::Leader(leader) => self.snipe(volley.by, leader),
            }
        }
    }

    /// What was declared is turned over.
    pub(crate) fn show_declared_fire(&mut self) {
        if !self.state.volleys.is_empty() {
            self.fx.revealed();
            self.state.agenda.push(Step::Volleys { next: 0 });
        }
    }

    /// The next of the declared fires is rolled; when all are, they strike together.
    pub(crate) fn next_volley(&mut self, next: u8) {
        if usize::from(next) < self.state.volleys.len() {
            self.state.agenda.replace(Step::Volleys { next: next + 1 });
            self.roll_volley(usize::from(next));
        } else {
            self.state.agenda.pop();
            self.strike_all();
        }
    }
}
