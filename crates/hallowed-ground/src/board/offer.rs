//! An offer in words: what a click would do.

use game::board::{Offer, OfferNote};
use game::words::does;
use table::{Angle, INCH, div_round};

use crate::action::{Action, Change, Double, Maneuver, Order, Slant};
use crate::at::At;
use crate::board::view::block;
use crate::field::Field;
use crate::notation::decimal;
use crate::rules::command::maneuvers::Trail;
use crate::rules::formations::Formation;
use crate::rules::melee::MeleeStep;
use crate::rules::sequence::Step;
use crate::setup::pieces::{UnitId, piece, place_of, spot_place};

impl At<'_> {
    pub(crate) fn offer(self, action: &Action) -> Offer {
        let field = self.field();
        let notation = self.battle.write_action(action);
        let verb = notation.split(' ').next().unwrap_or("pass").to_owned();
        let name = |u: UnitId| self.battle.unit(u).name.clone();
        let mut offer = Offer::new(notation.clone(), verb, self.offer_label(action, &notation));
        match action {
            Action::Pass => offer.button = true,
            Action::Go { .. } | Action::Countercharge | Action::Reroll | Action::Aside { .. } => {
                offer.rolls = matches!(action, Action::Reroll | Action::Countercharge);
            }
            Action::Attach { commander, unit } => {
                offer.piece = Some(self.battle.commander_piece(*commander));
                offer.targets = vec![piece(*unit)];
                offer.rule = Some(cite!("5.1.b"));
            }
            Action::Detach { commander, to } | Action::Ride { commander, to } => {
                offer.piece = Some(self.battle.commander_piece(*commander));
                offer.place = Some(spot_place(*to));
            }
            Action::Charge { target, by } => field.charge_offer(&mut offer, *target, by),
            Action::Activate { brigade } => {
                offer.targets = self
                    .battle
                    .all_units()
                    .filter(|u| self.battle.unit(*u).brigade == *brigade && self.state.on_table(*u))
                    .map(piece)
                    .collect();
                offer.rule = Some(cite!("5.3.a"));
            }
            Action::Order { unit, order } => field.order_offer(&mut offer, *unit, order),
            Action::Shoot { unit, target } => {
                offer.piece = Some(piece(*unit));
                offer.targets = vec![piece(*target)];
                offer.rolls = true;
                offer.rule = Some(cite!("8.b"));
                if let Ok(v) = field.shot(*unit, *target) {
                    let text = format!(
                        "{} dice, {}+ hits{}",
                        v.dice,
                        v.need,
                        if v.cover { ", cover saves on 5+" } else { "" }
                    );
                    offer.notes.push(OfferNote {
                        text,
                        warning: false,
                        stop: false,
                        rule: Some(cite!("8.4.a")),
                    });
                }
            }
            Action::Pick { unit } => {
                offer.piece = Some(piece(*unit));
                offer.label = name(*unit);
            }
            Action::BreakThrough { by } => field.breakthrough_offer(&mut offer, by),
        }
        offer
    }

    fn offer_label(self, action: &Action, notation: &str) -> String {
        match action {
            Action::Pass => match self.state.agenda.top() {
                Some(Step::Attach) => "Done with commanders",
                Some(Step::Charges) => "No more charges",
                Some(Step::Shooting) => "End the shooting",
                Some(Step::Melee(MeleeStep::Breakthrough)) => "Hold",
                Some(Step::Reroll { .. }) => "Let it stand",
                Some(Step::Charge(_)) => "Receive the charge",
                _ => "Stay",
            }
            .to_owned(),
            Action::Activate { brigade } => format!("{}'s brigade", self.battle.brigade(*brigade).name),
            Action::Order { unit, order } => order_words(order, self.state.unit(*unit).pose.facing),
            Action::Charge { target, by } => {
                let names: Vec<&str> = by.iter().map(|u| self.battle.unit(*u).name.as_str()).collect();
                format!("{} {}", charge_words(&names), self.battle.unit(*target).name)
            }
            Action::Shoot { unit, target } => {
                format!(
                    "{} {}",
                    does(&self.battle.unit(*unit).name, "shoots at"),
                    self.battle.unit(*target).name
                )
            }
            Action::Attach { commander, unit } => {
                format!("{} joins {}", self.battle.officer(*commander).name, self.battle.unit(*unit).name)
            }
            Action::Detach { commander, .. } => {
                format!("{} leaves his unit", self.battle.officer(*commander).name)
            }
            Action::Ride { commander, to } => {
                let from = self.state.commanders[commander.i()].at.pt();
                let inches = decimal(div_round(from.to(to.pt()), INCH / 10) as i32 * 100);
                let way = Angle::of(to.pt() - from).compass();
                format!("{} rides {inches} in {way}", self.battle.officer(*commander).name)
            }
            Action::Go { first } => if *first { "Go first" } else { "Go second" }.to_owned(),
            Action::Aside { left } => if *left { "To its left" } else { "To its right" }.to_owned(),
            _ => {
                let mut text = notation.to_owned();
                if let Some(first) = text.get_mut(0..1) {
                    first.make_ascii_uppercase();
                }
                text
            }
        }
    }
}

