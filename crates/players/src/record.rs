//! One game with all that a study asks about it: how the lead went, who lost what and where, and what was done.

use std::collections::{BTreeMap, HashMap};
use std::sync::RwLock;

use game::board::Ground;
use game::dice::{Dice, QuickDice};
use game::odds::{self, Budget, Fates};
use game::{AnyFx, BySide, Chronicle, Die, Eyes, Fx, Need, Now, PieceId, Place, Side, System};

use crate::{GameResult, Player};

/// What is taken down besides the result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Detail {
    /// Losses by unit and place, ground held, and what was done.
    pub story: bool,
    /// What the dice gave beyond what was due, by exact odds: slow.
    pub luck: bool,
    /// Every roll.
    pub rolls: bool,
    /// Whether what must hold of every position holds at each decision: slow.
    pub invariants: bool,
}

/// A game as a study sees it.
#[derive(Debug, Clone)]
pub struct Record {
    /// How it went.
    pub result: GameResult,
    /// The end of each turn, in order.
    pub turns: Vec<TurnRecord>,
    /// What each unit of the roster has lost in the end.
    pub lost: Vec<u16>,
    /// Where cells were lost: place and how many.
    pub falls: BTreeMap<Spot, u32>,
    /// What was done: side, verb and how often.
    pub deeds: BTreeMap<(Side, String), u32>,
    /// Points that the dice gave the first side's lead beyond what was due.
    pub luck: Option<f64>,
    /// Every roll, in order.
    pub rolls: Vec<RollRecord>,
    /// The first position that broke an invariant, if they were checked: after how many decisions, and what was wrong.
    pub broken: Option<(u64, String)>,
}

/// The position at the end of a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TurnRecord {
    /// Its number, as the system counts.
    pub turn: u32,
    /// Victory points.
    pub score: BySide<i32>,
    /// Strength lost so far, in cells of the units' gauges.
    pub lost: BySide<u32>,
    /// Objectives held.
    pub held: BySide<u32>,
    /// Decisions taken so far.
    pub decisions: u64,
}

/// One roll.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RollRecord {
    /// After how many decisions.
    pub decision: u64,
    /// Who rolled.
    pub side: Option<Side>,
    /// The rule that asked for it.
    pub rule: String,
    /// The die; none for a draw.
    pub die: Option<Die>,
    /// What each had to show.
    pub need: Option<Need>,
    /// The faces.
    pub faces: Vec<u8>,
    /// Passes, total or lot.
    pub result: u16,
}

/// Where something happened: a hex by its number, or a square of the table, two inches by two.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Spot {
    /// `0910`.
    Hex(String),
    /// Its south-west corner, in inches from the west and from the south.
    Inch(i32, i32),
}

/// A unit of the order of battle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unit {
    /// In notation.
    pub slug: String,
    /// In words.
    pub name: String,
    /// Whose.
    pub side: Side,
    /// Cells of its gauge.
    pub strength: u16,
}

/// Who takes part, and where numbered places are. Made once for a battle.
#[derive(Debug)]
pub struct Roster {
    units: Vec<(PieceId, Unit)>,
    /// Hexes have numbers that stay; a pose on a table is looked up each time.
    hexes: bool,
    spots: RwLock<HashMap<u32, Option<Spot>>>,
}

impl Roster {
    /// The roster of a battle.
    pub fn of<S: System>(battle: &S::Battle) -> Roster {
        let state = S::muster(battle);
        let mut units: Vec<(PieceId, Unit)> = S::view(battle, &state, Eyes::All)
            .pieces
            .into_iter()
            .filter_map(|piece| {
                let gauge = piece.gauge.as_ref()?;
                let strength = u16::from(gauge.whole) + u16::from(gauge.hurt) + u16::from(gauge.lost);
                Some((piece.id, Unit { slug: piece.slug, name: piece.name, side: piece.side, strength }))
            })
            .collect();
        units.sort_by_key(|(id, _)| *id);
        let hexes = matches!(S::board(battle).ground, Ground::Hexes(_));
        Roster { units, hexes, spots: RwLock::default() }
    }

    /// Its units, in the order of [`Record::lost`].
    pub fn units(&self) -> impl Iterator<Item = &Unit> {
        self.units.iter().map(|(_, unit)| unit)
    }

    fn index(&self, piece: PieceId) -> Option<usize> {
        self.units.binary_search_by_key(&piece, |(id, _)| *id).ok()
    }

