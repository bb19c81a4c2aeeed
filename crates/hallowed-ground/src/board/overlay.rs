//! What the board lays over the table for one piece: moves, arcs, sight, ranges, the reach of a charge.

use game::PieceId;
use game::board::{Ask, Overlay, OverlayShape};
use table::{Angle, INCH, MIL, Pt, Rect, Side as Edge, div_round};

use crate::at::At;
use crate::board::offer::inches;
use crate::field::Field;
use crate::rules::sequence::Step;
use crate::rules::shooting::sight::Kind;
use crate::setup::pieces::{CommanderId, UnitId};

/// A circle as a polygon.
fn circle(centre: Pt, radius: i64) -> Vec<[i32; 2]> {
    (0..48).map(|i| corner(centre + Angle::hundredths(750 * i).dir().times(radius))).collect()
}

fn corner(p: Pt) -> [i32; 2] {
    [p.spot().x, p.spot().y]
}

impl At<'_> {
    pub(crate) fn overlay(self, ask: &Ask) -> Overlay {
        let field = self.field();
        let Some(PieceId(id)) = ask.piece else { return Overlay::default() };
        let id = usize::from(id);
        if id >= self.battle.units.len() {
            let c = CommanderId((id - self.battle.units.len()) as u8);
            if c.i() >= self.battle.officers.len() {
                return Overlay::default();
            }
            let radius = self.battle.officer(c).radius() + 12 * INCH;
            let shape = OverlayShape {
                points: circle(self.state.commanders[c.i()].at.pt(), radius),
                tag: "command".into(),
                text: "12 in".into(),
            };
            return Overlay {
                shapes: vec![shape],
                note: "Units that this circle touches are within 12 in.".into(),
                ..Overlay::default()
            };
        }
        let u = UnitId(id as u8);
        match ask.overlay.as_str() {
            "moves" => field.move_overlay(u),
            "arcs" => arcs(field.rect(u)),
            "sight" => field.sight_overlay(u),
            "range" => field.range_overlay(u),
            "reach" => field.charge_overlay(u),
            "fire" => Overlay { fires: field.prospects(u), ..Overlay::default() },
            _ => Overlay::default(),
        }
    }
}

impl Field<'_> {
    /// Before charges are declared the reach of a charge, then that of an Advance and a March.
    fn move_overlay(&self, u: UnitId) -> Overlay {
        let outline = |points: Vec<Pt>, tag: &str, text: String| OverlayShape {
            points: points.into_iter().map(corner).collect(),
            tag: tag.into(),
            text,
        };
        let rate = self.rate(u);
        let shapes = match self.state.agenda.top() {
            Some(Step::Charges) if self.side(u) == self.state.active => self
                .longest_charge(u)
                .map(|far| {
                    let from = self.rect(u).front;
                    let round = (0..72).map(|i| from + Angle::hundredths(500 * i).dir().times(far)).collect();
                    outline(round, "charge", format!("charge {} in", far / INCH))
                })
                .into_iter()
                .collect(),
            Some(Step::Orders { brigade })
                if self.battle.unit(u).brigade == brigade && self.state.awaits_order(u) =>
            {
                let mut shapes =
                    vec![outline(self.advance_reach(u), "reach", format!("advance {}", inches(rate)))];
                let ends = self.march_reach(u);
                let from = self.rect(u).front;
                shapes.extend(ends.into_iter().filter(|end| end.to(from) > i64::from(rate) * MIL).map(
                    |end| {
                        outline(
                            vec![from, end],
                            "march",
                            format!("march {} in", div_round(end.to(from), INCH)),
                        )
                    },
                ));
                shapes
            }
            _ => Vec::new(),
        };
        Overlay { shapes, ..Overlay::default() }
    }
}

fn arcs(rect: &Rect) -> Overlay {
    let far = 12 * INCH;
    let ray = |i: usize| {
        let turn = [4_500, -4_500, -13_500, 13_500][i];
        rect.corners[i] + rect.facing.turned(turn).dir().times(far)
    };
    let shape = |(edge, a, b): (Edge, usize, usize)| OverlayShape {
        points: vec![corner(rect.corners[a]), corner(rect.corners[b]), corner(ray(b)), corner(ray(a))],
        tag: "arc".into(),
        text: format!("{edge:?}"),
    };
    let shapes =
        [(Edge::Front, 1, 0), (Edge::Right, 0, 3), (Edge::Rear, 3, 2), (Edge::Left, 2, 1)].map(shape);
    Overlay { shapes: shapes.into(), note: "Four arcs from the corners.".into(), ..Overlay::default() }
}

impl Field<'_> {
    fn sight_overlay(&self, u: UnitId) -> Overlay {
        let shapes = self
            .enemies(u)
            .filter_map(|e| {
                let sight = self.sight(u, e);
                let tag = match sight.kind() {
                    Kind::None => return None,
                    Kind::Partial => "partial",
                    Kind::Full => "full",
                };
                let (a, b) = self.rect(e).edge(sight.presented);
                let percent = 100 * sight.visible / sight.length.max(1);
                Some(OverlayShape {
                    points: vec![corner(self.rect(u).front), corner(a), corner(b)],
                    tag: tag.into(),
                    text: format!("{percent} %"),
                })
            })
            .collect();
        Overlay { shapes, note: "Fans to the edges that enemies present.".into(), ..Overlay::default() }
    }

    fn range_overlay(&self, u: UnitId) -> Overlay {
        let full = self.battle.unit(u).arm.range() * INCH;
        let shape = |radius: i64| OverlayShape {
            points: circle(self.rect(u).front, radius),
            tag: "range".into(),
            text: format!("{} in", radius / INCH),
        };
        Overlay {
            shapes: vec![shape(6 * INCH), shape(full / 2), shape(full)],
            note: String::new(),
            ..Overlay::default()
        }
    }

    fn charge_overlay(&self, u: UnitId) -> Overlay {
        let shapes = self
            .enemies(u)
            .filter_map(|e| {
                let line = self.line_of_charge(u, e, &[u]).ok()?;
                let end = Rect::new(line.pose, self.rect(u).size());
                Some(OverlayShape {
                    points: end.corners.iter().map(|c| corner(*c)).collect(),
                    tag: "reach".into(),
                    text: inches(line.distance),
                })
            })
            .collect();
        Overlay { shapes, note: "Where its charges would end.".into(), ..Overlay::default() }
    }
}
