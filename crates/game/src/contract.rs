//! One contract, five games. What is written against these traits (journal, undo, odds, computer players, server,
//! board) knows no system; a system knows nothing of what is built on it.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::hash::Hash;

use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::PieceId;
use crate::board::{Ask, Board, Offer, Overlay, Prompt, View};
use crate::faults::Faults;
use crate::odds::{Fate, Standing};
use crate::situation::{Fact, Unknown};
use crate::{Book, BySide, Effects, Eyes, Rule, Side};

/// Who must decide now, or how it ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Now {
    /// This side must decide.
    Decides(Side),
    /// The game is over.
    Over(Outcome),
}

/// How a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// This side has won.
    Won(Side),
    /// Nobody has.
    Drawn,
}

/// Why an action is not allowed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Refusal {
    /// What is not possible, named: "Not to 0910."
    pub what: String,
    /// Why, and what would have to be different.
    pub why: String,
    /// The rule it rests on; none when the action answers another decision than the one at hand.
    pub rule: Option<Rule>,
}

impl Refusal {
    /// `what` is refused under `rule` because of `why`.
    pub fn new(what: impl Into<String>, why: impl Into<String>, rule: Rule) -> Self {
        Refusal { what: what.into(), why: why.into(), rule: Some(rule) }
    }

    /// The action does not answer the decision at hand.
    pub fn off_turn(why: impl Into<String>) -> Self {
        Refusal { what: "This is not the decision at hand.".into(), why: why.into(), rule: None }
    }
}

/// House rules and options by name, as a scenario or a player sets them.
pub type Options = BTreeMap<String, bool>;

/// The rules of a system as a pure function.
///
/// Implement everything here; never override [`Ruleset::play`] or [`Ruleset::settle`].
pub trait Ruleset: Sized + Debug + Send + Sync + 'static {
    /// A compiled scenario: map, order of battle, charts. Immutable.
    type Battle: Debug + Send + Sync;
    /// A position: small, flat, no heap.
    type State: Clone + Eq + Hash + Debug + Send + Sync + Serialize + DeserializeOwned;
    /// One decision of one player.
    type Action: Clone + Eq + Debug + Send;

    /// The inventory of rules.
    fn book() -> &'static Book;

    /// The edition of the rules as implemented: a journal of another edition is refused, not misplayed. Raise it
    /// whenever a change could make an old journal end elsewhere.
    fn edition() -> &'static str {
        "1"
    }

    /// The position at the start. No decision may be pending on a step that runs by itself: callers [`Ruleset::settle`] it.
    fn muster(battle: &Self::Battle) -> Self::State;

    /// Who decides, or how it ended. Cheap; meaningful only on a settled position.
    fn now(battle: &Self::Battle, state: &Self::State) -> Now;

    /// The legal actions, put into `out` (which the caller has cleared). Empty only when the game is over. On hexes complete up to the choice of
    /// path; on the table a rich, well-spread sample.
    fn offers(battle: &Self::Battle, state: &Self::State, out: &mut Vec<Self::Action>);

    /// Decides any action, also one never offered. Shares its predicates with [`Ruleset::offers`].
    ///
    /// # Errors
    /// The refusal names the rule.
    fn check(battle: &Self::Battle, state: &Self::State, action: &Self::Action) -> Result<(), Refusal>;

    /// Resolves the decision at hand. The action has passed [`Ruleset::check`].
    fn answer(battle: &Self::Battle, state: &mut Self::State, action: &Self::Action, fx: &mut impl Effects);

    /// Runs one step that needs no decision; false when a decision is needed or the game is over.
    fn step(battle: &Self::Battle, state: &mut Self::State, fx: &mut impl Effects) -> bool;

    /// The position with what `side` may not know removed: equal for all positions that look alike to it.
    fn seen_by(battle: &Self::Battle, state: &Self::State, side: Side) -> Self::State;

    /// The position as these eyes may know it.
    fn seen(battle: &Self::Battle, state: &Self::State, eyes: Eyes) -> Self::State {
        match eyes {
            Eyes::Of(side) => Self::seen_by(battle, state, side),
            Eyes::Bystander => {
                Self::seen_by(battle, &Self::seen_by(battle, state, Side::First), Side::Second)
            }
            Eyes::All => state.clone(),
        }
    }

    /// Victory points as the rulebook counts them.
    fn score(battle: &Self::Battle, state: &Self::State) -> BySide<i32>;

    /// Runs steps until somebody must decide or the game is over.
    fn settle(battle: &Self::Battle, state: &mut Self::State, fx: &mut impl Effects) {
        while Self::step(battle, state, fx) {}
    }

    /// The fast door: `action` must be legal.
    fn play_unchecked(
        battle: &Self::Battle,
        state: &mut Self::State,
        action: &Self::Action,
        fx: &mut impl Effects,
    ) {
        Self::answer(battle, state, action, fx);
        Self::settle(battle, state, fx);
    }

    /// The checked door: a refused action leaves the position untouched.
    ///
    /// # Errors
    /// As [`Ruleset::check`].
    fn play(
        battle: &Self::Battle,
        state: &mut Self::State,
        action: &Self::Action,
        fx: &mut impl Effects,
    ) -> Result<(), Refusal> {
        Self::check(battle, state, action)?;
        Self::play_unchecked(battle, state, action, fx);
        Ok(())
    }
}

