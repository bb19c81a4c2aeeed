//! The decision at hand and its offers, in words.

use game::board::{Offer, OfferNote, Prompt};
use game::words::{capital, does, signed, the, verb};
use hexmap::Hex;

use crate::board::view::{halves, place};
use crate::rules::charts::Cell;
use crate::rules::concepts::Lines;
use crate::rules::movement::{Reach, Walk};
use crate::rules::{advance, combat, leaders, results};
use crate::setup::battle::Battle;
use crate::state::{LeaderId, Phase, Piece, State, Step, UnitId};
use crate::{Action, decider, legal, notation};

/// Every kind of decision.
pub(crate) const KINDS: [&str; 11] = [
    "organize", "fire", "volley", "tide", "march", "leader", "place", "retreat", "advance", "follow", "rally",
];

/// The kind of decision at hand.
fn kind(state: &State) -> &'static str {
    match state.agenda.top() {
        None => match state.phase {
            Phase::Organization => "organize",
            Phase::Movement => "march",
            Phase::Rally => "rally",
            Phase::Artillery | Phase::Defensive | Phase::Offensive => "fire",
            Phase::Command | Phase::Interval | Phase::Over => "none",
        },
        Some(Step::Volley) => "volley",
        Some(Step::CombatDie { .. } | Step::LeaderDie { .. } | Step::MoraleDie { .. }) => "tide",
        Some(Step::Place { .. }) => "place",
        Some(Step::Choose { .. }) => "leader",
        Some(Step::Retreat { .. }) => "retreat",
        Some(Step::Advance) => "advance",
        Some(Step::Follow { .. }) => "follow",
        Some(_) => "none",
    }
}

/// What is asked, as the end of a sentence.
pub(crate) fn asks(battle: &Battle, state: &State) -> String {
    let name = &battle.armies[decider(battle, state)].name;
    let army = |phrase: &str| format!("{} {}", the(name), verb(name, phrase));
    let unit = |id: UnitId| &battle.unit(id).name;
    let leader = |id: LeaderId| &battle.leader(id).name;
    match state.agenda.top() {
        None => match state.phase {
            Phase::Organization => army("organizes"),
            Phase::Artillery => army("fires with guns before moving"),
            Phase::Movement => army("moves"),
            Phase::Defensive => army("fires defensively"),
            Phase::Offensive => army("fires offensively"),
            Phase::Rally => army("rallies"),
            phase => phase.words().into(),
        },
        Some(Step::Volley) => {
            let target = state.fire.at.map_or(String::new(), |at| notation::target_words(battle, state, at));
            format!("{} {target}", army("says who else fires at"))
        }
        Some(Step::CombatDie { natural }) => {
            format!("{}: {}", combat_die_words(battle, state, natural), army("may roll it again"))
        }
        Some(Step::LeaderDie { leader: l, natural }) => {
            format!("{}: {}", leader_die_words(battle, l, natural), army("may roll it again"))
        }
        Some(Step::MoraleDie { unit: u, natural, .. }) => {
            format!("{}: {}", morale_die_words(battle, state, u, natural), army("may roll it again"))
        }
        Some(Step::Place { leader: l }) => {
            format!("{} {} goes", army("chooses the unit to which"), leader(l))
        }
        Some(Step::Choose { leader: l, unit: u }) => {
            format!("{} goes with {} or to another unit", leader(l), unit(u))
        }
        Some(Step::Retreat { unit: u, rout, .. }) => {
            let back = does(unit(u), if rout { "routs" } else { "retreats" });
            format!("{back}: {}", army("chooses the next hex"))
        }
        Some(Step::Advance) => format!("{} {}", army("may advance into"), vacated_words(battle, state)),
        Some(Step::Follow { leader: l, .. }) => format!("{} may come along with the advance", leader(l)),
        Some(_) => "the combat goes on".into(),
    }
}

