//! The defender's actions: what a target announces, its fire and its supporters', facing, squares, retiring
//! (charge.defender, qrs.square).

use arrayvec::ArrayVec;
use game::{Allowed, Die, Effects, Kind, No, RollNote, Sum};
use table::{Angle, EPS, INCH};

use crate::action::Action;
use crate::at::{At, Run};
use crate::cite;
use crate::legal::require;
use crate::rules::basics::{Arm, Formation, Layout, Shape};
use crate::rules::charge::movement::no_flanks;
use crate::rules::charge::{Charged, Charger, Reaction};
use crate::rules::contact::turned_shape;
use crate::rules::fire::{Aim, Bearing, FireOrder, Shot, Volley, When};
use crate::rules::rolls::piece;
use crate::rules::rout;
use crate::rules::sequence::{Phase, Step};
use crate::setup::battle::Battle;
use crate::state::{BodyId, Face, Marks, Order, Part, State};

impl At<'_> {
    /// What a target may announce.
    pub(crate) fn check_reaction(self, target: usize, reaction: Reaction) -> Allowed {
        let charged = &self.state.charge.targets[target];
        let body = self.body(charged.body);
        let chargers = self.state.charge.chargers.iter().filter(|c| c.on && c.line.at == charged.body);
        match reaction {
            Reaction::None => Err(No::new(cite!("charge.defender.c"), "it must announce something")),
            Reaction::Stand => Ok(()),
            _ if body.marks.has(Marks::ON_WALL) => {
                Err(No::new(cite!("fort.assault.b"), "defenders on a wall stand and fire, nothing else"))
            }
            Reaction::Retire { .. }
                if self.battle.arm(body).is_artillery() && !self.state.can_go_out(body.bmu, Part::Crew) =>
            {
                Err(No::new(cite!("charge.defender.f"), "no more bodies fit on the table for its gunners"))
            }
            Reaction::Retire { .. } => self.may_fire(charged.body, When::Defence).map_err(|_| {
                No::new(cite!("charge.defender.d"), "it cannot fire and retire because it cannot fire")
            }),
            Reaction::Counter => {
                if self.battle.arm(body).is_artillery()
                    || no_flanks(body) && !body.skirmishing()
                    || body.order.broken()
                {
                    return Err(No::new(
                        cite!("charge.defender.c"),
                        "guns, squares and the Shaken do not countercharge",
                    ));
                }
                let layout = body.layout(self.battle);
                let wedge = table::Wedge::new(layout.pose.at.pt(), layout.pose.facing, 4500);
                let ahead = chargers.clone().any(|c| wedge.meets(&self.lead_stand(c).block()));
                if ahead {
                    Ok(())
                } else {
                    Err(No::new(cite!("charge.defender.c"), "the charge does not come from its front"))
                }
            }
            Reaction::Face => {
                if no_flanks(body) || self.battle.arm(body).is_artillery() {
                    return Err(No::new(cite!("charge.defender.c"), "it has no other face to show"));
                }
                if chargers.clone().any(|c| c.face != Face::Front) {
                    Ok(())
                } else {
                    Err(No::new(cite!("charge.defender.c"), "it faces the charge already"))
                }
            }
            Reaction::Square => self.may_form_square(charged.body),
        }
    }

    fn may_form_square(self, id: BodyId) -> Allowed {
        let body = self.body(id);
        if body.shape.formation.is_loose() {
            return Err(No::new(cite!("basics.formations.e"), "skirmishers and mobs do not form square"));
        }
        if self.battle.arm(body) != Arm::Infantry
            || body.shape.formation == Formation::Square
            || body.fighting(self.battle) < 2
        {
            return Err(No::new(cite!("charge.defender.c"), "only formed infantry forms square"));
        }
        if self.squared(id).is_none() {
            return Err(No::new(cite!("charge.defender.c"), "there is no room for a square"));
        }
        Ok(())
    }

    /// The square on the same middle, its first rank towards the charger (R34).
    pub(crate) fn squared(self, id: BodyId) -> Option<Layout> {
        let body = self.body(id);
        let charger = self.state.charge.chargers.iter().find(|c| c.on && c.line.at == id)?;
        let layout = body.layout(self.battle);
        let from = self.layout(charger.line.by).centre();
        let towards = Angle::of(from - layout.centre());
        let shape = Shape::of(Formation::Square, self.battle.arm(body), body.fighting(self.battle), 0);
        // One of the four fronts as it stands, whichever looks at the charger most nearly.
        let quarter = (layout.pose.facing.turn_to(towards) + 36_000 + 4500) / 9000 * 9000;
        let square = layout.rearranged(shape, layout.pose.facing.turned(quarter));
        let lead = self.lead_stand(charger);
        (self.is_free(id, &square) && square.distance(&lead) > EPS).then_some(square)
    }

    /// The number of the test to face or form square (qrs.square).
    pub(crate) fn square_number(self, target: usize) -> Sum {
        let id = self.state.charge.targets[target].body;
        let body = self.body(id);
        let mods = &self.battle.tables.test.square.modifiers;
        let mut sum = Sum::of(self.battle.tables.test.square.base, "base", cite!("qrs.square.a"));
        sum.add(mods.rating(self.battle.info(body).morale), "morale rating", cite!("qrs.square.b"));
        let nearest =
            self.state.charge.chargers.iter().filter(|c| c.on && c.line.at == id).min_by_key(|c| c.d);
        if nearest.is_some_and(|c| 2 * c.d > self.battle.rate(self.body(c.line.by)).charge) {
            sum.add(mods.charge_over_half, "charge over half", cite!("qrs.square.c"));
        }
        if self.attached_helper(id).is_some() {
            sum.add(mods.sub_commander_attached, "sub-commander attached", cite!("qrs.square.d"));
        }
        if self.is_drilled(id) {
            sum.add(mods.perfectionist, "perfectionist", cite!("personality.f"));
        }
        sum
    }

    /// The band in which the charger begins: gunners fire and run at no longer range than that (R38).
    fn band_at_start(self, target: usize) -> u8 {
        let charged = &self.state.charge.targets[target];
        let body = self.body(charged.body);
        let Some(charger) = charger_chosen(self.state, charged) else { return 0 };
        let far = self.lead_stand(charger).distance(&body.layout(self.battle));
        let ranges = self.battle.info(body).weapon.ranges;
        ranges.iter().position(|limit| far <= limit + EPS).unwrap_or(3) as u8
    }

    /// The fire of the target of a charge.
    fn shot_of_target(self, volley: &Volley) -> Option<Shot> {
        let charger = charger_under(self.state, volley)?;
        let target = self.state.charge.targets.iter().find(|t| t.body == volley.by)?;
        let ranges = self.info(target.body).weapon.ranges;
        let guns = self.battle.arm(self.body(target.body)).is_artillery();
        let (lead, band, when) = match target.reaction {
            Reaction::Retire { band } if guns && band > 0 => {
                let band = usize::from(band.min(3));
                (self.lead_at(charger, ranges[band]).0, band, When::Support)
            }
            _ => (self.test_point(charger).0, 0, When::Defence),
        };
        // It fires as the lead stand comes into the band, from whatever side (R32, R38).
        let bearing = self.bearing(target.body, charger.line.by, &lead).ok()?;
        let aim = Bearing { band, ..bearing };
        let stands = aim.stands & self.stands_in_place(target);
        if stands == 0 {
            return None;
        }
        let plain = FireOrder::plain(when, stands);
        let order = FireOrder { half: halves(target.reaction), masked: target.masked, ..plain };
        Some(self.shot(target.body, charger.line.by, &lead, &aim, order))
    }

    /// The stands of a target that did not just fall back on it: those who did stand behind or beside the others and do not
    /// fire (skirmish.g).
    fn stands_in_place(self, target: &Charged) -> u16 {
        let stands = self.layout(target.body).stands.saturating_sub(target.rejoined);
        (1u16 << stands.min(15)) - 1
    }

    /// A fire in support of the target of a charge.
    fn shot_of_support(self, volley: &Volley) -> Option<Shot> {
        self.shot_in_support(volley.by, charger_under(self.state, volley)?)
    }

    /// What a body would fire at a charger in support, with all stands that bear.
    pub(crate) fn shot_in_support(self, by: BodyId, charger: &Charger) -> Option<Shot> {
        let lead = self.test_point(charger).0;
        let aim = self.bearing(by, charger.line.by, &lead).ok()?;
        let order = FireOrder::plain(When::Support, aim.stands);
        Some(self.shot(by, charger.line.by, &lead, &aim, order))
    }

    pub(crate) fn offer_reactions(self, target: usize, out: &mut Vec<Action>) {
        let charged = self.state.charge.targets[target];
        let guns = self.battle.arm(self.body(charged.body)).is_artillery();
        let mut all: ArrayVec<Reaction, 8> = ArrayVec::new();
        all.push(Reaction::Stand);
        for band in 0..if guns { 4 } else { 1 } {
            all.push(Reaction::Retire { band });
        }
        all.extend([Reaction::Counter, Reaction::Face, Reaction::Square]);
        for reaction in all {
            if self.check_reaction(target, reaction).is_err() {
                continue;
            }
            for (i, charger) in self.state.charge.chargers.iter().enumerate() {
                if charger.on && charger.line.at == charged.body {
                    out.push(Action::React { reaction, fires_at: i as u8 });
                }
            }
        }
    }

    pub(crate) fn offer_support(self, out: &mut Vec<Action>) {
        out.extend(self.fire_supporters().map(|(by, at)| Action::Support { by, at }));
    }

    /// Whether a target may announce a reaction with its fire at one of those who charge it.
    pub(crate) fn check_reaction_at(self, target: usize, reaction: Reaction, fires_at: u8) -> Allowed {
        let charged = self.state.charge.targets[target];
        let charger = self.state.charge.chargers.get(usize::from(fires_at));
        let charges_it = charger.is_some_and(|c| c.on && c.line.at == charged.body);
        require(charges_it, cite!("charge.defender.a"), "it fires at one of those who charge it")?;
        self.check_reaction(target, reaction)
    }

    pub(crate) fn may_support(self, by: BodyId, at: u8) -> Allowed {
        let why = "it does not have the charger within its medium range, in arc and in sight";
        require(self.fire_supporters().any(|s| s == (by, at)), cite!("charge.sequence.d"), why)
    }
}

