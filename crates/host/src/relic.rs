//! A game that can no longer be set up at all: its scenario is gone, or not even its muster replays. It has a journal and
//! an end, and answers everything else with nothing.

use catalogue::{Analyst, LessonStanding, Reviewer, Scene, Table, Thinker, Weigher};
use game::board::{Ask, Offer, Overlay, Prompt, View};
use game::journal::{self, Broken, Header, Line};
use game::luck::FairScore;
use game::odds::{Horizon, OddsReport, SealedOdds};
use game::session::{ActError, Throw, Undo, Verified};
use game::{BySide, Entry, Eyes, Now, Side};

/// What is left of a game.
#[derive(Debug)]
pub struct Relic {
    header: Header,
    lines: Vec<Line>,
    /// The first line that cannot even be read.
    broken: Option<Broken>,
    now: Now,
}

impl Relic {
    pub fn new(header: Header, lines: Vec<Line>, broken: Option<Broken>, now: Now) -> Self {
        Relic { header, lines, broken, now }
    }
}

/// The decisions of a journal that were not taken back, as somebody may read them.
pub(crate) fn scenes(lines: &[Line]) -> Vec<Scene> {
    let mut scenes: Vec<Scene> = Vec::new();
    for line in lines {
        match line {
            Line::Act { side, act, .. } => scenes.push(Scene {
                moment: scenes.len() as u64,
                side: *side,
                act: Some(act.clone()),
                entries: Vec::<Entry>::new(),
            }),
            Line::Back { back, .. } => {
                scenes.truncate(usize::try_from(back.saturating_add(1)).unwrap_or(usize::MAX));
            }
            Line::Resign { .. } | Line::End { .. } => {}
        }
    }
    scenes
}

struct NoOdds;

impl Weigher for NoOdds {
    fn odds(&self, _: &str, _: Horizon) -> Result<OddsReport, ActError> {
        Err(ActError::Over)
    }

    fn sealed(&self) -> Option<SealedOdds> {
        None
    }
}

/// Nothing on the table.
pub(crate) fn nothing() -> View {
    View {
        pieces: Vec::new(),
        marks: Vec::new(),
        track: Vec::new(),
        phases: Vec::new(),
        panels: Vec::new(),
        score: BySide::default(),
        tally: Vec::new(),
        combat: None,
    }
}

impl Table for Relic {
    fn moment(&self) -> u64 {
        (scenes(&self.lines).len() as u64).saturating_sub(1)
    }
    fn turn(&self) -> u32 {
        1
    }
    fn now(&self) -> Now {
        self.now
    }
    fn header(&self) -> &Header {
        &self.header
    }
    fn score(&self) -> BySide<i32> {
        BySide::default()
    }
    fn view(&self, _: Eyes, _: Option<u64>) -> Option<View> {
        Some(nothing())
    }
    fn prompt(&self) -> Option<Prompt> {
        None
    }
    fn offers(&self) -> Vec<Offer> {
        Vec::new()
    }
    fn scenes(&self, _: Eyes, from: u64) -> Vec<Scene> {
        scenes(&self.lines).into_iter().filter(|scene| scene.moment >= from).collect()
    }
    fn act(&mut self, _: Side, _: &str, _: &Throw) -> Result<(), ActError> {
        Err(ActError::Over)
    }
    fn say_ordered(&mut self) {}
    fn would(&self, _: Side, _: &str) -> Result<Offer, ActError> {
        Err(ActError::Over)
    }
    fn undo_right(&self, _: Side) -> Undo {
        Undo::Nothing
    }
    fn undo_right_alone(&self, _: Side) -> Undo {
        Undo::Nothing
    }
    fn let_rolls_back(&mut self) {}
    fn undo(&mut self, _: Side, _: bool) -> Result<(), Undo> {
        Err(Undo::Nothing)
    }
    fn resign(&mut self, _: Side) -> Result<(), ActError> {
        Err(ActError::Over)
    }
    fn reveal(&mut self) {}
    fn journal(&self) -> String {
        String::new()
    }
    fn lines(&self, from: usize) -> Vec<String> {
        self.lines.iter().skip(from).map(journal::line).collect()
    }
    fn conceals_from(&self, _: Side) -> bool {
        true
    }
    fn took_back_unseen(&self, _: Side) -> bool {
        true
    }
    fn verify(&self) -> Result<Verified, Broken> {
        let message = "the rules that this was played under are no longer here".to_owned();
        Err(self.broken.clone().unwrap_or(Broken { line: 1, message }))
    }
    fn overlay(&self, _: Eyes, _: &Ask) -> Overlay {
        Overlay::default()
    }
    fn thinker(&self) -> Thinker {
        Box::new(|_, _| None)
    }
    fn weigher(&self, _: Side) -> Box<dyn Weigher> {
        Box::new(NoOdds)
    }
    fn analyst(&self, _: Option<u64>, _: Option<&str>) -> Option<Analyst> {
        None
    }
    fn lesson(&self, _: Option<&str>) -> Option<LessonStanding> {
        None
    }
    fn reviewer(&self) -> Option<Reviewer> {
        None
    }
    fn fair_score(&self) -> FairScore {
        FairScore { lead: 0, fair: 0.0, swings: Vec::new(), sampled: 0 }
    }
    fn digest(&self) -> [u8; 32] {
        [0; 32]
    }
    fn seen_digest(&self, _: Eyes) -> [u8; 32] {
        [0; 32]
    }
}
