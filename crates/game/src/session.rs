//! A game under way: every position since its beginning, the journal, undo and replay. A game begins with the muster, or at
//! the position of a situation.

use std::sync::Arc;

use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::dice::{Dice, Recorder, ScriptedDice, SeededDice};
use crate::journal::{self, Broken, DiceOf, Header, Line};
use crate::log::Roll;
use crate::{BySide, Chronicle, Entry, Fx, Now, Outcome, Refusal, Side, System};

/// A position's digest: the same on every machine.
///
/// # Panics
/// Never: positions are plain data.
#[must_use]
pub fn digest(state: &impl Serialize) -> [u8; 32] {
    let bytes = postcard::to_stdvec(state).expect("a position is plain data");
    Sha256::digest(bytes).into()
}

/// SHA-256 of a text, in hexadecimal.
#[must_use]
pub fn text_hash(text: &str) -> String {
    journal::hex(&Sha256::digest(text.as_bytes()))
}

/// What is published of a secret before the game: its SHA-256, in hexadecimal.
#[must_use]
pub fn commitment(secret: &[u8; 32]) -> String {
    journal::hex(&Sha256::digest(secret))
}

fn short(state: &impl Serialize) -> String {
    journal::hex(&digest(state)[..4])
}

/// A battle, and the position that play in it begins with.
#[derive(Debug)]
pub struct Opening<S: System> {
    /// The battle.
    pub battle: Arc<S::Battle>,
    /// The position; what then runs by itself has not run yet.
    pub position: S::State,
}

impl<S: System> Clone for Opening<S> {
    fn clone(&self) -> Self {
        Opening { battle: self.battle.clone(), position: self.position.clone() }
    }
}

/// A battle begins with its muster.
impl<S: System> From<Arc<S::Battle>> for Opening<S> {
    fn from(battle: Arc<S::Battle>) -> Self {
        let position = S::muster(&battle);
        Opening { battle, position }
    }
}

/// The position after a decision, and how it came about.
#[derive(Debug)]
pub struct Moment<S: System> {
    /// Who decided; nobody at the muster.
    pub side: Option<Side>,
    /// The action in notation.
    pub act: String,
    /// The faces rolled.
    pub rolls: Vec<u8>,
    /// What happened.
    pub entries: Vec<Entry>,
    /// Whether something concealed became known.
    pub revealed: bool,
    /// The position afterwards.
    pub state: S::State,
}

/// Why an act was not played. Nothing has changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ActError {
    /// The rules forbid it.
    #[error("{} {}", .0.what, .0.why)]
    Refused(Refusal),
    /// The other side decides.
    #[error("the other side decides")]
    NotYours,
    /// The notation cannot be read.
    #[error("{0}")]
    Unreadable(String),
    /// The game is over.
    #[error("the game is over")]
    Over,
    /// The dice cannot be rolled, or the faces typed in do not fit.
    #[error("{0}")]
    Dice(String),
    /// Real dice are used, and this is the next roll to make. The faces typed so far stand.
    #[error("{} more dice must be rolled", .0.dice)]
    Roll(Box<RollRequest>),
}

/// What to roll at a real table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export))]
pub struct RollRequest {
    /// What it is for: "Meredith fires on Archer".
    pub what: String,
    /// Who rolls.
    pub side: Option<Side>,
    /// How many faces are to be typed, in all that this action needs so far.
    pub faces: usize,
    /// How many of them belong to this roll.
    pub dice: usize,
    /// The roll: die, what each must show, modifiers. A draw among equals has no die.
    pub roll: Roll,
}

/// Whether a side may take its last decision back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Undo {
    /// Freely: no die has fallen, nothing was revealed, the other side has not decided since.
    Free,
    /// If the other side agrees.
    ByConsent,
    /// Not alone: dice have fallen since, and rolls stay unless the table agreed otherwise at set-up.
    Rolled,
    /// Not alone: something concealed has become known since.
    Revealed,
    /// It has decided nothing yet.
    Nothing,
}

/// What is mixed into the dice of an act.
#[derive(Debug, Clone, Default)]
pub struct Throw {
    /// Fresh randomness of the acting player.
    pub salt: Vec<u8>,
    /// Faces typed in, where real dice are used.
    pub typed: Vec<u8>,
}

/// What a replay does with the digests of positions that a journal carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Digests {
    Compared,
    Renewed,
}

