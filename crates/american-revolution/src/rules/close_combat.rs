//! 12. Close Combat: the sequence of one combat, step by step.

use arrayvec::ArrayVec;
use game::words::{does, number, side_does};
use game::{BySide, Die, Effects, Entry, Kind, Modifier, Place, RollNote, Rule, Side};
use hexmap::Hex;
use serde::{Deserialize, Serialize};

use crate::action::Action;
use crate::legal::{Bar, Lawful};
use crate::rules::charts::{COLUMNS, Crossing, Terrain};
use crate::rules::results::{Effect, Hit};
use crate::rules::sequence::Step;
use crate::rules::tactics::Tactic;
use crate::rules::{army_morale, designation, leaders, momentum, pins, rally, retreat, volume, zones};
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

/// The hex that an announced attack is known by: the lowest numbered of those attacked.
#[must_use]
pub fn known_by(state: &State, attack: &Attack) -> Option<Hex> {
    attack.defenders.filter_map(|u| state.hex(u)).min()
}

pub(crate) fn offers_next(state: &State, out: &mut Vec<Action>) {
    out.extend(state.attacks.iter().filter_map(|a| known_by(state, a)).map(Action::Resolve));
}

pub(crate) fn check_next(state: &State, action: &Action) -> Lawful {
    match *action {
        Action::Resolve(hex) if state.attacks.iter().any(|a| known_by(state, a) == Some(hex)) => Ok(()),
        Action::Resolve(_) => Err(Bar::new(
            cite!("12.23.a"),
            "no combat that was announced and not yet resolved is known by that hex",
        )),
        _ => Err(Bar::other("the next close combat to be resolved is picked")),
    }
}

/// The next combat: the attacker picks while there are several (12.23.a).
pub(crate) fn step_next(battle: &Battle, state: &mut State, fx: &mut impl Effects) -> bool {
    match state.attacks.len() {
        0 => {
            state.agenda.pop();
            true
        }
        1 => {
            open(battle, state, 0, fx);
            true
        }
        _ => false,
    }
}

pub(crate) fn resolve(battle: &Battle, state: &mut State, hex: Hex, fx: &mut impl Effects) {
    if let Some(i) = state.attacks.iter().position(|a| known_by(state, a) == Some(hex)) {
        open(battle, state, i, fx);
    }
}

fn open(battle: &Battle, state: &mut State, index: usize, fx: &mut impl Effects) {
    let attack = state.attacks.remove(index);
    let mut fight = Fight { attackers: attack.attackers, defenders: attack.defenders, ..Fight::default() };
    fight.note_hexes(state);
    for hex in fight.all_hexes() {
        let here = state.in_hex(hex);
        fight.leaders |= here & battle.all_leaders();
        fight.late |= (here & state.driven & battle.all_units()) - attack.attackers - attack.defenders;
    }
    fight.guns = attack.defenders.within(battle.roles.artillery);
    state.fight = fight;
    state.defended |= attack.defenders;
    fx.tell(|| {
        let names =
            |units: Pieces| units.map(|u| battle.counter(u).name.as_str()).collect::<Vec<_>>().join(", ");
        let mut entry = Entry::new(
            Kind::Melee,
            format!("{} against {}.", names(attack.attackers), names(attack.defenders)),
        )
        .side(state.phasing)
        .rule(cite!("12.23.a"));
        entry.pieces.extend((attack.attackers | attack.defenders).map(Piece::id));
        entry.places.extend(state.fight.defending_hexes().map(|hex| Place::Hex(battle.hex_name(hex))));
        entry
    });
    state.agenda.push(Step::Close);
    state.agenda.push(Step::Opening);
    state.agenda.push(Step::Leading(state.phasing));
}

