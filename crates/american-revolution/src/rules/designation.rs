//! 12.1 and 12.21: who must attack, who must be attacked, and which close combats may be announced.

//!

//! Announcing goes unit by unit. Whatever has been announced, a complete lawful designation must stay within reach;

//! without pins that is a matter of two local conditions (each unit that must attack still has a target, each enemy hex

//! that must be attacked still has somebody for it), because a graph without lonely corners always splits into stars.

//! Pinned units have further duties and are tried out one by one (R11).

use arrayvec::ArrayVec;
use game::{Allowed, Effects, No};
use hexmap::{Direction, Hex};

use crate::action::Action;
use crate::at::{At, Run};
use crate::legal::no;
use crate::setup::battle::Battle;
use crate::setup::pieces::{Piece, Pieces};
use crate::state::{Attack, State, UNITS};

impl At<'_> {
    /// Whether a unit may attack at all (12.12.a, 13.3.e, 13.4.b).
    pub(crate) fn may_attack(self, unit: Piece) -> Allowed {
        if !self.battle.units[self.state.phasing].has(unit) || self.hex(unit).is_none() {
            return no(cite!("12.11.a"), "only combat units of the phasing player on the map attack");
        }
        if self.battle.roles.artillery.has(unit) {
            return no(cite!("12.12.a"), "artillery does not attack");
        }
        if self.state.disrupted.has(unit) {
            return no(cite!("13.3.e"), "it is disrupted");
        }
        if self.state.shattered.has(unit) {
            return no(cite!("13.4.b"), "it is shattered");
        }
        if self.state.withdrawn.has(unit) {
            return no(cite!("12.42.a"), "it is under a withdrawal marker");
        }
        if self.battle.roles.no_attack.has(unit) {
            return no(cite!("guilford-court-house.a"), "the scenario does not let it attack");
        }
        Ok(())
    }

    /// The directions in which a unit could attack an enemy hex.
    pub(crate) fn targets_of(self, unit: Piece) -> u8 {
        let Some(hex) = self.hex(unit) else { return 0 };
        self.battle
            .ground
            .neighbours(hex)
            .filter(|&(direction, to)| {
                self.in_hex(to).meets(self.battle.units[!self.state.phasing])
                    && !self.battle.dragoons_shun(unit, hex, direction.bit())
            })
            .fold(0, |mask, (direction, _)| mask | direction.bit())
    }

    /// The announcements of the phase as they stand.
    fn plan(self) -> Plan {
        let At { battle, state } = self;
        let mut plan = Plan {
            foes: ArrayVec::new(),
            units: ArrayVec::new(),
            at: ArrayVec::new(),
            reach: ArrayVec::new(),
            obliged: 0,
            required: 0,
            assigned: 0,
            group_of: [None; UNITS],
            groups: ArrayVec::new(),
            diverted: 0,
            diversion_open: state.diverted.is_empty(),
            owed: 0,
            pinned: 0,
            duties: ArrayVec::new(),
        };
        for unit in battle.units[state.phasing] & state.on_map() {
            let mask = self.targets_of(unit);
            if mask == 0 || self.may_attack(unit).is_err() {
                continue;
            }
            let Some(hex) = state.hex(unit) else { continue };
            let mut reach = 0;
            for to in battle.ground.neighbours_in(hex, mask) {
                reach |= 1 << plan.foe(to);
            }
            plan.units.push(unit);
            plan.at.push(hex);
            plan.reach.push(reach);
        }
        plan.take_pins(self);
        for (i, &unit) in plan.units.iter().enumerate() {
            let bound = plan.duties.iter().any(|duty| duty.0 >> i & 1 == 1);
            if (!battle.roles.rifle_units().has(unit) || bound) && !state.excused.has(unit) {
                plan.obliged |= 1 << i;
                plan.required |= plan.reach[i];
            }
        }
        for (i, &hex) in plan.foes.iter().enumerate() {
            let here = state.in_hex(hex);
            if here.meets(state.excused) {
                plan.required &= !(1 << i);
            }
            if here.meets(state.diverted) {
                plan.diverted |= 1 << i;
            }
            if here.meets(state.owed) {
                plan.owed |= 1 << i;
            }
        }
        // The diversion is kept for those whom nobody can attack.
        if plan.owed & plan.diverted != 0 {
            plan.owed = 0;
        }
        for attack in &state.attacks {
            plan.take_attack(state, attack);
        }
        plan
    }

    /// Whether anybody could attack in this phase.
    pub(crate) fn anybody_may_attack(self) -> bool {
        (self.battle.units[self.state.phasing] & self.on_map())
            .any(|unit| self.may_attack(unit).is_ok() && self.targets_of(unit) != 0)
    }

    pub(crate) fn offer_attacks(self, out: &mut Vec<Action>) {
        let plan = self.plan();
        for unit in 0..plan.units.len() {
            if plan.assigned >> unit & 1 == 1 {
                continue;
            }
            let mut mask = 0u8;
            for (direction, hex) in self.battle.ground.neighbours(plan.at[unit]) {
                if plan.foes.iter().position(|&h| h == hex).is_some_and(|i| plan.reach[unit] >> i & 1 == 1) {
                    mask |= direction.bit();
                }
            }
            let mut at = 0u8;
            loop {
                at = at.wrapping_sub(mask) & mask;
                if at == 0 {
                    break;
                }
                if let Some(foes) = foes_of(self.battle, &plan, unit, at)
                    && check_attack_in(&plan, unit, foes).is_ok()
                {
                    out.push(Action::Attack { unit: plan.units[unit], from: plan.at[unit], at });
                }
            }
        }
        for (i, &hex) in plan.foes.iter().enumerate() {
            if may_divert(&plan, i).is_ok() {
                out.push(Action::Divert(hex));
            }
        }
        if plan.missing().is_ok() {
            out.push(Action::Done);
        }
    }

    pub(crate) fn check_designation(self, action: &Action) -> Allowed {
        let plan = self.plan();
        match *action {
            Action::Attack { unit, from, at } => {
                self.may_attack(unit)?;
                if self.hex(unit) != Some(from) {
                    return Err(No::other("the attacker stands elsewhere"));
                }
                if self.battle.dragoons_shun(unit, from, at) {
                    return no(
                        cite!("guilford-court-house.g"),
                        "the scenario does not let dragoons attack into that terrain",
                    );
                }
                let Some(i) = plan.units.iter().position(|&u| u == unit) else {
                    return no(cite!("12.15.e"), "no enemy that it may attack is adjacent to it");
                };
                let foes = foes_of(self.battle, &plan, i, at);
                let bar = No::new(
                    cite!("12.15.e"),
                    "an attacker must be adjacent to every hex it attacks, and an enemy unit must be there",
                );
                check_attack_in(&plan, i, foes.ok_or(bar)?)
            }
            Action::Divert(hex) => match plan.foes.iter().position(|&h| h == hex) {
                Some(foe) => may_divert(&plan, foe),
                None => no(cite!("12.14.a"), "no enemy stack next to an attacker is there"),
            },
            Action::Done => plan.missing(),
            _ => Err(No::other("close combats are being announced")),
        }
    }

    /// The announcements as the phasing player takes the position to be.
    fn believed_plan(self) -> Plan {
        At::new(self.battle, &self.believed(self.state.phasing)).plan()
    }

    /// The unit with those who already attack in these hexes, and whom they attack there.
    pub(crate) fn joined_attack(self, unit: Piece, hexes: impl Iterator<Item = Hex>) -> (Pieces, Pieces) {
        let foes = hexes.map(|hex| self.units_in(hex, !self.state.phasing));
        let defenders = foes.fold(Pieces::NONE, |all, units| all | units);
        let joined = self.state.attacks.iter().find(|attack| attack.defenders.meets(defenders));
        (joined.map_or(Pieces::NONE, |attack| attack.attackers).with(unit), defenders)
    }

    /// Whether the combat of these attackers has its odds moved by the diversion (12.14.c, R12).
    pub(crate) fn is_shifted(self, attackers: Pieces) -> bool {
        let mut diverted = self.state.diverted.filter_map(|u| self.hex(u));
        diverted
            .any(|hex| attackers.filter_map(|u| self.hex(u)).any(|at| self.battle.ground.adjacent(at, hex)))
    }

    /// What the planner on the board lists: units and enemy hexes whose duty is not yet met.
    pub(crate) fn unmet_duties(self) -> (Pieces, Vec<Hex>) {
        let plan = self.believed_plan();
        let units = bits(plan.obliged & !plan.assigned).map(|i| plan.units[i]).collect();
        let hexes = bits(plan.free() & plan.required).map(|i| plan.foes[i]).collect();
        (units, hexes)
    }
}

