//! What becomes of a unit, in the game's own words, for the odds of a decision.

use game::PieceId;
use game::odds::{Fate, Standing, Tone};

use crate::rules::sequence::Step;
use crate::setup::battle::Battle;
use crate::setup::pieces::UnitId;
use crate::state::{Flags, Marker, State, Whereabouts};

pub(crate) fn fate(
    battle: &Battle,
    before: &State,
    after: &State,
    PieceId(piece): PieceId,
    was: &Standing,
    is: &Standing,
) -> Fate {
    if usize::from(piece) < battle.units.len() {
        return of_unit(before, after, UnitId(piece as u8));
    }
    if was.order == is.order && was.off == is.off && was.place != is.place {
        return Fate::new("rides", Tone::Holds);
    }
    Fate::of_standings(was, is)
}

/// What became of a unit: first whether it is still there, then whether it gave way, then what it was sent for, then
/// what it suffered.
fn of_unit(before: &State, after: &State, u: UnitId) -> Fate {
    let (was, is) = (before.unit(u), after.unit(u));
    let moved = was.pose != is.pose;
    match (was.place, is.place) {
        (_, Whereabouts::Broken) => return Fate::new("breaks", Tone::Gone),
        (_, Whereabouts::Left) => return Fate::new("leaves the table", Tone::Gone),
        (Whereabouts::Reserve, Whereabouts::Table) => return Fate::new("arrives", Tone::Gains),
        _ => {}
    }
    let (fought, fights) = (before.engaged(u), after.engaged(u));
    let newly_shaken = is.shaken && !was.shaken;
    if (fought || newly_shaken || was.shaken) && is.shaken && moved && !fights && !obeyed(before, after, u) {
        return Fate::new("retires", Tone::Yields);
    }
    if fights && !fought {
        let charged = is.flags.has(Flags::IMPETUS);
        return if charged { Fate::new("contact", Tone::Gains) } else { Fate::new("is charged", Tone::Hurt) };
    }
    if let Some(fate) = of_charge(before, after, u) {
        return fate;
    }
    if fought {
        return in_melee(after, u, moved, is.hits > was.hits);
    }
    of_order(before, after, u).unwrap_or_else(|| plain(newly_shaken, is.hits > was.hits, moved))
}

/// Has it been given an order since?
fn ordered(before: &State, after: &State, u: UnitId) -> bool {
    after.unit(u).flags.has(Flags::ORDERED) && !before.unit(u).flags.has(Flags::ORDERED)
}

/// Has it moved because it was told to?
fn obeyed(before: &State, after: &State, u: UnitId) -> bool {
    ordered(before, after, u)
        && matches!(after.unit(u).order, Some(Marker::Advance | Marker::March | Marker::Reform))
}

/// A charge that did not come to contact (7.3).
fn of_charge(before: &State, after: &State, u: UnitId) -> Option<Fate> {
    let declared = before.agenda.top() == Some(Step::Charges) && ordered(before, after, u);
    let under_way = before.charge.as_ref().is_some_and(|c| c.active().any(|c| c.unit == u));
    let broke_through = |s: &State| s.unit(u).flags.has(Flags::BROKE_THROUGH);
    if !declared && !under_way && broke_through(before) == broke_through(after) {
        return None;
    }
    let is = after.unit(u);
    Some(match is.order {
        _ if is.shaken && !before.unit(u).shaken && is.hits == before.unit(u).hits => {
            Fate::new("Yellow Bellied", Tone::Yields)
        }
        _ if is.shaken => Fate::new("Shaken", Tone::Yields),
        Some(Marker::Hold) => Fate::new("disobeys", Tone::Yields),
        Some(Marker::Advance) => Fate::new("halts short", Tone::Holds),
        _ => Fate::new("finds no room", Tone::Holds),
    })
}

/// A round of melee that it has come through.
fn in_melee(after: &State, u: UnitId, moved: bool, hurt: bool) -> Fate {
    let won = after.unit(u).flags.has(Flags::WON);
    match (after.engaged(u), won, moved) {
        (false, ..) => Fate::new("holds the field", Tone::Gains),
        (true, true, true) => Fate::new("pushes on", Tone::Gains),
        (true, true, false) => Fate::new("wins the round", Tone::Gains),
        (true, false, true) => Fate::new("recoils", Tone::Yields),
        (true, false, false) if hurt => Fate::new("fights on, hurt", Tone::Hurt),
        (true, false, false) => Fate::new("fights on", Tone::Holds),
    }
}

/// An order that was obeyed or not (5.6).
fn of_order(before: &State, after: &State, u: UnitId) -> Option<Fate> {
    let (was, is) = (before.unit(u), after.unit(u));
    let order = is.order.filter(|_| ordered(before, after, u))?;
    Some(match order {
        Marker::Hold => Fate::new("disobeys", Tone::Yields),
        Marker::Rally if was.shaken && !is.shaken => Fate::new("is Steady again", Tone::Gains),
        Marker::Rally => Fate::new("rallies", Tone::Gains),
        Marker::Advance | Marker::March | Marker::Reform | Marker::Charge => Fate::new("obeys", Tone::Holds),
    })
}

fn plain(newly_shaken: bool, hurt: bool, moved: bool) -> Fate {
    match (newly_shaken, hurt, moved) {
        (true, ..) => Fate::new("Shaken", Tone::Hurt),
        (false, true, _) => Fate::new("hurt", Tone::Hurt),
        (false, false, true) => Fate::new("moves", Tone::Holds),
        (false, false, false) => Fate::UNHURT,
    }
}
