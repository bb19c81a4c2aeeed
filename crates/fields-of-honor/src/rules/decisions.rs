//! What each decision does.

use game::{Effects, Entry, Kind};

use crate::action::Action;
use crate::cite;

use crate::rules::fire::{Aim, Volley};

use crate::rules::leaders::Lead;

use crate::at::{At, Run};
use crate::rules::rout;
use crate::rules::sequence::Step;
use crate::state::{Marks, Order, Where};

impl<F: Effects> Run<'_, F> {
    /// Resolves the decision at hand.
    pub(crate) fn answer(&mut self, action: &Action) {
        let Some(step) = self.state.agenda.top() else { return };
        match (step, action) {
            (_, Action::Lead { leader, lead }) => {
                self.state.lead(self.battle, *leader, *lead);
                self.fx.tell(|| {
                    let name = &self.battle.leaders[leader.i()].name;
                    let text = match lead {
                        Lead::Ride(_) => format!("{name} rides."),
                        Lead::Attach(unit) => {
                            format!("{name} joins {}.", At::new(self.battle, self.state).name(*unit))
                        }
                    };
                    Entry::new(Kind::March, text)
                        .side(self.battle.leaders[leader.i()].side)
                        .rule(cite!("commander.functions.a"))
                        .piece(crate::rules::rolls::leader_piece(*leader))
                });
                self.convert_orders();
            }
            (Step::Orders { .. }, Action::Order { leader, order, marker }) => {
                self.issue_order(*leader, *order, *marker);
            }
            (Step::Reactions, Action::Test(id)) => {
                self.state.turn_of = self.state.turn_of.enemy();
                self.take_reaction_test(*id);
            }
            (Step::Reactions, Action::Blow(id)) => {
                self.state.turn_of = self.state.turn_of.enemy();
                self.blow_gate(*id);
            }
            (Step::Reactions, Action::Pass) => {
                let side = self.state.turn_of;
                self.state
                    .bodies
                    .iter_mut()
                    .filter(|b| self.battle.side(b) == side)
                    .for_each(|b| b.marks.clear(Marks::MINING));
            }
            (Step::Sight { side }, Action::Spot { by, at }) => {
                if let Some(at) = self.at().marker_at(side, *at) {
                    self.spot(*by, at);
                }
            }
            (Step::Charges, Action::Charge(lines)) => {
                self.state.go.passes = 0;
                self.state.declare(self.battle, lines, false);
            }
            (Step::Charges, Action::Pass) => {
                self.state.go.passes += 1;
                self.state.turn_of = self.state.turn_of.enemy();
            }
            (Step::React { target }, Action::React { reaction, fires_at }) => {
                self.state.agenda.pop();
                self.react_to_charge(usize::from(target), *reaction, *fires_at);
            }
            (Step::Support, Action::Support { by, at }) => {
                let charger = self.state.charge.chargers[usize::from(*at)];
                let lead = self.at().test_point(&charger).0;
                if let Ok(aim) = self.at().bearing(*by, charger.line.by, &lead) {
                    let volley = Volley::of(*by, Aim::Body(charger.line.by), aim.stands);
                    self.state.volleys.push(volley);
                }
            }
            (Step::Moves, Action::Move { unit, legs }) => {
                self.state.begin_move(self.battle, *unit, legs);
                self.state.agenda.push(Step::March);
            }
            (Step::Moves, Action::Leave(unit)) => {
                self.state.go.used += self.state.move_price(*unit);
                self.state.go.chosen |= unit.bit();
                self.state.body_mut(*unit).place = Where::Left;
                self.state.release(*unit);
                self.tell_of(*unit, Kind::March, "marches off the table", cite!("scenario.exit.a"));
            }
            (Step::Moves, Action::Pass) => self.state.end_go(),
            (Step::Interrupt, Action::Snap { by, stands }) => self.snap(*by, *stands),
            (Step::Interrupt, Action::Dash(line)) => {
                self.state.body_mut(line.by).marks.set(Marks::TRIED);
                self.state.declare(self.battle, &[*line], true);
            }
            (Step::Interrupt, Action::Wave) => {
                self.state.march.waved = true;
                self.state.agenda.pop();
            }
            (Step::Declare { .. }, Action::Fire(volley)) => {
                self.state.volleys.push(*volley);
            }
            (Step::Melees, Action::Fight(of)) => self.state.open_melee(*of),
            (Step::Split { .. }, Action::Split(shares)) => {
                self.state.agenda.pop();
                self.state.shares.extend(shares.iter().copied());
            }
            (Step::AfterTest { body }, Action::Turn) => {
                self.state.agenda.pop();
                self.state.turn_to_face(self.battle, body);
            }
            (Step::AfterTest { body }, Action::Withdraw) => {
                self.state.agenda.pop();
                let cause = self.state.opponents(body).next().map(|(_, o)| o);
                self.tell_of(body, Kind::Retreat, "withdraws from the melee", cite!("melee.withdraw.a"));
                self.flee(body, rout::Flight { cause, order: Order::Suppressed, later: false });
            }
            (Step::PursuitChoice { by, quarry, .. }, Action::Pursue) => {
                self.state.agenda.pop();
                self.chase(by, quarry);
            }
            (Step::Reform { body }, Action::Reform { formation, files }) => {
                self.state.agenda.pop();
                let unit = self.state.body(body);
                let shape = crate::rules::basics::Shape::of(
                    *formation,
                    self.battle.arm(unit),
                    unit.fighting(self.battle),
                    *files,
                );
                let changed = shape.formation != unit.shape.formation || shape.files != unit.shape.files;
                let there = self.at().place_reformed(body, shape).filter(|_| changed);
                if let Some(there) = there {
                    let unit = self.state.body_mut(body);
                    (unit.shape, unit.pose) = (shape, there.pose);
                    self.state.carry_leader(body);
                }
            }
            (Step::Recover { .. }, Action::Recover(id)) => self.recover(*id),
            // Pass, Hold, Stay: the step is over.
            _ => {
                self.state.agenda.pop();
            }
        }
    }
}
