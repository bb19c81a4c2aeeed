//! One game under way: its table, its seats, and whoever looks on. All that changes it goes through here, and is on
//! disk before it is acknowledged.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

use catalogue::Table;
use game::journal::{self, DiceOf, Line};
use game::session::{ActError, Throw, Undo, Verified};
use game::{BySide, Now, Side};
use store::{Change, Kept, Request, StoreError};
use tokio::sync::{Mutex, MutexGuard, broadcast};

use crate::hall::Shared;
use crate::library::Volume;
use crate::problem::Failure;
use crate::requests;
use crate::seats::{Held, Seat, Tokens};
use crate::summary::Summary;
use crate::time;
use crate::wire::{
    Act, Acted, AnswerUndo, ChatLine, Code, DiceKind, DiceProof, Done, GameFace, LogLine, Position, Resign, SeatFace,
    SeatKind, Sight, Status, TakeBack, ThrowFace, UndoAsk, Verdict,
};

/// What whoever looks on is told; they fetch the rest with their own eyes.
#[derive(Debug, Clone)]
pub(crate) enum News {
    /// The position or a request changed.
    Changed,
    /// A seat, a name or somebody's presence changed.
    Face,
    /// A line of chat.
    Chat(ChatLine),
}

/// A game in memory.
#[derive(Debug)]
pub(crate) struct Room {
    pub(crate) id: String,
    pub(crate) public: bool,
    pub(crate) made: u64,
    pub(crate) volume: Arc<Volume>,
    pub(crate) shared: Arc<Shared>,
    pub(crate) news: broadcast::Sender<News>,
    /// How many connections each seat has.
    pub(crate) present: BySide<AtomicUsize>,
    /// How many bystanders are connected.
    pub(crate) bystanders: AtomicUsize,
    /// A computer is at work.
    pub(crate) thinking: AtomicBool,
    /// When somebody last asked for it.
    pub(crate) used: AtomicU64,
    play: Mutex<Play>,
}

/// What of a game changes.
#[derive(Debug)]
pub(crate) struct Play {
    pub(crate) table: Box<dyn Table>,
    pub(crate) seats: BySide<Seat>,
    pub(crate) asked: Option<UndoAsk>,
    /// Lines of the journal after the first: the number of the state.
    pub(crate) state: u64,
    /// Each undo: the state it led to, and the first moment it cut off.
    cuts: Vec<(u64, u64)>,
    resigned: Option<Side>,
    touched: u64,
    pub(crate) chat: i64,
    /// Why the kept journal does not hold to its end; such a game can only be looked at.
    broken: Option<String>,
    /// Set while a change is not yet known to be on disk: if it stays, the disk is asked what is true.
    unsure: bool,
}

impl Play {
    /// Sets a kept game up again.
    pub(crate) fn of(kept: Kept, volume: &Volume, chat: i64) -> Result<Self, Failure> {
        let faulty = |message: String| Failure::new(Code::FaultyJournal, message);
        let parsed = journal::parse(&kept.lines.join("\n")).map_err(|b| faulty(b.to_string()))?;
        let (cuts, resigned) = history(&parsed.lines);
        let secret = journal::unhex(&kept.game.secret).and_then(|s| s.try_into().ok());
        let (table, broken) = volume.scenario.resume(parsed, secret).map_err(|b| faulty(b.to_string()))?;
        if let Some(broken) = &broken {
            tracing::error!(game = %kept.game.id, %broken, "a kept journal does not hold");
        }
        let mut seats = kept.seats.into_iter().map(Seat::of_row);
        let (Some(first), Some(second)) = (seats.next(), seats.next()) else {
            return Err(Failure::internal("a game without two seats"));
        };
        let state = kept.lines.len() as u64 - 1;
        Ok(Play {
            table,
            seats: BySide { first, second },
            asked: kept.game.asked.and_then(|asked| serde_json::from_str(&asked).ok()),
            state,
            cuts,
            resigned,
            touched: kept.game.touched as u64,
            chat,
            broken: broken.map(|b| b.to_string()),
            unsure: false,
        })
    }

    pub(crate) fn decides(&self) -> Option<Side> {
        match self.table.now() {
            Now::Decides(side) => Some(side),
            Now::Over(_) => None,
        }
    }

