//! 9. Movement: reinforcements, marches, strategic movement. Pins are in `pins.rs`.

use arrayvec::ArrayVec;
use game::{Allowed, Effects, Kind, No, Place};
use hexmap::{Direction, Hex, HexSet};

use crate::action::{Action, Way};
use crate::at::{At, Run};
use crate::legal::no;
use crate::rules::charts::PROHIBITED;
use crate::rules::sequence::Step;
use crate::rules::zones::Lay;
use crate::setup::battle::{Arm, Battle, Start};
use crate::setup::pieces::{Piece, Pieces};
use crate::state::Spot;

const UNREACHED: u8 = u8::MAX;

impl At<'_> {
    /// Reinforcements of the phasing player that may be placed now (9.11.a, R86).
    pub(crate) fn arrivals(self) -> Pieces {
        self.battle.pieces(self.state.phasing).filter(|&p| self.may_arrive(p).is_ok()).collect()
    }

    fn may_arrive(self, piece: Piece) -> Allowed {
        let Start::Enters(turn, hex) = self.counter(piece).start else {
            return no(cite!("9.11.a"), "only a reinforcement is placed in an entry hex");
        };
        if self.side(piece) != self.state.phasing || self.state.at[piece.index()] != Spot::TO_COME {
            return no(
                cite!("9.11.a"),
                "only reinforcements of the phasing player that are still to come are placed",
            );
        }
        if turn > self.state.turn {
            return no(cite!("9.11.a"), "it arrives on a later turn");
        }
        if self.in_hex(hex).meets(self.battle.units[!self.state.phasing]) {
            return no(
                cite!("9.3.d"),
                "its entry hex holds an enemy combat unit; it waits until the hex is free",
            );
        }
        if self.unknown(self.state.phasing).meets(self.in_hex(hex)) {
            return no(cite!("9.3.d"), "an enemy stack is in its entry hex; it waits until the hex is free");
        }
        if self.battle.all_leaders().has(piece)
            && self.in_hex(hex).meets(self.battle.leaders[!self.state.phasing])
        {
            return no(
                cite!("14.32.a"),
                "an enemy leader is in the entry hex: a combat unit must enter first, and captures him",
            );
        }
        Ok(())
    }

    pub(crate) fn offer_arrivals(self, out: &mut Vec<Action>) {
        out.extend(self.arrivals().map(Action::Enter));
        if self.check_arrivals(&Action::Done).is_ok() {
            out.push(Action::Done);
        }
    }

    pub(crate) fn check_arrivals(self, action: &Action) -> Allowed {
        match action {
            Action::Enter(piece) => self.may_arrive(*piece),
            Action::Done if self.arrivals().meets(self.battle.roles.prompt) => no(
                cite!("9.11.c"),
                "a reinforcement that the scenario does not let wait must be placed first",
            ),
            Action::Done => Ok(()),
            _ => Err(No::other("reinforcements are placed before anything moves")),
        }
    }

    /// Whether a piece may begin a march in this phase.
    #[inline]
    pub(crate) fn may_move(self, piece: Piece) -> Allowed {
        let counter = self.counter(piece);
        if counter.side != self.state.phasing {
            return no(cite!("3.1.g"), "only the phasing player's units move");
        }
        if self.hex(piece).is_none() {
            return no(cite!("9.2.a"), "it is not on the map");
        }
        if self.state.moved.has(piece) {
            return no(cite!("9.2.c"), "it has finished its move; a unit moves once in a phase");
        }
        if self.state.shattered.has(piece) {
            return no(cite!("9.3.a"), "it is shattered; rally it first");
        }
        if self.state.withdrawn.has(piece) {
            return no(
                cite!("12.42.a"),
                "it is under a withdrawal marker, which comes off in its next rally phase",
            );
        }
        if counter.free.is_none_or(|turn| turn > self.state.turn && !self.is_freed(piece)) {
            return no(cite!("1.b"), "the scenario holds it in place on this turn");
        }
        self.may_move_now(piece)
    }

    /// What the scenario forbids a piece on this turn.
    fn tether(self, piece: Piece, to: Hex) -> Allowed {
        let counter = self.counter(piece);
        if counter.road_bound_until > self.state.turn {
            let ground = &self.battle.ground;
            if !ground.road.contains(to) && !ground.terrain[to.index()].is_open() {
                return no(
                    cite!("guilford-court-house.i"),
                    "the scenario keeps it to roads and open ground on this turn",
                );
            }
        }
        for leash in
            counter.leash.iter().filter(|leash| leash.until.is_none_or(|turn| turn > self.state.turn))
        {
            let (column, row) = (self.battle.ground.grid.column(to), self.battle.ground.grid.row(to));
            let outside = row < leash.north || row > leash.south || column < leash.west;
            if outside && (leash.until.is_none() || !self.is_alarmed(piece)) {
                return no(
                    cite!("freemans-farm.b"),
                    "the scenario keeps it within its part of the map on this turn",
                );
            }
        }
        Ok(())
    }

    /// A disrupted unit may stay next to an enemy only where it cannot do better (13.3.c, 13.3.d, R53).
    fn may_back_off_to(self, unit: Piece, start: Hex, to: Hex) -> Allowed {
        let enemy = !self.side(unit);
        let now = self.beside(enemy, start).len();
        if now == 0 {
            return no(cite!("13.3.c"), "a disrupted unit may not move next to an enemy unit");
        }
        let least = self.least_beside(unit, start);
        if self.beside(enemy, to).len() > least.min(now - 1) {
            return no(cite!("13.3.d"), "it must move away from as many enemy units as it can");
        }
        Ok(())
    }

    /// The fewest enemy units beside any hex that a disrupted unit can step to.
    fn least_beside(self, unit: Piece, start: Hex) -> u32 {
        let enemy = !self.side(unit);
        let arm = self.counter(unit).arm;
        self.battle
            .ground
            .neighbours(start)
            .filter(|&(direction, to)| {
                self.battle.ground.cost(arm, start, direction).is_some()
                    && !self.in_hex(to).meets(self.battle.units[enemy])
                    && self.has_room(unit, false, to)
            })
            .map(|(_, to)| self.beside(enemy, to).len())
            .min()
            .unwrap_or(u32::MAX)
    }

    /// Disrupted units that still have to back off from the enemy (13.3.d).
    pub(crate) fn must_back_off(self) -> Pieces {
        (self.state.disrupted & self.battle.units[self.state.phasing] & self.on_map())
            .filter(|&unit| {
                let Some(start) = self.hex(unit) else { return false };
                let now = self.beside(!self.state.phasing, start).len();
                let mut can = false;
                if now > 0 && self.least_beside(unit, start) < now {
                    self.reach(unit, |_, _, _| can = true);
                }
                can
            })
            .collect()
    }

    /// Whether the way is lawful, and as which kind of movement.
    pub(crate) fn check_march(self, piece: Piece, from: Hex, way: Way) -> Allowed {
        if piece.index() >= self.battle.counters.len() {
            return Err(No::other("there is no such piece"));
        }
        self.may_move(piece)?;
        if self.hex(piece) != Some(from) {
            return Err(No::other("the march begins in another hex than the piece stands in"));
        }
        let lay = self.lay(self.state.phasing);
        let Some(mover) = self.mover(&lay, piece) else {
            return Err(No::other("the piece is not on the map"));
        };
        if way.is_empty() {
            return no(cite!("9.2.b"), "a march goes to another hex");
        }
        if mover.disrupted && way.len() > 1 {
            return no(cite!("9.3.b"), "a disrupted unit moves one hex only");
        }
        mover.check_way(way)
    }

    /// Calls `each` with every hex that a piece may march to, the way there and its cost.
    pub(crate) fn reach(self, piece: Piece, mut each: impl FnMut(Hex, Way, u8)) {
        if self.may_move(piece).is_err() {
            return;
        }
        let lay = self.lay(self.state.phasing);
        let mut scratch = Scratch::new();
        self.reach_in(&lay, &mut scratch, piece, &mut each);
    }

    fn reach_in(self, lay: &Lay, scratch: &mut Scratch, piece: Piece, each: &mut impl FnMut(Hex, Way, u8)) {
        let Some(mover) = self.mover(lay, piece) else { return };
        scratch.explore(&mover);
        scratch.force(&mover);
        for &hex in &scratch.list[1..] {
            if mover.may_end(hex).is_ok() {
                each(hex, scratch.way[hex.index()], scratch.cost[hex.index()]);
            }
        }
    }

    pub(crate) fn offer_movement(self, out: &mut Vec<Action>) {
        let side = self.state.phasing;
        let lay = self.lay(side);
        let mut scratch = Scratch::new();
        for piece in (self.battle.pieces(side) & self.on_map()) - self.state.moved {
            let Some(from) = self.hex(piece) else { continue };
            if self.may_move(piece).is_ok() {
                self.reach_in(&lay, &mut scratch, piece, &mut |_, way, _| {
                    out.push(Action::March { piece, from, way })
                });
            }
            if self.battle.special.exit.is_some() && self.may_leave(piece).is_ok() {
                out.push(Action::Leave(piece));
            }
        }
        if self.battle.armies[side].limited {
            // In the order of the map: the order of the pieces would tell who stands where.
            let stacks: HexSet = self.unknown(side).filter_map(|piece| self.hex(piece)).collect();
            out.extend(stacks.iter().filter(|&hex| self.check_peek(side, hex).is_ok()).map(Action::Peek));
        }
        if self.battle.special.chit_buys_morale > 0 && self.state.chits[side] > 0 {
            out.push(Action::Hearten);
        }
        self.offer_hastening(out);
        if self.may_end_movement().is_ok() {
            out.push(Action::Done);
        }
    }

    pub(crate) fn check_movement(self, action: &Action) -> Allowed {
        match *action {
            Action::March { piece, from, way } => self.check_march(piece, from, way),
            Action::Leave(piece) => self.may_leave(piece),
            Action::Peek(hex) => self.check_peek(self.state.phasing, hex),
            Action::Hearten if self.battle.special.chit_buys_morale == 0 => {
                no(cite!("12.62.e"), "the scenario does not know this use of momentum")
            }
            Action::Hearten if self.state.chits[self.state.phasing] == 0 => {
                no(cite!("12.62.e"), "there is no chit to spend")
            }
            Action::Hearten => Ok(()),
            Action::Hasten(turn) => self.may_hasten(turn),
            Action::Done => self.may_end_movement(),
            _ => Err(No::other("this is the movement phase: pieces march, or the phase ends")),
        }
    }

    fn may_end_movement(self) -> Allowed {
        if !self.must_back_off().is_empty() {
            return no(
                cite!("13.3.d"),
                "a disrupted unit next to the enemy must first use its one hex to get away",
            );
        }
        self.no_pin_half_broken()
    }

    fn may_leave(self, piece: Piece) -> Allowed {
        self.may_move(piece)?;
        let Some(exit) = &self.battle.special.exit else {
            return no(cite!("guilford-court-house.k"), "the scenario lets nobody leave the map");
        };
        let there = self.hex(piece).is_some_and(|hex| exit.hexes.contains(hex));
        if exit.side == self.state.phasing
            && self.state.turn >= exit.from
            && there
            && !self.state.is_pinned(piece)
        {
            return Ok(());
        }
        no(cite!("guilford-court-house.k"), "the scenario lets units leave only later, or from another hex")
    }
}