impl Battle {
    /// Whether one of those neighbouring hexes is ground that the scenario keeps its dragoons from attacking into.
    fn dragoons_shun(&self, unit: Piece, from: Hex, at: u8) -> bool {
        let (ground, shunned) = (&self.ground, &self.special.dragoons_shun);
        !shunned.is_empty()
            && self.roles.dragoons.has(unit)
            && ground.neighbours(from).any(|(direction, to)| {
                at & direction.bit() != 0 && shunned.contains(&ground.terrain[to.index()])
            })
    }
}

/// An attack as the solver sees it.
#[derive(Debug, Clone, Copy)]
struct Group {
    foes: u32,
    /// The one hex all its attackers stand in; `None` once they stand in several.
    from: Option<Hex>,
}

/// The phase as the solver sees it: enemy hexes and own units by small numbers.
#[derive(Debug, Clone)]
struct Plan {
    foes: ArrayVec<Hex, UNITS>,
    units: ArrayVec<Piece, UNITS>,
    at: ArrayVec<Hex, UNITS>,
    /// The enemy hexes each unit could attack.
    reach: ArrayVec<u32, UNITS>,
    /// Units that must attack; enemy hexes that must be attacked.
    obliged: u32,
    required: u32,
    /// Units that have been told whom to attack.
    assigned: u32,
    /// The group that attacks each enemy hex.
    group_of: [Option<u8>; UNITS],
    groups: ArrayVec<Group, UNITS>,
    diverted: u32,
    diversion_open: bool,
    /// Enemy hexes that nobody can attack: one of them must receive the diversion.
    owed: u32,
    /// Pinned enemy hexes: they may not be diverted.
    pinned: u32,
    /// Each pin: units that must attack one of these enemy hexes.
    duties: ArrayVec<(u32, u32), UNITS>,
}

