//! The charts: who wins, the margin turn by turn, what a change does, losses, and how it was played.

use std::collections::BTreeMap;

use game::Side;
use serde_json::{Value, json};

use super::vega::{Chart, PLAIN, SHARE, SIGNED, axis, interval, layer, ornament, rows, words};
use super::words::{escape, number, percent, signed};
use super::{Chapter, Panel, named};
use crate::CellSummary;
use crate::statistics::{Estimate, Histogram};

/// Rows that fit a panel; the table has them all.
const MOST_ROWS: usize = 18;

/// How a side's areas are filled: the second side's are hatched, for those who do not tell the colours apart.
fn fill(side: Side) -> &'static str {
    match side {
        Side::First => "var(--first)",
        Side::Second => "var(--hatch)",
    }
}

/// A number's place along an axis.
fn along(field: &str, ends: [f64; 2], axis: Value) -> Value {
    json!({ "field": field, "type": "quantitative", "axis": axis, "scale": { "domain": ends, "nice": false, "zero": false } })
}

/// A field drawn as it says.
fn as_said(field: &str) -> Value {
    json!({ "field": field, "scale": null })
}

/// The said field in a bubble over the mark.
fn bubble() -> Value {
    json!({ "field": "said", "type": "nominal" })
}

/// Games won, drawn and lost, with the score's interval and the band that counts as fair.
pub(super) fn wins(chapter: &Chapter<'_>) -> String {
    let (first, second) = (&chapter.faces.first.name, &chapter.faces.second.name);
    let (mut bars, mut scores, mut table) = (Vec::new(), Vec::new(), Vec::new());
    for (row, cell) in chapter.as_written.iter().enumerate() {
        let games = cell.games.max(1) as f64;
        let won = cell.won.first as f64 / games;
        let lost = cell.won.second as f64 / games;
        for (from, to, fill, ink, said) in [
            (0.0, won, fill(Side::First), "#fff", format!("{first} wins {} %", percent(won))),
            (won, 1.0 - lost, "var(--panel)", "", format!("drawn {} %", percent(1.0 - won - lost))),
            (1.0 - lost, 1.0, fill(Side::Second), "#20180c", format!("{second} wins {} %", percent(lost))),
        ] {
            let share = if ink.is_empty() || to - from < 0.12 { String::new() } else { percent(to - from) };
            bars.push(json!({ "row": row, "from": from, "to": to, "fill": fill, "ink": ink, "share": share, "said": said }));
        }
        let score = cell.score;
        scores.push(json!({
            "row": row, "score": score.value, "low": score.low, "high": score.high,
            "who": named(&cell.players.first),
            "against": format!("v {}, {}", named(&cell.players.second), number(cell.games)),
            "label": format!("{} ± {:.1}", percent(score.value), score.half_width() * 100.0),
            "said": format!("score {} %, from {} to {}", percent(score.value), percent(score.low), percent(score.high)),
        }));
        table.push(vec![
            format!("{} v {}", named(&cell.players.first), named(&cell.players.second)),
            number(cell.games),
            number(cell.won.first),
            number(cell.drawn),
            number(cell.won.second),
            percent(score.value),
            format!("{} to {}", percent(score.low), percent(score.high)),
        ]);
    }
    let plot = [272.0, 44.0 * chapter.as_written.len() as f64];
    let x = |field: &str| along(field, [0.0, 1.0], Value::Null);
    let fair = [json!({ "from": 0.4, "to": 0.6 })];
    let edges = [json!({ "at": 0.4 }), json!({ "at": 0.6 })];
    let left_of = |part: &str, mark: Value| {
        let text = json!({ "field": part, "type": "nominal" });
        ornament(&scores, mark, json!({ "x": { "value": -128 }, "y": rows(), "text": text }))
    };
    let share = |low: bool| {
        let end = if low { "from" } else { "to" };
        let ink = if low { "#fff" } else { "#20180c" };
        let shares: Vec<Value> = bars.iter().filter(|bar| bar["ink"] == ink).cloned().collect();
        let mark = json!({
            "type": "text", "align": if low { "left" } else { "right" }, "dx": if low { 6 } else { -6 }, "yOffset": -8,
            "fontWeight": "bold", "color": ink,
        });
        ornament(
            &shares,
            mark,
            json!({ "x": x(end), "y": rows(), "text": { "field": "share", "type": "nominal" } }),
        )
    };
    let label = |cell: &Value| cell["high"].as_f64().is_some_and(|high| high > 0.72);
    let labels = |left: bool| {
        let these: Vec<Value> = scores.iter().filter(|cell| label(cell) == left).cloned().collect();
        let (field, align, dx) = if left { ("low", "right", -8) } else { ("high", "left", 8) };
        let mark = json!({ "type": "text", "align": align, "dx": dx, "yOffset": 13, "fontWeight": "bold" });
        ornament(
            &these,
            mark,
            json!({ "x": x(field), "y": rows(), "text": { "field": "label", "type": "nominal" } }),
        )
    };
    let mut layers = vec![
        ornament(
            &fair,
            json!({ "type": "rect", "color": "var(--fair)" }),
            json!({ "x": x("from"), "x2": { "field": "to" } }),
        ),
        ornament(
            &edges,
            json!({ "type": "rule", "color": "var(--good)", "strokeWidth": 1, "strokeDash": [3, 3] }),
            json!({ "x": x("at") }),
        ),
        words(
            "fair: 40 to 60",
            [plot[0] / 2.0, -8.0],
            json!({ "align": "center", "fontSize": 11, "fontWeight": "bold", "color": "var(--good)" }),
        ),
        layer(
            &bars,
            json!({ "type": "bar", "height": 19, "yOffset": -8, "stroke": "var(--ink)", "strokeWidth": 0.5 }),
            json!({ "x": x("from"), "x2": { "field": "to" }, "y": rows(), "fill": as_said("fill"), "description": bubble(), "tooltip": bubble() }),
        ),
        share(true),
        share(false),
        left_of("who", json!({ "type": "text", "align": "left", "fontWeight": "bold", "yOffset": -8 })),
        left_of(
            "against",
            json!({ "type": "text", "align": "left", "fontSize": 11, "color": "var(--ink-2)", "yOffset": 7 }),
        ),
    ];
    layers.extend(interval(&scores, &rows(), 13.0));
    layers.push(layer(
        &scores,
        json!({ "type": "point", "filled": false, "fill": "var(--panel)", "stroke": "var(--ink)", "strokeWidth": 1.8, "size": 60, "opacity": 1, "yOffset": 13 }),
        json!({ "x": x("score"), "y": rows(), "description": bubble(), "tooltip": bubble() }),
    ));
    layers.extend([labels(true), labels(false)]);
    let says = format!("Games won by {first} and {second}, with the score and its 95 % interval.");
    let chart = Chart { says, plot, around: [130.0, 22.0, 6.0, 2.0], layers };
    let key = format!(
        "<div class=\"key\"><span><i style=\"background:var(--first)\"></i>{f} wins</span><span><i></i>draw</span><span><i style=\"background:var(--second)\"></i>{s} wins</span><span>○ score, draws as halves</span></div>",
        f = escape(first),
        s = escape(second)
    );
    Panel {
        class: "",
        title: "Who wins",
        aside: format!("{first} first"),
        chart: chart.html() + &key,
        note: String::new(),
        columns: &["players", "games", "won", "drawn", "lost", "score %", "95 % interval"],
        rows: table,
        counted: "Won, drawn and lost by the side named first. The score counts draws as halves; its interval is Wilson's, widened or narrowed by how much the results scatter.",
    }
    .html()
}

