//! The Fire Phase, and fire in other phases: hit dice, then casualty dice over a divisor.

use arrayvec::ArrayVec;
use game::{Die, Effects, Entry, Kind, RollNote, Rule, Side, Test};
use serde::{Deserialize, Serialize};
use table::{EPS, Hull, Pt, Wedge, closest_on_segment};

use crate::basics::{Arm, Formation, Layout, Stands};
use crate::battle::{Battle, Cover, WeaponKind};
use crate::cite;
use crate::rolls::{Sum, piece};
use crate::state::{BodyId, Command, LeaderId, Marks, Order, Personality, State};
use crate::tables::Rating;
use crate::terrain::{Blocked, Look, Through, line_of_sight};

/// Why something may not be done: the rule and one sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct No {
    pub rule: Rule,
    pub why: &'static str,
}

impl No {
    /// Refused under `rule`.
    #[must_use]
    pub const fn new(rule: Rule, why: &'static str) -> No {
        No { rule, why }
    }
}

/// When fire is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum When {
    /// In the Fire Phase.
    Phase,
    /// At a moving enemy.
    Opportunity,
    /// By the target of a charge, always at short range.
    Defence,
    /// By those who support it.
    Support,
    /// By a rush that closes.
    Rush,
}

/// A fire as declared, and what came of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Volley {
    pub by: BodyId,
    pub at: Aim,
    /// The stands that fire, as bits of their number in the front rank.
    pub stands: u16,
    pub shrapnel: bool,
    pub hits: u16,
    /// Skirmishers it passed through.
    pub through: Option<BodyId>,
}

/// What is fired at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Aim {
    Body(BodyId),
    /// Sniping at a leader.
    Leader(LeaderId),
    /// An inch of a wall, or a gate: which line, and how far along in thousandths.
    Wall {
        wall: u8,
        along: u16,
    },
}

/// Who can fire at a target, and how.
#[derive(Debug, Clone)]
pub struct Bearing {
    /// Stands with the target in arc, range and sight.
    pub stands: u16,
    pub range: i64,
    /// Range band, 0 short to 3 extreme.
    pub band: usize,
    /// From where the nearest stand aims.
    pub from: Pt,
    pub through: Option<BodyId>,
    pub flank: bool,
    /// One die whatever the stands (march column), or a share of the stands (square).
    pub fixed: Option<u8>,
}

/// May fire in any direction.
fn all_round(formation: Formation) -> bool {
    matches!(formation, Formation::Skirmish | Formation::MarchColumn | Formation::Square)
}

/// Whether a body may fire at all at this moment, whatever the target.
///
/// # Errors
/// The rule that forbids it.
pub fn may_fire(battle: &Battle, state: &State, by: BodyId, when: When) -> Result<(), No> {
    let body = state.body(by);
    let info = battle.info(body);
    let marks = body.marks;
    if !body.on_table() || marks.has(Marks::ABANDONED.and(Marks::CREW)) {
        return Err(No::new(cite!("charge.defender.i"), "its guns and its gunners are apart"));
    }
    let Some(rating) = info.fire else {
        return Err(No::new(cite!("basics.ratings.a"), "it has no fire rating and nothing to shoot with"));
    };
    if body.order.broken() {
        return Err(No::new(cite!("fire.procedure.d"), "it is Shaken or Routed and must rally first"));
    }
    if state.in_melee(by) {
        return Err(No::new(cite!("fire.procedure.e"), "it is in melee"));
    }
    if marks.has(Marks::PRONE) {
        if battle.year < 1845 {
            return Err(No::new(
                cite!("move.prone.b"),
                "before 1845 prone units may not fire; it would have to stand",
            ));
        }
        if rating == Rating::E {
            return Err(No::new(cite!("move.prone.f"), "with fire rating E it would have to stand to fire"));
        }
    }
    if marks.has(Marks::PASSED) {
        return Err(No::new(
            cite!("move.penetration.c"),
            "it passed through friends, or they through it, this turn",
        ));
    }
    if body.shape.formation == Formation::Limbered {
        return Err(No::new(cite!("move.artillery.a"), "its guns are limbered"));
    }
    if marks.has(Marks::LIMBERING) && info.arm == Arm::FootArtillery {
        return Err(No::new(
            cite!("move.artillery.a"),
            "foot artillery that limbered or unlimbered does not fire this turn",
        ));
    }
    match when {
        When::Phase if marks.has(Marks::FIRED_EARLY) => {
            Err(No::new(cite!("fire.opportunity.b"), "it fired in the Charge or Movement Phase"))
        }
        When::Phase if marks.has(Marks::FIRED) => {
            Err(No::new(cite!("fire.procedure.a"), "it has fired this turn"))
        }
        When::Opportunity if marks.has(Marks::FIRED_EARLY) => {
            Err(No::new(cite!("charge.defender.b"), "it has fired this turn already"))
        }
        When::Opportunity if marks.has(Marks::MOVED) => {
            Err(No::new(cite!("fire.opportunity.c"), "it has moved this turn"))
        }
        _ => Ok(()),
    }
}

