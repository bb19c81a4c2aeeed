//! What the board shows: the ground once, the pieces at each moment, the decision and its offers.

use game::board::{
    Badge, Band, Board, Chart, Combat, Figure, Fire as FireFace, Gauge, Ground, HexFace, HexGround,
    HouseRule, Mark, OverlayName, OverlayOf, Panel, Piece as PieceFace, SideFace, SideOfHex, StepCell,
    StepState, TallyRow, TrackCell, View,
};
use game::words::{counted, number, signed, the};
use game::{BySide, Place, Side};
use hexmap::Hex;

use crate::at::At;
use crate::rules::charts::{Closed, Factor};
use crate::setup::battle::{Battle, SitePlace, Switches};
use crate::setup::map::feature;
use crate::setup::pieces::{Arm, Rank, Start};
use crate::state::{Ford, LeaderId, Phase, Piece, Post, State, Step, Task, UnitId};

impl Battle {
    pub(crate) fn place(&self, hex: Hex) -> Place {
        Place::Hex(self.number(hex))
    }

    /// What never changes: the sides, the ground, the charts, the options.
    pub(crate) fn board(&self) -> Board {
        let sides = BySide::from_fn(|side| {
            let army = &self.armies[side];
            SideFace::new(&army.id, &army.name, &army.livery)
        });
        let ground = Ground::Hexes(self.hex_ground());
        Board {
            charts: self.printed_charts(),
            options: self.house_rules(),
            overlays: vec![
                OverlayName::new("zones", "Zones of control", OverlayOf::Board),
                OverlayName::new("command", "Command radius", OverlayOf::Piece),
                OverlayName::new("reach", "Where it can march", OverlayOf::Piece),
                OverlayName::new("sight", "What is seen from here", OverlayOf::Place),
            ],
            ..Board::new("Civil War Brigade Battle Series", &self.head, sides, ground)
        }
    }

    /// What the players may switch on or off.
    fn house_rules(&self) -> Vec<HouseRule> {
        let Switches { breastworks, burning, fords, mixed_fords } = self.switches;
        let own = [
            ("breastworks", "Breastworks", "Infantry may dig in.", breastworks, cite!("6.1.1.a")),
            (
                "burning",
                "Burning",
                "Bridges, depots and rail lines may be burned.",
                burning,
                cite!("6.1.2.a"),
            ),
            ("fords", "Unknown fords", "Fords must be searched for.", fords, cite!("6.1.3.a")),
            (
                "mixed_fords",
                "Mixed ford markers",
                "Nobody knows which marker says yes.",
                mixed_fords,
                cite!("6.1.3.a"),
            ),
        ];
        let rule = |id: &str, name: &str, says: &str, on, rule| HouseRule {
            id: id.into(),
            name: name.into(),
            says: says.into(),
            on,
            rule: Some(rule),
        };
        let own = own.into_iter().map(|(id, name, says, on, cited)| rule(id, name, says, on, cited));
        own.chain(self.variants.iter().map(|v| rule(&v.id, &v.name, &v.says, v.on, v.rule))).collect()
    }

    fn hex_ground(&self) -> HexGround {
        let map = &self.map;
        let features = |bits: u8| {
            let named = feature::NAMES.iter().filter(move |(_, bit)| bits & bit != 0);
            named.map(|(name, _)| (*name).to_owned()).collect::<Vec<String>>()
        };
        let inside = |hex: Option<Hex>| hex.filter(|&h| map.in_play.contains(h));
        let sides = map.grid.sides().filter_map(|side| {
            let (a, b) = map.grid.hexes_of(side);
            let (a, b) = match (inside(Some(a)), inside(b)) {
                (Some(a), b) => (a, b),
                (None, Some(b)) => (b, None),
                (None, None) => return None,
            };
            let mut words = features(map.sides[side.index()]);
            let (mut a, mut b) = (a, b);
            if let Some(other) = b
                && map.level[a.index()] != map.level[other.index()]
            {
                if map.level[a.index()] < map.level[other.index()] {
                    (a, b) = (other, Some(a));
                }
                words.push("slope".into());
            }
            (!words.is_empty()).then(|| SideOfHex {
                a: self.number(a),
                b: b.map(|h| self.number(h)),
                features: words,
            })
        });
        HexGround {
            cols: map.grid.columns(),
            rows: map.grid.rows(),
            even_low: map.grid.even_columns() == hexmap::EvenColumns::Lower,
            hex_yards: self.hex_yards,
            inset: self.inset,
            survey: self.survey.clone(),
            hexes: map
                .in_play
                .iter()
                .map(|hex| HexFace {
                    hex: self.number(hex),
                    terrain: self.ground(hex).title.clone(),
                    level: map.level[hex.index()],
                    name: map.names[hex.index()].clone(),
                })
                .collect(),
            sides: sides.collect(),
        }
    }