/// The lead at the end of each turn: middle, half of the games, nine in ten.
pub(super) fn margins(chapter: &Chapter<'_>) -> String {
    let cell = chapter.first.1;
    let turns: Vec<(u32, &Histogram)> = cell.leads.iter().map(|(turn, leads)| (*turn, leads)).collect();
    let of = |leads: &Histogram| [0.05, 0.25, 0.5, 0.75, 0.95].map(|part| leads.quantile(part));
    let bands: Vec<[f64; 5]> = turns.iter().map(|(_, leads)| of(leads)).collect();
    let most = bands.iter().flatten().fold(1.0_f64, |most, lead| most.max(lead.abs())) * 1.08;
    let names: Vec<String> = turns.iter().map(|(turn, _)| chapter.turn(*turn)).collect();
    let values: Vec<Value> = bands
        .iter()
        .zip(&names)
        .enumerate()
        .map(|(at, (band, turn))| {
            let said = format!(
                "{turn}: {} in the middle game, half of all from {} to {}",
                signed(band[2], 0),
                signed(band[1], 0),
                signed(band[3], 0)
            );
            json!({ "at": at, "p5": band[0], "p25": band[1], "middle": band[2], "p75": band[3], "p95": band[4],
                "label": signed(band[2], 0), "said": said })
        })
        .collect();
    let last = turns.len().saturating_sub(1).max(1);
    let every = turns.len().div_ceil(9).max(1);
    let marks: Vec<usize> = (0..turns.len()).step_by(every).collect();
    let x = along(
        "at",
        [0.0, last as f64],
        json!({ "grid": false, "values": marks, "labelExpr": named_by(&names), "labelFontWeight": "bold" }),
    );
    let y = |field: &str| along(field, [-most, most], axis(SIGNED, 5));
    let area = |low: &str, high: &str, opacity: f64| {
        ornament(
            &values,
            json!({ "type": "area", "color": "var(--ink)", "opacity": opacity }),
            json!({ "x": x, "y": y(low), "y2": { "field": high } }),
        )
    };
    let plot = [328.0, 214.0];
    let (first, second) = (&chapter.faces.first.name, &chapter.faces.second.name);
    let side = |said: String, at: [f64; 2], color: &str| {
        words(&said, at, json!({ "fontWeight": "bold", "color": color }))
    };
    let mut layers = vec![
        area("p5", "p95", 0.11),
        area("p25", "p75", 0.16),
        ornament(&values, json!({ "type": "line" }), json!({ "x": x, "y": y("middle") })),
        layer(
            &values,
            json!({ "type": "point", "filled": false, "fill": "var(--panel)", "stroke": "var(--ink)", "strokeWidth": 1.8, "opacity": 1, "size": if turns.len() <= 16 { 42 } else { 8 } }),
            json!({ "x": x, "y": y("middle"), "description": bubble(), "tooltip": bubble() }),
        ),
        side(format!("▲ {first} ahead"), [4.0, -10.0], "var(--first-text)"),
        side(format!("▼ {second} ahead"), [4.0, plot[1] - 8.0], "var(--second-text)"),
    ];
    if let Some(end) = values.last() {
        layers.push(ornament(
            std::slice::from_ref(end),
            json!({ "type": "text", "align": "left", "dx": 7, "fontWeight": "bold" }),
            json!({ "x": x, "y": y("middle"), "text": { "field": "label", "type": "nominal" } }),
        ));
    }
    let table = turns.iter().zip(&names).zip(&bands).map(|(((_, leads), turn), band)| {
        let mut row = vec![turn.clone(), number(leads.count())];
        row.extend(band.iter().map(|lead| signed(*lead, 0)));
        row
    });
    let says = format!(
        "The lead of {first} in points at the end of each turn: the middle game, half of all games, nine in ten."
    );
    Panel {
        class: "",
        title: "Margin by turn",
        aside: format!("{} v {}, {} games", named(&cell.players.first), named(&cell.players.second), number(cell.games)),
        chart: Chart { says, plot, around: [40.0, 24.0, 42.0, 28.0], layers }.html(),
        note: "Line: the middle game. Dark: half of all games. Light: nine in ten. Games that ended earlier are left out of later turns.".into(),
        columns: &["turn", "games", "5 %", "25 %", "middle", "75 %", "95 %"],
        rows: table.collect(),
        counted: "Victory points of the first side less those of the second when the turn ended, or at the end of the game.",
    }
    .html()
}

