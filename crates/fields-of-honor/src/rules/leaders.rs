//! Leaders: replacement, casualties, sniping, and their own moves (leader-loss.*, seq.leader-*,
//! commander.functions.a).

use game::words::does;
use game::{Allowed, Die, Effects, Entry, Kind, No, RollNote, Side, Test};
use serde::{Deserialize, Serialize};
use table::{EPS, INCH, Pt, Spot};

use crate::action::Action;
use crate::at::{At, Run};
use crate::cite;
use crate::rules::fire::{Aim, Volley};
use crate::rules::orders::needs_order;
use crate::rules::rolls::{leader_piece, spot_place};
use crate::rules::terrain::{Look, Through};
use crate::setup::battle::Battle;
use crate::state::{BodyId, Command, LeaderId, Marks, Personality, State, Where};

/// What a leader does on his own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Lead {
    Ride(Spot),
    Attach(BodyId),
}

impl<F: Effects> Run<'_, F> {
    /// Phase 1: a die for each disabled leader (R15).
    pub(crate) fn replace_leaders(&mut self) {
        for i in 0..self.state.leaders.len() {
            let man = self.state.leaders[i];
            if !man.disabled || man.place != Where::Table {
                continue;
            }
            let info = &self.battle.leaders[i];
            let id = LeaderId(i as u8);
            let note = |rule| {
                RollNote::new(format!("A replacement for {}", info.name), rule)
                    .side(info.side)
                    .by(leader_piece(id))
            };
            let found = if info.overall {
                let die = self.fx.die(Die::D6, || note(cite!("leader-loss.f")));
                self.state.leaders[i].incompetent = die <= 3;
                true
            } else {
                self.fx.passes(Test::at_least(Die::D6, 4), || note(cite!("seq.leader-replacement.a")))
            };
            if found {
                let man = &mut self.state.leaders[i];
                man.disabled = false;
                if !info.overall && self.battle.on.personalities {
                    let sum = self.fx.total(2, Die::D6, || note(cite!("personality.k")));
                    self.state.leaders[i].personality = Personality::rolled(sum);
                }
                self.fx.tell(|| {
                    Entry::new(Kind::Rally, format!("{} is replaced.", info.name))
                        .side(info.side)
                        .rule(cite!("seq.leader-replacement.a"))
                        .piece(leader_piece(id))
                });
            }
        }
    }

    /// Before the first turn: who the scenario leaves to the dice (personality.a, personality.k).
    pub(crate) fn appoint_leaders(&mut self) {
        for (i, info) in self.battle.leaders.iter().enumerate().filter(|(_, l)| l.rolled) {
            let id = LeaderId(i as u8);
            let note = |rule| {
                RollNote::new(format!("What {} is like", info.name), rule)
                    .side(info.side)
                    .by(leader_piece(id))
            };
            if info.overall {
                self.state.leaders[i].incompetent =
                    self.fx.die(Die::D6, || note(cite!("personality.a"))) <= 2;
            } else if self.battle.on.personalities {
                let sum = self.fx.total(2, Die::D6, || note(cite!("personality.k")));
                self.state.leaders[i].personality = Personality::rolled(sum);
            }
        }
    }

    /// Phase 7: leaders with units that lost a stand (R16).
    pub(crate) fn leader_losses(&mut self) {
        for i in 0..self.state.leaders.len() {
            let man = self.state.leaders[i];
            let with_losers =
                man.attached.is_some_and(|with| self.state.body(with).marks.has(Marks::LOST_STAND));
            if man.leads() && !man.rolled && (man.exposed || with_losers) {
                self.risk_leader(LeaderId(i as u8), cite!("leader-loss.a"));
            }
        }
    }

    /// Two dice; 11 or 12 and he is out of action.
    fn risk_leader(&mut self, id: LeaderId, rule: game::Rule) {
        let info = &self.battle.leaders[id.i()];
        self.state.leaders[id.i()].rolled = true;
        let hit = self.fx.graded(
            2,
            Die::D6,
            |sum| i16::from(sum >= 11),
            || {
                RollNote::new(format!("{} is in danger, 11 or more", info.name), rule)
                    .outcomes((0..=12).map(|sum| if sum >= 11 { "he is hit" } else { "he is unhurt" }))
                    .side(info.side)
                    .by(leader_piece(id))
            },
        );
        if hit == 0 {
            return;
        }
        let personality = self.state.leaders[id.i()].personality;
        self.state.leaders[id.i()].disabled = true;
        self.fx.tell(|| {
            Entry::new(Kind::Gone, format!("{} is out of action.", info.name))
                .side(info.side)
                .rule(rule)
                .piece(leader_piece(id))
        });
        if personality == Personality::Inspiring {
            self.state.leader_killed(self.battle, id);
        }
    }

    /// Rolls for a leader who is sniped at.
    pub(crate) fn snipe(&mut self, by: BodyId, leader: LeaderId) {
        if self.state.leaders[leader.i()].leads() {
            self.tell(|here| {
                Entry::new(
                    Kind::Fire,
                    does(&here.name(by), &format!("snipes at {}.", here.battle.leaders[leader.i()].name)),
                )
                .side(here.side_of(by))
                .rule(cite!("leader-loss.d"))
                .piece(leader_piece(leader))
            });
            self.risk_leader(leader, cite!("leader-loss.b"));
        }
    }

    /// A leader rides or joins a unit (commander.functions.a).
    pub(crate) fn ride_or_join(&mut self, leader: LeaderId, lead: Lead) {
        let from = self.state.leaders[leader.i()].at;
        self.state.lead(self.battle, leader, lead);
        self.tell(|at| {
            let info = &at.battle.leaders[leader.i()];
            let text = match lead {
                Lead::Ride(_) => format!("{} rides.", info.name),
                Lead::Attach(unit) => format!("{} joins {}.", info.name, at.name(unit)),
            };
            Entry::new(Kind::March, text)
                .side(info.side)
                .rule(cite!("commander.functions.a"))
                .piece(leader_piece(leader))
                .place(spot_place(from))
                .place(spot_place(at.state.leaders[leader.i()].at))
        });
        self.convert_orders();
    }
}

