//! Clocks, counted by the turn: each side has a bank of time that shrinks while it must decide and grows a little with every
//! turn of the game. Free weekends and leave are spent by themselves before a flag falls.
//!
//! Time is told from outside, in milliseconds since 1970, and may jump. Nobody loses time that was not theirs: time that runs
//! backwards costs nothing, and neither does time in which no server was there to play on ([`Outages`]).

use game::{BySide, Side};
use serde::{Deserialize, Serialize};

use crate::wire::{ClockFace, ClockTerms, HandFace, Pace, Resting};

const MINUTE: i64 = 60_000;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;
const WEEK: i64 = 7 * DAY;
const YEAR: i64 = 365 * DAY;
/// 1 January 1970 was a Thursday: the first Saturday came two days later.
const FIRST_SATURDAY: i64 = 2 * DAY;
const WEEKEND: i64 = 2 * DAY;
/// Nothing is worked out further ahead than that at once.
const HORIZON: i64 = 5 * YEAR;
/// A game whose flag has fallen for so long, and whose opponent has said nothing, is over.
const ABANDONED: i64 = 14 * DAY;
/// The farthest time zones, in minutes.
const ZONES: std::ops::RangeInclusive<i16> = -12 * 60..=14 * 60;

/// What a pace means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Budget {
    bank: i64,
    increment: i64,
    cap: i64,
    /// A year.
    leave: i64,
}

impl Pace {
    fn budget(self) -> Budget {
        match self {
            Pace::Live => Budget { bank: 90 * MINUTE, increment: 0, cap: 90 * MINUTE, leave: 0 },
            Pace::Fast => Budget { bank: 3 * DAY, increment: 8 * HOUR, cap: 5 * DAY, leave: 30 * DAY },
            Pace::Slow => Budget { bank: 10 * DAY, increment: DAY, cap: 15 * DAY, leave: 30 * DAY },
        }
    }
}

/// Stretches of time in which no server could play on.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Outages(Vec<(i64, i64)>);

impl Outages {
    /// How many are remembered: far more than a clock can run through.
    const MOST: usize = 100;

    /// One more; those that touch become one.
    pub fn add(&mut self, from: i64, to: i64) {
        if from >= to {
            return;
        }
        let touches = |&(a, b): &(i64, i64)| a <= to && from <= b;
        let (touching, mut rest): (Vec<_>, Vec<_>) = self.0.iter().copied().partition(touches);
        let from = touching.iter().map(|outage| outage.0).fold(from, i64::min);
        let to = touching.iter().map(|outage| outage.1).fold(to, i64::max);
        rest.push((from, to));
        rest.sort_unstable();
        rest.drain(..rest.len().saturating_sub(Self::MOST));
        self.0 = rest;
    }

    fn covers(&self, at: i64) -> bool {
        self.0.iter().any(|&(from, to)| (from..to).contains(&at))
    }

    fn next_edge(&self, at: i64) -> Option<i64> {
        self.0.iter().flat_map(|&(from, to)| [from, to]).filter(|edge| *edge > at).min()
    }
}

/// One side's time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Hand {
    /// What is left in the bank.
    left: i64,
    /// Its time zone, in minutes east of Greenwich; there until it says otherwise.
    zone: Option<i16>,
    /// Leave that was spent in this year of the game.
    year: i64,
    spent: i64,
}

/// How a game came to its end by the clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lost {
    /// Whose flag had fallen.
    pub side: Side,
    /// Its opponent had not claimed the game either.
    pub abandoned: bool,
}

/// Something that time alone brings about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Stroke {
    /// Half of what the side had when its clock began to run is spent.
    Half,
    /// Nine tenths of it.
    Tenth,
    /// The flag has fallen.
    Fallen,
    /// It has been down for so long that nobody seems to care.
    Abandoned,
}

impl Stroke {
    const ALL: [Stroke; 4] = [Stroke::Half, Stroke::Tenth, Stroke::Fallen, Stroke::Abandoned];
}

/// The clocks of a game, as they are kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Clock {
    terms: ClockTerms,
    /// When the game was made: years of leave are counted from there.
    made: i64,
    hands: BySide<Hand>,
    /// Whose clock runs, and since when.
    running: Option<(Side, i64)>,
    /// What that side had then.
    had: i64,
    /// The latest time that was told: time never runs backwards.
    latest: i64,
    /// The last turn for which increments were paid.
    turn: u32,
    /// What time has brought about since the clock began to run.
    struck: Vec<Stroke>,
    lost: Option<Lost>,
}

/// A stretch of time that counts throughout, or not at all, within one year of the game.
struct Piece {
    from: i64,
    to: i64,
    counts: bool,
    year: i64,
}

