//! The Charge Phase: declarations, the charge sequence, failed charges, the defender's actions.

use arrayvec::ArrayVec;
use game::{Effects, Kind, Side};
use serde::{Deserialize, Serialize};
use table::{Angle, Dir, EPS, INCH, Pose, Pt, Rect};

use crate::basics::{Arm, Formation, Layout, Shape};
use crate::battle::Battle;
use crate::cite;
use crate::fire::No;
use crate::movement::free;
use crate::rolls::{Sum, tell_of, two_dice};
use crate::sequence::Phase;
use crate::state::{Body, BodyId, Bout, Command, Face, Marks, Order, Personality, State};
use crate::terrain::track_cost;

/// One unit's charge as declared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ChargeLine {
    pub by: BodyId,
    pub at: BodyId,
    /// The turn before it, in hundredths of a degree clockwise.
    pub turn: i16,
    /// As a rush (zouave).
    pub rush: bool,
    /// A new frontage on contact, for cavalry; 0 keeps the old one.
    pub files: u8,
}

/// A charger in a charge under way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Charger {
    pub line: ChargeLine,
    /// Distance to contact, in working units.
    pub d: i64,
    /// The face it will strike.
    pub face: Face,
    /// Hits taken during this charge.
    pub hits: u8,
    /// Somebody fired at it.
    pub under_fire: bool,
    /// Still to close.
    pub on: bool,
    /// Passed its Morale Test and has stands left: counts for the odds (R122).
    pub joined: bool,
}

/// A target of a charge under way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Charged {
    pub body: BodyId,
    pub reaction: Reaction,
    /// Which charger it fires at.
    pub fires_at: u8,
    /// Its own skirmishers fell back in front of it.
    pub masked: bool,
    /// Suppressed by its test: contact without a Charge Home Test.
    pub pinned: bool,
    /// Has left its place.
    pub gone: bool,
}

/// What the target of a charge does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Reaction {
    /// Not asked: it fires nothing.
    None,
    Stand,
    /// Fire and retire; gunners choose the range band at which they fire.
    Retire {
        band: u8,
    },
    Counter,
    Face,
    Square,
}

impl Reaction {
    /// In notation.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Reaction::None => "none",
            Reaction::Stand => "stand",
            Reaction::Retire { .. } => "retire",
            Reaction::Counter => "countercharge",
            Reaction::Face => "face",
            Reaction::Square => "square",
        }
    }
}

/// The charge under way.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct Charge {
    pub chargers: ArrayVec<Charger, 4>,
    pub targets: ArrayVec<Charged, 4>,
    /// It interrupts a move.
    pub opportunity: bool,
}

/// The least translation along `dir` at which two bodies touch.
#[must_use]
pub fn touch_distance(mover: &Layout, stander: &Layout, dir: Dir) -> Option<i64> {
    if mover.solid() && stander.solid() {
        return table::touch_distance(&mover.block(), &stander.block(), dir);
    }
    table::touch_distance(&mover.block(), &stander.block(), dir)?;
    let theirs = stander.rects();
    let mine = mover.rects();
    mine.iter().flat_map(|a| theirs.iter().filter_map(move |b| table::touch_distance(a, b, dir))).min()
}

/// Who may declare a charge (R121).
///
/// # Errors
/// The rule that forbids it.
pub fn may_charge(battle: &Battle, state: &State, by: BodyId) -> Result<(), No> {
    let body = state.body(by);
    let marks = body.marks;
    if battle.arm(body).is_artillery() || marks.has(Marks::CREW.and(Marks::ABANDONED)) {
        return Err(No::new(cite!("charge.sequence.a"), "artillery does not charge"));
    }
    if body.order.broken() {
        return Err(No::new(cite!("morale.retreat.g"), "it is Shaken or Routed and must rally first"));
    }
    if state.in_melee(by) {
        return Err(No::new(cite!("charge.sequence.a"), "it is in melee already"));
    }
    if body.shape.formation == Formation::Square || marks.has(Marks::BOX) {
        return Err(No::new(cite!("basics.formations.b"), "a square or box never charges"));
    }
    if marks.has(Marks::HALT) {
        return Err(No::new(cite!("qrs.reaction.f"), "its Reaction Test made it halt"));
    }
    if marks.has(Marks::CAUTIOUS) {
        return Err(No::new(cite!("qrs.reaction.g"), "its Reaction Test made it cautious"));
    }
    if marks.has(Marks::CHARGED) {
        return Err(No::new(cite!("charge.sequence.a"), "it has declared a charge this phase"));
    }
    if marks.has(Marks::MOVED_EARLY) {
        return Err(No::new(cite!("seq.reaction.b"), "it has withdrawn or moved this phase"));
    }
    if body.part == crate::state::Part::Skirmishers {
        return Err(No::new(cite!("skirmish.f"), "detached skirmishers charge with nobody"));
    }
    Ok(())
}

