//! Nobody loses time that was not theirs: over time zones, leave, weekends, restarts, outages and jumps of the clock.

use proptest::prelude::*;

use super::*;

/// Monday, 2 November 2026, at midnight in Greenwich.
const MONDAY: i64 = 1_793_577_600_000;
const NONE: Outages = Outages(Vec::new());

fn terms(pace: Pace, weekends_off: bool) -> ClockTerms {
    ClockTerms { pace, weekends_off }
}

fn any_terms() -> impl Strategy<Value = ClockTerms> {
    let pace = prop_oneof![Just(Pace::Live), Just(Pace::Fast), Just(Pace::Slow)];
    (pace, any::<bool>()).prop_map(|(pace, weekends_off)| terms(pace, weekends_off))
}

/// Whether time counts at this moment, found another way: by the calendar, a quarter of an hour at a time.
fn counts(terms: ClockTerms, zone: i16, outages: &[(i64, i64)], at: i64) -> bool {
    let day = (at + i64::from(zone) * MINUTE - MONDAY).div_euclid(DAY).rem_euclid(7);
    let weekend = terms.weekends_off && day >= 5;
    !weekend && !outages.iter().any(|(from, to)| *from <= at && at < *to)
}

fn running(terms: ClockTerms, zone: i16) -> Clock {
    let mut clock = Clock::new(terms, MONDAY);
    clock.live_in(Side::First, zone, &NONE, MONDAY).unwrap();
    clock.pass(Some(Side::First), 1, &NONE, MONDAY);
    clock
}

/// All that a side can still spend this year.
fn wealth(clock: &Clock, side: Side, outages: &Outages, now: i64) -> i64 {
    let hand = clock.face(outages, now).hands[side];
    (hand.left + hand.leave) as i64
}

/// What happens to a game: who must decide next, after how long, by which turn; and what the server's clock and the server do.
#[derive(Debug, Clone)]
enum Event {
    Decide { next: Option<Side>, turns: u32 },
    Restart,
    Look,
    Outage { minutes: i64 },
    JumpBack { minutes: i64 },
}

