use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use game::board::{March, Offer, View};
use game::dice::{Dice, QuickDice};
use game::journal::{self, DiceOf, Header};
use game::session::{Match, Throw, digest};
use game::{BySide, Eyes, Fx, Now, Options, Place, Rules, Side, Silent, System};
use players::Player;

use crate::quick;
use crate::shelf::battle;

/// What must hold of every position of a system, besides the contract.
pub type Invariant<S> = fn(&<S as Rules>::Battle, &<S as Rules>::State) -> Result<(), String>;

/// A game longer than this will not end.
const ENDLESS: u64 = 1_000_000;

/// Plays `games` games at random through the checked door, with a journal, and checks at every decision what the
/// contract promises.
///
/// # Panics
/// At the first promise broken, with the seed.
pub fn contract<S: System>(id: &str, games: u64, invariant: Invariant<S>) {
    let battle = Arc::new(battle::<S>(id));
    for seed in 0..games {
        play_one::<S>(id, &battle, seed, invariant);
    }
}

pub(crate) fn header<S: System>(id: &str, seed: u64) -> Header {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    Header {
        linstock: journal::FORMAT,
        system: S::book().system.to_owned(),
        edition: S::edition().to_owned(),
        scenario: id.to_owned(),
        hash: String::new(),
        text: None,
        options: Options::new(),
        seats: BySide::from_fn(|_| "random".to_owned()),
        dice: DiceOf::Seed(journal::hex(&bytes)),
        rolls_back: false,
        taken_over: 0,
    }
}

fn play_one<S: System>(id: &str, battle: &Arc<S::Battle>, seed: u64, invariant: Invariant<S>) {
    let mut mind = QuickDice::new(seed);
    let mut game =
        Match::<S>::start(battle.clone(), header::<S>(id, seed), None, &Throw::default()).expect("musters");
    for decisions in 0.. {
        let Now::Decides(side) = game.now() else { break };
        let state = game.state();
        let place = || format!("{id}, seed {seed}, decision {decisions}: ");
        assert!(decisions < ENDLESS, "{}no end", place());
        if let Err(broken) = invariant(battle, state) {
            panic!("{}{broken}", place());
        }
        let mut offers = Vec::new();
        S::offers(battle, state, &mut offers);
        assert!(!offers.is_empty(), "{}a decision without an offer: {:?}", place(), S::prompt(battle, state));
        assert!(
            offers.len() > 1 || !S::is_open(battle, state),
            "{}an open decision with one offer: {:?}",
            place(),
            S::prompt(battle, state)
        );
        check_offers::<S>(battle, state, &offers, &mut mind, &place());
        check_eyes::<S>(battle, state, &place());
        let chosen = S::write(battle, &offers[mind.below(offers.len() as u32) as usize]);
        let (before, scene) = (digest(state), S::scene(battle, state));
        let turns = (S::turn(battle, state), S::player_turn(battle, state));
        assert!(
            game.act(side.enemy(), &chosen, &Throw::default()).is_err(),
            "{}the other side may act",
            place()
        );
        assert!(game.act(side, "no such thing", &Throw::default()).is_err(), "{}nonsense is played", place());
        assert_eq!(digest(game.state()), before, "{}a refused action changed the position", place());
        if let Err(error) = game.act(side, &chosen, &Throw::default()) {
            panic!("{}the offer `{chosen}` is not played: {error:?}", place());
        }
        assert!(S::scene(battle, game.state()) >= scene, "{}play went back to an earlier scene", place());
        let later = (S::turn(battle, game.state()), S::player_turn(battle, game.state()));
        assert!(
            later.0 >= turns.0 && later.1 >= turns.1,
            "{}play went back from turn and player turn {turns:?} to {later:?}",
            place()
        );
        if mind.below(8) == 0 {
            let moment = game.moments().len();
            game.undo(side, true).expect("a decision can be taken back by consent");
            assert_eq!(game.moments().len(), moment - 1, "{}undo took back something else", place());
            assert_eq!(digest(game.state()), before, "{}undo led elsewhere", place());
        }
    }
    game.reveal();
    check_journal::<S>(battle, &game);
}

fn check_offers<S: System>(
    battle: &S::Battle,
    state: &S::State,
    offers: &[S::Action],
    mind: &mut QuickDice,
    place: &str,
) {
    // All of a short list, a sample of a long one.
    let sample: Vec<usize> = match offers.len() {
        n @ 0..=12 => (0..n).collect(),
        n => (0..12).map(|_| mind.below(n as u32) as usize).collect(),
    };
    let all = S::offer_all(battle, state, offers);
    assert_eq!(all.len(), offers.len(), "{place}not every offer is described");
    for (offer, among_all) in sample.into_iter().map(|i| (&offers[i], &all[i])) {
        let notation = S::write(battle, offer);
        if let Err(refusal) = S::check(battle, state, offer) {
            panic!("{place}the offer `{notation}` is refused: {refusal:?}");
        }
        match S::read(battle, state, &notation) {
            Ok(read) => {
                assert_eq!(read, *offer, "{place}`{notation}` is read as `{}`", S::write(battle, &read))
            }
            Err(fault) => panic!("{place}the offer `{notation}` cannot be read: {fault}"),
        }
        let shown = S::offer(battle, state, offer);
        assert_eq!(shown.action, notation, "{place}the board sends back another action");
        assert_eq!(
            format!("{shown:?}"),
            format!("{among_all:?}"),
            "{place}`{notation}` reads differently among the others"
        );
        assert!(!shown.label.trim().is_empty(), "{place}`{notation}` has no label");
        assert_eq!(shown.label.trim(), shown.label, "{place}the label of `{notation}` has room around it");
        let once = offers.iter().filter(|o| *o == offer).count();
        assert_eq!(once, 1, "{place}`{notation}` is offered {once} times");
        let mut targets = shown.targets.clone();
        targets.sort_unstable();
        targets.dedup();
        assert_eq!(targets.len(), shown.targets.len(), "{place}`{notation}` names a target twice");
        if let Some(march) = S::march(battle, state, offer) {
            check_march(&march, &shown, place);
        }
    }
}