    pub(crate) fn over(&self) -> bool {
        self.decides().is_none()
    }

    /// The level of the computer that must decide, if one must.
    pub(crate) fn computer(&self) -> Option<(Side, String)> {
        let side = self.decides()?;
        let seat = &self.seats[side];
        (seat.kind == SeatKind::Computer && self.broken.is_none()).then(|| (side, seat.name.clone()))
    }

    fn must_be_playable(&self) -> Result<(), Failure> {
        match &self.broken {
            Some(broken) => Err(Failure::new(Code::FaultyJournal, format!("The kept journal does not hold: {broken}"))),
            None if self.over() => Err(Failure::new(Code::Over, "The game is over.")),
            None => Ok(()),
        }
    }

    /// The first moment that is new to somebody who knew `state` and `moment`.
    pub(crate) fn new_since(&self, state: u64, moment: u64) -> u64 {
        let cut = self.cuts.iter().filter(|(at, _)| *at > state).map(|(_, first)| *first).min();
        cut.unwrap_or(u64::MAX).min(moment + 1)
    }
}

/// The undos and the resignation of a journal.
fn history(lines: &[Line]) -> (Vec<(u64, u64)>, Option<Side>) {
    let mut cuts = Vec::new();
    let mut resigned = None;
    for (index, line) in lines.iter().enumerate() {
        match line {
            Line::Back { back, .. } => {
                cuts.push((index as u64 + 1, back + 1));
                resigned = None;
            }
            Line::Resign { resign } => resigned = Some(*resign),
            _ => {}
        }
    }
    (cuts, resigned)
}

/// A request by one of the seats: what it is called, and what became of it.
struct Deed<'a> {
    id: &'a str,
    content: String,
    done: Done,
}

impl Room {
    pub(crate) fn new(kept: Kept, volume: Arc<Volume>, shared: Arc<Shared>, chat: i64) -> Result<Self, Failure> {
        let (id, public, made) = (kept.game.id.clone(), kept.game.public, kept.game.made as u64);
        let play = Mutex::new(Play::of(kept, &volume, chat)?);
        Ok(Room {
            id,
            public,
            made,
            volume,
            shared,
            news: broadcast::channel(64).0,
            present: BySide::default(),
            bystanders: AtomicUsize::new(0),
            thinking: AtomicBool::new(false),
            used: AtomicU64::new(time::now()),
            play,
        })
    }