/// An expression that gives an axis the names of numbered places.
fn named_by(names: &[String]) -> String {
    format!("{}[datum.value]", json!(names))
}

/// What each change does to the score, seed by seed.
pub(super) fn changes(chapter: &Chapter<'_>) -> String {
    let mut all: Vec<(&CellSummary, Estimate)> =
        chapter.changed.iter().filter_map(|cell| Some((*cell, cell.score_change?))).collect();
    let range = |change: &Estimate| {
        format!("{} to {}", signed(change.low * 100.0, 1), signed(change.high * 100.0, 1))
    };
    let table = all.iter().map(|(cell, change)| {
        let margin = cell.margin_change.map_or_else(String::new, |margin| signed(margin.value, 2));
        vec![
            cell.change.clone().unwrap_or_default(),
            number(cell.games),
            percent(cell.score.value),
            signed(change.value * 100.0, 1),
            range(change),
            margin,
        ]
    });
    let table = table.collect();
    // A grid is read in its own order; a list from the most harmful change to the most helpful.
    if all.len() <= MOST_ROWS {
        all.sort_by(|a, b| a.1.value.total_cmp(&b.1.value));
    }
    all.truncate(MOST_ROWS);
    let ends = all.iter().flat_map(|(_, change)| [change.low, change.high]).filter(|end| end.is_finite());
    let (low, high) = ends.fold((-0.03_f64, 0.03_f64), |(low, high), end| (low.min(end), high.max(end)));
    let values: Vec<Value> = all
        .iter()
        .enumerate()
        .map(|(row, (cell, change))| {
            let name = cell.change.as_deref().unwrap_or_default();
            let by = signed(change.value * 100.0, 1);
            json!({
                "row": row, "name": name, "change": change.value * 100.0,
                "low": bounded(change.low), "high": bounded(change.high),
                "label": by, "said": format!("{name}: {by} points, from {}", range(change)),
            })
        })
        .collect();
    let sure = |row: &Value| all[row["row"].as_u64().unwrap_or_default() as usize].1.holds(0.0);
    let (open, solid): (Vec<Value>, Vec<Value>) = values.iter().cloned().partition(sure);
    let x = along("change", [low * 100.0, high * 100.0], axis(SIGNED, 4));
    let stripes: Vec<Value> = values.iter().step_by(2).cloned().collect();
    let plot = [170.0, 29.0 * values.len() as f64];
    let mut layers = vec![ornament(
        &stripes,
        json!({ "type": "rect", "color": "var(--sunk)" }),
        json!({ "x": { "value": -188 }, "x2": { "value": 230 }, "y": rows() }),
    )];
    for (these, weight, fill) in [(&open, "normal", "var(--panel)"), (&solid, "bold", "var(--ink)")] {
        let text = |field: &str, at: f64, align: &str, size: u32| {
            ornament(
                these,
                json!({ "type": "text", "align": align, "fontWeight": weight, "fontSize": size, "limit": 176 }),
                json!({ "x": { "value": at }, "y": rows(), "text": { "field": field, "type": "nominal" } }),
            )
        };
        let known: Vec<Value> = these.iter().filter(|row| row["low"].is_number()).cloned().collect();
        layers.extend(interval(&known, &rows(), 0.0));
        layers.extend([
            layer(
                these,
                json!({ "type": "point", "shape": "diamond", "filled": false, "fill": fill, "stroke": "var(--ink)", "strokeWidth": 1.8, "opacity": 1, "size": 110 }),
                json!({ "x": x, "y": rows(), "description": bubble(), "tooltip": bubble() }),
            ),
            text("name", -182.0, "left", 12),
            text("label", 226.0, "right", if weight == "bold" { 14 } else { 12 }),
        ]);
    }
    let says =
        format!("By how much each change moves {}'s score, with 95 % intervals.", chapter.faces.first.name);
    Panel {
        class: "",
        title: "What a change does",
        aside: "paired difference".into(),
        chart: Chart { says, plot, around: [188.0, 2.0, 62.0, 26.0], layers }.html(),
        note: format!("Points of {}'s score. Solid: the interval leaves out zero.", escape(&chapter.faces.first.name)),
        columns: &["change", "games", "score %", "difference", "95 % interval", "margin"],
        rows: table,
        counted: "Game by game: the score with the change less the score of the scenario as written with the same seed, averaged over the seeds that both played.",
    }
    .html()
}

