//! Chapter 5.5 and R24: who stands on a road, which moves keep to it, and marches round its bends.

use game::Allowed;
use table::{Convex, EPS, INCH, MIL, Pose, Pt, Rect, Road, Way, distance_to_segment};

use crate::at::At;
use crate::field::{Field, Surroundings};
use crate::legal::no;
use crate::rules::command::maneuvers::{Bounds, Mover, Plan, Trail, leave, within};
use crate::rules::formations::Formation;
use crate::rules::terrain::Going;
use crate::setup::battle::Battle;
use crate::setup::ground::{Feature, Shape};
use crate::setup::pieces::UnitId;
use crate::state::{Flags, State};

/// How far from the centreline one is still on the road.
const ASIDE: i64 = INCH + EPS;

const fn follows_roads(formation: Formation) -> bool {
    matches!(formation, Formation::MarchColumn | Formation::Limbered)
}

impl Field<'_> {
    /// The road that the last move of a unit followed, while it has not moved or turned since.
    pub(crate) fn followed_road(&self, u: UnitId) -> Option<u16> {
        self.state.unit(u).road
    }
}

impl Battle {
    fn roads(&self) -> impl Iterator<Item = (u16, &Road)> {
        self.terrain.iter().enumerate().filter_map(|(i, f)| match &f.shape {
            Shape::Road(road) => Some((i as u16, road)),
            _ => None,
        })
    }

    fn road(&self, index: u16) -> Option<&Road> {
        self.roads().find(|(i, _)| *i == index).map(|(_, road)| road)
    }

    /// The road that a straight move keeps to: on it at the start, its leader point at the end, and no bend between
    /// them off the way by more than 1 in.
    pub(crate) fn road_along(
        &self,
        formation: Formation,
        followed: Option<u16>,
        from: &Rect,
        shift: Pt,
    ) -> Option<u16> {
        if !follows_roads(formation) {
            return None;
        }
        let to = from.front + shift;
        self.roads().find_map(|(i, road)| {
            let bends = road.between(place_on(road, from, followed == Some(i))?, road.place_of(to, ASIDE)?);
            let straight = |p: &Pt| distance_to_segment(*p, (from.front, to)) <= ASIDE;
            bends.iter().all(straight).then_some(i)
        })
    }

    /// Is everything impassable under a body on this road something that the road runs through (G16)?
    pub(crate) fn is_bridged(&self, road: u16, body: &(impl Convex + ?Sized)) -> bool {
        self.road(road).is_some_and(|road| !self.beside_road(Going::Impassable, road, body))
    }

    /// Does this road run through a piece of terrain?
    pub(crate) fn runs_through(&self, road: u16, feature: &Feature) -> bool {
        self.road(road).is_some_and(|road| feature.is_crossed_by(road))
    }

    /// The road within 1 in of a point.
    pub(crate) fn road_near(&self, p: Pt) -> Option<u16> {
        self.roads().find(|(_, road)| road.place_of(p, ASIDE).is_some()).map(|(i, _)| i)
    }

    pub(crate) fn is_near_road(&self, road: u16, p: Pt) -> bool {
        self.road(road).is_some_and(|road| road.place_of(p, ASIDE).is_some())
    }
}

/// How far along a road a base stands: its leader point within 1 in of the centreline, and its rear middle too unless
/// its last move followed this road. A rigid column just past a bend is still on its road.
fn place_on(road: &Road, rect: &Rect, followed: bool) -> Option<i64> {
    let at = road.place_of(rect.front, ASIDE)?;
    (followed || road.place_of(rect.rear_middle(), ASIDE).is_some()).then_some(at)
}

impl Field<'_> {
    /// The road a column stands on, with its place on the centreline and whether it faces up the road (R24).
    pub(crate) fn on_road(&self, u: UnitId) -> Option<(u16, i64, bool)> {
        if !follows_roads(self.state.unit(u).formation) {
            return None;
        }
        let (rect, followed) = (self.rect(u), self.followed_road(u));
        self.battle.roads().find_map(|(i, road)| {
            let at = place_on(road, rect, followed == Some(i))?;
            let up = rect.facing.turn_to(road.tangent(at, true)).abs() <= 9_000;
            Some((i, at, up))
        })
    }
}

impl State {
    /// Moves a unit to a pose, and remembers the road that a straight move followed (R14, R24).
    pub(crate) fn shift_unit(&mut self, battle: &Battle, u: UnitId, pose: Pose) {
        let (from, unit) = (At::new(battle, self).rect_of(u), self.unit(u));
        if unit.pose == pose {
            return;
        }
        let straight = unit.pose.facing == pose.facing;
        let shift = pose.at.pt() - from.front;
        let road = straight.then(|| battle.road_along(unit.formation, unit.road, &from, shift)).flatten();
        let unit = self.unit_mut(u);
        unit.pose = pose;
        unit.road = road;
        unit.flags.set(Flags::MOVED);
    }
}

impl Surroundings<'_, '_> {
    /// Follows the bends of a road (5.5.l). What the road runs through does not hinder, nor does difficult ground
    /// beside it: a road is open, and its turns may be followed. Impassable ground beside it does (6.1.d, R24).
    pub(crate) fn plan_road_march(
        &self,
        by: i32,
        limit: i32,
        bounds: Bounds,
        way: &mut Trail,
    ) -> Allowed<Plan> {
        let (field, u) = (self.field, self.unit);
        within(by, limit, cite!("5.5.k"), "At The Double goes at most twice the rate")?;
        if by < 0 {
            return no(cite!("5.5.a"), "A move cannot have a negative length.");
        }
        let here = field.on_road(u).and_then(|(i, at, up)| Some((i, field.battle.road(i)?, at, up)));
        let Some((index, road, at, up)) = here else {
            return no(
                cite!("5.5.l"),
                "Only a march column or a limbered battery that stands on a road can follow it.",
            );
        };
        let to =
            (if up { at + i64::from(by) * MIL } else { at - i64::from(by) * MIL }).clamp(0, road.length());
        let mut mover = Mover::new(self, way);
        let size = mover.size();
        let mut before = mover.rect;
        let mut walked = at;
        for corner in road.between(at, to).into_iter().skip(1) {
            walked = road.nearest(corner).0.max(walked.min(to)).min(walked.max(to));
            let here = if corner == road.point(to) { to } else { walked };
            let facing = road.tangent(here, up);
            let pose = Pose { at: corner.spot(), facing };
            let turned = Rect::at(before.front, facing, size);
            let after = Rect::new(pose, size);
            let way = Way::between(&turned, &after);
            if !field.keeps_distance(u, &way) {
                return no(cite!("4.4.a"), "The road leads within 1 in of an enemy unit.");
            }
            if field.battle.beside_road(Going::Impassable, road, &way) {
                return no(cite!("6.1.d"), "At a bend of the road it would swing into impassable terrain.");
            }
            before = after;
            mover.go(pose, after);
        }
        if bounds == Bounds::Exit {
            return leave(mover, false);
        }
        let rect = mover.rect;
        if !field.battle.top.holds(&rect) {
            return no(cite!("5.5.af"), "The unit would cross the table edge.");
        }
        if !field.keeps_distance(u, &rect) {
            return no(cite!("4.4.a"), "The unit would end within 1 in of an enemy unit.");
        }
        if !field.free_of_units(u, &rect) {
            return no(cite!("5.7.a"), "The unit would end on top of another unit.");
        }
        Ok(Plan { road: Some(index), ..mover.done(false) })
    }
}
