//! 16. Army Morale.

use game::words::{capital, number, signed, the};
use game::{Effects, Entry, Kind, Side};

use crate::rules::charts::Change;
use crate::setup::battle::Battle;
use crate::state::{Ending, Level, State};

/// The levels of the Army Morale Track (16.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Spirit {
    High,
    Fatigued,
    Wavering,
    Demoralized,
}

impl Spirit {
    /// As printed.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Spirit::High => "High Morale",
            Spirit::Fatigued => "Fatigued",
            Spirit::Wavering => "Wavering",
            Spirit::Demoralized => "Demoralized",
        }
    }

    /// The rule of the level.
    #[must_use]
    pub const fn rule(self) -> game::Rule {
        match self {
            Spirit::High => cite!("16.21.a"),
            Spirit::Fatigued => cite!("16.22.a"),
            Spirit::Wavering => cite!("16.23.a"),
            Spirit::Demoralized => cite!("16.3.a"),
        }
    }
}

/// The level of a side's army.
#[must_use]
pub fn level(battle: &Battle, state: &State, side: Side) -> Spirit {
    let (track, at) = (&battle.charts.track, state.morale[side]);
    match () {
        () if at <= track.demoralized => Spirit::Demoralized,
        () if at >= track.high => Spirit::High,
        () if at >= track.fatigued => Spirit::Fatigued,
        () => Spirit::Wavering,
    }
}

/// The initiative DRM of a side's army (16.21.a to 16.23.a).
#[must_use]
pub fn initiative_drm(battle: &Battle, state: &State, side: Side) -> i8 {
    battle.charts.track.initiative[(level(battle, state, side) as usize).min(2)]
}

/// What a side's unit morale changes by (15.32.a).
#[must_use]
pub fn unit_drm(battle: &Battle, state: &State, side: Side) -> i8 {
    battle.charts.track.units[(level(battle, state, side) as usize).min(2)]
}

/// Adjusts army morale by a line of the chart; in a combat the change waits until its results stand (12.23.r, 16.24.a).
pub(crate) fn adjust(battle: &Battle, state: &mut State, side: Side, change: Change, fx: &mut impl Effects) {
    state.swing[side] += change[0];
    state.swing[!side] += change[1];
    if !state.netting {
        settle(battle, state, fx);
    }
}

/// Looks at what waits in the middle of a combat: it stays within the track, and an army that it brings to 0 has lost at
/// once (13.1.o, 16.3.c, R57). The level stays what it was until the combat is over (16.24.a).
pub(crate) fn weigh(battle: &Battle, state: &mut State, fx: &mut impl Effects) {
    let track = &battle.charts.track;
    let mut lost = false;
    for side in Side::BOTH {
        let at = (state.morale[side] + state.swing[side]).clamp(track.demoralized.min(0), track.top);
        state.swing[side] = at - state.morale[side];
        lost |= at <= track.demoralized;
    }
    if lost {
        settle(battle, state, fx);
    }
}

/// Lets the changes that waited take effect, all at once (R57), and ends the game if an army is demoralized (16.3.c).
pub(crate) fn settle(battle: &Battle, state: &mut State, fx: &mut impl Effects) {
    state.netting = false;
    let track = &battle.charts.track;
    for side in Side::BOTH {
        let change = std::mem::take(&mut state.swing[side]);
        if change == 0 {
            continue;
        }
        let before = level(battle, state, side);
        state.morale[side] = (state.morale[side] + change).clamp(track.demoralized.min(0), track.top);
        let (now, name) = (state.morale[side], the(&battle.armies[side].name));
        fx.tell(|| {
            Entry::new(
                Kind::Score,
                format!("Army morale of {name}: {}, now {}.", signed(change), number(now)),
            )
            .side(side)
            .rule(cite!("16.1.a"))
        });
        let after = level(battle, state, side);
        if after != before {
            fx.tell(|| {
                Entry::new(Kind::Score, format!("{}: {}.", capital(&name), after.name()))
                    .side(side)
                    .rule(after.rule())
            });
        }
    }
    end_if_demoralized(battle, state, fx);
    crate::rules::how_to_win::waverers_leave(battle, state, fx);
}

fn end_if_demoralized(battle: &Battle, state: &mut State, fx: &mut impl Effects) {
    let broken = |side: Side| state.morale[side] <= battle.charts.track.demoralized;
    let ending = match (broken(Side::First), broken(Side::Second)) {
        (false, false) => return,
        (true, true) => Ending { winner: None, level: Level::Draw },
        (true, false) => Ending { winner: Some(Side::Second), level: Level::Substantial },
        (false, true) => Ending { winner: Some(Side::First), level: Level::Substantial },
    };
    crate::rules::how_to_win::end(battle, state, ending, cite!("16.3.a"), fx);
}
