//! The charts as the board shows them.

use game::Rule;
use game::board::Chart;
use game::words::signed;

use crate::board::spoken;
use crate::rules::charts::{HexRow, ZoneStop};
use crate::setup::battle::Battle;
use crate::setup::ground::Feature;
use crate::setup::pieces::Column;

type Row = Vec<String>;

const HEX_COLUMNS: [&str; 8] = [
    "hex",
    "infantry MP",
    "artillery MP",
    "cavalry MP",
    "To Hit",
    "firing out",
    "blocks sight",
    "our values",
];
const SIDE_COLUMNS: [&str; 7] =
    ["hexside", "infantry MP", "artillery MP", "cavalry MP", "To Hit", "stops zones", "our values"];

impl Battle {
    pub(super) fn chart_pages(&self) -> Vec<Chart> {
        let rally = |mr: i8| vec![signed(mr), self.charts.rally[(mr + 3) as usize].to_string()];
        let vp = |what: &str, n: [u8; 2]| vec![what.to_owned(), n[0].to_string(), n[1].to_string()];
        let points = &self.charts.points;
        vec![
            chart(
                ("Terrain effects: hexes", cite!("5.4.1.a")),
                &HEX_COLUMNS,
                self.hex_rows(),
                "Closed ground can be entered by road, minor road or railroad.",
            ),
            chart(
                ("Terrain effects: hexsides", cite!("5.4.2.a")),
                &SIDE_COLUMNS,
                self.side_rows(),
                "Slopes and escarpments count upward, fortifications inward. Artillery ignores creek, river, bridge and ford when firing.",
            ),
            chart(
                ("Special combat situations", cite!("6.2.2.c")),
                &["situation", "To Hit"],
                self.situation_rows(),
                &format!("Ours: {}.", self.charts.situations.ours),
            ),
            chart(
                ("Rally", cite!("10.5.4.a")),
                &["morale", "SPs that rally"],
                (-3..=3).map(rally).collect(),
                "One SP always stays demoralised.",
            ),
            chart(
                ("Victory points", cite!("14.2.a")),
                &["for each SP", "infantry", "others"],
                vec![
                    vp("lost", points.lost),
                    vp("demoralised, unit shattered", points.shattered),
                    vp("demoralised", points.demoralised),
                ],
                "",
            ),
        ]
    }

    fn hex_rows(&self) -> Vec<Row> {
        let row = |row: &HexRow| {
            let mut cells = vec![spoken(&row.name)];
            cells.extend(Column::ALL.map(|c| cost(row.cost[c as usize], "")));
            let blocks = if row.blocks_sight { "yes" } else { "no" };
            cells.extend([row.to_hit.to_string(), signed(row.firing_out), blocks.into(), row.ours.clone()]);
            cells
        };
        self.charts.hexes.iter().map(row).collect()
    }

    fn side_rows(&self) -> Vec<Row> {
        let row = |feature: Feature| {
            let row = &self.charts.sides[feature as usize];
            let pays = |c: Column| match row.instead {
                Some(n) => format!("{n} instead"),
                None => cost(row.cost[c as usize], "+"),
            };
            let zone = match row.zone {
                ZoneStop::Nowhere => "",
                ZoneStop::Both => "both ways",
                ZoneStop::Up => "upward",
                ZoneStop::In => "inward",
            };
            let mut cells = vec![spoken(feature.word())];
            cells.extend(Column::ALL.map(pays));
            cells.extend([signed(row.to_hit), zone.into(), row.ours.clone()]);
            cells
        };
        Feature::ALL.into_iter().map(row).collect()
    }

    fn situation_rows(&self) -> Vec<Row> {
        let s = &self.charts.situations;
        let situations = [
            ("the firer is surrounded", s.firer_surrounded),
            ("the target is surrounded", s.target_surrounded),
            ("approach fire", s.approach_fire),
            ("from higher to lower ground", s.from_high_to_low),
            ("infantry on guns", s.infantry_on_guns),
            ("infantry on cavalry", s.infantry_on_cavalry),
            ("artillery on cavalry", s.artillery_on_cavalry),
            ("cavalry on infantry", s.cavalry_on_infantry),
            ("cavalry on guns", s.cavalry_on_guns),
        ];
        let ranges = (1..).zip(self.charts.range).map(|(r, n)| (format!("artillery at range {r}"), n));
        let rows = situations.into_iter().map(|(what, n)| (what.to_owned(), n)).chain(ranges);
        rows.map(|(what, n)| vec![what, signed(n)]).collect()
    }
}

fn cost(cost: Option<u8>, plus: &str) -> String {
    cost.map_or("closed".to_owned(), |n| format!("{plus}{n}"))
}

fn chart((title, rule): (&str, Rule), columns: &[&str], rows: Vec<Row>, note: &str) -> Chart {
    let columns = columns.iter().map(|c| (*c).to_owned()).collect();
    Chart { title: title.into(), columns, rows, rule: Some(rule), note: note.into() }
}
