//! Acting: every change of a game is checked, played, put on disk, and only then acknowledged.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use game::Side;
use game::session::Throw;
use host::seats::{Held, Tokens};
use host::wire::{Act, Acted, AnswerUndo, Code, Done, GameFace, Position, Resign, TakeBack};
use host::{Failure, Play, requests};
use store::{Change, Request, StoreError, Swap};

use crate::problem::{OrFailed, store_failed};
use crate::room::{News, Playing, Room};
use crate::summary::Summary;
use crate::{notices, world};

/// Who asks, what state they know, and whether they want the whole position back.
#[derive(Clone, Copy)]
struct Asker {
    held: Held,
    known: u64,
    full: bool,
}

/// A request by one of the seats: what it is called, and what became of it.
pub(crate) struct Deed {
    id: String,
    content: String,
    done: Done,
    /// Whose it is.
    by: Side,
}

impl Room {
    /// Plays an act of a seat.
    #[tracing::instrument(level = "debug", skip_all, fields(game = %self.about.id))]
    pub(crate) async fn act(self: Arc<Self>, tokens: Tokens, act: Act, full: bool) -> Result<Acted, Failure> {
        requests::check_id(&act.id)?;
        let content = requests::content(&["act", &act.state.to_string(), &act.action], &act.salt, &act.faces);
        let play = self.play().await?;
        let asker = Asker { held: tokens.seats(&play.seats)?, known: act.state, full };
        asker.held.must_sit(play.decides())?;
        if act.state != play.state {
            return self.again_or_stale(play, asker, &act.id, &content).await;
        }
        let side = play.may_act(asker.held)?;
        let throw = requests::throw(&play.table.header().dice, act.salt.as_deref(), act.faces)?;
        let deed = Deed { id: act.id, content, done: Done::Played, by: side };
        let mut play = self.perform(play, side, act.action, throw).await?;
        if act.ordered {
            play.say_ordered();
        }
        if let Err(failure) = self.keep(&mut play, Some(&deed)).await {
            return self.settle_conflict(play, asker, deed, failure).await;
        }
        self.shared.metrics.acts.increment(1);
        self.granted(play, asker, deed.done).await
    }

    /// Plays a computer's act, unless the game has moved on.
    #[tracing::instrument(level = "debug", skip_all, fields(game = %self.about.id))]
    pub(crate) async fn act_of_computer(
        self: &Arc<Self>,
        side: Side,
        state: u64,
        action: String,
    ) -> Result<bool, Failure> {
        let play = self.play().await?;
        if play.state != state || play.decides() != Some(side) {
            return Ok(false);
        }
        let throw = Throw { salt: play.computer_hash("linstock computer 1"), typed: Vec::new() };
        let mut play = self.perform(play, side, action, throw).await?;
        match self.keep(&mut play, None).await {
            // Another node was faster. This one reads what is true before it goes on.
            Err(failure) if failure.0.code == Code::IdReused => return Ok(false),
            kept => kept?,
        }
        self.shared.metrics.acts.increment(1);
        Ok(true)
    }

    /// Plays an act; it is not yet on disk.
    pub(crate) async fn perform(
        self: &Arc<Self>,
        play: Playing,
        side: Side,
        action: String,
        throw: Throw,
    ) -> Result<Playing, Failure> {
        let act = move |_: &Room, play: &mut Play| play.perform(side, &action, &throw);
        let (play, acted) = self.work(play, act).await?;
        if acted.is_err() {
            self.shared.metrics.refused.increment(1);
        }
        acted.map(|()| play)
    }

