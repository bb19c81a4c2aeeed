//! What a player may not know shows nowhere: not in the view, not in the offers, not in the log, not in a refusal.
//!
//! Games are played, and at each decision a twin of the position is made that differs only in what one side may not know.
//! Whatever that side gets to see of the two must be the same, letter for letter.

use std::collections::BTreeMap;

use american_revolution::{Action, AmericanRevolution, At, Battle, Piece, Pieces, State, Step, Tactic};
use game::dice::{Dice, QuickDice};
use game::{Chronicle, Display, Entry, Eyes, Files, Fx, Library, Notation, Now, Options, Rules, Side};

/// Plays random games and shows every decision to `look`.
fn each_decision(battle: &Battle, games: u64, mut look: impl FnMut(&State, Side, &[Action], &str)) {
    for seed in 0..games {
        let mut mind = QuickDice::new(!seed);
        let mut fx = Fx { dice: QuickDice::new(seed), log: Chronicle::default() };
        let mut state = AmericanRevolution::muster(battle);
        AmericanRevolution::settle(battle, &mut state, &mut fx);
        let mut offers = Vec::new();
        let mut decision = 0;
        while let Now::Decides(side) = AmericanRevolution::now(battle, &state) {
            offers.clear();
            AmericanRevolution::offers(battle, &state, &mut offers);
            let step = state.agenda.top();
            assert!(!offers.is_empty(), "game {seed}, decision {decision}: nothing can be done at {step:?}");
            look(&state, side, &offers, &format!("game {seed}, decision {decision}"));
            let action = offers[mind.below(offers.len() as u32) as usize];
            AmericanRevolution::play_unchecked(battle, &mut state, &action, &mut fx);
            decision += 1;
        }
    }
}

/// What a side may read of what happened, and whether the action itself is kept from it.
fn told(entries: &[Entry], eyes: Side) -> (String, bool) {
    let read: Vec<&Entry> = entries.iter().filter(|e| e.only.is_none_or(|only| only == eyes)).collect();
    (format!("{read:#?}"), entries.iter().any(|e| e.only.is_some()))
}

/// Plays an action with fixed dice.
fn play(battle: &Battle, state: &State, action: &Action) -> (State, Chronicle) {
    let mut after = state.clone();
    let mut fx = Fx { dice: QuickDice::new(1), log: Chronicle::default() };
    AmericanRevolution::play_unchecked(battle, &mut after, action, &mut fx);
    (after, fx.log)
}

/// Everything a side gets to see of a position, its refusals included.
fn shown(battle: &Battle, state: &State, eyes: Side, tried: &[String]) -> String {
    let seen = AmericanRevolution::seen_by(battle, state, eyes);
    let mut all = format!("{seen:?}\n{:#?}\n", AmericanRevolution::view(battle, &seen, Eyes::Of(eyes)));
    let public = AmericanRevolution::seen(battle, state, Eyes::Bystander);
    all += &format!("{:#?}\n", AmericanRevolution::view(battle, &public, Eyes::Bystander));
    all += &format!("{:?}\n", AmericanRevolution::prompt(battle, state));
    if AmericanRevolution::now(battle, state) == Now::Decides(eyes) {
        let mut offers = Vec::new();
        AmericanRevolution::offers(battle, state, &mut offers);
        all += &format!("{:#?}\n", AmericanRevolution::offer_all(battle, state, &offers));
        for notation in tried {
            let read = AmericanRevolution::read(battle, state, notation);
            let verdict = read.map(|action| AmericanRevolution::check(battle, state, &action));
            all += &format!("{notation}: {verdict:?}\n");
        }
    }
    all
}

/// The first line in which two texts differ.
fn difference(a: &str, b: &str) -> String {
    let line = a.lines().zip(b.lines()).find(|(a, b)| a != b);
    line.map_or("one goes on".into(), |(a, b)| format!("\n  {}\n  {}", a.trim(), b.trim()))
}

