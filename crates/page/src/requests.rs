//! Requests in the server's own words: a method, an address, a body.

use std::ops::Range;

use catalogue::Walked;
use game::board::Ask;
use game::odds::Horizon;
use game::{BySide, Options, Side};
use host::play::not_played;
use host::seats::Tokens;
use host::wire::{
    Act, Acted, AnswerUndo, AskCheck, AskDemonstration, AskHint, AskLesson, AskOdds, AskSealed, Claim,
    Claimed, Code, Done, HowFar, Import, NewGame, OwnScenario, Problem, Resign, ReviewFace, ServerMessage,
    Sight, TakeBack,
};
use host::{Failure, requests, seats};
use players::{General, Player};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::games::{Chance, Hosted, Page, Record};

/// How often the candidates of a hint are played on: less than on a server, in a page nobody waits long.
const HINT_PLAYS: u32 = 200;

/// What the page asks.
#[derive(Debug, Deserialize)]
#[serde(tag = "ask", rename_all = "snake_case", deny_unknown_fields)]
pub enum Request {
    /// What a server would be asked over HTTP.
    Http {
        /// `GET` or `POST`.
        method: String,
        /// `/api/v1/games/…`, with its query.
        path: String,
        /// The value of `Authorization`.
        #[serde(default)]
        token: Option<String>,
        /// The body of a `POST`.
        #[serde(default)]
        body: Value,
        /// Milliseconds since 1970.
        now: u64,
        /// Fresh random bytes in hexadecimal.
        #[serde(default)]
        random: String,
    },
    /// Take up a game that the page has kept.
    Open {
        /// The game as it was kept.
        record: Record,
    },
    /// Let a computer decide, if one must.
    Think {
        /// The game.
        game: String,
        /// Milliseconds since 1970.
        now: u64,
    },
    /// What a live connection would say to this seat: a welcome, or what is new since a state.
    Live {
        /// The game.
        game: String,
        /// The seat's token.
        #[serde(default)]
        token: Option<String>,
        /// The last state that the seat knows.
        state: u64,
        /// Whether it has just come.
        welcome: bool,
    },
    /// Play games between computers for their fingerprints: the same everywhere, or a build is not to be trusted.
    Walk {
        /// The scenario.
        scenario: String,
        /// The level of both sides.
        level: String,
        /// The seeds, one game each.
        seeds: Range<u64>,
        /// Look at the last position alone.
        quick: bool,
    },
    /// Let go of a game.
    Close {
        /// The game.
        game: String,
    },
}

/// What the page is answered.
#[derive(Debug, Serialize)]
pub struct Answer {
    /// As over HTTP.
    pub status: u16,
    /// JSON, or a text.
    pub body: Value,
    /// The game whose position changed: tell whoever looks on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub changed: Option<String>,
    /// A game to keep.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub keep: Option<Record>,
    /// What lists show of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub face: Option<Value>,
    /// A computer must decide in it.
    pub thinks: bool,
}

impl Answer {
    fn of(body: impl Serialize) -> Result<Self, Failure> {
        let body =
            serde_json::to_value(body).map_err(|_| Failure::internal("an answer cannot be written"))?;
        Ok(Answer { status: 200, body, changed: None, keep: None, face: None, thinks: false })
    }

    /// With the game as it is to be kept now.
    fn keeping(mut self, game: &Hosted, changed: bool) -> Self {
        self.changed = changed.then(|| game.about.id.clone());
        self.face = serde_json::to_value(game.face(host::seats::Held::default())).ok();
        self.keep = Some(game.record());
        self.thinks = game.play.computer().is_some();
        self
    }

    fn refused(failure: Failure) -> Self {
        let problem: Problem = *failure.0;
        let status = problem.code.number();
        let body = serde_json::to_value(problem).unwrap_or_default();
        Answer { status, body, changed: None, keep: None, face: None, thinks: false }
    }
}