impl<F: Effects> Run<'_, F> {
    pub(crate) fn enter_map(&mut self, piece: Piece) {
        let Start::Enters(_, hex) = self.battle.counter(piece).start else { return };
        self.state.place(piece, hex);
        self.state.entered.add(piece);
        self.capture_lone(piece, hex);
        self.take_hold(piece, hex);
        self.fx.tell(|| {
            self.battle
                .went(Kind::Rally, piece, "arrives in", hex, cite!("9.11.a"))
                .place(self.battle.place(hex))
        });
    }

    /// Carries a march out.
    pub(crate) fn march(&mut self, piece: Piece, way: Way) {
        let Some(start) = self.state.hex(piece) else { return };
        self.state.on_march(self.battle, piece);
        let limited = self.battle.armies[self.battle.side(piece)].limited;
        let (way, halt) = if limited { self.at().true_march(piece, way) } else { (way, None) };
        if limited && self.at().tries_rifle_zones(piece, way) || halt.is_some() {
            self.fx.revealed();
        }
        let (mut at, mut gone) = (start, Way::EMPTY);
        for direction in way.steps() {
            let Some(to) = self.battle.ground.neighbour(at, direction) else { break };
            at = to;
            gone = gone.then(direction);
            self.state.place(piece, at);
            self.capture_lone(piece, at);
            self.take_hold(piece, at);
            if self.state.ending.is_some() {
                return;
            }
        }
        self.state.moved.add(piece);
        self.fx.tell(|| {
            let places = self.battle.way_places(start, gone);
            let goes = halt.map_or("marches to", Halt::words);
            let mut entry = self.battle.went(Kind::March, piece, goes, at, cite!("9.2.b"));
            entry.rules.extend(halt.map(Halt::rule));
            entry.places = places;
            entry
        });
        self.raise_alarm();
    }

    pub(crate) fn leave_map(&mut self, piece: Piece) {
        self.state.at[piece.index()] = Spot::GONE;
        self.state.moved.add(piece);
        self.tell_piece(Kind::Gone, piece, "leaves the field", cite!("guilford-court-house.k"));
        self.army_has_left();
    }

    pub(crate) fn hearten(&mut self) {
        let side = self.state.phasing;
        self.state.chits[side] -= 1;
        let gain = self.battle.special.chit_buys_morale as i8;
        self.tell_side(Kind::Note, side, "spends a chit on the army's spirits", cite!("12.62.e"));
        self.adjust_morale(side, [gain, 0]);
    }

    /// After all movement: pins are lifted or kept, stacking is enforced, the scenario's anchors are looked at (9.6).
    pub(crate) fn end_of_movement(&mut self) {
        self.state.agenda.pop();
        self.lift_pins();
        if self.state.ending.is_some() {
            return;
        }
        self.drag_anchor();
        self.state.moved = Pieces::NONE;
        self.state.entered = Pieces::NONE;
        self.state.agenda.push(Step::Limit);
    }
}

