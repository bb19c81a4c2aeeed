//! 5. Sequence of Play: what follows what. Every step that may be at hand is listed here, with the side that decides it.

use std::borrow::Cow;

use game::{Effects, Entry, Kind, Now, Side};
use hexmap::Hex;
use serde::{Deserialize, Serialize};

use crate::action::Action;
use crate::at::{At, Run};
use crate::rules::how_to_win;
use crate::rules::results::Hit;
use crate::setup::battle::Battle;
use crate::setup::pieces::{Piece, Pieces};
use crate::state::{Phase, State};

/// A step of a procedure under way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Step {
    /// A turn begins.
    Turn,
    /// A side declares momentum for the initiative.
    Declare(Side),
    /// The initiative is rolled for.
    Initiative,
    /// A side's player turn.
    PlayerTurn(Side),
    /// A phase of the player turn begins.
    Begin(Phase),
    /// The turn ends.
    EndOfTurn,
    /// Reinforcements are placed.
    Arrivals,
    /// Pieces march.
    Moving,
    /// Movement is over: pins, stacking.
    EndOfMovement,
    /// The stacking limit is looked at.
    Limit,
    /// The owner takes steps off an overstacked hex.
    Overstack(Side, Hex),
    /// Units rally.
    Rallying,
    /// Guns fire.
    Gunfire,
    /// The target in a hex is picked.
    Aiming { by: Pieces, at: Hex, rifles: bool },
    /// A side names its rifle targets.
    Volley(Side),
    /// All rifle fire is rolled.
    Volleys,
    /// What the rifles hit takes effect.
    Hits,
    /// A target of fire suffers.
    Struck { unit: Piece, hit: Hit },
    /// Close combats are announced.
    Designating,
    /// The next close combat is picked.
    NextCombat,
    /// A side names its lead unit.
    Leading(Side),
    /// The attacker's lead unit is named.
    Opening,
    /// The defender may withdraw before combat.
    Withdrawal,
    /// Units withdraw one after the other; true: before combat.
    Withdrawing(Side, bool),
    /// A unit withdraws three hexes.
    SlippingAway(Piece),
    /// A side seals its tactic.
    Tactics(Side),
    /// The tactics are revealed.
    Reveal,
    /// The close combat die.
    Roll,
    /// A side may spend a chit for another roll.
    Momentum(Side),
    /// The result is applied.
    Apply,
    /// A side suffers its part.
    Suffer { side: Side, hit: Hit, exact: bool },
    /// PIN captures.
    PinCaptures,
    /// PIN marks.
    PinMarks,
    /// Somebody picks who is captured.
    Captive(Side, Pieces),
    /// The owner picks who takes the second step.
    SecondLoss(Side, Pieces),
    /// The owner picks which leader falls.
    Casualty(Pieces),
    /// The others check morale.
    Checks(Side),
    /// A unit retreats.
    Retreating { unit: Piece, hexes: u8, disrupts: bool },
    /// Leaders may go with a unit that left their hex.
    Following { leaders: Pieces, to: Hex },
    /// A volume's guns may fire into the melee.
    Grape,
    /// The owner picks who of his own suffers what the grape did.
    Toll(Hit),
    /// Army morale changes that waited take effect.
    Settle,
    /// Momentum gained and surrendered.
    Gains,
    /// The attacker advances.
    Advancing,
    /// The combat is over.
    Close,
    /// The close combat phase is over.
    EndOfCombats,
    /// Disrupted units left next to the enemy take a further D.
    Straggling,
    /// Shattered units next to the enemy are captured.
    EndOfPhase,
}