/// Whatever the attacker seals, the defender's view, offers and share of the log are the same, and so is what he would
/// be refused; nor does anything else happen, by which he could tell.
#[test]
fn a_sealed_tactic_shows_nowhere() {
    suite::proves!("american-revolution", "12.23.k");
    let mut sealed = 0;
    for id in ["american-revolution/drill", "american-revolution/the-cabin"] {
        let battle = suite::battle::<AmericanRevolution>(id);
        each_decision(&battle, 30, |state, side, offers, place| {
            if !matches!(state.agenda.top(), Some(Step::Tactics(_))) || state.fight.tactic[!side].is_some() {
                return;
            }
            sealed += 1;
            let every = Tactic::ALL.into_iter().map(Action::Play);
            let every: Vec<String> = every.map(|a| AmericanRevolution::write(&battle, &a)).collect();
            let seen = offers.iter().map(|action| {
                let (after, log) = play(&battle, state, action);
                assert_eq!(AmericanRevolution::now(&battle, &after), Now::Decides(!side));
                let (read, kept) = told(&log.entries, !side);
                assert!(kept, "{place}: the sealed card goes out with the action");
                format!("{read}\n{}", shown(&battle, &after, !side, &every))
            });
            let seen: Vec<String> = seen.collect();
            for other in &seen[1..] {
                assert_eq!(seen[0], *other, "{place}: {offers:?}: {}", difference(&seen[0], other));
            }
        });
    }
    assert!(sealed > 100, "too few tactics were sealed to say anything: {sealed}");
}

/// The battle with limited intelligence for both sides.
fn limited(id: &str) -> Battle {
    let text = suite::Shelf.scenario(id).expect("a scenario of the library");
    let options = Options::from([("limited_intelligence".to_owned(), true)]);
    AmericanRevolution::compile(&text, &suite::Shelf, &options).expect("it can be read")
}

/// Two pieces of one kind that the rules of zones, ways and duties treat alike, whatever their strength and quality.
fn alike(battle: &Battle, state: &State, a: Piece, b: Piece) -> bool {
    let (one, other) = (battle.counter(a), battle.counter(b));
    let mut quality = other.clone();
    (quality.id, quality.name, quality.byname) = (one.id.clone(), one.name.clone(), one.byname.clone());
    (quality.strength, quality.fire, quality.morale) = (one.strength, one.fire, one.morale);
    (quality.nation, quality.start) = (one.nation.clone(), one.start);
    let kind = format!("{quality:?}") == format!("{one:?}");
    let r = &battle.roles;
    let roles =
        [r.artillery, r.cavalry, r.rifles, r.white_r, r.light, r.militia, r.dragoons, r.indians, r.jaegers]
            .into_iter()
            .chain([
                r.demi_leaders,
                r.no_lead,
                r.no_lead_mixed,
                r.no_attack,
                r.no_retreat,
                r.withdrawers,
                r.indirect,
            ])
            .chain([r.home_goers, r.fence, r.waverers, r.prompt, r.no_forced_entry, r.mixed]);
    let marks = [
        state.reduced,
        state.disrupted,
        state.shattered,
        state.withdrawn,
        state.unfired,
        state.moved,
        state.entered,
        state.acted,
        state.targeted,
        state.driven,
        state.defended,
        state.volleyed,
        state.waiting,
        state.diverted,
        state.excused,
        state.owed,
    ];
    let untouched = |p: Piece| {
        !state.pins.iter().any(|pin| pin.pieces.has(p))
            && !state.were_pinned.iter().any(|pinned| pinned.has(p))
            && !state.attacks.iter().any(|attack| (attack.attackers | attack.defenders).has(p))
    };
    kind && roles.chain(marks).all(|set| set.has(a) == set.has(b)) && untouched(a) && untouched(b)
}

/// The position with two alike enemy pieces, neither of which `eyes` may examine, in each other's places.
fn twin(battle: &Battle, state: &State, eyes: Side) -> Option<(State, Piece, Piece)> {
    let hidden: Vec<Piece> = At::new(battle, state).unknown(eyes).collect();
    for (i, &a) in hidden.iter().enumerate() {
        for &b in &hidden[i + 1..] {
            let apart = state.hex(a) != state.hex(b);
            let differ = battle.counter(a).strength != battle.counter(b).strength
                || battle.counter(a).morale != battle.counter(b).morale;
            if apart && differ && alike(battle, state, a, b) {
                let mut twin = state.clone();
                twin.at.swap(a.index(), b.index());
                let fits = At::new(battle, &twin).overstacked().is_none();
                if fits && At::new(battle, state).overstacked().is_none() {
                    return Some((twin, a, b));
                }
            }
        }
    }
    None
}

