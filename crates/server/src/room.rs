//! One game under way: its table, its seats, whoever looks on, and what each may see.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

use catalogue::{Table, Weigher};
use game::board::Offer;
use game::journal::{self, DiceOf, Line, Parsed};
use game::luck::{FairScore, Luck};
use game::session::{Undo, Verified};
use game::{BySide, Eyes, Now, Side};
use store::Kept;
use tokio::sync::{Mutex, OwnedMutexGuard, broadcast};

use crate::acting::not_played;
use crate::hall::{Shared, away};
use crate::library::Volume;
use crate::problem::Failure;
use crate::relic::{self, Relic};
use crate::seats::{Held, Seat, Tokens};
use crate::still::{self, Still, knows_act};
use crate::summary::{Heading, Summary};
use crate::time;
use crate::wire::{
    ChatLine, Closed, Code, DiceKind, DiceProof, Drawn, GameFace, LogLine, Position, SeatFace, SeatKind,
    Sight, Status, ThrowFace, UndoAsk, Verdict,
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
    pub(crate) heading: Heading,
    /// The scenario; none if it can no longer be opened.
    pub(crate) volume: Option<Arc<Volume>>,
    pub(crate) shared: Arc<Shared>,
    pub(crate) news: broadcast::Sender<News>,
    /// How many connections each seat has.
    pub(crate) present: BySide<AtomicUsize>,
    /// How many bystanders are connected.
    pub(crate) bystanders: AtomicUsize,
    /// A computer is at work.
    pub(crate) thinking: AtomicBool,
    /// No person holds a seat.
    pub(crate) machines: bool,
    /// When it was last worked on.
    pub(crate) used: AtomicU64,
    /// When somebody last looked at it.
    pub(crate) looked: AtomicU64,
    /// The state it has come to, and that of its last picture.
    pub(crate) state: AtomicU64,
    pub(crate) drawn: AtomicU64,
    play: Arc<Mutex<Play>>,
}

/// The game, held by whoever works on it.
pub(crate) type Playing = OwnedMutexGuard<Play>;

/// What of a game changes.
#[derive(Debug)]
pub(crate) struct Play {
    pub(crate) table: Box<dyn Table>,
    pub(crate) seats: BySide<Seat>,
    pub(crate) asked: Option<UndoAsk>,
    /// Lines of the journal after the first: the number of the state.
    pub(crate) state: u64,
    /// Each undo: the state it led to, and the first moment it cut off.
    pub(crate) cuts: Vec<(u64, u64)>,
    /// The moment that each state, counted from 1, had come to.
    pub(crate) moments: Vec<u32>,
    pub(crate) resigned: Option<Side>,
    pub(crate) touched: u64,
    pub(crate) chat: i64,
    /// Why it cannot go on; such a game can only be looked at.
    pub(crate) closed: Option<Shut>,
    /// Set while a change is not yet known to be on disk: if it stays, the disk is asked what is true.
    pub(crate) unsure: bool,
    /// The score without luck, once somebody has asked for it, and of which state.
    fair: Option<(u64, FairScore)>,
}

/// Why a game cannot go on.
#[derive(Debug)]
pub(crate) struct Shut {
    code: Code,
    why: String,
    /// It replays cleanly under the present edition, so its players may go on under that.
    pub(crate) may_continue: bool,
    /// How far it was.
    status: Status,
    /// Its journal as it was kept, and the lines of it that can be read.
    kept: Vec<String>,
    lines: Vec<Line>,
    still: Option<Still>,
}

impl Shut {
    fn failure(&self) -> Failure {
        Failure::new(self.code, self.why.clone())
    }
}

/// What is needed to set a game up again.
#[derive(Debug)]
pub(crate) struct Materials {
    pub(crate) kept: Kept,
    pub(crate) chat: i64,
    /// The last picture; read only where the journal may not be enough.
    pub(crate) still: Option<Still>,
}