/// Whom it may charge, apart from the way there.
///
/// # Errors
/// The rule that forbids it.
pub fn may_be_charged(battle: &Battle, state: &State, by: BodyId, at: BodyId) -> Result<(), No> {
    let (body, target) = (state.body(by), state.body(at));
    if !target.on_table() || battle.side(target) == battle.side(body) || target.marks.has(Marks::ABANDONED) {
        return Err(No::new(cite!("charge.sequence.a"), "it is no enemy on the table"));
    }
    if target.marks.has(Marks::IMMUNE) {
        return Err(No::new(
            cite!("charge.failed.f"),
            "it charged home, or halted from a charge with the right to fire",
        ));
    }
    if target.marks.has(Marks::HIDDEN) && !target.marks.has(Marks::SPOTTED) {
        return Err(No::new(cite!("sighting.a"), "nothing has been sighted there"));
    }
    let mounted = body.mounted(battle);
    let other = if mounted { Marks::BY_FOOT } else { Marks::BY_HORSE };
    let mixed = state.opponents(at).any(|(_, o)| state.body(o).mounted(battle) != mounted);
    if target.marks.has(other) || mixed {
        return Err(No::new(cite!("charge.movement.d"), "cavalry and infantry never charge the same target"));
    }
    Ok(())
}

/// The way of a charge: where it starts turned, how far it goes, what it strikes.
#[derive(Debug, Clone, Copy)]
pub struct Way {
    pub start: Layout,
    pub dir: Dir,
    pub d: i64,
    pub face: Face,
    pub landing: Pose,
}

/// Works out the way of a charge (R24-R27).
///
/// # Errors
/// The rule that forbids it.
pub fn way(battle: &Battle, state: &State, line: &ChargeLine) -> Result<Way, No> {
    let body = state.body(line.by);
    if i32::from(line.turn).abs() > 4500 {
        return Err(No::new(cite!("charge.movement.a"), "it may turn by 45 degrees at the most"));
    }
    let before = body.layout(battle);
    let mut start = before;
    start.pose.facing = start.pose.facing.turned(i32::from(line.turn));
    let target = state.body(line.at).layout(battle);
    let dir = start.pose.facing.dir();
    let Some(d) = touch_distance(&start, &target, dir) else {
        return Err(No::new(cite!("charge.movement.a"), "straight ahead it does not meet the target"));
    };
    let rate = battle.rate(body).charge;
    if d > rate + EPS {
        return Err(No::new(cite!("charge.movement.a"), "the target is farther than the Charge rate"));
    }
    if line.turn != 0 && !(battle.top.holds(&start.block()) && clear_of_others(battle, state, line, &start)) {
        return Err(No::new(cite!("charge.movement.a"), "there is no room to turn"));
    }
    clear_way(battle, state, line, &start, dir, d)?;
    pay(battle, state, line, &start, dir, d, rate)?;
    let face = face_struck(battle, state, line, &before, &start, &target, dir, d)?;
    if line.files > 0 {
        let change = i64::from(line.files.abs_diff(start.files()));
        if !body.mounted(battle) || change > d / (2 * INCH) || line.files > start.stands {
            return Err(No::new(
                cite!("charge.movement.b"),
                "cavalry changes its front by one stand for every 2 in of the charge",
            ));
        }
        start.shape.files = line.files;
    }
    let landing = square_up(battle, state, line.by, &start, line.at, d, dir, face);
    let Some(landing) = landing else {
        return Err(No::new(
            cite!("melee.contact.b"),
            "it cannot bring the whole front of a stand against the target",
        ));
    };
    Ok(Way { start, dir, d, face, landing })
}

fn clear_of_others(battle: &Battle, state: &State, line: &ChargeLine, start: &Layout) -> bool {
    let block = start.block();
    !state.on_table().any(|(o, b)| {
        o != line.by && o != line.at && {
            let theirs = b.layout(battle);
            theirs.block().overlaps(&block) && start.overlaps(&theirs)
        }
    })
}

