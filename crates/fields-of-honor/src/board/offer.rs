//! An offer in words.

use game::board::{Offer, OfferNote};
use game::words::{counted, does};
use game::{Place, Rule};
use table::{INCH, Spot};

use crate::action::Action;
use crate::at::At;
use crate::board::view::{block, place};
use crate::cite;
use crate::notation::{number, write};
use crate::rules::charge::Reaction;
use crate::rules::fire::{Aim, FireOrder, When};
use crate::rules::leaders::Lead;
use crate::rules::movement;
use crate::rules::movement::Leg;
use crate::rules::rolls::{leader_piece, piece};
use crate::rules::sequence::Step;
use crate::state::{BodyId, LeaderId};

impl At<'_> {
    /// Where an order leads, by what stands nearest to its marker.
    fn destination(self, leader: LeaderId, marker: Spot) -> String {
        let to = marker.pt();
        if self.state.leaders[leader.i()].at.pt().to(to) <= 2 * INCH {
            return "where he is".to_owned();
        }
        let enemies = self
            .state
            .on_table()
            .filter(|(_, body)| self.battle.side(body) != self.battle.leaders[leader.i()].side);
        let nearest = enemies.min_by_key(|(_, body)| body.pose.at.pt().to(to)).map(|(id, _)| id);
        match nearest {
            Some(enemy) if self.state.is_marker(enemy) => "towards a marker".to_owned(),
            Some(enemy) => format!("towards {}", self.name(enemy)),
            None => "elsewhere".to_owned(),
        }
    }

    pub(crate) fn offer(self, action: &Action) -> Offer {
        let name = |id: BodyId| self.own_name(id);
        let notation = write(self.battle, action);
        let make = |verb: &str, label: String| Offer::new(notation.clone(), verb, label);
        match action {
            Action::Pass if matches!(self.state.agenda.top(), Some(Step::Interrupt)) => {
                button(make("pass", "Not at this point".to_owned()))
            }
            Action::Pass => button(make("pass", "Done".to_owned())),
            Action::Wave => button(make("wave", "Let the move go by".to_owned())),
            Action::Order { leader, order, marker } => {
                let who = &self.battle.leaders[leader.i()].name;
                let mut o = make(
                    "order",
                    format!("{who} to {} {}", order.name(), self.destination(*leader, *marker)),
                );
                o.piece = Some(leader_piece(*leader));
                o.place = Some(Place::Pose { x: marker.x, y: marker.y, facing: 0 });
                o.rolls = true;
                o.rule = Some(cite!("orders.b"));
                o
            }
            Action::Test(id) => {
                of(make("test", does(&name(*id), "tests")), *id, cite!("qrs.reaction.a"), true)
            }
            Action::Blow(id) => {
                of(make("blow", format!("{} blow the gate", name(*id))), *id, cite!("fort.destroy.c"), true)
            }
            Action::Spot { by, at } => {
                let mut o = of(make("spot", does(&name(*by), "looks")), *by, cite!("sighting.b"), true);
                let marker = self.marker_at(self.side_of(*by), *at);
                o.targets = marker.map(|m| self.marker_piece(m)).into_iter().collect();
                o
            }
            Action::Lead { leader, lead } => {
                let label = match lead {
                    Lead::Ride(_) => "Ride there".to_owned(),
                    Lead::Attach(id) => format!("Join {}", name(*id)),
                };
                let mut o = make("lead", label);
                o.piece = Some(leader_piece(*leader));
                o.place = Some(match lead {
                    Lead::Ride(spot) => Place::Pose { x: spot.x, y: spot.y, facing: 0 },
                    Lead::Attach(id) => place(self.state.body(*id).pose),
                });
                o.rule = Some(cite!("commander.functions.a"));
                o
            }
            Action::Charge(lines) => {
                let first = lines[0];
                let mut label = charge_label(&name(first.at), first.turn);
                for (i, other) in lines[1..].iter().enumerate() {
                    label += if i == 0 { " together with " } else { " and " };
                    label += &name(other.by);
                }
                let mut o = of(make("charge", label), first.by, cite!("charge.sequence.a"), true);
                for line in lines {
                    if !o.targets.contains(&piece(line.at)) {
                        o.targets.push(piece(line.at));
                    }
                }
                if let Ok(way) = self.charge_way(&first) {
                    o.place = Some(place(way.landing));
                    o.path = vec![place(self.state.body(first.by).pose), place(way.landing)];
                    o.cost = Some(crate::rules::rout::inches(way.d));
                    if way.face != crate::state::Face::Front {
                        o.notes.push(note("Strikes a flank or the rear", cite!("qrs.chargehome.l")));
                    }
                }
                o
            }
            Action::Dash(line) => at_target(
                of(
                    make("dash", charge_label(&name(line.at), line.turn)),
                    line.by,
                    cite!("oppcharge.a"),
                    true,
                ),
                line.at,
            ),
            Action::React { reaction, fires_at } => {
                let label = match reaction {
                    Reaction::None | Reaction::Stand => "Stand and fire",
                    Reaction::Retire { .. } => "Fire and retire",
                    Reaction::Counter => "Countercharge",
                    Reaction::Face => "Face",
                    Reaction::Square => "Form square",
                };
                let mut o = make("react", label.to_owned());
                o.rolls = true;
                o.rule = Some(cite!("charge.defender.c"));
                o.targets = self
                    .state
                    .charge
                    .chargers
                    .get(usize::from(*fires_at))
                    .map(|c| piece(c.line.by))
                    .into_iter()
                    .collect();
                o
            }
            Action::Support { by, at } => {
                let target = self.state.charge.chargers.get(usize::from(*at)).map(|c| c.line.by);
                let o = of(
                    make("support", does(&name(*by), "fires in support")),
                    *by,
                    cite!("charge.sequence.d"),
                    false,
                );
                let mut o = target.map_or(o.clone(), |t| at_target(o, t));
                let charger = self.state.charge.chargers.get(usize::from(*at));
                let shot = charger.and_then(|c| self.shot_in_support(*by, c));
                o.notes = shot.map(|shot| self.preview_shot(&shot)).unwrap_or_default();
                o
            }
            Action::Move { unit, legs } => self.move_offer(*unit, legs, make("move", legs_label(legs))),
            Action::Snap { by, stands } => {
                let mut o =
                    of(make("snap", does(&name(*by), "fires")), *by, cite!("fire.opportunity.a"), true);
                if let Some(mover) = self.state.march.unit {
                    let order = FireOrder::plain(When::Opportunity, *stands);
                    o.notes = self.preview_fire(*by, mover, order);
                    o = at_target(o, mover);
                }
                o
            }
            Action::Fire(volley) => match volley.at {
                Aim::Body(at) => {
                    let shrapnel = if volley.shrapnel { " with shrapnel" } else { "" };
                    let stands = volley.stands.count_ones();
                    let label = format!(
                        "{} {}, {}{shrapnel}",
                        does(&name(volley.by), "fires at"),
                        name(at),
                        counted(stands, "stand")
                    );
                    let mut o = of(make("fire", label), volley.by, cite!("fire.procedure.a"), false);
                    o.notes = self.preview_volley(volley);
                    at_target(o, at)
                }
                Aim::Leader(leader) => {
                    let label = format!(
                        "{} {}",
                        does(&name(volley.by), "snipes at"),
                        self.battle.leaders[leader.i()].name
                    );
                    let mut o = of(make("snipe", label), volley.by, cite!("leader-loss.b"), false);
                    o.targets = vec![leader_piece(leader)];
                    o
                }
                Aim::Wall { .. } => of(
                    make("batter", "Fire at the gate".to_owned()),
                    volley.by,
                    cite!("fort.destroy.a"),
                    false,
                ),
            },
            Action::Fight(id) => of(
                make("melee", format!("Fight the melee of {}", name(*id))),
                *id,
                cite!("seq.melee.a"),
                true,
            ),
            Action::Split(shares) => {
                let label: Vec<String> =
                    shares.iter().map(|s| format!("{} at {}", s.dice, name(s.at))).collect();
                let mut o = make("split", label.join(", "));
                o.shares = shares
                    .iter()
                    .map(|s| game::board::Share { by: piece(s.by), at: piece(s.at), amount: s.dice })
                    .collect();
                o.rule = Some(cite!("melee.multiple.b"));
                o
            }
            Action::Stay => button(make("stay", "Stay".to_owned())),
            Action::Turn => make("turn", "Turn to face".to_owned()),
            Action::Withdraw => make("withdraw", "Withdraw Suppressed".to_owned()),
            Action::Pursue => make("pursue", "Pursue".to_owned()),
            Action::Hold => button(make("hold", "Hold".to_owned())),
            Action::Reform { formation, .. } => make("reform", format!("Form {}", formation.words())),
            Action::Recover(id) => {
                of(make("recover", does(&name(*id), "recovers stands")), *id, cite!("morale.rally.e"), true)
            }
            Action::Leave(id) => {
                of(make("leave", does(&name(*id), "marches off")), *id, cite!("scenario.exit.a"), false)
            }
        }
    }
}

