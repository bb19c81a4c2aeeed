//! One game under way: its table, its seats, whoever looks on, and what each may see.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

use catalogue::{Table, Weigher};
use game::board::Offer;
use game::journal::{self, DiceOf, Line};
use game::luck::{FairScore, Luck};
use game::session::{Undo, Verified};
use game::{BySide, Eyes, Now, Side};
use store::Kept;
use tokio::sync::{Mutex, OwnedMutexGuard, broadcast};

use crate::acting::not_played;
use crate::hall::{Shared, away};
use crate::library::Volume;
use crate::problem::Failure;
use crate::seats::{Held, Seat, Tokens};
use crate::time;
use crate::wire::{
    ChatLine, Code, DiceKind, DiceProof, GameFace, LogLine, Position, SeatFace, SeatKind, Sight, Status,
    ThrowFace, UndoAsk, Verdict,
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
    /// Why the kept journal does not hold to its end; such a game can only be looked at.
    broken: Option<String>,
    /// Set while a change is not yet known to be on disk: if it stays, the disk is asked what is true.
    pub(crate) unsure: bool,
    /// The score without luck, once somebody has asked for it, and of which state.
    fair: Option<(u64, FairScore)>,
}

impl Play {
    /// Sets a kept game up again.
    pub(crate) fn of(kept: Kept, volume: &Volume, chat: i64) -> Result<Self, Failure> {
        let faulty = |message: String| Failure::new(Code::FaultyJournal, message);
        let parsed = journal::parse(&kept.lines.join("\n")).map_err(|b| faulty(b.to_string()))?;
        let History { cuts, moments, resigned } = history(&parsed.lines);
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
            moments,
            resigned,
            touched: kept.game.touched as u64,
            chat,
            broken: broken.map(|b| b.to_string()),
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
        (seat.kind == SeatKind::Computer && self.broken.is_none()).then(|| (side, seat.name.clone()))
    }

    pub(crate) fn must_be_playable(&self) -> Result<(), Failure> {
        match &self.broken {
            Some(broken) => {
                Err(Failure::new(Code::FaultyJournal, format!("The kept journal does not hold: {broken}")))
            }
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
        kept: Kept,
        volume: Arc<Volume>,
        shared: Arc<Shared>,
        chat: i64,
    ) -> Result<Self, Failure> {
        let (id, public, made) = (kept.game.id.clone(), kept.game.public, kept.game.made as u64);
        let play = Arc::new(Mutex::new(Play::of(kept, &volume, chat)?));
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
        let volume = self.volume.clone();
        *play = away(move || Play::of(kept, &volume, chat)).await?;
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
        let side = sight.eyes().side();
        let beyond = || Failure::new(Code::NoSuchMoment, format!("The game has come to moment {moment}."));
        let view = play.table.view(sight.eyes(), at).ok_or_else(beyond)?;
        let at = at.unwrap_or(moment);
        let decides = at == moment && side.is_some() && side == play.decides() && play.broken.is_none();
        Ok(Position {
            state: play.state,
            moment,
            at,
            sight,
            status: self.status(play),
            view,
            prompt: if decides { play.table.prompt() } else { None },
            offers: if decides { play.table.offers() } else { Vec::new() },
            undo: match side {
                Some(side) if !play.over() => play.table.undo_right(side),
                _ => Undo::Nothing,
            },
            asked: play.asked.clone().filter(|_| side.is_some()),
            log_from,
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
        let told = log(play, sight, 0, play.table.moment());
        let mut luck = game::luck::of(told.iter().map(|line| (line.moment, line.entries.as_slice())));
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
    let line = |scene: catalogue::Scene| {
        // What somebody did is told by the entries; the action itself can say more (a path, a choice).
        let told = scene.side.map_or(eyes == Eyes::All, |side| eyes.see(side));
        LogLine {
            moment: scene.moment,
            side: scene.side,
            act: scene.act.filter(|_| told),
            entries: scene.entries,
        }
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
