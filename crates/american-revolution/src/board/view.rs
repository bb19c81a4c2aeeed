//! The board once, and the view at each moment: pieces, marks, track, panels.

use game::board::{
    Badge, Board, Combat, Figure, Fire, Gauge, Ground as BoardGround, HexFace, HexGround, HouseRule,
    LadderBand, Mark, OverlayName, OverlayOf, Panel, Piece as PieceFace, SideFace, SideOfHex, StepCell,
    StepState, TallyRow, TrackCell, View,
};
use game::words::{does, signed};
use game::{BySide, Eyes, Modifier, PieceId, Place, Side};
use hexmap::Hex;

use crate::at::At;
use crate::board::charts::matrix_heads;
use crate::rules::close_combat::Column;
use crate::rules::sequence::{self, Step};
use crate::rules::tactics::Tactic;
use crate::setup::battle::{Arm, Battle, LeaderSheet, Start};
use crate::setup::ground::Water;
use crate::setup::pieces::{Piece, Pieces};
use crate::state::{Order, Phase, Spot, State};

impl Battle {
    pub(crate) fn place(&self, hex: Hex) -> Place {
        Place::Hex(self.hex_name(hex))
    }
}

/// What stays the same through the battle: sides, ground, charts, house rules.
pub(crate) fn board(battle: &Battle) -> Board {
    let sides = BySide::from_fn(|side| {
        let army = &battle.armies[side];
        SideFace::new(&army.id, &army.name, &army.livery)
    });
    let ground = BoardGround::Hexes(hex_ground(battle));
    Board {
        charts: battle.charts.printed(),
        options: house_rules(battle),
        overlays: vec![
            OverlayName::new("zones", "Zones of control", OverlayOf::Board),
            OverlayName::new("reach", "Where it can march", OverlayOf::Piece),
            OverlayName::new("sight", "What guns see from here", OverlayOf::Place),
        ],
        ..Board::new("Battles of the American Revolution", &battle.head, sides, ground)
    }
}

fn house_rules(battle: &Battle) -> Vec<HouseRule> {
    let mut rules = vec![
        HouseRule {
            id: "limited_intelligence".into(),
            name: "Limited intelligence".into(),
            says: "Enemy stacks may be examined only when they are fired on or attacked.".into(),
            on: battle.house.limited_intelligence,
            rule: Some(cite!("7.42.a")),
        },
        HouseRule {
            id: "illegal_tactics".into(),
            name: "Any tactic may be tried".into(),
            says: "A card that is not eligible may be played; it helps the opponent by one.".into(),
            on: battle.house.illegal_tactics,
            rule: Some(cite!("12.55.a")),
        },
    ];
    if let Some(grape) = battle.special.grape {
        rules.push(HouseRule {
            id: "grape".into(),
            name: "Grape".into(),
            says: format!(
                "Once, where an attack of theirs stalls within {} hexes, {} may fire into the melee and hit friend and foe alike.",
                grape.within,
                battle.counter(grape.gun).name
            ),
            on: battle.house.grape,
            rule: Some(cite!("guilford-court-house.j")),
        });
    }
    rules
}