impl At<'_> {
    /// Whether a unit may snipe at a leader (leader-loss.b).
    pub(crate) fn may_snipe(self, by: BodyId, leader: LeaderId) -> Allowed {
        let body = self.body(by);
        let man = &self.state.leaders[leader.i()];
        let info = self.battle.info(body);
        if info.fire.is_none() || body.order.broken() || self.state.in_melee(by) {
            return Err(No::new(
                cite!("leader-loss.b"),
                "only a unit with a fire rating, in good order and out of melee, snipes",
            ));
        }
        if self.battle.leaders[leader.i()].side == self.battle.side(body)
            || !man.leads()
            || man.attached.is_some()
        {
            return Err(No::new(cite!("leader-loss.b"), "only an unattached enemy leader can be sniped at"));
        }
        let declared = self.state.volleys.iter().any(|v| v.at == Aim::Leader(leader));
        if man.rolled || declared {
            return Err(No::new(cite!("leader-loss.c"), "one roll a turn is made for each leader"));
        }
        // Any stand that could fire may have the marksman, as with other fire (R50).
        let to = man.at.pt();
        let stands = self.firing_stands(by);
        let mut near =
            stands.fronts.iter().filter(|front| front.to(to) <= info.weapon.ranges[2] + EPS).peekable();
        if near.peek().is_none() {
            return Err(No::new(cite!("leader-loss.b"), "he is beyond long range"));
        }
        let seen = near.any(|&from| {
            let side = self.battle.side(body);
            let look = Look { from, to, by, at: None, through: Through::Sight, side };
            self.line_of_sight(&look).is_ok()
        });
        if seen { Ok(()) } else { Err(No::new(cite!("leader-loss.b"), "he is not in sight")) }
    }

    /// The leaders a unit may snipe at.
    pub(crate) fn snipes(self, by: BodyId, out: &mut Vec<Volley>) {
        for i in 0..self.state.leaders.len() {
            let leader = LeaderId(i as u8);
            if self.battle.leaders[i].side != self.side_of(by) && self.may_snipe(by, leader).is_ok() {
                out.push(Volley::of(by, Aim::Leader(leader), 0));
            }
        }
    }

    /// Checks a leader's own move (commander.functions).
    pub(crate) fn may_lead(self, side: Side, id: LeaderId, lead: Lead) -> Allowed {
        let man = &self.state.leaders[id.i()];
        let info = &self.battle.leaders[id.i()];
        if info.side != side || !man.leads() {
            return Err(No::new(cite!("commander.functions.a"), "he is not yours, or not in action"));
        }
        let there = self.is_there(id, lead);
        if man.moved && !there {
            return Err(No::new(cite!("commander.functions.a"), "he has moved on his own this turn"));
        }
        let to = match lead {
            Lead::Ride(spot) => spot.pt(),
            Lead::Attach(body) => {
                let unit = self.body(body);
                if !unit.on_table() || self.battle.side(unit) != side {
                    return Err(No::new(
                        cite!("commander.functions.a"),
                        "that is no unit of his side on the table",
                    ));
                }
                if info.overall && info.bodyguard != Some(unit.bmu) {
                    return Err(No::new(
                        cite!("commander.functions.b"),
                        "an overall commander attaches only to his bodyguard",
                    ));
                }
                unit.pose.at.pt()
            }
        };
        if there {
            return Ok(());
        }
        if !self.battle.top.holds_point(to) {
            return Err(No::new(cite!("commander.functions.a"), "that is off the table"));
        }
        if man.at.pt().to(to) > self.battle.rates.leader() + EPS {
            return Err(No::new(
                cite!("commander.functions.a"),
                "that is farther than a leader rides in a turn",
            ));
        }
        self.order_lets_ride(id, to)
    }

    /// Attaching to a unit that he touches already is no move (commander.functions.a).
    fn is_there(self, id: LeaderId, lead: Lead) -> bool {
        let at = self.state.leaders[id.i()].at.pt();
        let Lead::Attach(body) = lead else { return false };
        self.layout(body).distance_to(at) <= EPS
    }

    /// Where the order lets him go (orders.e, orders.f, orders.i).
    fn order_lets_ride(self, id: LeaderId, to: Pt) -> Allowed {
        if !self.battle.on.orders || !needs_order(self.battle, id) {
            return Ok(());
        }
        let man = &self.state.leaders[id.i()];
        let marker = man.marker.pt();
        let (before, after) = (man.at.pt().to(marker), to.to(marker));
        match man.order {
            Command::Defend if after > self.battle.command_range() + EPS && after >= before => Err(No::new(
                cite!("orders.e"),
                "under a Defend order he keeps his marker within command range",
            )),
            Command::Move if after >= before => {
                Err(No::new(cite!("orders.f"), "under a Move order he goes nearer to his marker, if he goes"))
            }
            Command::Attack if after >= before && !self.is_pressing(id) => Err(No::new(
                cite!("orders.i"),
                "none of his units is at grips, so he goes nearer to his marker, if he goes",
            )),
            _ => Ok(()),
        }
    }

    /// What a leader of a side could do before one of its units takes a Reaction Test: ride so near that it is in command, or
    /// join it for his bonus (commander.functions.a, commander.functions.c).
    pub(crate) fn before_reaction(self, side: Side, out: &mut Vec<(LeaderId, Lead)>) {
        for unit in self.reactors(side) {
            for id in of_side(self.battle, side) {
                if !self.battle.leaders[id.i()].overall && self.state.leaders[id.i()].attached != Some(unit) {
                    self.offer_lead(side, id, Lead::Attach(unit), out);
                }
                if self.is_commanded_by(id, unit) && !self.in_range(id, unit) {
                    out.extend(self.into_range(side, id, unit).map(|lead| (id, lead)));
                }
            }
        }
    }

    /// What a leader of a side could do before its units test their morale: ride into range of one, or, Inspiring, join it.
    pub(crate) fn before_morale(self, side: Side, out: &mut Vec<(LeaderId, Lead)>) {
        let testers =
            self.state.on_table().filter(|(unit, b)| self.battle.side(b) == side && self.must_test(*unit));
        for (unit, _) in testers {
            for id in of_side(self.battle, side).filter(|id| self.is_commanded_by(*id, unit)) {
                let man = &self.state.leaders[id.i()];
                if !self.in_range(id, unit) {
                    out.extend(self.into_range(side, id, unit).map(|lead| (id, lead)));
                } else if man.personality == Personality::Inspiring
                    && self.commander_of(unit) == Some(id)
                    && man.attached != Some(unit)
                {
                    self.offer_lead(side, id, Lead::Attach(unit), out);
                }
            }
        }
    }

    /// Whether a ride before the Morale Phase rolls could change a test.
    pub(crate) fn may_help(self, side: Side) -> bool {
        let mut found = Vec::new();
        self.before_morale(side, &mut found);
        !found.is_empty()
    }

    /// Whether a ride before a Reaction Test could change it.
    pub(crate) fn could_help(self, side: Side) -> bool {
        let mut found = Vec::new();
        self.before_reaction(side, &mut found);
        !found.is_empty()
    }

    /// Its own sub-commander, or the overall commander.
    fn is_commanded_by(self, id: LeaderId, unit: BodyId) -> bool {
        self.battle.leaders[id.i()].overall || self.commander_of(unit) == Some(id)
    }

    fn offer_lead(self, side: Side, id: LeaderId, lead: Lead, out: &mut Vec<(LeaderId, Lead)>) {
        if self.may_lead(side, id, lead).is_ok() && !out.contains(&(id, lead)) {
            out.push((id, lead));
        }
    }

    /// The ride straight at a unit that ends just within command range of it.
    fn into_range(self, side: Side, id: LeaderId, unit: BodyId) -> Option<Lead> {
        let man = &self.state.leaders[id.i()];
        if man.moved || !man.leads() {
            return None;
        }
        let (from, to) = (man.at.pt(), self.layout(unit).block().closest(man.at.pt()));
        // Half an inch to spare, for the corner of a block may have no stand.
        let far = from.to(to) - self.reach(id, unit) + INCH / 2;
        let lead = Lead::Ride(from.part_way(to, far.max(0), from.to(to).max(1)).spot());
        self.may_lead(side, id, lead).is_ok().then_some(lead)
    }

    /// A few good places for each leader who has not moved: with his units, behind them, among them.
    pub(crate) fn find_leads(self, side: Side, out: &mut Vec<(LeaderId, Lead)>) {
        for i in 0..self.state.leaders.len() {
            let id = LeaderId(i as u8);
            let man = &self.state.leaders[i];
            if self.battle.leaders[i].side != side || !man.leads() || man.moved {
                continue;
            }
            let mut push = |lead| {
                if self.may_lead(side, id, lead).is_ok() {
                    out.push((id, lead));
                }
            };
            let (mut sum, mut count) = (Pt::default(), 0);
            for (body, unit) in self.state.on_table() {
                if self.battle.side(unit) != side
                    || self.battle.info(unit).leader != Some(id)
                    || unit.order.broken()
                {
                    continue;
                }
                sum = sum + unit.pose.at.pt();
                count += 1;
                if man.attached != Some(body) {
                    push(Lead::Attach(body));
                }
            }
            if count > 0 {
                let middle = Pt::new(sum.x / count, sum.y / count).spot();
                if middle != man.at {
                    push(Lead::Ride(middle));
                }
            }
        }
    }

    pub(crate) fn offer_leads(self, side: Side, out: &mut Vec<Action>) {
        let mut found = Vec::new();
        self.find_leads(side, &mut found);
        out.extend(found.into_iter().map(as_action));
    }

    pub(crate) fn offer_leads_before_reaction(self, side: Side, out: &mut Vec<Action>) {
        let mut found = Vec::new();
        self.before_reaction(side, &mut found);
        out.extend(found.into_iter().map(as_action));
    }

    pub(crate) fn offer_leads_before_morale(self, side: Side, out: &mut Vec<Action>) {
        let mut found = Vec::new();
        self.before_morale(side, &mut found);
        out.extend(found.into_iter().map(as_action));
    }
}

impl State {
    /// He rides or attaches.
    pub(crate) fn lead(&mut self, battle: &Battle, id: LeaderId, lead: Lead) {
        let there = At::new(battle, self).is_there(id, lead);
        let man = &mut self.leaders[id.i()];
        man.moved |= !there;
        match lead {
            Lead::Ride(spot) => {
                man.at = spot;
                man.attached = None;
            }
            Lead::Attach(body) => {
                man.attached = Some(body);
                man.at = self.bodies[body.i()].pose.at;
            }
        }
    }
}

fn of_side(battle: &Battle, side: Side) -> impl Iterator<Item = LeaderId> {
    let all = battle.leaders.iter().enumerate().filter(move |(_, l)| l.side == side);
    all.map(|(i, _)| LeaderId(i as u8))
}

fn as_action((leader, lead): (LeaderId, Lead)) -> Action {
    Action::Lead { leader, lead }
}