/// Answers a request in JSON.
pub fn handle(page: &mut Page, request: &str) -> String {
    let answer = serde_json::from_str(request)
        .map_err(|error| Failure::new(Code::Malformed, error.to_string()))
        .and_then(|request| answer(page, request))
        .unwrap_or_else(Answer::refused);
    serde_json::to_string(&answer).unwrap_or_default()
}

fn answer(page: &mut Page, request: Request) -> Result<Answer, Failure> {
    match request {
        Request::Http { method, path, token, body, now, random } => {
            let (path, query) = path.split_once('?').unwrap_or((&path, ""));
            let call = Call { tokens: Tokens::bearer(token.as_deref())?, body, query, now, random: &random };
            let steps: Vec<&str> = path.trim_start_matches("/api/v1/").split('/').collect();
            call.route(page, &method, &steps)
        }
        Request::Open { record } => {
            page.open(record)?;
            Answer::of(())
        }
        Request::Think { game, now } => {
            let game = page.game(&game)?;
            let thought = game.think(now)?;
            let answer = Answer::of(thought)?;
            Ok(if thought { answer.keeping(game, true) } else { answer })
        }
        Request::Live { game, token, state, welcome } => {
            let game = page.game(&game)?;
            let held = game.admit(&Tokens::one(token))?;
            let play = &game.play;
            let position = Box::new(play.present(held, state)?);
            let message = if welcome {
                ServerMessage::Welcome { game: Box::new(game.face(held)), position, chat: Vec::new() }
            } else {
                ServerMessage::Position { position }
            };
            let mut answer = Answer::of(message)?;
            answer.thinks = play.computer().is_some();
            Ok(answer)
        }
        Request::Walk { scenario, level, seeds, quick } => Answer::of(walk(&scenario, &level, seeds, quick)?),
        Request::Close { game } => {
            page.close(&game);
            Answer::of(())
        }
    }
}

fn walk(scenario: &str, level: &str, seeds: Range<u64>, quick: bool) -> Result<Vec<Walked>, Failure> {
    let unknown = |error: &dyn std::fmt::Display| Failure::new(Code::Malformed, error.to_string());
    let battle = catalogue::open(scenario, &Options::new()).map_err(|error| unknown(&error))?;
    let player: Player = level.parse().map_err(|error| unknown(&error))?;
    Ok(seeds.map(|seed| battle.walk(BySide::from_fn(|_| player), seed, quick)).collect())
}

/// One request as over HTTP.
struct Call<'a> {
    tokens: Tokens,
    body: Value,
    query: &'a str,
    now: u64,
    random: &'a str,
}

