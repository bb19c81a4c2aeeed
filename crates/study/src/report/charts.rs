//! The charts: who wins, the margin turn by turn, what a change does, losses, and how it was played.

use std::collections::BTreeMap;

use game::Side;

use super::svg::{chart, circle, diamond, line, number, percent, rect, signed, step, text, whisker};
use super::{Chapter, Panel, escape, named};
use crate::CellSummary;
use crate::statistics::Histogram;

/// Rows that fit a panel; the table has them all.
const MOST_ROWS: usize = 18;

/// Games won, drawn and lost, with the score's interval and the band that counts as fair.
pub(super) fn wins(chapter: &Chapter<'_>) -> String {
    let (left, width, row) = (128.0, 272.0, 44.0);
    let at = |share: f64| left + width * share;
    let height = 30.0 + row * chapter.as_written.len() as f64;
    let mut inside = rect(at(0.4), 18.0, width * 0.2, height - 20.0, "fair");
    inside += &line(at(0.4), 18.0, at(0.4), height, "fairline");
    inside += &line(at(0.6), 18.0, at(0.6), height, "fairline");
    inside += &format!(
        "<text x=\"{:.1}\" y=\"12\" class=\"mid s\" style=\"fill:var(--good);font-weight:700\">fair: 40 to 60</text>",
        at(0.5)
    );
    let mut rows = Vec::new();
    for (index, cell) in chapter.as_written.iter().enumerate() {
        let y = 24.0 + row * index as f64;
        let games = cell.games.max(1) as f64;
        let won = cell.won.first as f64 / games;
        let lost = cell.won.second as f64 / games;
        inside += &text(0.0, y + 9.0, "b", named(&cell.players.first));
        inside +=
            &text(0.0, y + 23.0, "s", format!("v {}, {}", named(&cell.players.second), number(cell.games)));
        inside += &rect(at(0.0), y, width * won, 19.0, "first");
        inside += &rect(at(won), y, width * (1.0 - won - lost), 19.0, "open");
        inside += &rect(at(1.0 - lost), y, width * lost, 19.0, "second");
        if won > 0.12 {
            let light = "n\" style=\"fill:#fff;paint-order:stroke;stroke:#0006;stroke-width:2px";
            inside += &text(at(0.0) + 6.0, y + 14.0, light, percent(won));
        }
        if lost > 0.12 {
            let dark = "n end\" style=\"fill:#20180c;paint-order:stroke;stroke:#fff8;stroke-width:2px";
            inside += &text(at(1.0) - 6.0, y + 14.0, dark, percent(lost));
        }
        let score = cell.score;
        inside += &whisker(at(score.low), at(score.high), y + 28.0);
        inside += &circle(at(score.value), y + 28.0, 4.0, "open");
        let said = format!("{} ± {:.1}", percent(score.value), score.half_width() * 100.0);
        match score.high > 0.72 {
            true => inside += &text(at(score.low) - 8.0, y + 32.0, "n end", said),
            false => inside += &text(at(score.high) + 8.0, y + 32.0, "n", said),
        }
        rows.push(vec![
            format!("{} v {}", named(&cell.players.first), named(&cell.players.second)),
            number(cell.games),
            number(cell.won.first),
            number(cell.drawn),
            number(cell.won.second),
            percent(score.value),
            format!("{} to {}", percent(score.low), percent(score.high)),
        ]);
    }
    let (first, second) = (&chapter.faces.first.name, &chapter.faces.second.name);
    let key = format!(
        "<div class=\"key\"><span><i style=\"background:var(--first)\"></i>{f} wins</span><span><i></i>draw</span><span><i style=\"background:var(--second)\"></i>{s} wins</span><span>○ score, draws as halves</span></div>",
        f = escape(first),
        s = escape(second)
    );
    Panel {
        class: "",
        title: "Who wins",
        aside: format!("{first} first"),
        chart: chart(404.0, height, &format!("Games won by {first} and {second}"), &inside) + &key,
        note: String::new(),
        columns: &["players", "games", "won", "drawn", "lost", "score %", "95 % interval"],
        rows,
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
    let (left, top, width, height) = (40.0, 26.0, 328.0, 214.0);
    let last = turns.len().saturating_sub(1).max(1) as f64;
    let x = |index: usize| left + width * index as f64 / last;
    let y = |lead: f64| top + height / 2.0 * (1.0 - lead / most);
    let area = |low: usize, high: usize, class: &str| {
        let point = |(index, lead): (usize, f64)| format!("{:.1} {:.1}", x(index), y(lead));
        let over = bands.iter().map(|band| band[high]).enumerate().map(point);
        let mut under: Vec<String> = bands.iter().map(|band| band[low]).enumerate().map(point).collect();
        under.reverse();
        let points: Vec<String> = over.chain(under).collect();
        format!("<path d=\"M{}Z\" class=\"{class}\"/>", points.join("L"))
    };
    let mut inside = String::new();
    let by = step(most, 2.5);
    let mut mark = -(most / by).floor() * by;
    while mark <= most {
        let class = if mark == 0.0 { "zero" } else { "axis" };
        inside += &line(left, y(mark), left + width, y(mark), class);
        inside +=
            &text(left - 8.0, y(mark) + 4.0, "s end", if mark == 0.0 { "0".into() } else { signed(mark, 0) });
        mark += by;
    }
    if !bands.is_empty() {
        inside += &area(0, 4, "band");
        inside += &area(1, 3, "band2");
        let middle: Vec<String> =
            bands.iter().enumerate().map(|(i, band)| format!("{:.1} {:.1}", x(i), y(band[2]))).collect();
        inside += &format!("<path d=\"M{}\" class=\"ink\"/>", middle.join("L"));
    }
    let every = turns.len().div_ceil(9).max(1);
    for (index, (turn, _)) in turns.iter().enumerate() {
        if bands.len() <= 16 {
            inside += &circle(x(index), y(bands[index][2]), 3.4, "open");
        }
        if index % every == 0 {
            inside += &text(x(index), top + height + 18.0, "s mid b", chapter.turn(*turn));
        }
    }
    if let Some(band) = bands.last() {
        let end = left + width + 6.0;
        inside +=
            &text(end, y(band[2]) + 4.0, "n", if band[2] == 0.0 { "0".into() } else { signed(band[2], 0) });
    }
    let (first, second) = (&chapter.faces.first.name, &chapter.faces.second.name);
    inside += &text(left + 4.0, 16.0, "b first-t", format!("▲ {first} ahead"));
    inside += &text(left + 4.0, top + height - 4.0, "b second-t", format!("▼ {second} ahead"));
    let rows = turns.iter().zip(&bands).map(|((turn, leads), band)| {
        let mut row = vec![chapter.turn(*turn), number(leads.count())];
        row.extend(band.iter().map(|lead| signed(*lead, 0)));
        row
    });
    Panel {
        class: "",
        title: "Margin by turn",
        aside: format!("{} v {}, {} games", named(&cell.players.first), named(&cell.players.second), number(cell.games)),
        chart: chart(410.0, 266.0, &format!("The lead of {first} in points at the end of each turn"), &inside),
        note: "Line: the middle game. Dark: half of all games. Light: nine in ten. Games that ended earlier are left out of later turns.".into(),
        columns: &["turn", "games", "5 %", "25 %", "middle", "75 %", "95 %"],
        rows: rows.collect(),
        counted: "Victory points of the first side less those of the second when the turn ended, or at the end of the game.",
    }
    .html()
}

/// What each change does to the score, seed by seed.
pub(super) fn changes(chapter: &Chapter<'_>) -> String {
    let mut all: Vec<(&CellSummary, crate::statistics::Estimate)> =
        chapter.changed.iter().filter_map(|cell| Some((*cell, cell.score_change?))).collect();
    let rows = all.iter().map(|(cell, change)| {
        let margin = cell.margin_change.map_or_else(String::new, |margin| signed(margin.value, 2));
        vec![
            cell.change.clone().unwrap_or_default(),
            number(cell.games),
            percent(cell.score.value),
            signed(change.value * 100.0, 1),
            format!("{} to {}", signed(change.low * 100.0, 1), signed(change.high * 100.0, 1)),
            margin,
        ]
    });
    let rows = rows.collect();
    // A grid is read in its own order; a list from the most harmful change to the most helpful.
    if all.len() <= MOST_ROWS {
        all.sort_by(|a, b| a.1.value.total_cmp(&b.1.value));
    }
    all.truncate(MOST_ROWS);
    let ends = all.iter().flat_map(|(_, change)| [change.low, change.high]).filter(|end| end.is_finite());
    let (low, high) = ends.fold((-0.03_f64, 0.03_f64), |(low, high), end| (low.min(end), high.max(end)));
    let (left, width, row) = (172.0, 186.0, 29.0);
    let x = |change: f64| left + width * (change - low) / (high - low);
    let height = row * all.len() as f64 + 26.0;
    let mut inside = String::new();
    for index in (0..all.len()).step_by(2) {
        inside += &rect(0.0, row * index as f64, 420.0, row, "stripe");
    }
    let by = step((high - low) * 100.0, 4.0);
    let mut mark = (low * 100.0 / by).ceil() * by;
    while mark <= high * 100.0 {
        let class = if mark.abs() < 1e-9 { "zero" } else { "axis" };
        inside += &line(x(mark / 100.0), 0.0, x(mark / 100.0), height - 22.0, class);
        let said = if mark.abs() < 1e-9 { "0".into() } else { signed(mark, usize::from(by < 1.0)) };
        inside += &text(x(mark / 100.0), height - 8.0, "s mid", said);
        mark += by;
    }
    for (index, (cell, change)) in all.iter().enumerate() {
        let y = row * index as f64 + row / 2.0;
        let sure = !change.holds(0.0);
        let name = cell.change.as_deref().unwrap_or_default();
        let shown: String = match name.chars().count() > 27 {
            true => name.chars().take(26).chain(['…']).collect(),
            false => name.to_owned(),
        };
        inside += &text(6.0, y + 4.0, if sure { "b" } else { "" }, shown);
        if change.low.is_finite() {
            inside += &whisker(x(change.low), x(change.high), y);
        }
        inside += &diamond(x(change.value), y, 7.0, if sure { "solid" } else { "open" });
        inside +=
            &text(414.0, y + 5.0, if sure { "big end" } else { "end" }, signed(change.value * 100.0, 1));
    }
    Panel {
        class: "",
        title: "What a change does",
        aside: "paired difference".into(),
        chart: chart(420.0, height, "The change of the score for each variation", &inside),
        note: format!("Points of {}'s score. Solid: the interval leaves out zero.", escape(&chapter.faces.first.name)),
        columns: &["change", "games", "score %", "difference", "95 % interval", "margin"],
        rows,
        counted: "Game by game: the score with the change less the score of the scenario as written with the same seed, averaged over the seeds that both played.",
    }
    .html()
}

/// When games end.
pub(super) fn lengths(chapter: &Chapter<'_>) -> String {
    let cell = chapter.first.1;
    let all = cell.lengths.count().max(1) as f64;
    let turns: Vec<(i64, u64)> = cell.lengths.0.iter().map(|(turn, games)| (*turn, *games)).collect();
    let most = turns.iter().map(|(_, games)| *games as f64 / all).fold(0.01, f64::max);
    let (left, top, width, height) = (40.0, 14.0, 356.0, 214.0);
    let each = width / turns.len().max(1) as f64;
    let mut inside = String::new();
    let by = step(most * 100.0, 4.0);
    let mut mark = 0.0;
    while mark <= most * 100.0 {
        let y = top + height * (1.0 - mark / 100.0 / most);
        inside += &line(left, y, left + width, y, if mark == 0.0 { "zero" } else { "axis" });
        inside += &text(left - 8.0, y + 4.0, "s end", format!("{mark:.0} %"));
        mark += by;
    }
    let every = turns.len().div_ceil(12).max(1);
    for (index, (turn, games)) in turns.iter().enumerate() {
        let tall = height * (*games as f64 / all) / most;
        let x = left + each * index as f64;
        inside += &rect(x + each * 0.14, top + height - tall, each * 0.72, tall, "solid");
        if index % every == 0 {
            inside += &text(x + each / 2.0, top + height + 18.0, "s mid b", chapter.turn(*turn as u32));
        }
    }
    Panel {
        class: "",
        title: "When games end",
        aside: "last turn, share of games".into(),
        chart: chart(404.0, 250.0, "The share of games by their last turn", &inside),
        note: String::new(),
        columns: &["turn", "games", "%"],
        rows: turns
            .iter()
            .map(|(turn, games)| {
                vec![chapter.turn(*turn as u32), number(*games), percent(*games as f64 / all)]
            })
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
    let rows = all.iter().map(|(unit, lost)| {
        let known = history.get(&unit.slug).map_or_else(String::new, |lost| format!("{lost:.1}"));
        vec![
            unit.name.clone(),
            unit.strength.to_string(),
            format!("{:.2}", lost.mean()),
            format!("{:.0} to {:.0}", lost.quantile(0.05), lost.quantile(0.95)),
            known,
        ]
    });
    let rows: Vec<Vec<String>> = rows.collect();
    let cut = all.len() > MOST_ROWS;
    all.sort_by(|a, b| b.1.mean().total_cmp(&a.1.mean()));
    all.truncate(MOST_ROWS);
    all.sort_by_key(|(unit, _)| unit.side.index());
    let most = all
        .iter()
        .map(|(unit, lost)| lost.quantile(0.95).max(history.get(&unit.slug).copied().unwrap_or(0.0)));
    let most = most.fold(1.0, f64::max);
    let (left, width, row) = (132.0, 268.0, 20.0);
    let x = |lost: f64| left + width * lost / most;
    let height = row * all.len() as f64 + 30.0;
    let mut inside = String::new();
    let by = step(most, 5.0).max(1.0);
    let mut mark = 0.0;
    while mark <= most {
        inside += &line(x(mark), 0.0, x(mark), height - 26.0, if mark == 0.0 { "zero" } else { "axis" });
        inside += &text(x(mark), height - 10.0, "s mid", format!("{mark:.0}"));
        mark += by;
    }
    for (index, (unit, lost)) in all.iter().enumerate() {
        let y = row * index as f64 + row / 2.0 + 2.0;
        let class = if unit.side == Side::First { "first" } else { "second" };
        inside += &rect(0.0, y - 7.0, 14.0, 14.0, &format!("{class}\" rx=\"2"));
        let name: String = unit.name.chars().take(16).collect();
        inside += &text(20.0, y + 4.0, "", name);
        inside += &rect(
            x(lost.quantile(0.05)),
            y - 4.0,
            x(lost.quantile(0.95)) - x(lost.quantile(0.05)),
            8.0,
            "band2",
        );
        inside +=
            &rect(x(lost.mean()) - 5.0, y - 5.0, 10.0, 10.0, &format!("{class}\" stroke=\"currentColor"));
        if let Some(known) = history.get(&unit.slug) {
            inside += &diamond(x(*known), y, 6.5, "open\" style=\"stroke:var(--obj);fill:none");
        }
    }
    let mut note = "Square: the mean. Bar: nine games in ten.".to_owned();
    if !history.is_empty() {
        note += " Diamond: history.";
    }
    if cut {
        note += " Units that lost most; the table has all.";
    }
    Panel {
        class: "",
        title: if history.is_empty() { "Losses by unit" } else { "Losses against history" },
        aside: "strength a game".into(),
        chart: chart(410.0, height, "Strength that each unit lost", &inside),
        note,
        columns: &["unit", "strength", "mean", "nine in ten", "history"],
        rows,
        counted: "Cells of a unit's strength that are gone at the end of the game; shaken strength does not count.",
    }
    .html()
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
    let mut verbs: Vec<(&String, f64, Option<f64>)> = here
        .iter()
        .map(|(verb, times)| {
            (verb, *times, there.as_ref().map(|there| there.get(verb).copied().unwrap_or(0.0)))
        })
        .collect();
    let weight = |(_, is, was): &(&String, f64, Option<f64>)| was.map_or(*is, |was| (is - was).abs());
    verbs.sort_by(|a, b| weight(b).total_cmp(&weight(a)));
    let rows = verbs.iter().map(|(verb, is, was)| {
        vec![(*verb).clone(), format!("{is:.2}"), was.map_or_else(String::new, |was| format!("{was:.2}"))]
    });
    let rows: Vec<Vec<String>> = rows.collect();
    verbs.truncate(7);
    let most = verbs.iter().map(|(_, is, was)| is.max(was.unwrap_or(0.0))).fold(0.1, f64::max);
    let x = |times: f64| 96.0 + 160.0 * times / most;
    let row = 26.0;
    let mut inside = String::new();
    for (index, (verb, is, was)) in verbs.iter().enumerate() {
        let y = row * index as f64;
        inside += &line(0.0, y + 1.0, 300.0, y + 1.0, "axis");
        let y = y + row / 2.0 + 1.0;
        inside += &text(0.0, y + 4.0, "", verb);
        match was {
            Some(was) => {
                inside += &line(x(*is), y, x(*was), y, "ink");
                inside += &circle(x(*was), y, 4.5, "open");
            }
            None => inside += &line(x(0.0), y, x(*is), y, "ink"),
        }
        inside += &circle(x(*is), y, 4.5, "solid");
        inside += &text(x(is.max(was.unwrap_or(0.0))) + 9.0, y + 4.0, "n", format!("{is:.1}"));
    }
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
    let drawn = match verbs.is_empty() {
        true => String::new(),
        false => chart(300.0, row * verbs.len() as f64 + 4.0, "What was done, times a game", &inside),
    };
    Panel {
        class: "narrow",
        title: if other.is_some() { "What they do differently" } else { "How it is played" },
        aside: String::new(),
        chart: format!("<div class=\"facts\">{facts}</div>{drawn}"),
        note: if verbs.is_empty() { String::new() } else { key },
        columns: &["what", "times a game", "other players"],
        rows,
        counted: "The first word of each decision in notation.",
    }
    .html()
}
