//! The charts as the board prints them.

use game::board::Chart;
use game::words::signed;

use crate::rules::charts::{COLUMNS, Charts, Crossing, PROHIBITED, Terrain};
use crate::rules::results::{Effect, Hit};
use crate::rules::tactics::Tactic;

impl Charts {
    /// Every chart of the battle.
    pub(crate) fn printed(&self) -> Vec<Chart> {
        vec![
            self.close_combat_chart(),
            Chart {
                title: "Tactical Matrix".into(),
                columns: matrix_heads(),
                rows: self.matrix_rows(),
                rule: Some(cite!("TM.a")),
                note: "Added to the roll. NC: no combat.".into(),
            },
            self.to_hit_chart(),
            self.damage_chart(),
            self.terrain_chart(),
            self.morale_chart(),
        ]
    }

    fn close_combat_chart(&self) -> Chart {
        let [low, high] = self.momentum_at;
        let rows = (-2..=11i8).map(|roll| {
            let mark = match roll {
                _ if roll <= low => " ■",
                _ if roll >= high => " ●",
                _ => "",
            };
            let cells = self.row(roll).iter().map(|[a, d]| match a.effect {
                Effect::Pin => "PIN".to_owned(),
                _ => format!("{}/{}", a.words(), d.words()),
            });
            row(format!("{roll}{mark}"), cells)
        });
        Chart {
            title: "Close Combat Table".into(),
            columns: heads("roll", COLUMNS),
            rows: rows.collect(),
            rule: Some(cite!("12.23.o")),
            note: "Attacker / defender. ■ the defender, ● the attacker gains momentum. Odds below 1-3: one less on the roll.".into(),
        }
    }

    /// The Tactical Matrix: a row for each card of the defender.
    pub(crate) fn matrix_rows(&self) -> Vec<Vec<String>> {
        let cell = |a, d| self.tactics(a, d).map_or("NC".to_owned(), signed);
        Tactic::ALL.map(|d| row(d.name(), Tactic::ALL.map(|a| cell(a, d)))).to_vec()
    }

    fn to_hit_chart(&self) -> Chart {
        let ranges = 1..=self.artillery_range;
        let rows = (1..=6u8).map(|sp| {
            let label = if sp == 6 { "6+".to_owned() } else { sp.to_string() };
            row(label, ranges.clone().map(|range| self.to_hit(sp, range).to_string()))
        });
        Chart {
            title: "Ranged Fire To Hit".into(),
            columns: row("SP", ranges.clone().map(|range| format!("range {range}"))),
            rows: rows.collect(),
            rule: Some(cite!("10.3.a")),
            note: "Rifles fire at range 1 only. Our values.".into(),
        }
    }

    fn damage_chart(&self) -> Chart {
        let line = |name, hits: &[Hit]| row(name, hits.iter().map(|hit| hit.words()));
        Chart {
            title: "Fire Damage".into(),
            columns: row("die", (0..10).map(|face| face.to_string())),
            rows: vec![line("rifles", &self.rifle_damage), line("artillery", &self.artillery_damage)],
            rule: Some(cite!("10.3.c")),
            note: "Our values.".into(),
        }
    }

    fn terrain_chart(&self) -> Chart {
        let mp = |n: u8| if n == PROHIBITED { "P".to_owned() } else { n.to_string() };
        let plus = |n: u8| if n == PROHIBITED { "P".to_owned() } else { format!("+{n}") };
        let yes = |b: bool| if b { "yes" } else { "no" }.to_owned();
        let hexes = Terrain::ALL.iter().map(|&terrain| {
            let line = self.terrain[terrain as usize];
            row(terrain.words(), line.mp.map(mp).into_iter().chain([yes(line.zoc), yes(line.blocks)]))
        });
        let sides = Crossing::NAMES.iter().zip(&self.hexside).map(|(name, line)| {
            row(name.replace('_', " "), line.map(plus).into_iter().chain([String::new(), String::new()]))
        });
        Chart {
            title: "Terrain Effects".into(),
            columns: heads("terrain", ["infantry", "cavalry", "artillery", "zones enter", "blocks sight"]),
            rows: hexes.chain(sides).collect(),
            rule: Some(cite!("9.4.a")),
            note: "A road step costs 1 whatever the terrain. Leaders pay as cavalry. Our values.".into(),
        }
    }

    fn morale_chart(&self) -> Chart {
        let c = &self.change;
        let lines = [
            ("AM result", c.am_result),
            ("a unit becomes disrupted, or shattered", c.one_level_worse),
            ("a shattered unit is eliminated by D", c.shattered_eliminated),
            ("1 result, step lost for room or overstacking", c.step_loss),
            ("2 result", c.two_step_result),
            ("a unit is captured", c.captured_unit),
            ("a unit rallies", c.rally),
            ("a pin is broken", c.pin_broken),
            ("a stack is examined against the rule", c.forbidden_peek),
            ("a leader falls", c.leader_killed),
            ("the army commander falls", c.army_commander_killed),
            ("a leader is captured", c.leader_captured),
            ("the army commander is captured", c.army_commander_captured),
        ];
        Chart {
            title: "Army Morale Adjustment".into(),
            columns: heads("event", ["side concerned", "opponent"]),
            rows: lines.map(|(event, change)| row(event, change.map(signed))).to_vec(),
            rule: Some(cite!("16.1.a")),
            note: "Values that the rulebook does not print are ours.".into(),
        }
    }
}

/// The heads of the Tactical Matrix.
pub(crate) fn matrix_heads() -> Vec<String> {
    heads("defender ▼ attacker ▶", Tactic::ALL.map(Tactic::name))
}

fn heads<const N: usize>(first: &str, rest: [&str; N]) -> Vec<String> {
    row(first, rest.map(str::to_owned))
}

fn row(label: impl Into<String>, cells: impl IntoIterator<Item = String>) -> Vec<String> {
    std::iter::once(label.into()).chain(cells).collect()
}