impl Clock {
    /// Both clocks full, none running.
    #[must_use]
    pub fn new(terms: ClockTerms, now: i64) -> Self {
        let hand = || Hand { left: terms.pace.budget().bank, zone: None, year: 0, spent: 0 };
        Clock {
            terms,
            made: now,
            hands: BySide { first: hand(), second: hand() },
            running: None,
            had: 0,
            latest: now,
            turn: 0,
            struck: Vec::new(),
            lost: None,
        }
    }

    /// How it was agreed.
    #[must_use]
    pub fn terms(&self) -> ClockTerms {
        self.terms
    }

    /// Whose clock runs.
    #[must_use]
    pub fn runs(&self) -> Option<Side> {
        self.running.map(|(side, _)| side)
    }

    /// Who lost by it.
    #[must_use]
    pub fn lost(&self) -> Option<Lost> {
        self.lost
    }

    /// The game has come to a point at which `next` must decide, in this turn; nobody, if no clock is to run. Whoever had to
    /// decide until now has spent what it took.
    pub fn pass(&mut self, next: Option<Side>, turn: u32, outages: &Outages, now: i64) {
        let now = self.charge(outages, now);
        if turn > self.turn {
            // The first turn is what the bank is for.
            if self.turn > 0 {
                self.pay();
            }
            self.turn = turn;
        } else if self.runs() == next {
            return;
        }
        self.running = next.map(|side| (side, now));
        self.had = next.map_or(0, |side| self.hands[side].left);
        self.struck.clear();
    }

    fn pay(&mut self) {
        let Budget { increment, cap, .. } = self.terms.pace.budget();
        for side in Side::BOTH {
            let hand = &mut self.hands[side];
            hand.left = hand.left.max((hand.left + increment).min(cap));
        }
    }

    /// Takes from the side whose clock runs what it has spent, and answers the time that holds.
    fn charge(&mut self, outages: &Outages, now: i64) -> i64 {
        let now = now.max(self.latest);
        self.latest = now;
        if let Some((side, since)) = self.running {
            self.hands[side] = self.spend(side, since, now, outages);
            self.running = Some((side, now));
        }
        now
    }