/// A march hex by hex goes the way that is drawn, and its hexes cost what the whole costs.
fn check_march(march: &March, shown: &Offer, place: &str) {
    let way: Vec<&Place> = march.steps.iter().map(|step| &step.place).collect();
    // Who comes onto the map has no hex to start from.
    assert!(
        shown.path.iter().skip(1).eq(way.iter().copied()) || shown.path.iter().eq(way.iter().copied()),
        "{place}`{}` goes another way hex by hex: {way:?}, not {:?}",
        shown.action,
        shown.path
    );
    let sum: u32 = march.steps.iter().map(|step| halves(&step.cost)).sum();
    let whole = shown.cost.as_deref().map(halves);
    assert_eq!(Some(sum), whole, "{place}the hexes of `{}` cost otherwise: {march:?}", shown.action);
    for fire in &march.fire {
        assert!(fire.dice > 0 && fire.test.is_some(), "{place}`{}` draws a fire without dice", shown.action);
    }
}

/// A cost as it is shown, in half points.
fn halves(cost: &str) -> u32 {
    let whole = cost.trim_end_matches('½');
    let points: u32 = if whole.is_empty() { 0 } else { whole.parse().expect("a cost is a number") };
    2 * points + u32::from(whole.len() < cost.len())
}

/// What a side sees is settled once what it may not know is removed, and can be shown.
fn check_eyes<S: System>(battle: &S::Battle, state: &S::State, place: &str) {
    for side in Side::BOTH {
        let seen = S::seen_by(battle, state, side);
        assert_eq!(
            S::seen_by(battle, &seen, side),
            seen,
            "{place}removing the concealed twice differs from once"
        );
        assert_eq!(S::now(battle, &seen), S::now(battle, state), "{place}{side:?} does not see who decides");
        check_view(&S::view(battle, &seen, Eyes::Of(side)), place);
    }
    check_view(&S::view(battle, &S::seen(battle, state, Eyes::Bystander), Eyes::Bystander), place);
    assert!(!S::prompt(battle, state).sentence.is_empty(), "{place}a decision without a sentence");
}

/// The board keeps what it draws apart by these names: a piece by its id, a badge by its sign, a figure by its label.
fn check_view(view: &View, place: &str) {
    let repeated = |what: &str, names: &mut dyn Iterator<Item = String>| {
        let mut seen = BTreeSet::new();
        for name in names {
            assert!(!seen.contains(&name), "{place}{what} twice: {name}");
            seen.insert(name);
        }
    };
    repeated("a piece is there", &mut view.pieces.iter().map(|p| p.slug.clone()));
    repeated("a piece's id is there", &mut view.pieces.iter().map(|p| p.id.0.to_string()));
    for piece in &view.pieces {
        repeated("a badge is worn", &mut piece.badges.iter().map(|b| format!("{}, {}", piece.slug, b.sign)));
        repeated(
            "a figure is told",
            &mut piece.figures.iter().map(|f| format!("{}, {}", piece.slug, f.label)),
        );
    }
}

fn check_journal<S: System>(battle: &Arc<S::Battle>, game: &Match<S>) {
    let text = game.journal();
    let parsed = journal::parse(&text).expect("the journal can be read");
    let (again, broken) =
        Match::<S>::resume(battle.clone(), parsed, None).expect("the journal can be replayed");
    assert_eq!(broken, None);
    assert_eq!(digest(again.state()), digest(game.state()), "the replay ends elsewhere");
    again.verify().expect("the dice follow from the seed");
}

/// Plays `games` random games in silence through the fast door; each must end and keep the invariant at every decision.
///
/// # Panics
/// At the first that does not, with its seed.
pub fn random_games<S: System>(id: &str, games: u64, invariant: Invariant<S>) {
    random_games_of::<S>(id, 0..games, invariant);
}

/// The games with these seeds: long games are shared out among tests, so that they run side by side.
///
/// # Panics
/// As [`random_games`].
pub fn random_games_of<S: System>(id: &str, seeds: Range<u64>, invariant: Invariant<S>) {
    let battle = battle::<S>(id);
    let mut offers = Vec::new();
    for seed in seeds.step_by(if quick() { 20 } else { 1 }) {
        let mut mind = QuickDice::new(!seed);
        let mut fx = Fx { dice: QuickDice::new(seed), log: Silent };
        let mut state = S::muster(&battle);
        S::settle(&battle, &mut state, &mut fx);
        let mut decisions = 0;
        while let Now::Decides(_) = S::now(&battle, &state) {
            if let Err(broken) = invariant(&battle, &state) {
                panic!("{id}, seed {seed}, decision {decisions}: {broken}");
            }
            offers.clear();
            S::offers(&battle, &state, &mut offers);
            assert!(
                !offers.is_empty(),
                "{id}, seed {seed}, decision {decisions}: a decision without an offer"
            );
            assert!(
                offers.len() > 1 || !S::is_open(&battle, &state),
                "{id}, seed {seed}, decision {decisions}: an open decision with one offer"
            );
            let action = Player::Random.choose::<S>(&battle, &state, &offers, &mut mind);
            S::play_unchecked(&battle, &mut state, &action, &mut fx);
            decisions += 1;
            assert!(decisions < ENDLESS, "{id}, seed {seed}: no end");
        }
    }
}
