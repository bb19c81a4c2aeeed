use std::fmt::Debug;
use std::sync::{Arc, Mutex, PoisonError};

use crate::lessons::{self, Grading, Lesson, Standing};
use game::board::{Ask, Offer, Overlay, Prompt, View};
use game::dice::QuickDice;
use game::journal::{self, Broken, Header};
use game::luck::{self, FairScore};
use game::odds::{self, Budget, Horizon, OddsReport, SealedOdds};
use game::session::{ActError, Match, Moment, Throw, Undo, Verified, digest};
use game::{BySide, Entry, Eyes, Now, Side};
use players::{Decided, General, Hint, Player, Review};
use serde::Serialize;

/// Finds a computer's move away from the table, so that nobody waits for it.
pub type Thinker = Box<dyn FnOnce(Player, u64) -> Option<String> + Send>;

/// Finds the best choices of a decision away from the table.
pub type Analyst = Box<dyn FnOnce(General) -> Option<Hint> + Send>;

/// Looks a game over away from the table. It tells how many decisions are done and how many there are, and stops, with
/// nothing, when it is answered false.
pub type Reviewer = Box<dyn FnOnce(&(dyn Fn(usize, usize) -> bool + Sync)) -> Option<Review> + Send>;

/// The best choices of a position, and what somebody asks about; the same ones whenever it is asked.
pub(crate) fn hint<S: game::System>(
    battle: &S::Battle,
    state: &S::State,
    general: General,
    also: Option<&str>,
) -> Option<Hint> {
    let Now::Decides(side) = S::now(battle, state) else { return None };
    let seen = S::seen_by(battle, state, side);
    let seed = digest(&seen).iter().take(8).fold(0, |seed, byte| seed << 8 | u64::from(*byte));
    let also: Vec<S::Action> =
        also.and_then(|written| S::read(battle, &seen, written).ok()).into_iter().collect();
    players::weigh::<S>(battle, &seen, general, &also, &mut QuickDice::new(seed))
}

/// Works out the odds of the decision at hand away from the table.
pub trait Weigher: Send {
    /// What would come of an action.
    ///
    /// # Errors
    /// Why it cannot be played.
    fn odds(&self, notation: &str, horizon: Horizon) -> Result<OddsReport, ActError>;
    /// Every own choice against every one of the enemy's, where both are sealed.
    fn sealed(&self) -> Option<SealedOdds>;
}

/// A position as somebody may know it, taken along from the table.
struct Known<S: game::System> {
    battle: Arc<S::Battle>,
    state: S::State,
}

impl<S: game::System> Weigher for Known<S> {
    fn odds(&self, notation: &str, horizon: Horizon) -> Result<OddsReport, ActError> {
        let Known { battle, state } = self;
        let Now::Decides(_) = S::now(battle, state) else { return Err(ActError::Over) };
        let action = S::read(battle, state, notation).map_err(ActError::Unreadable)?;
        S::check(battle, state, &action).map_err(ActError::Refused)?;
        Ok(odds::report::<S>(battle, state, &action, horizon, Budget::default()))
    }

    fn sealed(&self) -> Option<SealedOdds> {
        let Now::Decides(side) = S::now(&self.battle, &self.state) else { return None };
        odds::sealed::<S>(&self.battle, &self.state, side)
    }
}

/// One moment of a game, as told to somebody.
#[derive(Debug, Clone, Serialize)]
pub struct Scene {
    /// How many decisions have been taken.
    pub moment: u64,
    /// Who decided; nobody at the muster.
    pub side: Option<Side>,
    /// The action in notation; not told where it is still concealed.
    pub act: Option<String>,
    /// What happened.
    pub entries: Vec<Entry>,
}

