//! The report: one page that needs nothing else, by day and by night, on screen and on paper.

mod charts;
mod ground;
mod vega;
mod words;

use std::fmt::Write as _;

use catalogue::Scenario;
use game::board::SideFace;
use game::{BySide, Eyes, Side};

use crate::statistics::Estimate;
use crate::{CellSummary, Study, Summary};
use words::{escape, number, percent, signed};

const STYLE: &str = include_str!("style.css");

/// Everything about one scenario: its cells as written (one for each pair of players) and changed.
pub(crate) struct Chapter<'s> {
    study: &'s Study,
    faces: BySide<SideFace>,
    /// The cell that the others are compared with, and its number.
    first: (usize, &'s CellSummary),
    as_written: Vec<&'s CellSummary>,
    changed: Vec<&'s CellSummary>,
    /// The first turn's number, and what the turn track calls each from there on.
    track: (u32, Vec<String>),
}

impl<'s> Chapter<'s> {
    fn all(study: &'s Study, summary: &'s Summary) -> Vec<Chapter<'s>> {
        let mut chapters: Vec<Chapter<'s>> = Vec::new();
        for (index, cell) in summary.cells.iter().enumerate() {
            match chapters.last_mut().filter(|chapter| chapter.first.1.scenario == cell.scenario) {
                Some(chapter) if cell.change.is_some() => chapter.changed.push(cell),
                Some(chapter) => chapter.as_written.push(cell),
                None => chapters.push(Chapter {
                    study,
                    faces: study.cells[index].scenario.info().sides,
                    first: (index, cell),
                    as_written: vec![cell],
                    changed: Vec::new(),
                    track: track(&*study.cells[index].scenario),
                }),
            }
        }
        chapters
    }

    /// What the turn track calls a turn.
    fn turn(&self, turn: u32) -> String {
        let (first, labels) = &self.track;
        let label = turn.checked_sub(*first).and_then(|index| labels.get(index as usize));
        label.cloned().unwrap_or_else(|| turn.to_string())
    }

    /// The finding in a few words: who is favoured, as far as the games can tell.
    fn finding(&self) -> String {
        let cell = self.first.1;
        let (first, second) = (&self.faces.first, &self.faces.second);
        let Estimate { low, high, .. } = cell.score;
        let alike = cell.players.first == cell.players.second;
        if cell.games < 30 || high - low > 0.30 {
            return format!("{}: not enough games to say", cell.title);
        }
        match () {
            () if !alike && low > 0.5 => format!("{} wins with {}", named(&cell.players.first), first.called),
            () if !alike && high < 0.5 => {
                format!("{} wins with {}", named(&cell.players.second), second.called)
            }
            () if low >= 0.40 && high <= 0.60 => format!("{} is fair", cell.title),
            () if low > 0.60 => format!("{} strongly favours {}", cell.title, first.called),
            () if high < 0.40 => format!("{} strongly favours {}", cell.title, second.called),
            () if low > 0.5 => format!("{} leans to {}", cell.title, first.called),
            () if high < 0.5 => format!("{} leans to {}", cell.title, second.called),
            () => format!("{} may be fair", cell.title),
        }
    }

    /// The finding with its numbers, and the change that matters most.
    fn lead(&self) -> String {
        let cell = self.first.1;
        let score = cell.score;
        let mut lead = format!(
            "{} against {}, {} scores <b>{} % ± {:.1}</b> in {} games.",
            named(&cell.players.first),
            named(&cell.players.second),
            escape(&self.faces.first.called),
            percent(score.value),
            score.half_width() * 100.0,
            number(cell.games),
        );
        let size = |cell: &&&CellSummary| cell.score_change.map_or(0.0, |change| change.value.abs());
        let sure = |cell: &&&CellSummary| cell.score_change.is_some_and(|change| !change.holds(0.0));
        let most = self.changed.iter().filter(sure).max_by(|a, b| size(a).total_cmp(&size(b)));
        if let Some((cell, change)) = most.and_then(|cell| Some((cell, cell.score_change?))) {
            let name = cell.change.as_deref().unwrap_or_default();
            let _ = write!(
                lead,
                " Of what was changed, <b>{}</b> matters most: {} points of score.",
                escape(name),
                signed(change.value * 100.0, 1)
            );
        } else if !self.changed.is_empty() {
            lead += " None of the changes makes a difference that these games can show.";
        }
        lead
    }

    /// The sides' colours, as the whole chapter's drawings use them.
    fn colours(&self) -> String {
        let face = |side: Side| livery(&self.faces[side].livery);
        let (mut first, mut second) = (face(Side::First), face(Side::Second));
        if first.fill == second.fill {
            (first, second) = (livery("dark"), livery("light"));
        }
        let hatch = self.hatch();
        format!(
            "--first:{};--second:{};--hatch:url(#{hatch});--first-text:light-dark({},{});--second-text:light-dark({},{})",
            first.fill, second.fill, first.text, first.dark, second.text, second.dark
        )
    }

    fn hatch(&self) -> String {
        format!("hatch-{}", self.first.0)
    }

    /// What fills the second side's areas, so that nobody needs to see colours to tell the sides apart.
    fn pattern(&self) -> String {
        format!(
            "<svg class=\"patterns\" aria-hidden=\"true\"><pattern id=\"{}\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\"><rect width=\"6\" height=\"6\" style=\"fill:var(--second)\"/><rect width=\"1.2\" height=\"6\" fill=\"#0003\"/></pattern></svg>",
            self.hatch()
        )
    }

    fn panels(&self) -> String {
        let mut panels = vec![charts::wins(self), charts::margins(self)];
        panels.push(match self.changed.is_empty() {
            true => charts::lengths(self),
            false => charts::changes(self),
        });
        if !self.first.1.falls.is_empty() {
            panels.push(ground::fighting(self));
            panels.push(charts::losses(self));
        }
        panels.push(charts::play(self));
        let (colours, pattern) = (self.colours(), self.pattern());
        format!("<div class=\"panels\" style=\"{colours}\">{pattern}{}</div>", panels.concat())
    }
}

