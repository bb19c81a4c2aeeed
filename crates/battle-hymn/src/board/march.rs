//! A march hex by hex: what each costs and why (5.4), and the fire it would draw (5.3.h, 6.1.4).

use game::Rule;
use game::board::{Fire, March, Stride};
use hexmap::Hex;

use crate::action::Action;
use crate::at::At;
use crate::board::spoken;
use crate::rules::fire::FireKind;
use crate::setup::ground::{Feature, crossed};
use crate::state::Id;

impl At<'_> {
    pub(crate) fn march_in_steps(self, action: &Action) -> Option<March> {
        let Action::March { unit, to, path } = *action else { return None };
        let (way, _) = self.way_of_march(unit, to, path)?;
        let from = std::iter::once(self.piece(unit).hex).chain(way.iter().copied());
        let steps = from.zip(&way).filter_map(|(from, &to)| self.stride(unit, from, to)).collect();
        Some(March { steps, fire: self.fire_drawn(unit, to) })
    }

    fn stride(self, unit: Id, from: Hex, to: Hex) -> Option<Stride> {
        let direction = self.ground().direction(from, to)?;
        let (why, rule) = self.paid_for(from, direction, to);
        let cost = self.costs(unit)[from.index()][direction];
        Some(Stride { place: self.battle.place(to), cost: cost.to_string(), why, rule })
    }

    /// What a step is paid for, and the rule that says most about it.
    fn paid_for(self, from: Hex, direction: usize, to: Hex) -> (String, Rule) {
        let ground = self.ground();
        let features = ground.side_features(from, direction);
        let climbs = ground.level[to.index()] > ground.level[from.index()];
        let by_road = Feature::WAYS.into_iter().find(|&way| features.has(way));
        let terrain = &self.battle.charts.hexes[usize::from(ground.terrain[to.index()])].name;
        let mut words = by_road.map_or_else(|| spoken(terrain), |way| format!("by {}", spoken(way.word())));
        let mut rule = if by_road.is_some() { cite!("5.4.3.a") } else { cite!("5.4.1.a") };
        for feature in crossed(features).filter(|f| !Feature::WAYS.contains(f)) {
            match feature {
                Feature::Slope | Feature::Escarpment if !climbs => continue,
                Feature::Slope | Feature::Escarpment => {
                    words += &format!(", up the {}", feature.word());
                    rule = cite!("5.4.4.b");
                }
                Feature::Fortification if !features.fortified_beyond() => continue,
                _ => {
                    words += &format!(", across the {}", feature.word());
                    rule = cite!("5.4.2.a");
                }
            }
        }
        (words, rule)
    }

    /// The approach fire that a unit would meet in a hex, if each enemy gave it all its SPs.
    fn fire_drawn(self, unit: Id, to: Hex) -> Vec<Fire> {
        let mut there = self.state.clone();
        there.piece_mut(unit).hex = to;
        let there = At::new(self.battle, &there);
        let over = self.covered_from(self.side(unit).enemy(), to);
        self.units_in(to, over)
            .into_iter()
            .map(|enemy| {
                let chance = there.to_hit_chance(enemy, unit, FireKind::Approach);
                Fire {
                    by: vec![enemy.piece()],
                    at: vec![unit.piece()],
                    dice: self.piece(enemy).intact(),
                    test: Some(chance.test()),
                    modifiers: chance.modifiers(self.battle),
                    considered: chance.considered(self.battle),
                }
            })
            .collect()
    }
}
