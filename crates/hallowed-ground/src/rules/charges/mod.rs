//! Chapter 7: a charge at one target, from its declaration to the charge home test (procedure P1); what follows it is
//! in `countercharge`, `defensive_fire` and `contact`.

pub(crate) mod contact;
pub(crate) mod countercharge;
pub(crate) mod defensive_fire;
pub(crate) mod line;

use arrayvec::ArrayVec;
use game::words::{does, number};
use game::{Effects, Entry, Kind, Side, Sum};
use serde::{Deserialize, Serialize};
use table::{Pose, Rect, Way};

use crate::action::Action;
use crate::at::{At, Run};
use crate::board::offer::charge_words;
use crate::field::Field;
use crate::rules::charges::line::Charger;
use crate::rules::charts::POINT_BLANK;
use crate::rules::formations::{Arm, Formation};
use crate::rules::sequence::Step;
use crate::setup::battle::Battle;
use crate::setup::pieces::{Specials, UnitId, Units, piece, place_of};
use crate::state::{Flags, Marker, State};

/// The charge under way.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Charge {
    pub target: UnitId,
    /// Infantry beside charged guns (7.7.c).
    pub support: Option<UnitId>,
    pub chargers: ArrayVec<Charger, 8>,
    /// The modified charge home roll.
    pub result: i16,
    pub breakthrough: bool,
    /// Who has fired: the target, the support.
    pub fired: (bool, bool),
    /// Odd hits or dice still to be placed by the defender.
    pub odd: u8,
    /// The volley divides dice, not hits (R58).
    pub by_dice: bool,
}

impl Charge {
    pub fn side(&self, battle: &Battle) -> Side {
        self.chargers.first().map_or(Side::First, |c| battle.unit(c.unit).side)
    }

    pub fn active(&self) -> impl Iterator<Item = &Charger> {
        self.chargers.iter().filter(|c| !c.out)
    }

    fn involved(&self) -> ArrayVec<UnitId, 12> {
        let mut out: ArrayVec<UnitId, 12> = self.chargers.iter().map(|c| c.unit).collect();
        out.push(self.target);
        out.extend(self.support);
        out
    }
}

/// The steps of a charge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum ChargeStep {
    /// Two infantry units beside charged guns are equally close: their owner names the one that supports (R61).
    Supports,
    Orders,
    Home,
    /// The target may countercharge: its owner decides.
    Countercharge,
    PointBlank,
    /// Finds who fires next.
    Volleys,
    /// Two units may fire: their owner names the first.
    WhoFires,
    Fire {
        shooter: UnitId,
    },
    /// The defender places what does not divide evenly.
    Odd {
        shooter: UnitId,
    },
    Saves {
        shooter: UnitId,
    },
    Tests,
    Contact,
}

impl<F: Effects> Run<'_, F> {
    /// Declares a charge (7.2); the declaration has been checked.
    pub(crate) fn declare_charge(&mut self, target: UnitId, by: &[UnitId]) {
        let Ok(chargers) = self.field().declare(target, by) else { return };
        self.state.charged.insert(target);
        self.start_charge(target, chargers, false);
    }

    /// Sets a charge going, from an order or as a breakthrough.
    pub(crate) fn start_charge(
        &mut self,
        target: UnitId,
        chargers: ArrayVec<Charger, 8>,
        breakthrough: bool,
    ) {
        let Some(lead) = chargers.first().copied() else { return };
        let field = self.field();
        let supports = field.supports_of(target, field.rect(lead.unit).front, lead.aim.pt());
        self.fx.tell(|| {
            let names: Vec<&str> = chargers.iter().map(|c| self.battle.unit(c.unit).name.as_str()).collect();
            let text = format!("{} {}.", charge_words(&names), self.battle.unit(target).name);
            let mut entry =
                Entry::new(Kind::Melee, text).side(self.battle.unit(lead.unit).side).rule(cite!("7.a"));
            for c in &chargers {
                entry = entry.piece(piece(c.unit));
            }
            entry.piece(piece(target))
        });
        self.state.charge = Some(Charge {
            target,
            support: supports.first().copied(),
            chargers,
            result: 0,
            breakthrough,
            fired: (false, false),
            odd: 0,
            by_dice: false,
        });
        self.state.agenda.push(Step::Charge(if breakthrough {
            ChargeStep::Home
        } else {
            ChargeStep::Orders
        }));
        if supports.len() > 1 {
            self.state.agenda.push(Step::Charge(ChargeStep::Supports));
        }
    }
}