/// The action with one piece in the place of the other, as its owner would take it in the twin.
fn twin_action(battle: &Battle, state: &State, action: &Action, a: Piece, b: Piece) -> Option<Action> {
    let (one, other) = (battle.counter(a).id.as_str(), battle.counter(b).id.as_str());
    let written = AmericanRevolution::write(battle, action);
    let swap = |word: &str| {
        let names = word.split('+').map(|name| match name {
            name if name == one => other.to_owned(),
            name if name == other => one.to_owned(),
            name => name.to_owned(),
        });
        names.collect::<Vec<_>>().join("+")
    };
    let words: Vec<String> = written.split(' ').map(swap).collect();
    let read = AmericanRevolution::read(battle, state, &words.join(" ")).ok()?;
    AmericanRevolution::check(battle, state, &read).ok().map(|()| read)
}

#[test]
fn a_stack_that_may_not_be_examined_shows_nowhere() {
    suite::proves!("american-revolution", "7.42.a");
    let (mut views, mut moves) = (0, 0);
    for id in ["american-revolution/drill", "american-revolution/the-cabin", "american-revolution/third-line"]
    {
        let battle = limited(id);
        let mut tried: Vec<String> = Vec::new();
        each_decision(&battle, 12, |state, side, offers, place| {
            for hidden in Side::BOTH.into_iter().flat_map(|eyes| At::new(&battle, state).unknown(eyes)) {
                let public = AmericanRevolution::seen(&battle, state, Eyes::Bystander);
                let view = AmericanRevolution::view(&battle, &public, Eyes::Bystander);
                let named = view.pieces.iter().any(|p| p.id == hidden.id() && !p.hidden);
                assert!(!named, "{id}, {place}: a bystander is shown {hidden:?}");
            }
            for eyes in Side::BOTH {
                let Some((twin, a, b)) = twin(&battle, state, eyes) else { continue };
                let [one, other] = [state, &twin].map(|s| shown(&battle, s, eyes, &tried));
                assert!(one == other, "{id}, {place}, {eyes:?}, {a:?} {b:?}: {}", difference(&one, &other));
                views += 1;
                // What its owner does, or oneself, as long as nobody gets to look at them.
                for action in offers.iter().step_by(1 + offers.len() / 8) {
                    let acted =
                        if side == eyes { Some(*action) } else { twin_action(&battle, &twin, action, a, b) };
                    let Some(acted) =
                        acted.filter(|acted| AmericanRevolution::check(&battle, &twin, acted).is_ok())
                    else {
                        continue;
                    };
                    let (after, log) = play(&battle, state, action);
                    let (twin_after, twin_log) = play(&battle, &twin, &acted);
                    let both = Pieces::one(a).with(b);
                    let unseen = |s: &State| both.within(At::new(&battle, s).unknown(eyes));
                    let looked = log.revealed || twin_log.revealed;
                    if looked || !unseen(&after) || !unseen(&twin_after) || fought(state) || fought(&after) {
                        continue;
                    }
                    let notation = AmericanRevolution::write(&battle, action);
                    let ((read, kept), (twin_read, twin_kept)) =
                        (told(&log.entries, eyes), told(&twin_log.entries, eyes));
                    assert!(
                        read == twin_read && kept == twin_kept,
                        "{id}, {place}, {eyes:?}, `{notation}`: {}",
                        difference(&read, &twin_read)
                    );
                    assert!(side == eyes || acted == *action || kept, "{id}, {place}: `{notation}` is told");
                    moves += 1;
                }
            }
            let some = offers.iter().step_by(1 + offers.len() / 3);
            tried.extend(some.map(|action| AmericanRevolution::write(&battle, action)));
            tried.drain(..tried.len().saturating_sub(12));
        });
    }
    assert!(views > 1000 && moves > 1000, "too few to say anything: {views} views, {moves} actions");
}

/// A close combat is under way: those in it are known, and chance decides by their strength.
fn fought(state: &State) -> bool {
    state.fight.is_open() || !state.attacks.is_empty()
}

