//! Chapter 4: the Hour. Initiative, the cup, Turns, time.

use game::dice::{Die, Test};
use game::log::Kind;
use game::words::{does, side_does, the};
use game::{Effects, Entry, Outcome, RollNote, Side};

use crate::action::Action;
use crate::at::{At, Run};
use crate::setup::battle::{Battle, Condition};
use crate::state::{Id, MAX_FORMATIONS, State, Status, Step};

/// A marker in the cup: a Formation's number, or [`MAX_FORMATIONS`] and the next for the Combat markers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Marker {
    Move(u8),
    Combat(Side),
}

impl Marker {
    pub(crate) fn of_bit(bit: u8) -> Marker {
        match usize::from(bit) {
            MAX_FORMATIONS => Marker::Combat(Side::First),
            n if n > MAX_FORMATIONS => Marker::Combat(Side::Second),
            _ => Marker::Move(bit),
        }
    }

    pub(crate) fn bit(self) -> u8 {
        match self {
            Marker::Move(formation) => formation,
            Marker::Combat(side) => (MAX_FORMATIONS + side.index()) as u8,
        }
    }

    /// `move wadsworth`, `combat usa`.
    pub(crate) fn word(self, battle: &Battle) -> String {
        match self {
            Marker::Move(formation) => format!("move {}", battle.formations[usize::from(formation)].id),
            Marker::Combat(side) => format!("combat {}", battle.armies[side].id),
        }
    }
}

/// The markers of a cup, in the order of the page on dice.
pub(crate) fn markers(cup: u32) -> impl Iterator<Item = Marker> {
    (0..32).filter(move |bit| cup >> bit & 1 != 0).map(Marker::of_bit)
}

impl At<'_> {
    /// R3: a Formation's marker is in play while it has a unit on the map, due, or waiting to be placed.
    pub(crate) fn is_in_play(self, formation: u8) -> bool {
        self.battle.formations[usize::from(formation)].units.into_iter().any(|id| {
            match self.piece(id).status {
                Status::OnMap | Status::Rallied => true,
                Status::Due | Status::Away => self.is_due(id),
                Status::Shattered | Status::Eliminated | Status::Exited => false,
            }
        })
    }

    /// Who holds the Initiative in the present Hour (3.9.a); nobody at night (R4).
    pub(crate) fn initiative(self) -> Option<Side> {
        let hour = &self.battle.hours[usize::from(self.state.hour)];
        if hour.night {
            return None;
        }
        match self.initiative_condition() {
            Some(condition) => {
                Some(condition.side).filter(|_| condition.units.without(self.state.on_map()).is_empty())
            }
            None => hour.initiative,
        }
    }

    /// All markers that belong into the cup of this Hour (4.b, 4.c).
    pub(crate) fn full_cup(self) -> u32 {
        let mut cup = 0u32;
        for formation in 0..self.battle.formations.len() as u8 {
            if self.is_in_play(formation) {
                cup |= 1 << Marker::Move(formation).bit();
            }
        }
        if !self.is_night() {
            for side in Side::BOTH {
                if self.state.initiative != Some(side) {
                    cup |= 1 << Marker::Combat(side).bit();
                }
            }
        }
        cup
    }

    /// Who must decide.
    pub(crate) fn decider(self) -> Side {
        let attacker = self.state.attacking_side();
        match self.state.agenda.top() {
            Some(Step::Draw) => self.state.held.unwrap_or(Side::First),
            Some(Step::March) => self.mover(),
            Some(Step::Place(id)) => self.side(id),
            Some(Step::CavalryRetreat) => attacker.enemy(),
            Some(Step::Split(fire)) => self.next_to_split(fire).map_or(attacker, |id| self.side(id)),
            Some(Step::Checks(_, side)) => side,
            Some(Step::Retreat(retreat)) => self.side(retreat.unit),
            _ => attacker,
        }
    }
}