fn button(mut offer: Offer) -> Offer {
    offer.button = true;
    offer
}

fn of(mut offer: Offer, id: BodyId, rule: Rule, rolls: bool) -> Offer {
    offer.piece = Some(piece(id));
    offer.rule = Some(rule);
    offer.rolls = rolls;
    offer
}

fn at_target(mut offer: Offer, at: BodyId) -> Offer {
    offer.targets = vec![piece(at)];
    offer
}

fn note(text: &str, rule: Rule) -> OfferNote {
    OfferNote { text: text.to_owned(), warning: false, stop: false, rule: Some(rule) }
}

/// Whom a charge strikes, and the turn before it.
fn charge_label(at: &str, turn: i16) -> String {
    match (turn + 50 * turn.signum()) / 100 {
        0 => format!("Charge {at}"),
        right @ 1.. => format!("Turn {right}° right and charge {at}"),
        left => format!("Turn {}° left and charge {at}", -left),
    }
}

/// Thousandths of an inch for a player: to the tenth.
fn tenths(mils: i64) -> String {
    format!("{} in", number((mils + 50) / 100 * 100))
}

fn legs_label(legs: &[Leg]) -> String {
    let side = |turn: i16| if turn > 0 { "right" } else { "left" };
    let angle = |turn: i16| format!("{}° to the {}", (turn.unsigned_abs() + 50) / 100, side(turn));
    let word = |leg: &Leg| match leg {
        Leg::Ahead { length, aside: 0 } => format!("move {}", tenths(i64::from(*length))),
        Leg::Ahead { length, aside } => format!("move {}, {}", tenths(i64::from(*length)), angle(*aside)),
        Leg::Wheel { turn } => format!("wheel {}", angle(*turn)),
        Leg::WheelBack { turn } => format!("wheel back {}", angle(*turn)),
        Leg::Face { turn: 18_000 | -18_000 } => "face about".to_owned(),
        Leg::Face { turn: turn @ (9000 | -9000) } => format!("face {}", side(*turn)),
        Leg::Face { turn } => format!("face {}", angle(*turn)),
        Leg::Form { formation, .. } => format!("form {}", formation.words()),
        Leg::Sidle { length, .. } => format!("step aside {}", tenths(i64::from(*length))),
        Leg::Slew { turn } => format!("turn the guns {}", angle(*turn)),
        Leg::Prone => "lie down".to_owned(),
        Leg::Up => "stand up".to_owned(),
        Leg::Dismount => "dismount".to_owned(),
        Leg::Mount => "mount".to_owned(),
        Leg::Hide => "hide".to_owned(),
        Leg::Detach { .. } => "send out skirmishers".to_owned(),
        Leg::Rejoin => "rejoin".to_owned(),
        Leg::Box => "form a box".to_owned(),
        Leg::Unbox => "leave the box".to_owned(),
    };
    let all: Vec<String> = legs.iter().map(word).collect();
    let mut label = all.join(", ");
    if let Some(first) = label.get_mut(0..1) {
        first.make_ascii_uppercase();
    }
    label
}

