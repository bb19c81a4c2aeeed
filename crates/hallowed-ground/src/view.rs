//! What the board draws: the table, the blocks of bases, the phases, the charge under way, and each offer in words.

use game::board::{
    Ask, Badge, Band, Board, Chart, Figure, Footprint, Gauge, Ground as Surface, HouseRule, Mark, Offer,
    OfferNote, Overlay, OverlayName, OverlayOf, OverlayShape, Panel, Piece, Place, Prompt, SideFace,
    StepCell, StepState, TableGround, TallyRow, TerrainPiece, TrackCell, View,
};
use game::{BySide, PieceId, Side};
use table::{Angle, INCH, MIL, Pose, Pt, Rect, Side as Edge, Spot, div_round};

use crate::action::Action;
use crate::charges::ChargeStep;
use crate::command::{Order, awaits_order, plan};
use crate::dragging;
use crate::end::{holder, tally};
use crate::field::Field;
use crate::fights::{breakthrough_offer, charge_offer, combat};
use crate::formations::{Arm, Formation, bases, footprint, stat};
use crate::maneuvers::{Change, Double, Maneuver, Slant, Trail};
use crate::melee::MeleeStep;
use crate::muster::{Battle, CommanderId, Flags, Phase, State, UnitId, Whereabouts, stat_of};
use crate::notation::{decimal, write};
use crate::rolls::{commander_piece, piece};
use crate::shooting::shot;
use crate::sight::Kind;
use crate::terrain::{Blocks, Going};
use crate::turn::{Step, decider};

fn points(spots: &[Spot]) -> Vec<[i32; 2]> {
    spots.iter().map(|p| [p.x, p.y]).collect()
}

fn pose(p: Pose) -> Place {
    Place::Pose { x: p.at.x, y: p.at.y, facing: p.facing.get() }
}

pub(crate) fn board(battle: &Battle) -> Board {
    let face = |side: Side| {
        let army = &battle.armies[side];
        SideFace { id: army.id.clone(), name: army.name.clone(), livery: army.livery.clone() }
    };
    let overlay = |id: &str, name: &str, of: OverlayOf| OverlayName { id: id.into(), name: name.into(), of };
    Board {
        system: "This Hallowed Ground".into(),
        title: battle.title.clone(),
        subtitle: battle.subtitle.clone(),
        blurb: battle.blurb.clone(),
        sides: BySide::from_fn(face),
        ground: Surface::Table(TableGround {
            width: (battle.top.width / MIL) as i32,
            depth: (battle.top.height / MIL) as i32,
            terrain: battle.terrain.iter().map(terrain_piece).collect(),
        }),
        charts: charts(),
        options: battle.options.iter().map(house_rule).collect(),
        overlays: vec![
            overlay("moves", "Where a unit can go", OverlayOf::Piece),
            overlay("arcs", "Arcs of a unit", OverlayOf::Piece),
            overlay("sight", "What a unit sees", OverlayOf::Piece),
            overlay("range", "Ranges of a unit", OverlayOf::Piece),
            overlay("command", "Command radius", OverlayOf::Piece),
            overlay("reach", "Reach of a charge", OverlayOf::Piece),
        ],
    }
}

fn house_rule((id, on): &(String, bool)) -> HouseRule {
    HouseRule {
        id: id.clone(),
        name: "Dusk".into(),
        says: "In the last turns nothing is seen beyond the distance the scenario gives.".into(),
        on: *on,
        rule: None,
    }
}

fn terrain_piece(f: &crate::muster::Feature) -> TerrainPiece {
    let going = match f.ground.going() {
        Going::Open => "open",
        Going::Difficult => "difficult, no March",
        Going::Impassable => "impassable",
    };
    let mut says = going.to_owned();
    if f.ground.gives_cover() {
        says += ", gives cover";
    }
    if f.ground.obscures() {
        says += ", obscures";
    }
    if f.works {
        says += ", a prepared position";
    }
    match f.ground.blocks() {
        Blocks::Yes => says += ", blocks sight",
        Blocks::Hill => says += ", blocks sight beyond",
        Blocks::No => {}
    }
    TerrainPiece {
        kind: f.ground.word().replace('_', "-"),
        name: (!f.name.is_empty()).then(|| f.name.clone()),
        points: points(&f.points),
        closed: f.ground.line_width().is_none(),
        width: f.ground.line_width().unwrap_or(0) as i32,
        says,
    }
}

