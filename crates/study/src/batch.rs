//! A batch: some games of a cell as rows. The same batch has the same content on any machine.

use std::collections::BTreeMap;

use game::{Die, Need, Outcome, Side};
use players::{Record, Spot, seed_of};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::{Cell, Error, Study};

/// Raised when rows change, so that old batches are not misread.
pub(crate) const FORMAT: u32 = 1;

/// Some games of a cell.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Batch {
    /// One row a game.
    pub games: Vec<GameRow>,
    /// One row for the end of each turn.
    pub turns: Vec<TurnRow>,
    /// One row a roll, on request.
    pub rolls: Vec<RollRow>,
    /// For each unit how often it lost how much.
    pub lost: Vec<BTreeMap<u16, u64>>,
    /// Strength lost by place.
    pub falls: BTreeMap<String, u64>,
    /// What each side did, and how often.
    pub deeds: BTreeMap<(u8, String), u64>,
}

/// One game.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct GameRow {
    /// Its number; games of the same number have the same seed in every cell.
    pub game: u64,
    /// Its seed.
    pub seed: u64,
    /// Half points of the first side: 2 won, 1 drawn, 0 lost; none if it did not end.
    pub half_points: Option<u8>,
    /// Victory points of the first side.
    pub first: i32,
    /// Victory points of the second side.
    pub second: i32,
    /// Decisions taken.
    pub decisions: u64,
    /// Options offered.
    pub options: u64,
    /// The last turn.
    pub turn: u32,
    /// Strength that the first side lost.
    pub lost_first: u32,
    /// Strength that the second side lost.
    pub lost_second: u32,
    /// Points that the dice gave the first side's lead beyond what was due.
    pub luck: Option<f64>,
}

impl GameRow {
    /// The first side's lead in victory points.
    #[must_use]
    pub fn margin(&self) -> i32 {
        self.first - self.second
    }

    /// The first side's score: 1, a half or 0; a game that did not end counts as a draw.
    #[must_use]
    pub fn score(&self) -> f64 {
        f64::from(self.half_points.unwrap_or(1)) / 2.0
    }
}

/// The end of a turn.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct TurnRow {
    /// The game.
    pub game: u64,
    /// The turn, as the system counts.
    pub turn: u32,
    /// Victory points of the first side.
    pub first: i32,
    /// Victory points of the second side.
    pub second: i32,
    /// Strength that the first side lost so far.
    pub lost_first: u32,
    /// Strength that the second side lost so far.
    pub lost_second: u32,
    /// Objectives that the first side holds.
    pub held_first: u32,
    /// Objectives that the second side holds.
    pub held_second: u32,
    /// Decisions taken so far.
    pub decisions: u64,
}

/// One roll.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RollRow {
    /// The game.
    pub game: u64,
    /// After how many decisions.
    pub decision: u64,
    /// Who rolled: 1 or 2; 0 for nobody's roll.
    pub side: u8,
    /// The rule that asked for it.
    pub rule: String,
    /// `d6`, `d10`, `z10`, `d3`, `average`; empty for a draw.
    pub die: String,
    /// `>=4`, `<=2`; empty where nothing was to be reached.
    pub need: String,
    /// The faces, with spaces between.
    pub faces: String,
    /// Passes, total or lot.
    pub result: u16,
}

impl Batch {
    /// Plays games `from..to` of a cell, on every core.
    ///
    /// # Errors
    /// When an invariant is broken, in the first game that breaks one.
    pub(crate) fn play(
        study: &Study,
        cell: &Cell,
        games: std::ops::Range<u64>,
        done: &(dyn Fn() + Sync),
    ) -> Result<Batch, Error> {
        let records: Vec<(u64, Record)> = games
            .into_par_iter()
            .map(|game| {
                let seed = seed_of(study.seed, game);
                let record = cell.scenario.record(cell.players, seed, study.detail);
                done();
                (game, record)
            })
            .collect();
        let mut batch = Batch::default();
        for (game, record) in records {
            let seed = seed_of(study.seed, game);
            if let Some((decision, why)) = record.broken {
                return Err(Error::Broken { scenario: cell.of.clone(), seed, decision, why });
            }
            batch.add(game, seed, record);
        }
        Ok(batch)
    }

    fn add(&mut self, game: u64, seed: u64, record: Record) {
        let result = record.result;
        let last = record.turns.last();
        self.games.push(GameRow {
            game,
            seed,
            half_points: result.outcome.map(|outcome| match outcome {
                Outcome::Won(Side::First) => 2,
                Outcome::Drawn => 1,
                Outcome::Won(Side::Second) => 0,
            }),
            first: result.score.first,
            second: result.score.second,
            decisions: result.decisions,
            options: result.options,
            turn: last.map_or(0, |turn| turn.turn),
            lost_first: last.map_or(0, |turn| turn.lost.first),
            lost_second: last.map_or(0, |turn| turn.lost.second),
            luck: record.luck,
        });
        self.turns.extend(record.turns.iter().map(|turn| TurnRow {
            game,
            turn: turn.turn,
            first: turn.score.first,
            second: turn.score.second,
            lost_first: turn.lost.first,
            lost_second: turn.lost.second,
            held_first: turn.held.first,
            held_second: turn.held.second,
            decisions: turn.decisions,
        }));
        self.lost.resize(record.lost.len(), BTreeMap::new());
        for (histogram, lost) in self.lost.iter_mut().zip(&record.lost) {
            *histogram.entry(*lost).or_default() += 1;
        }
        for (spot, cells) in record.falls {
            let place = match spot {
                Spot::Hex(hex) => hex,
                Spot::Inch(x, y) => format!("{x},{y}"),
            };
            *self.falls.entry(place).or_default() += u64::from(cells);
        }
        for ((side, verb), times) in record.deeds {
            *self.deeds.entry((side.index() as u8, verb)).or_default() += u64::from(times);
        }
        self.rolls.extend(record.rolls.into_iter().map(|roll| RollRow {
            game,
            decision: roll.decision,
            side: roll.side.map_or(0, |side| side.index() as u8 + 1),
            rule: roll.rule,
            die: roll.die.map_or("", die).to_owned(),
            need: roll.need.map_or_else(String::new, need),
            faces: roll.faces.iter().map(u8::to_string).collect::<Vec<_>>().join(" "),
            result: roll.result,
        }));
    }

    /// The batch as bytes.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let plain = postcard::to_stdvec(&(FORMAT, self)).unwrap_or_default();
        zstd::encode_all(&plain[..], 3).unwrap_or_default()
    }

    /// A batch from its bytes; none if they are damaged or of another format.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Option<Batch> {
        let plain = zstd::decode_all(bytes).ok()?;
        let (format, batch): (u32, Batch) = postcard::from_bytes(&plain).ok()?;
        (format == FORMAT).then_some(batch)
    }
}

fn die(die: Die) -> &'static str {
    match die {
        Die::D6 => "d6",
        Die::D10 => "d10",
        Die::Z10 => "z10",
        Die::D3 => "d3",
        Die::Average => "average",
    }
}

fn need(need: Need) -> String {
    match need {
        Need::AtMost(face) => format!("<={face}"),
        Need::AtLeast(face) => format!(">={face}"),
    }
}