/// What the combat die on the table comes to: `a 7 on Rodes comes to 1 SP lost and a morale check`.
fn combat_die_words(battle: &Battle, state: &State, natural: u8) -> String {
    let target = state.fire.at.map_or(String::new(), |at| notation::target_words(battle, state, at));
    let routed =
        state.fire.at.and_then(|at| state.unit_at(at)).is_some_and(|target| state.unit(target).routed);
    let result =
        combat::result(battle, state, natural).map_or("nothing".into(), |cell| results::words(cell, routed));
    format!("a {natural} on {target} comes to {result}")
}

/// What the die against a lone leader comes to: `a 4 misses Meade`.
fn leader_die_words(battle: &Battle, leader: LeaderId, natural: u8) -> String {
    let article = if natural == 8 { "an" } else { "a" };
    let came = if leaders::is_hit_by(natural) { "hits" } else { "misses" };
    format!("{article} {natural} {came} {}", battle.leader(leader).name)
}

/// The hexes that the combat has emptied: `0505`, `0505 or 0406`.
fn vacated_words(battle: &Battle, state: &State) -> String {
    let mut hexes: Vec<Hex> = advance::candidates(battle, state).map(|(_, hex)| hex).collect();
    hexes.sort_unstable();
    hexes.dedup();
    hexes.into_iter().map(|hex| battle.number(hex)).collect::<Vec<String>>().join(" or ")
}

/// What the morale die on the table comes to: `Morris passes on a 1`.
fn morale_die_words(battle: &Battle, state: &State, unit: UnitId, natural: u8) -> String {
    let passed = results::passed_by(battle, state, unit, natural);
    let article = if natural == 8 { "an" } else { "a" };
    let came = does(&battle.unit(unit).name, if passed { "passes" } else { "fails" });
    format!("{came} on {article} {natural}")
}

/// Whether the die on the table is good enough for its owner: the check is passed, or at most every second die would do
/// more to the target.
fn die_may_stand(battle: &Battle, state: &State) -> bool {
    match state.agenda.top() {
        Some(Step::MoraleDie { unit, natural, .. }) => results::passed_by(battle, state, unit, natural),
        Some(Step::LeaderDie { natural, .. }) => leaders::is_hit_by(natural),
        Some(Step::CombatDie { natural }) => {
            let harm = |die: u8| combat::result(battle, state, die).map_or(0, Cell::harm);
            (1..=10).filter(|&die| harm(die) > harm(natural)).count() <= 5
        }
        _ => false,
    }
}

/// The decision in one sentence.
pub(crate) fn prompt(battle: &Battle, state: &State) -> Prompt {
    let rule = match state.agenda.top() {
        None => match state.phase {
            Phase::Organization => cite!("6.1.a"),
            Phase::Artillery => cite!("7.1.a"),
            Phase::Movement => cite!("8.1.2.a"),
            Phase::Defensive => cite!("9.2.a"),
            Phase::Offensive => cite!("9.3.a"),
            Phase::Rally => cite!("10.1.a"),
            Phase::Command | Phase::Interval | Phase::Over => cite!("4.2.d"),
        },
        Some(Step::Volley) => cite!("9.1.3.a"),
        Some(Step::CombatDie { .. } | Step::LeaderDie { .. } | Step::MoraleDie { .. }) => cite!("12.0.a"),
        Some(Step::Place { .. }) => cite!("5.3.2.a"),
        Some(Step::Choose { .. }) => cite!("9.8.l"),
        Some(Step::Retreat { rout: true, .. }) => cite!("9.8.q"),
        Some(Step::Retreat { .. }) => cite!("9.8.d"),
        Some(Step::Advance | Step::Follow { .. }) => cite!("9.9.a"),
        Some(_) => cite!("9.5.f"),
    };
    let sentence = match state.agenda.top() {
        Some(Step::CombatDie { natural }) => {
            format!("{}. Roll again?", capital(&combat_die_words(battle, state, natural)))
        }
        Some(Step::LeaderDie { leader, natural }) => {
            format!("{}. Roll again?", capital(&leader_die_words(battle, leader, natural)))
        }
        Some(Step::MoraleDie { unit, natural, .. }) => {
            format!("{}. Roll again?", morale_die_words(battle, state, unit, natural))
        }
        _ => capital(&asks(battle, state)) + ".",
    };
    let turn = battle.turn(state);
    Prompt {
        side: decider(battle, state),
        kind: kind(state).into(),
        sentence,
        detail: format!(
            "{}, {} of {}.",
            turn.label,
            state.phase.words(),
            the(&battle.armies[state.phase.whose(state.active)].name)
        ),
        rule,
    }
}

