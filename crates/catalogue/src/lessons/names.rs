//! Looks up what a lesson names: its side, its opponent, rules, pieces, places.

use std::ops::Range;

use game::board::Ground;
use game::session::{Opening, text_hash};
use game::situation::{Named, Unknown};
use game::{Eyes, Faults, Side, System};
use players::Player;

use super::condition::Condition;
use super::file::Written;
use super::{Lesson, LookAt, SOLUTION, style};
use game::journal::unhex;

/// A lesson, and what is wrong with it.
pub(super) struct Checked {
    pub(super) lesson: Lesson,
    pub(super) faults: Faults,
}

pub(super) fn check<S: System>(written: Written, opening: &Opening<S>) -> Checked {
    let mut names = Names::<S>::new(opening);
    let side = names.side(&written.plays).unwrap_or(Side::First);
    let opponent = names.player(written.opponent.as_ref());
    written.learnt.iter().for_each(|rule| names.rule(rule));
    for text in [&written.learns, &written.task, &written.why].into_iter().chain(&written.hints) {
        names.text(&text.name, &text.span);
    }
    for (span, page) in &written.pages {
        names.text(&page.says, span);
    }
    for (span, look) in &written.looks {
        names.look(look, span);
    }
    for (span, goal) in &written.goals {
        names.text(&goal.words, span);
        names.condition(&goal.condition);
    }
    for (span, answer) in &written.answers {
        names.text(&answer.says, span);
        names.condition(&answer.condition);
        [&answer.refused, &answer.rule].into_iter().flatten().for_each(|rule| names.rule(rule));
    }
    for (span, question) in &written.questions {
        names.text(&question.asks, span);
        names.text(&question.why, span);
        question.rule.iter().for_each(|rule| names.rule(rule));
    }
    if let Some(chance) = written.exercise.as_ref().and_then(|exercise| exercise.chance.as_ref()) {
        names.condition(chance);
    }
    let solutions = written.tries.iter().filter(|one| one.name == SOLUTION).count();
    if solutions != 1 {
        let message = format!("there are {solutions} tries with the name `{SOLUTION}`");
        names.faults.add(0..0, message, "one [[try]] that solves the lesson");
    }
    if written.tries.len() == solutions {
        names.faults.add(0..0, "there is no wrong try", "a [[try]] that does not solve the lesson");
    }
    let seed = unhex(&text_hash(&format!("linstock lesson {}", written.seed)));
    let lesson = Lesson {
        title: written.title,
        learns: written.learns.name,
        minutes: written.minutes,
        side,
        opponent,
        seed: seed.and_then(|bytes| bytes.try_into().ok()).unwrap_or([0; 32]),
        task: written.task.name,
        why: written.why.name,
        learnt: written.learnt.into_iter().map(|rule| rule.name).collect(),
        hints: written.hints.into_iter().map(|hint| hint.name).collect(),
        moves: written.moves,
        pages: without_places(written.pages),
        goals: without_places(written.goals),
        answers: without_places(written.answers),
        exercise: written.exercise,
        questions: without_places(written.questions),
        tries: written.tries,
    };
    Checked { lesson, faults: names.faults }
}

fn without_places<T>(all: Vec<(Range<usize>, T)>) -> Vec<T> {
    all.into_iter().map(|(_, one)| one).collect()
}

struct Names<'o, S: System> {
    opening: &'o Opening<S>,
    faults: Faults,
    slugs: Vec<String>,
    hexes: Vec<String>,
    places: Vec<String>,
}

impl<'o, S: System> Names<'o, S> {
    fn new(opening: &'o Opening<S>) -> Self {
        let view = S::view(&opening.battle, &opening.position, Eyes::All);
        let slugs = view.pieces.into_iter().map(|piece| piece.slug).collect();
        let (hexes, places) = match S::board(&opening.battle).ground {
            Ground::Hexes(ground) => {
                let names = ground.hexes.iter().filter_map(|hex| hex.name.clone()).collect();
                (ground.hexes.into_iter().map(|hex| hex.hex).collect(), names)
            }
            Ground::Table(ground) => {
                (Vec::new(), ground.terrain.into_iter().filter_map(|piece| piece.name).collect())
            }
        };
        Names { opening, faults: Faults::new(), slugs, hexes, places }
    }

    fn side(&mut self, named: &Named) -> Option<Side> {
        let sides = S::board(&self.opening.battle).sides;
        let found = Side::BOTH.into_iter().find(|side| sides[*side].id == named.name);
        if found.is_none() {
            let expected = format!("{} or {}", sides.first.id, sides.second.id);
            self.faults.add(named.span.clone(), format!("there is no side `{}`", named.name), expected);
        }
        found
    }

    fn player(&mut self, named: Option<&Named>) -> Player {
        let Some(named) = named else { return Player::Pass };
        named.name.parse().unwrap_or_else(|unknown: players::Unknown| {
            self.faults.add(named.span.clone(), unknown.to_string(), "pass, or a computer level");
            Player::Pass
        })
    }

    fn rule(&mut self, named: &Named) {
        self.rule_at(&named.name, &named.span);
    }

    fn rule_at(&mut self, id: &str, span: &Range<usize>) {
        let book = S::book();
        if book.find(id).is_none() {
            let unknown = Unknown::new(id, format!("a rule of {}", book.title), [""; 0]);
            self.faults.add(
                span.clone(),
                unknown.to_string(),
                format!("a rule that `linstock rules {}` lists", book.system),
            );
        }
    }

    fn text(&mut self, text: &str, span: &Range<usize>) {
        style::check(text, span, &mut self.faults);
        for link in style::links(text) {
            self.rule_at(link, span);
        }
    }

    fn look(&mut self, look: &LookAt, span: &Range<usize>) {
        let (name, what, known) = match look {
            LookAt::Piece(slug) => (slug, "a unit", &self.slugs),
            LookAt::Hex(hex) => (hex, "a hex of the map", &self.hexes),
            LookAt::Place(place) => (place, "a named place of the map", &self.places),
            LookAt::Point(_) | LookAt::Panel(_) => return,
        };
        if !known.contains(name) {
            let unknown = Unknown::new(name, what, known.iter().cloned());
            self.faults.add(span.clone(), unknown.to_string(), what);
        }
    }

    fn condition(&mut self, condition: &Condition) {
        if let Some(kind) = &condition.decision {
            let kinds = S::kinds();
            if !kinds.is_empty() && !kinds.contains(&kind.name.as_str()) {
                let unknown = Unknown::new(&kind.name, "a kind of decision", kinds.iter().copied());
                self.faults.add(
                    kind.span.clone(),
                    unknown.to_string(),
                    format!("one of {}", kinds.join(", ")),
                );
            }
        }
        if let Some(over) = condition.over.as_ref().filter(|over| over.name != "draw") {
            self.side(over);
        }
    }
}
