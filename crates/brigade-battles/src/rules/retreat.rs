//! 9.8 Retreat and rout: the ways back, what they cost, and whom they disturb.

use arrayvec::ArrayVec;
use game::words::does;
use game::{Allowed, Effects, Kind};
use hexmap::{Direction, Hex, HexSet};

use crate::at::{At, Run};
use crate::legal::no;
use crate::rules::charts::Closed;
use crate::rules::concepts::Lines;
use crate::setup::battle::Battle;
use crate::setup::pieces::Arm;
use crate::state::{
    Class, LEADERS, LeaderId, Leaders, MANY_WAIT, PASSED, Piece, Post, State, Step, TRAIL, Task, UNITS,
    UnitId, Why,
};

type Trail = ArrayVec<Hex, TRAIL>;

/// What a way back is measured by.
#[derive(Debug)]
struct WayBack<'a> {
    at: At<'a>,
    lines: Lines,
    /// Hexes with another combat unit of its side.
    others: HexSet,
    guns: bool,
    rout: bool,
    /// Hexes to be gone before the way may end.
    least: usize,
    /// 9.8.a: where the firing units stand.
    firers: ArrayVec<Hex, UNITS>,
    /// 9.8.c, 9.8.p: where it should lead: entry hexes, leaders.
    havens: &'a [Hex],
    leaders: ArrayVec<Hex, LEADERS>,
}