/// A game under way.
#[derive(Debug)]
pub struct Match<S: System> {
    opening: Opening<S>,
    header: Header,
    secret: Option<[u8; 32]>,
    moments: Vec<Moment<S>>,
    lines: Vec<Line>,
    resigned: Option<Side>,
    /// Whether the enemy of each side has taken back something that was for his own eyes: the journal still has it.
    never_shown: BySide<bool>,
}

impl<S: System> Match<S> {
    /// Musters a game. `secret` is needed where the header commits to one; a seed in the header serves by itself.
    ///
    /// # Errors
    /// When the header's dice cannot be rolled.
    pub fn start(
        opening: impl Into<Opening<S>>,
        header: Header,
        secret: Option<[u8; 32]>,
        throw: &Throw,
    ) -> Result<Self, String> {
        let mut game = Self::empty(opening.into(), header, secret)?;
        let mut dice = match game.header.dice {
            // Nobody sits at the table yet who could roll.
            DiceOf::Table => {
                MatchDice::Seeded(Box::new(Recorder::new(SeededDice::for_moment(&[0; 32], 0, &throw.salt))))
            }
            DiceOf::Seed(_) | DiceOf::Commit(_) | DiceOf::Fixed(_) => game.dice(throw)?,
        };
        let moment = game.muster(&mut dice);
        game.push(moment, game.salt(throw));
        Ok(game)
    }

    /// A game of positions that were reached elsewhere, the first of them the settled beginning. Their dice stand as they
    /// fell.
    ///
    /// # Errors
    /// When the header's dice cannot be rolled.
    pub fn taken_over(opening: Opening<S>, header: Header, moments: Vec<Moment<S>>) -> Result<Self, String> {
        let taken_over = moments.len() as u64;
        let mut game = Self::empty(opening, Header { taken_over, ..header }, None)?;
        for moment in moments {
            game.push(moment, String::new());
        }
        Ok(game)
    }

    fn empty(opening: Opening<S>, header: Header, secret: Option<[u8; 32]>) -> Result<Self, String> {
        let secret = match &header.dice {
            DiceOf::Seed(seed) | DiceOf::Fixed(seed) => {
                Some(seed32(seed).ok_or("the seed in the first line is not 64 hexadecimal digits")?)
            }
            DiceOf::Commit(_) | DiceOf::Table => secret,
        };
        Ok(Match {
            opening,
            header,
            secret,
            moments: Vec::new(),
            lines: Vec::new(),
            resigned: None,
            never_shown: BySide::default(),
        })
    }

    /// Replays a journal as far as it holds: on the faces written in it, each position checked against its digest.
    /// What is wrong, if anything, comes beside the game.
    ///
    /// # Errors
    /// When not even the muster holds, or the journal is of another edition.
    pub fn resume(
        opening: impl Into<Opening<S>>,
        parsed: journal::Parsed,
        secret: Option<[u8; 32]>,
    ) -> Result<(Self, Option<Broken>), Broken> {
        if parsed.header.edition != S::edition() && parsed.header.system == S::book().system {
            let (theirs, ours, name) = (&parsed.header.edition, S::edition(), S::book().title);
            let message = format!(
                "the journal was played under edition {theirs} of {name}; this program plays edition {ours}"
            );
            return Err(Broken { line: 1, message });
        }
        Self::replay(opening.into(), parsed, secret, Digests::Compared)
    }

    /// Replays a journal of another edition under this one, as far as that goes. An edition may write positions down in
    /// another way, so their digests are written anew and not compared: every decision must be allowed, be that of
    /// the side whose turn it is, and take exactly the dice that fell.
    ///
    /// # Errors
    /// When not even the muster can be replayed.
    pub fn readopt(
        opening: impl Into<Opening<S>>,
        mut parsed: journal::Parsed,
        secret: Option<[u8; 32]>,
    ) -> Result<(Self, Option<Broken>), Broken> {
        S::edition().clone_into(&mut parsed.header.edition);
        Self::replay(opening.into(), parsed, secret, Digests::Renewed)
    }

