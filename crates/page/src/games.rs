//! The games of a page, and the form in which the page keeps them.

use std::collections::HashMap;
use std::sync::Arc;

use catalogue::NewDice;
use game::journal::{self, DiceOf, hex, unhex};
use game::session::Throw;
use game::{BySide, Now, Side};
use host::play::{About, Heading, Materials};
use host::seats::{self, Held, Seat, Tokens};
use host::wire::{Code, Created, DiceKind, GameFace, Import, NewGame, SeatKind, Sitter, UndoAsk};
use host::{Failure, Library, Play, Standard, Volume, begin, requests};
use players::Player;
use serde::{Deserialize, Serialize};

/// Fresh random bytes that came with a request, given out once each.
#[derive(Debug)]
pub(crate) struct Chance(std::vec::IntoIter<u8>);

impl Chance {
    pub(crate) fn new(random: &str) -> Self {
        Chance(unhex(random).unwrap_or_default().into_iter())
    }

    fn bytes<const N: usize>(&mut self) -> Result<[u8; N], Failure> {
        let bytes: Vec<u8> = self.0.by_ref().take(N).collect();
        let few = || Failure::new(Code::SaltNeeded, "The request brings too few random bytes.");
        bytes.try_into().map_err(|_| few())
    }
}

/// A seat as it is kept.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct SeatRecord {
    kind: SeatKind,
    name: String,
    invitation: Option<String>,
    token: Option<String>,
}

/// A game as the page keeps it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Record {
    id: String,
    system: String,
    made: u64,
    touched: u64,
    secret: String,
    seats: BySide<SeatRecord>,
    asked: Option<UndoAsk>,
    lines: Vec<String>,
}

/// A game under way in the page.
#[derive(Debug)]
pub(crate) struct Hosted {
    pub(crate) about: About,
    pub(crate) play: Play,
    pub(crate) volume: Arc<Volume>,
    secret: String,
}

impl Hosted {
    fn open(record: Record, library: &Library) -> Result<Self, Failure> {
        let faulty = |message: String| Failure::new(Code::FaultyJournal, message);
        let first = record.lines.first().ok_or_else(|| faulty("The journal is empty.".to_owned()))?;
        let header = journal::parse(first).map_err(|b| faulty(b.to_string()))?.header;
        let volume = library.volume(&header.scenario, header.text.as_deref(), &header.options)?;
        let heading = Heading::of(&volume.face);
        let about = About { id: record.id, public: false, made: record.made, heading };
        let seats = record.seats.map(|seat| Seat::new(seat.kind, seat.name, seat.invitation, seat.token));
        let materials = Materials {
            lines: record.lines,
            secret: unhex(&record.secret).and_then(|s| s.try_into().ok()),
            seats,
            asked: record.asked,
            touched: record.touched,
            chat: 0,
            status: None,
            still: None,
        };
        let play = Play::of(materials, Some(&volume))?;
        Ok(Hosted { about, play, volume, secret: record.secret })
    }

    /// The game as the page keeps it.
    pub(crate) fn record(&self) -> Record {
        let seat = |seat: &Seat| SeatRecord {
            kind: seat.kind,
            name: seat.name.clone(),
            invitation: seat.invitation.clone(),
            token: seat.token.clone(),
        };
        Record {
            id: self.about.id.clone(),
            system: self.about.heading.system.clone(),
            made: self.about.made,
            touched: self.play.touched,
            secret: self.secret.clone(),
            seats: BySide::from_fn(|side| seat(&self.play.seats[side])),
            asked: self.play.asked.clone(),
            lines: self.play.journal_kept(),
        }
    }

    pub(crate) fn face(&self, held: Held) -> GameFace {
        self.play.face(&self.about, BySide::from_fn(|_| true), held)
    }

    /// Puts down what has changed; the page keeps it.
    pub(crate) fn keep(&mut self, now: u64) {
        let grown = self.play.grown().len() as u64;
        self.play.kept(grown, now);
    }

    /// The seats that these tokens hold; in a page nobody else looks on.
    pub(crate) fn admit(&self, tokens: &Tokens) -> Result<Held, Failure> {
        let held = tokens.seats(&self.play.seats)?;
        if held.none() && !self.play.over() {
            return Err(Failure::new(Code::SeatNeeded, "This game is not public: send the token of a seat."));
        }
        Ok(held)
    }

    /// A computer decides, if one must. Whether it did.
    pub(crate) fn think(&mut self, now: u64) -> Result<bool, Failure> {
        let Some((side, level)) = self.play.computer() else { return Ok(false) };
        let player: Player = level.parse().unwrap_or(Player::Random);
        let hash = self.play.computer_hash("linstock choice 1");
        let seed = hash.iter().take(8).fold(0, |seed, byte| seed << 8 | u64::from(*byte));
        let Some(action) = self.play.table.thinker()(player, seed) else { return Ok(false) };
        let throw = Throw { salt: self.play.computer_hash("linstock computer 1"), typed: Vec::new() };
        self.play.perform(side, &action, &throw)?;
        self.keep(now);
        Ok(true)
    }
}

