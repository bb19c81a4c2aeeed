//! Studies of battles, played in the background by a program of its own: the server writes the study file, listens to how
//! far it has come, and shows its report. They are kept in files beside the games, and go on after a restart.

use std::collections::HashMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use game::{BySide, Options};
use players::Level;
use serde::{Deserialize, Serialize};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, BufReader};
use tokio::process::Command;
use tokio::sync::Semaphore;
use tokio::task::AbortHandle;

use crate::api::{Answer, Body, Path as Part};
use crate::config::Config;
use crate::hall::{Hall, Known, away};
use crate::owners::Client;
use crate::{chance, world};
use host::seats;
use host::wire::{AskStudy, Code, Problems, StudyFace, StudyState, StudyTerms};
use host::{Failure, Volume};

const DAY: u64 = 24 * 3600 * 1000;
/// Games for each row of a report.
const GAMES: std::ops::RangeInclusive<u32> = 50..=2000;
/// House rules that are tried the other way round.
const MOST_CHANGES: usize = 12;
/// What a program that fails may say.
const LONGEST_COMPLAINT: u64 = 4096;
/// The priority of the program that plays: behind everybody else.
#[cfg(unix)]
const BEHIND: i32 = 15;

/// The report draws with its own script, and does nothing else: an origin of its own without cookies or storage, no request,
/// no evaluated text, no way out but into a page of its own.
const REPORT_POLICY: &str = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; \
    font-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; \
    sandbox allow-popups allow-modals allow-scripts";

/// All studies.
#[derive(Debug)]
pub(crate) struct Studies {
    folder: PathBuf,
    /// The command that plays one; none if this server plays none.
    command: Option<Vec<OsString>>,
    a_day: u32,
    within: Duration,
    threads: usize,
    turn: Arc<Semaphore>,
    known: Mutex<HashMap<String, Arc<Entry>>>,
}

/// One study.
#[derive(Debug)]
struct Entry {
    owner: String,
    folder: PathBuf,
    now: Mutex<Doing>,
}

#[derive(Debug)]
struct Doing {
    face: StudyFace,
    /// When it was begun and gone on with; each counts as one of the day's studies.
    begun: Vec<u64>,
    task: Option<AbortHandle>,
}

/// What is kept of a study on disk, beside its files.
#[derive(Debug, Serialize, Deserialize)]
struct About {
    owner: String,
    begun: Vec<u64>,
    face: StudyFace,
}

