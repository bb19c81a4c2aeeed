use std::collections::BTreeMap;

use super::StepReport;
use super::facts::sorted;
use super::file::{ExpectedRoll, Named, Otherwise, Step};
use super::names::{NO_RULE, NOBODY, unit, unknown_fact, unreadable};
use super::rolls::{matches, missed, terms};
use crate::dice::{Need, Recorder, ScriptedDice};
use crate::faults::Faults;
use crate::log::Roll;
use crate::session::Moment;
use crate::{BySide, Chronicle, Entry, Eyes, Fx, Now, Outcome, PieceId, Refusal, System};

/// How many decisions or steps are run before a stop that never comes is given up.
const PATIENCE: usize = 100_000;

/// Where play stands.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum At {
    /// At the beginning; nothing has run by itself yet.
    Start,
    /// At a decision, or at the end.
    Decision,
    /// Before a phase or check that would run by itself.
    Before(&'static str),
}

/// What could not be played or does not hold has been told.
struct Failed;

type Held = Result<(), Failed>;
type Effect = Fx<Recorder<ScriptedDice>, Chronicle>;

/// Plays the steps of a situation one after the other.
pub(super) struct Stage<'b, S: System> {
    battle: &'b S::Battle,
    sides: BySide<String>,
    otherwise: Otherwise,
    pub(super) at: At,
    pub(super) state: S::State,
    pub(super) faults: Faults,
    report: StepReport,
    pub(super) tape: Tape<S>,
}

/// What was played so far, decision by decision, and what has happened in the present step.
pub(super) struct Tape<S: System> {
    /// The beginning, then each decision; of the last, what ran by itself as far as play has come.
    pub(super) moments: Vec<Moment<S>>,
    /// How many faces and entries of the present step are on it.
    heard: (usize, usize),
    /// How many entries of the present step tell what the beginning set off.
    pub(super) begun: usize,
    /// What happened in the present step, and after how many entries what was played.
    pub(super) entries: Vec<Entry>,
    pub(super) played: Vec<(usize, S::Action, String)>,
    /// The positions that the step's own actions were played in.
    pub(super) positions: Vec<S::State>,
    pub(super) refusals: Vec<(String, Refusal)>,
}

impl<S: System> Tape<S> {
    fn new(state: S::State) -> Self {
        let (rolls, entries) = (Vec::new(), Vec::new());
        let beginning = Moment { side: None, act: "muster".into(), rolls, entries, revealed: false, state };
        Tape {
            moments: vec![beginning],
            heard: (0, 0),
            begun: 0,
            entries: Vec::new(),
            played: Vec::new(),
            positions: Vec::new(),
            refusals: Vec::new(),
        }
    }

    fn next_step(&mut self) {
        self.heard = (0, 0);
        self.begun = 0;
        self.entries.clear();
        self.played.clear();
        self.positions.clear();
        self.refusals.clear();
    }

    /// What has happened by now belongs to the last decision.
    fn listen(&mut self, state: &S::State, fx: &Effect) {
        let (faces, entries) = (&fx.dice.faces, &fx.log.entries);
        if let Some(last) = self.moments.last_mut() {
            last.rolls.extend_from_slice(&faces[self.heard.0..]);
            last.entries.extend_from_slice(&entries[self.heard.1..]);
            last.revealed |= fx.log.revealed;
            last.state = state.clone();
        }
        self.heard = (faces.len(), entries.len());
    }
}

impl<'b, S: System> Stage<'b, S> {
    pub(super) fn new(battle: &'b S::Battle, state: S::State, otherwise: Otherwise) -> Self {
        Stage {
            battle,
            sides: S::board(battle).sides.map(|side| side.id),
            otherwise,
            at: At::Start,
            tape: Tape::new(state.clone()),
            state,
            faults: Faults::new(),
            report: StepReport::default(),
        }
    }

    /// Runs one step; what is told of it ends with the first thing that fails.
    pub(super) fn run(&mut self, step: &Step) -> StepReport {
        self.report = StepReport { line: step.line, ..StepReport::default() };
        self.tape.next_step();
        let mut fx =
            Fx { dice: Recorder::new(ScriptedDice::new(step.dice.clone())), log: Chronicle::default() };
        if self.at == At::Start && !(step.before.is_some() && step.play.is_empty()) {
            self.settle(&mut fx);
            self.tape.listen(&self.state, &fx);
            self.tape.begun = fx.log.entries.len();
        }
        let played = self.before(step).and_then(|()| self.act(step, &mut fx));
        self.tape.listen(&self.state, &fx);
        let entries = std::mem::take(&mut fx.log.entries);
        self.tell(&entries);
        let _told = played
            .and_then(|()| self.dice(fx.dice.inner()))
            .and_then(|()| self.rolls(step, &entries))
            .and_then(|()| self.after(step));
        self.tape.entries = entries;
        std::mem::take(&mut self.report)
    }