fn hex_ground(battle: &Battle) -> HexGround {
    let ground = &battle.ground;
    let grid = &ground.grid;
    let name = |hex: Hex| ground.names.iter().find(|(h, _)| *h == hex).map(|(_, n)| n.clone());
    let sides = grid.sides().filter_map(|side| {
        let (a, b) = grid.hexes_of(side);
        let b = b?;
        if !ground.on_map.contains(a) || !ground.on_map.contains(b) {
            return None;
        }
        let edge = ground.edges[side.index()];
        let mut features: Vec<String> = Vec::new();
        match edge.water {
            Water::None => {}
            Water::Creek => features.push("stream".into()),
            Water::Ford => features.extend(["stream".into(), "ford".into()]),
            Water::Bridge => features.extend(["stream".into(), "bridge".into()]),
            Water::River => features.push("river".into()),
        }
        if edge.road {
            features.push("road".into());
        }
        // A slope rises, and works shelter, into the first hex named.
        let (mut a, mut b) = (a, b);
        if edge.high.or(edge.works) == Some(b) {
            (a, b) = (b, a);
        }
        if edge.high.is_some() {
            features.push("slope".into());
        }
        if edge.works.is_some() {
            features.push("works".into());
        }
        (!features.is_empty()).then(|| SideOfHex {
            a: battle.hex_name(a),
            b: Some(battle.hex_name(b)),
            features,
        })
    });
    HexGround {
        cols: grid.columns(),
        rows: grid.rows(),
        even_low: grid.even_columns() == hexmap::EvenColumns::Lower,
        hex_yards: battle.hex_yards,
        inset: battle.inset,
        survey: battle.survey.clone(),
        hexes: ground
            .on_map
            .iter()
            .map(|hex| HexFace {
                hex: battle.hex_name(hex),
                terrain: ground.terrain[hex.index()].name().replace('_', "-"),
                level: i8::from(ground.hill.contains(hex)),
                name: name(hex),
            })
            .collect(),
        sides: sides.collect(),
    }
}

