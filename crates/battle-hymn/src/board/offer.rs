//! What a player reads: the board, the decision at hand, the offers, the overlays.

use game::board::{
    Ask, Board, Chart, Ground, HexFace, HexGround, HouseRule, Offer, OfferNote, Overlay, OverlayCell,
    OverlayName, OverlayOf, Prompt, Share, SideFace, SideOfHex, View,
};
use game::situation::{Fact, Unknown};
use game::words::{does, side_does, signed, verb};
use game::{Display, Eyes, Facts, Faults, Files, Library, Notation, Options, Place, Rule};
use hexmap::{EvenColumns, Hex};

use crate::action::Action;
use crate::board::view;
use crate::rules::BattleHymn;
use crate::rules::basics::{piece_id, place, walk};
use crate::rules::combat::attacker;
use crate::rules::{approach, engagement, movement, reinforcements, sight, zones};
use crate::setup::battle::{Arm, Battle, Column, ZoneStop};
use crate::setup::ground::Feature;
use crate::setup::{position, scenario};
use crate::state::{FireOf, Id, NOWHERE, State, Status, Step, UnitSet};
use crate::{facts, notation, phases};

impl Files for BattleHymn {
    fn compile(source: &str, library: &dyn Library, options: &Options) -> Result<Battle, Faults> {
        scenario::compile(source, library, options)
    }

    fn position(battle: &Battle, position: &str) -> Result<State, Faults> {
        position::read(battle, position)
    }
}

impl Notation for BattleHymn {
    fn write(battle: &Battle, action: &Action) -> String {
        notation::write(battle, action)
    }

    fn read(battle: &Battle, state: &State, notation: &str) -> Result<Action, String> {
        notation::read(battle, state, notation)
    }
}

impl Facts for BattleHymn {
    fn fact(battle: &Battle, state: &State, name: &str) -> Result<Fact, Unknown> {
        facts::fact(battle, state, name)
    }

    fn upcoming(_: &Battle, state: &State) -> Option<&'static str> {
        phases::upcoming(state)
    }

    fn stops() -> &'static [&'static str] {
        &phases::STOPS
    }

    fn kinds() -> &'static [&'static str] {
        &phases::KINDS
    }
}

impl Display for BattleHymn {
    fn board(battle: &Battle) -> Board {
        board(battle)
    }

    fn view(battle: &Battle, state: &State, _: Eyes) -> View {
        view::view(battle, state)
    }

    fn prompt(battle: &Battle, state: &State) -> Prompt {
        prompt(battle, state)
    }

    fn offer(battle: &Battle, state: &State, action: &Action) -> Offer {
        offer(battle, state, action)
    }

    fn overlay(battle: &Battle, state: &State, ask: &Ask) -> Overlay {
        overlay(battle, state, ask)
    }
}

fn board(battle: &Battle) -> Board {
    let name = |id: &str, name: &str, of| OverlayName { id: id.into(), name: name.into(), of };
    Board {
        system: "Battle Hymn".into(),
        title: battle.title.clone(),
        subtitle: battle.subtitle.clone(),
        blurb: battle.blurb.clone(),
        sides: game::BySide::from_fn(|side| {
            let army = &battle.armies[side];
            SideFace::new(&army.id, &army.name, &army.livery)
        }),
        ground: Ground::Hexes(ground(battle)),
        charts: charts(battle),
        options: vec![HouseRule {
            id: "at_random".into(),
            name: "At Random".into(),
            says: "Chance settles the order of engagements and checks, odd SPs, ties of retreats, blocked entry and who advances.".into(),
            on: battle.house.at_random,
            rule: Some(cite!("3.1.a")),
        }],
        overlays: vec![
            name("zones", "Zones of control", OverlayOf::Board),
            name("sight", "Line of sight", OverlayOf::Place),
            name("reach", "Reach", OverlayOf::Piece),
            name("objectives", "Objectives", OverlayOf::Board),
        ],
    }
}

