//! Command radii, arcs, range bands and reach, on request.

use game::PieceId;
use game::board::{Ask, Overlay, OverlayShape};
use table::{MIL, Pose, Pt};

use crate::at::At;
use crate::notation::number;
use crate::rules::basics::Layout;
use crate::rules::fire::BANDS;
use crate::rules::sequence::Step;
use crate::state::BodyId;

impl At<'_> {
    pub(crate) fn overlay(self, ask: &Ask) -> Overlay {
        let mut overlay = Overlay::default();
        let Some(PieceId(n)) = ask.piece else { return overlay };
        if n >= 100 {
            let Some(man) = self.state.leaders.get(usize::from(n - 100)) else { return overlay };
            overlay.shapes.push(circle(man.at.pt(), self.battle.command_range(), "command", "command range"));
            overlay.shapes.push(circle(man.at.pt(), 2 * self.battle.command_range(), "command", "orders"));
            overlay.note = "Command range, and twice that for orders.".to_owned();
            return overlay;
        }
        let Some(body) = self.state.bodies.get(usize::from(n)) else { return overlay };
        let layout = body.layout(self.battle);
        let info = self.battle.info(body);
        let hidden = body.marks.unsighted() && ask.side.is_some_and(|s| s != info.side);
        if hidden || !body.on_table() {
            return overlay;
        }
        match ask.overlay.as_str() {
            "fire" => overlay.fires = self.fire_prospects(BodyId(n as u8)),
            "moves" => overlay.shapes.extend(self.overlay_of_moves(BodyId(n as u8), &layout)),
            "arcs" => {
                let half = if info.weapon.kind.is_artillery() { 3000 } else { 4500 };
                for (range, name) in info.weapon.ranges.iter().zip(BANDS) {
                    overlay.shapes.push(sector(
                        layout.pose,
                        layout.extent().width,
                        *range,
                        half,
                        "arc",
                        name,
                    ));
                }
                overlay.note = format!("{}: short, medium, long, extreme.", info.weapon.name);
            }
            "reach" => {
                let rate = self.battle.rate(body);
                overlay.shapes.push(sector(
                    layout.pose,
                    layout.extent().width,
                    rate.engaged,
                    4500,
                    "reach",
                    "engaged",
                ));
                overlay.shapes.push(sector(
                    layout.pose,
                    layout.extent().width,
                    rate.charge,
                    4500,
                    "reach",
                    "charge",
                ));
                overlay.note = "Engaged and Charge rate within the arc, on clear ground.".to_owned();
            }
            _ => {
                let at = self.commander_of(BodyId(n as u8)).map(|l| self.state.leaders[l.i()].at.pt());
                overlay
                    .shapes
                    .extend(at.map(|p| circle(p, self.battle.command_range(), "command", "command range")));
                overlay.note = "The command range of its sub-commander.".to_owned();
            }
        }
        overlay
    }

    /// Before charges are declared the reach of a charge, in the Movement Phase that of a move.
    fn overlay_of_moves(self, id: BodyId, layout: &Layout) -> Option<OverlayShape> {
        match self.state.agenda.top()? {
            Step::Charges if self.may_charge(id).is_ok() => {
                let rate = self.battle.rate(self.body(id)).charge;
                let text = format!("charge {} in", number(rate / MIL));
                Some(sector(layout.pose, layout.extent().width, rate, 4500, "charge", &text))
            }
            Step::Moves => {
                let points: Vec<[i32; 2]> =
                    self.drag_reach(id).into_iter().map(|p| [p.spot().x, p.spot().y]).collect();
                let text = format!("move {} in", number(self.rate_now(id) / MIL));
                (points.len() > 2).then(|| OverlayShape { points, tag: "reach".to_owned(), text })
            }
            _ => None,
        }
    }
}

fn circle(at: Pt, radius: i64, tag: &str, text: &str) -> OverlayShape {
    let points = (0..48)
        .map(|i| {
            let p = (at + table::Angle::hundredths(i * 750).dir().times(radius)).spot();
            [p.x, p.y]
        })
        .collect();
    OverlayShape { points, tag: tag.to_owned(), text: text.to_owned() }
}

/// The ground ahead of a front: from its left corner round to its right corner.
fn sector(pose: Pose, width: i64, range: i64, half: i32, tag: &str, text: &str) -> OverlayShape {
    let at = pose.at.pt();
    let right = pose.facing.dir().right();
    let (l, r) = (at - right.times(width / 2), at + right.times(width / 2));
    let mut points = vec![l];
    points.extend((0..=6).map(|i| l + pose.facing.turned(-half + half * i / 6).dir().times(range)));
    points.extend((0..=6).map(|i| r + pose.facing.turned(half * i / 6).dir().times(range)));
    points.push(r);
    let points = points.into_iter().map(|p| p.spot()).map(|s| [s.x, s.y]).collect();
    OverlayShape { points, tag: tag.to_owned(), text: text.to_owned() }
}