    /// Where a piece stood whose place has this number.
    fn spot<S: System>(
        &self,
        battle: &S::Battle,
        state: &S::State,
        piece: PieceId,
        place: u32,
    ) -> Option<Spot> {
        if self.hexes
            && let Some(known) = self.spots.read().ok()?.get(&place)
        {
            return known.clone();
        }
        let view = S::view(battle, state, Eyes::All);
        let spot = match &view.pieces.iter().find(|p| p.id == piece)?.place {
            Place::Hex(hex) => Some(Spot::Hex(hex.clone())),
            Place::Pose { x, y, .. } => Some(Spot::Inch(2 * x.div_euclid(2000), 2 * y.div_euclid(2000))),
            Place::Box(_) => None,
        };
        if self.hexes {
            self.spots.write().ok()?.insert(place, spot.clone());
        }
        spot
    }
}

/// Dice that count how often they were asked.
struct Counted<'d> {
    dice: &'d mut QuickDice,
    asked: u64,
}

impl Dice for Counted<'_> {
    fn below(&mut self, n: u32) -> u32 {
        self.asked += 1;
        self.dice.below(n)
    }
}

/// Enough for the odds of nearly every decision.
const BUDGET: Budget = Budget { positions: 5_000, ways: 20_000, beyond: 0, plays: 500 };

/// Plays the game of this seed, the same one that [`crate::play_game`] plays, and takes it down.
pub fn record<S: System>(
    battle: &S::Battle,
    roster: &Roster,
    seats: BySide<Player>,
    seed: u64,
    detail: Detail,
) -> Record {
    let mut told = Telling::<S>::new(battle, roster, detail);
    let result = crate::mass::play_told::<S, _>(battle, seats, seed, &mut told);
    told.finish(result)
}

/// What mass play is played with.
pub(crate) type QuickFx = Fx<QuickDice, game::Silent>;

/// Who watches a game move by move.
pub(crate) trait Watch<S: System> {
    /// Told before a decision is carried out.
    fn before(&mut self, state: &S::State, side: Side, action: &S::Action);
    /// Told after it.
    fn after(&mut self, state: &S::State, decisions: u64);
    /// Carries the action out.
    fn play(&mut self, battle: &S::Battle, state: &mut S::State, action: &S::Action, fx: &mut QuickFx);
}

/// Nobody does.
pub(crate) struct Unwatched;

impl<S: System> Watch<S> for Unwatched {
    #[inline]
    fn before(&mut self, _: &S::State, _: Side, _: &S::Action) {}
    #[inline]
    fn after(&mut self, _: &S::State, _: u64) {}
    #[inline]
    fn play(&mut self, battle: &S::Battle, state: &mut S::State, action: &S::Action, fx: &mut QuickFx) {
        S::play_unchecked(battle, state, action, fx);
    }
}

struct Telling<'b, S: System> {
    battle: &'b S::Battle,
    roster: &'b Roster,
    detail: Detail,
    /// The position and standings before the decision under way.
    was: Option<(S::State, Fates)>,
    turn: Option<u32>,
    lost: Vec<u16>,
    record: Record,
    rolled: bool,
    action: Option<S::Action>,
    last: Option<TurnRecord>,
}

impl<'b, S: System> Telling<'b, S> {
    fn new(battle: &'b S::Battle, roster: &'b Roster, detail: Detail) -> Self {
        let none = BySide::from_fn(|_| 0);
        let result = GameResult {
            outcome: None,
            score: BySide::from_fn(|_| 0),
            decisions: 0,
            options: 0,
            longest: none,
            thought: none,
            taken: none,
        };
        let record = Record {
            result,
            turns: Vec::new(),
            lost: Vec::new(),
            falls: BTreeMap::new(),
            deeds: BTreeMap::new(),
            luck: detail.luck.then_some(0.0),
            rolls: Vec::new(),
            broken: None,
        };
        let lost = vec![0; roster.units.len()];
        let (was, turn, action, last) = (None, None, None, None);
        Telling { battle, roster, detail, was, turn, lost, record, rolled: false, action, last }
    }

    fn finish(mut self, result: GameResult) -> Record {
        self.record.turns.extend(self.last);
        self.record.lost = self.lost;
        self.record.result = result;
        self.record
    }

