//! The units of a position: where each is, what it has lost, and whether that can be.

use game::read::{Field, Section};
use hexmap::Hex;

use super::Setting;
use crate::at::At;
use crate::setup::ground::Feature;
use crate::setup::pieces::{Arm, Column, SetUp};
use crate::setup::scenario::on_map;
use crate::state::{Id, Mount, NOWHERE, Status, Step};

/// Keys of a unit that say how far its move has gone; read once the Turn is known.
pub(super) const OF_A_MOVEMENT_TURN: [&str; 4] = ["moved", "mp", "began_in_zone", "placed"];

const BOXES: [(&str, Status); 5] = [
    ("shattered", Status::Shattered),
    ("eliminated", Status::Eliminated),
    ("exited", Status::Exited),
    ("due", Status::Due),
    ("rallied", Status::Rallied),
];

impl Setting<'_> {
    pub(super) fn units(&mut self, field: &Field<'_>) {
        let Some(table) = field.section() else { return };
        let mut placed: Vec<(Id, Hex)> = Vec::new();
        for (id, field) in table.entries() {
            let Some(unit) = self.battle.find(&id) else {
                field.fault(format!("there is no unit `{id}`"), "the id of a unit");
                continue;
            };
            if let Some(section) = field.section() {
                self.unit(unit, &section, &mut placed);
            }
        }
        // All leave before any arrive, so that units may change places.
        for &(unit, _) in &placed {
            self.state.lift(unit);
        }
        for (unit, hex) in placed {
            self.state.put(unit, hex);
        }
    }

    fn unit(&mut self, unit: Id, section: &Section<'_>, placed: &mut Vec<(Id, Hex)>) {
        let hex_field = section.field("hex");
        let hex = hex_field.is_present().then(|| on_map(&self.battle.ground, &hex_field)).flatten();
        placed.extend(hex.map(|hex| (unit, hex)));
        let status = section.field("box").one_of(&BOXES.map(|(word, _)| word)).map(|i| BOXES[i].1);
        if status.is_some() && hex_field.is_present() {
            section.field("box").fault("it is in a hex and in a box", "`hex` or `box`");
        }
        if status == Some(Status::Due) && matches!(self.battle.unit(unit).set_up, SetUp::At(_)) {
            section
                .field("box")
                .fault("it is no reinforcement: it begins on the map", "another box, or a hex");
        }
        if let Some(status) = status {
            self.state.lift(unit);
            self.state.piece_mut(unit).status = status;
        }
        self.seat(unit, section, hex.is_some());
        self.strength(unit, section, status, hex.is_some());
        section.ignore(&OF_A_MOVEMENT_TURN);
        section.finish();
    }

    /// `dismounted`, `horses`, `holders`.
    fn seat(&mut self, unit: Id, section: &Section<'_>, in_hex: bool) {
        let battle = self.battle;
        let dismounted = section.field("dismounted");
        let (horses, holders) = (section.field("horses"), section.field("holders"));
        let on_foot = dismounted.truth() == Some(true);
        if dismounted.is_present() {
            self.state.horse_markers.remove(unit);
            let piece = self.state.piece_mut(unit);
            (piece.mount, piece.horses, piece.holders) = (Mount::Mounted, NOWHERE, 0);
        }
        if !on_foot {
            for field in [&horses, &holders] {
                if field.is_present() {
                    field.fault("it is not dismounted", "`dismounted = true` with it");
                }
            }
            return;
        }
        if battle.unit(unit).arm != Arm::Cavalry {
            return dismounted.fault("only cavalry dismounts", "a cavalry unit (11.3.d)");
        }
        let lost = horses.text().as_deref() == Some("lost");
        if !lost && !in_hex && !self.state.piece(unit).on_map() {
            return dismounted.fault("a unit off the map has no horses out", "a unit on the map (R60)");
        }
        let hex = (horses.is_present() && !lost).then(|| on_map(&battle.ground, &horses)).flatten();
        if !horses.is_present() {
            section.fault("its horses are nowhere", "`horses = \"1108\"`, or \"lost\"");
        }
        let written = holders.integer(0..=40).map(|n| n as u8);
        let left = battle.unit(unit).strength.saturating_sub(
            section.field("lost").integer(0..=40).map_or(battle.unit(unit).lost, |n| n as u8),
        );
        if lost && written.is_some_and(|n| n > 0) {
            holders.fault("the holders were lost with the horses", "no `holders` (11.3.p)");
        }
        let piece = self.state.piece_mut(unit);
        piece.mount = if lost { Mount::HorsesLost } else { Mount::Dismounted };
        if let Some(hex) = hex {
            piece.horses = hex;
            piece.holders = written.unwrap_or(left / 3);
            // It dismounted with at least what it has now and at most what it began with.
            let possible = left / 3..=battle.unit(unit).strength / 3;
            if !possible.contains(&piece.holders) {
                let wanted = format!("{} to {} (11.3.g)", possible.start(), possible.end());
                holders.fault(format!("{} SP cannot hold its horses", piece.holders), wanted);
            }
            self.state.horse_markers.insert(unit);
        }
    }

    /// `lost`, `demoralised`.
    fn strength(&mut self, unit: Id, section: &Section<'_>, status: Option<Status>, in_hex: bool) {
        let printed = self.battle.unit(unit);
        let (lost_field, demoralised_field) = (section.field("lost"), section.field("demoralised"));
        let (lost, demoralised) = (lost_field.integer(0..=40), demoralised_field.integer(0..=40));
        let piece = self.state.piece_mut(unit);
        let lost = match status {
            Some(Status::Eliminated) => i64::from(printed.strength),
            _ => lost.unwrap_or(i64::from(printed.lost)),
        };
        let strength = i64::from(printed.strength) - lost - i64::from(piece.holders);
        if strength < 0 {
            section.fault("it has lost more than it had", "`lost` up to its SPs");
        }
        piece.strength = strength.max(0) as u8;
        let all = piece.strength;
        let written = demoralised.map(|d| d as u8);
        piece.demoralised = match status {
            Some(Status::Shattered | Status::Eliminated) => all,
            _ => written.unwrap_or(piece.demoralised.min(all)),
        };
        if written.is_some_and(|d| d > all) {
            demoralised_field.fault("more SPs are demoralised than it has", format!("at most {all}"));
            piece.demoralised = all;
            return;
        }
        let (intact, demoralised) = (all - piece.demoralised, piece.demoralised);
        let in_play = in_hex || piece.on_map();
        let fault = |what: &str, wanted: &str| {
            let at = [&demoralised_field, &lost_field].into_iter().find(|f| f.is_present());
            match at {
                Some(field) => field.fault(what, wanted),
                None => section.fault(what, wanted),
            }
        };
        if strength < 0 {
            return;
        }
        match piece.status {
            Status::Shattered if all == 0 => {
                fault("no SP is left to it", "`box = \"eliminated\"` (10.2.3.a)")
            }
            Status::Shattered if written.is_some_and(|d| d != all) => {
                fault(
                    "all SPs of a Shattered unit are demoralised",
                    &format!("{all}, or nothing (10.2.2.b)"),
                );
            }
            Status::Rallied if demoralised == 0 || intact == 0 => {
                fault(
                    "a rallied unit has intact and demoralised SPs",
                    "`demoralised` from 1, below its SPs (10.5.c)",
                );
            }
            _ if in_play && intact == 0 => {
                fault("a unit on the map has an intact SP", "fewer, or `box = \"shattered\"` (10.2.2.a)");
            }
            _ => {}
        }
    }

    /// What can only be judged when all units are in place: stacking, ground, horses.
    pub(super) fn check_units(&self, field: &Field<'_>) {
        let Some(table) = field.section() else { return };
        for (id, field) in table.entries() {
            let (Some(unit), Some(section)) = (self.battle.find(&id), field.section()) else { continue };
            self.check_hex(unit, &section.field("hex"));
            self.check_horses(unit, &section.field("horses"));
        }
    }

    /// 3.7.c: one unit a hex, but for one that passes through a friend. 5.2.e: no unit stands where it cannot go.
    fn check_hex(&self, unit: Id, field: &Field<'_>) {
        let hex = self.state.piece(unit).hex;
        if hex == NOWHERE || !field.is_present() {
            return;
        }
        let retreats = self.state.agenda.iter().any(|s| matches!(s, Step::Retreat(r) if r.unit == unit));
        if let Some(other) = self.state.at(hex).filter(|&other| other != unit) {
            let friends = self.battle.side(other) == self.battle.side(unit);
            if !(friends && (retreats || self.state.hand == Some(unit))) {
                let id = &self.battle.unit(other).id;
                field.fault(format!("`{id}` stands there already"), "one unit a hex (3.7.c)");
            }
        }
        let column = At::new(self.battle, &self.state).column_now(unit);
        if !self.can_stand(column, hex) {
            let row = usize::from(self.battle.ground.terrain[hex.index()]);
            let terrain = &self.battle.charts.hexes[row].name;
            field.fault(
                format!("{terrain} is closed to {}", column.word()),
                "a hex it can enter, or one with a road (5.2.e)",
            );
        }
    }

    fn can_stand(&self, column: Column, hex: Hex) -> bool {
        let row = usize::from(self.battle.ground.terrain[hex.index()]);
        let by_road =
            |d: usize| Feature::WAYS.iter().any(|&way| self.battle.ground.side_features(hex, d).has(way));
        self.battle.charts.hexes[row].cost[column as usize].is_some() || (0..6).any(by_road)
    }

    /// 11.3.f, 11.3.o: horses stand alone, where cavalry can go, outside enemy zones.
    fn check_horses(&self, unit: Id, field: &Field<'_>) {
        let hex = self.state.piece(unit).horses;
        if hex == NOWHERE || !field.is_present() {
            return;
        }
        let others = self.state.horse_markers.into_iter().filter(|&other| other != unit);
        if let Some(other) = others.into_iter().find(|&other| self.state.piece(other).horses == hex) {
            let id = &self.battle.unit(other).id;
            field.fault(format!("the horses of `{id}` are held there"), "one horse marker a hex (11.3.f)");
        }
        let enemies = self.battle.armies[self.battle.side(unit).enemy()].units;
        let taken = self.state.at(hex).is_some_and(|u| enemies.contains(u));
        if taken || self.enemy_zone_over(unit, hex) {
            field.fault(
                "the enemy would have taken them there",
                "a hex in no enemy zone, or \"lost\" (11.3.o)",
            );
        }
        if !self.can_stand(Column::Cavalry, hex) {
            field.fault("cavalry cannot enter that hex", "a hex it can enter (11.3.f)");
        }
    }
}
