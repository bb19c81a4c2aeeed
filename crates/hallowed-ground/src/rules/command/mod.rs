//! Chapters 5.2 to 5.6: brigade activation, the six orders and the orders test.

pub(crate) mod maneuvers;
pub(crate) mod offered;
pub(crate) mod retire;
pub(crate) mod roads;

use arrayvec::ArrayVec;
use game::words::{counted, does, number};
use game::{Allowed, Die, Effects, Entry, Kind, RollNote, Sum};
use table::{EPS, MIL, Pose, Pt, Rect, Spot, Way};

use crate::action::{Maneuver, Order};
use crate::at::{At, Run};
use crate::field::{Field, Surroundings};
use crate::legal::no;
use crate::rules::charts::{COMMAND, footprint};
use crate::rules::command::maneuvers::{Bounds, Plan, Trail};
use crate::rules::formations::Formation;
use crate::rules::sequence::Step;
use crate::setup::battle::Battle;
use crate::setup::pieces::{BrigadeId, CommanderId, MAX_BRIGADES, Specials, UnitId, piece, place_of};
use crate::state::{Flags, Marker, State, Whereabouts};

const fn bounds(exit: bool) -> Bounds {
    if exit { Bounds::Exit } else { Bounds::Stay }
}

impl State {
    /// Has the unit yet to get its order in this activation (5.4.a)?
    pub(crate) fn awaits_order(&self, u: UnitId) -> bool {
        self.on_table(u) && !self.unit(u).flags.has(Flags::ORDERED)
    }
}

impl Field<'_> {
    /// Whether an order may be given, and what its maneuver comes to.
    pub(crate) fn plan(
        &self,
        brigade: BrigadeId,
        u: UnitId,
        order: &Order,
        way: &mut Trail,
    ) -> Allowed<Option<Plan>> {
        if self.battle.unit(u).brigade != brigade {
            return no(cite!("5.b"), "Only units of the activated brigade get orders.");
        }
        if !self.state.awaits_order(u) {
            return no(cite!("5.4.a"), "The unit already has its order.");
        }
        self.surroundings(u, order).plan(order, way)
    }
}

impl<'a> Field<'a> {
    /// How far afield an order can lead.
    pub(crate) fn surroundings<'f>(&'f self, u: UnitId, order: &Order) -> Surroundings<'f, 'a> {
        let rate = i64::from(self.rate(u)) * MIL;
        let travel = match order {
            Order::Hold | Order::Rally => 0,
            Order::Advance { .. } | Order::Reform { .. } => rate,
            Order::March { .. } => 2 * rate,
        };
        Surroundings::new(self, u, travel)
    }
}

impl Surroundings<'_, '_> {
    /// The same for a unit that awaits its order, among what lies within its reach.
    pub(crate) fn plan(&self, order: &Order, way: &mut Trail) -> Allowed<Option<Plan>> {
        let (field, u) = (self.field, self.unit);
        let brigade = field.battle.unit(u).brigade;
        let broken = field.state.brigade_broken(brigade);
        match *order {
            Order::Hold => Ok(None),
            Order::Rally => {
                let commander = &field.state.commanders[field.battle.brigade(brigade).commander.i()];
                if broken {
                    return no(cite!("11.3.c"), "Units of a Broken brigade may not be rallied.");
                }
                if commander.rallied || !commander.on_table {
                    return no(cite!("5.4.j"), "A brigade commander issues one Rally a turn.");
                }
                Ok(None)
            }
            Order::Advance { maneuver, change, exit } => {
                if broken && !matches!(maneuver, Maneuver::Retire { .. }) {
                    return no(cite!("11.3.d"), "A unit of a Broken brigade may only Retire.");
                }
                let plan = self.plan_advance(maneuver, change, bounds(exit), way)?;
                if broken && !field.away_from_enemies(u, &plan) {
                    return no(cite!("11.3.d"), "The Retire must not bring it nearer to the enemy.");
                }
                Ok(Some(plan))
            }
            Order::March { double, exit } => {
                if broken {
                    return no(cite!("11.3.c"), "Units of a Broken brigade may not March.");
                }
                Ok(Some(self.plan_march(double, bounds(exit), way)?))
            }
            Order::Reform { formation, facing } => Ok(Some(self.plan_reform(formation, facing, way)?)),
        }
    }
}

