//! Lessons are read on a screen beside a map: short pages, short sentences.

use std::ops::Range;

use game::Faults;

/// The most words of a page, and of a sentence.
const PAGE: usize = 70;
const SENTENCE: usize = 20;

/// Notes what is too long to read.
pub(super) fn check(text: &str, span: &Range<usize>, faults: &mut Faults) {
    let words = count(text);
    if words > PAGE {
        faults.add(span.clone(), format!("this has {words} words"), format!("at most {PAGE}"));
    }
    for sentence in sentences(text) {
        let words = count(sentence);
        if words > SENTENCE {
            let begins: String = sentence.trim().chars().take(40).collect();
            let message = format!("the sentence \"{begins}…\" has {words} words");
            faults.add(span.clone(), message, format!("at most {SENTENCE}"));
        }
    }
}

/// What stands in brackets alone is a sign and no word.
fn count(text: &str) -> usize {
    let is_word = |word: &&str| word.chars().any(char::is_alphanumeric) && !word.starts_with('[');
    text.split_whitespace().filter(is_word).count()
}

/// The rules that a text links: what stands in brackets and is no number of a disc.
pub(super) fn links(text: &str) -> Vec<&str> {
    let inner = |part: &'_ str| part.find(']').map(|end| part[..end].len());
    let mut found = Vec::new();
    for (at, _) in text.match_indices('[') {
        let rest = &text[at + 1..];
        let Some(length) = inner(rest) else { continue };
        let link = &rest[..length];
        if !link.is_empty() && link.parse::<u32>().is_err() {
            found.push(link);
        }
    }
    found
}

fn sentences(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut begin = 0;
    let marks: Vec<(usize, char)> = text.char_indices().collect();
    for (index, (at, mark)) in marks.iter().enumerate() {
        let ends = matches!(mark, '.' | '!' | '?' | ':' | '\n');
        let blank = marks.get(index + 1).is_none_or(|(_, next)| next.is_whitespace() || *next == '*');
        if ends && blank {
            found.push(&text[begin..*at]);
            begin = at + mark.len_utf8();
        }
    }
    found.push(&text[begin..]);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str) -> Vec<String> {
        let mut faults = Faults::new();
        check(text, &(0..1), &mut faults);
        faults.0.into_iter().map(|fault| fault.message).collect()
    }

    #[test]
    fn long_sentences_and_pages_are_told() {
        let twenty = ["word"; 20].join(" ");
        assert_eq!(told(&format!("{twenty}. {twenty} [1] [5.3.a].")), Vec::<String>::new());
        assert_eq!(told(&format!("{twenty} more.")).len(), 1);
        assert_eq!(told(&format!("{twenty}. {twenty}. {twenty}. Ten {}", ["more"; 9].join(" "))).len(), 0);
        assert_eq!(
            told(&format!("{twenty}. {twenty}. {twenty}. {}", ["more"; 11].join(" "))),
            ["this has 71 words"]
        );
        assert_eq!(told("It costs 1.5 points at 0910."), Vec::<String>::new());
    }

    #[test]
    fn brackets_link_rules() {
        assert_eq!(links("See [1] and [5.3.a], not [] or [2"), ["5.3.a"]);
    }
}
