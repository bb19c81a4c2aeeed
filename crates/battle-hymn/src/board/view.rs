//! What the board shows at a moment.

use game::board::{
    Badge, Band, Chit, Combat, Figure, Fire, Gauge, Mark, Panel, Piece, StepCell, StepState, TallyRow,
    TrackCell, View,
};
use game::words::{counted, side_does, signed, the};
use game::{BySide, Place, Rule, Side};

use crate::at::At;
use crate::facts;
use crate::rules::fire::FireKind;
use crate::rules::sequence::Marker;
use crate::rules::zones::directions;
use crate::rules::{sequence, victory};
use crate::setup::battle::{Battle, Hour};
use crate::setup::pieces::{Arm, SetUp};
use crate::state::{FireOf, Id, Mount, State, Status, Step};

impl At<'_> {
    pub(crate) fn view(self) -> View {
        View {
            pieces: self.battle.ids().map(|id| self.piece_shown(id)).collect(),
            marks: self.marks(),
            track: self.track(),
            phases: self.hour_steps(),
            panels: self.panels(),
            score: self.score(),
            tally: self.tally(),
            combat: self.combat_shown(),
        }
    }

    fn where_is(self, id: Id) -> Place {
        let piece = self.piece(id);
        let due = |hour: u8, areas: &[u8]| {
            let letters: Vec<&str> =
                areas.iter().map(|&a| self.battle.areas[usize::from(a)].letter.as_str()).collect();
            Place::Box(format!("hour {} at {}", self.battle.clock(hour), letters.join("/")))
        };
        match (piece.status, &self.unit(id).set_up) {
            (Status::OnMap, _) => self.battle.place(piece.hex),
            (Status::Due, SetUp::Due { hour, areas }) => due(*hour, areas),
            (Status::Away, _) => due(piece.hits, &[piece.extra]),
            (status, _) => Place::Box(facts::state_word(status).into()),
        }
    }

    fn piece_shown(self, id: Id) -> Piece {
        let (unit, p) = (self.unit(id), self.piece(id));
        let lost = unit.strength.saturating_sub(p.strength + p.holders);
        let rating = self.morale_rating(id);
        let allowance = self.allowance(id);
        let active = self.state.active == Some(unit.formation);
        let figure = |label: &str, value: String| Figure { label: label.into(), value };
        let mut figures = vec![
            figure("intact", p.intact().to_string()),
            figure("demoralised", p.demoralised.to_string()),
            figure("lost", lost.to_string()),
            figure("morale", signed(rating)),
            figure("MP", if active { self.points_left(id) } else { allowance }.to_string()),
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
            arm: self.arm_of_picture(id).into(),
            band: Some(Band {
                label: self.battle.formations[usize::from(unit.formation)].name.clone(),
                index: unit.formation,
            }),
            place: self.where_is(id),
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
            badges: self.badges(id),
            spent: active && self.state.moved.contains(id),
            hidden: false,
            livery: None,
        }
    }

    fn badges(self, id: Id) -> Vec<Badge> {
        let badge =
            |sign: &str, title: String, rule: Rule| Badge { sign: sign.into(), title, rule: Some(rule) };
        let p = self.piece(id);
        let mut badges = Vec::new();
        if p.approach != 0 && p.on_map() {
            let names: Vec<&str> =
                self.units_in(p.hex, p.approach).into_iter().map(|u| self.name(u)).collect();
            badges.push(badge(
                "approach",
                format!("Under the approach fire of {}", names.join(", ")),
                cite!("6.1.4.a"),
            ));
        }
        if p.hits > 0 && p.on_map() {
            badges.push(badge("hits", format!("{} to be checked", counted(p.hits, "hit")), cite!("6.2.a")));
        }
        if self.state.attacker.is_some() && self.state.bombarded.contains(id) {
            badges.push(badge("fired", "Has bombarded".into(), cite!("6.1.2.b")));
        }
        if self.state.attacker.is_some() && self.state.advanced.contains(id) {
            badges.push(badge("advanced", "Has advanced and holds".into(), cite!("6.1.7.i")));
        }
        if self.state.active == Some(self.unit(id).formation) && self.state.moved.contains(id) {
            badges.push(badge("moved", "Has moved".into(), cite!("5.2.a")));
        }
        if p.mount == Mount::HorsesLost {
            badges.push(badge("horses-lost", "Its horses are lost".into(), cite!("11.3.r")));
        }
        badges.truncate(2);
        badges
    }

    fn marks(self) -> Vec<Mark> {
        let mut marks = Vec::new();
        for (i, objective) in self.battle.victory.objectives.iter().enumerate() {
            let holder = self.state.control[i].map_or("nobody".into(), |s| the(&self.battle.armies[s].name));
            let points = counted(objective.points, "point");
            let title = format!("{}: {points}, held by {holder}", objective.name);
            marks.push(mark(
                "objective",
                self.battle.place(objective.hex),
                self.state.control[i],
                objective.points.to_string(),
                title,
            ));
        }
        for area in &self.battle.areas {
            for &hex in &area.hexes {
                marks.push(mark(
                    "entry",
                    self.battle.place(hex),
                    None,
                    area.letter.clone(),
                    format!("Entry Area {}", area.letter),
                ));
            }
        }
        for way in &self.battle.ways_out {
            let title = side_does(&self.battle.armies[way.side].name, "may leave the map here");
            marks.push(mark("exit", self.battle.place(way.hex), Some(way.side), String::new(), title));
        }
        for id in self.state.horse_markers {
            let title = format!("The horses of {}", self.name(id));
            marks.push(mark(
                "horses",
                self.battle.place(self.piece(id).horses),
                Some(self.side(id)),
                String::new(),
                title,
            ));
        }
        for id in self.state.on_map() {
            let piece = self.piece(id);
            for firer in self.units_in(piece.hex, piece.approach) {
                let title =
                    format!("{} as {}", self.battle.does(firer, "fires"), self.battle.does(id, "comes up"));
                let from = self.battle.place(self.piece(firer).hex);
                let to = Some(self.battle.place(piece.hex));
                marks.push(Mark {
                    to,
                    ..mark("approach", from, Some(self.side(firer)), String::new(), title)
                });
            }
        }
        marks
    }

    fn track(self) -> Vec<TrackCell> {
        let arrives = |hour: usize| {
            self.battle
                .units
                .iter()
                .any(|u| matches!(u.set_up, SetUp::Due { hour: h, .. } if usize::from(h) == hour))
        };
        let cell = |(i, hour): (usize, &Hour)| {
            let now = i == usize::from(self.state.hour);
            let side = if now { self.state.initiative } else { hour.initiative };
            TrackCell {
                label: (hour.clock % 24).to_string(),
                sub: if hour.night {
                    "night".into()
                } else {
                    self.battle.side_word(side).to_uppercase().replace("NONE", "none")
                },
                side: side.filter(|_| !hour.night),
                now: now && self.state.outcome.is_none(),
                past: i < usize::from(self.state.hour) || self.state.outcome.is_some(),
                night: hour.night,
                flag: arrives(i),
                check: hour.check || self.battle.victory.sudden.iter().any(|s| usize::from(s.at) == i),
            }
        };
        self.battle.hours.iter().enumerate().map(cell).collect()
    }

    fn panels(self) -> Vec<Panel> {
        let drawn = self.state.drawn[..usize::from(self.state.draws)].iter().map(|&bit| Marker::of_bit(bit));
        let mut panels = vec![Panel::Cup {
            inside: sequence::markers(self.state.cup).map(|m| self.battle.chit(m)).collect(),
            drawn: drawn.map(|m| self.battle.chit(m)).collect(),
            held: self.state.held.into_iter().map(|s| self.battle.chit(Marker::Combat(s))).collect(),
        }];
        if let Some(side) = self.state.attacker {
            let title = format!("Combat Turn of {}", the(&self.battle.armies[side].name));
            panels.push(Panel::Steps { title, steps: self.state.steps_shown(side) });
        }
        if self.state.active.is_some() && self.is_night() {
            panels.push(self.shattered_panel());
        }
        panels
    }

    /// Who could come back tonight.
    fn shattered_panel(self) -> Panel {
        let rows = self.active_units().into_iter().filter(|&u| self.piece(u).status == Status::Shattered);
        let row = |u: Id| {
            vec![self.name(u).to_owned(), self.piece(u).strength.to_string(), signed(self.morale_rating(u))]
        };
        Panel::Table {
            title: "Shattered units".into(),
            columns: vec!["unit".into(), "SP".into(), "morale".into()],
            rows: rows.map(row).collect(),
            lit: None,
        }
    }

    fn tally(self) -> Vec<TallyRow> {
        let sum = |side: Side, part: fn(&victory::Damage) -> i32| -> i32 {
            let enemies = self.battle.armies[side.enemy()].units.into_iter();
            if self.battle.victory.damage { enemies.map(|id| part(&self.damage(id))).sum() } else { 0 }
        };
        let row = |what: &str, points: BySide<i32>, rule: Rule| TallyRow {
            what: what.into(),
            points,
            rule: Some(rule),
        };
        let mut rows = vec![
            row("Objectives held", BySide::from_fn(|s| self.points_for_ground(s)), cite!("14.1.a")),
            row("Enemy SPs lost", BySide::from_fn(|s| sum(s, |d| d.lost)), cite!("14.2.a")),
            row(
                "Enemy SPs of shattered units",
                BySide::from_fn(|s| sum(s, |d| d.shattered)),
                cite!("14.2.b"),
            ),
            row("Enemy SPs demoralised", BySide::from_fn(|s| sum(s, |d| d.demoralised)), cite!("14.2.c")),
        ];
        let before = BySide::from_fn(|s| {
            i32::from(self.battle.armies[s].handicap) + i32::from(self.state.banked[s.index()])
        });
        if before.first != 0 || before.second != 0 {
            rows.push(row("By the scenario", before, cite!("14.a")));
        }
        rows
    }

    /// Who fires at whom in the step under way, with every term.
    fn combat_shown(self) -> Option<Combat> {
        self.state.attacker?;
        let (title, kind, of) = match self.state.agenda.top()? {
            Step::Split(FireOf::Approach) => {
                ("Approach fire".to_owned(), FireKind::Approach, Some(FireOf::Approach))
            }
            Step::Split(FireOf::Round) => (self.state.round_title(), FireKind::Round, Some(FireOf::Round)),
            Step::Bombard => ("Bombardment".to_owned(), FireKind::Bombardment, None),
            _ if self.state.round > 0 => (self.state.round_title(), FireKind::Round, None),
            _ => return None,
        };
        let mut fires = Vec::new();
        match (kind, of) {
            (FireKind::Bombardment, _) => {
                for (gun, targets) in self.ready_to_bombard() {
                    fires.extend(
                        targets.into_iter().map(|t| self.fire_of(gun, t, self.piece(gun).intact(), kind)),
                    );
                }
            }
            (_, Some(of)) => {
                for firer in self.state.on_map() {
                    let targets = self.piece(firer).shot_into;
                    let shares = self.shares(firer, of);
                    let shares = shares.into_iter().filter(|(_, d, _)| targets >> d & 1 != 0);
                    fires.extend(shares.map(|(target, _, points)| self.fire_of(firer, target, points, kind)));
                }
            }
            _ => fires = self.would_fire(),
        }
        let pieces = if self.state.members.is_empty() {
            fires.iter().flat_map(|f| f.by.iter().chain(&f.at).copied()).collect()
        } else {
            self.state.members.into_iter().map(Id::piece).collect()
        };
        Some(Combat { title, pieces, fires })
    }

    /// Before the targets of a Round are settled: everybody at whom he could be told to fire.
    fn would_fire(self) -> Vec<Fire> {
        if !matches!(self.state.agenda.top(), Some(Step::Options)) {
            return Vec::new();
        }
        let mut fires = Vec::new();
        for id in self.state.members.and(self.state.on_map()) {
            let over = self.enemies_over(id) | self.piece(id).shot_into;
            let n = over.count_ones().max(1) as u8;
            for d in directions(over) {
                if let Some(target) = self.state.at(self.ground().beyond[self.piece(id).hex.index()][d]) {
                    fires.push(self.fire_of(id, target, self.piece(id).intact() / n, FireKind::Round));
                }
            }
        }
        fires
    }

    fn fire_of(self, firer: Id, target: Id, dice: u8, kind: FireKind) -> Fire {
        let chance = self.to_hit_chance(firer, target, kind);
        Fire {
            by: vec![firer.piece()],
            at: vec![target.piece()],
            dice,
            test: Some(chance.test()),
            modifiers: chance.modifiers(self.battle),
            considered: chance.considered(self.battle),
        }
    }

    /// The arm as the board draws it.
    pub(crate) fn arm_of_picture(self, id: Id) -> &'static str {
        match self.unit(id).arm {
            Arm::Cavalry => self.type_word(id),
            arm => arm.word(),
        }
    }
}

