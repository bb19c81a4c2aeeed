//! Random play asks the system's allocator for nothing while it goes on: a game costs what its muster costs.

use battle_hymn::BattleHymn;
use game::dice::QuickDice;
use game::{Fx, Now, Rules, Silent};
use players::Player;

/// Allocations of all decisions of one random game, and how many decisions there were.
fn of_a_game(id: &str, seed: u64) -> (u64, u64) {
    let battle = suite::battle::<BattleHymn>(id);
    let mut fx = Fx { dice: QuickDice::new(seed), log: Silent };
    let mut mind = QuickDice::new(!seed);
    let mut state = BattleHymn::muster(&battle);
    let mut offers = Vec::with_capacity(4096);
    let mut decisions = 0;
    let asked = allocation_counter::measure(|| {
        BattleHymn::settle(&battle, &mut state, &mut fx);
        while let Now::Decides(_) = BattleHymn::now(&battle, &state) {
            offers.clear();
            BattleHymn::offers(&battle, &state, &mut offers);
            let action = Player::Random.choose::<BattleHymn>(&battle, &state, &offers, &mut mind);
            BattleHymn::play_unchecked(&battle, &mut state, &action, &mut fx);
            decisions += 1;
        }
    });
    (asked.count_total, decisions)
}

#[test]
fn a_decision_allocates_nothing() {
    for id in ["battle-hymn/mcphersons-ridge", "battle-hymn/the-first-day"] {
        let mut all = 0;
        for seed in 0..20 {
            let (allocations, decisions) = of_a_game(id, seed);
            assert_eq!(allocations, 0, "{id}, seed {seed}: {allocations} in {decisions} decisions");
            all += decisions;
        }
        assert!(all > 1_000, "{id}: {all} decisions prove little");
    }
}

/// The counter counts: cloning a position is no decision, and costs something.
#[test]
fn the_counter_counts() {
    assert_eq!(allocation_counter::measure(|| drop(std::hint::black_box(vec![0u8; 64]))).count_total, 1);
}
