//! Chapter 10: morale. Checks, losses, shattering, rally.

use game::dice::{Die, Test};
use game::log::Kind;
use game::words::does;
use game::{Allowed, Effects, Modifier, No, RollNote, Rule};
use hexmap::{Hex, HexSet};

use crate::at::{At, Run};
use crate::rules::cavalry::MUST_RETURN;
use crate::setup::battle::Fatigue;
use crate::state::{Causes, FireOf, Id, Status, Step, UnitSet};

impl At<'_> {
    /// The Morale Rating as it is now: printed, less what the scenario takes off tired troops.
    pub(crate) fn morale_rating(self, id: Id) -> i8 {
        let printed = self.unit(id).morale;
        if self.battle.fatigues.is_empty() {
            return printed;
        }
        self.fatigue_changes(id).fold(printed, |rating, (change, _)| rating + change)
    }

    /// The scenario's rule that has silenced a gun.
    pub(crate) fn silenced(self, id: Id) -> Option<Rule> {
        self.fatigues(id).find(|f| f.silent).map(|f| f.rule)
    }

    /// Whether a unit may attempt to Rally now.
    pub(crate) fn may_rally(self, id: Id) -> bool {
        // Most units most of the time: by day nobody rallies.
        self.is_night()
            && !self.state.moved.contains(id)
            && self.state.hand != Some(id)
            && self.check_rally(id).is_ok()
            && !self.must_return(id)
    }

    /// `rally` as the whole move of a unit (10.5.b).
    pub(crate) fn check_rally_as_move(self, unit: Id) -> Allowed {
        if self.state.hand == Some(unit) {
            return Err(No::new(cite!("10.5.b"), "It has already moved; a rally is the whole move."));
        }
        if self.must_return(unit) {
            return Err(MUST_RETURN);
        }
        self.check_rally(unit)
    }

    /// `rally`: 10.5.
    pub(crate) fn check_rally(self, id: Id) -> Allowed {
        if !self.is_night() {
            return Err(No::new(cite!("10.5.a"), "Troops rally at night."));
        }
        let piece = self.piece(id);
        match piece.status {
            Status::OnMap => {
                if piece.demoralised < 2 {
                    let why = "It needs two Demoralized SPs; the last one never rallies.";
                    return Err(No::new(cite!("10.5.1.a"), why));
                }
                if self.seen_by_enemies(self.side(id)).contains(piece.hex) {
                    return Err(No::new(cite!("10.5.1.a"), "It must be out of every enemy's sight."));
                }
                Ok(())
            }
            Status::Shattered if piece.strength < 2 => {
                Err(No::new(cite!("10.5.2.a"), "A Shattered unit needs two SPs; the last one never rallies."))
            }
            Status::Shattered => Ok(()),
            _ => Err(No::new(cite!("10.5.a"), "It has nothing to rally.")),
        }
    }

    /// 10.5.3: where a rallied unit may be placed.
    pub(crate) fn placements(self, id: Id) -> HexSet {
        let comrades = self.comrades(id);
        let near: HexSet =
            comrades.into_iter().flat_map(|u| self.ground().grid.within(self.piece(u).hex, 2)).collect();
        let hidden = self.out_of_sight(self.side(id));
        (near & hidden)
            .iter()
            .filter(|&hex| self.state.at(hex).is_none() && self.enterable(id, hex))
            .collect()
    }

    /// Units of its Formation on the map that were not themselves placed this Turn.
    fn comrades(self, id: Id) -> UnitSet {
        self.battle.formations[usize::from(self.unit(id).formation)]
            .units
            .and(self.state.on_map())
            .without(self.state.placed)
    }

    fn enterable(self, id: Id, hex: Hex) -> bool {
        let row = usize::from(self.ground().terrain[hex.index()]);
        self.battle.charts.hexes[row].cost[self.column_now(id) as usize].is_some()
    }

    /// `place`.
    pub(crate) fn check_place(self, id: Id, hex: Hex) -> Allowed {
        if self.piece(id).status != Status::Rallied {
            return Err(No::new(cite!("10.5.3.c"), "Only a rallied unit that is off the map is placed."));
        }
        if self.seen_by_enemies(self.side(id)).contains(hex) {
            return Err(No::new(cite!("10.5.3.a"), "The hex must be out of every enemy's sight."));
        }
        if !self.ground().on_map.contains(hex) {
            return Err(No::new(cite!("10.5.3.b"), "It is not on the map."));
        }
        let near = self.comrades(id).into_iter().any(|u| self.ground().distance(self.piece(u).hex, hex) <= 2);
        if !near {
            let why = "It must be within two hexes of a unit of its Formation that was already on the map.";
            return Err(No::new(cite!("10.5.3.b"), why));
        }
        if self.state.at(hex).is_some() {
            return Err(No::new(cite!("3.7.c"), "Another unit stands there."));
        }
        if !self.enterable(id, hex) {
            return Err(No::new(cite!("5.2.e"), "The ground is closed to it."));
        }
        Ok(())
    }
}