fn ground(battle: &Battle) -> HexGround {
    let ground = &battle.ground;
    let hexes: Vec<Hex> = ground.on_map.iter().collect();
    let face = |hex: Hex| HexFace {
        hex: ground.name(hex),
        terrain: spoken(&battle.charts.hexes[usize::from(ground.terrain[hex.index()])].name),
        level: ground.level[hex.index()],
        name: ground.names[hex.index()].clone(),
    };
    let side = |hex: Hex, d: usize| {
        let features = ground.side_features(hex, d);
        let beyond = ground.beyond[hex.index()][d];
        // Each side once: from its upper hex, or the one a fortification protects, or the lower number.
        let level = |h: Hex| ground.level[h.index()];
        let mine = beyond == NOWHERE
            || match level(hex).cmp(&level(beyond)) {
                std::cmp::Ordering::Equal if features.has(Feature::Fortification) => {
                    !features.fortified_beyond()
                        || (hex < beyond
                            && ground.side_features(beyond, zones::opposite(d)).fortified_beyond())
                }
                std::cmp::Ordering::Equal => hex < beyond,
                order => order == std::cmp::Ordering::Greater,
            };
        let words: Vec<String> = features.iter().map(|f| spoken(f.word())).collect();
        (mine && !words.is_empty()).then(|| SideOfHex {
            a: ground.name(hex),
            b: (beyond != NOWHERE).then(|| ground.name(beyond)),
            features: words,
        })
    };
    HexGround {
        cols: ground.grid.columns(),
        rows: ground.grid.rows(),
        even_low: ground.grid.even_columns() == EvenColumns::Lower,
        hex_yards: ground.hex_yards,
        inset: ground.inset,
        survey: ground.survey.clone(),
        sides: hexes.iter().flat_map(|&h| (0..6).filter_map(move |d| side(h, d))).collect(),
        hexes: hexes.iter().map(|&h| face(h)).collect(),
    }
}

/// A word of the files as it is said: `heavy forest`.
pub(crate) fn spoken(word: &str) -> String {
    word.replace('-', " ")
}