impl<F: Effects> Run<'_, F> {
    /// Rolls to face or form square.
    pub(crate) fn square_test(&mut self, target: usize, what: &str) -> bool {
        let sum = self.at().square_number(target);
        let id = self.state.charge.targets[target].body;
        self.missed_by(id, &sum, what, cite!("qrs.square.a")) == 0
    }

    pub(crate) fn react_to_charge(&mut self, target: usize, reaction: Reaction, fires_at: u8) {
        let charged = &mut self.state.charge.targets[target];
        charged.reaction = reaction;
        charged.fires_at = fires_at;
        let id = charged.body;
        if let Reaction::Retire { band } = reaction {
            let band = band.min(self.at().band_at_start(target));
            self.state.charge.targets[target].reaction = Reaction::Retire { band };
        }
        self.tell_of(id, Kind::Check, reaction_words(reaction), cite!("charge.defender.c"));
        if reaction == Reaction::Face && self.square_test(target, "faces the charge") {
            self.state.face_charger(self.battle, target);
        }
    }

    /// Rolls the next of the fires on the chargers, the first `own` of which are their targets'; when all are rolled, they
    /// strike together.
    pub(crate) fn charge_volley(&mut self, next: u8, own: u8) {
        let Some(volley) = self.state.volleys.get(usize::from(next)) else {
            self.state.agenda.pop();
            return self.strike_chargers();
        };
        let shot = match next < own {
            true => self.at().shot_of_target(volley),
            false => self.at().shot_of_support(volley),
        };
        self.state.agenda.replace(Step::ChargeVolleys { next: next + 1, own });
        if let Some(shot) = shot {
            let hits = self.roll_shot(&shot);
            let volley = &mut self.state.volleys[usize::from(next)];
            (volley.hits, volley.through) = (hits, shot.through);
        }
    }

    /// What the fires on the chargers have come to falls on them all at once.
    fn strike_chargers(&mut self) {
        for volley in std::mem::take(&mut self.state.volleys) {
            let Aim::Body(at) = volley.at else { continue };
            let Some(index) = self.state.charge.chargers.iter().position(|c| c.line.by == at) else {
                continue;
            };
            self.state.note_fired(volley.by, Marks::FIRED_EARLY);
            if self.state.phase == Phase::Movement {
                self.state.body_mut(volley.by).marks.set(Marks::FIRED_AT_DASH);
            }
            let before = self.state.body(at).fresh;
            self.apply_shot(volley.by, at, volley.through, volley.hits);
            let charger = &mut self.state.charge.chargers[index];
            charger.under_fire = true;
            charger.hits += self.state.bodies[at.i()].fresh - before.min(self.state.bodies[at.i()].fresh);
            if !self.state.body(at).on_table() {
                self.state.charge.chargers[index].on = false;
                self.state.charge.chargers[index].joined = false;
            }
        }
    }

    pub(crate) fn after_fire(&mut self, target: usize) {
        self.state.agenda.pop();
        let charged = self.state.charge.targets[target];
        let own = self.state.chargers_at(charged.body);
        let Some(first) = own.first() else { return };
        let by = self.state.charge.chargers[usize::from(*first)].line.by;
        let id = charged.body;
        match charged.reaction {
            Reaction::Square => {
                let room = self.at().squared(id);
                if self.square_test(target, "forms square")
                    && let Some(square) = room
                {
                    let body = self.state.body_mut(id);
                    body.pose = square.pose;
                    body.shape = square.shape;
                    body.marks.set(Marks::MOVED.and(Marks::MOVED_EARLY));
                    for c in self.state.charge.chargers.iter_mut().filter(|c| c.line.at == id) {
                        c.face = Face::Front;
                    }
                    self.tell_of(id, Kind::March, "forms square", cite!("qrs.square.a"));
                }
            }
            Reaction::Retire { band } if self.battle.arm(self.state.body(id)).is_artillery() => {
                let plus = [0, 1, 3, 3][usize::from(band.min(3))];
                let die = self.die(Die::D6, |here| {
                    RollNote::new(format!("the gunners of {} run", here.name(id)), cite!("charge.defender.f"))
                        .side(here.side_of(id))
                        .by(piece(id))
                        .modifiers(vec![game::Modifier::new(
                            plus,
                            "range they fired at",
                            cite!("charge.defender.f"),
                        )])
                });
                self.state.charge.targets[target].gone = true;
                self.abandon_guns(id, by, (i64::from(die) + i64::from(plus)) * INCH);
            }
            Reaction::Retire { .. } => {
                self.state.become_mob(self.battle, id);
                let length = self.rout_roll(id, "retires");
                self.state.charge.targets[target].gone = true;
                let flight = rout::Flight { cause: Some(by), order: Order::Suppressed, later: false };
                self.flee_by(id, flight, length);
                self.tell_of(id, Kind::Retreat, "has fired and retires", cite!("charge.defender.d"));
            }
            _ => {}
        }
    }

    /// A friend of the target will fire at a charger.
    pub(crate) fn fire_in_support(&mut self, by: BodyId, at: u8) {
        let charger = self.state.charge.chargers[usize::from(at)];
        let lead = self.at().test_point(&charger).0;
        if let Ok(aim) = self.at().bearing(by, charger.line.by, &lead) {
            self.state.volleys.push(Volley::of(by, Aim::Body(charger.line.by), aim.stands));
        }
    }
}