/// A game under way, whichever system it belongs to.
///
/// `eyes` is the side that looks; `None` sees everything and is for finished games and for the machine itself.
pub trait Table: Debug + Send {
    /// The number of the present position: how many decisions have been taken.
    fn moment(&self) -> u64;
    /// The turn it has come to, counted from 1.
    fn turn(&self) -> u32;
    /// Who decides, or how it ended.
    fn now(&self) -> Now;
    /// The first line of the journal.
    fn header(&self) -> &Header;
    /// Victory points.
    fn score(&self) -> BySide<i32>;
    /// The position after `at` decisions, or the present one.
    fn view(&self, eyes: Eyes, at: Option<u64>) -> Option<View>;
    /// The decision at hand.
    fn prompt(&self) -> Option<Prompt>;
    /// The legal actions; only for the eyes of the side that decides.
    fn offers(&self) -> Vec<Offer>;
    /// What happened from moment `from` on.
    fn scenes(&self, eyes: Eyes, from: u64) -> Vec<Scene>;
    /// Plays an action.
    ///
    /// # Errors
    /// When it is not played; then nothing has changed.
    fn act(&mut self, side: Side, notation: &str, throw: &Throw) -> Result<(), ActError>;
    /// The last decision was brought about by an order given beforehand: the journal says so.
    fn say_ordered(&mut self);
    /// An action as it would be offered to the side that decides, from what it may know; nothing changes.
    ///
    /// # Errors
    /// As [`Table::act`].
    fn would(&self, side: Side, notation: &str) -> Result<Offer, ActError>;
    /// Whether `side` may take its last decision back.
    fn undo_right(&self, side: Side) -> Undo;
    /// Whether somebody who plays `side` and has nobody to ask may take its last decision back.
    fn undo_right_alone(&self, side: Side) -> Undo;
    /// The table agrees, before the first decision, that rolls may be taken back.
    fn let_rolls_back(&mut self);
    /// Takes `side`'s last decision back.
    ///
    /// # Errors
    /// When it may not, or not without consent.
    fn undo(&mut self, side: Side, agreed: bool) -> Result<(), Undo>;
    /// `side` gives up.
    ///
    /// # Errors
    /// When the game is over already.
    fn resign(&mut self, side: Side) -> Result<(), ActError>;
    /// Closes the journal of a finished game and reveals the secret behind its dice.
    fn reveal(&mut self);
    /// The journal as text. It tells everything: give it to nobody from whom something is concealed.
    fn journal(&self) -> String;
    /// The lines of the journal after the first, from `from` on (counted from 0).
    fn lines(&self, from: usize) -> Vec<String>;
    /// Whether anything of the present position is concealed from `side`.
    fn conceals_from(&self, side: Side) -> bool;
    /// Whether its enemy has taken back something that `side` was not shown; the journal still tells it.
    fn took_back_unseen(&self, side: Side) -> bool;
    /// Recomputes every roll.
    ///
    /// # Errors
    /// The first line that does not hold.
    fn verify(&self) -> Result<Verified, Broken>;
    /// Answers a question about the present position.
    fn overlay(&self, eyes: Eyes, ask: &Ask) -> Overlay;
    /// A computer that can think about the present position elsewhere, from what its side may know of it.
    fn thinker(&self) -> Thinker;
    /// The odds of the present decision, from what `side` may know of the position.
    fn weigher(&self, side: Side) -> Box<dyn Weigher>;
    /// The best choices after `at` decisions, or of the present one, from what the deciding side may know; the action
    /// `also` is weighed with them.
    fn analyst(&self, at: Option<u64>, also: Option<&str>) -> Option<Analyst>;
    /// How far the learner of a lesson has come, and what the lesson says to an action that was refused; none if this is
    /// no lesson.
    fn lesson(&self, tried: Option<&str>) -> Option<LessonStanding>;
    /// A review of the game so far. It knows everything: give it to nobody from whom something is concealed.
    fn reviewer(&self) -> Option<Reviewer>;
    /// The score without luck. It knows everything: give it to nobody from whom something is concealed.
    fn fair_score(&self) -> FairScore;
    /// The digest of the present position.
    fn digest(&self) -> [u8; 32];
    /// The digest of the present position as these eyes may know it.
    fn seen_digest(&self, eyes: Eyes) -> [u8; 32];
}

/// A lesson, and how far its learner has come.
#[derive(Debug, Clone)]
pub struct LessonStanding {
    /// The lesson.
    pub lesson: Arc<Lesson>,
    /// How far its learner has come.
    pub standing: Standing,
}

