//! Fire in all phases: who may fire at whom, hit dice, then casualty dice over a divisor (fire.procedure,
//! fire.stationary, jam.*).

pub(crate) mod arcs;
mod modifiers;
mod phase;

use game::words::does;
use game::{Allowed, Die, Effects, Entry, Kind, No, RollNote, Rule, Sum, Test};
use serde::{Deserialize, Serialize};

use crate::at::{At, Run};
use crate::cite;
use crate::rules::basics::{Arm, Formation, Layout};
use crate::rules::charts::Rating;
use crate::rules::rolls::{losses, piece};
use crate::rules::sequence::Phase;
use crate::setup::battle::Battle;
use crate::setup::pieces::WeaponKind;
use crate::state::{BodyId, LeaderId, Marks, State};

pub(crate) use self::arcs::Bearing;
pub(crate) use self::modifiers::{divisor_rows, hit_rows};

/// When fire is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) enum When {
    /// In the Fire Phase.
    Phase,
    /// At a moving enemy.
    Opportunity,
    /// By the target of a charge, always at short range.
    Defence,
    /// By those who support it.
    Support,
    /// By a rush that closes.
    Rush,
}

/// A fire as declared, and what came of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Volley {
    pub by: BodyId,
    pub at: Aim,
    /// The stands that fire, as bits of their number in the front rank.
    pub stands: u16,
    pub shrapnel: bool,
    pub hits: u16,
    /// Skirmishers it passed through.
    pub through: Option<BodyId>,
}

/// What is fired at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Aim {
    Body(BodyId),
    /// Sniping at a leader.
    Leader(LeaderId),
    /// An inch of a wall, or a gate: which line, and how far along in thousandths.
    Wall {
        wall: u8,
        along: u16,
    },
}

/// A fire ready to be rolled.
#[derive(Debug, Clone)]
pub(crate) struct Shot {
    pub by: BodyId,
    pub at: BodyId,
    pub dice: u8,
    pub hit: Sum,
    pub divisor: Sum,
    pub half: bool,
    pub through: Option<BodyId>,
}

/// Everything a fire depends on.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FireOrder {
    pub when: When,
    pub stands: u16,
    pub shrapnel: bool,
    /// Halved besides the unit's own reasons (face or form square).
    pub half: bool,
    /// Own skirmishers fall back in front of the target of a charge.
    pub masked: bool,
}

/// The range bands by name, the nearest first.
pub(crate) const BANDS: [&str; 4] = ["short", "medium", "long", "extreme"];
/// The same as a reason for what a die must show.
const RANGES: [&str; 4] = ["short range", "medium range", "long range", "extreme range"];

impl FireOrder {
    /// These stands, then, with nothing special about it.
    pub(crate) fn plain(when: When, stands: u16) -> FireOrder {
        FireOrder { when, stands, shrapnel: false, half: false, masked: false }
    }
}

impl Volley {
    /// As declared, with ball or solid shot.
    pub fn of(by: BodyId, at: Aim, stands: u16) -> Volley {
        Volley { by, at, stands, shrapnel: false, hits: 0, through: None }
    }
}

