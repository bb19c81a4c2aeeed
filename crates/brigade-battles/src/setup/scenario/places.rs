//! 6.1, 9.8, 14 The places of a scenario: objectives, what burns, ford markers, and where retreats lead.

use game::read::{Field, Section};
use game::{BySide, Side};
use hexmap::Hex;

use crate::setup::battle::{Army, FordSite, Objective, Site, SitePlace};
use crate::setup::ground::side_of;
use crate::setup::map::feature;
use crate::setup::pieces::{LeaderSheet, Start, UnitSheet};
use crate::setup::scenario::{Roll, SIDES, at_most, in_play};
use crate::state::{Face, PLACES};

impl Roll<'_> {
    pub(super) fn objectives(&self, sheet: &Section<'_>, units: &[UnitSheet]) -> Vec<Objective> {
        let sections = at_most(&sheet.field("objective"), PLACES, "objectives");
        let mut hexes: Vec<Hex> = Vec::new();
        let objectives = sections.iter().filter_map(|section| {
            let hex = in_play(&section.field("hex").required(), self.ground);
            let points = section.field("points").required().integer(0..=999);
            let written = section.field("control");
            let control = if written.text().as_deref() == Some("none") { None } else { self.side(&written) };
            let name = section.field("name").text();
            section.finish();
            let hex = hex?;
            let holder = units.iter().find(|unit| unit.start == Start::At(hex)).map(|unit| unit.side);
            if let (Some(holder), Some(named)) = (holder, control)
                && holder != named
            {
                let id = SIDES[holder.index()];
                written.fault(format!("a unit of {id} stands there"), format!("\"{id}\" (14.0.b)"));
            }
            if hexes.contains(&hex) {
                section.field("hex").fault("this hex is an objective already", "another hex");
            }
            hexes.push(hex);
            let known = self.ground.names[hex.index()].clone();
            let name = name.or(known).unwrap_or_else(|| self.ground.grid.name(hex).to_string());
            Some(Objective { hex, points: points? as i32, name, control })
        });
        objectives.collect()
    }

    pub(super) fn sites(&self, sheet: &Section<'_>) -> Vec<Site> {
        let sections = at_most(&sheet.field("burnable"), PLACES, "burnable places");
        let sites = sections.iter().filter_map(|section| {
            let (bridge, depot) = (section.field("bridge"), section.field("depot"));
            let place = if bridge.is_present() {
                self.side_with(&bridge, feature::BRIDGE, "bridge").map(SitePlace::Bridge)
            } else {
                in_play(&depot.required(), self.ground).map(SitePlace::Depot)
            };
            let name = section.field("name").text();
            section.finish();
            let place = place?;
            let default = match place {
                SitePlace::Bridge(_) => "the bridge",
                SitePlace::Depot(_) => "the depot",
            };
            Some(Site { name: name.unwrap_or_else(|| default.into()), place })
        });
        sites.collect()
    }

    pub(super) fn fords(&self, sheet: &Section<'_>) -> Vec<FordSite> {
        let sections = at_most(&sheet.field("ford"), PLACES, "ford markers");
        let fords = sections.iter().filter_map(|section| {
            let side = self.side_with(&section.field("side").required(), feature::RIVER, "river");
            let face = section.field("face").one_of(&["yes", "no"]).unwrap_or(0);
            section.finish();
            Some(FordSite { side: side?, face: [Face::Yes, Face::No][face] })
        });
        fords.collect()
    }

    /// A hexside that has what the scenario puts its marker on.
    fn side_with(&self, field: &Field<'_>, bit: u8, what: &str) -> Option<hexmap::Side> {
        let side = side_of(field, &self.ground.grid)?;
        if self.ground.sides[side.index()] & bit == 0 {
            field.fault(format!("there is no {what} there"), format!("a hexside with a {what}"));
        }
        Some(side)
    }

    pub(super) fn both_have_units(&self, sheet: &Section<'_>, units: &[UnitSheet]) {
        let field = sheet.field("unit").required();
        // A unit that could not be read has its own fault.
        let all_read = field.is_present() && field.sections().len() == units.len();
        for (side, id) in Side::BOTH.into_iter().zip(SIDES) {
            if all_read && !units.iter().any(|u| u.side == side) {
                field.fault(format!("`{id}` has no units"), "a table [[unit]] for each");
            }
        }
    }

    pub(super) fn armies(
        &self,
        sheet: &Section<'_>,
        units: &[UnitSheet],
        leaders: &[LeaderSheet],
    ) -> BySide<Army> {
        let points = sheet.field("points").section();
        let havens = sheet.field("retreat").section();
        let armies = BySide::from_fn(|side| {
            let id = SIDES[side.index()];
            let (name, livery) = match side {
                Side::First => ("Union", "union"),
                Side::Second => ("Confederates", "confederate"),
            };
            let start = points.as_ref().and_then(|p| p.field(id).integer(0..=999));
            let written = havens.as_ref().map(|h| h.field(id));
            let havens = match written.filter(Field::is_present) {
                Some(field) => self.haven_list(&field),
                None => self.entered_by(side, units, leaders),
            };
            Army {
                id: id.into(),
                name: name.into(),
                livery: livery.into(),
                points: start.unwrap_or(0) as i32,
                havens,
            }
        });
        for section in points.into_iter().chain(havens) {
            section.finish();
        }
        armies
    }

    /// Entry hexes: areas by name or single hexes.
    fn haven_list(&self, field: &Field<'_>) -> Vec<Hex> {
        let mut hexes = Vec::new();
        for item in field.list() {
            let area = item.text().and_then(|name| self.areas.iter().find(|(known, _)| *known == name));
            match area {
                Some((_, area)) => hexes.extend(area),
                None => hexes.extend(in_play(&item, self.ground)),
            }
        }
        hexes
    }

    /// The areas through which a side's reinforcements come.
    fn entered_by(&self, side: Side, units: &[UnitSheet], leaders: &[LeaderSheet]) -> Vec<Hex> {
        let starts = units.iter().filter(|u| u.side == side).map(|u| u.start);
        let all = starts.chain(leaders.iter().filter(|l| l.side == side).map(|l| l.start));
        let mut areas: Vec<u8> = all
            .filter_map(|start| match start {
                Start::Enters { area, .. } | Start::ByDie { area, .. } => Some(area),
                Start::At(_) | Start::Nowhere => None,
            })
            .collect();
        areas.sort_unstable();
        areas.dedup();
        areas.into_iter().flat_map(|area| self.areas[usize::from(area)].1.iter().copied()).collect()
    }
}
