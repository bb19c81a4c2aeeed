//! What is asked of a player, and each offer in words.

use game::board::{Offer, OfferNote, Place, Prompt};
use game::words::does;
use table::{Angle, INCH, Spot, div_round};

use crate::action::Action;
use crate::board::combat::{breakthrough_offer, charge_offer};
use crate::board::view::{block, pose};
use crate::field::Field;
use crate::notation::{decimal, write};
use crate::rules::charges::ChargeStep;
use crate::rules::command::maneuvers::{Change, Double, Maneuver, Slant, Trail};
use crate::rules::command::{Order, plan};
use crate::rules::formations::Formation;
use crate::rules::melee::MeleeStep;
use crate::rules::rolls::{commander_piece, piece};
use crate::rules::sequence::{Step, decider};
use crate::rules::shooting::shot;
use crate::setup::battle::{Battle, State, UnitId};

pub(crate) fn prompt(battle: &Battle, state: &State) -> Prompt {
    let side = decider(battle, state).unwrap_or(state.active);
    let name = |u: UnitId| battle.unit(u).name.as_str();
    let (kind, sentence, rule) = match state.agenda.top() {
        Some(Step::ChooseFirst { .. }) => ("initiative", "Go first or second?".to_owned(), cite!("4.2.a")),
        Some(Step::Attach) => ("attach", "Attach or detach commanders.".to_owned(), cite!("5.1.a")),
        Some(Step::Charges) => ("charge", "Declare a charge, or go on.".to_owned(), cite!("5.2.a")),
        Some(Step::Activate) => ("activate", "Activate a brigade.".to_owned(), cite!("5.3.a")),
        Some(Step::Orders { brigade }) => (
            "order",
            format!("Give an order to a unit of {}'s brigade.", battle.brigade(brigade).name),
            cite!("5.4.a"),
        ),
        Some(Step::BrigadeRides { brigade }) => {
            let c = battle.brigade(brigade).commander;
            ("ride", format!("{} may move.", battle.officer(c).name), cite!("5.3.c"))
        }
        Some(Step::ArmyRides) => ("ride", "The army commander may move.".to_owned(), cite!("5.3.e")),
        Some(Step::Shooting) => ("shoot", "Shoot, or end the phase.".to_owned(), cite!("8.a")),
        Some(Step::ShotTests) => ("test", "Which unit tests morale next?".to_owned(), cite!("8.6.d")),
        Some(Step::MeleePhase) => ("melee", "Which melee is fought next?".to_owned(), cite!("9.a")),
        Some(Step::Charge(ChargeStep::Countercharge)) => {
            ("countercharge", "Countercharge?".to_owned(), cite!("7.3.n"))
        }
        Some(Step::Charge(ChargeStep::Supports)) => {
            ("support", "Which infantry supports the guns?".to_owned(), cite!("7.7.c"))
        }
        Some(Step::Charge(ChargeStep::WhoFires)) => {
            ("who-fires", "Who fires first at the chargers?".to_owned(), cite!("7.7.d"))
        }
        Some(Step::Charge(ChargeStep::Odd { .. })) => {
            ("odd-hit", "Which charger takes the odd hit?".to_owned(), cite!("7.9.c"))
        }
        Some(Step::Melee(MeleeStep::Split)) => {
            ("odd-die", "At which enemy does the odd die go?".to_owned(), cite!("9.c"))
        }
        Some(Step::Charge(ChargeStep::Tests)) => {
            ("test", "Which charger tests morale next?".to_owned(), cite!("7.6.c"))
        }
        Some(Step::Melee(MeleeStep::Tests)) => {
            ("test", "Which unit tests morale next?".to_owned(), cite!("9.3.b"))
        }
        Some(Step::Melee(MeleeStep::Retires)) => {
            ("retire", "Which unit retires next?".to_owned(), cite!("11.b"))
        }
        Some(Step::Melee(MeleeStep::Breakthrough)) => {
            ("breakthrough", "Break through, or hold?".to_owned(), cite!("9.5.b"))
        }
        Some(Step::Reroll { unit, total, .. }) => {
            ("reroll", format!("{} with {total}. Roll again?", does(name(unit), "fails")), cite!("13.f"))
        }
        Some(Step::RetireSide { unit }) => {
            ("aside", format!("{} can retire to either side.", name(unit)), cite!("5.5.r"))
        }
        Some(Step::Flee { commander }) => (
            "flee",
            format!("{} rides off from his Broken unit.", battle.officer(commander).name),
            cite!("12.1.a"),
        ),
        _ => ("over", "The game is over.".to_owned(), cite!("10.2.a")),
    };
    Prompt {
        side,
        kind: kind.into(),
        sentence,
        detail: format!("{}, turn {}.", battle.armies[side].name, state.turn),
        rule,
    }
}

/// Every kind of decision.
pub(crate) const KINDS: [&str; 20] = [
    "initiative",
    "attach",
    "charge",
    "activate",
    "order",
    "ride",
    "shoot",
    "test",
    "melee",
    "countercharge",
    "support",
    "who-fires",
    "odd-hit",
    "odd-die",
    "retire",
    "breakthrough",
    "reroll",
    "aside",
    "flee",
    "over",
];

