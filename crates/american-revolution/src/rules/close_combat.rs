//! 12. Close Combat: the sequence of one combat, step by step.

use arrayvec::ArrayVec;
use game::words::{does, number};
use game::{Allowed, BySide, Die, Effects, Entry, Kind, Modifier, No, RollNote, Side, Sum};
use hexmap::Hex;
use serde::{Deserialize, Serialize};

use crate::action::Action;
use crate::at::{At, Run};
use crate::legal::no;
use crate::rules::charts::{COLUMNS, Crossing, Terrain};
use crate::rules::results::{Effect, Hit};
use crate::rules::sequence::Step;
use crate::rules::tactics::Tactic;
use crate::setup::battle::Battle;
use crate::setup::pieces::{Piece, Pieces};
use crate::state::{Attack, State};

/// A column of the Close Combat Table, and whether the odds were below the first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Column {
    /// 0 is 1-3, 6 is 4-1.
    pub column: u8,
    /// Odds lower than 1-3: one less on the roll (CCT.a).
    pub below: bool,
}

impl Column {
    /// One column to the left; left of 1-3 it is 1-3 with one less on the roll (R2, R3).
    #[must_use]
    pub fn shifted(self) -> Column {
        match self.column {
            0 => Column { column: 0, below: true },
            column => Column { column: column - 1, below: false },
        }
    }

    /// As printed.
    #[must_use]
    pub fn name(self) -> &'static str {
        COLUMNS[usize::from(self.column)]
    }
}

/// The close combat being resolved.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct Fight {
    /// Attacking units.
    pub attackers: Pieces,
    /// Defending units, artillery included.
    pub defenders: Pieces,
    /// Lead units.
    pub lead: BySide<Option<Piece>>,
    /// Tactics, sealed until both are in.
    pub tactic: BySide<Option<Tactic>>,
    /// What the tactics add.
    pub tactics_drm: i8,
    /// The face of the last roll.
    pub face: u8,
    /// The last modified roll.
    pub roll: i8,
    /// The column of the odds.
    pub column: u8,
    /// Whether a die was rolled.
    pub rolled: bool,
    /// Units that retreated into its hexes from another combat (13.24).
    pub late: Pieces,
    /// Leaders who were in its hexes when it began.
    pub leaders: Pieces,
    /// Still to check morale: retreat if they fail.
    pub soft: Pieces,
    /// Still to check morale: retreat if they pass, D if they fail.
    pub harsh: Pieces,
    /// Have retreated in this combat.
    pub retreated: Pieces,
    /// Have advanced.
    pub advanced: Pieces,
    /// +2 units captured at full strength, to be settled in the momentum step.
    pub elites: BySide<u8>,
    /// Nothing but artillery defends: it is taken by the advance (12.31.a).
    pub guns: bool,
    hexes: ArrayVec<(Hex, bool), 12>,
}

impl Fight {
    /// Whether a combat is under way.
    #[must_use]
    pub fn is_open(&self) -> bool {
        !self.attackers.is_empty()
    }

    /// A side's units in the combat.
    #[must_use]
    pub fn of(&self, battle: &Battle, side: Side) -> Pieces {
        (self.attackers | self.defenders) & battle.units[side]
    }

    /// The hexes attacked from.
    pub fn attacking_hexes(&self) -> impl Iterator<Item = Hex> + '_ {
        self.hexes.iter().filter(|h| h.1).map(|h| h.0)
    }

    /// The hexes attacked.
    pub fn defending_hexes(&self) -> impl Iterator<Item = Hex> + '_ {
        self.hexes.iter().filter(|h| !h.1).map(|h| h.0)
    }

    /// All hexes of the combat.
    pub fn all_hexes(&self) -> ArrayVec<Hex, 12> {
        self.hexes.iter().map(|h| h.0).collect()
    }

    /// Whether a hex belongs to the combat.
    #[must_use]
    pub fn holds(&self, hex: Hex) -> bool {
        self.hexes.iter().any(|h| h.0 == hex)
    }

    fn note_hexes(&mut self, state: &State) {
        let mut hexes: ArrayVec<(Hex, bool), 12> = ArrayVec::new();
        for (units, attacks) in [(self.attackers, true), (self.defenders, false)] {
            for hex in units.filter_map(|u| state.hex(u)) {
                if !hexes.iter().any(|h| h.0 == hex) && !hexes.is_full() {
                    hexes.push((hex, attacks));
                }
            }
        }
        self.hexes = hexes;
    }
}

