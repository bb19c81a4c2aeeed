//! Whether a written position could have come about by play: it is checked as strictly as a scenario.

use game::read::Section;
use game::{BySide, Side};
use hexmap::{Hex, HexSet};

use crate::at::At;
use crate::rules::charts::PROHIBITED;
use crate::setup::battle::{Arm, Battle, Start};
use crate::setup::pieces::{Piece, Pieces};
use crate::state::{Attack, Phase, Spot, State};

/// A position that has been read, with the place of each piece in the text.
pub(crate) struct Written<'a, 'd> {
    pub(crate) battle: &'a Battle,
    pub(crate) state: &'a State,
    pub(crate) sheet: &'a Section<'d>,
}

/// A hex that a piece of that arm may stand in: its terrain lets it in, or a road does (9.3.d, 9.4.c).
pub(crate) fn may_stand(
    battle: &crate::setup::ground::Ground,
    charts: &crate::rules::charts::Charts,
    arm: Arm,
    hex: Hex,
) -> bool {
    let row = &charts.terrain[battle.terrain[hex.index()] as usize];
    row.mp[arm.column()] != PROHIBITED || battle.road.contains(hex)
}

impl Written<'_, '_> {
    /// Notes every fault.
    pub(crate) fn check(&self) {
        self.counts();
        for i in 0..self.battle.counters.len() {
            let piece = Piece(i as u8);
            self.marks(piece);
            match self.state.hex(piece) {
                Some(hex) => self.place(piece, hex),
                None => self.in_a_box(piece),
            }
        }
    }

    /// A fault at the piece's line, or at the table if it has none.
    fn fault(&self, piece: Piece, message: impl Into<String>, expected: impl Into<String>) {
        let id = &self.battle.counter(piece).id;
        let units = self.sheet.field("unit");
        let line = units.section().and_then(|s| s.entries().find(|(name, _)| name == id).map(|(_, f)| f));
        match line {
            Some(field) => field.fault(message, expected),
            None => self.sheet.fault(message, expected),
        }
    }

    fn id(&self, piece: Piece) -> &str {
        &self.battle.counter(piece).id
    }

    /// Turn, army morale and chits within their tracks.
    fn counts(&self) {
        let (battle, state) = (self.battle, self.state);
        if state.turn > battle.turns {
            self.sheet
                .field("turn")
                .fault(format!("turn {} is after the last", state.turn), format!("1 to {}", battle.turns));
        }
        let track = &battle.charts.track;
        for side in Side::BOTH {
            let at = state.morale[side];
            if at <= track.demoralized || at > track.top {
                self.sheet.field("morale").fault(
                    format!("army morale of `{}` is {at}", battle.armies[side].id),
                    format!("{} to {}", track.demoralized + 1, track.top),
                );
            }
        }
        let (held, all) =
            (u16::from(state.chits.first) + u16::from(state.chits.second), battle.charts.chits[0]);
        if held > u16::from(all) {
            self.sheet.field("chits").fault(
                format!("{held} momentum chits are held and there are {all}"),
                format!("at most {all} in all"),
            );
        }
    }

    /// Markers that the piece may bear.
    fn marks(&self, piece: Piece) {
        let (battle, state) = (self.battle, self.state);
        let (id, roles) = (self.id(piece), &battle.roles);
        let leader = battle.all_leaders().has(piece);
        if state.reduced.has(piece) && battle.counter(piece).steps < 2 {
            self.fault(piece, format!("`{id}` has one step and is reduced"), "a unit of two steps");
        }
        if (state.disrupted | state.shattered).has(piece) && (leader || state.hex(piece).is_none()) {
            let why = if leader { "is a leader: he is never disrupted" } else { "is not on the map" };
            self.fault(piece, format!("`{id}` {why}"), "`order` for combat units on the map alone");
        }
        let withdrawers = roles.dragoons | roles.indians | roles.withdrawers;
        if state.withdrawn.has(piece) && !withdrawers.has(piece) {
            self.fault(
                piece,
                format!("`{id}` cannot have withdrawn before combat"),
                "`withdrawn` for dragoons, Indians and units that withdraw like them",
            );
        }
        if state.volleyed.has(piece) && !roles.fence.has(piece) {
            self.fault(piece, format!("`{id}` has no fence"), "`volleyed` for units with the mark `fence`");
        }
        let phases: [(&str, Pieces, &[Phase]); 5] = [
            ("moved", state.moved, &[Phase::Movement]),
            ("acted", state.acted, &[Phase::Rally, Phase::Artillery, Phase::Rifle]),
            ("targeted", state.targeted, &[Phase::Artillery, Phase::Rifle]),
            ("driven", state.driven, &[Phase::CloseCombat]),
            ("defended", state.defended, &[Phase::CloseCombat]),
        ];
        for (key, set, allowed) in phases {
            if set.has(piece) && (leader && key != "moved" || !allowed.contains(&state.phase)) {
                self.fault(
                    piece,
                    format!("`{id}` cannot be `{key}` in this phase"),
                    "its own phase for each mark",
                );
            }
        }
        if state.moved.has(piece) && battle.side(piece) != state.phasing {
            self.fault(
                piece,
                format!("`{id}` has moved in the enemy's turn"),
                "`moved` for the phasing side",
            );
        }
    }