impl<'b> At<'b> {
    /// What the scenario makes the Initiative of the present Hour depend on.
    fn initiative_condition(self) -> Option<&'b Condition> {
        self.battle.conditions.iter().find(|c| c.hours.contains(&self.state.hour))
    }
}

impl<F: Effects> Run<'_, F> {
    /// 4.a, 4.b: a new Hour.
    pub(crate) fn begin_hour(&mut self) {
        self.state.agenda.replace(Step::Draw);
        self.state.initiative = self.at().initiative();
        self.state.held = self.state.initiative;
        self.state.draws = 0;
        let night = self.at().is_night();
        self.fx.tell(|| {
            let hour = &self.battle.hours[usize::from(self.state.hour)];
            let rule = At::new(self.battle, self.state)
                .initiative_condition()
                .filter(|_| !night)
                .map_or(cite!("4.a"), |c| c.rule);
            let holder = match (night, self.state.initiative) {
                (true, _) => "Night falls over the field.".to_owned(),
                (false, Some(side)) => side_does(&self.battle.armies[side].name, "has the initiative."),
                (false, None) => "Nobody has the initiative.".to_owned(),
            };
            let mut entry = Entry::new(Kind::Time, format!("Hour {}. {holder}", hour.clock % 24)).rule(rule);
            entry.side = self.state.initiative;
            entry
        });
        if night {
            self.state.forget_approach_fire();
        }
        self.state.cup = self.at().full_cup();
        self.roll_mishaps();
    }

    /// A scenario's accidents of command: a marker may be left out of the cup, once.
    fn roll_mishaps(&mut self) {
        for (i, mishap) in self.battle.mishaps.iter().enumerate() {
            let marker = 1 << Marker::Move(mishap.formation).bit();
            if self.state.mishaps >> i & 1 != 0
                || !mishap.hours.contains(&self.state.hour)
                || self.state.cup & marker == 0
            {
                continue;
            }
            let falls = self.fx.passes(Test::at_most(Die::D10, i16::from(mishap.at_most)), || {
                let formation = &self.battle.formations[usize::from(mishap.formation)].name;
                let idle = format!("yes, {formation} stays out of the cup in this Hour");
                RollNote::new(format!("{}?", mishap.name), mishap.rule)
                    .outcomes(["no".to_owned(), idle])
                    .side(self.battle.formations[usize::from(mishap.formation)].side)
            });
            if falls {
                self.state.mishaps |= 1 << i;
                self.state.cup &= !marker;
            }
        }
    }

    /// 4.d: one draw, or what happens when the cup is empty; false if the Initiative side must say whether it waits.
    pub(crate) fn draw_step(&mut self) -> bool {
        match (self.state.cup, self.state.held) {
            (0, None) => self.state.agenda.replace(Step::TimePasses),
            // 3.9.e: what was never declared happens as the last Turn.
            (0, Some(side)) => self.use_held_marker(side),
            (_, Some(_)) => return false,
            (_, None) => self.draw(),
        }
        true
    }

    /// The Initiative side takes its Combat Turn.
    pub(crate) fn use_held_marker(&mut self, side: Side) {
        self.state.held = None;
        self.begin_turn_of(Marker::Combat(side));
    }

    /// A marker out of the cup; the last one needs no number.
    pub(crate) fn draw(&mut self) {
        let n = self.state.cup.count_ones() as usize;
        let drawn = match n {
            1 => 0,
            n => self.fx.draw(n, || {
                let names = markers(self.state.cup).map(|marker| match marker {
                    Marker::Move(f) => {
                        format!("the Movement Turn of {}", self.battle.formations[usize::from(f)].name)
                    }
                    Marker::Combat(side) => {
                        format!("the Combat Turn of {}", the(&self.battle.armies[side].name))
                    }
                });
                RollNote::new("A marker is drawn from the cup", cite!("4.d")).outcomes(names)
            }),
        };
        if let Some(marker) = markers(self.state.cup).nth(drawn) {
            self.state.cup &= !(1 << marker.bit());
            self.begin_turn_of(marker);
        }
    }

    fn begin_turn_of(&mut self, marker: Marker) {
        if usize::from(self.state.draws) < self.state.drawn.len() {
            self.state.drawn[usize::from(self.state.draws)] = marker.bit();
            self.state.draws += 1;
        }
        self.fx.tell(|| {
            let (side, text, rule) = match marker {
                Marker::Move(f) => {
                    let formation = &self.battle.formations[usize::from(f)];
                    (formation.side, format!("{}.", does(&formation.name, "moves")), cite!("4.e"))
                }
                Marker::Combat(side) => {
                    (side, format!("Combat Turn of {}.", the(&self.battle.armies[side].name)), cite!("4.f"))
                }
            };
            let mut entry = Entry::new(Kind::Draw, text).side(side).rule(rule);
            if let Marker::Move(f) = marker {
                entry.pieces =
                    self.battle.formations[usize::from(f)].units.into_iter().map(Id::piece).collect();
            }
            entry
        });
        match marker {
            Marker::Move(formation) => self.state.begin_movement_turn(self.battle, formation),
            Marker::Combat(side) => self.state.begin_combat_turn(self.battle, side),
        }
    }

    /// 4.h: the time marker moves, and victory is judged where the track says so.
    pub(crate) fn time_passes(&mut self) {
        self.bank_awards();
        let entering = self.state.hour + 1;
        if let Some((outcome, rule)) = self.at().judge(entering) {
            self.state.outcome = Some(outcome);
            self.state.agenda.clear();
            self.fx.tell(|| {
                let score = At::new(self.battle, self.state).score();
                let text = match outcome {
                    Outcome::Won(side) => format!(
                        "{}, {} to {}.",
                        side_does(&self.battle.armies[side].name, "has won the day"),
                        score[side],
                        score[side.enemy()]
                    ),
                    Outcome::Drawn => format!("The battle is drawn, {} to {}.", score.first, score.second),
                };
                Entry::new(Kind::Score, text).rule(rule)
            });
            return;
        }
        self.state.hour = entering;
        self.state.active = None;
        self.state.hand = None;
        self.state.agenda.replace(Step::Hour);
    }

    /// Runs the top step by itself; false if somebody must decide.
    pub(crate) fn step(&mut self) -> bool {
        let Some(top) = self.state.agenda.top() else { return false };
        match top {
            Step::Hour => self.begin_hour(),
            Step::Draw => return self.draw_step(),
            Step::March => {
                if let Some(only) = self.at().forced_return() {
                    self.answer(&only);
                } else if self.at().anything_to_do() {
                    return false;
                } else {
                    self.state.end_movement_turn();
                }
            }
            Step::Place(unit) => return self.place_step(unit),
            Step::CavalryRetreat => {
                if self.at().cavalry_retreats().next().is_some() {
                    return false;
                }
                self.state.end_cavalry_retreats();
            }
            Step::Bombard => {
                let open = self.at().ready_to_bombard().next().is_some();
                return self.state.waits_if(open);
            }
            Step::Withdraw => {
                let open = self.at().withdrawals().next().is_some();
                return self.state.waits_if(open);
            }
            Step::Approach => self.begin_approach_fire(),
            Step::Engage => return self.engage_step(),
            Step::Options => return self.options_step(),
            Step::Aim => self.aim(),
            Step::Split(fire) => return self.split_step(fire),
            Step::Fire(fire, firer, at) => self.fire_step(fire, (firer, at)),
            Step::Checks(fire, side) => {
                return self.checks_step(fire, side);
            }
            Step::Advance => {
                let open = self.at().open_advances().next().is_some();
                return self.state.waits_if(open);
            }
            Step::NextRound => self.next_round(),
            Step::FallBack | Step::Sweep => return self.fall_back_step(),
            Step::Retreat(retreat) => return self.retreat_step(retreat),
            Step::TimePasses => self.time_passes(),
        }
        true
    }

    fn place_step(&mut self, unit: Id) -> bool {
        let hexes = self.at().placements(unit);
        if hexes.len() > 1 {
            return false;
        }
        self.state.agenda.pop();
        if let Some(hex) = hexes.first() {
            self.place_unit(unit, hex);
        }
        true
    }

    fn fall_back_step(&mut self) -> bool {
        let (must, may) = (self.at().must_fall_back(), self.at().may_fall_back());
        if let (1, true, Some(unit)) = (must.len(), may.is_empty(), must.first()) {
            self.fall_back(unit);
            return true;
        }
        if !must.is_empty() || !may.is_empty() {
            return false;
        }
        self.state.end_of_fall_back();
        true
    }

    /// What a decision does.
    pub(crate) fn answer(&mut self, action: &Action) {
        match *action {
            Action::Combat => {
                if let Some(side) = self.state.held {
                    self.use_held_marker(side);
                }
            }
            Action::Wait => self.draw(),
            Action::March { unit, to, path } => self.march(unit, to, path),
            Action::Mount { unit } => self.mount(unit),
            Action::Dismount { unit, horses } => self.dismount(unit, horses),
            Action::Enter { unit, at } => self.enter_map(unit, at),
            Action::Exit { unit, by } => self.exit(unit, by),
            Action::Rally { unit } => self.rally(unit),
            Action::Place { unit, at } => {
                if self.state.agenda.top() == Some(Step::Place(unit)) {
                    self.state.agenda.pop();
                } else {
                    self.take_in_hand(unit);
                    self.state.end_move();
                }
                self.place_unit(unit, at);
            }
            Action::Done => {
                self.state.end_move();
                self.state.end_movement_turn();
            }
            Action::Withdraw { unit } if self.state.agenda.top() == Some(Step::CavalryRetreat) => {
                self.cavalry_retreat(unit);
            }
            Action::Withdraw { unit } => self.withdraw(unit),
            Action::Bombard { unit, at } => self.bombard(unit, at),
            Action::Split { unit, shares } => {
                if let Some(Step::Split(fire)) = self.state.agenda.top() {
                    self.split(fire, unit, &shares);
                }
            }
            Action::Engage { unit } => self.engage(unit),
            Action::Attack { unit, at } if self.state.agenda.top() == Some(Step::Engage) => {
                self.open_by_attack(unit, at);
            }
            Action::Attack { unit, at } => self.attack(unit, at),
            Action::Check { unit } => {
                if let Some(Step::Checks(fire, _)) = self.state.agenda.top() {
                    self.check_after_fire(unit, fire);
                }
            }
            Action::Retreat { to, .. } => self.fall_back_to(to),
            Action::RetreatOff { .. } => self.leave_in_retreat(),
            Action::Advance { unit, to } => self.advance(unit, to),
            Action::AdvanceInto { to } => self.advance_at_random(to),
            Action::FallBack { unit } => self.fall_back(unit),
            Action::Pass => self.state.pass(),
        }
    }
}

impl State {
    /// A step with an option in it waits; without one it is over.
    fn waits_if(&mut self, open: bool) -> bool {
        if !open {
            self.agenda.pop();
        }
        !open
    }

    fn end_of_fall_back(&mut self) {
        match self.agenda.top() {
            Some(Step::Sweep) => self.end_combat_turn(),
            _ => self.end_engagement(),
        }
    }

    /// Declines or ends what the top step asks about.
    fn pass(&mut self) {
        match self.agenda.top() {
            Some(Step::CavalryRetreat) => self.end_cavalry_retreats(),
            Some(Step::Options) => self.agenda.replace(Step::Aim),
            Some(Step::FallBack | Step::Sweep) => self.end_of_fall_back(),
            _ => {
                self.agenda.pop();
            }
        }
    }
}
