//! What the board shows at a moment.

use game::board::{
    Badge, Band, Chit, Combat, Figure, Fire, Gauge, Mark, Panel, Piece, StepCell, StepState, TallyRow,
    TrackCell, View,
};
use game::words::{counted, does, side_does, signed, the};
use game::{BySide, Place, Rule, Side};

use crate::facts;
use crate::rules::fire::FireKind;
use crate::rules::sequence::Marker;
use crate::rules::zones::{directions, units_in};
use crate::rules::{approach, bombardment, fire, morale, movement, night, sequence, victory, zones};
use crate::setup::battle::{Battle, Hour};
use crate::setup::pieces::{Arm, SetUp};
use crate::state::{FireOf, Id, Mount, NO_FORMATION, State, Status, Step};

pub(crate) fn view(battle: &Battle, state: &State) -> View {
    View {
        pieces: battle.ids().map(|id| piece(battle, state, id)).collect(),
        marks: marks(battle, state),
        track: track(battle, state),
        phases: Vec::new(),
        panels: panels(battle, state),
        score: victory::score(battle, state),
        tally: tally(battle, state),
        combat: combat(battle, state),
    }
}

fn clock(battle: &Battle, hour: u8) -> u8 {
    battle.hours.get(usize::from(hour)).map_or(0, |h| h.clock % 24)
}

fn where_is(battle: &Battle, state: &State, id: Id) -> Place {
    let piece = state.piece(id);
    let due = |hour: u8, areas: &[u8]| {
        let letters: Vec<&str> =
            areas.iter().map(|&a| battle.areas[usize::from(a)].letter.as_str()).collect();
        Place::Box(format!("hour {} at {}", clock(battle, hour), letters.join("/")))
    };
    match (piece.status, &battle.unit(id).set_up) {
        (Status::OnMap, _) => battle.place(piece.hex),
        (Status::Due, SetUp::Due { hour, areas }) => due(*hour, areas),
        (Status::Away, _) => due(piece.hits, &[piece.extra]),
        (status, _) => Place::Box(facts::state_word(status).into()),
    }
}

fn piece(battle: &Battle, state: &State, id: Id) -> Piece {
    let (unit, p) = (battle.unit(id), state.piece(id));
    let lost = unit.strength.saturating_sub(p.strength + p.holders);
    let rating = morale::rating(battle, state, id);
    let allowance = movement::allowance(battle, state, id);
    let active = state.active == unit.formation;
    let figure = |label: &str, value: String| Figure { label: label.into(), value };
    let mut figures = vec![
        figure("intact", p.intact().to_string()),
        figure("demoralised", p.demoralised.to_string()),
        figure("lost", lost.to_string()),
        figure("morale", signed(rating)),
        figure("MP", if active { movement::points_left(battle, state, id) } else { allowance }.to_string()),
    ];
    if p.holders > 0 {
        figures.push(figure("holding horses", p.holders.to_string()));
    }
    Piece {
        id: id.piece(),
        slug: unit.id.clone(),
        side: unit.side,
        name: unit.name.clone(),
        byname: unit.byname.clone(),
        arm: arm_of_picture(battle, state, id).into(),
        band: Some(Band {
            label: battle.formations[usize::from(unit.formation)].name.clone(),
            index: unit.formation,
        }),
        place: where_is(battle, state, id),
        footprint: None,
        big: p.intact().to_string(),
        small: vec![signed(rating), allowance.to_string()],
        gauge: Some(Gauge { whole: p.intact(), hurt: p.demoralised, lost }),
        figures,
        state: match p.status {
            Status::Shattered => Some("shattered".into()),
            Status::Eliminated => Some("eliminated".into()),
            _ if p.demoralised > 0 => Some("demoralised".into()),
            _ => None,
        },
        badges: badges(battle, state, id),
        spent: active && state.moved.contains(id),
        hidden: false,
        livery: None,
    }
}

