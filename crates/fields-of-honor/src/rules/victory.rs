//! Victory: what the scenario counts, who may leave the table, what ends a battle (scenario.*).

use game::board::TallyRow;
use game::{Allowed, BySide, Effects, Kind, No, Outcome, Rule, Side};
use table::{Area, EPS, INCH, Pt};

use crate::at::{At, Run};
use crate::cite;
use crate::rules::basics::Arm;
use crate::rules::terrain::any_inside;
use crate::setup::battle::{Battle, Score, What, When};
use crate::setup::ground::TableEdge;
use crate::state::{Body, BodyId, Marks, Order, State, Where};

fn good(body: &Body) -> bool {
    body.on_table() && !body.order.broken() && !body.marks.has(Marks::ABANDONED)
}

impl At<'_> {
    /// Stands in good order of a side within areas.
    fn stands_on(self, side: Side, areas: &[usize], foot_and_guns: bool) -> i32 {
        let bodies = self.state.on_table().filter(|(_, b)| self.battle.side(b) == side && good(b));
        bodies
            .filter(|(_, b)| !foot_and_guns || self.battle.arm(b) != Arm::Cavalry)
            .map(|(_, b)| b.layout(self.battle))
            .filter(|layout| areas.iter().any(|a| layout.may_meet(&self.battle.areas[*a].area.bounds())))
            .map(|layout| {
                let on = |stand: &Pt| areas.iter().any(|a| self.battle.areas[*a].area.contains(*stand));
                layout.centres().iter().filter(|p| on(p)).count() as i32
            })
            .sum()
    }

    /// Who holds an objective now.
    pub(crate) fn holder(self, what: &What) -> Option<Side> {
        match what {
            What::HoldArea { areas, foot_and_guns } => {
                let [a, b] = Side::BOTH.map(|s| self.stands_on(s, areas, *foot_and_guns));
                match a.cmp(&b) {
                    std::cmp::Ordering::Greater => Some(Side::First),
                    std::cmp::Ordering::Less => Some(Side::Second),
                    std::cmp::Ordering::Equal => None,
                }
            }
            What::HoldPoint { slot, .. } => self.state.held.get(*slot).copied().flatten(),
            _ => None,
        }
    }

    fn percent_of_hits_lost(self, side: Side) -> i64 {
        let (mut lost, mut all) = (0, 0);
        for body in self.state.bodies.iter().filter(|b| self.battle.side(b) == side) {
            let hits = i64::from(self.battle.info(body).arm.hits_a_stand());
            if body.place == Where::Gone {
                lost += hits * i64::from(body.strength);
            } else {
                lost += i64::from(body.lost) + i64::from(body.fresh);
            }
            all += hits * i64::from(body.strength);
        }
        if all == 0 { 0 } else { 1000 * lost / all }
    }

    /// Points of one row for a side.
    fn points_from(self, what: &What, side: Side) -> i32 {
        let enemy = side.enemy();
        let enemies = || self.battle.bmus.iter().enumerate().filter(move |(_, b)| b.side == enemy);
        match what {
            What::HoldArea { .. } | What::HoldPoint { .. } => i32::from(self.holder(what) == Some(side)),
            What::Clear { area } => {
                let foes = self
                    .state
                    .on_table()
                    .any(|(_, b)| self.battle.side(b) == enemy && any_inside(area, &b.layout(self.battle)));
                i32::from(!foes)
            }
            What::Removed { batteries } => {
                let count = enemies().filter(|(i, b)| {
                    let guns = b.arm.is_artillery();
                    let taken = guns
                        && self
                            .state
                            .bodies
                            .iter()
                            .any(|x| usize::from(x.bmu) == *i && x.marks.has(Marks::ABANDONED));
                    (self.state.is_gone(*i) || taken) && batteries.is_none_or(|only| only == guns)
                });
                count.count() as i32
            }
            What::Broken => enemies()
                .filter(|(i, _)| {
                    self.state.on_table().any(|(_, b)| usize::from(b.bmu) == *i && b.order >= Order::Shaken)
                })
                .count() as i32,
            What::FewerLosses => {
                i32::from(self.percent_of_hits_lost(side) < self.percent_of_hits_lost(enemy))
            }
            What::StandsLost { each } => {
                let lost: i32 = self
                    .state
                    .bodies
                    .iter()
                    .filter(|b| self.battle.side(b) == enemy)
                    .map(|b| match b.place {
                        Where::Gone => i32::from(b.strength),
                        _ => i32::from(b.strength - b.stands(self.battle)),
                    })
                    .sum();
                lost / each
            }
            What::Spent => enemies()
                .filter(|(i, _)| {
                    self.state.is_gone(*i) || self.state.percent_lost(self.battle, *i as u8) >= 50
                })
                .count() as i32,
            What::Kept { names } => {
                let lost = self
                    .battle
                    .scores
                    .iter()
                    .any(|s| names.contains(&s.name) && self.holder(&s.what) == Some(enemy));
                i32::from(!lost)
            }
            What::Entered { .. } | What::HeldAt { .. } => 0,
        }
    }

    /// Every row of the score as it would count now.
    pub(crate) fn tally(self) -> Vec<TallyRow> {
        let mut rows: Vec<TallyRow> = self
            .battle
            .scores
            .iter()
            .filter(|s| !matches!(s.what, What::Entered { .. } | What::HeldAt { .. }))
            .map(|score| TallyRow {
                what: score.name.clone(),
                points: BySide::from_fn(|side| {
                    (self.points_from(&score.what, side) * score.points[side]).min(score.most)
                }),
                rule: Some(rule(&score.what)),
            })
            .collect();
        if self.state.points != BySide::default() {
            rows.push(TallyRow {
                what: "scored so far".to_owned(),
                points: self.state.points.map(i32::from),
                rule: Some(cite!("scenario.entered.a")),
            });
        }
        rows
    }

    /// Victory points if the battle ended now.
    pub(crate) fn score(self) -> BySide<i32> {
        BySide::from_fn(|side| {
            let rows: i32 = self
                .battle
                .scores
                .iter()
                .map(|s| {
                    if s.points[side] == 0 {
                        0
                    } else {
                        (self.points_from(&s.what, side) * s.points[side]).min(s.most)
                    }
                })
                .sum();
            rows + i32::from(self.state.points[side])
        })
    }

    /// Who has won at the end.
    pub(crate) fn outcome(self) -> Outcome {
        let mut points = self.score();
        if self.battle.scores.is_empty() {
            // G15: the side with fewer percent of its hits lost.
            points = BySide::from_fn(|s| {
                i32::from(self.percent_of_hits_lost(s) < self.percent_of_hits_lost(s.enemy()))
            });
        }
        match points.first - points.second {
            d if d >= self.battle.margin => Outcome::Won(Side::First),
            d if -d >= self.battle.margin => Outcome::Won(Side::Second),
            _ => Outcome::Drawn,
        }
    }

    /// Whether something ends the battle at once.
    pub(crate) fn sudden_end(self) -> Option<Outcome> {
        for side in Side::BOTH {
            let left = self
                .state
                .bodies
                .iter()
                .any(|b| self.battle.side(b) == side && matches!(b.place, Where::Table | Where::Coming));
            let gone =
                self.state.bodies.iter().any(|b| self.battle.side(b) == side && b.place == Where::Left);
            if !left && !gone {
                return Some(Outcome::Won(side.enemy()));
            }
        }
        for end in &self.battle.sudden {
            let (winner, loser) = (end.winner, end.winner.enemy());
            let over = match &end.when {
                When::Alone { area } => {
                    let inside = |side| {
                        self.state.on_table().any(|(_, b)| {
                            self.battle.side(b) == side && any_inside(area, &b.layout(self.battle))
                        })
                    };
                    inside(winner) && !inside(loser)
                }
                When::StandsLeft { stands } => {
                    let left: i32 = self
                        .state
                        .on_table()
                        .filter(|(_, b)| self.battle.side(b) == loser)
                        .map(|(_, b)| i32::from(b.stands(self.battle)))
                        .sum();
                    left <= *stands
                }
                When::Holds { names, most, from } => {
                    let held = |name: &String| {
                        let score = self.battle.scores.iter().find(|s| s.name == *name);
                        score.is_some_and(|s| self.holder(&s.what) == Some(winner))
                    };
                    self.state.turn >= *from
                        && names.first().is_some_and(held)
                        && names.iter().skip(1).filter(|n| held(n)).count() >= *most
                }
            };
            if over {
                return Some(Outcome::Won(winner));
            }
        }
        None
    }

    pub(crate) fn may_leave(self, id: BodyId) -> Allowed {
        let body = self.body(id);
        let no = No::new(cite!("scenario.exit.a"), "it may not leave the table here and now");
        let Some((edge, from)) = self.battle.sides[self.battle.side(body)].exit else { return Err(no) };
        let b = body.layout(self.battle).block().bounds;
        let near = match edge {
            TableEdge::North => self.battle.top.height - b.hi.y,
            TableEdge::South => b.lo.y,
            TableEdge::East => self.battle.top.width - b.hi.x,
            TableEdge::West => b.lo.x,
        };
        if self.state.turn < from || near > INCH { Err(no) } else { self.may_move(id) }
    }
}

