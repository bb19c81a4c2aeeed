//! The decision at hand and its offers, in words.

use game::board::{Offer, OfferNote};
use game::words::{does, signed, the, verb};
use game::{PieceId, Place, Rules, Side};
use hexmap::Hex;

use crate::action::{Action, Way};
use crate::at::At;
use crate::rules::artillery_fire::fire_words;
use crate::rules::sequence::Step;
use crate::setup::battle::Battle;
use crate::setup::pieces::{Piece, Pieces};
use crate::state::State;
use crate::{AmericanRevolution, judgement, notation};

fn firing(battle: &Battle, pieces: Pieces) -> String {
    fire_words(&pieces.map(|p| battle.counter(p).name.as_str()).collect::<Vec<_>>())
}

impl At<'_> {
    /// Whether the result of the close combat is no worse for this side than for the other.
    fn roll_may_stand(self, side: Side) -> bool {
        let [attacker, defender] = self.result().map(|hit| judgement::pain(hit.effect));
        if side == self.state.phasing { attacker <= defender } else { defender <= attacker }
    }

    /// Actions as the board offers them. What the marches of one piece cost is worked out once.
    pub(crate) fn offer_all(self, actions: &[Action]) -> Vec<Offer> {
        let believed = self.believed(self.state.phasing);
        let mut known: Option<(Piece, Vec<(Way, u8)>)> = None;
        let mut cost = |piece: Piece, way: Way| {
            let (_, costs) = match known.take() {
                Some(same) if same.0 == piece => known.insert(same),
                _ => {
                    let mut costs = Vec::new();
                    At::new(self.battle, &believed).reach(piece, |_, way, cost| costs.push((way, cost)));
                    known.insert((piece, costs))
                }
            };
            costs.iter().find(|(known, _)| *known == way).map(|(_, cost)| cost.to_string())
        };
        actions
            .iter()
            .map(|action| {
                let mut offer = self.describe(action);
                if let Action::March { piece, from, way } = *action {
                    offer.cost = cost(piece, way);
                    offer.notes.extend(At::new(self.battle, &believed).stop_note(from, way));
                }
                offer
            })
            .collect()
    }

    fn describe(self, action: &Action) -> Offer {
        let name = |p: Piece| self.counter(p).name.as_str();
        let hex = |h| self.battle.hex_name(h);
        let (verb, label) = match *action {
            Action::Spend(0) => ("spend", "Spend none".into()),
            Action::Spend(n) => ("spend", format!("Spend {n}")),
            Action::Dictate(side) => {
                ("dictate", format!("Dictate: {} first", side_goes(&self.battle.armies[side].name)))
            }
            Action::Hearten => ("hearten", "Spend a chit on army morale".into()),
            Action::Hasten(turn) => ("hasten", format!("Bring the release of turn {turn} forward")),
            Action::Enter(p) => ("enter", format!("Place {}", name(p))),
            Action::March { from, way, .. } => (
                "march",
                format!("March to {}", way.end(&self.battle.ground, from).map(hex).unwrap_or_default()),
            ),
            Action::Leave(p) => ("leave", does(name(p), "leaves the field")),
            Action::Rally(p) => ("rally", format!("Rally {}", name(p))),
            Action::Dismiss(p) => ("dismiss", format!("Send {} home", name(p))),
            Action::Bombard { guns, at } => {
                ("bombard", format!("{} at {}", firing(self.battle, guns), hex(at)))
            }
            Action::Shoot { rifles, at } => {
                ("shoot", format!("{} at {}", firing(self.battle, rifles), hex(at)))
            }
            Action::Target(p) => ("target", format!("Fire at {}", name(p))),
            Action::Peek(at) => ("peek", format!("Examine {} against the rule", hex(at))),
            Action::Attack { unit, from, at } => {
                let foes: Vec<String> = self.battle.ground.neighbours_in(from, at).map(hex).collect();
                ("attack", format!("{} {}", does(name(unit), "attacks"), foes.join(" and ")))
            }
            Action::Divert(at) => ("divert", format!("Divert {}", hex(at))),
            Action::Resolve(at) => ("resolve", format!("Resolve the combat for {}", hex(at))),
            Action::Lead(p) => ("lead", does(name(p), "leads")),
            Action::Withdraw => ("withdraw", "Withdraw before combat".into()),
            Action::Play(tactic) => ("play", tactic.name().into()),
            Action::Reroll => ("reroll", "Spend a chit, roll again".into()),
            Action::Pick(p) => ("pick", name(p).into()),
            Action::Retreat { from, way } => (
                "retreat",
                format!("Retreat to {}", way.end(&self.battle.ground, from).map(hex).unwrap_or_default()),
            ),
            Action::Shed => ("shed", "Lose a step and retreat".into()),
            Action::Yield => ("yield", "Be captured".into()),
            Action::Follow(p) => ("follow", does(name(p), "goes along")),
            Action::Advance { unit, to } => {
                ("advance", format!("{} {}", does(name(unit), "advances to"), hex(to)))
            }
            Action::Done => ("done", self.state.done_label().into()),
        };
        let mut offer = Offer::new(notation::write(self.battle, action), verb, label);
        let side = self.deciding_side();
        self.anchor(side, action, &mut offer);
        offer
    }

    /// The enemy units in a hex as `side` may know them: a stack that it may not examine is one nameless piece.
    fn foes_in(self, side: Side, hex: Hex) -> (Vec<PieceId>, bool) {
        let foes = self.units_in(hex, !side);
        if !self.unknown(side).meets(self.in_hex(hex)) {
            return (foes.map(Piece::id).collect(), true);
        }
        let seen = AmericanRevolution::seen_by(self.battle, self.state, side);
        ((seen.in_hex(hex) & self.battle.pieces(!side)).map(Piece::id).collect(), false)
    }

    /// The pieces and places an offer is anchored to.
    fn anchor(self, side: Side, action: &Action, offer: &mut Offer) {
        match *action {
            Action::March { piece, from, way } => {
                offer.piece = Some(piece.id());
                offer.path = self.battle.way_places(from, way);
                offer.place = way.end(&self.battle.ground, from).map(|to| self.battle.place(to));
            }
            Action::Retreat { from, way } => {
                if let Some(Step::Retreating { unit, .. } | Step::SlippingAway(unit)) =
                    self.state.agenda.top()
                {
                    offer.piece = Some(unit.id());
                }
                offer.path = self.battle.way_places(from, way);
                offer.place = way.end(&self.battle.ground, from).map(|to| self.battle.place(to));
            }
            Action::Enter(p)
            | Action::Leave(p)
            | Action::Rally(p)
            | Action::Dismiss(p)
            | Action::Lead(p)
            | Action::Follow(p) => {
                offer.piece = Some(p.id());
                offer.rolls = matches!(action, Action::Rally(_));
            }
            Action::Pick(p) => {
                offer.piece = Some(p.id());
                offer.rolls = matches!(self.state.agenda.top(), Some(Step::Checks(_)));
            }
            Action::Target(p) => {
                offer.targets = vec![p.id()];
                offer.rolls =
                    matches!(self.state.agenda.top(), Some(Step::Aiming { rifles: false, .. } | Step::Grape));
            }
            Action::Bombard { guns, at } => {
                let (known, targets) = self.anchor_fire(side, guns, at, offer);
                offer.rolls = known && targets == 1;
            }
            Action::Shoot { rifles, at } => drop(self.anchor_fire(side, rifles, at, offer)),
            Action::Attack { unit, from, at } => self.anchor_attack(side, unit, from, at, offer),
            Action::Advance { unit, to } => {
                offer.piece = Some(unit.id());
                offer.place = Some(self.battle.place(to));
            }
            Action::Divert(at) | Action::Resolve(at) | Action::Peek(at) => {
                offer.place = Some(Place::Hex(self.battle.hex_name(at)));
            }
            Action::Done => {
                offer.button = true;
                offer.main =
                    matches!(self.state.agenda.top(), Some(Step::Momentum(_))) && self.roll_may_stand(side);
            }
            Action::Spend(_)
            | Action::Dictate(_)
            | Action::Hearten
            | Action::Hasten(_)
            | Action::Withdraw
            | Action::Play(_) => offer.button = true,
            Action::Reroll => {
                offer.button = true;
                offer.rolls = true;
            }
            Action::Shed | Action::Yield => offer.button = true,
        }
    }

    /// Anchors fire to its first gun and its targets; whether they are known, and how many they are.
    fn anchor_fire(self, side: Side, by: Pieces, at: Hex, offer: &mut Offer) -> (bool, usize) {
        let (targets, known) = self.foes_in(side, at);
        offer.piece = by.first().map(Piece::id);
        offer.targets = targets;
        offer.place = Some(self.battle.place(at));
        (known, offer.targets.len())
    }

    fn anchor_attack(self, side: Side, unit: Piece, from: Hex, at: u8, offer: &mut Offer) {
        offer.piece = Some(unit.id());
        let foes: Vec<_> = self.battle.ground.neighbours_in(from, at).collect();
        offer.place = foes.first().map(|&h| self.battle.place(h));
        let (targets, known): (Vec<_>, Vec<_>) = foes.iter().map(|&h| self.foes_in(side, h)).unzip();
        offer.targets = targets.concat();
        if known.into_iter().all(|known| known) {
            offer.notes.extend(self.odds_notes(unit, &foes));
        }
    }

    /// Says that a march ends in a zone of control: it goes no farther, but nothing is lost by it.
    fn stop_note(self, from: Hex, way: Way) -> Option<OfferNote> {
        let to = way.end(&self.battle.ground, from)?;
        self.in_zone(!self.state.phasing, to).then(|| OfferNote {
            text: "Ends in an enemy zone of control".into(),
            warning: false,
            stop: true,
            rule: Some(cite!("8.31.a")),
        })
    }

    /// The odds that the unit, with those who attack there already, would have, and what would be added to the die.
    fn odds_notes(self, unit: Piece, foes: &[Hex]) -> Vec<OfferNote> {
        let (attackers, defenders) = self.joined_attack(unit, foes.iter().copied());
        let column = self.odds(attackers, defenders);
        let note = |text: String, rule| OfferNote { text, warning: false, stop: false, rule: Some(rule) };
        let mut notes = vec![note(format!("Odds {}", column.name()), cite!("12.23.b"))];
        let modifiers = self.foreseen_modifiers(attackers, defenders);
        let total: i32 = modifiers.iter().map(|m| i32::from(m.value)).sum();
        notes
            .extend(modifiers.into_iter().map(|m| note(format!("{} {}", signed(m.value), m.reason), m.rule)));
        notes.push(note(format!("{} in all, before the tactics", signed(total)), cite!("12.23.i")));
        notes
    }
}

fn side_goes(name: &str) -> String {
    format!("{} {}", the(name), verb(name, "goes"))
}

impl State {
    fn done_label(&self) -> &'static str {
        match self.agenda.top() {
            Some(Step::Arrivals) => "Hold the rest back",
            Some(Step::Moving) => "End movement",
            Some(Step::Rallying) => "End rallying",
            Some(Step::Gunfire | Step::Volley(_) | Step::Grape) => "Hold fire",
            Some(Step::Designating) => "All combats are announced",
            Some(Step::Withdrawal) => "Stand",
            Some(Step::Momentum(_)) => "Let the roll stand",
            Some(Step::Following { .. }) => "Stay",
            _ => "Done",
        }
    }
}
