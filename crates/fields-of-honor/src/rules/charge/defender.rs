//! The defender's actions: what he announces, his fire and that of his supporters, facing, squares, retiring.

use arrayvec::ArrayVec;
use game::{Die, Effects, Kind, RollNote};
use table::{Angle, EPS, INCH};

use crate::cite;
use crate::rules::basics::{Arm, Formation, Layout, Shape};
use crate::rules::charge::movement::{lead_at, lead_stand, no_flanks, test_point};
use crate::rules::charge::sequence::{chargers_at, met_first};
use crate::rules::charge::{Charged, Charger, Reaction};
use crate::rules::contact::turned_shape;
use crate::rules::fire::{Aim, Bearing, FireOrder, No, Shot, Volley, When};
use crate::rules::movement::free;
use crate::rules::rolls::{Sum, missed_by, tell_of};
use crate::rules::sequence::{Phase, Step};
use crate::rules::{fire, rout, skirmishers};
use crate::setup::battle::Battle;
use crate::state::{BodyId, Face, Marks, Order, State};

/// What a target may announce.
///
/// # Errors
/// The rule that forbids it.
pub fn check_reaction(battle: &Battle, state: &State, target: usize, reaction: Reaction) -> Result<(), No> {
    let charged = &state.charge.targets[target];
    let body = state.body(charged.body);
    let chargers = state.charge.chargers.iter().filter(|c| c.on && c.line.at == charged.body);
    match reaction {
        Reaction::None => Err(No::new(cite!("charge.defender.c"), "it must announce something")),
        Reaction::Stand => Ok(()),
        _ if body.marks.has(Marks::ON_WALL) => {
            Err(No::new(cite!("fort.assault.b"), "defenders on a wall stand and fire, nothing else"))
        }
        Reaction::Retire { .. }
            if battle.arm(body).is_artillery()
                && !skirmishers::can_go_out(state, body.bmu, crate::state::Part::Crew) =>
        {
            Err(No::new(cite!("charge.defender.f"), "no more bodies fit on the table for its gunners"))
        }
        Reaction::Retire { .. } => {
            crate::rules::fire::may_fire(battle, state, charged.body, crate::rules::fire::When::Defence)
                .map_err(|_| {
                    No::new(cite!("charge.defender.d"), "it cannot fire and retire because it cannot fire")
                })
        }
        Reaction::Counter => {
            if battle.arm(body).is_artillery()
                || no_flanks(body) && !body.skirmishing()
                || body.order.broken()
            {
                return Err(No::new(
                    cite!("charge.defender.c"),
                    "guns, squares and the Shaken do not countercharge",
                ));
            }
            let layout = body.layout(battle);
            let wedge = table::Wedge::new(layout.pose.at.pt(), layout.pose.facing, 4500);
            let ahead = chargers.clone().any(|c| wedge.meets(&lead_stand(battle, state, c).block()));
            if ahead {
                Ok(())
            } else {
                Err(No::new(cite!("charge.defender.c"), "the charge does not come from its front"))
            }
        }
        Reaction::Face => {
            if no_flanks(body) || battle.arm(body).is_artillery() {
                return Err(No::new(cite!("charge.defender.c"), "it has no other face to show"));
            }
            if chargers.clone().any(|c| c.face != Face::Front) {
                Ok(())
            } else {
                Err(No::new(cite!("charge.defender.c"), "it faces the charge already"))
            }
        }
        Reaction::Square => may_form_square(battle, state, charged.body),
    }
}

fn may_form_square(battle: &Battle, state: &State, id: BodyId) -> Result<(), No> {
    let body = state.body(id);
    if body.shape.formation.is_loose() {
        return Err(No::new(cite!("basics.formations.e"), "skirmishers and mobs do not form square"));
    }
    if battle.arm(body) != Arm::Infantry
        || body.shape.formation == Formation::Square
        || body.fighting(battle) < 2
    {
        return Err(No::new(cite!("charge.defender.c"), "only formed infantry forms square"));
    }
    if squared(battle, state, id).is_none() {
        return Err(No::new(cite!("charge.defender.c"), "there is no room for a square"));
    }
    Ok(())
}

