//! A judgement of positions for computer players: strength and order, what fire each side could give, who is near what
//! counts at the end.

use arrayvec::ArrayVec;
use game::{Outcome, Side};
use table::{EPS, INCH, Pt};

use crate::action::Action;
use crate::at::At;
use crate::rules::basics::{Arm, Formation, gap};
use crate::rules::charge;
use crate::rules::charge::Reaction;
use crate::rules::fire::{Aim, FireOrder, Volley, When};
use crate::rules::footprints::{Footprint, Footprints};
use crate::rules::sequence::Step;
use crate::setup::battle::{Battle, What};
use crate::setup::ground::Cover;
use crate::state::{Body, BodyId, Command, Face, LeaderId, Marks, Order, Part, State};

/// What a stand is worth.
const STAND: i32 = 100;
/// Where horse is out of harm's way.
const ALOOF: i64 = 12 * INCH;
/// Beyond this nobody's cover matters yet.
const FAR: i64 = 16 * INCH;
/// What a victory point is worth while much can change, and on the last turn.
const POINT: (i32, i32) = (40, 300);
/// The turns before the end in which points grow to their full worth.
const SOON: i32 = 3;
/// The turns before the end in which everybody makes for what counts.
const CLOSING: u8 = 5;
/// A battle won.
const VICTORY: i32 = 50_000;
/// A body that is there at all.
const PRESENCE: i32 = 60;
/// What disorder takes off: in good order, Suppressed, Shaken, Routed.
const DISORDER: [i32; 4] = [0, 25, 160, 320];
/// What cover adds: none, light, heavy.
const COVER: [i32; 3] = [0, 20, 50];
/// An inch short of the fight, for the attacker and where nobody attacks.
const EAGER: (i32, i32) = (3, 1);
/// A point of spirit hand to hand.
const SPIRIT: i32 = 3;
/// What a Suppressed body lacks of it.
const SHY: i32 = 8;
/// A charge that strikes a flank.
const FLANK_CHARGE: i32 = 60;
/// A charge at men so thin that it rides them down.
const THIN_TARGET: i32 = 60;
/// Horse at a square, or at the front of steady foot.
const HORSE_AT_STEEL: i32 = 150;
/// A charge at somebody Shaken or Routed.
const BROKEN_TARGET: i32 = 80;
/// A charge by men in a thin line.
const THIN_CHARGER: i32 = 80;
/// A charge at a body in march column, limbered, or in skirmish order.
const AWKWARD_TARGET: i32 = 40;
/// A charge at guns, from the flank or at their front.
const GUNS: i32 = 60;
/// A garrison that leaves its posts.
const POST_LEFT: i32 = 40;
/// An inch nearer than horse should wait.
const TOO_NEAR: i32 = 10;
/// In march column, limbered, or in a square that faces no horse, near the enemy.
const COLUMN_NEAR: i32 = 120;
const LIMBERED_NEAR: i32 = 60;
const IDLE_SQUARE: i32 = 60;
/// A flank shown to an enemy who is near.
const FLANK_SHOWN: i32 = 40;
/// A thin line that horse can reach.
const THIN_BEFORE_HORSE: i32 = 80;
/// Out of command.
const OUT_OF_COMMAND: i32 = 25;
/// Men who only fight hand to hand: each stand that can charge, and a thin line of them.
const MENACE: (i32, i32) = (8, -30);
/// An inch from what counts, usually and near the end.
const INCH_TO_GO: (i32, i32) = (5, 10);
/// A shot at a leader.
const SNIPE: i32 = 20;
/// A stand that fires at a wall.
const BATTER: i32 = 25;
/// Any fire at all, in support, at the opportunity, and in its phase.
const SUPPORT: i32 = 40;
const SNAP: i32 = -20;
const VOLLEY: i32 = 10;
/// What a target announces: to stand, to countercharge; to face or to form square where it helps, and where it does not.
const STAND_FAST: i32 = 30;
const COUNTER: i32 = 20;
const FACE: i32 = 50;
const SQUARE: i32 = 60;
/// A pursuit.
const PURSUIT: i32 = 10;
/// An order that suits the battle.
const PURPOSE: i32 = 40;

