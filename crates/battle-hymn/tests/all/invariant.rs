//! The invariant notices a position that cannot be.

use battle_hymn::{Battle, BattleHymn, Id, State, invariant};
use game::Rules;
use hexmap::Hex;

const WEED: usize = 0;
const TILTON: usize = 1;
/// Still to come.
const VINCENT: usize = 3;

fn noticed(says: &str, change: impl Fn(&Battle, &mut State)) {
    let battle = suite::battle::<BattleHymn>("battle-hymn/drill");
    let mut state = BattleHymn::muster(&battle);
    assert_eq!(invariant(&battle, &state), Ok(()));
    change(&battle, &mut state);
    assert_eq!(invariant(&battle, &state), Err(says.to_owned()));
}

#[test]
fn strength() {
    noticed("weed has strength from nowhere", |_, s| s.pieces[WEED].strength += 1);
    noticed("weed has strength from nowhere", |_, s| s.pieces[WEED].holders = 1);
    noticed("weed has more demoralised SPs than SPs", |_, s| {
        s.pieces[WEED].demoralised = s.pieces[WEED].strength + 1;
    });
    noticed("weed has no intact SP and is still on the map", |_, s| {
        s.pieces[WEED].demoralised = s.pieces[WEED].strength;
    });
}

#[test]
fn places() {
    noticed("weed is on no hex of the map", |_, s| s.pieces[WEED].hex = Hex(u16::MAX));
    noticed("tilton is stacked", |_, s| s.pieces[TILTON].hex = s.pieces[WEED].hex);
    noticed("vincent is off the map in a hex", |_, s| s.pieces[VINCENT].hex = s.pieces[WEED].hex);
}

#[test]
fn marks() {
    noticed("approach fire at weed from where no enemy stands", |_, s| s.pieces[WEED].approach = 1);
    noticed("weed and its horse marker do not agree", |_, s| s.pieces[WEED].horses = s.pieces[TILTON].hex);
    noticed("Signal Hill is not controlled by the unit that stands on it", |battle, s| {
        s.lift(Id(WEED as u8));
        s.put(Id(WEED as u8), battle.victory.objectives[0].hex);
    });
}