/// The square on the same middle, its first rank towards the charger (R34).
#[must_use]
pub fn squared(battle: &Battle, state: &State, id: BodyId) -> Option<Layout> {
    let body = state.body(id);
    let charger = state.charge.chargers.iter().find(|c| c.on && c.line.at == id)?;
    let layout = body.layout(battle);
    let from = state.body(charger.line.by).layout(battle).centre();
    let towards = Angle::of(from - layout.centre());
    let shape = Shape::of(Formation::Square, battle.arm(body), body.fighting(battle), 0);
    // One of the four fronts as it stands, whichever looks at the charger most nearly.
    let quarter = (layout.pose.facing.turn_to(towards) + 36_000 + 4500) / 9000 * 9000;
    let square = layout.rearranged(shape, layout.pose.facing.turned(quarter));
    let lead = lead_stand(battle, state, charger);
    (free(battle, state, id, &square) && square.distance(&lead) > EPS).then_some(square)
}

/// The number of the test to face or form square (qrs.square).
#[must_use]
pub fn square_number(battle: &Battle, state: &State, target: usize) -> Sum {
    let id = state.charge.targets[target].body;
    let body = state.body(id);
    let mods = &battle.tables.test.square.modifiers;
    let mut sum = Sum::from(battle.tables.test.square.base, "base", cite!("qrs.square.a"));
    sum.add(mods.rating(battle.info(body).morale), "morale rating", cite!("qrs.square.b"));
    let nearest = state.charge.chargers.iter().filter(|c| c.on && c.line.at == id).min_by_key(|c| c.d);
    if nearest.is_some_and(|c| 2 * c.d > battle.rate(state.body(c.line.by)).charge) {
        sum.add(mods.charge_over_half, "charge over half", cite!("qrs.square.c"));
    }
    if battle.attached_helper(state, id).is_some() {
        sum.add(mods.sub_commander_attached, "sub-commander attached", cite!("qrs.square.d"));
    }
    if battle.is_drilled(state, id) {
        sum.add(mods.perfectionist, "perfectionist", cite!("personality.f"));
    }
    sum
}

/// Rolls to face or form square.
pub fn square_test(battle: &Battle, state: &State, target: usize, what: &str, fx: &mut impl Effects) -> bool {
    let sum = square_number(battle, state, target);
    let id = state.charge.targets[target].body;
    missed_by(battle, state, id, &sum, what, cite!("qrs.square.a"), fx) == 0
}

/// The charger a target deals with: the one it named, or the first to come (R122).
fn charger_chosen<'s>(state: &'s State, target: &Charged) -> Option<&'s Charger> {
    let own = chargers_at(state, target.body);
    let index = own.iter().find(|i| **i == target.fires_at).or_else(|| own.first())?;
    state.charge.chargers.get(usize::from(*index))
}

/// Every stand turns in place towards the charger (R34).
pub fn face_charger(battle: &Battle, state: &mut State, target: usize) {
    let id = state.charge.targets[target].body;
    let Some(charger) = charger_chosen(state, &state.charge.targets[target]) else { return };
    let lead = lead_stand(battle, state, charger).pose.at.pt();
    let body = state.body(id);
    let layout = body.layout(battle);
    let towards = layout.pose.facing.turn_to(Angle::of(lead - layout.centre()));
    let turn = [9000, 18_000, -9000].into_iter().min_by_key(|t| {
        let off = (towards - t).rem_euclid(36_000);
        off.min(36_000 - off)
    });
    turn_in_place(battle, state, id, turn.unwrap_or(18_000));
    for c in state.charge.chargers.iter_mut().filter(|c| c.line.at == id) {
        c.face = Face::Front;
    }
    let body = state.body_mut(id);
    body.marks.set(Marks::MOVED.and(Marks::MOVED_EARLY));
}