/// What the enemy is told of a hidden stack that moves: where from and where to, once, and no more.
#[test]
fn the_enemy_is_told_that_a_stack_moves() {
    suite::proves!("american-revolution", "7.42.a");
    let battle = limited("american-revolution/drill");
    let position = "[position]\nphase = \"movement\"\nphasing = \"crown\"\nothers = \"gone\"\nunit.gren = \"0409\"\nunit.foot = \"0409\"\nunit.second = \"0401\"\n";
    let mut state = AmericanRevolution::position(&battle, position).expect("it is possible");
    let mut fx = Fx { dice: QuickDice::new(1), log: Chronicle::default() };
    AmericanRevolution::settle(&battle, &mut state, &mut fx);
    let action = AmericanRevolution::read(&battle, &state, "march gren 0410 0411").expect("it can be read");
    let (_, log) = play(&battle, &state, &action);
    let crown = battle.find_side("crown").expect("a side");
    let of = |side: Side| log.entries.iter().filter(move |e| e.only.is_none_or(|only| only == side));
    let american: Vec<&Entry> = of(!crown).collect();
    let [told] = american[..] else { panic!("{american:#?}") };
    assert_eq!(
        (told.kind, told.text.as_str(), told.side),
        (game::Kind::March, "A stack moves.", Some(crown))
    );
    assert_eq!(told.places, ["0409", "0411"].map(|hex| game::Place::Hex(hex.into())));
    assert!(told.pieces.is_empty() && told.rules[0].id() == "7.42.a");
    let own: Vec<&Entry> = of(crown).collect();
    let [own] = own[..] else { panic!("{own:#?}") };
    assert_eq!((own.text.as_str(), own.places.len()), ("Grenadiers march to 0411.", 3));
}

/// Rolls nothing but low faces, and notes among how many each draw was.
#[derive(Default)]
struct Draws(Vec<usize>);

impl game::Effects for Draws {
    fn die(&mut self, _: game::Die, _: impl FnOnce() -> game::RollNote) -> u8 {
        4
    }
    fn passes(&mut self, _: game::Test, _: impl FnOnce() -> game::RollNote) -> bool {
        false
    }
    fn count(&mut self, _: u8, _: game::Test, _: impl FnOnce() -> game::RollNote) -> u8 {
        0
    }
    fn total(&mut self, n: u8, _: game::Die, _: impl FnOnce() -> game::RollNote) -> u16 {
        n.into()
    }
    fn draw(&mut self, n: usize, _: impl FnOnce() -> game::RollNote) -> usize {
        self.0.push(n);
        0
    }
    fn tell(&mut self, _: impl FnOnce() -> Entry) {}
    fn revealed(&mut self) {}
    fn listening(&self) -> bool {
        false
    }
}

/// Whoever guesses at a sealed card guesses among those that may lie there: the eligible ones, or under the house rule
/// all eight.
#[test]
fn a_sealed_card_is_guessed_among_those_that_may_lie_there() {
    suite::proves!("american-revolution", "12.23.k");
    let text = suite::Shelf.scenario("american-revolution/drill").expect("it is there");
    for (any_card, among) in [(false, 4), (true, 8)] {
        let options = Options::from([("illegal_tactics".to_owned(), any_card)]);
        let battle = AmericanRevolution::compile(&text, &suite::Shelf, &options).expect("it can be read");
        let position = "[position]\nphase = \"close-combat\"\nphasing = \"crown\"\nothers = \"gone\"\nattacks = [{ by = [\"gren\"], at = [\"0408\"] }]\nunit.gren = \"0409\"\nunit.second = \"0408\"\n";
        let mut state = AmericanRevolution::position(&battle, position).expect("it is possible");
        let mut fx = Draws::default();
        AmericanRevolution::settle(&battle, &mut state, &mut fx);
        AmericanRevolution::play_unchecked(&battle, &mut state, &Action::Play(Tactic::Skirmish), &mut fx);
        let Now::Decides(defender) = AmericanRevolution::now(&battle, &state) else {
            panic!("nobody decides")
        };
        let mut seen = AmericanRevolution::seen_by(&battle, &state, defender);
        AmericanRevolution::play_unchecked(&battle, &mut seen, &Action::Play(Tactic::Skirmish), &mut fx);
        assert_eq!(fx.0, [among]);
    }
}