/// An end of an interval in points; none if it has no end.
fn bounded(end: f64) -> Option<f64> {
    end.is_finite().then_some(end * 100.0)
}

/// When games end.
pub(super) fn lengths(chapter: &Chapter<'_>) -> String {
    let cell = chapter.first.1;
    let all = cell.lengths.count().max(1) as f64;
    let turns: Vec<(String, u64)> =
        cell.lengths.0.iter().map(|(turn, games)| (chapter.turn(*turn as u32), *games)).collect();
    let names: Vec<String> = turns.iter().map(|(turn, _)| turn.clone()).collect();
    let values: Vec<Value> = turns
        .iter()
        .enumerate()
        .map(|(at, (turn, games))| {
            let share = *games as f64 / all;
            json!({ "at": at, "share": share, "said": format!("{turn}: {} % of games", percent(share)) })
        })
        .collect();
    let most = turns.iter().map(|(_, games)| *games as f64 / all).fold(0.01, f64::max);
    let every = turns.len().div_ceil(12).max(1);
    let marks: Vec<usize> = (0..turns.len()).step_by(every).collect();
    let x = json!({
        "field": "at", "type": "ordinal", "scale": { "padding": 0.14 },
        "axis": { "grid": false, "values": marks, "labelExpr": named_by(&names), "labelAngle": 0, "labelFontWeight": "bold" },
    });
    let bars = layer(
        &values,
        json!({ "type": "bar", "color": "var(--ink)" }),
        json!({ "x": x, "y": along("share", [0.0, most], axis(SHARE, 4)), "description": bubble(), "tooltip": bubble() }),
    );
    let says = "The share of games by their last turn.".to_owned();
    Panel {
        class: "",
        title: "When games end",
        aside: "last turn, share of games".into(),
        chart: Chart { says, plot: [356.0, 214.0], around: [40.0, 14.0, 8.0, 26.0], layers: vec![bars] }
            .html(),
        note: String::new(),
        columns: &["turn", "games", "%"],
        rows: turns
            .iter()
            .map(|(turn, games)| vec![turn.clone(), number(*games), percent(*games as f64 / all)])
            .collect(),
        counted: "The turn under way when the game ended.",
    }
    .html()
}