    fn settle(&mut self, fx: &mut Effect) {
        S::settle(self.battle, &mut self.state, &mut fx.any());
        self.at = At::Decision;
    }

    fn fail(&mut self, message: String) -> Held {
        self.report.at_hand = Some(self.at_hand());
        self.report.failures.push(message);
        Err(Failed)
    }

    /// As it stands: nothing has failed in this step.
    fn held(&self) -> Held {
        if self.report.failures.is_empty() && self.faults.0.is_empty() { Ok(()) } else { Err(Failed) }
    }

    /// Where play stands, in words.
    fn at_hand(&self) -> String {
        match (self.at, S::now(self.battle, &self.state)) {
            (At::Before(stop), _) => format!("play is stopped before `{stop}`."),
            (_, Now::Over(_)) => "the game is over.".to_owned(),
            (_, Now::Decides(side)) => {
                let prompt = S::prompt(self.battle, &self.state);
                format!("{} decides `{}`: {}", self.sides[side], prompt.kind, prompt.sentence)
            }
        }
    }

    fn read(&mut self, named: &Named) -> Result<S::Action, Failed> {
        S::read(self.battle, &self.state, &named.name).map_err(|why| {
            unreadable(&mut self.faults, named, &why);
            Failed
        })
    }

    /// What must hold before the action.
    fn before(&mut self, step: &Step) -> Held {
        self.decider(step.by.as_ref(), step.decision.as_ref())?;
        if !(step.offered.is_empty() && step.not_offered.is_empty() && step.offers.is_empty()) {
            self.offers(step);
        }
        for (action, rule) in &step.refused {
            self.refused(action, &rule.name);
        }
        self.held()
    }

    fn offers(&mut self, step: &Step) {
        let mut actions = Vec::new();
        S::offers(self.battle, &self.state, &mut actions);
        let offers: Vec<String> = actions.iter().map(|a| S::write(self.battle, a)).collect();
        for wanted in &step.offered {
            let Ok(action) = self.read(wanted) else { continue };
            if !offers.contains(&S::write(self.battle, &action)) {
                let _ =
                    self.fail(format!("`{}` is not offered; offered: {}", wanted.name, offers.join(" | ")));
            }
        }
        for unwanted in &step.not_offered {
            let Ok(action) = self.read(unwanted) else { continue };
            if offers.contains(&S::write(self.battle, &action)) {
                let _ = self.fail(format!("`{}` is offered", unwanted.name));
            }
        }
        for (start, endings) in &step.offers {
            let found: Vec<String> = match start.as_str() {
                "" => offers.clone(),
                start => offers
                    .iter()
                    .filter_map(|o| Some(o.strip_prefix(start)?.strip_prefix(' ')?.to_owned()))
                    .collect(),
            };
            let (found, expected) = (sorted(&found), sorted(endings));
            if found != expected {
                let _ = self.fail(format!("offers of `{start}` are {found:?}, expected {expected:?}"));
            }
        }
    }

    fn refused(&mut self, named: &Named, rule: &str) {
        let Ok(action) = self.read(named) else { return };
        let notation = &named.name;
        let Err(refusal) = S::check(self.battle, &self.state, &action) else {
            let _ = self.fail(format!("`{notation}` is allowed; it should be refused under {rule}"));
            return;
        };
        self.report.story.push(told_refusal(notation, &refusal));
        self.tape.refusals.push((notation.clone(), refusal.clone()));
        if cited(&refusal) != rule {
            let cited = cited(&refusal);
            let _ = self.fail(format!("`{notation}` is refused under {cited}, expected {rule}"));
        }
    }

    /// Plays what the step plays, as far as it wants to go.
    fn act(&mut self, step: &Step, fx: &mut Effect) -> Held {
        let at_stop = matches!(self.at, At::Before(_));
        if at_stop && step.goes_on() && !(step.before.is_some() && step.play.is_empty()) {
            self.settle(fx);
        }
        for (index, notation) in step.play.iter().enumerate() {
            self.answer(notation, fx)?;
            if index + 1 < step.play.len() || step.before.is_none() {
                self.settle(fx);
            }
        }
        if let Some(stop) = &step.before {
            self.run_up_to(&stop.name, at_stop && step.play.is_empty(), fx)?;
        }
        match &step.until {
            Some(until) => self.go_on(&until.name, fx),
            None => Ok(()),
        }
    }

