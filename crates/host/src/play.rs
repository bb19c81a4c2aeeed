//! A game under way: its table, its seats, and what each may see and do.

use std::collections::BTreeSet;

use catalogue::{Analyst, Reviewer, Table, Weigher};
use game::board::{Offer, SideFace};
use game::journal::{self, DiceOf, Line, Parsed};
use game::luck::{FairScore, Luck};
use game::session::{ActError, Throw, Undo, Verified};
use game::{BySide, Eyes, Now, Side};

use crate::library::Volume;
use crate::problem::Failure;
use crate::relic::{self, Relic};
use crate::requests;
use crate::seats::{Held, Seat, Tokens};
use crate::still::{Still, knows_act};
use crate::wire::{
    AskHint, Closed, Code, DiceKind, DiceProof, Done, Drawn, GameFace, LogLine, Position, ScenarioFace,
    SeatFace, SeatKind, Sight, Status, ThrowFace, UndoAsk, Verdict,
};

/// What a game is called.
#[derive(Debug, Clone)]
pub struct Heading {
    /// The id of its scenario.
    pub scenario: String,
    /// The id of its system.
    pub system: String,
    /// The scenario's title.
    pub title: String,
    /// The two sides.
    pub sides: BySide<SideFace>,
}

impl Heading {
    /// Of a scenario.
    #[must_use]
    pub fn of(face: &ScenarioFace) -> Self {
        let ScenarioFace { id, system, title, sides, .. } = face.clone();
        Heading { scenario: id, system, title, sides }
    }
}

/// What of a game never changes.
#[derive(Debug, Clone)]
pub struct About {
    /// Its id.
    pub id: String,
    /// Whether bystanders may look.
    pub public: bool,
    /// When it was made.
    pub made: u64,
    /// What it is called.
    pub heading: Heading,
}

/// What of a game changes.
#[derive(Debug)]
pub struct Play {
    pub table: Box<dyn Table>,
    pub seats: BySide<Seat>,
    pub asked: Option<UndoAsk>,
    /// Lines of the journal after the first: the number of the state.
    pub state: u64,
    /// Each undo: the state it led to, and the first moment it cut off.
    pub cuts: Vec<(u64, u64)>,
    /// The moment that each state, counted from 1, had come to.
    pub moments: Vec<u32>,
    pub resigned: Option<Side>,
    pub touched: u64,
    pub chat: i64,
    /// Why it cannot go on; such a game can only be looked at.
    pub closed: Option<Shut>,
    /// Set while a change is not yet known to be on disk: if it stays, the disk is asked what is true.
    pub unsure: bool,
    /// The moments that prepared orders have brought about.
    pub ordered: BTreeSet<u64>,
    /// The score without luck, once somebody has asked for it, and of which state.
    fair: Option<(u64, FairScore)>,
}

/// Why a game cannot go on.
#[derive(Debug)]
pub struct Shut {
    code: Code,
    why: String,
    /// It replays cleanly under the present edition, so its players may go on under that.
    pub may_continue: bool,
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
pub struct Materials {
    /// Its journal, line by line.
    pub lines: Vec<String>,
    /// The secret behind its dice, while it is one.
    pub secret: Option<[u8; 32]>,
    /// Who sits where.
    pub seats: BySide<Seat>,
    /// A request to take something back that waits for its answer.
    pub asked: Option<UndoAsk>,
    /// When it last changed.
    pub touched: u64,
    /// How many lines of chat it has.
    pub chat: i64,
    /// How far it was, as it was told last.
    pub status: Option<Status>,
    /// The last picture; needed only where the journal may not be enough.
    pub still: Option<Still>,
}

impl Play {
    /// Sets a kept game up again: under its own edition, or as far as the present one can replay it, or only to be read.
    pub fn of(materials: Materials, volume: Option<&Volume>) -> Result<Self, Failure> {
        let Materials { lines: kept, secret, seats, asked, touched, chat, status, still } = materials;
        let faulty = |message: String| Failure::new(Code::FaultyJournal, message);
        let parsed = journal::parse(&kept.join("\n")).map_err(|b| faulty(b.to_string()))?;
        let History { cuts, moments, resigned, ordered } = history(&parsed.lines);
        let now = status.as_ref().map_or(Now::Decides(Side::First), Status::now);
        let Reopened { table, shut } = reopen(volume, parsed.clone(), secret, now);
        let state = kept.len() as u64 - 1;
        let closed = shut.map(|(code, why, may_continue)| {
            tracing::warn!(scenario = %parsed.header.scenario, %why, may_continue, "a kept game cannot go on as it is");
            let status = status.unwrap_or_else(|| status_of(now, None, false));
            let lines = parsed.lines;
            Shut { code, why, may_continue, status, kept, lines, still: still.filter(|_| !may_continue) }
        });
        Ok(Play {
            table,
            seats,
            asked,
            state,
            cuts,
            moments,
            resigned,
            touched,
            chat,
            closed,
            unsure: false,
            ordered,
            fair: None,
        })
    }

