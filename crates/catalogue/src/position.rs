//! A game for programs: as fast as the engine, with quick dice from a seed, and as arrays of numbers.

use std::fmt::Debug;
use std::sync::Arc;

use game::board::{Offer, Piece, Prompt, View};
use game::dice::{Dice, QuickDice};
use game::odds::{self, Budget, Horizon, OddsReport};
use game::session::{ActError, Opening, digest};
use game::situation::Fact;
use game::{AnyFx, BySide, Chronicle, Entry, Eyes, Fx, Now, Place, Side, Silent};
use players::Player;

/// What a row of [`Encoding::pieces`] holds. Places are in hexes (column, row) or inches; sides are 1 for the side that
/// looks and -1 for its enemy.
pub const PIECE_FIELDS: [&str; 11] =
    ["present", "side", "arm", "x", "y", "facing", "whole", "hurt", "lost", "disordered", "spent"];

/// What [`Encoding::globals`] holds, seen by the side that looks.
pub const GLOBAL_FIELDS: [&str; 8] =
    ["turn", "turns", "own_points", "enemy_points", "decides", "kind", "objectives_own", "objectives_enemy"];

/// What a row of [`Encoding::actions`] holds; the piece and target are rows of the pieces, or -1.
pub const ACTION_FIELDS: [&str; 9] =
    ["verb", "piece", "target", "x", "y", "facing", "button", "rolls", "promise"];

/// As many actions as learners are shown. Where there are more, the most promising come first.
const MOST_SHOWN: usize = 512;

/// Where a position is written as numbers; what is empty is left out. Rows that are not needed are set to 0.
#[derive(Debug, Default)]
pub struct Encoding<'a> {
    /// Rows of [`PIECE_FIELDS`].
    pub pieces: &'a mut [f32],
    /// [`GLOBAL_FIELDS`].
    pub globals: &'a mut [f32],
    /// Rows of [`ACTION_FIELDS`], in the order of the offers.
    pub actions: &'a mut [f32],
    /// 1 for each action that may be chosen.
    pub mask: &'a mut [i8],
}

/// A game under way.
pub trait Position: Debug + Send {
    /// A copy that goes its own way from here; the same dice await both.
    fn copy(&self) -> Box<dyn Position>;
    /// A copy as `side` knows it.
    fn seen_by(&self, side: Side) -> Box<dyn Position>;
    /// Begins anew with dice from this seed.
    fn restart(&mut self, seed: u64);
    /// Other dice from here on.
    fn reseed(&mut self, seed: u64);
    /// Who decides, or how it ended.
    fn now(&self) -> Now;
    /// How many decisions have been taken.
    fn decisions(&self) -> u64;
    /// The number of the turn.
    fn turn(&self) -> u32;
    /// Victory points.
    fn score(&self) -> BySide<i32>;
    /// How good it is for a side, in hundredths of a point, as computer players judge.
    fn worth(&self, side: Side) -> i32;
    /// How many actions are offered.
    fn count(&self) -> usize;
    /// The offered action of that number in notation.
    fn notation(&self, index: usize) -> Option<String>;
    /// The number of an offered action.
    fn index(&self, notation: &str) -> Option<usize>;
    /// The offers in words, in their order.
    fn offers(&self) -> Vec<Offer>;
    /// Plays the offered action of that number; false if there is none.
    fn play(&mut self, index: usize) -> bool;
    /// Plays any legal action.
    ///
    /// # Errors
    /// Why it is not played; then nothing has changed.
    fn act(&mut self, notation: &str) -> Result<(), ActError>;
    /// Plays one of the offers, each as likely as the next; false when the game is over.
    fn play_random(&mut self, dice: &mut QuickDice) -> bool;
    /// The number of the offer that a computer player would take.
    fn choose(&self, player: Player, seed: u64) -> Option<usize>;
    /// Takes down what happens from now on, or no longer.
    fn listen(&mut self, on: bool);
    /// What happened since it was last asked.
    fn entries(&mut self) -> Vec<Entry>;
    /// The decision at hand.
    fn prompt(&self) -> Option<Prompt>;
    /// The position as these eyes may see it.
    fn view(&self, eyes: Eyes) -> View;
    /// What would come of an action, from what the deciding side knows.
    ///
    /// # Errors
    /// Why it cannot be played.
    fn odds(&self, notation: &str, horizon: Horizon) -> Result<OddsReport, ActError>;
    /// A named fact.
    ///
    /// # Errors
    /// Which part of the name is unknown.
    fn fact(&self, name: &str) -> Result<Fact, String>;
    /// Writes the position as `side` knows it into arrays.
    fn encode(&self, side: Side, into: &mut Encoding<'_>);
    /// The digest of the position.
    fn digest(&self) -> [u8; 32];
}

pub(crate) struct Live<S: game::System> {
    battle: Arc<S::Battle>,
    /// What each game begins with.
    start: Arc<S::State>,
    state: S::State,
    fx: Fx<QuickDice, Silent>,
    offers: Vec<S::Action>,
    decisions: u64,
    log: Option<Vec<Entry>>,
}

impl<S: game::System> Debug for Live<S> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Position").field("decisions", &self.decisions).finish_non_exhaustive()
    }
}