/// All games of a page.
#[derive(Debug)]
pub struct Page {
    pub(crate) library: Library,
    games: HashMap<String, Hosted>,
}

impl Default for Page {
    fn default() -> Self {
        Page { library: Library::new(Arc::new(Standard)), games: HashMap::new() }
    }
}

impl Page {
    pub(crate) fn game(&mut self, id: &str) -> Result<&mut Hosted, Failure> {
        self.games.get_mut(id).ok_or_else(|| Failure::new(Code::NoSuchGame, "There is no such game."))
    }

    /// Takes up a game that the page has kept.
    pub(crate) fn open(&mut self, record: Record) -> Result<(), Failure> {
        if !self.games.contains_key(&record.id) {
            let hosted = Hosted::open(record, &self.library)?;
            self.games.insert(hosted.about.id.clone(), hosted);
        }
        Ok(())
    }

    /// Sets up a new game.
    pub(crate) fn create(&mut self, new: NewGame, now: u64, chance: &mut Chance) -> Result<Created, Failure> {
        let sitters = begin::check_sitters(new.seats)?;
        let volume = self.library.volume(&new.scenario, new.text.as_deref(), &new.options)?;
        if let Some((sitters, dice)) = begin::lesson(&volume, &sitters) {
            let table = begin::muster(&volume, &sitters, dice, &Throw::default())?;
            return self.seat(table.journal(), &sitters, String::new(), None, now, chance);
        }
        let (dice, secret, throw) = match new.dice {
            DiceKind::Sealed => {
                let throw = requests::throw(&DiceOf::Commit(String::new()), new.salt.as_deref(), Vec::new())?;
                let secret = chance.bytes::<32>()?;
                (NewDice::Secret(secret), hex(&secret), throw)
            }
            DiceKind::Table => {
                begin::two_people(&sitters)?;
                let salt = chance.bytes::<16>()?.to_vec();
                (NewDice::Table, String::new(), Throw { salt, typed: Vec::new() })
            }
        };
        let mut table = begin::muster(&volume, &sitters, dice, &throw)?;
        if new.rolls_back {
            table.let_rolls_back();
        }
        self.seat(table.journal(), &sitters, secret, None, now, chance)
    }

    /// Goes on from a journal.
    pub(crate) fn import(
        &mut self,
        import: Import,
        now: u64,
        chance: &mut Chance,
    ) -> Result<Created, Failure> {
        let sitters = begin::check_sitters(import.seats)?;
        let read =
            || journal::parse(&import.journal).map_err(|b| Failure::new(Code::FaultyJournal, b.to_string()));
        let mut parsed = read()?;
        let header = &parsed.header;
        let volume = self.library.volume(&header.scenario, header.text.as_deref(), &header.options)?;
        if begin::has_ended(&parsed) {
            let (table, broken) = begin::resume(&volume, parsed, None)?;
            // A game that holds to its end is only looked at, whatever is written after it.
            if matches!(table.now(), Now::Over(_)) {
                return self.seat(table.journal(), &sitters, String::new(), broken, now, chance);
            }
            parsed = read()?;
        }
        let secret = begin::take_over(&mut parsed, &sitters, chance.bytes()?)?;
        let (table, broken) = begin::resume(&volume, parsed, secret)?;
        let secret = secret.map_or_else(String::new, |s| hex(&s));
        self.seat(table.journal(), &sitters, secret, broken, now, chance)
    }

    /// The room is what reopening the page would make of it, so that a new game and a kept one never differ.
    fn seat(
        &mut self,
        journal: String,
        sitters: &BySide<Sitter>,
        secret: String,
        broken: Option<String>,
        now: u64,
        chance: &mut Chance,
    ) -> Result<Created, Failure> {
        let id = seats::id_of(chance.bytes()?);
        let mut new = BySide::default();
        let mut kept = Vec::with_capacity(2);
        for side in Side::BOTH {
            let (seat, given) = begin::sit(&sitters[side], hex(&chance.bytes::<32>()?));
            new[side] = given;
            let Seat { kind, name, invitation, token } = seat;
            kept.push(SeatRecord { kind, name, invitation, token });
        }
        let [first, second] =
            <[SeatRecord; 2]>::try_from(kept).map_err(|_| Failure::internal("two seats"))?;
        let record = Record {
            id: id.clone(),
            system: String::new(),
            made: now,
            touched: now,
            secret,
            seats: BySide { first, second },
            asked: None,
            lines: journal.lines().map(str::to_owned).collect(),
        };
        self.open(record)?;
        Ok(Created { game: id, seats: new, broken })
    }

    /// Lets go of a game; the page may have forgotten it.
    pub(crate) fn close(&mut self, id: &str) {
        self.games.remove(id);
    }
}