impl State {
    /// The hex that an announced attack is known by: the lowest numbered of those attacked.
    pub(crate) fn known_by(&self, attack: &Attack) -> Option<Hex> {
        attack.defenders.filter_map(|u| self.hex(u)).min()
    }

    pub(crate) fn offer_combats(&self, out: &mut Vec<Action>) {
        out.extend(self.attacks.iter().filter_map(|a| self.known_by(a)).map(Action::Resolve));
    }

    pub(crate) fn check_next_combat(&self, action: &Action) -> Allowed {
        match *action {
            Action::Resolve(hex) if self.attacks.iter().any(|a| self.known_by(a) == Some(hex)) => Ok(()),
            Action::Resolve(_) => {
                no(cite!("12.23.a"), "no combat that was announced and not yet resolved is known by that hex")
            }
            _ => Err(No::other("the next close combat to be resolved is picked")),
        }
    }

    pub(crate) fn check_reroll(&self, side: Side, action: &Action) -> Allowed {
        match *action {
            Action::Reroll if self.chits[side] > 0 => Ok(()),
            Action::Reroll => no(cite!("12.23.p"), "there is no chit to spend"),
            Action::Done => Ok(()),
            _ => Err(No::other("a chit may be spent for another roll, or not")),
        }
    }

    /// After the attacker's lead unit is named: lone guns are taken by the advance, an eligible defender may withdraw,
    /// otherwise the combat goes on (12.23.h, 12.32.a).
    pub(crate) fn open_with_lead(&mut self, battle: &Battle) {
        self.agenda.pop();
        let enemy = !self.phasing;
        if self.fight.guns {
            self.agenda.push(Step::Advancing);
            self.agenda.push(Step::Settle);
            self.netting = true;
            self.fight.harsh |= self.fight.late & battle.units[enemy];
            self.agenda.push(Step::Checks(enemy));
            return;
        }
        self.agenda.push(Step::Reveal);
        self.agenda.push(Step::Tactics(enemy));
        self.agenda.push(Step::Tactics(self.phasing));
        self.agenda.push(Step::Leading(enemy));
        if At::new(battle, self).may_withdraw().is_ok() {
            self.agenda.push(Step::Withdrawal);
        }
    }
}