/// Turns every stand about its own middle by a quarter or half turn: the grid stays, its rows become files.
pub fn turn_in_place(battle: &Battle, state: &mut State, id: BodyId, turn: i32) {
    let body = state.body(id);
    let layout = body.layout(battle);
    let facing = layout.pose.facing.turned(turn);
    let turned = layout.rearranged(turned_shape(&layout, turn), facing);
    // Stands that turn in place need hardly any room; a block that has none stays as it is but fights to its front.
    if crate::rules::movement::free(battle, state, id, &turned) {
        let body = state.body_mut(id);
        body.shape = turned.shape;
        body.pose = turned.pose;
    }
}

/// Half fire for a unit that tries to face or form square.
#[must_use]
pub fn halves(reaction: Reaction) -> bool {
    matches!(reaction, Reaction::Face | Reaction::Square)
}

pub(crate) fn react(
    battle: &Battle,
    state: &mut State,
    target: usize,
    reaction: Reaction,
    fires_at: u8,
    fx: &mut impl Effects,
) {
    let charged = &mut state.charge.targets[target];
    charged.reaction = reaction;
    charged.fires_at = fires_at;
    let id = charged.body;
    if let Reaction::Retire { band } = reaction {
        let band = band.min(band_at_start(battle, state, target));
        state.charge.targets[target].reaction = Reaction::Retire { band };
    }
    tell_of(battle, state, id, Kind::Check, reaction_words(reaction), cite!("charge.defender.c"), fx);
    if reaction == Reaction::Face && square_test(battle, state, target, "faces the charge", fx) {
        face_charger(battle, state, target);
    }
}

/// The band in which the charger begins: gunners fire and run at no longer range than that (R38).
fn band_at_start(battle: &Battle, state: &State, target: usize) -> u8 {
    let charged = &state.charge.targets[target];
    let body = state.body(charged.body);
    let Some(charger) = charger_chosen(state, charged) else { return 0 };
    let far = lead_stand(battle, state, charger).distance(&body.layout(battle));
    let ranges = battle.info(body).weapon.ranges;
    ranges.iter().position(|limit| far <= limit + EPS).unwrap_or(3) as u8
}

pub(crate) fn reaction_words(reaction: Reaction) -> &'static str {
    match reaction {
        Reaction::None | Reaction::Stand => "stands and fires",
        Reaction::Retire { .. } => "will fire and retire",
        Reaction::Counter => "countercharges",
        Reaction::Face => "tries to face the charge",
        Reaction::Square => "tries to form square",
    }
}

/// Friends of the target that could fire at a charger, and at which (R33).
pub fn supporters<'a>(battle: &'a Battle, state: &'a State) -> impl Iterator<Item = (BodyId, u8)> + 'a {
    let side = state.charge.targets.first().map(|t| battle.side_of(state, t.body));
    let points: ArrayVec<(u8, crate::rules::basics::Layout), 4> = state
        .charge
        .chargers
        .iter()
        .enumerate()
        .filter(|(_, c)| c.on && !met_at_once(state, c))
        .map(|(i, c)| (i as u8, test_point(battle, state, c).0))
        .collect();
    state.on_table().flat_map(move |(by, body)| {
        let mine = Some(battle.side(body)) == side
            && !state.charge.targets.iter().any(|t| t.body == by)
            && !state.volleys.iter().any(|v| v.by == by)
            && fire::may_fire(battle, state, by, When::Support).is_ok();
        let medium = battle.info(body).weapon.ranges[1];
        let layout = body.layout(battle);
        points.clone().into_iter().filter_map(move |(i, lead)| {
            if !mine || !layout.may_be_within(&lead, medium + INCH) {
                return None;
            }
            let at = state.charge.chargers[usize::from(i)].line.by;
            let aim = fire::bearing(battle, state, by, at, &lead).ok()?;
            let allowed = fire::order_allows(battle, state, by, aim.band).is_ok();
            (allowed && aim.range <= medium + EPS).then_some((by, i))
        })
    })
}

/// Its target stands Suppressed: it goes into contact without fire and without a further test (R29).
fn met_at_once(state: &State, charger: &Charger) -> bool {
    state.charge.targets.iter().any(|t| t.pinned && t.body == charger.line.at)
}