    fn replay(
        opening: Opening<S>,
        parsed: journal::Parsed,
        secret: Option<[u8; 32]>,
        digests: Digests,
    ) -> Result<(Self, Option<Broken>), Broken> {
        let journal::Parsed { header, lines, broken } = parsed;
        let at = |line: usize, message: String| Broken { line, message };
        if header.system != S::book().system {
            let (theirs, ours) = (&header.system, S::book().system);
            return Err(at(1, format!("`system` is `{theirs}`, but the scenario belongs to `{ours}`")));
        }
        let mut game = Self::empty(opening, header, secret).map_err(|m| at(1, m))?;
        let mut trouble = broken;
        for (index, line) in lines.into_iter().enumerate() {
            if let Err(message) = game.redo(line, digests) {
                trouble = Some(at(index + 2, message));
                break;
            }
        }
        if trouble.is_some() {
            // Only what held was taken over; what is played from here on has its own dice.
            game.header.taken_over = game.header.taken_over.min(game.lines.len() as u64);
        }
        match game.moments.is_empty() {
            true => Err(trouble.unwrap_or(at(2, "the line of the muster is missing".into()))),
            false => Ok((game, trouble)),
        }
    }

    fn redo(&mut self, line: Line, digests: Digests) -> Result<(), String> {
        if matches!(self.lines.last(), Some(Line::End { .. })) {
            return Err("there are lines after the end".into());
        }
        match line {
            Line::Act { n, side, act, rolls, salt, state, ordered } => {
                if n != self.moments.len() as u64 {
                    return Err(format!("decision {n}, expected {}", self.moments.len()));
                }
                let mut dice = MatchDice::Typed(Recorder::new(ScriptedDice::new(rolls)));
                let moment = match side {
                    None if self.moments.is_empty() => self.muster(&mut dice),
                    Some(side) if !self.moments.is_empty() => self
                        .resolve(side, &act, &mut dice)
                        .map_err(|e| format!("`{act}` is not possible here: {e}"))?,
                    _ => return Err("only the first line, the muster, may lack a side".into()),
                };
                dice.finish()?;
                if digests == Digests::Compared && short(&moment.state) != state {
                    return Err(format!("`{act}` leads to another position than the one written"));
                }
                self.push(moment, salt);
                self.say_ordered(ordered);
            }
            Line::Back { back, by, agreed } => self.back_to(back, by, agreed)?,
            Line::Resign { resign } => {
                self.resign(resign).map_err(|_| "the game was over already".to_owned())?
            }
            Line::End { end, .. } => {
                match self.now() {
                    Now::Over(came) if came == end => {}
                    Now::Over(came) => {
                        let (end, came) = (self.told(end), self.told(came));
                        return Err(format!("the journal says {end}, but the game ended with {came}"));
                    }
                    Now::Decides(_) => {
                        return Err("the end is written before the game is over".into());
                    }
                }
                self.lines.push(line);
            }
        }
        Ok(())
    }

    fn told(&self, outcome: Outcome) -> String {
        match outcome {
            Outcome::Won(side) => format!("{} has won", S::board(&self.opening.battle).sides[side].name),
            Outcome::Drawn => "a draw".to_owned(),
        }
    }

    fn dice(&self, throw: &Throw) -> Result<MatchDice, String> {
        match &self.header.dice {
            DiceOf::Table => Ok(MatchDice::Typed(Recorder::new(ScriptedDice::new(throw.typed.clone())))),
            DiceOf::Seed(_) | DiceOf::Commit(_) | DiceOf::Fixed(_) => {
                let secret = self.secret.ok_or(
                    "the secret of the dice is missing: this journal can be viewed but not played on",
                )?;
                Ok(self.dealt(&secret, &throw.salt))
            }
        }
    }

    /// The dice of the next line.
    fn dealt(&self, secret: &[u8; 32], salt: &[u8]) -> MatchDice {
        let dice = match self.header.dice {
            DiceOf::Fixed(_) => SeededDice::for_moment(secret, self.moments.len() as u64, &[]),
            _ => SeededDice::for_moment(secret, self.lines.len() as u64, salt),
        };
        MatchDice::Seeded(Box::new(Recorder::new(dice)))
    }

    /// What the journal says was mixed into the dice.
    fn salt(&self, throw: &Throw) -> String {
        match self.header.dice {
            DiceOf::Fixed(_) => String::new(),
            _ => journal::hex(&throw.salt),
        }
    }