impl Play {
    /// Sets a kept game up again: under its own edition, or as far as the present one can replay it, or only to be read.
    pub(crate) fn of(materials: Materials, volume: Option<&Volume>) -> Result<Self, Failure> {
        let Materials { kept, chat, still } = materials;
        let faulty = |message: String| Failure::new(Code::FaultyJournal, message);
        let parsed = journal::parse(&kept.lines.join("\n")).map_err(|b| faulty(b.to_string()))?;
        let History { cuts, moments, resigned } = history(&parsed.lines);
        let secret = journal::unhex(&kept.game.secret).and_then(|s| s.try_into().ok());
        let summary = Summary::read(&kept.game);
        let now = summary.as_ref().map_or(Now::Decides(Side::First), |s| s.status().now());
        let Reopened { table, shut } = reopen(volume, parsed.clone(), secret, now);
        let closed = shut.map(|(code, why, may_continue)| {
            tracing::warn!(game = %kept.game.id, %why, may_continue, "a kept game cannot go on as it is");
            let status = summary.map_or_else(|| status_of(now, None, false), |s| s.status().clone());
            let (kept, lines) = (kept.lines.clone(), parsed.lines);
            Shut { code, why, may_continue, status, kept, lines, still: still.filter(|_| !may_continue) }
        });
        let mut seats = kept.seats.into_iter().map(Seat::of_row);
        let (Some(first), Some(second)) = (seats.next(), seats.next()) else {
            return Err(Failure::internal("a game without two seats"));
        };
        Ok(Play {
            table,
            seats: BySide { first, second },
            asked: kept.game.asked.and_then(|asked| serde_json::from_str(&asked).ok()),
            state: kept.lines.len() as u64 - 1,
            cuts,
            moments,
            resigned,
            touched: kept.game.touched as u64,
            chat,
            closed,
            unsure: false,
            fair: None,
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

    /// The score without luck: much work, so done once.
    fn fair_score(&mut self) -> FairScore {
        match &self.fair {
            Some((state, fair)) if *state == self.state => fair.clone(),
            _ => {
                let fair = self.table.fair_score();
                self.fair = Some((self.state, fair.clone()));
                fair
            }
        }
    }

    /// The level of the computer that must decide, if one must.
    pub(crate) fn computer(&self) -> Option<(Side, String)> {
        let side = self.decides()?;
        let seat = &self.seats[side];
        (seat.kind == SeatKind::Computer && self.closed.is_none()).then(|| (side, seat.name.clone()))
    }

    pub(crate) fn must_be_playable(&self) -> Result<(), Failure> {
        match &self.closed {
            Some(shut) => Err(shut.failure()),
            None if self.over() => Err(Failure::new(Code::Over, "The game is over.")),
            None => Ok(()),
        }
    }

    /// The first moment that is new to somebody who knew `state`; all of them are to one who knew none.
    pub(crate) fn new_since(&self, state: u64) -> u64 {
        let Some(known) = (state as usize).checked_sub(1).and_then(|index| self.moments.get(index)) else {
            return 0;
        };
        let cut = self.cuts.iter().filter(|(at, _)| *at > state).map(|(_, first)| *first).min();
        cut.unwrap_or(u64::MAX).min(u64::from(*known) + 1)
    }
}

/// A game set up again, and why it cannot go on, if it cannot: under which name, in words, and whether it may be
/// continued under the present edition.
struct Reopened {
    table: Box<dyn Table>,
    shut: Option<(Code, String, bool)>,
}

fn reopen(volume: Option<&Volume>, parsed: Parsed, secret: Option<[u8; 32]>, now: Now) -> Reopened {
    let relic = |parsed: Parsed| Box::new(Relic::new(parsed.header, parsed.lines, parsed.broken, now));
    let Some(volume) = volume else {
        let why = format!(
            "The scenario `{}` of this game can no longer be opened. What was played can be read.",
            parsed.header.scenario
        );
        return Reopened { table: relic(parsed), shut: Some((Code::Outdated, why, false)) };
    };
    let scenario = &volume.scenario;
    let (theirs, ours) = (parsed.header.edition.clone(), scenario.system().edition());
    let title = scenario.system().book().title;
    let changed = match theirs == ours {
        true => match scenario.resume(parsed.clone(), secret) {
            Ok((table, None)) => return Reopened { table, shut: None },
            Ok((table, Some(broken))) => {
                let why = format!("The kept journal does not hold: {broken}");
                return Reopened { table, shut: Some((Code::FaultyJournal, why, false)) };
            }
            Err(broken) => format!("The kept journal cannot be replayed: {broken}."),
        },
        false => format!(
            "This game was played under edition {theirs} of {title}; this server plays edition {ours}."
        ),
    };
    match scenario.readopt(parsed.clone(), secret) {
        Ok((table, None)) => {
            let why =
                format!("{changed} It replays cleanly: its players may continue it under the present rules.");
            Reopened { table, shut: Some((Code::Outdated, why, true)) }
        }
        Ok((table, Some(broken))) => {
            let why = format!(
                "{changed} It cannot go on: the present rules part from it at {}. What was played can be read.",
                broken.to_string().trim_end_matches('.')
            );
            Reopened { table, shut: Some((Code::Outdated, why, false)) }
        }
        Err(broken) => {
            let why = format!("{changed} It cannot go on: {broken}. What was played can be read.");
            Reopened { table: relic(parsed), shut: Some((Code::Outdated, why, false)) }
        }
    }
}

/// What of a journal the table does not tell.
struct History {
    cuts: Vec<(u64, u64)>,
    moments: Vec<u32>,
    resigned: Option<Side>,
}

fn history(lines: &[Line]) -> History {
    let mut history = History { cuts: Vec::new(), moments: Vec::with_capacity(lines.len()), resigned: None };
    let mut moment = 0;
    for (index, line) in lines.iter().enumerate() {
        match line {
            Line::Act { n, .. } => moment = *n as u32,
            Line::Back { back, .. } => {
                history.cuts.push((index as u64 + 1, back.saturating_add(1)));
                history.resigned = None;
                moment = *back as u32;
            }
            Line::Resign { resign } => history.resigned = Some(*resign),
            Line::End { .. } => {}
        }
        history.moments.push(moment);
    }
    history
}

impl Room {
    pub(crate) fn new(
        materials: Materials,
        volume: Option<Arc<Volume>>,
        shared: Arc<Shared>,
    ) -> Result<Self, Failure> {
        let row = &materials.kept.game;
        let (id, public, made) = (row.id.clone(), row.public, row.made as u64);
        let kept = || Summary::read(row).map(|summary| summary.heading());
        let heading = volume.as_ref().map(|v| Heading::of(&v.face)).or_else(kept);
        let heading = heading.ok_or_else(|| Failure::internal("a kept game without a summary"))?;
        let machines = materials.kept.seats.iter().all(|seat| seat.kind == "computer");
        let play = Play::of(materials, volume.as_deref())?;
        Ok(Room {
            id,
            public,
            made,
            heading,
            volume,
            shared,
            news: broadcast::channel(64).0,
            present: BySide::default(),
            bystanders: AtomicUsize::new(0),
            thinking: AtomicBool::new(false),
            machines,
            used: AtomicU64::new(time::now()),
            looked: AtomicU64::new(time::now()),
            state: AtomicU64::new(play.state),
            drawn: AtomicU64::new(0),
            play: Arc::new(Mutex::new(play)),
        })
    }

    /// Whether something has happened since the last picture.
    pub(crate) fn undrawn(&self) -> bool {
        self.drawn.load(Ordering::Relaxed) < self.state.load(Ordering::Relaxed)
    }

    /// Keeps a picture of the game as it stands, so that it can be looked at whatever becomes of the rules.
    pub(crate) async fn draw(self: &Arc<Self>) -> Result<(), Failure> {
        let play = self.play().await?;
        let (state, Some(volume)) = (play.state, self.volume.clone()) else { return Ok(()) };
        let picture = match play.closed {
            // Drawn by the rules that played it, or not at all.
            Some(_) => None,
            None => {
                self.work(play, move |_, play| still::picture(play.table.as_ref(), &volume, state)).await?.1
            }
        };
        if let Some(picture) = picture {
            self.shared.store.draw(&self.id, picture).await?;
            self.shared.metrics.drawn.increment(1);
        }
        self.drawn.store(state, Ordering::Relaxed);
        Ok(())
    }

    /// Whether somebody is connected.
    pub(crate) fn watched(&self) -> bool {
        let seats = Side::BOTH.into_iter().map(|side| &self.present[side]);
        seats.chain([&self.bystanders]).any(|count| count.load(Ordering::Relaxed) > 0)
    }

    /// Whether computers play each other and nobody has looked for a while: then they wait.
    pub(crate) fn paused(&self) -> bool {
        let limit = time::now().saturating_sub(self.shared.unwatched.as_millis() as u64);
        self.machines && !self.watched() && self.looked.load(Ordering::Relaxed) < limit
    }

    /// Somebody looks: computers that have waited for that go on.
    pub(crate) fn look(self: &Arc<Self>) {
        self.looked.store(time::now(), Ordering::Relaxed);
        if self.machines && !self.thinking.load(Ordering::Acquire) {
            let room = self.clone();
            tokio::spawn(async move {
                if let Ok(play) = room.play().await {
                    crate::computer::wake(&room, &play);
                }
            });
        }
    }

    /// The game, true to the disk.
    pub(crate) async fn play(&self) -> Result<Playing, Failure> {
        let mut play = self.play.clone().lock_owned().await;
        self.used.store(time::now(), Ordering::Relaxed);
        if play.unsure {
            self.reload(&mut play).await?;
        }
        Ok(play)
    }

    pub(crate) async fn reload(&self, play: &mut Play) -> Result<(), Failure> {
        let kept = self.shared.store.game(&self.id).await?;
        let kept = kept.ok_or_else(|| Failure::internal("a game has vanished from the store"))?;
        let chat = self.shared.store.last_chat(&self.id).await?;
        let (volume, materials) = (self.volume.clone(), Materials { kept, chat, still: None });
        *play = away(move || Play::of(materials, volume.as_deref())).await?;
        self.state.store(play.state, Ordering::Relaxed);
        tracing::warn!(game = %self.id, state = play.state, "set up again from disk");
        Ok(())
    }

    /// Works on the game away from the threads that answer, only so many at a time, so that a heavy position delays no
    /// other game. Should the work panic the game is let go; if it was being changed the disk then says what is true.
    pub(crate) async fn work<T: Send + 'static>(
        self: &Arc<Self>,
        mut play: Playing,
        work: impl FnOnce(&Room, &mut Play) -> T + Send + 'static,
    ) -> Result<(Playing, T), Failure> {
        let room = self.clone();
        self.shared
            .work(move || {
                let result = work(&room, &mut play);
                Ok((play, result))
            })
            .await
    }

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

    pub(crate) fn status(&self, play: &Play) -> Status {
        match &play.closed {
            Some(shut) if !shut.may_continue => shut.status.clone(),
            _ => {
                let thinking = play.decides().is_some_and(|side| play.seats[side].kind == SeatKind::Computer);
                status_of(play.table.now(), play.resigned, thinking && play.closed.is_none())
            }
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
        if let Some(shut) = play.closed.as_ref().filter(|shut| !shut.may_continue) {
            return Ok(self.last_position(play, shut, sight, at, log_from));
        }
        let moment = play.table.moment();
        let side = sight.eyes().side();
        let beyond = || Failure::new(Code::NoSuchMoment, format!("The game has come to moment {moment}."));
        let view = play.table.view(sight.eyes(), at).ok_or_else(beyond)?;
        let at = at.unwrap_or(moment);
        let decides = at == moment && side.is_some() && side == play.decides() && play.closed.is_none();
        Ok(Position {
            state: play.state,
            moment,
            at,
            sight,
            status: self.status(play),
            view: Drawn::Now(view),
            prompt: if decides { play.table.prompt() } else { None },
            offers: if decides { play.table.offers() } else { Vec::new() },
            undo: match side {
                Some(side) if !play.over() && play.closed.is_none() => play.table.undo_right(side),
                _ => Undo::Nothing,
            },
            asked: play.asked.clone().filter(|_| side.is_some()),
            log_from,
            log: log(play, sight, log_from, at),
        })
    }

    /// The last position of a game that cannot go on: as it was kept, or as far as the journal can still be replayed.
    fn last_position(
        &self,
        play: &Play,
        shut: &Shut,
        sight: Sight,
        at: Option<u64>,
        log_from: u64,
    ) -> Position {
        let told = relic::scenes(&shut.lines);
        let moment = (told.len() as u64).saturating_sub(1);
        let replayed = play.table.moment();
        let at = at.unwrap_or(moment).min(moment);
        let shown = shut.still.as_ref().filter(|still| at >= still.moment || at > replayed);
        let view = match shown {
            Some(still) => Drawn::Kept(still.view(sight)),
            None => {
                let view = play.table.view(sight.eyes(), Some(at.min(replayed)));
                Drawn::Now(view.unwrap_or_else(relic::nothing))
            }
        };
        let mut log = match &shut.still {
            Some(still) => still.log(sight, log_from),
            None => log(play, sight, log_from, moment),
        };
        // What neither the picture nor the rules can tell is told as it was written.
        let known = log.last().map_or(log_from, |line| line.moment + 1);
        let eyes = sight.eyes();
        log.extend(told.into_iter().filter(|scene| scene.moment >= known).map(|scene| LogLine {
            moment: scene.moment,
            side: scene.side,
            act: scene.act.filter(|_| knows_act(eyes, scene.side) || !eyes_of_stranger(eyes)),
            entries: Vec::new(),
        }));
        log.retain(|line| line.moment <= at);
        Position {
            state: play.state,
            moment,
            at,
            sight,
            status: self.status(play),
            view,
            prompt: None,
            offers: Vec::new(),
            undo: Undo::Nothing,
            asked: None,
            log_from,
            log,
        }
    }

    /// The board that is drawn once, in JSON, and its tag.
    pub(crate) fn board(&self) -> Option<(axum::body::Bytes, String)> {
        self.volume.as_ref().map(|volume| volume.board())
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
            scenario: self.heading.scenario.clone(),
            system: self.heading.system.clone(),
            title: self.heading.title.clone(),
            sides: self.heading.sides.clone(),
            seats: BySide::from_fn(seat),
            status: self.status(play),
            yours: held.speaks_for(play.decides()),
            state: play.state,
            moment: play.closed.as_ref().map_or(play.table.moment(), |shut| {
                (relic::scenes(&shut.lines).len() as u64).saturating_sub(1)
            }),
            closed: play.closed.as_ref().map(|s| Closed { why: s.why.clone(), may_continue: s.may_continue }),
            public: self.public,
            dice,
            commitment,
            created: self.made,
            touched: play.touched,
        }
    }

    /// The journal, for whom nothing in it is concealed.
    pub(crate) fn journal(&self, play: &Play, held: Held) -> Result<String, Failure> {
        if let Some(shut) = &play.closed
            && (!shut.may_continue && !held.none() || play.over())
        {
            // Nothing will be decided in it any more, and this is the only way to take it elsewhere.
            return Ok(shut.kept.iter().map(|line| format!("{line}\n")).collect());
        }
        let tells_nothing = |side: Side| {
            // A computer does not mind what is known of choices that it never made.
            let computer = play.seats[side.enemy()].kind == SeatKind::Computer;
            !play.table.conceals_from(side) && (computer || !play.table.took_back_unseen(side))
        };
        if play.over() || held.both() || held.speaks_for(None).is_some_and(tells_nothing) {
            return Ok(play.table.journal());
        }
        Err(Failure::new(
            Code::Concealed,
            "The journal would tell you what is concealed from you; it is open to all when the game is over.",
        ))
    }

    /// Works out odds for the seat that decides, from what it may know.
    pub(crate) fn weigher(
        &self,
        play: &Play,
        tokens: &Tokens,
        state: u64,
    ) -> Result<Box<dyn Weigher>, Failure> {
        Ok(play.table.weigher(self.decider(play, tokens, state)?))
    }

    /// An action as it would be offered to the seat that decides, or why it is not allowed.
    pub(crate) fn would(
        &self,
        play: &Play,
        tokens: &Tokens,
        state: u64,
        action: &str,
    ) -> Result<Offer, Failure> {
        let side = self.decider(play, tokens, state)?;
        play.table.would(side, action).map_err(not_played)
    }

    /// The side that decides, if it is the one that asks, and about the present state.
    fn decider(&self, play: &Play, tokens: &Tokens, state: u64) -> Result<Side, Failure> {
        let held = tokens.seats(&play.seats)?;
        let side = held.must_sit(play.decides())?;
        if state != play.state {
            return Err(Failure::stale(self.position(
                play,
                self.sight(play, held),
                None,
                play.new_since(state),
            )?));
        }
        play.must_be_playable()?;
        if play.decides() != Some(side) {
            return Err(Failure::new(Code::NotYourDecision, "The other side decides now."));
        }
        Ok(side)
    }

    /// The luck so far, of the rolls that `sight` may see.
    pub(crate) fn luck(&self, play: &mut Play, sight: Sight) -> Luck {
        let told = play.table.scenes(sight.eyes(), 0);
        let mut luck = game::luck::of(told.iter().map(|scene| (scene.moment, scene.entries.as_slice())));
        luck.score = play.over().then(|| play.fair_score());
        luck
    }

    /// What is needed to recompute the dice.
    pub(crate) fn dice(&self, play: &Play) -> Result<DiceProof, Failure> {
        let (_, commitment) = dice_of(&play.table.header().dice);
        let (verdict, broken) = match play.table.verify() {
            Ok(Verified::Holds | Verified::HoldsAfter(_)) => (Verdict::Holds, None),
            Ok(Verified::NotYetRevealed) => (Verdict::NotYetRevealed, None),
            Ok(Verified::TableDice) => (Verdict::TableDice, None),
            Err(broken) => (Verdict::Broken, Some(broken.to_string())),
        };
        let taken_over = play.table.header().taken_over;
        let mut proof =
            DiceProof { commitment, secret: None, verdict, broken, taken_over, throws: Vec::new() };
        if !play.over() {
            return Ok(proof);
        }
        let parsed = journal::parse(&play.table.journal())
            .map_err(|_| Failure::internal("a journal of ours does not parse"))?;
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
}

fn log(play: &Play, sight: Sight, from: u64, to: u64) -> Vec<LogLine> {
    let eyes = sight.eyes();
    let line = |scene: catalogue::Scene| LogLine {
        moment: scene.moment,
        side: scene.side,
        act: scene.act.filter(|_| knows_act(eyes, scene.side)),
        entries: scene.entries.into_iter().map(Drawn::Now).collect(),
    };
    play.table.scenes(eyes, from).into_iter().filter(|scene| scene.moment <= to).map(line).collect()
}

fn eyes_of_stranger(eyes: Eyes) -> bool {
    eyes == Eyes::Bystander
}

fn status_of(now: Now, resigned: Option<Side>, thinking: bool) -> Status {
    match now {
        Now::Decides(side) => Status::Deciding { side, thinking },
        Now::Over(outcome) => Status::Over { outcome, resigned },
    }
}

pub(crate) fn dice_of(dice: &DiceOf) -> (DiceKind, Option<String>) {
    match dice {
        DiceOf::Commit(commitment) => (DiceKind::Sealed, Some(commitment.clone())),
        DiceOf::Seed(_) => (DiceKind::Sealed, None),
        DiceOf::Table => (DiceKind::Table, None),
    }
}
