//! Orders to sub-commanders: Defend, Move, Attack.

use game::{Die, Effects, Entry, Kind, RollNote, Side, Test};
use table::{EPS, INCH, Spot};

use crate::cite;
use crate::rules::basics::Formation;
use crate::rules::fire::No;
use crate::rules::rolls::{Sum, leader_piece};
use crate::setup::battle::Battle;
use crate::state::{BodyId, Command, LeaderId, Marks, State};

/// Whether a leader acts under an order: sub-commanders, and overall commanders with units of their own.
#[must_use]
pub fn needs_order(battle: &Battle, id: LeaderId) -> bool {
    !battle.leaders[id.i()].overall || battle.bmus.iter().any(|b| b.leader == id)
}

/// Commands a side may still issue this turn (personality.b).
#[must_use]
pub fn commands_left(battle: &Battle, state: &State, side: Side) -> u8 {
    let Some(chief) = battle.overall(side) else { return 0 };
    let man = &state.leaders[chief.i()];
    if !man.leads() {
        return 0;
    }
    let all = if man.incompetent { 1 } else { 2 };
    all - state.commands[side].min(all)
}

/// Checks a new order and its marker.
///
/// # Errors
/// The rule that forbids it.
pub fn may_order(
    battle: &Battle,
    state: &State,
    side: Side,
    id: LeaderId,
    order: Command,
    marker: Spot,
) -> Result<(), No> {
    let man = &state.leaders[id.i()];
    let info = &battle.leaders[id.i()];
    if info.side != side || !man.leads() || !needs_order(battle, id) {
        return Err(No::new(cite!("orders.a"), "he is not yours, not in action, or needs no order"));
    }
    if man.ordered {
        return Err(No::new(cite!("personality.b"), "never two commands to the same man in a turn"));
    }
    if commands_left(battle, state, side) == 0 && !info.overall {
        return Err(No::new(
            cite!("personality.b"),
            "the overall commander has issued all his commands this turn",
        ));
    }
    let distance = man.at.pt().to(marker.pt());
    let rows = &battle.tables.orders;
    match order {
        Command::Defend if distance > rows.defend_marker_max * INCH + EPS => {
            Err(No::new(cite!("orders.e"), "the marker of a Defend order lies within 6 in of him"))
        }
        Command::Move if distance > rows.move_marker_max_inches[battle.scale as usize] * INCH + EPS => {
            Err(No::new(cite!("orders.f"), "the marker lies within five column moves at the Charge rate"))
        }
        Command::Move if battle.enemy_within(state, side, marker.pt(), rows.move_marker_min_enemy * INCH) => {
            Err(No::new(cite!("orders.f"), "the marker does not lie within 12 in of an enemy"))
        }
        Command::Attack if distance > rows.attack_marker_max_inches[battle.scale as usize] * INCH + EPS => {
            Err(No::new(cite!("orders.i"), "the marker lies within five column moves at the Engaged rate"))
        }
        _ if !battle.top.holds_point(marker.pt()) => {
            Err(No::new(cite!("orders.a"), "the marker lies on the table"))
        }
        _ => Ok(()),
    }
}

/// Under Attack and Defend nobody is in march column (orders.e, orders.k).
///
/// # Errors
/// The rule.
pub fn may_be_in_column(battle: &Battle, state: &State, id: BodyId, formation: Formation) -> Result<(), No> {
    match battle.order_of(state, id) {
        Some(Command::Defend) if formation == Formation::MarchColumn => {
            Err(No::new(cite!("orders.e"), "under a Defend order nobody is in march column"))
        }
        Some(Command::Attack) if formation == Formation::MarchColumn => {
            Err(No::new(cite!("orders.k"), "under an Attack order nobody is in march column"))
        }
        _ => Ok(()),
    }
}

/// Issues an order: one die unless the overall commander gives it to himself (orders.b-d, command.range.h).
pub fn issue(
    battle: &Battle,
    state: &mut State,
    id: LeaderId,
    order: Command,
    marker: Spot,
    fx: &mut impl Effects,
) {
    let info = &battle.leaders[id.i()];
    state.leaders[id.i()].ordered = true;
    let received = info.overall || {
        state.commands[info.side] += 1;
        roll(battle, state, id, fx)
    };
    if received {
        let man = &mut state.leaders[id.i()];
        man.order = order;
        man.marker = marker;
    }
    fx.tell(|| {
        let word = if received { "is under" } else { "does not receive" };
        Entry::new(Kind::Draw, format!("{} {word} an order to {}.", info.name, order.name()))
            .side(info.side)
            .rule(cite!("orders.b"))
            .piece(leader_piece(id))
            .only(info.side)
    });
    convert(battle, state, fx);
}

