//! What came of each cell.

use std::collections::BTreeMap;

use game::{BySide, Side};
use serde::Serialize;

use crate::statistics::{self, Estimate, Histogram};
use crate::{Batch, Study};

/// What came of a study.
#[derive(Debug, Serialize)]
pub struct Summary {
    /// The cells, in the study's order.
    pub cells: Vec<CellSummary>,
    /// Games in all.
    pub games: u64,
}

/// What came of a cell.
#[derive(Debug, Serialize)]
pub struct CellSummary {
    /// The scenario's id.
    pub scenario: String,
    /// Its title.
    pub title: String,
    /// The sides' names.
    pub sides: BySide<String>,
    /// Who played.
    pub players: BySide<String>,
    /// The change, if any.
    pub change: Option<String>,
    /// Games played.
    pub games: u64,
    /// Games won by each side.
    pub won: BySide<u64>,
    /// Games drawn.
    pub drawn: u64,
    /// Games that did not end.
    pub endless: u64,
    /// The first side's score, draws as halves.
    pub score: Estimate,
    /// The first side's lead in points.
    pub margin: Estimate,
    /// Against the games of the same seeds of the scenario as written: score.
    pub score_change: Option<Estimate>,
    /// The same: lead in points.
    pub margin_change: Option<Estimate>,
    /// Decisions in all.
    pub decisions: u64,
    /// Options in all.
    pub options: u64,
    /// The share of the lead's variance that is luck, where luck was taken down.
    pub luck: Option<f64>,
    /// The lead at the end of each turn.
    #[serde(skip)]
    pub leads: BTreeMap<u32, Histogram>,
    /// The last turn of each game.
    #[serde(skip)]
    pub lengths: Histogram,
    /// What each unit lost.
    #[serde(skip)]
    pub lost: Vec<Histogram>,
    /// Strength lost by place.
    #[serde(skip)]
    pub falls: BTreeMap<String, u64>,
    /// What each side did.
    #[serde(skip)]
    pub deeds: BTreeMap<(Side, String), u64>,
    /// Score, lead and luck of each game, in order.
    #[serde(skip)]
    results: Vec<(f32, f32, Option<f64>)>,
}

impl Summary {
    pub(crate) fn begin(study: &Study) -> Summary {
        let cell = |cell: &crate::Cell| {
            let info = cell.scenario.info();
            let nothing = Estimate { value: 0.0, low: 0.0, high: 0.0 };
            CellSummary {
                scenario: cell.of.clone(),
                title: info.title,
                sides: info.sides.map(|face| face.name),
                players: cell.players.map(|player| player.to_string()),
                change: cell.change.clone(),
                games: 0,
                won: BySide::default(),
                drawn: 0,
                endless: 0,
                score: nothing,
                margin: nothing,
                score_change: None,
                margin_change: None,
                decisions: 0,
                options: 0,
                luck: None,
                leads: BTreeMap::new(),
                lengths: Histogram::default(),
                lost: Vec::new(),
                falls: BTreeMap::new(),
                deeds: BTreeMap::new(),
                results: Vec::new(),
            }
        };
        Summary { cells: study.cells.iter().map(cell).collect(), games: 0 }
    }

    pub(crate) fn add(&mut self, cell: usize, batch: Batch) {
        self.games += batch.games.len() as u64;
        self.cells[cell].add(batch);
    }

    pub(crate) fn finish(&mut self, study: &Study) {
        for cell in &mut self.cells {
            cell.finish();
        }
        for (index, cell) in study.cells.iter().enumerate() {
            let Some(base) = cell.base else { continue };
            let pairs = || self.cells[index].results.iter().zip(&self.cells[base].results);
            let score = statistics::mean(pairs().map(|(is, was)| f64::from(is.0 - was.0)));
            let margin = statistics::mean(pairs().map(|(is, was)| f64::from(is.1 - was.1)));
            self.cells[index].score_change = Some(score);
            self.cells[index].margin_change = Some(margin);
        }
    }
}

impl CellSummary {
    fn add(&mut self, batch: Batch) {
        for row in &batch.games {
            self.games += 1;
            match row.half_points {
                Some(2) => self.won.first += 1,
                Some(1) => self.drawn += 1,
                Some(_) => self.won.second += 1,
                None => self.endless += 1,
            }
            self.decisions += row.decisions;
            self.options += row.options;
            self.lengths.add(i64::from(row.turn), 1);
            self.results.push((row.score() as f32, row.margin() as f32, row.luck));
        }
        for row in &batch.turns {
            self.leads.entry(row.turn).or_default().add(i64::from(row.first - row.second), 1);
        }
        self.lost.resize(batch.lost.len().max(self.lost.len()), Histogram::default());
        for (all, more) in self.lost.iter_mut().zip(&batch.lost) {
            more.iter().for_each(|(lost, times)| all.add(i64::from(*lost), *times));
        }
        for (place, cells) in batch.falls {
            *self.falls.entry(place).or_default() += cells;
        }
        for ((side, verb), times) in batch.deeds {
            *self.deeds.entry((Side::BOTH[usize::from(side.min(1))], verb)).or_default() += times;
        }
    }

    fn finish(&mut self) {
        self.score = statistics::score(self.won.first, self.drawn + self.endless, self.games);
        self.margin = statistics::mean(self.results.iter().map(|result| f64::from(result.1)));
        let fair: Vec<f64> = self.results.iter().filter_map(|r| Some(f64::from(r.1) - r.2?)).collect();
        let leads: Vec<f64> = self.results.iter().map(|r| f64::from(r.1)).collect();
        if fair.len() == leads.len() && fair.len() > 1 {
            let spread = variance(&leads);
            self.luck = (spread > 0.0).then(|| (1.0 - variance(&fair) / spread).clamp(0.0, 1.0));
        }
    }
}

fn variance(values: &[f64]) -> f64 {
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / values.len() as f64
}
