use super::file::ExpectedRoll;
use super::names::NOBODY;
use crate::PieceId;
use crate::dice::Need;
use crate::log::Roll;

/// One field of an expected roll beside that of one that was made.
struct Compared {
    what: &'static str,
    expected: String,
    made: String,
}

/// The fields that the expectation states, each beside what was made of it.
fn compared(roll: &Roll, expected: &ExpectedRoll, slug: &impl Fn(PieceId) -> String) -> Vec<Compared> {
    let mut all = Vec::new();
    let mut state = |what, expected: Option<String>, made: &dyn Fn() -> String| {
        all.extend(expected.map(|expected| Compared { what, expected, made: made() }));
    };
    let name = |piece: Option<PieceId>| piece.map_or_else(|| NOBODY.to_owned(), slug);
    state("by", expected.by.as_ref().map(|n| n.name.clone()), &|| name(roll.by));
    state("at", expected.at.as_ref().map(|n| n.name.clone()), &|| name(roll.at));
    state("rule", expected.rule.as_ref().map(|n| n.name.clone()), &|| roll.rule.id().to_owned());
    state("dice", expected.dice.map(|n| n.to_string()), &|| roll.faces.len().to_string());
    state("need", expected.need.map(|n| n.to_string()), &|| match roll.need {
        None => "none".to_owned(),
        Some(Need::AtMost(n) | Need::AtLeast(n)) => n.to_string(),
    });
    state("faces", expected.faces.as_ref().map(|f| format!("{f:?}")), &|| format!("{:?}", roll.faces));
    state("result", expected.result.map(|n| n.to_string()), &|| roll.result.to_string());
    let written = |m: &Vec<(super::Named, i64)>| {
        written_terms(&m.iter().map(|(rule, value)| (rule.name.as_str(), *value)).collect::<Vec<_>>())
    };
    state("modifiers", expected.modifiers.as_ref().map(written), &|| terms(roll));
    all
}

/// Whether the roll is the one expected.
pub(super) fn matches(roll: &Roll, expected: &ExpectedRoll, slug: &impl Fn(PieceId) -> String) -> bool {
    compared(roll, expected, slug).iter().all(|field| field.expected == field.made)
}

/// What is told of an expected roll, the `nth` from 1, that was not made: the nearest one that was, field by field.
pub(super) fn missed(
    nth: usize,
    made: &[(&str, &Roll)],
    expected: &ExpectedRoll,
    slug: &impl Fn(PieceId) -> String,
) -> String {
    let differing = |roll: &Roll| {
        compared(roll, expected, slug).iter().filter(|field| field.expected != field.made).count()
    };
    let Some((text, roll)) = made.iter().min_by_key(|(_, roll)| differing(roll)) else {
        return format!("roll {nth} of `rolls` was not made, and no other roll after the ones before it");
    };
    let mut told = format!("roll {nth} of `rolls` was not made. The nearest that was: {text}");
    for Compared { what, expected, made } in compared(roll, expected, slug) {
        told += &match expected == made {
            true => format!("\n{what}: {made}"),
            false => format!("\n{what}: expected {expected}, was {made}"),
        };
    }
    told
}

/// The modifiers by rule, added up where one rule gives several.
pub(super) fn terms(roll: &Roll) -> String {
    let all: Vec<(&str, i64)> = roll.modifiers.iter().map(|m| (m.rule.id(), i64::from(m.value))).collect();
    written_terms(&all)
}

fn written_terms(all: &[(&str, i64)]) -> String {
    let mut sums: Vec<(&str, i64)> = Vec::new();
    for &(rule, value) in all {
        match sums.iter_mut().find(|(r, _)| *r == rule) {
            Some((_, sum)) => *sum += value,
            None => sums.push((rule, value)),
        }
    }
    sums.sort_unstable();
    let parts: Vec<String> = sums.iter().map(|(rule, value)| format!("{rule} {value:+}")).collect();
    format!("({})", parts.join(", "))
}

#[cfg(test)]
mod tests {
    use super::written_terms;

    #[test]
    fn terms_of_one_rule_are_added_up() {
        assert_eq!(written_terms(&[("1.b", 1), ("1.a", 2), ("1.b", -3)]), "(1.a +2, 1.b -2)");
        assert_eq!(written_terms(&[]), "()");
    }
}