/// The fires on the chargers, those of their targets before those in support. Each is rolled by itself, on the same state.
pub(crate) fn charge_fire(battle: &Battle, state: &mut State) {
    // Where they take fire is settled now: their targets may go elsewhere afterwards (R43).
    for i in 0..state.charge.chargers.len() {
        let (_, point) = test_point(battle, state, &state.charge.chargers[i]);
        state.charge.chargers[i].point = point;
    }
    met_first(state);
    let supports = std::mem::take(&mut state.volleys);
    for t in 0..state.charge.targets.len() {
        let target = state.charge.targets[t];
        let silent =
            target.gone || target.pinned || matches!(target.reaction, Reaction::None | Reaction::Counter);
        let Some(charger) = charger_chosen(state, &target) else { continue };
        if silent || fire::may_fire(battle, state, target.body, When::Defence).is_err() {
            continue;
        }
        let at = Aim::Body(charger.line.by);
        let fire = Volley::of(target.body, at, 0);
        if shot_of_target(battle, state, &fire).is_some() {
            state.volleys.push(fire);
        }
    }
    let own = state.volleys.len() as u8;
    for volley in supports {
        if shot_of_support(battle, state, &volley).is_some() {
            state.volleys.push(volley);
        }
    }
    state.agenda.replace(Step::ChargeVolleys { next: 0, own });
}

/// Rolls the next of the fires on the chargers, the first `own` of which are their targets'; when all are rolled, they
/// strike together.
pub(crate) fn charge_volley(battle: &Battle, state: &mut State, next: u8, own: u8, fx: &mut impl Effects) {
    let Some(volley) = state.volleys.get(usize::from(next)) else {
        state.agenda.pop();
        return strike_chargers(battle, state, fx);
    };
    let shot = match next < own {
        true => shot_of_target(battle, state, volley),
        false => shot_of_support(battle, state, volley),
    };
    state.agenda.replace(Step::ChargeVolleys { next: next + 1, own });
    if let Some(shot) = shot {
        let hits = fire::roll_shot(battle, state, &shot, fx);
        let volley = &mut state.volleys[usize::from(next)];
        (volley.hits, volley.through) = (hits, shot.through);
    }
}

/// The fire of the target of a charge.
fn shot_of_target(battle: &Battle, state: &State, volley: &Volley) -> Option<Shot> {
    let charger = charger_under(state, volley)?;
    let target = state.charge.targets.iter().find(|t| t.body == volley.by)?;
    let ranges = battle.info(state.body(target.body)).weapon.ranges;
    let guns = battle.arm(state.body(target.body)).is_artillery();
    let (lead, band, when) = match target.reaction {
        Reaction::Retire { band } if guns && band > 0 => {
            let band = usize::from(band.min(3));
            (lead_at(battle, state, charger, ranges[band]).0, band, When::Support)
        }
        _ => (test_point(battle, state, charger).0, 0, When::Defence),
    };
    // It fires as the lead stand comes into the band, from whatever side (R32, R38).
    let bearing = fire::bearing(battle, state, target.body, charger.line.by, &lead).ok()?;
    let aim = Bearing { band, ..bearing };
    let stands = aim.stands & in_place(battle, state, target);
    if stands == 0 {
        return None;
    }
    let plain = FireOrder::plain(when, stands);
    let order = FireOrder { half: halves(target.reaction), masked: target.masked, ..plain };
    Some(fire::shot(battle, state, target.body, charger.line.by, &lead, &aim, order))
}

/// The stands of a target that did not just fall back on it: those who did stand behind or beside the others and do not
/// fire (skirmish.g).
fn in_place(battle: &Battle, state: &State, target: &Charged) -> u16 {
    let stands = state.body(target.body).layout(battle).stands.saturating_sub(target.rejoined);
    (1u16 << stands.min(15)) - 1
}

/// A fire in support of the target of a charge.
fn shot_of_support(battle: &Battle, state: &State, volley: &Volley) -> Option<Shot> {
    shot_in_support(battle, state, volley.by, charger_under(state, volley)?)
}