fn event() -> impl Strategy<Value = (i64, Event)> {
    let next = prop_oneof![3 => Just(Some(Side::First)), 3 => Just(Some(Side::Second)), 1 => Just(None)];
    let event = prop_oneof![
        6 => (next, 0u32..2).prop_map(|(next, turns)| Event::Decide { next, turns }),
        2 => Just(Event::Restart),
        2 => Just(Event::Look),
        2 => (1i64..4_000).prop_map(|minutes| Event::Outage { minutes }),
        1 => (1i64..2_000).prop_map(|minutes| Event::JumpBack { minutes }),
    ];
    (0i64..3_000, event)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    /// What a side spends is exactly the time that counts while it must decide.
    #[test]
    fn a_side_spends_the_time_that_counts(
        terms in any_terms(),
        quarters in 0i64..2_000,
        zone in -48i16..=56,
        outages in prop::collection::vec((0i64..2_000, 1i64..300), 0..4),
    ) {
        const QUARTER: i64 = 15 * MINUTE;
        let zone = zone * 15;
        let outages: Vec<(i64, i64)> =
            outages.iter().map(|(from, long)| (MONDAY + from * QUARTER, MONDAY + (from + long) * QUARTER)).collect();
        let mut known = Outages::default();
        outages.iter().for_each(|(from, to)| known.add(*from, *to));
        let clock = running(terms, zone);
        let now = MONDAY + quarters * QUARTER;
        let spent = (0..quarters).filter(|q| counts(terms, zone, &outages, MONDAY + q * QUARTER)).count();
        let had = wealth(&clock, Side::First, &known, MONDAY);
        prop_assert_eq!(wealth(&clock, Side::First, &known, now), (had - spent as i64 * QUARTER).max(0));
    }

    /// Looking, restarting and deciding again in between change nothing.
    #[test]
    fn time_adds_up_in_any_pieces(
        terms in any_terms(),
        zone in -720i16..=840,
        steps in prop::collection::vec(0i64..40_000_000, 1..30),
    ) {
        let whole = running(terms, zone);
        let mut pieces = whole.clone();
        let mut now = MONDAY;
        for step in steps {
            now += step;
            pieces.pass(Some(Side::First), 1, &NONE, now);
            pieces = serde_json::from_str(&serde_json::to_string(&pieces).unwrap()).unwrap();
        }
        prop_assert_eq!(pieces.face(&NONE, now).hands, whole.face(&NONE, now).hands);
        prop_assert_eq!(pieces.fallen(&NONE, now), whole.fallen(&NONE, now));
    }

    /// A flag falls at the moment that was foretold, and not a moment before.
    #[test]
    fn a_flag_falls_when_foretold(terms in any_terms(), zone in -720i16..=840, start in 0i64..WEEK) {
        let mut clock = running(terms, zone);
        clock.pass(Some(Side::Second), 1, &NONE, MONDAY + start);
        let falls = clock.falls(&NONE).unwrap();
        prop_assert_eq!(clock.fallen(&NONE, falls - 1), None);
        prop_assert_eq!(clock.fallen(&NONE, falls), Some(Side::Second));
        let next = clock.next_stroke(&NONE).unwrap();
        prop_assert_eq!(clock.clone().strike(&NONE, next - 1), None);
        prop_assert_eq!(clock.strike(&NONE, next), Some(Stroke::Half));
    }

    /// The same week is as long everywhere: to move the player and the hours together changes nothing.
    #[test]
    fn no_time_zone_is_better(terms in any_terms(), zone in -720i16..=840, now in 0i64..4 * WEEK) {
        let east = i64::from(zone) * MINUTE;
        let mut there = Clock::new(terms, MONDAY - east);
        there.live_in(Side::First, zone, &NONE, MONDAY - east).unwrap();
        there.pass(Some(Side::First), 1, &NONE, MONDAY - east);
        let here = running(terms, 0);
        prop_assert_eq!(
            there.face(&NONE, MONDAY - east + now).hands.first,
            here.face(&NONE, MONDAY + now).hands.first
        );
    }

    /// Whatever happens, a side loses at most the time that really passed while it alone was waited for and a server was there;
    /// and whoever is not waited for loses nothing.
    #[test]
    fn nobody_loses_time_that_was_not_theirs(
        terms in any_terms(),
        events in prop::collection::vec(event(), 1..40),
    ) {
        let mut clock = Clock::new(terms, MONDAY);
        clock.pass(Some(Side::First), 1, &NONE, MONDAY);
        let mut outages = Outages::default();
        // The true time, and by how much the server's clock is wrong.
        let (mut time, mut wrong, mut turn) = (MONDAY, 0, 1);
        let mut theirs = BySide::<i64>::default();
        for (minutes, event) in events {
            time += minutes * MINUTE;
            let decides = clock.runs();
            if let Some(side) = decides {
                theirs[side] += minutes * MINUTE;
            }
            match event {
                Event::Decide { next, turns } => {
                    let before = clock.face(&outages, time + wrong).hands;
                    turn += turns;
                    clock.pass(next, turn, &outages, time + wrong);
                    let after = clock.face(&outages, time + wrong).hands;
                    for side in Side::BOTH {
                        prop_assert!(after[side].left >= before[side].left, "a decision costs nothing by itself");
                        let gain = (after[side].left - before[side].left) as i64;
                        prop_assert!(gain <= terms.pace.budget().increment * i64::from(turns));
                    }
                }
                Event::Restart => {
                    clock = serde_json::from_str(&serde_json::to_string(&clock).unwrap()).unwrap();
                }
                Event::Look => {
                    let seen = clock.face(&outages, time + wrong);
                    prop_assert_eq!(seen.runs, decides);
                }
                // The server's beat tells from when to when it was away.
                Event::Outage { minutes } => {
                    let from = time + wrong;
                    time += minutes * MINUTE;
                    outages.add(from, time + wrong);
                }
                Event::JumpBack { minutes } => wrong -= minutes * MINUTE,
            }
            let budget = terms.pace.budget();
            for side in Side::BOTH {
                let lost = budget.bank + budget.leave - wealth(&clock, side, &outages, time + wrong);
                prop_assert!(lost <= theirs[side], "{side:?} lost {lost} of {}", theirs[side]);
            }
        }
    }
}

