//! A small evaluation for computer players: victory points, strength, and the ground still to be won.

use game::odds::{Fate, Fates, Standing, Tone};
use game::{Judgement, Odds, PieceId, Side};
use hexmap::{Hex, HexSet};

use crate::rules::concepts::{on_map, shattered};
use crate::rules::{combat, victory};
use crate::setup::battle::{Arm, Battle};
use crate::state::{LeaderId, Phase, Piece, Post, State, Step, UnitId};
use crate::{Action, BrigadeBattles};

/// What a routed unit is worth less, an SP shattered, and so on, in hundredths of a victory point.
const ROUTED: i32 = 250;
const SHATTERED: i32 = 120;
const TIDE: i32 = 120;
const OFF_MAP: i32 = 150;

impl Odds for BrigadeBattles {
    /// A fire or a rally, from its declaration to the last retreat, check and advance that follow from it.
    fn affair(_battle: &Battle, state: &State) -> Option<u32> {
        let under_way = state.agenda.top().is_some();
        let before = match state.phase {
            Phase::Artillery | Phase::Defensive | Phase::Offensive if under_way => {
                state.fired.without(state.fire.firers).len()
            }
            Phase::Artillery | Phase::Defensive | Phase::Offensive => state.fired.len(),
            Phase::Rally => state.acted.len().saturating_sub(usize::from(under_way)),
            _ => return None,
        };
        let phase = u32::from(state.turn) << 4 | (state.active.index() as u32) << 3 | state.phase as u32;
        Some(phase << 8 | before as u32)
    }

    fn standings(battle: &Battle, state: &State) -> Fates {
        let units = (0..battle.units.len()).map(|i| {
            let id = UnitId(i as u8);
            let (sheet, here) = (battle.unit(id), state.unit(id));
            let whole = here.sp.saturating_sub(sheet.back);
            let order = if here.routed { 2 } else { u8::from(shattered(battle, state, id)) };
            let (hurt, lost) = (here.sp - whole, sheet.sp.saturating_sub(here.sp));
            (battle.piece_id(Piece::Unit(id)), Standing { whole, hurt, lost, order, ..posted(here.post) })
        });
        let leaders = (0..battle.leaders.len()).map(|i| {
            let id = LeaderId(i as u8);
            let here = state.leader(id);
            (
                battle.piece_id(Piece::Leader(id)),
                Standing { lost: u8::from(here.replaced), ..posted(here.post) },
            )
        });
        units.chain(leaders).collect()
    }

    fn fate(
        battle: &Battle,
        before: &State,
        after: &State,
        piece: PieceId,
        was: &Standing,
        is: &Standing,
    ) -> Fate {
        match battle.piece(piece) {
            Some(Piece::Unit(unit)) => unit_fate(battle, before, after, unit),
            Some(Piece::Leader(leader)) => leader_fate(battle, before, after, leader),
            None => Fate::of_standings(was, is),
        }
    }
}

impl Judgement for BrigadeBattles {
    fn turn(_: &Battle, state: &State) -> u32 {
        u32::from(state.turn)
    }

    fn worth(battle: &Battle, state: &State, side: Side) -> i32 {
        let score = victory::score(battle, state);
        let own = army(battle, state, side) - army(battle, state, side.enemy());
        100 * (score[side] - score[side.enemy()]) + own + pending(battle, state, side)
    }

    fn promise(battle: &Battle, state: &State, action: &Action) -> i32 {
        match *action {
            Action::Fire { unit, .. } | Action::Join { unit } => 200 + i32::from(state.unit(unit).sp),
            Action::Open => 50,
            Action::Keep => 10,
            Action::Rally { .. } => 400,
            Action::Advance { .. } => 100,
            Action::March { piece: Piece::Unit(unit), to } => {
                let side = battle.unit(unit).side;
                pull(battle, state, side, to)
                    - state.unit(unit).post.hex().map_or(0, |h| pull(battle, state, side, h))
            }
            // Who has ridden once rides on only for a gain.
            Action::March { piece: Piece::Leader(leader), .. } if state.moved_leaders.contains(leader) => -3,
            _ => 0,
        }
    }
}

/// What becomes of a combat unit, the worst first.
fn unit_fate(battle: &Battle, before: &State, after: &State, unit: UnitId) -> Fate {
    let (was, is) = (before.unit(unit), after.unit(unit));
    let moved = was.post != is.post;
    let own = battle.unit(unit).side == combat::firing_side(before);
    if was.post != Post::Gone && is.post == Post::Gone {
        return Fate::new("eliminated", Tone::Gone);
    }
    match (was.routed, is.routed) {
        (false, true) => return Fate::new("routs", Tone::Yields),
        (true, true) if moved && before.phase != Phase::Movement => {
            return Fate::new("routs on", Tone::Yields);
        }
        (true, true) if before.phase == Phase::Rally => return Fate::new("stays routed", Tone::Holds),
        (true, false) => return Fate::new("rallies", Tone::Gains),
        _ => {}
    }
    if moved {
        return match before.phase {
            Phase::Movement if was.post == Post::Due => Fate::new("arrives", Tone::Gains),
            Phase::Movement => Fate::new("marches", Tone::Holds),
            _ if own => Fate::new("advances", Tone::Gains),
            _ => Fate::new("retreats", Tone::Yields),
        };
    }
    if !shattered(battle, before, unit) && shattered(battle, after, unit) {
        return Fate::new("shattered", Tone::Hurt);
    }
    match is.sp.cmp(&was.sp) {
        std::cmp::Ordering::Less => Fate::new("loses SP", Tone::Hurt),
        std::cmp::Ordering::Greater => Fate::new("recovers", Tone::Gains),
        std::cmp::Ordering::Equal => Fate::new("stands", Tone::Holds),
    }
}

