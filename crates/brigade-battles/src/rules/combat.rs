//! 7 Offensive Artillery and 9.1 to 9.5 Combat: who may fire at whom, combined fire, the column and the die.

use game::words::{does, number, signed};
use game::{Allowed, Die, Effects, Entry, Kind, Modifier, No, Place, RollNote, Side};
use hexmap::{Crossing, Hex, HexSet};

use crate::action::Action;
use crate::at::{At, Run};
use crate::legal::no;
use crate::rules::charts::{Cell, Factor};
use crate::rules::results;
use crate::setup::battle::Battle;
use crate::setup::map::{factor, feature};
use crate::setup::pieces::Arm;
use crate::state::{Fire, Phase, Piece, State, Step, Task, UnitId, Units};

/// A fire as the charts see it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Volley {
    pub(crate) total: u16,
    pub(crate) column: usize,
    pub(crate) shifted: bool,
    /// The one terrain modifier, and what it comes from.
    pub(crate) cover: i16,
    pub(crate) cover_of: Cover,
    /// 9.5.g: from three or more hexes next to the target.
    pub(crate) flank: bool,
}

/// What the terrain modifier comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cover {
    Terrain,
    Works,
    Wall,
}

impl Volley {
    /// What is added to the combat die.
    pub(crate) fn modifier(&self) -> i16 {
        self.cover + i16::from(self.flank)
    }
}

impl Battle {
    /// Which of the rules of 9.4 hides the target.
    fn why_hidden(&self, from: Hex, at: Hex) -> No {
        let map = &self.map;
        let level = |hex: Hex| map.level[hex.index()];
        let woods = |hex: Hex| self.ground(hex).blocks;
        let by_terrain =
            map.lines.between(&map.grid, from, at).is_some_and(|line| line.is_blocked_by_both(woods));
        if by_terrain {
            no!("9.4.d", "woods or a town lie between")
        } else if level(from) > level(at) {
            no!("9.4.e", "ground as high as the firing unit lies between")
        } else {
            no!("9.4.f", "ground that hides the target's level lies between")
        }
    }

    /// Hexes beyond the next that infantry or cavalry could fire into: none, unless the charts of the battle say so.
    fn infantry_field(&self, from: Hex) -> HexSet {
        if self.charts.infantry.len().max(self.charts.cavalry.len()) > 1 {
            self.map.seen[from.index()]
        } else {
            HexSet::EMPTY
        }
    }

    /// Every term that is added to the combat die.
    pub(crate) fn fire_modifiers(&self, at: Hex, volley: &Volley) -> Vec<Modifier> {
        let mut list = Vec::new();
        if volley.cover != 0 {
            let reason = match volley.cover_of {
                Cover::Terrain => {
                    format!("target in {}", self.ground(at).title)
                }
                Cover::Works => "target in a breastwork".into(),
                Cover::Wall => "target behind a stone wall".into(),
            };
            list.push(Modifier::new(volley.cover, reason, cite!("9.5.d")));
        }
        if volley.flank {
            list.push(Modifier::new(1, "flank fire from three hexes", cite!("9.5.g")));
        }
        list
    }
}