impl At<'_> {
    fn move_offer(self, unit: BodyId, legs: &[Leg], mut offer: Offer) -> Offer {
        offer.piece = Some(piece(unit));
        offer.rule = Some(cite!("move.range.b"));
        if let Ok(outcome) = self.plan_move(unit, legs) {
            offer.place = Some(place(outcome.layout.pose));
            offer.path = outcome.way.iter().map(|pose| place(*pose)).collect();
            offer.cost = Some(format!("{}%", outcome.spent * 100 / movement::WHOLE));
            let now = self.state.body(unit).layout(self.battle);
            if outcome.layout.shape != now.shape || outcome.layout.stands != now.stands {
                offer.footprint = Some(block(&outcome.layout));
            }
            if outcome.passed != 0 {
                offer.notes.push(note("Passes through friends: neither fires", cite!("move.penetration.c")));
            }
            let stands = |pose| outcome.layout.at(pose);
            let suppresses = |leg: &[table::Pose]| {
                let unknown = self.unknown(self.side_of(unit));
                self.battle.suppressing(&stands(leg[0]), &stands(leg[1]), unknown).is_some()
            };
            if outcome.way.windows(2).any(suppresses) {
                offer.notes.push(note("The ground there suppresses it", cite!("qrs.terrain.a")));
            }
        }
        offer
    }
}
