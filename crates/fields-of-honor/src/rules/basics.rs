//! Basics: scale, stands, formations and their footprints, ratings, casualties (basics.*).

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};
use table::{Angle, Bounds, Dir, EPS, INCH, MIL, Pose, Pt, Rect, Size};

use crate::setup::battle::Battle;
use crate::state::{Body, BodyId, Marks, State};

/// No body has more stands.
pub(crate) const MAX_STANDS: usize = 12;

/// The stands of a body on the table.
pub(crate) type Stands = ArrayVec<Rect, MAX_STANDS>;

/// A point of each of them.
pub(crate) type Points = ArrayVec<Pt, MAX_STANDS>;

/// A cheap lower bound of the distance between anything in one box and anything in the other.
pub(crate) fn gap(a: &Bounds, b: &Bounds) -> i64 {
    let x = (b.lo.x - a.hi.x).max(a.lo.x - b.hi.x);
    let y = (b.lo.y - a.hi.y).max(a.lo.y - b.hi.y);
    x.max(y).max(0)
}

/// Foot, horse or guns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Arm {
    Infantry,
    Cavalry,
    FootArtillery,
    HorseArtillery,
}

impl Arm {
    pub const NAMES: [&'static str; 4] = ["infantry", "cavalry", "artillery", "horse artillery"];
    pub const ALL: [Arm; 4] = [Arm::Infantry, Arm::Cavalry, Arm::FootArtillery, Arm::HorseArtillery];

    /// Guns of either kind.
    pub fn is_artillery(self) -> bool {
        matches!(self, Arm::FootArtillery | Arm::HorseArtillery)
    }

    /// Width and depth of a stand (basics.scale.d).
    pub fn stand(self) -> Size {
        match self {
            Arm::Infantry => Size { width: INCH, depth: 750 * MIL },
            _ => Size { width: INCH, depth: INCH },
        }
    }

    /// Hits that take a stand away (basics.casualties.b, R60).
    pub fn hits_a_stand(self) -> u8 {
        match self {
            Arm::Infantry => 3,
            Arm::Cavalry => 2,
            _ => 4,
        }
    }
}

/// How stands are arranged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Formation {
    Line,
    Extended,
    AttackColumn,
    MarchColumn,
    Mob,
    Skirmish,
    Square,
    Unlimbered,
    Limbered,
}

impl Formation {
    pub const NAMES: [&'static str; 9] =
        ["line", "extended", "attack", "march", "mob", "skirmish", "square", "unlimbered", "limbered"];
    pub const ALL: [Formation; 9] = [
        Formation::Line,
        Formation::Extended,
        Formation::AttackColumn,
        Formation::MarchColumn,
        Formation::Mob,
        Formation::Skirmish,
        Formation::Square,
        Formation::Unlimbered,
        Formation::Limbered,
    ];

    /// In files and notation.
    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    /// In a sentence.
    pub fn words(self) -> &'static str {
        match self {
            Formation::Line => "line",
            Formation::Extended => "extended line",
            Formation::AttackColumn => "attack column",
            Formation::MarchColumn => "march column",
            Formation::Mob => "a mob",
            Formation::Skirmish => "skirmish order",
            Formation::Square => "square",
            Formation::Unlimbered => "battery",
            Formation::Limbered => "limbered column",
        }
    }

    /// Mobs and skirmishers are loose, everything else is formed.
    pub fn is_loose(self) -> bool {
        matches!(self, Formation::Mob | Formation::Skirmish)
    }

    /// Either kind of column (fire modifiers).
    pub fn is_column(self) -> bool {
        matches!(self, Formation::AttackColumn | Formation::MarchColumn | Formation::Limbered)
    }
}

/// A grid of stands: how many abreast, and how far apart sideways and to the rear, in thousandths of an inch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Shape {
    pub formation: Formation,
    pub files: u8,
    pub pitch: u16,
    pub gap: u16,
}

/// The widest a mob of so many stands is (R118).
pub(crate) fn mob_files(stands: u8) -> u8 {
    (1..=stands.max(1)).find(|n| n * n >= stands).unwrap_or(1)
}

impl Shape {
    /// The usual shape of a formation for so many stands; `files` 0 leaves the width to the formation.
    pub fn of(formation: Formation, arm: Arm, stands: u8, files: u8) -> Shape {
        let depth = (arm.stand().depth / MIL) as u16;
        let (files, pitch) = match formation {
            Formation::Line => (if files == 0 { stands } else { files }, 1000),
            Formation::Extended => (stands, 2000),
            Formation::AttackColumn => (if files == 0 { 2 } else { files }, 1000),
            Formation::MarchColumn | Formation::Limbered => (1, 1000),
            Formation::Mob | Formation::Square => (mob_files(stands), 1000),
            Formation::Skirmish => (if files == 0 { stands } else { files }, 2000),
            Formation::Unlimbered => (if files == 0 { stands } else { files }, 1000),
        };
        let gap = if formation == Formation::Skirmish { depth + 1000 } else { depth };
        Shape { formation, files: files.max(1), pitch, gap }
    }
}