impl At<'_> {
    /// May the unit fire at all in this phase?
    pub(crate) fn may_fire(self, unit: UnitId) -> Allowed<Hex> {
        let sheet = self.battle.unit(unit);
        let here = self.state.unit(unit);
        if sheet.side != self.state.firing_side() {
            return Err(match self.state.phase {
                Phase::Defensive => {
                    no!("9.2.a", "in defensive fire the units of the player who is not moving fire")
                }
                _ => no!("9.3.a", "only units of the player whose turn it is fire now"),
            });
        }
        let Some(hex) = here.post.hex() else { return Err(no!("9.1.a", "it is not on the map")) };
        if here.routed {
            return Err(no!("9.8.x", "routed units do not fire: it would have to rally"));
        }
        match (sheet.arm, here.deployed) {
            (Arm::Cavalry, false) => {
                return Err(no!("8.1.9.b", "mounted cavalry does not fire: it would have to be dismounted"));
            }
            (Arm::Artillery, false) if self.state.phase == Phase::Artillery => {
                return Err(no!("7.1.a", "limbered guns do not fire: they would have to be unlimbered"));
            }
            (Arm::Artillery, false) => {
                return Err(no!("8.1.9.a", "limbered guns do not fire: they would have to be unlimbered"));
            }
            _ => {}
        }
        if self.state.phase == Phase::Artillery && sheet.arm != Arm::Artillery {
            return Err(no!("7.1.a", "only artillery fires in the Offensive Artillery Phase"));
        }
        if self.state.phase == Phase::Offensive {
            if sheet.arm == Arm::Artillery {
                return Err(no!(
                    "9.3.b",
                    "artillery does not fire in offensive fire: its phase comes before movement"
                ));
            }
            match here.task {
                Task::None => {}
                Task::Build => {
                    return Err(no!("6.1.1.b", "it is building a breastwork and does not fire offensively"));
                }
                Task::Burn(_) => {
                    return Err(no!("6.1.2.b", "it is setting a fire and does not fire offensively"));
                }
            }
        }
        if self.state.fired.contains(unit) {
            return Err(if self.state.phase == Phase::Artillery {
                no!("7.2.1.b", "it has fired in this phase: each artillery unit fires once")
            } else {
                no!("9.1.3.b", "it has fired in this phase: each unit fires once")
            });
        }
        if self.battle.is_night(self.state) && !self.state.adjacent.contains(unit) {
            return Err(no!("11.0.b", "at night only units fire that began the turn next to an enemy"));
        }
        Ok(hex)
    }

    /// May this hex be fired at now, by anybody?
    pub(crate) fn may_be_target(self, at: Hex) -> Allowed {
        let enemies = self.state.firing_side().enemy();
        let again = || {
            if self.state.phase == Phase::Artillery {
                no!("7.2.1.b", "it has been fired at in this phase: each target is fired at once")
            } else {
                no!("9.1.3.b", "it has been fired at in this phase: each unit is a target once")
            }
        };
        if let Some(unit) = self.state.unit_at(at) {
            if self.battle.unit(unit).side != enemies {
                return Err(no!("9.5.a", "the target must be an enemy"));
            }
            return if self.state.targeted.contains(unit) { Err(again()) } else { Ok(()) };
        }
        let leaders = self.leaders_in(enemies, at);
        if leaders.is_empty() {
            return Err(no!("9.5.a", "there is no enemy in the target hex"));
        }
        if leaders.without(self.state.targeted_leaders).is_empty() {
            return Err(again());
        }
        Ok(())
    }

    /// 9.5, G2: what range makes of the unit's SP.
    pub(crate) fn range_factor(self, unit: UnitId, range: u16) -> Option<Factor> {
        if range > 1 && self.battle.is_night(self.state) {
            return None;
        }
        let charts = &self.battle.charts;
        let line = match self.battle.unit(unit).arm {
            Arm::Infantry => &charts.infantry,
            Arm::Cavalry => &charts.cavalry,
            Arm::Artillery => &charts.artillery,
        };
        factor(line, range)
    }

    /// May the unit, standing at `from`, reach and see the hex?
    fn may_reach(self, unit: UnitId, from: Hex, at: Hex, friends: &HexSet) -> Allowed {
        let range = self.battle.map.grid.distance(from, at);
        if self.range_factor(unit, range).is_none() {
            return Err(if range > 1 && self.battle.is_night(self.state) {
                no!("11.0.c", "at night nobody fires further than 1 hex")
            } else {
                no!("9.5.b", "the target is out of its range")
            });
        }
        if !self.battle.sees(friends, from, at) {
            return Err(if self.battle.ground_hides(from, at) {
                self.battle.why_hidden(from, at)
            } else {
                no!("9.4.g", "the line of sight passes over a friendly unit next to the target")
            });
        }
        Ok(())
    }

    /// May the unit fire at the hex now?
    pub(crate) fn may_fire_at(self, unit: UnitId, at: Hex) -> Allowed {
        let from = self.may_fire(unit)?;
        self.may_be_target(at)?;
        let friends = self.standing(self.battle.unit(unit).side);
        self.may_reach(unit, from, at, &friends)
    }

    /// The hexes that may still be fired at.
    fn targets(self) -> HexSet {
        let enemies = self.state.firing_side().enemy();
        let mut hexes: HexSet = self
            .on_map(enemies)
            .filter(|&(_, id)| !self.state.targeted.contains(id))
            .map(|(hex, _)| hex)
            .collect();
        for leader in self.battle.leaders_of[enemies].without(self.state.targeted_leaders).iter() {
            if let Some(hex) = self.state.leader_hex(leader)
                && self.is_alone(leader)
            {
                hexes.insert(hex);
            }
        }
        hexes
    }

    /// Every unit with every hex it may fire at, until `each` says stop.
    fn each_fire(self, mut each: impl FnMut(UnitId, Hex) -> bool) {
        let side = self.state.firing_side();
        let targets = self.targets();
        if targets.is_empty() {
            return;
        }
        let friends = self.standing(side);
        for unit in self.battle.of[side].iter() {
            let Ok(from) = self.may_fire(unit) else { continue };
            let within = if self.battle.unit(unit).arm == Arm::Artillery {
                targets & (self.battle.map.seen[from.index()] | self.battle.map.beside[from.index()])
            } else {
                targets & (self.battle.map.beside[from.index()] | self.battle.infantry_field(from))
            };
            for at in within.iter() {
                if self.may_reach(unit, from, at, &friends).is_ok() && !each(unit, at) {
                    return;
                }
            }
        }
    }

    /// The fires that may be begun.
    pub(crate) fn offer_fire(self, out: &mut Vec<Action>) {
        self.each_fire(|unit, at| {
            out.push(Action::Fire { unit, at });
            true
        });
    }

    /// Whether any fire may be begun.
    pub(crate) fn can_anyone_fire(self) -> bool {
        let mut found = false;
        self.each_fire(|_, _| {
            found = true;
            false
        });
        found
    }

    /// The units that may still join the fire being declared.
    pub(crate) fn joiners(self) -> Units {
        self.state.fire.at.map_or(Units::EMPTY, |at| self.who_may_join(at, self.state.fire.firers))
    }

    /// The units that could join these in a fire at the hex.
    pub(crate) fn who_may_join(self, at: Hex, firers: Units) -> Units {
        let side = self.state.firing_side();
        let friends = self.standing(side);
        self.battle.of[side]
            .without(firers)
            .iter()
            .filter(|&unit| {
                self.may_fire(unit).is_ok_and(|from| self.may_reach(unit, from, at, &friends).is_ok())
            })
            .collect()
    }

    /// May the unit join the fire being declared?
    pub(crate) fn may_join(self, unit: UnitId) -> Allowed {
        let Some(at) = self.state.fire.at else { return Err(no!("9.5.a", "no fire is being declared")) };
        if self.state.fire.firers.contains(unit) {
            return Err(no!("9.1.3.c", "it takes part already, with all its SP"));
        }
        self.may_fire_at(unit, at)
    }

    /// 9.5: the fire of these units at the hex.
    pub(crate) fn volley(self, at: Hex, firers: Units) -> Volley {
        let mut total = 0;
        let mut adjacent = 0;
        for unit in firers.iter() {
            let Some(from) = self.state.unit_hex(unit) else { continue };
            let range = self.battle.map.grid.distance(from, at);
            if let Some(factor) = self.range_factor(unit, range) {
                total += factor.of(self.state.unit(unit).sp);
            }
            adjacent += u8::from(range == 1);
        }
        let limbered = self.state.unit_at(at).is_some_and(|unit| {
            self.battle.unit(unit).arm == Arm::Artillery && !self.state.unit(unit).deployed
        });
        let (cover, cover_of) = self.cover(at, firers);
        Volley {
            total,
            column: self.battle.charts.column(total, usize::from(limbered)),
            shifted: limbered,
            cover,
            cover_of,
            flank: adjacent >= 3,
        }
    }

    /// 9.5.e: the one modifier that is best for the defender.
    fn cover(self, at: Hex, firers: Units) -> (i16, Cover) {
        let charts = &self.battle.charts;
        let terrain = self.battle.ground(at);
        let mut best = (i16::from(terrain.fire), Cover::Terrain);
        if self.state.works.contains(at) && i16::from(charts.works_fire) < best.0 {
            best = (i16::from(charts.works_fire), Cover::Works);
        }
        if i16::from(charts.wall) < best.0 && firers.iter().all(|unit| self.over_a_wall(unit, at)) {
            best = (i16::from(charts.wall), Cover::Wall);
        }
        best
    }

    /// Whether the unit's line enters the hex over a stone wall.
    fn over_a_wall(self, unit: UnitId, at: Hex) -> bool {
        let map = &self.battle.map;
        let Some(from) = self.state.unit_hex(unit) else { return false };
        let wall = |side: hexmap::Side| map.sides[side.index()] & feature::WALL != 0;
        let Some(line) = map.lines.between(&map.grid, from, at) else { return false };
        match line.crossings().last() {
            Some(Crossing::Side(side)) => wall(side),
            Some(Crossing::Corner { entering, .. }) => entering.into_iter().all(wall),
            None => false,
        }
    }

    fn combat_note(self, at: Hex, target: UnitId) -> RollNote {
        let firers = self.state.fire.firers;
        let volley = self.volley(at, firers);
        let names: Vec<&str> = firers.iter().map(|u| self.battle.unit(u).name.as_str()).collect();
        let what = format!(
            "{} at {} with {} SP, column {}.",
            fire_words(&names),
            self.battle.unit(target).name,
            volley.total,
            self.battle.charts.head(volley.column)
        );
        let note = RollNote::new(what, cite!("9.5.d"))
            .side(self.state.firing_side())
            .at(self.battle.piece_id(Piece::Unit(target)))
            .modifiers(self.battle.fire_modifiers(at, &volley));
        match firers.iter().next() {
            Some(unit) => note.by(self.battle.piece_id(Piece::Unit(unit))),
            None => note,
        }
    }

    /// What the chart gives for this die on the fire declared.
    pub(crate) fn combat_result(self, natural: u8) -> Option<Cell> {
        let volley = self.volley(self.state.fire.at?, self.state.fire.firers);
        Some(self.battle.charts.cell(volley.column, i16::from(natural) + volley.modifier()))
    }
}