    /// Takes back the asker's last decision, or asks the other side.
    pub(crate) async fn undo(
        self: Arc<Self>,
        tokens: Tokens,
        back: TakeBack,
        full: bool,
    ) -> Result<Acted, Failure> {
        requests::check_id(&back.id)?;
        let content = requests::content(&["undo", &back.state.to_string()], &None, &[]);
        let mut play = self.play().await?;
        let asker = Asker { held: tokens.seats(&play.seats)?, known: back.state, full };
        let side = asker.held.must_sit(play.last_to_decide())?;
        if let Some(done) = self.done_before(&back.id, &content).await? {
            return self.granted_before(play, asker, done).await;
        }
        if back.state != play.state {
            return self.stale(play, asker).await;
        }
        let done = play.may_take_back(asker.held, side)?;
        let deed = Deed { id: back.id, content, done, by: side };
        let kept = match done {
            Done::TakenBack => {
                play.take_back_unasked(side)?;
                self.keep(&mut play, Some(&deed)).await
            }
            _ => {
                play.ask_to_take_back(side, world::now());
                self.keep(&mut play, Some(&deed)).await
            }
        };
        if let Err(failure) = kept {
            return self.settle_conflict(play, asker, deed, failure).await;
        }
        self.granted(play, asker, done).await
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
        let asker = Asker { held: tokens.seats(&play.seats)?, known: play.state, full };
        asker.held.must_sit(None)?;
        if let Some(done) = self.done_before(&answer.id, &content).await? {
            return self.granted_before(play, asker, done).await;
        }
        let not_asked =
            || Failure::new(Code::NotAsked, "Nobody asks you to take something back, or no longer.");
        let by = play
            .asked
            .as_ref()
            .filter(|a| a.ask == answer.ask && asker.held.holds(!a.by))
            .ok_or_else(not_asked)?
            .by;
        play.must_be_playable()?;
        let done = if answer.agree { Done::TakenBack } else { Done::Declined };
        let deed = Deed { id: answer.id, content, done, by: !by };
        let kept = if answer.agree {
            play.take_back(by, true)?;
            self.keep(&mut play, Some(&deed)).await
        } else {
            play.unsure = true;
            play.asked = None;
            self.keep(&mut play, Some(&deed)).await
        };
        if let Err(failure) = kept {
            return self.settle_conflict(play, asker, deed, failure).await;
        }
        self.granted(play, asker, done).await
    }

    /// Goes on under the present edition, if the whole journal replays under it: it is written down anew.
    pub(crate) async fn go_on(self: Arc<Self>, tokens: Tokens) -> Result<GameFace, Failure> {
        let mut play = self.play().await?;
        let held = tokens.seats(&play.seats)?;
        held.must_sit(play.decides())?;
        match &play.closed {
            // Sent twice: it goes on already.
            None => return Ok(self.face(&play, held)),
            Some(shut) if !shut.may_continue => {
                play.must_be_playable()?;
            }
            Some(_) => {}
        }
        play.unsure = true;
        let lines: Vec<String> = play.table.journal().lines().map(str::to_owned).collect();
        self.advance(self.shared.store.rewrite(&self.about.id, lines).await.or_failed()?);
        play.closed = None;
        play.unsure = false;
        tracing::info!(game = %self.about.id, "goes on under the present edition");
        self.tell(News::Changed);
        self.tell(News::Face);
        crate::computer::wake(&self, &play);
        Ok(self.face(&play, held))
    }

    /// Gives up.
    pub(crate) async fn resign(
        self: Arc<Self>,
        tokens: Tokens,
        resign: Resign,
        full: bool,
    ) -> Result<Acted, Failure> {
        requests::check_id(&resign.id)?;
        let content = requests::content(&["resign", &resign.state.to_string()], &None, &[]);
        let mut play = self.play().await?;
        let asker = Asker { held: tokens.seats(&play.seats)?, known: resign.state, full };
        let side = asker.held.must_sit(play.decides())?;
        if resign.state != play.state {
            return self.again_or_stale(play, asker, &resign.id, &content).await;
        }
        play.must_be_playable()?;
        play.resign(side)?;
        let deed = Deed { id: resign.id, content, done: Done::Resigned, by: side };
        if let Err(failure) = self.keep(&mut play, Some(&deed)).await {
            return self.settle_conflict(play, asker, deed, failure).await;
        }
        self.granted(play, asker, Done::Resigned).await
    }

    /// Puts on disk what the table has that the disk has not; then tells whoever looks on.
    pub(crate) async fn keep(self: &Arc<Self>, play: &mut Play, deed: Option<&Deed>) -> Result<(), Failure> {
        self.keep_with(play, deed, Vec::new()).await
    }

    /// The same, with slips that change along with it.
    pub(crate) async fn keep_with(
        self: &Arc<Self>,
        play: &mut Play,
        deed: Option<&Deed>,
        slips: Vec<Swap>,
    ) -> Result<(), Failure> {
        self.shared.owners.may_grow(play.state)?;
        let written = self.write(play, deed, slips.clone()).await;
        let kept = match written {
            // The clock may have been read before another node changed it; whatever else it is shows itself again.
            Err(StoreError::Conflict) if self.clock().is_some() || self.is_rated() => {
                self.read_slips().await?;
                self.write(play, deed, slips).await
            }
            written => written,
        };
        let slips = kept.map_err(|error| match error {
            StoreError::Conflict => Failure::new(Code::IdReused, "This id was used for something else."),
            error => store_failed(error),
        })?;
        self.mark_ordered(play);
        self.state.store(play.state, Ordering::Relaxed);
        self.tell(News::Changed);
        if !slips.is_empty() {
            self.tell(News::Face);
        }
        crate::computer::wake(self, play);
        crate::orders::wake(self, play);
        self.wake_settling(play);
        Ok(())
    }