impl Field<'_> {
    /// The units among which the owner of charged guns chooses their support.
    pub(crate) fn rival_supports(&self) -> ArrayVec<UnitId, 2> {
        let lead = self.state.charge.as_ref().and_then(|c| c.chargers.first().map(|lead| (c.target, lead)));
        lead.map_or_else(ArrayVec::new, |(target, lead)| {
            self.supports_of(target, self.rect(lead.unit).front, lead.aim.pt())
        })
    }
}

impl State {
    /// The owner of the guns has named their support.
    pub(crate) fn supported_by(&mut self, unit: UnitId) {
        self.agenda.pop();
        if let Some(charge) = &mut self.charge {
            charge.support = Some(unit);
        }
    }
}

impl<F: Effects> Run<'_, F> {
    /// Runs a step that needs no decision.
    pub(crate) fn run_charge(&mut self, step: ChargeStep) {
        let Some(charge) = self.state.charge.clone() else {
            self.state.agenda.pop();
            return;
        };
        match step {
            ChargeStep::Orders => self.charge_orders(charge),
            ChargeStep::Home => self.charge_home(charge),
            ChargeStep::PointBlank => self.point_blank(&charge),
            ChargeStep::Volleys => self.state.next_volley(self.battle),
            ChargeStep::Fire { shooter } => self.defensive_fire(charge, shooter),
            ChargeStep::Saves { shooter } => self.defensive_saves(charge, shooter),
            ChargeStep::Tests => self.state.next_charge_test(self.battle),
            ChargeStep::Contact => self.close_in(&charge),
            ChargeStep::Supports
            | ChargeStep::Countercharge
            | ChargeStep::WhoFires
            | ChargeStep::Odd { .. } => {}
        }
    }
}

impl State {
    pub(crate) fn end_charge(&mut self) {
        self.agenda.pop();
        self.charge = None;
    }

    pub(crate) fn next_charge_step(&mut self, step: ChargeStep) {
        self.agenda.replace(Step::Charge(step));
    }
}

impl<F: Effects> Run<'_, F> {
    /// P1, step 3: who fails holds and leaves the group.
    fn charge_orders(&mut self, mut charge: Charge) {
        for c in &mut charge.chargers {
            let obeys = self.orders_test(c.unit);
            c.out = !obeys;
            let unit = self.state.unit_mut(c.unit);
            unit.flags.set(Flags::ORDERED);
            unit.order = Some(if obeys { Marker::Charge } else { Marker::Hold });
            if obeys {
                unit.flags.set(Flags::SILENT);
            }
        }
        charge.chargers.retain(|c| !c.out);
        let over = charge.chargers.is_empty();
        if over {
            // Nobody obeyed, so nobody has charged: the target is still open to others (R41).
            self.state.charged.remove(charge.target);
        }
        self.state.charge = Some(charge);
        if over { self.state.end_charge() } else { self.state.next_charge_step(ChargeStep::Home) }
    }
}

impl Field<'_> {
    /// The modifiers of the charge home test: each once for the group (7.3, 7.9.b, R101).
    pub(crate) fn charge_home_mods(&self, chargers: &[Charger]) -> Sum {
        let any = |test: &dyn Fn(UnitId) -> bool| chargers.iter().any(|c| test(c.unit));
        let special = |bit: u8| move |u: UnitId| self.battle.unit(u).specials.has(bit);
        let mut mods = Sum::new();
        mods.add_if(any(&|u| self.state.has_commander(u)), 1, "commander attached", cite!("7.3.b"));
        let yells = |u: UnitId| {
            self.battle.armies[self.side(u)].confederate && self.battle.unit(u).arm == Arm::Infantry
        };
        mods.add_if(any(&yells), 1, "Rebel Yell", cite!("7.3.c"));
        mods.add_if(any(&special(Specials::ELITE)), 1, "Elite", cite!("7.3.d"));
        mods.add_if(any(&special(Specials::GREEN)), -1, "Green", cite!("7.3.e"));
        let far = chargers.iter().map(|c| self.twelves(c.unit)).max().unwrap_or(0);
        mods.add(-far, "each 12 in from the brigade commander", cite!("7.3.f"));
        mods.add_if(chargers.iter().any(|c| c.difficult), -1, "through difficult terrain", cite!("7.3.g"));
        mods
    }
}

