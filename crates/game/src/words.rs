//! Words that every system needs: sides and troops as the subject of a sentence, counted things, signed numbers.

/// Names that are more than one, by their last word. A brigade called after its general (Jones, McLaws) is one.
const MANY: [&str; 32] = [
    "Americans",
    "British",
    "Bucktails",
    "Canadians",
    "Confederates",
    "Continentals",
    "Delawares",
    "Dragoons",
    "Federals",
    "Fusiliers",
    "Grenadiers",
    "Guards",
    "Highlanders",
    "Hussars",
    "Jaegers",
    "Lancers",
    "Loyalists",
    "Marines",
    "Marksmen",
    "Mexicans",
    "Militiamen",
    "Patriots",
    "Pickets",
    "Rangers",
    "Rebels",
    "Riflemen",
    "Rifles",
    "Tigers",
    "Volunteers",
    "Warriors",
    "Zulu",
    "Zulus",
];

/// Sides that are one and still take an article.
const WITH_ARTICLE: [&str; 4] = ["Confederacy", "Crown", "Union", "United States"];

/// Whether a side or a unit of this name takes a verb in the plural.
#[must_use]
pub fn many(name: &str) -> bool {
    let last = name.rsplit(' ').next().unwrap_or(name);
    let common = last.starts_with(|c: char| c.is_lowercase() || c.is_ascii_digit());
    MANY.contains(&last)
        || (common && (last.ends_with('s') || last.ends_with("men")) && !last.ends_with("'s"))
}

/// A side with its article: `the Union`, `the Americans`, `Mexico`.
#[must_use]
pub fn the(side: &str) -> String {
    if many(side) || WITH_ARTICLE.contains(&side) { format!("the {side}") } else { side.into() }
}

/// A verb phrase, given as for one, as it is for this name: `wins the day` or `win the day`.
#[must_use]
pub fn verb(name: &str, phrase: &str) -> String {
    if !many(name) {
        return phrase.into();
    }
    let end = phrase.find(|c: char| !c.is_alphabetic()).unwrap_or(phrase.len());
    let (first, rest) = phrase.split_at(end);
    let first = match first {
        "is" => "are".into(),
        "was" => "were".into(),
        "has" => "have".into(),
        word if word.ends_with("ies") => format!("{}y", word.trim_end_matches("ies")),
        word if ["ches", "shes", "sses", "xes", "oes"].iter().any(|end| word.ends_with(end)) => {
            word[..word.len() - 2].into()
        }
        word => word.strip_suffix('s').unwrap_or(word).into(),
    };
    first + rest
}

/// A unit or leader and what it does: `Meredith fires`, `Pierson's guns fire`.
#[must_use]
pub fn does(name: &str, phrase: &str) -> String {
    format!("{name} {}", verb(name, phrase))
}

/// A side and what it does, as a sentence begins: `The Union wins`, `The Confederates win`, `Mexico wins`.
#[must_use]
pub fn side_does(side: &str, phrase: &str) -> String {
    capital(&format!("{} {}", the(side), verb(side, phrase)))
}

/// The same words with a capital letter.
#[must_use]
pub fn capital(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

/// `1 hit`, `3 hits`.
#[must_use]
pub fn counted(n: impl Into<i64>, thing: &str) -> String {
    match n.into() {
        1 => format!("1 {thing}"),
        n => format!("{n} {thing}s"),
    }
}

/// With its sign, the minus a true one: `+2`, `0`, `−3`.
#[must_use]
pub fn signed(n: impl Into<i64>) -> String {
    match n.into() {
        0 => "0".into(),
        n if n < 0 => format!("−{}", n.unsigned_abs()),
        n => format!("+{n}"),
    }
}

/// A number below nought with a true minus: `4`, `−3`.
#[must_use]
pub fn number(n: impl Into<i64>) -> String {
    match n.into() {
        n if n < 0 => format!("−{}", n.unsigned_abs()),
        n => n.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_take_their_verb_and_article() {
        assert_eq!(side_does("Union", "wins"), "The Union wins");
        assert_eq!(side_does("Confederates", "wins"), "The Confederates win");
        assert_eq!(side_does("British", "declares a charge"), "The British declare a charge");
        assert_eq!(side_does("Mexico", "has won"), "Mexico has won");
        assert_eq!(side_does("Americans", "has won"), "The Americans have won");
        assert_eq!(side_does("United States", "carries the day"), "The United States carries the day");
    }

    #[test]
    fn troops_take_their_verb() {
        for (name, phrase, told) in [
            ("Jones", "fires", "Jones fires"),
            ("Jones's guns", "fires", "Jones's guns fire"),
            ("Pickets", "leads", "Pickets lead"),
            ("Two 3-pounders", "pushes on", "Two 3-pounders push on"),
            ("Minute men", "rallies.", "Minute men rally."),
            ("McBride's", "passes", "McBride's passes"),
            ("Grenadiers", "passes", "Grenadiers pass"),
            ("First Corps", "moves", "First Corps moves"),
            ("9th Foot", "is gone", "9th Foot is gone"),
        ] {
            assert_eq!(does(name, phrase), told);
        }
    }

    #[test]
    fn every_verb_has_its_plural() {
        for (one, several) in [
            ("is", "are"),
            ("was", "were"),
            ("has", "have"),
            ("carries on", "carry on"),
            ("marches", "march"),
            ("pushes", "push"),
            ("passes", "pass"),
            ("fixes", "fix"),
            ("goes", "go"),
            ("fires", "fire"),
            ("must", "must"),
        ] {
            assert_eq!(verb("Rangers", one), several);
            assert_eq!(verb("Meredith", one), one);
        }
        assert!(
            many("56th men") && many("Two 3-pounders") && !many("Hampton's") && !many("Women") && !many("")
        );
        assert!(many("guns") && !many("the king's") && !many("cavalry"));
        assert_eq!([the("Crown"), the("British"), the("Mexico")], ["the Crown", "the British", "Mexico"]);
        assert_eq!([capital("élan"), capital("")], ["Élan", ""]);
        assert_eq!([number(4), number(0), number(-1), signed(-1), signed(1)], ["4", "0", "−1", "−1", "+1"]);
        assert_eq!([counted(2, "hit"), counted(-1, "hit")], ["2 hits", "-1 hits"]);
    }

    #[test]
    fn things_are_counted_and_numbers_signed() {
        assert_eq!(counted(1, "hit"), "1 hit");
        assert_eq!(counted(0, "hit"), "0 hits");
        assert_eq!([signed(-3), signed(0), signed(2), number(-3)], ["−3", "0", "+2", "−3"]);
    }
}