impl WayBack<'_> {
    fn goals(&self) -> impl Iterator<Item = Hex> {
        self.havens.iter().chain(&self.leaders).copied()
    }

    /// How many kinds of ways there are, by where they lead (R21, R22).
    fn kinds(&self) -> u8 {
        if self.rout { 3 } else { 4 }
    }

    /// The classes of ways, the best first: every kind as long as the rules ask, then every kind lengthened.
    fn classes(&self) -> std::ops::RangeInclusive<u8> {
        1..=2 * self.kinds()
    }

    /// Where the ways of a class lead.
    fn kind(&self, class: u8) -> u8 {
        (class.saturating_sub(1)) % self.kinds() + 1
    }

    /// R24: whether ways of the class go on through enemy zones until they are out of them.
    fn goes_on(&self, class: u8) -> bool {
        class > self.kinds()
    }

    /// Whether a way of the class that has come this far stops in the hex: no friend is there (R23), and no enemy zone
    /// that it is to leave (R24).
    fn rests(&self, class: u8, hex: Hex) -> bool {
        !(self.occupied(hex) || self.goes_on(class) && self.lines.zone.contains(hex))
    }

    fn off_firers(&self, hex: Hex) -> u16 {
        let grid = &self.at.battle.map.grid;
        self.firers.iter().map(|&at| grid.distance(at, hex)).min().unwrap_or(u16::MAX)
    }

    fn occupied(&self, hex: Hex) -> bool {
        self.others.contains(hex)
    }

    /// The hard limits of one step, wherever the way has been.
    fn may_cross(&self, at: Hex, direction: Direction) -> Allowed<Hex> {
        let Some(way) = self.at.way(at, direction) else {
            return Err(no!("9.8.f", "a retreat may not leave the map"));
        };
        if way.closed == Closed::ToAll || way.closed == Closed::ToGuns && self.guns {
            return Err(no!("9.8.f", "a retreat may not enter or cross prohibited terrain"));
        }
        if self.lines.enemies.contains(way.to) {
            return Err(no!("9.8.d", "an enemy unit stands there"));
        }
        Ok(way.to)
    }

    /// The hard limits of the next step.
    fn may_step(&self, trail: &Trail, direction: Direction) -> Allowed<Hex> {
        let to = self.may_cross(trail[trail.len() - 1], direction)?;
        if trail.contains(&to) {
            return Err(no!("9.8.e", "a retreat may not enter the same hex twice"));
        }
        Ok(to)
    }

    /// Whether a step keeps to the class.
    fn keeps_class(&self, class: u8, from: Hex, to: Hex) -> bool {
        match (self.rout, self.kind(class)) {
            (false, 1 | 2) => self.off_firers(to) > self.off_firers(from),
            _ => true,
        }
    }

    fn nearer(&self, goal: Hex, from: Hex, to: Hex) -> bool {
        let grid = &self.at.battle.map.grid;
        grid.distance(goal, to) < grid.distance(goal, from)
    }

    /// The goals to which every step of the trail came nearer.
    fn approached(&self, trail: &Trail) -> impl Iterator<Item = Hex> {
        self.goals().filter(|&goal| trail.windows(2).all(|w| self.nearer(goal, w[0], w[1])))
    }

    /// Whether a way of the class that has kept to it so far may end there.
    fn ends_well(&self, class: u8, start: Hex, end: Hex) -> bool {
        if self.lines.zone.contains(end) {
            return false;
        }
        match (self.rout, self.kind(class)) {
            (false, 1) | (true, 2) => self.goals().any(|goal| self.nearer(goal, start, end)),
            (false, 3) => self.off_firers(end) > self.off_firers(start),
            _ => true,
        }
    }

    /// Whether the trail as it is can still become one of the class.
    fn completes(&self, class: u8, trail: &mut Trail) -> bool {
        let at = trail[trail.len() - 1];
        if self.rout && self.kind(class) == 1 && self.approached(trail).next().is_none() {
            return false;
        }
        if trail.len() > self.least {
            return if self.rests(class, at) {
                self.ends_well(class, trail[0], at)
            } else {
                self.comes_through(class, trail)
            };
        }
        Direction::ALL.into_iter().any(|direction| {
            let Ok(to) = self.may_step(trail, direction) else { return false };
            if !self.keeps_class(class, at, to) {
                return false;
            }
            trail.push(to);
            let completes = self.completes(class, trail);
            trail.pop();
            completes
        })
    }

    /// R23, R24: past its friends and through enemy zones, however many, the way goes on to the first free hex.
    fn comes_through(&self, class: u8, trail: &Trail) -> bool {
        if self.rout && self.kind(class) == 1 {
            return self
                .approached(trail)
                .any(|goal| self.comes_out(class, trail, |from, to| self.nearer(goal, from, to)));
        }
        self.comes_out(class, trail, |from, to| self.keeps_class(class, from, to))
    }

    /// Whether steps through hexes where it may not stop, each as it must be, come to a hex where the way may end. What
    /// is reached without touching the trail is also reached without entering a hex twice, so it is enough to spread.
    fn comes_out(&self, class: u8, trail: &Trail, keeps: impl Fn(Hex, Hex) -> bool) -> bool {
        let mut seen: HexSet = trail.iter().copied().collect();
        let mut open = HexSet::EMPTY;
        open.insert(trail[trail.len() - 1]);
        while let Some(at) = open.first() {
            open.remove(at);
            for direction in Direction::ALL {
                let Ok(to) = self.may_cross(at, direction) else { continue };
                if !keeps(at, to) || !seen.insert(to) {
                    continue;
                }
                if !self.rests(class, to) {
                    open.insert(to);
                } else if self.ends_well(class, trail[0], to) {
                    return true;
                }
            }
        }
        false
    }

    /// The best class that has a way at all.
    fn best_class(&self, trail: &mut Trail) -> Option<u8> {
        self.classes().find(|&class| self.completes(class, trail))
    }

    /// The hexes with which the trail may go on.
    fn next(&self, class: u8, trail: &mut Trail) -> ArrayVec<Hex, 6> {
        let at = trail[trail.len() - 1];
        Direction::ALL
            .into_iter()
            .filter_map(|direction| {
                let to = self.may_step(trail, direction).ok()?;
                if !self.keeps_class(class, at, to) {
                    return None;
                }
                trail.push(to);
                let completes = self.completes(class, trail);
                trail.pop();
                completes.then_some(to)
            })
            .collect()
    }
}

impl<'a> At<'a> {
    /// Whether the unit is guns that must limber before they go back.
    pub(crate) fn must_limber(self, unit: UnitId) -> bool {
        let unlimbered = self.battle.unit(unit).arm == Arm::Artillery && self.state.unit(unit).deployed;
        unlimbered && self.state.unit_hex(unit).is_some()
    }

