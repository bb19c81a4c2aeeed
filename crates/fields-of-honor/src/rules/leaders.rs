//! Leader replacement, casualties, sniping, and leaders' own moves.

use game::words::does;
use game::{Die, Effects, Entry, Kind, RollNote, Side, Test};
use serde::{Deserialize, Serialize};
use table::{EPS, INCH, Pt, Spot};

use crate::cite;
use crate::rules::fire::{Aim, No, Volley, firing_stands};
use crate::rules::rolls::leader_piece;
use crate::rules::terrain::{Look, Through, line_of_sight};
use crate::setup::battle::Battle;
use crate::state::{BodyId, Command, LeaderId, Marks, Personality, State, Where};

/// What a leader does on his own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Lead {
    Ride(Spot),
    Attach(BodyId),
}

/// Phase 1: a die for each disabled leader (R15).
pub fn replace(battle: &Battle, state: &mut State, fx: &mut impl Effects) {
    for i in 0..state.leaders.len() {
        let man = state.leaders[i];
        if !man.disabled || man.place != Where::Table {
            continue;
        }
        let info = &battle.leaders[i];
        let id = LeaderId(i as u8);
        let note = |rule| {
            RollNote::new(format!("A replacement for {}", info.name), rule)
                .side(info.side)
                .by(leader_piece(id))
        };
        let found = if info.overall {
            let die = fx.die(Die::D6, || note(cite!("leader-loss.f")));
            state.leaders[i].incompetent = die <= 3;
            true
        } else {
            fx.passes(Test::at_least(Die::D6, 4), || note(cite!("seq.leader-replacement.a")))
        };
        if found {
            let man = &mut state.leaders[i];
            man.disabled = false;
            if !info.overall && battle.on.personalities {
                let sum = fx.total(2, Die::D6, || note(cite!("personality.k")));
                state.leaders[i].personality = Personality::rolled(sum);
            }
            fx.tell(|| {
                Entry::new(Kind::Rally, format!("{} is replaced.", info.name))
                    .side(info.side)
                    .rule(cite!("seq.leader-replacement.a"))
                    .piece(leader_piece(id))
            });
        }
    }
}

/// Before the first turn: who the scenario leaves to the dice (personality.a, personality.k).
pub fn appoint(battle: &Battle, state: &mut State, fx: &mut impl Effects) {
    for (i, info) in battle.leaders.iter().enumerate().filter(|(_, l)| l.rolled) {
        let id = LeaderId(i as u8);
        let note = |rule| {
            RollNote::new(format!("What {} is like", info.name), rule).side(info.side).by(leader_piece(id))
        };
        if info.overall {
            state.leaders[i].incompetent = fx.die(Die::D6, || note(cite!("personality.a"))) <= 2;
        } else if battle.on.personalities {
            let sum = fx.total(2, Die::D6, || note(cite!("personality.k")));
            state.leaders[i].personality = Personality::rolled(sum);
        }
    }
}

/// Phase 7: leaders with units that lost a stand (R16).
pub fn losses(battle: &Battle, state: &mut State, fx: &mut impl Effects) {
    for i in 0..state.leaders.len() {
        let man = state.leaders[i];
        let with_losers = man.attached.is_some_and(|with| state.body(with).marks.has(Marks::LOST_STAND));
        if man.leads() && !man.rolled && (man.exposed || with_losers) {
            risk(battle, state, LeaderId(i as u8), cite!("leader-loss.a"), fx);
        }
    }
}

