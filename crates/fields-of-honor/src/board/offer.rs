//! An offer in words.

use game::Rule;
use game::board::{Offer, OfferNote};
use game::words::{capital, counted, does};
use table::{INCH, Spot};

use crate::action::Action;
use crate::at::At;
use crate::board::view::block;
use crate::cite;
use crate::notation::{number, write};
use crate::rules::basics::{Formation, Layout};
use crate::rules::charge::{ChargeLine, Reaction};
use crate::rules::fire::{Aim, FireOrder, Volley, When};
use crate::rules::leaders::Lead;
use crate::rules::movement;
use crate::rules::movement::Leg;
use crate::rules::rolls::{leader_piece, piece, place, spot_place};
use crate::rules::rout::inches;
use crate::rules::sequence::Step;
use crate::setup::ground::Cover;
use crate::state::{BodyId, Face, LeaderId, Share};

impl At<'_> {
    /// Where an order leads: to the ground on which its marker lies, else to the enemy who stands there, and how far off.
    fn destination(self, leader: LeaderId, marker: Spot) -> String {
        let to = marker.pt();
        let far = self.state.leaders[leader.i()].at.pt().to(to);
        if far <= 2 * INCH {
            return "where he is".to_owned();
        }
        let side = self.battle.leaders[leader.i()].side;
        let ground = self
            .battle
            .grounds(self.unknown(side))
            .find(|a| !a.road && !a.name.is_empty() && a.area.contains(to));
        let enemies = self.state.on_table().filter(|(id, body)| {
            self.battle.side(body) != side && !self.state.is_marker(*id) && !body.marks.unsighted()
        });
        let enemy = enemies
            .map(|(id, body)| (id, body.pose.at.pt().to(to)))
            .filter(|(_, away)| *away <= 2 * INCH)
            .min_by_key(|(_, away)| *away);
        let place = match (ground, enemy) {
            (Some(ground), _) => ground.name.clone(),
            (None, Some((id, _))) => self.name(id),
            (None, None) => "open ground".to_owned(),
        };
        format!("towards {place}, {} in away", (far + INCH / 2) / INCH)
    }

    /// A formation with its depth, where a line may be one or two ranks deep.
    fn formation_words(self, id: BodyId, formation: Formation, files: u8) -> String {
        let stands = self.body(id).fighting(self.battle);
        match formation {
            Formation::Line if stands > 3 && (1..stands).contains(&files) => "line, two deep".to_owned(),
            Formation::Line if stands > 3 => "line, one deep".to_owned(),
            _ => formation.words().to_owned(),
        }
    }

    /// What a rallied unit does: it forms, or stays as it ran.
    fn reform_label(self, formation: Formation, files: u8) -> String {
        match self.state.agenda.top() {
            Some(Step::Reform { body }) if formation == Formation::Mob => {
                does(&self.own_name(body), "stays a mob")
            }
            Some(Step::Reform { body }) => format!("Form {}", self.formation_words(body, formation, files)),
            _ => format!("Form {}", formation.words()),
        }
    }

    /// An action as the board shows it.
    pub(crate) fn offer(self, action: &Action) -> Offer {
        let make = |verb: &str, label: String| Offer::new(write(self.battle, action), verb, label);
        let plain = |verb: &str, label: &str| make(verb, label.to_owned());
        let name = |id: BodyId| self.own_name(id);
        match action {
            Action::Pass if self.state.agenda.top() == Some(Step::Interrupt) => {
                button(plain("pass", "Not at this point"))
            }
            Action::Pass => button(plain("pass", "Done")),
            Action::Wave => button(plain("wave", "Let the move go by")),
            Action::Order { leader, order, marker } => {
                let who = &self.battle.leaders[leader.i()].name;
                let label = format!("{who} to {} {}", order.name(), self.destination(*leader, *marker));
                order_offer(make("order", label), *leader, *marker)
            }
            Action::Test(id) => {
                of(make("test", does(&name(*id), "tests")), *id, cite!("qrs.reaction.a"), true)
            }
            Action::Blow(id) => {
                of(make("blow", format!("{} blow the gate", name(*id))), *id, cite!("fort.destroy.c"), true)
            }
            Action::Spot { by, at } => self.look_offer(*by, *at, make("spot", does(&name(*by), "looks"))),
            Action::Lead { leader, lead } => {
                let label = match lead {
                    Lead::Ride(_) => "Ride there".to_owned(),
                    Lead::Attach(id) => format!("Join {}", name(*id)),
                };
                self.lead_offer(*leader, *lead, make("lead", label))
            }
            Action::Charge(lines) => self.charge_offer(lines, make("charge", self.charges_label(lines))),
            Action::Dash(line) => {
                let label = charge_label(&name(line.at), line.turn);
                at_target(of(make("dash", label), line.by, cite!("oppcharge.a"), true), line.at)
            }
            Action::React { reaction, fires_at } => {
                self.reaction_offer(*fires_at, plain("react", reaction_label(*reaction)))
            }
            Action::Support { by, at } => {
                self.support_offer(*by, *at, make("support", does(&name(*by), "fires in support")))
            }
            Action::Move { unit, legs } => {
                self.move_offer(*unit, legs, make("move", self.legs_label(*unit, legs)))
            }
            Action::Snap { by, stands } => {
                self.snap_offer(*by, *stands, make("snap", does(&name(*by), "fires")))
            }
            Action::Fire(volley) => {
                let (verb, label) = self.fire_label(volley);
                self.fire_offer(volley, make(verb, label))
            }
            Action::Fight(id) => of(
                make("melee", format!("Fight the melee of {}", name(*id))),
                *id,
                cite!("seq.melee.a"),
                true,
            ),
            Action::Split(shares) => {
                let label: Vec<String> =
                    shares.iter().map(|s| format!("{} at {}", s.dice, name(s.at))).collect();
                split_offer(shares, make("split", label.join(", ")))
            }
            Action::Stay => button(plain("stay", "Stay")),
            Action::Turn => plain("turn", "Turn to face"),
            Action::Withdraw => plain("withdraw", "Withdraw Suppressed"),
            Action::Pursue => plain("pursue", "Pursue"),
            Action::Hold => button(plain("hold", "Hold")),
            Action::Reform { formation, files } => make("reform", self.reform_label(*formation, *files)),
            Action::Recover(id) => {
                of(make("recover", does(&name(*id), "recovers stands")), *id, cite!("morale.rally.e"), true)
            }
            Action::Leave(id) => {
                of(make("leave", does(&name(*id), "marches off")), *id, cite!("scenario.exit.a"), false)
            }
        }
    }

    fn look_offer(self, by: BodyId, at: Spot, offer: Offer) -> Offer {
        let marker = self.marker_at(self.side_of(by), at);
        let targets = marker.map(|m| self.marker_piece(m)).into_iter().collect();
        Offer { targets, ..of(offer, by, cite!("sighting.b"), true) }
    }

    fn lead_offer(self, leader: LeaderId, lead: Lead, offer: Offer) -> Offer {
        let there = match lead {
            Lead::Ride(spot) => spot_place(spot),
            Lead::Attach(id) => place(self.body(id).pose),
        };
        let rule = Some(cite!("commander.functions.a"));
        Offer { piece: Some(leader_piece(leader)), place: Some(there), rule, ..offer }
    }

    /// Whom a charge strikes, and with whom.
    fn charges_label(self, lines: &[ChargeLine]) -> String {
        let mut label = charge_label(&self.own_name(lines[0].at), lines[0].turn);
        for (i, other) in lines[1..].iter().enumerate() {
            label += if i == 0 { " together with " } else { " and " };
            label += &self.own_name(other.by);
        }
        label
    }

    fn charge_offer(self, lines: &[ChargeLine], offer: Offer) -> Offer {
        let first = lines[0];
        let mut o = of(offer, first.by, cite!("charge.sequence.a"), true);
        for line in lines {
            if !o.targets.contains(&piece(line.at)) {
                o.targets.push(piece(line.at));
            }
        }
        if let Ok(way) = self.charge_way(&first) {
            o.place = Some(place(way.landing));
            o.path = vec![place(self.body(first.by).pose), place(way.landing)];
            o.cost = Some(inches(way.d));
            if way.face != Face::Front {
                o.notes.push(note("Strikes a flank or the rear", cite!("qrs.chargehome.l")));
            }
        }
        o
    }

    fn reaction_offer(self, fires_at: u8, mut offer: Offer) -> Offer {
        let charger = self.state.charge.chargers.get(usize::from(fires_at));
        offer.rolls = true;
        offer.rule = Some(cite!("charge.defender.c"));
        offer.targets = charger.map(|c| piece(c.line.by)).into_iter().collect();
        offer
    }

    fn support_offer(self, by: BodyId, at: u8, offer: Offer) -> Offer {
        let offer = of(offer, by, cite!("charge.sequence.d"), false);
        let Some(charger) = self.state.charge.chargers.get(usize::from(at)) else { return offer };
        let shot = self.shot_in_support(by, charger);
        let notes = shot.map(|shot| self.preview_shot(&shot)).unwrap_or_default();
        Offer { notes, ..at_target(offer, charger.line.by) }
    }

    fn snap_offer(self, by: BodyId, stands: u16, offer: Offer) -> Offer {
        let offer = of(offer, by, cite!("fire.opportunity.a"), true);
        let Some(mover) = self.state.march.unit else { return offer };
        let notes = self.preview_fire(by, mover, FireOrder::plain(When::Opportunity, stands));
        Offer { notes, ..at_target(offer, mover) }
    }

    /// The verb of a declared fire, and what it says.
    fn fire_label(self, volley: &Volley) -> (&'static str, String) {
        let by = self.own_name(volley.by);
        match volley.at {
            Aim::Body(at) => {
                let shrapnel = if volley.shrapnel { " with shrapnel" } else { "" };
                let stands = counted(volley.stands.count_ones(), "stand");
                ("fire", format!("{} {}, {stands}{shrapnel}", does(&by, "fires at"), self.own_name(at)))
            }
            Aim::Leader(leader) => {
                ("snipe", format!("{} {}", does(&by, "snipes at"), self.battle.leaders[leader.i()].name))
            }
            Aim::Wall { .. } => ("batter", "Fire at the gate".to_owned()),
        }
    }

    fn fire_offer(self, volley: &Volley, offer: Offer) -> Offer {
        match volley.at {
            Aim::Body(at) => {
                let offer = of(offer, volley.by, cite!("fire.procedure.a"), false);
                Offer { notes: self.preview_volley(volley), ..at_target(offer, at) }
            }
            Aim::Leader(leader) => {
                let offer = of(offer, volley.by, cite!("leader-loss.b"), false);
                Offer { targets: vec![leader_piece(leader)], ..offer }
            }
            Aim::Wall { .. } => of(offer, volley.by, cite!("fort.destroy.a"), false),
        }
    }

    fn move_offer(self, unit: BodyId, legs: &[Leg], mut offer: Offer) -> Offer {
        offer.piece = Some(piece(unit));
        offer.rule = Some(cite!("move.range.b"));
        if let Ok(outcome) = self.plan_move(unit, legs) {
            offer.place = Some(place(outcome.layout.pose));
            offer.path = outcome.way.iter().map(|pose| place(*pose)).collect();
            offer.cost = Some(format!("{}%", outcome.spent * 100 / movement::WHOLE));
            let now = self.layout(unit);
            if outcome.layout.shape != now.shape || outcome.layout.stands != now.stands {
                offer.footprint = Some(block(&outcome.layout));
            }
            offer.notes.extend(self.cover_note(unit, &outcome.layout));
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

    /// The cover a unit would have there, against the enemy who would be nearest.
    fn cover_note(self, unit: BodyId, there: &Layout) -> Option<OfferNote> {
        let side = self.side_of(unit);
        let enemies = self.state.on_table().filter(|(id, body)| {
            self.battle.side(body) != side && !self.state.is_marker(*id) && !body.marks.unsighted()
        });
        let nearest = enemies.map(|(id, _)| self.layout(id)).min_by_key(|enemy| there.distance(enemy));
        match self.cover(there, nearest.map(|enemy| enemy.centre()), false) {
            Cover::None => None,
            Cover::Light => Some(note("Light cover against the nearest enemy", cite!("qrs.smallarms.g"))),
            Cover::Heavy => Some(note("Heavy cover against the nearest enemy", cite!("qrs.smallarms.g"))),
        }
    }

    /// The parts of a move in words.
    fn legs_label(self, unit: BodyId, legs: &[Leg]) -> String {
        let word = |leg: &Leg| match leg {
            Leg::Form { formation, files } => {
                format!("form {}", self.formation_words(unit, *formation, *files))
            }
            _ => leg_words(leg),
        };
        capital(&legs.iter().map(word).collect::<Vec<_>>().join(", "))
    }
}

fn order_offer(mut offer: Offer, leader: LeaderId, marker: Spot) -> Offer {
    offer.piece = Some(leader_piece(leader));
    offer.place = Some(spot_place(marker));
    offer.rolls = true;
    offer.rule = Some(cite!("orders.b"));
    offer
}

fn split_offer(shares: &[Share], mut offer: Offer) -> Offer {
    let share = |s: &Share| game::board::Share { by: piece(s.by), at: piece(s.at), amount: s.dice };
    offer.shares = shares.iter().map(share).collect();
    offer.rule = Some(cite!("melee.multiple.b"));
    offer
}

fn reaction_label(reaction: Reaction) -> &'static str {
    match reaction {
        Reaction::None | Reaction::Stand => "Stand and fire",
        Reaction::Retire { .. } => "Fire and retire",
        Reaction::Counter => "Countercharge",
        Reaction::Face => "Face",
        Reaction::Square => "Form square",
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

/// One part of a move in words.
fn leg_words(leg: &Leg) -> String {
    let side = |turn: i16| if turn > 0 { "right" } else { "left" };
    let angle = |turn: i16| format!("{}° to the {}", (turn.unsigned_abs() + 50) / 100, side(turn));
    match leg {
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
    }
}