impl Call<'_> {
    fn body<T: DeserializeOwned>(&self) -> Result<T, Failure> {
        serde_json::from_value(self.body.clone()).map_err(|e| Failure::new(Code::Malformed, e.to_string()))
    }

    fn query(&self, name: &str) -> Option<&str> {
        let pairs = self.query.split('&').filter_map(|pair| pair.split_once('='));
        pairs.into_iter().find(|(key, _)| *key == name).map(|(_, value)| value)
    }

    fn number(&self, name: &str) -> Option<u64> {
        self.query(name).and_then(|value| value.parse().ok())
    }

    fn route(&self, page: &mut Page, method: &str, steps: &[&str]) -> Result<Answer, Failure> {
        match (method, steps) {
            ("GET", ["systems"]) => Answer::of(page.library.systems()),
            ("GET", ["systems", system, "rules"]) => Answer::of(page.library.rules(system)?),
            ("GET", ["systems", system, "rules", rule]) => Answer::of(page.library.rule(system, rule)?),
            ("GET", ["scenarios"]) => Answer::of(page.library.scenarios()),
            ("GET", ["scenarios", system, name]) => {
                Answer::of(page.library.preview(&format!("{system}/{name}"))?)
            }
            ("POST", ["scenarios"]) => {
                let own: OwnScenario = self.body()?;
                let volume = page.library.volume(&own.name, Some(&own.text), &Options::new())?;
                let mut preview = volume.preview()?;
                preview.scenario.id = format!("{}/{}", preview.scenario.system, own.name);
                Answer::of(preview)
            }
            ("POST", ["situations"]) => {
                Answer::of(page.library.demonstrate(&self.body::<AskDemonstration>()?.text)?)
            }
            ("POST", ["games"]) => {
                self.begun(page, |page, chance| page.create(self.body::<NewGame>()?, self.now, chance))
            }
            ("POST", ["games", "import"]) => {
                self.begun(page, |page, chance| page.import(self.body::<Import>()?, self.now, chance))
            }
            ("GET", ["games", game, rest @ ..]) => self.look(page.game(game)?, rest),
            ("POST", ["games", game, rest @ ..]) => self.change(page.game(game)?, rest),
            _ => Err(Failure::new(Code::NoSuchPage, "There is nothing at this address.")),
        }
    }

    fn begun(
        &self,
        page: &mut Page,
        begin: impl FnOnce(&mut Page, &mut Chance) -> Result<host::wire::Created, Failure>,
    ) -> Result<Answer, Failure> {
        let created = begin(page, &mut Chance::new(self.random))?;
        let id = created.game.clone();
        let mut answer = Answer::of(created)?.keeping(page.game(&id)?, false);
        answer.status = 201;
        Ok(answer)
    }

    fn look(&self, game: &mut Hosted, rest: &[&str]) -> Result<Answer, Failure> {
        let held = game.admit(&self.tokens)?;
        let play = &mut game.play;
        match rest {
            [] => Answer::of(game.face(held)),
            ["board"] => Answer::of(game.volume.scenario.board()),
            ["position"] => {
                let own = play.sight(held);
                let asked = self.query("sight").map(|name| Value::String(name.to_owned()));
                let asked = asked.and_then(|name| serde_json::from_value::<Sight>(name).ok());
                let sight = asked.filter(|_| play.over()).unwrap_or(own);
                let (at, log_from) = (self.number("at"), self.number("log_from").unwrap_or(0));
                Answer::of(play.position(held, sight, at, log_from)?)
            }
            ["luck"] => {
                let sight = play.sight(held);
                Answer::of(play.luck(sight))
            }
            ["dice"] => Answer::of(play.dice()?),
            ["journal"] => Answer::of(play.journal(held)?),
            ["review"] => {
                let of = play.table.moment() as u32;
                let review = play.reviewer()?(&|_, _| true);
                Answer::of(ReviewFace { done: of, of, review })
            }
            ["chat"] => Answer::of(Vec::<()>::new()),
            _ => Err(Failure::new(Code::NoSuchPage, "There is nothing at this address.")),
        }
    }

    fn change(&self, game: &mut Hosted, rest: &[&str]) -> Result<Answer, Failure> {
        let acted = match rest {
            ["acts"] => self.act(game, self.body()?)?,
            ["undo"] => self.take_back(game, self.body()?)?,
            ["undo", "answer"] => self.answer_undo(game, self.body()?)?,
            ["resign"] => self.resign(game, self.body()?)?,
            ["claim"] => return self.claim(game, self.body()?),
            _ => return self.question(game, rest),
        };
        let state = game.play.state;
        Ok(Answer::of(Acted { done: acted, state, position: None })?.keeping(game, true))
    }

    fn question(&self, game: &mut Hosted, rest: &[&str]) -> Result<Answer, Failure> {
        let play = &game.play;
        match rest {
            ["overlay"] => {
                let held = game.admit(&self.tokens)?;
                Answer::of(play.table.overlay(play.sight(held).eyes(), &self.body::<Ask>()?))
            }
            ["check"] => {
                let ask: AskCheck = self.body()?;
                requests::action(&ask.action)?;
                Answer::of(play.would(&self.tokens, ask.state, &ask.action)?)
            }
            ["odds"] => {
                let ask: AskOdds = self.body()?;
                requests::action(&ask.action)?;
                let horizon = match ask.horizon {
                    HowFar::Decision => Horizon::Decision,
                    HowFar::Affair => Horizon::Affair,
                };
                let weigher = play.weigher(&self.tokens, ask.state)?;
                Answer::of(weigher.odds(&ask.action, horizon).map_err(not_played)?)
            }
            ["odds", "sealed"] => {
                let ask: AskSealed = self.body()?;
                Answer::of(play.weigher(&self.tokens, ask.state)?.sealed())
            }
            ["hint"] => {
                let ask: AskHint = self.body()?;
                let general = General { rollouts: HINT_PLAYS, ..General::GENERAL };
                let none = || Failure::new(Code::Over, "There is nothing to decide.");
                Answer::of(play.analyst(&self.tokens, &ask)?(general).ok_or_else(none)?)
            }
            ["lesson"] => Answer::of(play.lesson(&self.tokens, &self.body::<AskLesson>()?)?),
            _ => Err(Failure::new(Code::NoSuchPage, "This cannot be done without a server.")),
        }
    }

    /// The side that asks, which must know the present state.
    fn present(&self, game: &Hosted, state: u64, decides: Option<Side>) -> Result<Side, Failure> {
        let held = self.tokens.seats(&game.play.seats)?;
        let side = held.must_sit(decides)?;
        if state != game.play.state {
            let play = &game.play;
            return Err(Failure::stale(play.present(held, state)?));
        }
        Ok(side)
    }

    fn act(&self, game: &mut Hosted, act: Act) -> Result<Done, Failure> {
        requests::check_id(&act.id)?;
        requests::action(&act.action)?;
        self.present(game, act.state, game.play.decides())?;
        let side = game.play.may_act(self.tokens.seats(&game.play.seats)?)?;
        let throw = requests::throw(&game.play.table.header().dice, act.salt.as_deref(), act.faces)?;
        game.play.perform(side, &act.action, &throw)?;
        if act.ordered {
            game.play.say_ordered();
        }
        game.keep(self.now);
        Ok(Done::Played)
    }

    fn take_back(&self, game: &mut Hosted, back: TakeBack) -> Result<Done, Failure> {
        let side = self.present(game, back.state, game.play.last_to_decide())?;
        let done = game.play.may_take_back(self.tokens.seats(&game.play.seats)?, side)?;
        match done {
            Done::TakenBack => game.play.take_back_unasked(side)?,
            _ => game.play.ask_to_take_back(side, self.now),
        }
        game.keep(self.now);
        Ok(done)
    }

    fn answer_undo(&self, game: &mut Hosted, answer: AnswerUndo) -> Result<Done, Failure> {
        let held = self.tokens.seats(&game.play.seats)?;
        held.must_sit(None)?;
        let asked = game.play.asked.as_ref().filter(|a| a.ask == answer.ask && held.holds(!a.by));
        let nobody = || Failure::new(Code::NotAsked, "Nobody asks you to take something back, or no longer.");
        let by = asked.ok_or_else(nobody)?.by;
        if answer.agree {
            game.play.take_back(by, true)?;
        } else {
            game.play.asked = None;
        }
        game.keep(self.now);
        Ok(if answer.agree { Done::TakenBack } else { Done::Declined })
    }

    fn resign(&self, game: &mut Hosted, resign: Resign) -> Result<Done, Failure> {
        let side = self.present(game, resign.state, game.play.decides())?;
        game.play.must_be_playable()?;
        game.play.resign(side)?;
        game.keep(self.now);
        Ok(Done::Resigned)
    }

    /// Sits down with an invitation; in a page that is the other player at the same screen.
    fn claim(&self, game: &mut Hosted, claim: Claim) -> Result<Answer, Failure> {
        let name = requests::name(&claim.name)?;
        let side = Side::BOTH.into_iter().find(|&side| game.play.seats[side].invites(&claim.invitation));
        let side = side.ok_or_else(|| {
            Failure::new(Code::ForgedInvitation, "The invitation fits no seat of this game.")
        })?;
        if game.play.seats[side].taken() {
            let message = "Somebody has opened this invitation before and holds the seat.";
            return Err(Failure::new(Code::SeatTaken, message));
        }
        game.play.seats[side].give(seats::hash(&claim.token), name);
        Ok(Answer::of(Claimed { side })?.keeping(game, true))
    }
}
