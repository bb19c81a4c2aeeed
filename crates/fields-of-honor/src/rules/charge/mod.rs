//! Charges: who may charge whom, and what is declared (seq.charge, charge.*, R24-R27, R121, R122).

pub(crate) mod defender;
pub(crate) mod failed;
pub(crate) mod home;
pub(crate) mod movement;
pub(crate) mod sequence;

use arrayvec::ArrayVec;
use game::{Allowed, No, Side};
use serde::{Deserialize, Serialize};
use table::{Angle, EPS, INCH};

use crate::action::Action;
use crate::at::At;
use crate::cite;
use crate::rules::basics::{Arm, Formation};
use crate::state::{BodyId, Command, Face, Marks, Part};

pub(crate) use self::movement::touch_distance;

/// One unit's charge as declared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ChargeLine {
    pub by: BodyId,
    pub at: BodyId,
    /// The turn before it, in hundredths of a degree clockwise.
    pub turn: i16,
    /// As a rush (zouave).
    pub rush: bool,
    /// A new frontage on contact, for cavalry; 0 keeps the old one.
    pub files: u8,
}

/// A charger in a charge under way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Charger {
    pub line: ChargeLine,
    /// Distance to contact, in working units.
    pub d: i64,
    /// How far along its way it takes fire and tests (R32), once it has come there.
    pub point: i64,
    /// The face it will strike.
    pub face: Face,
    /// Hits taken during this charge.
    pub hits: u8,
    /// Somebody fired at it.
    pub under_fire: bool,
    /// Still to close.
    pub on: bool,
    /// Passed its Morale Test and has stands left: counts for the odds (R122).
    pub joined: bool,
}

/// A target of a charge under way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Charged {
    pub body: BodyId,
    /// Had moved this turn before the charge.
    pub moved: bool,
    pub reaction: Reaction,
    /// Which charger it fires at.
    pub fires_at: u8,
    /// Its own skirmishers fell back in front of it.
    pub masked: bool,
    /// Stands that fell back on it and do not fire at the charger (skirmish.g).
    pub rejoined: u8,
    /// Suppressed by its test: contact without a Charge Home Test.
    pub pinned: bool,
    /// Has left its place.
    pub gone: bool,
}

/// What the target of a charge does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Reaction {
    /// Not asked: it fires nothing.
    None,
    Stand,
    /// Fire and retire; gunners choose the range band at which they fire.
    Retire {
        band: u8,
    },
    Counter,
    Face,
    Square,
}

impl Reaction {
    /// In notation.
    pub fn word(self) -> &'static str {
        match self {
            Reaction::None => "none",
            Reaction::Stand => "stand",
            Reaction::Retire { .. } => "retire",
            Reaction::Counter => "countercharge",
            Reaction::Face => "face",
            Reaction::Square => "square",
        }
    }
}

/// The charge under way.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct Charge {
    pub chargers: ArrayVec<Charger, 4>,
    pub targets: ArrayVec<Charged, 4>,
    /// It interrupts a move.
    pub opportunity: bool,
}