/// The study file, as `linstock study` reads it.
#[derive(Debug, Serialize)]
struct File<'a> {
    title: &'a str,
    question: &'a str,
    scenarios: [&'a str; 1],
    players: [[&'a str; 2]; 1],
    games: u32,
    options: &'a Options,
    variation: Vec<Variation>,
}

#[derive(Debug, Serialize)]
struct Variation {
    name: String,
    options: Options,
}

/// A line of the program that plays.
#[derive(Debug, Deserialize)]
struct Progress {
    done: u64,
    of: u64,
}

/// How a program that played ended.
enum Ended {
    Done,
    TooLong,
    Failed(String),
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn no_such_study() -> Failure {
    Failure::new(Code::NoSuchStudy, "There is no such study; studies are deleted after some days.")
}

impl Studies {
    /// What the configuration allows. Servers that share a database keep no files, so they play no studies.
    pub(crate) fn new(config: &Config) -> Arc<Self> {
        let off = config.database.is_some() || config.quotas.studies_a_day == 0;
        Arc::new(Studies {
            folder: config.data.join("studies"),
            command: config.study.clone().filter(|_| !off),
            a_day: config.quotas.studies_a_day,
            within: config.quotas.study_time,
            threads: config.thinkers.max(1),
            turn: Arc::new(Semaphore::new(1)),
            known: Mutex::default(),
        })
    }

    /// Finds the studies of an earlier run, and goes on with those that were not done.
    pub(crate) async fn wake(self: Arc<Self>) {
        if self.command.is_none() {
            return;
        }
        let folder = self.folder.clone();
        let found = world::blocking(move || kept(&folder)).await.unwrap_or_default();
        for (folder, About { owner, begun, mut face }) in found {
            let open = matches!(face.state, StudyState::Waiting | StudyState::Playing);
            if open {
                (face.state, face.seconds_left) = (StudyState::Waiting, None);
            }
            let id = face.id.clone();
            let now = Mutex::new(Doing { face, begun, task: None });
            let entry = Arc::new(Entry { owner, folder, now });
            locked(&self.known).insert(id, entry.clone());
            if open {
                self.queue(&entry);
            }
        }
    }

    /// Ends what is being played. It goes on with the next start.
    pub(crate) fn close(&self) {
        for entry in locked(&self.known).values() {
            if let Some(task) = locked(&entry.now).task.take() {
                task.abort();
            }
        }
    }

    /// Deletes studies that were begun before.
    pub(crate) async fn expire(&self, before: i64) {
        let old: Vec<Arc<Entry>> = {
            let mut known = locked(&self.known);
            let old = |entry: &Arc<Entry>| (locked(&entry.now).face.made as i64) < before;
            let ids: Vec<String> = known.iter().filter(|(_, e)| old(e)).map(|(id, _)| id.clone()).collect();
            ids.iter().filter_map(|id| known.remove(id)).collect()
        };
        for entry in old {
            if let Some(task) = locked(&entry.now).task.take() {
                task.abort();
            }
            let _ = world::blocking(move || fs::remove_dir_all(&entry.folder)).await;
        }
    }

    fn terms(&self, owner: &str, share: u32) -> StudyTerms {
        let a_day = if self.command.is_some() { self.a_day.saturating_mul(share) } else { 0 };
        let since = world::now().saturating_sub(DAY);
        let known = locked(&self.known);
        let mine = known.values().filter(|entry| entry.owner == owner);
        let mut begun: Vec<u64> = mine.flat_map(|entry| locked(&entry.now).begun.clone()).collect();
        begun.retain(|begun| *begun > since);
        begun.sort_unstable();
        let left = a_day.saturating_sub(begun.len() as u32);
        // One more when the first of the last so many is a day old.
        let next = begun.len().checked_sub(a_day as usize).and_then(|first| begun.get(first));
        let more_at = next.map(|begun| begun + DAY);
        StudyTerms { a_day, left, more_at, minutes: (self.within.as_secs() / 60) as u32 }
    }

    fn entry(&self, id: &str) -> Result<Arc<Entry>, Failure> {
        locked(&self.known).get(id).cloned().ok_or_else(no_such_study)
    }

    /// Writes the study down and has it played.
    async fn begin(
        self: &Arc<Self>,
        ask: AskStudy,
        volume: &Volume,
        owner: String,
    ) -> Result<StudyFace, Failure> {
        let id = chance::id()?;
        let rows = 1 + ask.changes.len() as u32;
        let face = StudyFace {
            id: id.clone(),
            title: volume.face.title.clone(),
            scenario: ask.scenario.clone(),
            players: ask.players.clone(),
            games: ask.games,
            rows,
            made: world::now(),
            state: StudyState::Waiting,
            done: 0,
            of: u64::from(rows) * u64::from(ask.games),
            seconds_left: None,
            message: None,
        };
        let text = study_file(&ask, volume)?;
        let folder = self.folder.join(&id);
        let entry = Arc::new(Entry {
            owner,
            folder: folder.clone(),
            now: Mutex::new(Doing { begun: vec![face.made], face: face.clone(), task: None }),
        });
        let written = entry.clone();
        away(move || {
            let wrote = || {
                fs::create_dir_all(&folder)?;
                fs::write(folder.join("study.toml"), text)?;
                if let Some(own) = &ask.text {
                    fs::write(folder.join("battle.toml"), own)?;
                }
                written.keep()
            };
            wrote().map_err(|error: std::io::Error| {
                tracing::error!(%error, "a study cannot be written down");
                Failure::new(Code::DiskFull, "The study cannot be written down; the disk may be full.")
            })
        })
        .await?;
        locked(&self.known).insert(id, entry.clone());
        self.queue(&entry);
        Ok(face)
    }

    /// Has a study played when it is its turn.
    fn queue(self: &Arc<Self>, entry: &Arc<Entry>) {
        let (studies, mine) = (self.clone(), entry.clone());
        let task = tokio::spawn(async move {
            let Ok(_turn) = studies.turn.clone().acquire_owned().await else { return };
            mine.change(|face| face.state = StudyState::Playing);
            let ended = tokio::time::timeout(studies.within, studies.play(&mine)).await;
            mine.ended(ended.unwrap_or(Ended::TooLong), studies.within);
        });
        locked(&entry.now).task = Some(task.abort_handle());
    }

    /// Plays a study in a program of its own, and listens to it. Who drops this ends the program.
    async fn play(&self, entry: &Entry) -> Ended {
        let Some([program, arguments @ ..]) = self.command.as_deref() else {
            return Ended::Failed("This server plays no studies.".into());
        };
        let broken = |error: std::io::Error| {
            tracing::error!(%error, "a study cannot be played");
            Ended::Failed("The study cannot be played; it is in the server's log.".into())
        };
        let spawned = Command::new(program)
            .args(arguments)
            .arg(entry.folder.join("study.toml"))
            .arg("--out")
            .arg(entry.folder.join("out"))
            .arg("--progress")
            .env("RAYON_NUM_THREADS", self.threads.to_string())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn();
        let mut child = match spawned {
            Ok(child) => child,
            Err(error) => return broken(error),
        };
        #[cfg(unix)]
        if let Some(id) = child.id().and_then(|id| rustix::process::Pid::from_raw(id.cast_signed())) {
            let _ = rustix::process::setpriority_process(Some(id), BEHIND);
        }
        let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
        let hear = async {
            let Some(stdout) = stdout else { return };
            let started = Instant::now();
            let mut first: Option<u64> = None;
            let mut lines = BufReader::new(stdout).lines();
            while let Ok(Some(line)) = lines.next_line().await {
                let Ok(now) = serde_json::from_str::<Progress>(&line) else { continue };
                let from = *first.get_or_insert(now.done);
                entry.change(|face| {
                    (face.done, face.of) = (now.done, now.of);
                    face.seconds_left = left(now, from, started.elapsed());
                });
            }
        };
        let complain = async {
            let mut said = Vec::new();
            if let Some(stderr) = stderr {
                let _ = stderr.take(LONGEST_COMPLAINT).read_to_end(&mut said).await;
            }
            String::from_utf8_lossy(&said).into_owned()
        };
        let ((), said, status) = tokio::join!(hear, complain, child.wait());
        match status {
            Ok(_) if entry.folder.join("out/report.html").is_file() => Ended::Done,
            Ok(_) => {
                let words = said.trim().trim_start_matches("linstock: ");
                tracing::warn!(problem = words, "a study failed");
                Ended::Failed(if words.is_empty() { "The study failed.".into() } else { words.to_owned() })
            }
            Err(error) => broken(error),
        }
    }
}

/// Seconds that are left, once there is something to go by.
fn left(now: Progress, from: u64, elapsed: Duration) -> Option<u64> {
    let played = now.done.saturating_sub(from);
    let rest = now.of.saturating_sub(now.done) as f64;
    (played >= 10).then(|| (rest * elapsed.as_secs_f64() / played as f64).ceil() as u64)
}

/// The studies of an earlier run.
fn kept(folder: &Path) -> Vec<(PathBuf, About)> {
    let Ok(found) = fs::read_dir(folder) else { return Vec::new() };
    let read = |folder: PathBuf| {
        let text = fs::read(folder.join("about.json")).ok()?;
        let about: About = serde_json::from_slice(&text).ok()?;
        seats::is_id(&about.face.id).then_some((folder, about))
    };
    found.filter_map(|one| read(one.ok()?.path())).collect()
}

impl Entry {
    fn change(&self, change: impl FnOnce(&mut StudyFace)) -> StudyFace {
        let mut now = locked(&self.now);
        change(&mut now.face);
        now.face.clone()
    }

    fn face(&self) -> StudyFace {
        locked(&self.now).face.clone()
    }

    /// Writes down how it stands, whole or not at all.
    fn keep(&self) -> std::io::Result<()> {
        let about = {
            let now = locked(&self.now);
            About { owner: self.owner.clone(), begun: now.begun.clone(), face: now.face.clone() }
        };
        let part = self.folder.join("about.part");
        fs::write(&part, serde_json::to_vec(&about)?)?;
        fs::rename(part, self.folder.join("about.json"))
    }

    fn ended(&self, ended: Ended, within: Duration) {
        self.change(|face| {
            face.seconds_left = None;
            match ended {
                Ended::Done => (face.state, face.done) = (StudyState::Done, face.of),
                Ended::Failed(why) => (face.state, face.message) = (StudyState::Failed, Some(why)),
                Ended::TooLong => {
                    face.state = StudyState::Stopped;
                    face.message = Some(format!(
                        "Stopped after {} minutes with {} of {} games played. Go on, or ask for fewer games or a quicker level.",
                        within.as_secs() / 60,
                        face.done,
                        face.of
                    ));
                }
            }
        });
        locked(&self.now).task = None;
        if self.face().state == StudyState::Done {
            // They were for going on; the tables have all of it.
            let _ = fs::remove_dir_all(self.folder.join("out/batches"));
        }
        if let Err(error) = self.keep() {
            tracing::warn!(%error, "how a study stands cannot be written down");
        }
    }
}

/// The study file of what is asked.
fn study_file(ask: &AskStudy, volume: &Volume) -> Result<String, Failure> {
    let rules = volume.scenario.board().options;
    let variation = |id: &String| {
        let rule = rules.iter().find(|rule| rule.id == *id).ok_or_else(|| {
            Failure::new(Code::Malformed, format!("This battle has no house rule `{id}` to change."))
        })?;
        let name = if rule.on { format!("Without: {}", rule.name) } else { rule.name.clone() };
        Ok(Variation { name, options: Options::from([(id.clone(), !rule.on)]) })
    };
    let BySide { first, second } = &ask.players;
    let file = File {
        title: &volume.face.title,
        question: match ask.changes.is_empty() {
            true => "Is it fair between these players?",
            false => "Is it fair between these players, and what do the house rules change?",
        },
        scenarios: [if ask.text.is_some() { "battle.toml" } else { &ask.scenario }],
        players: [[first, second]],
        games: ask.games,
        options: &ask.options,
        variation: ask.changes.iter().map(variation).collect::<Result<_, Failure>>()?,
    };
    toml::to_string(&file).map_err(|_| Failure::internal("a study cannot be written as TOML"))
}

/// What can be told to be wrong before anything is opened.
fn sensible(ask: &AskStudy) -> Result<(), Failure> {
    let known = |level: &String| Level::ALL.iter().any(|known| known.id() == level);
    if let Some(level) = [&ask.players.first, &ask.players.second].into_iter().find(|level| !known(level)) {
        let levels: Vec<&str> = Level::ALL.iter().map(|level| level.id()).collect();
        let message = format!("There is no computer level `{level}`; there are {}.", levels.join(", "));
        return Err(Failure::new(Code::NoSuchLevel, message));
    }
    if !GAMES.contains(&ask.games) {
        let message = format!("Ask for {} to {} games a row.", GAMES.start(), GAMES.end());
        return Err(Failure::new(Code::Malformed, message));
    }
    let mut changes = ask.changes.clone();
    changes.sort_unstable();
    changes.dedup();
    if ask.changes.len() > MOST_CHANGES || changes.len() != ask.changes.len() {
        let message = format!("Name each house rule to change once, at most {MOST_CHANGES} of them.");
        return Err(Failure::new(Code::Malformed, message));
    }
    Ok(())
}

/// Whether a client may begin one more.
fn may_begin(hall: &Hall, client: Client) -> Result<String, Failure> {
    let owner = hall.shared.owners.name(client);
    let terms = hall.studies.terms(&owner, client.share());
    if terms.a_day == 0 {
        let message = "This server plays no studies; `linstock study` does on your own machine.";
        return Err(Failure::new(Code::Quota, message));
    }
    if terms.left == 0 {
        hall.shared.metrics.over_quota.increment(1);
        let message = format!(
            "{} studies were begun from your address in the last 24 hours, which is the most. Try again later, or run `linstock study` on your own machine.",
            terms.a_day
        );
        return Err(Failure::new(Code::Quota, message));
    }
    Ok(owner)
}

// ---------------------------------------------------------------------------------------------- addresses

#[utoipa::path(get, path = "/api/v1/studies", tag = "studies", responses((status = 200, body = StudyTerms), Problems))]
pub(crate) async fn terms(State(hall): State<Arc<Hall>>, client: Client) -> Json<StudyTerms> {
    Json(hall.studies.terms(&hall.shared.owners.name(client), client.share()))
}

#[utoipa::path(post, path = "/api/v1/studies", tag = "studies", request_body = AskStudy,
    responses((status = 201, body = StudyFace), Problems))]
pub(crate) async fn begin(
    State(hall): State<Arc<Hall>>,
    client: Client,
    Body(ask): Body<AskStudy>,
) -> Result<(StatusCode, Json<StudyFace>), Failure> {
    sensible(&ask)?;
    let owner = may_begin(&hall, client)?;
    let (id, text, options) = (ask.scenario.clone(), ask.text.clone(), ask.options.clone());
    let volume = hall.shared.volume(id, text, options, Known::No).await?;
    let face = hall.studies.begin(ask, &volume, owner).await?;
    Ok((StatusCode::CREATED, Json(face)))
}

#[utoipa::path(get, path = "/api/v1/studies/{study}", tag = "studies", params(("study" = String, Path, pattern = "^[a-km-np-z2-9]{16}$")),
    responses((status = 200, body = StudyFace), Problems))]
