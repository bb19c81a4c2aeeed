//! 13.2 Retreat, and the retreats of 12.4 and 12.23 No Combat.

use arrayvec::ArrayVec;
use game::{Allowed, Effects, Kind, No, Side};
use hexmap::Hex;

use crate::action::{Action, Way};
use crate::at::{At, Run};
use crate::legal::no;
use crate::rules::sequence::Step;
use crate::setup::battle::Battle;
use crate::setup::pieces::{Piece, Pieces};
use crate::state::State;

/// A way that a retreat may take, and how good it is: lower tiers come first (R24, R25).
#[derive(Debug, Clone, Copy)]
struct Route {
    way: Way,
    tier: u8,
}

/// The most different ends of a retreat of three hexes.
const MOST: usize = 64;

/// The ways a retreat may take: all in the best tier, each end once.
pub(crate) type Routes = ArrayVec<Way, MOST>;

/// What a retreat is judged by.
struct Line<'a> {
    at: At<'a>,
    unit: Piece,
    side: Side,
    start: Hex,
    zone: hexmap::HexSet,
    near: hexmap::HexSet,
    enemy: hexmap::HexSet,
    /// Whether the unit takes a step off to find room.
    sheds: bool,
    /// Whether every step must lead farther away: so it is with disruption (13.3.a), not with withdrawals (R63).
    straight: bool,
}

impl<'a> Line<'a> {
    fn new(at: At<'a>, unit: Piece, start: Hex) -> Self {
        let (battle, side) = (at.battle, at.side(unit));
        let (mut near, mut enemy) = (hexmap::HexSet::new(), hexmap::HexSet::new());
        for hex in (battle.units[!side] & at.on_map()).filter_map(|u| at.hex(u)) {
            near.extend(battle.ground.neighbours(hex).map(|(_, to)| to));
        }
        // A leader alone holds his hex against a retreat: only marches and advances capture him (14.32.a, R91).
        enemy.extend((battle.pieces(!side) & at.on_map()).filter_map(|p| at.hex(p)));
        Line { at, unit, side, start, zone: at.zone(!side), near, enemy, sheds: false, straight: true }
    }

    /// A pre-combat withdrawal: three hexes by any way that enters none twice (12.41.a, R63).
    fn of_withdrawal(at: At<'a>, unit: Piece, start: Hex) -> Self {
        Line { straight: false, ..Line::new(at, unit, start) }
    }

    /// Whether a way has been in that hex.
    fn passes(&self, way: Way, hex: Hex) -> bool {
        let mut at = self.start;
        at == hex
            || way.steps().any(|direction| {
                at = self.at.battle.ground.neighbour(at, direction).unwrap_or(at);
                at == hex
            })
    }

    /// Why a step of a retreat is barred (13.22).
    fn may_step(&self, from: Hex, direction: hexmap::Direction) -> Allowed<Hex> {
        let arm = self.at.counter(self.unit).arm;
        let Some(to) = self.at.battle.ground.neighbour(from, direction) else {
            return no(cite!("13.22.a"), "the map ends there");
        };
        if self.at.battle.ground.cost(arm, from, direction).is_none() {
            return no(cite!("13.22.a"), "the terrain is prohibited to it");
        }
        if self.enemy.contains(to) {
            return no(cite!("13.22.a"), "the enemy holds the hex");
        }
        if self.zone.contains(to) {
            let friends = self.at.in_hex(to).meets(self.at.battle.units[self.side]);
            let rule = if friends { cite!("13.22.b") } else { cite!("13.22.a") };
            return no(rule, "the hex lies in an enemy zone of control");
        }
        if !self.at.has_room(self.unit, self.sheds, to) {
            return no(cite!("13.22.a"), "the hex would be over the stacking limit");
        }
        Ok(to)
    }

    /// Nearer to the home edge, or a hex that the scenario counts as the way home (13.21.a).
    fn in_direction(&self, to: Hex) -> bool {
        let army = &self.at.battle.armies[self.side];
        army.home[to.index()] < army.home[self.start.index()] || army.haven.contains(to)
    }

    /// One hex: direction before distance from the enemy (R24). Three: distance first (13.3.b, R25).
    fn tier(&self, to: Hex, hexes: u8) -> u8 {
        let (off, near) = (u8::from(!self.in_direction(to)), u8::from(self.near.contains(to)));
        if hexes == 1 { 2 * off + near } else { 2 * near + off }
    }