impl At<'_> {
    /// Who decides the step at hand; none when it runs by itself.
    pub(crate) fn decider(self, step: Step) -> Option<Side> {
        Some(match step {
            Step::Declare(side)
            | Step::Volley(side)
            | Step::Leading(side)
            | Step::Tactics(side)
            | Step::Momentum(side) => side,
            Step::Overstack(side, _)
            | Step::Withdrawing(side, _)
            | Step::Captive(side, _)
            | Step::SecondLoss(side, _) => side,
            Step::Checks(side) => side,
            Step::Arrivals
            | Step::Moving
            | Step::Rallying
            | Step::Designating
            | Step::NextCombat
            | Step::Grape
            | Step::Toll(_)
            | Step::Advancing
            | Step::Straggling => self.state.phasing,
            Step::Gunfire | Step::Withdrawal => !self.state.phasing,
            Step::Aiming { by, .. } => self.battle.firing_side(by),
            Step::SlippingAway(unit) | Step::Retreating { unit, .. } => self.side(unit),
            Step::Casualty(from) => from.first().map(|p| self.side(p))?,
            Step::Following { leaders, .. } => leaders.first().map(|p| self.side(p))?,
            _ => return None,
        })
    }

    /// Who decides, or how it ended.
    pub(crate) fn now(self) -> Now {
        if let Some(ending) = self.state.ending {
            return Now::Over(how_to_win::outcome(ending));
        }
        Now::Decides(self.deciding_side())
    }

    /// Who decides the step at hand; the phasing side where nobody does.
    pub(crate) fn deciding_side(self) -> Side {
        let side = self.state.agenda.top().and_then(|step| self.decider(step));
        side.unwrap_or(self.state.phasing)
    }

    /// Whether the side that decides a phase sees nothing that it could do in it.
    fn has_nothing_to_do(self, step: Step) -> bool {
        let believed = self.deciding(step);
        let seen = At::new(self.battle, &believed);
        match step {
            Step::Arrivals => seen.arrivals().is_empty(),
            Step::Rallying => seen.may_rally_now().is_empty() && !self.may_send_anybody_home(),
            Step::Gunfire => !seen.anybody_may_bombard(),
            Step::Volley(side) => !seen.anybody_may_shoot(side),
            Step::Designating => !seen.anybody_may_attack(),
            _ => false,
        }
    }
}

fn phase_rule(phase: Phase) -> game::Rule {
    match phase {
        Phase::Movement => cite!("9.2.a"),
        Phase::Rally => cite!("15.1.a"),
        Phase::Artillery => cite!("11.1.a"),
        Phase::Rifle => cite!("10.1.a"),
        Phase::CloseCombat => cite!("12.21.a"),
        Phase::Initiative | Phase::EndOfTurn => cite!("5.a"),
    }
}

/// A phase as people call it.
#[must_use]
pub(crate) const fn phase_name(phase: Phase) -> &'static str {
    match phase {
        Phase::Initiative => "Initiative",
        Phase::Movement => "Movement",
        Phase::Rally => "Rally",
        Phase::Artillery => "Defensive Artillery Fire",
        Phase::Rifle => "Rifle Fire",
        Phase::CloseCombat => "Close Combat",
        Phase::EndOfTurn => "End of Turn",
    }
}

