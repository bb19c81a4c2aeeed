//! How a game begins: who sits down, with which dice, from the muster or from a journal.

use catalogue::{NewDice, Table};
use game::BySide;
use game::journal::{Broken, DiceOf, Line, Parsed};
use game::session::{Throw, commitment};
use players::Player;

use crate::library::Volume;
use crate::problem::Failure;
use crate::requests;
use crate::seats::{self, Seat};
use crate::wire::{Code, NewSeat, SeatKind, Sitter};

/// Who shall sit where, with names that can be shown and levels that exist.
///
/// # Errors
/// What is wrong with a name or a level.
pub fn check_sitters(sitters: BySide<Sitter>) -> Result<BySide<Sitter>, Failure> {
    let check = |sitter: Sitter| match sitter {
        Sitter::Here { name } => Ok(Sitter::Here { name: requests::name(&name)? }),
        Sitter::Link => Ok(Sitter::Link),
        Sitter::Computer { level } => match level.parse::<Player>() {
            Ok(_) => Ok(Sitter::Computer { level }),
            Err(unknown) => Err(Failure::new(Code::NoSuchLevel, unknown.to_string())),
        },
    };
    let BySide { first, second } = sitters.map(check);
    Ok(BySide { first: first?, second: second? })
}

/// Real dice need two people.
///
/// # Errors
/// When a computer sits at the table.
pub fn two_people(sitters: &BySide<Sitter>) -> Result<(), Failure> {
    if sitters.iter().any(|(_, sitter)| matches!(sitter, Sitter::Computer { .. })) {
        return Err(Failure::new(Code::Malformed, "Real dice need two people: a computer cannot roll them."));
    }
    Ok(())
}

/// The names that the journal begins with.
#[must_use]
pub fn names(sitters: &BySide<Sitter>) -> BySide<String> {
    BySide::from_fn(|side| match &sitters[side] {
        Sitter::Here { name } => name.clone(),
        Sitter::Link => "by invitation".to_owned(),
        Sitter::Computer { level } => level.clone(),
    })
}

/// Who sits where in a lesson, and its dice: whoever is here learns, and the lesson's own opponent plays the other side.
/// None if the scenario is no lesson.
#[must_use]
pub fn lesson(volume: &Volume, sitters: &BySide<Sitter>) -> Option<(BySide<Sitter>, NewDice)> {
    let lesson = volume.scenario.lesson()?;
    let here = |sitter: &Sitter| match sitter {
        Sitter::Here { name } => Some(name.clone()),
        Sitter::Link | Sitter::Computer { .. } => None,
    };
    let name = here(&sitters.first).or_else(|| here(&sitters.second)).unwrap_or_else(|| "Learner".to_owned());
    let sitters = BySide::from_fn(|side| match side == lesson.side {
        true => Sitter::Here { name: name.clone() },
        false => Sitter::Computer { level: lesson.opponent.to_string() },
    });
    Some((sitters, NewDice::Fixed(lesson.seed)))
}

/// Somebody sits down: the seat, and what is given to whoever made the game. `token` is fresh and random.
#[must_use]
pub fn sit(sitter: &Sitter, token: String) -> (Seat, NewSeat) {
    let mut new = NewSeat::default();
    let hash = Some(seats::hash(&token));
    let seat = match sitter {
        Sitter::Here { name } => {
            new.token = Some(token);
            Seat::new(SeatKind::Here, name.clone(), None, hash)
        }
        Sitter::Link => {
            new.invitation = Some(token);
            Seat::new(SeatKind::Link, String::new(), hash, None)
        }
        Sitter::Computer { level } => Seat::new(SeatKind::Computer, level.clone(), None, None),
    };
    (seat, new)
}

/// Musters a game.
///
/// # Errors
/// When the dice typed in do not fit.
pub fn muster(
    volume: &Volume,
    sitters: &BySide<Sitter>,
    dice: NewDice,
    throw: &Throw,
) -> Result<Box<dyn Table>, Failure> {
    volume.scenario.start(names(sitters), dice, throw).map_err(|m| Failure::new(Code::WrongFaces, m))
}

/// Whether a journal says that its game has ended.
#[must_use]
pub fn has_ended(parsed: &Parsed) -> bool {
    parsed.lines.iter().any(|line| matches!(line, Line::End { .. }))
}

/// Makes a new game of a journal, with new players and new dice; what was rolled stays as it is written. The secret behind
/// the new dice is `fresh`; real dice have none.
///
/// # Errors
/// When a computer would have to roll real dice.
pub fn take_over(
    parsed: &mut Parsed,
    sitters: &BySide<Sitter>,
    fresh: [u8; 32],
) -> Result<Option<[u8; 32]>, Failure> {
    parsed.header.seats = names(sitters);
    if parsed.header.dice == DiceOf::Table {
        two_people(sitters)?;
        return Ok(None);
    }
    parsed.header.dice = DiceOf::Commit(commitment(&fresh));
    parsed.header.taken_over = parsed.lines.len() as u64;
    Ok(Some(fresh))
}

/// The game of a journal as far as it holds, and where it does not. One of another edition goes on under this one as far as
/// it replays.
///
/// # Errors
/// When not even its muster can be replayed.
pub fn resume(
    volume: &Volume,
    parsed: Parsed,
    secret: Option<[u8; 32]>,
) -> Result<(Box<dyn Table>, Option<String>), Failure> {
    let faulty = |broken: Broken| Failure::new(Code::FaultyJournal, broken.to_string());
    let system = volume.scenario.system();
    let (theirs, ours) = (parsed.header.edition.clone(), system.edition());
    if theirs == ours {
        let (table, broken) = volume.scenario.resume(parsed, secret).map_err(faulty)?;
        return Ok((table, broken.map(|b| b.to_string())));
    }
    let (table, broken) = volume.scenario.readopt(parsed, secret).map_err(faulty)?;
    let title = system.book().title;
    let broken = broken
        .map(|broken| format!("played under edition {theirs} of {title}, this is edition {ours}: {broken}"));
    Ok((table, broken))
}