    /// The ways of that many hexes, each end once.
    fn collect(&self, hexes: u8) -> Found {
        let mut found = Found { hexes, ends: hexmap::HexSet::new(), routes: ArrayVec::new() };
        self.walk(self.start, Way::EMPTY, &mut found);
        found
    }

    fn walk(&self, at: Hex, way: Way, found: &mut Found) {
        let gone = way.len() as u8 + 1;
        for direction in hexmap::Direction::ALL {
            let Ok(to) = self.may_step(at, direction) else { continue };
            let strays = if self.straight {
                u16::from(gone) != self.at.battle.ground.grid.distance(self.start, to)
            } else {
                self.passes(way, to)
            };
            if strays {
                continue;
            }
            let way = way.then(direction);
            if gone < found.hexes {
                self.walk(to, way, found);
            } else if found.ends.insert(to) && !found.routes.is_full() {
                found.routes.push(Route { way, tier: self.tier(to, found.hexes) });
            }
        }
    }
}

/// The ways found so far.
struct Found {
    /// How long they are.
    hexes: u8,
    ends: hexmap::HexSet,
    routes: ArrayVec<Route, MOST>,
}

fn best(found: &[Route]) -> Routes {
    let least = found.iter().map(|r| r.tier).min();
    found.iter().filter(|r| Some(r.tier) == least).map(|r| r.way).collect()
}

impl At<'_> {
    /// The ways a unit may retreat that many hexes; empty when it is caught.
    pub(crate) fn retreats(self, unit: Piece, hexes: u8, sheds: bool) -> Routes {
        let Some(start) = self.hex(unit) else { return Routes::new() };
        let mut line = Line::new(self, unit, start);
        line.sheds = sheds;
        best(&line.collect(hexes).routes)
    }

    /// The ways out of a pre-combat withdrawal: three hexes, to where no enemy is adjacent (12.41.a).
    pub(crate) fn withdrawals(self, unit: Piece) -> Routes {
        let Some(start) = self.hex(unit) else { return Routes::new() };
        let mut found = Line::of_withdrawal(self, unit, start).collect(3).routes;
        found.retain(is_clear_of_the_enemy);
        best(&found)
    }

    /// Whether a unit may take a step off and so find a way (13.23.b).
    pub(crate) fn may_shed(self, unit: Piece, hexes: u8) -> bool {
        self.steps(unit) == 2
            && !self.battle.roles.artillery.has(unit)
            && !self.retreats(unit, hexes, true).is_empty()
    }

    /// Whether all these units can retreat together, each in its own way, as far as stacking goes (12.53.c, R46, R63).
    pub(crate) fn all_can_go(self, units: Pieces, hexes: u8) -> bool {
        let mut ends: ArrayVec<(Piece, ArrayVec<Hex, MOST>), 32> = ArrayVec::new();
        for unit in units {
            let Some(start) = self.hex(unit) else { continue };
            let routes = if hexes == 3 {
                let mut routes = Line::of_withdrawal(self, unit, start).collect(hexes).routes;
                routes.retain(is_clear_of_the_enemy);
                routes
            } else {
                Line::new(self, unit, start).collect(hexes).routes
            };
            let found: ArrayVec<Hex, MOST> =
                routes.iter().filter_map(|r| r.way.end(&self.battle.ground, start)).collect();
            if found.is_empty() {
                return false;
            }
            if ends.try_push((unit, found)).is_err() {
                return false;
            }
        }
        ends.sort_by_key(|(_, found)| found.len());
        let mut taken: ArrayVec<(Hex, u8, u8), 32> = ArrayVec::new();
        let mut tries = 0;
        self.find_room(&ends, &mut taken, &mut tries)
    }

    fn find_room(
        self,
        ends: &[(Piece, ArrayVec<Hex, MOST>)],
        taken: &mut ArrayVec<(Hex, u8, u8), 32>,
        tries: &mut u32,
    ) -> bool {
        let Some(((unit, found), rest)) = ends.split_first() else { return true };
        *tries += 1;
        if *tries > 2_000 {
            return false;
        }
        let side = self.side(*unit);
        let gun = self.battle.roles.artillery.has(*unit);
        let (own_sp, own_gun) = if gun { (0, 1) } else { (self.strength(*unit), 0) };
        for &hex in found {
            let (mut sp, mut guns) = self.stack_load(self.units_in(hex, side));
            for &(_, more, gun) in taken.iter().filter(|t| t.0 == hex) {
                sp += more;
                guns += gun;
            }
            if sp + own_sp > self.battle.charts.stacking[0] || guns + own_gun > self.battle.charts.stacking[1]
            {
                continue;
            }
            taken.push((hex, own_sp, own_gun));
            if self.find_room(rest, taken, tries) {
                return true;
            }
            taken.pop();
        }
        false
    }

    pub(crate) fn offer_retreats(self, unit: Piece, hexes: u8, out: &mut Vec<Action>) {
        let ways = self.retreats(unit, hexes, false);
        if ways.is_empty() {
            out.extend([Action::Shed, Action::Yield]);
        } else {
            self.state.offer_ways(unit, ways, out);
        }
    }

    pub(crate) fn offer_withdrawals(self, unit: Piece, out: &mut Vec<Action>) {
        self.state.offer_ways(unit, self.withdrawals(unit), out);
    }

    pub(crate) fn check_retreat(self, unit: Piece, hexes: u8, action: &Action) -> Allowed {
        let ways = self.retreats(unit, hexes, false);
        match *action {
            Action::Shed | Action::Yield if ways.is_empty() => Ok(()),
            Action::Shed | Action::Yield => no(
                cite!("13.23.b"),
                "it can retreat whole; only a unit that finds no room may take a step off",
            ),
            Action::Retreat { from, .. } if self.state.hex(unit) != Some(from) => {
                Err(No::other("the unit that retreats stands elsewhere"))
            }
            Action::Retreat { from, way } => check_way(&Line::new(self, unit, from), hexes, way, &ways),
            _ => Err(No::other("a unit must retreat")),
        }
    }

    /// Units of a side that still have to withdraw.
    pub(crate) fn to_withdraw(self, side: Side) -> Pieces {
        self.state.waiting & self.battle.units[side] & self.on_map()
    }

    pub(crate) fn check_withdrawal(self, unit: Piece, action: &Action) -> Allowed {
        let Action::Retreat { way, from } = *action else {
            return Err(No::other("a unit withdraws three hexes"));
        };
        if self.hex(unit) != Some(from) {
            return Err(No::other("the unit that withdraws stands elsewhere"));
        }
        let ways = self.withdrawals(unit);
        check_way(&Line::of_withdrawal(self, unit, from), 3, way, &ways)
    }
}