/// Whether an enemy may be aimed at.
///
/// # Errors
/// The rule that forbids it.
pub fn may_be_target(battle: &Battle, state: &State, by: BodyId, at: BodyId) -> Result<(), No> {
    let target = state.body(at);
    if !target.on_table() || battle.side(target) == battle.side_of(state, by) {
        return Err(No::new(cite!("fire.procedure.a"), "it is no enemy on the table"));
    }
    if state.in_melee(at) {
        return Err(No::new(cite!("fire.procedure.e"), "the target is locked in melee"));
    }
    if target.marks.has(Marks::HIDDEN) && !target.marks.has(Marks::SPOTTED) {
        return Err(No::new(cite!("sighting.a"), "nothing has been sighted there"));
    }
    if target.marks.has(Marks::ABANDONED) {
        return Err(No::new(cite!("charge.defender.i"), "nobody serves those guns"));
    }
    Ok(())
}

/// The stands of a body that can fire: the front rank, guns with crew enough.
#[must_use]
pub fn firing_stands(battle: &Battle, state: &State, by: BodyId) -> Stands {
    let body = state.body(by);
    let layout = body.layout(battle);
    let mut out = layout.rects();
    let mut count = layout.in_rank(0);
    if battle.arm(body).is_artillery() && (body.lost + body.fresh) % 4 == 3 {
        count = count.saturating_sub(1);
    }
    out.truncate(usize::from(count));
    out
}

fn closest_of_hull(hull: &Hull, p: Pt) -> Option<Pt> {
    let n = hull.len();
    (0..n).map(|i| closest_on_segment(p, (hull[i], hull[(i + 1) % n]))).min_by_key(|c| c.to(p))
}

/// The nearest point of a target that lies in a stand's arc.
fn nearest_in_arc(from: Pt, wedge: Option<&Wedge>, target: &Layout, rects: &Stands) -> Option<Pt> {
    let of = |rect: &table::Rect| match wedge {
        Some(wedge) => closest_of_hull(&wedge.cut(rect), from),
        None => Some(rect.closest(from)),
    };
    if rects.is_empty() {
        return of(&target.block());
    }
    rects.iter().filter_map(of).min_by_key(|p| p.to(from))
}

/// How a body bears on a target standing as `target` (R48-R56).
///
/// # Errors
/// The rule that keeps every stand from firing.
pub fn bearing(
    battle: &Battle,
    state: &State,
    by: BodyId,
    at: BodyId,
    target: &Layout,
) -> Result<Bearing, No> {
    let body = state.body(by);
    let info = battle.info(body);
    let mine = body.layout(battle);
    let far = info.weapon.ranges[3];
    if mine.block().distance(&target.block()) > far + 2 * table::INCH {
        return Err(No::new(cite!("qrs.weapons.a"), "the target is beyond extreme range"));
    }
    let artillery = info.weapon.kind.is_artillery();
    let half = if artillery { 3000 } else { 4500 };
    let round = all_round(body.shape.formation);
    let stands = firing_stands(battle, state, by);
    let through = if artillery { Through::Artillery } else { Through::SmallArms };
    let mut rects = if target.solid() { Stands::new() } else { target.rects() };
    // Of a skirmish line that thickens only the stands in place can be aimed at (late.b).
    if battle.info(state.body(at)).late && target.shape.formation == Formation::Skirmish {
        rects = target.rects();
        rects.truncate(usize::from(target.in_rank(0)));
    }
    let side = battle.side(body);
    let mut found = Bearing {
        stands: 0,
        range: i64::MAX,
        band: 0,
        from: mine.pose.at.pt(),
        through: None,
        flank: false,
        fixed: None,
    };
    let mut why = No::new(cite!("fire.arcs.a"), "no stand has the target in its arc");
    for (i, stand) in stands.iter().enumerate() {
        let wedge = (!round).then(|| Wedge::new(stand.front, stand.facing, half));
        let Some(aim) = nearest_in_arc(stand.front, wedge.as_ref(), target, &rects) else { continue };
        let range = stand.front.to(aim);
        if range > far + EPS {
            why = No::new(cite!("qrs.weapons.a"), "the target is beyond extreme range");
            continue;
        }
        let look = Look { from: stand.front, to: aim, by, at: Some(at), through, side };
        match line_of_sight(battle, state, &look) {
            Ok(passed) => {
                found.stands |= 1 << i;
                found.through = found.through.or(passed);
                if range < found.range {
                    found.range = range;
                    found.from = stand.front;
                }
            }
            Err(blocked) => why = no_line(blocked, through),
        }
    }
    if found.stands == 0 {
        return Err(why);
    }
    found.band = (0..4).find(|b| found.range <= info.weapon.ranges[*b] + EPS).unwrap_or(3);
    found.fixed = match body.shape.formation {
        Formation::MarchColumn => Some(1),
        Formation::Square => Some((mine.stands / 4).max(1)),
        _ => None,
    };
    found.flank = flank_fire(state, at, target, &stands, found.stands);
    Ok(found)
}