    /// What the unit's ways back are measured by.
    fn way_back(self, unit: UnitId, rout: bool) -> WayBack<'a> {
        let At { battle, state } = self;
        let side = battle.unit(unit).side;
        WayBack {
            at: self,
            lines: self.lines(side),
            others: self.on_map(side).filter(|&(_, id)| id != unit).map(|(hex, _)| hex).collect(),
            guns: battle.unit(unit).arm == Arm::Artillery,
            rout,
            least: if rout { 3 } else { 2 },
            firers: state.fire.firers.iter().filter_map(|u| state.unit_hex(u)).collect(),
            havens: &battle.armies[side].havens,
            leaders: self.leaders_to_reach(unit, rout),
        }
    }

    /// The leaders who are goals as well as the entry hexes, or in their place if there are none. Those who go back with the unit lead it
    /// nowhere.
    fn leaders_to_reach(self, unit: UnitId, rout: bool) -> ArrayVec<Hex, LEADERS> {
        let sheet = self.battle.unit(unit);
        let leader_at =
            |leader: LeaderId| self.state.leader_hex(leader).filter(|_| !self.state.escort.contains(leader));
        if !rout {
            return self.battle.leaders_of[sheet.side].iter().filter_map(leader_at).collect();
        }
        if !self.battle.armies[sheet.side].havens.is_empty() {
            return ArrayVec::new();
        }
        sheet.chain().filter_map(leader_at).collect()
    }

    /// The hexes that the retreating unit may enter next.
    pub(crate) fn ways_back(self, unit: UnitId, rout: bool, class: Class) -> ArrayVec<Hex, 6> {
        let Some(class) = class.number().filter(|_| !self.state.trail.is_empty()) else {
            return ArrayVec::new();
        };
        self.way_back(unit, rout).next(class, &mut self.state.trail.clone())
    }

    /// May the retreat go on into this hex?
    pub(crate) fn may_step_back(self, unit: UnitId, rout: bool, class: Class, to: Hex) -> Allowed {
        let (Some(&at), Some(class)) = (self.state.trail.last(), class.number()) else {
            return Err(no!("9.8.a", "no retreat is under way"));
        };
        let trail = &mut self.state.trail.clone();
        let way = self.way_back(unit, rout);
        if trail.contains(&to) {
            return Err(if rout {
                no!("9.8.r", "a rout may not enter the same hex twice")
            } else {
                no!("9.8.e", "a retreat may not enter the same hex twice")
            });
        }
        let Some(direction) = self.battle.map.grid.direction(at, to) else {
            return Err(no!("9.8.d", "the way back goes from hex to neighbouring hex"));
        };
        if let Err(no) = way.may_step(trail, direction) {
            return Err(if rout && no.rule() != Some(cite!("9.8.d")) {
                no!("9.8.r", "a rout may not enter or cross prohibited terrain nor leave the map")
            } else {
                no
            });
        }
        if way.next(class, trail).contains(&to) {
            return Ok(());
        }
        let ends_there = trail.len() >= way.least && way.rests(class, to);
        Err(match (rout, way.lines.zone.contains(to) && ends_there) {
            (false, true) => no!("9.8.i", "a retreat may not end in an enemy zone"),
            (true, true) => no!("9.8.t", "a rout may not end in an enemy zone"),
            (true, false) => {
                no!(
                    "9.8.p",
                    "a rout leads towards an entry hex or the unit's leaders while a way there is open"
                )
            }
            (false, false) if way.off_firers(to) <= way.off_firers(at) => {
                no!("9.8.a", "a retreat leads away from the firing units while such a way is open")
            }
            (false, false) => no!(
                "9.8.c",
                "a retreat leads towards an entry hex or a friendly leader while such a way is open"
            ),
        })
    }
}