impl Plan {
    fn foe(&mut self, hex: Hex) -> usize {
        match self.foes.iter().position(|&h| h == hex) {
            Some(i) => i,
            None => {
                self.foes.push(hex);
                self.foes.len() - 1
            }
        }
    }

    fn take_pins(&mut self, at: At<'_>) {
        let state = at.state;
        if state.pins.is_empty() {
            return;
        }
        let marked = state.pinned();
        for (i, &hex) in self.foes.iter().enumerate() {
            if at.units_in(hex, !state.phasing).meets(marked) {
                self.pinned |= 1 << i;
            }
        }
        for (own, enemy) in at.binding_pins() {
            let mut foes = 0;
            for (i, &hex) in self.foes.iter().enumerate() {
                if state.in_hex(hex).meets(enemy) {
                    foes |= 1 << i;
                }
            }
            let mut units = 0;
            for (i, &unit) in self.units.iter().enumerate() {
                if own.has(unit) && self.reach[i] & foes != 0 {
                    units |= 1 << i;
                }
            }
            if units != 0 {
                self.duties.push((units, foes));
            }
        }
    }

    fn take_attack(&mut self, state: &State, attack: &Attack) {
        let mut group = Group { foes: 0, from: None };
        for (i, &hex) in self.foes.iter().enumerate() {
            if state.in_hex(hex).meets(attack.defenders) {
                group.foes |= 1 << i;
                self.group_of[i] = Some(self.groups.len() as u8);
            }
        }
        let mut first = true;
        for (i, &unit) in self.units.iter().enumerate() {
            if attack.attackers.has(unit) {
                self.assigned |= 1 << i;
                group.from = if first || group.from == Some(self.at[i]) { Some(self.at[i]) } else { None };
                first = false;
            }
        }
        self.groups.push(group);
    }

    /// The enemy hexes that nobody attacks yet and that may be attacked.
    fn free(&self) -> u32 {
        let mut free = 0;
        for i in 0..self.foes.len() {
            if self.group_of[i].is_none() {
                free |= 1 << i;
            }
        }
        free & !self.diverted
    }

    /// Whether a unit may attack exactly these enemy hexes, given what has been announced (12.15).
    fn fits(&self, unit: usize, foes: u32) -> Allowed {
        if foes == 0 || foes & !self.reach[unit] != 0 {
            return no(
                cite!("12.15.e"),
                "an attacker must be adjacent to every hex it attacks, and an enemy unit must be there",
            );
        }
        if foes & self.diverted != 0 {
            return no(
                cite!("12.14.a"),
                "the stack there receives the diversion and is not attacked in this phase",
            );
        }
        let mut met = None;
        for i in bits(foes) {
            let Some(group) = self.group_of[i] else { continue };
            if met.is_some_and(|m| m != group) {
                return no(cite!("12.15.a"), "those hexes are attacked in different combats");
            }
            met = Some(group);
        }
        let Some(group) = met.map(|g| self.groups[usize::from(g)]) else { return Ok(()) };
        if group.foes != foes {
            return no(
                cite!("12.15.c"),
                "the combat there is against other hexes: all its attackers must attack the same",
            );
        }
        if foes.count_ones() > 1 && group.from != Some(self.at[unit]) {
            return no(cite!("12.15.d"), "several hexes may be attacked only from one hex");
        }
        Ok(())
    }

