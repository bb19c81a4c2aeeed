use std::collections::BTreeSet;

use game::dice::{Dice, QuickDice};
use game::odds::{self, Budget, Fates, Horizon, OddsReport, Standing, Tone};
use game::{Fx, Now, PieceId, Side, Silent, System};

use crate::shelf::battle;

/// Enough to look at many decisions, few enough ways to be quick.
const BUDGET: Budget = Budget { positions: 300, ways: 2_000, beyond: 500, plays: 60 };

/// Walks random games until so many decisions have rolled dice, and looks at what the panel of odds would say: whole
/// shares, words of the system's own, and tones that follow from what happened.
///
/// # Panics
/// With the action and the words that do not fit.
pub fn odds_in_words<S: System>(id: &str, decisions: usize) {
    let battle = battle::<S>(id);
    let mut mind = QuickDice::new(1777);
    let (mut seen, mut words) = (0, BTreeSet::new());
    for seed in 0.. {
        assert!(seed < 400, "{id}: only {seen} decisions that roll dice in {seed} games");
        let mut fx = Fx { dice: QuickDice::new(seed), log: Silent };
        let mut state = S::muster(&battle);
        S::settle(&battle, &mut state, &mut fx);
        while let Now::Decides(side) = S::now(&battle, &state) {
            let mut offers = Vec::new();
            S::offers(&battle, &state, &mut offers);
            let action = offers[mind.below(offers.len() as u32) as usize].clone();
            if mind.below(4) == 0 {
                let told = odds::report::<S>(&battle, &state, &action, Horizon::Decision, BUDGET);
                check_report(&told, &S::write(&battle, &action));
                seen += usize::from(told.positions > 1);
                words.extend(told.pieces.iter().flat_map(|p| &p.fates).map(|f| (f.fate.tone, f.fate.word)));
                obeying::<S>(&battle, &state, &action, side);
            }
            S::play_unchecked(&battle, &mut state, &action, &mut fx);
        }
        if seen >= decisions {
            break;
        }
    }
    assert!(
        words.iter().any(|(tone, _)| *tone == Tone::Hurt || *tone == Tone::Gone),
        "{id}: nobody was ever hurt"
    );
    let own = words.iter().filter(|(_, word)| !PLAIN.contains(word)).count();
    assert!(own > 0, "{id}: not one word is the system's own: {words:?}");
}

/// What standings alone tell.
const PLAIN: [&str; 7] = ["unhurt", "hurt", "loses order", "recovers", "moves", "arrives", "gone"];

/// Every piece's fates are told once each, the best first, in a word or two, and add up to the whole.
fn check_report(told: &OddsReport, action: &str) {
    for piece in &told.pieces {
        let sum: f64 = piece.fates.iter().map(|f| f.share.p).sum();
        assert!((sum - 1.0).abs() < 1e-9, "`{action}`: the fates of {:?} add up to {sum}", piece.piece);
        assert!(piece.fates.is_sorted_by(|a, b| a.fate < b.fate), "`{action}`: {:?}", piece.fates);
        for fate in piece.fates.iter().map(|f| f.fate) {
            let short = (1..=32).contains(&fate.word.len()) && !fate.word.ends_with('.');
            assert!(short, "`{action}`: `{}` is not a word or two", fate.word);
        }
    }
}

fn standing(fates: &Fates, piece: PieceId) -> Option<Standing> {
    fates.iter().find(|(id, _)| *id == piece).map(|(_, standing)| *standing)
}

/// A piece that goes where its owner sends it, and suffers nothing, does not give way; one that leaves the board is gone
/// or has got what it wanted; and nobody is gone who is on it.
fn obeying<S: System>(battle: &S::Battle, state: &S::State, action: &S::Action, side: Side) {
    let offer = S::offer(battle, state, action);
    let kind = S::prompt(battle, state).kind;
    // Where somebody who gives way chooses the way, he gives way all the same.
    let giving_way = ["retreat", "rout", "withdraw", "flee", "fall", "back", "retire", "give"];
    let by_order = !giving_way.iter().any(|word| kind.contains(word) || offer.verb.contains(word));
    let before = S::standings(battle, state);
    let mut after = state.clone();
    S::answer(battle, &mut after, action, &mut Fx { dice: QuickDice::new(0), log: Silent });
    let now = S::view(battle, &after, game::Eyes::All).pieces;
    for (piece, is) in S::standings(battle, &after) {
        let Some(was) = standing(&before, piece) else { continue };
        let fate = S::fate(battle, state, &after, piece, &was, &is);
        let what = || format!("`{}`: {piece:?} `{}`, {:?}", S::write(battle, action), fate.word, fate.tone);
        assert!(is.off || fate.tone != Tone::Gone, "{} but is still there", what());
        if is.off && !was.off {
            assert!(
                matches!(fate.tone, Tone::Gone | Tone::Gains | Tone::Holds),
                "{} and is off the board",
                what()
            );
        }
        let sent = offer.piece == Some(piece) && now.iter().any(|p| p.id == piece && p.side == side);
        let sound = (was.whole, was.hurt, was.lost, was.order) == (is.whole, is.hurt, is.lost, is.order);
        let arrived =
            offer.place.as_ref().is_some_and(|to| now.iter().any(|p| p.id == piece && p.place == *to));
        if sent && sound && arrived && by_order {
            assert!(matches!(fate.tone, Tone::Gains | Tone::Holds), "{} and does as it was told", what());
        }
    }
}