    /// A side says where it lives: once, so that nobody travels for a longer weekend. What was spent stays spent.
    ///
    /// # Errors
    /// Why not.
    pub fn live_in(
        &mut self,
        side: Side,
        zone: i16,
        outages: &Outages,
        now: i64,
    ) -> Result<(), &'static str> {
        if !ZONES.contains(&zone) {
            return Err("A time zone is 720 minutes west to 840 minutes east of Greenwich.");
        }
        if self.hands[side].zone.is_some() {
            return Err("Your time zone is set for this game and stays.");
        }
        self.charge(outages, now);
        self.hands[side].zone = Some(zone);
        Ok(())
    }

    /// The game ends by the clock.
    pub fn lose(&mut self, side: Side, abandoned: bool) {
        self.lost = Some(Lost { side, abandoned });
    }

    /// The side whose flag has fallen.
    #[must_use]
    pub fn fallen(&self, outages: &Outages, now: i64) -> Option<Side> {
        let (side, since) = self.running?;
        let hand = self.spend(side, since, now.max(self.latest), outages);
        (hand.left == 0 && self.leave(&hand) == 0).then_some(side)
    }

    /// Whether its flag has been down for so long that nobody seems to care.
    #[must_use]
    pub fn is_abandoned(&self, outages: &Outages, now: i64) -> bool {
        self.strikes(Stroke::Abandoned, outages).is_some_and(|at| at <= now.max(self.latest))
    }

    /// What time has brought about by now and was not yet noted; it is noted.
    pub fn strike(&mut self, outages: &Outages, now: i64) -> Option<Stroke> {
        let now = now.max(self.latest);
        let new = Stroke::ALL.into_iter().rfind(|stroke| {
            !self.struck.contains(stroke) && self.strikes(*stroke, outages).is_some_and(|at| at <= now)
        })?;
        self.struck = Stroke::ALL.into_iter().filter(|stroke| *stroke <= new).collect();
        Some(new)
    }

    /// When time will next bring something about.
    #[must_use]
    pub fn next_stroke(&self, outages: &Outages) -> Option<i64> {
        let next = Stroke::ALL.into_iter().find(|stroke| !self.struck.contains(stroke))?;
        self.strikes(next, outages)
    }

    fn strikes(&self, stroke: Stroke, outages: &Outages) -> Option<i64> {
        match stroke {
            Stroke::Half => self.down_to(self.had / 2, outages),
            Stroke::Tenth => self.down_to(self.had / 10, outages),
            Stroke::Fallen => self.falls(outages),
            Stroke::Abandoned => self.falls(outages).map(|at| at + ABANDONED),
        }
    }

    /// When the bank of the side whose clock runs will be down to this.
    fn down_to(&self, left: i64, outages: &Outages) -> Option<i64> {
        let (side, since) = self.running?;
        let mut to_spend = self.hands[side].left - left;
        for piece in self.pieces(side, since, outages).filter(|piece| piece.counts) {
            if to_spend <= piece.to - piece.from {
                return Some(piece.from + to_spend.max(0));
            }
            to_spend -= piece.to - piece.from;
        }
        None
    }

    /// When the flag of the side whose clock runs will fall.
    fn falls(&self, outages: &Outages) -> Option<i64> {
        let (side, since) = self.running?;
        let mut hand = self.hands[side].clone();
        for piece in self.pieces(side, since, outages) {
            let over = self.take(&mut hand, &piece);
            // A new year brings new leave: a flag falls when there is none of either.
            if piece.counts && hand.left == 0 && self.leave(&hand) == 0 {
                return Some(piece.to - over);
            }
        }
        None
    }

    /// A side's time after it has had to decide from `since` until `until`.
    fn spend(&self, side: Side, since: i64, until: i64, outages: &Outages) -> Hand {
        let mut hand = self.hands[side].clone();
        for mut piece in self.pieces(side, since, outages) {
            if piece.from >= until {
                break;
            }
            piece.to = piece.to.min(until);
            self.take(&mut hand, &piece);
        }
        hand
    }

    /// Takes a piece of time from the bank, then from leave; answers what neither could give.
    fn take(&self, hand: &mut Hand, piece: &Piece) -> i64 {
        if hand.year < piece.year {
            (hand.year, hand.spent) = (piece.year, 0);
        }
        if !piece.counts {
            return 0;
        }
        let cost = piece.to - piece.from;
        let banked = cost.min(hand.left);
        hand.left -= banked;
        let on_leave = (cost - banked).min(self.leave(hand));
        hand.spent += on_leave;
        cost - banked - on_leave
    }

    /// Leave that is left this year.
    fn leave(&self, hand: &Hand) -> i64 {
        self.terms.pace.budget().leave - hand.spent
    }

    /// Time from `from` on, in order.
    fn pieces<'a>(&'a self, side: Side, from: i64, outages: &'a Outages) -> impl Iterator<Item = Piece> + 'a {
        let end = from + HORIZON;
        let mut at = from;
        std::iter::from_fn(move || {
            if at >= end {
                return None;
            }
            let year = (at - self.made).div_euclid(YEAR).max(0);
            let edges = [
                Some(self.made + (year + 1) * YEAR),
                self.weekend(side, at).map(|(_, edge)| edge),
                outages.next_edge(at),
                Some(end),
            ];
            let to = edges.into_iter().flatten().min()?;
            let counts = !self.weekend(side, at).is_some_and(|(free, _)| free) && !outages.covers(at);
            let piece = Piece { from: at, to, counts, year };
            at = to;
            Some(piece)
        })
    }

    /// Whether a side has its weekend, and until when that stays so; none where weekends count.
    fn weekend(&self, side: Side, at: i64) -> Option<(bool, i64)> {
        if !self.terms.weekends_off {
            return None;
        }
        let east = i64::from(self.hands[side].zone.unwrap_or(0)) * MINUTE;
        let into = (at + east - FIRST_SATURDAY).rem_euclid(WEEK);
        let free = into < WEEKEND;
        Some((free, at - into + if free { WEEKEND } else { WEEK }))
    }

    /// The clocks as everybody sees them.
    #[must_use]
    pub fn face(&self, outages: &Outages, now: i64) -> ClockFace {
        let at = now.max(self.latest);
        let hand = |side: Side| match self.running {
            Some((runs, since)) if runs == side => self.spend(side, since, at, outages),
            _ => self.hands[side].clone(),
        };
        let rest = self.running.and_then(|(side, _)| self.rests(side, &hand(side), at));
        ClockFace {
            terms: self.terms,
            runs: self.runs(),
            at: at as u64,
            hands: BySide::from_fn(hand).map(|hand| HandFace {
                left: hand.left as u64,
                leave: self.leave(&hand) as u64,
                zone_known: hand.zone.is_some(),
            }),
            had: self.had as u64,
            rest,
            fallen: self.fallen(outages, now),
            falls: self.falls(outages).map(|at| at as u64),
            lost: self.lost.map(|lost| lost.side),
            abandoned: self.lost.is_some_and(|lost| lost.abandoned),
        }
    }

    /// Why the clock that runs takes nothing from the bank.
    fn rests(&self, side: Side, hand: &Hand, at: i64) -> Option<Resting> {
        match self.weekend(side, at) {
            Some((true, until)) => Some(Resting::Weekend { until: until as u64 }),
            _ if hand.left == 0 && self.leave(hand) > 0 => Some(Resting::Leave),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests;