/// The steps in which a side chooses what to do, and so by what it knows.
fn chooses(state: &State) -> bool {
    matches!(
        state.agenda.top(),
        Some(
            Step::Arrivals
                | Step::Moving
                | Step::Rallying
                | Step::Gunfire
                | Step::Volley(_)
                | Step::Designating
        )
    )
}

/// The markers on hidden stacks, which lie on top: of units that are all shattered, and of units that are all broken
/// (R92).
fn markers(battle: &Battle, state: &State, eyes: Side) -> Vec<(String, bool, bool)> {
    let mut stacks: BTreeMap<String, (bool, bool)> = BTreeMap::new();
    let units = battle.units.first | battle.units.second;
    for unit in At::new(battle, state).unknown(eyes) & units {
        let stack = stacks.entry(format!("{:?}", state.hex(unit))).or_insert((true, true));
        stack.0 &= state.shattered.has(unit);
        stack.1 &= state.shattered.has(unit) || state.disrupted.has(unit);
    }
    stacks.into_iter().map(|(hex, (shattered, broken))| (hex, shattered, broken)).filter(|s| s.2).collect()
}

/// Positions that look the same to `eyes`: two hidden pieces of any kind have changed places, or one is in other order
/// and no marker on top tells.
fn look_alikes(battle: &Battle, state: &State, eyes: Side) -> Vec<State> {
    let bound = state.pins.iter().fold(Pieces::NONE, |all, pin| all | pin.pieces);
    let in_attacks = state.attacks.iter().fold(Pieces::NONE, |all, a| all | a.attackers | a.defenders);
    let marked = state.excused | state.owed | state.diverted | state.targeted;
    let hidden = At::new(battle, state).unknown(eyes) - bound - in_attacks - marked;
    let mut out = Vec::new();
    for (i, a) in hidden.enumerate() {
        for b in hidden.skip(i + 1).step_by(3) {
            let mut twin = state.clone();
            twin.at.swap(a.index(), b.index());
            let fits = |s: &State| At::new(battle, s).overstacked().is_none();
            if state.hex(a) != state.hex(b) && fits(&twin) && fits(state) {
                out.push(twin);
            }
        }
        if (battle.units.first | battle.units.second).has(a) {
            let mut twin = state.clone();
            twin.disrupted.add(a);
            out.push(twin);
        }
    }
    out.retain(|twin| markers(battle, twin, eyes) == markers(battle, state, eyes));
    out
}

/// What a side may do, and is told when it may not, hangs on what it knows: a stack that it may not examine might be
/// anything.
#[test]
fn what_may_be_done_hangs_on_what_is_known() {
    suite::proves!("american-revolution", "7.42.a");
    let mut compared = 0;
    for id in ["american-revolution/drill", "american-revolution/the-cabin"] {
        let battle = limited(id);
        let mut tried: Vec<String> = Vec::new();
        let mut at = 0;
        each_decision(&battle, 10, |state, side, offers, place| {
            at += 1;
            if chooses(state) {
                // Worked out from what the side sees, the offers are the same.
                let mut by_sight = Vec::new();
                let seen = AmericanRevolution::seen_by(&battle, state, side);
                AmericanRevolution::offers(&battle, &seen, &mut by_sight);
                assert!(by_sight == offers, "{id}, {place}: {} and {}", by_sight.len(), offers.len());
            }
            if chooses(state) && at % 3 == 0 {
                let seen = shown(&battle, state, side, &tried);
                for twin in look_alikes(&battle, state, side).iter().step_by(4) {
                    let other = shown(&battle, twin, side, &tried);
                    assert!(seen == other, "{id}, {place}, {side:?}: {}", difference(&seen, &other));
                    compared += 1;
                }
            }
            let some = offers.iter().step_by(1 + offers.len() / 3);
            tried.extend(some.map(|action| AmericanRevolution::write(&battle, action)));
            tried.drain(..tried.len().saturating_sub(12));
        });
    }
    assert!(compared > 500, "too few to say anything: {compared}");
}