    fn muster(&self, dice: &mut MatchDice) -> Moment<S> {
        let Opening { battle, position: mut state } = self.opening.clone();
        let mut fx = Fx { dice, log: Chronicle::default() };
        S::settle(&battle, &mut state, &mut fx.any());
        let Chronicle { entries, revealed } = fx.log;
        let rolls = fx.dice.faces().to_vec();
        Moment { side: None, act: "muster".into(), rolls, entries, revealed, state }
    }

    fn resolve(&self, side: Side, notation: &str, dice: &mut MatchDice) -> Result<Moment<S>, ActError> {
        match self.now() {
            Now::Over(_) => return Err(ActError::Over),
            Now::Decides(decides) if decides != side => return Err(ActError::NotYours),
            Now::Decides(_) => {}
        }
        let mut state = self.state().clone();
        let action = S::read(&self.opening.battle, &state, notation).map_err(ActError::Unreadable)?;
        let mut fx = Fx { dice, log: Chronicle::default() };
        S::play(&self.opening.battle, &mut state, &action, &mut fx.any()).map_err(ActError::Refused)?;
        let Chronicle { entries, revealed } = fx.log;
        let rolls = fx.dice.faces().to_vec();
        // Written anew, so that the journal says in full what a person may have abbreviated.
        let act = S::write(&self.opening.battle, &action);
        Ok(Moment { side: Some(side), act, rolls, entries, revealed, state })
    }

    fn push(&mut self, moment: Moment<S>, salt: String) {
        self.lines.push(Line::Act {
            n: self.moments.len() as u64,
            side: moment.side,
            act: moment.act.clone(),
            rolls: moment.rolls.clone(),
            salt,
            state: short(&moment.state),
            ordered: false,
        });
        self.moments.push(moment);
    }

    /// Whether an order given beforehand has brought the last decision about.
    pub fn say_ordered(&mut self, by_order: bool) {
        if let Some(Line::Act { ordered, .. }) = self.lines.last_mut() {
            *ordered = by_order;
        }
    }

    /// Plays an action in notation for `side`.
    ///
    /// # Errors
    /// When it is not played; then nothing has changed.
    pub fn act(&mut self, side: Side, notation: &str, throw: &Throw) -> Result<&Moment<S>, ActError> {
        let mut dice = self.dice(throw).map_err(ActError::Dice)?;
        let moment = self.resolve(side, notation, &mut dice)?;
        if let Some(request) = dice.missing(&moment.entries) {
            return Err(ActError::Roll(Box::new(request)));
        }
        dice.finish().map_err(ActError::Dice)?;
        self.push(moment, self.salt(throw));
        Ok(self.last())
    }

    /// Whether `side` may take its last decision back.
    #[must_use]
    pub fn undo_right(&self, side: Side) -> Undo {
        let last = self.last();
        if last.side == Some(side) && last.rolls.is_empty() && !last.revealed && self.resigned.is_none() {
            Undo::Free
        } else if self.moments.iter().any(|m| m.side == Some(side)) {
            Undo::ByConsent
        } else {
            Undo::Nothing
        }
    }

    /// Whether somebody who plays `side` and has nobody to ask may take its last decision back: what else was decided
    /// since is no hindrance, dice and disclosures are. Dice that fall the same again (lessons), or that the players
    /// roll themselves and may have mistyped, are none.
    #[must_use]
    pub fn undo_right_alone(&self, side: Side) -> Undo {
        let Some(last) = self.moments.iter().rposition(|m| m.side == Some(side)) else {
            return Undo::Nothing;
        };
        let since = &self.moments[last..];
        let stay = !self.header.rolls_back && matches!(self.header.dice, DiceOf::Seed(_) | DiceOf::Commit(_));
        match stay {
            true if since.iter().any(|m| !m.rolls.is_empty()) => Undo::Rolled,
            true if since.iter().any(|m| m.revealed) => Undo::Revealed,
            _ => Undo::Free,
        }
    }

    /// The table agrees, before the first decision, that rolls may be taken back.
    pub fn let_rolls_back(&mut self) {
        self.header.rolls_back = true;
    }

    /// Takes `side`'s last decision back, and all that came after it.
    ///
    /// # Errors
    /// When it may not, or not without consent.
    pub fn undo(&mut self, side: Side, agreed: bool) -> Result<(), Undo> {
        match self.undo_right(side) {
            Undo::Free => {}
            Undo::ByConsent if agreed => {}
            right => return Err(right),
        }
        let last = self.moments.iter().rposition(|m| m.side == Some(side)).ok_or(Undo::Nothing)?;
        self.back_to(last as u64 - 1, side, agreed).map_err(|_| Undo::Nothing)
    }