fn charts() -> Vec<Chart> {
    let words = |list: &[&str]| list.iter().map(|w| (*w).to_owned()).collect::<Vec<String>>();
    let mut rows = Vec::new();
    for arm in Arm::ALL {
        for f in arm.formations() {
            let s = stat(arm, *f);
            let shooting = if arm.is_artillery() && s.shooting[0] > 0 {
                format!("{}/{}/{}", s.shooting[0], s.shooting[1], s.shooting[2])
            } else if s.shooting[0] == 0 {
                "–".to_owned()
            } else {
                s.shooting[0].to_string()
            };
            let (shaken, broken) = arm.morale();
            rows.push(vec![
                format!("{} {}", arm.word().replace('_', " "), f.word().replace('_', " ")),
                format!("{} in", s.rate),
                shooting,
                s.melee.to_string(),
                format!("{} in", arm.range()),
                format!("{shaken}/{broken}"),
            ]);
        }
    }
    let bands = [
        ["2 or less", "Yellow Bellied", "holds, Shaken, may not shoot"],
        ["3 to 6", "Forward Men", "advances to 6 in, may shoot"],
        ["7 to 10", "Charge", "to 6 in, defensive fire, morale if hit, contact"],
        ["11 or more", "Determined Charge", "the same without a morale test"],
    ];
    vec![
        Chart {
            title: "Units".into(),
            columns: words(&["type and formation", "move", "shooting", "melee", "range", "Shaken/Break"]),
            rows,
            rule: Some(cite!("2.6.a")),
            note: "Morale values of regular and siege guns are ours.".into(),
        },
        Chart {
            title: "Charge home".into(),
            columns: words(&["2D6, modified", "result", "effect"]),
            rows: bands.iter().map(|r| words(r)).collect(),
            rule: Some(cite!("7.3.a")),
            note: String::new(),
        },
    ]
}

pub(crate) fn view(battle: &Battle, state: &State) -> View {
    let field = Field::new(battle, state);
    let mut pieces: Vec<Piece> = battle.all_units().map(|u| unit_piece(&field, u)).collect();
    pieces.extend(battle.all_officers().map(|c| commander_view(&field, c)));
    let score = crate::end::score(battle, state);
    View {
        pieces,
        marks: marks(&field),
        track: track(battle, state),
        phases: phases(state),
        panels: panels(&field),
        score,
        tally: tally_rows(battle, state),
        combat: combat(&field),
    }
}

fn box_of(place: Whereabouts) -> Option<Place> {
    match place {
        Whereabouts::Table => None,
        Whereabouts::Reserve => Some(Place::Box("to arrive".into())),
        Whereabouts::Broken => Some(Place::Box("broken".into())),
        Whereabouts::Left => Some(Place::Box("left the table".into())),
    }
}

fn block(arm: Arm, formation: Formation) -> Footprint {
    let size = footprint(arm, formation);
    let tenths = |t: i64| (table::mm(t) / MIL) as i32;
    Footprint {
        width: (size.width / MIL) as i32,
        depth: (size.depth / MIL) as i32,
        bases: bases(arm, formation).iter().map(|b| b.map(tenths)).collect(),
    }
}

fn unit_piece(field: &Field<'_>, u: UnitId) -> Piece {
    let (battle, state) = (field.battle, field.state);
    let (roster, unit) = (battle.unit(u), state.unit(u));
    let stat = stat_of(battle, state, u);
    let (shaken_at, break_at) = roster.arm.morale();
    let figure = |label: &str, value: String| Figure { label: label.into(), value };
    let mut badges = Vec::new();
    if let Some(order) = unit.order {
        badges.push(Badge {
            sign: format!("order-{}", order.word()),
            title: format!("{} order", order.word()),
            rule: Some(cite!("4.1.a")),
        });
    }
    if unit.flags.has(Flags::SMOKE) {
        badges.push(Badge { sign: "smoke".into(), title: "has shot".into(), rule: Some(cite!("8.7.a")) });
    } else if unit.flags.has(Flags::MOVED) {
        badges.push(Badge {
            sign: "moved".into(),
            title: "moved this turn".into(),
            rule: Some(cite!("8.4.f")),
        });
    }
    let arm = match (roster.arm, unit.formation) {
        (Arm::Infantry, _) => "infantry",
        (Arm::Cavalry, Formation::DismountedLine) => "dismounted",
        (Arm::Cavalry, _) => "cavalry",
        _ => "artillery",
    };
    Piece {
        id: piece(u),
        slug: roster.slug.clone(),
        side: roster.side,
        name: roster.name.clone(),
        byname: None,
        arm: arm.into(),
        band: Some(Band { label: battle.brigade(roster.brigade).name.clone(), index: roster.brigade.0 }),
        place: box_of(unit.place).unwrap_or_else(|| pose(unit.pose)),
        footprint: Some(block(roster.arm, unit.formation)),
        big: unit.hits.to_string(),
        small: vec![format!("{}", stat.rate)],
        gauge: Some(Gauge {
            whole: break_at.saturating_sub(unit.hits),
            hurt: 0,
            lost: unit.hits.min(break_at),
        }),
        figures: vec![
            figure("formation", unit.formation.word().replace('_', " ")),
            figure("hits", format!("{} (Shaken {shaken_at}, Break {break_at})", unit.hits)),
            figure("move", format!("{} in", stat.rate)),
            figure("shooting dice", stat.shooting[0].to_string()),
            figure("melee dice", stat.melee.to_string()),
            figure("special", roster.specials.words().collect::<Vec<_>>().join(", ")),
            figure("men", roster.men.clone()),
        ],
        state: (state.on_table(u) && unit.shaken).then(|| "shaken".to_owned()),
        badges,
        spent: unit.flags.has(Flags::ORDERED) && state.phase == Phase::Command,
        hidden: false,
        livery: None,
    }
}