/// What each unit lost, beside history where the study gives it.
pub(super) fn losses(chapter: &Chapter<'_>) -> String {
    let (index, cell) = chapter.first;
    let units = chapter.study.cells[index].scenario.units();
    let history = &chapter.study.history;
    let told = |slug: &str, lost: &Histogram| lost.mean() > 0.0 || history.contains_key(slug);
    let mut all: Vec<_> =
        units.iter().zip(&cell.lost).filter(|(unit, lost)| told(&unit.slug, lost)).collect();
    let range = |lost: &Histogram| format!("{:.0} to {:.0}", lost.quantile(0.05), lost.quantile(0.95));
    let table = all.iter().map(|(unit, lost)| {
        let known = history.get(&unit.slug).map_or_else(String::new, |lost| format!("{lost:.1}"));
        vec![unit.name.clone(), unit.strength.to_string(), format!("{:.2}", lost.mean()), range(lost), known]
    });
    let table: Vec<Vec<String>> = table.collect();
    let cut = all.len() > MOST_ROWS;
    all.sort_by(|a, b| b.1.mean().total_cmp(&a.1.mean()));
    all.truncate(MOST_ROWS);
    all.sort_by_key(|(unit, _)| unit.side.index());
    let values: Vec<Value> = all
        .iter()
        .enumerate()
        .map(|(row, (unit, lost))| {
            json!({
                "row": row, "name": unit.name, "mean": lost.mean(), "fill": fill(unit.side),
                "low": lost.quantile(0.05), "high": lost.quantile(0.95), "history": history.get(&unit.slug),
                "said": format!("{}: {:.1} lost on average, nine in ten from {}", unit.name, lost.mean(), range(lost)),
            })
        })
        .collect();
    let most = all
        .iter()
        .map(|(unit, lost)| lost.quantile(0.95).max(history.get(&unit.slug).copied().unwrap_or(0.0)));
    let most = most.fold(1.0, f64::max);
    let known: Vec<Value> = values.iter().filter(|row| !row["history"].is_null()).cloned().collect();
    let mut whole = axis(PLAIN, 5);
    whole["tickMinStep"] = 1.into();
    let x = |field: &str| along(field, [0.0, most], whole.clone());
    let square = |size: u32| json!({ "type": "point", "shape": "square", "filled": false, "stroke": "var(--ink)", "strokeWidth": 0.6, "opacity": 1, "size": size });
    let plot = [262.0, 20.0 * values.len() as f64];
    let layers = vec![
        ornament(
            &values,
            square(150),
            json!({ "x": { "value": -124 }, "y": rows(), "fill": as_said("fill") }),
        ),
        ornament(
            &values,
            json!({ "type": "text", "align": "left", "limit": 106 }),
            json!({ "x": { "value": -112 }, "y": rows(), "text": { "field": "name", "type": "nominal" } }),
        ),
        ornament(
            &values,
            json!({ "type": "bar", "height": 8, "color": "var(--ink)", "opacity": 0.16 }),
            json!({ "x": x("low"), "x2": { "field": "high" }, "y": rows() }),
        ),
        layer(
            &values,
            square(90),
            json!({ "x": x("mean"), "y": rows(), "fill": as_said("fill"), "description": bubble(), "tooltip": bubble() }),
        ),
        ornament(
            &known,
            json!({ "type": "point", "shape": "diamond", "filled": false, "stroke": "var(--obj)", "strokeWidth": 1.8, "opacity": 1, "size": 90 }),
            json!({ "x": x("history"), "y": rows() }),
        ),
    ];
    let mut note = "Square: the mean. Bar: nine games in ten.".to_owned();
    if !history.is_empty() {
        note += " Diamond: history.";
    }
    if cut {
        note += " Units that lost most; the table has all.";
    }
    let says = "Strength that each unit lost: the mean, and nine games in ten.".to_owned();
    Panel {
        class: "",
        title: if history.is_empty() { "Losses by unit" } else { "Losses against history" },
        aside: "strength a game".into(),
        chart: Chart { says, plot, around: [132.0, 2.0, 16.0, 26.0], layers }.html(),
        note,
        columns: &["unit", "strength", "mean", "nine in ten", "history"],
        rows: table,
        counted: "Cells of a unit's strength that are gone at the end of the game; shaken strength does not count.",
    }
    .html()
}