    fn back_to(&mut self, moment: u64, by: Side, agreed: bool) -> Result<(), String> {
        let nothing = || format!("there is nothing after decision {moment} to take back");
        let kept = usize::try_from(moment).ok().and_then(|moment| moment.checked_add(1));
        let kept = kept.filter(|&kept| kept < self.moments.len()).ok_or_else(nothing)?;
        for entry in self.moments[kept..].iter().flat_map(|m| &m.entries) {
            if let Some(owner) = entry.only {
                self.never_shown[owner.enemy()] = true;
            }
        }
        self.moments.truncate(kept);
        self.resigned = None;
        self.lines.push(Line::Back { back: moment, by, agreed });
        Ok(())
    }

    /// Whether something in the present position is concealed from `side`.
    #[must_use]
    pub fn conceals_from(&self, side: Side) -> bool {
        S::seen_by(&self.opening.battle, self.state(), side) != *self.state()
    }

    /// Whether the enemy of `side` has taken back something that it was not shown; the journal still tells it.
    #[must_use]
    pub fn took_back_unseen(&self, side: Side) -> bool {
        self.never_shown[side]
    }

    /// `side` gives up.
    ///
    /// # Errors
    /// When the game is over already.
    pub fn resign(&mut self, side: Side) -> Result<(), ActError> {
        if matches!(self.now(), Now::Over(_)) {
            return Err(ActError::Over);
        }
        self.resigned = Some(side);
        self.lines.push(Line::Resign { resign: side });
        Ok(())
    }

    /// Closes the journal of a finished game with the secret behind its dice.
    pub fn reveal(&mut self) {
        if let (Now::Over(end), false) =
            (self.now(), self.lines.iter().any(|l| matches!(l, Line::End { .. })))
        {
            let secret = match self.header.dice {
                DiceOf::Commit(_) => self.secret.map(|s| journal::hex(&s)),
                DiceOf::Seed(_) | DiceOf::Fixed(_) | DiceOf::Table => None,
            };
            self.lines.push(Line::End { end, secret });
        }
    }

    /// Who decides, or how it ended.
    #[must_use]
    pub fn now(&self) -> Now {
        match self.resigned {
            Some(side) => Now::Over(Outcome::Won(side.enemy())),
            None => S::now(&self.opening.battle, self.state()),
        }
    }

    /// The battle.
    #[must_use]
    pub fn battle(&self) -> &Arc<S::Battle> {
        &self.opening.battle
    }

    /// The position.
    #[must_use]
    pub fn state(&self) -> &S::State {
        &self.last().state
    }

    /// The first line of the journal.
    #[must_use]
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Every position since the muster, and how it came about.
    #[must_use]
    pub fn moments(&self) -> &[Moment<S>] {
        &self.moments
    }

    fn last(&self) -> &Moment<S> {
        self.moments.last().expect("a match begins with its muster")
    }

    /// The lines of the journal after the first.
    #[must_use]
    pub fn lines(&self) -> &[Line] {
        &self.lines
    }

    /// The journal as text.
    #[must_use]
    pub fn journal(&self) -> String {
        let mut text = journal::line(&self.header) + "\n";
        for line in &self.lines {
            text += &journal::line(line);
            text.push('\n');
        }
        text
    }

    /// Rolls every recorded action again from the secret and says whether each fell as written.
    ///
    /// # Errors
    /// The first line that does not hold.
    pub fn verify(&self) -> Result<Verified, Broken> {
        let broken = |line: usize, message: String| Broken { line, message };
        let secret = match (&self.header.dice, self.revealed_secret()) {
            (DiceOf::Table, _) => return Ok(Verified::TableDice),
            (DiceOf::Commit(_), None) => return Ok(Verified::NotYetRevealed),
            (DiceOf::Commit(commit), Some(secret)) if commitment(&secret) == *commit => Some(secret),
            (DiceOf::Commit(_), Some(_)) => {
                let message = "the secret at the end is not the one committed to in line 1";
                return Err(broken(self.lines.len() + 1, message.into()));
            }
            (DiceOf::Seed(_) | DiceOf::Fixed(_), _) => self.secret,
        };
        let again = Self::empty(self.opening.clone(), self.header.clone(), secret);
        let mut again = again.map_err(|message| broken(1, message))?;
        let secret = again.secret.ok_or_else(|| broken(1, "the seed is missing".into()))?;
        let (taken_over, lines) = (self.header.taken_over, self.lines.len());
        if taken_over > lines as u64 {
            return Err(broken(1, format!("`taken_over` is {taken_over}, but only {lines} lines follow")));
        }
        for (index, line) in self.lines.iter().enumerate() {
            let held = if (index as u64) < taken_over {
                again.redo(line.clone(), Digests::Compared)
            } else {
                again.roll_again(&secret, line)
            };
            held.map_err(|message| broken(index + 2, message))?;
        }
        Ok(match taken_over {
            0 => Verified::Holds,
            lines => Verified::HoldsAfter(lines),
        })
    }