/// The charger a target deals with: the one it named, or the first to come (R122).
fn charger_chosen<'s>(state: &'s State, target: &Charged) -> Option<&'s Charger> {
    let own = state.chargers_at(target.body);
    let index = own.iter().find(|i| **i == target.fires_at).or_else(|| own.first())?;
    state.charge.chargers.get(usize::from(*index))
}

impl State {
    /// Every stand turns in place towards the charger (R34).
    pub(crate) fn face_charger(&mut self, battle: &Battle, target: usize) {
        let id = self.charge.targets[target].body;
        let Some(charger) = charger_chosen(self, &self.charge.targets[target]) else { return };
        let lead = At::new(battle, self).lead_stand(charger).pose.at.pt();
        let body = self.body(id);
        let layout = body.layout(battle);
        let towards = layout.pose.facing.turn_to(Angle::of(lead - layout.centre()));
        let turn = [9000, 18_000, -9000].into_iter().min_by_key(|t| {
            let off = (towards - t).rem_euclid(36_000);
            off.min(36_000 - off)
        });
        self.turn_in_place(battle, id, turn.unwrap_or(18_000));
        for c in self.charge.chargers.iter_mut().filter(|c| c.line.at == id) {
            c.face = Face::Front;
        }
        let body = self.body_mut(id);
        body.marks.set(Marks::MOVED.and(Marks::MOVED_EARLY));
    }