fn commander_view(field: &Field<'_>, c: CommanderId) -> Piece {
    let (battle, state) = (field.battle, field.state);
    let (officer, now) = (battle.officer(c), &state.commanders[c.i()]);
    let radius = (officer.radius() / MIL) as i32;
    let broken = officer.brigade.is_some_and(|b| state.brigade_broken(b));
    let mut badges = Vec::new();
    if broken {
        badges.push(Badge {
            sign: "broken-brigade".into(),
            title: "his brigade is Broken".into(),
            rule: Some(cite!("11.3.e")),
        });
    }
    if let Some(u) = now.attached {
        let title = format!("attached to {}", battle.unit(u).name);
        badges.push(Badge { sign: "attached".into(), title, rule: Some(cite!("5.1.b")) });
    }
    Piece {
        id: commander_piece(battle, c),
        slug: officer.slug.clone(),
        side: officer.side,
        name: officer.name.clone(),
        byname: None,
        arm: "leader".into(),
        band: officer.brigade.map(|b| Band { label: battle.brigade(b).name.clone(), index: b.0 }),
        place: if now.on_table {
            Place::Pose { x: now.at.x, y: now.at.y, facing: 0 }
        } else {
            Place::Box("to arrive".into())
        },
        footprint: Some(Footprint { width: 2 * radius, depth: 2 * radius, bases: Vec::new() }),
        big: if officer.brigade.is_some() { "B".into() } else { "A".into() },
        small: Vec::new(),
        gauge: None,
        figures: Vec::new(),
        state: broken.then(|| "broken".to_owned()),
        badges,
        spent: now.moved,
        hidden: false,
        livery: None,
    }
}

fn marks(field: &Field<'_>) -> Vec<Mark> {
    let objectives = field.battle.objectives.iter().map(|o| {
        let worth = o.points.first.max(o.points.second);
        Mark {
            kind: "objective".into(),
            place: Place::Pose { x: o.at.x, y: o.at.y, facing: 0 },
            to: None,
            side: holder(field, o),
            text: worth.to_string(),
            title: format!(
                "{}: {} for {}, {} for {}",
                o.name,
                o.points.first,
                field.battle.armies.first.name,
                o.points.second,
                field.battle.armies.second.name
            ),
        }
    });
    objectives.collect()
}

fn track(battle: &Battle, state: &State) -> Vec<TrackCell> {
    (1..=battle.turns)
        .map(|turn| TrackCell {
            label: turn.to_string(),
            sub: String::new(),
            side: (turn == state.turn).then_some(state.active),
            now: turn == state.turn,
            past: turn < state.turn,
            night: false,
            flag: battle.units.iter().any(|u| u.arrival.is_some_and(|a| a.turn == turn)),
            check: turn == battle.turns,
        })
        .collect()
}

