//! When somebody may be told: what they wish, in their own time zone.

use host::Failure;
use host::wire::{Code, Letters, NoticeWishes, Quiet};
use jiff::civil::Time;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan as _, Zoned};
use serde::{Deserialize, Serialize};
use store::NoticeSettings;

use super::Occasion;

const MINUTES: u16 = 24 * 60;
/// When daily letters go out.
const MORNING: u16 = 8 * 60;
const HOUR: i64 = 3_600_000;

/// What of the wishes is not among the bits.
#[derive(Debug, Serialize, Deserialize)]
struct Kept {
    letters: Letters,
    quiet: Option<Quiet>,
    zone: String,
}

fn bits(wishes: &NoticeWishes) -> i64 {
    let clock = Occasion::Half.bit() | Occasion::Tenth.bit();
    let all = [
        (wishes.turn, Occasion::Turn.bit()),
        (wishes.joined, Occasion::Joined.bit()),
        (wishes.undo, Occasion::Undo.bit()),
        (wishes.clock, clock),
        (wishes.over, Occasion::Over.bit()),
    ];
    all.into_iter().filter(|(on, _)| *on).map(|(_, bit)| bit).sum()
}

/// What somebody wishes who has not said anything.
pub(super) fn usual() -> NoticeWishes {
    NoticeWishes {
        turn: true,
        joined: true,
        undo: true,
        clock: true,
        over: true,
        letters: Letters::Now,
        quiet: None,
        zone: "UTC".to_owned(),
    }
}

/// Wishes as they are kept.
pub(super) fn write(account: &str, wishes: &NoticeWishes) -> Result<NoticeSettings, Failure> {
    let malformed = |what: &str| Failure::new(Code::Malformed, what);
    if wishes.quiet.is_some_and(|quiet| quiet.from >= MINUTES || quiet.to >= MINUTES) {
        return Err(malformed("Quiet hours are given in minutes after midnight, 0 to 1439."));
    }
    if TimeZone::get(&wishes.zone).is_err() {
        return Err(malformed("This time zone is unknown; name one such as Europe/Berlin."));
    }
    let kept = Kept { letters: wishes.letters, quiet: wishes.quiet, zone: wishes.zone.clone() };
    let body = serde_json::to_string(&kept).map_err(|_| Failure::internal("wishes cannot be written"))?;
    Ok(NoticeSettings { account: account.to_owned(), occasions: bits(wishes), body })
}

/// Wishes as they were kept.
pub(super) fn read(row: Option<NoticeSettings>) -> NoticeWishes {
    let Some(row) = row else { return usual() };
    let Ok(Kept { letters, quiet, zone }) = serde_json::from_str(&row.body) else { return usual() };
    let on = |occasion: Occasion| row.occasions & occasion.bit() != 0;
    NoticeWishes {
        turn: on(Occasion::Turn),
        joined: on(Occasion::Joined),
        undo: on(Occasion::Undo),
        clock: on(Occasion::Tenth),
        over: on(Occasion::Over),
        letters,
        quiet,
        zone,
    }
}

/// When a notice that came about at `made` may go out, looked at `now`: now, or later.
pub(super) fn when(wishes: &NoticeWishes, letter: bool, occasion: i64, made: i64, now: i64) -> i64 {
    let zone = TimeZone::get(&wishes.zone).unwrap_or(TimeZone::UTC);
    let urgent = occasion == Occasion::Half.bit() || occasion == Occasion::Tenth.bit();
    let collected = match wishes.letters {
        _ if !letter || urgent => made,
        Letters::Now => made,
        Letters::Hourly => (made.div_euclid(HOUR) + 1) * HOUR,
        Letters::Daily => next(made, MORNING, &zone),
    };
    let at = collected.max(now);
    match wishes.quiet {
        Some(quiet) if is_quiet(at, quiet, &zone) => next(at, quiet.to, &zone),
        _ => at,
    }
}

fn local(at: i64, zone: &TimeZone) -> Zoned {
    Timestamp::from_millisecond(at).unwrap_or(Timestamp::UNIX_EPOCH).to_zoned(zone.clone())
}

