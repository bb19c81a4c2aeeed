//! A march hex by hex: what each costs and why (9.4, 8.31), and the fire that awaits whoever ends it there. None falls at
//! once: guns and rifles fire in their phases, after the movement (11.1.a, 10.2.a).

use game::board::{Fire, March, Stride};
use game::{Die, Rule, Test};
use hexmap::{Direction, Hex};

use crate::action::Action;
use crate::at::At;
use crate::rules::charts::Crossing;
use crate::setup::pieces::{Piece, Pieces};

impl At<'_> {
    pub(crate) fn march_in_steps(self, action: &Action) -> Option<March> {
        let Action::March { piece, from, way } = *action else { return None };
        let believed = self.believed(self.state.phasing);
        let tolls = At::new(self.battle, &believed).tolls(piece, way);
        let most = self.counter(piece).allowance;
        let mut at = from;
        let steps = way
            .steps()
            .zip(tolls)
            .filter_map(|(direction, toll)| {
                let from = at;
                at = self.battle.ground.neighbour(from, direction)?;
                Some(self.stride((from, direction, at), toll, if way.len() == 1 { most } else { u8::MAX }))
            })
            .collect();
        Some(March { steps, fire: At::new(self.battle, &believed).fire_awaiting(piece, at) })
    }

    /// What each enemy gun and rifle unit in reach would need to hit a unit in that hex, if it fired alone.
    fn fire_awaiting(self, unit: Piece, to: Hex) -> Vec<Fire> {
        if !self.battle.all_units().has(unit) {
            return Vec::new();
        }
        let mut there = self.state.clone();
        there.place(unit, to);
        let there = At::new(self.battle, &there);
        let occupied = there.occupied();
        let grid = &self.battle.ground.grid;
        (self.battle.units[!self.battle.side(unit)] & there.on_map())
            .filter(|&enemy| there.state.may_fire_in_its_order(enemy).is_ok())
            .filter_map(|enemy| {
                let range = grid.distance(there.hex(enemy)?, to) as u8;
                let guns = self.battle.roles.artillery.has(enemy);
                let rifles = self.battle.roles.rifles.has(enemy) && range == 1;
                let reaches = guns && there.may_reach(enemy, to, &occupied).is_ok();
                (rifles || reaches).then(|| there.fire_of(enemy, unit, range, rifles))
            })
            .collect()
    }

    fn fire_of(self, by: Piece, target: Piece, range: u8, rifles: bool) -> Fire {
        let alone = Pieces::NONE.with(by);
        let sum = self.fire_sum(alone, target, rifles);
        let need = i16::from(self.battle.charts.to_hit(self.fire_strength(by), range)) - sum.total();
        let twice = rifles && self.hex(target).is_some_and(|at| self.fires_twice(alone, at));
        Fire {
            by: vec![by.id()],
            at: vec![target.id()],
            dice: if twice { 2 } else { 1 },
            test: Some(Test::at_least(Die::Z10, need)),
            modifiers: sum.modifiers(),
            considered: Vec::new(),
        }
    }

    /// One step; alone it takes no more than the piece has (9.2.e).
    fn stride(
        self,
        (from, direction, to): (Hex, Direction, Hex),
        (cost, surcharge): (u8, u8),
        most: u8,
    ) -> Stride {
        let (mut why, mut rule) = self.paid_for(from, direction, to);
        if surcharge > 0 {
            why += ", a rifle zone";
            rule = cite!("8.31.b");
        }
        let sum = cost + surcharge;
        if sum > most {
            why += ", the one hex it can always go";
            rule = cite!("9.2.e");
        }
        Stride { place: self.battle.place(to), cost: sum.min(most).to_string(), why, rule }
    }

    fn paid_for(self, from: Hex, direction: Direction, to: Hex) -> (String, Rule) {
        let ground = &self.battle.ground;
        if ground.step(from, direction, self.state.mended).strategic {
            return ("by road".to_owned(), cite!("9.4.c"));
        }
        let terrain = ground.terrain[to.index()].name().replace('_', " ");
        let crossed = ground.crossings(from, to).into_iter().flatten().map(words);
        let why = std::iter::once(terrain).chain(crossed.map(str::to_owned)).collect::<Vec<_>>().join(", ");
        (why, cite!("9.4.a"))
    }
}

fn words(crossing: Crossing) -> &'static str {
    match crossing {
        Crossing::Creek => "across the creek",
        Crossing::Ford => "by the ford",
        Crossing::Bridge => "over the bridge",
        Crossing::River => "across the river",
        Crossing::UpSlope => "up the slope",
        Crossing::DownSlope => "down the slope",
        Crossing::UpSlopeCreek => "up the slope across the creek",
        Crossing::DownSlopeCreek => "down the slope across the creek",
        Crossing::FieldworksIn => "into the fieldworks",
        Crossing::FieldworksOut => "out of the fieldworks",
    }
}