fn badges(battle: &Battle, state: &State, id: Id) -> Vec<Badge> {
    let badge = |sign: &str, title: String, rule: Rule| Badge { sign: sign.into(), title, rule: Some(rule) };
    let p = state.piece(id);
    let mut badges = Vec::new();
    if p.approach != 0 && p.on_map() {
        let names: Vec<&str> =
            units_in(battle, state, p.hex, p.approach).into_iter().map(|u| battle.name(u)).collect();
        badges.push(badge(
            "approach",
            format!("Under the approach fire of {}", names.join(", ")),
            cite!("6.1.4.a"),
        ));
    }
    if p.hits > 0 && p.on_map() {
        badges.push(badge("hits", format!("{} to be checked", counted(p.hits, "hit")), cite!("6.2.a")));
    }
    if state.attacker.is_some() && state.bombarded.contains(id) {
        badges.push(badge("fired", "Has bombarded".into(), cite!("6.1.2.b")));
    }
    if state.attacker.is_some() && state.advanced.contains(id) {
        badges.push(badge("advanced", "Has advanced and holds".into(), cite!("6.1.7.i")));
    }
    if state.active == battle.unit(id).formation && state.moved.contains(id) {
        badges.push(badge("moved", "Has moved".into(), cite!("5.2.a")));
    }
    if p.mount == Mount::HorsesLost {
        badges.push(badge("horses-lost", "Its horses are lost".into(), cite!("11.3.r")));
    }
    badges.truncate(2);
    badges
}

fn mark(kind: &str, place: Place, side: Option<Side>, text: String, title: String) -> Mark {
    Mark { kind: kind.into(), place, to: None, side, text, title }
}

fn marks(battle: &Battle, state: &State) -> Vec<Mark> {
    let mut marks = Vec::new();
    for (i, objective) in battle.victory.objectives.iter().enumerate() {
        let holder = state.control[i].map_or("nobody".into(), |s| the(&battle.armies[s].name));
        let points = counted(objective.points, "point");
        let title = format!("{}: {points}, held by {holder}", objective.name);
        marks.push(mark(
            "objective",
            battle.place(objective.hex),
            state.control[i],
            objective.points.to_string(),
            title,
        ));
    }
    for area in &battle.areas {
        for &hex in &area.hexes {
            marks.push(mark(
                "entry",
                battle.place(hex),
                None,
                area.letter.clone(),
                format!("Entry Area {}", area.letter),
            ));
        }
    }
    for way in &battle.ways_out {
        let title = side_does(&battle.armies[way.side].name, "may leave the map here");
        marks.push(mark("exit", battle.place(way.hex), Some(way.side), String::new(), title));
    }
    for id in state.horse_markers {
        let title = format!("The horses of {}", battle.name(id));
        marks.push(mark(
            "horses",
            battle.place(state.piece(id).horses),
            Some(battle.side(id)),
            String::new(),
            title,
        ));
    }
    for id in state.on_map() {
        let piece = state.piece(id);
        for firer in units_in(battle, state, piece.hex, piece.approach) {
            let title =
                format!("{} as {}", does(battle.name(firer), "fires"), does(battle.name(id), "comes up"));
            let from = battle.place(state.piece(firer).hex);
            let to = Some(battle.place(piece.hex));
            marks.push(Mark { to, ..mark("approach", from, Some(battle.side(firer)), String::new(), title) });
        }
    }
    marks
}

fn track(battle: &Battle, state: &State) -> Vec<TrackCell> {
    let arrives = |hour: usize| {
        battle.units.iter().any(|u| matches!(u.set_up, SetUp::Due { hour: h, .. } if usize::from(h) == hour))
    };
    let cell = |(i, hour): (usize, &Hour)| {
        let now = i == usize::from(state.hour);
        let side = if now { state.initiative } else { hour.initiative };
        TrackCell {
            label: (hour.clock % 24).to_string(),
            sub: if hour.night {
                "night".into()
            } else {
                facts::side_word(battle, side).to_uppercase().replace("NONE", "none")
            },
            side: side.filter(|_| !hour.night),
            now: now && state.outcome.is_none(),
            past: i < usize::from(state.hour) || state.outcome.is_some(),
            night: hour.night,
            flag: arrives(i),
            check: hour.check || battle.victory.sudden.iter().any(|s| usize::from(s.at) == i),
        }
    };
    battle.hours.iter().enumerate().map(cell).collect()
}