    /// Whether the unit has anybody left to attack.
    fn has_target(&self, unit: usize, free: u32) -> bool {
        if self.reach[unit] & free != 0 {
            return true;
        }
        bits(self.reach[unit] & !self.diverted).any(|i| {
            let Some(group) = self.group_of[i].map(|group| self.groups[usize::from(group)]) else {
                return false;
            };
            group.foes.count_ones() == 1
                || (group.from == Some(self.at[unit]) && group.foes & !self.reach[unit] == 0)
        })
    }

    /// The two local conditions, given a diversion.
    fn open_with(&self, diverted: u32) -> bool {
        let free = self.free() & !diverted;
        let mut waiting = 0;
        let mut covered = 0;
        for unit in 0..self.units.len() {
            if self.assigned >> unit & 1 == 1 {
                continue;
            }
            covered |= self.reach[unit];
            waiting |= 1 << unit;
        }
        free & self.required & !covered == 0
            && bits(waiting & self.obliged).all(|unit| self.has_target(unit, free))
    }

    fn open(&self) -> bool {
        if self.open_with(0) {
            return true;
        }
        self.diversion_open
            && self.owed == 0
            && bits(self.free() & self.required & !self.pinned).any(|d| self.open_with(1 << d))
    }

    /// Whether these enemy hexes satisfy every pin duty of the unit.
    fn dutiful(&self, unit: usize, foes: u32) -> bool {
        self.duties.iter().all(|&(units, pinned)| units >> unit & 1 == 0 || foes & pinned != 0)
    }

    fn assign(&mut self, unit: usize, foes: u32) {
        self.assigned |= 1 << unit;
        let met = bits(foes).find_map(|i| self.group_of[i]);
        match met {
            Some(g) => {
                let group = &mut self.groups[usize::from(g)];
                if group.from != Some(self.at[unit]) {
                    group.from = None;
                }
            }
            None => {
                for i in bits(foes) {
                    self.group_of[i] = Some(self.groups.len() as u8);
                }
                self.groups.push(Group { foes, from: Some(self.at[unit]) });
            }
        }
    }

    /// The same with that enemy hex diverted.
    fn with_diverted(mut self, foe: usize) -> Plan {
        self.diverted |= 1 << foe;
        self.owed = 0;
        self.undiverted()
    }

    /// The same without the diversion.
    fn undiverted(mut self) -> Plan {
        self.diversion_open = false;
        self
    }

    /// Nothing asked for but what the pins ask.
    fn duties_alone(mut self) -> Plan {
        self.obliged = self.duties.iter().fold(0, |all, duty| all | duty.0);
        self.required = self.duties.iter().fold(0, |all, duty| all | duty.1);
        self.undiverted()
    }

    /// Whether a complete lawful designation can still be made.
    fn completable(&self) -> bool {
        if self.duties.is_empty() {
            return self.open();
        }
        let mut tries = 0;
        self.search(&mut tries)
    }

    /// Pinned units first, one by one; the local conditions decide about the rest.
    fn search(&self, tries: &mut u32) -> bool {
        *tries += 1;
        if *tries > 3_000 {
            return false;
        }
        let bound = self.duties.iter().fold(0, |all, duty| all | duty.0) & !self.assigned & self.obliged;
        let Some(unit) = bits(bound).next() else { return self.open() };
        let reach = self.reach[unit];
        let mut part = 0u32;
        loop {
            part = part.wrapping_sub(reach) & reach;
            if part == 0 {
                return false;
            }
            if self.dutiful(unit, part) && self.fits(unit, part).is_ok() {
                let mut next = self.clone();
                next.assign(unit, part);
                if next.search(tries) {
                    return true;
                }
            }
        }
    }