fn quick(seed: u64) -> Fx<QuickDice, Silent> {
    Fx { dice: QuickDice::new(seed), log: Silent }
}

impl<S: game::System> Live<S> {
    pub(crate) fn start(opening: Opening<S>, seed: u64) -> Self {
        let Opening { battle, position: state } = opening;
        let start = Arc::new(state.clone());
        let fx = quick(seed);
        let mut live = Live { battle, start, state, fx, offers: Vec::new(), decisions: 0, log: None };
        live.begin();
        live
    }

    /// What runs by itself before the first decision.
    fn begin(&mut self) {
        S::settle(&self.battle, &mut self.state, &mut self.fx);
        self.look();
    }

    /// Lists the offers, which follow from what the deciding side knows.
    fn look(&mut self) {
        self.offers.clear();
        let Now::Decides(side) = S::now(&self.battle, &self.state) else { return };
        let seen = S::seen_by(&self.battle, &self.state, side);
        S::offers(&self.battle, &seen, &mut self.offers);
        if self.offers.len() > MOST_SHOWN {
            let battle = &self.battle;
            self.offers.sort_by_cached_key(|action| std::cmp::Reverse(S::promise(battle, &seen, action)));
        }
    }

    fn carry_out(&mut self, action: &S::Action) {
        let (battle, state) = (&self.battle, &mut self.state);
        match &mut self.log {
            Some(log) => {
                let mut told = Chronicle::default();
                let mut fx: AnyFx<'_> = Fx { dice: &mut self.fx.dice, log: Some(&mut told) };
                S::play_unchecked(battle, state, action, &mut fx);
                log.append(&mut told.entries);
            }
            None => S::play_unchecked(battle, state, action, &mut self.fx),
        }
        self.decisions += 1;
        self.look();
    }

    fn decides(&self) -> Result<Side, ActError> {
        match S::now(&self.battle, &self.state) {
            Now::Decides(side) => Ok(side),
            Now::Over(_) => Err(ActError::Over),
        }
    }

    fn with_state(&self, state: S::State) -> Self {
        Live {
            battle: self.battle.clone(),
            start: self.start.clone(),
            state,
            fx: Fx { dice: self.fx.dice.clone(), log: Silent },
            offers: self.offers.clone(),
            decisions: self.decisions,
            log: self.log.as_ref().map(|_| Vec::new()),
        }
    }
}

impl<S: game::System> Position for Live<S> {
    fn copy(&self) -> Box<dyn Position> {
        Box::new(self.with_state(self.state.clone()))
    }

    fn seen_by(&self, side: Side) -> Box<dyn Position> {
        let mut seen = self.with_state(S::seen_by(&self.battle, &self.state, side));
        // Whoever does not decide may not know between what.
        if self.now() != Now::Decides(side) {
            seen.offers.clear();
        }
        Box::new(seen)
    }

    fn restart(&mut self, seed: u64) {
        self.state = (*self.start).clone();
        self.fx = quick(seed);
        self.decisions = 0;
        self.begin();
    }

