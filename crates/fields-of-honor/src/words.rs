//! What the board draws and says, what each side may know, and a small judgement.

use game::board::{
    Ask, Badge, Band, Board, Chart, Combat, Figure, Fire, Footprint, Gauge, Ground, HouseRule, Mark, Offer,
    OfferNote, Overlay, OverlayName, OverlayOf, OverlayShape, Panel, Piece, Prompt, SideFace, StepCell,
    StepState, TableGround, TrackCell, View,
};
use game::{BySide, PieceId, Place, Rule, Side};
use table::{EPS, INCH, MIL, Pose, Pt};

use crate::action::Action;
use crate::basics::{Formation, Shape};
use crate::battle::{Battle, Switches, What};
use crate::charge::Reaction;
use crate::cite;
use crate::fire::Aim;
use crate::leaders::Lead;
use crate::movement::{self, Leg};
use crate::notation::{number, write};
use crate::offers::sequence_name;
use crate::rolls::{leader_piece, piece};
use crate::sequence::{Phase, Step, decides};
use crate::state::{Body, BodyId, Command, LeaderId, Marks, Order, Part, State, Where};
use crate::victory;

/// Removes what a side may not know: enemy orders, fire not yet shown, what stands behind markers.
pub(crate) fn seen_by(battle: &Battle, state: &State, side: Side) -> State {
    let mut seen = state.clone();
    let foe = side.enemy();
    for (i, info) in battle.leaders.iter().enumerate().filter(|(_, l)| l.side == foe) {
        let _ = info;
        let man = &mut seen.leaders[i];
        man.order = Command::Defend;
        man.marker = man.at;
        man.ordered = false;
    }
    if matches!(state.agenda.top(), Some(Step::Declare { .. } | Step::Resolve)) {
        seen.volleys.retain(|v| battle.side_of(state, v.by) == side);
    }
    let stand_in = battle.bmus.iter().position(|b| b.side == foe).unwrap_or(0) as u8;
    for body in &mut seen.bodies {
        let marker = body.marks.has(Marks::HIDDEN) && !body.marks.has(Marks::SPOTTED);
        if battle.side(body) == side || !marker || !body.on_table() {
            continue;
        }
        let arm = battle.bmus[usize::from(stand_in)].arm;
        *body = Body {
            bmu: stand_in,
            part: Part::Main,
            shape: Shape::of(Formation::Mob, arm, 1, 1),
            strength: 1,
            lost: 0,
            fresh: 0,
            order: Order::Good,
            marks: Marks::HIDDEN,
            other: None,
            ..*body
        };
    }
    seen
}

/// What must hold of every position.
pub(crate) fn invariant(battle: &Battle, state: &State) -> Result<(), String> {
    let name = |id: BodyId| battle.slug(id);
    for (id, body) in state.on_table() {
        let layout = body.layout(battle);
        if body.stands(battle) == 0 && state.phase != Phase::Morale && state.phase != Phase::Melee {
            return Err(format!("{} has no stand left but is on the table", name(id)));
        }
        let b = layout.block().bounds;
        if b.lo.x < -20 * EPS
            || b.lo.y < -20 * EPS
            || b.hi.x > battle.top.width + 20 * EPS
            || b.hi.y > battle.top.height + 20 * EPS
        {
            return Err(format!("{} stands off the table", name(id)));
        }
        let hits = u16::from(body.lost) + u16::from(body.fresh);
        if hits > u16::from(body.strength) * u16::from(battle.arm(body).hits_a_stand()) {
            return Err(format!("{} has more hits than stands", name(id)));
        }
    }
    for bout in &state.bouts {
        if !state.body(bout.attacker).on_table() || !state.body(bout.defender).on_table() {
            return Err(format!(
                "{} and {} are at blows, but not both there",
                name(bout.attacker),
                name(bout.defender)
            ));
        }
        if battle.side_of(state, bout.attacker) == battle.side_of(state, bout.defender) {
            return Err("friends are at blows".to_owned());
        }
    }
    Ok(())
}

pub(crate) fn board(battle: &Battle) -> Board {
    Board {
        system: "Fields of Honor".to_owned(),
        title: battle.title.clone(),
        subtitle: battle.subtitle.clone(),
        blurb: battle.blurb.clone(),
        sides: BySide::from_fn(|s| SideFace {
            id: battle.sides[s].id.clone(),
            name: battle.sides[s].name.clone(),
            livery: battle.sides[s].livery.clone(),
        }),
        ground: Ground::Table(TableGround {
            width: (battle.top.width / MIL) as i32,
            depth: (battle.top.height / MIL) as i32,
            terrain: battle.pieces.clone(),
        }),
        charts: charts(battle),
        options: Switches::LIST
            .iter()
            .zip(battle.on.all())
            .map(|((id, says, _), on)| HouseRule {
                id: (*id).to_owned(),
                name: id.replace('_', " "),
                says: (*says).to_owned(),
                on,
                rule: None,
            })
            .collect(),
        overlays: [
            ("command", "Command range", OverlayOf::Piece),
            ("arcs", "Arc of fire and range bands", OverlayOf::Piece),
            ("reach", "Reach of a move and of a charge", OverlayOf::Piece),
        ]
        .into_iter()
        .map(|(id, name, of)| OverlayName { id: id.to_owned(), name: name.to_owned(), of })
        .collect(),
    }
}

