//! Chapters 5.2 to 5.6: brigade activation, the six orders and the orders test.

pub(crate) mod maneuvers;
pub(crate) mod retire;
pub(crate) mod roads;

use arrayvec::ArrayVec;
use game::words::{counted, does, number};
use game::{Die, Effects, Entry, Kind, RollNote};
use serde::{Deserialize, Serialize};
use table::{Angle, EPS, MIL, Pose, Pt, Rect, Spot, Way};

use crate::field::{Field, Surroundings};
use crate::rules::command::maneuvers::{Bounds, Change, Double, Maneuver, Plan, Trail};
use crate::rules::command::roads::shift_unit;
use crate::rules::commanders::{evade, follow};
use crate::rules::formations::{COMMAND, Formation, footprint};
use crate::rules::morale;
use crate::rules::rolls::{Mods, piece, two_dice};
use crate::setup::battle::{
    Battle, BrigadeId, Fits, Flags, Marker, Specials, State, UnitId, Whereabouts, no, rect_of,
};

/// An order with the maneuver it is for; a Charge is declared by itself (chapter 7).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Order {
    Hold,
    Rally,
    Advance { maneuver: Maneuver, change: Change, exit: bool },
    March { double: Double, exit: bool },
    Reform { formation: Formation, facing: Angle },
}

impl Order {
    pub const fn marker(&self) -> Marker {
        match self {
            Order::Hold => Marker::Hold,
            Order::Rally => Marker::Rally,
            Order::Advance { .. } => Marker::Advance,
            Order::March { .. } => Marker::March,
            Order::Reform { .. } => Marker::Reform,
        }
    }

    /// Does it mount, dismount, limber or deploy before it moves?
    const fn changes_first(&self) -> bool {
        matches!(self, Order::Advance { change: Change::Before(_), .. })
    }
}

const fn bounds(exit: bool) -> Bounds {
    if exit { Bounds::Exit } else { Bounds::Stay }
}

/// Has the unit yet to get its order in this activation (5.4.a)?
pub(crate) fn awaits_order(state: &State, u: UnitId) -> bool {
    state.on_table(u) && !state.unit(u).flags.has(Flags::ORDERED)
}

/// Whether an order may be given, and what its maneuver comes to.
pub(crate) fn plan(
    field: &Field<'_>,
    brigade: BrigadeId,
    u: UnitId,
    order: &Order,
    way: &mut Trail,
) -> Fits<Option<Plan>> {
    if field.battle.unit(u).brigade != brigade {
        return no(cite!("5.b"), "Only units of the activated brigade get orders.");
    }
    if !awaits_order(field.state, u) {
        return no(cite!("5.4.a"), "The unit has had its order.");
    }
    plan_among(&surroundings(field, u, order), order, way)
}

/// How far afield an order can lead.
pub(crate) fn surroundings<'f, 'a>(field: &'f Field<'a>, u: UnitId, order: &Order) -> Surroundings<'f, 'a> {
    let rate = i64::from(maneuvers::rate(field, u)) * MIL;
    let travel = match order {
        Order::Hold | Order::Rally => 0,
        Order::Advance { .. } | Order::Reform { .. } => rate,
        Order::March { .. } => 2 * rate,
    };
    Surroundings::new(field, u, travel)
}

/// The same for a unit that awaits its order, among what lies within its reach.
pub(crate) fn plan_among(near: &Surroundings<'_, '_>, order: &Order, way: &mut Trail) -> Fits<Option<Plan>> {
    let (field, u) = (near.field, near.unit);
    let brigade = field.battle.unit(u).brigade;
    let broken = field.state.brigade_broken(brigade);
    match *order {
        Order::Hold => Ok(None),
        Order::Rally => {
            let commander = &field.state.commanders[field.battle.brigade(brigade).commander.i()];
            if broken {
                return no(cite!("11.3.c"), "Units of a Broken brigade may not be rallied.");
            }
            if commander.rallied || !commander.on_table {
                return no(cite!("5.4.j"), "A brigade commander issues one Rally a turn.");
            }
            Ok(None)
        }
        Order::Advance { maneuver, change, exit } => {
            if broken && !matches!(maneuver, Maneuver::Retire { .. }) {
                return no(cite!("11.3.d"), "A unit of a Broken brigade may only Retire.");
            }
            let plan = maneuvers::advance(near, maneuver, change, bounds(exit), way)?;
            if broken && !away_from_enemies(field, u, &plan) {
                return no(cite!("11.3.d"), "The Retire must not bring it nearer to the enemy.");
            }
            Ok(Some(plan))
        }
        Order::March { double, exit } => {
            if broken {
                return no(cite!("11.3.c"), "Units of a Broken brigade may not March.");
            }
            Ok(Some(maneuvers::at_the_double(near, double, bounds(exit), way)?))
        }
        Order::Reform { formation, facing } => Ok(Some(maneuvers::reform(near, formation, facing, way)?)),
    }
}