    /// Turns every stand about its own middle by a quarter or half turn: the grid stays, its rows become files.
    pub(crate) fn turn_in_place(&mut self, battle: &Battle, id: BodyId, turn: i32) {
        let body = self.body(id);
        let layout = body.layout(battle);
        let facing = layout.pose.facing.turned(turn);
        let turned = layout.rearranged(turned_shape(&layout, turn), facing);
        // Stands that turn in place need hardly any room; a block that has none stays as it is but fights to its front.
        if At::new(battle, self).is_free(id, &turned) {
            let body = self.body_mut(id);
            body.shape = turned.shape;
            body.pose = turned.pose;
        }
    }

    /// Its target stands Suppressed: it goes into contact without fire and without a further test (R29).
    fn met_at_once(&self, charger: &Charger) -> bool {
        self.charge.targets.iter().any(|t| t.pinned && t.body == charger.line.at)
    }

    /// The fires on the chargers, those of their targets before those in support. Each is rolled by itself, on the same state.
    pub(crate) fn charge_fire(&mut self, battle: &Battle) {
        // Where they take fire is settled now: their targets may go elsewhere afterwards (R43).
        for i in 0..self.charge.chargers.len() {
            let (_, point) = At::new(battle, self).test_point(&self.charge.chargers[i]);
            self.charge.chargers[i].point = point;
        }
        self.meet_first();
        let supports = std::mem::take(&mut self.volleys);
        for t in 0..self.charge.targets.len() {
            let target = self.charge.targets[t];
            let silent =
                target.gone || target.pinned || matches!(target.reaction, Reaction::None | Reaction::Counter);
            let Some(charger) = charger_chosen(self, &target) else { continue };
            if silent || At::new(battle, self).may_fire(target.body, When::Defence).is_err() {
                continue;
            }
            let at = Aim::Body(charger.line.by);
            let fire = Volley::of(target.body, at, 0);
            if At::new(battle, self).shot_of_target(&fire).is_some() {
                self.volleys.push(fire);
            }
        }
        let own = self.volleys.len() as u8;
        for volley in supports {
            if At::new(battle, self).shot_of_support(&volley).is_some() {
                self.volleys.push(volley);
            }
        }
        self.agenda.replace(Step::ChargeVolleys { next: 0, own });
    }
}