fn charts(battle: &Battle) -> Vec<Chart> {
    let rates = Chart {
        title: "Movement rates".to_owned(),
        columns: ["", "Engaged", "Charge"].map(str::to_owned).to_vec(),
        rows: [
            "infantry_line",
            "infantry_column",
            "infantry_loose",
            "cavalry_formed",
            "cavalry_loose",
            "artillery_foot",
            "artillery_horse",
        ]
        .iter()
        .map(|row| {
            let (engaged, charge) = battle.tables.rate(row, battle.scale);
            vec![row.replace('_', " "), engaged.to_string(), charge.to_string()]
        })
        .collect(),
        rule: Some(cite!("qrs.rates.b")),
        note: "Inches. The Charge rate is for charges and for units that begin outside engagement distance."
            .to_owned(),
    };
    let mut weapons: Vec<Vec<String>> = Vec::new();
    for info in &battle.bmus {
        let ranges: Vec<String> = info.weapon.ranges.iter().map(|r| number(r / MIL)).collect();
        let row = vec![info.weapon.name.clone(), info.weapon.dice.to_string(), ranges.join(" / ")];
        if info.weapon.dice > 0 && !weapons.contains(&row) {
            weapons.push(row);
        }
    }
    let weapons = Chart {
        title: "Weapons".to_owned(),
        columns: ["", "dice a stand", "short / medium / long / extreme"].map(str::to_owned).to_vec(),
        rows: weapons,
        rule: Some(cite!("qrs.weapons.a")),
        note: "A die hits on 2, 3, 4, 5 or more by range, before modifiers.".to_owned(),
    };
    vec![rates, weapons]
}

fn place(pose: Pose) -> Place {
    Place::Pose { x: pose.at.x, y: pose.at.y, facing: pose.facing.get() }
}

pub(crate) fn view(battle: &Battle, state: &State, eyes: Option<Side>) -> View {
    let mut pieces: Vec<Piece> =
        (0..state.bodies.len()).map(|i| unit_piece(battle, state, BodyId(i as u8), eyes)).collect();
    pieces.extend((0..state.leaders.len()).map(|i| leader_face(battle, state, LeaderId(i as u8), eyes)));
    View {
        pieces,
        marks: marks(battle, state, eyes),
        track: (1..=battle.turns)
            .map(|t| TrackCell {
                label: t.to_string(),
                sub: String::new(),
                side: None,
                now: t == state.turn,
                past: t < state.turn,
                night: false,
                flag: battle.bmus.iter().any(|b| b.arrival.is_some_and(|a| a.turn == t)),
                check: t == battle.turns,
            })
            .collect(),
        phases: Phase::ALL
            .iter()
            .map(|p| StepCell {
                label: p.title().to_owned(),
                state: match p.cmp(&state.phase) {
                    std::cmp::Ordering::Less => StepState::Done,
                    std::cmp::Ordering::Equal => StepState::Now,
                    std::cmp::Ordering::Greater => StepState::Ahead,
                },
                note: String::new(),
                rule: Some(cite!("qrs.sequence.a")),
                side: None,
            })
            .collect(),
        panels: panels(battle, state),
        score: victory::score(battle, state),
        tally: victory::tally(battle, state),
        combat: combat(battle, state),
    }
}