impl State {
    /// The last unit in good order near a point holds it; noted at the end of each turn.
    pub(crate) fn visit(&mut self, battle: &Battle) {
        for score in &battle.scores {
            match &score.what {
                What::HoldPoint { at, within, slot } => {
                    let near = |side: Side| {
                        let bodies = self.on_table().filter(|(_, b)| battle.side(b) == side && good(b));
                        bodies
                            .map(|(_, b)| b.layout(battle).distance_to(*at))
                            .min()
                            .filter(|d| *d <= within + EPS)
                    };
                    let new = match (near(Side::First), near(Side::Second)) {
                        (Some(a), Some(b)) => Some(if a <= b { Side::First } else { Side::Second }),
                        (Some(_), None) => Some(Side::First),
                        (None, Some(_)) => Some(Side::Second),
                        (None, None) => self.held[*slot],
                    };
                    self.held[*slot] = new;
                }
                What::Entered { area, before, bit } if self.turn < *before && self.scored & bit == 0 => {
                    self.award_once(battle, score, area, *bit);
                }
                _ => {}
            }
        }
    }

    /// Whoever has somebody in an area scores it, once in the game.
    fn award_once(&mut self, battle: &Battle, score: &Score, area: &Area, bit: u32) {
        for side in Side::BOTH.into_iter().filter(|side| score.points[*side] > 0) {
            if self.on_table().any(|(_, b)| battle.side(b) == side && any_inside(area, &b.layout(battle))) {
                self.scored |= bit;
                self.points[side] += score.points[side] as i16;
            }
        }
    }