impl At<'_> {
    pub(crate) fn check_lead(self, side: Side, action: &Action) -> Allowed {
        match *action {
            Action::Lead(unit) => self.may_lead(side, unit),
            _ => Err(No::other("a lead unit is named")),
        }
    }

    pub(crate) fn check_withdrawal_before_combat(self, action: &Action) -> Allowed {
        match *action {
            Action::Withdraw => self.may_withdraw(),
            Action::Done => Ok(()),
            _ => Err(No::other("the defender may withdraw before combat, or stand")),
        }
    }

    /// Whether a defending unit is attacked across fieldworks and from nowhere else (13.5.b).
    pub(crate) fn solely_across_works(self, unit: Piece) -> bool {
        let fight = &self.state.fight;
        fight.defenders.has(unit)
            && self.hex(unit).is_some_and(|to| {
                let mut from = fight.attacking_hexes().filter(|&from| self.battle.ground.adjacent(from, to));
                from.all(|from| self.battle.ground.edge(from, to).works == Some(to))
            })
    }

    /// The SP of units in close combat: artillery none; of the defender disrupted half, shattered one (12.3.a, 13.3.g,
    /// 13.4.c).
    pub(crate) fn combat_strength(self, units: Pieces, defending: bool) -> u16 {
        (units - self.battle.roles.artillery)
            .map(|u| {
                let sp = u16::from(self.strength(u));
                match () {
                    () if defending && self.state.shattered.has(u) => 1,
                    () if defending && self.state.disrupted.has(u) => sp.div_ceil(2),
                    () => sp,
                }
            })
            .sum()
    }

    /// The odds of a combat as a column (12.23.b, 12.14.c).
    pub(crate) fn odds(self, attackers: Pieces, defenders: Pieces) -> Column {
        let column = self
            .battle
            .charts
            .column(self.combat_strength(attackers, false), self.combat_strength(defenders, true).max(1));
        if self.is_shifted(attackers) { column.shifted() } else { column }
    }

    // Step 2: lead units.

    /// Whether a unit may lead its side (12.23.d, 12.23.g).
    pub(crate) fn may_lead(self, side: Side, unit: Piece) -> Allowed {
        let own = self.fighters(side);
        if !own.has(unit) {
            let rule = if self.state.fight.late.has(unit) { cite!("13.24.a") } else { cite!("12.23.d") };
            return no(rule, "it does not take part in this combat");
        }
        if self.battle.roles.artillery.has(unit) {
            return no(cite!("12.23.d"), "artillery may not lead");
        }
        let barred = |u: Piece| self.battle.is_barred_from_leading(own, u);
        if barred(unit) {
            let mixed = !self.battle.roles.no_lead.has(unit);
            let rule = if mixed { cite!("freemans-farm.h") } else { cite!("12.23.d") };
            return no(rule, "the scenario does not let it lead");
        }
        let mut candidates = (own - self.battle.roles.artillery).filter(|&u| !barred(u));
        if !self.state.parade().has(unit) && candidates.any(|u| self.state.parade().has(u)) {
            return no(cite!("12.23.d"), "a unit in Parade Order is there to lead");
        }
        if side == self.state.phasing && !self.could_advance(unit) {
            let mut others = (own - self.battle.roles.artillery).filter(|&u| !barred(u));
            if others.any(|u| self.could_advance(u)) {
                return no(cite!("12.23.g"), "it could not advance into the terrain, and another unit could");
            }
        }
        Ok(())
    }

    /// Whether the terrain of some attacked hex lets the unit in (R71).
    fn could_advance(self, unit: Piece) -> bool {
        let arm = self.counter(unit).arm;
        self.hex(unit).is_some_and(|from| {
            self.state.fight.defending_hexes().any(|to| self.battle.ground.may_enter(arm, from, to))
        })
    }

    /// The units that may lead.
    pub(crate) fn leads(self, side: Side) -> Pieces {
        self.fighters(side).filter(|&u| self.may_lead(side, u).is_ok()).collect()
    }

    // Pre-combat withdrawal (12.4).

    /// Whether the defenders may withdraw before combat (12.4.a, 12.4.b, 12.42.a, R63).
    pub(crate) fn may_withdraw(self) -> Allowed {
        let (own, foes) = (self.state.fight.defenders, self.state.fight.attackers);
        let roles = &self.battle.roles;
        let cavalry = own.within(roles.dragoons) && !foes.meets(roles.dragoons);
        let woods = |hex: Hex| {
            let terrain = self.battle.ground.terrain[hex.index()];
            matches!(terrain, Terrain::LightForest | Terrain::HeavyForest)
                || self.battle.special.withdrawal_terrain.contains(&terrain)
        };
        let indians = own.within(roles.indians | roles.withdrawers)
            && self.state.fight.defending_hexes().all(woods)
            && !foes.meets(roles.indians | roles.light);
        if !cavalry && !indians {
            let rule =
                if own.meets(roles.indians | roles.withdrawers) { cite!("12.4.b") } else { cite!("12.4.a") };
            return no(
                rule,
                "only dragoons not attacked by dragoons, or Indians in woods not attacked by Indians or light infantry, may withdraw",
            );
        }
        if !own.within(self.state.parade()) {
            let rule = if cavalry { cite!("12.4.a") } else { cite!("12.4.b") };
            return no(rule, "every withdrawing unit must be in Parade Order");
        }
        if own.meets(self.state.withdrawn) {
            return no(cite!("12.42.a"), "a unit under a withdrawal marker may not withdraw again");
        }
        if !self.all_can_go(own, 3) {
            return no(cite!("12.41.a"), "there is no hex three away, clear of the enemy, for every unit");
        }
        Ok(())
    }

    // Step 3: modifiers.

    /// Every modifier of the close combat roll (12.23.i).
    pub(crate) fn combat_sum(self) -> Sum {
        let At { battle, state } = self;
        let (side, fight, roles, charts) = (state.phasing, &state.fight, &battle.roles, &battle.charts);
        let (attackers, defenders, chart) = (fight.attackers, fight.defenders, &charts.close);
        let morale = |side| fight.lead[side].map_or(0, |lead| self.modified_morale(lead));
        let leader = |side, units| {
            self.commander_of(side, units).map_or(0, |leader| battle.sheet(leader).close_combat)
        };
        let mut sum = Sum::new();
        let mut add = |value: i8, reason, rule| sum.add(value.into(), reason, rule);
        add(morale(side), "morale of the attacker's lead unit", cite!("12.23.e"));
        add(-morale(!side), "morale of the defender's lead unit", cite!("15.32.a"));
        add(leader(side, attackers), "the attacker's leader", cite!("14.21.a"));
        add(-leader(!side, defenders), "the defender's leader", cite!("14.21.b"));
        let mut add_if = |applies: bool, value, reason, rule| {
            if applies {
                add(value, reason, rule);
            }
        };
        let encircled = |units| self.any_surrounded(units);
        add_if(encircled(defenders), charts.surrounded[0], "the defender is surrounded", cite!("12.7.a"));
        add_if(encircled(attackers), charts.surrounded[1], "the attacker is surrounded", cite!("12.7.b"));
        let below = self.odds(attackers, defenders).below;
        add_if(below, charts.below_first, "odds below 1-3", cite!("CCT.a"));
        let white = |units: Pieces| units.meets(roles.white_r);
        add_if(white(attackers), chart.white_r_attacking, "rifles without bayonets attack", cite!("3.1.h"));
        add_if(white(defenders), chart.white_r_defending, "rifles without bayonets defend", cite!("3.1.o"));
        let militia = |units: Pieces| units.within(roles.militia);
        let [attack, defend] = ["an all-militia force attacks", "an all-militia force defends"];
        add_if(militia(attackers), chart.all_militia_attacking, attack, cite!("12.23.j"));
        add_if(militia(defenders), chart.all_militia_defending, defend, cite!("12.23.j"));
        add_if(true, self.terrain_drm(), "terrain", cite!("12.23.i"));
        add_if(battle.rains(state.turn), chart.rain, "rain", cite!("1.c"));
        let fence = "aimed volleys over the fence";
        add_if(self.fence_serves(), battle.special.fence, fence, cite!("guilford-court-house.e"));
        add_if(true, fight.tactics_drm, "tactics", cite!("TM.a"));
        sum
    }

    /// Whether one of the units that fight has no hex to turn to (12.7, R48). What closes the ring is asked of the
    /// unit: horse may be shut in where foot is not.
    fn any_surrounded(self, units: Pieces) -> bool {
        (units - self.battle.roles.artillery).any(|unit| {
            let counter = self.counter(unit);
            self.hex(unit).is_some_and(|hex| self.is_surrounded(counter.side, hex, counter.arm))
        })
    }

    /// What the terrain of a hex gives those `here`, of the values for light forest, orchard, heavy forest and
    /// building; where the volume says so a building shelters a few SP only.
    pub(crate) fn cover(self, hex: Hex, here: Pieces, [light, orchard, heavy, building]: [i8; 4]) -> i8 {
        let shelter = self.battle.special.shelter;
        match self.battle.ground.terrain[hex.index()] {
            Terrain::LightForest => light,
            Terrain::Orchard => orchard,
            Terrain::HeavyForest => heavy,
            Terrain::Building if shelter == 0 => building,
            Terrain::Building if self.combat_strength(here, false) <= shelter.into() => building,
            _ => 0,
        }
    }

    /// Hex and hexsides together, never below the floor, and nothing for a hex of shattered units (13.4.c, R76).
    fn terrain_drm(self) -> i8 {
        let (fight, chart) = (&self.state.fight, &self.battle.charts.close);
        let Some(hex) = fight.lead[!self.state.phasing].and_then(|lead| self.hex(lead)) else {
            return 0;
        };
        let here = (self.units_in(hex, !self.state.phasing) & fight.defenders) - self.battle.roles.artillery;
        if !here.is_empty() && here.within(self.state.shattered) {
            return 0;
        }
        let cover = [chart.light_forest, chart.orchard, chart.heavy_forest, chart.building];
        let hex_line = self.cover(hex, here, cover);
        let (mut slope, mut works) = (i8::MIN, i8::MIN);
        for from in fight.attacking_hexes() {
            let [crossed, work] = self.battle.ground.crossings(from, hex);
            slope = slope.max(match crossed {
                Some(Crossing::UpSlope) => chart.up_slope,
                Some(Crossing::Creek) => chart.creek,
                Some(Crossing::Ford) => chart.ford,
                Some(Crossing::Bridge) => chart.bridge,
                Some(Crossing::UpSlopeCreek) => chart.up_slope_creek,
                Some(Crossing::DownSlopeCreek) => chart.down_slope_creek,
                _ => 0,
            });
            works = works.max(if work == Some(Crossing::FieldworksIn) { chart.into_fieldworks } else { 0 });
        }
        (hex_line + slope.max(-9) + works.max(-9)).max(chart.terrain_floor)
    }

    fn fence_serves(self) -> bool {
        let fenced = self.state.fight.defenders & self.battle.roles.fence;
        !(fenced - self.state.volleyed).is_empty()
            && self.state.fight.attacking_hexes().all(|hex| self.battle.ground.terrain[hex.index()].is_open())
    }

    /// What a combat of these units would add to its die before the tactics, each side led by its best: for the
    /// planner.
    pub(crate) fn foreseen_modifiers(self, attackers: Pieces, defenders: Pieces) -> Vec<Modifier> {
        let mut ahead = self.state.clone();
        ahead.fight = Fight { attackers, defenders, ..Fight::default() };
        ahead.fight.note_hexes(self.state);
        for side in Side::BOTH {
            let able = At::new(self.battle, &ahead).leads(side);
            ahead.fight.lead[side] = able.max_by_key(|&unit| (self.modified_morale(unit), unit));
        }
        let names = |side: Side| ahead.fight.lead[side].map_or("", |unit| self.counter(unit).name.as_str());
        let mut list = At::new(self.battle, &ahead).combat_sum().modifiers();
        for (rule, side) in [(cite!("12.23.e"), self.state.phasing), (cite!("15.32.a"), !self.state.phasing)]
        {
            if let Some(morale) = list.iter_mut().find(|modifier| modifier.rule == rule) {
                morale.reason = format!("{}, if {}", morale.reason, does(names(side), "leads"));
            }
        }
        list
    }

    /// The result of the last roll.
    pub(crate) fn result(self) -> [Hit; 2] {
        self.battle.charts.row(self.state.fight.roll)[usize::from(self.state.fight.column)]
    }
}