fn unit_piece(battle: &Battle, state: &State, id: BodyId, eyes: Option<Side>) -> Piece {
    let body = state.body(id);
    let info = battle.info(body);
    let side = info.side;
    let hidden =
        body.marks.has(Marks::HIDDEN) && !body.marks.has(Marks::SPOTTED) && eyes.is_some_and(|e| e != side);
    let layout = body.layout(battle);
    let extent = layout.extent();
    let bases = layout
        .rects()
        .iter()
        .map(|r| {
            let d = r.front - layout.pose.at.pt();
            let facing = layout.pose.facing.dir();
            let (right, front) = (facing.right().along(d), facing.along(d));
            [
                ((right - r.a) / MIL) as i32,
                (front / MIL) as i32,
                (2 * r.a / MIL) as i32,
                (2 * r.b / MIL) as i32,
            ]
        })
        .collect();
    let where_is = match body.place {
        Where::Table => place(body.pose),
        Where::Coming => Place::Box(format!("turn {}", info.arrival.map_or(0, |a| a.turn))),
        Where::Gone => Place::Box("removed".to_owned()),
        Where::Joined => Place::Box("rejoined".to_owned()),
        Where::Left => Place::Box("marched off".to_owned()),
    };
    let stands = body.stands(battle);
    let figure = |label: &str, value: String| Figure { label: label.to_owned(), value };
    let rating = |r: crate::tables::Rating| crate::tables::Rating::NAMES[r as usize].to_owned();
    let leader = battle.leaders.get(info.leader.i());
    Piece {
        id: piece(id),
        slug: battle.slug(id),
        side,
        name: if hidden { "a marker".to_owned() } else { battle.name(state, id) },
        byname: None,
        arm: if hidden { "marker".to_owned() } else { arm_word(battle, body) },
        band: leader.filter(|_| !hidden).map(|l| Band { label: l.name.clone(), index: info.leader.0 }),
        place: where_is,
        footprint: Some(Footprint {
            width: (extent.width / MIL) as i32,
            depth: (extent.depth / MIL) as i32,
            bases,
        }),
        big: if hidden { "?".to_owned() } else { stands.to_string() },
        small: if hidden {
            Vec::new()
        } else {
            vec![rating(info.morale), info.fire.map_or("-".to_owned(), rating), rating(info.melee)]
        },
        gauge: (!hidden).then(|| Gauge {
            whole: stands,
            hurt: 0,
            lost: body.strength - stands.min(body.strength),
        }),
        figures: if hidden {
            Vec::new()
        } else {
            vec![
                figure("formation", body.shape.formation.words().to_owned()),
                figure("hits", format!("{} + {} new", body.lost, body.fresh)),
                figure("weapon", info.weapon.name.clone()),
                figure(
                    "engaged / charge",
                    format!(
                        "{} / {}",
                        number(battle.rate(body).engaged / MIL),
                        number(battle.rate(body).charge / MIL)
                    ),
                ),
            ]
        },
        state: (body.order > Order::Good && !hidden).then(|| body.order.name().to_owned()),
        badges: if hidden { Vec::new() } else { badges(battle, state, id) },
        spent: body.marks.has(Marks::GONE_ABOUT.and(Marks::FIRED).and(Marks::FIRED_EARLY)),
        hidden,
        livery: None,
    }
}

fn arm_word(battle: &Battle, body: &Body) -> String {
    let word = match battle.arm(body) {
        _ if body.part == Part::Skirmishers => "skirmishers",
        crate::basics::Arm::Infantry => "infantry",
        crate::basics::Arm::Cavalry if body.marks.has(Marks::DISMOUNTED) => "dismounted",
        crate::basics::Arm::Cavalry => "cavalry",
        crate::basics::Arm::FootArtillery => "artillery",
        crate::basics::Arm::HorseArtillery => "horse-artillery",
    };
    word.to_owned()
}

fn badges(battle: &Battle, state: &State, id: BodyId) -> Vec<Badge> {
    let marks = state.body(id).marks;
    let list: [(Marks, &str, &str, Rule); 8] = [
        (Marks::PRONE, "prone", "prone", cite!("move.prone.a")),
        (Marks::HALT, "halt", "may only change facing", cite!("qrs.reaction.f")),
        (Marks::CAUTIOUS, "cautious", "half a move, no charge", cite!("qrs.reaction.g")),
        (Marks::HALVED, "halved", "half speed, half fire", cite!("charge.sequence.b")),
        (Marks::BARRED, "barred", "may not move this turn", cite!("morale.retreat.i")),
        (Marks::BOX, "box", "in a box", cite!("box.a")),
        (Marks::MOVED, "moved", "moved", cite!("qrs.smallarms.c")),
        (Marks::FIRED_EARLY, "fired", "has fired", cite!("fire.opportunity.b")),
    ];
    let mut out: Vec<Badge> = list
        .into_iter()
        .filter(|(m, ..)| marks.has(*m))
        .map(|(_, sign, title, rule)| Badge {
            sign: sign.to_owned(),
            title: title.to_owned(),
            rule: Some(rule),
        })
        .take(2)
        .collect();
    if out.len() < 2
        && state.body(id).on_table()
        && battle.commander_of(state, id).is_some()
        && !battle.in_command(state, id)
    {
        let title = "out of command".to_owned();
        out.push(Badge { sign: "out-of-command".to_owned(), title, rule: Some(cite!("command.range.d")) });
    }
    out
}