fn charts(battle: &Battle) -> Vec<Chart> {
    let charts = &battle.charts;
    let cost = |c: Option<u8>, plus: &str| c.map_or("closed".to_owned(), |n| format!("{plus}{n}"));
    let strings = |words: &[&str]| words.iter().map(|w| (*w).to_owned()).collect::<Vec<_>>();
    let hexes = charts.hexes.iter().map(|row| {
        let mut cells = vec![spoken(&row.name)];
        cells.extend(Column::ALL.map(|c| cost(row.cost[c as usize], "")));
        cells.extend([
            row.to_hit.to_string(),
            signed(row.firing_out),
            if row.blocks_sight { "yes" } else { "no" }.into(),
            row.ours.clone(),
        ]);
        cells
    });
    let sides = Feature::ALL.into_iter().map(|feature| {
        let row = &charts.sides[feature as usize];
        let mut cells = vec![spoken(feature.word())];
        cells.extend(Column::ALL.map(|c| {
            row.instead.map_or_else(|| cost(row.cost[c as usize], "+"), |n| format!("{n} instead"))
        }));
        let zone = match row.zone {
            ZoneStop::Nowhere => "",
            ZoneStop::Both => "both ways",
            ZoneStop::Up => "upward",
            ZoneStop::In => "inward",
        };
        cells.extend([signed(row.to_hit), zone.into(), row.ours.clone()]);
        cells
    });
    let s = &charts.situations;
    let situation = |what: &str, n: i8| vec![what.to_owned(), signed(n)];
    let mut situations = vec![
        situation("the firer is surrounded", s.firer_surrounded),
        situation("the target is surrounded", s.target_surrounded),
        situation("approach fire", s.approach_fire),
        situation("from higher to lower ground", s.from_high_to_low),
        situation("infantry on guns", s.infantry_on_guns),
        situation("infantry on cavalry", s.infantry_on_cavalry),
        situation("artillery on cavalry", s.artillery_on_cavalry),
        situation("cavalry on infantry", s.cavalry_on_infantry),
        situation("cavalry on guns", s.cavalry_on_guns),
    ];
    situations.extend((1..=4).map(|r| situation(&format!("artillery at range {r}"), charts.range[r - 1])));
    let rally = (-3i8..=3).map(|mr| vec![signed(mr), charts.rally[(mr + 3) as usize].to_string()]);
    let points = &charts.points;
    let vp = |what: &str, n: [u8; 2]| vec![what.to_owned(), n[0].to_string(), n[1].to_string()];
    let chart = |title: &str, columns: &[&str], rows: Vec<Vec<String>>, rule: Rule, note: &str| Chart {
        title: title.into(),
        columns: strings(columns),
        rows,
        rule: Some(rule),
        note: note.into(),
    };
    vec![
        chart(
            "Terrain effects: hexes",
            &[
                "hex",
                "infantry MP",
                "artillery MP",
                "cavalry MP",
                "To Hit",
                "firing out",
                "blocks sight",
                "our values",
            ],
            hexes.collect(),
            cite!("5.4.1.a"),
            "Closed ground can be entered by road, minor road or railroad.",
        ),
        chart(
            "Terrain effects: hexsides",
            &["hexside", "infantry MP", "artillery MP", "cavalry MP", "To Hit", "stops zones", "our values"],
            sides.collect(),
            cite!("5.4.2.a"),
            "Slopes and escarpments count upward, fortifications inward. Artillery ignores creek, river, bridge and ford when firing.",
        ),
        chart(
            "Special combat situations",
            &["situation", "To Hit"],
            situations,
            cite!("6.2.2.c"),
            &format!("Ours: {}.", s.ours),
        ),
        chart(
            "Rally",
            &["morale", "SPs that rally"],
            rally.collect(),
            cite!("10.5.4.a"),
            "One SP always stays demoralised.",
        ),
        chart(
            "Victory points",
            &["for each SP", "infantry", "others"],
            vec![
                vp("lost", points.lost),
                vp("demoralised, unit shattered", points.shattered),
                vp("demoralised", points.demoralised),
            ],
            cite!("14.2.a"),
            "",
        ),
    ]
}

/// The decision at hand.
fn prompt(battle: &Battle, state: &State) -> Prompt {
    let side = match <BattleHymn as game::Rules>::now(battle, state) {
        game::Now::Decides(side) => side,
        game::Now::Over(_) => game::Side::First,
    };
    let owner = side_does(&battle.armies[side].name, "decides");
    let (kind, sentence, detail, rule) = words_of(battle, state);
    Prompt {
        side,
        kind: kind.into(),
        sentence,
        detail: if detail.is_empty() { format!("{owner}.") } else { detail },
        rule,
    }
}