impl<F: Effects> Run<'_, F> {
    /// The next combat: the attacker picks while there are several (12.23.a).
    pub(crate) fn step_next(&mut self) -> bool {
        match self.state.attacks.len() {
            0 => {
                self.state.agenda.pop();
                true
            }
            1 => {
                self.open_combat(0);
                true
            }
            _ => false,
        }
    }

    pub(crate) fn resolve_combat(&mut self, hex: Hex) {
        if let Some(i) = self.state.attacks.iter().position(|a| self.state.known_by(a) == Some(hex)) {
            self.open_combat(i);
        }
    }

    fn open_combat(&mut self, index: usize) {
        let attack = self.state.attacks.remove(index);
        let mut fight =
            Fight { attackers: attack.attackers, defenders: attack.defenders, ..Fight::default() };
        fight.note_hexes(self.state);
        for hex in fight.all_hexes() {
            let here = self.state.in_hex(hex);
            fight.leaders |= here & self.battle.all_leaders();
            fight.late |=
                (here & self.state.driven & self.battle.all_units()) - attack.attackers - attack.defenders;
        }
        fight.guns = attack.defenders.within(self.battle.roles.artillery);
        self.state.fight = fight;
        self.state.defended |= attack.defenders;
        self.fx.tell(|| {
            let names = |units: Pieces| {
                units.map(|u| self.battle.counter(u).name.as_str()).collect::<Vec<_>>().join(", ")
            };
            let mut entry = Entry::new(
                Kind::Melee,
                format!("{} against {}.", names(attack.attackers), names(attack.defenders)),
            )
            .side(self.state.phasing)
            .rule(cite!("12.23.a"));
            entry.pieces.extend((attack.attackers | attack.defenders).map(Piece::id));
            entry.places.extend(self.state.fight.defending_hexes().map(|hex| self.battle.place(hex)));
            entry
        });
        self.state.agenda.push(Step::Close);
        self.state.agenda.push(Step::Opening);
        self.state.agenda.push(Step::Leading(self.state.phasing));
    }

    pub(crate) fn step_leading(&mut self, side: Side) -> bool {
        let able = self.at().leads(side);
        if able.is_empty() {
            // Every unit is barred by the scenario; somebody must take the result.
            let any = (self.at().fighters(side) - self.battle.roles.artillery).first();
            self.state.fight.lead[side] = any;
            self.state.agenda.pop();
            return true;
        }
        let Some(only) = able.only() else { return false };
        self.name_lead(side, only);
        true
    }

    pub(crate) fn name_lead(&mut self, side: Side, unit: Piece) {
        self.state.agenda.pop();
        self.state.fight.lead[side] = Some(unit);
        self.tell_piece(Kind::Melee, unit, "leads", cite!("12.23.c"));
    }

    pub(crate) fn withdraw_before_combat(&mut self) {
        while !matches!(self.state.agenda.top(), Some(Step::Close) | None) {
            self.state.agenda.pop();
        }
        let side = !self.state.phasing;
        self.tell_side(Kind::Retreat, side, "withdraws before combat", cite!("12.41.a"));
        let pins = self.state.pins_broken_by_withdrawal(self.state.fight.defenders);
        for _ in 0..pins {
            self.adjust_morale(side, self.battle.charts.change.pin_broken);
        }
        if self.state.ending.is_some() {
            return;
        }
        self.state.waiting = self.state.fight.defenders;
        self.state.agenda.push(Step::Advancing);
        self.state.agenda.push(Step::Settle);
        self.state.netting = true;
        self.state.agenda.push(Step::Withdrawing(side, true));
    }

    // Steps 5 and 6: the roll and the momentum decision.

    pub(crate) fn roll_combat(&mut self) {
        self.state.agenda.pop();
        let column = self.at().odds(self.state.fight.attackers, self.state.fight.defenders);
        let sum = self.at().combat_sum();
        let drm = sum.total() as i8;
        let face = self.fx.die(Die::Z10, || {
            let fight = &self.state.fight;
            let mut note = RollNote::new(format!("Close combat at {}.", column.name()), cite!("12.23.o"))
                .side(self.state.phasing)
                .modifiers(sum.modifiers());
            note.by = fight.lead[self.state.phasing].map(Piece::id);
            note.at = fight.lead[!self.state.phasing].map(Piece::id);
            note
        });
        self.state.fight.face = face;
        self.state.fight.roll = face as i8 + drm;
        self.state.fight.column = column.column;
        self.state.fight.rolled = true;
        let both = self.at().result();
        self.fx.tell(|| {
            let total = number(face as i8 + drm);
            Entry::new(
                Kind::Melee,
                format!("Total {total} at {}, {}.", column.name(), Hit::told_of_both(both)),
            )
            .rule(cite!("12.23.o"))
        });
        self.state.agenda.push(Step::Apply);
        // Whoever holds fewer chits decides first, the defender on a tie (12.23.p).
        let side = self.state.phasing;
        let first = if self.state.chits[side] < self.state.chits[!side] { side } else { !side };
        self.state.agenda.push(Step::Momentum(!first));
        self.state.agenda.push(Step::Momentum(first));
    }

    pub(crate) fn reroll_combat(&mut self, side: Side) {
        while !matches!(self.state.agenda.top(), Some(Step::Apply) | None) {
            self.state.agenda.pop();
        }
        self.state.agenda.pop();
        self.state.chits[side] -= 1;
        self.tell_side(Kind::Draw, side, "spends a chit for another roll", cite!("12.62.a"));
        self.state.agenda.push(Step::Roll);
    }

    // Steps 7 and 8: results, army morale, momentum.

    pub(crate) fn apply_result(&mut self) {
        self.state.agenda.pop();
        let [attacker, defender] = self.at().result();
        let exact = (-2..=11).contains(&self.state.fight.roll);
        let side = self.state.phasing;
        self.state.netting = true;
        self.state.agenda.push(Step::Advancing);
        self.state.agenda.push(Step::Gains);
        self.state.agenda.push(Step::Settle);
        if self.at().grape_at_hand().is_some() {
            self.state.agenda.push(Step::Grape);
        }
        if attacker.effect == Effect::Pin {
            self.state.agenda.push(Step::PinMarks);
        }
        self.state.agenda.push(Step::Suffer { side, hit: attacker, exact });
        self.state.agenda.push(Step::Suffer { side: !side, hit: defender, exact });
        if attacker.effect == Effect::Pin {
            self.state.agenda.push(Step::PinCaptures);
        }
        let rifles = (self.state.fight.attackers | self.state.fight.defenders) & self.battle.roles.rifles;
        self.state.unfired -= rifles;
        self.state.volleyed |= self.state.fight.defenders & self.battle.roles.fence;
    }

    /// Momentum gained by the roll, then surrendered by captures (12.63, 12.64, R81).
    pub(crate) fn gain_by_the_roll(&mut self) {
        self.state.agenda.pop();
        let side = self.state.phasing;
        if self.state.fight.roll <= self.battle.charts.momentum_at[0] {
            self.gain_momentum(!side, cite!("12.63.a"));
        } else if self.state.fight.roll >= self.battle.charts.momentum_at[1] {
            self.gain_momentum(side, cite!("12.63.b"));
        }
        for owner in [!side, side] {
            for _ in 0..std::mem::take(&mut self.state.fight.elites[owner]) {
                self.surrender_momentum(owner);
            }
        }
    }

    /// The combat is over (12.23.v).
    pub(crate) fn close_combat(&mut self) {
        self.state.agenda.pop();
        let elites = self.state.fight.elites;
        self.state.fight = Fight::default();
        for (side, &count) in elites.iter() {
            for _ in 0..count {
                self.surrender_momentum(side);
            }
        }
    }
}

impl Battle {
    /// Whether the scenario keeps a unit of these from leading them.
    pub(crate) fn is_barred_from_leading(&self, own: Pieces, unit: Piece) -> bool {
        let mixed = self.roles.no_lead_mixed;
        self.roles.no_lead.has(unit) || mixed.has(unit) && !own.within(mixed)
    }
}