    /// One try to put it on disk, with the clock that passes on; answers the slips that changed.
    async fn write(
        &self,
        play: &mut Play,
        deed: Option<&Deed>,
        mut slips: Vec<Swap>,
    ) -> Result<Vec<Swap>, StoreError> {
        let lines = play.grown();
        let after = play.state as i64 + 1;
        let at = world::now();
        slips.extend(self.pass_clock(play, at));
        slips.extend(self.rated_ends(play, at));
        let asked = play.asked.as_ref().and_then(|asked| serde_json::to_string(asked).ok());
        let by = deed.map(|deed| deed.by);
        let tells = notices::of_change(self, play, by, asked.as_ref(), !lines.is_empty());
        let change = Change {
            game: self.about.id.clone(),
            after,
            request: deed.map(|deed| Request {
                id: deed.id.clone(),
                content: deed.content.clone(),
                answer: requests::write_done(deed.done).to_owned(),
                seq: after,
            }),
            at: at as i64,
            summary: Summary::of(&self.about.heading, play, lines.len() as u64, play.status()).write(),
            asked: asked.clone(),
            was_asked: self.kept_ask(),
            over: play.over(),
            job: self.job(play),
            slips: slips.clone(),
            tells,
            lines,
        };
        let grown = change.lines.len() as u64;
        let version = self.shared.store.change(change).await?;
        play.kept(grown, at);
        self.advance(version);
        self.keep_ask(asked);
        self.slips.keep(&slips);
        Ok(slips)
    }

    pub(crate) fn tell(&self, news: News) {
        // Nobody looking on is no failure.
        let _ = self.news.send(news);
    }

    async fn done_before(&self, id: &str, content: &str) -> Result<Option<Done>, Failure> {
        let Some(request) = self.shared.store.request(&self.about.id, id).await.or_failed()? else {
            return Ok(None);
        };
        match requests::read_done(&request.answer) {
            Some(done) if request.content == content => Ok(Some(done)),
            _ => Err(Failure::new(Code::IdReused, "This id was used for something else.")),
        }
    }

    async fn again_or_stale(
        self: &Arc<Self>,
        play: Playing,
        asker: Asker,
        id: &str,
        content: &str,
    ) -> Result<Acted, Failure> {
        match self.done_before(id, content).await? {
            Some(done) => self.granted(play, asker, done).await,
            None => self.stale(play, asker).await,
        }
    }

    async fn stale(self: &Arc<Self>, play: Playing, asker: Asker) -> Result<Acted, Failure> {
        self.shared.metrics.stale.increment(1);
        let (_, position) = self.work(play, move |room, play| room.present(play, asker)).await?;
        Err(Failure::stale(position?))
    }

    /// The same request may have been granted by the very commit that this one lost against.
    async fn settle_conflict(
        self: &Arc<Self>,
        mut play: Playing,
        asker: Asker,
        deed: Deed,
        failure: Failure,
    ) -> Result<Acted, Failure> {
        if failure.0.code != Code::IdReused {
            return Err(failure);
        }
        play.unsure = true;
        self.reload(&mut play).await?;
        match self.done_before(&deed.id, &deed.content).await? {
            Some(done) => self.granted(play, asker, done).await,
            // Something beside the journal changed, such as a clock. The act may still be played: nobody may be told that it is not.
            None if play.state == asker.known => Err(Failure::new(
                Code::Busy,
                "Somebody else was writing in this game just then. Send the same request again: it is never done twice.",
            )),
            None => self.stale(play, asker).await,
        }
    }

    /// Another node may have granted it between our look at the game and at the requests: the game is looked at again.
    async fn granted_before(
        self: &Arc<Self>,
        play: Playing,
        asker: Asker,
        done: Done,
    ) -> Result<Acted, Failure> {
        drop(play);
        self.granted(self.play().await?, asker, done).await
    }

    async fn granted(self: &Arc<Self>, play: Playing, asker: Asker, done: Done) -> Result<Acted, Failure> {
        let state = play.state;
        notices::seen(self, asker.held, self.version());
        if !asker.full {
            return Ok(Acted { done, state, position: None });
        }
        let (_, position) = self.work(play, move |room, play| room.present(play, asker)).await?;
        Ok(Acted { done, state, position: Some(position?) })
    }

    /// The present position, with what has happened since the state that the asker knows.
    fn present(&self, play: &Play, asker: Asker) -> Result<Position, Failure> {
        play.present(asker.held, asker.known)
    }
}