/// What becomes of a leader.
fn leader_fate(battle: &Battle, before: &State, after: &State, leader: LeaderId) -> Fate {
    let (was, is) = (before.leader(leader), after.leader(leader));
    let own = battle.leader(leader).side == combat::firing_side(before);
    if was.post != Post::Gone && is.post == Post::Gone {
        return Fate::new("leaves the field", Tone::Gone);
    }
    if is.replaced && !was.replaced {
        return Fate::new("falls", Tone::Hurt);
    }
    if was.post == is.post {
        return Fate::new("stays", Tone::Holds);
    }
    match before.phase {
        Phase::Movement if own && was.post == Post::Due => Fate::new("arrives", Tone::Gains),
        Phase::Movement if own => Fate::new("rides", Tone::Holds),
        Phase::Movement => Fate::new("driven off", Tone::Yields),
        _ if own => Fate::new("follows", Tone::Gains),
        _ => Fate::new("falls back", Tone::Yields),
    }
}

/// A piece without losses that stands there.
fn posted(post: Post) -> Standing {
    let place = post.hex().map_or(u32::MAX, |hex| u32::from(hex.0));
    Standing { whole: 0, hurt: 0, lost: 0, place, off: post.hex().is_none(), order: 0 }
}

/// Units in good order, near what is worth fighting for.
fn army(battle: &Battle, state: &State, side: Side) -> i32 {
    let mut sum = if state.tide[side] { TIDE } else { 0 };
    let (mut standing, mut routed) = (HexSet::EMPTY, HexSet::EMPTY);
    for (hex, enemy) in on_map(battle, state, side.enemy()) {
        if state.unit(enemy).routed {
            routed.insert(hex)
        } else {
            standing.insert(hex)
        };
    }
    for unit in battle.of[side].iter() {
        let here = state.unit(unit);
        match here.post {
            Post::On(hex) => {
                let beside = battle.map.beside[hex.index()];
                let fight = 14 * (beside & standing).len() as i32 + 30 * (beside & routed).len() as i32;
                sum += 12 * i32::from(here.sp) + stance(battle, state, unit, hex, fight);
                if here.routed {
                    sum -= ROUTED;
                } else {
                    sum += pull(battle, state, side, hex);
                }
                if shattered(battle, state, unit) {
                    sum -= SHATTERED;
                }
            }
            Post::Due => sum -= OFF_MAP,
            Post::Gone => {}
        }
    }
    sum + command(battle, state, side)
}

/// Leaders near the units they command.
fn command(battle: &Battle, state: &State, side: Side) -> i32 {
    let led = |unit: UnitId, hex: Hex| {
        let sheet = battle.unit(unit);
        let leaders = [sheet.division, sheet.corps, sheet.army].into_iter().flatten();
        let near = leaders
            .filter_map(|l| state.leader(l).post.hex())
            .filter(|&at| battle.map.grid.distance(at, hex) <= 3);
        15 * near.count() as i32
    };
    on_map(battle, state, side).map(|(hex, unit)| led(unit, hex)).sum()
}

/// Guns ready to fire behind the line, infantry in cover and at the enemy.
fn stance(battle: &Battle, state: &State, unit: UnitId, hex: Hex, fight: i32) -> i32 {
    let cover = -10 * i32::from(battle.charts.terrain[usize::from(battle.map.terrain[hex.index()])].fire);
    match battle.unit(unit).arm {
        Arm::Artillery if state.unit(unit).deployed => cover + 60 - fight,
        Arm::Artillery => cover - fight,
        Arm::Infantry | Arm::Cavalry => cover + fight,
    }
}

/// How strongly objectives in other hands draw a unit to a hex, and own ones hold it.
fn pull(battle: &Battle, state: &State, side: Side, hex: Hex) -> i32 {
    let mut best = 0;
    for (objective, &control) in battle.objectives.iter().zip(&state.control) {
        let distance = i32::from(battle.map.grid.distance(objective.hex, hex));
        let weight = if control == Some(side) { 6 } else { 11 };
        best = best.max(weight * objective.points - 9 * distance);
    }
    best
}

/// A fire that is being declared is worth what it may do.
fn pending(battle: &Battle, state: &State, side: Side) -> i32 {
    let (Some(Step::Volley), Some(at)) = (state.agenda.top(), state.fire.at) else { return 0 };
    let volley = combat::volley(battle, state, at, state.fire.firers);
    let sum: i32 = (1..=10)
        .map(|die| match battle.charts.cell(volley.column, die + volley.modifier()) {
            crate::rules::charts::Cell::Nothing => 0,
            crate::rules::charts::Cell::Check => 60,
            crate::rules::charts::Cell::Loss(n) => 80 + 112 * i32::from(n),
            crate::rules::charts::Cell::Retreat(n) => 140 + 112 * i32::from(n),
        })
        .sum();
    let worth = sum / 10 + 5 * i32::from(volley.total);
    if combat::firing_side(state) == side { worth } else { -worth }
}