impl At<'_> {
    /// The position as these eyes see it.
    pub(crate) fn view(self, eyes: Eyes) -> View {
        let mut unknown = Pieces::NONE;
        for side in Side::BOTH.into_iter().filter(|side| !eyes.see(side.enemy())) {
            unknown |= self.unknown(side);
        }
        let shown = (0..self.battle.counters.len())
            .map(|i| Piece(i as u8))
            .filter(|p| self.state.at[p.index()] != Spot::HIDDEN);
        View {
            pieces: shown.map(|p| self.piece_view(p, unknown.has(p))).collect(),
            marks: self.mark_views(),
            track: self.turn_track(),
            phases: self.state.phase_cells(),
            panels: self.panels(eyes),
            score: self.score(),
            tally: self.tally_rows(),
            combat: self.combat_view(),
        }
    }

    fn where_is(self, p: Piece) -> Place {
        match self.state.at[p.index()] {
            Spot::TO_COME => match self.counter(p).start {
                Start::Enters(turn, hex) => {
                    Place::Box(format!("turn {turn} at {}", self.battle.hex_name(hex)))
                }
                Start::At(_) => Place::Box("to come".into()),
            },
            Spot::ELIMINATED => Place::Box("eliminated".into()),
            Spot::CAPTURED => Place::Box("captured".into()),
            Spot::GONE => Place::Box("gone".into()),
            spot => spot.hex().map_or(Place::Box("gone".into()), |hex| self.battle.place(hex)),
        }
    }

    fn piece_view(self, p: Piece, hidden: bool) -> PieceFace {
        if hidden {
            return self.hidden_stack(p);
        }
        let counter = self.counter(p);
        let front = match counter.leader {
            Some(sheet) => leader_front(sheet, counter.allowance),
            None => self.unit_front(p),
        };
        PieceFace {
            id: p.id(),
            slug: counter.id.clone(),
            side: counter.side,
            name: counter.name.clone(),
            byname: counter.byname.clone(),
            arm: arm(self.battle, p).into(),
            band: None,
            place: self.where_is(p),
            footprint: None,
            big: front.big,
            small: front.small,
            gauge: front.gauge,
            figures: front.figures,
            state: match self.state.order(p) {
                Order::Parade => None,
                Order::Disrupted => Some("disrupted".into()),
                Order::Shattered => Some("shattered".into()),
            },
            badges: self.badges(p),
            spent: self.state.phase == Phase::Movement && self.state.moved.has(p),
            hidden: false,
            livery: counter.nation.clone(),
        }
    }

    /// A stack that may not be examined: one nameless piece.
    fn hidden_stack(self, p: Piece) -> PieceFace {
        PieceFace {
            id: p.id(),
            slug: String::new(),
            side: self.side(p),
            name: "A stack".into(),
            byname: None,
            arm: "stack".into(),
            band: None,
            place: self.where_is(p),
            footprint: None,
            big: "?".into(),
            small: Vec::new(),
            gauge: None,
            figures: Vec::new(),
            state: None,
            badges: Vec::new(),
            spent: false,
            hidden: true,
            livery: None,
        }
    }

    fn unit_front(self, p: Piece) -> Front {
        let (sp, steps, counter) = (self.strength(p), self.steps(p), self.counter(p));
        let morale = signed(self.base_morale(p));
        let mut figures = vec![
            figure("strength", sp.to_string()),
            figure("morale", morale.clone()),
            figure("with army morale", signed(self.modified_morale(p))),
            figure("movement", counter.allowance.to_string()),
            figure("steps", steps.to_string()),
        ];
        if self.battle.roles.rifles.has(p) {
            figures.push(figure("rifle fire", self.fire_strength(p).to_string()));
        }
        Front {
            big: sp.to_string(),
            small: vec![morale, counter.allowance.to_string()],
            figures,
            gauge: Some(Gauge { whole: steps, hurt: 0, lost: counter.steps - steps }),
        }
    }

    fn badges(self, p: Piece) -> Vec<Badge> {
        let badge = |sign: &str, title: &str, rule| Badge {
            sign: sign.into(),
            title: title.into(),
            rule: Some(rule),
        };
        let mut out = Vec::new();
        if self.state.is_pinned(p) {
            out.push(badge("pinned", "Pinned", cite!("13.1.p")));
        }
        if self.state.withdrawn.has(p) {
            out.push(badge(
                "withdrawn",
                "Has withdrawn: may not move, attack or withdraw again",
                cite!("12.42.a"),
            ));
        }
        if self.state.unfired.has(p) && self.battle.roles.rifles.has(p) {
            out.push(badge("first-fire", "First fire to come", cite!("10.5.a")));
        }
        out.truncate(2);
        out
    }

    fn mark_views(self) -> Vec<Mark> {
        let mut out = Vec::new();
        for (i, objective) in self.battle.objectives.iter().enumerate() {
            let holder = Side::BOTH.into_iter().find(|&s| self.state.held[s] >> i & 1 == 1);
            out.push(Mark {
                kind: "objective".into(),
                place: self.battle.place(objective.hex),
                to: None,
                side: holder,
                text: format!("{}/{}", objective.vp.first, objective.vp.second),
                title: objective.name.clone(),
            });
        }
        for attack in &self.state.attacks {
            for unit in attack.attackers {
                let (Some(from), Some(to)) = (self.hex(unit), self.state.known_by(attack)) else {
                    continue;
                };
                let column = self.odds(attack.attackers, attack.defenders);
                out.push(Mark {
                    kind: "attack".into(),
                    place: self.battle.place(from),
                    to: Some(self.battle.place(to)),
                    side: Some(self.state.phasing),
                    text: column.name().into(),
                    title: does(&self.counter(unit).name, "attacks"),
                });
            }
        }
        if let Some(hex) = self.state.diverted.first().and_then(|u| self.hex(u)) {
            out.push(Mark {
                kind: "marker".into(),
                place: self.battle.place(hex),
                to: None,
                side: Some(!self.state.phasing),
                text: "Diversion".into(),
                title: "Receives the diversion".into(),
            });
        }
        out
    }

    fn turn_track(self) -> Vec<TrackCell> {
        (1..=self.battle.turns)
            .map(|turn| TrackCell {
                label: turn.to_string(),
                sub: self.battle.labels.get(usize::from(turn) - 1).cloned().unwrap_or_default(),
                side: (turn == self.state.turn).then_some(self.state.phasing),
                now: turn == self.state.turn,
                past: turn < self.state.turn,
                night: self.battle.is_dusk(turn),
                flag: self
                    .battle
                    .counters
                    .iter()
                    .any(|c| matches!(c.start, Start::Enters(t, _) if t == turn)),
                check: turn == self.battle.turns,
            })
            .collect()
    }

    fn panels(self, eyes: Eyes) -> Vec<Panel> {
        let track = &self.battle.charts.track;
        let band = |from: i8, name: &str, says: &str| LadderBand {
            from: from.into(),
            name: name.into(),
            says: says.into(),
        };
        let mut out = vec![
            Panel::Ladder {
                title: "Army morale".into(),
                top: track.top.into(),
                bands: vec![
                    band(track.high, "High", "initiative +1"),
                    band(track.fatigued, "Fatigued", "unit morale -1"),
                    band(track.wavering, "Wavering", "initiative -1, unit morale -2"),
                    band(track.demoralized, "Demoralized", "the battle is lost"),
                ],
                at: self.state.morale.map(i32::from),
            },
            Panel::Tokens { title: "Momentum".into(), held: self.state.chits, pool: self.pool() },
        ];
        if matches!(self.state.agenda.top(), Some(Step::Designating)) && eyes.see(self.state.phasing) {
            out.push(self.duty_panel());
        }
        if self.state.agenda.iter().any(|s| matches!(s, Step::Reveal))
            && self.state.fight.lead[!self.state.phasing].is_some()
        {
            for side in Side::BOTH {
                if eyes.see(side) {
                    out.push(self.card_panel(side));
                }
            }
        }
        if let (Some(a), Some(d)) =
            (self.state.fight.tactic[self.state.phasing], self.state.fight.tactic[!self.state.phasing])
            && !self.state.agenda.iter().any(|s| matches!(s, Step::Reveal))
        {
            out.push(lit_matrix(self.battle, a, d));
        }
        out.extend(self.close_combat_ladder());
        out
    }

    /// What is still to be announced, with its rule.
    fn duty_panel(self) -> Panel {
        let (units, hexes) = self.unmet_duties();
        let unit_rows = units
            .map(|u| vec![self.counter(u).name.clone(), "must attack".into(), cite!("12.12.a").to_string()]);
        let hex_rows = hexes.into_iter().map(|h| {
            vec![self.battle.hex_name(h), "must be attacked or diverted".into(), cite!("12.13.a").to_string()]
        });
        Panel::Table {
            title: "Still to be announced".into(),
            columns: vec!["who".into(), "duty".into(), "rule".into()],
            rows: unit_rows.chain(hex_rows).collect(),
            lit: None,
        }
    }

    fn card_panel(self, side: Side) -> Panel {
        let chosen = self.state.fight.tactic[side];
        Panel::Cards {
            title: "Tactics".into(),
            side,
            cards: Tactic::ALL
                .iter()
                .map(|&t| {
                    let lawful = self.may_play(side, t);
                    let (note, rule) = match lawful {
                        Ok(()) => (String::new(), cite!("12.52.a")),
                        Err(no) => (no.why().to_owned(), no.rule().unwrap_or(cite!("12.52.a"))),
                    };
                    game::board::Card {
                        name: t.name().into(),
                        art: t.slug(),
                        note,
                        open: lawful.is_ok(),
                        chosen: chosen == Some(t),
                        face_down: chosen == Some(t),
                        rule: Some(rule),
                    }
                })
                .collect(),
        }
    }

    fn tally_rows(self) -> Vec<TallyRow> {
        let mut out = vec![TallyRow {
            what: "Enemy losses".into(),
            points: self.state.spoils.map(i32::from),
            rule: Some(cite!("4.b")),
        }];
        for (i, objective) in self.battle.objectives.iter().enumerate() {
            let points = BySide::from_fn(|s| {
                if self.state.held[s] >> i & 1 == 1 { i32::from(objective.vp[s]) } else { 0 }
            });
            out.push(TallyRow { what: objective.name.clone(), points, rule: Some(cite!("3.1.m")) });
        }
        let shattered =
            BySide::from_fn(|s| (self.state.shattered & self.battle.units[!s] & self.on_map()).len() as i32);
        if shattered.first + shattered.second > 0 {
            out.push(TallyRow {
                what: "Shattered enemies (half a point each)".into(),
                points: shattered.map(|n| n / 2),
                rule: Some(cite!("4.e")),
            });
        }
        out
    }

    fn combat_view(self) -> Option<Combat> {
        let fight = &self.state.fight;
        if !fight.is_open() {
            return None;
        }
        let revealed = !self.state.agenda.iter().any(|s| matches!(s, Step::Reveal));
        let ready = revealed || fight.lead[!self.state.phasing].is_some();
        Some(Combat {
            title: format!("Close combat at {}", self.fought_column().name()),
            pieces: (fight.attackers | fight.defenders).map(Piece::id).collect(),
            fires: vec![Fire {
                by: lead_first(fight.attackers, fight.lead[self.state.phasing]),
                at: lead_first(fight.defenders, fight.lead[!self.state.phasing]),
                dice: 1,
                test: None,
                modifiers: if ready { self.fought_modifiers() } else { Vec::new() },
                considered: Vec::new(),
            }],
        })
    }

    /// The column of the combat; once the die has fallen the one it was read in, whatever became of the units.
    fn fought_column(self) -> Column {
        let fight = &self.state.fight;
        let now = self.odds(fight.attackers, fight.defenders);
        if fight.rolled { Column { column: fight.column, ..now } } else { now }
    }

    /// What is added to the die. Losses and retreats change what would count now: then the log alone tells what did.
    fn fought_modifiers(self) -> Vec<Modifier> {
        let fight = &self.state.fight;
        let sum = self.combat_sum();
        let changed = fight.rolled && sum.total() != i16::from(fight.roll) - i16::from(fight.face);
        if changed { Vec::new() } else { sum.modifiers() }
    }
}