fn phases(state: &State) -> Vec<StepCell> {
    let names = [
        (Phase::Command, "Command", cite!("5.a")),
        (Phase::Shooting, "Shooting", cite!("8.a")),
        (Phase::Melee, "Melee", cite!("9.a")),
        (Phase::End, "End", cite!("10.1.a")),
    ];
    let at = names.iter().position(|(p, _, _)| *p == state.phase);
    let row = |(i, (_, label, rule)): (usize, &(Phase, &str, game::Rule))| StepCell {
        label: (*label).to_owned(),
        state: match at {
            Some(now) if i < now => StepState::Done,
            Some(now) if i == now => StepState::Now,
            _ => StepState::Ahead,
        },
        note: String::new(),
        rule: Some(*rule),
        side: Some(state.active),
    };
    names.iter().enumerate().map(row).collect()
}

/// The charge under way in its steps.
fn panels(field: &Field<'_>) -> Vec<Panel> {
    let Some(charge) = &field.state.charge else { return Vec::new() };
    let Some(Step::Charge(now)) =
        field.state.agenda.iter().rev().find(|s| matches!(s, Step::Charge(_))).copied()
    else {
        return Vec::new();
    };
    let order = |step: ChargeStep| match step {
        ChargeStep::Supports | ChargeStep::Orders => 0,
        ChargeStep::Home => 1,
        ChargeStep::Countercharge => 2,
        ChargeStep::PointBlank => 3,
        ChargeStep::Volleys
        | ChargeStep::WhoFires
        | ChargeStep::Fire { .. }
        | ChargeStep::Odd { .. }
        | ChargeStep::Saves { .. } => 4,
        ChargeStep::Tests => 5,
        ChargeStep::Contact => 6,
    };
    let labels = [
        ("Orders test", "With hits: 2D6 and modifiers must beat them. Without, it obeys.", cite!("7.2.a")),
        ("Charge home", "2D6: to 2 holds Shaken, to 6 halts at 6 in, 7 or more goes in.", cite!("7.3.a")),
        ("Countercharge", "A target that is mounted cavalry may come to meet it.", cite!("7.3.n")),
        ("To point blank", "The chargers go on to 6 in from the target.", cite!("7.3.k")),
        ("Defensive fire", "Only if they started more than half their charge away.", cite!("7.6.a")),
        ("Morale", "Chargers that were hit test, unless they go in on 11 or more.", cite!("7.6.c")),
        ("Contact", "They close, square up, and fight in the Melee phase.", cite!("7.4.g")),
    ];
    let steps = labels.iter().enumerate().map(|(i, (label, note, rule))| StepCell {
        label: (*label).to_owned(),
        state: match i.cmp(&order(now)) {
            std::cmp::Ordering::Less => StepState::Done,
            std::cmp::Ordering::Equal => StepState::Now,
            std::cmp::Ordering::Greater => StepState::Ahead,
        },
        note: (*note).to_owned(),
        rule: Some(*rule),
        side: Some(charge.side(field.battle)),
    });
    vec![Panel::Steps {
        title: format!("Charge at {}", field.battle.unit(charge.target).name),
        steps: steps.collect(),
    }]
}

fn tally_rows(battle: &Battle, state: &State) -> Vec<TallyRow> {
    let both = BySide::from_fn(|side| tally(battle, state, side));
    let row = |what: &str, points: fn(&crate::end::Tally) -> i32, rule: Option<game::Rule>| TallyRow {
        what: what.into(),
        points: BySide { first: points(&both.first), second: points(&both.second) },
        rule,
    };
    vec![
        row("Broken infantry and cavalry", |t| t.troops, Some(cite!("10.2.b"))),
        row("Broken artillery", |t| t.guns, Some(cite!("10.2.c"))),
        row("Shaken units", |t| t.shaken, Some(cite!("10.2.d"))),
        row("Objectives", |t| t.objectives, Some(cite!("10.2.e"))),
        row("Scenario", |t| t.scenario, None),
    ]
}

