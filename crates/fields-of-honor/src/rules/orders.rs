//! Orders to sub-commanders: Defend, Move, Attack (orders.*).

use game::{Allowed, Die, Effects, Entry, Kind, No, RollNote, Side, Sum, Test};
use table::{EPS, INCH, Spot};

use crate::action::Action;
use crate::at::{At, Run};
use crate::cite;
use crate::rules::basics::Formation;
use crate::rules::rolls::leader_piece;
use crate::setup::battle::Battle;
use crate::state::{BodyId, Command, LeaderId, Marks};

/// Whether a leader acts under an order: sub-commanders, and overall commanders with units of their own.
pub(crate) fn needs_order(battle: &Battle, id: LeaderId) -> bool {
    !battle.leaders[id.i()].overall || battle.bmus.iter().any(|b| b.leader == Some(id))
}

impl At<'_> {
    /// Commands a side may still issue this turn (personality.b).
    pub(crate) fn commands_left(self, side: Side) -> u8 {
        let Some(chief) = self.battle.overall(side) else { return 0 };
        let man = &self.state.leaders[chief.i()];
        if !man.leads() {
            return 0;
        }
        let all = if man.incompetent { 1 } else { 2 };
        all - self.state.commands[side].min(all)
    }

    /// Checks a new order and its marker.
    pub(crate) fn may_order(self, side: Side, id: LeaderId, order: Command, marker: Spot) -> Allowed {
        let man = &self.state.leaders[id.i()];
        let info = &self.battle.leaders[id.i()];
        if info.side != side || !man.leads() || !needs_order(self.battle, id) {
            return Err(No::new(cite!("orders.a"), "he is not yours, not in action, or needs no order"));
        }
        if man.ordered {
            return Err(No::new(cite!("personality.b"), "never two commands to the same man in a turn"));
        }
        if self.commands_left(side) == 0 && !info.overall {
            return Err(No::new(
                cite!("personality.b"),
                "the overall commander has issued all his commands this turn",
            ));
        }
        let distance = man.at.pt().to(marker.pt());
        let rows = &self.battle.tables.orders;
        match order {
            Command::Defend if distance > rows.defend_marker_max * INCH + EPS => {
                Err(No::new(cite!("orders.e"), "the marker of a Defend order lies within 6 in of him"))
            }
            Command::Move
                if distance > rows.move_marker_max_inches[self.battle.scale as usize] * INCH + EPS =>
            {
                Err(No::new(cite!("orders.f"), "the marker lies within five column moves at the Charge rate"))
            }
            Command::Move if self.enemy_within(side, marker.pt(), rows.move_marker_min_enemy * INCH) => {
                Err(No::new(cite!("orders.f"), "the marker does not lie within 12 in of an enemy"))
            }
            Command::Attack
                if distance > rows.attack_marker_max_inches[self.battle.scale as usize] * INCH + EPS =>
            {
                Err(No::new(
                    cite!("orders.i"),
                    "the marker lies within five column moves at the Engaged rate",
                ))
            }
            _ if !self.battle.top.holds_point(marker.pt()) => {
                Err(No::new(cite!("orders.a"), "the marker lies on the table"))
            }
            _ => Ok(()),
        }
    }

    /// Under Attack and Defend nobody is in march column (orders.e, orders.k).
    pub(crate) fn may_be_in_column(self, id: BodyId, formation: Formation) -> Allowed {
        match self.order_of(id) {
            Some(Command::Defend) if formation == Formation::MarchColumn => {
                Err(No::new(cite!("orders.e"), "under a Defend order nobody is in march column"))
            }
            Some(Command::Attack) if formation == Formation::MarchColumn => {
                Err(No::new(cite!("orders.k"), "under an Attack order nobody is in march column"))
            }
            _ => Ok(()),
        }
    }

    /// Whether any unit of an attacking leader tried a charge this turn or is within medium small-arms range of an enemy.
    pub(crate) fn is_pressing(self, id: LeaderId) -> bool {
        self.state.on_table().any(|(_, body)| {
            let info = self.battle.info(body);
            if info.leader != Some(id) {
                return false;
            }
            let medium = info.weapon.ranges[1];
            body.marks.has(Marks::CHARGED)
                || (!info.weapon.kind.is_artillery()
                    && self.has_enemy_within(info.side, &body.layout(self.battle), medium + EPS))
        })
    }

    /// Orders worth offering: forward to the enemy's middle, to the hill, where he stands.
    pub(crate) fn find_orders(self, side: Side, out: &mut Vec<(LeaderId, Command, Spot)>) {
        for i in 0..self.state.leaders.len() {
            let id = LeaderId(i as u8);
            let man = &self.state.leaders[i];
            if self.battle.leaders[i].side != side
                || !man.leads()
                || man.ordered
                || !needs_order(self.battle, id)
            {
                continue;
            }
            let mut push = |order: Command, marker: Spot| {
                if (man.order != order || man.marker != marker)
                    && self.may_order(side, id, order, marker).is_ok()
                {
                    out.push((id, order, marker));
                }
            };
            push(Command::Defend, man.at);
            let middle = table::Pt::new(self.battle.top.width / 2, self.battle.top.height / 2);
            push(Command::Attack, middle.spot());
            push(Command::Move, middle.spot());
            let nearest =
                self.state.on_table().filter(|(_, b)| self.battle.side(b) != side && !b.marks.unsighted());
            let nearest =
                nearest.map(|(_, b)| b.layout(self.battle).centre()).min_by_key(|c| c.to(man.at.pt()));
            if let Some(enemy) = nearest {
                push(Command::Attack, enemy.spot());
                push(Command::Move, man.at.pt().part_way(enemy, 1, 3).spot());
            }
        }
    }

    pub(crate) fn offer_orders(self, side: Side, out: &mut Vec<Action>) {
        let mut found = Vec::new();
        self.find_orders(side, &mut found);
        out.extend(found.into_iter().map(|(leader, order, marker)| Action::Order { leader, order, marker }));
    }

    /// Whether a side has an order to issue.
    pub(crate) fn has_orders(self, side: Side) -> bool {
        let mut found = Vec::new();
        self.find_orders(side, &mut found);
        !found.is_empty()
    }
}

