//! The analyst: the best choices of a decision, what each is worth, the line behind it, and what decides between them.

use std::collections::BTreeMap;

use game::board::{Offer, Panel};
use game::dice::QuickDice;
use game::{BySide, Eyes, Now, PieceId, Side, System};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::General;
use crate::captain::mixed;
use crate::general::{Judged, Patience, play_on, seed};
use crate::rollout::{Desk, End, Rollouts, mixture};

/// How many choices are shown.
const SHOWN: usize = 3;
/// How many decisions of a line are told.
const LINE: usize = 6;
/// How many plays of a choice are looked at for what becomes of the pieces.
const LOOKED_AT: usize = 64;
/// What is less different than this share of the plays decides nothing.
const TELLING: f64 = 0.15;

/// The best choices of a decision.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export))]
pub struct Hint {
    /// Who decides.
    pub side: Side,
    /// The decision in a sentence.
    pub question: String,
    /// How often the candidates were played on in all.
    pub plays: u32,
    /// The turn with whose end a play ends.
    pub until_turn: u32,
    /// What that turn is called: `Turn 3`, `Hour 11`.
    pub until: String,
    /// The best first, at most three; then what was asked about and is not among them.
    pub choices: Vec<Choice>,
    /// Whether the first is better than the second beyond reasonable doubt.
    pub clear: bool,
    /// What decides between the first and the second, if one thing does.
    pub decides: Option<Decides>,
}

/// A choice and what is expected of it.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export))]
pub struct Choice {
    /// The action as it is offered: words, piece, place, way.
    pub offer: Offer,
    /// The words with the piece that acts: `Meredith: March to 0910`.
    pub title: String,
    /// The expected margin of the deciding side in victory points: points, and what strength and ground are worth.
    pub margin: f64,
    /// Half the width of the margin's 95 % interval.
    pub within: f64,
    /// Nine plays in ten come to this at least.
    pub low: f64,
    /// And to this at the most.
    pub high: f64,
    /// By how much it stays behind the best, under the same dice.
    pub behind: f64,
    /// How often it was played on.
    pub plays: u32,
    /// Victory points expected at the end of the plays.
    pub score: BySide<f64>,
    /// How often it is to be taken, from 0 to 1, where choices are sealed and no one is best.
    pub often: Option<f64>,
    /// The line of a typical play, this choice first.
    pub line: Vec<LineStep>,
}

/// A decision of a line.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export))]
pub struct LineStep {
    /// Who decides.
    pub side: Side,
    /// The piece that acts, if one does.
    pub piece: Option<PieceId>,
    /// The words with the piece that acts.
    pub title: String,
    /// The action in notation.
    pub action: String,
}

/// What decides between the two best choices.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export))]
pub struct Decides {
    /// In a sentence.
    pub says: String,
    /// The piece it is about.
    pub piece: Option<PieceId>,
    /// In what share of the plays it happens, choice by choice.
    pub shares: Vec<f64>,
}

/// Weighs the decision at hand for the side that takes it, from what it may see; none when the game is over. The actions
/// `also` are weighed as often as the best, however bad they look, and shown after them; what is not legal is left out.
pub fn weigh<S: System>(
    battle: &S::Battle,
    state: &S::State,
    general: General,
    also: &[S::Action],
    dice: &mut QuickDice,
) -> Option<Hint> {
    let Now::Decides(side) = S::now(battle, state) else { return None };
    let seen = &S::seen_by(battle, state, side);
    let mut offers = Vec::new();
    S::offers(battle, seen, &mut offers);
    let names = Names::of::<S>(battle, seen);
    let question = S::prompt(battle, seen).sentence;
    if offers.len() > 1 && mixed::<S>(battle, seen, &offers, dice).is_some() {
        return Some(sealed::<S>(battle, seen, side, question, &offers, &names));
    }
    let rollouts = general.rollouts::<S>(battle, seen)?;
    let candidates = general.candidates::<S>(battle, seen, &offers, dice);
    let asked = asked_about::<S>(battle, seen, &mut offers, also);
    let seed = seed(dice);
    let judged = general.halving(&rollouts, &offers, candidates, seed, Patience::UntilShown(SHOWN));
    let best = &judged[..judged.len().min(SHOWN)];
    let most = best.first().map_or(0, |one| one.values.len());
    let others = asked.into_iter().filter(|index| best.iter().all(|one| one.index != *index));
    let others = others.map(|index| {
        let known = judged.iter().find(|one| one.index == index).cloned();
        play_on::<S>(&rollouts, &offers, known.unwrap_or_else(|| Judged::new(index)), most, seed)
    });
    let shown: Vec<Judged> = best.iter().cloned().chain(others).collect();
    let dropped = judged.iter().filter(|one| shown.iter().all(|other| other.index != one.index));
    let plays = shown.iter().chain(dropped).map(|j| j.values.len() as u32).sum();
    let ends: Vec<Ends<S>> =
        shown.iter().map(|one| Ends::of(&rollouts, &offers[one.index], one.values.len(), seed)).collect();
    let hoped = ends[0].mean();
    let choices = shown.iter().zip(&ends).map(|(one, ends)| {
        let typical = mixture([seed, ends.typical as u64, 0, 0]);
        Choice {
            offer: S::offer(battle, seen, &offers[one.index]),
            title: names.title::<S>(battle, seen, &offers[one.index]),
            margin: ends.mean(),
            within: ends.within(),
            low: ends.at(0.05),
            high: ends.at(0.95),
            behind: hoped - ends.mean(),
            plays: one.values.len() as u32,
            score: ends.score,
            often: None,
            line: line(&rollouts, &offers[one.index], typical, &names),
        }
    });
    Some(Hint {
        side,
        question,
        plays,
        until_turn: rollouts.last_turn(),
        until: turn_called::<S>(battle, rollouts.last_turn()),
        choices: choices.collect(),
        clear: judged.get(1).is_none_or(|second| judged[0].clearly_beats(second)),
        decides: decides::<S>(&ends, &names),
    })
}