impl Field<'_> {
    fn order_offer(&self, offer: &mut Offer, u: UnitId, order: &Order) {
        offer.piece = Some(piece(u));
        offer.rolls = self.state.unit(u).hits > 0 && *order != Order::Hold;
        offer.rule = Some(match order {
            Order::Hold => cite!("5.4.b"),
            Order::Rally => cite!("5.4.h"),
            Order::Advance { .. } => cite!("5.4.c"),
            Order::March { .. } => cite!("5.4.d"),
            Order::Reform { .. } => cite!("5.4.k"),
        });
        let mut way = Trail::new();
        if let Ok(Some(plan)) = self.plan(self.battle.unit(u).brigade, u, order, &mut way) {
            offer.place = Some(place_of(plan.pose));
            offer.path = way.iter().map(|p| place_of(*p)).collect();
            if plan.formation != self.state.unit(u).formation {
                offer.footprint = Some(block(self.battle.unit(u).arm, plan.formation));
            }
        }
        offer.cost = length(order).filter(|by| *by > 0).map(inches);
        if let Order::March { .. } = order {
            offer.notes.push(OfferNote {
                text: "may not shoot".into(),
                warning: true,
                stop: false,
                rule: Some(cite!("5.4.d")),
            });
        }
    }
}

/// How far an order leads, where it leads somewhere.
pub(crate) const fn length(order: &Order) -> Option<i32> {
    match *order {
        Order::Advance { maneuver, .. } => match maneuver {
            Maneuver::Forward { first, then, .. } => Some(first + then),
            Maneuver::Oblique { by, .. } | Maneuver::Back { by, .. } | Maneuver::Sidestep { by, .. } => {
                Some(by)
            }
            Maneuver::Retire { .. } => None,
        },
        Order::March { double: Double::Ahead { by, .. } | Double::Road { by }, .. } => Some(by),
        Order::Hold | Order::Rally | Order::Reform { .. } => None,
    }
}

/// Thousandths of an inch for a player: to the tenth.
pub(crate) fn inches(by: i32) -> String {
    format!("{} in", decimal((by + 50) / 100 * 100))
}

/// Hundredths of a degree, to the whole one, whichever way it turns.
const fn whole_degrees(turn: i32) -> i32 {
    (turn.abs() + 50) / 100
}

/// Who charges: `A charges`, `A and B charge`.
pub(crate) fn charge_words(names: &[&str]) -> String {
    match names {
        [one] => does(one, "charges"),
        [first @ .., last] => format!("{} and {last} charge", first.join(", ")),
        [] => "Nobody charges".into(),
    }
}

/// An order in a player's words: `Advance 3 in, turn right 45°, 5 in`.
fn order_words(order: &Order, now: Angle) -> String {
    let side = |right: bool| if right { "right" } else { "left" };
    let slant = |s: Slant| match s {
        Slant::Left => " to the left",
        Slant::Straight => "",
        Slant::Right => " to the right",
    };
    let angle = |turn: i32| match whole_degrees(turn) {
        0 => format!("turn {} a little", side(turn > 0)),
        whole => format!("turn {} {whole}°", side(turn > 0)),
    };
    let exit = |exit: bool| if exit { ", off the table" } else { "" };
    match *order {
        Order::Hold => "Hold".into(),
        Order::Rally => "Rally".into(),
        Order::Reform { formation, facing } => {
            let turned = match now.turn_to(facing) {
                0 => String::new(),
                9_000 => ", to the right".into(),
                -9_000 => ", to the left".into(),
                18_000 | -18_000 => ", about".into(),
                turn => format!(", {}", angle(turn)),
            };
            format!("Reform: {}{turned}", formation.word().replace('_', " "))
        }
        Order::March { double, exit: off } => {
            let go = match double {
                Double::Ahead { slant: s, by } => format!("{}{}", inches(by), slant(s)),
                Double::Road { by } => format!("{} by the road", inches(by)),
            };
            format!("March {go}{}", exit(off))
        }
        Order::Advance { maneuver, change, exit: off } => {
            let go = match maneuver {
                Maneuver::Forward { first, turn, then } => {
                    let mut parts = Vec::new();
                    let turns = whole_degrees(turn) > 0 || (turn != 0 && first + then == 0);
                    let (first, then) = if turns { (first, then) } else { (first + then, 0) };
                    if first > 0 {
                        parts.push(inches(first));
                    }
                    if turns {
                        parts.push(angle(turn));
                    }
                    if then > 0 {
                        parts.push(inches(then));
                    }
                    parts.join(", ")
                }
                Maneuver::Oblique { right, by } => format!("oblique {} {}", side(right), inches(by)),
                Maneuver::Back { slant: s, by } => format!("back {}{}", inches(by), slant(s)),
                Maneuver::Sidestep { right, by } => format!("sidestep {} {}", side(right), inches(by)),
                Maneuver::Retire { degrees: 0 } => "retire".into(),
                Maneuver::Retire { degrees } => {
                    format!("retire {}° to the {}", degrees.abs(), side(degrees > 0))
                }
            };
            let parts = match change {
                Change::None => [go, String::new()],
                Change::Before(to) => [change_words(to).to_owned(), go],
                Change::After(to) => [go, change_words(to).to_owned()],
            };
            let told: Vec<&str> = parts.iter().map(String::as_str).filter(|p| !p.is_empty()).collect();
            format!("Advance: {}{}", told.join(", "), exit(off))
        }
    }
}

const fn change_words(to: Formation) -> &'static str {
    match to {
        Formation::DismountedLine => "dismount",
        Formation::Limbered => "limber",
        Formation::Deployed => "deploy",
        _ => "mount",
    }
}
