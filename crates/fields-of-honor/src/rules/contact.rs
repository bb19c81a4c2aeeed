//! Arranging stands in contact: who touches whom, and how bodies at blows stay in touch when they lose stands, get some
//! back, or turn.

use arrayvec::ArrayVec;
use game::{Effects, Kind};
use table::{EPS, INCH, MIL, Pose, Rect, Size};

use crate::at::{At, Run};
use crate::cite;
use crate::rules::basics::{Formation, Layout, Shape, gap};
use crate::rules::charge::movement::touch_distance;
use crate::state::{BodyId, Face, MAX_FOES, Marks};

/// Poses lie on a grid: so far apart, or so deep in each other, two flush fronts may seem.
const FLUSH: i64 = 6 * EPS;

type Foes = ArrayVec<(BodyId, Layout), MAX_FOES>;

/// Whether two stands touch along a positive length of their edges, and not only at a corner.
pub(crate) fn touches(one: &Rect, other: &Rect) -> bool {
    gap(&one.bounds, &other.bounds) <= FLUSH && (still_touches(one, other) || still_touches(other, one))
}

/// A stand a little narrower or a little less deep touches too.
fn still_touches(stand: &Rect, enemy: &Rect) -> bool {
    let narrow =
        Rect::at(stand.front, stand.facing, Size { width: 2 * (stand.a * 9 / 10), depth: 2 * stand.b });
    let shallow = Rect::at(
        stand.front - stand.ahead.times(stand.b / 10),
        stand.facing,
        Size { width: 2 * stand.a, depth: 2 * (stand.b * 9 / 10) },
    );
    narrow.distance(enemy) <= FLUSH || shallow.distance(enemy) <= FLUSH
}

/// How many stands of one body touch a stand of another.
fn touching(mine: &Layout, theirs: &Layout) -> usize {
    if !mine.may_be_within(theirs, INCH) {
        return 0;
    }
    let others = theirs.rects();
    mine.rects().iter().filter(|stand| others.iter().any(|other| touches(stand, other))).count()
}

/// Whether two bodies are in contact, stand against stand.
pub(crate) fn in_touch(mine: &Layout, theirs: &Layout) -> bool {
    touching(mine, theirs) > 0
}

impl At<'_> {
    fn foes_of(self, id: BodyId) -> Foes {
        self.state.opponents(id).map(|(_, foe)| (foe, self.layout(foe))).collect()
    }

    /// Whether a body at blows can stand there: on the table, flush with its enemies, in nobody.
    fn has_room(self, id: BodyId, there: &Layout) -> bool {
        let side = self.side_of(id);
        let stands_in = |other: &Layout| {
            let (ours, theirs) = (there.rects(), other.rects());
            ours.iter().any(|a| theirs.iter().any(|b| a.depth_of_overlap(b) > FLUSH))
        };
        self.battle.top.holds(&there.block())
            && !self.state.on_table().any(|(other, body)| {
                let apart = body.marks.has(Marks::ABANDONED)
                    || (body.marks.unsighted() && self.battle.side(body) != side)
                    || other == id;
                !apart && there.overlaps(&body.layout(self.battle)) && stands_in(&body.layout(self.battle))
            })
    }

    /// The place in touch with all its enemies that has most stands in contact; else the nearest to one side that has any.
    fn place_for_all(self, id: BodyId, now: &Layout, before: &Layout, foes: &Foes) -> Option<Pose> {
        let fits =
            |there: &Layout| foes.iter().all(|(_, foe)| in_touch(there, foe)) && self.has_room(id, there);
        let in_contact = |there: &Layout| -> usize { foes.iter().map(|(_, foe)| touching(there, foe)).sum() };
        let shift = |there: &Layout| there.pose.at.pt().to(now.pose.at.pt());
        let kept = kept_places(now, before).filter(fits);
        let best = kept.min_by_key(|there| (std::cmp::Reverse(in_contact(there)), shift(there)));
        best.or_else(|| beside(now).find(fits)).map(|there| there.pose)
    }

    /// Where a body at blows that takes another shape about its middle is still in touch with all its enemies.
    pub(crate) fn reshaped(self, id: BodyId, there: &Layout) -> Option<Pose> {
        let before = self.layout(id);
        let foes = self.foes_of(id);
        // Its new front may also lie where the old one was.
        let front = there.at(Pose { at: before.pose.at, ..there.pose });
        let place = |layout: &Layout| self.place_for_all(id, layout, &before, &foes);
        place(&front).or_else(|| place(there))
    }

    /// A body at blows turned to the enemy on one of its faces, its new front where that face was, in touch with everybody
    /// it was in touch with (R73); none if there is no room for it.
    pub(crate) fn turned_to(self, id: BodyId, face: Face) -> Option<Layout> {
        let layout = self.layout(id);
        let (block, edge) = (layout.block(), face.edge());
        let (left, right) = block.edge(edge);
        let facing = layout.pose.facing.turned(edge.bearing());
        let shape = turned_shape(&layout, edge.bearing());
        let turned = Layout { shape, pose: Pose { at: left.part_way(right, 1, 2).spot(), facing }, ..layout };
        let spare = (turned.extent().width - block.edge_length(edge)) / 2;
        let along = facing.dir().right();
        let foes = self.foes_of(id);
        let slides =
            [0, spare, -spare].into_iter().chain((1..=4).flat_map(|q| [q * INCH / 4, -q * INCH / 4]));
        let mut places = slides.map(|aside| turned.at(turned.pose.shifted(along.times(aside))));
        places.find(|there| self.has_room(id, there) && foes.iter().all(|(_, foe)| in_touch(there, foe)))
    }
}