impl At<'_> {
    /// How good a position looks to a side.
    pub(crate) fn worth(self, side: Side) -> i32 {
        let score = self.score();
        let mut total = self.worth_of_a_point() * (score[side] - score[side.enemy()]);
        match self.state.over {
            Some(Outcome::Won(winner)) => return total + if winner == side { VICTORY } else { -VICTORY },
            Some(Outcome::Drawn) => return total,
            None => {}
        }
        let here = self.footprints();
        let facing: Vec<Opposed> = here.iter().map(|one| Opposed::of(self, &here, one)).collect();
        for (one, opposed) in here.iter().zip(&facing) {
            let body = self.body(one.id);
            let sign = if one.side == side { 1 } else { -1 };
            total += sign * (strength(self.battle, body) + self.firepower(&here, &facing, one));
            total -= sign * self.danger(&here, one) / 2;
            if one.side == side && !body.order.broken() {
                total += self.posture(one, opposed);
            }
        }
        total + self.nearness(&here, side)
    }

    /// What a point on the scoreboard is worth now: early on it is soon lost again.
    fn worth_of_a_point(self) -> i32 {
        let late = (SOON - i32::from(self.turns_left())).max(0);
        POINT.0 + (POINT.1 - POINT.0) * late / SOON
    }

    fn turns_left(self) -> u8 {
        self.battle.turns.saturating_sub(self.state.turn)
    }

    /// What the worst charge that could fall on it next threatens.
    fn danger(self, here: &Footprints, one: &Footprint) -> i32 {
        let body = self.body(one.id);
        if body.order.broken() || unseen(body.marks) {
            return 0;
        }
        let mut worst = 0;
        for enemy in here.iter().filter(|e| e.side != one.side) {
            let foe = self.body(enemy.id);
            let unable = foe.order.broken() || self.battle.arm(foe).is_artillery() || open_order(foe);
            if unable || foe.shape.formation == Formation::Square {
                continue;
            }
            if gap(&one.block.bounds, &enemy.block.bounds) > self.battle.rate(foe).charge {
                continue;
            }
            let way = one.block.centre - enemy.block.front;
            if 1000 * enemy.block.ahead.along(way) < 707 * way.length() {
                continue;
            }
            let flank = one.layout.behind_front(enemy.block.centre) && !charge::movement::no_flanks(body);
            worst = worst.max(advantage(self.battle, foe, body) + if flank { FLANK_CHARGE } else { 0 });
        }
        worst
    }

    /// What its next fire is likely to cost the enemy it bears on best, without a look at what lies between.
    fn firepower(self, here: &Footprints, facing: &[Opposed<'_>], one: &Footprint) -> i32 {
        let body = self.body(one.id);
        let info = self.battle.info(body);
        let Some(rating) = info.fire else { return 0 };
        let silent = Marks::ABANDONED.and(Marks::CREW).and(Marks::PASSED);
        if body.order.broken() || body.marks.has(silent) || body.shape.formation == Formation::Limbered {
            return 0;
        }
        let far = info.weapon.ranges[3];
        let guns = info.weapon.kind.is_artillery();
        let round = matches!(body.shape.formation, Formation::Skirmish | Formation::Square);
        let stands = match body.shape.formation {
            Formation::MarchColumn => 1,
            Formation::Square => i32::from(one.layout.stands / 4).max(1),
            _ => i32::from(one.layout.in_rank(0)),
        };
        let dice = if guns { stands * i32::from(info.weapon.dice) } else { stands };
        let mut best = 0;
        for (enemy, opposed) in here.iter().zip(facing) {
            if enemy.side == one.side || enemy.marks.unsighted() {
                continue;
            }
            let range = gap(&one.block.bounds, &enemy.block.bounds);
            if range > far {
                continue;
            }
            let way = enemy.block.centre - one.block.front;
            let length = way.length().max(1);
            // The arc is 45 degrees to either side, of guns 30: by the cosine, in thousandths.
            let ahead = 1000 * one.block.ahead.along(way) / length;
            if !round && ahead < if guns { 866 } else { 707 } {
                continue;
            }
            let Some(band) = (0..4).find(|b| range <= info.weapon.ranges[*b] + EPS) else { continue };
            let target = self.body(enemy.id);
            let moved = i32::from(!guns && body.marks.has(Marks::MOVED));
            let faces = 5 - band as i32 - moved - i32::from(info.weapon.smoothbore);
            let mut divisor = 5 + rating as i32 - 2;
            divisor += i32::from(body.order == Order::Suppressed);
            divisor += match target.shape.formation {
                Formation::Skirmish => 2,
                Formation::Extended => 1,
                Formation::AttackColumn | Formation::MarchColumn | Formation::Limbered => -1,
                Formation::Mob | Formation::Square => -1,
                _ => 0,
            };
            divisor += match opposed.cover {
                Cover::None => 0,
                Cover::Light => 1,
                Cover::Heavy => 2,
            };
            divisor -= i32::from(enemy.layout.behind_front(one.block.centre));
            divisor -= 2 * i32::from(info.weapon.kind.has_canister() && band == 0);
            // Dice that hit, three and a half casualties a die over the divisor, a hit worth a third of a stand.
            let hits = 100 * dice * faces.clamp(0, 5) * 7 / (12 * divisor.max(2));
            best = best.max(hits * (STAND / i32::from(self.battle.arm(target).hits_a_stand())) / 100);
        }
        best
    }

    /// Whether it faces the enemy, is near enough to fight him, has cover, hears its leader, and shows nobody its flank.
    fn posture(self, one: &Footprint, opposed: &Opposed<'_>) -> i32 {
        let body = self.body(one.id);
        let Some((enemy, distance)) = opposed.enemy else { return 0 };
        let mut value = eagerness(self.battle, one.side) * beyond_reach(self.battle, body, distance);
        if body.part == Part::Group {
            // A garrison keeps its posts.
            return value + cover_worth(opposed.cover) - POST_LEFT * i32::from(body.marks.has(Marks::MOVED));
        }
        if body.mounted(self.battle) && !self.battle.info(body).melee_only() {
            // Horse waits out of range for somebody to break.
            let steady = i32::from(!self.body(enemy.id).order.broken());
            value = -TOO_NEAR * steady * ((ALOOF - distance).max(0) / INCH) as i32;
        }
        let near = distance <= (self.battle.row.engagement + 2) * INCH;
        let way = enemy.block.centre - one.block.centre;
        let ahead = 1000 * one.block.ahead.along(way) / way.length().max(1);
        if ahead < 700 && body.shape.formation != Formation::Square {
            value -= (700 - ahead) as i32 / if near { 25 } else { 100 };
        }
        if near {
            value -= match body.shape.formation {
                Formation::MarchColumn => COLUMN_NEAR,
                Formation::Limbered => LIMBERED_NEAR,
                Formation::Square if self.battle.arm(self.body(enemy.id)) != Arm::Cavalry => IDLE_SQUARE,
                _ => 0,
            };
            if one.layout.behind_front(enemy.block.centre) && !charge::movement::no_flanks(body) {
                value -= FLANK_SHOWN;
            }
            let foe = self.body(enemy.id);
            if open_order(body) && foe.mounted(self.battle) && distance <= self.battle.rate(foe).charge {
                value -= THIN_BEFORE_HORSE;
            }
            value += cover_worth(opposed.cover) / if self.battle.attacker == Some(one.side) { 4 } else { 1 };
        }
        if self.battle.info(body).melee_only() {
            value += menace(self.battle, body, distance, ahead);
        }
        if self.commander_of(one.id).is_some() && !self.in_command(one.id) {
            value -= OUT_OF_COMMAND;
        }
        value
    }

    /// How near its nearest units in good order are to each thing that counts for the side or that it must keep.
    fn nearness(self, here: &Footprints, side: Side) -> i32 {
        let mut value = 0;
        for score in &self.battle.scores {
            let stake = score.points[side].max(score.points[side.enemy()]);
            let goal = match &score.what {
                What::HoldPoint { at, .. } => *at,
                What::HoldArea { areas, .. } => {
                    let Some(area) = areas.first() else { continue };
                    middle(&self.battle.areas[*area].area)
                }
                What::Clear { area } => middle(area),
                What::Entered { area, before, .. } if self.state.turn < *before => middle(area),
                What::HeldAt { area, turn, .. } if self.state.turn < *turn => middle(area),
                _ => continue,
            };
            // A place is visited by two; ground is held by numbers.
            let wanted = if matches!(score.what, What::HoldArea { .. }) { 3 } else { 2 };
            let mut nearest: ArrayVec<i64, 4> = ArrayVec::new();
            for one in here.iter().filter(|o| o.side == side) {
                let body = self.body(one.id);
                if body.order.broken() || self.battle.arm(body).is_artillery() {
                    continue;
                }
                nearest.push(one.block.centre.to(goal));
                nearest.sort_unstable();
                nearest.truncate(wanted);
            }
            let inch = if self.turns_left() < CLOSING { INCH_TO_GO.1 } else { INCH_TO_GO.0 };
            value -= nearest.iter().map(|d| (d / INCH).min(40) as i32 * stake * inch).sum::<i32>();
        }
        value
    }

    /// What an action is likely to bring that does not show in the position right after it.
    pub(crate) fn promise(self, action: &Action) -> i32 {
        match action {
            Action::Fire(volley) => match volley.at {
                Aim::Leader(_) => SNIPE,
                Aim::Wall { .. } => BATTER * volley.stands.count_ones() as i32,
                Aim::Body(at) => self.due_damage(volley, at),
            },
            Action::Support { .. } => SUPPORT,
            Action::Snap { .. } => SNAP,
            Action::Charge(lines) => lines.iter().map(|line| self.prospects(line)).sum(),
            Action::Dash(line) => self.prospects(line),
            Action::React { reaction, .. } => self.steadiness(*reaction),
            Action::Pursue => PURSUIT,
            Action::Order { leader, order, .. } => self.purpose(*leader, *order),
            _ => 0,
        }
    }

    /// What the target of a charge had better do: stand and fire, form square against horse, face a blow at its flank.
    fn steadiness(self, reaction: Reaction) -> i32 {
        let mut chargers = self.state.charge.chargers.iter().filter(|c| c.on);
        match reaction {
            Reaction::None | Reaction::Retire { .. } => 0,
            Reaction::Stand => STAND_FAST,
            Reaction::Counter => COUNTER,
            Reaction::Face if chargers.any(|c| c.face != Face::Front) => FACE,
            Reaction::Face => -FACE,
            Reaction::Square if chargers.any(|c| self.body(c.line.by).mounted(self.battle)) => SQUARE,
            Reaction::Square => -SQUARE,
        }
    }

    /// What a volley is due to cost its target, and a little for each fire that falls on the same one: morale is tested once.
    fn due_damage(self, volley: &Volley, at: BodyId) -> i32 {
        let target = self.layout(at);
        let Ok(aim) = self.bearing(volley.by, at, &target) else { return 0 };
        let order = FireOrder { shrapnel: volley.shrapnel, ..FireOrder::plain(When::Phase, volley.stands) };
        let shot = self.shot(volley.by, at, &target, &aim, order);
        let faces = 7 - i32::from(shot.hit.total()).max(2);
        let divisor = i32::from(shot.divisor.total()).max(2) * if shot.half { 2 } else { 1 };
        let hits = 100 * i32::from(shot.dice) * faces.max(0) * 7 / (12 * divisor);
        let together = self.state.volleys.iter().filter(|v| v.at == Aim::Body(at)).count() as i32;
        let stand = STAND / i32::from(self.battle.arm(self.body(at)).hits_a_stand());
        VOLLEY + hits * stand * (4 + together) / 400
    }

    /// What a new order promises: an attacker attacks, the attacked stays, and whoever has the right order keeps it.
    fn purpose(self, leader: LeaderId, order: Command) -> i32 {
        let attacks = self.battle.attacker == Some(self.battle.leaders[leader.i()].side);
        let wanted = if attacks { Command::Attack } else { Command::Defend };
        let now = self.state.leaders[leader.i()].order;
        match (now == wanted, order == wanted) {
            (false, true) if attacks || now == Command::Attack => PURPOSE,
            _ => -PURPOSE,
        }
    }

    /// What a charge promises: stands and spirit against stands and spirit, and whom it strikes where.
    fn prospects(self, line: &charge::ChargeLine) -> i32 {
        let (by, at) = (self.body(line.by), self.body(line.at));
        let Ok(way) = self.charge_way(line) else { return 0 };
        let (front, steady) = (way.face == Face::Front, !at.order.broken());
        let (horse, guns) = (by.mounted(self.battle), self.battle.arm(at).is_artillery());
        let rows = [
            (!front, FLANK_CHARGE),
            (!steady, BROKEN_TARGET),
            (open_order(by), -THIN_CHARGER),
            (horse && at.shape.formation == Formation::Square, -HORSE_AT_STEEL),
            (
                matches!(
                    at.shape.formation,
                    Formation::MarchColumn | Formation::Limbered | Formation::Skirmish
                ),
                AWKWARD_TARGET,
            ),
            (horse && front && steady && !at.mounted(self.battle), -HORSE_AT_STEEL),
            (guns, if front { -GUNS } else { GUNS }),
        ];
        let spirit = SPIRIT * (hand_to_hand(self.battle, by) - hand_to_hand(self.battle, at));
        spirit + rows.iter().filter(|(applies, _)| *applies).map(|(_, value)| value).sum::<i32>()
    }
}