/// The actions that somebody asks about, by their place among the offers; legal ones that are not offered (another path,
/// another pose) join them.
fn asked_about<S: System>(
    battle: &S::Battle,
    seen: &S::State,
    offers: &mut Vec<S::Action>,
    also: &[S::Action],
) -> Vec<usize> {
    let mut asked = Vec::with_capacity(also.len());
    for action in also {
        let place = offers.iter().position(|offer| offer == action);
        if place.is_none() && S::check(battle, seen, action).is_err() {
            continue;
        }
        let place = place.unwrap_or_else(|| {
            offers.push(action.clone());
            offers.len() - 1
        });
        if !asked.contains(&place) {
            asked.push(place);
        }
    }
    asked
}

/// Where choices are sealed no one is best: how often each is to be taken.
fn sealed<S: System>(
    battle: &S::Battle,
    seen: &S::State,
    side: Side,
    question: String,
    offers: &[S::Action],
    names: &Names,
) -> Hint {
    let weight = |offer| f64::from(S::chance(battle, seen, offer).unwrap_or(0));
    let total = offers.iter().map(weight).sum::<f64>().max(1.0);
    let margin = crate::rollout::margin::<S>(battle, seen, side) as f64 / 100.0;
    let score = S::score(battle, seen).map(f64::from);
    let mut choices: Vec<Choice> = offers
        .iter()
        .map(|offer| Choice {
            offer: S::offer(battle, seen, offer),
            title: names.title::<S>(battle, seen, offer),
            margin,
            within: 0.0,
            low: margin,
            high: margin,
            behind: 0.0,
            plays: 0,
            score,
            often: Some(weight(offer) / total),
            line: Vec::new(),
        })
        .collect();
    choices.sort_by(|a, b| b.often.partial_cmp(&a.often).unwrap_or(std::cmp::Ordering::Equal));
    choices.truncate(SHOWN);
    let until_turn = S::turn(battle, seen);
    let until = turn_called::<S>(battle, until_turn);
    Hint { side, question, plays: 0, until_turn, until, choices, clear: false, decides: None }
}

/// What a turn is called on the board's track: `Turn 3`, `4:00 PM`; where turns are drawn from a cup, `Hour 11`. After the
/// last turn, the last.
pub(crate) fn turn_called<S: System>(battle: &S::Battle, turn: u32) -> String {
    let start = S::muster(battle);
    let view = S::view(battle, &start, Eyes::All);
    let number = turn.saturating_sub(S::turn(battle, &start)) as usize;
    let label = match view.track.get(number).or(view.track.last()) {
        Some(cell) => cell.label.clone(),
        None => turn.to_string(),
    };
    if !label.chars().all(|c| c.is_ascii_digit()) {
        return label;
    }
    let cup = view.panels.iter().any(|panel| matches!(panel, Panel::Cup { .. }));
    format!("{} {label}", if cup { "Hour" } else { "Turn" })
}

/// The pieces' names.
#[derive(Debug)]
pub(crate) struct Names(BTreeMap<PieceId, String>);

impl Names {
    pub(crate) fn of<S: System>(battle: &S::Battle, seen: &S::State) -> Names {
        Names(S::view(battle, seen, Eyes::All).pieces.into_iter().map(|p| (p.id, p.name)).collect())
    }

    /// An action in words, with the piece that acts unless the words name it.
    pub(crate) fn title<S: System>(
        &self,
        battle: &S::Battle,
        state: &S::State,
        action: &S::Action,
    ) -> String {
        let offer = S::offer(battle, state, action);
        match offer.piece.and_then(|piece| self.0.get(&piece)) {
            Some(name) if !offer.label.contains(name.as_str()) => format!("{name}: {}", offer.label),
            _ => offer.label,
        }
    }

    fn step<S: System>(&self, battle: &S::Battle, state: &S::State, action: &S::Action) -> Option<LineStep> {
        let Now::Decides(side) = S::now(battle, state) else { return None };
        Some(LineStep {
            side,
            piece: S::offer(battle, state, action).piece,
            title: self.title::<S>(battle, state, action),
            action: S::write(battle, action),
        })
    }
}