fn leader_face(battle: &Battle, state: &State, id: LeaderId, eyes: Option<Side>) -> Piece {
    let man = &state.leaders[id.i()];
    let info = &battle.leaders[id.i()];
    let own = eyes.is_none_or(|e| e == info.side);
    let mut badges = Vec::new();
    if own && battle.on.orders {
        badges.push(Badge {
            sign: format!("order-{}", man.order.name()),
            title: format!("order: {}", man.order.name()),
            rule: Some(cite!("orders.a")),
        });
    }
    Piece {
        id: leader_piece(id),
        slug: info.id.clone(),
        side: info.side,
        name: info.name.clone(),
        byname: None,
        arm: "leader".to_owned(),
        band: None,
        place: match (man.place, man.disabled) {
            (Where::Table, false) => Place::Pose { x: man.at.x, y: man.at.y, facing: 0 },
            (Where::Table, true) => Place::Box("out of action".to_owned()),
            _ => Place::Box("to come".to_owned()),
        },
        footprint: None,
        big: if info.overall { "C" } else { "S" }.to_owned(),
        small: Vec::new(),
        gauge: None,
        figures: vec![Figure { label: "personality".to_owned(), value: man.personality.name().to_owned() }],
        state: None,
        badges,
        spent: man.moved,
        hidden: false,
        livery: None,
    }
}

fn marks(battle: &Battle, state: &State, eyes: Option<Side>) -> Vec<Mark> {
    let mut out = Vec::new();
    for score in &battle.scores {
        let at = match &score.what {
            What::HoldPoint { at, .. } => *at,
            What::HoldArea { areas, .. } => {
                let Some(area) = areas.first() else { continue };
                let b = battle.areas[*area].area.bounds();
                b.lo.middle(b.hi)
            }
            _ => continue,
        };
        let spot = at.spot();
        out.push(Mark {
            kind: "objective".to_owned(),
            place: Place::Pose { x: spot.x, y: spot.y, facing: 0 },
            to: None,
            side: victory::holder(battle, state, &score.what),
            text: score.points.first.max(score.points.second).to_string(),
            title: score.name.clone(),
        });
    }
    for (i, area) in battle.areas.iter().enumerate().filter(|(_, a)| a.unseen.is_some()) {
        let revealed = i < 32 && state.revealed & (1 << i) != 0;
        if revealed || eyes.is_none() || eyes != battle.attacker {
            let b = area.area.bounds();
            let spot = b.lo.middle(b.hi).spot();
            out.push(Mark {
                kind: "terrain".to_owned(),
                place: Place::Pose { x: spot.x, y: spot.y, facing: 0 },
                to: None,
                side: None,
                text: String::new(),
                title: area.name.clone(),
            });
        }
    }
    for (i, man) in state.leaders.iter().enumerate() {
        let info = &battle.leaders[i];
        if !battle.on.orders
            || eyes.is_some_and(|e| e != info.side)
            || !man.leads()
            || !crate::orders::needs_order(battle, LeaderId(i as u8))
        {
            continue;
        }
        out.push(Mark {
            kind: "marker".to_owned(),
            place: Place::Pose { x: man.marker.x, y: man.marker.y, facing: 0 },
            to: None,
            side: Some(info.side),
            text: man.order.name()[..1].to_uppercase(),
            title: format!("{}: {}", info.name, man.order.name()),
        });
    }
    out
}

/// The charge under way, step by step.
fn panels(battle: &Battle, state: &State) -> Vec<Panel> {
    let mut out = Vec::new();
    if state.phase == Phase::Movement {
        out.push(Panel::Tokens {
            title: "BMUs a go (halves)".to_owned(),
            held: state.go.batch,
            pool: state.go.used,
        });
    }
    if state.charge.chargers.is_empty() {
        return out;
    }
    let names: [(&str, Rule); 6] = [
        ("Charger tests morale", cite!("seq.charge.b")),
        ("Target tests morale", cite!("charge.sequence.c")),
        ("Target reacts", cite!("seq.charge.d")),
        ("Defensive fire", cite!("seq.charge.e")),
        ("Charge home", cite!("seq.charge.f")),
        ("Pursuit", cite!("seq.charge.g")),
    ];
    let now = match state.agenda.top() {
        Some(Step::ChargerTests) => 0,
        Some(Step::TargetTest { .. }) => 1,
        Some(Step::React { .. }) => 2,
        Some(Step::Support | Step::ChargeFire | Step::AfterFire { .. }) => 3,
        Some(Step::Home { .. }) => 4,
        _ => 5,
    };
    let first = state.charge.chargers[0].line;
    let steps = names.iter().enumerate().map(|(i, (label, rule))| StepCell {
        label: (*label).to_owned(),
        state: match i.cmp(&now) {
            std::cmp::Ordering::Less => StepState::Done,
            std::cmp::Ordering::Equal => StepState::Now,
            std::cmp::Ordering::Greater => StepState::Ahead,
        },
        note: String::new(),
        rule: Some(*rule),
        side: None,
    });
    out.push(Panel::Steps {
        title: format!("{} charges {}", battle.name(state, first.by), battle.name(state, first.at)),
        steps: steps.collect(),
    });
    out
}