/// What a player under limited intelligence meets on a march (R92).
#[derive(Debug, Clone, Copy)]
enum Halt {
    Zone,
    RifleZone,
}

impl Halt {
    const fn words(self) -> &'static str {
        match self {
            Halt::Zone => "meets an enemy zone and stops in",
            Halt::RifleZone => "pays for a rifle zone on its way and gets no farther than",
        }
    }

    const fn rule(self) -> game::Rule {
        match self {
            Halt::Zone => cite!("8.31.a"),
            Halt::RifleZone => cite!("8.31.b"),
        }
    }
}

impl At<'_> {
    /// R92: as much of a march as the true position allows, and what ends it early: a zone that the player could not
    /// know of, or a rifle zone that leaves too few movement points for the next hex.
    fn true_march(self, piece: Piece, way: Way) -> (Way, Option<Halt>) {
        let lay = self.lay(self.side(piece));
        let Some(mover) = self.mover(&lay, piece) else { return (way, None) };
        let (mut at, mut gone, mut spent, mut toll) = (mover.start, Way::EMPTY, 0u8, 0);
        for direction in way.steps() {
            if at != mover.start && lay.zone.contains(at) {
                return (gone, Some(Halt::Zone));
            }
            let step = self.battle.ground.step(at, direction, self.state.mended);
            let more = mover.surcharge(at, step.to);
            toll += more;
            spent = spent.saturating_add(step.cost[mover.arm.column()]).saturating_add(more);
            if toll > 0 && spent > mover.budget && !gone.is_empty() {
                return (gone, Some(Halt::RifleZone));
            }
            at = step.to;
            gone = gone.then(direction);
        }
        (gone, None)
    }
}