impl<F: Effects> Run<'_, F> {
    /// P1, steps 4 to 8.
    fn charge_home(&mut self, mut charge: Charge) {
        let Some(lead) = charge.chargers.first().map(|c| c.unit) else { return self.state.end_charge() };
        let mods = self.field().charge_home_mods(&charge.chargers);
        let result = self.two_dice(lead, "charge home test", &mods, cite!("7.3.a")) + mods.total();
        charge.result = result;
        let band = match result {
            ..=2 => ("Yellow Bellied", cite!("7.3.h")),
            3..=6 => ("Forward Men", cite!("7.3.i")),
            7..=10 => ("Charge", cite!("7.3.k")),
            _ => ("Determined Charge", cite!("7.3.l")),
        };
        self.fx.tell(|| {
            let text = format!(
                "{}: the charge home test comes to {}, {}.",
                self.battle.unit(lead).name,
                number(result),
                band.0
            );
            Entry::new(Kind::Check, text).rule(band.1).piece(piece(lead))
        });
        if result <= 2 {
            for c in &charge.chargers {
                let unit = self.state.unit_mut(c.unit);
                unit.shaken = true;
                unit.order = Some(Marker::Hold);
                unit.flags.set(Flags::SILENT);
            }
            return self.state.end_charge();
        }
        self.stop_at_zones(&mut charge);
        if result <= 6 {
            for c in &charge.chargers {
                self.forward_men(c, &charge);
            }
            return self.state.end_charge();
        }
        self.stop_at_friends(&mut charge);
        if charge.chargers.is_empty() {
            return self.state.end_charge();
        }
        let target = charge.target;
        self.state.charge = Some(charge);
        if self.at().is_mounted(target) {
            let open = !self.field().countercharge_lines().is_empty();
            self.state.next_charge_step(if open { ChargeStep::Countercharge } else { ChargeStep::Contact });
        } else if self.state.unit(target).formation == Formation::Limbered {
            self.state.next_charge_step(ChargeStep::Contact);
        } else {
            self.state.next_charge_step(ChargeStep::PointBlank);
        }
    }

    /// P1, step 6: those whose way crosses another enemy's front stop before it, an Advance (R50).
    fn stop_at_zones(&mut self, charge: &mut Charge) {
        let involved = charge.involved();
        let stops: ArrayVec<Option<i32>, 8> = {
            let field = self.field();
            charge.chargers.iter().map(|c| field.stopped_by_zone(c, &involved)).collect()
        };
        for (c, stop) in charge.chargers.iter_mut().zip(&stops) {
            if let Some(by) = stop {
                c.out = true;
                let by = self.field().last_stand(c, *by);
                self.move_along(c, by, cite!("7.4.e"));
                self.state.count_as_advance(c.unit);
            }
        }
        charge.chargers.retain(|c| !c.out);
    }

    /// The ways were free of the group; one of it that has stayed behind stands in the way like any friend. Who would
    /// pass through it stops before it, without contact (7.4.c, 7.9.e, R47), and may stand in the way of the next.
    fn stop_at_friends(&mut self, charge: &mut Charge) {
        loop {
            let field = self.field();
            let involved = charge.involved();
            let blocked = charge.chargers.iter().enumerate().find_map(|(i, c)| {
                let by = field.stopped_by_friend(c, &involved)?;
                Some((i, field.last_stand(c, by)))
            });
            let Some((i, by)) = blocked else { return };
            let c = charge.chargers.remove(i);
            self.move_along(&c, by, cite!("7.4.c"));
        }
    }
}

impl State {
    /// It counts as having done an Advance and may shoot (7.3.j, R56).
    fn count_as_advance(&mut self, u: UnitId) {
        let unit = self.unit_mut(u);
        unit.order = Some(Marker::Advance);
        unit.flags.clear(Flags::SILENT);
    }
}