impl<F: Effects> Run<'_, F> {
    /// The die is rolled on what has been declared.
    pub(crate) fn open_fire(&mut self) {
        self.state.agenda.pop();
        let Some(at) = self.state.fire.at else { return };
        for unit in self.state.fire.firers.iter() {
            self.state.fired.insert(unit);
            if self.state.phase == Phase::Artillery {
                self.state.fired_marks.insert(unit);
            }
        }
        let Some(target) = self.state.unit_at(at) else {
            let leaders = self.at().leaders_in(self.state.firing_side().enemy(), at);
            for leader in leaders.without(self.state.targeted_leaders).iter() {
                self.state.targeted_leaders.insert(leader);
                self.state.agenda.push(Step::LoneLeader { leader });
            }
            return;
        };
        self.state.targeted.insert(target);
        let natural = self.roll_combat_die(at, target);
        self.state.agenda.push(Step::CombatDie { natural });
    }

    /// 9.5.d: the combat die.
    pub(crate) fn roll_combat_die(&mut self, at: Hex, target: UnitId) -> u8 {
        let here = At::new(self.battle, self.state);
        self.fx.die(Die::D10, || here.combat_note(at, target))
    }

    /// The combat die stands: the result is read and applied.
    pub(crate) fn resolve_fire(&mut self, natural: u8) {
        self.state.agenda.pop();
        let Some(hex) = self.state.fire.at else { return };
        let Some(target) = self.state.unit_at(hex) else { return };
        let volley = self.at().volley(hex, self.state.fire.firers);
        let die = i16::from(natural) + volley.modifier();
        let cell = self.battle.charts.cell(volley.column, die);
        self.tell(|at| {
            let shift = if volley.shifted { ", shifted for limbered guns" } else { "" };
            let sum = match volley.modifier() {
                0 => String::new(),
                more => format!(" {} = {}", signed(more), number(die)),
            };
            let head = at.battle.charts.head(volley.column);
            let routed = at.state.unit(target).routed;
            let text = format!("{natural}{sum} in column {head}{shift}: {}.", results::words(cell, routed));
            let mut entry = Entry::new(Kind::Fire, text).side(at.state.firing_side()).rule(cite!("9.5.f"));
            if routed && cell != Cell::Nothing {
                entry = entry.rule(cite!("9.8.v"));
            }
            entry =
                entry.piece(at.battle.piece_id(Piece::Unit(target))).place(Place::Hex(at.battle.number(hex)));
            if volley.shifted { entry.rule(cite!("9.5.h")) } else { entry }
        });
        self.apply_result(target, hex, cell, natural == 10 || die >= 10);
    }
}

impl State {
    /// Who fires in this phase.
    pub(crate) fn firing_side(&self) -> Side {
        self.phase.whose(self.active)
    }

    /// Begins a fire, or lets another unit join it.
    pub(crate) fn declare_fire(&mut self, unit: UnitId, at: Hex) {
        self.fire = Fire { at: Some(at), ..Fire::NONE };
        self.fire.firers.insert(unit);
        self.agenda.push(Step::Volley);
    }

    /// Whether the firing player may use his Tide of Battle marker on the combat die.
    pub(crate) fn may_reroll_fire(&self) -> bool {
        let side = self.firing_side();
        self.may_use_tide(side, self.fire.firers)
    }
}

fn fire_words(names: &[&str]) -> String {
    match names {
        [one] => does(one, "fires"),
        [first @ .., last] => format!("{} and {last} fire", first.join(", ")),
        [] => "Nobody fires".into(),
    }
}