fn no_line(blocked: Blocked, through: Through) -> No {
    let why = match blocked {
        Blocked::TooFar => "it is too far to be seen",
        Blocked::Woods => "too much wood lies between",
        Blocked::Ground => "the ground hides it",
        Blocked::Body(_) => "another unit is in the way",
    };
    No::new(blocked.rule(through), why)
}

/// At least half of the firing stands behind the target's front edge (fire.flank.a).
fn flank_fire(state: &State, at: BodyId, target: &Layout, stands: &Stands, firing: u16) -> bool {
    let body = state.body(at);
    match body.shape.formation {
        Formation::MarchColumn | Formation::Limbered => return true,
        Formation::Square | Formation::Skirmish => return false,
        _ if body.marks.has(Marks::BOX.and(Marks::RUSH)) => return false,
        _ => {}
    }
    let firing: ArrayVec<&table::Rect, 12> =
        stands.iter().enumerate().filter(|(i, _)| firing & (1 << i) != 0).map(|(_, r)| r).collect();
    let behind = firing.iter().filter(|r| target.behind_front(r.centre)).count();
    behind * 2 >= firing.len() && !firing.is_empty()
}

/// A fire ready to be rolled.
#[derive(Debug, Clone)]
pub struct Shot {
    pub by: BodyId,
    pub at: BodyId,
    pub dice: u8,
    pub hit: Sum,
    pub divisor: Sum,
    pub half: bool,
    pub through: Option<BodyId>,
}

/// Everything a fire depends on.
#[derive(Debug, Clone, Copy)]
pub struct FireOrder {
    pub when: When,
    pub stands: u16,
    pub shrapnel: bool,
    /// Halved besides the unit's own reasons (face or form square).
    pub half: bool,
    /// Own skirmishers fall back in front of the target of a charge.
    pub masked: bool,
}

/// Works out a fire: dice, hit number, divisor.
#[must_use]
pub fn shot(
    battle: &Battle,
    state: &State,
    by: BodyId,
    at: BodyId,
    target: &Layout,
    aim: &Bearing,
    order: FireOrder,
) -> Shot {
    let body = state.body(by);
    let info = battle.info(body);
    let artillery = info.weapon.kind.is_artillery();
    let band = if order.when == When::Defence || order.when == When::Rush { 0 } else { aim.band };
    let stands = (aim.stands & order.stands).count_ones() as u8;
    let canister = info.weapon.kind.has_canister() && band == 0 && !state.body(at).marks.has(Marks::HIDDEN);
    let shrapnel = order.shrapnel && info.shrapnel && band > 0;
    let dice = match aim.fixed {
        Some(fixed) => fixed,
        None if artillery => {
            stands
                * (info.weapon.dice
                    + if shrapnel { battle.tables.fire.artillery.attack_dice.shrapnel_bonus } else { 0 })
        }
        None => stands,
    };
    let hit = hit_number(battle, state, by, band, shrapnel, order);
    let divisor = if artillery {
        gun_divisor(battle, state, by, at, target, aim, order.when, canister)
    } else {
        arms_divisor(battle, state, by, at, target, aim, order.when)
    };
    let half = order.half || body.marks.has(Marks::HALVED);
    Shot { by, at, dice, hit, divisor, half, through: aim.through.filter(|_| !artillery) }
}