impl<'a> At<'a> {
    /// What the scenario adds to the printed rating, rule by rule; the rating stays from -3 to +3.
    pub(crate) fn fatigue_changes(self, id: Id) -> impl Iterator<Item = (i8, Rule)> + 'a {
        let mut rating = self.unit(id).morale;
        self.fatigues(id).filter(|f| f.morale != 0).map(move |fatigue| {
            let before = rating;
            rating = (rating + fatigue.morale).clamp(-3, 3);
            (rating - before, fatigue.rule)
        })
    }

    fn fatigues(self, id: Id) -> impl Iterator<Item = &'a Fatigue> {
        self.battle.fatigues.iter().filter(move |f| {
            let spared = f.unless_holding.and_then(|hex| self.battle.victory.objective_at(hex));
            f.units.contains(id)
                && f.from <= self.state.hour
                && spared.is_none_or(|objective| self.state.control[objective] != Some(self.side(id)))
        })
    }
}

impl<F: Effects> Run<'_, F> {
    /// 10.3.a: a die plus the Morale Rating, 6 or more passes.
    pub(crate) fn passes_check(&mut self, id: Id, what: impl std::fmt::Display, rule: Rule) -> bool {
        let rating = self.at().morale_rating(id);
        self.fx.passes(Test::at_least(Die::D10, 6 - i16::from(rating)), || {
            let mut note = RollNote::new(self.battle.does(id, &what.to_string()), rule)
                .side(self.battle.side(id))
                .by(id.piece());
            let printed = self.battle.unit(id).morale;
            let terms = [(printed, "morale", cite!("10.3.a"))].into_iter().chain(
                At::new(self.battle, self.state)
                    .fatigue_changes(id)
                    .map(|(change, rule)| (change, "exhausted", rule)),
            );
            let counting = terms.filter(|(value, ..)| *value != 0);
            note.modifiers
                .extend(counting.map(|(value, why, rule)| Modifier::new(i16::from(value), why, rule)));
            note
        })
    }

    /// Demoralizations: intact SPs only, the rest is ignored (6.2.4.d, R42).
    fn demoralise(&mut self, id: Id, hits: u8, rule: Rule) {
        let points = hits.min(self.state.piece(id).intact());
        self.state.piece_mut(id).demoralised += points;
        if points > 0 {
            self.tell_of(id, Kind::Loss, rule, |name| format!("{name}: {points} SP demoralised."));
        }
    }

    /// A Loss of an intact SP (10.4.1.c).
    fn lose_intact(&mut self, id: Id, rule: Rule) {
        let piece = self.state.piece_mut(id);
        piece.strength -= 1;
        piece.demoralised = piece.demoralised.min(piece.strength);
        self.tell_of(id, Kind::Loss, rule, |name| format!("{name}: 1 SP lost."));
    }

    /// A Loss of a Demoralized SP if there is one (R76).
    pub(crate) fn lose_one(&mut self, id: Id, rule: Rule) {
        let piece = self.state.piece_mut(id);
        if piece.strength == 0 {
            return;
        }
        piece.strength -= 1;
        piece.demoralised = piece.demoralised.saturating_sub(1);
        self.tell_of(id, Kind::Loss, rule, |name| format!("{name}: 1 SP lost."));
    }

    /// 10.2.2.a, 10.2.3.a: a unit without intact SPs leaves the map at once. True if it did.
    pub(crate) fn remove_if_broken(&mut self, id: Id, causes: Causes) -> bool {
        let piece = *self.state.piece(id);
        if piece.intact() > 0 {
            return false;
        }
        if piece.strength == 0 {
            self.eliminate(id);
            return true;
        }
        let had_way_out = !piece.on_map() || self.at().has_free_path(id, causes);
        self.shatter(id, cite!("10.2.2.a"));
        if !had_way_out {
            self.lose_one(id, cite!("10.2.2.d"));
            if self.state.piece(id).strength == 0 {
                self.eliminate(id);
            }
        }
        true
    }

    /// 10.2.2: to the Shattered Units box; all SPs are Demoralized.
    fn shatter(&mut self, id: Id, rule: Rule) {
        self.tell_of(id, Kind::Gone, rule, |name| does(name, "is shattered."));
        self.remove(id, Status::Shattered);
        self.state.horses_of_lost_unit(id, Status::Shattered);
        let piece = self.state.piece_mut(id);
        piece.demoralised = piece.strength;
    }

    /// 10.2.3.a.
    pub(crate) fn eliminate(&mut self, id: Id) {
        self.tell_of(id, Kind::Gone, cite!("10.2.3.a"), |name| does(name, "is destroyed."));
        self.remove(id, Status::Eliminated);
        self.state.horses_of_lost_unit(id, Status::Eliminated);
        let piece = self.state.piece_mut(id);
        (piece.strength, piece.demoralised) = (0, 0);
    }

    /// 7.4.g, R43: a unit that cannot retreat loses one SP and Shatters, and that is all.
    pub(crate) fn shatter_for_want_of_retreat(&mut self, id: Id) {
        self.lose_one(id, cite!("7.4.g"));
        if self.state.piece(id).strength == 0 {
            self.eliminate(id);
        } else {
            self.shatter(id, cite!("10.2.2.c"));
        }
    }

    /// 10.4.1, 10.4.2: the check of a unit hit by fire.
    pub(crate) fn check_after_fire(&mut self, id: Id, fire: FireOf) {
        let hits = std::mem::take(&mut self.state.piece_mut(id).hits);
        let causes = Causes { at: self.state.piece(id).was, directions: self.state.piece(id).shot_from };
        let (rule, if_passed, if_failed) = match fire {
            FireOf::Round => (cite!("10.4.1.a"), cite!("10.4.1.b"), cite!("10.4.1.c")),
            FireOf::Approach => (cite!("10.4.2.a"), cite!("10.4.2.a"), cite!("10.4.2.b")),
        };
        let stands = self.passes_check(
            id,
            format_args!("checks morale after {hits} {}", if hits == 1 { "hit" } else { "hits" }),
            rule,
        );
        if stands {
            self.demoralise(id, hits, if_passed);
        } else {
            self.lose_intact(id, if_failed);
            self.demoralise(id, hits - 1, if_failed);
        }
        let gone = self.remove_if_broken(id, causes);
        if !gone && !stands && fire == FireOf::Round {
            self.state.begin_retreat(id, causes, false);
        }
    }

    /// 10.4.3: the check of a unit hit by Bombardment.
    pub(crate) fn check_after_bombardment(&mut self, id: Id, hits: u8) {
        if self.passes_check(id, "checks morale under bombardment", cite!("10.4.3.a")) {
            return;
        }
        self.demoralise(id, hits, cite!("10.4.3.b"));
        self.remove_if_broken(id, Causes::NONE);
    }

    /// 10.4.4, 7.8: the check of a unit a friend is about to retreat into. True if it must give way.
    pub(crate) fn gives_way(&mut self, id: Id, causes: Causes) -> bool {
        if self.passes_check(id, "checks morale as friends fall back on it", cite!("7.8.a")) {
            return false;
        }
        self.demoralise(id, 1, cite!("7.8.c"));
        !self.remove_if_broken(id, causes)
    }

    pub(crate) fn rally(&mut self, id: Id) {
        self.take_in_hand(id);
        self.state.end_move();
        self.state.rallied.insert(id);
        let was_shattered = self.state.piece(id).status == Status::Shattered;
        let rule = if was_shattered { cite!("10.5.2.a") } else { cite!("10.5.1.a") };
        if !self.passes_check(id, "tries to rally", rule) {
            return;
        }
        let by_table = self.battle.charts.rally[(self.at().morale_rating(id) + 3) as usize];
        let piece = self.state.piece_mut(id);
        let points = by_table.min(piece.demoralised.saturating_sub(1));
        piece.demoralised -= points;
        self.tell_of(id, Kind::Rally, cite!("10.5.4.a"), |name| {
            format!("{}: {points} SP intact again.", does(name, "rallies"))
        });
        if was_shattered {
            self.state.piece_mut(id).status = Status::Rallied;
            self.state.agenda.push(Step::Place(id));
        }
    }

    pub(crate) fn place_unit(&mut self, id: Id, hex: Hex) {
        self.appear(id, hex);
        self.state.placed.insert(id);
        self.state.moved.insert(id);
        self.tell_at(id, Kind::Rally, cite!("10.5.3.b"), [hex], |name, at| {
            format!("{} {}.", does(name, "is back in line at"), at(hex))
        });
    }
}