/// Two dice; 11 or 12 and he is out of action.
fn risk(battle: &Battle, state: &mut State, id: LeaderId, rule: game::Rule, fx: &mut impl Effects) {
    let info = &battle.leaders[id.i()];
    state.leaders[id.i()].rolled = true;
    let hit = fx.graded(
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
    let personality = state.leaders[id.i()].personality;
    state.leaders[id.i()].disabled = true;
    fx.tell(|| {
        Entry::new(Kind::Gone, format!("{} is out of action.", info.name))
            .side(info.side)
            .rule(rule)
            .piece(leader_piece(id))
    });
    if personality == Personality::Inspiring {
        crate::rules::morale::leader_killed(battle, state, id);
    }
}

/// Whether a unit may snipe at a leader (leader-loss.b).
///
/// # Errors
/// The rule that forbids it.
pub fn may_snipe(battle: &Battle, state: &State, by: BodyId, leader: LeaderId) -> Result<(), No> {
    let body = state.body(by);
    let man = &state.leaders[leader.i()];
    let info = battle.info(body);
    if info.fire.is_none() || body.order.broken() || state.in_melee(by) {
        return Err(No::new(
            cite!("leader-loss.b"),
            "only a unit with a fire rating, in good order and out of melee, snipes",
        ));
    }
    if battle.leaders[leader.i()].side == battle.side(body) || !man.leads() || man.attached.is_some() {
        return Err(No::new(cite!("leader-loss.b"), "only an unattached enemy leader can be sniped at"));
    }
    let declared = state.volleys.iter().any(|v| v.at == Aim::Leader(leader));
    if man.rolled || declared {
        return Err(No::new(cite!("leader-loss.c"), "one roll a turn is made for each leader"));
    }
    // Any stand that could fire may have the marksman, as with other fire (R50).
    let to = man.at.pt();
    let stands = firing_stands(battle, state, by);
    let mut near =
        stands.fronts.iter().filter(|front| front.to(to) <= info.weapon.ranges[2] + EPS).peekable();
    if near.peek().is_none() {
        return Err(No::new(cite!("leader-loss.b"), "he is beyond long range"));
    }
    let seen = near.any(|&from| {
        let side = battle.side(body);
        let look = Look { from, to, by, at: None, through: Through::Sight, side };
        line_of_sight(battle, state, &look).is_ok()
    });
    if seen { Ok(()) } else { Err(No::new(cite!("leader-loss.b"), "he is not in sight")) }
}

/// The leaders a unit may snipe at.
pub fn snipes(battle: &Battle, state: &State, by: BodyId, out: &mut Vec<Volley>) {
    for i in 0..state.leaders.len() {
        let leader = LeaderId(i as u8);
        if battle.leaders[i].side != battle.side_of(state, by) && may_snipe(battle, state, by, leader).is_ok()
        {
            out.push(Volley::of(by, Aim::Leader(leader), 0));
        }
    }
}

/// Rolls for a leader who is sniped at.
pub fn snipe(battle: &Battle, state: &mut State, by: BodyId, leader: LeaderId, fx: &mut impl Effects) {
    if state.leaders[leader.i()].leads() {
        fx.tell(|| {
            Entry::new(
                Kind::Fire,
                does(&battle.name(state, by), &format!("snipes at {}.", battle.leaders[leader.i()].name)),
            )
            .side(battle.side_of(state, by))
            .rule(cite!("leader-loss.d"))
            .piece(leader_piece(leader))
        });
        risk(battle, state, leader, cite!("leader-loss.b"), fx);
    }
}

/// Checks a leader's own move (commander.functions).
///
/// # Errors
/// The rule that forbids it.
pub fn may_lead(battle: &Battle, state: &State, side: Side, id: LeaderId, lead: Lead) -> Result<(), No> {
    let man = &state.leaders[id.i()];
    let info = &battle.leaders[id.i()];
    if info.side != side || !man.leads() {
        return Err(No::new(cite!("commander.functions.a"), "he is not yours, or not in action"));
    }
    let there = is_there(battle, state, id, lead);
    if man.moved && !there {
        return Err(No::new(cite!("commander.functions.a"), "he has moved on his own this turn"));
    }
    let to = match lead {
        Lead::Ride(spot) => spot.pt(),
        Lead::Attach(body) => {
            let unit = state.body(body);
            if !unit.on_table() || battle.side(unit) != side {
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
    if !battle.top.holds_point(to) {
        return Err(No::new(cite!("commander.functions.a"), "that is off the table"));
    }
    if man.at.pt().to(to) > battle.rates.leader() + EPS {
        return Err(No::new(cite!("commander.functions.a"), "that is farther than a leader rides in a turn"));
    }
    order_leads(battle, state, id, to)
}

/// Attaching to a unit that he touches already is no move (commander.functions.a).
fn is_there(battle: &Battle, state: &State, id: LeaderId, lead: Lead) -> bool {
    let at = state.leaders[id.i()].at.pt();
    matches!(lead, Lead::Attach(body) if state.body(body).layout(battle).distance_to(at) <= EPS)
}

/// Where the order lets him go (orders.e, orders.f, orders.i).
fn order_leads(battle: &Battle, state: &State, id: LeaderId, to: Pt) -> Result<(), No> {
    if !battle.on.orders || !crate::rules::orders::needs_order(battle, id) {
        return Ok(());
    }
    let man = &state.leaders[id.i()];
    let marker = man.marker.pt();
    let (before, after) = (man.at.pt().to(marker), to.to(marker));
    match man.order {
        Command::Defend if after > battle.command_range() + EPS && after >= before => {
            Err(No::new(cite!("orders.e"), "under a Defend order he keeps his marker within command range"))
        }
        Command::Move if after >= before => {
            Err(No::new(cite!("orders.f"), "under a Move order he goes nearer to his marker, if he goes"))
        }
        Command::Attack if after >= before && !crate::rules::orders::pressing(battle, state, id) => {
            Err(No::new(
                cite!("orders.i"),
                "none of his units is at grips, so he goes nearer to his marker, if he goes",
            ))
        }
        _ => Ok(()),
    }
}

/// He rides or attaches.
pub fn lead(battle: &Battle, state: &mut State, id: LeaderId, lead: Lead) {
    let there = is_there(battle, state, id, lead);
    let man = &mut state.leaders[id.i()];
    man.moved |= !there;
    match lead {
        Lead::Ride(spot) => {
            man.at = spot;
            man.attached = None;
        }
        Lead::Attach(body) => {
            man.attached = Some(body);
            man.at = state.bodies[body.i()].pose.at;
        }
    }
}

/// What a leader of a side could do before one of its units takes a Reaction Test: ride so near that it is in command, or
/// join it for his bonus (commander.functions.a, commander.functions.c).
pub fn before_reaction(battle: &Battle, state: &State, side: Side, out: &mut Vec<(LeaderId, Lead)>) {
    for unit in crate::rules::reaction::reactors(battle, state, side) {
        for id in of_side(battle, side) {
            if !battle.leaders[id.i()].overall && state.leaders[id.i()].attached != Some(unit) {
                offer(battle, state, side, id, Lead::Attach(unit), out);
            }
            if commands(battle, state, id, unit) && !battle.in_range(state, id, unit) {
                out.extend(into_range(battle, state, side, id, unit).map(|lead| (id, lead)));
            }
        }
    }
}

/// What a leader of a side could do before its units test their morale: ride into range of one, or, Inspiring, join it.
pub fn before_morale(battle: &Battle, state: &State, side: Side, out: &mut Vec<(LeaderId, Lead)>) {
    let testers = state
        .on_table()
        .filter(|(unit, b)| battle.side(b) == side && crate::rules::morale::must_test(battle, state, *unit));
    for (unit, _) in testers {
        for id in of_side(battle, side).filter(|id| commands(battle, state, *id, unit)) {
            let man = &state.leaders[id.i()];
            if !battle.in_range(state, id, unit) {
                out.extend(into_range(battle, state, side, id, unit).map(|lead| (id, lead)));
            } else if man.personality == Personality::Inspiring
                && battle.commander_of(state, unit) == Some(id)
                && man.attached != Some(unit)
            {
                offer(battle, state, side, id, Lead::Attach(unit), out);
            }
        }
    }
}

/// Whether a ride before the Morale Phase rolls could change a test.
#[must_use]
pub fn may_help(battle: &Battle, state: &State, side: Side) -> bool {
    let mut found = Vec::new();
    before_morale(battle, state, side, &mut found);
    !found.is_empty()
}

/// Whether a ride before a Reaction Test could change it.
#[must_use]
pub fn could_help(battle: &Battle, state: &State, side: Side) -> bool {
    let mut found = Vec::new();
    before_reaction(battle, state, side, &mut found);
    !found.is_empty()
}

fn of_side(battle: &Battle, side: Side) -> impl Iterator<Item = LeaderId> {
    let all = battle.leaders.iter().enumerate().filter(move |(_, l)| l.side == side);
    all.map(|(i, _)| LeaderId(i as u8))
}

/// Its own sub-commander, or the overall commander.
fn commands(battle: &Battle, state: &State, id: LeaderId, unit: BodyId) -> bool {
    battle.leaders[id.i()].overall || battle.commander_of(state, unit) == Some(id)
}

fn offer(
    battle: &Battle,
    state: &State,
    side: Side,
    id: LeaderId,
    lead: Lead,
    out: &mut Vec<(LeaderId, Lead)>,
) {
    if may_lead(battle, state, side, id, lead).is_ok() && !out.contains(&(id, lead)) {
        out.push((id, lead));
    }
}

/// The ride straight at a unit that ends just within command range of it.
fn into_range(battle: &Battle, state: &State, side: Side, id: LeaderId, unit: BodyId) -> Option<Lead> {
    let man = &state.leaders[id.i()];
    if man.moved || !man.leads() {
        return None;
    }
    let (from, to) = (man.at.pt(), state.body(unit).layout(battle).block().closest(man.at.pt()));
    // Half an inch to spare, for the corner of a block may have no stand.
    let far = from.to(to) - battle.reach(state, id, unit) + INCH / 2;
    let lead = Lead::Ride(from.part_way(to, far.max(0), from.to(to).max(1)).spot());
    may_lead(battle, state, side, id, lead).is_ok().then_some(lead)
}

/// A few good places for each leader who has not moved: with his units, behind them, among them.
pub fn leads(battle: &Battle, state: &State, side: Side, out: &mut Vec<(LeaderId, Lead)>) {
    for i in 0..state.leaders.len() {
        let id = LeaderId(i as u8);
        let man = &state.leaders[i];
        if battle.leaders[i].side != side || !man.leads() || man.moved {
            continue;
        }
        let mut push = |lead| {
            if may_lead(battle, state, side, id, lead).is_ok() {
                out.push((id, lead));
            }
        };
        let (mut sum, mut count) = (Pt::default(), 0);
        for (body, unit) in state.on_table() {
            if battle.side(unit) != side || battle.info(unit).leader != id || unit.order.broken() {
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