pub(crate) fn prompt(battle: &Battle, state: &State) -> Prompt {
    let side = decider(battle, state).unwrap_or(state.active);
    let name = |u: UnitId| battle.unit(u).name.as_str();
    let (kind, sentence, rule) = match state.agenda.top() {
        Some(Step::ChooseFirst { .. }) => ("initiative", "Go first or second?".to_owned(), cite!("4.2.a")),
        Some(Step::Attach) => ("attach", "Attach or detach commanders.".to_owned(), cite!("5.1.a")),
        Some(Step::Charges) => ("charge", "Declare a charge, or go on.".to_owned(), cite!("5.2.a")),
        Some(Step::Activate) => ("activate", "Activate a brigade.".to_owned(), cite!("5.3.a")),
        Some(Step::Orders { brigade }) => (
            "order",
            format!("Give an order to a unit of {}'s brigade.", battle.brigade(brigade).name),
            cite!("5.4.a"),
        ),
        Some(Step::BrigadeRides { brigade }) => {
            let c = battle.brigade(brigade).commander;
            ("ride", format!("{} may move.", battle.officer(c).name), cite!("5.3.c"))
        }
        Some(Step::ArmyRides) => ("ride", "The army commander may move.".to_owned(), cite!("5.3.e")),
        Some(Step::Shooting) => ("shoot", "Shoot, or end the phase.".to_owned(), cite!("8.a")),
        Some(Step::ShotTests) => ("test", "Which unit tests morale next?".to_owned(), cite!("8.6.d")),
        Some(Step::MeleePhase) => ("melee", "Which melee is fought next?".to_owned(), cite!("9.a")),
        Some(Step::Charge(ChargeStep::Countercharge)) => {
            ("countercharge", "Countercharge?".to_owned(), cite!("7.3.n"))
        }
        Some(Step::Charge(ChargeStep::Supports)) => {
            ("support", "Which infantry supports the guns?".to_owned(), cite!("7.7.c"))
        }
        Some(Step::Charge(ChargeStep::WhoFires)) => {
            ("who-fires", "Who fires first at the chargers?".to_owned(), cite!("7.7.d"))
        }
        Some(Step::Charge(ChargeStep::Odd { .. })) => {
            ("odd-hit", "Which charger takes the odd hit?".to_owned(), cite!("7.9.c"))
        }
        Some(Step::Melee(MeleeStep::Split)) => {
            ("odd-die", "At which enemy does the odd die go?".to_owned(), cite!("9.c"))
        }
        Some(Step::Melee(MeleeStep::Tests)) => {
            ("test", "Which unit tests morale next?".to_owned(), cite!("9.3.b"))
        }
        Some(Step::Melee(MeleeStep::Retires)) => {
            ("retire", "Which unit retires next?".to_owned(), cite!("11.b"))
        }
        Some(Step::Melee(MeleeStep::Breakthrough)) => {
            ("breakthrough", "Break through, or hold?".to_owned(), cite!("9.5.b"))
        }
        Some(Step::Reroll { unit, total, .. }) => {
            ("reroll", format!("{} failed with {total}: roll again?", name(unit)), cite!("13.f"))
        }
        Some(Step::RetireSide { unit }) => {
            ("aside", format!("{} can retire to either side.", name(unit)), cite!("5.5.r"))
        }
        Some(Step::Flee { commander }) => (
            "flee",
            format!("{} rides off from his Broken unit.", battle.officer(commander).name),
            cite!("12.1.a"),
        ),
        _ => ("over", "The game is over.".to_owned(), cite!("10.2.a")),
    };
    Prompt {
        side,
        kind: kind.into(),
        sentence,
        detail: format!("{}, turn {}", battle.armies[side].name, state.turn),
        rule,
    }
}

pub(crate) fn offer(battle: &Battle, state: &State, action: &Action) -> Offer {
    let field = Field::new(battle, state);
    let notation = write(battle, action);
    let verb = notation.split(' ').next().unwrap_or("pass").to_owned();
    let name = |u: UnitId| battle.unit(u).name.clone();
    let spot = |s: Spot| Place::Pose { x: s.x, y: s.y, facing: 0 };
    let mut offer = Offer::new(notation.clone(), verb, label(battle, state, action, &notation));
    match action {
        Action::Pass => offer.button = true,
        Action::Go { .. } | Action::Countercharge | Action::Reroll | Action::Aside { .. } => {
            offer.rolls = matches!(action, Action::Reroll | Action::Countercharge);
        }
        Action::Attach { commander, unit } => {
            offer.piece = Some(commander_piece(battle, *commander));
            offer.targets = vec![piece(*unit)];
            offer.rule = Some(cite!("5.1.b"));
        }
        Action::Detach { commander, to } | Action::Ride { commander, to } => {
            offer.piece = Some(commander_piece(battle, *commander));
            offer.place = Some(spot(*to));
        }
        Action::Charge { target, by } => charge_offer(&field, &mut offer, *target, by),
        Action::Activate { brigade } => {
            offer.targets = battle
                .all_units()
                .filter(|u| battle.unit(*u).brigade == *brigade && state.on_table(*u))
                .map(piece)
                .collect();
            offer.rule = Some(cite!("5.3.a"));
        }
        Action::Order { unit, order } => order_offer(&field, &mut offer, *unit, order),
        Action::Shoot { unit, target } => {
            offer.piece = Some(piece(*unit));
            offer.targets = vec![piece(*target)];
            offer.rolls = true;
            offer.rule = Some(cite!("8.b"));
            if let Ok(v) = shot(&field, *unit, *target) {
                let text = format!(
                    "{} dice, {}+ hits{}",
                    v.dice,
                    v.need,
                    if v.cover { ", cover saves on 5+" } else { "" }
                );
                offer.notes.push(OfferNote { text, warning: false, stop: false, rule: Some(cite!("8.4.a")) });
            }
        }
        Action::Pick { unit } => {
            offer.piece = Some(piece(*unit));
            offer.label = name(*unit);
        }
        Action::BreakThrough { by } => breakthrough_offer(&field, &mut offer, by),
    }
    offer
}