fn hit_number(
    battle: &Battle,
    state: &State,
    by: BodyId,
    band: usize,
    shrapnel: bool,
    order: FireOrder,
) -> Sum {
    let body = state.body(by);
    let info = battle.info(body);
    let numbers = &battle.tables.fire.hit_number;
    let base = [numbers.short, numbers.medium, numbers.long, numbers.extreme][band];
    if info.weapon.kind.is_artillery() {
        let mods = &battle.tables.fire.artillery.hit_modifiers;
        let mut hit = Sum::from(base, "range", cite!("qrs.artillery.b"));
        if info.weapon.smoothbore {
            hit.add(mods.smoothbore, "smoothbore", cite!("qrs.artillery.c"));
        }
        if info.weapon.improved {
            hit.add(mods.improved, "improved", cite!("qrs.artillery.c"));
        }
        if shrapnel {
            hit.add(mods.shrapnel, "shrapnel", cite!("qrs.artillery.c"));
        }
        if body.marks.has(Marks::PROLONGED) {
            hit.add(mods.prolonged, "prolonged", cite!("move.artillery.d"));
        }
        return hit;
    }
    let mods = &battle.tables.fire.small_arms.hit_modifiers;
    let mut hit = Sum::from(base, "range", cite!("qrs.smallarms.b"));
    if info.weapon.smoothbore {
        hit.add(mods.smoothbore, "smoothbore", cite!("qrs.smallarms.c"));
    }
    if info.weapon.improved {
        hit.add(mods.improved, "improved", cite!("qrs.smallarms.c"));
    }
    if order.when == When::Rush {
        hit.add(mods.moved, "rushing", cite!("zouave.b"));
    } else if body.marks.has(Marks::MOVED) {
        hit.add(mods.moved, "moved", cite!("qrs.smallarms.c"));
    }
    if order.masked {
        let value = mods.own_detached_skirmishers_falling_back;
        hit.add(value, "own skirmishers falling back", cite!("skirmish.g"));
    }
    hit
}

/// The rating it fires with: one grade worse prone or just up (R100).
fn fire_rating(battle: &Battle, state: &State, by: BodyId) -> (Rating, Rule) {
    let body = state.body(by);
    let info = battle.info(body);
    let rating = info.fire.unwrap_or(Rating::E);
    if body.marks.has(Marks::STOOD) {
        return (rating.worse(), cite!("move.prone.d"));
    }
    if body.marks.has(Marks::PRONE) && !info.breechloader && !info.weapon.kind.is_artillery() {
        return (rating.worse(), cite!("move.prone.e"));
    }
    let rule =
        if info.weapon.kind.is_artillery() { cite!("qrs.artillery.k") } else { cite!("qrs.smallarms.l") };
    (rating, rule)
}