fn words_of(battle: &Battle, state: &State) -> (&'static str, String, String, Rule) {
    let name = |id: Id| battle.name(id).to_owned();
    let none = String::new();
    match state.agenda.top() {
        Some(Step::Draw) => (
            "declare",
            "Take your Combat Turn now, or wait for the next marker?".into(),
            format!("{} in the cup. What is never declared happens last.", markers_in_words(state)),
            cite!("3.9.d"),
        ),
        Some(Step::March) => {
            let formation = &battle.formations[usize::from(state.active)];
            let sentence = match state.hand {
                Id::NONE => format!("{}. Which unit marches, and where?", does(&formation.name, "moves")),
                hand => format!("{} {} MP left.", does(&name(hand), "has"), state.left),
            };
            ("march", sentence, still_to_move(battle, state, formation.units), cite!("4.e"))
        }
        Some(Step::Place(id)) => (
            "place",
            format!("Where {} {} form up again?", verb(&name(id), "does"), name(id)),
            none,
            cite!("10.5.3.b"),
        ),
        Some(Step::CavalryRetreat) => (
            "cavalry-retreat",
            "Does any of your cavalry try to slip away before combat?".into(),
            "Each rolls a morale check: pass and it goes, fail and it must fight.".into(),
            cite!("6.1.1.a"),
        ),
        Some(Step::Bombard) => (
            "bombard",
            "Which battery bombards, and which target?".into(),
            "Each fires all its SPs at one hex.".into(),
            cite!("6.1.2.b"),
        ),
        Some(Step::Withdraw) => (
            "withdraw",
            "Does any unit withdraw before combat?".into(),
            "Units that stay in an enemy zone must attack.".into(),
            cite!("6.1.3.a"),
        ),
        Some(Step::Engage) => ("engage", "Which engagement is fought next?".into(), none, cite!("6.1.6.b")),
        Some(Step::Options) => (
            "option",
            format!(
                "Round {}: does any unit attack by choice, from outside the enemy's zone?",
                if state.round == 2 { "Two" } else { "One" }
            ),
            "A unit that declines is not fired at either.".into(),
            cite!("6.1.7.c"),
        ),
        Some(Step::Split(fire)) => {
            let unit = approach::next_to_split(battle, state, fire);
            let (who, points) = unit.map_or((none.clone(), 0), |u| (name(u), state.piece(u).intact()));
            let rule = if fire == FireOf::Approach { cite!("6.1.4.h") } else { cite!("6.1.7.f") };
            ("split", format!("{} {points} SP. Who gets the odd ones?", does(&who, "divides")), none, rule)
        }
        Some(Step::Checks(..)) => {
            ("check", "Which of the units that were hit checks first?".into(), none, cite!("6.2.4.b"))
        }
        Some(Step::Advance) => (
            "advance",
            "Who advances into the ground that was won?".into(),
            "You may always decline.".into(),
            cite!("8.1.a"),
        ),
        Some(Step::FallBack | Step::Sweep) => (
            "fallback",
            "Who falls back first?".into(),
            "Attackers in an enemy zone that have not advanced must go.".into(),
            cite!("6.1.8.b"),
        ),
        Some(Step::Retreat(r)) => {
            let verb = if r.voluntary { "withdraws" } else { "falls back" };
            ("retreat", format!("{}. Into which hex?", does(&name(r.unit), verb)), none, cite!("7.3.a"))
        }
        _ => ("over", "The battle is over.".into(), none, cite!("14.a")),
    }
}

/// How many of the Formation's units have not moved yet, and how many wait off the map to enter.
fn still_to_move(battle: &Battle, state: &State, units: UnitSet) -> String {
    let here = units.and(state.on_map());
    let mut unmoved = here.without(state.moved);
    unmoved.remove(state.hand);
    let waiting = |id: &Id| {
        matches!(state.piece(*id).status, Status::Due | Status::Away)
            && reinforcements::is_due(battle, state, *id)
    };
    let outside = units.without(state.moved).into_iter().filter(waiting).count();
    let marches = match unmoved.len() {
        0 if here.is_empty() => "None of its units is on the map".into(),
        0 => "All its units on the map have moved".into(),
        1 => "1 of its units on the map has not moved".into(),
        n => format!("{n} of its units on the map have not moved"),
    };
    match outside {
        0 => format!("{marches}."),
        n => format!("{marches}; {n} may still enter."),
    }
}

/// Whether the side stands so close to the enemy that a Combat Turn would bring a fight.
fn in_contact(battle: &Battle, state: &State) -> bool {
    state.held.is_some_and(|side| !engagement::groups(battle, state, side).is_empty())
}

fn markers_in_words(state: &State) -> String {
    match state.cup.count_ones() {
        1 => "One marker is".into(),
        n => format!("{n} markers are"),
    }
}