    /// What is still to be done before the combats are all announced.
    fn missing(&self) -> Allowed {
        if self.obliged & !self.assigned != 0 {
            return no(cite!("12.12.a"), "a unit next to the enemy must still be told whom to attack");
        }
        if self.free() & self.required & self.pinned != 0 {
            return no(cite!("13.1.q"), "a pinned enemy must still be attacked");
        }
        if self.free() & self.required != 0 {
            return no(
                cite!("12.13.a"),
                "an adjacent enemy must still be attacked, or receive the diversion",
            );
        }
        if self.owed != 0 {
            return no(
                cite!("12.13.a"),
                "pinned units leave nobody to attack an adjacent enemy: he must receive the diversion",
            );
        }
        Ok(())
    }
}

fn bits(mut mask: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        if mask == 0 {
            return None;
        }
        let bit = mask.trailing_zeros() as usize;
        mask &= mask - 1;
        Some(bit)
    })
}

impl State {
    /// At the start of the phase: later pins lapse if they contradict earlier ones. An enemy whom no designation that
    /// meets the pin duties attacks is excused, and so is a unit that none lets attack; the diversion then goes to one
    /// of those enemies if it can (R11).
    pub(crate) fn begin_designation(&mut self, battle: &Battle) {
        self.attacks.clear();
        self.diverted = Pieces::NONE;
        self.excused = Pieces::NONE;
        self.owed = Pieces::NONE;
        if self.pins.is_empty() {
            return;
        }
        let mut seen = At::new(battle, self).believed(self.phasing).into_owned();
        if At::new(battle, &seen).plan().undiverted().completable() {
            return;
        }
        while !seen.pins.is_empty() && !At::new(battle, &seen).plan().duties_alone().completable() {
            seen.pins.pop();
            self.pins.pop();
        }
        let whole = At::new(battle, &seen).plan();
        let duties = whole.clone().duties_alone();
        let alone = |obliged: u32, required: u32| {
            let plan = Plan {
                obliged: duties.obliged | obliged,
                required: duties.required | required,
                ..duties.clone()
            };
            plan.completable()
        };
        let beyond = bits(whole.required & !duties.required);
        let unserved = beyond.filter(|&foe| !alone(0, 1 << foe)).fold(0, |all, foe| all | 1 << foe);
        let owed =
            bits(unserved & !whole.pinned).filter(|&foe| duties.clone().with_diverted(foe).completable());
        let owed = owed.fold(0, |all, foe| all | 1 << foe);
        let mut plan = Plan { diversion_open: owed == 0, ..duties.clone() };
        for unit in bits(whole.obliged & !duties.obliged) {
            let bit = 1 << unit;
            plan.obliged |= bit;
            if !alone(bit, 0) || !plan.completable() {
                plan.obliged &= !bit;
                self.excused.add(whole.units[unit]);
            }
        }
        for foe in bits(whole.required & !duties.required) {
            let bit = 1 << foe;
            plan.required |= bit;
            if unserved & bit != 0 || !plan.completable() {
                plan.required &= !bit;
                let here = At::new(battle, self).units_in(whole.foes[foe], !self.phasing);
                self.excused |= here;
                if owed & bit != 0 {
                    self.owed |= here;
                }
            }
        }
    }

    /// What was announced may have counted on an enemy who is not there: whoever is then left without a target need not
    /// attack, the unit that struck at nobody first (R92).
    fn excuse_whom_nobody_serves(&mut self, battle: &Battle, unit: Piece) {
        let plan = At::new(battle, self).believed_plan();
        let waiting: Pieces = bits(plan.obliged & !plan.assigned).map(|i| plan.units[i]).collect();
        for next in [unit].into_iter().chain(waiting.without(unit)) {
            if At::new(battle, self).believed_plan().completable() {
                return;
            }
            self.excused.add(next);
        }
    }
}

fn check_attack_in(plan: &Plan, unit: usize, foes: u32) -> Allowed {
    if plan.assigned >> unit & 1 == 1 {
        return no(
            cite!("12.15.a"),
            "it has been told whom to attack; a unit takes part in one close combat",
        );
    }
    plan.fits(unit, foes)?;
    if !plan.dutiful(unit, foes) {
        let case = plan.duties.iter().find(|&&(units, pinned)| units >> unit & 1 == 1 && foes & pinned == 0);
        return Err(pin_refusal(plan, case));
    }
    let mut next = plan.clone();
    next.assign(unit, foes);
    if next.completable() {
        return Ok(());
    }
    Err(dead_end(&next))
}

