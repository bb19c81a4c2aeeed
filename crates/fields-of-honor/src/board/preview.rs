//! What a fire may bring, for the player who is about to declare it: its dice, its numbers and the odds of what it costs.

use game::board::OfferNote;
use game::words::signed;
use game::{Modifier, Rule, Sum};

use crate::at::At;
use crate::cite;
use crate::rules::fire::{Aim, FireOrder, Shot, Volley, When};
use crate::setup::pieces::WeaponKind;
use crate::state::BodyId;

impl At<'_> {
    /// The notes on a fire declared at a body.
    pub(crate) fn preview_volley(self, volley: &Volley) -> Vec<OfferNote> {
        let Aim::Body(at) = volley.at else { return Vec::new() };
        let order = FireOrder { shrapnel: volley.shrapnel, ..FireOrder::plain(When::Phase, volley.stands) };
        self.preview_fire(volley.by, at, order)
    }

    /// The notes on a fire at a body where it stands.
    pub(crate) fn preview_fire(self, by: BodyId, at: BodyId, order: FireOrder) -> Vec<OfferNote> {
        let target = self.layout(at);
        let Ok(aim) = self.bearing(by, at, &target) else { return Vec::new() };
        self.preview_shot(&self.shot(by, at, &target, &aim, order))
    }

    /// The notes on a fire that is worked out.
    pub(crate) fn preview_shot(self, shot: &Shot) -> Vec<OfferNote> {
        let need = shot.hit.total().max(2);
        let divisor = shot.divisor.total().max(self.battle.tables.fire.divisor_min);
        let hit = match need {
            7.. => format!("{}, and none can hit (needs {need})", dice(shot.dice)),
            _ => format!("{}, hitting on {need} or more", dice(shot.dice)),
        };
        let mut notes = vec![
            note(with_terms(hit, &shot.hit), cite!("fire.procedure.b")),
            note(
                with_terms(format!("Dice that hit roll again; their sum over {divisor}"), &shot.divisor),
                cite!("fire.procedure.c"),
            ),
        ];
        if shot.half {
            notes.push(note(
                "Half of that, since its own charge failed".to_owned(),
                cite!("charge.sequence.b"),
            ));
        }
        notes.push(note(self.odds_of_losses(shot), cite!("fire.procedure.c")));
        notes
    }

    /// `Losses: none 31 %, 1 44 %, 2 25 %`.
    fn odds_of_losses(self, shot: &Shot) -> String {
        let chances = self.casualties(shot);
        let percent = |chance: f64| format!("{:.0} %", 100.0 * chance);
        let several: f64 = chances.iter().skip(3).sum();
        let mut parts = Vec::new();
        for (hits, chance) in chances.iter().take(3).enumerate() {
            let name = if hits == 0 { "none".to_owned() } else { hits.to_string() };
            parts.push(format!("{name} {}", percent(*chance)));
        }
        if several > 0.0 {
            parts.push(format!("3 or more {}", percent(several)));
        }
        format!("Losses: {}", parts.join(", "))
    }

    /// The chance of each number of casualties, exactly as the dice give it.
    fn casualties(self, shot: &Shot) -> Vec<f64> {
        let divisor = shot.divisor.total().max(self.battle.tables.fire.divisor_min) as usize;
        let divisor = if shot.half { 2 * divisor } else { divisor };
        let hits = self.dice_that_hit(shot);
        let mut out = vec![0.0; 6 * hits.len() / divisor + 1];
        let mut sums = vec![1.0];
        for chance in hits {
            for (sum, share) in sums.iter().enumerate() {
                out[sum / divisor] += chance * share;
            }
            sums = one_more(&sums, &[0.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0].map(|face: f64| face / 6.0));
        }
        out
    }

    /// The chance of each number of dice that hit. Repeaters roll their misses again; a machine gun that jams hits nothing.
    fn dice_that_hit(self, shot: &Shot) -> Vec<f64> {
        let info = self.info(shot.by);
        let need = shot.hit.total().clamp(2, 7);
        let once = f64::from(7 - need) / 6.0;
        let jams = match info.weapon.kind {
            WeaponKind::EarlyMachineGun => 2,
            WeaponKind::LateMachineGun => 3,
            _ => {
                let chance = if info.repeater { once + (1.0 - once) * once } else { once };
                return (0..shot.dice).fold(vec![1.0], |all, _| one_more(&all, &[1.0 - chance, chance]));
            }
        };
        let each = usize::from(info.weapon.dice.max(1));
        // By how many ones and how many hits; a one never hits.
        let mut stand = vec![vec![0.0; each + 1]; each + 1];
        stand[0][0] = 1.0;
        for _ in 0..each {
            let mut next = vec![vec![0.0; each + 1]; each + 1];
            for (ones, row) in stand.iter().enumerate().take(each) {
                for (hits, share) in row.iter().enumerate().take(each) {
                    next[ones + 1][hits] += share / 6.0;
                    next[ones][hits + 1] += share * once;
                    next[ones][hits] += share * (5.0 / 6.0 - once);
                }
            }
            stand = next;
        }
        let mut gun = vec![0.0; each + 1];
        for (ones, row) in stand.iter().enumerate() {
            for (hits, share) in row.iter().enumerate() {
                gun[if ones >= jams { 0 } else { hits }] += share;
            }
        }
        (0..usize::from(shot.dice) / each).fold(vec![1.0], |all, _| one_more(&all, &gun))
    }
}

fn dice(count: u8) -> String {
    if count == 1 { "1 die".to_owned() } else { format!("{count} dice") }
}

/// A sentence and what its number is made of: `3 at medium range, +1 moved`.
fn with_terms(text: String, sum: &Sum) -> String {
    let term = |(i, m): (usize, &Modifier)| match (i, m.reason.as_str()) {
        (0, "base") => m.value.to_string(),
        (0, reason) => format!("{} at {reason}", m.value),
        (_, reason) => format!("{} {reason}", signed(m.value)),
    };
    let terms: Vec<String> = sum.modifiers().iter().enumerate().map(term).collect();
    format!("{text} ({})", terms.join(", "))
}

fn note(text: String, rule: Rule) -> OfferNote {
    OfferNote { text, warning: false, stop: false, rule: Some(rule) }
}

/// The chances of sums with one more die.
fn one_more(sums: &[f64], die: &[f64]) -> Vec<f64> {
    let mut out = vec![0.0; sums.len() + die.len() - 1];
    for (a, x) in sums.iter().enumerate() {
        for (b, y) in die.iter().enumerate() {
            out[a + b] += x * y;
        }
    }
    out
}