/// Number, place and arrangement of the stands of a body: all that its footprint needs.
#[derive(Debug, Clone, Copy)]
pub struct Layout {
    pub pose: Pose,
    pub shape: Shape,
    pub stands: u8,
    pub size: Size,
}

impl Layout {
    /// Stands abreast: never more than there are.
    pub fn files(&self) -> u8 {
        match self.shape.formation {
            Formation::Mob | Formation::Square => mob_files(self.stands),
            _ => self.shape.files.min(self.stands).max(1),
        }
    }

    /// Rows of stands, the last perhaps short.
    pub fn ranks(&self) -> u8 {
        self.stands.div_ceil(self.files()).max(1)
    }

    /// How many stands rank number `rank` has.
    pub fn in_rank(&self, rank: u8) -> u8 {
        self.files().min(self.stands - (rank * self.files()).min(self.stands))
    }

    /// Nothing but stands within the block.
    pub fn solid(&self) -> bool {
        i64::from(self.shape.pitch) * MIL <= self.size.width && self.stands.is_multiple_of(self.files())
    }

    /// Width and depth of the whole.
    pub fn extent(&self) -> Size {
        Size {
            width: i64::from(self.files() - 1) * i64::from(self.shape.pitch) * MIL + self.size.width,
            depth: i64::from(self.ranks() - 1) * i64::from(self.shape.gap) * MIL + self.size.depth,
        }
    }

    /// The rectangle around all stands.
    pub fn block(&self) -> Rect {
        Rect::new(self.pose, self.extent())
    }

    /// Calls `take` with how far each stand lies from where a single one would, front rank first, from left to right.
    #[inline]
    fn offsets(&self, ahead: Dir, mut take: impl FnMut(Pt)) {
        let right = ahead.right();
        let (pitch, gap) = (i64::from(self.shape.pitch) * MIL, i64::from(self.shape.gap) * MIL);
        for rank in 0..self.ranks() {
            let count = i64::from(self.in_rank(rank));
            for file in 0..count {
                let aside = (2 * file - (count - 1)) * pitch / 2;
                take(right.times(aside) - ahead.times(i64::from(rank) * gap));
            }
        }
    }

    /// Each stand, front rank first, from left to right.
    pub fn rects(&self) -> Stands {
        let first = Rect::new(self.pose, self.size);
        let mut out = Stands::new();
        self.offsets(first.ahead, |by| {
            out.push(first.shifted(by));
        });
        out
    }

    /// Each rank from its first stand to its last, the gaps of open order with it: what stands in the way of sight and
    /// fire (R52).
    pub fn rows(&self) -> Stands {
        let (pitch, gap) = (i64::from(self.shape.pitch) * MIL, i64::from(self.shape.gap) * MIL);
        let row = |rank: u8| {
            let width = i64::from(self.in_rank(rank).max(1) - 1) * pitch + self.size.width;
            let first = Rect::new(self.pose, Size { width, depth: self.size.depth });
            first.shifted(-first.ahead.times(i64::from(rank) * gap))
        };
        (0..self.ranks()).map(row).collect()
    }

    /// The middles of the stands' front edges, in the order of [`Layout::rects`].
    pub fn fronts(&self) -> Points {
        self.points(self.pose.at.pt(), self.pose.facing.dir())
    }

    /// The middles of the stands, in the order of [`Layout::rects`].
    pub fn centres(&self) -> Points {
        let ahead = self.pose.facing.dir();
        self.points(self.pose.at.pt() - ahead.times(self.size.depth / 2), ahead)
    }

    #[inline]
    fn points(&self, first: Pt, ahead: Dir) -> Points {
        let mut out = Points::new();
        self.offsets(ahead, |by| {
            out.push(first + by);
        });
        out
    }

    /// How far from the middle of its front any of it can be: a bound that needs no trigonometry.
    pub fn reach(&self) -> i64 {
        let size = self.extent();
        size.width / 2 + size.depth
    }

    /// False if it is certain, without a closer look, that none of it lies in the box.
    pub fn may_meet(&self, bounds: &Bounds) -> bool {
        let (at, reach) = (self.pose.at.pt(), self.reach());
        at.x >= bounds.lo.x - reach
            && at.x <= bounds.hi.x + reach
            && at.y >= bounds.lo.y - reach
            && at.y <= bounds.hi.y + reach
    }

    /// False if it is certain, without a closer look, that another body is farther away than so much.
    pub fn may_be_within(&self, other: &Layout, distance: i64) -> bool {
        let by = self.pose.at.pt() - other.pose.at.pt();
        by.x.abs().max(by.y.abs()) <= self.reach() + other.reach() + distance
    }

    /// The middle of the whole.
    pub fn centre(&self) -> Pt {
        self.block().centre
    }