fn clear_way(
    battle: &Battle,
    state: &State,
    line: &ChargeLine,
    start: &Layout,
    dir: Dir,
    d: i64,
) -> Result<(), No> {
    let swept = start.block().bounds.grown(d + INCH);
    for (other, b) in state.on_table() {
        if other == line.by || other == line.at {
            continue;
        }
        let friend = battle.side(b) == battle.side_of(state, line.by);
        let theirs = b.layout(battle);
        if !theirs.block().bounds.meets(&swept)
            || (friend && b.skirmishing())
            || b.marks.has(Marks::ABANDONED)
        {
            continue;
        }
        // Detached skirmishers of the target fall back on it before the charge arrives.
        if b.bmu == state.body(line.at).bmu && b.part == crate::state::Part::Skirmishers {
            continue;
        }
        let Some(met) = touch_distance(start, &theirs, dir) else { continue };
        if met >= d - EPS || (met == 0 && !moves_into(start, &theirs, dir)) {
            continue;
        }
        return Err(match friend {
            true => No::new(
                cite!("move.penetration.c"),
                "a friend is in the way, and nobody charges through friends",
            ),
            false => No::new(cite!("charge.movement.a"), "another enemy is in the way"),
        });
    }
    Ok(())
}

/// Already touching: whether going on would push into it.
fn moves_into(start: &Layout, other: &Layout, dir: Dir) -> bool {
    let ahead = start.at(start.pose.shifted(dir.times(INCH / 20)));
    ahead.overlaps(other)
}

fn pay(
    battle: &Battle,
    state: &State,
    line: &ChargeLine,
    start: &Layout,
    dir: Dir,
    d: i64,
    rate: i64,
) -> Result<(), No> {
    let body = state.body(line.by);
    let fronts: ArrayVec<Pt, 12> = start.rects().iter().map(|r| r.front).collect();
    let by = dir.times(d);
    let mut cost = track_cost(battle, &fronts, by, false);
    cost += crate::movement::obstacles(battle, state, &fronts, by) * rate / 4;
    if body.marks.has(Marks::PRONE) {
        cost += rate / 4;
    }
    crate::forts::charge_over(battle, state, line, &fronts, by)?;
    if cost > rate + EPS {
        return Err(No::new(cite!("charge.movement.a"), "the ground costs more than the Charge rate allows"));
    }
    Ok(())
}

/// Which face is struck (R26, R27).
#[allow(clippy::too_many_arguments)]
fn face_struck(
    battle: &Battle,
    state: &State,
    line: &ChargeLine,
    before: &Layout,
    start: &Layout,
    target: &Layout,
    dir: Dir,
    d: i64,
) -> Result<Face, No> {
    let enemy = state.body(line.at);
    let _ = battle;
    if no_flanks(enemy) {
        return Ok(Face::Front);
    }
    let behind = before.rects().iter().any(|r| target.behind_front(r.centre));
    if !behind {
        return Ok(Face::Front);
    }
    Ok(touched_face(start, target, dir, d))
}

/// Squares, boxes and skirmishers have no flank or rear.
#[must_use]
pub fn no_flanks(body: &Body) -> bool {
    matches!(body.shape.formation, Formation::Square | Formation::Skirmish) || body.marks.has(Marks::BOX)
}

/// The edge of the target that contact reaches first; front before side, side before rear on a corner.
#[must_use]
pub fn touched_face(start: &Layout, target: &Layout, dir: Dir, d: i64) -> Face {
    let there = start.block().shifted(dir.times(d));
    let block = target.block();
    if let Some(touch) = table::touch(&there, &block).filter(|t| t.length > 4 * EPS) {
        return Face::of(touch.theirs);
    }
    let gap = |side: table::Side| {
        let (a, b) = block.edge(side);
        table::distance(&[a, b][..], &there)
    };
    let near: ArrayVec<table::Side, 4> =
        table::Side::ALL.into_iter().filter(|s| gap(*s) <= 3 * EPS).collect();
    let first = [table::Side::Front, table::Side::Left, table::Side::Right, table::Side::Rear];
    let found = first.into_iter().find(|s| near.contains(s));
    Face::of(found.unwrap_or_else(|| first.into_iter().min_by_key(|s| gap(*s)).unwrap_or(table::Side::Front)))
}