fn label(battle: &Battle, state: &State, action: &Action, notation: &str) -> String {
    match action {
        Action::Pass => match state.agenda.top() {
            Some(Step::Attach) => "Done with commanders",
            Some(Step::Charges) => "No more charges",
            Some(Step::Shooting) => "End the shooting",
            Some(Step::Melee(MeleeStep::Breakthrough)) => "Hold",
            Some(Step::Reroll { .. }) => "Let it stand",
            Some(Step::Charge(_)) => "Receive the charge",
            _ => "Stay",
        }
        .to_owned(),
        Action::Activate { brigade } => format!("{}'s brigade", battle.brigade(*brigade).name),
        Action::Order { unit, order } => order_words(order, state.unit(*unit).pose.facing),
        Action::Charge { target, by } => {
            let names: Vec<&str> = by.iter().map(|u| battle.unit(*u).name.as_str()).collect();
            format!(
                "{} charge{} {}",
                names.join(" and "),
                if by.len() > 1 { "" } else { "s" },
                battle.unit(*target).name
            )
        }
        Action::Shoot { unit, target } => {
            format!("{} shoots at {}", battle.unit(*unit).name, battle.unit(*target).name)
        }
        Action::Attach { commander, unit } => {
            format!("{} joins {}", battle.officer(*commander).name, battle.unit(*unit).name)
        }
        Action::Detach { commander, .. } => format!("{} leaves his unit", battle.officer(*commander).name),
        Action::Ride { commander, to } => {
            let inches = div_round(state.commanders[commander.i()].at.pt().to(to.pt()), INCH / 10);
            format!("{} rides {} in", battle.officer(*commander).name, decimal(inches as i32 * 100))
        }
        Action::Go { first } => if *first { "Go first" } else { "Go second" }.to_owned(),
        Action::Aside { left } => if *left { "To its left" } else { "To its right" }.to_owned(),
        _ => {
            let mut text = notation.to_owned();
            if let Some(first) = text.get_mut(0..1) {
                first.make_ascii_uppercase();
            }
            text
        }
    }
}

fn order_offer(field: &Field<'_>, offer: &mut Offer, u: UnitId, order: &Order) {
    offer.piece = Some(piece(u));
    offer.rolls = field.state.unit(u).hits > 0 && *order != Order::Hold;
    offer.rule = Some(match order {
        Order::Hold => cite!("5.4.b"),
        Order::Rally => cite!("5.4.h"),
        Order::Advance { .. } => cite!("5.4.c"),
        Order::March { .. } => cite!("5.4.d"),
        Order::Reform { .. } => cite!("5.4.k"),
    });
    let mut way = Trail::new();
    if let Ok(Some(plan)) = plan(field, field.battle.unit(u).brigade, u, order, &mut way) {
        offer.place = Some(pose(plan.pose));
        offer.path = way.iter().map(|p| pose(*p)).collect();
        if plan.formation != field.state.unit(u).formation {
            offer.footprint = Some(block(field.battle.unit(u).arm, plan.formation));
        }
    }
    offer.cost = length(order).filter(|by| *by > 0).map(|by| format!("{} in", decimal(by)));
    if let Order::March { .. } = order {
        offer.notes.push(OfferNote {
            text: "may not shoot".into(),
            warning: true,
            stop: false,
            rule: Some(cite!("5.4.d")),
        });
    }
}

/// How far an order leads, where it leads somewhere.
const fn length(order: &Order) -> Option<i32> {
    match *order {
        Order::Advance { maneuver, .. } => match maneuver {
            Maneuver::Forward { first, then, .. } => Some(first + then),
            Maneuver::Oblique { by, .. } | Maneuver::Back { by, .. } | Maneuver::Sidestep { by, .. } => {
                Some(by)
            }
            Maneuver::Retire { .. } => None,
        },
        Order::March { double: Double::Ahead { by, .. } | Double::Road { by }, .. } => Some(by),
        Order::Hold | Order::Rally | Order::Reform { .. } => None,
    }
}