impl At<'_> {
    /// R92: whether how far a march comes tells something of a hidden stack: if that were rifles, it would end earlier.
    fn tries_rifle_zones(self, piece: Piece, way: Way) -> bool {
        let mut lay = self.lay(self.side(piece));
        for stack in self.unknown(self.side(piece)).filter_map(|hidden| self.hex(hidden)) {
            let steps = self.battle.ground.steps[stack.index()].iter();
            lay.rifle.extend(steps.filter(|step| step.zoc).filter_map(|step| step.on_map()));
        }
        let Some(mover) = self.mover(&lay, piece) else { return false };
        let (mut at, mut spent, mut toll) = (mover.start, 0u8, 0);
        way.steps().any(|direction| {
            let step = self.battle.ground.step(at, direction, self.state.mended);
            let more = mover.surcharge(at, step.to);
            (at, toll) = (step.to, toll + more);
            spent = spent.saturating_add(step.cost[mover.arm.column()]).saturating_add(more);
            toll > 0 && spent > mover.budget && way.len() > 1
        })
    }
}

impl At<'_> {
    /// What each step of a way costs, and what zones of rifles add to it.
    pub(crate) fn tolls(self, piece: Piece, way: Way) -> Vec<(u8, u8)> {
        let lay = self.lay(self.side(piece));
        let Some(mover) = self.mover(&lay, piece) else { return Vec::new() };
        let mut at = mover.start;
        way.steps()
            .map(|direction| {
                let step = self.battle.ground.step(at, direction, self.state.mended);
                let toll = (step.cost[mover.arm.column()], mover.surcharge(at, step.to));
                at = step.to;
                toll
            })
            .collect()
    }
}