    /// What each unit has lost more than before, and where it stood.
    fn losses(&mut self, after: &S::State) {
        let Some((before, were)) = self.was.take() else { return };
        let are = S::standings(self.battle, after);
        for (piece, was) in &were {
            let Some(unit) = self.roster.index(*piece) else { continue };
            let is = are.iter().find(|(id, _)| id == piece).map(|(_, standing)| standing);
            let cells = |whole: u8, hurt: u8| u16::from(whole) + u16::from(hurt);
            let left = is.map_or(0, |is| cells(is.whole, is.hurt));
            self.lost[unit] = self.roster.units[unit].1.strength.saturating_sub(left);
            let fell = cells(was.whole, was.hurt).saturating_sub(left);
            if fell == 0 {
                continue;
            }
            if let Some(spot) = self.roster.spot::<S>(self.battle, &before, *piece, was.place) {
                *self.record.falls.entry(spot).or_default() += u32::from(fell);
            }
        }
        self.was = Some((before, are));
    }

    fn turn_of(&self, state: &S::State, turn: u32, decisions: u64) -> TurnRecord {
        let mut lost = BySide::from_fn(|_| 0);
        for ((_, unit), cells) in self.roster.units.iter().zip(&self.lost) {
            lost[unit.side] += u32::from(*cells);
        }
        let mut held = BySide::from_fn(|_| 0);
        if self.detail.story {
            let marks = S::view(self.battle, state, Eyes::All).marks;
            for side in marks.iter().filter(|m| m.kind == "objective").filter_map(|m| m.side) {
                held[side] += 1;
            }
        }
        TurnRecord { turn, score: S::score(self.battle, state), lost, held, decisions }
    }

    fn look_over(&mut self, state: &S::State, decisions: u64) {
        if self.detail.invariants && self.record.broken.is_none() {
            self.record.broken = S::invariant(self.battle, state).err().map(|why| (decisions, why));
        }
    }

    /// What the dice gave the lead beyond what was due, if any were rolled.
    fn luck(&mut self, after: &S::State) {
        let (Some(luck), Some(action), Some((before, _)), true) =
            (&mut self.record.luck, &self.action, &self.was, self.rolled)
        else {
            return;
        };
        let lead = |state: &S::State| {
            let score = S::score(self.battle, state);
            f64::from(score.first - score.second)
        };
        let (due, _) = odds::due_lead::<S>(self.battle, before, action, BUDGET);
        *luck += lead(after) - lead(before) - due;
    }
}

impl<S: System> Watch<S> for Telling<'_, S> {
    fn before(&mut self, state: &S::State, side: Side, action: &S::Action) {
        if self.turn.is_none() {
            self.turn = Some(S::turn(self.battle, state));
            self.look_over(state, 0);
        }
        if self.detail.luck {
            self.action = Some(action.clone());
        }
        if self.detail.story {
            let notation = S::write(self.battle, action);
            let verb = notation.split(' ').next().unwrap_or_default();
            *self.record.deeds.entry((side, verb.to_owned())).or_default() += 1;
        }
        if self.detail.story || self.detail.luck {
            let standings = match self.was.take() {
                Some((_, standings)) => standings,
                None => S::standings(self.battle, state),
            };
            self.was = Some((state.clone(), standings));
        }
    }

    fn play(&mut self, battle: &S::Battle, state: &mut S::State, action: &S::Action, fx: &mut QuickFx) {
        let mut counted = Counted { dice: &mut fx.dice, asked: 0 };
        if self.detail.rolls {
            let mut told = Chronicle::default();
            let mut fx: AnyFx<'_> = Fx { dice: &mut counted, log: Some(&mut told) };
            S::play_unchecked(battle, state, action, &mut fx);
            let decision = self.record.result.decisions;
            for entry in told.entries {
                let Some(roll) = entry.roll else { continue };
                self.record.rolls.push(RollRecord {
                    decision,
                    side: entry.side,
                    rule: roll.rule.to_string(),
                    die: roll.die,
                    need: roll.need,
                    faces: roll.faces,
                    result: roll.result,
                });
            }
        } else {
            S::play_unchecked(battle, state, action, &mut AnyFx::silent(&mut counted));
        }
        self.rolled = counted.asked > 0;
    }

    fn after(&mut self, state: &S::State, decisions: u64) {
        let over = matches!(S::now(self.battle, state), Now::Over(_));
        if !over {
            self.look_over(state, decisions);
        }
        self.luck(state);
        self.losses(state);
        self.record.result.decisions = decisions;
        let turn = S::turn(self.battle, state);
        if let Some(was) = self.turn
            && (turn != was || over)
        {
            let row = self.turn_of(state, was, decisions);
            if over {
                self.last = Some(row);
            } else {
                self.record.turns.push(row);
            }
            self.turn = Some(turn);
        }
    }
}