/// Whether a defending unit is attacked across fieldworks and from nowhere else (13.5.b).
pub(crate) fn solely_across_works(battle: &Battle, state: &State, unit: Piece) -> bool {
    let fight = &state.fight;
    fight.defenders.has(unit)
        && state.hex(unit).is_some_and(|to| {
            let mut from = fight.attacking_hexes().filter(|&from| battle.ground.adjacent(from, to));
            from.all(|from| battle.ground.edge(from, to).works == Some(to))
        })
}

/// The SP of units in close combat: artillery none; of the defender disrupted half, shattered one (12.3.a, 13.3.g, 13.4.c).
#[must_use]
pub fn strength(battle: &Battle, state: &State, units: Pieces, defending: bool) -> u16 {
    (units - battle.roles.artillery)
        .map(|u| {
            let sp = u16::from(state.strength(battle, u));
            match () {
                () if defending && state.shattered.has(u) => 1,
                () if defending && state.disrupted.has(u) => sp.div_ceil(2),
                () => sp,
            }
        })
        .sum()
}

/// The odds of a combat as a column (12.23.b, 12.14.c).
#[must_use]
pub fn odds(battle: &Battle, state: &State, attackers: Pieces, defenders: Pieces) -> Column {
    let column = battle
        .charts
        .column(strength(battle, state, attackers, false), strength(battle, state, defenders, true).max(1));
    if designation::is_shifted(battle, state, attackers) { column.shifted() } else { column }
}

// Step 2: lead units.

/// Whether a unit may lead its side (12.23.d, 12.23.g).
pub(crate) fn may_lead(battle: &Battle, state: &State, side: Side, unit: Piece) -> Lawful {
    let own = state.fight.of(battle, side);
    if !own.has(unit) {
        let rule = if state.fight.late.has(unit) { cite!("13.24.a") } else { cite!("12.23.d") };
        return Err(Bar::new(rule, "it does not take part in this combat"));
    }
    if battle.roles.artillery.has(unit) {
        return Err(Bar::new(cite!("12.23.d"), "artillery may not lead"));
    }
    let barred = |u: Piece| is_barred(battle, own, u);
    if barred(unit) {
        let mixed = !battle.roles.no_lead.has(unit);
        let rule = if mixed { cite!("freemans-farm.h") } else { cite!("12.23.d") };
        return Err(Bar::new(rule, "the scenario does not let it lead"));
    }
    let mut candidates = (own - battle.roles.artillery).filter(|&u| !barred(u));
    if !state.parade().has(unit) && candidates.any(|u| state.parade().has(u)) {
        return Err(Bar::new(cite!("12.23.d"), "a unit in Parade Order is there to lead"));
    }
    if side == state.phasing && !could_advance(battle, state, unit) {
        let mut others = (own - battle.roles.artillery).filter(|&u| !barred(u));
        if others.any(|u| could_advance(battle, state, u)) {
            return Err(Bar::new(
                cite!("12.23.g"),
                "it could not advance into the terrain, and another unit could",
            ));
        }
    }
    Ok(())
}

/// Whether the scenario keeps a unit of these from leading them.
pub(crate) fn is_barred(battle: &Battle, own: Pieces, unit: Piece) -> bool {
    let mixed = battle.roles.no_lead_mixed;
    battle.roles.no_lead.has(unit) || mixed.has(unit) && !own.within(mixed)
}

/// Whether the terrain of some attacked hex lets the unit in (R71).
fn could_advance(battle: &Battle, state: &State, unit: Piece) -> bool {
    let arm = battle.counter(unit).arm;
    state
        .hex(unit)
        .is_some_and(|from| state.fight.defending_hexes().any(|to| battle.ground.may_enter(arm, from, to)))
}

/// The units that may lead.
#[must_use]
pub fn leads(battle: &Battle, state: &State, side: Side) -> Pieces {
    state.fight.of(battle, side).filter(|&u| may_lead(battle, state, side, u).is_ok()).collect()
}

