//! 5.2 and 5.3: what bars a march, and the refusal that says so.

use game::{Allowed, No, Refusal};
use hexmap::{Hex, HexSet};

use crate::action::Action;
use crate::at::At;
use crate::rules::cavalry::MUST_RETURN;
use crate::rules::movement::Explorer;
use crate::rules::reach::{Bounds, MOST_POINTS};
use crate::rules::zones::Field;
use crate::setup::ground::{CLOSED, Feature};
use crate::setup::pieces::Arm;
use crate::state::{Id, NOWHERE, Status, Step, Trail};

/// What bars a march, and where.
type Barred = (No, Hex);

const ZONE_STOPS: No = No::new(cite!("5.3.a"), "Entering an enemy zone of control ends the march.");

impl At<'_> {
    /// 5.a: only in the Movement Turn of its own Formation.
    pub(crate) fn check_turn(self, step: Step, unit: Id) -> Result<(), Refusal> {
        if matches!(step, Step::March) && self.state.active == Some(self.unit(unit).formation) {
            return Ok(());
        }
        let what = self.battle.does(unit, "does not move now.");
        let formation = &self.battle.formations[usize::from(self.unit(unit).formation)].name;
        Err(Refusal::new(what, format!("It moves in the Movement Turn of {formation}."), cite!("5.a")))
    }

    /// Anything a unit does in its Movement Turn.
    pub(crate) fn check_movement(self, unit: Id, action: &Action) -> Result<(), Refusal> {
        let not = |no: No| no.refuses(self.refused(action));
        let marches = matches!(action, Action::March { .. } | Action::Exit { .. });
        self.check_unmoved(unit).map_err(not)?;
        if !(marches && self.state.hand == Some(unit)) {
            self.check_hand().map_err(not)?;
        }
        if marches || matches!(action, Action::Mount { .. } | Action::Dismount { .. }) {
            self.check_on_map(unit).map_err(not)?;
            self.check_held(unit)?;
        }
        match *action {
            Action::March { to, path, .. } => self.check_march(unit, to, path),
            Action::Mount { .. } => self.check_mount(unit).map_err(not),
            Action::Dismount { horses, .. } => self.check_dismount_with(unit, horses).map_err(not),
            Action::Enter { at, .. } => self.check_enter(unit, at).map_err(not),
            Action::Exit { by, .. } => self.check_exit(unit, by).map_err(not),
            Action::Rally { .. } => self.check_rally_as_move(unit).map_err(not),
            _ => Ok(()),
        }
    }

    /// `done`.
    pub(crate) fn check_done(self) -> Allowed {
        self.check_hand()?;
        if self.strayed().is_some() { Err(MUST_RETURN) } else { Ok(()) }
    }

    /// 5.2.a and its relatives: the unit's move must not be over.
    pub(crate) fn check_unmoved(self, unit: Id) -> Allowed {
        if !self.state.moved.contains(unit) {
            return Ok(());
        }
        if self.state.rallied.contains(unit) {
            return Err(No::new(cite!("10.5.b"), "Its move is over: a rally is the whole move."));
        }
        if self.state.stopped_entering.contains(unit) {
            let why = "Its move is over: it entered the map into an enemy zone of control.";
            return Err(No::new(cite!("12.3.a"), why));
        }
        if self.state.stopped.contains(unit) {
            return Err(No::new(cite!("5.3.a"), "Its move is over: it stopped in an enemy zone of control."));
        }
        Err(No::new(cite!("5.2.a"), "Its move is over: a unit moves once, before the next."))
    }

    /// 3.7.c: a unit in a friend's hex must march on before another acts.
    fn check_hand(self) -> Allowed {
        match self.state.must_march_on() {
            true => Err(No::new(cite!("3.7.c"), "A unit stands in a friend's hex and must march on first.")),
            false => Ok(()),
        }
    }

    fn check_on_map(self, unit: Id) -> Allowed {
        match self.piece(unit).status {
            Status::OnMap => Ok(()),
            Status::Due | Status::Away => {
                Err(No::new(cite!("12.a"), "It is not on the map: it must enter first."))
            }
            _ => Err(No::new(cite!("5.a"), "It has left the map.")),
        }
    }

    /// The scenario may hold a unit back.
    fn check_held(self, unit: Id) -> Result<(), Refusal> {
        let Some(held) = self.unit(unit).held.filter(|_| self.held_back(unit)) else {
            return Ok(());
        };
        let hour = self.battle.clock(held.until);
        let near = match held.unless_within {
            0 => String::new(),
            hexes => format!(", or when an enemy comes within {hexes} hexes"),
        };
        let what = format!("{} is held back.", self.name(unit));
        Err(Refusal::new(what, format!("The scenario releases it in Hour {hour}{near}."), held.rule))
    }

    /// `march`.
    fn check_march(self, unit: Id, to: Hex, path: Option<Trail>) -> Result<(), Refusal> {
        self.march_allowed(unit, to, path).map_err(|(no, hex)| {
            let where_to = if hex == to { "to" } else { "over" };
            no.refuses(format!("{} may not march {where_to} {}.", self.name(unit), self.ground().name(hex)))
        })
    }

    fn march_allowed(self, unit: Id, to: Hex, path: Option<Trail>) -> Result<(), Barred> {
        let there = |no: No| (no, to);
        if !self.may_march(unit) {
            return Err(there(No::new(cite!("5.2.a"), "A march is the whole move of a unit.")));
        }
        let field = self.field_of(self.side(unit));
        let bounds = self.bounds_of(&field, unit);
        if path.is_none() || to != self.piece(unit).hex {
            self.check_end(&field, unit, to).map_err(there)?;
        }
        match path {
            None => self.check_reach(&field, &bounds, unit, to)?,
            Some(_) => self.check_way(&field, &bounds, unit, path)?,
        }
        self.check_leash(&field, unit, to).map_err(there)
    }

    /// Where a march may end: 3.7.
    fn check_end(self, field: &Field, unit: Id, to: Hex) -> Allowed {
        if !self.ground().on_map.contains(to) {
            return Err(No::new(cite!("5.5.a"), "It is not on the map."));
        }
        if field.enemies.contains(to) {
            return Err(No::new(cite!("3.7.a"), "An enemy stands there."));
        }
        if to == self.piece(unit).hex {
            return Err(No::new(cite!("5.1.a"), "It is there already."));
        }
        if field.friends.contains(to) {
            return Err(No::new(cite!("3.7.c"), "A friend stands there; it may pass, but not stop."));
        }
        Ok(())
    }

    fn check_leash(self, field: &Field, unit: Id, to: Hex) -> Allowed {
        match self.leash_of(field, unit).filter(|l| !l.allows(to)) {
            None => Ok(()),
            Some(leash) if leash.is_overstretched() => Err(MUST_RETURN),
            Some(_) => Err(No::new(cite!("11.3.j"), "It would be more than 9 infantry MP from its horses.")),
        }
    }

    /// Why a hex in a zone is closed to the unit: 13.c, 5.3.e, 5.3.f, 5.3.c, the first that applies.
    fn zone_bars(self, field: &Field, unit: Id, hex: Hex) -> Allowed {
        if !field.zone.contains(hex) {
            return Ok(());
        }
        if self.is_night() {
            return Err(No::new(cite!("13.c"), "At night no unit enters an enemy zone of control."));
        }
        match self.arm_now(unit) {
            Arm::Artillery => {
                Err(No::new(cite!("5.3.e"), "Artillery does not enter an enemy zone of control."))
            }
            Arm::Cavalry | Arm::HorseArtillery if field.foot_zone.contains(hex) => {
                let why =
                    "Cavalry and horse artillery do not enter the zone of control of infantry or artillery.";
                Err(No::new(cite!("5.3.f"), why))
            }
            _ if self.state.began_in_zone.contains(unit) => {
                let why = "A unit that began in an enemy zone of control may not enter another this Turn.";
                Err(No::new(cite!("5.3.c"), why))
            }
            _ => Ok(()),
        }
    }

    /// Why no march within the allowance leads there.
    fn check_reach(self, field: &Field, bounds: &Bounds, unit: Id, to: Hex) -> Result<(), Barred> {
        let start = self.piece(unit).hex;
        let budget = self.points_left(unit);
        if self.explored(unit, budget, bounds).cost(to, start, bounds).is_some() {
            return Ok(());
        }
        self.zone_bars(field, unit, to).map_err(|no| (no, to))?;
        let free = field.without_zones();
        let reach = self.explored(unit, budget, &free);
        if reach.cost(to, start, &free).is_some() {
            return Err(self.zone_on_the_way(field, unit, to, &reach));
        }
        self.check_ground(unit, to).map_err(|no| (no, to))?;
        // What the cheapest march there would cost, if any allowance a unit may have pays for it.
        let needed = self.explored(unit, MOST_POINTS as u8, &free).cost(to, start, &free);
        Err((too_dear(needed, budget), to))
    }

    /// The zone that bars the shortest way: entering it stops the unit, or it may not enter it at all.
    fn zone_on_the_way(self, field: &Field, unit: Id, to: Hex, free: &Explorer) -> Barred {
        let start = self.piece(unit).hex;
        let path = free.path(self.ground(), self.costs(unit), start, to, &field.without_zones());
        match path.unwrap_or_default().iter().find(|h| field.zone.contains(**h)) {
            Some(&hex) => (self.zone_bars(field, unit, hex).err().unwrap_or(ZONE_STOPS), hex),
            None => (ZONE_STOPS, to),
        }
    }

    /// Terrain that closes the step to a neighbour, or every way farther off however many MPs there were.
    fn check_ground(self, unit: Id, to: Hex) -> Allowed {
        let start = self.piece(unit).hex;
        let costs = self.costs(unit);
        if let Some(direction) = self.ground().direction(start, to) {
            return self.check_step(unit, start, direction);
        }
        let open = Bounds { closed: HexSet::EMPTY, stops: HexSet::EMPTY };
        let far = MOST_POINTS as u8;
        let mut reach = self.explored(unit, far, &open);
        if reach.cost(to, start, &open).is_some() {
            return Ok(());
        }
        // As if closed ground were open: the first closed step on that way is what bars it.
        let opened: Vec<[u8; 6]> = (0..costs.len())
            .map(|hex| {
                std::array::from_fn(|d| match (self.ground().beyond[hex][d], costs[hex][d]) {
                    (NOWHERE, _) => CLOSED,
                    (_, CLOSED) => 2,
                    (_, cost) => cost,
                })
            })
            .collect();
        reach.explore(self.ground(), &opened, start, far, &open, |_, _| {});
        let mut at = start;
        for next in reach.path(self.ground(), &opened, start, to, &open).unwrap_or_default() {
            if let Some(direction) = self.ground().direction(at, next) {
                self.check_step(unit, at, direction)?;
            }
            at = next;
        }
        Ok(())
    }

    /// 5.4.1.b, 5.4.4.e, 5.2.e: what closes a step.
    fn check_step(self, unit: Id, from: Hex, direction: usize) -> Allowed {
        if self.costs(unit)[from.index()][direction] != CLOSED {
            return Ok(());
        }
        let to = self.ground().beyond[from.index()][direction];
        let column = self.column_now(unit) as usize;
        let row = &self.battle.charts.hexes[usize::from(self.ground().terrain[to.index()])];
        if row.cost[column].is_none() {
            return Err(match row.name.as_str() {
                "marsh" => {
                    No::new(cite!("5.4.1.b"), "Marsh is closed to it except by road, minor road or railroad.")
                }
                _ => No::new(cite!("5.2.e"), "The ground there is closed to it."),
            });
        }
        let features = self.ground().side_features(from, direction);
        if features.has(Feature::Escarpment)
            && self.battle.charts.sides[Feature::Escarpment as usize].cost[column].is_none()
        {
            let why = "It crosses an escarpment only by road, minor road or railroad.";
            return Err(No::new(cite!("5.4.4.e"), why));
        }
        Err(No::new(cite!("5.2.e"), "The hexside is closed to it."))
    }

    /// A way that is named hex by hex.
    fn check_way(self, field: &Field, bounds: &Bounds, unit: Id, path: Option<Trail>) -> Result<(), Barred> {
        let mut at = self.piece(unit).hex;
        let mut left = self.points_left(unit);
        let way: Vec<Hex> = self.ground().walk(at, path).collect();
        for (i, &next) in way.iter().enumerate() {
            let Some(direction) = self.ground().direction(at, next) else { break };
            if field.enemies.contains(next) {
                return Err((No::new(cite!("3.7.a"), "An enemy stands there."), next));
            }
            self.check_step(unit, at, direction).map_err(|no| (no, next))?;
            if bounds.closed.contains(next) {
                self.zone_bars(field, unit, next).map_err(|no| (no, next))?;
            }
            let cost = self.costs(unit)[at.index()][direction];
            left = left.checked_sub(cost).ok_or((too_dear(Some(cost), left), next))?;
            if bounds.stops.contains(next) && i + 1 < way.len() {
                return Err((ZONE_STOPS, next));
            }
            at = next;
        }
        Ok(())
    }

    /// `exit`.
    fn check_exit(self, unit: Id, by: Hex) -> Allowed {
        if self.battle.way_out(unit, by, self.state.hour).is_none() {
            return Err(No::new(cite!("5.5.a"), "The scenario leaves no way out there."));
        }
        let mut offers = Vec::new();
        self.offer_movement(&mut offers);
        if offers.contains(&Action::Exit { unit, by }) {
            return Ok(());
        }
        let field = self.field_of(self.side(unit));
        self.check_leash(&field, unit, by)?;
        if by != self.piece(unit).hex {
            if field.zone.contains(by) {
                return Err(ZONE_STOPS);
            }
            let bounds = self.bounds_of(&field, unit);
            if !field.friends.contains(by) {
                self.check_reach(&field, &bounds, unit, by).map_err(|(no, _)| no)?;
            }
        }
        Err(too_dear(None, self.points_left(unit)))
    }
}

fn too_dear(needs: Option<u8>, has: u8) -> No {
    match needs {
        Some(needs) => {
            No::short(cite!("5.2.c"), "Not enough movement points", i16::from(needs), i16::from(has))
        }
        None => No::new(cite!("5.2.c"), "Not enough movement points."),
    }
}