/// What a body would fire at a charger in support, with all stands that bear.
pub(crate) fn shot_in_support(battle: &Battle, state: &State, by: BodyId, charger: &Charger) -> Option<Shot> {
    let lead = test_point(battle, state, charger).0;
    let aim = fire::bearing(battle, state, by, charger.line.by, &lead).ok()?;
    let order = FireOrder::plain(When::Support, aim.stands);
    Some(fire::shot(battle, state, by, charger.line.by, &lead, &aim, order))
}

fn charger_under<'s>(state: &'s State, volley: &Volley) -> Option<&'s Charger> {
    let Aim::Body(at) = volley.at else { return None };
    state.charge.chargers.iter().find(|c| c.line.by == at)
}

/// What the fires on the chargers have come to falls on them all at once.
fn strike_chargers(battle: &Battle, state: &mut State, fx: &mut impl Effects) {
    for volley in std::mem::take(&mut state.volleys) {
        let Aim::Body(at) = volley.at else { continue };
        let Some(index) = state.charge.chargers.iter().position(|c| c.line.by == at) else { continue };
        fire::has_fired(state, volley.by, Marks::FIRED_EARLY);
        if state.phase == Phase::Movement {
            state.body_mut(volley.by).marks.set(Marks::FIRED_AT_DASH);
        }
        let before = state.body(at).fresh;
        fire::apply(battle, state, volley.by, at, volley.through, volley.hits, fx);
        let charger = &mut state.charge.chargers[index];
        charger.under_fire = true;
        charger.hits += state.bodies[at.i()].fresh - before.min(state.bodies[at.i()].fresh);
        if !state.body(at).on_table() {
            state.charge.chargers[index].on = false;
            state.charge.chargers[index].joined = false;
        }
    }
}

pub(crate) fn after_fire(battle: &Battle, state: &mut State, target: usize, fx: &mut impl Effects) {
    state.agenda.pop();
    let charged = state.charge.targets[target];
    let own = chargers_at(state, charged.body);
    let Some(first) = own.first() else { return };
    let by = state.charge.chargers[usize::from(*first)].line.by;
    let id = charged.body;
    match charged.reaction {
        Reaction::Square => {
            let room = squared(battle, state, id);
            if square_test(battle, state, target, "forms square", fx)
                && let Some(square) = room
            {
                let body = state.body_mut(id);
                body.pose = square.pose;
                body.shape = square.shape;
                body.marks.set(Marks::MOVED.and(Marks::MOVED_EARLY));
                for c in state.charge.chargers.iter_mut().filter(|c| c.line.at == id) {
                    c.face = Face::Front;
                }
                tell_of(battle, state, id, Kind::March, "forms square", cite!("qrs.square.a"), fx);
            }
        }
        Reaction::Retire { band } if battle.arm(state.body(id)).is_artillery() => {
            let plus = [0, 1, 3, 3][usize::from(band.min(3))];
            let die = fx.die(Die::D6, || {
                RollNote::new(
                    format!("the gunners of {} run", battle.name(state, id)),
                    cite!("charge.defender.f"),
                )
                .side(battle.side_of(state, id))
                .by(crate::rules::rolls::piece(id))
                .modifiers(vec![game::Modifier::new(
                    plus,
                    "range they fired at",
                    cite!("charge.defender.f"),
                )])
            });
            state.charge.targets[target].gone = true;
            skirmishers::abandon_guns(battle, state, id, by, (i64::from(die) + i64::from(plus)) * INCH, fx);
        }
        Reaction::Retire { .. } => {
            rout::become_mob(battle, state, id);
            let length = rout::rout_roll(battle, state, id, "retires", fx);
            state.charge.targets[target].gone = true;
            let flight = rout::Flight { cause: Some(by), order: Order::Suppressed, later: false };
            rout::flee_by(battle, state, id, flight, length, fx);
            tell_of(
                battle,
                state,
                id,
                Kind::Retreat,
                "has fired and retires",
                cite!("charge.defender.d"),
                fx,
            );
        }
        _ => {}
    }
}
