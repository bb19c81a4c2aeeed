//! What the board draws: the table, the blocks of bases, the phases, the charge under way.

use game::board::{
    Badge, Band, Board, Chart, Figure, Footprint, Gauge, Ground as Surface, HouseRule, Mark, OverlayName,
    OverlayOf, Panel, Piece, Place, SideFace, StepCell, StepState, TableGround, TallyRow, TerrainPiece,
    TrackCell, View,
};
use game::words::{capital, signed, the};
use game::{BySide, Side};
use table::{MIL, Spot};

use crate::at::At;
use crate::field::Field;
use crate::rules::charges::ChargeStep;
use crate::rules::charts::{bases, footprint, stat};
use crate::rules::end::Tally;
use crate::rules::formations::{Arm, Formation};
use crate::rules::sequence::Step;
use crate::rules::shooting::shooting_rows;
use crate::rules::terrain::{Blocks, Going};
use crate::setup::battle::Battle;
use crate::setup::ground::Feature;
use crate::setup::pieces::{CommanderId, Roster, UnitId, piece, place_of};
use crate::state::{Flags, Phase, State, Whereabouts};

fn points(spots: &[Spot]) -> Vec<[i32; 2]> {
    spots.iter().map(|p| [p.x, p.y]).collect()
}

impl Battle {
    pub(crate) fn board(&self) -> Board {
        let face = |side: Side| {
            let army = &self.armies[side];
            SideFace::new(&army.id, &army.name, &army.livery)
        };
        let overlay = |id: &str, name: &str| OverlayName::new(id, name, OverlayOf::Piece);
        let ground = Surface::Table(TableGround {
            width: (self.top.width / MIL) as i32,
            depth: (self.top.height / MIL) as i32,
            terrain: self.terrain.iter().map(terrain_piece).collect(),
        });
        Board {
            charts: charts(),
            options: self.options.iter().map(house_rule).collect(),
            overlays: vec![
                overlay("moves", "Where a unit can go"),
                overlay("arcs", "Arcs of a unit"),
                overlay("sight", "What a unit sees"),
                overlay("range", "Ranges of a unit"),
                overlay("command", "Command radius"),
                overlay("reach", "Reach of a charge"),
            ],
            ..Board::new("This Hallowed Ground", &self.head, BySide::from_fn(face), ground)
        }
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

fn terrain_piece(f: &Feature) -> TerrainPiece {
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
        closed: f.width.is_none(),
        width: f.width.unwrap_or(0) as i32,
        says,
    }
}

/// A row of the chart of units: `infantry line`.
pub(crate) fn chart_row(arm: Arm, formation: Formation) -> String {
    format!("{} {}", arm.word(), formation.word()).replace('_', " ")
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
                chart_row(arm, *f),
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
            title: "Shooting: each die needs 3 or more".into(),
            columns: words(&["what is added to the die", ""]),
            rows: shooting_rows()
                .into_iter()
                .map(|(reason, value)| vec![reason.into(), signed(value)])
                .collect(),
            rule: Some(cite!("8.4.a")),
            note: "Never better than 2; past 6 it is half the dice, and sixes.".into(),
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

impl At<'_> {
    pub(crate) fn view(self) -> View {
        let field = self.field();
        let mut pieces: Vec<Piece> = self.battle.all_units().map(|u| field.unit_piece(u)).collect();
        pieces.extend(self.battle.all_officers().map(|c| field.commander_view(c)));
        let score = self.score();
        View {
            pieces,
            marks: field.marks(),
            track: self.track(),
            phases: self.state.phase_cells(),
            panels: field.panels(),
            score,
            tally: self.tally_rows(),
            combat: field.combat(),
        }
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

pub(crate) fn block(arm: Arm, formation: Formation) -> Footprint {
    let size = footprint(arm, formation);
    let tenths = |t: i64| (table::mm(t) / MIL) as i32;
    Footprint {
        width: (size.width / MIL) as i32,
        depth: (size.depth / MIL) as i32,
        bases: bases(arm, formation).iter().map(|b| b.map(tenths)).collect(),
    }
}

impl Field<'_> {
    fn unit_piece(&self, u: UnitId) -> Piece {
        let (battle, state) = (self.battle, self.state);
        let (roster, unit) = (battle.unit(u), state.unit(u));
        let stat = self.stat(u);
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
            place: box_of(unit.place).unwrap_or_else(|| place_of(unit.pose)),
            footprint: Some(block(roster.arm, unit.formation)),
            big: shooting_dice(stat.shooting[0], unit.shaken).to_string(),
            small: vec![format!("{}", stat.rate)],
            gauge: Some(Gauge {
                whole: break_at.saturating_sub(unit.hits),
                hurt: 0,
                lost: unit.hits.min(break_at),
            }),
            figures: vec![
                figure("formation", unit.formation.word().replace('_', " ")),
                figure("hits", format!("{} (Shaken from {shaken_at}, Broken from {break_at})", unit.hits)),
                figure("move", format!("{} in", stat.rate)),
                figure("shooting dice", stat.shooting[0].to_string()),
                figure("melee dice", stat.melee.to_string()),
                figure("special rules", special_words(roster)),
                figure("men", roster.men.clone()),
            ],
            state: (state.on_table(u) && unit.shaken).then(|| "shaken".to_owned()),
            badges,
            spent: unit.flags.has(Flags::ORDERED) && state.phase == Phase::Command,
            hidden: false,
            livery: None,
        }
    }
}

/// A Shaken unit shoots with half its dice.
const fn shooting_dice(full: u8, shaken: bool) -> u8 {
    if shaken { full.div_ceil(2) } else { full }
}

fn special_words(roster: &Roster) -> String {
    let words: Vec<String> = roster.specials.words().map(capital).collect();
    if words.is_empty() { "none".into() } else { words.join(", ") }
}

impl Field<'_> {
    fn commander_view(&self, c: CommanderId) -> Piece {
        let (battle, state) = (self.battle, self.state);
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
            id: battle.commander_piece(c),
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

    fn marks(&self) -> Vec<Mark> {
        let objectives = self.battle.objectives.iter().map(|o| {
            let worth = o.points.first.max(o.points.second);
            Mark {
                kind: "objective".into(),
                place: Place::Pose { x: o.at.x, y: o.at.y, facing: 0 },
                to: None,
                side: self.holder(o),
                text: worth.to_string(),
                title: format!(
                    "{}: {} for {}, {} for {}",
                    o.name,
                    o.points.first,
                    the(&self.battle.armies.first.name),
                    o.points.second,
                    the(&self.battle.armies.second.name)
                ),
            }
        });
        objectives.collect()
    }
}

impl At<'_> {
    fn track(self) -> Vec<TrackCell> {
        (1..=self.battle.turns)
            .map(|turn| TrackCell {
                label: turn.to_string(),
                sub: String::new(),
                side: (turn == self.state.turn).then_some(self.state.active),
                now: turn == self.state.turn,
                past: turn < self.state.turn,
                night: false,
                flag: self.battle.units.iter().any(|u| u.arrival.is_some_and(|a| a.turn == turn)),
                check: turn == self.battle.turns,
            })
            .collect()
    }
}

