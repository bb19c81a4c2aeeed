//! A Combat Turn under way: its step, who has done what, and a retreat that comes next.

use game::Side;
use game::read::{Field, Section};
use hexmap::Hex;

use super::Setting;
use crate::at::At;
use crate::rules::zones::opposite;
use crate::setup::pieces::Arm;
use crate::setup::scenario::unit_of;
use crate::state::{Causes, FireOf, Id, LONGEST_RETREAT, NOWHERE, Retreat, Step, Trail, UnitSet};

/// The keys of `[position]` that belong to a Combat Turn.
pub(super) const KEYS: [&str; 15] = [
    "step",
    "round",
    "engagement",
    "options",
    "fought",
    "bombarded",
    "advanced",
    "retreated",
    "tried",
    "fired_in_two",
    "fired",
    "vacated",
    "screened",
    "hits",
    "retreat",
];

/// Where a Combat Turn stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Moment {
    CavalryRetreat,
    Bombard,
    Withdraw,
    Approach,
    Engage,
    Round(u8),
    Checks,
    Advance,
    FallBack,
    End,
}

const STEPS: [(&str, Moment); 11] = [
    ("cavalry-retreat", Moment::CavalryRetreat),
    ("bombard", Moment::Bombard),
    ("withdraw", Moment::Withdraw),
    ("approach", Moment::Approach),
    ("engage", Moment::Engage),
    ("round 1", Moment::Round(1)),
    ("round 2", Moment::Round(2)),
    ("checks", Moment::Checks),
    ("advance", Moment::Advance),
    ("fallback", Moment::FallBack),
    ("end", Moment::End),
];

impl Moment {
    /// How many of the six steps of a Combat Turn are over.
    fn steps_done(self) -> usize {
        match self {
            Moment::CavalryRetreat => 0,
            Moment::Bombard => 1,
            Moment::Withdraw => 2,
            Moment::Approach => 3,
            Moment::End => 5,
            _ => 4,
        }
    }

    /// An Engagement is being fought.
    fn in_engagement(self) -> bool {
        matches!(self, Moment::Round(_) | Moment::Checks | Moment::Advance | Moment::FallBack)
    }

    /// The dice of a Round have fallen.
    fn after_fire(self) -> bool {
        matches!(self, Moment::Checks | Moment::Advance)
    }
}

