//! Arcs of fire, range, sight and flank fire (fire.arcs, fire.flank, R48-R56).

use game::{Allowed, No};
use table::{Angle, EPS, Hull, Pt, Rect, Wedge, closest_on_segment, deeper_than_eps};

use crate::at::At;
use crate::cite;
use crate::rules::basics::{Formation, Layout, Points, Stands};
use crate::rules::terrain::{Blocked, Look, Through};
use crate::state::{BodyId, Marks, State};

/// Who can fire at a target, and how.
#[derive(Debug, Clone)]
pub(crate) struct Bearing {
    /// Stands with the target in arc, range and sight.
    pub stands: u16,
    pub range: i64,
    /// Range band, 0 short to 3 extreme.
    pub band: usize,
    /// From where the nearest stand aims.
    pub from: Pt,
    pub through: Option<BodyId>,
    pub flank: bool,
    /// One die whatever the stands (march column), or a share of the stands (square).
    pub fixed: Option<u8>,
}

/// May fire in any direction.
fn all_round(formation: Formation) -> bool {
    matches!(formation, Formation::Skirmish | Formation::MarchColumn | Formation::Square)
}

/// The stands of a body that fire: where each aims from, and the way all of them look.
#[derive(Debug, Clone)]
pub(crate) struct Muzzles {
    /// The middles of the stands' front edges.
    pub fronts: Points,
    /// The numbers of the first and of the last of them: on the side of a square the last may stand for several.
    numbers: (usize, usize),
    pub facing: Angle,
    /// From the middle of a front edge to the middle of its stand.
    back: Pt,
}

impl Muzzles {
    /// Each with its number.
    fn numbered(&self) -> impl Iterator<Item = (usize, Pt)> + '_ {
        let (first, last) = self.numbers;
        self.fronts.iter().enumerate().map(move |(i, front)| ((first + i).min(last), *front))
    }
}

impl At<'_> {
    /// The stands of a body that can fire: the front rank, guns with crew enough.
    pub(crate) fn firing_stands(self, by: BodyId) -> Muzzles {
        let body = self.body(by);
        let layout = body.layout(self.battle);
        let mut fronts = layout.fronts();
        let mut count = layout.in_rank(0);
        if self.battle.arm(body).is_artillery() && (body.lost + body.fresh) % 4 == 3 {
            count = count.saturating_sub(1);
        }
        fronts.truncate(usize::from(count));
        let facing = layout.pose.facing;
        Muzzles { fronts, numbers: (0, 15), facing, back: -facing.dir().times(layout.size.depth / 2) }
    }

    /// How a body bears on a target standing as `target` (R48-R56).
    pub(crate) fn bearing(self, by: BodyId, at: BodyId, target: &Layout) -> Allowed<Bearing> {
        self.bearing_from(by, at, target, !0)
    }

    /// Why one stand of a body does not bear on a target on which others do.
    pub(crate) fn why_no_fire(self, by: BodyId, at: BodyId, target: &Layout, stand: usize) -> No {
        let no = No::new(cite!("fire.arcs.a"), "it has no such stand in the front rank");
        self.bearing_from(by, at, target, 1 << stand).err().unwrap_or(no)
    }

    /// A skirmish line that thickens (late.b).
    fn is_thickening(self, at: BodyId, target: &Layout) -> bool {
        self.info(at).late && target.shape.formation == Formation::Skirmish
    }

    /// The stands of a target; of a line that thickens only those in place.
    fn stands_to_aim_at(self, at: BodyId, target: &Layout) -> Stands {
        let mut stands = target.rects();
        if self.is_thickening(at, target) {
            stands.truncate(usize::from(target.in_rank(0)));
        }
        stands
    }

    fn bearing_from(self, by: BodyId, at: BodyId, target: &Layout, of: u16) -> Allowed<Bearing> {
        let body = self.body(by);
        let info = self.battle.info(body);
        let mine = body.layout(self.battle);
        let far = info.weapon.ranges[3];
        let beyond = || No::new(cite!("qrs.weapons.a"), "the target is beyond extreme range");
        if !mine.may_be_within(target, far + 2 * table::INCH) {
            return Err(beyond());
        }
        let (own, block) = (mine.block(), target.block());
        if own.distance(&block) > far + 2 * table::INCH {
            return Err(beyond());
        }
        let artillery = info.weapon.kind.is_artillery();
        let half = if artillery { 3000 } else { 4500 };
        let round = all_round(body.shape.formation);
        let out_of_arc = No::new(cite!("fire.arcs.a"), "no stand has the target in its arc");
        if !round && behind(&own, &block) {
            return Err(out_of_arc);
        }
        let stands = match body.shape.formation {
            Formation::Square => faced_side(&mine, &block),
            _ => self.firing_stands(by),
        };
        let through = if artillery { Through::Artillery } else { Through::SmallArms };
        let loose: Stands;
        let marks = if target.solid() && !self.is_thickening(at, target) {
            std::slice::from_ref(&block)
        } else {
            loose = self.stands_to_aim_at(at, target);
            &loose[..]
        };
        let arc = (!round).then(|| Wedge::new(Pt::default(), stands.facing, half));
        let side = self.battle.side(body);
        let mut found = Bearing {
            stands: 0,
            range: i64::MAX,
            band: 0,
            from: mine.pose.at.pt(),
            through: None,
            flank: false,
            fixed: None,
        };
        let mut why = out_of_arc;
        for (i, from) in stands.numbered() {
            if of & (1 << i) == 0 {
                continue;
            }
            let Some(aim) = nearest_in_arc(from, arc.map(|arc| arc.at(from)), marks) else { continue };
            let range = from.to(aim);
            if range > far + EPS {
                why = beyond();
                continue;
            }
            let look = Look { from, to: aim, by, at: Some(at), through, side };
            match self.line_of_sight(&look) {
                Ok(passed) => {
                    found.stands |= 1 << i;
                    found.through = found.through.or(passed);
                    if range < found.range {
                        found.range = range;
                        found.from = from;
                    }
                }
                Err(blocked) => why = no_line(blocked, through),
            }
        }
        if found.stands == 0 {
            return Err(why);
        }
        found.band = (0..4).find(|b| found.range <= info.weapon.ranges[*b] + EPS).unwrap_or(3);
        found.fixed = match body.shape.formation {
            Formation::MarchColumn => Some(1),
            Formation::Square => Some((mine.stands / 4).max(1)),
            _ => None,
        };
        found.flank = self.state.flank_fire(at, target, &stands, found.stands);
        Ok(found)
    }
}