impl Field<'_> {
    /// Its end is not nearer to the nearest enemy than its start (R92).
    fn away_from_enemies(&self, u: UnitId, plan: &Plan) -> bool {
        let end = table::Rect::new(plan.pose, footprint(self.battle.unit(u).arm, plan.formation));
        let nearest =
            |r: &table::Rect| self.enemies(u).map(|e| r.distance(self.rect(e))).min().unwrap_or(i64::MAX);
        plan.exit || nearest(&end) >= nearest(self.rect(u)) - EPS
    }

    /// How many complete 12 in lie between a unit and its brigade commander (5.6.i, 7.3.f).
    pub(crate) fn twelves(&self, u: UnitId) -> i16 {
        let c = self.battle.brigade(self.battle.unit(u).brigade).commander;
        if !self.state.commanders[c.i()].on_table {
            return 0;
        }
        ((self.commander_distance(c, u) + EPS) / COMMAND) as i16
    }

    /// The modifiers of the orders test (5.6.e to 5.6.l).
    pub(crate) fn orders_mods(&self, u: UnitId) -> Sum {
        let (battle, state) = (self.battle, self.state);
        let brigadier = battle.brigade(battle.unit(u).brigade).commander;
        let his = &state.commanders[brigadier.i()];
        let near = |c: CommanderId| {
            let now = &state.commanders[c.i()];
            now.on_table && now.attached.is_none() && self.commander_distance(c, u) <= COMMAND + EPS
        };
        let mut mods = Sum::new();
        mods.add_if(state.has_commander(u), 2, "commander attached", cite!("5.6.e"));
        mods.add_if(near(brigadier), 1, "brigade commander within 12 in", cite!("5.6.f"));
        let general = battle.army_commander(battle.unit(u).side);
        mods.add_if(general.is_some_and(near), 1, "army commander within 12 in", cite!("5.6.g"));
        mods.add_if(!state.unit(u).shaken, 1, "Steady", cite!("5.6.h"));
        let independent = battle.unit(u).specials.has(Specials::INDEPENDENT);
        mods.add_if(!independent, -self.twelves(u), "each 12 in from the brigade commander", cite!("5.6.i"));
        mods.add_if(
            his.attached.is_some_and(|v| v != u),
            -1,
            "brigade commander attached elsewhere",
            cite!("5.6.j"),
        );
        mods.add_if(self.enemy_near(u), -1, "enemy within 6 in", cite!("5.6.k"));
        mods.add_if(state.unit(u).shaken, -2, "Shaken", cite!("5.6.l"));
        mods
    }
}