fn arms_divisor(
    battle: &Battle,
    state: &State,
    by: BodyId,
    at: BodyId,
    target: &Layout,
    aim: &Bearing,
    when: When,
) -> Sum {
    let (body, enemy) = (state.body(by), state.body(at));
    let info = battle.info(body);
    let mods = &battle.tables.fire.small_arms.divisor_modifiers;
    let mut sum = Sum::from(battle.tables.fire.divisor_base, "base", cite!("qrs.smallarms.d"));
    let (rating, rule) = fire_rating(battle, state, by);
    sum.add(mods.rating(rating), "fire rating", rule);
    if body.order == Order::Suppressed {
        sum.add(mods.firer_suppressed, "firer suppressed", cite!("qrs.smallarms.i"));
    }
    if body.skirmishing() {
        sum.add(mods.firer_skirmishers, "firing in skirmish order", cite!("qrs.smallarms.j"));
    }
    if body.mounted(battle) {
        sum.add(mods.firer_mounted, "firing mounted", cite!("qrs.smallarms.m"));
    }
    if when == When::Opportunity {
        sum.add(mods.opportunity, "opportunity fire", cite!("qrs.smallarms.n"));
    }
    if info.breechloader {
        sum.add(mods.initial_fire_or_breechloader, "breechloader", cite!("smallarms.advanced.b"));
    } else if !state.bmus[usize::from(body.bmu)].fired {
        sum.add(mods.initial_fire_or_breechloader, "initial fire", cite!("qrs.smallarms.s"));
    }
    let careful = battle.spirit(state, by) == Some(Personality::Perfectionist);
    if careful && !body.marks.has(Marks::MOVED) {
        sum.add(mods.perfectionist_stationary, "perfectionist, stationary", cite!("personality.f"));
    }
    if let Some(screen) = aim.through {
        // Casualties are worked out as against the skirmishers alone (R55).
        sum.add(mods.vs_skirmishers, "through skirmishers", cite!("skirmish.e"));
        let layout = state.body(screen).layout(battle);
        match battle.cover(state, &layout, Some(aim.from), false) {
            Cover::None => {}
            Cover::Light => sum.add(mods.vs_light_cover, "light cover", cite!("qrs.smallarms.g")),
            Cover::Heavy => sum.add(mods.vs_heavy_cover, "heavy cover", cite!("qrs.smallarms.g")),
        }
        return sum;
    }
    let rushing = enemy.marks.has(Marks::RUSH);
    match enemy.shape.formation {
        _ if rushing => sum.add(mods.vs_skirmishers, "a rush counts as skirmishers", cite!("zouave.c")),
        Formation::Extended => sum.add(mods.vs_extended_line, "extended line", cite!("qrs.smallarms.e")),
        Formation::Skirmish => sum.add(mods.vs_skirmishers, "skirmishers", cite!("qrs.smallarms.h")),
        Formation::Mob => sum.add(mods.vs_mob, "mob", cite!("qrs.smallarms.q")),
        Formation::Square => sum.add(mods.vs_square, "square", cite!("qrs.smallarms.p")),
        f if f.is_column() => sum.add(mods.vs_column, "column", cite!("qrs.smallarms.p")),
        _ => {}
    }
    if battle.arm(enemy).is_artillery() {
        sum.add(mods.vs_artillery, "artillery", cite!("qrs.smallarms.e"));
    }
    if enemy.marks.has(Marks::PRONE) {
        sum.add(mods.vs_prone, "prone", cite!("qrs.smallarms.f"));
    }
    match battle.cover(state, target, Some(aim.from), false) {
        Cover::None => {}
        Cover::Light => sum.add(mods.vs_light_cover, "light cover", cite!("qrs.smallarms.g")),
        Cover::Heavy => sum.add(mods.vs_heavy_cover, "heavy cover", cite!("qrs.smallarms.g")),
    }
    if enemy.marks.has(Marks::HIDDEN) {
        sum.add(mods.vs_hidden, "hidden", cite!("qrs.smallarms.k"));
    }
    if enemy.mounted(battle) {
        sum.add(mods.vs_mounted, "mounted", cite!("qrs.smallarms.o"));
    }
    if aim.flank {
        sum.add(mods.vs_flank, "flank fire", cite!("qrs.smallarms.r"));
    }
    sum
}