fn chit(battle: &Battle, marker: Marker) -> Chit {
    match marker {
        Marker::Move(f) => {
            let formation = &battle.formations[usize::from(f)];
            Chit { label: formation.name.clone(), sub: "move".into(), side: formation.side }
        }
        Marker::Combat(side) => Chit { label: battle.armies[side].name.clone(), sub: "combat".into(), side },
    }
}

fn panels(battle: &Battle, state: &State) -> Vec<Panel> {
    let drawn = state.drawn[..usize::from(state.draws)].iter().map(|&bit| Marker::of_bit(bit));
    let mut panels = vec![Panel::Cup {
        inside: sequence::markers(state.cup).map(|m| chit(battle, m)).collect(),
        drawn: drawn.map(|m| chit(battle, m)).collect(),
        held: state.held.into_iter().map(|s| chit(battle, Marker::Combat(s))).collect(),
    }];
    if let Some(side) = state.attacker {
        let title = format!("Combat Turn of {}", the(&battle.armies[side].name));
        panels.push(Panel::Steps { title, steps: steps(state, side) });
    }
    if state.active != NO_FORMATION && night::is_night(battle, state) {
        panels.push(shattered(battle, state));
    }
    panels
}

/// Who could come back tonight.
fn shattered(battle: &Battle, state: &State) -> Panel {
    let rows = battle.formations[usize::from(state.active)]
        .units
        .into_iter()
        .filter(|&u| state.piece(u).status == Status::Shattered);
    let row = |u: Id| {
        vec![
            battle.name(u).to_owned(),
            state.piece(u).strength.to_string(),
            signed(morale::rating(battle, state, u)),
        ]
    };
    Panel::Table {
        title: "Shattered units".into(),
        columns: vec!["unit".into(), "SP".into(), "morale".into()],
        rows: rows.map(row).collect(),
        lit: None,
    }
}

/// 6.1.c.
fn steps(state: &State, attacker: Side) -> Vec<StepCell> {
    let names: [(&str, Rule, Option<Side>); 7] = [
        ("Cavalry withdraws", cite!("6.1.1.a"), Some(attacker.enemy())),
        ("Bombardment", cite!("6.1.2.a"), Some(attacker)),
        ("Withdrawals", cite!("6.1.3.a"), Some(attacker)),
        ("Approach fire", cite!("6.1.4.a"), None),
        ("Engagements", cite!("6.1.5.a"), Some(attacker)),
        ("Rounds", cite!("6.1.7.a"), None),
        ("Fall back", cite!("6.1.d"), Some(attacker)),
    ];
    let now = match facts::step(state).as_str() {
        "cavalry-retreat" => 0,
        "bombard" => 1,
        "withdraw" => 2,
        "approach" => 3,
        "engage" => 4,
        "end" => 6,
        _ => 5,
    };
    let cell = |(i, (label, rule, side)): (usize, (&str, Rule, Option<Side>))| StepCell {
        label: label.into(),
        state: match i.cmp(&now) {
            std::cmp::Ordering::Less => StepState::Done,
            std::cmp::Ordering::Equal => StepState::Now,
            std::cmp::Ordering::Greater => StepState::Ahead,
        },
        note: if i == 5 && state.round > 0 {
            format!("Round {}", if state.round == 1 { "One" } else { "Two" })
        } else {
            String::new()
        },
        rule: Some(rule),
        side,
    };
    names.into_iter().enumerate().map(cell).collect()
}

