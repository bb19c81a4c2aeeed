//! What a notice says.

use game::Side;
use host::wire::{GameFace, Status};
use serde::Serialize;

use super::Occasion;

/// The longest line of a notice, in characters.
const LONGEST: usize = 120;

/// One notice, in words.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Item {
    /// The game.
    pub(super) game: String,
    /// `turn`, `joined`, `undo`, `half`, `tenth` or `over`.
    pub(super) occasion: &'static str,
    /// The battle.
    pub(super) title: String,
    /// Who sits opposite.
    pub(super) opponent: String,
    /// All of it in one line.
    pub(super) text: String,
    /// Where the game is.
    pub(super) link: String,
}

/// What players have written, as one line without anything that a machine would read.
fn plain(text: &str) -> String {
    let spaced: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    spaced.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(LONGEST).collect()
}

fn occasion(bit: i64) -> Occasion {
    let all = [Occasion::Over, Occasion::Tenth, Occasion::Half, Occasion::Undo, Occasion::Joined];
    all.into_iter().find(|occasion| occasion.bit() == bit).unwrap_or(Occasion::Turn)
}

/// What there is to say of a game to whoever sits at `side`; nothing if it is out of date.
pub(super) fn item(game: &GameFace, side: Side, bit: i64, url: &str) -> Option<Item> {
    let decides = matches!(game.status, Status::Deciding { side: decides, .. } if decides == side);
    let title = plain(&game.title);
    let opponent = plain(&game.seats[!side].name);
    let (name, text) = match occasion(bit) {
        // Orders, or a stand-in, may have played on.
        Occasion::Turn | Occasion::Half | Occasion::Tenth if !decides => return None,
        Occasion::Turn => ("turn", format!("Your turn in {title}, against {opponent}.")),
        Occasion::Joined => ("joined", format!("{opponent} has joined {title}.")),
        Occasion::Undo => ("undo", format!("{opponent} asks to take something back in {title}.")),
        Occasion::Half => ("half", format!("Half of your time in {title} is gone, against {opponent}.")),
        Occasion::Tenth => ("tenth", format!("A tenth of your time in {title} is left, against {opponent}.")),
        Occasion::Over => ("over", format!("{title}, against {opponent}, is over.")),
    };
    let link = format!("{url}/#/mine/{}", game.id);
    Some(Item { game: game.id.clone(), occasion: name, title, opponent, text, link })
}

/// All of them in one line.
pub(super) fn heading(items: &[Item]) -> String {
    match items {
        [one] => one.text.trim_end_matches('.').to_owned(),
        many => format!("{} of your games have news", many.len()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_players_write_is_one_line() {
        assert_eq!(plain("A\r\nBcc: eve@example.org\t\u{85}x"), "A Bcc: eve@example.org x");
        assert_eq!(plain(&"a".repeat(1000)).len(), LONGEST);
    }
}