/// Whether a retreat of three hexes ends where no enemy is adjacent.
fn is_clear_of_the_enemy(route: &mut Route) -> bool {
    route.tier < 2
}

impl<F: Effects> Run<'_, F> {
    /// A retreat at hand. False while the owner must choose.
    pub(crate) fn step_retreat(&mut self, unit: Piece, hexes: u8, disrupts: bool) -> bool {
        let ways = self.at().retreats(unit, hexes, false);
        match ways.as_slice() {
            [] if self.at().may_shed(unit, hexes) => false,
            [] => {
                self.state.agenda.pop();
                self.capture(unit, cite!("13.23.a"));
                true
            }
            [only] => {
                self.go_back(unit, *only, disrupts);
                true
            }
            _ => false,
        }
    }

    /// Carries a retreat out; leaders of the hex may then follow (13.25.a).
    pub(crate) fn go_back(&mut self, unit: Piece, way: Way, disrupts: bool) {
        self.state.agenda.pop();
        if disrupts {
            self.worsen(unit);
        }
        self.retreat_by(unit, way);
    }

    fn retreat_by(&mut self, unit: Piece, way: Way) {
        let Some(start) = self.state.hex(unit) else { return };
        let Some(end) = way.end(&self.battle.ground, start) else { return };
        let side = self.battle.side(unit);
        self.state.place(unit, end);
        self.state.forget_pins(self.battle, unit);
        self.state.fight.retreated.add(unit);
        if self.state.fight.is_open() {
            self.state.driven.add(unit);
        }
        self.take_hold(unit, end);
        self.fx.tell(|| {
            let mut entry = self.battle.went(
                Kind::Retreat,
                unit,
                "retreats to",
                end,
                if way.len() == 1 { cite!("13.21.a") } else { cite!("13.3.a") },
            );
            entry.places = self.battle.way_places(start, way);
            entry
        });
        self.state.ask_leaders(self.battle, side, start, end);
    }

    /// The unit takes a step off to find room (13.23.b).
    pub(crate) fn shed_to_retreat(&mut self, unit: Piece) {
        self.tell_piece(Kind::Loss, unit, "leaves men behind to find room", cite!("13.23.b"));
        self.lose_step(unit);
        self.adjust_morale(self.battle.side(unit), self.battle.charts.change.step_loss);
    }

    /// The unit lets itself be captured.
    pub(crate) fn give_up(&mut self, unit: Piece) {
        self.state.agenda.pop();
        self.capture(unit, cite!("13.23.a"));
    }

    /// A pre-combat withdrawal of one unit. False while the owner must choose the way.
    pub(crate) fn step_slipping(&mut self, unit: Piece) -> bool {
        let ways = self.at().withdrawals(unit);
        match ways.as_slice() {
            [] => {
                self.state.agenda.pop();
                self.capture(unit, cite!("13.23.a"));
                true
            }
            [only] => {
                self.slip(unit, *only);
                true
            }
            _ => false,
        }
    }

    /// A unit slips away and is marked (12.41.c).
    pub(crate) fn slip(&mut self, unit: Piece, way: Way) {
        self.state.agenda.pop();
        self.state.withdrawn.add(unit);
        self.retreat_by(unit, way);
    }
}