fn combat(battle: &Battle, state: &State) -> Option<Combat> {
    if !state.charge.chargers.is_empty() {
        let pieces: Vec<PieceId> =
            state.charge.chargers.iter().flat_map(|c| [piece(c.line.by), piece(c.line.at)]).collect();
        return Some(Combat { title: "Charge".to_owned(), pieces, fires: Vec::new() });
    }
    if state.volleys.is_empty() {
        return None;
    }
    let fires = state.volleys.iter().filter_map(|v| match v.at {
        Aim::Body(at) => Some(Fire {
            by: vec![piece(v.by)],
            at: vec![piece(at)],
            dice: v.stands.count_ones() as u8,
            test: None,
            modifiers: Vec::new(),
            considered: Vec::new(),
        }),
        _ => None,
    });
    let _ = battle;
    Some(Combat { title: "Fire".to_owned(), pieces: Vec::new(), fires: fires.collect() })
}

pub(crate) fn prompt(battle: &Battle, state: &State) -> Prompt {
    let side = decides(battle, state).unwrap_or(Side::First);
    let step = state.agenda.top().unwrap_or(Step::TurnEnd);
    let who = &battle.sides[side].name;
    let name = |id: BodyId| battle.name(state, id);
    let (sentence, rule) = match step {
        Step::Orders { .. } => (format!("{who} may issue orders."), cite!("orders.b")),
        Step::Reactions => {
            (format!("{who} picks the unit that tests its reaction."), cite!("seq.reaction.a"))
        }
        Step::Sight { .. } => (format!("{who} may look for markers."), cite!("sighting.b")),
        Step::Charges => (format!("{who} may declare a charge."), cite!("seq.charge.a")),
        Step::React { target } => {
            let id = state.charge.targets[usize::from(target)].body;
            (format!("{} is charged: how does it react?", name(id)), cite!("seq.charge.d"))
        }
        Step::Support => (format!("{who} may fire in support."), cite!("charge.sequence.d")),
        Step::Moves => {
            let left = (state.go.batch[side] - state.go.used.min(state.go.batch[side])) as i64 * 500;
            (format!("{who} may move {} BMUs in this go.", number(left)), cite!("move.initiative.b"))
        }
        Step::Interrupt => {
            let mover = state.march.unit.map_or(String::new(), name);
            (
                format!("{mover} moves: {who} may fire or charge at the opportunity."),
                cite!("fire.opportunity.a"),
            )
        }
        Step::Declare { moving, .. } => {
            let which = if moving { "units that moved" } else { "stationary units" };
            (format!("{who} declares the fire of its {which}."), cite!("seq.fire.a"))
        }
        Step::Melees => (format!("{who} picks the next melee."), cite!("seq.melee.a")),
        Step::Split { body } => {
            (format!("{} shares its dice among its enemies.", name(body)), cite!("melee.multiple.b"))
        }
        Step::AfterTest { body } => {
            (format!("{} has passed: stay, turn or withdraw?", name(body)), cite!("melee.withdraw.a"))
        }
        Step::PursuitChoice { by, .. } => {
            (format!("{} may pursue or hold.", name(by)), cite!("qrs.pursuit.a"))
        }
        Step::Reform { body } => {
            (format!("{} has rallied: in which formation?", name(body)), cite!("morale.rally.d"))
        }
        Step::Recover { .. } => (format!("{who} may try to recover stands."), cite!("morale.rally.e")),
        _ => ("The battle goes on.".to_owned(), cite!("qrs.sequence.a")),
    };
    Prompt {
        side,
        kind: sequence_name(step).to_owned(),
        sentence,
        detail: format!("Turn {}, {}.", state.turn, state.phase.title()),
        rule,
    }
}

