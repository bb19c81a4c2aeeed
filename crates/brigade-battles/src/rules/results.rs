//! 9.6 Combat results and 9.7 the morale check.

use game::words::does;
use game::{Die, Effects, Kind, Modifier, RollNote, Test};
use hexmap::Hex;

use crate::at::{At, Run};
use crate::rules::charts::Cell;
use crate::state::{Phase, Piece, Step, Task, UnitId, Units, Why};

impl At<'_> {
    /// 9.7: the terrain modifier of the morale die, at most one, the best for the unit.
    pub(crate) fn terrain_morale(self, unit: UnitId) -> i16 {
        let Some(hex) = self.state.unit_hex(unit) else { return 0 };
        let terrain = self.battle.ground(hex).morale;
        let works = if self.state.works.contains(hex) { self.battle.charts.works_morale } else { 0 };
        i16::from(terrain.min(works))
    }

    /// The unit's morale number now: the back of the counter may have another colour.
    pub(crate) fn morale_number(self, unit: UnitId) -> i16 {
        let sheet = self.battle.unit(unit);
        if self.shattered(unit) { sheet.back_morale.number() } else { sheet.morale.number() }
    }

    /// 9.7: the highest face with which the unit passes; a natural 10 never does.
    pub(crate) fn passes_at(self, unit: UnitId) -> i16 {
        let leader = i16::from(self.leader_bonus(unit).is_some());
        (self.morale_number(unit) + leader - self.terrain_morale(unit)).min(9)
    }

    fn morale_test(self, unit: UnitId) -> Test {
        Test::at_most(Die::D10, self.passes_at(unit))
    }

    /// Whether a check is passed with this die.
    pub(crate) fn passes_morale_on(self, unit: UnitId, natural: u8) -> bool {
        self.morale_test(unit).passed_by(natural)
    }

    fn morale_note(self, unit: UnitId, why: Why) -> RollNote {
        let sheet = self.battle.unit(unit);
        let (what, rule) = match why {
            Why::Fire => ("checks morale", cite!("9.7.b")),
            Why::Passed => ("checks morale: a routing unit came through", cite!("9.8.ab")),
            Why::Rally => ("tries to rally", cite!("10.1.1.a")),
        };
        let number = self.morale_number(unit);
        let mut modifiers = vec![Modifier::new(number, "morale number", cite!("1.1.5.a"))];
        if let Some(leader) = self.leader_bonus(unit) {
            modifiers.push(Modifier::new(
                1,
                format!("{} is with it", self.battle.leader(leader).name),
                cite!("5.3.a"),
            ));
        }
        let terrain = self.terrain_morale(unit);
        if terrain != 0 {
            modifiers.push(Modifier::new(-terrain, "terrain", cite!("9.7.a")));
        }
        let sum: i16 = modifiers.iter().map(|m| m.value).sum();
        if sum > 9 {
            modifiers.push(Modifier::new(9 - sum, "a 10 always fails", cite!("9.7.c")));
        }
        RollNote::new(does(&sheet.name, what), rule)
            .side(sheet.side)
            .by(self.battle.piece_id(Piece::Unit(unit)))
            .modifiers(modifiers)
    }

    /// Whether the owner may re-roll this unit's check.
    pub(crate) fn may_reroll_morale(self, unit: UnitId) -> bool {
        self.state.may_use_tide(self.battle.unit(unit).side, Units::one(unit))
    }
}