pub(crate) struct Played<S: game::System> {
    pub(crate) game: Match<S>,
    lesson: Option<Arc<Lesson>>,
    /// The learner's choice in an exercise, by its position and action, and how it was graded: much work, so done once.
    graded: Mutex<Option<(String, Option<Grading>)>>,
}

impl<S: game::System> Played<S> {
    pub(crate) fn new(game: Match<S>, lesson: Option<Arc<Lesson>>) -> Self {
        Played { game, lesson, graded: Mutex::default() }
    }

    fn graded(&self, lesson: &Lesson) -> Option<Grading> {
        let [before, made] = lessons::first_choice::<S>(lesson, &self.game)?;
        let key = format!("{} {}", journal::hex(&digest(&before.state)), made.act);
        let mut graded = self.graded.lock().unwrap_or_else(PoisonError::into_inner);
        match &*graded {
            Some((known, grading)) if *known == key => grading.clone(),
            _ => graded.insert((key, lessons::grade::<S>(lesson, &self.game))).1.clone(),
        }
    }
}

impl<S: game::System> Debug for Played<S> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Table").field("scenario", &self.game.header().scenario).finish_non_exhaustive()
    }
}

impl<S: game::System> Played<S> {
    fn seen(&self, state: &S::State, eyes: Eyes) -> S::State {
        S::seen(self.game.battle(), state, eyes)
    }
}

impl<S: game::System> Table for Played<S> {
    fn moment(&self) -> u64 {
        self.game.moments().len() as u64 - 1
    }

    fn turn(&self) -> u32 {
        S::turn(self.game.battle(), self.game.state())
    }

    fn now(&self) -> Now {
        self.game.now()
    }

    fn header(&self) -> &Header {
        self.game.header()
    }

    fn score(&self) -> BySide<i32> {
        S::score(self.game.battle(), self.game.state())
    }

    fn view(&self, eyes: Eyes, at: Option<u64>) -> Option<View> {
        let moment = self.game.moments().get(at.unwrap_or(self.moment()) as usize)?;
        Some(S::view(self.game.battle(), &self.seen(&moment.state, eyes), eyes))
    }

    fn prompt(&self) -> Option<Prompt> {
        let Now::Decides(side) = self.game.now() else { return None };
        Some(S::prompt(self.game.battle(), &self.seen(self.game.state(), Eyes::Of(side))))
    }

    fn offers(&self) -> Vec<Offer> {
        let Now::Decides(side) = self.game.now() else { return Vec::new() };
        // What a side may do is worked out from what it knows.
        let (battle, state) = (self.game.battle(), &self.seen(self.game.state(), Eyes::Of(side)));
        let mut offers = Vec::new();
        S::offers(battle, state, &mut offers);
        let mut offers = S::offer_all(battle, state, &offers);
        offers.sort_by_key(|offer| !offer.main);
        offers
    }

    fn scenes(&self, eyes: Eyes, from: u64) -> Vec<Scene> {
        let all = self.game.moments();
        let may_read = |entry: &&Entry| entry.only.is_none_or(|side| eyes.see(side));
        all.iter()
            .enumerate()
            .skip(from as usize)
            .map(|(index, moment)| {
                let own = moment.side.is_none_or(|side| eyes.see(side));
                let sealed = moment.entries.iter().any(|e| e.only.is_some());
                Scene {
                    moment: index as u64,
                    side: moment.side,
                    act: (own || !sealed).then(|| moment.act.clone()),
                    entries: moment.entries.iter().filter(may_read).cloned().collect(),
                }
            })
            .collect()
    }

    fn act(&mut self, side: Side, notation: &str, throw: &Throw) -> Result<(), ActError> {
        self.game.act(side, notation, throw).map(drop)
    }

    fn say_ordered(&mut self) {
        self.game.say_ordered(true);
    }

    fn would(&self, side: Side, notation: &str) -> Result<Offer, ActError> {
        let (battle, state) = (self.game.battle(), self.seen(self.game.state(), Eyes::Of(side)));
        match S::now(battle, &state) {
            Now::Decides(decides) if decides == side => {}
            Now::Decides(_) => return Err(ActError::NotYours),
            Now::Over(_) => return Err(ActError::Over),
        }
        let action = S::read(battle, &state, notation).map_err(ActError::Unreadable)?;
        S::check(battle, &state, &action).map_err(ActError::Refused)?;
        Ok(Offer { march: S::march(battle, &state, &action), ..S::offer(battle, &state, &action) })
    }

