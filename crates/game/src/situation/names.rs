use super::file::{Named, Situation, Step};
use super::{Fact, Unknown};
use crate::System;
use crate::faults::Faults;

/// What a roll is by or at that is nobody's.
pub(super) const NOBODY: &str = "nobody";
/// What a refusal cites that rests on no rule: the action answers another decision than the one at hand.
pub(super) const NO_RULE: &str = "no rule";

/// Looks every name of the file up that means the same in every position: rules, sides, kinds of decisions, stops.
pub(super) fn check<S: System>(battle: &S::Battle, situation: &Situation) -> Faults {
    let mut names = Names::<S> { battle, faults: Faults::new() };
    for proved in &situation.proves {
        names.proved(proved);
    }
    for step in &situation.steps {
        names.step(step);
    }
    names.faults
}

struct Names<'b, S: System> {
    battle: &'b S::Battle,
    faults: Faults,
}

impl<S: System> Names<'_, S> {
    /// What is expected says what is known; the message says what was probably meant.
    fn fault(&mut self, named: &Named, mut unknown: Unknown, expected: impl Into<String>) {
        unknown.known = unknown.meant().map(str::to_owned).into_iter().collect();
        self.faults.add(named.span.clone(), unknown.to_string(), expected);
    }

    fn proved(&mut self, named: &Named) {
        if let Err(wrong) = S::book().proved_by(&named.name) {
            let message = format!("`proves` names {}, but {wrong}", named.name);
            let expected = format!("a rule that `linstock rules {}` lists", S::book().system);
            self.faults.add(named.span.clone(), message, expected);
        }
    }

    fn rule(&mut self, named: &Named) {
        if S::book().find(&named.name).is_some() {
            return;
        }
        let ids = S::book().rules.iter().map(|rule| rule.id.id());
        let unknown = Unknown::new(&named.name, format!("a rule of {}", S::book().title), ids);
        self.fault(named, unknown, format!("a rule that `linstock rules {}` lists", S::book().system));
    }

    fn one_of(&mut self, named: &Named, what: &str, known: &[&str]) {
        if known.is_empty() || known.contains(&named.name.as_str()) {
            return;
        }
        let unknown = Unknown::new(&named.name, what, known.iter().copied());
        self.fault(named, unknown, format!("one of {}", known.join(", ")));
    }

    fn kind(&mut self, named: &Named) {
        self.one_of(named, "a kind of decision", S::kinds());
    }

    fn side(&mut self, named: &Named) {
        let sides = S::board(self.battle).sides.map(|side| side.id);
        if named.name != sides.first && named.name != sides.second {
            let expected = format!("{} or {}", sides.first, sides.second);
            self.faults.add(named.span.clone(), format!("there is no side `{}`", named.name), expected);
        }
    }

    fn step(&mut self, step: &Step) {
        for side in [&step.by, &step.decides].into_iter().flatten() {
            self.side(side);
        }
        // A game may also end without a winner.
        if let Some(side) = step.over.as_ref().filter(|over| over.name != "draw") {
            self.side(side);
        }
        for kind in [&step.decision, &step.then].into_iter().flatten() {
            self.kind(kind);
        }
        if let Some(kind) = step.until.as_ref().filter(|until| until.name != "over") {
            self.kind(kind);
        }
        if let Some(before) = &step.before {
            self.one_of(before, "a phase or check to stop before", S::stops());
        }
        for (_, rule) in step.refused.iter().filter(|(_, rule)| rule.name != NO_RULE) {
            self.rule(rule);
        }
        for roll in &step.rolls {
            roll.rule.iter().for_each(|rule| self.rule(rule));
            roll.modifiers.iter().flatten().for_each(|(rule, _)| self.rule(rule));
        }
    }
}

/// Notes a fault if the unit is not among those of the position. Units may come and go in a battle, so that they are looked
/// up only where a roll of theirs was expected and not made.
pub(super) fn unit(faults: &mut Faults, named: &Named, slugs: &[&str]) {
    if named.name != NOBODY && !slugs.contains(&named.name.as_str()) {
        let unknown = Unknown::new(&named.name, "a unit", slugs.iter().copied());
        let expected = format!("the id of a unit of this battle, or {NOBODY}");
        faults.add(named.span.clone(), unknown.to_string(), expected);
    }
}

/// The fault of a fact that no position has.
pub fn unknown_fact(faults: &mut Faults, named: &Named, unknown: &Unknown) {
    let message = match unknown.part == named.name {
        true => unknown.to_string(),
        false => format!("there is no fact `{}`: {unknown}", named.name),
    };
    faults.add(named.span.clone(), message, "a fact that the page of the system lists");
}

/// The fault of an action that cannot be read.
pub fn unreadable(faults: &mut Faults, named: &Named, why: &str) {
    faults.add(
        named.span.clone(),
        format!("`{}` cannot be read: {why}", named.name),
        "notation, as the page of the system lists it",
    );
}

/// Facts of steps that play has not come to: unknown is what the system can say is unknown everywhere, for it knows what
/// would stand there.
pub(super) fn later_facts<S: System>(
    battle: &S::Battle,
    state: &S::State,
    facts: &[(Named, Fact)],
    faults: &mut Faults,
) {
    for (named, _) in facts {
        if let Err(unknown) = S::fact(battle, state, &named.name)
            && !unknown.known.is_empty()
        {
            unknown_fact(faults, named, &unknown);
        }
    }
}