pub(crate) fn step_leading(battle: &Battle, state: &mut State, side: Side, fx: &mut impl Effects) -> bool {
    let able = leads(battle, state, side);
    if able.is_empty() {
        // Every unit is barred by the scenario; somebody must take the result.
        let any = (state.fight.of(battle, side) - battle.roles.artillery).first();
        state.fight.lead[side] = any;
        state.agenda.pop();
        return true;
    }
    let Some(only) = able.only() else { return false };
    lead(battle, state, side, only, fx);
    true
}

pub(crate) fn lead(battle: &Battle, state: &mut State, side: Side, unit: Piece, fx: &mut impl Effects) {
    state.agenda.pop();
    state.fight.lead[side] = Some(unit);
    fx.tell(|| {
        Entry::new(Kind::Melee, does(&battle.counter(unit).name, "leads."))
            .side(side)
            .rule(cite!("12.23.c"))
            .piece(unit.id())
    });
}

/// After the attacker's lead unit is named: lone guns are taken by the advance, an eligible defender may withdraw,
/// otherwise the combat goes on (12.23.h, 12.32.a).
pub(crate) fn opening(battle: &Battle, state: &mut State) {
    state.agenda.pop();
    let enemy = !state.phasing;
    if state.fight.guns {
        state.agenda.push(Step::Advancing);
        state.agenda.push(Step::Settle);
        state.netting = true;
        state.fight.harsh |= state.fight.late & battle.units[enemy];
        state.agenda.push(Step::Checks(enemy));
        return;
    }
    state.agenda.push(Step::Reveal);
    state.agenda.push(Step::Tactics(enemy));
    state.agenda.push(Step::Tactics(state.phasing));
    state.agenda.push(Step::Leading(enemy));
    if may_withdraw(battle, state).is_ok() {
        state.agenda.push(Step::Withdrawal);
    }
}

// Pre-combat withdrawal (12.4).

/// Whether the defenders may withdraw before combat (12.4.a, 12.4.b, 12.42.a, R63).
pub(crate) fn may_withdraw(battle: &Battle, state: &State) -> Lawful {
    let (own, foes) = (state.fight.defenders, state.fight.attackers);
    let roles = &battle.roles;
    let cavalry = own.within(roles.dragoons) && !foes.meets(roles.dragoons);
    let woods = |hex: Hex| {
        let terrain = battle.ground.terrain[hex.index()];
        matches!(terrain, Terrain::LightForest | Terrain::HeavyForest)
            || battle.special.withdrawal_terrain.contains(&terrain)
    };
    let indians = own.within(roles.indians | roles.withdrawers)
        && state.fight.defending_hexes().all(woods)
        && !foes.meets(roles.indians | roles.light);
    if !cavalry && !indians {
        let rule =
            if own.meets(roles.indians | roles.withdrawers) { cite!("12.4.b") } else { cite!("12.4.a") };
        return Err(Bar::new(
            rule,
            "only dragoons not attacked by dragoons, or Indians in woods not attacked by Indians or light infantry, may withdraw",
        ));
    }
    if !own.within(state.parade()) {
        let rule = if cavalry { cite!("12.4.a") } else { cite!("12.4.b") };
        return Err(Bar::new(rule, "every withdrawing unit must be in Parade Order"));
    }
    if own.meets(state.withdrawn) {
        return Err(Bar::new(cite!("12.42.a"), "a unit under a withdrawal marker may not withdraw again"));
    }
    if !retreat::all_can_go(battle, state, own, 3) {
        return Err(Bar::new(
            cite!("12.41.a"),
            "there is no hex three away, clear of the enemy, for every unit",
        ));
    }
    Ok(())
}