    fn reseed(&mut self, seed: u64) {
        self.fx = quick(seed);
    }

    fn now(&self) -> Now {
        S::now(&self.battle, &self.state)
    }

    fn decisions(&self) -> u64 {
        self.decisions
    }

    fn turn(&self) -> u32 {
        S::turn(&self.battle, &self.state)
    }

    fn score(&self) -> BySide<i32> {
        S::score(&self.battle, &self.state)
    }

    fn worth(&self, side: Side) -> i32 {
        S::worth(&self.battle, &S::seen_by(&self.battle, &self.state, side), side)
    }

    fn count(&self) -> usize {
        self.offers.len()
    }

    fn notation(&self, index: usize) -> Option<String> {
        Some(S::write(&self.battle, self.offers.get(index)?))
    }

    fn index(&self, notation: &str) -> Option<usize> {
        let action = S::read(&self.battle, &self.state, notation).ok()?;
        self.offers.iter().position(|offer| *offer == action)
    }

    fn offers(&self) -> Vec<Offer> {
        let Ok(side) = self.decides() else { return Vec::new() };
        S::offer_all(&self.battle, &S::seen_by(&self.battle, &self.state, side), &self.offers)
    }

    fn play(&mut self, index: usize) -> bool {
        let Some(action) = self.offers.get(index).cloned() else { return false };
        self.carry_out(&action);
        true
    }

    fn act(&mut self, notation: &str) -> Result<(), ActError> {
        self.decides()?;
        let action = S::read(&self.battle, &self.state, notation).map_err(ActError::Unreadable)?;
        S::check(&self.battle, &self.state, &action).map_err(ActError::Refused)?;
        self.carry_out(&action);
        Ok(())
    }

    fn play_random(&mut self, dice: &mut QuickDice) -> bool {
        !self.offers.is_empty() && self.play(dice.below(self.offers.len() as u32) as usize)
    }

    fn choose(&self, player: Player, seed: u64) -> Option<usize> {
        if self.offers.is_empty() {
            return None;
        }
        let mut mind = QuickDice::new(seed);
        let action = player.choose::<S>(&self.battle, &self.state, &self.offers, &mut mind);
        self.offers.iter().position(|offer| *offer == action)
    }

    fn listen(&mut self, on: bool) {
        self.log = on.then(Vec::new);
    }

    fn entries(&mut self) -> Vec<Entry> {
        self.log.as_mut().map(std::mem::take).unwrap_or_default()
    }

    fn prompt(&self) -> Option<Prompt> {
        let side = self.decides().ok()?;
        Some(S::prompt(&self.battle, &S::seen_by(&self.battle, &self.state, side)))
    }

    fn view(&self, eyes: Eyes) -> View {
        S::view(&self.battle, &S::seen(&self.battle, &self.state, eyes), eyes)
    }

    fn odds(&self, notation: &str, horizon: Horizon) -> Result<OddsReport, ActError> {
        let side = self.decides()?;
        let seen = S::seen_by(&self.battle, &self.state, side);
        let action = S::read(&self.battle, &seen, notation).map_err(ActError::Unreadable)?;
        S::check(&self.battle, &seen, &action).map_err(ActError::Refused)?;
        Ok(odds::report::<S>(&self.battle, &seen, &action, horizon, Budget::default()))
    }

    fn fact(&self, name: &str) -> Result<Fact, String> {
        S::fact(&self.battle, &self.state, name).map_err(|unknown| unknown.to_string())
    }

    fn encode(&self, side: Side, into: &mut Encoding<'_>) {
        let seen = S::seen_by(&self.battle, &self.state, side);
        if !into.pieces.is_empty() || !into.globals.is_empty() {
            let view = S::view(&self.battle, &seen, Eyes::Of(side));
            encode_pieces(&view, side, into.pieces);
            self.encode_globals(&view, side, into.globals);
        }
        let mine = self.now() == Now::Decides(side);
        let offered = if mine { self.offers.len() } else { 0 };
        into.mask.fill(0);
        let shown = offered.min(into.mask.len());
        into.mask[..shown].fill(1);
        into.actions.fill(0.0);
        if into.actions.is_empty() || !mine {
            return;
        }
        let shown = offered.min(into.actions.len() / ACTION_FIELDS.len());
        let offers = S::offer_all(&self.battle, &seen, &self.offers[..shown]);
        let rows = into.actions.chunks_exact_mut(ACTION_FIELDS.len());
        for ((row, offer), action) in rows.zip(&offers).zip(&self.offers) {
            let promise = S::promise(&self.battle, &seen, action);
            encode_action(offer, promise, row);
        }
    }