/// A piece about to march, with what is looked up again and again.
#[derive(Debug, Clone, Copy)]
struct Mover<'a> {
    here: At<'a>,
    lay: &'a Lay,
    piece: Piece,
    arm: Arm,
    sp: u8,
    budget: u8,
    disrupted: bool,
    start: Hex,
    tethered: bool,
    /// Leaves the zone of a rifle unit.
    leaves_rifle: bool,
}

impl<'a> At<'a> {
    fn mover(self, lay: &'a Lay, piece: Piece) -> Option<Mover<'a>> {
        let counter = self.counter(piece);
        let start = self.hex(piece)?;
        Some(Mover {
            here: self,
            lay,
            piece,
            arm: counter.arm,
            sp: if counter.arm == Arm::Leader { 0 } else { self.strength(piece) },
            budget: counter.allowance,
            disrupted: self.state.disrupted.has(piece),
            start,
            tethered: counter.road_bound_until > self.state.turn || !counter.leash.is_empty(),
            leaves_rifle: lay.rifle.contains(start),
        })
    }
}

impl Mover<'_> {
    /// The surcharge of rifle zones on a step (8.31.b).
    #[inline]
    fn surcharge(&self, from: Hex, to: Hex) -> u8 {
        u8::from(from == self.start && self.leaves_rifle) + u8::from(self.lay.rifle.contains(to))
    }

    /// Whether it may march strategically at all this turn (9.5.a, 9.51.a).
    fn may_force(&self) -> Allowed {
        if self.disrupted {
            return no(cite!("9.3.b"), "a disrupted unit moves one hex only");
        }
        let At { battle, state } = self.here;
        if battle.is_dusk(state.turn) {
            return no(cite!("freemans-farm.k"), "the scenario bars strategic movement on this turn");
        }
        if state.entered.has(self.piece) && battle.roles.no_forced_entry.has(self.piece) {
            return no(cite!("9.12.a"), "the scenario bars strategic movement on the turn of entry");
        }
        if self.lay.near.contains(self.start) {
            return no(cite!("9.51.a"), "strategic movement may not begin next to an enemy unit");
        }
        Ok(())
    }
    /// What the step into a neighbouring hex costs, or why it is barred.
    #[inline]
    fn entry_cost(&self, from: Hex, direction: Direction) -> Allowed<u8> {
        let step = self.here.battle.ground.step(from, direction, self.here.state.mended);
        let Some(to) = step.on_map() else {
            return no(cite!("9.3.d"), "the map ends there");
        };
        let cost = step.cost[self.arm.column()];
        if cost == PROHIBITED {
            return no(cite!("9.3.d"), "the terrain is prohibited to it");
        }
        if self.lay.enemy.contains(to) {
            return no(cite!("9.3.d"), "an enemy combat unit holds the hex");
        }
        if self.arm == Arm::Leader && self.lay.leaders.contains(to) {
            return no(
                cite!("14.32.a"),
                "an enemy leader is there: only a combat unit may enter, and captures him",
            );
        }
        if !self.lay.room(self.here.battle, self.arm, self.sp, to) {
            let (needs, has) = self.lay.weight_and_room(self.here.battle, self.arm, self.sp, to);
            return Err(No::short(
                cite!("7.2.a"),
                "not enough room in a hex, even in passing",
                needs.into(),
                has.into(),
            ));
        }
        if self.tethered {
            self.here.tether(self.piece, to)?;
        }
        Ok(cost)
    }

