//! Sighting: markers, who may look for them, what a look needs, and shots at scouts (sighting.a-f, R13, R111, R112, R129).

use game::words::does;
use game::{Allowed, Die, Effects, Kind, No, RollNote, Side, Sum};
use table::{EPS, Spot};

use crate::action::Action;
use crate::at::{At, Run};
use crate::cite;
use crate::rules::rolls::{piece, rolled_by};
use crate::rules::sequence::Step;
use crate::rules::terrain::on_hill;
use crate::setup::battle::Battle;
use crate::setup::ground::Cover;
use crate::setup::pieces::WeaponKind;
use crate::state::{BodyId, Marks, State};

impl State {
    /// A marker that the other side has not sighted.
    pub(crate) fn is_marker(&self, id: BodyId) -> bool {
        let body = self.body(id);
        body.on_table() && body.marks.unsighted()
    }

    /// Scouting: the last step of the Reaction and of the Movement Phase (R13).
    pub(crate) fn begin_sighting(&mut self, battle: &Battle) {
        if battle.on.sighting {
            self.agenda.push(Step::Sight { side: Side::Second });
            self.agenda.push(Step::Sight { side: Side::First });
            self.agenda.push(Step::ScoutShots);
        }
    }
}

impl At<'_> {
    /// The enemy marker that stands at a place.
    pub(crate) fn marker_at(self, side: Side, place: Spot) -> Option<BodyId> {
        let markers =
            self.state.on_table().filter(|(id, b)| self.battle.side(b) != side && self.state.is_marker(*id));
        markers
            .filter(|(_, b)| b.pose.at == place)
            .map(|(id, _)| id)
            .min_by_key(|id| self.state.go.looked & id.bit())
    }

    /// Yards between two bodies, a begun one counted as whole so that a printed range is never overstepped.
    fn yards_between(self, by: BodyId, at: BodyId) -> i64 {
        let theirs = self.layout(at);
        self.whole_yards(self.layout(by).distance(&theirs))
    }

    fn whole_yards(self, distance: i64) -> i64 {
        let exact = (distance - EPS).max(0) * self.battle.row.yards_per_inch;
        (exact + table::INCH - 1) / table::INCH
    }

    /// Yards from a body to a marker, measured to the marker: where the stands behind it begin is not known (R129).
    fn yards_to_marker(self, by: BodyId, marker: BodyId) -> i64 {
        let place = self.body(marker).pose.at.pt();
        self.whole_yards(self.layout(by).distance_to(place))
    }

    /// What a look at a marker needs: the entry for whoever stands there, at the range to the marker (sighting.c).
    pub(crate) fn sighting_entry(self, by: BodyId, at: BodyId) -> Sighting {
        let body = self.body(at);
        let rows = &self.battle.tables.sighting;
        let layout = body.layout(self.battle);
        let cover = self.cover(&layout, Some(self.body(by).pose.at.pt()), false) > Cover::None;
        let broken = cover
            || self
                .battle
                .grounds(self.unknown(self.side_of(by)))
                .any(|a| a.cost > 2 && a.area.contains(layout.centre()));
        let moving = body.marks.has(Marks::MOVED);
        let row = match (body.marks.has(Marks::LURKING), self.battle.info(body).scout, moving) {
            (true, _, _) => "any_hiding_in_cover",
            (_, true, false) if cover => "scouts_stationary_in_cover",
            (_, true, false) => "scouts_stationary_in_open_or_moving_in_broken",
            (_, true, true) if broken => "scouts_stationary_in_open_or_moving_in_broken",
            (_, true, true) => "scouts_moving_in_open",
            (_, false, false) if cover => "formed_stationary_in_cover",
            (_, false, false) => "formed_moving_in_cover_or_standing_in_open",
            (_, false, true) if cover => "formed_moving_in_cover_or_standing_in_open",
            (_, false, true) => "formed_moving_in_open",
        };
        let column = column(&rows.yards, self.yards_to_marker(by, at), true).unwrap_or(0);
        match rows.need.get(row).and_then(|r| r.get(column)) {
            Some(&AUTOMATIC) => Sighting::Automatic,
            Some(&number) if number != IMPOSSIBLE => Sighting::Number(number),
            _ => Sighting::Impossible,
        }
    }

    /// What is added to the die (sighting.d).
    pub(crate) fn sighting_modifiers(self, by: BodyId) -> Sum {
        let body = self.body(by);
        let info = self.battle.info(body);
        let mods = &self.battle.tables.sighting.modifiers;
        let mut sum = Sum::new();
        if info.telescope {
            sum.add(mods.naval_telescope, "naval telescope", cite!("sighting.d"));
        }
        if !info.binoculars {
            sum.add(mods.regulars_without_binoculars, "no binoculars", cite!("sighting.d"));
        }
        if info.poor {
            sum.add(mods.poor_quality, "poor quality", cite!("sighting.d"));
        }
        if on_hill(self.battle, body.layout(self.battle).centre()) {
            sum.add(mods.elevated, "elevated", cite!("sighting.d"));
        }
        sum
    }

    /// Whether a unit may look for a marker now (sighting.b).
    pub(crate) fn may_spot(self, side: Side, by: BodyId, at: BodyId) -> Allowed {
        let body = self.body(by);
        if !body.on_table()
            || self.battle.side(body) != side
            || self.side_of(at) == side
            || !self.state.is_marker(at)
        {
            return Err(No::new(cite!("sighting.b"), "one of your units looks for an enemy marker"));
        }
        if self.state.go.looked & at.bit() != 0 {
            return Err(No::new(cite!("sighting.b"), "one attempt is made for each marker"));
        }
        if !self.descries_place(by, at) {
            return Err(No::new(cite!("sighting.c"), "there is no free line of sight to it"));
        }
        Ok(())
    }

    pub(crate) fn can_spot(self, side: Side) -> bool {
        self.state.on_table().any(|(at, b)| {
            self.battle.side(b) != side
                && self.state.is_marker(at)
                && self.state.go.looked & at.bit() == 0
                && self.state.on_table().any(|(by, _)| self.may_spot(side, by, at).is_ok())
        })
    }

    /// Every look a side may take, from left to right, so that the order does not tell who is who.
    pub(crate) fn offer_looks(self, side: Side, out: &mut Vec<Action>) {
        for marker in self.markers(side.enemy()) {
            let at = self.body(marker).pose.at;
            let able = self.state.on_table().filter(|(by, _)| self.may_spot(side, *by, marker).is_ok());
            out.extend(able.map(|(by, _)| Action::Spot { by, at }));
        }
    }

    /// Whether a unit may look at a place.
    pub(crate) fn check_look(self, side: Side, by: BodyId, place: Spot) -> Allowed {
        let none = No::new(cite!("sighting.b"), "there is no enemy marker at that place");
        let marker = self.marker_at(side, place).ok_or(none)?;
        self.may_spot(side, by, marker)
    }
}