impl<F: Effects> Run<'_, F> {
    /// 9.6, R18: loss; leader checks; for R guns limber and leaders choose; retreat; morale. The last is pushed first.
    pub(crate) fn apply_result(&mut self, target: UnitId, at: Hex, cell: Cell, ten: bool) {
        let side = self.battle.unit(target).side;
        if self.state.phase == Phase::Offensive {
            self.state.fire.defended = self.at().standing(side);
            self.state.agenda.push(Step::Advance);
        }
        let (loss, back) = match cell {
            Cell::Nothing => {
                if ten {
                    self.state.check_each(self.at().leaders_in(side, at));
                }
                return;
            }
            Cell::Check => (0, false),
            Cell::Loss(n) => (n, false),
            Cell::Retreat(n) => (n, true),
        };
        let below = self.state.agenda.depth();
        if !self.lose_sp(target, loss) {
            return;
        }
        debug_assert_eq!(self.state.agenda.depth(), below, "a unit that lives leaves no leader behind");
        if self.state.unit(target).routed {
            self.state.begin_retreat(self.battle, target, true);
        } else {
            self.state.agenda.push(Step::Morale { unit: target, why: Why::Fire });
            if back {
                self.state.begin_retreat(self.battle, target, false);
            }
        }
        if ten {
            self.state.check_each(self.at().leaders_in(side, at));
        }
    }

    /// Rolls the check; the die waits on the table if its owner could still use his Tide of Battle marker.
    pub(crate) fn check_morale(&mut self, unit: UnitId, why: Why) {
        if self.state.unit_hex(unit).is_none() {
            self.state.agenda.pop();
            return;
        }
        if self.at().may_reroll_morale(unit) {
            let at = At::new(self.battle, self.state);
            let natural = self.fx.die(Die::D10, || {
                let came = |die| if at.passes_morale_on(unit, die) { "passed" } else { "failed" };
                at.morale_note(unit, why).outcomes((0..=10).map(came))
            });
            self.state.agenda.replace(Step::MoraleDie { unit, why, natural });
            return;
        }
        self.state.agenda.pop();
        let at = At::new(self.battle, self.state);
        let passed = self.fx.passes(at.morale_test(unit), || at.morale_note(unit, why));
        self.conclude_check(unit, why, passed);
    }

    /// The die on the table stands.
    pub(crate) fn keep_morale_die(&mut self, unit: UnitId, why: Why, natural: u8) {
        self.state.agenda.pop();
        let passed = self.at().passes_morale_on(unit, natural);
        self.conclude_check(unit, why, passed);
    }

    fn conclude_check(&mut self, unit: UnitId, why: Why, passed: bool) {
        let name = &self.battle.unit(unit).name;
        match (why, passed) {
            (Why::Rally, true) => {
                self.state.unit_mut(unit).routed = false;
                self.tell(|at| {
                    at.piece_entry(Kind::Rally, does(name, "rallies."), unit).rule(cite!("10.1.1.a"))
                });
            }
            (Why::Rally, false) => self.tell(|at| {
                at.piece_entry(Kind::Check, does(name, "stays routed."), unit).rule(cite!("10.1.1.b"))
            }),
            (_, true) => {
                self.tell(|at| at.piece_entry(Kind::Check, does(name, "stands."), unit).rule(cite!("9.7.b")))
            }
            (_, false) => self.rout(unit),
        }
    }

    /// 9.8: the unit routs, or, if it is routed already, routs on (R27).
    fn rout(&mut self, unit: UnitId) {
        let here = self.state.unit_mut(unit);
        let (what, rule) =
            if here.routed { ("routs on.", cite!("9.8.ab")) } else { ("routs.", cite!("9.8.n")) };
        here.routed = true;
        here.task = Task::None;
        self.tell(|at| {
            let text = does(&at.battle.unit(unit).name, what);
            at.piece_entry(Kind::Retreat, text, unit).rule(rule)
        });
        self.state.begin_retreat(self.battle, unit, true);
    }
}

/// A result in words, for a target that is routed already or not.
pub(crate) fn words(cell: Cell, routed: bool) -> String {
    match cell {
        Cell::Nothing => "no result".into(),
        Cell::Check if routed => "three hexes further back".into(),
        Cell::Loss(n) | Cell::Retreat(n) if routed => format!("{n} SP lost and three hexes further back"),
        Cell::Check => "a morale check".into(),
        Cell::Loss(n) => format!("{n} SP lost and a morale check"),
        Cell::Retreat(n) => format!("{n} SP lost, a retreat and a morale check"),
    }
}