    /// Whether a march may end in that hex.
    fn may_end(&self, to: Hex) -> Allowed {
        let near = self.lay.near.contains(to);
        if near && self.disrupted {
            self.here.may_back_off_to(self.piece, self.start, to)?;
        }
        if near && self.here.counter(self.piece).shy_until > self.here.state.turn && self.arm != Arm::Leader {
            return no(
                cite!("guilford-court-house.h"),
                "the scenario keeps it away from the enemy on this turn",
            );
        }
        if !self.here.state.pins.is_empty() {
            self.here.may_end_by_pins(self.piece, to, near)?;
        }
        Ok(())
    }

    /// Whether the way is open, and its cost within what the piece has.
    fn check_way(&self, way: Way) -> Allowed {
        let ground = &self.here.battle.ground;
        let (mut at, mut spent, mut strategic) = (self.start, 0u8, true);
        let mut shut: Allowed = Ok(());
        for direction in way.steps() {
            if at != self.start && self.lay.zone.contains(at) {
                shut = shut.and(no(
                    cite!("8.31.a"),
                    "it enters an enemy zone of control on the way and has to stop there",
                ));
            }
            let cost = self.entry_cost(at, direction)?;
            let to = ground.steps[at.index()][direction.index()].to;
            strategic &= ground.step(at, direction, self.here.state.mended).strategic;
            spent = spent.saturating_add(cost).saturating_add(self.surcharge(at, to));
            at = to;
        }
        shut?;
        if spent > self.budget && way.len() > 1 {
            self.check_forced(way, spent, strategic)?;
        }
        self.may_end(at)
    }

    /// Whether a way beyond the allowance is lawful as strategic movement (9.5.a, 9.51.a).
    fn check_forced(&self, way: Way, spent: u8, strategic: bool) -> Allowed {
        let most = if strategic { 2 * self.budget } else { self.budget };
        if spent > most {
            return Err(No::short(cite!("9.2.b"), "not enough movement points", spent.into(), most.into()));
        }
        self.may_force()?;
        let mut at = self.start;
        for direction in way.steps() {
            at = self.here.battle.ground.steps[at.index()][direction.index()].to;
            if self.lay.near.contains(at) {
                return no(cite!("9.51.a"), "strategic movement may not pass next to an enemy unit");
            }
        }
        Ok(())
    }

    /// The hexes that a piece cannot enter from anywhere: enemies hold them, or there is no room (9.3.d, 7.2.a, R91).
    fn closed_hexes(&self) -> HexSet {
        let mut shut = self.lay.enemy;
        if self.arm == Arm::Leader {
            shut |= self.lay.leaders;
        } else {
            for unit in self.here.battle.units[self.here.state.phasing] & self.here.on_map() {
                if let Some(hex) = self.here.hex(unit)
                    && !self.lay.room(self.here.battle, self.arm, self.sp, hex)
                {
                    shut.insert(hex);
                }
            }
        }
        shut
    }
}

/// "Nothing follows", among the entries of a bucket.
const NO_ENTRY: u16 = u16::MAX;

/// More than the longest allowance, and than any cost that is looked at.
const LEVELS: usize = 16;

/// Scratch space for one decision's marches.
struct Scratch {
    cost: [u8; HexSet::CAPACITY],
    way: [Way; HexSet::CAPACITY],
    /// The hexes reached, the start first.
    list: ArrayVec<Hex, { HexSet::CAPACITY }>,
    /// Hexes to be expanded at each cost, as chains of entries. A march of nine hexes reaches 271 of them, and each is
    /// improved upon six times at the most.
    buckets: [u16; LEVELS],
    entries: ArrayVec<(Hex, u16), 2048>,
}

impl Scratch {
    fn new() -> Scratch {
        Scratch {
            cost: [UNREACHED; HexSet::CAPACITY],
            way: [Way::EMPTY; HexSet::CAPACITY],
            list: ArrayVec::new(),
            buckets: [NO_ENTRY; LEVELS],
            entries: ArrayVec::new(),
        }
    }

