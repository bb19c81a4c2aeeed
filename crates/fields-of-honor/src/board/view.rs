//! What the board draws.

use game::board::{
    Badge, Band, Board, Chart, Figure, Footprint, Gauge, Ground, HouseRule, Mark, OverlayName, OverlayOf,
    Panel, Piece, SideFace, StepCell, StepState, TableGround, TrackCell, View,
};
use game::odds::{Fates, Standing};
use game::{BySide, Eyes, Place, Rule, Side};
use table::MIL;

use crate::at::At;
use crate::board::prompt::halves;
use crate::cite;
use crate::notation::number;
use crate::rules::basics::{Arm, Layout};
use crate::rules::charts::Rating;
use crate::rules::fire::{self, BANDS};
use crate::rules::orders::needs_order;
use crate::rules::rolls::{leader_piece, piece, place, spot_place};
use crate::rules::sequence::Phase;
use crate::setup::battle::{Battle, Switches, What};
use crate::state::{Body, BodyId, LeaderId, Marks, Order, Part, Where};

pub(crate) fn board(battle: &Battle) -> Board {
    let sides = BySide::from_fn(|s| {
        let side = &battle.sides[s];
        SideFace::new(&side.id, &side.name, &side.livery)
    });
    let ground = Ground::Table(TableGround {
        width: (battle.top.width / MIL) as i32,
        depth: (battle.top.height / MIL) as i32,
        terrain: battle.pieces.clone(),
    });
    let option = |((id, says), on): (&(&str, &str), bool)| HouseRule {
        id: (*id).to_owned(),
        name: id.replace('_', " "),
        says: (*says).to_owned(),
        on,
        rule: None,
    };
    let overlay = |(id, name)| OverlayName::new(id, name, OverlayOf::Piece);
    Board {
        charts: charts(battle),
        options: Switches::LIST.iter().zip(battle.on.all()).map(option).collect(),
        overlays: [
            ("moves", "Where a unit can go"),
            ("command", "Command range"),
            ("arcs", "Arc of fire and range bands"),
            ("reach", "Reach of a move and of a charge"),
        ]
        .map(overlay)
        .to_vec(),
        ..Board::new("Fields of Honor", &battle.head, sides, ground)
    }
}

/// Columns of the charts of fire.
pub(crate) const SMALL_ARMS: &str = "small arms";
pub(crate) const GUNS: &str = "guns";

pub(crate) fn charts(battle: &Battle) -> Vec<Chart> {
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
        let ranges = info.weapon.ranges.iter().map(|r| number(r / MIL));
        let row =
            [info.weapon.name.clone(), info.weapon.dice.to_string()].into_iter().chain(ranges).collect();
        if info.weapon.dice > 0 && !weapons.contains(&row) {
            weapons.push(row);
        }
    }
    let weapons = Chart {
        title: "Weapons".to_owned(),
        columns: ["", "dice a stand"].into_iter().chain(BANDS).map(str::to_owned).collect(),
        rows: weapons,
        rule: Some(cite!("qrs.weapons.a")),
        note: "Ranges in inches.".to_owned(),
    };
    let hits = Chart {
        title: "Fire: what a die needs to hit".to_owned(),
        columns: ["", SMALL_ARMS, GUNS].map(str::to_owned).to_vec(),
        rows: fire::hit_rows(battle),
        rule: Some(cite!("fire.procedure.b")),
        note: "By range, and what is added to it.".to_owned(),
    };
    let divisor = Chart {
        title: "Fire: the divisor".to_owned(),
        columns: ["", SMALL_ARMS, GUNS].map(str::to_owned).to_vec(),
        rows: fire::divisor_rows(battle),
        rule: Some(cite!("fire.procedure.c")),
        note: "Dice that hit are rolled again; their sum, divided by this, is what the target loses."
            .to_owned(),
    };
    vec![rates, weapons, hits, divisor]
}