/// The surveys and charts that a scenario may name.
pub trait Library {
    /// The text of the survey of that name.
    fn survey(&self, name: &str) -> Option<String>;

    /// The text of the scenario of that id.
    fn scenario(&self, _id: &str) -> Option<String> {
        None
    }
}

/// What a system says about itself: files, notation, sentences, pictures.
pub trait Words: Ruleset {
    /// Reads a scenario file. `options` overrides the file's house rules.
    ///
    /// # Errors
    /// Every fault of the file at once, each at its place.
    fn compile(source: &str, library: &dyn Library, options: &Options) -> Result<Self::Battle, Faults>;

    /// Sets up a position in mid-game from a situation's `[position]` table (a TOML text of its own).
    ///
    /// # Errors
    /// Every fault at once, each at its place in `position`.
    fn position(battle: &Self::Battle, position: &str) -> Result<Self::State, Faults>;

    /// The action in notation, as journals and situations write it: `march meredith 1010 0910`.
    fn write(battle: &Self::Battle, action: &Self::Action) -> String;

    /// Reads notation. The position helps to complete what a person left out.
    ///
    /// # Errors
    /// A sentence that says what was expected.
    fn read(battle: &Self::Battle, state: &Self::State, notation: &str) -> Result<Self::Action, String>;

    /// A named fact of the position, for situations: `meredith.hex`, `score.usa`, `sight.0505.0507`.
    ///
    /// # Errors
    /// Which part of the name is unknown, and what is known there.
    fn fact(battle: &Self::Battle, state: &Self::State, name: &str) -> Result<Fact, Unknown>;

    /// The phase or check that runs next by itself, by the name a situation stops at: `morale`, `rally`. Asked between
    /// two steps; none where a decision is at hand or nothing that has a name is next. A decision that the next step
    /// passes over because there is nothing to do has a name too: there [`Ruleset::check`] refuses as it would in that
    /// decision.
    fn upcoming(_battle: &Self::Battle, _state: &Self::State) -> Option<&'static str> {
        None
    }

    /// Every name that [`Words::upcoming`] may give; empty if they are not known.
    fn stops() -> &'static [&'static str] {
        &[]
    }

    /// Every kind of decision that [`Words::prompt`] may give; empty if they are not known.
    fn kinds() -> &'static [&'static str] {
        &[]
    }

    /// What the board draws once: ground, sides, charts.
    fn board(battle: &Self::Battle) -> Board;

    /// What the board draws at each moment. `state` has already been through [`Ruleset::seen`] for `eyes`.
    fn view(battle: &Self::Battle, state: &Self::State, eyes: Eyes) -> View;

    /// The decision at hand in one sentence.
    fn prompt(battle: &Self::Battle, state: &Self::State) -> Prompt;

    /// A legal action as the board offers it: words, and the pieces and places it is anchored to.
    fn offer(battle: &Self::Battle, state: &Self::State, action: &Self::Action) -> Offer;

    /// Many legal actions of one position, each as [`Words::offer`] gives it. Override it where they share work, such as
    /// the reach of a piece.
    fn offer_all(battle: &Self::Battle, state: &Self::State, actions: &[Self::Action]) -> Vec<Offer> {
        actions.iter().map(|action| Self::offer(battle, state, action)).collect()
    }

    /// Answers a question about the position: zones, lines of sight, reach.
    fn overlay(battle: &Self::Battle, state: &Self::State, ask: &Ask) -> Overlay;
}