impl<F: Effects> Run<'_, F> {
    /// Issues an order: one die unless the overall commander gives it to himself (orders.b-d, command.range.h).
    pub(crate) fn issue_order(&mut self, id: LeaderId, order: Command, marker: Spot) {
        let info = &self.battle.leaders[id.i()];
        self.state.leaders[id.i()].ordered = true;
        let received = info.overall || {
            self.state.commands[info.side] += 1;
            self.roll_order(id)
        };
        if received {
            let man = &mut self.state.leaders[id.i()];
            man.order = order;
            man.marker = marker;
        }
        self.fx.tell(|| {
            let word = if received { "is under" } else { "does not receive" };
            Entry::new(Kind::Draw, format!("{} {word} an order to {}.", info.name, order.name()))
                .side(info.side)
                .rule(cite!("orders.b"))
                .piece(leader_piece(id))
                .only(info.side)
        });
        self.convert_orders();
    }

    fn roll_order(&mut self, id: LeaderId) -> bool {
        let info = &self.battle.leaders[id.i()];
        let note = |rule, sum: Option<&Sum>| {
            let note = RollNote::new(format!("An order to {}", info.name), rule)
                .outcomes(["it does not reach him", "it reaches him"])
                .side(info.side)
                .by(leader_piece(id));
            note.modifiers(sum.map_or(Vec::new(), Sum::modifiers))
        };
        if !self.at().hears_orders(id) {
            return self.fx.passes(Test::at_least(Die::D6, 6), || note(cite!("orders.d"), None));
        }
        let mut sum = Sum::new();
        if self.state.leaders[id.i()].attached.is_some() {
            sum.add(-2, "attached", cite!("orders.c"));
        }
        let chief = self.battle.overall(info.side);
        if chief.is_some_and(|c| self.state.leaders[c.i()].incompetent) {
            sum.add(-2, "incompetent commander", cite!("orders.c"));
        }
        let need = 2 - sum.total();
        self.fx.passes(Test::at_least(Die::D6, need), || note(cite!("orders.b"), Some(&sum)))
    }

    /// A Move order near its marker or near an enemy becomes Defend at once (orders.g).
    pub(crate) fn convert_orders(&mut self) {
        if !self.battle.on.orders {
            return;
        }
        for i in 0..self.state.leaders.len() {
            let man = self.state.leaders[i];
            if !man.leads() || man.order != Command::Move {
                continue;
            }
            let side = self.battle.leaders[i].side;
            let rows = &self.battle.tables.orders;
            let there = man.at.pt().to(man.marker.pt()) <= rows.move_converts_within_marker * INCH + EPS;
            let enemy = self.at().enemy_within(side, man.at.pt(), rows.move_converts_within_enemy * INCH);
            if !there && !enemy {
                continue;
            }
            let man = &mut self.state.leaders[i];
            man.order = Command::Defend;
            if enemy && !there {
                man.marker = man.at;
            }
            self.tell(|at| {
                Entry::new(Kind::Draw, format!("{} now defends.", at.battle.leaders[i].name))
                    .side(side)
                    .rule(cite!("orders.g"))
                    .piece(leader_piece(LeaderId(i as u8)))
                    .only(side)
            });
        }
    }
}