fn track(scenario: &dyn Scenario) -> (u32, Vec<String>) {
    let start = scenario.position(0);
    let track = start.view(Eyes::All).track;
    (start.turn(), track.into_iter().map(|cell| cell.label).collect())
}

/// A panel with a chart, a remark, and the numbers as a table.
struct Panel<'p> {
    class: &'p str,
    title: &'p str,
    aside: String,
    chart: String,
    note: String,
    columns: &'p [&'p str],
    rows: Vec<Vec<String>>,
    counted: &'p str,
}

impl Panel<'_> {
    fn html(self) -> String {
        let cells = |tag: &str, row: &[String]| -> String {
            row.iter().map(|cell| format!("<{tag}>{}</{tag}>", escape(cell))).collect()
        };
        let heads: Vec<String> = self.columns.iter().map(|head| (*head).to_owned()).collect();
        let rows: String = self.rows.iter().map(|row| format!("<tr>{}</tr>", cells("td", row))).collect();
        let note = match self.note.is_empty() {
            true => String::new(),
            false => format!("<p class=\"note\">{}</p>", self.note),
        };
        format!(
            "<section class=\"panel {}\"><header><h3>{}</h3><span>{}</span></header>{}{note}<details><summary>Data, and how it was counted</summary><p>{}</p><div class=\"scroll\"><table><thead><tr>{}</tr></thead><tbody>{rows}</tbody></table></div></details></section>",
            self.class,
            self.title,
            escape(&self.aside),
            self.chart,
            self.counted,
            cells("th", &heads),
        )
    }
}

/// The colours of a side.
struct Livery {
    fill: &'static str,
    text: &'static str,
    dark: &'static str,
}

fn livery(name: &str) -> Livery {
    let (fill, text, dark) = match name {
        "union" => ("#2C4775", "#2C4775", "#8FB0E6"),
        "confederate" => ("#CDB07A", "#6B4A12", "#D8BC86"),
        "crown" => ("#98262B", "#98262B", "#E89A93"),
        "continental" => ("#BCD0E4", "#16294A", "#BCD0E4"),
        "german" => ("#35533A", "#35533A", "#9DC7A4"),
        "light" => ("#D3C3A0", "#5F4A1E", "#D3C3A0"),
        _ => ("#3E4A3C", "#3E4A3C", "#A9BFA5"),
    };
    Livery { fill, text, dark }
}

/// A player's name as a word of a sentence.
fn named(player: &str) -> String {
    let mut letters = player.split(':').next().unwrap_or_default().chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// The whole page.
pub(crate) fn page(study: &Study, summary: &Summary) -> String {
    let chapters = Chapter::all(study, summary);
    let single = chapters.len() == 1;
    let head = match (single, &study.question) {
        (true, _) => chapters[0].finding(),
        (false, question) if question.is_empty() => study.title.clone(),
        (false, question) => question.clone(),
    };
    let mut body = format!(
        "<p class=\"kicker\">Study · {} <span class=\"done\">✓ {} games</span></p><h1>{}</h1>",
        escape(&study.title),
        number(summary.games),
        escape(&head)
    );
    let how = format!(
        "<p class=\"how\">Same seeds in every row · 95 % intervals · first seed {} · study {}</p>",
        study.seed, study.fingerprint
    );
    for (index, chapter) in chapters.iter().enumerate() {
        if !single {
            let _ = write!(body, "<h2>{}</h2>", escape(&chapter.finding()));
        } else if !study.question.is_empty() {
            let _ = write!(body, "<p class=\"lead\">{}</p>", escape(&study.question));
        }
        let _ = write!(body, "<p class=\"lead\">{}</p>", chapter.lead());
        if index == 0 {
            body += &how;
        }
        if single {
            // Between the page's heading and the panels', for those who go from heading to heading.
            body += "<h2 class=\"unseen\">What the games show</h2>";
        }
        body += &chapter.panels();
    }
    format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><title>{}</title><style>{STYLE}</style></head><body><main>{body}<footer>Made by Linstock. The same numbers as tables: games.parquet, turns.parquet and summary.csv beside this page.</footer></main>{}</body></html>\n",
        escape(&head),
        vega::script()
    )
}