pub(crate) fn offer(battle: &Battle, state: &State, action: &Action) -> Offer {
    let field = Field::new(battle, state);
    let notation = write(battle, action);
    let verb = notation.split(' ').next().unwrap_or("pass").to_owned();
    let name = |u: UnitId| battle.unit(u).name.clone();
    let spot = |s: Spot| Place::Pose { x: s.x, y: s.y, facing: 0 };
    let mut offer = Offer::new(notation.clone(), verb, label(battle, state, action, &notation));
    match action {
        Action::Pass => offer.button = true,
        Action::Go { .. } | Action::Countercharge | Action::Reroll | Action::Aside { .. } => {
            offer.rolls = matches!(action, Action::Reroll | Action::Countercharge);
        }
        Action::Attach { commander, unit } => {
            offer.piece = Some(commander_piece(battle, *commander));
            offer.targets = vec![piece(*unit)];
            offer.rule = Some(cite!("5.1.b"));
        }
        Action::Detach { commander, to } | Action::Ride { commander, to } => {
            offer.piece = Some(commander_piece(battle, *commander));
            offer.place = Some(spot(*to));
        }
        Action::Charge { target, by } => charge_offer(&field, &mut offer, *target, by),
        Action::Activate { brigade } => {
            offer.targets = battle
                .all_units()
                .filter(|u| battle.unit(*u).brigade == *brigade && state.on_table(*u))
                .map(piece)
                .collect();
            offer.rule = Some(cite!("5.3.a"));
        }
        Action::Order { unit, order } => order_offer(&field, &mut offer, *unit, order),
        Action::Shoot { unit, target } => {
            offer.piece = Some(piece(*unit));
            offer.targets = vec![piece(*target)];
            offer.rolls = true;
            offer.rule = Some(cite!("8.b"));
            if let Ok(v) = shot(&field, *unit, *target) {
                let text = format!(
                    "{} dice, {}+ hits{}",
                    v.dice,
                    v.need,
                    if v.cover { ", cover saves on 5+" } else { "" }
                );
                offer.notes.push(OfferNote { text, warning: false, stop: false, rule: Some(cite!("8.4.a")) });
            }
        }
        Action::Pick { unit } => {
            offer.piece = Some(piece(*unit));
            offer.label = name(*unit);
        }
        Action::BreakThrough { by } => breakthrough_offer(&field, &mut offer, by),
    }
    offer
}

fn label(battle: &Battle, state: &State, action: &Action, notation: &str) -> String {
    match action {
        Action::Pass => match state.agenda.top() {
            Some(Step::Attach) => "Done with commanders",
            Some(Step::Charges) => "No more charges",
            Some(Step::Shooting) => "End the shooting",
            Some(Step::Melee(MeleeStep::Breakthrough)) => "Hold",
            Some(Step::Reroll { .. }) => "Let it stand",
            Some(Step::Charge(_)) => "Receive the charge",
            _ => "Stay",
        }
        .to_owned(),
        Action::Activate { brigade } => format!("{}'s brigade", battle.brigade(*brigade).name),
        Action::Order { unit, order } => order_words(order, state.unit(*unit).pose.facing),
        Action::Charge { target, by } => {
            let names: Vec<&str> = by.iter().map(|u| battle.unit(*u).name.as_str()).collect();
            format!("{} {}", charge_words(&names), battle.unit(*target).name)
        }
        Action::Shoot { unit, target } => {
            format!("{} {}", does(&battle.unit(*unit).name, "shoots at"), battle.unit(*target).name)
        }
        Action::Attach { commander, unit } => {
            format!("{} joins {}", battle.officer(*commander).name, battle.unit(*unit).name)
        }
        Action::Detach { commander, .. } => format!("{} leaves his unit", battle.officer(*commander).name),
        Action::Ride { commander, to } => {
            let inches = div_round(state.commanders[commander.i()].at.pt().to(to.pt()), INCH / 10);
            format!("{} rides {} in", battle.officer(*commander).name, decimal(inches as i32 * 100))
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

fn order_offer(field: &Field<'_>, offer: &mut Offer, u: UnitId, order: &Order) {
    offer.piece = Some(piece(u));
    offer.rolls = field.state.unit(u).hits > 0 && *order != Order::Hold;
    offer.rule = Some(match order {
        Order::Hold => cite!("5.4.b"),
        Order::Rally => cite!("5.4.h"),
        Order::Advance { .. } => cite!("5.4.c"),
        Order::March { .. } => cite!("5.4.d"),
        Order::Reform { .. } => cite!("5.4.k"),
    });
    let mut way = Trail::new();
    if let Ok(Some(plan)) = plan(field, field.battle.unit(u).brigade, u, order, &mut way) {
        offer.place = Some(pose(plan.pose));
        offer.path = way.iter().map(|p| pose(*p)).collect();
        if plan.formation != field.state.unit(u).formation {
            offer.footprint = Some(block(field.battle.unit(u).arm, plan.formation));
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

/// How far an order leads, where it leads somewhere.
const fn length(order: &Order) -> Option<i32> {
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