    /// Who decides; nobody once it is over.
    pub fn decides(&self) -> Option<Side> {
        match self.table.now() {
            Now::Decides(side) => Some(side),
            Now::Over(_) => None,
        }
    }

    pub fn over(&self) -> bool {
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
    pub fn computer(&self) -> Option<(Side, String)> {
        let side = self.decides()?;
        let seat = &self.seats[side];
        (seat.kind == SeatKind::Computer && self.closed.is_none()).then(|| (side, seat.name.clone()))
    }

    pub fn must_be_playable(&self) -> Result<(), Failure> {
        match &self.closed {
            Some(shut) => Err(shut.failure()),
            None if self.over() => Err(Failure::new(Code::Over, "The game is over.")),
            None => Ok(()),
        }
    }

    /// The first moment that is new to somebody who knew `state`; all of them are to one who knew none.
    pub fn new_since(&self, state: u64) -> u64 {
        let Some(known) = (state as usize).checked_sub(1).and_then(|index| self.moments.get(index)) else {
            return 0;
        };
        let cut = self.cuts.iter().filter(|(at, _)| *at > state).map(|(_, first)| *first).min();
        cut.unwrap_or(u64::MAX).min(u64::from(*known) + 1)
    }

    // ------------------------------------------------------------------------------------------ what changes it

    /// The side that these seats may act for, at the state they know.
    ///
    /// # Errors
    /// When the game cannot go on, or the other side decides.
    pub fn may_act(&self, held: Held) -> Result<Side, Failure> {
        let side = held.must_sit(self.decides())?;
        self.must_be_playable()?;
        if self.decides() != Some(side) {
            return Err(Failure::new(Code::NotYourDecision, "The other side decides now."));
        }
        Ok(side)
    }

    /// Plays an action; it is not yet kept. Should the rules panic, whoever keeps the game still knows what is true.
    ///
    /// # Errors
    /// Why it is not played; then nothing has changed.
    pub fn perform(&mut self, side: Side, action: &str, throw: &Throw) -> Result<(), Failure> {
        self.unsure = true;
        let acted = self.table.act(side, action, throw);
        self.unsure = acted.is_ok();
        acted.map_err(not_played)?;
        self.asked = None;
        Ok(())
    }

    /// The action just played was an order's: journal and log say so.
    pub fn say_ordered(&mut self) {
        self.table.say_ordered();
        self.ordered.insert(self.table.moment());
    }

    /// Whether whoever holds these seats may take back what `side` decided last.
    fn undo_right(&self, held: Held, side: Side) -> Undo {
        let alone = held.both() || self.seats[!side].kind == SeatKind::Computer;
        if alone { self.table.undo_right_alone(side) } else { self.table.undo_right(side) }
    }

    /// What a request of `side` to take back comes to: done at once, or asked of the other side.
    ///
    /// # Errors
    /// When there is nothing to take back, or it must stay.
    pub fn may_take_back(&self, held: Held, side: Side) -> Result<Done, Failure> {
        self.must_be_playable()?;
        match self.undo_right(held, side) {
            Undo::Free => Ok(Done::TakenBack),
            Undo::ByConsent => Ok(Done::Asked),
            Undo::Rolled => Err(Failure::new(
                Code::Settled,
                "The dice have fallen; this battle was set up so that rolls stay.",
            )),
            Undo::Revealed => Err(Failure::new(
                Code::Settled,
                "Something hidden has been revealed; this battle was set up so that it stays known.",
            )),
            Undo::Nothing => Err(Failure::new(Code::NothingToUndo, "You have decided nothing yet.")),
        }
    }

    /// Takes `side`'s last decision back, which it may without asking anybody; it is not yet kept.
    ///
    /// # Errors
    /// When there is nothing to take back.
    pub fn take_back_unasked(&mut self, side: Side) -> Result<(), Failure> {
        // Where the other side would have had to agree, whoever plays alone has agreed for it.
        self.take_back(side, self.table.undo_right(side) == Undo::ByConsent)
    }

    /// Takes `side`'s last decision back; it is not yet kept.
    ///
    /// # Errors
    /// When there is nothing to take back.
    pub fn take_back(&mut self, side: Side, agreed: bool) -> Result<(), Failure> {
        self.unsure = true;
        let undone = self.table.undo(side, agreed);
        self.unsure = undone.is_ok();
        undone.map_err(|_| Failure::new(Code::NothingToUndo, "There is nothing to take back."))?;
        self.asked = None;
        let moment = self.table.moment();
        self.ordered.retain(|ordered| *ordered <= moment);
        self.cuts.push((self.state + 1, moment + 1));
        Ok(())
    }

    /// `side` asks the other to let it take its last decision back; it is not yet kept.
    pub fn ask_to_take_back(&mut self, side: Side, at: u64) {
        self.unsure = true;
        self.asked = Some(UndoAsk { ask: at, by: side });
    }

    /// `side` gives up; it is not yet kept.
    ///
    /// # Errors
    /// When the game is over already.
    pub fn resign(&mut self, side: Side) -> Result<(), Failure> {
        self.unsure = true;
        let resigned = self.table.resign(side);
        self.unsure = resigned.is_ok();
        resigned.map_err(not_played)?;
        self.resigned = Some(side);
        self.asked = None;
        Ok(())
    }

    /// The lines of the journal that are not yet kept; of a finished game with the secret behind its dice.
    pub fn grown(&mut self) -> Vec<String> {
        if self.over() {
            self.table.reveal();
        }
        self.table.lines(self.state as usize)
    }

    /// The journal line by line, as it is kept.
    #[must_use]
    pub fn journal_kept(&self) -> Vec<String> {
        match &self.closed {
            Some(shut) => shut.kept.clone(),
            None => self.table.journal().lines().map(str::to_owned).collect(),
        }
    }

    /// So many lines are kept now.
    pub fn kept(&mut self, grown: u64, at: u64) {
        self.state += grown;
        let moment = self.table.moment() as u32;
        self.moments.extend((0..grown).map(|_| moment));
        self.touched = at;
        self.unsure = false;
    }

    /// What a computer's dice and choices rest on: the journal so far, so that nobody can choose it.
    pub fn computer_hash(&self, purpose: &str) -> Vec<u8> {
        let last = self.table.lines(self.state.saturating_sub(1) as usize).pop().unwrap_or_default();
        requests::hash(&[purpose, &last])
    }

    /// Who decided last, for a hot-seat undo.
    pub fn last_to_decide(&self) -> Option<Side> {
        let last = self.table.scenes(Eyes::All, self.table.moment()).pop()?;
        last.side.or(self.decides())
    }

    // ------------------------------------------------------------------------------------------ what is seen of it

    /// The game as lists and the frame of the board show it.
    pub fn face(&self, about: &About, present: BySide<bool>, held: Held) -> GameFace {
        let seat = |side: Side| {
            let seat = &self.seats[side];
            SeatFace {
                kind: seat.kind,
                name: seat.name.clone(),
                taken: seat.taken(),
                present: seat.kind == SeatKind::Computer || present[side],
            }
        };
        let (dice, commitment) = dice_of(&self.table.header().dice);
        GameFace {
            id: about.id.clone(),
            scenario: about.heading.scenario.clone(),
            system: about.heading.system.clone(),
            title: about.heading.title.clone(),
            sides: about.heading.sides.clone(),
            seats: BySide::from_fn(seat),
            status: self.status(),
            yours: held.speaks_for(self.decides()),
            state: self.state,
            moment: self.closed.as_ref().map_or(self.table.moment(), |shut| {
                (relic::scenes(&shut.lines).len() as u64).saturating_sub(1)
            }),
            closed: self.closed.as_ref().map(|s| Closed { why: s.why.clone(), may_continue: s.may_continue }),
            public: about.public,
            dice,
            commitment,
            rolls_back: self.table.header().rolls_back,
            created: about.made,
            touched: self.touched,
            rematch: None,
            clock: None,
            rated: None,
        }
    }

    /// The eyes that whoever holds these seats looks with.
    pub fn sight(&self, held: Held) -> Sight {
        match held.speaks_for(self.decides()) {
            _ if self.over() => Sight::All,
            Some(Side::First) => Sight::First,
            Some(Side::Second) => Sight::Second,
            None => Sight::Bystander,
        }
    }

    pub fn status(&self) -> Status {
        match &self.closed {
            Some(shut) if !shut.may_continue => shut.status.clone(),
            _ => {
                let thinking = self.decides().is_some_and(|side| self.seats[side].kind == SeatKind::Computer);
                status_of(self.table.now(), self.resigned, thinking && self.closed.is_none())
            }
        }
    }

    /// The present position as whoever holds these seats sees it, with what is new to one who knew `state`.
    ///
    /// # Errors
    /// As [`Play::position`].
    pub fn present(&self, held: Held, state: u64) -> Result<Position, Failure> {
        self.position(held, self.sight(held), None, self.new_since(state))
    }

    /// The position, present or earlier, as `sight` sees it. Whoever calls has made sure that the asker may.
    pub fn position(
        &self,
        held: Held,
        sight: Sight,
        at: Option<u64>,
        log_from: u64,
    ) -> Result<Position, Failure> {
        if let Some(shut) = self.closed.as_ref().filter(|shut| !shut.may_continue) {
            return Ok(self.last_position(shut, sight, at, log_from));
        }
        let moment = self.table.moment();
        let side = sight.eyes().side();
        let beyond = || Failure::new(Code::NoSuchMoment, format!("The game has come to moment {moment}."));
        let view = self.table.view(sight.eyes(), at).ok_or_else(beyond)?;
        let at = at.unwrap_or(moment);
        let decides = at == moment && side.is_some() && side == self.decides() && self.closed.is_none();
        Ok(Position {
            state: self.state,
            moment,
            at,
            sight,
            status: self.status(),
            view: Drawn::Now(view),
            prompt: if decides { self.table.prompt() } else { None },
            offers: if decides { self.table.offers() } else { Vec::new() },
            undo: match held.speaks_for(self.last_to_decide()) {
                Some(side) if !self.over() && self.closed.is_none() => self.undo_right(held, side),
                _ => Undo::Nothing,
            },
            asked: self.asked.clone().filter(|_| side.is_some()),
            log_from,
            log: log(self, sight, log_from, at),
        })
    }

    /// The last position of a game that cannot go on: as it was kept, or as far as the journal can still be replayed.
    fn last_position(&self, shut: &Shut, sight: Sight, at: Option<u64>, log_from: u64) -> Position {
        let told = relic::scenes(&shut.lines);
        let moment = (told.len() as u64).saturating_sub(1);
        let replayed = self.table.moment();
        let at = at.unwrap_or(moment).min(moment);
        let shown = shut.still.as_ref().filter(|still| at >= still.moment || at > replayed);
        let view = match shown {
            Some(still) => Drawn::Kept(still.view(sight)),
            None => {
                let view = self.table.view(sight.eyes(), Some(at.min(replayed)));
                Drawn::Now(view.unwrap_or_else(relic::nothing))
            }
        };
        let mut log = match &shut.still {
            Some(still) => still.log(sight, log_from),
            None => log(self, sight, log_from, moment),
        };
        // What neither the picture nor the rules can tell is told as it was written.
        let known = log.last().map_or(log_from, |line| line.moment + 1);
        let eyes = sight.eyes();
        log.extend(told.into_iter().filter(|scene| scene.moment >= known).map(|scene| LogLine {
            moment: scene.moment,
            side: scene.side,
            act: scene.act.filter(|_| knows_act(eyes, scene.side) || !eyes_of_stranger(eyes)),
            entries: Vec::new(),
            ordered: self.ordered.contains(&scene.moment),
        }));
        log.retain(|line| line.moment <= at);
        Position {
            state: self.state,
            moment,
            at,
            sight,
            status: self.status(),
            view,
            prompt: None,
            offers: Vec::new(),
            undo: Undo::Nothing,
            asked: None,
            log_from,
            log,
        }
    }

    /// The journal, for whom nothing in it is concealed.
    pub fn journal(&self, held: Held) -> Result<String, Failure> {
        if let Some(shut) = &self.closed
            && (!shut.may_continue && !held.none() || self.over())
        {
            // Nothing will be decided in it any more, and this is the only way to take it elsewhere.
            return Ok(shut.kept.iter().map(|line| format!("{line}\n")).collect());
        }
        let tells_nothing = |side: Side| {
            // A computer does not mind what is known of choices that it never made.
            let computer = self.seats[side.enemy()].kind == SeatKind::Computer;
            !self.table.conceals_from(side) && (computer || !self.table.took_back_unseen(side))
        };
        if self.over() || held.both() || held.speaks_for(None).is_some_and(tells_nothing) {
            return Ok(self.table.journal());
        }
        Err(Failure::new(
            Code::Concealed,
            "The journal would tell you what is concealed from you; it is open to all when the game is over.",
        ))
    }

    /// Works out odds for the seat that decides, from what it may know.
    pub fn weigher(&self, tokens: &Tokens, state: u64) -> Result<Box<dyn Weigher>, Failure> {
        Ok(self.table.weigher(self.decider(tokens, state)?))
    }

    /// The best choices for the seat that decides, from what it may know, and the action that it asks about. People who
    /// play each other get none.
    ///
    /// # Errors
    /// When it is not this seat's decision, there are none, or the action is not allowed.
    pub fn analyst(&self, tokens: &Tokens, ask: &AskHint) -> Result<Analyst, Failure> {
        let side = self.decider(tokens, ask.state)?;
        if self.seats[side.enemy()].kind != SeatKind::Computer && !tokens.seats(&self.seats)?.both() {
            return Err(Failure::new(
                Code::NoHints,
                "Hints are for games against the computer and for practice; this is a game between people.",
            ));
        }
        let also = ask.also.as_deref();
        if let Some(action) = also {
            requests::action(action)?;
            self.table.would(side, action).map_err(not_played)?;
        }
        self.table.analyst(None, also).ok_or_else(|| Failure::new(Code::Over, "There is nothing to decide."))
    }

    /// The review of a finished game.
    ///
    /// # Errors
    /// When it is not over, or cannot be replayed.
    pub fn reviewer(&self) -> Result<Reviewer, Failure> {
        if !self.over() {
            return Err(Failure::new(
                Code::Concealed,
                "A review tells everything; it is made when the game is over.",
            ));
        }
        self.table.reviewer().ok_or_else(|| {
            Failure::new(
                Code::Outdated,
                "This game can only be read, not replayed, so it cannot be reviewed.",
            )
        })
    }

    /// An action as it would be offered to the seat that decides, or why it is not allowed.
    pub fn would(&self, tokens: &Tokens, state: u64, action: &str) -> Result<Offer, Failure> {
        let side = self.decider(tokens, state)?;
        self.table.would(side, action).map_err(not_played)
    }

    /// The side that decides, if it is the one that asks, and about the present state.
    fn decider(&self, tokens: &Tokens, state: u64) -> Result<Side, Failure> {
        let held = tokens.seats(&self.seats)?;
        let side = held.must_sit(self.decides())?;
        if state != self.state {
            return Err(Failure::stale(self.present(held, state)?));
        }
        self.must_be_playable()?;
        if self.decides() != Some(side) {
            return Err(Failure::new(Code::NotYourDecision, "The other side decides now."));
        }
        Ok(side)
    }

    /// The luck so far, of the rolls that `sight` may see.
    pub fn luck(&mut self, sight: Sight) -> Luck {
        let told = self.table.scenes(sight.eyes(), 0);
        let mut luck = game::luck::of(told.iter().map(|scene| (scene.moment, scene.entries.as_slice())));
        luck.score = self.over().then(|| self.fair_score());
        luck
    }

    /// What is needed to recompute the dice.
    pub fn dice(&self) -> Result<DiceProof, Failure> {
        let (_, commitment) = dice_of(&self.table.header().dice);
        let (verdict, broken) = match self.table.verify() {
            Ok(Verified::Holds | Verified::HoldsAfter(_)) => (Verdict::Holds, None),
            Ok(Verified::NotYetRevealed) => (Verdict::NotYetRevealed, None),
            Ok(Verified::TableDice) => (Verdict::TableDice, None),
            Err(broken) => (Verdict::Broken, Some(broken.to_string())),
        };
        let taken_over = self.table.header().taken_over;
        let mut proof =
            DiceProof { commitment, secret: None, verdict, broken, taken_over, throws: Vec::new() };
        if !self.over() {
            return Ok(proof);
        }
        let parsed = journal::parse(&self.table.journal())
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
    ordered: BTreeSet<u64>,
}

fn history(lines: &[Line]) -> History {
    let mut history = History {
        cuts: Vec::new(),
        moments: Vec::with_capacity(lines.len()),
        resigned: None,
        ordered: BTreeSet::new(),
    };
    let mut moment = 0;
    for (index, line) in lines.iter().enumerate() {
        match line {
            Line::Act { n, ordered, .. } => {
                moment = *n as u32;
                if *ordered {
                    history.ordered.insert(*n);
                }
            }
            Line::Back { back, .. } => {
                history.ordered.retain(|ordered| ordered <= back);
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

fn log(play: &Play, sight: Sight, from: u64, to: u64) -> Vec<LogLine> {
    let eyes = sight.eyes();
    let line = |scene: catalogue::Scene| LogLine {
        moment: scene.moment,
        side: scene.side,
        ordered: play.ordered.contains(&scene.moment),
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

pub fn dice_of(dice: &DiceOf) -> (DiceKind, Option<String>) {
    match dice {
        DiceOf::Commit(commitment) => (DiceKind::Sealed, Some(commitment.clone())),
        DiceOf::Seed(_) | DiceOf::Fixed(_) => (DiceKind::Sealed, None),
        DiceOf::Table => (DiceKind::Table, None),
    }
}

/// Why the table did not play an action.
#[must_use]
pub fn not_played(error: ActError) -> Failure {
    match error {
        ActError::Refused(refusal) => Failure::refused(refusal),
        ActError::NotYours => Failure::new(Code::NotYourDecision, "The other side decides now."),
        ActError::Unreadable(message) => Failure::new(Code::Unreadable, message),
        ActError::Over => Failure::new(Code::Over, "The game is over."),
        ActError::Roll(roll) => Failure::roll_needed(roll),
        ActError::Dice(message) => Failure::new(Code::WrongFaces, message),
    }
}