impl At<'_> {
    /// Whether a body may fire at all at this moment, whatever the target.
    pub(crate) fn may_fire(self, by: BodyId, when: When) -> Allowed {
        let body = self.body(by);
        let info = self.battle.info(body);
        let marks = body.marks;
        if !body.on_table() || marks.has(Marks::ABANDONED.and(Marks::CREW)) {
            return Err(No::new(cite!("charge.defender.i"), "its guns and its gunners are apart"));
        }
        let Some(rating) = info.fire else {
            return Err(No::new(
                cite!("basics.ratings.a"),
                "it has no fire rating and nothing to shoot with",
            ));
        };
        if body.order.broken() {
            return Err(No::new(cite!("fire.procedure.d"), "it is Shaken or Routed and must rally first"));
        }
        if self.state.at_blows(by) {
            return Err(No::new(cite!("fire.procedure.e"), "it is in melee"));
        }
        if marks.has(Marks::PRONE) {
            if self.battle.year < 1845 {
                return Err(No::new(
                    cite!("move.prone.b"),
                    "before 1845 prone units may not fire; it would have to stand",
                ));
            }
            if rating == Rating::E {
                return Err(No::new(
                    cite!("move.prone.f"),
                    "with fire rating E it would have to stand to fire",
                ));
            }
        }
        if marks.has(Marks::PASSED) {
            return Err(No::new(
                cite!("move.penetration.c"),
                "it passed through friends, or they through it, this turn",
            ));
        }
        if body.shape.formation == Formation::Limbered {
            return Err(No::new(cite!("move.artillery.a"), "its guns are limbered"));
        }
        if marks.has(Marks::LIMBERING) && info.arm == Arm::FootArtillery {
            return Err(No::new(
                cite!("move.artillery.a"),
                "foot artillery that limbered or unlimbered does not fire this turn",
            ));
        }
        match when {
            When::Phase if marks.has(Marks::FIRED_EARLY) => {
                Err(No::new(cite!("fire.opportunity.b"), "it fired in the Charge or Movement Phase"))
            }
            When::Phase if marks.has(Marks::FIRED) => {
                Err(No::new(cite!("fire.procedure.a"), "it has fired this turn"))
            }
            When::Opportunity if marks.has(Marks::SNAPPED) && marks.has(Marks::FIRED_EARLY) => {
                Err(No::new(cite!("fire.opportunity.a"), "it has had its opportunity fire this phase"))
            }
            When::Opportunity if marks.has(Marks::FIRED_EARLY) => {
                Err(No::new(cite!("charge.defender.b"), "it has fired this turn already"))
            }
            // Every opportunity charge may be fired at, but not by those who fired before (charge.defender.a).
            When::Defence | When::Support | When::Rush
                if self.state.phase == Phase::Movement
                    && marks.has(Marks::FIRED_EARLY)
                    && !marks.has(Marks::FIRED_AT_DASH) =>
            {
                Err(No::new(cite!("charge.defender.b"), "it has fired this turn already"))
            }
            When::Opportunity if marks.has(Marks::MOVED) => {
                Err(No::new(cite!("fire.opportunity.c"), "it has moved this turn"))
            }
            _ => Ok(()),
        }
    }

    /// Whether an enemy may be aimed at.
    pub(crate) fn may_be_target(self, by: BodyId, at: BodyId) -> Allowed {
        let target = self.body(at);
        if !target.on_table() || self.battle.side(target) == self.side_of(by) {
            return Err(No::new(cite!("fire.procedure.a"), "it is no enemy on the table"));
        }
        if self.state.at_blows(at) {
            return Err(No::new(cite!("fire.procedure.e"), "the target is locked in melee"));
        }
        if target.marks.unsighted() {
            return Err(No::new(cite!("sighting.a"), "nothing has been sighted there"));
        }
        if target.marks.has(Marks::ABANDONED) {
            return Err(No::new(cite!("charge.defender.i"), "nobody serves those guns"));
        }
        Ok(())
    }

    /// Works out a fire: dice, hit number, divisor.
    pub(crate) fn shot(
        self,
        by: BodyId,
        at: BodyId,
        target: &Layout,
        aim: &Bearing,
        order: FireOrder,
    ) -> Shot {
        let body = self.body(by);
        let info = self.battle.info(body);
        let artillery = info.weapon.kind.is_artillery();
        let band = if order.when == When::Defence || order.when == When::Rush { 0 } else { aim.band };
        let stands = (aim.stands & order.stands).count_ones() as u8;
        let canister =
            info.weapon.kind.has_canister() && band == 0 && !self.body(at).marks.has(Marks::HIDDEN);
        let shrapnel = order.shrapnel && info.shrapnel && band > 0;
        let dice = match aim.fixed {
            Some(fixed) => fixed,
            None if artillery => {
                stands
                    * (info.weapon.dice
                        + if shrapnel {
                            self.battle.tables.fire.artillery.attack_dice.shrapnel_bonus
                        } else {
                            0
                        })
            }
            None => stands,
        };
        let hit = self.hit_number(by, band, shrapnel, order);
        let divisor = if artillery {
            self.gun_divisor(by, at, target, aim, order.when, canister)
        } else {
            self.arms_divisor(by, at, target, aim, order.when)
        };
        let half = order.half || body.marks.has(Marks::HALVED);
        Shot { by, at, dice, hit, divisor, half, through: aim.through.filter(|_| !artillery) }
    }

    /// What the log says of a shot's dice.
    fn shot_note(self, shot: &Shot, what: &str, rule: Rule, sum: &Sum) -> RollNote {
        let text = format!("{} {}", does(&self.name(shot.by), what), self.name(shot.at));
        RollNote::new(text, rule)
            .side(self.side_of(shot.by))
            .by(piece(shot.by))
            .at(piece(shot.at))
            .modifiers(sum.modifiers())
    }
}