pub(crate) async fn look(State(hall): State<Arc<Hall>>, Part(study): Part<String>) -> Answer<StudyFace> {
    Ok(Json(hall.studies.entry(&study)?.face()))
}

#[utoipa::path(post, path = "/api/v1/studies/{study}/stop", tag = "studies", params(("study" = String, Path, pattern = "^[a-km-np-z2-9]{16}$")),
    responses((status = 200, body = StudyFace), Problems))]
pub(crate) async fn stop(State(hall): State<Arc<Hall>>, Part(study): Part<String>) -> Answer<StudyFace> {
    let entry = hall.studies.entry(&study)?;
    let stopped = {
        let mut now = locked(&entry.now);
        let open = matches!(now.face.state, StudyState::Waiting | StudyState::Playing);
        if open {
            if let Some(task) = now.task.take() {
                task.abort();
            }
            (now.face.state, now.face.seconds_left, now.face.message) = (StudyState::Stopped, None, None);
        }
        open
    };
    keep(&entry, stopped).await
}

#[utoipa::path(post, path = "/api/v1/studies/{study}/continue", tag = "studies", params(("study" = String, Path, pattern = "^[a-km-np-z2-9]{16}$")),
    responses((status = 200, body = StudyFace), Problems))]
pub(crate) async fn go_on(
    State(hall): State<Arc<Hall>>,
    client: Client,
    Part(study): Part<String>,
) -> Answer<StudyFace> {
    let entry = hall.studies.entry(&study)?;
    may_begin(&hall, client)?;
    let begun = {
        let mut now = locked(&entry.now);
        let stopped = now.face.state == StudyState::Stopped;
        if stopped {
            (now.face.state, now.face.message) = (StudyState::Waiting, None);
            now.begun.push(world::now());
        }
        stopped
    };
    if begun {
        hall.studies.queue(&entry);
    }
    keep(&entry, begun).await
}