/// An order in a player's words: `Advance 3 in, turn right 45°, 5 in`.
fn order_words(order: &Order, now: Angle) -> String {
    let side = |right: bool| if right { "right" } else { "left" };
    let slant = |s: Slant| match s {
        Slant::Left => " to the left",
        Slant::Straight => "",
        Slant::Right => " to the right",
    };
    let inches = |by: i32| format!("{} in", decimal(by));
    let angle = |turn: i32| format!("turn {} {}°", side(turn > 0), crate::notation::degrees(turn.abs()));
    let exit = |exit: bool| if exit { ", off the table" } else { "" };
    match *order {
        Order::Hold => "Hold".into(),
        Order::Rally => "Rally".into(),
        Order::Reform { formation, facing } => {
            let turned = match now.turn_to(facing) {
                0 => String::new(),
                9_000 => ", to the right".into(),
                -9_000 => ", to the left".into(),
                18_000 | -18_000 => ", about".into(),
                turn => format!(", {}", angle(turn)),
            };
            format!("Reform: {}{turned}", formation.word().replace('_', " "))
        }
        Order::March { double, exit: off } => {
            let go = match double {
                Double::Ahead { slant: s, by } => format!("{}{}", inches(by), slant(s)),
                Double::Road { by } => format!("{} by the road", inches(by)),
            };
            format!("March {go}{}", exit(off))
        }
        Order::Advance { maneuver, exit: off } => {
            let go = match maneuver {
                Maneuver::Forward { first, turn, then, change } => {
                    let mut parts = Vec::new();
                    if let Change::Before(to) = change {
                        parts.push(change_words(to).to_owned());
                    }
                    if first > 0 {
                        parts.push(inches(first));
                    }
                    if turn != 0 {
                        parts.push(angle(turn));
                    }
                    if then > 0 {
                        parts.push(inches(then));
                    }
                    if let Change::After(to) = change {
                        parts.push(change_words(to).to_owned());
                    }
                    parts.join(", ")
                }
                Maneuver::Oblique { right, by, change } => {
                    let oblique = format!("oblique {} {}", side(right), inches(by));
                    match change {
                        Change::None => oblique,
                        Change::Before(to) => format!("{}, {oblique}", change_words(to)),
                        Change::After(to) => format!("{oblique}, {}", change_words(to)),
                    }
                }
                Maneuver::Back { slant: s, by } => format!("back {}{}", inches(by), slant(s)),
                Maneuver::Sidestep { right, by } => format!("sidestep {} {}", side(right), inches(by)),
                Maneuver::Retire { degrees: 0 } => "retire".into(),
                Maneuver::Retire { degrees } => {
                    format!("retire {}° to the {}", degrees.abs(), side(degrees > 0))
                }
            };
            format!("Advance: {go}{}", exit(off))
        }
    }
}

const fn change_words(to: Formation) -> &'static str {
    match to {
        Formation::DismountedLine => "dismount",
        Formation::Limbered => "limber",
        Formation::Deployed => "deploy",
        _ => "mount",
    }
}

/// A circle as a polygon.
fn circle(centre: Pt, radius: i64) -> Vec<[i32; 2]> {
    (0..48).map(|i| corner(centre + Angle::hundredths(750 * i).dir().times(radius))).collect()
}

fn corner(p: Pt) -> [i32; 2] {
    [p.spot().x, p.spot().y]
}

pub(crate) fn overlay(battle: &Battle, state: &State, ask: &Ask) -> Overlay {
    let field = Field::new(battle, state);
    let Some(PieceId(id)) = ask.piece else { return Overlay::default() };
    let id = usize::from(id);
    if id >= battle.units.len() {
        let c = CommanderId((id - battle.units.len()) as u8);
        if c.i() >= battle.officers.len() {
            return Overlay::default();
        }
        let radius = battle.officer(c).radius() + 12 * INCH;
        let shape = OverlayShape {
            points: circle(state.commanders[c.i()].at.pt(), radius),
            tag: "command".into(),
            text: "12 in".into(),
        };
        return Overlay {
            cells: Vec::new(),
            shapes: vec![shape],
            note: "Units that this circle touches are within 12 in.".into(),
        };
    }
    let u = UnitId(id as u8);
    match ask.overlay.as_str() {
        "moves" => moves(&field, u),
        "arcs" => arcs(field.rect(u)),
        "sight" => seen(&field, u),
        "range" => ranges(&field, u),
        "reach" => charge_reach(&field, u),
        _ => Overlay::default(),
    }
}

