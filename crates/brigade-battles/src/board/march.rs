//! A march hex by hex: what each costs and why (8.1.3, 8.2), and the fire that awaits whoever ends it there. None falls at
//! once: it comes as defensive fire in the Combat Phase (9.2.a).

use game::board::{Fire, March, Stride};
use game::{Die, Rule, Test};
use hexmap::{Direction, Hex};

use crate::action::Action;
use crate::at::At;
use crate::board::view::halves;
use crate::rules::march::Walk;
use crate::setup::map::feature;
use crate::state::{Phase, Piece, Post, UnitId, Units};

impl At<'_> {
    pub(crate) fn march_in_steps(self, action: Action) -> Option<March> {
        let Action::March { piece, to } = action else { return None };
        let lines = self.lines(self.state.active);
        let walk = self.walk(&lines, piece);
        if walk.routed {
            return None;
        }
        let path = walk.reach().path(&walk, to);
        let start = self.state.post_of(piece).hex();
        // A reinforcement's first hex is entered from off the map.
        let before = std::iter::once(start).chain(path.iter().copied().map(Some));
        let steps = before.zip(&path).filter_map(|(from, &to)| self.stride(&walk, from, to)).collect();
        let fire = match piece {
            Piece::Unit(unit) => self.fire_awaiting(unit, to),
            Piece::Leader(_) => Vec::new(),
        };
        Some(March { steps, fire })
    }

    /// The defensive fire of each enemy unit that could fire into the hex, if it fired alone.
    fn fire_awaiting(self, unit: UnitId, to: Hex) -> Vec<Fire> {
        let mut there = self.state.clone();
        there.unit_mut(unit).post = Post::On(to);
        there.phase = Phase::Defensive;
        there.fired = Units::EMPTY;
        there.targeted = Units::EMPTY;
        let there = At::new(self.battle, &there);
        let enemy = self.battle.unit(unit).side.enemy();
        self.battle.of[enemy]
            .iter()
            .filter(|&by| there.may_fire_at(by, to).is_ok())
            .filter_map(|by| there.fire_of(by, unit, to))
            .collect()
    }

    /// What the combat die must show to do any harm; nothing where none does.
    fn fire_of(self, by: UnitId, target: UnitId, at: Hex) -> Option<Fire> {
        let mut firers = Units::EMPTY;
        firers.insert(by);
        let volley = self.volley(at, firers);
        let harms = |die: &i16| self.battle.charts.cell(volley.column, die + volley.modifier()).harm() > 0;
        let least = (1..=10).find(harms)?;
        Some(Fire {
            by: vec![self.battle.piece_id(Piece::Unit(by))],
            at: vec![self.battle.piece_id(Piece::Unit(target))],
            dice: 1,
            test: Some(Test::at_least(Die::D10, least)),
            modifiers: self.battle.fire_modifiers(at, &volley),
            considered: Vec::new(),
        })
    }

    fn stride(self, walk: &Walk<'_>, from: Option<Hex>, to: Hex) -> Option<Stride> {
        let place = self.battle.place(to);
        let terrain = self.battle.ground(to).title.to_lowercase();
        let Some(from) = from else {
            let cost = halves(walk.entry(to).ok()?);
            return Some(Stride {
                place,
                cost,
                why: format!("comes onto the map, {terrain}"),
                rule: cite!("8.3.a"),
            });
        };
        let direction = self.battle.map.grid.direction(from, to)?;
        let (_, cost) = walk.step(from, direction).ok()?;
        let (extra, rule) = self.paid_besides(walk, from, direction, to);
        let why = std::iter::once(terrain).chain(extra).collect::<Vec<_>>().join(", ");
        Some(Stride { place, cost: halves(cost), why, rule })
    }

    /// What counts besides the hex itself, and the rule that says most about the step.
    fn paid_besides(self, walk: &Walk<'_>, from: Hex, direction: Direction, to: Hex) -> (Vec<String>, Rule) {
        let map = &self.battle.map;
        let features = self.features_now(from, direction);
        let mut words = Vec::new();
        let column = walk.in_column(from, to);
        if column {
            words.push(
                if features & feature::ROAD == 0 { "in column" } else { "in column by road" }.to_owned(),
            );
        }
        let bits = [(feature::BRIDGE, "bridge"), (feature::FORD, "ford"), (feature::STREAM, "stream")];
        let crossing = bits.into_iter().find(|(bit, _)| features & bit != 0);
        words.extend(crossing.map(|(_, word)| format!("across the {word}")));
        if !column && map.level[to.index()] > map.level[from.index()] {
            words.push("uphill".to_owned());
        }
        if walk.leaves_zone(from) {
            words.push("out of an enemy zone".to_owned());
            return (words, cite!("8.1.5.b"));
        }
        (words, if column { cite!("8.2.a") } else { cite!("8.1.3.a") })
    }
}