async fn keep(entry: &Arc<Entry>, changed: bool) -> Answer<StudyFace> {
    let kept = entry.clone();
    away(move || {
        if changed && let Err(error) = kept.keep() {
            tracing::warn!(%error, "how a study stands cannot be written down");
        }
        Ok(Json(kept.face()))
    })
    .await
}

#[utoipa::path(get, path = "/api/v1/studies/{study}/report", tag = "studies", params(("study" = String, Path, pattern = "^[a-km-np-z2-9]{16}$")),
    responses((status = 200, body = String, content_type = "text/html"), Problems))]
pub(crate) async fn report(
    State(hall): State<Arc<Hall>>,
    Part(study): Part<String>,
) -> Result<Response, Failure> {
    let page = hall.studies.file(&study, "report.html").await?;
    let mut answer = ([(header::CONTENT_TYPE, "text/html; charset=utf-8")], page).into_response();
    answer.headers_mut().insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(REPORT_POLICY));
    Ok(answer)
}

#[utoipa::path(get, path = "/api/v1/studies/{study}/tables/{table}", tag = "studies",
    params(("study" = String, Path, pattern = "^[a-km-np-z2-9]{16}$"), ("table" = String, Path)),
    responses((status = 200, body = Vec<u8>, content_type = "application/octet-stream"), Problems))]