/// A legal action, anchored.
fn offer(battle: &Battle, state: &State, action: &Action) -> Offer {
    let name = |id: Id| battle.name(id).to_owned();
    let hex = |hex: Hex| battle.ground.name(hex);
    let new = |verb: &str, label: String| Offer::new(notation::write(battle, action), verb, label);
    let button = |verb: &str, label: &str| Offer { button: true, ..new(verb, label.to_owned()) };
    let of = |unit: Id, offer: Offer| Offer { piece: Some(piece_id(unit)), ..offer };
    let at = |to: Hex, offer: Offer| Offer { place: Some(place(battle, to)), ..offer };
    let by = |rule: Rule, offer: Offer| Offer { rule: Some(rule), ..offer };
    match *action {
        Action::Combat => by(cite!("3.9.b"), button("combat", "Combat Turn now")),
        Action::Wait => by(
            cite!("3.9.d"),
            Offer { rolls: true, main: !in_contact(battle, state), ..button("wait", "Wait: draw a marker") },
        ),
        Action::March { unit, to, path } => by(
            cite!("5.1.a"),
            of(
                unit,
                march_offer(
                    battle,
                    state,
                    unit,
                    to,
                    path,
                    at(to, new("march", format!("March to {}", hex(to)))),
                ),
            ),
        ),
        Action::Mount { unit } => by(
            cite!("11.3.i"),
            of(unit, Offer { cost: Some("3".into()), ..new("mount", does(&name(unit), "mounts")) }),
        ),
        Action::Dismount { unit, horses } => {
            let label = format!("{}, horses in {}", does(&name(unit), "dismounts"), hex(horses));
            by(
                cite!("11.3.g"),
                of(unit, at(horses, Offer { cost: Some("3".into()), ..new("dismount", label) })),
            )
        }
        Action::Enter { unit, at: NOWHERE } => by(
            cite!("12.2.e"),
            of(unit, Offer { rolls: true, ..new("enter", does(&name(unit), "enters beside its Area")) }),
        ),
        Action::Enter { unit, at: entry } => {
            let cost = reinforcements::entry_cost(battle, state, unit, entry).map(|c| c.to_string());
            by(
                cite!("12.2.a"),
                of(
                    unit,
                    at(
                        entry,
                        Offer {
                            cost,
                            ..new("enter", format!("{} {}", does(&name(unit), "enters at"), hex(entry)))
                        },
                    ),
                ),
            )
        }
        Action::Exit { unit, by: way } => by(
            movement::way_out(battle, state, unit, way).map_or(cite!("5.5.a"), |w| w.rule),
            of(
                unit,
                at(way, new("exit", format!("{} {}", does(&name(unit), "leaves the map at"), hex(way)))),
            ),
        ),
        Action::Rally { unit } => {
            by(cite!("10.5.b"), of(unit, Offer { rolls: true, ..new("rally", does(&name(unit), "rallies")) }))
        }
        Action::Place { unit, at: to } => by(
            cite!("10.5.3.b"),
            of(unit, at(to, new("place", format!("{} {}", does(&name(unit), "forms up at"), hex(to))))),
        ),
        Action::Done => by(cite!("4.e"), button("done", "End the Movement Turn")),
        Action::Withdraw { unit } => {
            let rolls = state.agenda.top() == Some(Step::CavalryRetreat);
            let rule = if rolls { cite!("6.1.1.a") } else { cite!("6.1.3.a") };
            by(rule, of(unit, Offer { rolls, ..new("withdraw", does(&name(unit), "withdraws")) }))
        }
        Action::Bombard { unit, at: target } => {
            let offer = new("bombard", format!("{} {}", does(&name(unit), "bombards"), name(target)));
            let place = place(battle, state.piece(target).hex);
            by(
                cite!("6.1.2.b"),
                of(unit, Offer { rolls: true, targets: vec![piece_id(target)], place: Some(place), ..offer }),
            )
        }
        Action::Split { unit, targets, shares } => {
            let parts = || targets.iter().zip(shares).filter(|(t, _)| **t != Id::NONE);
            let words: Vec<String> = parts().map(|(t, s)| format!("{s} on {}", name(*t))).collect();
            let shares =
                parts().map(|(t, amount)| Share { by: piece_id(unit), at: piece_id(*t), amount }).collect();
            let offer = new("split", format!("{}: {}", name(unit), words.join(", ")));
            by(
                cite!("6.1.7.f"),
                of(
                    unit,
                    Offer {
                        rolls: true,
                        shares,
                        targets: parts().map(|(t, _)| piece_id(*t)).collect(),
                        ..offer
                    },
                ),
            )
        }
        Action::Engage { unit } => {
            let group = engagement::groups(battle, state, attacker(state))
                .into_iter()
                .find(|g| g.contains(unit))
                .unwrap_or_default();
            let enemies = group.without(battle.armies[attacker(state)].units);
            let names: Vec<&str> = enemies.into_iter().map(|e| battle.name(e)).collect();
            let targets = enemies.into_iter().map(piece_id).collect();
            by(
                cite!("6.1.6.b"),
                of(
                    unit,
                    Offer {
                        rolls: true,
                        targets,
                        ..new("engage", format!("{} against {}", name(unit), names.join(", ")))
                    },
                ),
            )
        }
        Action::Attack { unit, at: target } => {
            let offer = new("attack", format!("{} {} by choice", does(&name(unit), "attacks"), name(target)));
            by(cite!("6.1.7.c"), of(unit, Offer { targets: vec![piece_id(target)], ..offer }))
        }
        Action::Check { unit } => {
            by(cite!("6.2.4.b"), of(unit, Offer { rolls: true, ..new("check", does(&name(unit), "checks")) }))
        }
        Action::Retreat { unit, to } => {
            let mut offer = of(
                unit,
                at(to, new("retreat", format!("{} {}", does(&name(unit), "falls back to"), hex(to)))),
            );
            offer.path = vec![place(battle, state.piece(unit).hex), place(battle, to)];
            offer.notes = retreat_notes(battle, state, unit, to);
            offer.rolls = offer.notes.iter().any(|n| n.rule == Some(cite!("7.8.a")));
            by(cite!("7.3.a"), offer)
        }
        Action::RetreatOff { unit } => {
            by(cite!("7.7.a"), of(unit, new("retreat", does(&name(unit), "leaves the map"))))
        }
        Action::Advance { unit, to } => {
            let offer =
                of(unit, at(to, new("advance", format!("{} {}", does(&name(unit), "advances to"), hex(to)))));
            by(
                cite!("8.1.a"),
                Offer { path: vec![place(battle, state.piece(unit).hex), place(battle, to)], ..offer },
            )
        }
        Action::AdvanceInto { to } => by(
            cite!("3.1.f"),
            at(to, Offer { rolls: true, ..new("advance", format!("Somebody advances to {}", hex(to))) }),
        ),
        Action::FallBack { unit } => {
            by(cite!("6.1.8.b"), of(unit, new("fallback", does(&name(unit), "falls back"))))
        }
        Action::Pass => {
            let rolls = matches!(state.agenda.top(), Some(Step::Withdraw | Step::Options));
            let label = match state.agenda.top() {
                Some(Step::CavalryRetreat) => "All stand",
                Some(Step::Bombard) => "Cease fire",
                Some(Step::Withdraw) => "Nobody withdraws",
                Some(Step::Options) => "No attack by choice",
                Some(Step::Advance) => "Hold the line",
                _ => "Pass",
            };
            Offer { rolls, ..button("pass", label) }
        }
    }
}