/// Half fire for a unit that tries to face or form square.
pub(crate) fn halves(reaction: Reaction) -> bool {
    matches!(reaction, Reaction::Face | Reaction::Square)
}

pub(crate) fn reaction_words(reaction: Reaction) -> &'static str {
    match reaction {
        Reaction::None | Reaction::Stand => "stands and fires",
        Reaction::Retire { .. } => "will fire and retire",
        Reaction::Counter => "countercharges",
        Reaction::Face => "tries to face the charge",
        Reaction::Square => "tries to form square",
    }
}

impl<'a> At<'a> {
    /// Friends of the target that could fire at a charger, and at which (R33).
    pub(crate) fn fire_supporters(self) -> impl Iterator<Item = (BodyId, u8)> + 'a {
        let side = self.state.charge.targets.first().map(|t| self.side_of(t.body));
        let points: ArrayVec<(u8, Layout), 4> = self
            .state
            .charge
            .chargers
            .iter()
            .enumerate()
            .filter(|(_, c)| c.on && !self.state.met_at_once(c))
            .map(|(i, c)| (i as u8, self.test_point(c).0))
            .collect();
        self.state.on_table().flat_map(move |(by, body)| {
            let mine = Some(self.battle.side(body)) == side
                && !self.state.charge.targets.iter().any(|t| t.body == by)
                && !self.state.volleys.iter().any(|v| v.by == by)
                && self.may_fire(by, When::Support).is_ok();
            let medium = self.battle.info(body).weapon.ranges[1];
            let layout = body.layout(self.battle);
            points.clone().into_iter().filter_map(move |(i, lead)| {
                if !mine || !layout.may_be_within(&lead, medium + INCH) {
                    return None;
                }
                let at = self.state.charge.chargers[usize::from(i)].line.by;
                let aim = self.bearing(by, at, &lead).ok()?;
                let allowed = self.order_allows_fire(by, aim.band).is_ok();
                (allowed && aim.range <= medium + EPS).then_some((by, i))
            })
        })
    }
}

fn charger_under<'s>(state: &'s State, volley: &Volley) -> Option<&'s Charger> {
    let Aim::Body(at) = volley.at else { return None };
    state.charge.chargers.iter().find(|c| c.line.by == at)
}