pub(crate) fn withdraw(battle: &Battle, state: &mut State, fx: &mut impl Effects) {
    while !matches!(state.agenda.top(), Some(Step::Close) | None) {
        state.agenda.pop();
    }
    let side = !state.phasing;
    fx.tell(|| {
        Entry::new(Kind::Retreat, side_does(&battle.armies[side].name, "withdraws before combat."))
            .side(side)
            .rule(cite!("12.41.a"))
    });
    let pins = pins::breaks_on_withdrawal(state, state.fight.defenders);
    for _ in 0..pins {
        army_morale::adjust(battle, state, side, battle.charts.change.pin_broken, fx);
    }
    if state.ending.is_some() {
        return;
    }
    state.waiting = state.fight.defenders;
    state.agenda.push(Step::Advancing);
    state.agenda.push(Step::Settle);
    state.netting = true;
    state.agenda.push(Step::Withdrawing(side, true));
}

// Step 3: modifiers.

/// Calls `each` with every close combat DRM but the tactics: value, reason, rule (12.23.i).
pub(crate) fn drms(battle: &Battle, state: &State, each: &mut impl FnMut(i8, &'static str, Rule)) {
    let (side, fight, chart) = (state.phasing, &state.fight, &battle.charts.close);
    let mut add = |value: i8, reason: &'static str, rule: Rule| {
        if value != 0 {
            each(value, reason, rule);
        }
    };
    if let Some(lead) = fight.lead[side] {
        add(
            rally::modified_morale(battle, state, lead),
            "morale of the attacker's lead unit",
            cite!("12.23.e"),
        );
    }
    if let Some(lead) = fight.lead[!side] {
        add(
            -rally::modified_morale(battle, state, lead),
            "morale of the defender's lead unit",
            cite!("15.32.a"),
        );
    }
    if let Some(leader) = leaders::commander_of(battle, state, side, fight.attackers) {
        add(battle.sheet(leader).close_combat, "the attacker's leader", cite!("14.21.a"));
    }
    if let Some(leader) = leaders::commander_of(battle, state, !side, fight.defenders) {
        add(-battle.sheet(leader).close_combat, "the defender's leader", cite!("14.21.b"));
    }
    if any_surrounded(battle, state, fight.defenders) {
        add(battle.charts.surrounded[0], "the defender is surrounded", cite!("12.7.a"));
    }
    if any_surrounded(battle, state, fight.attackers) {
        add(battle.charts.surrounded[1], "the attacker is surrounded", cite!("12.7.b"));
    }
    if odds(battle, state, fight.attackers, fight.defenders).below {
        add(battle.charts.below_first, "odds below 1-3", cite!("CCT.a"));
    }
    if fight.attackers.meets(battle.roles.white_r) {
        add(chart.white_r_attacking, "rifles without bayonets attack", cite!("3.1.h"));
    }
    if fight.defenders.meets(battle.roles.white_r) {
        add(chart.white_r_defending, "rifles without bayonets defend", cite!("3.1.o"));
    }
    if fight.attackers.within(battle.roles.militia) {
        add(chart.all_militia_attacking, "an all-militia force attacks", cite!("12.23.j"));
    }
    if fight.defenders.within(battle.roles.militia) {
        add(chart.all_militia_defending, "an all-militia force defends", cite!("12.23.j"));
    }
    add(terrain_drm(battle, state), "terrain", cite!("12.23.i"));
    if battle.rains(state.turn) {
        add(chart.rain, "rain", cite!("1.c"));
    }
    if fence_serves(battle, state) {
        add(battle.special.fence, "aimed volleys over the fence", cite!("guilford-court-house.e"));
    }
}

/// Whether one of the units that fight has no hex to turn to (12.7, R48). What closes the ring is asked of the unit: horse
/// may be shut in where foot is not.
fn any_surrounded(battle: &Battle, state: &State, units: Pieces) -> bool {
    (units - battle.roles.artillery).any(|unit| {
        let counter = battle.counter(unit);
        state.hex(unit).is_some_and(|hex| zones::is_surrounded(battle, state, counter.side, hex, counter.arm))
    })
}