impl<F: Effects> Run<'_, F> {
    /// 9.8.k, 9.8.y: unlimbered guns that must go back lose 1 SP and limber.
    pub(crate) fn limber_in_haste(&mut self, unit: UnitId) {
        self.state.agenda.pop();
        if self.at().must_limber(unit) {
            self.state.unit_mut(unit).deployed = false;
            self.tell(|at| {
                let text = does(&at.battle.unit(unit).name, "limbers in haste.");
                at.piece_entry(Kind::Loss, text, unit).rule(cite!("9.8.k"))
            });
            self.lose_sp(unit, 1);
        }
    }

    /// Goes on with the retreat as far as it needs no choice; false when the owner must choose the next hex.
    pub(crate) fn run_retreat(&mut self, unit: UnitId, rout: bool, class: Class) -> bool {
        let Some(at) = self.state.unit_hex(unit) else {
            self.state.agenda.pop();
            return true;
        };
        let Some(class) = class.number() else {
            self.set_out(unit, rout, at);
            return true;
        };
        let way = self.at().way_back(unit, rout);
        if self.state.trail.len() > way.least && way.rests(class, at) {
            self.end_retreat(unit, rout);
            return true;
        }
        let next = way.next(class, &mut self.state.trail.clone());
        if let [only] = next[..] {
            self.step_back(unit, rout, only);
            return true;
        }
        false
    }

    /// The unit sets out on the best kind of way that it has; without any it is lost.
    fn set_out(&mut self, unit: UnitId, rout: bool, from: Hex) {
        self.state.trail.clear();
        self.state.trail.push(from);
        // Only the leaders who set out with the unit go on with it, whomever it passes.
        self.state.escort = self.at().leaders_in(self.battle.unit(unit).side, from);
        // R59: the work needs the unit.
        self.state.unit_mut(unit).task = Task::None;
        let best = self.at().way_back(unit, rout).best_class(&mut self.state.trail.clone());
        if let Some(class) = best {
            self.state.agenda.replace(Step::Retreat { unit, rout, class: Class::chosen(class) });
            return;
        }
        self.state.agenda.pop();
        self.tell(|at| {
            let text = does(&at.battle.unit(unit).name, "has no way back.");
            let entry = at.piece_entry(Kind::Gone, text, unit);
            entry.rule(if rout { cite!("9.8.r") } else { cite!("9.8.g") })
        });
        self.eliminate(unit);
    }

    /// One hex of a retreat.
    pub(crate) fn step_back(&mut self, unit: UnitId, rout: bool, to: Hex) {
        let side = self.battle.unit(unit).side;
        let Some(from) = self.state.unit_hex(unit) else { return };
        let with = self.at().leaders_in(side, from).and(self.state.escort);
        self.state.trail.push(to);
        let zone = self.at().lines(side).zone;
        self.enter(unit, to, with);
        if zone.contains(to) {
            self.tell(|at| {
                let text = does(&at.battle.unit(unit).name, "goes back through an enemy zone.");
                let entry = at.piece_entry(Kind::Retreat, text, unit);
                entry.rule(if rout { cite!("9.8.s") } else { cite!("9.8.h") })
            });
            if self.state.unit(unit).sp == 1 {
                self.die_on_the_way(unit, rout);
            } else {
                self.lose_sp(unit, 1);
            }
        }
    }

    /// R25: its last SP is lost on the way. Those it ran through check even though it does not come to the end of its
    /// rout; the unit in whose hex it dies does not, since it never left that hex (R75). Lone leaders it came next to
    /// leave (R41).
    fn die_on_the_way(&mut self, unit: UnitId, rout: bool) {
        self.state.agenda.pop();
        let trail = self.state.trail.clone();
        if rout {
            self.state.disturb(self.battle, unit, &trail);
        }
        self.lose_sp(unit, 1);
        self.state.send_off_beside(self.battle, unit, &trail);
    }

    /// The unit has come to rest: those it ran through check, lone leaders it came next to leave.
    fn end_retreat(&mut self, unit: UnitId, rout: bool) {
        self.state.agenda.pop();
        let trail = self.state.trail.clone();
        self.state.trail.clear();
        self.take_prize(unit);
        self.tell(|at| {
            let what = if rout { "routs to" } else { "retreats to" };
            let end = at.battle.number(trail[trail.len() - 1]);
            let text = format!("{} {end}.", does(&at.battle.unit(unit).name, what));
            let entry = at.battle.entry(Kind::Retreat, text, Piece::Unit(unit));
            let entry = entry.rule(if rout { cite!("9.8.n") } else { cite!("9.8.a") });
            at.battle.along(entry, trail.iter().copied())
        });
        if rout {
            self.state.disturb(self.battle, unit, &trail);
        }
        self.state.send_off_beside(self.battle, unit, &trail);
    }
}