fn is_quiet(at: i64, quiet: Quiet, zone: &TimeZone) -> bool {
    let time = local(at, zone).time();
    let minute = time.hour() as u16 * 60 + time.minute() as u16;
    match quiet.from <= quiet.to {
        true => (quiet.from..quiet.to).contains(&minute),
        false => minute >= quiet.from || minute < quiet.to,
    }
}

/// The next time after `at` that the clock on the wall shows this minute of the day.
fn next(at: i64, minute: u16, zone: &TimeZone) -> i64 {
    let time = Time::new((minute / 60) as i8, (minute % 60) as i8, 0, 0).unwrap_or_default();
    let today = local(at, zone).date();
    let days = [Some(today), today.checked_add(1.day()).ok(), today.checked_add(2.days()).ok()];
    let moments = days.into_iter().flatten().filter_map(|day| {
        day.to_datetime(time).to_zoned(zone.clone()).ok().map(|moment| moment.timestamp().as_millisecond())
    });
    moments.into_iter().find(|moment| *moment > at).unwrap_or(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> i64 {
        text.parse::<Timestamp>().unwrap().as_millisecond()
    }

    fn berlin(letters: Letters, quiet: Option<(u16, u16)>) -> NoticeWishes {
        let quiet = quiet.map(|(from, to)| Quiet { from, to });
        NoticeWishes { letters, quiet, zone: "Europe/Berlin".into(), ..usual() }
    }

    #[test]
    fn letters_are_collected_and_urgent_ones_are_not() {
        let made = at("2026-06-10T09:20:00Z");
        let (turn, tenth) = (Occasion::Turn.bit(), Occasion::Tenth.bit());
        let of = |letters, letter, occasion| when(&berlin(letters, None), letter, occasion, made, made);
        assert_eq!(of(Letters::Now, true, turn), made);
        assert_eq!(of(Letters::Hourly, true, turn), at("2026-06-10T10:00:00Z"));
        assert_eq!(of(Letters::Daily, true, turn), at("2026-06-11T06:00:00Z"), "eight in Berlin, in summer");
        assert_eq!(of(Letters::Daily, true, tenth), made);
        assert_eq!(of(Letters::Daily, false, turn), made, "only letters are collected");
        let late = at("2026-06-11T06:00:00Z");
        assert_eq!(when(&berlin(Letters::Daily, None), true, turn, made, late), late, "its hour has come");
    }

    #[test]
    fn quiet_hours_are_those_of_the_place() {
        let night = berlin(Letters::Now, Some((22 * 60, 7 * 60)));
        let told = |text: &str| when(&night, false, Occasion::Tenth.bit(), at(text), at(text));
        assert_eq!(told("2026-06-10T19:59:00Z"), at("2026-06-10T19:59:00Z"));
        assert_eq!(told("2026-06-10T20:00:00Z"), at("2026-06-11T05:00:00Z"), "22:00 in Berlin");
        assert_eq!(told("2026-06-11T04:59:00Z"), at("2026-06-11T05:00:00Z"));
        assert_eq!(told("2026-06-11T05:00:00Z"), at("2026-06-11T05:00:00Z"));
        // The clocks go back in this night: seven in the morning is an hour later.
        assert_eq!(told("2026-10-24T22:00:00Z"), at("2026-10-25T06:00:00Z"));
        let noon = berlin(Letters::Now, Some((12 * 60, 13 * 60)));
        let at_noon = at("2026-01-10T11:30:00Z");
        assert_eq!(when(&noon, true, 1, at_noon, at_noon), at("2026-01-10T12:00:00Z"));
    }

    #[test]
    fn wishes_are_kept_as_they_are() {
        let wishes = NoticeWishes { turn: false, over: false, ..berlin(Letters::Daily, Some((0, 1439))) };
        assert_eq!(read(Some(write("ada", &wishes).unwrap())), wishes);
        assert!(write("ada", &NoticeWishes { zone: "Mars/Olympus".into(), ..usual() }).is_err());
        assert!(write("ada", &berlin(Letters::Now, Some((0, 1440)))).is_err());
    }
}