pub(crate) async fn table(
    State(hall): State<Arc<Hall>>,
    Part((study, table)): Part<(String, String)>,
) -> Result<Response, Failure> {
    let kind = match table.as_str() {
        "games.parquet" | "turns.parquet" => "application/vnd.apache.parquet",
        "summary.csv" => "text/csv; charset=utf-8",
        _ => {
            let message = "There is no such table; there are games.parquet, turns.parquet and summary.csv.";
            return Err(Failure::new(Code::NoSuchStudy, message));
        }
    };
    let disposition = format!("attachment; filename=\"{study}-{table}\"");
    let bytes = hall.studies.file(&study, &table).await?;
    Ok(([(header::CONTENT_TYPE, kind.to_owned()), (header::CONTENT_DISPOSITION, disposition)], bytes)
        .into_response())
}

impl Studies {
    /// A file of a study that is done.
    async fn file(&self, study: &str, name: &str) -> Result<Vec<u8>, Failure> {
        let entry = self.entry(study)?;
        if entry.face().state != StudyState::Done {
            return Err(Failure::new(
                Code::NoSuchStudy,
                "The report is not there yet; the study is not done.",
            ));
        }
        let path = entry.folder.join("out").join(name);
        away(move || fs::read(path).map_err(|_| no_such_study())).await
    }
}