/// The lead unit gives a combat its name and its face.
fn lead_first(units: Pieces, lead: Option<Piece>) -> Vec<PieceId> {
    let lead = lead.filter(|&l| units.has(l));
    lead.into_iter().chain(units.filter(|&u| Some(u) != lead)).map(Piece::id).collect()
}

/// What a counter prints.
struct Front {
    big: String,
    small: Vec<String>,
    figures: Vec<Figure>,
    gauge: Option<Gauge>,
}

fn leader_front(sheet: LeaderSheet, allowance: u8) -> Front {
    Front {
        big: sheet.close_combat.to_string(),
        small: vec![signed(sheet.leadership), allowance.to_string()],
        figures: vec![
            figure("seniority", sheet.seniority.to_string()),
            figure("close combat", signed(sheet.close_combat)),
            figure("leadership", signed(sheet.leadership)),
            figure("movement", allowance.to_string()),
        ],
        gauge: None,
    }
}

fn figure(label: &str, value: String) -> Figure {
    Figure { label: label.into(), value }
}

fn arm(battle: &Battle, p: Piece) -> &'static str {
    match battle.counter(p).arm {
        Arm::Leader => "leader",
        Arm::Artillery => "artillery",
        Arm::Cavalry => "cavalry",
        Arm::Infantry if battle.roles.rifles.has(p) => "rifles",
        Arm::Infantry if battle.roles.light.has(p) => "light",
        Arm::Infantry => "infantry",
    }
}