impl<F: Effects> Run<'_, F> {
    fn begin_phase(&mut self, phase: Phase) {
        self.state.agenda.pop();
        self.state.phase = phase;
        self.state.acted = Pieces::NONE;
        self.state.targeted = Pieces::NONE;
        self.state.known = Default::default();
        let side = self.state.phasing;
        self.fx.tell(|| {
            Entry::new(Kind::Time, format!("{}: {} phase.", self.battle.armies[side].name, phase_name(phase)))
                .side(side)
                .rule(phase_rule(phase))
        });
        self.state.open_phase(self.battle, phase);
    }

    fn end_of_turn(&mut self) {
        self.state.agenda.pop();
        self.state.phase = Phase::EndOfTurn;
        if !self.ends_with_turn() {
            self.state.turn += 1;
            self.state.agenda.push(Step::Turn);
        }
    }

    /// Runs one step; false when somebody must decide, or it is over.
    pub(crate) fn step(&mut self) -> bool {
        let (Some(step), None) = (self.state.agenda.top(), self.state.ending) else { return false };
        match step {
            Step::Moving | Step::Withdrawal | Step::Tactics(_) => false,
            Step::Declare(side) | Step::Momentum(side) => self.pass_over(self.state.chits[side] == 0),
            Step::Arrivals | Step::Rallying | Step::Gunfire | Step::Volley(_) => {
                self.pass_over(self.at().has_nothing_to_do(step))
            }
            Step::Overstack(side, hex) => self.step_overstack(side, hex),
            Step::Aiming { by, at, rifles } => self.step_aiming(by, at, rifles),
            Step::Designating => self.step_designating(),
            Step::NextCombat => self.step_next(),
            Step::Leading(side) => self.step_leading(side),
            Step::Withdrawing(side, _) => self.state.step_withdrawing(self.battle, side),
            Step::SlippingAway(unit) => self.step_slipping(unit),
            Step::Captive(_, from) | Step::SecondLoss(_, from) | Step::Casualty(from) => {
                self.step_choice(from)
            }
            Step::Checks(side) => self.step_checks(side),
            Step::Retreating { unit, hexes, disrupts } => self.step_retreat(unit, hexes, disrupts),
            Step::Following { leaders, .. } => self.pass_over(leaders.is_empty()),
            Step::Grape => self.pass_over(self.at().grape_marks().is_empty()),
            Step::Toll(_) => self.step_choice(self.state.toll()),
            Step::Advancing => self.step_advancing(),
            Step::Straggling => self.step_choice(self.state.straggling()),
            _ => self.carry_out(step),
        }
    }

    /// A decision with nothing to decide is passed over.
    fn pass_over(&mut self, idle: bool) -> bool {
        if idle {
            self.state.agenda.pop();
        }
        idle
    }

    /// Carries out a step that never asks anybody.
    fn carry_out(&mut self, step: Step) -> bool {
        match step {
            Step::Turn => self.begin_turn(),
            Step::Initiative => self.roll_initiative(),
            Step::PlayerTurn(side) => self.state.player_turn(side),
            Step::Begin(phase) => self.begin_phase(phase),
            Step::EndOfTurn => self.end_of_turn(),
            Step::EndOfMovement => self.end_of_movement(),
            Step::Limit => {
                self.state.agenda.pop();
                self.state.enforce_stacking(self.battle);
            }
            Step::Volleys => self.resolve_volleys(),
            Step::Hits => self.state.step_hits(self.battle),
            Step::Struck { unit, hit } => self.struck(unit, hit),
            Step::Opening => self.state.open_with_lead(self.battle),
            Step::Reveal => self.reveal_tactics(),
            Step::Roll => self.roll_combat(),
            Step::Apply => self.apply_result(),
            Step::Suffer { side, hit, exact } => self.suffer(side, hit, exact),
            Step::PinCaptures => self.pin_captures(),
            Step::PinMarks => self.pin_marks(),
            Step::Settle => {
                self.state.agenda.pop();
                self.settle_morale();
            }
            Step::Gains => self.gain_by_the_roll(),
            Step::Close => self.close_combat(),
            Step::EndOfCombats => self.state.end_of_combats(self.battle),
            Step::EndOfPhase => self.end_of_phase(),
            _ => return false,
        }
        true
    }

    fn step_designating(&mut self) -> bool {
        let idle = self.at().has_nothing_to_do(Step::Designating);
        if idle {
            self.state.announced(self.battle);
        }
        idle
    }

    fn end_of_phase(&mut self) {
        self.state.agenda.pop();
        self.shattered_captures();
        if self.state.ending.is_none() {
            self.send_home();
            self.state.defended = Pieces::NONE;
        }
    }

    /// Resolves the decision at hand.
    pub(crate) fn answer(&mut self, action: &Action) {
        let Some(step) = self.state.agenda.top() else { return };
        match (step, *action) {
            (Step::Declare(side), Action::Spend(chits)) => self.spend_on_initiative(side, chits),
            (Step::Declare(side), Action::Dictate(first)) => self.dictate_order(side, first),
            (Step::Arrivals, Action::Enter(piece)) => self.enter_map(piece),
            (Step::Moving, Action::March { piece, way, .. }) => self.march(piece, way),
            (Step::Moving, Action::Leave(piece)) => self.leave_map(piece),
            (Step::Moving, Action::Peek(hex)) => self.peek_at(self.state.phasing, hex),
            (Step::Moving, Action::Hearten) => self.hearten(),
            (Step::Moving, Action::Hasten(turn)) => self.hasten(turn),
            (Step::Rallying, Action::Rally(unit)) => self.rally(unit),
            (Step::Rallying, Action::Dismiss(unit)) => self.dismiss(unit, cite!("guilford-court-house.c")),
            (Step::Gunfire, Action::Bombard { guns, at }) => self.commit_fire(guns, at, false),
            (Step::Volley(_), Action::Shoot { rifles, at }) => self.commit_fire(rifles, at, true),
            (Step::Aiming { by, rifles, .. }, Action::Target(unit)) => self.aim(by, unit, rifles),
            (Step::Designating, Action::Attack { unit, at, .. }) => self.announce_attack(unit, at),
            (Step::Designating, Action::Divert(hex)) => {
                self.state.diverted = self.at().units_in(hex, !self.state.phasing)
            }
            (Step::Designating, Action::Done) => self.state.announced(self.battle),
            (Step::NextCombat, Action::Resolve(hex)) => self.resolve_combat(hex),
            (Step::Leading(side), Action::Lead(unit)) => self.name_lead(side, unit),
            (Step::Withdrawal, Action::Withdraw) => self.withdraw_before_combat(),
            (Step::SlippingAway(unit), Action::Retreat { way, .. }) => self.slip(unit, way),
            (Step::Tactics(side), Action::Play(tactic)) => self.seal_tactic(side, tactic),
            (Step::Momentum(side), Action::Reroll) => self.reroll_combat(side),
            (Step::Grape, Action::Target(unit)) => self.fire_grape(unit),
            (Step::Retreating { unit, disrupts, .. }, Action::Retreat { way, .. }) => {
                self.go_back(unit, way, disrupts)
            }
            (Step::Retreating { unit, .. }, Action::Shed) => self.shed_to_retreat(unit),
            (Step::Retreating { unit, .. }, Action::Yield) => self.give_up(unit),
            (Step::Following { leaders, to }, Action::Follow(leader)) => {
                self.follow_unit(leaders, leader, to)
            }
            (Step::Advancing, Action::Advance { unit, to }) => self.advance(unit, to),
            (_, Action::Pick(piece)) => self.pick_piece(piece),
            (_, Action::Done) => {
                self.state.agenda.pop();
            }
            _ => {}
        }
    }

    /// A leader goes along (13.25.a, 14.31.b, R62).
    fn follow_unit(&mut self, leaders: Pieces, leader: Piece, to: Hex) {
        self.state.agenda.replace(Step::Following { leaders: leaders.without(leader), to });
        self.state.place(leader, to);
        self.state.forget_pins(self.battle, leader);
        self.fx.tell(|| {
            Entry::new(
                Kind::March,
                format!("{} goes along to {}.", self.battle.counter(leader).name, self.battle.hex_name(to)),
            )
            .side(self.battle.side(leader))
            .rule(cite!("13.25.a"))
            .piece(leader.id())
        });
    }
}