    /// Answers the decision at hand; nothing runs by itself yet.
    fn answer(&mut self, named: &Named, fx: &mut Effect) -> Held {
        if let Now::Over(_) = S::now(self.battle, &self.state) {
            return self.fail(format!("`{}` cannot be played: the game is over", named.name));
        }
        let action = self.read(named)?;
        if let Err(refusal) = S::check(self.battle, &self.state, &action) {
            return self.fail(told_refusal(&named.name, &refusal));
        }
        let written = S::write(self.battle, &action);
        self.tape.played.push((fx.log.entries.len(), action.clone(), written));
        self.tape.positions.push(self.state.clone());
        self.decide(&action, fx);
        Ok(())
    }

    /// Takes a legal action; nothing runs by itself yet.
    fn decide(&mut self, action: &S::Action, fx: &mut Effect) {
        self.tape.listen(&self.state, fx);
        let side = match S::now(self.battle, &self.state) {
            Now::Decides(side) => Some(side),
            Now::Over(_) => None,
        };
        let (act, state) = (S::write(self.battle, action), self.state.clone());
        let (rolls, entries) = (Vec::new(), Vec::new());
        self.tape.moments.push(Moment { side, act, rolls, entries, revealed: false, state });
        S::answer(self.battle, &mut self.state, action, &mut fx.any());
    }

    /// The answer to a decision that no step names.
    fn answer_otherwise(&self) -> Option<S::Action> {
        let (battle, state) = (self.battle, &self.state);
        let mut offers = Vec::new();
        S::offers(battle, state, &mut offers);
        let chosen = match self.otherwise {
            Otherwise::First => offers.first(),
            Otherwise::Pass if offers.len() == 1 => offers.first(),
            Otherwise::Pass => offers.iter().find(|a| S::offer(battle, state, a).button),
            Otherwise::Nobody => None,
        };
        chosen.cloned()
    }

    /// Runs one step at a time until `stop` is next. Where play stands before it already, `past` goes on to the next.
    fn run_up_to(&mut self, stop: &str, mut past: bool, fx: &mut Effect) -> Held {
        for _ in 0..PATIENCE {
            if let Some(next) = S::upcoming(self.battle, &self.state).filter(|next| !past && *next == stop) {
                self.at = At::Before(next);
                return Ok(());
            }
            past = false;
            if S::step(self.battle, &mut self.state, &mut fx.any()) {
                continue;
            }
            self.at = At::Decision;
            if let Now::Over(_) = S::now(self.battle, &self.state) {
                return self.fail(format!("the game ended before `{stop}`"));
            }
            let Some(action) = self.answer_otherwise() else {
                return self.fail(format!("a decision comes before `{stop}`, and nobody answers it"));
            };
            self.decide(&action, fx);
        }
        self.fail(format!("play went on and on without coming to `{stop}`"))
    }

    /// Answers decisions until one is of this kind.
    fn go_on(&mut self, until: &str, fx: &mut Effect) -> Held {
        for _ in 0..PATIENCE / 100 {
            if let Now::Over(_) = S::now(self.battle, &self.state) {
                return match until {
                    "over" => Ok(()),
                    _ => self.fail(format!("the game ended before a decision `{until}`")),
                };
            }
            if S::prompt(self.battle, &self.state).kind == until {
                return Ok(());
            }
            let Some(action) = self.answer_otherwise() else {
                return self.fail(format!("nobody answers this decision on the way to `{until}`"));
            };
            self.decide(&action, fx);
            S::settle(self.battle, &mut self.state, &mut fx.any());
        }
        self.fail(format!("a thousand decisions were answered without coming to `{until}`"))
    }

    fn dice(&mut self, dice: &ScriptedDice) -> Held {
        if let Some(impossible) = dice.impossible {
            return self.fail(impossible.to_string());
        }
        match (dice.asked_for(), dice.written()) {
            (asked, written) if asked == written => Ok(()),
            (asked, written) => self.fail(format!("{asked} dice were asked for, `dice` has {written}")),
        }
    }

    fn decider(&mut self, side: Option<&Named>, kind: Option<&Named>) -> Held {
        if side.is_none() && kind.is_none() {
            return Ok(());
        }
        let (At::Decision, Now::Decides(decides)) = (self.at, S::now(self.battle, &self.state)) else {
            return self.fail("a decision was expected".to_owned());
        };
        if let Some(side) = side.filter(|side| side.name != self.sides[decides]) {
            return self.fail(format!("{} decides, expected {}", self.sides[decides], side.name));
        }
        let found = S::prompt(self.battle, &self.state).kind;
        match kind.filter(|kind| kind.name != found) {
            Some(kind) => self.fail(format!("the decision is `{found}`, expected `{}`", kind.name)),
            None => Ok(()),
        }
    }