fn tally(battle: &Battle, state: &State) -> Vec<TallyRow> {
    let sum = |side: Side, part: fn(&victory::Damage) -> i32| -> i32 {
        let enemies = battle.armies[side.enemy()].units.into_iter();
        if battle.victory.damage {
            enemies.map(|id| part(&victory::damage(battle, state, id))).sum()
        } else {
            0
        }
    };
    let row = |what: &str, points: BySide<i32>, rule: Rule| TallyRow {
        what: what.into(),
        points,
        rule: Some(rule),
    };
    let mut rows = vec![
        row("Objectives held", BySide::from_fn(|s| victory::ground(battle, state, s)), cite!("14.1.a")),
        row("Enemy SPs lost", BySide::from_fn(|s| sum(s, |d| d.lost)), cite!("14.2.a")),
        row("Enemy SPs of shattered units", BySide::from_fn(|s| sum(s, |d| d.shattered)), cite!("14.2.b")),
        row("Enemy SPs demoralised", BySide::from_fn(|s| sum(s, |d| d.demoralised)), cite!("14.2.c")),
    ];
    let before =
        BySide::from_fn(|s| i32::from(battle.armies[s].handicap) + i32::from(state.banked[s.index()]));
    if before.first != 0 || before.second != 0 {
        rows.push(row("By the scenario", before, cite!("14.a")));
    }
    rows
}

/// Who fires at whom in the step under way, with every term.
fn combat(battle: &Battle, state: &State) -> Option<Combat> {
    state.attacker?;
    let (title, kind, of) = match state.agenda.top()? {
        Step::Split(FireOf::Approach) => {
            ("Approach fire".to_owned(), FireKind::Approach, Some(FireOf::Approach))
        }
        Step::Split(FireOf::Round) => (round_title(state), FireKind::Round, Some(FireOf::Round)),
        Step::Bombard => ("Bombardment".to_owned(), FireKind::Bombardment, None),
        _ if state.round > 0 => (round_title(state), FireKind::Round, None),
        _ => return None,
    };
    let mut fires = Vec::new();
    match (kind, of) {
        (FireKind::Bombardment, _) => {
            for (gun, targets) in bombardment::ready(battle, state) {
                fires.extend(
                    targets
                        .into_iter()
                        .map(|t| fire_of(battle, state, gun, t, state.piece(gun).intact(), kind)),
                );
            }
        }
        (_, Some(of)) => {
            for firer in state.on_map() {
                let targets = state.piece(firer).shot_into;
                let shares = approach::shares(battle, state, firer, of);
                let shares = shares.into_iter().filter(|(_, d, _)| targets >> d & 1 != 0);
                fires.extend(
                    shares.map(|(target, _, points)| fire_of(battle, state, firer, target, points, kind)),
                );
            }
        }
        _ => fires = would_fire(battle, state),
    }
    let pieces = if state.members.is_empty() {
        fires.iter().flat_map(|f| f.by.iter().chain(&f.at).copied()).collect()
    } else {
        state.members.into_iter().map(Id::piece).collect()
    };
    Some(Combat { title, pieces, fires })
}

/// Before the targets of a Round are settled: everybody at whom he could be told to fire.
fn would_fire(battle: &Battle, state: &State) -> Vec<Fire> {
    if !matches!(state.agenda.top(), Some(Step::Options)) {
        return Vec::new();
    }
    let mut fires = Vec::new();
    for id in state.members.and(state.on_map()) {
        let over = zones::enemies_over(battle, state, id) | state.piece(id).shot_into;
        let n = over.count_ones().max(1) as u8;
        for d in directions(over) {
            if let Some(target) = state.at(battle.ground.beyond[state.piece(id).hex.index()][d]) {
                fires.push(fire_of(battle, state, id, target, state.piece(id).intact() / n, FireKind::Round));
            }
        }
    }
    fires
}

fn round_title(state: &State) -> String {
    format!("Engagement, Round {}", if state.round == 2 { "Two" } else { "One" })
}

fn fire_of(battle: &Battle, state: &State, firer: Id, target: Id, dice: u8, kind: FireKind) -> Fire {
    let chance = fire::chance(battle, state, firer, target, kind);
    Fire {
        by: vec![firer.piece()],
        at: vec![target.piece()],
        dice,
        test: Some(chance.test()),
        modifiers: chance.modifiers(battle),
        considered: chance.considered(battle),
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