impl State {
    fn phase_cells(&self) -> Vec<StepCell> {
        let names = [
            (Phase::Command, "Command", cite!("5.a")),
            (Phase::Shooting, "Shooting", cite!("8.a")),
            (Phase::Melee, "Melee", cite!("9.a")),
            (Phase::End, "End", cite!("10.1.a")),
        ];
        let at = names.iter().position(|(p, _, _)| *p == self.phase);
        let row = |(i, (_, label, rule)): (usize, &(Phase, &str, game::Rule))| StepCell {
            label: (*label).to_owned(),
            state: match at {
                Some(now) if i < now => StepState::Done,
                Some(now) if i == now => StepState::Now,
                _ => StepState::Ahead,
            },
            note: String::new(),
            rule: Some(*rule),
            side: Some(self.active),
        };
        names.iter().enumerate().map(row).collect()
    }
}

impl Field<'_> {
    /// The charge under way in its steps.
    fn panels(&self) -> Vec<Panel> {
        let Some(charge) = &self.state.charge else { return Vec::new() };
        let Some(Step::Charge(now)) =
            self.state.agenda.iter().rev().find(|s| matches!(s, Step::Charge(_))).copied()
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
            (
                "Orders test",
                "With hits: 2D6 and modifiers must beat them. Without, it obeys.",
                cite!("7.2.a"),
            ),
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
            side: Some(charge.side(self.battle)),
        });
        vec![Panel::Steps {
            title: format!("Charge at {}", self.battle.unit(charge.target).name),
            steps: steps.collect(),
        }]
    }
}

impl At<'_> {
    fn tally_rows(self) -> Vec<TallyRow> {
        let both = BySide::from_fn(|side| self.tally(side));
        let row = |what: &str, points: fn(&Tally) -> i32, rule: Option<game::Rule>| TallyRow {
            what: what.into(),
            points: BySide { first: points(&both.first), second: points(&both.second) },
            rule,
        };
        let mut rows = vec![
            row("Broken infantry and cavalry", |t| t.troops, Some(cite!("10.2.b"))),
            row("Broken artillery", |t| t.guns, Some(cite!("10.2.c"))),
            row("Shaken units", |t| t.shaken, Some(cite!("10.2.d"))),
            row("Objectives", |t| t.objectives, Some(cite!("10.2.e"))),
        ];
        // What the scenario gives: points at the start, and for going second.
        let start = BySide::from_fn(|side| self.battle.armies[side].points_at_start);
        let second = BySide::from_fn(|side| both[side].scenario - start[side]);
        let given = [
            ("At the start, by the scenario", start, cite!("scenario.e")),
            ("For going second", second, cite!("scenario.f")),
        ];
        for (what, points, rule) in given {
            if points.first != 0 || points.second != 0 {
                rows.push(TallyRow { what: what.into(), points, rule: Some(rule) });
            }
        }
        rows
    }
}