#[test]
fn increments_come_once_with_each_turn_and_end_at_the_cap() {
    let mut clock = running(terms(Pace::Fast, false), 0);
    let left = |clock: &Clock| clock.face(&NONE, MONDAY).hands.map(|hand| hand.left as i64);
    clock.pass(Some(Side::Second), 1, &NONE, MONDAY);
    assert_eq!(left(&clock), BySide { first: 3 * DAY, second: 3 * DAY });
    clock.pass(Some(Side::First), 2, &NONE, MONDAY);
    assert_eq!(left(&clock), BySide { first: 3 * DAY + 8 * HOUR, second: 3 * DAY + 8 * HOUR });
    // Taken back and played again: nobody is paid twice.
    clock.pass(Some(Side::First), 1, &NONE, MONDAY);
    clock.pass(Some(Side::First), 2, &NONE, MONDAY);
    assert_eq!(left(&clock).first, 3 * DAY + 8 * HOUR);
    for turn in 3..20 {
        clock.pass(Some(Side::First), turn, &NONE, MONDAY);
    }
    assert_eq!(left(&clock), BySide { first: 5 * DAY, second: 5 * DAY });
}

#[test]
fn leave_is_spent_before_the_flag_falls() {
    let clock = running(terms(Pace::Fast, false), 0);
    let face = clock.face(&NONE, MONDAY + 4 * DAY);
    assert_eq!((face.hands.first.left, face.hands.first.leave), (0, 29 * DAY as u64));
    assert_eq!((face.rest, face.fallen), (Some(Resting::Leave), None));
    assert_eq!(clock.fallen(&NONE, MONDAY + 33 * DAY), Some(Side::First));
    assert_eq!(running(terms(Pace::Live, false), 0).fallen(&NONE, MONDAY + 90 * MINUTE), Some(Side::First));
}

#[test]
fn weekends_are_free_where_the_player_lives() {
    // Friday, 20:00 in Greenwich is Saturday in Auckland.
    let friday = MONDAY + 4 * DAY + 20 * HOUR;
    let mut clock = running(terms(Pace::Fast, true), 13 * 60);
    assert_eq!(
        clock.face(&NONE, friday).rest,
        Some(Resting::Weekend { until: (MONDAY + 6 * DAY + 11 * HOUR) as u64 })
    );
    assert_eq!(running(terms(Pace::Slow, true), 0).face(&NONE, friday).rest, None);
    assert!(clock.live_in(Side::First, 0, &NONE, friday).is_err(), "nobody travels for a longer weekend");
    assert!(clock.live_in(Side::Second, 900, &NONE, friday).is_err());
}

#[test]
fn time_strikes_once_each() {
    let mut clock = running(terms(Pace::Live, false), 0);
    let at = |minutes: i64| MONDAY + minutes * MINUTE;
    assert_eq!(clock.strike(&NONE, at(44)), None);
    assert_eq!(clock.strike(&NONE, at(45)), Some(Stroke::Half));
    assert_eq!(clock.strike(&NONE, at(46)), None);
    assert_eq!(clock.next_stroke(&NONE), Some(at(81)));
    assert_eq!(clock.strike(&NONE, at(200)), Some(Stroke::Fallen), "what was slept through is not told");
    assert_eq!(clock.strike(&NONE, at(200) + 14 * DAY), Some(Stroke::Abandoned));
    assert_eq!(clock.next_stroke(&NONE), None);
}