/// Nobody fears them.
fn unseen(marks: Marks) -> bool {
    marks.unsighted() || marks.has(Marks::ABANDONED)
}

/// Whom a body has before it: the nearest enemy, how far off by the boxes around them, and its cover against him.
struct Opposed<'f> {
    enemy: Option<(&'f Footprint, i64)>,
    cover: Cover,
}

impl<'f> Opposed<'f> {
    fn of(at: At<'_>, here: &'f Footprints, one: &Footprint) -> Opposed<'f> {
        let enemies = here.iter().filter(|e| e.side != one.side && !unseen(e.marks));
        let enemy = enemies.map(|e| (e, gap(&one.block.bounds, &e.block.bounds))).min_by_key(|(_, d)| *d);
        let cover = match enemy {
            Some((enemy, distance)) if distance <= FAR => {
                at.cover(&one.layout, Some(enemy.block.centre), false)
            }
            _ => Cover::None,
        };
        Opposed { enemy, cover }
    }
}

/// Stands by their hits, less what disorder makes of them.
fn strength(battle: &Battle, body: &Body) -> i32 {
    let hit = STAND / i32::from(battle.arm(body).hits_a_stand());
    let hits = i32::from(body.lost) + i32::from(body.fresh);
    if body.marks.has(Marks::ABANDONED) {
        return 0;
    }
    STAND * i32::from(body.strength) - hit * hits + PRESENCE - DISORDER[body.order as usize]
}

