//! 5.2 and 5.3: what bars a march, and the refusal that says so.

use game::words::does;
use game::{Refusal, Rule};
use hexmap::{Hex, HexSet};

use crate::action::Action;
use crate::rules::movement::Explorer;

use crate::at::At;
use crate::rules::reach::{Bounds, MOST_POINTS};
use crate::rules::zones::Field;
use crate::setup::battle::Battle;
use crate::setup::ground::{CLOSED, Feature};
use crate::setup::pieces::Arm;
use crate::state::{Id, NOWHERE, Status, Step};

impl At<'_> {
    /// 5.a: only in the Movement Turn of its own Formation.
    pub(crate) fn check_turn(self, step: Step, unit: Id) -> Result<(), Refusal> {
        if matches!(step, Step::March) && self.unit(unit).formation == self.state.active {
            return Ok(());
        }
        let what = self.battle.does(unit, "does not move now.");
        let formation = &self.battle.formations[usize::from(self.unit(unit).formation)].name;
        Err(Refusal::new(what, format!("It moves in the Movement Turn of {formation}."), cite!("5.a")))
    }

    /// 5.2.a and its relatives: the unit's move must not be over.
    pub(crate) fn check_unmoved(self, unit: Id) -> Result<(), Refusal> {
        if !self.state.moved.contains(unit) {
            return Ok(());
        }
        let what = format!("The move of {} is over.", self.name(unit));
        if self.state.rallied.contains(unit) {
            return Err(Refusal::new(what, "A rally is the whole move.", cite!("10.5.b")));
        }
        if self.state.stopped_entering.contains(unit) {
            return Err(Refusal::new(
                what,
                "It entered the map into an enemy zone of control and stopped.",
                cite!("12.3.a"),
            ));
        }
        if self.state.stopped.contains(unit) {
            return Err(Refusal::new(what, "It stopped in an enemy zone of control.", cite!("5.3.a")));
        }
        Err(Refusal::new(what, "A unit moves once in its Movement Turn, before the next.", cite!("5.2.a")))
    }

    pub(crate) fn check_movement(self, action: &Action) -> Result<(), Refusal> {
        match *action {
            Action::March { unit, to, path } => {
                self.check_unmoved(unit)?;
                self.check_march(unit, to, path)
            }
            Action::Mount { unit } => {
                self.check_seat(unit)?;
                self.check_mount(unit).map_err(|b| b.refusal(format!("{} may not mount.", self.name(unit))))
            }
            Action::Dismount { unit, horses } => {
                self.check_seat(unit)?;
                let what = || {
                    format!(
                        "{} may not dismount with its horses in {}.",
                        self.name(unit),
                        self.ground().name(horses)
                    )
                };
                self.check_dismount_with(unit, horses).map_err(|b| b.refusal(what()))
            }
            Action::Enter { unit, at } => {
                self.check_unmoved(unit)?;
                self.check_hand(unit)?;
                let place = if at == NOWHERE {
                    "beside its Area".to_owned()
                } else {
                    format!("at {}", self.ground().name(at))
                };
                let what = || format!("{} may not enter {place}.", self.name(unit));
                self.check_enter(unit, at).map_err(|b| b.refusal(what()))
            }
            Action::Exit { unit, by } => {
                self.check_unmoved(unit)?;
                self.check_exit(unit, by)
            }
            Action::Rally { unit } => {
                self.check_unmoved(unit)?;
                self.check_hand(unit)?;
                if self.state.hand == unit {
                    let what = format!("{} may not rally.", self.name(unit));
                    return Err(Refusal::new(
                        what,
                        "It has already moved; a rally is the whole move.",
                        cite!("10.5.b"),
                    ));
                }
                if self.must_return(unit) {
                    return Err(must_return(
                        format!("{} may not rally.", self.name(unit)),
                        self.battle,
                        unit,
                    ));
                }
                self.check_rally(unit).map_err(|b| b.refusal(format!("{} may not rally.", self.name(unit))))
            }
            _ => Ok(()),
        }
    }

    fn check_seat(self, unit: Id) -> Result<(), Refusal> {
        self.check_unmoved(unit)?;
        self.check_hand(unit)?;
        self.check_on_map(unit)?;
        self.check_held(unit)
    }

    /// 3.7.c: a unit in a friend's hex must march on before another acts.
    fn check_hand(self, unit: Id) -> Result<(), Refusal> {
        if self.state.must_march_on() {
            let what = format!("{} cannot act yet.", self.name(unit));
            let why = format!("{} stands in a friend's hex and must march on.", self.name(self.state.hand));
            return Err(Refusal::new(what, why, cite!("3.7.c")));
        }
        Ok(())
    }

    fn check_on_map(self, unit: Id) -> Result<(), Refusal> {
        match self.piece(unit).status {
            Status::OnMap => Ok(()),
            Status::Due | Status::Away => Err(Refusal::new(
                format!("{} is not on the map.", self.name(unit)),
                "It must enter first.",
                cite!("12.a"),
            )),
            _ => Err(Refusal::new(
                format!("{} is not on the map.", self.name(unit)),
                "It has left the field.",
                cite!("5.a"),
            )),
        }
    }

    fn check_held(self, unit: Id) -> Result<(), Refusal> {
        let Some(held) = self.unit(unit).held.filter(|_| self.held_back(unit)) else {
            return Ok(());
        };
        let hour = self.battle.hours.get(usize::from(held.until)).map_or(0, |h| h.clock % 24);
        let near = match held.unless_within {
            0 => String::new(),
            hexes => format!(", or when an enemy comes within {hexes} hexes"),
        };
        let what = format!("{} is held back.", self.name(unit));
        Err(Refusal::new(what, format!("The scenario releases it in Hour {hour}{near}."), held.rule))
    }

    /// `march`.
    fn check_march(self, unit: Id, to: Hex, path: u64) -> Result<(), Refusal> {
        if self.state.hand != unit {
            self.check_hand(unit)?;
        }
        self.check_on_map(unit)?;
        self.check_held(unit)?;
        let what = format!("{} may not march to {}.", self.name(unit), self.ground().name(to));
        if !self.may_march(unit) {
            return Err(Refusal::new(what, "A march is the whole move of a unit.", cite!("5.2.a")));
        }
        let field = self.field_of(self.side(unit));
        let bounds = self.bounds_of(&field, unit);
        if path == 0 || to != self.piece(unit).hex {
            self.check_end(&field, unit, to)?;
        }
        match path {
            0 => self.check_reach(&field, &bounds, unit, to)?,
            _ => self.check_way(&field, &bounds, unit, path)?,
        }
        self.check_leash(&field, unit, to)
    }

    /// Where a march may end: 3.7.
    fn check_end(self, field: &Field, unit: Id, to: Hex) -> Result<(), Refusal> {
        let what = format!("{} may not march to {}.", self.name(unit), self.ground().name(to));
        if !self.ground().on_map.contains(to) {
            return Err(Refusal::new(what, "It is not on the map.", cite!("5.5.a")));
        }
        if field.enemies.contains(to) {
            return Err(Refusal::new(what, "An enemy stands there.", cite!("3.7.a")));
        }
        if to == self.piece(unit).hex {
            return Err(Refusal::new(what, "It is there already.", cite!("5.1.a")));
        }
        if field.friends.contains(to) {
            return Err(Refusal::new(
                what,
                "A friend stands there; it may pass, but not stop.",
                cite!("3.7.c"),
            ));
        }
        Ok(())
    }

    fn check_leash(self, field: &Field, unit: Id, to: Hex) -> Result<(), Refusal> {
        let Some(leash) = self.leash_of(field, unit).filter(|l| !l.allows(to)) else {
            return Ok(());
        };
        let what = format!("{} may not march to {}.", self.name(unit), self.ground().name(to));
        if leash.is_overstretched() {
            return Err(Refusal::new(
                what,
                "It is more than 9 MP from its horses and must come nearer to them.",
                cite!("11.3.k"),
            ));
        }
        Err(Refusal::new(what, "It would be more than 9 infantry MP from its horses.", cite!("11.3.j")))
    }

    /// A hex in a zone that is closed to the unit, and why: 13.c, 5.3.e, 5.3.f, 5.3.c, the first that applies.
    fn zone_refusal(self, field: &Field, unit: Id, hex: Hex) -> Option<(&'static str, Rule)> {
        if !field.zone.contains(hex) {
            return None;
        }
        if self.is_night() {
            return Some(("At night no unit enters an enemy zone of control.", cite!("13.c")));
        }
        match self.arm_now(unit) {
            Arm::Artillery => {
                return Some(("Artillery does not enter an enemy zone of control.", cite!("5.3.e")));
            }
            Arm::Cavalry | Arm::HorseArtillery if field.foot_zone.contains(hex) => {
                let why =
                    "Cavalry and horse artillery do not enter the zone of control of infantry or artillery.";
                return Some((why, cite!("5.3.f")));
            }
            _ => {}
        }
        let why = "A unit that began in an enemy zone of control may not enter another this Turn.";
        self.state.began_in_zone.contains(unit).then_some((why, cite!("5.3.c")))
    }

    /// Why no march within the allowance leads there.
    fn check_reach(self, field: &Field, bounds: &Bounds, unit: Id, to: Hex) -> Result<(), Refusal> {
        let start = self.piece(unit).hex;
        let budget = self.points_left(unit);
        let costs = &self.ground().costs[self.column_now(unit) as usize];
        let mut reach = Explorer::new();
        let mut reaches = |budget: u8, bounds: &Bounds| {
            reach.explore(self.ground(), costs, start, budget, bounds, |_, _| {});
            reach.cost(to, start, bounds).is_some()
        };
        if reaches(budget, bounds) {
            return Ok(());
        }
        let what = format!("{} may not march to {}.", self.name(unit), self.ground().name(to));
        if let Some((why, rule)) = self.zone_refusal(field, unit, to) {
            return Err(Refusal::new(what, why, rule));
        }
        let without_zones = Bounds { closed: field.enemies, stops: HexSet::EMPTY };
        if reaches(budget, &without_zones) {
            let (why, rule) = self.zone_on_the_way(field, unit, to, budget);
            return Err(Refusal::new(what, why, rule));
        }
        if let Some((why, rule)) = self.closed_step(unit, to) {
            return Err(Refusal::new(what, why, rule));
        }
        Err(Refusal::new(what, too_dear(self.needed(field, unit, to), budget), cite!("5.2.c")))
    }

    /// What the cheapest march there would cost, if any allowance a unit may have pays for it.
    fn needed(self, field: &Field, unit: Id, to: Hex) -> Option<u8> {
        let free = Bounds { closed: field.enemies, stops: HexSet::EMPTY };
        let start = self.piece(unit).hex;
        let costs = &self.ground().costs[self.column_now(unit) as usize];
        let mut reach = Explorer::new();
        reach.explore(self.ground(), costs, start, MOST_POINTS as u8, &free, |_, _| {});
        reach.cost(to, start, &free)
    }

    /// The zone that bars the shortest way: entering it stops the unit, or it may not enter it at all.
    fn zone_on_the_way(self, field: &Field, unit: Id, to: Hex, budget: u8) -> (String, Rule) {
        let free = Bounds { closed: field.enemies, stops: HexSet::EMPTY };
        let start = self.piece(unit).hex;
        let costs = &self.ground().costs[self.column_now(unit) as usize];
        let mut reach = Explorer::new();
        reach.explore(self.ground(), costs, start, budget, &free, |_, _| {});
        let path = reach.path(self.ground(), costs, start, to, &free).unwrap_or_default();
        let stops = ("To enter an enemy zone of control ends the march.", cite!("5.3.a"));
        let Some(&hex) = path.iter().find(|h| field.zone.contains(**h)) else {
            return (stops.0.into(), stops.1);
        };
        let (why, rule) = self.zone_refusal(field, unit, hex).unwrap_or(stops);
        (format!("The shortest way leads through {}. {why}", self.ground().name(hex)), rule)
    }

    /// Terrain that closes the step to a neighbour, or every way farther off however many MPs there were.
    fn closed_step(self, unit: Id, to: Hex) -> Option<(&'static str, Rule)> {
        let start = self.piece(unit).hex;
        let costs = &self.ground().costs[self.column_now(unit) as usize];
        if let Some(direction) = self.ground().direction(start, to) {
            return (costs[start.index()][direction] == CLOSED)
                .then(|| self.terrain_refusal(unit, start, direction));
        }
        let open = Bounds { closed: HexSet::EMPTY, stops: HexSet::EMPTY };
        let far = MOST_POINTS as u8;
        let mut reach = Explorer::new();
        reach.explore(self.ground(), costs, start, far, &open, |_, _| {});
        if reach.cost(to, start, &open).is_some() {
            return None;
        }
        // As if closed ground were open: the first closed step on that way is what bars it.
        let opened: Vec<[u8; 6]> = (0..costs.len())
            .map(|hex| {
                std::array::from_fn(|d| match self.ground().beyond[hex][d] {
                    NOWHERE => CLOSED,
                    _ => {
                        if costs[hex][d] == CLOSED {
                            2
                        } else {
                            costs[hex][d]
                        }
                    }
                })
            })
            .collect();
        reach.explore(self.ground(), &opened, start, far, &open, |_, _| {});
        let path = reach.path(self.ground(), &opened, start, to, &open)?;
        let mut at = start;
        for next in path {
            let direction = self.ground().direction(at, next)?;
            if costs[at.index()][direction] == CLOSED {
                return Some(self.terrain_refusal(unit, at, direction));
            }
            at = next;
        }
        None
    }

    /// 5.4.1.b, 5.4.4.e, 5.2.e: what closes a step.
    fn terrain_refusal(self, unit: Id, from: Hex, direction: usize) -> (&'static str, Rule) {
        let to = self.ground().beyond[from.index()][direction];
        let column = self.column_now(unit) as usize;
        let row = &self.battle.charts.hexes[usize::from(self.ground().terrain[to.index()])];
        if row.cost[column].is_none() {
            return match row.name.as_str() {
                "marsh" => {
                    ("Marsh is closed to it except by road, minor road or railroad.", cite!("5.4.1.b"))
                }
                _ => ("The ground there is closed to it.", cite!("5.2.e")),
            };
        }
        let features = self.ground().side_features(from, direction);
        if features.has(Feature::Escarpment)
            && self.battle.charts.sides[Feature::Escarpment as usize].cost[column].is_none()
        {
            return ("It crosses an escarpment only by road, minor road or railroad.", cite!("5.4.4.e"));
        }
        ("The hexside is closed to it.", cite!("5.2.e"))
    }

    /// A way that is named hex by hex.
    fn check_way(self, field: &Field, bounds: &Bounds, unit: Id, path: u64) -> Result<(), Refusal> {
        let costs = &self.ground().costs[self.column_now(unit) as usize];
        let mut at = self.piece(unit).hex;
        let mut left = self.points_left(unit);
        let way: Vec<Hex> = self.ground().walk(at, path).collect();
        for (i, &next) in way.iter().enumerate() {
            let what = format!("{} may not march over {}.", self.name(unit), self.ground().name(next));
            let Some(direction) = self.ground().direction(at, next) else { break };
            if field.enemies.contains(next) {
                return Err(Refusal::new(what, "An enemy stands there.", cite!("3.7.a")));
            }
            if costs[at.index()][direction] == CLOSED {
                let (why, rule) = self.terrain_refusal(unit, at, direction);
                return Err(Refusal::new(what, why, rule));
            }
            if bounds.closed.contains(next)
                && let Some((why, rule)) = self.zone_refusal(field, unit, next)
            {
                return Err(Refusal::new(what, why, rule));
            }
            if costs[at.index()][direction] > left {
                let needs = costs[at.index()][direction];
                return Err(Refusal::new(what, too_dear(Some(needs), left), cite!("5.2.c")));
            }
            left -= costs[at.index()][direction];
            if bounds.stops.contains(next) && i + 1 < way.len() {
                return Err(Refusal::new(
                    what,
                    "Entering an enemy zone of control ends the march.",
                    cite!("5.3.a"),
                ));
            }
            at = next;
        }
        Ok(())
    }

    /// `exit`.
    fn check_exit(self, unit: Id, by: Hex) -> Result<(), Refusal> {
        if self.state.hand != unit {
            self.check_hand(unit)?;
        }
        self.check_on_map(unit)?;
        self.check_held(unit)?;
        let what = format!("{} may not leave the map at {}.", self.name(unit), self.ground().name(by));
        if self.battle.way_out(unit, by, self.state.hour).is_none() {
            return Err(Refusal::new(what, "The scenario leaves no way out there.", cite!("5.5.a")));
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
                return Err(Refusal::new(
                    what,
                    "Entering an enemy zone of control ends the march.",
                    cite!("5.3.a"),
                ));
            }
            let bounds = self.bounds_of(&field, unit);
            if !field.friends.contains(by) {
                self.check_reach(&field, &bounds, unit, by)?;
            }
        }
        Err(Refusal::new(what, too_dear(None, self.points_left(unit)), cite!("5.2.c")))
    }
}

/// 11.3.k: beyond its leash a unit comes nearer to its horses before anything else.
pub(crate) fn must_return(what: String, battle: &Battle, unit: Id) -> Refusal {
    let why = does(battle.name(unit), "is more than 9 MP from the horses and must come nearer to them.");
    Refusal::new(what, why, cite!("11.3.k"))
}

/// "Not enough movement points (needs 5, has 3)."
fn too_dear(needs: Option<u8>, has: u8) -> String {
    match needs {
        Some(needs) => format!("Not enough movement points (needs {needs}, has {has})."),
        None => format!("Not enough movement points (has {has})."),
    }
}