/// What was done, and how often in a game; beside it how often other players did it, if others played.
type Deed<'c> = (&'c String, f64, Option<f64>);

/// The deeds that differ most, or are done most, as dots on lines.
fn deeds(all: &[Deed<'_>]) -> Chart {
    let values: Vec<Value> = all
        .iter()
        .enumerate()
        .map(|(row, (verb, is, was))| {
            let other = was.map_or_else(String::new, |was| format!(", other players {was:.1}"));
            json!({
                "row": row, "verb": verb, "is": is, "was": was, "from": was.unwrap_or(0.0), "end": is.max(was.unwrap_or(0.0)),
                "label": format!("{is:.1}"), "said": format!("{verb}: {is:.1} times a game{other}"),
            })
        })
        .collect();
    let most = all.iter().map(|(_, is, was)| is.max(was.unwrap_or(0.0))).fold(0.1, f64::max);
    let others: Vec<Value> = values.iter().filter(|row| !row["was"].is_null()).cloned().collect();
    let x = |field: &str| along(field, [0.0, most], Value::Null);
    let dot = |fill: &str| json!({ "type": "point", "filled": false, "fill": fill, "stroke": "var(--ink)", "strokeWidth": 1.8, "opacity": 1, "size": 64 });
    let text = |field: &str| json!({ "field": field, "type": "nominal" });
    let layers = vec![
        ornament(
            &values,
            json!({ "type": "rule", "color": "var(--line)", "strokeWidth": 1, "strokeDash": [2, 4], "yOffset": -13 }),
            json!({ "x": { "value": -96 }, "x2": { "value": 204 }, "y": rows() }),
        ),
        ornament(
            &values,
            json!({ "type": "text", "align": "left" }),
            json!({ "x": { "value": -96 }, "y": rows(), "text": text("verb") }),
        ),
        ornament(
            &values,
            json!({ "type": "rule" }),
            json!({ "x": x("from"), "x2": { "field": "is" }, "y": rows() }),
        ),
        ornament(&others, dot("var(--panel)"), json!({ "x": x("was"), "y": rows() })),
        layer(
            &values,
            dot("var(--ink)"),
            json!({ "x": x("is"), "y": rows(), "description": bubble(), "tooltip": bubble() }),
        ),
        ornament(
            &values,
            json!({ "type": "text", "align": "left", "dx": 9, "fontWeight": "bold" }),
            json!({ "x": x("end"), "y": rows(), "text": text("label") }),
        ),
    ];
    Chart {
        says: "What was done, times a game.".to_owned(),
        plot: [152.0, 26.0 * values.len() as f64],
        around: [96.0, 2.0, 52.0, 2.0],
        layers,
    }
}

/// Length, luck, and what was done, side by side where players differ.
pub(super) fn play(chapter: &Chapter<'_>) -> String {
    let cell = chapter.first.1;
    let games = cell.games.max(1) as f64;
    let mut facts = vec![
        (format!("{:.0}", cell.decisions as f64 / games), "decisions a game"),
        (format!("{:.0}", cell.options as f64 / cell.decisions.max(1) as f64), "options a decision"),
        (chapter.turn(cell.lengths.quantile(0.5) as u32), "last turn, the middle game"),
        (format!("{} %", percent(cell.drawn as f64 / games)), "drawn"),
    ];
    if let Some(luck) = cell.luck {
        facts.push((format!("{:.0} %", luck * 100.0), "of the margin's spread is luck"));
    }
    let facts: String =
        facts.iter().map(|(value, says)| format!("<div><b>{value}</b><span>{says}</span></div>")).collect();
    let other = chapter.as_written.iter().skip(1).find(|c| c.players != cell.players).copied();
    let per_game = |cell: &CellSummary| -> BTreeMap<String, f64> {
        let mut done = BTreeMap::new();
        for ((_, verb), times) in &cell.deeds {
            *done.entry(verb.clone()).or_insert(0.0) += *times as f64 / cell.games.max(1) as f64;
        }
        done
    };
    let (here, there) = (per_game(cell), other.map(per_game));
    let mut verbs: Vec<Deed<'_>> = here
        .iter()
        .map(|(verb, times)| {
            (verb, *times, there.as_ref().map(|there| there.get(verb).copied().unwrap_or(0.0)))
        })
        .collect();
    let weight = |(_, is, was): &Deed<'_>| was.map_or(*is, |was| (is - was).abs());
    verbs.sort_by(|a, b| weight(b).total_cmp(&weight(a)));
    let table = verbs.iter().map(|(verb, is, was)| {
        vec![(*verb).clone(), format!("{is:.2}"), was.map_or_else(String::new, |was| format!("{was:.2}"))]
    });
    let table: Vec<Vec<String>> = table.collect();
    verbs.truncate(7);
    let key = match other {
        Some(other) => format!(
            "● {} v {}, ○ {} v {}: times a game",
            named(&cell.players.first),
            named(&cell.players.second),
            named(&other.players.first),
            named(&other.players.second)
        ),
        None => "Times a game, both sides together.".to_owned(),
    };
    let drawn = if verbs.is_empty() { String::new() } else { deeds(&verbs).html() };
    Panel {
        class: "narrow",
        title: if other.is_some() { "What they do differently" } else { "How it is played" },
        aside: String::new(),
        chart: format!("<div class=\"facts\">{facts}</div>{drawn}"),
        note: if verbs.is_empty() { String::new() } else { key },
        columns: &["what", "times a game", "other players"],
        rows: table,
        counted: "The first word of each decision in notation.",
    }
    .html()
}