/// An action as the board offers it.
pub(crate) fn offer(battle: &Battle, state: &State, action: Action) -> Offer {
    let lines = Lines::of(battle, state, state.active);
    describe(battle, state, action, &mut Marching { lines: &lines, piece: None })
}

/// All of them. What the marches of one piece share is worked out once.
pub(crate) fn offer_all(battle: &Battle, state: &State, actions: &[Action]) -> Vec<Offer> {
    let lines = Lines::of(battle, state, state.active);
    let mut marching = Marching { lines: &lines, piece: None };
    actions.iter().map(|&action| describe(battle, state, action, &mut marching)).collect()
}

/// The piece whose marches are being described, and what it can reach.
struct Marching<'a> {
    lines: &'a Lines,
    piece: Option<(Piece, Walk<'a>, Reach)>,
}

impl<'a> Marching<'a> {
    fn of(&mut self, battle: &'a Battle, state: &'a State, piece: Piece) -> (&Walk<'a>, &Reach) {
        if self.piece.as_ref().is_none_or(|(known, ..)| *known != piece) {
            self.piece = None;
        }
        let (_, walk, reach) = self.piece.get_or_insert_with(|| {
            let walk = Walk::new(battle, state, self.lines, piece);
            let reach = Reach::of(&walk, piece);
            (piece, walk, reach)
        });
        (walk, reach)
    }
}

fn describe<'a>(battle: &'a Battle, state: &'a State, action: Action, marching: &mut Marching<'a>) -> Offer {
    let text = notation::write(battle, action);
    let verb = text.split_whitespace().next().unwrap_or_default().to_owned();
    let mut offer = Offer::new(text, verb, label(battle, state, action));
    offer.piece = legal::actor(action).map(|piece| battle.piece_id(piece));
    match action {
        Action::Done | Action::Open | Action::Hold => offer.button = true,
        Action::Keep => (offer.button, offer.main) = (true, die_may_stand(battle, state)),
        Action::Tide => (offer.button, offer.rolls) = (true, true),
        Action::Stay { .. } | Action::Remain { .. } => offer.button = true,
        Action::Rally { .. } => offer.rolls = true,
        Action::March { piece, to } => march_offer(battle, state, piece, to, marching, &mut offer),
        Action::Change { .. } => offer.cost = Some("2".into()),
        Action::Fire { unit, at } => {
            offer.rolls = rolls_at_once(battle, state, at, crate::state::Units::EMPTY, unit);
            offer.targets =
                notation::target_pieces(battle, state, at).into_iter().map(|p| battle.piece_id(p)).collect();
            offer.place = Some(place(battle, at));
            let mut firers = crate::state::Units::EMPTY;
            firers.insert(unit);
            let volley = combat::volley(battle, state, at, firers);
            offer.notes.push(note(volley_words(battle, &volley), cite!("9.5.c")));
        }
        Action::Join { unit } => {
            let mut firers = state.fire.firers;
            firers.insert(unit);
            if let Some(at) = state.fire.at {
                offer.rolls = rolls_at_once(battle, state, at, state.fire.firers, unit);
                let volley = combat::volley(battle, state, at, firers);
                offer.notes.push(note(volley_words(battle, &volley), cite!("9.1.3.a")));
            }
        }
        Action::Retreat { to, .. } => offer.place = Some(place(battle, to)),
        Action::Place { unit, .. } => offer.targets = vec![battle.piece_id(Piece::Unit(unit))],
        Action::Advance { to, .. } => offer.place = to.or(state.fire.at).map(|hex| place(battle, hex)),
        Action::Follow { .. } => {
            if let Some(Step::Follow { to, .. }) = state.agenda.top() {
                offer.place = Some(place(battle, to));
            }
        }
        Action::Burn { .. } | Action::Search { .. } | Action::Build { .. } | Action::Raze { .. } => {}
    }
    offer.rolls |= action == Action::Open;
    offer
}