    /// The game, true to the disk.
    pub(crate) async fn play(&self) -> Result<MutexGuard<'_, Play>, Failure> {
        let mut play = self.play.lock().await;
        self.used.store(time::now(), Ordering::Relaxed);
        if play.unsure {
            self.reload(&mut play).await?;
        }
        Ok(play)
    }

    async fn reload(&self, play: &mut Play) -> Result<(), Failure> {
        let kept = self.shared.store.game(&self.id).await?;
        let kept = kept.ok_or_else(|| Failure::internal("a game has vanished from the store"))?;
        let chat = self.shared.store.last_chat(&self.id).await?;
        *play = Play::of(kept, &self.volume, chat)?;
        tracing::warn!(game = %self.id, state = play.state, "set up again from disk");
        Ok(())
    }

    // ------------------------------------------------------------------------------------------ seeing

    /// Whether bystanders may look.
    pub(crate) fn open_to_all(&self, play: &Play) -> bool {
        self.public || play.over()
    }

    /// The seats that `tokens` hold; none are needed where bystanders may look.
    pub(crate) fn admit(&self, play: &Play, tokens: &Tokens) -> Result<Held, Failure> {
        let held = tokens.seats(&play.seats)?;
        if held.none() && !self.open_to_all(play) {
            return Err(Failure::new(Code::SeatNeeded, "This game is not public: send the token of a seat."));
        }
        Ok(held)
    }

    /// The eyes that whoever holds these seats looks with.
    pub(crate) fn sight(&self, play: &Play, held: Held) -> Sight {
        match held.speaks_for(play.decides()) {
            _ if play.over() => Sight::All,
            Some(Side::First) => Sight::First,
            Some(Side::Second) => Sight::Second,
            None => Sight::Bystander,
        }
    }

    fn status(&self, play: &Play) -> Status {
        match play.table.now() {
            Now::Decides(side) => {
                let thinking = play.seats[side].kind == SeatKind::Computer;
                Status::Deciding { side, thinking }
            }
            Now::Over(outcome) => Status::Over { outcome, resigned: play.resigned },
        }
    }

    /// The position, present or earlier, as `sight` sees it. Whoever calls has made sure that the asker may.
    pub(crate) fn position(
        &self,
        play: &Play,
        sight: Sight,
        at: Option<u64>,
        log_from: u64,
    ) -> Result<Position, Failure> {
        let moment = play.table.moment();
        let eyes = match sight {
            Sight::First => Some(Side::First),
            Sight::Second => Some(Side::Second),
            Sight::Bystander | Sight::All => None,
        };
        let view = match sight {
            Sight::Bystander => play.table.bystander_view(at),
            _ => play.table.view(eyes, at),
        };
        let beyond = || Failure::new(Code::NoSuchMoment, format!("The game has come to moment {moment}."));
        let view = view.ok_or_else(beyond)?;
        let at = at.unwrap_or(moment);
        let decides = at == moment && eyes.is_some() && eyes == play.decides() && play.broken.is_none();
        Ok(Position {
            state: play.state,
            moment,
            at,
            sight,
            status: self.status(play),
            view,
            prompt: if decides { play.table.prompt() } else { None },
            offers: if decides { play.table.offers() } else { Vec::new() },
            undo: match eyes {
                Some(side) if !play.over() => play.table.undo_right(side),
                _ => Undo::Nothing,
            },
            asked: play.asked.clone().filter(|_| eyes.is_some()),
            log: log(play, sight, log_from, at),
        })
    }

    /// The game as lists and the frame of the board show it.
    pub(crate) fn face(&self, play: &Play, held: Held) -> GameFace {
        let seat = |side: Side| {
            let seat = &play.seats[side];
            SeatFace {
                kind: seat.kind,
                name: seat.name.clone(),
                taken: seat.taken(),
                present: seat.kind == SeatKind::Computer || self.present[side].load(Ordering::Relaxed) > 0,
            }
        };
        let (dice, commitment) = dice_of(&play.table.header().dice);
        GameFace {
            id: self.id.clone(),
            scenario: self.volume.face.id.clone(),
            system: self.volume.face.system.clone(),
            title: self.volume.face.title.clone(),
            sides: self.volume.face.sides.clone(),
            seats: BySide::from_fn(seat),
            status: self.status(play),
            yours: held.speaks_for(play.decides()),
            state: play.state,
            moment: play.table.moment(),
            public: self.public,
            dice,
            commitment,
            created: self.made,
            touched: play.touched,
        }
    }

    /// The journal, for whom nothing in it is concealed.
    pub(crate) fn journal(&self, play: &Play, held: Held) -> Result<String, Failure> {
        let open = play.over() || held.both() || held.speaks_for(None).is_some_and(|s| !play.table.conceals_from(s));
        if open {
            return Ok(play.table.journal());
        }
        Err(Failure::new(Code::Concealed, "Something is concealed from you now, and the journal would tell it."))
    }

    /// What is needed to recompute the dice.
    pub(crate) fn dice(&self, play: &Play) -> Result<DiceProof, Failure> {
        let (_, commitment) = dice_of(&play.table.header().dice);
        let (verdict, broken) = match play.table.verify() {
            Ok(Verified::Holds) => (Verdict::Holds, None),
            Ok(Verified::NotYetRevealed) => (Verdict::NotYetRevealed, None),
            Ok(Verified::TableDice) => (Verdict::TableDice, None),
            Err(broken) => (Verdict::Broken, Some(broken.to_string())),
        };
        let mut proof = DiceProof { commitment, secret: None, verdict, broken, throws: Vec::new() };
        if !play.over() {
            return Ok(proof);
        }
        let parsed = journal::parse(&play.table.journal()).map_err(|_| Failure::internal("a journal of ours does not parse"))?;
        for (index, line) in parsed.lines.into_iter().enumerate() {
            match line {
                Line::Act { n, side, rolls, salt, .. } => {
                    proof.throws.push(ThrowFace { line: index as u64, moment: n, side, salt, faces: rolls });
                }
                Line::End { secret, .. } => proof.secret = secret,
                Line::Back { .. } | Line::Resign { .. } => {}
            }
        }
        Ok(proof)
    }

    // ------------------------------------------------------------------------------------------ acting

    /// Plays an act of a seat.
    pub(crate) async fn act(self: Arc<Self>, tokens: Tokens, act: Act, full: bool) -> Result<Acted, Failure> {
        requests::check_id(&act.id)?;
        let content = requests::content(&["act", &act.state.to_string(), &act.action], &act.salt, &act.faces);
        let mut play = self.play().await?;
        let held = tokens.seats(&play.seats)?;
        let side = held.must_sit(play.decides())?;
        if act.state != play.state {
            return self.again_or_stale(play, held, &act.id, &content, full).await;
        }
        play.must_be_playable()?;
        if play.decides() != Some(side) {
            return Err(Failure::new(Code::NotYourDecision, "The other side decides now."));
        }
        let throw = requests::throw(&play.table.header().dice, act.salt.as_deref(), act.faces)?;
        let done = Done::Played;
        let deed = Deed { id: &act.id, content, done };
        if let Err(failure) = self.perform(&mut play, side, &act.action, &throw, Some(&deed)).await {
            return self.settle_conflict(play, held, deed, failure, full).await;
        }
        self.granted(&play, held, done, full)
    }

    /// Plays a computer's act, unless the game has moved on.
    pub(crate) async fn act_of_computer(self: &Arc<Self>, side: Side, state: u64, action: &str) -> Result<bool, Failure> {
        let mut play = self.play().await?;
        if play.state != state || play.decides() != Some(side) {
            return Ok(false);
        }
        let throw = Throw { salt: self.computer_hash(&play, "linstock computer 1"), typed: Vec::new() };
        self.perform(&mut play, side, action, &throw, None).await?;
        Ok(true)
    }

    /// What a computer's dice and choices rest on: the journal so far, so that nobody can choose it.
    pub(crate) fn computer_hash(&self, play: &Play, purpose: &str) -> Vec<u8> {
        let last = play.table.lines(play.state.saturating_sub(1) as usize).pop().unwrap_or_default();
        requests::hash(&[purpose, &last])
    }

    async fn perform(
        self: &Arc<Self>,
        play: &mut Play,
        side: Side,
        action: &str,
        throw: &Throw,
        deed: Option<&Deed<'_>>,
    ) -> Result<(), Failure> {
        // Should the rules panic, the disk still knows what is true.
        play.unsure = true;
        let acted = play.table.act(side, action, throw);
        play.unsure = acted.is_ok();
        if let Err(error) = acted {
            self.shared.metrics.refused.add(1);
            return Err(not_played(error));
        }
        play.asked = None;
        self.keep(play, deed).await?;
        self.shared.metrics.acts.add(1);
        Ok(())
    }

    /// Takes back the asker's last decision, or asks the other side.
    pub(crate) async fn undo(self: Arc<Self>, tokens: Tokens, back: TakeBack, full: bool) -> Result<Acted, Failure> {
        requests::check_id(&back.id)?;
        let content = requests::content(&["undo", &back.state.to_string()], &None, &[]);
        let mut play = self.play().await?;
        let held = tokens.seats(&play.seats)?;
        let side = held.must_sit(last_to_decide(&play))?;
        if let Some(done) = self.done_before(&back.id, &content).await? {
            return self.granted(&play, held, done, full);
        }
        if back.state != play.state {
            return self.stale(&play, held);
        }
        play.must_be_playable()?;
        let alone = held.both() || play.seats[!side].kind == SeatKind::Computer;
        let done = match play.table.undo_right(side) {
            Undo::Free => Done::TakenBack,
            Undo::ByConsent if alone => Done::TakenBack,
            Undo::ByConsent => Done::Asked,
            Undo::Nothing => return Err(Failure::new(Code::NothingToUndo, "You have decided nothing yet.")),
        };
        let deed = Deed { id: &back.id, content, done };
        let kept = match done {
            Done::TakenBack => self.take_back(&mut play, side, alone, &deed).await,
            _ => {
                play.unsure = true;
                play.asked = Some(UndoAsk { ask: time::now(), by: side });
                self.keep(&mut play, Some(&deed)).await
            }
        };
        if let Err(failure) = kept {
            return self.settle_conflict(play, held, deed, failure, full).await;
        }
        self.granted(&play, held, done, full)
    }

    /// Answers a request to take back.
    pub(crate) async fn answer_undo(
        self: Arc<Self>,
        tokens: Tokens,
        answer: AnswerUndo,
        full: bool,
    ) -> Result<Acted, Failure> {
        requests::check_id(&answer.id)?;
        let agree = if answer.agree { "yes" } else { "no" };
        let content = requests::content(&["answer", &answer.ask.to_string(), agree], &None, &[]);
        let mut play = self.play().await?;
        let held = tokens.seats(&play.seats)?;
        held.must_sit(None)?;
        if let Some(done) = self.done_before(&answer.id, &content).await? {
            return self.granted(&play, held, done, full);
        }
        let not_asked = || Failure::new(Code::NotAsked, "Nobody asks you to take something back, or no longer.");
        let by = play.asked.as_ref().filter(|a| a.ask == answer.ask && held.holds(!a.by)).ok_or_else(not_asked)?.by;
        play.must_be_playable()?;
        let done = if answer.agree { Done::TakenBack } else { Done::Declined };
        let deed = Deed { id: &answer.id, content, done };
        let kept = if answer.agree {
            self.take_back(&mut play, by, true, &deed).await
        } else {
            play.unsure = true;
            play.asked = None;
            self.keep(&mut play, Some(&deed)).await
        };
        if let Err(failure) = kept {
            return self.settle_conflict(play, held, deed, failure, full).await;
        }
        self.granted(&play, held, done, full)
    }

    async fn take_back(self: &Arc<Self>, play: &mut Play, side: Side, agreed: bool, deed: &Deed<'_>) -> Result<(), Failure> {
        play.unsure = true;
        let undone = play.table.undo(side, agreed);
        play.unsure = undone.is_ok();
        undone.map_err(|_| Failure::new(Code::NothingToUndo, "There is nothing to take back."))?;
        play.asked = None;
        play.cuts.push((play.state + 1, play.table.moment() + 1));
        self.keep(play, Some(deed)).await
    }

    /// Gives up.
    pub(crate) async fn resign(self: Arc<Self>, tokens: Tokens, resign: Resign, full: bool) -> Result<Acted, Failure> {
        requests::check_id(&resign.id)?;
        let content = requests::content(&["resign", &resign.state.to_string()], &None, &[]);
        let mut play = self.play().await?;
        let held = tokens.seats(&play.seats)?;
        let side = held.must_sit(play.decides())?;
        if resign.state != play.state {
            return self.again_or_stale(play, held, &resign.id, &content, full).await;
        }
        play.must_be_playable()?;
        play.unsure = true;
        let resigned = play.table.resign(side);
        play.unsure = resigned.is_ok();
        resigned.map_err(not_played)?;
        play.resigned = Some(side);
        play.asked = None;
        let deed = Deed { id: &resign.id, content, done: Done::Resigned };
        if let Err(failure) = self.keep(&mut play, Some(&deed)).await {
            return self.settle_conflict(play, held, deed, failure, full).await;
        }
        self.granted(&play, held, Done::Resigned, full)
    }

    /// Puts on disk what the table has that the disk has not; then tells whoever looks on.
    async fn keep(self: &Arc<Self>, play: &mut Play, deed: Option<&Deed<'_>>) -> Result<(), Failure> {
        if play.over() {
            play.table.reveal();
        }
        let lines = play.table.lines(play.state as usize);
        let after = play.state as i64 + 1;
        let at = time::now();
        let change = Change {
            game: self.id.clone(),
            after,
            request: deed.map(|deed| Request {
                id: deed.id.to_owned(),
                content: deed.content.clone(),
                answer: requests::write_done(deed.done).to_owned(),
            }),
            at: at as i64,
            summary: Summary::of(&self.volume.face, play, lines.len() as u64, self.status(play)).write(),
            asked: play.asked.as_ref().and_then(|asked| serde_json::to_string(asked).ok()),
            lines,
        };
        let grown = change.lines.len() as u64;
        self.shared.store.change(change).await.map_err(|error| match error {
            StoreError::Conflict => Failure::new(Code::IdReused, "This id was used for something else."),
            error => error.into(),
        })?;
        play.state += grown;
        play.touched = at;
        play.unsure = false;
        self.tell(News::Changed);
        crate::computer::wake(self, play);
        Ok(())
    }

    pub(crate) fn tell(&self, news: News) {
        // Nobody looking on is no failure.
        let _ = self.news.send(news);
    }

    async fn done_before(&self, id: &str, content: &str) -> Result<Option<Done>, Failure> {
        let Some(request) = self.shared.store.request(&self.id, id).await? else { return Ok(None) };
        match requests::read_done(&request.answer) {
            Some(done) if request.content == content => Ok(Some(done)),
            _ => Err(Failure::new(Code::IdReused, "This id was used for something else.")),
        }
    }

    async fn again_or_stale(
        &self,
        play: MutexGuard<'_, Play>,
        held: Held,
        id: &str,
        content: &str,
        full: bool,
    ) -> Result<Acted, Failure> {
        match self.done_before(id, content).await? {
            Some(done) => self.granted(&play, held, done, full),
            None => self.stale(&play, held),
        }
    }

    fn stale(&self, play: &Play, held: Held) -> Result<Acted, Failure> {
        self.shared.metrics.stale.add(1);
        Err(Failure::stale(self.position(play, self.sight(play, held), None, 0)?))
    }

    /// The same request may have been granted by the very commit that this one lost against.
    async fn settle_conflict(
        &self,
        mut play: MutexGuard<'_, Play>,
        held: Held,
        deed: Deed<'_>,
        failure: Failure,
        full: bool,
    ) -> Result<Acted, Failure> {
        if failure.0.code != Code::IdReused {
            return Err(failure);
        }
        self.reload(&mut play).await?;
        match self.done_before(deed.id, &deed.content).await? {
            Some(done) => self.granted(&play, held, done, full),
            None => self.stale(&play, held),
        }
    }

    fn granted(&self, play: &Play, held: Held, done: Done, full: bool) -> Result<Acted, Failure> {
        let position = match full {
            true => Some(self.position(play, self.sight(play, held), None, 0)?),
            false => None,
        };
        Ok(Acted { done, state: play.state, position })
    }
}

