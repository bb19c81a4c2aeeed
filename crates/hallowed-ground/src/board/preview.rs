//! What a charge that is offered would meet: its way, its odds, the answer of its target.

use arrayvec::ArrayVec;
use game::Rule;
use game::board::{Offer, OfferNote};
use game::words::{does, signed};
use table::{MIL, Pose};

use crate::board::offer::inches;
use crate::field::Field;
use crate::rules::charges::line::Charger;
use crate::rules::formations::Formation;
use crate::setup::pieces::{UnitId, piece, place_of};

impl Field<'_> {
    /// A charge as an offer: the way of the first charger, what each strikes, how likely it goes home, what it meets.
    pub(crate) fn charge_offer(&self, offer: &mut Offer, target: UnitId, by: &[UnitId]) {
        offer.rule = Some(cite!("7.2.a"));
        if let Ok(lines) = self.declare(target, by) {
            self.preview_charge(offer, target, &lines);
        }
    }

    /// A breakthrough as an offer: a charge without orders.
    pub(crate) fn breakthrough_offer(&self, offer: &mut Offer, by: &[UnitId]) {
        offer.rule = Some(cite!("9.5.b"));
        if let Some((target, lines)) = self.breakthrough_lines(by) {
            self.preview_charge(offer, target, &lines);
        }
    }

    fn preview_charge(&self, offer: &mut Offer, target: UnitId, lines: &[Charger]) {
        let Some(lead) = lines.first() else { return };
        offer.piece = Some(piece(lead.unit));
        offer.targets = vec![piece(target)];
        offer.rolls = true;
        offer.place = Some(place_of(lead.pose));
        offer.path = self.charge_way(lead).into_iter().map(place_of).collect();
        for line in lines {
            let name = &self.battle.unit(line.unit).name;
            let side = format!("{:?}", line.side).to_lowercase();
            let rough = if line.difficult { ", through difficult terrain" } else { "" };
            let text = format!("{name}: {}, strikes the {side}{rough}", inches(line.distance));
            offer.notes.push(note(text, line.difficult, cite!("7.8.a")));
        }
        offer.notes.push(self.charge_bands(lines));
        offer.notes.push(self.charge_answer(target, lines));
    }

    /// The poses of a charge: straight on, the pivot, up to the target, flush on it.
    fn charge_way(&self, line: &Charger) -> ArrayVec<Pose, 5> {
        let corner = line.start.moved(0, i64::from(line.first) * MIL);
        let mut way: ArrayVec<Pose, 5> = ArrayVec::new();
        for pose in [line.start, corner, line.turned(self), line.along(self, line.length()), line.pose] {
            if way.last() != Some(&pose) {
                way.push(pose);
            }
        }
        way
    }

    /// The four bands of the charge home roll, with how many of the 36 throws reach contact's band.
    fn charge_bands(&self, lines: &[Charger]) -> OfferNote {
        let sum = self.charge_home_mods(lines).total();
        let throws = |least: i16| {
            (1..=6).flat_map(|a| (1..=6).map(move |b| a + b)).filter(|n| n + sum >= least).count()
        };
        let text = format!(
            "Charge home, two dice {}: 3 or more go forward in {} of 36, 7 or more charge in {}, 11 or more are determined in {}",
            signed(sum),
            throws(3),
            throws(7),
            throws(11)
        );
        note(text, throws(7) < 18, cite!("7.3.a"))
    }

    /// What the target may do about it.
    fn charge_answer(&self, target: UnitId, lines: &[Charger]) -> OfferNote {
        let name = &self.battle.unit(target).name;
        if self.is_mounted(target) {
            return note(format!("{name} may countercharge"), true, cite!("7.3.n"));
        }
        if self.state.unit(target).formation == Formation::Limbered {
            return note(format!("{} and cannot fire", does(name, "is limbered")), false, cite!("7.7.a"));
        }
        if let Some(near) = lines.iter().find(|l| self.surprises(l)) {
            let half = inches(self.rate(near.unit));
            return note(format!("surprise from {half} or less: no defensive fire"), false, cite!("7.3.m"));
        }
        let full = self.stat(target).shooting[0];
        let dice = if self.state.unit(target).shaken { full.div_ceil(2) } else { full };
        let lead = &lines[0];
        let support = self.supports_of(target, self.rect(lead.unit).front, lead.aim.pt());
        let beside =
            support.first().map(|s| format!(", so does {}", self.battle.unit(*s).name)).unwrap_or_default();
        note(format!("{} {dice} dice at point blank{beside}", does(name, "fires")), true, cite!("7.6.a"))
    }
}

pub(crate) fn note(text: String, warning: bool, rule: Rule) -> OfferNote {
    OfferNote { text, warning, stop: false, rule: Some(rule) }
}
