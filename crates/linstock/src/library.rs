use anyhow::anyhow;
use comfy_table::{ContentArrangement, Table, presets};

use crate::say::say;
use crate::{Failure, Outcome};

fn table(head: &[&str]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Dynamic).set_header(head);
    table
}

pub(crate) fn list(json: bool) -> Outcome {
    let scenarios = catalogue::scenarios();
    if json {
        let systems: Vec<_> = catalogue::systems()
            .iter()
            .map(|s| serde_json::json!({ "id": s.book().system, "title": s.book().title, "rules": s.book().rules.len() }))
            .collect();
        say!("{:#}", serde_json::json!({ "systems": systems, "scenarios": scenarios }));
        return Ok(());
    }
    for system in catalogue::systems() {
        let book = system.book();
        say!("{} ({}, {} rules)", book.title, book.system, book.rules.len());
        let mut rows = table(&["  scenario", "title", "units", "turns"]);
        for s in scenarios.iter().filter(|s| s.system == book.system) {
            rows.add_row([
                format!("  {}", s.id),
                format!("{}, {}", s.title, s.subtitle),
                s.units.to_string(),
                s.turns.to_string(),
            ]);
        }
        say!("{rows}\n");
    }
    Ok(())
}

pub(crate) fn rules(system: &str, id: Option<&str>) -> Outcome {
    let known = || catalogue::systems().iter().map(|s| s.book().system).collect::<Vec<_>>().join(", ");
    let found = catalogue::system(system)
        .ok_or_else(|| Failure::Input(anyhow!("there is no system `{system}`; choose one of {}", known())))?;
    let within = |rule: &str, wanted: &str| {
        rule == wanted || rule.strip_prefix(wanted).is_some_and(|rest| rest.starts_with('.'))
    };
    let book = found.book();
    let rules: Vec<_> =
        book.rules.iter().filter(|r| id.is_none_or(|wanted| within(r.id.id(), wanted))).collect();
    if rules.is_empty() {
        let wanted = id.unwrap_or_default();
        return Err(Failure::Input(anyhow!(
            "{} has no rule `{wanted}`; `linstock rules {system}` lists them all",
            book.title
        )));
    }
    for rule in rules {
        say!("{}  {}\n    {}", rule.id, rule.name, rule.says);
        for proof in catalogue::proofs(system, rule.id.id()) {
            say!("    proved by {proof}");
        }
    }
    Ok(())
}