/// Hex and hexsides together, never below the floor, and nothing for a hex of shattered units (13.4.c, R76).
fn terrain_drm(battle: &Battle, state: &State) -> i8 {
    let (fight, chart) = (&state.fight, &battle.charts.close);
    let Some(hex) = fight.lead[!state.phasing].and_then(|lead| state.hex(lead)) else { return 0 };
    let here = (state.units_in(battle, hex, !state.phasing) & fight.defenders) - battle.roles.artillery;
    if !here.is_empty() && here.within(state.shattered) {
        return 0;
    }
    let sheltered = battle.special.shelter == 0
        || strength(battle, state, here, false) <= u16::from(battle.special.shelter);
    let hex_line = match battle.ground.terrain[hex.index()] {
        Terrain::LightForest => chart.light_forest,
        Terrain::Orchard => chart.orchard,
        Terrain::HeavyForest => chart.heavy_forest,
        Terrain::Building if sheltered => chart.building,
        _ => 0,
    };
    let (mut slope, mut works) = (i8::MIN, i8::MIN);
    for from in fight.attacking_hexes() {
        let [crossed, work] = battle.ground.crossings(from, hex);
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

fn fence_serves(battle: &Battle, state: &State) -> bool {
    let fenced = state.fight.defenders & battle.roles.fence;
    !(fenced - state.volleyed).is_empty()
        && state.fight.attacking_hexes().all(|hex| battle.ground.terrain[hex.index()].is_open())
}

/// The sum of all modifiers, the tactics too.
#[must_use]
pub fn total_drm(battle: &Battle, state: &State) -> i8 {
    let mut sum = state.fight.tactics_drm;
    drms(battle, state, &mut |value, _, _| sum += value);
    sum
}

/// The modifiers as the log and the board show them.
#[must_use]
pub fn modifiers(battle: &Battle, state: &State) -> Vec<Modifier> {
    let mut list = Vec::new();
    drms(battle, state, &mut |value, reason, rule| list.push(Modifier::new(value.into(), reason, rule)));
    let tactics = state.fight.tactics_drm;
    if tactics != 0 {
        list.push(Modifier::new(tactics.into(), "tactics", cite!("TM.a")));
    }
    list
}

/// What a combat of these units would add to its die before the tactics, each side led by its best: for the planner.
#[must_use]
pub fn foreseen(battle: &Battle, state: &State, attackers: Pieces, defenders: Pieces) -> Vec<Modifier> {
    let mut ahead = state.clone();
    ahead.fight = Fight { attackers, defenders, ..Fight::default() };
    ahead.fight.note_hexes(state);
    for side in Side::BOTH {
        let able = leads(battle, &ahead, side);
        ahead.fight.lead[side] = able.max_by_key(|&unit| (rally::modified_morale(battle, state, unit), unit));
    }
    let names = |side: Side| ahead.fight.lead[side].map_or("", |unit| battle.counter(unit).name.as_str());
    let mut list = modifiers(battle, &ahead);
    for (rule, side) in [(cite!("12.23.e"), state.phasing), (cite!("15.32.a"), !state.phasing)] {
        if let Some(morale) = list.iter_mut().find(|modifier| modifier.rule == rule) {
            morale.reason = format!("{}, if {}", morale.reason, does(names(side), "leads"));
        }
    }
    list
}

// Steps 5 and 6: the roll and the momentum decision.

pub(crate) fn roll(battle: &Battle, state: &mut State, fx: &mut impl Effects) {
    state.agenda.pop();
    let column = odds(battle, state, state.fight.attackers, state.fight.defenders);
    let drm = total_drm(battle, state);
    let face = fx.die(Die::Z10, || {
        let fight = &state.fight;
        let mut note = RollNote::new(format!("Close combat at {}.", column.name()), cite!("12.23.o"))
            .side(state.phasing)
            .modifiers(modifiers(battle, state));
        note.by = fight.lead[state.phasing].map(Piece::id);
        note.at = fight.lead[!state.phasing].map(Piece::id);
        note
    });
    state.fight.face = face;
    state.fight.roll = face as i8 + drm;
    state.fight.column = column.column;
    state.fight.rolled = true;
    let both = result(battle, state);
    fx.tell(|| {
        let total = number(face as i8 + drm);
        Entry::new(Kind::Melee, format!("{total} at {}, {}.", column.name(), Hit::told_of_both(both)))
            .rule(cite!("12.23.o"))
    });
    state.agenda.push(Step::Apply);
    // Whoever holds fewer chits decides first, the defender on a tie (12.23.p).
    let side = state.phasing;
    let first = if state.chits[side] < state.chits[!side] { side } else { !side };
    state.agenda.push(Step::Momentum(!first));
    state.agenda.push(Step::Momentum(first));
}

/// The result of the last roll.
#[must_use]
pub fn result(battle: &Battle, state: &State) -> [Hit; 2] {
    battle.charts.row(state.fight.roll)[usize::from(state.fight.column)]
}

pub(crate) fn reroll(battle: &Battle, state: &mut State, side: Side, fx: &mut impl Effects) {
    while !matches!(state.agenda.top(), Some(Step::Apply) | None) {
        state.agenda.pop();
    }
    state.agenda.pop();
    state.chits[side] -= 1;
    fx.tell(|| {
        Entry::new(Kind::Draw, side_does(&battle.armies[side].name, "spends a chit for another roll."))
            .side(side)
            .rule(cite!("12.62.a"))
    });
    state.agenda.push(Step::Roll);
}

// Steps 7 and 8: results, army morale, momentum.

pub(crate) fn apply(battle: &Battle, state: &mut State, _fx: &mut impl Effects) {
    state.agenda.pop();
    let [attacker, defender] = result(battle, state);
    let exact = (-2..=11).contains(&state.fight.roll);
    let side = state.phasing;
    state.netting = true;
    state.agenda.push(Step::Advancing);
    state.agenda.push(Step::Gains);
    state.agenda.push(Step::Settle);
    if volume::grape_at_hand(battle, state).is_some() {
        state.agenda.push(Step::Grape);
    }
    if attacker.effect == Effect::Pin {
        state.agenda.push(Step::PinMarks);
    }
    state.agenda.push(Step::Suffer { side, hit: attacker, exact });
    state.agenda.push(Step::Suffer { side: !side, hit: defender, exact });
    if attacker.effect == Effect::Pin {
        state.agenda.push(Step::PinCaptures);
    }
    let rifles = (state.fight.attackers | state.fight.defenders) & battle.roles.rifles;
    state.unfired -= rifles;
    state.volleyed |= state.fight.defenders & battle.roles.fence;
}

/// Momentum gained by the roll, then surrendered by captures (12.63, 12.64, R81).
pub(crate) fn gains(battle: &Battle, state: &mut State, fx: &mut impl Effects) {
    state.agenda.pop();
    let side = state.phasing;
    if state.fight.roll <= battle.charts.momentum_at[0] {
        momentum::gain(battle, state, !side, cite!("12.63.a"), fx);
    } else if state.fight.roll >= battle.charts.momentum_at[1] {
        momentum::gain(battle, state, side, cite!("12.63.b"), fx);
    }
    for owner in [!side, side] {
        for _ in 0..std::mem::take(&mut state.fight.elites[owner]) {
            momentum::surrender(battle, state, owner, fx);
        }
    }
}

/// The combat is over (12.23.v).
pub(crate) fn close(battle: &Battle, state: &mut State, fx: &mut impl Effects) {
    state.agenda.pop();
    let elites = state.fight.elites;
    state.fight = Fight::default();
    for (side, &count) in elites.iter() {
        for _ in 0..count {
            momentum::surrender(battle, state, side, fx);
        }
    }
}