    fn undo_right(&self, side: Side) -> Undo {
        self.game.undo_right(side)
    }

    fn undo_right_alone(&self, side: Side) -> Undo {
        self.game.undo_right_alone(side)
    }

    fn let_rolls_back(&mut self) {
        self.game.let_rolls_back();
    }

    fn undo(&mut self, side: Side, agreed: bool) -> Result<(), Undo> {
        self.game.undo(side, agreed)
    }

    fn resign(&mut self, side: Side) -> Result<(), ActError> {
        self.game.resign(side)
    }

    fn reveal(&mut self) {
        self.game.reveal();
    }

    fn journal(&self) -> String {
        self.game.journal()
    }

    fn lines(&self, from: usize) -> Vec<String> {
        self.game.lines().iter().skip(from).map(journal::line).collect()
    }

    fn conceals_from(&self, side: Side) -> bool {
        self.game.conceals_from(side)
    }

    fn took_back_unseen(&self, side: Side) -> bool {
        self.game.took_back_unseen(side)
    }

    fn verify(&self) -> Result<Verified, Broken> {
        self.game.verify()
    }

    fn overlay(&self, eyes: Eyes, ask: &Ask) -> Overlay {
        S::overlay(self.game.battle(), &self.seen(self.game.state(), eyes), ask)
    }

    fn thinker(&self) -> Thinker {
        let Now::Decides(side) = self.game.now() else { return Box::new(|_, _| None) };
        // A computer chooses as people do, among what follows from what its side knows.
        let (battle, seen) = (self.game.battle().clone(), self.seen(self.game.state(), Eyes::Of(side)));
        Box::new(move |player, seed| {
            let mut offers = Vec::new();
            S::offers(&battle, &seen, &mut offers);
            let action = player.choose::<S>(&battle, &seen, &offers, &mut QuickDice::new(seed));
            Some(S::write(&battle, &action))
        })
    }

    fn weigher(&self, side: Side) -> Box<dyn Weigher> {
        let state = self.seen(self.game.state(), Eyes::Of(side));
        Box::new(Known::<S> { battle: self.game.battle().clone(), state })
    }

    fn lesson(&self, tried: Option<&str>) -> Option<LessonStanding> {
        let lesson = self.lesson.clone()?;
        let refused = tried.and_then(|act| match self.would(lesson.side, act) {
            Err(ActError::Refused(refusal)) => Some((act, refusal)),
            _ => None,
        });
        let tried = refused.as_ref().map(|(act, refusal)| (*act, refusal));
        let standing = lessons::judge::<S>(&lesson, &self.game, tried, self.graded(&lesson));
        Some(LessonStanding { lesson, standing })
    }

    fn analyst(&self, at: Option<u64>, also: Option<&str>) -> Option<Analyst> {
        let moment = self.game.moments().get(at.unwrap_or(self.moment()) as usize)?;
        let (battle, state) = (self.game.battle().clone(), moment.state.clone());
        let also = also.map(str::to_owned);
        Some(Box::new(move |general| hint::<S>(&battle, &state, general, also.as_deref())))
    }

    fn reviewer(&self) -> Option<Reviewer> {
        let decided = |pair: &[Moment<S>]| {
            let [before, after] = pair else { return None };
            let rolled = !after.rolls.is_empty();
            Some(Decided::<S> { before: before.state.clone(), act: after.act.clone(), rolled })
        };
        let decided: Vec<_> = self.game.moments().windows(2).filter_map(decided).collect();
        let (battle, end) = (self.game.battle().clone(), self.game.state().clone());
        Some(Box::new(move |told| players::review::<S>(&battle, decided, &end, told)))
    }

    fn fair_score(&self) -> FairScore {
        luck::fair_score::<S>(self.game.battle(), self.game.moments())
    }

    fn digest(&self) -> [u8; 32] {
        digest(self.game.state())
    }

    fn seen_digest(&self, eyes: Eyes) -> [u8; 32] {
        digest(&self.seen(self.game.state(), eyes))
    }
}