    fn printed_charts(&self) -> Vec<Chart> {
        let charts = &self.charts;
        let heads = (0..charts.columns.len()).map(|c| charts.head(c));
        let die = |row: usize| match row {
            0 => "0 or less".to_owned(),
            10 => "10 or more *".to_owned(),
            n => n.to_string(),
        };
        let combat = Chart {
        title: "Combat Chart".into(),
        columns: std::iter::once("die".to_owned()).chain(heads).collect(),
        rows: charts
            .cells
            .iter()
            .enumerate()
            .map(|(row, cells)| std::iter::once(die(row)).chain(cells.iter().map(|c| c.printed())).collect())
            .collect(),
        rule: Some(cite!("9.5.c")),
        note: "M: morale check. A number: SP lost, then a check. R: two hexes back before the check. * leaders are \
               checked. Our values but for the cells the rulebook's examples give."
            .into(),
    };
        let range = charts.artillery.len().max(charts.infantry.len()).max(charts.cavalry.len());
        let line = |name: &str, line: &[Factor]| {
            let cells = (0..range).map(|r| line.get(r).map_or("-", |f| f.printed()).to_owned());
            std::iter::once(name.to_owned()).chain(cells).collect::<Vec<String>>()
        };
        let ranges = Chart {
            title: "Fire Range Chart".into(),
            columns: std::iter::once("range".to_owned()).chain((1..=range).map(|r| r.to_string())).collect(),
            rows: vec![
                line("infantry", &charts.infantry),
                line("dismounted cavalry", &charts.cavalry),
                line("artillery", &charts.artillery),
            ],
            rule: Some(cite!("9.5.b")),
            note: "At night nobody fires further than 1 hex. Our values.".into(),
        };
        let yes = |truth: bool| if truth { "yes" } else { "" }.to_owned();
        let terrain = Chart {
            title: "Terrain Effects Chart".into(),
            columns: ["terrain", "MP", "fire die", "morale die", "blocks sight", "column 1/2"]
                .map(String::from)
                .to_vec(),
            rows: charts
                .terrain
                .iter()
                .map(|t| {
                    let cost = match t.closed {
                        Closed::ToAll => "closed".to_owned(),
                        Closed::ToGuns => format!("{}, no guns", t.cost),
                        Closed::ToNobody => t.cost.to_string(),
                    };
                    vec![
                        t.title.clone(),
                        cost,
                        number(t.fire),
                        number(t.morale),
                        yes(t.blocks),
                        yes(t.column),
                    ]
                })
                .collect(),
            rule: Some(cite!("8.1.3.a")),
            note: format!(
                "Each level climbed +{}, stream +{}, ford +{}; breastwork {} to fire and {} to morale; stone wall {}.",
                charts.climb,
                charts.stream,
                charts.ford,
                signed(charts.works_fire),
                signed(charts.works_morale),
                signed(charts.wall)
            ),
        };
        vec![combat, ranges, terrain]
    }

    /// The band of a division, or of a corps for those without one.
    fn band(&self, leader: Option<LeaderId>) -> Option<Band> {
        leader.map(|l| Band { label: self.leader(l).name.clone(), index: l.0 })
    }

    fn command_words(&self, id: UnitId) -> String {
        let sheet = self.unit(id);
        if sheet.independent {
            return "independent".into();
        }
        let names: Vec<&str> = [sheet.division, sheet.corps]
            .into_iter()
            .flatten()
            .map(|l| self.leader(l).name.as_str())
            .collect();
        if names.is_empty() { "any leader".into() } else { names.join(" / ") }
    }
}