/// An entry of the sighting table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sighting {
    Automatic,
    /// What one die must reach.
    Number(i16),
    Impossible,
}

/// The entries of the table that are no numbers, as its file writes them.
const AUTOMATIC: i16 = 0;
const IMPOSSIBLE: i16 = 99;

impl Sighting {
    /// As the table writes it, for facts.
    pub(crate) fn as_written(self) -> i16 {
        match self {
            Sighting::Automatic => AUTOMATIC,
            Sighting::Number(number) => number,
            Sighting::Impossible => IMPOSSIBLE,
        }
    }
}

/// The column of a range: the smallest printed one that holds it (R111).
fn column(printed: &[i64], yards: i64, open: bool) -> Option<usize> {
    let found = printed.iter().position(|p| yards <= *p);
    if open { Some(found.unwrap_or(printed.len() - 1)) } else { found }
}

impl<F: Effects> Run<'_, F> {
    /// One attempt to sight a marker.
    pub(crate) fn spot(&mut self, by: BodyId, at: BodyId) {
        self.state.go.looked |= at.bit();
        let seen = match self.at().sighting_entry(by, at) {
            Sighting::Automatic => true,
            Sighting::Number(number) => self.roll_look(by, Some(number)),
            Sighting::Impossible => self.roll_look(by, None),
        };
        if seen {
            // In cover it still counts as hidden, but everybody sees where it is (R62).
            let from = self.at().layout(by).centre();
            let covered = self.at().cover(&self.at().layout(at), Some(from), false) > Cover::None;
            let marks = &mut self.state.body_mut(at).marks;
            if covered {
                marks.set(Marks::SPOTTED);
            } else {
                marks.show();
            }
            self.state.make_room(self.battle, at);
            self.fx.revealed();
            self.tell_of(at, Kind::Draw, "is sighted", cite!("sighting.a"));
        }
    }

    /// One die for a look. Its number hangs on who stands at the marker and is not told; where the table has a dash a die
    /// is rolled as well, for else its absence would tell (R129).
    fn roll_look(&mut self, by: BodyId, number: Option<i16>) -> bool {
        let sum = self.at().sighting_modifiers(by);
        let seen = |face: u16| number.is_some_and(|number| face as i16 + sum.total() >= number);
        let grade = self.graded(
            1,
            Die::D6,
            |face| i16::from(seen(face)),
            |at| {
                let came = |face: u16| if seen(face) { "it is seen" } else { "nothing is seen" };
                let note = RollNote::new(does(&at.name(by), "looks for a marker"), cite!("sighting.c"))
                    .outcomes((0..=6).map(came))
                    .side(at.side_of(by))
                    .modifiers(sum.modifiers());
                rolled_by(note, at.state, by)
            },
        );
        grade == 1
    }

    /// Just before sighting each scout is shot at once by whoever is nearest with firearms in reach (R112).
    pub(crate) fn snipe_scouts(&mut self) {
        for at in self.state.ids() {
            let scout = *self.state.body(at);
            if !scout.on_table() || !self.battle.info(&scout).scout || scout.marks.has(Marks::HIDDEN) {
                continue;
            }
            let rows = &self.battle.tables.sniping;
            let shooters = self.state.on_table().filter(|(by, b)| {
                let info = self.battle.info(b);
                let bow = info.weapon.kind == WeaponKind::Bow;
                self.battle.side(b) != self.battle.side(&scout)
                    && (info.weapon.kind == WeaponKind::SmallArm
                        || (bow && self.at().yards_between(*by, at) <= rows.bow_max_yards))
                    && !b.order.broken()
                    && self.at().yards_between(*by, at) <= 1000
                    && self.at().descries(*by, at)
            });
            let nearest = shooters.map(|(by, _)| (self.at().yards_between(by, at), by)).min();
            let Some((range, by)) = nearest else { continue };
            let Some(column) = column(&rows.yards, range, false) else { continue };
            let need = rows.hit_2d6[column];
            let sum = Sum::of(need, "range", cite!("sighting.e"));
            let rolled = self.total(2, Die::D6, |here| {
                let came = |sum| if sum >= need { "a hit" } else { "a miss" };
                RollNote::new(format!("A shot at the scouts, {need} or more"), cite!("sighting.e"))
                    .outcomes((0..=12).map(came))
                    .side(here.side_of(by))
                    .at(piece(at))
                    .modifiers(sum.modifiers())
            });
            if rolled as i16 >= need {
                self.tell_of(at, Kind::Gone, "is shot", cite!("sighting.e"));
                self.state.remove(at);
            }
        }
    }

    /// A unit looks at a place where a marker stands.
    pub(crate) fn look(&mut self, side: Side, by: BodyId, place: Spot) {
        if let Some(marker) = self.at().marker_at(side, place) {
            self.spot(by, marker);
        }
    }
}