/// The stands of the side of a square that looks at a target, each turned that way (R48, G57).
fn faced_side(square: &Layout, target: &Rect) -> Muzzles {
    let side = square.block().arc_of(target.centre);
    let stands = square.rects();
    let facing = square.pose.facing.turned(side.bearing());
    let ahead = facing.dir();
    let across = if side.is_flank() { table::Side::Front } else { table::Side::Left };
    let depth = stands.first().map_or(0, |stand| stand.edge_length(across));
    // On that side is whoever has nobody of his own before him.
    let beyond = ahead.times(square.reach() * 2);
    let fronts = stands.iter().map(|stand| {
        let (left, right) = stand.edge(side);
        left.part_way(right, 1, 2)
    });
    let outer = |front: &Pt| {
        let before = [*front, *front + beyond];
        !stands.iter().any(|other| deeper_than_eps(&before[..], other))
    };
    // Four numbers for each side, so that every side can fire at a target of its own (fire.arcs.b).
    let first = 4 * table::Side::ALL.iter().position(|s| *s == side).unwrap_or(0);
    let numbers = (first, first + 3);
    Muzzles { fronts: fronts.filter(outer).collect(), numbers, facing, back: -ahead.times(depth / 2) }
}

fn closest_of_hull(hull: &Hull, p: Pt) -> Option<Pt> {
    let n = hull.len();
    (0..n).map(|i| closest_on_segment(p, (hull[i], hull[(i + 1) % n]))).min_by_key(|c| c.to(p))
}

/// The nearest point of a target that lies in a stand's arc.
fn nearest_in_arc(from: Pt, wedge: Option<Wedge>, target: &[Rect]) -> Option<Pt> {
    let of = |rect: &Rect| match wedge {
        Some(wedge) => closest_of_hull(&wedge.cut(rect), from),
        None => Some(rect.closest(from)),
    };
    target.iter().filter_map(of).min_by_key(|p| p.to(from))
}

/// Whether all of a target lies so far behind a body's front that no arc can hold it.
fn behind(own: &Rect, target: &Rect) -> bool {
    target.corners.iter().all(|corner| own.ahead.along(*corner - own.front) < -4 * EPS)
}

fn no_line(blocked: Blocked, through: Through) -> No {
    let why = match blocked {
        Blocked::TooFar => "it is too far to be seen",
        Blocked::Woods => "too much wood lies between",
        Blocked::Ground => "the ground hides it",
        Blocked::Body(_) => "another unit is in the way",
    };
    No::new(blocked.rule(through), why)
}

impl State {
    /// At least half of the firing stands behind the target's front edge (fire.flank.a).
    fn flank_fire(&self, at: BodyId, target: &Layout, stands: &Muzzles, firing: u16) -> bool {
        let body = self.body(at);
        match body.shape.formation {
            Formation::MarchColumn | Formation::Limbered => return true,
            Formation::Square => return false,
            _ if body.marks.has(Marks::BOX) => return false,
            _ => {}
        }
        let firing = stands.numbered().filter(|(i, _)| firing & (1 << i) != 0);
        let (mut all, mut behind) = (0, 0);
        for (_, front) in firing {
            all += 1;
            behind += usize::from(target.behind_front(front + stands.back));
        }
        behind * 2 >= all && all > 0
    }
}