/// Which of the four cases of pinned units a neglected duty is (13.1.w to 13.1.z).
fn pin_refusal(plan: &Plan, duty: Option<&(u32, u32)>) -> No {
    let why = "it is pinned and must attack the enemy it is pinned against";
    let Some(&(units, pinned)) = duty else { return No::new(cite!("13.1.q"), why) };
    let mut hexes: ArrayVec<Hex, UNITS> = ArrayVec::new();
    for unit in bits(units) {
        if !hexes.contains(&plan.at[unit]) {
            hexes.push(plan.at[unit]);
        }
    }
    let rule = match (hexes.len(), pinned.count_ones(), units.count_ones()) {
        (1, 1, _) => cite!("13.1.w"),
        (_, 1, _) => cite!("13.1.x"),
        (_, _, 1) => cite!("13.1.y"),
        _ => cite!("13.1.z"),
    };
    No::new(rule, why)
}

/// Why no complete designation could follow.
fn dead_end(plan: &Plan) -> No {
    let free = plan.free();
    let lonely = bits(plan.obliged & !plan.assigned).any(|unit| !plan.has_target(unit, free));
    if lonely {
        return No::new(
            cite!("12.12.a"),
            "another unit that must attack would be left without anybody to attack",
        );
    }
    let neglected = plan.duties.iter().find(|&&(_, pinned)| {
        free & pinned != 0
            && bits(free & pinned).any(|foe| {
                !(0..plan.units.len()).any(|u| plan.assigned >> u & 1 == 0 && plan.reach[u] >> foe & 1 == 1)
            })
    });
    match neglected {
        Some(duty) => pin_refusal(plan, Some(duty)),
        None => No::new(
            cite!("12.13.a"),
            "an enemy that must be attacked would be left without anybody to attack him",
        ),
    }
}

/// A unit's directions as the plan's enemy hexes.
fn foes_of(battle: &Battle, plan: &Plan, unit: usize, at: u8) -> Option<u32> {
    let mut foes = 0;
    for direction in Direction::ALL.into_iter().filter(|d| at & d.bit() != 0) {
        let hex = battle.ground.neighbour(plan.at[unit], direction)?;
        foes |= 1 << plan.foes.iter().position(|&h| h == hex)?;
    }
    Some(foes)
}

fn may_divert(plan: &Plan, foe: usize) -> Allowed {
    if !plan.diversion_open {
        return no(cite!("12.14.a"), "only one stack a phase receives the diversion");
    }
    if plan.pinned >> foe & 1 == 1 {
        return no(cite!("13.1.u"), "a pinned stack cannot be diverted");
    }
    if plan.free() >> foe & 1 == 0 {
        return no(cite!("12.14.a"), "it is being attacked already");
    }
    if plan.owed != 0 && plan.owed >> foe & 1 == 0 {
        return no(
            cite!("12.13.a"),
            "the diversion is needed for an enemy whom pinned units leave nobody to attack",
        );
    }
    if (plan.required | plan.owed) >> foe & 1 == 0 {
        return no(cite!("12.14.a"), "nobody next to it has to attack, so there is nothing to divert");
    }
    let next = plan.clone().with_diverted(foe);
    if next.completable() {
        return Ok(());
    }
    let free = next.free();
    let beside = bits(next.obliged & !next.assigned).filter(|&unit| next.reach[unit] >> foe & 1 == 1);
    if beside.into_iter().any(|unit| !next.has_target(unit, free)) {
        return no(cite!("12.14.b"), "each unit next to it that must attack needs another enemy to attack");
    }
    Err(dead_end(&next))
}

impl<F: Effects> Run<'_, F> {
    /// A unit has been told whom to attack; under limited intelligence the stack may now be examined (7.42.c).
    pub(crate) fn announce_attack(&mut self, unit: Piece, at: u8) {
        let Some(hex) = self.state.hex(unit) else { return };
        let mut defenders = Pieces::NONE;
        for to in self.battle.ground.neighbours_in(hex, at) {
            defenders |= self.at().units_in(to, !self.state.phasing);
            self.examine_stack(self.state.phasing, to);
        }
        self.state.show_firing(self.battle, Pieces::one(unit));
        if defenders.is_empty() {
            // The stack turns out to be leaders alone: nobody is there to be attacked.
            self.state.excuse_whom_nobody_serves(self.battle, unit);
            return;
        }
        match self.state.attacks.iter_mut().find(|a| a.defenders.meets(defenders)) {
            Some(attack) => attack.attackers.add(unit),
            None => self.state.attacks.push(Attack { attackers: Pieces::one(unit), defenders }),
        }
    }
}