impl<F: Effects> Run<'_, F> {
    /// Rolls the hit dice of a battery of machine guns stand by stand; a jam silences it (R110).
    fn machine_gun_hits(&mut self, shot: &Shot, ones: usize) -> u8 {
        let each = self.battle.info(self.state.body(shot.by)).weapon.dice;
        let need = shot.hit.total().max(2);
        let mut hits = 0;
        for _ in 0..shot.dice / each.max(1) {
            let (mut stand, mut faults) = (0, 0);
            for _ in 0..each {
                let face = self.die(Die::D6, |here| {
                    RollNote::new(does(&here.name(shot.by), "fires"), cite!("jam.a"))
                        .side(here.side_of(shot.by))
                        .by(piece(shot.by))
                        .at(piece(shot.at))
                        .modifiers(shot.hit.modifiers())
                });
                faults += usize::from(face == 1);
                stand += u8::from(i16::from(face) >= need);
            }
            if faults >= ones {
                self.tell_of(shot.by, Kind::Fire, "has a gun that jams", cite!("jam.b"));
            } else {
                hits += stand;
            }
        }
        hits
    }

    /// Rolls a fire; gives the casualties.
    pub(crate) fn roll_shot(&mut self, shot: &Shot) -> u16 {
        let info = self.battle.info(self.state.body(shot.by));
        let artillery = info.weapon.kind.is_artillery();
        // A natural 1 always misses; nothing makes a 6 hit (fire.procedure.b).
        let test = Test::at_least(Die::D6, shot.hit.total().max(2));
        let rule = if artillery { cite!("qrs.artillery.a") } else { cite!("fire.procedure.a") };
        let hits = match info.weapon.kind {
            WeaponKind::EarlyMachineGun => self.machine_gun_hits(shot, 2),
            WeaponKind::LateMachineGun => self.machine_gun_hits(shot, 3),
            _ => {
                let hits =
                    self.count(shot.dice, test, |here| here.shot_note(shot, "fires at", rule, &shot.hit));
                let missed = shot.dice - hits;
                if info.repeater && missed > 0 {
                    hits + self.count(missed, test, |here| {
                        here.shot_note(shot, "fires again at", cite!("smallarms.advanced.a"), &shot.hit)
                    })
                } else {
                    hits
                }
            }
        };
        if hits == 0 {
            return 0;
        }
        let divisor = shot.divisor.total().max(self.battle.tables.fire.divisor_min) as u16;
        let divisor = if shot.half { 2 * divisor } else { divisor };
        let casualties = |total: u16| (total / divisor) as i16;
        let note = |at: At<'_>| {
            at.shot_note(shot, "inflicts losses on", cite!("fire.procedure.c"), &shot.divisor)
                .outcomes((0..=6 * u16::from(hits)).map(|total| losses(casualties(total))))
        };
        self.graded(hits, Die::D6, casualties, note) as u16
    }

    /// Casualties fall: half of them, rounded up, on skirmishers that screen the target (R55).
    pub(crate) fn apply_shot(&mut self, by: BodyId, at: BodyId, through: Option<BodyId>, hits: u16) {
        let mut rest = hits;
        if let Some(screen) = through {
            let share = hits.div_ceil(2);
            rest -= share;
            self.strike(by, screen, share);
        }
        self.strike(by, at, rest);
    }

    fn strike(&mut self, by: BodyId, at: BodyId, hits: u16) {
        let hidden = self.state.body(by).marks.has(Marks::WAS_HIDDEN);
        let target = self.state.body_mut(at);
        if hidden {
            target.marks.set(Marks::SURPRISED);
        }
        if hits == 0 {
            return;
        }
        self.state.note_the_cause(self.battle, by, at, hits);
        let before = self.at().layout(at);
        self.state.strike(self.battle, at, hits);
        self.tell(|here| {
            Entry::new(Kind::Loss, does(&here.name(at), &format!("takes {}.", losses(hits))))
                .side(here.side_of(at))
                .rule(cite!("basics.casualties.b"))
                .piece(piece(at))
                .piece(piece(by))
        });
        if self.state.body(at).stands(self.battle) == 0 {
            self.tell_of(at, Kind::Gone, "is shot to pieces", cite!("basics.casualties.b"));
            self.state.remove(at);
        }
        self.close_up(at, &before);
    }

    /// The stands of an open line that close up on its middle may come upon others who stand between them.
    pub(crate) fn close_up(&mut self, id: BodyId, before: &Layout) {
        let body = self.state.body(id);
        let layout = body.layout(self.battle);
        if !body.on_table() || layout.stands == before.stands {
            return;
        }
        if self.state.in_melee(id) {
            self.keep_in_touch(id, before);
        } else if !layout.solid() && self.state.march.unit != Some(id) {
            self.state.make_room(self.battle, id);
        }
    }
}

impl State {
    /// It would flee from whoever gave it most hits this turn, from the nearest if several did (R81).
    fn note_the_cause(&mut self, battle: &Battle, by: BodyId, at: BodyId, hits: u16) {
        let target = self.body(at);
        let mine = target.layout(battle);
        let distance = |id: BodyId| self.body(id).layout(battle).distance(&mine);
        let worse = match hits.cmp(&u16::from(target.worst)) {
            std::cmp::Ordering::Less => false,
            std::cmp::Ordering::Equal => target.other.is_none_or(|other| distance(by) < distance(other)),
            std::cmp::Ordering::Greater => true,
        };
        if worse {
            let target = self.body_mut(at);
            target.other = Some(by);
            target.worst = hits.min(u16::from(u8::MAX)) as u8;
        }
    }

    /// What firing does to the firer: seen, no longer fresh.
    pub(crate) fn note_fired(&mut self, by: BodyId, mark: Marks) {
        let bmu = usize::from(self.body(by).bmu);
        self.bmus[bmu].fired = true;
        let body = self.body_mut(by);
        body.marks.set(mark);
        if body.marks.has(Marks::HIDDEN) {
            body.marks.set(Marks::SPOTTED);
        }
    }
}