/// A small evaluation for computer players.
pub trait Judgement: Words {
    /// Whether computer players judge no position in the middle of an affair, but look on to its end, both sides taking
    /// the most promising choice at first sight.
    const SEES_AFFAIRS_THROUGH: bool = false;

    /// How good the position is for `side`, in hundredths of a victory point; antisymmetric is not required.
    fn worth(battle: &Self::Battle, state: &Self::State, side: Side) -> i32;

    /// The affair (engagement, charge, close combat) under way, by a number that stays the same until it is over.
    fn affair(_battle: &Self::Battle, _state: &Self::State) -> Option<u32> {
        None
    }

    /// The scene that play has come to (a phase of a turn): a number that never falls as play goes on. Where too much
    /// follows by itself to be enumerated, odds leave off with the end of a scene.
    fn scene(_battle: &Self::Battle, _state: &Self::State) -> u32 {
        0
    }

    /// What the scene is called.
    fn scene_name(_battle: &Self::Battle, _state: &Self::State) -> &'static str {
        ""
    }

    /// How each piece stands, for adding up odds. The default reads it off the view; a quicker one pays.
    fn standings(battle: &Self::Battle, state: &Self::State) -> crate::odds::Fates {
        crate::odds::from_view::<Self>(battle, state)
    }

    /// What becomes of `piece` between `before` and `after`, in the game's own words; its standing changes from `was` to
    /// `is`. Asked also where the standing stays the same, of pieces to which something else may happen. The default
    /// tells what the standings alone can tell.
    fn fate(
        _battle: &Self::Battle,
        _before: &Self::State,
        _after: &Self::State,
        _piece: PieceId,
        was: &Standing,
        is: &Standing,
    ) -> Fate {
        Fate::of_standings(was, is)
    }

    /// Whether the decision at hand is surely between several actions; false where only [`Ruleset::offers`] can tell.
    /// Odds look no further than such a decision: a quick answer pays where listing the offers is slow.
    fn is_open(_battle: &Self::Battle, _state: &Self::State) -> bool {
        false
    }

    /// What each side may choose where the decision at hand is sealed against the enemy's own, or lies sealed already.
    fn sealed(_battle: &Self::Battle, _state: &Self::State) -> Option<BySide<Vec<Self::Action>>> {
        None
    }

    /// The position with both sides' choices sealed and nothing turned over yet; asked only where
    /// [`Judgement::sealed`] lists choices.
    fn unsealed(_battle: &Self::Battle, state: &Self::State, _choices: BySide<&Self::Action>) -> Self::State {
        state.clone()
    }

    /// What sealed choices have come to, once it is known.
    fn verdict(_battle: &Self::Battle, _state: &Self::State) -> Option<crate::odds::Verdict> {
        None
    }

    /// How often, among its like, an action is to be taken where no one choice is best, such as a card sealed against an
    /// opponent who thinks alike: a mixed strategy. None where the decision is judged like any other.
    fn chance(_battle: &Self::Battle, _state: &Self::State, _action: &Self::Action) -> Option<u32> {
        None
    }

    /// A quick guess at how promising an action is, to look at the best first; 0 knows nothing.
    fn promise(_battle: &Self::Battle, _state: &Self::State, _action: &Self::Action) -> i32 {
        0
    }
}

/// Everything a system brings.
pub trait System: Ruleset + Words + Judgement {}
impl<S: Ruleset + Words + Judgement> System for S {}