impl State {
    /// Puts on the agenda: guns limber, leaders choose, the unit goes back.
    pub(crate) fn begin_retreat(&mut self, battle: &Battle, unit: UnitId, rout: bool) {
        self.trail.clear();
        self.agenda.push(Step::Retreat { unit, rout, class: Class::OPEN });
        if let Some(hex) = self.unit_hex(unit) {
            let with = At::new(battle, self).leaders_in(battle.unit(unit).side, hex);
            self.next_chooses(with, unit);
        }
        self.agenda.push(Step::Limber { unit });
    }

    /// 9.8.l: each leader decides for himself (R29), the last of the list first.
    fn next_chooses(&mut self, mut undecided: Leaders, unit: UnitId) {
        if let Some(leader) = undecided.take_last() {
            self.agenda.push(Step::Choose { leader, unit });
        }
    }

    /// The leader has decided: the next of those with the unit follows.
    pub(crate) fn leader_has_chosen(&mut self, battle: &Battle, leader: LeaderId, unit: UnitId) {
        self.agenda.pop();
        let Some(hex) = self.unit_hex(unit) else { return };
        let with = At::new(battle, self).leaders_in(battle.unit(unit).side, hex);
        self.next_chooses(with.iter().filter(|&other| other < leader).collect(), unit);
    }

    /// 5.3.2: lone leaders of the enemy leave whom the unit came next to.
    fn send_off_beside(&mut self, battle: &Battle, unit: UnitId, trail: &Trail) {
        for &hex in trail.iter().skip(1) {
            self.displace_beside(battle, battle.unit(unit).side.enemy(), hex);
        }
    }

    /// 9.8.ab: the units that a rout moved through check, routed ones too, in the order in which it passed them (R27).
    fn disturb(&mut self, battle: &Battle, unit: UnitId, trail: &Trail) {
        let side = battle.unit(unit).side;
        for &hex in trail[1..trail.len() - 1].iter().rev() {
            let passed = battle.of[side].iter().find(|&id| id != unit && self.unit(id).post == Post::On(hex));
            if let Some(id) = passed {
                self.will_check(id);
            }
        }
    }

    /// The unit checks before all those that wait already. When more than five hundred checks wait, one that waits
    /// already is not put down again (R27): what is left of the agenda has room for every unit of a side once.
    fn will_check(&mut self, unit: UnitId) {
        if self.agenda.depth() >= MANY_WAIT && self.waits(unit) {
            return;
        }
        if let Some(Step::PassedBy { units, left }) = self.agenda.top_mut()
            && usize::from(*left) < PASSED
        {
            units[usize::from(*left)] = unit;
            *left += 1;
        } else {
            self.agenda.push(Step::PassedBy { units: [unit; PASSED], left: 1 });
        }
    }

    /// Whether the unit waits for a check already.
    fn waits(&self, unit: UnitId) -> bool {
        self.agenda.iter().any(|step| match step {
            Step::PassedBy { units, left } => units[..usize::from(*left)].contains(&unit),
            _ => false,
        })
    }

    /// The next of the units that were passed checks its morale.
    pub(crate) fn next_passed(&mut self, units: [UnitId; PASSED], left: u8) {
        let left = left - 1;
        if left > 0 {
            self.agenda.replace(Step::PassedBy { units, left });
        } else {
            self.agenda.pop();
        }
        self.agenda.push(Step::Morale { unit: units[usize::from(left)], why: Why::Passed });
    }
}