    fn digest(&self) -> [u8; 32] {
        digest(&self.state)
    }
}

impl<S: game::System> Live<S> {
    fn encode_globals(&self, view: &View, side: Side, out: &mut [f32]) {
        let [turn, turns, own, enemy, decides, kind, held, lost] = out else { return };
        let objectives = view.marks.iter().filter(|mark| mark.kind == "objective");
        let holders: Vec<Side> = objectives.filter_map(|mark| mark.side).collect();
        *turn = self.turn() as f32;
        *turns = view.track.len() as f32;
        *own = view.score[side] as f32;
        *enemy = view.score[!side] as f32;
        *decides = match self.now() {
            Now::Decides(decides) if decides == side => 1.0,
            Now::Decides(_) => -1.0,
            Now::Over(_) => 0.0,
        };
        *kind = match self.now() == Now::Decides(side) {
            true => self.prompt().map_or(0.0, |prompt| code(&prompt.kind)),
            false => 0.0,
        };
        *held = holders.iter().filter(|holder| **holder == side).count() as f32;
        *lost = holders.iter().filter(|holder| **holder != side).count() as f32;
    }
}

/// A word as a number from 1 to 255, the same everywhere: for verbs, arms and kinds of decisions.
fn code(word: &str) -> f32 {
    let hash =
        word.bytes().fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    (1 + hash % 255) as f32
}

fn pose(place: &Place) -> Option<[f32; 3]> {
    match place {
        Place::Hex(hex) => {
            let (column, row) = (hex.get(..2)?.parse::<u8>().ok()?, hex.get(2..)?.parse::<u8>().ok()?);
            Some([f32::from(column), f32::from(row), 0.0])
        }
        Place::Pose { x, y, facing } => {
            Some([*x as f32 / 1000.0, *y as f32 / 1000.0, *facing as f32 / 100.0])
        }
        Place::Box(_) => None,
    }
}

fn encode_pieces(view: &View, side: Side, out: &mut [f32]) {
    out.fill(0.0);
    let row_of = |piece: &Piece| usize::from(piece.id.0);
    for piece in &view.pieces {
        let start = row_of(piece) * PIECE_FIELDS.len();
        let Some(row) = out.get_mut(start..start + PIECE_FIELDS.len()) else { continue };
        let at = pose(&piece.place);
        let [x, y, facing] = at.unwrap_or_default();
        let gauge =
            |of: fn(&game::board::Gauge) -> u8| piece.gauge.as_ref().map_or(0.0, |g| f32::from(of(g)));
        row.copy_from_slice(&[
            f32::from(u8::from(at.is_some())),
            if piece.side == side { 1.0 } else { -1.0 },
            if piece.hidden { 0.0 } else { code(&piece.arm) },
            x,
            y,
            facing,
            gauge(|g| g.whole),
            gauge(|g| g.hurt),
            gauge(|g| g.lost),
            f32::from(u8::from(piece.state.is_some())),
            f32::from(u8::from(piece.spent)),
        ]);
    }
}

fn encode_action(offer: &Offer, promise: i32, row: &mut [f32]) {
    let piece = |id: Option<game::PieceId>| id.map_or(-1.0, |id| f32::from(id.0));
    let [x, y, facing] = offer.place.as_ref().and_then(pose).unwrap_or([-1.0, -1.0, 0.0]);
    row.copy_from_slice(&[
        code(&offer.verb),
        piece(offer.piece),
        piece(offer.targets.first().copied()),
        x,
        y,
        facing,
        f32::from(u8::from(offer.button)),
        f32::from(u8::from(offer.rolls)),
        promise as f32,
    ]);
}