/// Who decided last, for a hot-seat undo.
fn last_to_decide(play: &Play) -> Option<Side> {
    let last = play.table.scenes(None, play.table.moment()).pop()?;
    last.side.or(play.decides())
}

fn log(play: &Play, sight: Sight, from: u64, to: u64) -> Vec<LogLine> {
    let eyes = match sight {
        Sight::First => Some(Side::First),
        Sight::Second => Some(Side::Second),
        Sight::Bystander | Sight::All => None,
    };
    let line = |scene: catalogue::Scene| {
        let mut entries = scene.entries;
        if sight == Sight::Bystander {
            entries.retain(|entry| entry.only.is_none());
        }
        let told = sight == Sight::All || (eyes.is_some() && scene.side == eyes);
        LogLine { moment: scene.moment, side: scene.side, act: scene.act.filter(|_| told), entries }
    };
    play.table.scenes(eyes, from).into_iter().filter(|scene| scene.moment <= to).map(line).collect()
}

pub(crate) fn dice_of(dice: &DiceOf) -> (DiceKind, Option<String>) {
    match dice {
        DiceOf::Commit(commitment) => (DiceKind::Sealed, Some(commitment.clone())),
        DiceOf::Seed(_) => (DiceKind::Sealed, None),
        DiceOf::Table => (DiceKind::Table, None),
    }
}

fn not_played(error: ActError) -> Failure {
    match error {
        ActError::Refused(refusal) => Failure::refused(refusal),
        ActError::NotYours => Failure::new(Code::NotYourDecision, "The other side decides now."),
        ActError::Unreadable(message) => Failure::new(Code::Unreadable, message),
        ActError::Over => Failure::new(Code::Over, "The game is over."),
        ActError::Roll(roll) => Failure::roll_needed(roll),
        ActError::Dice(message) => Failure::new(Code::WrongFaces, message),
    }
}