    fn roll_again(&mut self, secret: &[u8; 32], line: &Line) -> Result<(), String> {
        let Line::Act { side, act, rolls, salt, ordered, .. } = line else {
            return self.redo(line.clone(), Digests::Compared);
        };
        let salt_bytes = journal::unhex(salt).ok_or("the salt is not hexadecimal")?;
        let mut dice = self.dealt(secret, &salt_bytes);
        let moment = match side {
            None => self.muster(&mut dice),
            Some(side) => self
                .resolve(*side, act, &mut dice)
                .map_err(|e| format!("`{act}` is not possible here: {e}"))?,
        };
        if moment.rolls != *rolls {
            return Err(format!("the dice of `{act}` fell {rolls:?}; the secret gives {:?}", moment.rolls));
        }
        self.push(moment, salt.clone());
        self.say_ordered(*ordered);
        Ok(())
    }

    fn revealed_secret(&self) -> Option<[u8; 32]> {
        self.lines.iter().find_map(|l| match l {
            Line::End { secret: Some(secret), .. } => seed32(secret),
            _ => None,
        })
    }
}

/// What a check of the dice found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verified {
    /// Every roll follows from the secret.
    Holds,
    /// Every roll follows from the secret after so many lines that were taken over from another journal: their faces stand
    /// as they were written there, and nothing here can tell where they came from.
    HoldsAfter(u64),
    /// The secret is still sealed: the game is not over.
    NotYetRevealed,
    /// Real dice were typed in; there is nothing to recompute.
    TableDice,
}

fn seed32(hex: &str) -> Option<[u8; 32]> {
    journal::unhex(hex)?.try_into().ok()
}

enum MatchDice {
    Seeded(Box<Recorder<SeededDice>>),
    Typed(Recorder<ScriptedDice>),
}

impl MatchDice {
    fn faces(&self) -> &[u8] {
        match self {
            MatchDice::Seeded(d) => &d.faces,
            MatchDice::Typed(d) => &d.faces,
        }
    }

    /// The first roll for which no faces were typed: found in what was told, for every roll is also an entry.
    fn missing(&self, entries: &[Entry]) -> Option<RollRequest> {
        let MatchDice::Typed(d) = self else { return None };
        let written = d.inner().written();
        if d.inner().impossible.is_some() {
            return None;
        }
        let mut faces = 0;
        entries.iter().find_map(|entry| {
            let roll = entry.roll.as_ref()?;
            let dice = roll.faces.len();
            faces += dice;
            let roll = Roll { faces: Vec::new(), result: 0, ..roll.clone() };
            (faces > written).then(|| RollRequest {
                what: entry.text.clone(),
                side: entry.side,
                faces,
                dice,
                roll,
            })
        })
    }

    /// Typed faces must be exactly those asked for.
    fn finish(&self) -> Result<(), String> {
        let MatchDice::Typed(d) = self else { return Ok(()) };
        let script = d.inner();
        match script.impossible {
            Some(impossible) => Err(impossible.to_string()),
            None if script.asked_for() != script.written() => {
                Err(format!("{} dice are needed, {} were given", script.asked_for(), script.written()))
            }
            None => Ok(()),
        }
    }
}

impl Dice for MatchDice {
    fn below(&mut self, n: u32) -> u32 {
        match self {
            MatchDice::Seeded(d) => d.below(n),
            MatchDice::Typed(d) => d.below(n),
        }
    }

    fn roll(&mut self, die: crate::Die) -> u8 {
        match self {
            MatchDice::Seeded(d) => d.roll(die),
            MatchDice::Typed(d) => d.roll(die),
        }
    }
}