impl At<'_> {
    /// Who may declare a charge (R121).
    pub(crate) fn may_charge(self, by: BodyId) -> Allowed {
        let body = self.body(by);
        let marks = body.marks;
        if self.battle.arm(body).is_artillery() || marks.has(Marks::CREW.and(Marks::ABANDONED)) {
            return Err(No::new(cite!("charge.sequence.a"), "artillery does not charge"));
        }
        if body.order.broken() {
            return Err(No::new(cite!("morale.retreat.g"), "it is Shaken or Routed and must rally first"));
        }
        if self.state.in_melee(by) {
            return Err(No::new(cite!("charge.sequence.a"), "it is in melee already"));
        }
        if body.shape.formation == Formation::Square || marks.has(Marks::BOX) {
            return Err(No::new(cite!("basics.formations.b"), "a square or box never charges"));
        }
        if marks.has(Marks::HALT) {
            return Err(No::new(cite!("qrs.reaction.f"), "its Reaction Test made it halt"));
        }
        if marks.has(Marks::CAUTIOUS) {
            return Err(No::new(cite!("qrs.reaction.g"), "its Reaction Test made it cautious"));
        }
        if marks.has(Marks::CHARGED) {
            return Err(No::new(cite!("charge.sequence.a"), "it has declared a charge this phase"));
        }
        if marks.has(Marks::MOVED_EARLY) {
            return Err(No::new(cite!("seq.reaction.b"), "it has withdrawn or moved this phase"));
        }
        if body.part == Part::Skirmishers {
            return Err(No::new(cite!("skirmish.f"), "detached skirmishers charge with nobody"));
        }
        Ok(())
    }

    /// Whom it may charge, apart from the way there.
    pub(crate) fn may_be_charged(self, by: BodyId, at: BodyId) -> Allowed {
        let (body, target) = (self.body(by), self.body(at));
        if !target.on_table()
            || self.battle.side(target) == self.battle.side(body)
            || target.marks.has(Marks::ABANDONED)
        {
            return Err(No::new(cite!("charge.sequence.a"), "it is no enemy on the table"));
        }
        if target.marks.has(Marks::IMMUNE) {
            return Err(No::new(
                cite!("charge.failed.f"),
                "it charged home, or halted from a charge with the right to fire",
            ));
        }
        if target.marks.unsighted() {
            return Err(No::new(cite!("sighting.a"), "nothing has been sighted there"));
        }
        let mounted = body.mounted(self.battle);
        let other = if mounted { Marks::BY_FOOT } else { Marks::BY_HORSE };
        let mixed = self.state.opponents(at).any(|(_, o)| self.body(o).mounted(self.battle) != mounted);
        if target.marks.has(other) || mixed {
            return Err(No::new(
                cite!("charge.movement.d"),
                "cavalry and infantry never charge the same target",
            ));
        }
        Ok(())
    }

    /// Checks a whole declaration (R121, R122).
    pub(crate) fn check_charge(self, side: Side, lines: &[ChargeLine]) -> Allowed {
        if lines.is_empty() {
            return Err(No::new(cite!("charge.sequence.a"), "nobody charges"));
        }
        for (i, line) in lines.iter().enumerate() {
            if self.side_of(line.by) != side || !self.body(line.by).on_table() {
                return Err(No::new(cite!("charge.sequence.a"), "it is not yours, or not on the table"));
            }
            if lines[..i].iter().any(|l| l.by == line.by) {
                return Err(No::new(cite!("charge.sequence.a"), "one unit charges once"));
            }
            self.check_charge_line(line)?;
        }
        self.check_together(lines)
    }

    /// Whether charges, each legal by itself, may be declared as one (charge.movement.c).
    pub(crate) fn check_together(self, lines: &[ChargeLine]) -> Allowed {
        let [first, _, ..] = lines else { return Ok(()) };
        for (i, line) in lines.iter().enumerate() {
            let same = self.commander_of(line.by) == self.commander_of(first.by)
                && self.commander_of(line.by).is_some()
                && self.in_command(line.by);
            if !same {
                return Err(No::new(
                    cite!("charge.movement.c"),
                    "units that charge together share a sub-commander and are in command",
                ));
            }
            lines[..i].iter().try_for_each(|other| self.check_charge_pair(line, other))?;
        }
        Ok(())
    }

    /// Two charges of one declaration: their targets lie near each other, and cavalry and infantry never share one.
    fn check_charge_pair(self, line: &ChargeLine, other: &ChargeLine) -> Allowed {
        let gap = self.battle.row.simultaneous_charge_gap * INCH + EPS;
        let (a, b) = (self.layout(other.at), self.layout(line.at));
        if line.at != other.at && a.distance(&b) > gap {
            return Err(No::new(
                cite!("charge.movement.c"),
                "their targets are too far apart for one declaration",
            ));
        }
        let mounted = |l: &ChargeLine| self.body(l.by).mounted(self.battle);
        if line.at == other.at && mounted(line) != mounted(other) {
            return Err(No::new(
                cite!("charge.movement.d"),
                "cavalry and infantry never charge the same target",
            ));
        }
        Ok(())
    }

    fn check_charge_line(self, line: &ChargeLine) -> Allowed {
        self.may_charge(line.by)?;
        self.may_be_charged(line.by, line.at)?;
        self.order_allows_charge(line)?;
        self.may_be_in_column(line.by, self.body(line.by).shape.formation)?;
        if line.rush {
            self.may_rush(line.by)?;
        }
        self.charge_way(line).map(|_| ())
    }

    /// Under a Move order only at an enemy within short range (R97).
    fn order_allows_charge(self, line: &ChargeLine) -> Allowed {
        if self.order_of(line.by) != Some(Command::Move) {
            return Ok(());
        }
        let short = self.info(line.by).weapon.ranges[0].max(INCH / 2);
        let d = self.layout(line.by).distance(&self.layout(line.at));
        if d > short + EPS {
            return Err(No::new(
                cite!("orders.h"),
                "under a Move order it charges only an enemy within its short range",
            ));
        }
        Ok(())
    }

    /// Who may rush (zouave.a).
    fn may_rush(self, by: BodyId) -> Allowed {
        let body = self.body(by);
        let single = body.shape.formation == Formation::Line && body.layout(self.battle).ranks() == 1;
        let allowed = self.battle.info(body).rush
            && self.battle.year >= 1855
            && self.battle.arm(body) == Arm::Infantry
            && single;
        if allowed {
            return Ok(());
        }
        Err(No::new(
            cite!("zouave.a"),
            "a rush is for infantry in a line one stand deep, from 1855 on, where the scenario has it",
        ))
    }

    /// The charges a unit may be offered at each target: a few well-chosen lines.
    pub(crate) fn charge_lines(self, by: BodyId, out: &mut Vec<ChargeLine>) {
        self.charge_targets(by).for_each(|at| self.charge_lines_at(by, at, out));
    }

    /// Whether there is any.
    pub(crate) fn has_charge(self, by: BodyId) -> bool {
        let mut found = Vec::new();
        self.charge_targets(by).any(|at| {
            self.charge_lines_at(by, at, &mut found);
            !found.is_empty()
        })
    }

    /// Whom a unit might charge, as far as it may charge at all.
    fn charge_targets(self, by: BodyId) -> impl Iterator<Item = BodyId> {
        let side = self.side_of(by);
        let able = self.may_charge(by).is_ok();
        let enemies = self.state.on_table().filter(move |(_, enemy)| able && self.battle.side(enemy) != side);
        enemies.map(|(id, _)| id)
    }

    /// The lines against one enemy, for a unit that may charge.
    pub(crate) fn charge_lines_at(self, by: BodyId, at: BodyId, out: &mut Vec<ChargeLine>) {
        let body = self.body(by);
        let mine = body.layout(self.battle);
        let reach = self.battle.rate(body).charge + INCH;
        let theirs = self.layout(at);
        if !mine.may_be_within(&theirs, reach)
            || self.may_be_charged(by, at).is_err()
            || mine.block().distance(&theirs.block()) > reach
        {
            return;
        }
        let aim = Angle::of(theirs.centre() - mine.pose.at.pt());
        let to_centre = mine.pose.facing.turn_to(aim);
        let parallel = mine.pose.facing.turn_to(theirs.pose.facing.reversed());
        let mut tried: ArrayVec<i32, 5> = ArrayVec::new();
        let mut found = 0;
        for turn in [0, to_centre.clamp(-4500, 4500), parallel, to_centre / 2] {
            if turn.abs() > 4500 || tried.contains(&turn) || found == 2 {
                continue;
            }
            tried.push(turn);
            let line = ChargeLine { by, at, turn: turn as i16, rush: false, files: 0 };
            if self.check_charge_line(&line).is_ok() {
                found += 1;
                out.push(line);
                if self.may_rush(by).is_ok() {
                    out.push(ChargeLine { rush: true, ..line });
                }
            }
        }
    }

    pub(crate) fn offer_charges(self, side: Side, out: &mut Vec<Action>) {
        let mut lines: Vec<ChargeLine> = Vec::new();
        for (by, body) in self.state.on_table() {
            if self.battle.side(body) == side {
                self.charge_lines(by, &mut lines);
            }
        }
        for line in &lines {
            let mut one = ArrayVec::new();
            one.push(*line);
            out.push(Action::Charge(one));
        }
        // Pairs at one target or at neighbours: the first line of each.
        for (i, a) in lines.iter().enumerate() {
            let first = |l: &ChargeLine, at: usize| !lines[..at].iter().any(|o| o.by == l.by && o.at == l.at);
            if !first(a, i) {
                continue;
            }
            for (j, b) in lines.iter().enumerate().skip(i + 1) {
                if a.by == b.by || !first(b, j) {
                    continue;
                }
                let mut both: ArrayVec<ChargeLine, 4> = ArrayVec::new();
                both.push(*a);
                both.push(*b);
                if self.check_together(&both).is_ok() {
                    out.push(Action::Charge(both));
                }
            }
        }
    }
}