    /// What is scored at the start of a turn.
    pub(crate) fn score_at_start(&mut self, battle: &Battle) {
        for score in &battle.scores {
            if let What::HeldAt { area, turn, bit } = &score.what
                && self.turn == *turn
                && self.scored & bit == 0
            {
                self.award_once(battle, score, area, *bit);
            }
        }
    }

    fn is_gone(&self, bmu: usize) -> bool {
        self.bodies
            .iter()
            .filter(|b| usize::from(b.bmu) == bmu)
            .all(|b| !b.on_table() && !matches!(b.place, Where::Coming | Where::Left))
    }
}

/// The rule by which a row counts.
fn rule(what: &What) -> Rule {
    match what {
        What::HoldArea { .. } => cite!("scenario.hold.a"),
        What::HoldPoint { .. } => cite!("scenario.hold.b"),
        What::Clear { .. } => cite!("scenario.clear.a"),
        What::Kept { .. } => cite!("scenario.kept.a"),
        What::Removed { .. } => cite!("scenario.removed.a"),
        What::Broken => cite!("scenario.broken.a"),
        What::Spent => cite!("scenario.spent.a"),
        What::StandsLost { .. } => cite!("scenario.stands-lost.a"),
        What::FewerLosses => cite!("scenario.losses.a"),
        What::Entered { .. } => cite!("scenario.entered.a"),
        What::HeldAt { .. } => cite!("scenario.held-at.a"),
    }
}

impl<F: Effects> Run<'_, F> {
    /// A unit marches off the table unbeaten (scenario.exit.a).
    pub(crate) fn leave_table(&mut self, unit: BodyId) {
        self.state.go.used += self.state.move_price(unit);
        self.state.go.chosen |= unit.bit();
        self.state.body_mut(unit).place = Where::Left;
        self.state.release(unit);
        self.tell_of(unit, Kind::March, "marches off the table", cite!("scenario.exit.a"));
    }
}