/// The pose flush against the struck edge (R65); none if there is none without overlap.
#[allow(clippy::too_many_arguments)]
#[must_use]
pub fn square_up(
    battle: &Battle,
    state: &State,
    by: BodyId,
    start: &Layout,
    at: BodyId,
    d: i64,
    dir: Dir,
    face: Face,
) -> Option<Pose> {
    let target = state.body(at).layout(battle).block();
    let edge = face.edge();
    let (left, right) = target.edge(edge);
    let length = target.edge_length(edge);
    let along = Angle::of(right - left).dir();
    let there = start.block().shifted(dir.times(d));
    let facing = target.facing.turned(edge.bearing()).reversed();
    let contact = contact_point(&there, &target);
    let aside = if there.facing.turn_to(facing).abs() < 20 {
        along.along(there.front - left)
    } else {
        along.along(contact - left) + there.ahead.right().along(contact - there.front)
    };
    let width = start.extent().width;
    let half = INCH / 2;
    let mut spans: ArrayVec<(i64, i64), 12> = ArrayVec::new();
    if length >= INCH - EPS {
        let count = i64::from(start.in_rank(0));
        for i in 0..count {
            let offset = (2 * i - (count - 1)) * i64::from(start.shape.pitch) * table::MIL / 2;
            spans.push((half - offset, length - half - offset));
        }
    } else {
        spans.push((length - width / 2, width / 2));
    }
    let clamp =
        |s: i64| spans.iter().map(|(lo, hi)| s.clamp(*lo.min(hi), *hi.max(lo))).min_by_key(|c| (c - s).abs());
    let first = clamp(aside)?;
    for step in 0..40 {
        for sign in [1, -1] {
            let s = clamp(first + sign * step * INCH / 4)?;
            let pose = Pose { at: (left + along.times(s)).spot(), facing };
            if free_at_contact(battle, state, by, &start.at(pose), at) {
                return Some(pose);
            }
            if step == 0 {
                break;
            }
        }
    }
    None
}

/// Where two bodies that touch do so.
fn contact_point(a: &Rect, b: &Rect) -> Pt {
    let mine = a.corners.iter().map(|p| (b.distance_to(*p), *p));
    let theirs = b.corners.iter().map(|p| (a.distance_to(*p), *p));
    mine.chain(theirs).min_by_key(|(d, _)| *d).map_or(a.front, |(_, p)| p)
}

fn free_at_contact(battle: &Battle, state: &State, by: BodyId, layout: &Layout, at: BodyId) -> bool {
    let block = layout.block();
    battle.top.holds(&block)
        && !state.on_table().any(|(o, b)| {
            if o == by || b.marks.has(Marks::ABANDONED) && o != at {
                return false;
            }
            let theirs = b.layout(battle);
            // Snapping to the grid may push a turned front a hair into the target.
            let deep = if o == at { block.depth_of_overlap(&theirs.block()) > 4 * EPS } else { true };
            deep && theirs.block().overlaps(&block) && layout.overlaps(&theirs)
        })
}

/// Checks a whole declaration (R121, R122).
///
/// # Errors
/// The rule that forbids it.
pub fn check(battle: &Battle, state: &State, side: Side, lines: &[ChargeLine]) -> Result<(), No> {
    let Some(first) = lines.first() else {
        return Err(No::new(cite!("charge.sequence.a"), "nobody charges"));
    };
    for (i, line) in lines.iter().enumerate() {
        if battle.side_of(state, line.by) != side || !state.body(line.by).on_table() {
            return Err(No::new(cite!("charge.sequence.a"), "it is not yours, or not on the table"));
        }
        if lines[..i].iter().any(|l| l.by == line.by) {
            return Err(No::new(cite!("charge.sequence.a"), "one unit charges once"));
        }
        check_line(battle, state, line)?;
        if lines.len() > 1 {
            let same = battle.commander_of(state, line.by) == battle.commander_of(state, first.by)
                && battle.commander_of(state, line.by).is_some()
                && battle.in_command(state, line.by);
            if !same {
                return Err(No::new(
                    cite!("charge.movement.c"),
                    "units that charge together share a sub-commander and are in command",
                ));
            }
            let gap = battle.row.simultaneous_charge_gap * INCH + EPS;
            let (a, b) = (state.body(first.at).layout(battle), state.body(line.at).layout(battle));
            if line.at != first.at && a.distance(&b) > gap {
                return Err(No::new(
                    cite!("charge.movement.c"),
                    "their targets are too far apart for one declaration",
                ));
            }
            if state.body(line.by).mounted(battle) != state.body(first.by).mounted(battle)
                && line.at == first.at
            {
                return Err(No::new(
                    cite!("charge.movement.d"),
                    "cavalry and infantry never charge the same target",
                ));
            }
        }
    }
    Ok(())
}