pub(crate) fn offer(battle: &Battle, state: &State, action: &Action) -> Offer {
    let name = |id: BodyId| battle.name(state, id);
    let notation = write(battle, action);
    let make = |verb: &str, label: String| Offer::new(notation.clone(), verb, label);
    match action {
        Action::Pass => button(make("pass", "Done".to_owned())),
        Action::Wave => button(make("wave", "Let the move go by".to_owned())),
        Action::Order { leader, order, marker } => {
            let mut o = make("order", format!("{} to {}", battle.leaders[leader.i()].name, order.name()));
            o.piece = Some(leader_piece(*leader));
            o.place = Some(Place::Pose { x: marker.x, y: marker.y, facing: 0 });
            o.rolls = true;
            o.rule = Some(cite!("orders.b"));
            o
        }
        Action::Test(id) => {
            of(make("test", format!("{} tests", name(*id))), *id, cite!("qrs.reaction.a"), true)
        }
        Action::Blow(id) => {
            of(make("blow", format!("{} blow the gate", name(*id))), *id, cite!("fort.destroy.c"), true)
        }
        Action::Spot { by, at } => {
            at_target(of(make("spot", format!("{} looks", name(*by))), *by, cite!("sighting.b"), true), *at)
        }
        Action::Lead { leader, lead } => {
            let label = match lead {
                Lead::Ride(_) => "Ride there".to_owned(),
                Lead::Attach(id) => format!("Join {}", name(*id)),
            };
            let mut o = make("lead", label);
            o.piece = Some(leader_piece(*leader));
            o.place = Some(match lead {
                Lead::Ride(spot) => Place::Pose { x: spot.x, y: spot.y, facing: 0 },
                Lead::Attach(id) => place(state.body(*id).pose),
            });
            o.rule = Some(cite!("commander.functions.a"));
            o
        }
        Action::Charge(lines) => {
            let first = lines[0];
            let word = if lines.len() > 1 { "together" } else { "" };
            let mut o = of(
                make("charge", format!("Charge {} {word}", name(first.at))),
                first.by,
                cite!("charge.sequence.a"),
                true,
            );
            o.targets = lines.iter().map(|l| piece(l.at)).collect();
            if let Ok(way) = crate::charge::way(battle, state, &first) {
                o.place = Some(place(way.landing));
                o.path = vec![place(state.body(first.by).pose), place(way.landing)];
                o.cost = Some(number(way.d / MIL));
                if way.face != crate::state::Face::Front {
                    o.notes.push(note("Strikes a flank or the rear", cite!("qrs.chargehome.l")));
                }
            }
            o
        }
        Action::Dash(line) => at_target(
            of(make("dash", format!("Charge {}", name(line.at))), line.by, cite!("oppcharge.a"), true),
            line.at,
        ),
        Action::React { reaction, fires_at } => {
            let label = match reaction {
                Reaction::None | Reaction::Stand => "Stand and fire",
                Reaction::Retire { .. } => "Fire and retire",
                Reaction::Counter => "Countercharge",
                Reaction::Face => "Face",
                Reaction::Square => "Form square",
            };
            let mut o = make("react", label.to_owned());
            o.rolls = true;
            o.rule = Some(cite!("charge.defender.c"));
            o.targets = state
                .charge
                .chargers
                .get(usize::from(*fires_at))
                .map(|c| piece(c.line.by))
                .into_iter()
                .collect();
            o
        }
        Action::Support { by, at } => {
            let target = state.charge.chargers.get(usize::from(*at)).map(|c| c.line.by);
            let o = of(
                make("support", format!("{} fires in support", name(*by))),
                *by,
                cite!("charge.sequence.d"),
                false,
            );
            target.map_or(o.clone(), |t| at_target(o, t))
        }
        Action::Move { unit, legs } => move_offer(battle, state, *unit, legs, make("move", legs_label(legs))),
        Action::Snap { by, .. } => {
            let o = of(make("snap", format!("{} fires", name(*by))), *by, cite!("fire.opportunity.a"), true);
            state.march.unit.map_or(o.clone(), |m| at_target(o, m))
        }
        Action::Fire(volley) => match volley.at {
            Aim::Body(at) => {
                let shrapnel = if volley.shrapnel { " with shrapnel" } else { "" };
                let stands = volley.stands.count_ones();
                let label = format!("{} fires at {}, {stands} stands{shrapnel}", name(volley.by), name(at));
                at_target(of(make("fire", label), volley.by, cite!("fire.procedure.a"), false), at)
            }
            Aim::Leader(leader) => {
                let label = format!("{} snipes at {}", name(volley.by), battle.leaders[leader.i()].name);
                let mut o = of(make("snipe", label), volley.by, cite!("leader-loss.b"), false);
                o.targets = vec![leader_piece(leader)];
                o
            }
            Aim::Wall { .. } => {
                of(make("batter", "Fire at the gate".to_owned()), volley.by, cite!("fort.destroy.a"), false)
            }
        },
        Action::Fight(id) => {
            of(make("melee", format!("Fight the melee of {}", name(*id))), *id, cite!("seq.melee.a"), true)
        }
        Action::Split(shares) => {
            let label: Vec<String> = shares.iter().map(|s| format!("{} at {}", s.dice, name(s.at))).collect();
            let mut o = make("split", label.join(", "));
            o.shares = shares
                .iter()
                .map(|s| game::board::Share { by: piece(s.by), at: piece(s.at), amount: s.dice })
                .collect();
            o.rule = Some(cite!("melee.multiple.b"));
            o
        }
        Action::Stay => button(make("stay", "Stay".to_owned())),
        Action::Turn => make("turn", "Turn to face".to_owned()),
        Action::Withdraw => make("withdraw", "Withdraw Suppressed".to_owned()),
        Action::Pursue => make("pursue", "Pursue".to_owned()),
        Action::Hold => button(make("hold", "Hold".to_owned())),
        Action::Reform { formation, .. } => make("reform", format!("Form {}", formation.words())),
        Action::Recover(id) => {
            of(make("recover", format!("{} recovers stands", name(*id))), *id, cite!("morale.rally.e"), true)
        }
        Action::Leave(id) => {
            of(make("leave", format!("{} marches off", name(*id))), *id, cite!("seq.move.b"), false)
        }
    }
}