impl<F: Effects> Run<'_, F> {
    /// A body at blows has lost stands or got some back. Those in contact stay where they are: of the places in which its
    /// stands cover what they covered before, it takes the one with most of them in contact (melee.contact.a).
    pub(crate) fn keep_in_touch(&mut self, id: BodyId, before: &Layout) {
        let foes = self.at().foes_of(id);
        for _ in 0..4 {
            let now = self.at().layout(id);
            if let Some(pose) = self.at().place_for_all(id, &now, before, &foes) {
                self.state.body_mut(id).pose = pose;
                return;
            }
            // Without room for the stands that come back the line is one file narrower.
            let fixed = matches!(now.shape.formation, Formation::Mob | Formation::Square);
            if now.stands <= before.stands || fixed || now.files() < 2 {
                break;
            }
            self.state.body_mut(id).shape.files = now.files() - 1;
        }
        let now = self.at().layout(id);
        let kept = kept_places(&now, before).filter(|there| self.at().has_room(id, there));
        let attacks = |foe: BodyId| self.state.bouts.iter().any(|b| b.attacker == id && b.defender == foe);
        let worth = |there: &Layout| {
            let met = |(foe, theirs): &&(BodyId, Layout)| in_touch(there, theirs).then(|| attacks(*foe));
            let attacked = foes.iter().filter(|f| met(f) == Some(true)).count();
            (attacked, foes.iter().filter(|f| met(f).is_some()).count())
        };
        let best = kept.max_by_key(worth).map(|there| there.pose);
        self.state.body_mut(id).pose = best.unwrap_or_else(|| self.at().nearest_room(id, &now));
        for (foe, _) in foes {
            self.follow_or_part(id, foe);
        }
    }

    /// An enemy with whom a body has lost touch comes up to it if nobody else holds him; else they part.
    fn follow_or_part(&mut self, id: BodyId, foe: BodyId) {
        let target = self.at().layout(id);
        let start = self.at().layout(foe);
        if in_touch(&target, &start) {
            return;
        }
        let alone = self.state.opponents(foe).count() == 1;
        let bout = self.state.bouts.iter().find(|b| b.attacker == foe && b.defender == id).copied();
        let dir = start.pose.facing.dir();
        let up = bout.filter(|b| alone && b.back == Face::Front).and_then(|b| {
            let d = touch_distance(&start, &target, dir).unwrap_or(0);
            self.at().square_up(foe, &start, id, d, dir, b.face)
        });
        if let Some(pose) = up {
            self.state.body_mut(foe).pose = pose;
            self.state.carry_leader(foe);
            return;
        }
        self.state.bouts.retain(|b| b.other_than(id) != Some(foe));
        self.tell_of(id, Kind::Note, "loses touch with its enemy", cite!("melee.contact.a"));
    }
}

/// The places in which stands cover what they covered before: one end or the other closes up, the front or the rear stays.
fn kept_places(now: &Layout, before: &Layout) -> impl Iterator<Item = Layout> {
    let now = *now;
    let ahead = now.pose.facing.dir();
    let half = i64::from(now.shape.pitch) * MIL / 2;
    let files = (i64::from(before.files()) - i64::from(now.files())).abs();
    let depth = before.extent().depth - now.extent().depth;
    (-files..=files).flat_map(move |aside| {
        let beside = ahead.right().times(aside * half);
        [0, -depth].map(|back| now.at(now.pose.shifted(beside + ahead.times(back))))
    })
}

/// The places to either side, behind and ahead, by quarters of an inch.
fn beside(now: &Layout) -> impl Iterator<Item = Layout> {
    let now = *now;
    (1..=12).flat_map(move |quarter| {
        [9000, 27_000, 18_000, 0].map(|bearing| now.at(now.pose.moved(bearing, quarter * INCH / 4)))
    })
}

/// Every stand of a grid turned about its own middle: rows become files on a quarter turn.
pub(crate) fn turned_shape(layout: &Layout, turn: i32) -> Shape {
    let mut shape = layout.shape;
    if turn.rem_euclid(18_000) != 0 {
        let depth = (layout.size.depth / MIL) as u16;
        shape.files = layout.ranks();
        (shape.pitch, shape.gap) = (layout.shape.gap.max(1000), layout.shape.pitch.max(depth));
    }
    shape
}
