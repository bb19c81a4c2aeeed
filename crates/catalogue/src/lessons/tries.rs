//! Playing a lesson as its file says it is played: by the solution and by the wrong tries.

use game::dice::QuickDice;
use game::faults::line_and_column;
use game::journal::{self, DiceOf, Header};
use game::session::{ActError, Match, Opening, Throw, text_hash};
use game::situation::{unknown_fact, unreadable};
use game::{BySide, Faults, Now, Options, System};
use players::Player;

use super::judge::{Standing, Tried, Verdict, judge};
use super::{Expect, Lesson, Try, grade};

/// How many decisions of the opponent are waited for.
const PATIENCE: usize = 2_000;

/// What came of the tries of a lesson.
#[derive(Debug, Clone)]
pub struct LessonReport {
    /// Its title.
    pub title: String,
    /// The rules it teaches.
    pub learnt: Vec<String>,
    /// Each try.
    pub tries: Vec<TryReport>,
}

/// What came of a try.
#[derive(Debug, Clone)]
pub struct TryReport {
    /// What it is called.
    pub name: String,
    /// Where it stands in the file, from 1.
    pub line: usize,
    /// What happened.
    pub story: Vec<String>,
    /// What did not come as expected.
    pub failures: Vec<String>,
}

impl LessonReport {
    /// Whether every try comes out as expected.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.tries.iter().all(|one| one.failures.is_empty())
    }

    /// In lines: each try, and the whole story of those that fail, or of all.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for one in &self.tries {
            lines.push(format!("try \"{}\" (line {})", one.name, one.line));
            lines.extend(one.story.iter().map(|line| format!("    {line}")));
            lines.extend(one.failures.iter().map(|line| format!("  FAILS: {line}")));
        }
        lines
    }
}

/// Plays every try.
///
/// # Errors
/// Names that mean nothing in any position that was come to.
pub(super) fn run<S: System>(
    name: &str,
    text: &str,
    opening: &Opening<S>,
    lesson: &Lesson,
) -> Result<LessonReport, Faults> {
    let mut faults = Faults::new();
    let mut reports = Vec::new();
    let mut games = Vec::new();
    for one in &lesson.tries {
        let mut learner = Learner::<S>::sits_down(name, text, opening, lesson);
        let failures = learner.plays(one, &mut faults);
        let (line, _) = line_and_column(text, one.span.start);
        reports.push(TryReport { name: one.name.clone(), line, story: learner.story, failures });
        games.push(learner.game);
    }
    let states: Vec<&S::State> =
        games.iter().flat_map(|game| game.moments()).map(|moment| &moment.state).collect();
    let conditions = lesson.goals.iter().map(|goal| &goal.condition);
    let conditions = conditions.chain(lesson.answers.iter().map(|answer| &answer.condition));
    let conditions = conditions.chain(lesson.exercise.iter().filter_map(|exercise| exercise.chance.as_ref()));
    for condition in conditions {
        for (named, unknown) in condition.unknown::<S>(&opening.battle, &states) {
            unknown_fact(&mut faults, named, &unknown);
        }
    }
    let (title, learnt) = (lesson.title.clone(), lesson.learnt.clone());
    faults.or(|| LessonReport { title, learnt, tries: reports })
}

struct Learner<'l, S: System> {
    lesson: &'l Lesson,
    game: Match<S>,
    story: Vec<String>,
}

impl<'l, S: System> Learner<'l, S> {
    fn sits_down(name: &str, text: &str, opening: &Opening<S>, lesson: &'l Lesson) -> Self {
        let header = Header {
            linstock: journal::FORMAT,
            system: S::book().system.to_owned(),
            edition: S::edition().to_owned(),
            scenario: name.to_owned(),
            hash: text_hash(text),
            text: None,
            options: Options::new(),
            seats: BySide::from_fn(|_| String::new()),
            dice: DiceOf::Fixed(journal::hex(&lesson.seed)),
            rolls_back: false,
            taken_over: 0,
        };
        let game = Match::<S>::start(opening.clone(), header, None, &Throw::default());
        Learner { lesson, game: game.expect("a seed is 64 hexadecimal digits"), story: Vec::new() }
    }