impl<F: Effects> Run<'_, F> {
    /// Rolls an orders test; a unit without hits passes unrolled (5.6.a to 5.6.d).
    pub(crate) fn orders_test(&mut self, u: UnitId) -> bool {
        let hits = i16::from(self.state.unit(u).hits);
        if hits == 0 {
            return true;
        }
        let mods = self.field().orders_mods(u);
        let roll = self.two_dice(u, "orders test", &mods, cite!("5.6.b"));
        let passed = roll != 2 && roll + mods.total() > hits;
        self.fx.tell(|| {
            let (name, total) = (self.battle.unit(u).name.as_str(), number(roll + mods.total()));
            let text = match (passed, roll) {
                (true, _) => format!("{}: {total} beats {}.", does(name, "obeys"), counted(hits, "hit")),
                (false, 2) => does(name, "blunders."),
                (false, _) => {
                    format!("{} not obey: {total} against {}.", does(name, "does"), counted(hits, "hit"))
                }
            };
            let rule = if roll == 2 { cite!("5.6.d") } else { cite!("5.6.b") };
            Entry::new(Kind::Check, text).side(self.battle.unit(u).side).rule(rule).piece(piece(u))
        });
        passed
    }

    /// Gives an order: test, then the maneuver, or Hold (5.6.c).
    pub(crate) fn issue_order(&mut self, brigade: BrigadeId, u: UnitId, order: &Order) {
        let mut way = Trail::new();
        let Ok(plan) = self.field().plan(brigade, u, order, &mut way) else { return };
        if *order == Order::Rally {
            self.state.commanders[self.battle.brigade(brigade).commander.i()].rallied = true;
        }
        let obeys = *order == Order::Hold || self.orders_test(u);
        let unit = self.state.unit_mut(u);
        unit.flags.set(Flags::ORDERED);
        unit.order = Some(if obeys { order.marker() } else { Marker::Hold });
        if !obeys {
            return;
        }
        match order {
            Order::Rally => Run::new(self.battle, self.state, self.fx).rally(u),
            Order::March { .. } => unit.flags.set(Flags::SILENT),
            _ => {}
        }
        if let Some(plan) = plan {
            let swept = self.at().swept(u, order, &plan, &way);
            self.carry_out(u, &plan, &way);
            self.evade(self.battle.unit(u).side, &swept);
            if plan.exit {
                self.leave_table(u);
            }
        }
    }

    /// Removes 1D3 hits; below its Shaken value the unit is Steady again (5.4.h, 5.4.i).
    fn rally(&mut self, u: UnitId) {
        let name = &self.battle.unit(u).name;
        let note = || {
            let back = (0..=6_u8).map(|die| format!("{} taken off", counted(die.div_ceil(2), "hit")));
            RollNote::new(format!("{name}: rally, half of the die rounded up"), cite!("5.4.h"))
                .outcomes(back)
                .side(self.battle.unit(u).side)
                .by(piece(u))
        };
        let recovered = self.fx.die(Die::D6, note).div_ceil(2);
        let unit = self.state.unit_mut(u);
        unit.hits = unit.hits.saturating_sub(recovered);
        if unit.hits < self.battle.unit(u).arm.morale().0 {
            unit.shaken = false;
        }
        let (hits, shaken) = (unit.hits, unit.shaken);
        self.fx.tell(|| {
            let now = if shaken { "Shaken" } else { "Steady" };
            Entry::new(
                Kind::Rally,
                format!("{}: {} left, {now}.", does(name, "rallies"), counted(hits, "hit")),
            )
            .side(self.battle.unit(u).side)
            .rule(cite!("5.4.i"))
            .piece(piece(u))
        });
    }

    /// Puts a unit where its maneuver leads.
    fn carry_out(&mut self, u: UnitId, plan: &Plan, way: &[Pose]) {
        let unit = self.state.unit(u);
        let changed =
            plan.exit || unit.pose != plan.pose || unit.formation != plan.formation || way.len() > 1;
        self.fx.tell(|| {
            let text = if changed { "moves" } else { "stays" };
            let mut entry = Entry::new(Kind::March, format!("{}.", does(&self.battle.unit(u).name, text)))
                .side(self.battle.unit(u).side)
                .rule(cite!("5.5.a"))
                .piece(piece(u));
            for pose in way {
                entry = entry.place(place_of(*pose));
            }
            entry
        });
        let reformed = self.state.unit(u).formation != plan.formation;
        self.state.shift_unit(self.battle, u, plan.pose);
        let unit = self.state.unit_mut(u);
        unit.formation = plan.formation;
        if reformed || way.len() > 2 {
            unit.road = None;
        }
        unit.road = plan.road.or(unit.road);
        if changed {
            unit.flags.set(Flags::MOVED);
        }
        self.state.commanders_follow(self.battle, u);
    }
}

impl At<'_> {
    /// The ground a maneuver takes a unit over, from pose to pose, and where it ends.
    fn swept(self, u: UnitId, order: &Order, plan: &Plan, way: &[Pose]) -> ArrayVec<Way, 16> {
        let size = |f: Formation| footprint(self.battle.unit(u).arm, f);
        let (before, after) = (size(self.state.unit(u).formation), size(plan.formation));
        let under_way = if order.changes_first() { after } else { before };
        let between = |size: table::Size, from: Pose, to: Pose| {
            Way::between(&Rect::new(from, size), &Rect::new(to, size))
        };
        let legs = way.windows(2).map(|leg| between(under_way, leg[0], leg[1]));
        legs.chain([between(after, plan.pose, plan.pose)]).collect()
    }
}