impl At<'_> {
    pub(crate) fn view(self) -> View {
        let units = (0..self.battle.units.len()).map(|i| self.unit_face(UnitId(i as u8)));
        let leaders = (0..self.battle.leaders.len()).map(|i| self.leader_face(LeaderId(i as u8)));
        View {
            pieces: units.chain(leaders).collect(),
            marks: self.marks(),
            track: self.track(),
            phases: self.state.phases(),
            panels: self.panels(),
            score: self.score(),
            tally: self.tally(),
            combat: self.combat_face(),
        }
    }

    fn place_of_post(self, post: Post, start: Start) -> Place {
        match (post, start) {
            (Post::On(hex), _) => self.battle.place(hex),
            (Post::Gone, _) => Place::Box("eliminated".into()),
            (Post::Due, Start::Enters { turn, area }) => {
                let turn = self.battle.turns.get(usize::from(turn)).map_or("", |t| t.label.as_str());
                Place::Box(format!("{turn} at {}", self.battle.areas[usize::from(area)].0))
            }
            (Post::Due, Start::ByDie { lot, area }) => {
                let hour = self.state.turn_of(start).map(|turn| &self.battle.turns[usize::from(turn)].label);
                let hour = hour.unwrap_or(&self.battle.lots[usize::from(lot)].name);
                Place::Box(format!("{hour} at {}", self.battle.areas[usize::from(area)].0))
            }
            (Post::Due, _) => Place::Box("reserve".into()),
        }
    }

    fn unit_face(self, id: UnitId) -> PieceFace {
        let sheet = self.battle.unit(id);
        let here = self.state.unit(id);
        let arm = match (sheet.arm, here.deployed) {
            (Arm::Infantry, _) => "infantry",
            (Arm::Cavalry, false) => "cavalry",
            (Arm::Cavalry, true) => "dismounted",
            (Arm::Artillery, true) => "artillery",
            (Arm::Artillery, false) => "limbered",
        };
        let broken = self.shattered(id);
        let mut badges = Vec::new();
        let mut badge = |on: bool, sign: &str, title: &str, rule| {
            if on {
                badges.push(Badge { sign: sign.into(), title: title.into(), rule: Some(rule) });
            }
        };
        badge(here.task == Task::Build, "build", "building a breastwork", cite!("6.1.1.b"));
        badge(matches!(here.task, Task::Burn(_)), "fire-started", "setting a fire", cite!("6.1.2.b"));
        badge(self.state.uncommanded.contains(id), "out-of-command", "out of command", cite!("5.2.3.a"));
        badge(self.state.fired_marks.contains(id), "fired", "has fired and may not move", cite!("7.2.a"));
        badge(broken && here.routed, "shattered", "shattered", cite!("1.1.4.a"));
        let figure = |label: &str, value: String| Figure { label: label.into(), value };
        let mp = self.points_left(Piece::Unit(id));
        PieceFace {
            id: self.battle.piece_id(Piece::Unit(id)),
            slug: sheet.slug.clone(),
            side: sheet.side,
            name: sheet.name.clone(),
            byname: sheet.byname.clone(),
            arm: arm.into(),
            band: self.battle.band(sheet.division.or(sheet.corps)),
            place: self.place_of_post(here.post, sheet.start),
            footprint: None,
            big: here.sp.to_string(),
            small: vec![self.morale_number(id).to_string()],
            gauge: Some(gauge(sheet.sp, sheet.back, here.sp)),
            figures: vec![
                figure("SP", format!("{} of {}", here.sp, sheet.sp)),
                figure("shattered at", shattered_at(sheet.arm, sheet.back)),
                figure("morale", format!("{} ({})", self.morale_number(id), sheet.morale.colour())),
                figure("passes a check at", format!("{} or less", self.passes_at(id))),
                figure("movement points left", halves(mp)),
                figure("command", self.battle.command_words(id)),
            ],
            state: if here.routed {
                Some("routed".into())
            } else if broken {
                Some("shattered".into())
            } else {
                None
            },
            badges: badges.into_iter().take(2).collect(),
            spent: self.state.is_spent(id),
            hidden: false,
            livery: None,
        }
    }

    fn leader_face(self, id: LeaderId) -> PieceFace {
        let sheet = self.battle.leader(id);
        let here = self.state.leader(id);
        let rank = match sheet.rank {
            Rank::Division => "division leader",
            Rank::Corps => "corps leader",
            Rank::Army => "army leader",
        };
        let radius = self.command_radius(id);
        let figure = |label: &str, value: String| Figure { label: label.into(), value };
        let superior = sheet.superior.map_or("none".into(), |l| self.battle.leader(l).name.clone());
        PieceFace {
            id: self.battle.piece_id(Piece::Leader(id)),
            slug: sheet.slug.clone(),
            side: sheet.side,
            name: sheet.name.clone(),
            byname: here.replaced.then(|| "replacement".into()),
            arm: "leader".into(),
            band: if sheet.rank == Rank::Army { None } else { self.battle.band(Some(id)) },
            place: self.place_of_post(here.post, sheet.start),
            footprint: None,
            big: match sheet.rank {
                Rank::Division => "★".into(),
                Rank::Corps => "★★".into(),
                Rank::Army => "★★★".into(),
            },
            small: vec![radius.to_string()],
            gauge: None,
            figures: vec![
                figure("rank", rank.into()),
                figure("superior", superior),
                figure("command radius", radius.to_string()),
            ],
            state: here.replaced.then(|| "replaced".into()),
            badges: Vec::new(),
            spent: self.state.phase == Phase::Movement
                && self.state.moved_leaders.contains(id)
                && self.state.mover.is_none_or(|m| m.piece != Piece::Leader(id)),
            hidden: false,
            livery: None,
        }
    }

    fn marks(self) -> Vec<Mark> {
        let mark = |kind: &str, hex: Hex, side: Option<Side>, text: String, title: String| Mark {
            kind: kind.into(),
            place: self.battle.place(hex),
            to: None,
            side,
            text,
            title,
        };
        let mut marks = Vec::new();
        for (objective, &control) in self.battle.objectives.iter().zip(&self.state.control) {
            let title = format!("{}: {}", objective.name, counted(objective.points, "victory point"));
            marks.push(mark("objective", objective.hex, control, objective.points.to_string(), title));
        }
        for side in Side::BOTH {
            for &hex in &self.battle.armies[side].havens {
                let title =
                    format!("Entry of {}: retreats and routs lead here", the(&self.battle.armies[side].name));
                marks.push(mark("entry", hex, Some(side), String::new(), title));
            }
        }
        for hex in self.state.works.iter() {
            marks.push(mark("breastworks", hex, None, String::new(), "Breastwork".into()));
        }
        for (index, site) in self.battle.sites.iter().enumerate() {
            let hex = match site.place {
                SitePlace::Bridge(side) => self.battle.map.grid.hexes_of(side).0,
                SitePlace::Depot(hex) => hex,
            };
            let burned = self.state.is_burned(index as u8);
            let (kind, title) = if burned { ("burned", "burned") } else { ("marker", "may be burned") };
            marks.push(mark(kind, hex, None, String::new(), format!("{}: {title}", site.name)));
        }
        for (ford, site) in self.state.fords.iter().zip(&self.battle.fords) {
            let (a, b) = self.battle.map.grid.hexes_of(site.side);
            let (text, title) = match ford {
                Ford::Unsearched(_) => ("?", "Unknown ford"),
                Ford::Found => ("yes", "Ford"),
                Ford::None => continue,
            };
            let mut found = mark("ford", a, None, text.into(), title.into());
            found.to = b.map(|hex| self.battle.place(hex));
            marks.push(found);
        }
        marks
    }

    fn track(self) -> Vec<TrackCell> {
        let enters = |turn: usize| {
            let here = |start: Start| self.state.turn_of(start).is_some_and(|t| usize::from(t) == turn);
            self.battle.units.iter().any(|u| here(u.start))
                || self.battle.leaders.iter().any(|l| here(l.start))
        };
        let now = usize::from(self.state.turn);
        let cells = self.battle.turns.iter().enumerate().map(|(index, turn)| TrackCell {
            label: turn.label.clone(),
            sub: if turn.stragglers { "stragglers".into() } else { String::new() },
            side: None,
            now: index == now && self.state.phase != Phase::Over,
            past: index < now || self.state.phase == Phase::Over,
            night: turn.night,
            flag: enters(index),
            check: index + 1 == self.battle.turns.len(),
        });
        cells.collect()
    }

    fn panels(self) -> Vec<Panel> {
        let rows = Side::BOTH.map(|side| {
            vec![
                self.battle.armies[side].name.clone(),
                self.state.losses[side].to_string(),
                if self.state.tide[side] { "ready".into() } else { "used".into() },
            ]
        });
        let mut panels = vec![Panel::Table {
            title: "Loss track".into(),
            columns: ["army", "losses", "Tide of Battle"].map(String::from).to_vec(),
            rows: rows.to_vec(),
            lit: None,
        }];
        if let (Some(Step::Volley | Step::CombatDie { .. }), Some(at)) =
            (self.state.agenda.top(), self.state.fire.at)
        {
            let volley = self.volley(at, self.state.fire.firers);
            let outcome =
                |die: i16| self.battle.charts.cell(volley.column, die + volley.modifier()).printed();
            let lit = match self.state.agenda.top() {
                Some(Step::CombatDie { natural }) => Some([usize::from(natural).saturating_sub(1), 1]),
                _ => None,
            };
            panels.push(Panel::Table {
                title: self.battle.volley_words(&volley),
                columns: vec!["die".into(), "result".into()],
                rows: (1..=10).map(|die| vec![die.to_string(), outcome(die)]).collect(),
                lit,
            });
        }
        panels.extend(self.volley_ladder());
        panels
    }

    fn tally(self) -> Vec<TallyRow> {
        let row =
            |what: &str, points: BySide<i32>, rule| TallyRow { what: what.into(), points, rule: Some(rule) };
        let mut rows = vec![
            row("Objectives", BySide::from_fn(|s| self.ground_points(s)), cite!("14.0.a")),
            row(
                "Enemy losses",
                BySide::from_fn(|s| i32::from(self.state.losses[s.enemy()])),
                cite!("14.0.e"),
            ),
            row("At the start", BySide::from_fn(|s| self.battle.armies[s].points), cite!("13.0.a")),
        ];
        if !self.battle.prizes.is_empty() {
            rows.push(row("Prizes", BySide::from_fn(|s| self.prize_points(s)), cite!("13.0.a")));
        }
        rows
    }

    fn combat_face(self) -> Option<Combat> {
        let at = self.state.fire.at?;
        if !matches!(self.state.agenda.top(), Some(Step::Volley | Step::CombatDie { .. })) {
            return None;
        }
        let volley = self.volley(at, self.state.fire.firers);
        let by: Vec<_> =
            self.state.fire.firers.iter().map(|u| self.battle.piece_id(Piece::Unit(u))).collect();
        let at_pieces: Vec<_> = self.target_pieces(at).into_iter().map(|p| self.battle.piece_id(p)).collect();
        Some(Combat {
            title: format!("{} SP, column {}", volley.total, self.battle.charts.head(volley.column)),
            pieces: by.iter().chain(&at_pieces).copied().collect(),
            fires: vec![FireFace {
                by,
                at: at_pieces,
                dice: 1,
                test: None,
                modifiers: self.battle.fire_modifiers(at, &volley),
                considered: Vec::new(),
            }],
        })
    }
}