fn button(mut offer: Offer) -> Offer {
    offer.button = true;
    offer
}

fn of(mut offer: Offer, id: BodyId, rule: Rule, rolls: bool) -> Offer {
    offer.piece = Some(piece(id));
    offer.rule = Some(rule);
    offer.rolls = rolls;
    offer
}

fn at_target(mut offer: Offer, at: BodyId) -> Offer {
    offer.targets = vec![piece(at)];
    offer
}

fn note(text: &str, rule: Rule) -> OfferNote {
    OfferNote { text: text.to_owned(), warning: false, stop: false, rule: Some(rule) }
}

fn legs_label(legs: &[Leg]) -> String {
    let word = |leg: &Leg| match leg {
        Leg::Ahead { length, .. } => format!("move {} in", number(i64::from(*length))),
        Leg::Wheel { turn } | Leg::WheelBack { turn } => format!("wheel {}", number(i64::from(*turn) * 10)),
        Leg::Face { turn } => format!("face {}", number(i64::from(*turn) * 10)),
        Leg::Form { formation, .. } => format!("form {}", formation.words()),
        Leg::Sidle { length, .. } => format!("step aside {} in", number(i64::from(*length))),
        Leg::Slew { turn } => format!("turn the guns {}", number(i64::from(*turn) * 10)),
        Leg::Prone => "lie down".to_owned(),
        Leg::Up => "stand up".to_owned(),
        Leg::Dismount => "dismount".to_owned(),
        Leg::Mount => "mount".to_owned(),
        Leg::Hide => "hide".to_owned(),
        Leg::Detach { .. } => "send out skirmishers".to_owned(),
        Leg::Rejoin => "rejoin".to_owned(),
        Leg::Box => "form a box".to_owned(),
        Leg::Unbox => "leave the box".to_owned(),
    };
    let all: Vec<String> = legs.iter().map(word).collect();
    let mut label = all.join(", ");
    if let Some(first) = label.get_mut(0..1) {
        first.make_ascii_uppercase();
    }
    label
}

fn move_offer(battle: &Battle, state: &State, unit: BodyId, legs: &[Leg], mut offer: Offer) -> Offer {
    offer.piece = Some(piece(unit));
    offer.rule = Some(cite!("move.range.b"));
    if let Ok(outcome) = movement::plan(battle, state, unit, legs) {
        offer.place = Some(place(outcome.layout.pose));
        offer.path = vec![place(state.body(unit).pose), place(outcome.layout.pose)];
        offer.cost = Some(format!("{}%", outcome.spent * 100 / movement::WHOLE));
        if outcome.passed != 0 {
            offer.notes.push(note("Passes through friends: neither fires", cite!("move.penetration.c")));
        }
    }
    offer
}

pub(crate) fn overlay(battle: &Battle, state: &State, ask: &Ask) -> Overlay {
    let mut overlay = Overlay::default();
    let Some(PieceId(n)) = ask.piece else { return overlay };
    if n >= 100 {
        let Some(man) = state.leaders.get(usize::from(n - 100)) else { return overlay };
        overlay.shapes.push(circle(man.at.pt(), battle.command_range(), "command", "command range"));
        overlay.shapes.push(circle(man.at.pt(), 2 * battle.command_range(), "command", "orders"));
        overlay.note = "Command range, and twice that for orders.".to_owned();
        return overlay;
    }
    let Some(body) = state.bodies.get(usize::from(n)) else { return overlay };
    let layout = body.layout(battle);
    let info = battle.info(body);
    let hidden = body.marks.has(Marks::HIDDEN) && ask.side.is_some_and(|s| s != info.side);
    if hidden || !body.on_table() {
        return overlay;
    }
    match ask.overlay.as_str() {
        "arcs" => {
            let half = if info.weapon.kind.is_artillery() { 3000 } else { 4500 };
            for (range, name) in info.weapon.ranges.iter().zip(["short", "medium", "long", "extreme"]) {
                overlay.shapes.push(sector(layout.pose, layout.extent().width, *range, half, "arc", name));
            }
            overlay.note = format!("{}: short, medium, long, extreme.", info.weapon.name);
        }
        "reach" => {
            let rate = battle.rate(body);
            overlay.shapes.push(sector(
                layout.pose,
                layout.extent().width,
                rate.engaged,
                4500,
                "reach",
                "engaged",
            ));
            overlay.shapes.push(sector(
                layout.pose,
                layout.extent().width,
                rate.charge,
                4500,
                "reach",
                "charge",
            ));
            overlay.note = "Engaged and Charge rate within the arc, on clear ground.".to_owned();
        }
        _ => {
            let at = battle.commander_of(state, BodyId(n as u8)).map(|l| state.leaders[l.i()].at.pt());
            overlay.shapes.extend(at.map(|p| circle(p, battle.command_range(), "command", "command range")));
            overlay.note = "The command range of its sub-commander.".to_owned();
        }
    }
    overlay
}