#[allow(clippy::too_many_arguments)]
fn gun_divisor(
    battle: &Battle,
    state: &State,
    by: BodyId,
    at: BodyId,
    target: &Layout,
    aim: &Bearing,
    when: When,
    canister: bool,
) -> Sum {
    let (body, enemy) = (state.body(by), state.body(at));
    let mods = &battle.tables.fire.artillery.divisor_modifiers;
    let mut sum = Sum::from(battle.tables.fire.divisor_base, "base", cite!("qrs.artillery.d"));
    let (rating, rule) = fire_rating(battle, state, by);
    sum.add(mods.rating(rating), "fire rating", rule);
    if body.order == Order::Suppressed {
        sum.add(mods.firer_suppressed, "firer suppressed", cite!("qrs.artillery.h"));
    }
    if when == When::Opportunity {
        sum.add(mods.opportunity, "opportunity fire", cite!("qrs.artillery.i"));
    }
    let careful = battle.spirit(state, by) == Some(Personality::Perfectionist);
    if careful && !body.marks.has(Marks::MOVED) {
        sum.add(-1, "perfectionist, stationary", cite!("personality.f"));
    }
    if canister {
        sum.add(mods.canister, "canister", cite!("qrs.artillery.r"));
    }
    let rushing = enemy.marks.has(Marks::RUSH);
    match enemy.shape.formation {
        _ if rushing => sum.add(mods.vs_skirmishers, "a rush counts as skirmishers", cite!("zouave.c")),
        Formation::Extended => sum.add(mods.vs_extended_line, "extended line", cite!("qrs.artillery.e")),
        Formation::Skirmish => sum.add(mods.vs_skirmishers, "skirmishers", cite!("qrs.artillery.l")),
        Formation::Mob => sum.add(mods.vs_mob, "mob", cite!("qrs.artillery.p")),
        Formation::Square => sum.add(mods.vs_square, "square", cite!("qrs.artillery.o")),
        f if f.is_column() => sum.add(mods.vs_column, "column", cite!("qrs.artillery.n")),
        _ => {}
    }
    if battle.arm(enemy).is_artillery() {
        sum.add(mods.vs_artillery, "artillery", cite!("qrs.artillery.e"));
    }
    if enemy.marks.has(Marks::PRONE) {
        sum.add(mods.vs_prone, "prone", cite!("qrs.artillery.f"));
    }
    match battle.cover(state, target, Some(aim.from), false) {
        Cover::None => {}
        Cover::Light => sum.add(mods.vs_light_cover, "light cover", cite!("qrs.artillery.g")),
        Cover::Heavy => sum.add(mods.vs_heavy_cover, "heavy cover", cite!("qrs.artillery.g")),
    }
    if enemy.marks.has(Marks::HIDDEN) {
        sum.add(mods.vs_hidden, "hidden", cite!("qrs.artillery.j"));
    }
    if enemy.mounted(battle) {
        sum.add(mods.vs_mounted, "mounted", cite!("qrs.artillery.m"));
    }
    if aim.flank {
        sum.add(mods.vs_flank, "flank fire", cite!("qrs.artillery.q"));
    }
    sum
}

/// Rolls the hit dice of a battery of machine guns stand by stand; a jam silences it (R110).
fn machine_gun_hits(battle: &Battle, state: &State, shot: &Shot, ones: usize, fx: &mut impl Effects) -> u8 {
    let each = battle.info(state.body(shot.by)).weapon.dice;
    let need = shot.hit.total().max(2);
    let mut hits = 0;
    for _ in 0..shot.dice / each.max(1) {
        let (mut stand, mut faults) = (0, 0);
        for _ in 0..each {
            let face = fx.die(Die::D6, || {
                RollNote::new(format!("{} fires", battle.name(state, shot.by)), cite!("jam.a"))
                    .side(battle.side_of(state, shot.by))
                    .by(piece(shot.by))
                    .at(piece(shot.at))
                    .modifiers(shot.hit.modifiers())
            });
            faults += usize::from(face == 1);
            stand += u8::from(i16::from(face) >= need);
        }
        if faults >= ones {
            crate::rolls::tell_of(
                battle,
                state,
                shot.by,
                Kind::Fire,
                "has a gun that jams",
                cite!("jam.b"),
                fx,
            );
        } else {
            hits += stand;
        }
    }
    hits
}

/// Rolls a fire; gives the casualties.
pub fn roll_shot(battle: &Battle, state: &State, shot: &Shot, fx: &mut impl Effects) -> u16 {
    let info = battle.info(state.body(shot.by));
    let artillery = info.weapon.kind.is_artillery();
    // A natural 1 always misses; nothing makes a 6 hit (fire.procedure.b).
    let test = Test::at_least(Die::D6, shot.hit.total().max(2));
    let rule = if artillery { cite!("qrs.artillery.a") } else { cite!("fire.procedure.a") };
    let note = |what: &str, rule: Rule, sum: &Sum| {
        let text = format!("{} {what} {}", battle.name(state, shot.by), battle.name(state, shot.at));
        RollNote::new(text, rule)
            .side(battle.side_of(state, shot.by))
            .by(piece(shot.by))
            .at(piece(shot.at))
            .modifiers(sum.modifiers())
    };
    let hits = match info.weapon.kind {
        WeaponKind::EarlyMachineGun => machine_gun_hits(battle, state, shot, 2, fx),
        WeaponKind::LateMachineGun => machine_gun_hits(battle, state, shot, 3, fx),
        _ => {
            let hits = fx.count(shot.dice, test, || note("fires at", rule, &shot.hit));
            let missed = shot.dice - hits;
            if info.repeater && missed > 0 {
                hits + fx
                    .count(missed, test, || note("fires again at", cite!("smallarms.advanced.a"), &shot.hit))
            } else {
                hits
            }
        }
    };
    if hits == 0 {
        return 0;
    }
    let total =
        fx.total(hits, Die::D6, || note("inflicts casualties on", cite!("fire.procedure.c"), &shot.divisor));
    let divisor = shot.divisor.total().max(battle.tables.fire.divisor_min) as u16;
    total / if shot.half { 2 * divisor } else { divisor }
}