/// Whether a leader may go with the unit that left his hex (13.25.a).
pub(crate) fn check_follow(leaders: Pieces, action: &Action) -> Allowed {
    match *action {
        Action::Follow(leader) if leaders.has(leader) => Ok(()),
        Action::Follow(_) => no(cite!("13.25.a"), "he does not stand in the hex that the unit left"),
        Action::Done => Ok(()),
        _ => Err(No::other("a leader may go with the unit, or stay")),
    }
}

impl State {
    fn offer_ways(&self, unit: Piece, ways: Routes, out: &mut Vec<Action>) {
        if let Some(from) = self.hex(unit) {
            out.extend(ways.into_iter().map(|way| Action::Retreat { from, way }));
        }
    }

    /// Leaders left in a hex that a unit has just quitted may go with it.
    pub(crate) fn ask_leaders(&mut self, battle: &Battle, side: Side, from: Hex, to: Hex) {
        let here = self.in_hex(from) & battle.leaders[side];
        if !here.is_empty() {
            self.agenda.push(Step::Following { leaders: here, to });
        }
    }

    /// Units that withdraw one after the other in the owner's order: one hex by the tactic, three before combat.
    pub(crate) fn step_withdrawing(&mut self, battle: &Battle, side: Side) -> bool {
        let rest = At::new(battle, self).to_withdraw(side);
        if rest.is_empty() {
            self.agenda.pop();
            return true;
        }
        let Some(only) = rest.only() else { return false };
        self.waiting.drop(only);
        self.withdraw_next(battle, only);
        true
    }

    /// Puts the retreat of one withdrawing unit on the agenda.
    pub(crate) fn withdraw_next(&mut self, battle: &Battle, unit: Piece) {
        let before_combat = matches!(self.agenda.top(), Some(Step::Withdrawing(_, true)));
        if before_combat {
            self.agenda.push(Step::SlippingAway(unit));
        } else {
            self.retreat_one(battle, unit);
        }
    }
}

fn check_way(line: &Line<'_>, hexes: u8, way: Way, best: &Routes) -> Allowed {
    let (ground, start) = (&line.at.battle.ground, line.start);
    if way.len() != usize::from(hexes) {
        return no(cite!("13.23.a"), "the retreat must go its full distance");
    }
    let (mut at, mut gone) = (start, Way::EMPTY);
    for direction in way.steps() {
        at = line.may_step(at, direction)?;
        if !line.straight && line.passes(gone, at) {
            return no(cite!("12.41.a"), "a withdrawal of three hexes enters no hex twice");
        }
        gone = gone.then(direction);
    }
    if line.straight && ground.grid.distance(start, at) != u16::from(hexes) {
        return no(cite!("13.3.a"), "the retreat must end as many hexes away as it is long");
    }
    let tier = line.tier(at, hexes);
    let reached = best.iter().filter_map(|w| w.end(ground, start)).map(|end| line.tier(end, hexes)).min();
    if reached.is_some_and(|least| tier <= least) {
        return Ok(());
    }
    let near = line.near.contains(at);
    let (rule, why) = match (hexes, line.in_direction(at)) {
        (3, _) if near && !line.straight => {
            (cite!("12.41.a"), "a withdrawal must end where no enemy unit is adjacent")
        }
        (3, _) if near => (cite!("13.3.b"), "there is an end with no enemy unit beside it"),
        (_, false) => (cite!("13.22.c"), "a hex in the side's retreat direction is open"),
        _ => (cite!("13.21.a"), "there is a hex in direction with no enemy unit beside it"),
    };
    no(rule, why)
}