impl State {
    fn is_spent(&self, id: UnitId) -> bool {
        match self.phase {
            Phase::Movement => {
                self.moved.contains(id) && self.mover.is_none_or(|m| m.piece != Piece::Unit(id))
            }
            Phase::Artillery | Phase::Defensive | Phase::Offensive => self.fired.contains(id),
            Phase::Organization => self.unit(id).task != Task::None,
            Phase::Rally => self.acted.contains(id),
            _ => false,
        }
    }

    fn phases(&self) -> Vec<StepCell> {
        let all = [
            (Phase::Command, "Command", cite!("5.1.b")),
            (Phase::Organization, "Organization", cite!("6.1.a")),
            (Phase::Artillery, "Artillery", cite!("7.1.a")),
            (Phase::Movement, "Movement", cite!("8.1.1.a")),
            (Phase::Defensive, "Defensive fire", cite!("9.2.a")),
            (Phase::Offensive, "Offensive fire", cite!("9.3.a")),
            (Phase::Rally, "Rally", cite!("10.1.a")),
        ];
        let cell = |(phase, label, rule): (Phase, &str, game::Rule)| StepCell {
            label: label.into(),
            state: match phase.cmp(&self.phase) {
                std::cmp::Ordering::Less => StepState::Done,
                std::cmp::Ordering::Equal => StepState::Now,
                std::cmp::Ordering::Greater => StepState::Ahead,
            },
            note: phase.words().into(),
            rule: Some(rule),
            side: Some(phase.whose(self.active)),
        };
        all.into_iter().map(cell).collect()
    }
}

/// The SP from which a unit is shattered; guns are lost before that.
fn shattered_at(arm: Arm, back: u8) -> String {
    match arm {
        Arm::Artillery => "guns are not shattered".into(),
        _ => format!("{back} SP or less"),
    }
}

fn gauge(full: u8, back: u8, sp: u8) -> Gauge {
    let whole = sp.saturating_sub(back);
    Gauge { whole, hurt: sp - whole, lost: full.saturating_sub(sp) }
}

/// Halves of a movement point in words: `5½`.
pub(crate) fn halves(mp: u8) -> String {
    match (mp / 2, mp % 2) {
        (n, 0) => n.to_string(),
        (0, _) => "½".into(),
        (n, _) => format!("{n}½"),
    }
}