/// Casualties fall: half of them, rounded up, on skirmishers that screen the target (R55).
pub fn apply(
    battle: &Battle,
    state: &mut State,
    by: BodyId,
    at: BodyId,
    through: Option<BodyId>,
    hits: u16,
    fx: &mut impl Effects,
) {
    let mut rest = hits;
    if let Some(screen) = through {
        let share = hits.div_ceil(2);
        rest -= share;
        strike(battle, state, by, screen, share, fx);
    }
    strike(battle, state, by, at, rest, fx);
}

fn strike(battle: &Battle, state: &mut State, by: BodyId, at: BodyId, hits: u16, fx: &mut impl Effects) {
    let hidden = state.body(by).marks.has(Marks::WAS_HIDDEN);
    let target = state.body_mut(at);
    if hidden {
        target.marks.set(Marks::SURPRISED);
    }
    if hits == 0 {
        return;
    }
    if target.fresh == 0 || u16::from(target.fresh) <= hits {
        target.other = Some(by);
    }
    state.strike(battle, at, hits);
    fx.tell(|| {
        let plural = if hits == 1 { "hit" } else { "hits" };
        Entry::new(Kind::Loss, format!("{} takes {hits} {plural}.", battle.name(state, at)))
            .side(battle.side_of(state, at))
            .rule(cite!("basics.casualties.b"))
            .piece(piece(at))
            .piece(piece(by))
    });
    if state.body(at).stands(battle) == 0 {
        crate::rolls::tell_of(
            battle,
            state,
            at,
            Kind::Gone,
            "is shot to pieces",
            cite!("basics.casualties.b"),
            fx,
        );
        crate::rout::remove(state, at);
    }
}

/// What firing does to the firer: seen, no longer fresh.
pub fn has_fired(state: &mut State, by: BodyId, mark: Marks) {
    let bmu = usize::from(state.body(by).bmu);
    state.bmus[bmu].fired = true;
    let body = state.body_mut(by);
    body.marks.set(mark);
    if body.marks.has(Marks::HIDDEN) {
        body.marks.set(Marks::SPOTTED);
    }
}

// ---- the Fire Phase ----

/// The stands of a body that have not been given a target yet.
#[must_use]
pub fn unassigned(state: &State, by: BodyId) -> u16 {
    let given = state.volleys.iter().filter(|v| v.by == by && !matches!(v.at, Aim::Leader(_)));
    !given.fold(0, |all, v| all | v.stands)
}

/// Whether a body fires in this segment of the phase.
#[must_use]
pub fn in_segment(state: &State, by: BodyId, moving: bool) -> bool {
    state.body(by).marks.has(Marks::MOVED) == moving
}

/// Checks a declared fire.
///
/// # Errors
/// The rule that forbids it.
pub fn check_volley(
    battle: &Battle,
    state: &State,
    volley: &Volley,
    side: Side,
    moving: bool,
) -> Result<(), No> {
    if battle.side_of(state, volley.by) != side {
        return Err(No::new(cite!("fire.procedure.a"), "it is not yours"));
    }
    if !in_segment(state, volley.by, moving) {
        return Err(No::new(
            cite!("fire.stationary.a"),
            "stationary units fire first, those that moved afterwards",
        ));
    }
    match volley.at {
        Aim::Leader(leader) => return crate::leaders::may_snipe(battle, state, volley.by, leader),
        Aim::Wall { wall, along } => return crate::forts::may_batter(battle, state, volley, wall, along),
        Aim::Body(_) => {}
    }
    may_fire(battle, state, volley.by, When::Phase)?;
    let Aim::Body(at) = volley.at else { return Ok(()) };
    may_be_target(battle, state, volley.by, at)?;
    let target = state.body(at).layout(battle);
    let aim = bearing(battle, state, volley.by, at, &target)?;
    if volley.stands & !aim.stands != 0 || volley.stands == 0 {
        return Err(No::new(
            cite!("fire.arcs.a"),
            "not all of these stands have the target in arc, range and sight",
        ));
    }
    if volley.stands & !unassigned(state, volley.by) != 0
        || (aim.fixed.is_some() && unassigned(state, volley.by) != !0)
    {
        return Err(No::new(cite!("fire.arcs.b"), "a stand fires at one target only"));
    }
    if volley.shrapnel && (!battle.info(state.body(volley.by)).shrapnel || aim.band == 0) {
        return Err(No::new(
            cite!("qrs.artillery.a"),
            "shrapnel is for batteries that have it, beyond short range",
        ));
    }
    order_allows(battle, state, volley.by, aim.band)
}