impl State {
    fn phase_cells(&self) -> Vec<StepCell> {
        let all = [
            (Phase::Initiative, cite!("6.1.a")),
            (Phase::Movement, cite!("9.2.a")),
            (Phase::Rally, cite!("15.1.a")),
            (Phase::Artillery, cite!("11.1.a")),
            (Phase::Rifle, cite!("10.1.a")),
            (Phase::CloseCombat, cite!("12.21.a")),
        ];
        all.into_iter()
            .map(|(phase, rule)| StepCell {
                label: sequence::phase_name(phase).into(),
                state: match phase.cmp(&self.phase) {
                    std::cmp::Ordering::Less => StepState::Done,
                    std::cmp::Ordering::Equal => StepState::Now,
                    std::cmp::Ordering::Greater => StepState::Ahead,
                },
                note: String::new(),
                rule: Some(rule),
                side: (phase != Phase::Initiative).then_some(self.phasing),
            })
            .collect()
    }
}

fn lit_matrix(battle: &Battle, attacker: Tactic, defender: Tactic) -> Panel {
    Panel::Table {
        title: "Tactics revealed".into(),
        columns: matrix_heads(),
        rows: battle.charts.matrix_rows(),
        lit: Some([defender as usize, attacker as usize + 1]),
    }
}