/// Stands by their spirit.
fn hand_to_hand(battle: &Battle, body: &Body) -> i32 {
    let info = battle.info(body);
    let spirit = 8 - info.melee as i32 - info.morale as i32;
    i32::from(body.fighting(battle)) * spirit - if body.order == Order::Suppressed { SHY } else { 0 }
}

/// What one body has over another hand to hand.
fn advantage(battle: &Battle, by: &Body, at: &Body) -> i32 {
    let mut value = SPIRIT * (hand_to_hand(battle, by) - hand_to_hand(battle, at));
    if open_order(at) && at.part != Part::Skirmishers {
        value += THIN_TARGET;
    }
    if by.mounted(battle) && at.shape.formation == Formation::Square {
        value -= HORSE_AT_STEEL;
    }
    value
}

/// So thin that horse rides it down.
fn open_order(body: &Body) -> bool {
    matches!(body.shape.formation, Formation::Skirmish | Formation::Extended)
}

/// How much a side wants to come to grips: the attacker must, the attacked lets him come.
fn eagerness(battle: &Battle, side: Side) -> i32 {
    match battle.attacker {
        Some(attacker) if attacker == side => EAGER.0,
        Some(_) => 0,
        None => EAGER.1,
    }
}

/// Minus the inches it lacks to fight at medium range, or at arm's length if it does not shoot.
fn beyond_reach(battle: &Battle, body: &Body, distance: i64) -> i32 {
    let reach = battle.info(body).weapon.ranges[1].max(2 * INCH);
    -(((distance - reach) / INCH).clamp(0, 40) as i32)
}