/// The first decisions of a play that had something to decide.
pub(crate) fn line<S: System>(
    rollouts: &Rollouts<'_, S>,
    action: &S::Action,
    seed: u64,
    names: &Names,
) -> Vec<LineStep> {
    let mut line = Vec::with_capacity(LINE);
    let mut offers = Vec::new();
    rollouts.play(action, seed, &mut Desk::default(), |state, action| {
        if line.len() < LINE {
            offers.clear();
            S::offers(rollouts.battle, state, &mut offers);
            if line.is_empty() || offers.len() > 1 {
                line.extend(names.step::<S>(rollouts.battle, state, action));
            }
        }
    });
    line
}

/// What the plays of one choice came to.
struct Ends<S: System> {
    /// Margins in points, ascending.
    margins: Vec<f64>,
    /// The number of the play nearest to the mean.
    typical: usize,
    score: BySide<f64>,
    /// In what share of the plays each piece on the field leaves it.
    gone: BTreeMap<PieceId, f64>,
    of: std::marker::PhantomData<S>,
}

impl<S: System> Ends<S> {
    fn of(rollouts: &Rollouts<'_, S>, action: &S::Action, plays: usize, seed: u64) -> Self {
        let plays = plays.clamp(1, LOOKED_AT);
        let jobs: Vec<(usize, S::Action)> = (0..plays).map(|n| (n, action.clone())).collect();
        let ends: Vec<End<S>> = jobs
            .into_par_iter()
            .map_init(Desk::default, |desk, (n, action)| {
                rollouts.play(&action, mixture([seed, n as u64, 0, 0]), desk, |_, _| {})
            })
            .collect();
        let battle = rollouts.battle;
        let mut margins: Vec<f64> = ends.iter().map(|end| end.margin as f64 / 100.0).collect();
        let mean = margins.iter().sum::<f64>() / plays as f64;
        let off = |n: usize| (margins[n] - mean).abs();
        let typical = (0..plays).min_by(|&a, &b| off(a).total_cmp(&off(b))).unwrap_or(0);
        margins.sort_by(f64::total_cmp);
        let mut score = BySide::from_fn(|_| 0.0);
        let mut gone = BTreeMap::new();
        let there: Vec<PieceId> = S::standings(battle, rollouts.root)
            .into_iter()
            .filter(|(_, standing)| !standing.off)
            .map(|(piece, _)| piece)
            .collect();
        for end in &ends {
            let points = S::score(battle, &end.state);
            Side::BOTH.into_iter().for_each(|side| score[side] += f64::from(points[side]) / plays as f64);
            for (piece, standing) in S::standings(battle, &end.state) {
                if standing.off && there.contains(&piece) {
                    *gone.entry(piece).or_insert(0.0) += 1.0 / plays as f64;
                }
            }
        }
        Ends { margins, typical, score, gone, of: std::marker::PhantomData }
    }

    fn mean(&self) -> f64 {
        self.margins.iter().sum::<f64>() / self.margins.len() as f64
    }

    fn within(&self) -> f64 {
        let (n, mean) = (self.margins.len() as f64, self.mean());
        let variance = self.margins.iter().map(|m| (m - mean).powi(2)).sum::<f64>() / (n - 1.0).max(1.0);
        1.959_964 * (variance / n).sqrt()
    }

    fn at(&self, share: f64) -> f64 {
        self.margins[((self.margins.len() - 1) as f64 * share).round() as usize]
    }
}

/// The one thing in which the two best choices differ most: the loss of a piece, else the points.
fn decides<S: System>(ends: &[Ends<S>], names: &Names) -> Option<Decides> {
    let [first, second, ..] = ends else { return None };
    let share = |ends: &Ends<S>, piece: &PieceId| ends.gone.get(piece).copied().unwrap_or(0.0);
    let pieces = first.gone.keys().chain(second.gone.keys());
    let gap = |piece: &PieceId| (share(first, piece) - share(second, piece)).abs();
    let widest = pieces.max_by(|a, b| gap(a).total_cmp(&gap(b))).filter(|piece| gap(piece) >= TELLING);
    if let Some(&piece) = widest {
        let shares: Vec<f64> = ends.iter().map(|ends| share(ends, &piece)).collect();
        let name = names.0.get(&piece).map_or("A unit", String::as_str);
        let percent = |share: f64| (share * 100.0).round();
        let says = format!(
            "{name} is lost in {} of 100 plays after the first choice, in {} after the second.",
            percent(shares[0]),
            percent(shares[1]),
        );
        return Some(Decides { says, piece: Some(piece), shares });
    }
    let points = |ends: &Ends<S>| format!("{:.0} to {:.0}", ends.score.first, ends.score.second);
    let (one, two) = (points(first), points(second));
    (one != two).then(|| Decides {
        says: format!("The first choice leads to about {one} points, the second to {two}."),
        piece: None,
        shares: Vec::new(),
    })
}
