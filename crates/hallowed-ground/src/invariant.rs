//! What holds of every position, whatever has been played.

use table::EPS;

use crate::at::At;
use crate::rules::terrain::Going;
use crate::setup::battle::Battle;
use crate::setup::ground::Shape;
use crate::setup::pieces::{BrigadeId, UnitId};
use crate::state::{State, Whereabouts};

/// Checks a position.
///
/// # Errors
/// One sentence about the first thing that is wrong.
pub fn invariant(battle: &Battle, state: &State) -> Result<(), String> {
    let field = At::new(battle, state).field();
    let name = |u: UnitId| battle.unit(u).slug.as_str();
    for u in field.on_table() {
        let rect = field.rect(u);
        if !battle.top.holds(rect) {
            return Err(format!("{} is off the table: {:?}", name(u), rect.pose()));
        }
        if battle.features(Going::Impassable).any(|f| match &f.shape {
            Shape::Area(a) => {
                a.parts().iter().any(|p| table::depth(p, rect) > 3 * EPS) && field.on_road(u).is_none()
            }
            _ => false,
        }) {
            return Err(format!("{} stands in impassable terrain", name(u)));
        }
        let (shaken_at, break_at) = battle.unit(u).arm.morale();
        if state.unit(u).hits >= shaken_at && !state.unit(u).shaken {
            return Err(format!("{} has {} hits and is Steady", name(u), state.unit(u).hits));
        }
        if state.unit(u).hits >= break_at {
            return Err(format!("{} has {} hits and stands", name(u), state.unit(u).hits));
        }
        if !battle.unit(u).arm.formations().contains(&state.unit(u).formation) {
            return Err(format!("{} is in a formation it cannot take", name(u)));
        }
        // The halt of chargers at point blank is a passing one (R54).
        let charging =
            |u: UnitId| state.charge.as_ref().is_some_and(|c| c.chargers.iter().any(|x| x.unit == u));
        for v in field.on_table().filter(|v| *v > u && !charging(u) && !charging(*v)) {
            let depth = rect.depth_of_overlap(field.rect(v));
            if depth > 3 * EPS {
                return Err(format!(
                    "{} and {} overlap by {depth}: {:?} {:?}",
                    name(u),
                    name(v),
                    rect.pose(),
                    field.rect(v).pose()
                ));
            }
        }
    }
    for b in (0..battle.brigades.len() as u8).map(BrigadeId) {
        if state.brigade_broken(b) != battle.breaks_with(b, At::new(battle, state).broken_troops(b)) {
            return Err(format!("{} is Broken, or not, against its losses", battle.brigade(b).slug));
        }
    }
    for (i, c) in state.contacts.iter().enumerate() {
        if state.contacts[..i].iter().any(|d| (d.a, d.b) == (c.a, c.b) || (d.a, d.b) == (c.b, c.a)) {
            return Err(format!("{} and {} are in contact twice", name(c.a), name(c.b)));
        }
        if !state.on_table(c.a) || !state.on_table(c.b) || battle.unit(c.a).side == battle.unit(c.b).side {
            return Err(format!("{} and {} cannot be in contact", name(c.a), name(c.b)));
        }
        if field.distance(c.a, c.b) > 3 * EPS {
            return Err(format!("{} and {} are said to touch", name(c.a), name(c.b)));
        }
    }
    for (i, c) in state.commanders.iter().enumerate() {
        let who = &battle.officers[i].slug;
        if c.attached.is_some_and(|u| state.unit(u).place != Whereabouts::Table) {
            return Err(format!("{who} is attached to a unit that is gone"));
        }
        if !battle.top.holds_point(c.at.pt()) && c.attached.is_none() {
            return Err(format!("{who} is off the table"));
        }
    }
    Ok(())
}