/// Whether the die falls as soon as this unit is named: nobody is left to join.
fn rolls_at_once(battle: &Battle, state: &State, at: Hex, firers: crate::state::Units, unit: UnitId) -> bool {
    let mut all = firers;
    all.insert(unit);
    combat::who_may_join(battle, state, at, all).is_empty()
}

pub(crate) fn volley_words(battle: &Battle, volley: &combat::Volley) -> String {
    let column = battle.charts.head(volley.column);
    match volley.modifier() {
        0 => format!("{} SP, column {column}", volley.total),
        more => format!("{} SP, column {column}, die {}", volley.total, signed(more)),
    }
}

fn note(text: String, rule: game::Rule) -> OfferNote {
    OfferNote { text, warning: false, stop: false, rule: Some(rule) }
}

fn march_offer<'a>(
    battle: &'a Battle,
    state: &'a State,
    piece: Piece,
    to: Hex,
    marching: &mut Marching<'a>,
    offer: &mut Offer,
) {
    let zone = marching.lines.zone;
    let (walk, reach) = marching.of(battle, state, piece);
    offer.place = Some(place(battle, to));
    let path = if walk.routed { [to].into_iter().collect() } else { reach.path(walk, piece, to) };
    let from = state.hex_of(piece).hex();
    offer.path = from.into_iter().chain(path).map(|hex| place(battle, hex)).collect();
    offer.cost = reach.spent_at(to).map(|spent| halves(spent - walk.spent));
    if zone.contains(to) {
        offer.notes.push(OfferNote {
            text: "Stops in an enemy zone".into(),
            warning: false,
            stop: true,
            rule: Some(cite!("1.1.2.c")),
        });
    }
    offer.rule = Some(if from.is_some() { cite!("8.1.3.a") } else { cite!("8.3.a") });
}

fn label(battle: &Battle, state: &State, action: Action) -> String {
    let unit = |id: UnitId| battle.unit(id).name.clone();
    let leader = |id: LeaderId| battle.leader(id).name.clone();
    match action {
        Action::Done => match state.phase {
            Phase::Movement => "End the movement".into(),
            Phase::Organization => "End the organization".into(),
            Phase::Rally => "End the rally".into(),
            _ => "End the fire".into(),
        },
        Action::Build { .. } => "Build a breastwork".into(),
        Action::Raze { .. } => "Pull the breastwork down".into(),
        Action::Burn { site, .. } => format!("Set fire to {}", battle.sites[usize::from(site)].name),
        Action::Search { .. } => "Search for the ford".into(),
        Action::Fire { at, .. } => format!("Fire at {}", notation::target_words(battle, state, at)),
        Action::Join { unit: u } => does(&unit(u), "fires too"),
        Action::Open => "Open fire".into(),
        Action::March { to, .. } => format!("March to {}", battle.number(to)),
        Action::Change { drill, .. } => capital(drill.word()),
        Action::Tide => "Roll again with the Tide of Battle".into(),
        Action::Keep => "Let the die stand".into(),
        Action::Place { unit: u, .. } => format!("Go to {}", unit(u)),
        Action::Stay { leader: l } => format!("{} goes back with his unit", leader(l)),
        Action::Retreat { to, .. } => format!("Go back to {}", battle.number(to)),
        Action::Advance { unit: u, to } => match to.or(state.fire.at) {
            Some(hex) => format!("{} {}", does(&unit(u), "advances into"), battle.number(hex)),
            None => does(&unit(u), "advances"),
        },
        Action::Hold => "Do not advance".into(),
        Action::Follow { leader: l } => format!("{} comes along", leader(l)),
        Action::Remain { leader: l } => format!("{} stays behind", leader(l)),
        Action::Rally { unit: u } => format!("Rally {}", unit(u)),
    }
}