/// Its end is not nearer to the nearest enemy than its start (R92).
fn away_from_enemies(field: &Field<'_>, u: UnitId, plan: &Plan) -> bool {
    let end = table::Rect::new(plan.pose, footprint(field.battle.unit(u).arm, plan.formation));
    let nearest =
        |r: &table::Rect| field.enemies(u).map(|e| r.distance(field.rect(e))).min().unwrap_or(i64::MAX);
    plan.exit || nearest(&end) >= nearest(field.rect(u)) - EPS
}

/// How many complete 12 in lie between a unit and its brigade commander (5.6.i, 7.3.f).
pub(crate) fn twelves(field: &Field<'_>, u: UnitId) -> i16 {
    let c = field.battle.brigade(field.battle.unit(u).brigade).commander;
    if !field.state.commanders[c.i()].on_table {
        return 0;
    }
    ((field.commander_distance(c, u) + EPS) / COMMAND) as i16
}

/// The modifiers of the orders test (5.6.e to 5.6.l).
pub(crate) fn orders_mods(field: &Field<'_>, u: UnitId) -> Mods {
    let (battle, state) = (field.battle, field.state);
    let brigadier = battle.brigade(battle.unit(u).brigade).commander;
    let his = &state.commanders[brigadier.i()];
    let near = |c: crate::setup::battle::CommanderId| {
        let now = &state.commanders[c.i()];
        now.on_table && now.attached.is_none() && field.commander_distance(c, u) <= COMMAND + EPS
    };
    let mut mods = Mods::new();
    mods.when(state.has_commander(u), 2, "commander attached", cite!("5.6.e"));
    mods.when(near(brigadier), 1, "brigade commander within 12 in", cite!("5.6.f"));
    let general = battle.army_commander(battle.unit(u).side);
    mods.when(general.is_some_and(near), 1, "army commander within 12 in", cite!("5.6.g"));
    mods.when(!state.unit(u).shaken, 1, "Steady", cite!("5.6.h"));
    let independent = battle.unit(u).specials.has(Specials::INDEPENDENT);
    mods.when(!independent, -twelves(field, u), "each 12 in from the brigade commander", cite!("5.6.i"));
    mods.when(
        his.attached.is_some_and(|v| v != u),
        -1,
        "brigade commander attached elsewhere",
        cite!("5.6.j"),
    );
    mods.when(field.enemy_near(u), -1, "enemy within 6 in", cite!("5.6.k"));
    mods.when(state.unit(u).shaken, -2, "Shaken", cite!("5.6.l"));
    mods
}

/// Rolls an orders test; a unit without hits passes unrolled (5.6.a to 5.6.d).
pub(crate) fn orders_test(battle: &Battle, state: &State, u: UnitId, fx: &mut impl Effects) -> bool {
    let hits = i16::from(state.unit(u).hits);
    if hits == 0 {
        return true;
    }
    let mods = orders_mods(&Field::new(battle, state), u);
    let roll = two_dice(fx, battle, u, "orders test", &mods, cite!("5.6.b"));
    let passed = roll != 2 && roll + mods.sum() > hits;
    fx.tell(|| {
        let (name, total) = (battle.unit(u).name.as_str(), number(roll + mods.sum()));
        let text = match (passed, roll) {
            (true, _) => format!("{}: {total} beats {}.", does(name, "obeys"), counted(hits, "hit")),
            (false, 2) => does(name, "blunders."),
            (false, _) => {
                format!("{} not obey: {total} against {}.", does(name, "does"), counted(hits, "hit"))
            }
        };
        let rule = if roll == 2 { cite!("5.6.d") } else { cite!("5.6.b") };
        Entry::new(Kind::Check, text).side(battle.unit(u).side).rule(rule).piece(piece(u))
    });
    passed
}

/// Gives an order: test, then the maneuver, or Hold (5.6.c).
pub(crate) fn issue(
    battle: &Battle,
    state: &mut State,
    brigade: BrigadeId,
    u: UnitId,
    order: &Order,
    fx: &mut impl Effects,
) {
    let mut way = Trail::new();
    let Ok(plan) = plan(&Field::new(battle, state), brigade, u, order, &mut way) else { return };
    if *order == Order::Rally {
        state.commanders[battle.brigade(brigade).commander.i()].rallied = true;
    }
    let obeys = *order == Order::Hold || orders_test(battle, state, u, fx);
    let unit = state.unit_mut(u);
    unit.flags.set(Flags::ORDERED);
    unit.order = Some(if obeys { order.marker() } else { Marker::Hold });
    if !obeys {
        return;
    }
    match order {
        Order::Rally => rally(battle, state, u, fx),
        Order::March { .. } => unit.flags.set(Flags::SILENT),
        _ => {}
    }
    if let Some(plan) = plan {
        let swept = swept(battle, state, u, order, &plan, &way);
        carry_out(battle, state, u, &plan, &way, fx);
        evade(battle, state, battle.unit(u).side, &swept, fx);
        if plan.exit {
            leave_table(battle, state, u, fx);
        }
    }
}