fn march_offer(battle: &Battle, state: &State, unit: Id, to: Hex, path: u64, mut offer: Offer) -> Offer {
    let start = state.piece(unit).hex;
    if let Some((way, cost)) = movement::way(battle, state, unit, to, path) {
        offer.path = std::iter::once(start).chain(way).map(|h| place(battle, h)).collect();
        offer.cost = Some(cost.to_string());
    } else {
        offer.path = walk(battle, start, path).map(|h| place(battle, h)).collect();
    }
    let over = zones::covered_from(battle, state, battle.side(unit).enemy(), to);
    for enemy in zones::units_in(battle, state, to, over) {
        offer.notes.push(OfferNote {
            text: format!("Stops in the zone of {}, who fires as it comes up", battle.name(enemy)),
            warning: true,
            stop: true,
            rule: Some(cite!("5.3.h")),
        });
    }
    offer
}

fn retreat_notes(battle: &Battle, state: &State, unit: Id, to: Hex) -> Vec<OfferNote> {
    let note = |text: String, rule| OfferNote { text, warning: true, stop: false, rule: Some(rule) };
    match state.at(to) {
        Some(friend) if !crate::rules::retreat::under_way(state).is_some_and(|r| r.voluntary) => {
            vec![note(format!("{} must check morale", battle.name(friend)), cite!("7.8.a"))]
        }
        None if zones::covers(battle, state, battle.side(unit).enemy(), to) => {
            vec![note("Costs 1 SP".into(), cite!("7.6.b"))]
        }
        _ => Vec::new(),
    }
}

