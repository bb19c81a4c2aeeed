//! The charts as the board prints them.

use game::board::Chart;
use game::words::signed;

use crate::rules::charts::{COLUMNS, Crossing, PROHIBITED, Terrain};
use crate::rules::results::Effect;
use crate::rules::tactics::Tactic;
use crate::setup::battle::Battle;

/// Every chart of the battle.
pub(crate) fn charts(battle: &Battle) -> Vec<Chart> {
    let charts = &battle.charts;
    let heads = |first: &str, rest: &[&str]| {
        std::iter::once(first.to_owned()).chain(rest.iter().map(|s| (*s).to_owned())).collect::<Vec<_>>()
    };
    let rows = (-2..=11i8).map(|roll| {
        let mark = if roll <= charts.momentum_at[0] {
            " ■"
        } else if roll >= charts.momentum_at[1] {
            " ●"
        } else {
            ""
        };
        let cells = charts.row(roll).iter().map(|[a, d]| {
            if a.effect == Effect::Pin { "PIN".to_owned() } else { format!("{}/{}", a.words(), d.words()) }
        });
        std::iter::once(format!("{roll}{mark}")).chain(cells).collect()
    });
    let combat = Chart {
        title: "Close Combat Table".into(),
        columns: heads("roll", &COLUMNS),
        rows: rows.collect(),
        rule: Some(cite!("12.23.o")),
        note: "Attacker / defender. ■ the defender, ● the attacker gains momentum. Odds below 1-3: one less on the roll.".into(),
    };
    let names: Vec<&str> = Tactic::ALL.iter().map(|t| t.name()).collect();
    let matrix = Chart {
        title: "Tactical Matrix".into(),
        columns: heads("defender ▼ attacker ▶", &names),
        rows: Tactic::ALL
            .iter()
            .map(|&d| {
                let cells = Tactic::ALL.iter().map(|&a| charts.tactics(a, d).map_or("NC".to_owned(), signed));
                std::iter::once(d.name().to_owned()).chain(cells).collect()
            })
            .collect(),
        rule: Some(cite!("TM.a")),
        note: "Added to the roll. NC: no combat.".into(),
    };
    let fire = Chart {
        title: "Ranged Fire To Hit".into(),
        columns: (0..=charts.artillery_range)
            .map(|r| if r == 0 { "SP".into() } else { format!("range {r}") })
            .collect(),
        rows: (1..=6u8)
            .map(|sp| {
                let label = if sp == 6 { "6+".to_owned() } else { sp.to_string() };
                std::iter::once(label)
                    .chain((1..=charts.artillery_range).map(|r| charts.to_hit(sp, r).to_string()))
                    .collect()
            })
            .collect(),
        rule: Some(cite!("10.3.a")),
        note: "Rifles fire at range 1 only. Our values.".into(),
    };
    let faces: Vec<String> = (0..10).map(|n| n.to_string()).collect();
    let faces: Vec<&str> = faces.iter().map(String::as_str).collect();
    let line = |name: &str, hits: &[crate::rules::results::Hit]| {
        std::iter::once(name.to_owned()).chain(hits.iter().map(|h| h.words())).collect::<Vec<_>>()
    };
    let damage = Chart {
        title: "Fire Damage".into(),
        columns: heads("die", &faces),
        rows: vec![line("rifles", &charts.rifle_damage), line("artillery", &charts.artillery_damage)],
        rule: Some(cite!("10.3.c")),
        note: "Our values.".into(),
    };
    let mp = |n: u8| if n == PROHIBITED { "P".to_owned() } else { n.to_string() };
    let yes = |b: bool| if b { "yes" } else { "no" }.to_owned();
    let hexes = Terrain::ALL.iter().map(|&t| {
        let row = charts.terrain[t as usize];
        vec![t.words(), mp(row.mp[0]), mp(row.mp[1]), mp(row.mp[2]), yes(row.zoc), yes(row.blocks)]
    });
    let sides = Crossing::NAMES.iter().zip(&charts.hexside).map(|(name, row)| {
        let plus = |n: u8| if n == PROHIBITED { "P".to_owned() } else { format!("+{n}") };
        vec![name.replace('_', " "), plus(row[0]), plus(row[1]), plus(row[2]), String::new(), String::new()]
    });
    let terrain = Chart {
        title: "Terrain Effects".into(),
        columns: heads("terrain", &["infantry", "cavalry", "artillery", "zones enter", "blocks sight"]),
        rows: hexes.chain(sides).collect(),
        rule: Some(cite!("9.4.a")),
        note: "A road step costs 1 whatever the terrain. Leaders pay as cavalry. Our values.".into(),
    };
    let c = &charts.change;
    let change = |what: &str, change: [i8; 2]| vec![what.to_owned(), signed(change[0]), signed(change[1])];
    let morale = Chart {
        title: "Army Morale Adjustment".into(),
        columns: heads("event", &["side concerned", "opponent"]),
        rows: vec![
            change("AM result", c.am_result),
            change("a unit becomes disrupted, or shattered", c.one_level_worse),
            change("a shattered unit is eliminated by D", c.shattered_eliminated),
            change("1 result, step lost for room or overstacking", c.step_loss),
            change("2 result", c.two_step_result),
            change("a unit is captured", c.captured_unit),
            change("a unit rallies", c.rally),
            change("a pin is broken", c.pin_broken),
            change("a stack is examined against the rule", c.forbidden_peek),
            change("a leader falls", c.leader_killed),
            change("the army commander falls", c.army_commander_killed),
            change("a leader is captured", c.leader_captured),
            change("the army commander is captured", c.army_commander_captured),
        ],
        rule: Some(cite!("16.1.a")),
        note: "Values that the rulebook does not print are ours.".into(),
    };
    vec![combat, matrix, fire, damage, terrain, morale]
}