fn circle(at: Pt, radius: i64, tag: &str, text: &str) -> OverlayShape {
    let points = (0..48)
        .map(|i| {
            let p = (at + table::Angle::hundredths(i * 750).dir().times(radius)).spot();
            [p.x, p.y]
        })
        .collect();
    OverlayShape { points, tag: tag.to_owned(), text: text.to_owned() }
}

/// The ground ahead of a front: from its left corner round to its right corner.
fn sector(pose: Pose, width: i64, range: i64, half: i32, tag: &str, text: &str) -> OverlayShape {
    let at = pose.at.pt();
    let right = pose.facing.dir().right();
    let (l, r) = (at - right.times(width / 2), at + right.times(width / 2));
    let mut points = vec![l];
    points.extend((0..=6).map(|i| l + pose.facing.turned(-half + half * i / 6).dir().times(range)));
    points.extend((0..=6).map(|i| r + pose.facing.turned(half * i / 6).dir().times(range)));
    points.push(r);
    let points = points.into_iter().map(|p| p.spot()).map(|s| [s.x, s.y]).collect();
    OverlayShape { points, tag: tag.to_owned(), text: text.to_owned() }
}

/// How good a position looks: points, strength, order, and being where one can fight.
pub(crate) fn worth(battle: &Battle, state: &State, side: Side) -> i32 {
    let score = victory::score(battle, state);
    let mut total = 60 * (score[side] - score[side.enemy()]);
    if let Some(outcome) = state.over {
        total += match outcome {
            game::Outcome::Won(s) if s == side => 20_000,
            game::Outcome::Won(_) => -20_000,
            game::Outcome::Drawn => 0,
        };
    }
    for (id, body) in state.on_table() {
        let sign = if battle.side(body) == side { 1 } else { -1 };
        let stand = 100 / i32::from(battle.arm(body).hits_a_stand());
        let hits = i32::from(body.lost) + i32::from(body.fresh);
        let mut value = 100 * i32::from(body.strength) - stand * hits + 60;
        value -= match body.order {
            Order::Good => 0,
            Order::Suppressed => 25,
            Order::Shaken => 160,
            Order::Routed => 320,
        };
        value -= i32::from(body.shape.formation == Formation::MarchColumn && battle.engaged(state, id)) * 120;
        total += sign * value;
        if sign == 1 && !body.order.broken() {
            total += eagerness(battle, state, id);
        }
    }
    total
}

/// Nearer to the objective and to a good range is a little better.
fn eagerness(battle: &Battle, state: &State, id: BodyId) -> i32 {
    let body = state.body(id);
    let layout = body.layout(battle);
    let centre = layout.centre();
    let mut value = 0;
    for score in &battle.scores {
        if score.points[battle.side(body)] == 0 {
            continue;
        }
        let goal = match &score.what {
            What::HoldPoint { at, .. } => *at,
            What::HoldArea { areas, .. } => {
                let Some(area) = areas.first() else { continue };
                let b = battle.areas[*area].area.bounds();
                b.lo.middle(b.hi)
            }
            _ => continue,
        };
        if !battle.arm(body).is_artillery() {
            value -= (goal.to(centre) / INCH).min(40) as i32;
        }
    }
    if let Some((enemy, distance)) = battle.nearest_enemy(state, battle.side(body), &layout) {
        let medium = battle.info(body).weapon.ranges[1].max(2 * INCH);
        let over = ((distance - medium) / INCH).max(0) as i32;
        value -= over.min(30);
        let turn = layout
            .pose
            .facing
            .turn_to(table::Angle::of(state.body(enemy).layout(battle).centre() - centre))
            .abs();
        value -= (turn - 4500).max(0) / 450;
    }
    value
}

/// Fire and charges first, then moves.
pub(crate) fn promise(battle: &Battle, state: &State, action: &Action) -> i32 {
    let _ = (battle, state);
    match action {
        Action::Fire(v) => match v.at {
            Aim::Leader(_) => 20,
            _ => 15 * v.stands.count_ones() as i32,
        },
        Action::Support { .. } => 30,
        Action::Snap { stands, .. } => 4 * stands.count_ones() as i32,
        _ => 0,
    }
}