fn check_line(battle: &Battle, state: &State, line: &ChargeLine) -> Result<(), No> {
    may_charge(battle, state, line.by)?;
    may_be_charged(battle, state, line.by, line.at)?;
    order_allows(battle, state, line)?;
    if line.rush {
        may_rush(battle, state, line.by)?;
    }
    way(battle, state, line).map(|_| ())
}

/// Under a Move order only at an enemy within short range (R97).
fn order_allows(battle: &Battle, state: &State, line: &ChargeLine) -> Result<(), No> {
    if battle.order_of(state, line.by) != Some(Command::Move) {
        return Ok(());
    }
    let short = battle.info(state.body(line.by)).weapon.ranges[0].max(INCH / 2);
    let d = state.body(line.by).layout(battle).distance(&state.body(line.at).layout(battle));
    if d > short + EPS {
        return Err(No::new(
            cite!("orders.h"),
            "under a Move order it charges only an enemy within its short range",
        ));
    }
    Ok(())
}

/// Who may rush (zouave.a).
fn may_rush(battle: &Battle, state: &State, by: BodyId) -> Result<(), No> {
    let body = state.body(by);
    let single = body.shape.formation == Formation::Line && body.layout(battle).ranks() == 1;
    let allowed =
        battle.info(body).rush && battle.year >= 1855 && battle.arm(body) == Arm::Infantry && single;
    if allowed {
        return Ok(());
    }
    Err(No::new(
        cite!("zouave.a"),
        "a rush is for infantry in a line one stand deep, from 1855 on, where the scenario has it",
    ))
}

/// The charges a unit may be offered at each target: a few well-chosen lines.
pub fn lines(battle: &Battle, state: &State, by: BodyId, out: &mut Vec<ChargeLine>) {
    if may_charge(battle, state, by).is_err() {
        return;
    }
    for (at, enemy) in state.on_table() {
        if battle.side(enemy) != battle.side_of(state, by) {
            lines_at(battle, state, by, at, out);
        }
    }
}

/// The same against one enemy, for a unit that may charge.
pub fn lines_at(battle: &Battle, state: &State, by: BodyId, at: BodyId, out: &mut Vec<ChargeLine>) {
    let body = state.body(by);
    let mine = body.layout(battle);
    let reach = battle.rate(body).charge + INCH;
    let theirs = state.body(at).layout(battle);
    if mine.block().distance(&theirs.block()) > reach || may_be_charged(battle, state, by, at).is_err() {
        return;
    }
    let aim = Angle::of(theirs.centre() - mine.pose.at.pt());
    let to_centre = mine.pose.facing.turn_to(aim);
    let parallel = mine.pose.facing.turn_to(theirs.pose.facing.reversed());
    let mut tried: ArrayVec<i32, 5> = ArrayVec::new();
    let mut found = 0;
    for turn in [0, to_centre.clamp(-4500, 4500), parallel, to_centre / 2] {
        if turn.abs() > 4500 || tried.contains(&turn) || found == 2 {
            continue;
        }
        tried.push(turn);
        let line = ChargeLine { by, at, turn: turn as i16, rush: false, files: 0 };
        if check_line(battle, state, &line).is_ok() {
            found += 1;
            out.push(line);
            if may_rush(battle, state, by).is_ok() {
                out.push(ChargeLine { rush: true, ..line });
            }
        }
    }
}

/// The body as it stands at a distance along its charge, one stand alone: the one that would touch first (R32).
#[must_use]
pub fn lead_stand(battle: &Battle, state: &State, charger: &Charger) -> Layout {
    let start = charging_layout(battle, state, charger);
    let dir = start.pose.facing.dir();
    let target = state.body(charger.line.at).layout(battle);
    let middle = start.pose.at.pt();
    let theirs = target.rects();
    let solid = target.solid();
    let block = target.block();
    let mine = start.rects();
    let lead = mine.iter().enumerate().filter_map(|(i, r)| {
        let d = if solid {
            table::touch_distance(r, &block, dir)
        } else {
            theirs.iter().filter_map(|t| table::touch_distance(r, t, dir)).min()
        }?;
        Some(((d / (2 * EPS), r.front.to(middle) / (2 * EPS), i), *r))
    });
    let rect = lead.min_by_key(|(key, _)| *key).map_or_else(|| mine[0], |(_, r)| r);
    let shape = Shape { files: 1, ..start.shape };
    Layout {
        pose: rect.pose(),
        shape: Shape { formation: Formation::Line, ..shape },
        stands: 1,
        size: start.size,
    }
}