fn roll(battle: &Battle, state: &State, id: LeaderId, fx: &mut impl Effects) -> bool {
    let info = &battle.leaders[id.i()];
    let note = |rule, sum: Option<&Sum>| {
        let note = RollNote::new(format!("An order to {}", info.name), rule)
            .outcomes(["it does not reach him", "it reaches him"])
            .side(info.side)
            .by(leader_piece(id));
        note.modifiers(sum.map_or(Vec::new(), Sum::modifiers))
    };
    if !battle.hears_orders(state, id) {
        return fx.passes(Test::at_least(Die::D6, 6), || note(cite!("orders.d"), None));
    }
    let mut sum = Sum::default();
    if state.leaders[id.i()].attached.is_some() {
        sum.add(-2, "attached", cite!("orders.c"));
    }
    let chief = battle.overall(info.side);
    if chief.is_some_and(|c| state.leaders[c.i()].incompetent) {
        sum.add(-2, "incompetent commander", cite!("orders.c"));
    }
    let need = 2 - sum.total();
    fx.passes(Test::at_least(Die::D6, need), || note(cite!("orders.b"), Some(&sum)))
}

/// A Move order near its marker or near an enemy becomes Defend at once (orders.g).
pub fn convert(battle: &Battle, state: &mut State, fx: &mut impl Effects) {
    if !battle.on.orders {
        return;
    }
    for i in 0..state.leaders.len() {
        let man = state.leaders[i];
        if !man.leads() || man.order != Command::Move {
            continue;
        }
        let side = battle.leaders[i].side;
        let rows = &battle.tables.orders;
        let there = man.at.pt().to(man.marker.pt()) <= rows.move_converts_within_marker * INCH + EPS;
        let enemy = battle.enemy_within(state, side, man.at.pt(), rows.move_converts_within_enemy * INCH);
        if !there && !enemy {
            continue;
        }
        let man = &mut state.leaders[i];
        man.order = Command::Defend;
        if enemy && !there {
            man.marker = man.at;
        }
        fx.tell(|| {
            Entry::new(Kind::Draw, format!("{} now defends.", battle.leaders[i].name))
                .side(side)
                .rule(cite!("orders.g"))
                .piece(leader_piece(LeaderId(i as u8)))
                .only(side)
        });
    }
}

/// Whether any unit of an attacking leader tried a charge this turn or is within medium small-arms range of an enemy.
#[must_use]
pub fn pressing(battle: &Battle, state: &State, id: LeaderId) -> bool {
    state.on_table().any(|(_, body)| {
        let info = battle.info(body);
        if info.leader != id {
            return false;
        }
        let medium = info.weapon.ranges[1];
        body.marks.has(Marks::CHARGED)
            || (!info.weapon.kind.is_artillery()
                && battle.has_enemy_within(state, info.side, &body.layout(battle), medium + EPS))
    })
}

/// Orders worth offering: forward to the enemy's middle, to the hill, where he stands.
pub fn orders(battle: &Battle, state: &State, side: Side, out: &mut Vec<(LeaderId, Command, Spot)>) {
    for i in 0..state.leaders.len() {
        let id = LeaderId(i as u8);
        let man = &state.leaders[i];
        if battle.leaders[i].side != side || !man.leads() || man.ordered || !needs_order(battle, id) {
            continue;
        }
        let mut push = |order: Command, marker: Spot| {
            if (man.order != order || man.marker != marker)
                && may_order(battle, state, side, id, order, marker).is_ok()
            {
                out.push((id, order, marker));
            }
        };
        push(Command::Defend, man.at);
        let middle = table::Pt::new(battle.top.width / 2, battle.top.height / 2);
        push(Command::Attack, middle.spot());
        push(Command::Move, middle.spot());
        let nearest = state.on_table().filter(|(_, b)| battle.side(b) != side && !b.marks.unsighted());
        let nearest = nearest.map(|(_, b)| b.layout(battle).centre()).min_by_key(|c| c.to(man.at.pt()));
        if let Some(enemy) = nearest {
            push(Command::Attack, enemy.spot());
            push(Command::Move, man.at.pt().part_way(enemy, 1, 3).spot());
        }
    }
}
