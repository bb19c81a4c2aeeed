//! Orders in notation: what is read, and what is said of the rest.

use battle_hymn::BattleHymn;
use game::{Notation, Rules};

fn read(order: &str) -> Result<String, String> {
    let battle = suite::battle::<BattleHymn>("battle-hymn/drill");
    let state = BattleHymn::muster(&battle);
    BattleHymn::read(&battle, &state, order).map(|action| BattleHymn::write(&battle, &action))
}

#[track_caller]
fn says(order: &str, message: &str) {
    assert_eq!(read(order), Err(message.to_owned()), "{order}");
}

#[test]
fn every_order_is_written_as_it_is_read() {
    for order in [
        "combat",
        "wait",
        "done",
        "pass",
        "march weed 0406",
        "march weed 0406 0405",
        "mount weed",
        "dismount weed horses 0406",
        "enter vincent",
        "enter vincent 0508",
        "exit weed 0508",
        "rally weed",
        "place weed 0406",
        "withdraw weed",
        "bombard hazlett at davis",
        "split weed davis=3 archer=2",
        "engage weed",
        "attack weed davis",
        "check weed",
        "retreat weed 0408",
        "retreat weed off",
        "advance weed 0406",
        "advance 0406",
        "fallback weed",
    ] {
        assert_eq!(read(order).as_deref(), Ok(order));
    }
    // A way over hexes that do not touch is filled in; the shares of a split are put in file order.
    assert_eq!(read("march weed 0406 0404").as_deref(), Ok("march weed 0406 0405 0404"));
    assert_eq!(read("split weed archer=2 davis=3").as_deref(), Ok("split weed davis=3 archer=2"));
}

#[test]
fn the_rest_is_explained() {
    says("", "An order was expected, such as `march meredith 0910`.");
    says("charge weed", "`charge` is no order of Battle Hymn.");
    says("march wead 0406", "There is no unit `wead`.");
    says("march weed", "`march` wants a hex.");
    says("march weed 9999", "There is no hex 9999.");
    says("march weed 0407 0407", "No way leads over these hexes.");
    says("combat now", "`combat` is followed by 0 words.");
    says("rally weed now", "`rally` is followed by 1 word.");
    says("advance weed 0406 0405", "`advance` is followed by 2 words.");
    says("dismount weed 0406", "`dismount gamble horses 0504` was expected.");
    says("bombard hazlett davis", "`bombard calef at archer` was expected.");
    says("split weed davis", "`split davis weed=3 baxter=2` was expected.");
    says("split weed davis=x", "`x` is no number of SPs.");
    says("split weed", "A unit divides its fire over one to six enemies.");
}