    /// What must hold after the action.
    fn after(&mut self, step: &Step) -> Held {
        for (named, expected) in &step.expect {
            match S::fact(self.battle, &self.state, &named.name) {
                Err(unknown) => unknown_fact(&mut self.faults, named, &unknown),
                Ok(fact) if fact.same_as(expected) => {}
                Ok(fact) => {
                    let _ = self.fail(format!("{} is {fact}, expected {expected}", named.name));
                }
            }
        }
        self.held()?;
        self.decider(step.decides.as_ref(), step.then.as_ref())?;
        let Some(over) = &step.over else { return Ok(()) };
        let ended = match S::now(self.battle, &self.state) {
            Now::Decides(_) => "still going on".to_owned(),
            Now::Over(Outcome::Drawn) => "draw".to_owned(),
            Now::Over(Outcome::Won(side)) => self.sides[side].clone(),
        };
        match ended == over.name {
            true => Ok(()),
            false => self.fail(format!("the game is {ended}, expected {}", over.name)),
        }
    }

    /// The rolls must be made in their order.
    fn rolls(&mut self, step: &Step, entries: &[Entry]) -> Held {
        let made: Vec<(&str, &Roll)> =
            entries.iter().filter_map(|e| Some((e.text.as_str(), e.roll.as_ref()?))).collect();
        let slugs = self.slugs(!step.rolls.is_empty());
        let slug = |piece: PieceId| slugs.get(&piece).map_or_else(|| NOBODY.to_owned(), String::clone);
        let mut next = 0;
        for (index, expected) in step.rolls.iter().enumerate() {
            let is = |(_, roll): &(&str, &Roll)| matches(roll, expected, &slug);
            match made[next..].iter().position(is) {
                Some(at) => next += at + 1,
                None => {
                    let known: Vec<&str> = slugs.values().map(String::as_str).collect();
                    for named in [&expected.by, &expected.at].into_iter().flatten() {
                        unit(&mut self.faults, named, &known);
                    }
                    return self.fail(missed(index + 1, &made[next..], expected, &slug));
                }
            }
        }
        match made.len() == step.rolls.len() || !step.only_rolls {
            true => Ok(()),
            false => {
                let unnamed = |(_, roll): &&(&str, &Roll)| {
                    !step.rolls.iter().any(|expected: &ExpectedRoll| matches(roll, expected, &slug))
                };
                let extra = made.iter().find(unnamed).map_or(String::new(), |(text, _)| format!(": {text}"));
                self.fail(format!("{} rolls were made, expected {}{extra}", made.len(), step.rolls.len()))
            }
        }
    }

    /// The names of the pieces; none where nobody asks.
    fn slugs(&self, wanted: bool) -> BTreeMap<PieceId, String> {
        let pieces = if wanted { S::view(self.battle, &self.state, Eyes::All).pieces } else { Vec::new() };
        pieces.into_iter().map(|piece| (piece.id, piece.slug)).collect()
    }

    fn tell(&mut self, entries: &[Entry]) {
        let slugs = self.slugs(entries.iter().any(|entry| entry.roll.is_some()));
        let mut played = self.tape.played.iter().peekable();
        let mut told = Vec::new();
        for index in 0..=entries.len() {
            while let Some((_, _, written)) = played.next_if(|(at, ..)| *at <= index) {
                told.push(format!("  > {written}"));
            }
            told.extend(entries.get(index).map(|entry| told_entry(entry, &slugs)));
        }
        self.report.story.extend(told);
    }
}

fn told_entry(entry: &Entry, slugs: &BTreeMap<PieceId, String>) -> String {
    let Some(roll) = &entry.roll else { return format!("  {}", entry.text) };
    let by = roll.by.and_then(|piece| slugs.get(&piece));
    let by = by.map_or(String::new(), |slug| format!(" [{slug}]"));
    let need = roll.need.map_or(String::new(), |n| match n {
        Need::AtMost(n) => format!(", {n} or less"),
        Need::AtLeast(n) => format!(", {n} or more"),
    });
    format!("  {}{by}{need}: {:?} -> {} {}", entry.text, roll.faces, roll.result, terms(roll))
}

fn cited(refusal: &Refusal) -> &'static str {
    refusal.rule.map_or(NO_RULE, |rule| rule.id())
}

fn told_refusal(notation: &str, refusal: &Refusal) -> String {
    format!("`{notation}` is refused: {} {} ({})", refusal.what, refusal.why, cited(refusal))
}