impl Battle {
    /// Where the leading point of a unit has gone off: a disc that touches the edge there from within (R32).
    fn spot_left_behind(&self, rect: &Rect, radius: i64) -> Spot {
        let (width, height) = (self.top.width, self.top.height);
        let room = |p: Pt| p.x.min(p.y).min(width - p.x).min(height - p.y);
        let (front, rear) = (rect.front, rect.rear_middle());
        let lead = if room(rear) < room(front) { rear } else { front };
        let mut at = Pt::new(lead.x.clamp(radius, width - radius), lead.y.clamp(radius, height - radius));
        match room(lead) {
            gap if gap == lead.x => at.x = radius,
            gap if gap == lead.y => at.y = radius,
            gap if gap == width - lead.x => at.x = width - radius,
            _ => at.y = height - radius,
        }
        at.spot()
    }
}

impl<F: Effects> Run<'_, F> {
    /// A voluntary exit (5.5.af to 5.5.ah); attached commanders stay at the edge (R32).
    fn leave_table(&mut self, u: UnitId) {
        let shaken = self.state.unit(u).shaken;
        let rect = self.at().rect_of(u);
        for c in self.battle.all_officers() {
            let commander = &mut self.state.commanders[c.i()];
            if commander.attached == Some(u) {
                commander.attached = None;
                commander.at = self.battle.spot_left_behind(&rect, self.battle.officer(c).radius());
            }
        }
        let rule = if shaken { cite!("5.5.ah") } else { cite!("5.5.ag") };
        self.fx.tell(|| {
            Entry::new(Kind::Gone, does(&self.battle.unit(u).name, "leaves the table."))
                .side(self.battle.unit(u).side)
                .rule(rule)
                .piece(piece(u))
        });
        self.state.unit_mut(u).place = if shaken { Whereabouts::Broken } else { Whereabouts::Left };
        if shaken {
            self.check_brigade(self.battle.unit(u).brigade);
        }
    }
}

impl At<'_> {
    /// Brigades of the active side that have yet to be activated and have a unit on the table.
    pub(crate) fn to_activate(self) -> ArrayVec<BrigadeId, MAX_BRIGADES> {
        let present = |b: &BrigadeId| {
            self.battle.all_units().any(|u| self.battle.unit(u).brigade == *b && self.state.on_table(u))
        };
        self.battle
            .brigades_of(self.state.active)
            .filter(|b| !self.state.activated.has(*b))
            .filter(present)
            .collect()
    }

    /// May this brigade be activated next (5.3.a)?
    pub(crate) fn may_activate(self, brigade: BrigadeId) -> Allowed {
        if self.to_activate().contains(&brigade) {
            Ok(())
        } else {
            no(cite!("5.3.a"), "Choose one of your brigades that has not been activated this turn.")
        }
    }
}

impl State {
    /// A brigade is activated: engaged units hold at once (5.4.l), the others await orders.
    pub(crate) fn activate(&mut self, battle: &Battle, brigade: BrigadeId) {
        self.activated.insert(brigade);
        for u in battle.all_units().filter(|u| battle.unit(*u).brigade == brigade) {
            if self.on_table(u) && self.engaged(u) && self.awaits_order(u) {
                let unit = self.unit_mut(u);
                unit.order = Some(Marker::Hold);
                unit.flags.set(Flags::ORDERED);
            }
        }
        self.agenda.push(Step::BrigadeRides { brigade });
        self.agenda.push(Step::Orders { brigade });
    }

    /// The last brigade is activated without asking; when all have been, activation is over (5.3.d).
    pub(crate) fn activate_the_only_one(&mut self, battle: &Battle) {
        match At::new(battle, self).to_activate().first() {
            Some(b) => self.activate(battle, *b),
            None => {
                self.agenda.pop();
            }
        }
    }
}

impl At<'_> {
    pub(crate) fn anyone_waits(self, brigade: BrigadeId) -> bool {
        self.battle.all_units().any(|u| self.battle.unit(u).brigade == brigade && self.state.awaits_order(u))
    }
}