/// Removes 1D3 hits; below its Shaken value the unit is Steady again (5.4.h, 5.4.i).
fn rally(battle: &Battle, state: &mut State, u: UnitId, fx: &mut impl Effects) {
    let name = &battle.unit(u).name;
    let note = || {
        let back = (0..=6_u8).map(|die| format!("{} taken off", counted(die.div_ceil(2), "hit")));
        RollNote::new(format!("{name}: rally, half of the die rounded up"), cite!("5.4.h"))
            .outcomes(back)
            .side(battle.unit(u).side)
            .by(piece(u))
    };
    let recovered = fx.die(Die::D6, note).div_ceil(2);
    let unit = state.unit_mut(u);
    unit.hits = unit.hits.saturating_sub(recovered);
    if unit.hits < battle.unit(u).arm.morale().0 {
        unit.shaken = false;
    }
    let (hits, shaken) = (unit.hits, unit.shaken);
    fx.tell(|| {
        let state = if shaken { "Shaken" } else { "Steady" };
        Entry::new(Kind::Rally, format!("{}: {} left, {state}.", does(name, "rallies"), counted(hits, "hit")))
            .side(battle.unit(u).side)
            .rule(cite!("5.4.i"))
            .piece(piece(u))
    });
}

/// Puts a unit where its maneuver leads.
fn carry_out(
    battle: &Battle,
    state: &mut State,
    u: UnitId,
    plan: &Plan,
    way: &[Pose],
    fx: &mut impl Effects,
) {
    let unit = state.unit(u);
    let changed = plan.exit || unit.pose != plan.pose || unit.formation != plan.formation || way.len() > 1;
    fx.tell(|| {
        let text = if changed { "moves" } else { "stays" };
        let mut entry = Entry::new(Kind::March, format!("{}.", does(&battle.unit(u).name, text)))
            .side(battle.unit(u).side)
            .rule(cite!("5.5.a"))
            .piece(piece(u));
        for pose in way {
            entry = entry.place(game::Place::Pose { x: pose.at.x, y: pose.at.y, facing: pose.facing.get() });
        }
        entry
    });
    let reformed = state.unit(u).formation != plan.formation;
    shift_unit(battle, state, u, plan.pose);
    let unit = state.unit_mut(u);
    unit.formation = plan.formation;
    if reformed || way.len() > 2 {
        unit.road = None;
    }
    unit.road = plan.road.or(unit.road);
    if changed {
        unit.flags.set(Flags::MOVED);
    }
    follow(battle, state, u);
}

/// The ground a maneuver takes a unit over, from pose to pose, and where it ends.
fn swept(
    battle: &Battle,
    state: &State,
    u: UnitId,
    order: &Order,
    plan: &Plan,
    way: &[Pose],
) -> ArrayVec<Way, 16> {
    let size = |f: Formation| footprint(battle.unit(u).arm, f);
    let (before, after) = (size(state.unit(u).formation), size(plan.formation));
    let under_way = if order.changes_first() { after } else { before };
    let between =
        |size: table::Size, from: Pose, to: Pose| Way::between(&Rect::new(from, size), &Rect::new(to, size));
    let legs = way.windows(2).map(|leg| between(under_way, leg[0], leg[1]));
    legs.chain([between(after, plan.pose, plan.pose)]).collect()
}

/// Where the leading point of a unit has gone off: a disc that touches the edge there from within (R32).
fn left_behind(battle: &Battle, rect: &Rect, radius: i64) -> Spot {
    let (width, height) = (battle.top.width, battle.top.height);
    let room = |p: Pt| p.x.min(p.y).min(width - p.x).min(height - p.y);
    let (front, rear) = (rect.front, rect.rear_middle());
    let lead = if room(rear) < room(front) { rear } else { front };
    let mut at = Pt::new(lead.x.clamp(radius, width - radius), lead.y.clamp(radius, height - radius));
    match room(lead) {
        gap if gap == lead.x => at.x = radius,
        gap if gap == lead.y => at.y = radius,
        gap if gap == width - lead.x => at.x = width - radius,
        _ => at.y = height - radius,
    }
    at.spot()
}

/// A voluntary exit (5.5.af to 5.5.ah); attached commanders stay at the edge (R32).
fn leave_table(battle: &Battle, state: &mut State, u: UnitId, fx: &mut impl Effects) {
    let shaken = state.unit(u).shaken;
    let rect = rect_of(battle, state, u);
    for c in battle.all_officers() {
        let commander = &mut state.commanders[c.i()];
        if commander.attached == Some(u) {
            commander.attached = None;
            commander.at = left_behind(battle, &rect, battle.officer(c).radius());
        }
    }
    let rule = if shaken { cite!("5.5.ah") } else { cite!("5.5.ag") };
    fx.tell(|| {
        Entry::new(Kind::Gone, does(&battle.unit(u).name, "leaves the table."))
            .side(battle.unit(u).side)
            .rule(rule)
            .piece(piece(u))
    });
    state.unit_mut(u).place = if shaken { Whereabouts::Broken } else { Whereabouts::Left };
    if shaken {
        morale::check_brigade(battle, state, battle.unit(u).brigade, fx);
    }
}
