//! 16. Army Morale.

use game::words::{capital, number, signed, the};
use game::{Effects, Entry, Kind, Side};

use crate::at::{At, Run};
use crate::rules::charts::Change;
use crate::state::{Ending, Level};

/// The levels of the Army Morale Track (16.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Spirit {
    High,
    Fatigued,
    Wavering,
    Demoralized,
}

impl Spirit {
    /// As printed.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Spirit::High => "High Morale",
            Spirit::Fatigued => "Fatigued",
            Spirit::Wavering => "Wavering",
            Spirit::Demoralized => "Demoralized",
        }
    }

    /// The rule of the level.
    pub(crate) const fn rule(self) -> game::Rule {
        match self {
            Spirit::High => cite!("16.21.a"),
            Spirit::Fatigued => cite!("16.22.a"),
            Spirit::Wavering => cite!("16.23.a"),
            Spirit::Demoralized => cite!("16.3.a"),
        }
    }
}

impl At<'_> {
    /// The level of a side's army.
    pub(crate) fn army_level(self, side: Side) -> Spirit {
        let (track, at) = (&self.battle.charts.track, self.state.morale[side]);
        match () {
            () if at <= track.demoralized => Spirit::Demoralized,
            () if at >= track.high => Spirit::High,
            () if at >= track.fatigued => Spirit::Fatigued,
            () => Spirit::Wavering,
        }
    }

    /// The initiative DRM of a side's army (16.21.a to 16.23.a).
    pub(crate) fn initiative_drm(self, side: Side) -> i8 {
        self.battle.charts.track.initiative[(self.army_level(side) as usize).min(2)]
    }

    /// What a side's unit morale changes by (15.32.a).
    pub(crate) fn unit_drm(self, side: Side) -> i8 {
        self.battle.charts.track.units[(self.army_level(side) as usize).min(2)]
    }
}

impl<F: Effects> Run<'_, F> {
    /// Adjusts army morale by a line of the chart; in a combat the change waits until its results stand (12.23.r,
    /// 16.24.a).
    pub(crate) fn adjust_morale(&mut self, side: Side, change: Change) {
        self.state.swing[side] += change[0];
        self.state.swing[!side] += change[1];
        if !self.state.netting {
            self.settle_morale();
        }
    }

    /// Looks at what waits in the middle of a combat: it stays within the track, and an army that it brings to 0 has
    /// lost at once (13.1.o, 16.3.c, R57). The level stays what it was until the combat is over (16.24.a).
    pub(crate) fn weigh_morale(&mut self) {
        let track = &self.battle.charts.track;
        let mut lost = false;
        for side in Side::BOTH {
            let at =
                (self.state.morale[side] + self.state.swing[side]).clamp(track.demoralized.min(0), track.top);
            self.state.swing[side] = at - self.state.morale[side];
            lost |= at <= track.demoralized;
        }
        if lost {
            self.settle_morale();
        }
    }

    /// Lets the changes that waited take effect, all at once (R57), and ends the game if an army is demoralized
    /// (16.3.c).
    pub(crate) fn settle_morale(&mut self) {
        self.state.netting = false;
        let track = &self.battle.charts.track;
        for side in Side::BOTH {
            let change = std::mem::take(&mut self.state.swing[side]);
            if change == 0 {
                continue;
            }
            let before = self.at().army_level(side);
            self.state.morale[side] =
                (self.state.morale[side] + change).clamp(track.demoralized.min(0), track.top);
            let (now, name) = (self.state.morale[side], the(&self.battle.armies[side].name));
            self.fx.tell(|| {
                Entry::new(
                    Kind::Score,
                    format!("Army morale of {name}: {}, now {}.", signed(change), number(now)),
                )
                .side(side)
                .rule(cite!("16.1.a"))
            });
            let after = self.at().army_level(side);
            if after != before {
                self.fx.tell(|| {
                    Entry::new(Kind::Score, format!("{}: {}.", capital(&name), after.name()))
                        .side(side)
                        .rule(after.rule())
                });
            }
        }
        self.end_if_demoralized();
        self.waverers_leave();
    }

    fn end_if_demoralized(&mut self) {
        let broken = |side: Side| self.state.morale[side] <= self.battle.charts.track.demoralized;
        let ending = match (broken(Side::First), broken(Side::Second)) {
            (false, false) => return,
            (true, true) => Ending { winner: None, level: Level::Draw },
            (true, false) => Ending { winner: Some(Side::Second), level: Level::Substantial },
            (false, true) => Ending { winner: Some(Side::First), level: Level::Substantial },
        };
        self.end_game(ending, cite!("16.3.a"));
    }
}