    fn begin(&mut self, start: Hex) {
        for hex in &self.list {
            self.cost[hex.index()] = UNREACHED;
        }
        self.list.clear();
        self.entries.clear();
        self.buckets = [NO_ENTRY; LEVELS];
        self.note(start, 0, Way::EMPTY);
    }

    #[inline]
    fn note(&mut self, hex: Hex, cost: u8, way: Way) {
        let known = &mut self.cost[hex.index()];
        if *known <= cost {
            return;
        }
        if *known == UNREACHED {
            self.list.push(hex);
        }
        *known = cost;
        self.way[hex.index()] = way;
        if let Some(bucket) = self.buckets.get_mut(usize::from(cost))
            && self.entries.try_push((hex, *bucket)).is_ok()
        {
            *bucket = self.entries.len() as u16 - 1;
        }
    }

    fn take(&mut self, level: u8) -> Option<Hex> {
        let bucket = &mut self.buckets[usize::from(level)];
        let (hex, next) = *self.entries.get(usize::from(*bucket))?;
        *bucket = next;
        Some(hex)
    }

    /// Least-cost marches: a hex in an enemy zone is the end of the way (8.31.a, 8.32).
    fn explore(&mut self, mover: &Mover<'_>) {
        let Mover { here, lay, .. } = *mover;
        self.begin(mover.start);
        let shut = mover.closed_hexes();
        let arm = mover.arm.column();
        let rifles = mover.leaves_rifle || !lay.rifle.is_empty();
        let mended = here.state.mended;
        let deepest = if mover.disrupted { 0 } else { mover.budget.min(LEVELS as u8 - 1) };
        for level in 0..=deepest {
            while let Some(at) = self.take(level) {
                if self.cost[at.index()] != level || (at != mover.start && lay.zone.contains(at)) {
                    continue;
                }
                let way = self.way[at.index()];
                for direction in Direction::ALL {
                    let step = here.battle.ground.step(at, direction, mended);
                    let cost = step.cost[arm];
                    let to = step.to;
                    if cost == PROHIBITED || self.cost[to.index()] <= level || shut.contains(to) {
                        continue;
                    }
                    if mover.tethered && here.tether(mover.piece, to).is_err() {
                        continue;
                    }
                    let more = if rifles { mover.surcharge(at, to) } else { 0 };
                    let total = level + cost + more;
                    if total <= mover.budget {
                        self.note(to, total, way.then(direction));
                    } else if at == mover.start {
                        // One hex is always possible (9.2.e), and nothing beyond it.
                        self.note(to, mover.budget.max(1), way.then(direction));
                    }
                }
            }
        }
    }

    /// Strategic marches to hexes that the ordinary ones do not reach (9.5.a).
    fn force(&mut self, mover: &Mover<'_>) {
        let Mover { here: At { battle, state }, lay, .. } = *mover;
        if mover.may_force().is_err() || !battle.ground.road.contains(mover.start) {
            return;
        }
        let mut on: ArrayVec<(Hex, Way), 64> = ArrayVec::new();
        on.push((mover.start, Way::EMPTY));
        let mut i = 0;
        while i < on.len() {
            let (at, way) = on[i];
            i += 1;
            if way.len() >= usize::from(2 * mover.budget).min(Way::LONGEST) {
                continue;
            }
            for direction in Direction::ALL {
                let step = battle.ground.step(at, direction, state.mended);
                let to = step.to;
                if !step.strategic || lay.near.contains(to) || on.iter().any(|&(hex, _)| hex == to) {
                    continue;
                }
                if mover.entry_cost(at, direction).is_err() || on.is_full() {
                    continue;
                }
                on.push((to, way.then(direction)));
                if self.cost[to.index()] == UNREACHED {
                    self.note(to, way.len() as u8 + 1, way.then(direction));
                }
            }
        }
    }
}

impl Battle {
    /// The hexes of a way, the start first.
    pub(crate) fn way_places(&self, start: Hex, way: Way) -> Vec<Place> {
        let mut at = start;
        let mut places = vec![Place::Hex(self.hex_name(at))];
        for direction in way.steps() {
            let Some(to) = self.ground.neighbour(at, direction) else { break };
            at = to;
            places.push(Place::Hex(self.hex_name(at)));
        }
        places
    }
}
