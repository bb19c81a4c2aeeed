//! The charge or the fire under way, for the board: each step with its rule and what came of it, each fire with its dice.

use game::board::{Combat, Fire, Panel, StepCell, StepState};
use game::words::does;
use game::{Die, PieceId, Rule, Test};

use crate::at::At;
use crate::cite;
use crate::rules::charge::defender::{halves, reaction_words};
use crate::rules::charge::{Charger, Reaction};
use crate::rules::fire;
use crate::rules::fire::{Aim, FireOrder, Volley, When};
use crate::rules::rolls::{losses, piece};
use crate::rules::rout::inches;
use crate::rules::sequence::Step;
use crate::state::{BodyId, Face, Order};

/// The steps of a charge, in their order.
const STEPS: [(&str, Rule); 6] = [
    ("Charger tests morale", cite!("seq.charge.b")),
    ("Target tests morale", cite!("charge.sequence.c")),
    ("Target reacts", cite!("seq.charge.d")),
    ("Defensive fire", cite!("seq.charge.e")),
    ("Charge home", cite!("seq.charge.f")),
    ("Pursuit", cite!("seq.charge.g")),
];

impl At<'_> {
    /// The charge under way as a ladder of steps.
    pub(crate) fn charge_ladder(self) -> Option<Panel> {
        let first = self.state.charge.chargers.first()?.line;
        let now = match self.state.agenda.top() {
            Some(Step::ChargerTests) => 0,
            Some(Step::TargetTest { .. }) => 1,
            Some(Step::React { .. }) => 2,
            Some(Step::Support | Step::ChargeFire | Step::AfterFire { .. }) => 3,
            Some(Step::Home { .. }) => 4,
            _ => 5,
        };
        let steps = STEPS.iter().enumerate().map(|(i, (label, rule))| StepCell {
            label: (*label).to_owned(),
            state: match i.cmp(&now) {
                std::cmp::Ordering::Less => StepState::Done,
                std::cmp::Ordering::Equal => StepState::Now,
                std::cmp::Ordering::Greater => StepState::Ahead,
            },
            note: self.step_note(i, now),
            rule: Some(*rule),
            side: None,
        });
        let word = if self.state.charge.opportunity { "charges at the opportunity" } else { "charges" };
        Some(Panel::Steps {
            title: format!("{} {word} {}", self.name(first.by), self.name(first.at)),
            steps: steps.collect(),
        })
    }

    /// What came of a step, or what it needs.
    fn step_note(self, step: usize, now: usize) -> String {
        let name = |id: BodyId| self.name(id);
        let charge = &self.state.charge;
        let sentences: Vec<String> = match step {
            0 if now > 0 => charge
                .chargers
                .iter()
                .map(|c| {
                    let word = if c.joined { "comes on from" } else { "does not come on; it stood" };
                    format!("{} {word} {} away.", name(c.line.by), inches(c.d))
                })
                .collect(),
            1 if now > 1 => {
                charge.targets.iter().map(|t| self.target_note(t.body, t.pinned, t.gone)).collect()
            }
            2 if now > 2 => charge
                .targets
                .iter()
                .filter(|t| t.reaction != Reaction::None)
                .map(|t| format!("{} {}.", name(t.body), reaction_words(t.reaction)))
                .collect(),
            3 if now > 3 => charge
                .chargers
                .iter()
                .filter(|c| c.under_fire)
                .map(|c| does(&name(c.line.by), &format!("has taken {}.", losses(c.hits))))
                .collect(),
            4 if now >= 3 => charge
                .chargers
                .iter()
                .enumerate()
                .filter(|(_, c)| c.on)
                .map(|(i, c)| self.home_note(i, c))
                .collect(),
            _ => Vec::new(),
        };
        sentences.join(" ")
    }

    fn target_note(self, id: BodyId, pinned: bool, gone: bool) -> String {
        let name = self.name(id);
        match self.body(id).order {
            _ if gone => does(&name, "has left the place."),
            Order::Suppressed if pinned => format!("{}, and pinned.", does(&name, "is Suppressed")),
            order if order.broken() => does(&name, &format!("is {}.", order.name())),
            _ => does(&name, "holds."),
        }
    }

    fn home_note(self, index: usize, charger: &Charger) -> String {
        let name = self.name(charger.line.by);
        let target = self.state.charge.targets.iter().find(|t| t.body == charger.line.at);
        if target.is_some_and(|t| t.pinned) {
            return does(&name, "comes into contact without a test.");
        }
        let need = self.home_number(index).total();
        let where_to = match charger.face {
            Face::Front => "the front",
            Face::Left | Face::Right => "the flank",
            Face::Rear => "the rear",
        };
        does(&name, &format!("strikes {where_to} with {need} or more on two dice."))
    }

    /// The fires of the combat under way, each with its dice and what they must show.
    pub(crate) fn combat(self) -> Option<Combat> {
        let chargers = &self.state.charge.chargers;
        if chargers.is_empty() {
            let fires: Vec<Fire> = self.state.volleys.iter().filter_map(|v| self.fire_declared(v)).collect();
            return (!fires.is_empty()).then(|| Combat {
                title: "Fire".to_owned(),
                pieces: Vec::new(),
                fires,
            });
        }
        let pieces: Vec<PieceId> =
            chargers.iter().flat_map(|c| [piece(c.line.by), piece(c.line.at)]).collect();
        let mut fires = Vec::new();
        for target in self.state.charge.targets.iter().filter(|t| !t.gone && !t.pinned) {
            let fires_at = chargers
                .get(usize::from(target.fires_at))
                .filter(|c| c.line.at == target.body)
                .or_else(|| chargers.iter().find(|c| c.line.at == target.body));
            let silent = matches!(target.reaction, Reaction::None | Reaction::Counter);
            if let Some(charger) = fires_at.filter(|c| c.on && !c.under_fire && !silent) {
                let order = FireOrder {
                    half: halves(target.reaction),
                    masked: target.masked,
                    ..FireOrder::plain(When::Defence, u16::MAX)
                };
                fires.extend(self.fire_at_charger(target.body, charger, order));
            }
        }
        for support in &self.state.volleys {
            let Aim::Body(at) = support.at else { continue };
            let Some(charger) = chargers.iter().find(|c| c.line.by == at) else { continue };
            fires.extend(self.fire_at_charger(
                support.by,
                charger,
                FireOrder::plain(When::Support, support.stands),
            ));
        }
        Some(Combat { title: "Charge".to_owned(), pieces, fires })
    }

    /// A fire declared in the Fire Phase.
    fn fire_declared(self, declared: &Volley) -> Option<Fire> {
        let Aim::Body(at) = declared.at else { return None };
        let target = self.layout(at);
        let aim = self.bearing(declared.by, at, &target).ok()?;
        let order =
            FireOrder { shrapnel: declared.shrapnel, ..FireOrder::plain(When::Phase, declared.stands) };
        Some(fire_of(&self.shot(declared.by, at, &target, &aim, order)))
    }

    /// A fire at a charger where it is tested.
    fn fire_at_charger(self, by: BodyId, charger: &Charger, order: FireOrder) -> Option<Fire> {
        self.may_fire(by, order.when).ok()?;
        let lead = self.test_point(charger).0;
        let aim = self.bearing(by, charger.line.by, &lead).ok()?;
        let order = FireOrder { stands: order.stands & aim.stands, ..order };
        Some(fire_of(&self.shot(by, charger.line.by, &lead, &aim, order)))
    }
}

pub(crate) fn fire_of(shot: &fire::Shot) -> Fire {
    Fire {
        by: vec![piece(shot.by)],
        at: vec![piece(shot.at)],
        dice: shot.dice,
        test: Some(Test::at_least(Die::D6, shot.hit.total().max(2))),
        modifiers: shot.hit.modifiers(),
        considered: Vec::new(),
    }
}