impl<F: Effects> Run<'_, F> {
    pub(crate) fn move_along(&mut self, c: &Charger, by: i32, rule: game::Rule) {
        let (pose, legs) = {
            let field = self.field();
            (if by == 0 { c.start } else { c.along(&field, by) }, c.legs(&field, by))
        };
        self.set_down(c.unit, pose, rule);
        self.evade(self.battle.unit(c.unit).side, &legs);
    }

    /// Moves a unit straight to a pose by force of a rule; commanders of the enemy ride out of its way (12.2.a).
    pub(crate) fn place_unit(&mut self, u: UnitId, pose: Pose, rule: game::Rule) {
        let size = self.at().rect_of(u).size();
        let turned = self.state.unit(u).pose.pivoted(size, pose.facing);
        self.set_down(u, pose, rule);
        let way = Way::between(&Rect::new(turned, size), &Rect::new(pose, size));
        self.evade(self.battle.unit(u).side, &[way]);
    }

    /// Sets a unit down by force of a rule, with its commanders.
    pub(crate) fn set_down(&mut self, u: UnitId, pose: Pose, rule: game::Rule) {
        let unit = self.state.unit(u);
        if unit.pose == pose {
            return;
        }
        let before = unit.pose;
        self.state.shift_unit(self.battle, u, pose);
        self.state.commanders_follow(self.battle, u);
        self.fx.tell(|| {
            Entry::new(Kind::March, does(&self.battle.unit(u).name, "moves."))
                .side(self.battle.unit(u).side)
                .rule(rule)
                .piece(piece(u))
                .place(place_of(before))
                .place(place_of(pose))
        });
    }

    /// Up to 6 in from the target, or as near as the normal rate allows (7.3.i, R54).
    fn forward_men(&mut self, c: &Charger, charge: &Charge) {
        let by = {
            let field = self.field();
            let blank = field.to_point_blank(c, field.rect(charge.target), POINT_BLANK);
            let friend = field.stopped_by_friend(c, &charge.involved()).unwrap_or(blank);
            field.last_stand(c, blank.min(field.rate(c.unit)).min(friend))
        };
        self.move_along(c, by, cite!("7.3.i"));
        self.state.count_as_advance(c.unit);
    }
}

impl State {
    pub(crate) fn gain_impetus(&mut self, u: UnitId, difficult: bool) {
        let flags = &mut self.unit_mut(u).flags;
        flags.set(Flags::IMPETUS | Flags::MOVED);
        if difficult {
            flags.set(Flags::DIFFICULT);
        }
    }
}

impl Field<'_> {
    /// Each target by each unit alone, by every pair, and by all who can reach it.
    pub(crate) fn offer_charges(&self, out: &mut Vec<Action>) {
        out.push(Action::Pass);
        let able: Vec<UnitId> = self
            .of_side(self.state.active)
            .filter(|u| !self.state.unit(*u).flags.has(Flags::ORDERED) && self.may_charge(*u).is_ok())
            .collect();
        for target in self.of_side(!self.state.active) {
            if self.state.charged.has(target) {
                continue;
            }
            let reach: Vec<UnitId> =
                able.iter().copied().filter(|u| self.could_charge(*u, target)).take(8).collect();
            let mut groups: Vec<Units> = reach.iter().map(|u| [*u].into_iter().collect()).collect();
            for (i, a) in reach.iter().enumerate() {
                groups.extend(reach[i + 1..].iter().map(|b| [*a, *b].into_iter().collect::<Units>()));
            }
            if reach.len() > 2 {
                groups.push(reach.iter().copied().collect());
            }
            for by in groups {
                let single = by.len() == 1;
                let action = Action::Charge { target, by };
                if single {
                    out.push(action);
                } else {
                    self.offer_if_fit(action, out);
                }
            }
        }
    }
}

impl At<'_> {
    pub(crate) fn anyone_to_charge(self) -> bool {
        let field = self.field();
        field.of_side(self.state.active).any(|u| {
            !self.state.unit(u).flags.has(Flags::ORDERED)
                && field.may_charge(u).is_ok()
                && field.enemies(u).any(|e| !self.state.charged.has(e) && field.could_charge(u, e))
        })
    }
}