fn cover_worth(cover: Cover) -> i32 {
    COVER[cover as usize]
}

/// Men who only fight hand to hand are a threat as soon as they can charge, in a body and not in a thin line.
fn menace(battle: &Battle, body: &Body, distance: i64, ahead: i64) -> i32 {
    if open_order(body) {
        return MENACE.1;
    }
    if ahead < 700 || distance > battle.rate(body).charge {
        return 0;
    }
    MENACE.0 * i32::from(body.fighting(battle))
}

fn middle(area: &table::Area) -> Pt {
    let bounds = area.bounds();
    bounds.lo.middle(bounds.hi)
}

impl State {
    /// The charge under way, if there is one: seen through before it is judged.
    pub(crate) fn affair(&self) -> Option<u32> {
        (!self.charge.chargers.is_empty()).then(|| u32::from(self.turn))
    }

    /// The scene of the phase that play has come to.
    pub(crate) fn scene_of_phase(&self) -> u8 {
        let follows = matches!(self.agenda.top(), Some(Step::Provoked | Step::Pursue { .. }));
        if follows { self.scene | 1 } else { self.scene }
    }

    /// The scene of the battle, by turn and phase.
    pub(crate) fn scene_number(&self) -> u32 {
        u32::from_be_bytes([0, self.turn, self.phase as u8, self.scene_of_phase()])
    }

    /// What the scene is called.
    pub(crate) fn scene_name(&self) -> &'static str {
        match self.scene_of_phase() % 2 {
            0 => self.phase.title(),
            _ => "tests of others and pursuits",
        }
    }

    /// Whether the decision at hand may be declined: whoever is asked does it or passes. Moves and reactions may be forced.
    pub(crate) fn is_open(&self) -> bool {
        matches!(
            self.agenda.top(),
            Some(
                Step::Orders { .. }
                    | Step::Sight { .. }
                    | Step::Charges
                    | Step::Leads { .. }
                    | Step::Support
                    | Step::Interrupt
                    | Step::Declare { .. }
                    | Step::AfterTest { .. }
                    | Step::PursuitChoice { .. }
                    | Step::Recover { .. }
            )
        )
    }
}