    /// On the map, in ground that it may stand in, within the limit, apart from the enemy (7.1, 9.3.d, R91).
    fn place(&self, piece: Piece, hex: Hex) {
        let (battle, state) = (self.battle, self.state);
        let (id, name) = (self.id(piece), battle.hex_name(hex));
        if !battle.ground.on_map.contains(hex) {
            self.fault(piece, format!("`{id}` stands in {name}, which is out of play"), "a hex in play");
            return;
        }
        if !may_stand(&battle.ground, &battle.charts, battle.counter(piece).arm, hex) {
            let terrain = battle.ground.terrain[hex.index()].words();
            self.fault(
                piece,
                format!("`{id}` stands in {name}: {terrain} is prohibited to it"),
                "ground it may enter",
            );
        }
        let (side, here) = (battle.side(piece), state.in_hex(hex));
        let before = Pieces((1 << piece.0) - 1);
        if let Some(enemy) = (here & battle.pieces(!side) & before).first() {
            let enemy = self.id(enemy);
            self.fault(piece, format!("`{id}` stands in the hex of `{enemy}`, an enemy"), "hexes apart");
        }
        let units = here & battle.units[side];
        let others = units & before;
        if units.has(piece)
            && At::new(battle, state).within_limit(others)
            && !At::new(battle, state).within_limit(others.with(piece))
            && !self.may_crowd(units, hex)
        {
            let [sp, guns] = battle.charts.stacking;
            self.fault(
                piece,
                format!("{name} is over the stacking limit"),
                format!("at most {sp} SP and {guns} artillery unit in a hex"),
            );
        }
    }

    /// While their side moves, reinforcements may crowd their entry hex (9.11.b).
    fn may_crowd(&self, units: Pieces, hex: Hex) -> bool {
        let (battle, state) = (self.battle, self.state);
        let mut units = units & battle.units[state.phasing];
        let entered = |u: Piece| matches!(battle.counter(u).start, Start::Enters(turn, at) if at == hex && turn <= state.turn);
        state.phase == Phase::Movement && units.any(entered)
    }

    fn in_a_box(&self, piece: Piece) {
        let enters = matches!(self.battle.counter(piece).start, Start::Enters(..));
        if self.state.at[piece.index()] == Spot::TO_COME && !enters {
            self.fault(
                piece,
                format!("`{}` is no reinforcement", self.id(piece)),
                "`box = \"to-come\"` for pieces that the scenario lets enter",
            );
        }
    }
}

impl At<'_> {
    /// Why a pinned combat could not be: combat units of both sides in Parade Order, each next to an enemy of the same
    /// pin, one side of it in one hex; leaders in its hexes (13.1.p, R14).
    pub(crate) fn pin_fault(self, pieces: Pieces) -> Option<(String, &'static str)> {
        let id = |piece: Piece| self.counter(piece).id.as_str();
        if !self.battle.has_both_sides(pieces) {
            return Some(("units of one side alone are pinned".into(), "combat units of both sides"));
        }
        let mut all = pieces;
        if let Some(away) = all.find(|&p| self.hex(p).is_none()) {
            return Some((format!("`{}` is not on the map", id(away)), "pieces on the map"));
        }
        let units = pieces & self.battle.all_units();
        if let Some(broken) = (units & (self.state.disrupted | self.state.shattered)).first() {
            return Some((
                format!("`{}` is not in Parade Order", id(broken)),
                "Parade Order: a PIN captures the others",
            ));
        }
        let hexes = BySide::from_fn(|side| -> HexSet {
            (units & self.battle.units[side]).filter_map(|u| self.hex(u)).collect()
        });
        for piece in pieces {
            let (side, hex) = (self.side(piece), self.hex(piece)?);
            if !hexes[side].contains(hex) {
                return Some((
                    format!("`{}` is in none of the pinned hexes", id(piece)),
                    "leaders in a hex with pinned units",
                ));
            }
            if !hexes[!side].iter().any(|at| self.battle.ground.adjacent(at, hex)) {
                return Some((
                    format!("`{}` is next to no enemy of this pin", id(piece)),
                    "units next to each other",
                ));
            }
        }
        if hexes.first.iter().count() > 1 && hexes.second.iter().count() > 1 {
            return Some((
                "several hexes are pinned against several".into(),
                "one hex on one side (12.15.d)",
            ));
        }
        None
    }

    /// Why a close combat could not have been announced after those before it (12.15).
    pub(crate) fn attack_fault(self, attack: Attack, before: &[Attack]) -> Option<(String, String)> {
        let own = self.battle.units[self.state.phasing];
        for unit in attack.attackers {
            let id = &self.counter(unit).id;
            if let Err(no) = self.may_attack(unit) {
                return Some((
                    format!("`{id}` cannot attack: {}", no.why()),
                    "attackers that may attack".into(),
                ));
            }
            let from = self.hex(unit)?;
            let mut hexes = attack.defenders.filter_map(|u| self.hex(u));
            if !hexes.all(|at| self.battle.ground.adjacent(from, at)) {
                return Some((
                    format!("`{id}` is not next to every hex it attacks"),
                    "attackers next to every hex in `at`".into(),
                ));
            }
        }
        let hexes = |units: Pieces| units.filter_map(|u| self.hex(u)).collect::<HexSet>().iter().count();
        if hexes(attack.attackers & own) > 1 && hexes(attack.defenders) > 1 {
            return Some(("several hexes attack several".into(), "one hex on one side (12.15.d)".into()));
        }
        let both = attack.attackers | attack.defenders;
        let twice = before.iter().map(|a| (a.attackers | a.defenders) & both).find(|twice| !twice.is_empty());
        twice.and_then(Pieces::first).map(|unit| {
            let id = &self.counter(unit).id;
            (format!("`{id}` is in two close combats"), "each unit in one (12.15.a)".to_owned())
        })
    }
}
