//! 13.0 What a scenario leaves to the players: `[[variant]]`, with its dice, prizes and points.

use game::read::{Field, Section};
use game::{BySide, Options, Rule, Side};

use crate::setup::battle::{Lot, Prize, Variant};
use crate::setup::pieces::{LeaderSheet, UnitSheet};
use crate::setup::scenario::{Roll, SIDES, in_play};
use crate::state::{LOTS, PRIZES};

/// What the variants that the players have chosen come to.
#[derive(Default)]
pub(super) struct Chosen {
    pub(super) variants: Vec<Variant>,
    pub(super) bonus: BySide<i32>,
    pub(super) lots: Vec<Lot>,
    pub(super) prizes: Vec<Prize>,
}

impl Roll<'_> {
    /// 13.0: what the scenario leaves to the players, and the victory points at the start that go with it.
    pub(super) fn variants(
        &self,
        sheet: &Section<'_>,
        options: &Options,
        units: &mut [UnitSheet],
        leaders: &mut [LeaderSheet],
    ) -> Chosen {
        let mut chosen = Chosen::default();
        for section in sheet.field("variant").sections() {
            let id = section.field("id").required().text().unwrap_or_default();
            let written = section.field("on").truth().unwrap_or(false);
            let on = options.get(&id).copied().unwrap_or(written);
            let name = section.field("name").required().text().unwrap_or_default();
            let rule = variant_rule(&section.field("rule"));
            let lot = self.lot(&section.field("die"), &name, rule);
            let lot_id = lot.as_ref().map(|_| chosen.lots.len() as u8);
            let prize = section.field("prize").section().and_then(|prize| self.prize(&prize, &name, rule));
            if let Some(points) = section.field("points").section() {
                for (side, name) in Side::BOTH.into_iter().zip(SIDES) {
                    let more = points.field(name).integer(0..=999).unwrap_or(0) as i32;
                    chosen.bonus[side] += if on { more } else { 0 };
                }
                points.finish();
            }
            if let Some(at) = section.field("at").section() {
                for (name, field) in at.entries() {
                    let start = self.start(&field, lot_id);
                    let unit = units.iter_mut().find(|u| u.slug == name).map(|u| &mut u.start);
                    let leader = leaders.iter_mut().find(|l| l.slug == name).map(|l| &mut l.start);
                    match unit.or(leader) {
                        Some(place) if on => *place = start,
                        Some(_) => {}
                        None => field.fault(format!("no unit or leader `{name}`"), "the id of a piece"),
                    }
                }
            }
            if on {
                chosen.lots.extend(lot);
                chosen.prizes.extend(prize);
            }
            let says = section.field("says").text().unwrap_or_default();
            section.finish();
            chosen.variants.push(Variant { id, name, says, on, rule });
        }
        if chosen.lots.len() > LOTS || chosen.prizes.len() > PRIZES {
            sheet
                .field("variant")
                .fault("too many dice or prizes", format!("at most {LOTS} dice and {PRIZES} prizes"));
            chosen.lots.truncate(LOTS);
            chosen.prizes.truncate(PRIZES);
        }
        chosen
    }

    /// `die = { T9 = 2, T10 = 8, T11 = 10 }`: the highest face that brings each turn.
    fn lot(&self, field: &Field<'_>, name: &str, rule: Rule) -> Option<Lot> {
        let section = field.section()?;
        let mut upto: Vec<(u8, i64)> = Vec::new();
        for (turn, face) in section.entries() {
            let known = turn.strip_prefix('T').and_then(|number| self.turn(number)).filter(|&turn| turn > 0);
            match (known, face.integer(1..=10)) {
                (Some(turn), Some(highest)) => upto.push((turn, highest)),
                (None, _) => face.fault(format!("`{turn}` is not a later turn"), "such as T9, not the first"),
                (Some(_), None) => {}
            }
        }
        upto.sort_unstable();
        let rises = upto.windows(2).all(|pair| pair[0].1 < pair[1].1);
        if !rises || upto.last().is_none_or(|&(_, highest)| highest != 10) {
            field.fault("not every face has one turn", "a higher face for each later turn, 10 for the last");
            return None;
        }
        let turn =
            |face: i64| upto.iter().find(|&&(_, highest)| face <= highest).map_or(0, |&(turn, _)| turn);
        Some(Lot { name: name.into(), rule, turns: std::array::from_fn(|index| turn(index as i64 + 1)) })
    }

    /// `prize = { hex = "1012", side = "usa", points = 10 }`.
    fn prize(&self, section: &Section<'_>, name: &str, rule: Rule) -> Option<Prize> {
        let hex = in_play(&section.field("hex").required(), self.ground);
        let side = self.side(&section.field("side").required());
        let points = section.field("points").required().integer(1..=999);
        section.finish();
        Some(Prize { name: name.into(), rule, hex: hex?, side: side?, points: points? as i32 })
    }
}

/// 13.0: the rule of the inventory that a variant is, if it is one of ours.
fn variant_rule(field: &Field<'_>) -> Rule {
    let known = field.text().map(|id| (crate::rulebook::BOOK.find(&id), id));
    match known {
        Some((Some(text), _)) => text.id,
        Some((None, id)) => {
            field.fault(format!("no rule `{id}`"), "a rule of the inventory, or none");
            cite!("13.0.a")
        }
        None => cite!("13.0.a"),
    }
}
