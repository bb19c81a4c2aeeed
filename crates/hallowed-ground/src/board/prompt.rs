//! What is asked of a player, in words.

use game::board::Prompt;
use game::words::does;

use crate::at::At;
use crate::rules::charges::ChargeStep;
use crate::rules::melee::MeleeStep;
use crate::rules::sequence::Step;
use crate::setup::pieces::UnitId;

impl At<'_> {
    pub(crate) fn prompt(self) -> Prompt {
        let side = self.decider().unwrap_or(self.state.active);
        let name = |u: UnitId| self.battle.unit(u).name.as_str();
        let (kind, sentence, rule) = match self.state.agenda.top() {
            Some(Step::ChooseFirst { .. }) => {
                ("initiative", "Go first or second?".to_owned(), cite!("4.2.a"))
            }
            Some(Step::Attach) => {
                ("attach", "Attach or detach commanders, or go on.".to_owned(), cite!("5.1.a"))
            }
            Some(Step::Charges) => ("charge", "Declare a charge, or go on.".to_owned(), cite!("5.2.a")),
            Some(Step::Activate) => ("activate", "Choose a brigade to activate.".to_owned(), cite!("5.3.a")),
            Some(Step::Orders { brigade }) => (
                "order",
                format!("Give an order to a unit of {}'s brigade.", self.battle.brigade(brigade).name),
                cite!("5.4.a"),
            ),
            Some(Step::BrigadeRides { brigade }) => {
                let c = self.battle.brigade(brigade).commander;
                ("ride", format!("Move {}, or pass.", self.battle.officer(c).name), cite!("5.3.c"))
            }
            Some(Step::ArmyRides) => ("ride", "Move the army commander, or pass.".to_owned(), cite!("5.3.e")),
            Some(Step::Shooting) => ("shoot", "Shoot, or end the phase.".to_owned(), cite!("8.a")),
            Some(Step::ShotTests) => {
                ("test", "Choose the unit that tests morale next.".to_owned(), cite!("8.6.d"))
            }
            Some(Step::MeleePhase) => ("melee", "Choose the melee to fight next.".to_owned(), cite!("9.a")),
            Some(Step::Charge(ChargeStep::Countercharge)) => {
                ("countercharge", "Countercharge?".to_owned(), cite!("7.3.n"))
            }
            Some(Step::Charge(ChargeStep::Supports)) => {
                ("support", "Choose the infantry that supports the guns.".to_owned(), cite!("7.7.c"))
            }
            Some(Step::Charge(ChargeStep::WhoFires)) => {
                ("who-fires", "Choose who fires first at the chargers.".to_owned(), cite!("7.7.d"))
            }
            Some(Step::Charge(ChargeStep::Odd { .. })) => {
                ("odd-hit", "Choose the charger that takes the odd hit.".to_owned(), cite!("7.9.c"))
            }
            Some(Step::Melee(MeleeStep::Split)) => {
                ("odd-die", "Choose the enemy that the odd die strikes.".to_owned(), cite!("9.c"))
            }
            Some(Step::Charge(ChargeStep::Tests)) => {
                ("test", "Choose the charger that tests morale next.".to_owned(), cite!("7.6.c"))
            }
            Some(Step::Melee(MeleeStep::Tests)) => {
                ("test", "Choose the unit that tests morale next.".to_owned(), cite!("9.3.b"))
            }
            Some(Step::Melee(MeleeStep::Retires)) => {
                ("retire", "Choose the unit that retires next.".to_owned(), cite!("11.b"))
            }
            Some(Step::Melee(MeleeStep::Breakthrough)) => {
                ("breakthrough", "Choose who breaks through, or hold.".to_owned(), cite!("9.5.b"))
            }
            Some(Step::Reroll { unit, total, .. }) => {
                ("reroll", format!("{} with {total}. Roll again?", does(name(unit), "fails")), cite!("13.f"))
            }
            Some(Step::RetireSide { unit }) => {
                ("aside", format!("{} can retire to either side: choose one.", name(unit)), cite!("5.5.r"))
            }
            Some(Step::Flee { commander }) => (
                "flee",
                format!("Choose where {} rides from his Broken unit.", self.battle.officer(commander).name),
                cite!("12.1.a"),
            ),
            _ => ("over", "The game is over.".to_owned(), cite!("10.2.a")),
        };
        Prompt {
            side,
            kind: kind.into(),
            sentence,
            detail: format!("{}, turn {}.", self.battle.armies[side].name, self.state.turn),
            rule,
        }
    }
}