/// The layout of a charger, turned, before it goes.
#[must_use]
pub fn charging_layout(battle: &Battle, state: &State, charger: &Charger) -> Layout {
    let mut start = state.body(charger.line.by).layout(battle);
    start.pose.facing = start.pose.facing.turned(i32::from(charger.line.turn));
    start
}

/// The lead stand where its distance to the target has come down to `limit`, or where it starts if nearer.
#[must_use]
pub fn lead_at(battle: &Battle, state: &State, charger: &Charger, limit: i64) -> (Layout, i64) {
    let lead = lead_stand(battle, state, charger);
    let dir = lead.pose.facing.dir();
    let target = state.body(charger.line.at).layout(battle);
    let at = |t: i64| Layout { pose: lead.pose.shifted(dir.times(t)), ..lead };
    if at(0).distance(&target) <= limit {
        return (lead, 0);
    }
    // The distance falls as the stand comes on: halve the way until the thousandth is found.
    let (mut lo, mut hi) = (0, charger.d);
    while hi - lo > table::MIL / 2 {
        let mid = lo + (hi - lo) / 2;
        if at(mid).distance(&target) > limit { lo = mid } else { hi = mid }
    }
    (at(hi), hi)
}

/// Where defensive fire is resolved: the target's short range or half an inch (R32).
#[must_use]
pub fn test_point(battle: &Battle, state: &State, charger: &Charger) -> (Layout, i64) {
    let short = battle.info(state.body(charger.line.at)).weapon.ranges[0];
    lead_at(battle, state, charger, short.max(INCH / 2))
}

/// The number of the Charge Home Test (qrs.chargehome).
#[must_use]
pub fn home_number(battle: &Battle, state: &State, index: usize) -> Sum {
    let charger = &state.charge.chargers[index];
    let (by, at) = (charger.line.by, charger.line.at);
    let (body, target) = (state.body(by), state.body(at));
    let info = battle.info(body);
    let mods = &battle.tables.test.charge_home.modifiers;
    let mut sum = Sum::from(battle.tables.test.charge_home.base, "base", cite!("qrs.chargehome.a"));
    sum.add(mods.per_3_hits * i16::from(charger.hits / 3), "hits in the charge", cite!("qrs.chargehome.b"));
    let stands: u8 = state
        .charge
        .chargers
        .iter()
        .filter(|c| c.joined && c.line.at == at)
        .map(|c| state.body(c.line.by).fighting(battle))
        .sum();
    if stands > target.fighting(battle) {
        sum.add(mods.odds_over_1_to_1, "more stands", cite!("qrs.chargehome.c"));
    }
    if battle.order_of(state, by) == Some(Command::Attack) {
        let chief = battle.overall(battle.side(body));
        if chief.is_some_and(|l| battle.in_range(state, l, by)) {
            sum.add(mods.attack_order, "attack order", cite!("orders.j"));
        }
    }
    if info.melee_only() {
        sum.add(mods.melee_only, "melee only", cite!("qrs.chargehome.e"));
    }
    if body.skirmishing() {
        sum.add(mods.skirmisher, "charging in skirmish order", cite!("qrs.chargehome.f"));
    }
    if !charger.under_fire {
        sum.add(mods.no_fire, "no fire met", cite!("qrs.chargehome.g"));
    }
    let square = target.shape.formation == Formation::Square || target.marks.has(Marks::BOX);
    if body.mounted(battle) && !square {
        sum.add(mods.cavalry, "cavalry", cite!("qrs.chargehome.h"));
    }
    let mut rating = mods.rating(info.morale);
    if battle.on.strict_print && info.morale == crate::tables::Rating::E {
        rating = 0;
    }
    sum.add(rating, "morale rating", cite!("qrs.chargehome.i"));
    if target.marks.has(Marks::HIDDEN) {
        sum.add(mods.vs_hidden, "hidden target", cite!("qrs.chargehome.j"));
    }
    if target.shape.formation == Formation::Extended {
        sum.add(mods.vs_extended_line, "extended line", cite!("qrs.chargehome.k"));
    }
    if flanked(state, charger) {
        sum.add(mods.vs_flank_or_rear, "flank or rear", cite!("qrs.chargehome.l"));
    }
    if battle.level(target) > battle.level(body) || crate::forts::ledge(battle, state, at, by) {
        sum.add(mods.uphill, "uphill", cite!("qrs.chargehome.m"));
    }
    if target.skirmishing() {
        sum.add(mods.vs_skirmishers, "against skirmishers", cite!("qrs.chargehome.n"));
    }
    if battle.attached_helper(state, by).is_some() {
        sum.add(mods.sub_commander_attached, "sub-commander attached", cite!("qrs.chargehome.o"));
    }
    match battle.attached(state, by).map(|l| state.leaders[l.i()].personality) {
        Some(Personality::Brash) => {
            sum.add(mods.brash_attached, "brash leader attached", cite!("personality.c"))
        }
        _ if battle.spirit(state, by) == Some(Personality::Cautious) => {
            sum.add(mods.cautious_in_range, "cautious leader", cite!("personality.d"));
        }
        _ => {}
    }
    sum
}