/// Before charges are declared the reach of a charge, then that of an Advance and a March.
fn moves(field: &Field<'_>, u: UnitId) -> Overlay {
    let outline = |points: Vec<Pt>, tag: &str, text: String| OverlayShape {
        points: points.into_iter().map(corner).collect(),
        tag: tag.into(),
        text,
    };
    let (state, rate) = (field.state, crate::maneuvers::rate(field, u));
    let shapes = match state.agenda.top() {
        Some(Step::Charges) if field.side(u) == state.active => dragging::charge(field, u)
            .map(|far| {
                let from = field.rect(u).front;
                let round = (0..72).map(|i| from + Angle::hundredths(500 * i).dir().times(far)).collect();
                outline(round, "charge", format!("charge {} in", far / INCH))
            })
            .into_iter()
            .collect(),
        Some(Step::Orders { brigade })
            if field.battle.unit(u).brigade == brigade && awaits_order(state, u) =>
        {
            let mut shapes =
                vec![outline(dragging::reach(field, u), "reach", format!("advance {} in", decimal(rate)))];
            let ends = dragging::marches(field, u);
            let from = field.rect(u).front;
            shapes.extend(ends.into_iter().filter(|end| end.to(from) > i64::from(rate) * MIL).map(|end| {
                outline(vec![from, end], "march", format!("march {} in", div_round(end.to(from), INCH)))
            }));
            shapes
        }
        _ => Vec::new(),
    };
    Overlay { cells: Vec::new(), shapes, note: String::new() }
}

fn arcs(rect: &Rect) -> Overlay {
    let far = 12 * INCH;
    let ray = |i: usize| {
        let turn = [4_500, -4_500, -13_500, 13_500][i];
        rect.corners[i] + rect.facing.turned(turn).dir().times(far)
    };
    let shape = |(edge, a, b): (Edge, usize, usize)| OverlayShape {
        points: vec![corner(rect.corners[a]), corner(rect.corners[b]), corner(ray(b)), corner(ray(a))],
        tag: "arc".into(),
        text: format!("{edge:?}"),
    };
    let shapes =
        [(Edge::Front, 1, 0), (Edge::Right, 0, 3), (Edge::Rear, 3, 2), (Edge::Left, 2, 1)].map(shape);
    Overlay { cells: Vec::new(), shapes: shapes.into(), note: "Four arcs from the corners.".into() }
}

fn seen(field: &Field<'_>, u: UnitId) -> Overlay {
    let shapes = field
        .enemies(u)
        .filter_map(|e| {
            let sight = field.sight(u, e);
            let tag = match sight.kind() {
                Kind::None => return None,
                Kind::Partial => "partial",
                Kind::Full => "full",
            };
            let (a, b) = field.rect(e).edge(sight.presented);
            let percent = 100 * sight.visible / sight.length.max(1);
            Some(OverlayShape {
                points: vec![corner(field.rect(u).front), corner(a), corner(b)],
                tag: tag.into(),
                text: format!("{percent} %"),
            })
        })
        .collect();
    Overlay { cells: Vec::new(), shapes, note: "Fans to the edges that enemies present.".into() }
}

fn ranges(field: &Field<'_>, u: UnitId) -> Overlay {
    let full = field.battle.unit(u).arm.range() * INCH;
    let shape = |radius: i64| OverlayShape {
        points: circle(field.rect(u).front, radius),
        tag: "range".into(),
        text: format!("{} in", radius / INCH),
    };
    Overlay {
        cells: Vec::new(),
        shapes: vec![shape(6 * INCH), shape(full / 2), shape(full)],
        note: String::new(),
    }
}

fn charge_reach(field: &Field<'_>, u: UnitId) -> Overlay {
    let shapes = field
        .enemies(u)
        .filter_map(|e| {
            let line = crate::charge_line::line_of_charge(field, u, e, &[u]).ok()?;
            let end = Rect::new(line.pose, field.rect(u).size());
            Some(OverlayShape {
                points: end.corners.iter().map(|c| corner(*c)).collect(),
                tag: "reach".into(),
                text: format!("{} in", decimal(line.distance)),
            })
        })
        .collect();
    Overlay { cells: Vec::new(), shapes, note: "Where its charges would end.".into() }
}
