//! A march hex by hex: what each costs and why (9.4, 8.31). No fire answers a march.

use game::Rule;
use game::board::{March, Stride};
use hexmap::{Direction, Hex};

use crate::action::Action;
use crate::at::At;
use crate::rules::charts::Crossing;

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
        Some(March { steps, fire: Vec::new() })
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