impl Setting<'_> {
    pub(super) fn combat_turn(&mut self, section: &Section<'_>, side: Side) {
        self.state.begin_combat_turn(self.battle, side);
        let step = section.field("step").one_of(&STEPS.map(|(word, _)| word));
        let at = step.map_or(Moment::CavalryRetreat, |i| STEPS[i].1);
        self.who_has(section, side);
        self.state.screened = self.hexes(&section.field("screened")).into_iter().collect();
        self.keys_fit(section, at);
        if step.is_some() {
            self.step(section, side, at);
        }
        for id in self.state.on_map() {
            let piece = self.state.piece_mut(id);
            piece.was = piece.hex;
        }
        if matches!(at, Moment::Round(_)) {
            self.options(&section.field("options"), side);
        }
        if at.after_fire() {
            self.fired(section);
        }
        if at == Moment::Checks {
            self.hits(&section.field("hits"));
        }
        if let Some(table) = section.field("retreat").section() {
            self.retreat(&table);
        }
    }

    /// The lists of units that have done something in this Turn; each names only those who could.
    fn who_has(&mut self, section: &Section<'_>, side: Side) {
        let battle = self.battle;
        let (own, other) = (battle.armies[side].units, battle.armies[side.enemy()].units);
        let all = own.or(other);
        let of = |arms: &dyn Fn(Arm) -> bool, set: UnitSet| -> UnitSet {
            set.into_iter().filter(|&id| arms(At::new(battle, &self.state).arm_now(id))).collect()
        };
        let guns = of(&Arm::has_guns, own);
        let horse = of(&|arm| matches!(arm, Arm::Cavalry | Arm::HorseArtillery), other);
        let set = |key: &'static str, among: UnitSet, who: &str| -> UnitSet {
            let read = |field: &Field<'_>| {
                let unit = unit_of(battle, field)?;
                if !among.contains(unit) {
                    let id = &battle.unit(unit).id;
                    field.fault(format!("`{id}` cannot be among `{key}`"), who);
                }
                Some(unit)
            };
            section.field(key).list().iter().filter_map(read).collect()
        };
        let members = set("engagement", all, "units");
        let fought = set("fought", all, "units");
        let bombarded = set("bombarded", guns, "artillery or horse artillery of the Attacker (6.1.2.a)");
        let advanced = set("advanced", own, "units of the Attacker (6.c)");
        let retreated = set("retreated", all, "units");
        let tried = set("tried", horse, "mounted cavalry or horse artillery of the Defender (6.1.1.a)");
        let fired_in_two = set("fired_in_two", all, "units");
        let state = &mut self.state;
        (state.members, state.fought, state.bombarded) = (members, fought, bombarded);
        (state.advanced, state.retreated, state.tried) = (advanced, retreated, tried);
        state.fired_in_two = fired_in_two;
    }

    /// A key that the step has no use for would be dropped in silence.
    fn keys_fit(&self, section: &Section<'_>, at: Moment) {
        let fits = [
            (
                "engagement",
                at.in_engagement(),
                "`step` in an engagement: a round, checks, advance or fallback",
            ),
            ("round", at.after_fire(), "`step = \"checks\"` or \"advance\""),
            ("options", matches!(at, Moment::Round(_)), "`step = \"round 1\"` or \"round 2\""),
            ("fired", at.after_fire(), "`step = \"checks\"` or \"advance\""),
            ("vacated", at.after_fire(), "`step = \"checks\"` or \"advance\""),
            ("hits", at == Moment::Checks, "`step = \"checks\"`"),
        ];
        for (key, fits, wanted) in fits {
            let field = section.field(key);
            if field.is_present() && !fits {
                field.fault(format!("`{key}` does not belong to this step"), wanted);
            }
        }
        let own = self.state.members.and(self.battle.armies[self.state.attacking_side()].units);
        let needs_both = matches!(at, Moment::Round(_) | Moment::Checks);
        if at.in_engagement() && (own.is_empty() || (needs_both && own == self.state.members)) {
            let field = section.field("engagement");
            let (what, wanted) = ("no engagement is under way", "`engagement`: its attackers and defenders");
            if field.is_present() { field.fault(what, wanted) } else { section.fault(what, wanted) }
        }
    }

    /// Takes the steps off the agenda that are behind, and puts those of the Engagement under way on it.
    fn step(&mut self, section: &Section<'_>, side: Side, at: Moment) {
        let round = section.field("round").integer(1..=2).unwrap_or(1) as u8;
        for _ in 0..at.steps_done() {
            self.state.agenda.pop();
        }
        self.state.round = match at {
            Moment::Round(n) => n,
            Moment::FallBack => 2,
            Moment::Checks | Moment::Advance => round,
            _ => 0,
        };
        let agenda = &mut self.state.agenda;
        match at {
            Moment::FallBack => agenda.push(Step::FallBack),
            Moment::Round(_) => {
                agenda.push(Step::NextRound);
                let declared = section.field("options").is_present();
                agenda.push(if declared { Step::Aim } else { Step::Options });
            }
            Moment::Checks | Moment::Advance => {
                agenda.push(Step::NextRound);
                agenda.push(Step::Advance);
                // Without hits there is nothing to check.
                agenda.push(Step::Checks(FireOf::Round, side));
                agenda.push(Step::Checks(FireOf::Round, side.enemy()));
            }
            _ => {}
        }
    }

    /// 6.1.7.c: an attacker next to a defender in whose zone it does not stand.
    fn options(&mut self, field: &Field<'_>, side: Side) {
        for (item, attacker, defender) in self.pairs(field) {
            if self.battle.side(attacker) != side {
                item.fault("the Defender has no optional attack", "`attacker>defender`");
                continue;
            }
            let Some(direction) = self.enemies_touch(&item, attacker, defender) else { continue };
            if At::new(self.battle, &self.state).enemies_over(attacker) >> direction & 1 != 0 {
                item.fault(
                    "it stands in that defender's zone of control and must attack him",
                    "pairs without a zone over the attacker (6.1.7.b)",
                );
            }
            self.aim(attacker, direction, defender);
        }
    }

    fn aim(&mut self, firer: Id, direction: usize, target: Id) {
        self.state.piece_mut(firer).shot_into |= 1 << direction;
        self.state.piece_mut(target).shot_from |= 1 << opposite(direction);
    }

    /// Fire of this Round, at units that are still there and at hexes that have been vacated since.
    fn fired(&mut self, section: &Section<'_>) {
        let battle = self.battle;
        let field = section.field("vacated");
        let vacated = self.hexes(&field);
        if let Some(hex) = vacated.iter().find(|&&hex| self.state.at(hex).is_some()) {
            field.fault(format!("a unit stands in {}", battle.ground.name(*hex)), "empty hexes");
        }
        for (item, firer, target) in self.pairs(&section.field("fired")) {
            if battle.side(firer) == battle.side(target) {
                item.fault("firer and target are on the same side", "units of opposite sides");
                continue;
            }
            let (from, to) = (self.state.piece(firer).hex, self.state.piece(target).hex);
            if from == NOWHERE {
                // A firer that has left the field since can no longer do anything.
                continue;
            }
            if let Some(direction) = battle.ground.direction(from, to) {
                self.aim(firer, direction, target);
                continue;
            }
            let into: Vec<usize> =
                vacated.iter().filter_map(|&hex| battle.ground.direction(from, hex)).collect();
            if into.is_empty() {
                item.fault(
                    "firer and target do not touch",
                    "neighbouring units, or the target's hex among `vacated`",
                );
            }
            for direction in into {
                self.state.piece_mut(firer).shot_into |= 1 << direction;
            }
        }
    }

    /// 10.4.1.a: hits wait for a check of a unit on the map that somebody fired at.
    fn hits(&mut self, field: &Field<'_>) {
        let Some(table) = field.section() else { return };
        for (id, field) in table.entries() {
            let Some(unit) = self.battle.find(&id) else {
                field.fault(format!("there is no unit `{id}`"), "the id of a unit and a number");
                continue;
            };
            let Some(n) = field.integer(1..=40) else { continue };
            if !self.state.piece(unit).on_map() || self.state.piece(unit).shot_from == 0 {
                field.fault(
                    format!("nobody fired at `{id}`"),
                    "a unit on the map that is a target in `fired`",
                );
            }
            self.state.piece_mut(unit).hits = n as u8;
        }
    }

    fn retreat(&mut self, table: &Section<'_>) {
        let battle = self.battle;
        let field = table.field("unit").required();
        let unit = unit_of(battle, &field);
        let causes = self.hexes(&table.field("causes"));
        let voluntary = table.field("voluntary").truth().unwrap_or(false);
        let path = self.hexes(&table.field("path"));
        table.finish();
        let Some(unit) = unit else { return };
        if !self.state.piece(unit).on_map() {
            return field.fault("it is not on the map", "a unit on the map");
        }
        let mut retreat = self.state.new_retreat(unit, Causes::NONE, voluntary);
        if let Some(&start) = path.first() {
            retreat.start = start;
            if !self.walk(&mut retreat, &path) || path.last() != Some(&self.state.piece(unit).hex) {
                table.field("path").fault(
                    "the path does not lead to the unit's hex",
                    "neighbouring hexes, from the start to where it stands",
                );
            }
        }
        let start = retreat.start;
        let directions =
            causes.iter().filter_map(|&c| battle.ground.direction(start, c)).fold(0u8, |m, d| m | 1 << d);
        if directions.count_ones() as usize != causes.len() {
            table.fault("a cause is not next to the start", "hexes next to where the retreat began");
        }
        retreat.causes = Causes { at: start, directions };
        self.state.retreated.insert(unit);
        self.state.agenda.push(Step::Retreat(retreat));
        self.state.stand_in_hexes();
    }

    /// Whether the path goes from neighbour to neighbour.
    fn walk(&mut self, retreat: &mut Retreat, path: &[Hex]) -> bool {
        path.windows(2).all(|pair| {
            let direction = self.battle.ground.direction(pair[0], pair[1]);
            if let Some(d) = direction {
                retreat.path = Trail::longer(retreat.path, d);
                retreat.steps += 1;
            }
            direction.is_some() && retreat.steps < LONGEST_RETREAT
        })
    }
}
