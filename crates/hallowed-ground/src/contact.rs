//! Contact of opposing units: who touches whom on which side, and who defends an obstacle (R31, R72).

use table::{EPS, Line, Rect, Side as Edge, Span, Spans, length, unite};

use crate::formations::COVER;
use crate::muster::{Battle, Contact, Flags, Ground, Shape, State, UnitId, rect_of};

/// Stores that `a` came into contact with `b`, on these sides of each; `b` was come upon, so only it can be defending.
pub(crate) fn engage(
    battle: &Battle,
    state: &mut State,
    a: UnitId,
    b: UnitId,
    side_of_a: Edge,
    side_of_b: Edge,
) {
    if state.contacts.iter().any(|c| (c.a == a && c.b == b) || (c.a == b && c.b == a)) {
        return;
    }
    let charged = !state.unit(b).flags.has(Flags::IMPETUS);
    let b_defends = charged && defends(battle, &rect_of(battle, state, b), &rect_of(battle, state, a));
    let _ = state.contacts.try_push(Contact { a, b, side_of_a, side_of_b, a_defends: false, b_defends });
}

/// An obstacle runs along the touching edges, within half an inch of them, over at least half the contact.
fn defends(battle: &Battle, defender: &Rect, charger: &Rect) -> bool {
    let Some(contact) = table::touch(charger, defender) else { return false };
    let edge = defender.edge(contact.theirs);
    let other = charger.edge(contact.mine);
    battle.terrain.iter().filter(|f| f.ground == Ground::Obstacle).any(|f| match &f.shape {
        Shape::Line(line) => {
            line.distance(defender) <= COVER + EPS && 2 * along(line, edge, other) >= contact.length - 2 * EPS
        }
        _ => false,
    })
}

/// How much of the common stretch of two touching edges a line accompanies.
fn along(line: &Line, edge: (table::Pt, table::Pt), other: (table::Pt, table::Pt)) -> i64 {
    let side = edge.1 - edge.0;
    let long = side.length().max(1);
    let at = |p: table::Pt| {
        let d = p - edge.0;
        (table::mul_div(1, side.dot(d), long), table::mul_div(1, side.cross(d), long))
    };
    let (lo, hi) = (at(other.1).0.max(0), at(other.0).0.min(long));
    let mut spans = Spans::new();
    for (a, b) in line.legs() {
        let ((x0, h0), (x1, h1)) = (at(a), at(b));
        // The part of the leg that lies within half an inch of the edge's line.
        let (mut t0, mut t1) = (0i64, 1 << 20);
        for (g0, g1) in [(COVER + EPS - h0, COVER + EPS - h1), (h0 + COVER + EPS, h1 + COVER + EPS)] {
            if g0 < 0 && g1 < 0 {
                t1 = -1;
            } else if g0 < 0 {
                t0 = t0.max(table::mul_div(1 << 20, -g0, g1 - g0));
            } else if g1 < 0 {
                t1 = t1.min(table::mul_div(1 << 20, g0, g0 - g1));
            }
        }
        if t1 > t0 {
            let x = |t: i64| x0 + table::mul_div(x1 - x0, t, 1 << 20);
            let (p, q) = (x(t0).min(x(t1)), x(t0).max(x(t1)));
            let span = Span { lo: p.max(lo), hi: q.min(hi) };
            if span.hi > span.lo {
                let _ = spans.try_push(span);
            }
        }
    }
    length(&unite(spans))
}

/// Is `u` defending an obstacle against `foe`?
pub(crate) fn is_defending(state: &State, u: UnitId, foe: UnitId) -> bool {
    state
        .contacts
        .iter()
        .any(|c| (c.a == u && c.b == foe && c.a_defends) || (c.b == u && c.a == foe && c.b_defends))
}

/// A unit that leaves its place has no contacts any more.
pub(crate) fn disengage(state: &mut State, u: UnitId) {
    state.contacts.retain(|c| c.a != u && c.b != u);
}