impl At<'_> {
    pub(crate) fn view(self, eyes: Eyes) -> View {
        let mut pieces: Vec<Piece> = self.state.ids().map(|id| self.unit_piece(id, eyes)).collect();
        // Markers come last, so that their place in the list does not tell who they are.
        pieces.sort_by_key(|p| (p.hidden, if p.hidden { p.id.0 } else { 0 }));
        pieces.extend((0..self.state.leaders.len()).map(|i| self.leader_face(LeaderId(i as u8), eyes)));
        View {
            pieces,
            marks: self.board_marks(eyes),
            track: (1..=self.battle.turns)
                .map(|t| TrackCell {
                    label: t.to_string(),
                    sub: String::new(),
                    side: None,
                    now: t == self.state.turn,
                    past: t < self.state.turn,
                    night: false,
                    flag: self.battle.bmus.iter().any(|b| b.arrival.is_some_and(|a| a.turn == t)),
                    check: t == self.battle.turns,
                })
                .collect(),
            phases: Phase::ALL
                .iter()
                .map(|p| StepCell {
                    label: p.title().to_owned(),
                    state: match p.cmp(&self.state.phase) {
                        std::cmp::Ordering::Less => StepState::Done,
                        std::cmp::Ordering::Equal => StepState::Now,
                        std::cmp::Ordering::Greater => StepState::Ahead,
                    },
                    note: String::new(),
                    rule: Some(cite!("qrs.sequence.a")),
                    side: None,
                })
                .collect(),
            panels: self.panels(),
            score: self.score(),
            tally: self.tally(),
            combat: self.combat(),
        }
    }

    pub(crate) fn unit_piece(self, id: BodyId, eyes: Eyes) -> Piece {
        let body = self.body(id);
        let info = self.battle.info(body);
        let side = info.side;
        let hidden = body.marks.has(Marks::CONCEALED) || (self.state.is_marker(id) && !eyes.see(side));
        let layout = body.layout(self.battle);
        let where_is = match body.place {
            Where::Table => place(body.pose),
            Where::Coming => Place::Box(format!("turn {}", info.arrival.map_or(0, |a| a.turn))),
            Where::Gone => Place::Box("removed".to_owned()),
            Where::Joined => Place::Box("rejoined".to_owned()),
            Where::Left => Place::Box("marched off".to_owned()),
        };
        let stands = body.stands(self.battle);
        let figure = |label: &str, value: String| Figure { label: label.to_owned(), value };
        let rating = |r: Rating| Rating::NAMES[r as usize].to_owned();
        let grades = [rating(info.morale), info.fire.map_or("-".to_owned(), rating), rating(info.melee)];
        let leader = info.leader.filter(|_| !hidden);
        Piece {
            id: if hidden { self.marker_piece(id) } else { piece(id) },
            slug: if hidden { format!("marker-{}", self.marker_piece(id).0) } else { self.battle.slug(id) },
            side,
            name: if hidden { "a marker".to_owned() } else { self.own_name(id) },
            byname: None,
            arm: if hidden { "marker".to_owned() } else { arm_word(self.battle, body) },
            band: leader.map(|l| Band { label: self.battle.leaders[l.i()].name.clone(), index: l.0 }),
            place: where_is,
            footprint: Some(block(&layout)),
            big: if hidden { "?".to_owned() } else { stands.to_string() },
            small: if hidden { Vec::new() } else { grades.to_vec() },
            gauge: (!hidden).then(|| Gauge {
                whole: stands,
                hurt: 0,
                lost: body.strength - stands.min(body.strength),
            }),
            figures: if hidden {
                Vec::new()
            } else {
                vec![
                    figure("morale / fire / melee", grades.join(" / ")),
                    figure("formation", body.shape.formation.words().to_owned()),
                    figure("losses", format!("{} + {} new", body.lost, body.fresh)),
                    figure("weapon", info.weapon.name.clone()),
                    figure(
                        "engaged / charge",
                        format!(
                            "{} / {}",
                            number(self.battle.rate(body).engaged / MIL),
                            number(self.battle.rate(body).charge / MIL)
                        ),
                    ),
                ]
            },
            state: (body.order > Order::Good && !hidden).then(|| body.order.name().to_owned()),
            badges: if hidden { Vec::new() } else { self.badges(id) },
            spent: body.marks.has(Marks::GONE_ABOUT.and(Marks::FIRED).and(Marks::FIRED_EARLY)),
            hidden,
            livery: None,
        }
    }

    pub(crate) fn badges(self, id: BodyId) -> Vec<Badge> {
        let marks = self.body(id).marks;
        // A unit that is barred twice over is told so once, by the first of its reasons.
        let list: [(Marks, &str, &str, Rule); 9] = [
            (Marks::PRONE, "prone", "prone", cite!("move.prone.a")),
            (Marks::HALT, "halt", "may only change facing", cite!("qrs.reaction.f")),
            (Marks::CAUTIOUS, "cautious", "half a move, no charge", cite!("qrs.reaction.g")),
            (Marks::HALVED, "halved", "half speed, half fire", cite!("charge.sequence.b")),
            (Marks::BARRED, "barred", "may not move this turn", cite!("morale.retreat.i")),
            (Marks::BALKED, "barred", "may not move this turn", cite!("charge.failed.e")),
            (Marks::BOX, "box", "in a box", cite!("box.a")),
            (Marks::MOVED, "moved", "moved", cite!("qrs.smallarms.c")),
            (Marks::FIRED_EARLY, "fired", "has fired", cite!("fire.opportunity.b")),
        ];
        let mut out: Vec<Badge> = Vec::new();
        for (mark, sign, title, rule) in list {
            if out.len() < 2 && marks.has(mark) && out.iter().all(|b| b.sign != sign) {
                out.push(Badge { sign: sign.to_owned(), title: title.to_owned(), rule: Some(rule) });
            }
        }
        if out.len() < 2
            && self.body(id).on_table()
            && self.commander_of(id).is_some()
            && !self.in_command(id)
        {
            let title = "out of command".to_owned();
            out.push(Badge {
                sign: "out-of-command".to_owned(),
                title,
                rule: Some(cite!("command.range.d")),
            });
        }
        out
    }

    pub(crate) fn leader_face(self, id: LeaderId, eyes: Eyes) -> Piece {
        let man = &self.state.leaders[id.i()];
        let info = &self.battle.leaders[id.i()];
        let own = eyes.see(info.side);
        let mut badges = Vec::new();
        if own && self.battle.on.orders {
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
                (Where::Table, false) => spot_place(man.at),
                (Where::Table, true) => Place::Box("out of action".to_owned()),
                _ => Place::Box("to come".to_owned()),
            },
            footprint: None,
            big: if info.overall { "C" } else { "S" }.to_owned(),
            small: Vec::new(),
            gauge: None,
            figures: vec![Figure {
                label: "personality".to_owned(),
                value: man.personality.name().to_owned(),
            }],
            state: None,
            badges,
            spent: man.moved,
            hidden: false,
            livery: None,
        }
    }

    pub(crate) fn board_marks(self, eyes: Eyes) -> Vec<Mark> {
        let mut out = Vec::new();
        for score in &self.battle.scores {
            let at = match &score.what {
                What::HoldPoint { at, .. } => *at,
                What::HoldArea { areas, .. } => {
                    let Some(area) = areas.first() else { continue };
                    let b = self.battle.areas[*area].area.bounds();
                    b.lo.middle(b.hi)
                }
                _ => continue,
            };
            let spot = at.spot();
            out.push(Mark {
                kind: "objective".to_owned(),
                place: spot_place(spot),
                to: None,
                side: self.holder(&score.what),
                text: score.points.first.max(score.points.second).to_string(),
                title: score.name.clone(),
            });
        }
        for (i, area) in self.battle.areas.iter().enumerate().filter(|(_, a)| a.unseen.is_some()) {
            let revealed = i < 32 && self.state.revealed & (1 << i) != 0;
            if revealed || self.battle.attacker.is_none_or(|attacker| eyes.see(attacker.enemy())) {
                let b = area.area.bounds();
                let spot = b.lo.middle(b.hi).spot();
                out.push(Mark {
                    kind: "terrain".to_owned(),
                    place: spot_place(spot),
                    to: None,
                    side: None,
                    text: String::new(),
                    title: area.name.clone(),
                });
            }
        }
        for (i, man) in self.state.leaders.iter().enumerate() {
            let info = &self.battle.leaders[i];
            if !self.battle.on.orders
                || !eyes.see(info.side)
                || !man.leads()
                || !needs_order(self.battle, LeaderId(i as u8))
            {
                continue;
            }
            out.push(Mark {
                kind: "marker".to_owned(),
                place: spot_place(man.marker),
                to: None,
                side: Some(info.side),
                text: man.order.name()[..1].to_uppercase(),
                title: format!("{}: {}", info.name, man.order.name()),
            });
        }
        out
    }

    /// The charge under way, step by step.
    pub(crate) fn panels(self) -> Vec<Panel> {
        let mut out = Vec::new();
        if self.state.phase == Phase::Movement {
            let row =
                |side: Side| vec![self.battle.sides[side].name.clone(), halves(self.state.go.batch[side])];
            out.push(Panel::Table {
                title: "How many units move in one go".to_owned(),
                columns: ["side", "units"].map(str::to_owned).to_vec(),
                rows: Side::BOTH.map(row).to_vec(),
                lit: None,
            });
        }
        out.extend(self.charge_ladder());
        out
    }

    /// How each piece of the board stands, for adding up odds: what [`unit_piece`] and [`leader_face`] show.
    pub(crate) fn standings(self) -> Fates {
        let numbered = |x: i32, y: i32, facing: i32| {
            x.wrapping_mul(31).wrapping_add(y).wrapping_mul(31).wrapping_add(facing) as u32
        };
        let mut fates = Fates::with_capacity(self.state.bodies.len() + self.state.leaders.len());
        for (i, body) in self.state.bodies.iter().enumerate() {
            let id = BodyId(i as u8);
            let at = numbered(body.pose.at.x, body.pose.at.y, body.pose.facing.get());
            let off = !body.on_table();
            let place = if off { u32::MAX } else { at };
            fates.push(if body.marks.has(Marks::CONCEALED) {
                let standing = Standing { whole: 0, hurt: 0, lost: 0, place, off, order: 0 };
                (self.marker_piece(id), standing)
            } else {
                let whole = body.stands(self.battle);
                let lost = body.strength - whole.min(body.strength);
                (piece(id), Standing { whole, hurt: 0, lost, place, off, order: body.order as u8 })
            });
        }
        for (i, man) in self.state.leaders.iter().enumerate() {
            let off = man.place != Where::Table || man.disabled;
            let place = if off { u32::MAX } else { numbered(man.at.x, man.at.y, 0) };
            let standing = Standing { whole: 0, hurt: 0, lost: 0, place, off, order: 0 };
            fates.push((leader_piece(LeaderId(i as u8)), standing));
        }
        fates
    }
}

/// The stands of a layout as the board draws them.
pub(crate) fn block(layout: &Layout) -> Footprint {
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
    Footprint { width: (extent.width / MIL) as i32, depth: (extent.depth / MIL) as i32, bases }
}

pub(crate) fn arm_word(battle: &Battle, body: &Body) -> String {
    let word = match battle.arm(body) {
        _ if body.part == Part::Skirmishers => "skirmishers",
        Arm::Infantry => "infantry",
        Arm::Cavalry if body.marks.has(Marks::DISMOUNTED) => "dismounted",
        Arm::Cavalry => "cavalry",
        Arm::FootArtillery => "artillery",
        Arm::HorseArtillery => "horse-artillery",
    };
    word.to_owned()
}
