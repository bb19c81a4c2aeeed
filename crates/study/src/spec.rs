//! The study file.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use catalogue::Scenario;
use game::{BySide, Options};
use players::{Detail, Player};
use serde::Deserialize;
use sha2::{Digest as _, Sha256};
use toml::{Table, Value};

use crate::{Error, patch};

/// More games of one cell are a typing error.
const MOST_GAMES: u64 = 100_000_000;
/// More cells are a grid that nobody meant.
const MOST_CELLS: usize = 2_000;

/// What is to be played.
#[derive(Debug)]
pub struct Study {
    /// Its title.
    pub title: String,
    /// The question it answers, or nothing.
    pub question: String,
    /// The cells, each baseline before its variations.
    pub cells: Vec<Cell>,
    /// Games of each cell, or the most of them if `interval` is given.
    pub games: u64,
    /// Half the width of the interval to reach, as a share.
    pub interval: Option<f64>,
    /// The seed of the first game.
    pub seed: u64,
    /// What is taken down.
    pub detail: Detail,
    /// Games in a batch.
    pub batch: u64,
    /// Losses in history by unit, where the file gives them.
    pub history: BTreeMap<String, f64>,
    /// Tells this study from any other: file, scenarios, editions.
    pub fingerprint: String,
}

/// One scenario as written or changed, played by two players.
#[derive(Debug)]
pub struct Cell {
    /// The scenario.
    pub scenario: Arc<dyn Scenario>,
    /// Its id or file, as the study names it.
    pub of: String,
    /// Who plays.
    pub players: BySide<Player>,
    /// The change, or nothing for the scenario as written.
    pub change: Option<String>,
    /// The cell whose games of the same seeds it is compared with.
    pub base: Option<usize>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct File {
    title: Option<String>,
    #[serde(default)]
    question: String,
    scenarios: Vec<String>,
    #[serde(default = "captains")]
    players: Vec<Seats>,
    /// Each pair of players also with sides swapped.
    #[serde(default)]
    swap: bool,
    /// House rules of every row; a variation's own come on top.
    #[serde(default)]
    options: Options,
    games: Option<u64>,
    /// Half the width of the 95 % interval to reach, in points of a hundred.
    interval: Option<f64>,
    #[serde(default = "seed")]
    seed: u64,
    batch: Option<u64>,
    /// Losses, ground and deeds; without it results and margins alone.
    #[serde(default = "yes")]
    story: bool,
    #[serde(default)]
    luck: bool,
    #[serde(default)]
    rolls: bool,
    /// The study stops at the first position that breaks an invariant.
    #[serde(default)]
    invariants: bool,
    #[serde(default)]
    variation: Vec<Variation>,
    #[serde(default)]
    grid: Table,
    #[serde(default)]
    history: BTreeMap<String, f64>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
enum Seats {
    Both(String),
    Each([String; 2]),
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Variation {
    name: String,
    #[serde(default)]
    set: Table,
    #[serde(default)]
    remove: Vec<String>,
    #[serde(default)]
    options: Options,
    players: Option<Seats>,
}

fn captains() -> Vec<Seats> {
    vec![Seats::Both("captain".into())]
}

fn seed() -> u64 {
    1863
}

fn yes() -> bool {
    true
}

impl Seats {
    fn players(&self) -> Result<BySide<Player>, String> {
        let (first, second) = match self {
            Seats::Both(name) => (name, name),
            Seats::Each([first, second]) => (first, second),
        };
        Ok(BySide { first: Player::custom(first)?, second: Player::custom(second)? })
    }

    fn swapped(&self) -> Option<Seats> {
        match self {
            Seats::Each([first, second]) if first != second => {
                Some(Seats::Each([second.clone(), first.clone()]))
            }
            _ => None,
        }
    }
}

impl Study {
    /// Reads a study. Scenario files are looked for beside it.
    ///
    /// # Errors
    /// What is wrong with it, and where.
    pub fn read(text: &str, folder: &Path) -> Result<Study, Error> {
        let wrong = |why: String| Error::Input(format!("the study file: {why}"));
        let file: File = toml::from_str(text).map_err(|error| wrong(error.to_string()))?;
        file.sensible().map_err(wrong)?;
        let variations = file.variations().map_err(wrong)?;
        let mut pairs: Vec<Seats> = Vec::new();
        for seats in &file.players {
            pairs.push(seats.clone());
            pairs.extend(seats.swapped().filter(|_| file.swap));
        }
        let mut cells = Vec::new();
        for of in &file.scenarios {
            let source = Source::find(of, folder, &file.options)?;
            let base = cells.len();
            for seats in &pairs {
                let players = seats.players().map_err(wrong)?;
                cells.push(Cell {
                    scenario: source.open(&Variation::default())?,
                    of: of.clone(),
                    players,
                    change: None,
                    base: None,
                });
            }
            for variation in &variations {
                let seats = variation.players.as_ref().unwrap_or(&pairs[0]);
                cells.push(Cell {
                    scenario: source.open(variation)?,
                    of: of.clone(),
                    players: seats.players().map_err(wrong)?,
                    change: Some(variation.name.clone()),
                    base: Some(base),
                });
            }
        }
        if cells.len() > MOST_CELLS {
            let message = format!("it asks for {} cells; {MOST_CELLS} are the most", cells.len());
            return Err(wrong(message));
        }
        let games = file.games.unwrap_or(match file.interval {
            Some(_) => 20_000,
            None => 1_000,
        });
        let batch = file.batch.unwrap_or((games / 50).clamp(10, 2_000)).min(games);
        let fingerprint = fingerprint(&file, &cells, games, batch);
        let title = file.title.unwrap_or_else(|| cells[0].scenario.info().title);
        let (question, history) = (file.question, file.history);
        let detail =
            Detail { story: file.story, luck: file.luck, rolls: file.rolls, invariants: file.invariants };
        let interval = file.interval.map(|points| points / 100.0);
        Ok(Study {
            title,
            question,
            cells,
            games,
            interval,
            seed: file.seed,
            detail,
            batch,
            history,
            fingerprint,
        })
    }
}

/// Equal for studies that play the same games and take down the same of them. The titles may be mended in between.
fn fingerprint(file: &File, cells: &[Cell], games: u64, batch: u64) -> String {
    let mut hash = Sha256::new();
    let settings = (crate::batch::FORMAT, games, batch, file.seed);
    hash.update(format!("{settings:?} {:?} {} {} {}", file.interval, file.story, file.luck, file.rolls));
    if file.invariants {
        hash.update(" invariants");
    }
    for cell in cells {
        hash.update(cell.scenario.text());
        let (options, edition) = (cell.scenario.board().options, cell.scenario.system().edition());
        let options: Vec<_> = options.iter().filter(|rule| rule.on).map(|rule| &rule.id).collect();
        let BySide { first, second } = &cell.players;
        hash.update(format!("{first} {second} {:?} {edition} {options:?}", cell.change));
    }
    hash.finalize().iter().take(12).map(|byte| format!("{byte:02x}")).collect()
}

impl File {
    fn sensible(&self) -> Result<(), String> {
        if self.scenarios.is_empty() {
            return Err("`scenarios` is empty; name one, as in [\"battle-hymn/mcphersons-ridge\"]".into());
        }
        if self.players.is_empty() {
            return Err("`players` is empty; leave it out for two captains".into());
        }
        if self.games == Some(0) || self.games.is_some_and(|games| games > MOST_GAMES) {
            return Err(format!("`games` must be from 1 to {MOST_GAMES}"));
        }
        if self.batch == Some(0) {
            return Err("`batch` must be at least 1".into());
        }
        if self.interval.is_some_and(|points| !(0.1..=50.0).contains(&points)) {
            return Err("`interval` is half the width in points of a hundred, from 0.1 to 50".into());
        }
        Ok(())
    }

    /// The variations listed, then each combination of the grid.
    fn variations(&self) -> Result<Vec<Variation>, String> {
        let mut all = self.variation.clone();
        let mut grid: Vec<Variation> = vec![Variation::default()];
        for (path, values) in flat(&self.grid, "") {
            let values = values
                .as_array()
                .filter(|values| !values.is_empty())
                .ok_or_else(|| format!("`grid.{path}` must be a list of values to try"))?;
            let with = |variation: &Variation, value: &Value| -> Result<Variation, String> {
                let mut next = variation.clone();
                let short = path.strip_prefix("options.").unwrap_or(&path);
                let told = format!("{short} {}", told(value));
                next.name =
                    [next.name, told].into_iter().filter(|s| !s.is_empty()).collect::<Vec<_>>().join(", ");
                match path.strip_prefix("options.") {
                    Some(option) => {
                        let on =
                            value.as_bool().ok_or_else(|| format!("`grid.{path}` takes true or false"))?;
                        next.options.insert(option.to_owned(), on);
                    }
                    None => {
                        next.set.insert(path.clone(), value.clone());
                    }
                }
                Ok(next)
            };
            grid = grid
                .iter()
                .flat_map(|variation| values.iter().map(move |value| with(variation, value)))
                .collect::<Result<_, _>>()?;
            if grid.len() > MOST_CELLS {
                return Err(format!("the grid has more than {MOST_CELLS} combinations"));
            }
        }
        if !self.grid.is_empty() {
            all.extend(grid);
        }
        let mut names: Vec<&str> = all.iter().map(|variation| variation.name.as_str()).collect();
        names.sort_unstable();
        match names.windows(2).find(|pair| pair[0] == pair[1]) {
            Some(pair) => {
                Err(format!("two variations are called `{}`; give each a name of its own", pair[0]))
            }
            None => Ok(all),
        }
    }
}

/// The values of nested tables by their whole path, so that paths may be written with or without quotes.
fn flat(table: &Table, under: &str) -> Vec<(String, Value)> {
    let mut all = Vec::new();
    for (key, value) in table {
        let path = if under.is_empty() { key.clone() } else { format!("{under}.{key}") };
        match value {
            Value::Table(inner) => all.extend(flat(inner, &path)),
            _ => all.push((path, value.clone())),
        }
    }
    all
}

fn told(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Boolean(true) => "on".into(),
        Value::Boolean(false) => "off".into(),
        _ => value.to_string(),
    }
}

/// A scenario before it is changed.
struct Source {
    name: String,
    text: String,
    options: Options,
}

impl Source {
    fn find(name: &str, folder: &Path, options: &Options) -> Result<Source, Error> {
        let source = |text: String| Source { name: name.to_owned(), text, options: options.clone() };
        let path: PathBuf = folder.join(name);
        if path.is_file() {
            let text = std::fs::read_to_string(&path).map_err(Error::file(format!("{}", path.display())))?;
            return Ok(source(text));
        }
        match game::Library::scenario(&catalogue::Shelf, name) {
            Some(text) => Ok(source(text)),
            None => Err(Error::Input(format!(
                "there is no scenario `{name}` in the library and no such file beside the study; `linstock list` names them all"
            ))),
        }
    }

    fn open(&self, variation: &Variation) -> Result<Arc<dyn Scenario>, Error> {
        let called = |why: String| {
            Error::Input(match variation.name.as_str() {
                "" => why,
                name => format!("variation `{name}`: {why}"),
            })
        };
        let text = match variation.set.is_empty() && variation.remove.is_empty() {
            true => self.text.clone(),
            false => self.changed(variation).map_err(called)?,
        };
        let mut options = self.options.clone();
        options.extend(variation.options.iter().map(|(rule, on)| (rule.clone(), *on)));
        let opened = catalogue::open_text(&self.name, &text, &options);
        opened.map_err(|error| called(error.to_string()))
    }

    fn changed(&self, variation: &Variation) -> Result<String, String> {
        let mut table: Table = self.text.parse().map_err(|error: toml::de::Error| error.to_string())?;
        for (path, value) in flat(&variation.set, "") {
            patch::set(&mut table, &path, &value)?;
        }
        for path in &variation.remove {
            patch::remove(&mut table, path)?;
        }
        toml::to_string(&table).map_err(|error| error.to_string())
    }
}