impl State {
    /// 6.1.c.
    fn steps_shown(&self, attacker: Side) -> Vec<StepCell> {
        let names: [(&str, Rule, Option<Side>); 7] = [
            ("Cavalry withdraws", cite!("6.1.1.a"), Some(attacker.enemy())),
            ("Bombardment", cite!("6.1.2.a"), Some(attacker)),
            ("Withdrawals", cite!("6.1.3.a"), Some(attacker)),
            ("Approach fire", cite!("6.1.4.a"), None),
            ("Engagements", cite!("6.1.5.a"), Some(attacker)),
            ("Rounds", cite!("6.1.7.a"), None),
            ("Fall back", cite!("6.1.d"), Some(attacker)),
        ];
        let now = match self.step_word().as_str() {
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
            note: if i == 5 && self.round > 0 {
                format!("Round {}", if self.round == 1 { "One" } else { "Two" })
            } else {
                String::new()
            },
            rule: Some(rule),
            side,
        };
        names.into_iter().enumerate().map(cell).collect()
    }

    fn round_title(&self) -> String {
        format!("Engagement, Round {}", if self.round == 2 { "Two" } else { "One" })
    }
}

fn mark(kind: &str, place: Place, side: Option<Side>, text: String, title: String) -> Mark {
    Mark { kind: kind.into(), place, to: None, side, text, title }
}

impl Battle {
    fn chit(&self, marker: Marker) -> Chit {
        match marker {
            Marker::Move(f) => {
                let formation = &self.formations[usize::from(f)];
                Chit { label: formation.name.clone(), sub: "move".into(), side: formation.side }
            }
            Marker::Combat(side) => {
                Chit { label: self.armies[side].name.clone(), sub: "combat".into(), side }
            }
        }
    }
}