    /// The same stands in another place.
    pub fn at(mut self, pose: Pose) -> Layout {
        self.pose = pose;
        self
    }

    /// The same stands arranged otherwise about the same centre.
    pub fn rearranged(mut self, shape: Shape, facing: Angle) -> Layout {
        let centre = self.centre();
        self.shape = shape;
        self.pose.facing = facing;
        let front = centre + facing.dir().times(self.extent().depth / 2);
        self.pose.at = front.spot();
        self
    }

    /// Whether any stands lie in each other.
    pub fn overlaps(&self, other: &Layout) -> bool {
        self.may_be_within(other, 0) && self.stands_overlap(&self.block(), other, &other.block())
    }

    /// The same where the rectangles around both are known.
    pub fn stands_overlap(&self, block: &Rect, other: &Layout, theirs: &Rect) -> bool {
        if !block.overlaps(theirs) {
            return false;
        }
        if self.solid() && other.solid() {
            return true;
        }
        let theirs = other.rects();
        self.rects().iter().any(|a| theirs.iter().any(|b| a.overlaps(b)))
    }

    /// The least distance between any two stands.
    pub fn distance(&self, other: &Layout) -> i64 {
        if self.solid() && other.solid() {
            return self.block().distance(&other.block());
        }
        let theirs = other.rects();
        let mut least = i64::MAX;
        for mine in &self.rects() {
            for stand in &theirs {
                if gap(&mine.bounds, &stand.bounds) < least {
                    least = least.min(mine.distance(stand));
                }
            }
        }
        least
    }

    /// The least distance from a point to any stand.
    pub fn distance_to(&self, p: Pt) -> i64 {
        if self.solid() {
            return self.block().distance_to(p);
        }
        self.rects().iter().map(|r| r.distance_to(p)).min().unwrap_or(i64::MAX)
    }

    /// Whether a point lies behind the infinite line through the front edge (R26).
    pub fn behind_front(&self, p: Pt) -> bool {
        self.pose.facing.dir().along(p - self.pose.at.pt()) < -EPS
    }
}

impl Body {
    /// Stands it has lost, by its hits.
    pub fn stands_lost(&self, battle: &Battle) -> u8 {
        (u16::from(self.lost) + u16::from(self.fresh)) as u8 / battle.arm(self).hits_a_stand()
    }

    /// Stands still there; those that hold horses count.
    pub fn stands(&self, battle: &Battle) -> u8 {
        self.strength - self.stands_lost(battle).min(self.strength)
    }

    /// Stands that may move and fight: without the horse holders (move.artillery.f).
    pub fn fighting(&self, battle: &Battle) -> u8 {
        let all = self.stands(battle);
        if self.marks.has(Marks::DISMOUNTED) { (all - all / 4).max(u8::from(all > 0)) } else { all }
    }

    /// Its stands on the table.
    pub fn layout(&self, battle: &Battle) -> Layout {
        Layout {
            pose: self.pose,
            shape: self.shape,
            stands: self.fighting(battle).max(1),
            size: battle.arm(self).stand(),
        }
    }

    /// On horseback.
    pub fn mounted(&self, battle: &Battle) -> bool {
        battle.arm(self) == Arm::Cavalry && !self.marks.has(Marks::DISMOUNTED)
    }

    /// Guns that are not being served.
    pub fn skirmishing(&self) -> bool {
        self.shape.formation == Formation::Skirmish
    }
}

impl State {
    /// The bodies on the table with their ids.
    pub fn on_table(&self) -> impl Iterator<Item = (BodyId, &Body)> {
        self.bodies.iter().enumerate().filter(|(_, b)| b.on_table()).map(|(i, b)| (BodyId(i as u8), b))
    }

    /// Hits on the whole BMU as a percentage of what it began with (R8).
    pub fn percent_lost(&self, battle: &Battle, bmu: u8) -> i64 {
        let hits: i64 =
            self.bodies.iter().filter(|b| b.bmu == bmu).map(|b| i64::from(b.lost) + i64::from(b.fresh)).sum();
        let info = &battle.bmus[usize::from(bmu)];
        100 * hits / (i64::from(info.stands) * i64::from(info.arm.hits_a_stand()))
    }

    /// Hits fall on a body; a stand goes for each full count, and a body without stands is gone.
    pub fn strike(&mut self, battle: &Battle, id: BodyId, hits: u16) {
        let body = &mut self.bodies[id.i()];
        let before = body.stands(battle);
        let room = u16::from(body.strength) * u16::from(battle.arm(body).hits_a_stand());
        let taken = u16::from(body.lost) + u16::from(body.fresh);
        body.fresh += hits.min(room - taken.min(room)) as u8;
        if hits > 0 {
            body.marks.set(Marks::HIT);
        }
        let after = body.stands(battle);
        if after < before {
            body.marks.set(Marks::LOST_STAND);
        }
    }
}