/// Zones, sight, reach, Objectives.
fn overlay(battle: &Battle, state: &State, ask: &Ask) -> Overlay {
    let mut overlay = Overlay::default();
    let mut cell = |hex: Hex, tag: &str, side, text: String| {
        overlay.cells.push(OverlayCell { hex: battle.ground.name(hex), tag: tag.into(), side, text });
    };
    let note = match ask.overlay.as_str() {
        "zones" => {
            for side in game::Side::BOTH.into_iter().filter(|s| ask.side.is_none_or(|a| a == *s)) {
                for hex in battle.ground.on_map.iter().filter(|&h| zones::covers(battle, state, side, h)) {
                    cell(hex, "zone", Some(side), String::new());
                }
            }
            "Entering an enemy zone of control ends a march (5.3.a).".to_owned()
        }
        "sight" => match asked_hex(battle, state, ask) {
            Some(from) => {
                for hex in battle
                    .ground
                    .grid
                    .within(from, sight::LIMIT)
                    .filter(|&h| battle.ground.on_map.contains(h))
                {
                    let tag = if sight::in_sight(battle, from, hex) { "seen" } else { "blocked" };
                    cell(hex, tag, None, String::new());
                }
                format!("What {} sees, up to four hexes (9.3.d).", battle.ground.name(from))
            }
            None => "Point at a hex.".to_owned(),
        },
        "reach" => match asked_unit(battle, ask) {
            Some(unit) => {
                for (hex, cost) in facts::reach(battle, state, unit) {
                    cell(hex, "reach", Some(battle.side(unit)), cost.to_string());
                }
                format!("Where {} can march.", battle.name(unit))
            }
            None => "Point at a unit.".to_owned(),
        },
        "objectives" => {
            for (i, objective) in battle.victory.objectives.iter().enumerate() {
                cell(objective.hex, "objective", state.control[i], objective.points.to_string());
            }
            "Objectives, what they are worth, and who holds them.".to_owned()
        }
        _ => "There is no such overlay.".to_owned(),
    };
    overlay.note = note;
    overlay
}

fn asked_unit(battle: &Battle, ask: &Ask) -> Option<Id> {
    let id = ask.piece?.0;
    (usize::from(id) < battle.units.len()).then_some(Id(id as u8))
}

fn asked_hex(battle: &Battle, state: &State, ask: &Ask) -> Option<Hex> {
    match &ask.place {
        Some(Place::Hex(number)) => battle.ground.grid.parse(number),
        _ => asked_unit(battle, ask).map(|u| state.piece(u).hex).filter(|&h| h != NOWHERE),
    }
}

/// The arm as the board draws it.
#[must_use]
pub(crate) fn arm_of_picture(battle: &Battle, state: &State, id: Id) -> &'static str {
    match battle.unit(id).arm {
        Arm::Cavalry => facts::type_word(battle, state, id),
        arm => arm.word(),
    }
}