    /// Plays a try; what did not come as expected.
    fn plays(&mut self, one: &Try, faults: &mut Faults) -> Vec<String> {
        let mut last = None;
        for (index, act) in one.play.iter().enumerate() {
            let is_last = index + 1 == one.play.len();
            self.opponent();
            if index > 0
                && let Some(stop) = self.ends_before(&act.name)
            {
                return vec![stop];
            }
            let played = self.game.act(self.lesson.side, &act.name, &Throw::default()).map(|moment| {
                let told = moment.entries.iter().map(|entry| format!("  {}", entry.text));
                [format!("> {}", moment.act)].into_iter().chain(told).collect::<Vec<_>>()
            });
            match played {
                Ok(entries) => self.story.extend(entries),
                Err(ActError::Refused(refusal)) if is_last => {
                    let rule = refusal.rule.map_or("no rule", |rule| rule.id());
                    self.story.push(format!("> {}", act.name));
                    self.story.push(format!("  refused: {} {} ({rule})", refusal.what, refusal.why));
                    last = Some((act.name.clone(), refusal));
                }
                Err(ActError::Unreadable(why)) => {
                    unreadable(faults, act, &why);
                    return vec![format!("`{}` cannot be read: {why}", act.name)];
                }
                Err(error) => return vec![format!("`{}` is not played: {error}", act.name)],
            }
        }
        self.opponent();
        let standing = self.judged(last.as_ref().map(|(act, refusal)| (act.as_str(), refusal)));
        self.tell(&standing);
        self.compare(one.expect, &standing)
    }

    /// Why a try cannot go on: it is solved, or the board takes back what led here.
    fn ends_before(&self, act: &str) -> Option<String> {
        let standing = self.judged(None);
        match standing.verdict {
            _ if standing.solved => Some(format!("it is solved before `{act}` is played")),
            Verdict::Answered(index) if self.lesson.answers[index].undo => {
                Some(format!("answer {} takes back what came before `{act}`", index + 1))
            }
            _ => None,
        }
    }

    fn judged(&self, tried: Option<Tried<'_>>) -> Standing {
        judge::<S>(self.lesson, &self.game, tried, grade::<S>(self.lesson, &self.game))
    }

    fn tell(&mut self, standing: &Standing) {
        for (goal, met) in self.lesson.goals.iter().zip(&standing.goals) {
            self.story.push(format!("{}: {}", goal.words, if *met { "met" } else { "not met" }));
        }
        if let Some(grading) = &standing.grading {
            for choice in &grading.best {
                self.story.push(format!("{:.4} {}", choice.value, choice.action));
            }
            self.story.push(format!("{:.4} {} was chosen", grading.chosen.value, grading.chosen.action));
        }
        if let Verdict::Answered(index) = standing.verdict {
            self.story.push(format!("answer {}: {}", index + 1, self.lesson.answers[index].says));
        }
    }

    fn compare(&self, expect: Expect, standing: &Standing) -> Vec<String> {
        let came = match (standing.solved, standing.verdict) {
            (true, _) => "solved".to_owned(),
            (false, Verdict::Answered(index)) => format!("answer {}", index + 1),
            (false, _) => "unsolved".to_owned(),
        };
        let expected = match expect {
            Expect::Solved => "solved".to_owned(),
            Expect::Answer(index) => format!("answer {}", index + 1),
            Expect::Unsolved => "unsolved".to_owned(),
        };
        if came == expected {
            return Vec::new();
        }
        let at_hand = match self.game.now() {
            Now::Over(_) => "the game is over".to_owned(),
            Now::Decides(side) => {
                let prompt = S::prompt(self.game.battle(), self.game.state());
                let sides = S::board(self.game.battle()).sides;
                format!("{} decides `{}`: {}", sides[side].id, prompt.kind, prompt.sentence)
            }
        };
        vec![format!("it is {came}, expected {expected}; at this point {at_hand}")]
    }

    /// The opponent decides as in the real lesson.
    fn opponent(&mut self) {
        for _ in 0..PATIENCE {
            let Now::Decides(side) = self.game.now() else { return };
            if side == self.lesson.side {
                return;
            }
            let seed = self.game.lines().last().map_or(0, |line| choice_seed(&journal::line(line)));
            let action = choose::<S>(&self.game, self.lesson.opponent, seed);
            self.story.push(format!("{}: {action}", S::board(self.game.battle()).sides[side].name));
            if self.game.act(side, &action, &Throw::default()).is_err() {
                return;
            }
        }
    }
}

fn choose<S: System>(game: &Match<S>, player: Player, seed: u64) -> String {
    let Now::Decides(side) = game.now() else { return String::new() };
    let (battle, seen) = (game.battle(), S::seen_by(game.battle(), game.state(), side));
    let mut offers = Vec::new();
    S::offers(battle, &seen, &mut offers);
    S::write(battle, &player.choose::<S>(battle, &seen, &offers, &mut QuickDice::new(seed)))
}

/// What a computer's choice rests on: the last line of the journal.
fn choice_seed(line: &str) -> u64 {
    u64::from_str_radix(&text_hash(&format!("linstock choice 1{line}"))[..16], 16).unwrap_or(0)
}