/// A flank or rear is struck; a march column shows nothing else (R26).
fn flanked(state: &State, charger: &Charger) -> bool {
    charger.face != Face::Front || state.body(charger.line.at).shape.formation == Formation::MarchColumn
}

/// Moves a body into contact and opens a bout; false if there is no place for it.
#[allow(clippy::too_many_arguments)]
pub fn contact(
    battle: &Battle,
    state: &mut State,
    by: BodyId,
    start: &Layout,
    at: BodyId,
    d: i64,
    dir: Dir,
    any_face: bool,
    fx: &mut impl Effects,
) -> bool {
    let target = state.body(at).layout(battle);
    let face = if any_face && !no_flanks(state.body(at)) {
        touched_face(start, &target, dir, d)
    } else {
        Face::Front
    };
    let Some(pose) = square_up(battle, state, by, start, at, d, dir, face) else {
        let short = start.pose.shifted(dir.times((d - INCH / 2).max(0)));
        if free(battle, state, by, &start.at(short)) {
            state.body_mut(by).pose = short;
        }
        return false;
    };
    state.body_mut(by).pose = pose;
    open_bout(state, by, at, face);
    tell_of(battle, state, by, Kind::Melee, "comes to blows", cite!("melee.contact.a"), fx);
    true
}

/// A new bout between two bodies.
pub fn open_bout(state: &mut State, attacker: BodyId, defender: BodyId, face: Face) {
    let bout = Bout {
        attacker,
        defender,
        face,
        charged: false,
        countered: false,
        rounds: 0,
        wall: u8::MAX,
        ladders: false,
        fought: false,
    };
    let _ = state.bouts.try_push(bout);
    state.body_mut(attacker).marks.clear(Marks::WON);
    if !state.bouts.iter().any(|b| b.rounds > 0 && (b.attacker == defender || b.defender == defender)) {
        state.body_mut(defender).marks.clear(Marks::WON);
    }
}

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
        Reaction::Retire { .. } => {
            crate::fire::may_fire(battle, state, charged.body, crate::fire::When::Defence).map_err(|_| {
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
            let turned = chargers.clone().any(|c| c.face != Face::Front);
            if turned {
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
    if battle.spirit(state, id) == Some(Personality::Perfectionist) {
        sum.add(mods.perfectionist, "perfectionist", cite!("personality.f"));
    }
    sum
}

/// Rolls to face or form square.
pub fn square_test(battle: &Battle, state: &State, target: usize, what: &str, fx: &mut impl Effects) -> bool {
    let sum = square_number(battle, state, target);
    let id = state.charge.targets[target].body;
    two_dice(battle, state, id, &sum, what, cite!("qrs.square.a"), fx) >= sum.total()
}

/// Every stand turns in place towards the charger (R34).
pub fn face_charger(battle: &Battle, state: &mut State, target: usize) {
    let id = state.charge.targets[target].body;
    let Some(charger) = state.charge.chargers.iter().find(|c| c.on && c.line.at == id) else { return };
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
    let mut shape = layout.shape;
    if turn.rem_euclid(18_000) != 0 {
        shape.files = layout.ranks();
        (shape.pitch, shape.gap) =
            (layout.shape.gap.max(1000), layout.shape.pitch.max((layout.size.depth / table::MIL) as u16));
        if shape.formation == Formation::Line && layout.ranks() == 1 {
            shape.files = 1;
        }
    }
    let turned = layout.rearranged(shape, facing);
    let body = state.body_mut(id);
    body.shape = turned.shape;
    body.pose = turned.pose;
}

/// Half fire for a unit that tries to face or form square.
#[must_use]
pub fn halves(reaction: Reaction) -> bool {
    matches!(reaction, Reaction::Face | Reaction::Square)
}

/// Infantry that fails halts on the way, cavalry goes back (R42, R43).
pub fn fail_home(battle: &Battle, state: &mut State, index: usize, missed: i16, fx: &mut impl Effects) {
    let charger = state.charge.chargers[index];
    let by = charger.line.by;
    let start = charging_layout(battle, state, &charger);
    let dir = start.pose.facing.dir();
    let mounted = state.body(by).mounted(battle);
    state.charge.chargers[index].on = false;
    let body = state.body_mut(by);
    body.order = body.order.max(Order::Suppressed);
    body.marks.clear(Marks::RUSH);
    if mounted {
        let (_, point) = test_point(battle, state, &charger);
        let back = crate::rout::rout_roll(battle, state, by, "falls back from its charge", fx);
        let room = table::to_edge(&start.block(), dir.back(), battle.top.width, battle.top.height);
        let pose = start.pose.shifted(dir.times((point - back).max(-room)));
        put(battle, state, by, &start, pose);
        moved_early(state, by);
        tell_of(
            battle,
            state,
            by,
            Kind::Retreat,
            "does not close and goes back Suppressed",
            cite!("charge.failed.a"),
            fx,
        );
        return;
    }
    match missed {
        1 | 2 => {
            let share = if missed == 1 { 3 } else { 2 };
            let pose = start.pose.shifted(dir.times(charger.d * share / 4));
            put(battle, state, by, &start, pose);
            moved_early(state, by);
            state.body_mut(by).marks.set(Marks::IMMUNE);
            let rule = if missed == 1 { cite!("charge.failed.b") } else { cite!("charge.failed.c") };
            tell_of(battle, state, by, Kind::Loss, "halts Suppressed before the enemy", rule, fx);
        }
        _ => tell_of(
            battle,
            state,
            by,
            Kind::Loss,
            "does not move and is Suppressed",
            cite!("charge.failed.e"),
            fx,
        ),
    }
}

/// It has moved in the Charge Phase; a leader goes with it.
pub fn moved_early(state: &mut State, by: BodyId) {
    let early = state.phase < Phase::Movement;
    let body = state.body_mut(by);
    body.marks.set(Marks::MOVED);
    body.marks.clear(Marks::PRONE);
    if early {
        body.marks.set(Marks::MOVED_EARLY);
    } else {
        body.marks.set(Marks::GONE_ABOUT);
    }
    crate::rout::carry_leader(state, by);
}

/// Puts a body down, or as near as there is room.
pub fn put(battle: &Battle, state: &mut State, id: BodyId, layout: &Layout, pose: Pose) {
    let there = layout.at(pose);
    let pose = if free(battle, state, id, &there) {
        pose
    } else {
        crate::rout::nearest_room(battle, state, id, &there)
    };
    let body = state.body_mut(id);
    body.pose = pose;
    body.shape = layout.shape;
}

/// The charger goes to where contact would have been (R30).
pub fn take_place(battle: &Battle, state: &mut State, index: usize, fx: &mut impl Effects) {
    let charger = state.charge.chargers[index];
    let start = charging_layout(battle, state, &charger);
    let dir = start.pose.facing.dir();
    let mut far = charger.d;
    while far > 0 && !free(battle, state, charger.line.by, &start.at(start.pose.shifted(dir.times(far)))) {
        far -= INCH / 4;
    }
    let body = state.body_mut(charger.line.by);
    if far > 0 {
        body.pose = start.pose.shifted(dir.times(far));
    }
    body.marks.clear(Marks::RUSH);
    moved_early(state, charger.line.by);
    tell_of(
        battle,
        state,
        charger.line.by,
        Kind::Advance,
        "takes the place of the enemy",
        cite!("seq.charge.c"),
        fx,
    );
}
