//! What each decision does.

use game::{Effects, Entry, Kind};

use crate::action::Action;
use crate::cite;
use crate::rules::charge::defender::react;
use crate::rules::charge::movement::test_point;
use crate::rules::charge::sequence::declare;
use crate::rules::fire::{Aim, Volley};
use crate::rules::initiative::end_go;
use crate::rules::leaders::Lead;
use crate::rules::melee::open_melee;
use crate::rules::opportunity::snap;
use crate::rules::rolls::tell_of;
use crate::rules::sequence::Step;
use crate::rules::{fire, forts, leaders, melee, morale, movement, orders, reaction, rout, sighting};
use crate::setup::battle::Battle;
use crate::state::{Marks, Order, State, Where};

/// Resolves the decision at hand.
pub(crate) fn answer(battle: &Battle, state: &mut State, action: &Action, fx: &mut impl Effects) {
    let Some(step) = state.agenda.top() else { return };
    match (step, action) {
        (_, Action::Lead { leader, lead }) => {
            leaders::lead(battle, state, *leader, *lead);
            fx.tell(|| {
                let name = &battle.leaders[leader.i()].name;
                let text = match lead {
                    Lead::Ride(_) => format!("{name} rides."),
                    Lead::Attach(unit) => format!("{name} joins {}.", battle.name(state, *unit)),
                };
                Entry::new(Kind::March, text)
                    .side(battle.leaders[leader.i()].side)
                    .rule(cite!("commander.functions.a"))
                    .piece(crate::rules::rolls::leader_piece(*leader))
            });
            orders::convert(battle, state, fx);
        }
        (Step::Orders { .. }, Action::Order { leader, order, marker }) => {
            orders::issue(battle, state, *leader, *order, *marker, fx);
        }
        (Step::Reactions, Action::Test(id)) => {
            state.turn_of = state.turn_of.enemy();
            reaction::react(battle, state, *id, fx);
        }
        (Step::Reactions, Action::Blow(id)) => {
            state.turn_of = state.turn_of.enemy();
            forts::blow_gate(battle, state, *id, fx);
        }
        (Step::Reactions, Action::Pass) => {
            let side = state.turn_of;
            state
                .bodies
                .iter_mut()
                .filter(|b| battle.side(b) == side)
                .for_each(|b| b.marks.clear(Marks::MINING));
        }
        (Step::Sight { side }, Action::Spot { by, at }) => {
            if let Some(at) = sighting::marker_at(battle, state, side, *at) {
                sighting::spot(battle, state, *by, at, fx);
            }
        }
        (Step::Charges, Action::Charge(lines)) => {
            state.go.passes = 0;
            declare(battle, state, lines, false);
        }
        (Step::Charges, Action::Pass) => {
            state.go.passes += 1;
            state.turn_of = state.turn_of.enemy();
        }
        (Step::React { target }, Action::React { reaction, fires_at }) => {
            state.agenda.pop();
            react(battle, state, usize::from(target), *reaction, *fires_at, fx);
        }
        (Step::Support, Action::Support { by, at }) => {
            let charger = state.charge.chargers[usize::from(*at)];
            let lead = test_point(battle, state, &charger).0;
            if let Ok(aim) = fire::bearing(battle, state, *by, charger.line.by, &lead) {
                let volley = Volley::of(*by, Aim::Body(charger.line.by), aim.stands);
                state.volleys.push(volley);
            }
        }
        (Step::Moves, Action::Move { unit, legs }) => {
            movement::begin(battle, state, *unit, legs);
            state.agenda.push(Step::March);
        }
        (Step::Moves, Action::Leave(unit)) => {
            state.go.used += movement::price(state, *unit);
            state.go.chosen |= unit.bit();
            state.body_mut(*unit).place = Where::Left;
            rout::release(state, *unit);
            tell_of(battle, state, *unit, Kind::March, "marches off the table", cite!("scenario.exit.a"), fx);
        }
        (Step::Moves, Action::Pass) => end_go(state),
        (Step::Interrupt, Action::Snap { by, stands }) => snap(battle, state, *by, *stands, fx),
        (Step::Interrupt, Action::Dash(line)) => {
            state.body_mut(line.by).marks.set(Marks::TRIED);
            declare(battle, state, &[*line], true);
        }
        (Step::Interrupt, Action::Wave) => {
            state.march.waved = true;
            state.agenda.pop();
        }
        (Step::Declare { .. }, Action::Fire(volley)) => {
            state.volleys.push(*volley);
        }
        (Step::Melees, Action::Fight(of)) => open_melee(state, *of),
        (Step::Split { .. }, Action::Split(shares)) => {
            state.agenda.pop();
            state.shares.extend(shares.iter().copied());
        }
        (Step::AfterTest { body }, Action::Turn) => {
            state.agenda.pop();
            melee::turn_to_face(battle, state, body);
        }
        (Step::AfterTest { body }, Action::Withdraw) => {
            state.agenda.pop();
            let cause = state.opponents(body).next().map(|(_, o)| o);
            tell_of(
                battle,
                state,
                body,
                Kind::Retreat,
                "withdraws from the melee",
                cite!("melee.withdraw.a"),
                fx,
            );
            rout::flee(
                battle,
                state,
                body,
                rout::Flight { cause, order: Order::Suppressed, later: false },
                fx,
            );
        }
        (Step::PursuitChoice { by, quarry, .. }, Action::Pursue) => {
            state.agenda.pop();
            rout::chase(battle, state, by, quarry, fx);
        }
        (Step::Reform { body }, Action::Reform { formation, files }) => {
            state.agenda.pop();
            let unit = state.body(body);
            let shape =
                crate::rules::basics::Shape::of(*formation, battle.arm(unit), unit.fighting(battle), *files);
            let changed = shape.formation != unit.shape.formation || shape.files != unit.shape.files;
            let there = morale::place_reformed(battle, state, body, shape).filter(|_| changed);
            if let Some(there) = there {
                let unit = state.body_mut(body);
                (unit.shape, unit.pose) = (shape, there.pose);
                rout::carry_leader(state, body);
            }
        }
        (Step::Recover { .. }, Action::Recover(id)) => morale::recover(battle, state, *id, fx),
        // Pass, Hold, Stay: the step is over.
        _ => {
            state.agenda.pop();
        }
    }
}