/// Under a Move order only at short range (R97).
///
/// # Errors
/// The rule.
pub fn order_allows(battle: &Battle, state: &State, by: BodyId, band: usize) -> Result<(), No> {
    if battle.order_of(state, by) == Some(Command::Move) && band > 0 {
        return Err(No::new(
            cite!("orders.h"),
            "under a Move order it fires only at enemies within its short range",
        ));
    }
    Ok(())
}

/// Every fire a side may declare in a segment; it stops looking once it has found `enough`.
pub fn volleys(
    battle: &Battle,
    state: &State,
    side: Side,
    moving: bool,
    enough: usize,
    out: &mut Vec<Volley>,
) {
    for (by, body) in state.on_table() {
        if out.len() >= enough {
            return;
        }
        if battle.side(body) != side || !in_segment(state, by, moving) {
            continue;
        }
        crate::leaders::snipes(battle, state, by, out);
        if may_fire(battle, state, by, When::Phase).is_err() {
            continue;
        }
        let free = unassigned(state, by);
        if free & 0xfff == 0
            || (free != !0 && matches!(body.shape.formation, Formation::MarchColumn | Formation::Square))
        {
            continue;
        }
        let mine = body.layout(battle).block();
        let far = battle.info(body).weapon.ranges[3] + 2 * table::INCH;
        for (at, enemy) in state.on_table() {
            if battle.side(enemy) == side || mine.distance(&enemy.layout(battle).block()) > far {
                continue;
            }
            if may_be_target(battle, state, by, at).is_err() {
                continue;
            }
            let Ok(aim) = bearing(battle, state, by, at, &enemy.layout(battle)) else { continue };
            let stands = aim.stands & free;
            if stands == 0 || order_allows(battle, state, by, aim.band).is_err() {
                continue;
            }
            let volley = Volley { by, at: Aim::Body(at), stands, shrapnel: false, hits: 0, through: None };
            out.push(volley);
            if battle.info(body).shrapnel && aim.band > 0 {
                out.push(Volley { shrapnel: true, ..volley });
            }
            // The half of the stands that is nearer to either end, so that fire can be split.
            if stands.count_ones() >= 4 && aim.fixed.is_none() {
                let mut half = 0;
                for bit in (0..12).filter(|b| stands & (1 << b) != 0).take(stands.count_ones() as usize / 2) {
                    half |= 1 << bit;
                }
                out.push(Volley { stands: half, ..volley });
            }
        }
        crate::forts::batteries(battle, state, by, out);
    }
}

/// Rolls every declared fire on the same state, then applies all (R21).
pub fn resolve(battle: &Battle, state: &mut State, fx: &mut impl Effects) {
    let mut volleys = std::mem::take(&mut state.volleys);
    for volley in &mut volleys {
        match volley.at {
            Aim::Body(at) => {
                let target = state.body(at).layout(battle);
                let Ok(aim) = bearing(battle, state, volley.by, at, &target) else { continue };
                let order = FireOrder {
                    when: When::Phase,
                    stands: volley.stands,
                    shrapnel: volley.shrapnel,
                    half: false,
                    masked: false,
                };
                let shot = shot(battle, state, volley.by, at, &target, &aim, order);
                volley.hits = roll_shot(battle, state, &shot, fx);
                volley.through = shot.through;
            }
            Aim::Wall { wall, along } => crate::forts::batter(battle, state, volley, wall, along, fx),
            Aim::Leader(_) => {}
        }
    }
    for volley in &volleys {
        match volley.at {
            Aim::Body(at) => {
                has_fired(state, volley.by, Marks::FIRED);
                apply(battle, state, volley.by, at, volley.through, volley.hits, fx);
            }
            Aim::Wall { .. } => has_fired(state, volley.by, Marks::FIRED),
            Aim::Leader(leader) => crate::leaders::snipe(battle, state, volley.by, leader, fx),
        }
    }
}