impl State {
    /// Puts the steps of a phase on the agenda.
    pub(crate) fn open_phase(&mut self, battle: &Battle, phase: Phase) {
        let side = self.phasing;
        match phase {
            Phase::Movement => {
                self.agenda.push(Step::EndOfMovement);
                self.agenda.push(Step::Moving);
                self.agenda.push(Step::Arrivals);
            }
            Phase::Rally => {
                self.begin_rally(battle);
                self.agenda.push(Step::Rallying);
            }
            Phase::Artillery => self.agenda.push(Step::Gunfire),
            Phase::Rifle => {
                self.agenda.push(Step::Volleys);
                self.agenda.push(Step::Volley(!side));
                self.agenda.push(Step::Volley(side));
            }
            Phase::CloseCombat => {
                self.begin_designation(battle);
                self.agenda.push(Step::EndOfCombats);
                self.agenda.push(Step::NextCombat);
                self.agenda.push(Step::Designating);
            }
            Phase::Initiative | Phase::EndOfTurn => {}
        }
    }

    /// The five phases of a player turn, in their fixed order (5.b).
    fn player_turn(&mut self, side: Side) {
        self.agenda.pop();
        self.phasing = side;
        for phase in [Phase::CloseCombat, Phase::Rifle, Phase::Artillery, Phase::Rally, Phase::Movement] {
            self.agenda.push(Step::Begin(phase));
        }
    }

    fn end_of_combats(&mut self, battle: &Battle) {
        self.agenda.pop();
        self.were_pinned.clear();
        self.diverted = Pieces::NONE;
        self.excused = Pieces::NONE;
        self.owed = Pieces::NONE;
        self.driven = Pieces::NONE;
        self.waiting = At::new(battle, self).stragglers();
        self.netting = true;
        self.agenda.push(Step::EndOfPhase);
        self.agenda.push(Step::Settle);
        self.agenda.push(Step::Straggling);
    }

    /// All close combats are announced: pin markers come off (12.22.a).
    fn announced(&mut self, battle: &Battle) {
        self.agenda.pop();
        self.remove_pins(battle);
    }
}

impl<'s> At<'s> {
    /// The position by which the step at hand is decided: where a side chooses what to do, as it takes it to be (R92);
    /// where a result is carried out, as it is.
    pub(crate) fn deciding(self, step: Step) -> Cow<'s, State> {
        match step {
            Step::Arrivals
            | Step::Moving
            | Step::Rallying
            | Step::Gunfire
            | Step::Volley(_)
            | Step::Designating => {
                let side = self.decider(step).unwrap_or(self.state.phasing);
                self.believed(side)
            }
            _ => Cow::Borrowed(self.state),
        }
    }
}
