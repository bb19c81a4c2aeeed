//! An offer as the board shows it: its label, its cost, its path and what the player should know.

use game::board::{Offer, OfferNote};
use game::words::{capital, does, signed};
use hexmap::Hex;

use crate::action::Action;
use crate::at::At;
use crate::board::view::halves;
use crate::rules::combat;
use crate::rules::concepts::Lines;
use crate::rules::march::{Reach, Walk};
use crate::setup::battle::Battle;
use crate::state::{LeaderId, Phase, Piece, Step, UnitId, Units};

/// The piece whose marches are being described, and what it can reach.
struct Marching<'a> {
    lines: &'a Lines,
    piece: Option<(Piece, Walk<'a>, Reach)>,
}

impl<'a> Marching<'a> {
    fn of(&mut self, at: At<'a>, piece: Piece) -> (&Walk<'a>, &Reach) {
        if self.piece.as_ref().is_none_or(|(known, ..)| *known != piece) {
            self.piece = None;
        }
        let (_, walk, reach) = self.piece.get_or_insert_with(|| {
            let walk = at.walk(self.lines, piece);
            let reach = walk.reach();
            (piece, walk, reach)
        });
        (walk, reach)
    }
}

impl Battle {
    pub(crate) fn volley_words(&self, volley: &combat::Volley) -> String {
        let column = self.charts.head(volley.column);
        match volley.modifier() {
            0 => format!("{} SP, column {column}", volley.total),
            more => format!("{} SP, column {column}, die {}", volley.total, signed(more)),
        }
    }
}

impl<'a> At<'a> {
    /// An action as the board offers it.
    pub(crate) fn offer(self, action: Action) -> Offer {
        let lines = self.lines(self.state.active);
        self.describe(action, &mut Marching { lines: &lines, piece: None })
    }

    /// All of them. What the marches of one piece share is worked out once.
    pub(crate) fn offer_all(self, actions: &[Action]) -> Vec<Offer> {
        let lines = self.lines(self.state.active);
        let mut marching = Marching { lines: &lines, piece: None };
        actions.iter().map(|&action| self.describe(action, &mut marching)).collect()
    }

    fn describe(self, action: Action, marching: &mut Marching<'a>) -> Offer {
        let text = self.battle.write(action);
        let verb = text.split_whitespace().next().unwrap_or_default().to_owned();
        let mut offer = Offer::new(text, verb, self.label(action));
        offer.piece = action.piece().map(|piece| self.battle.piece_id(piece));
        match action {
            Action::Done | Action::Open | Action::Hold => offer.button = true,
            Action::Keep => (offer.button, offer.main) = (true, self.die_may_stand()),
            Action::Tide => (offer.button, offer.rolls) = (true, true),
            Action::Stay { .. } | Action::Remain { .. } => offer.button = true,
            Action::Rally { .. } => offer.rolls = true,
            Action::March { piece, to } => self.march_offer(piece, to, marching, &mut offer),
            Action::Change { .. } => offer.cost = Some("2".into()),
            Action::Fire { unit, at } => {
                offer.rolls = self.rolls_at_once(at, Units::EMPTY, unit);
                offer.targets = self.target_pieces(at).into_iter().map(|p| self.battle.piece_id(p)).collect();
                offer.place = Some(self.battle.place(at));
                let volley = self.volley(at, Units::one(unit));
                offer.notes.push(note(self.battle.volley_words(&volley), cite!("9.5.c")));
            }
            Action::Join { unit } => {
                let mut firers = self.state.fire.firers;
                firers.insert(unit);
                if let Some(at) = self.state.fire.at {
                    offer.rolls = self.rolls_at_once(at, self.state.fire.firers, unit);
                    let volley = self.volley(at, firers);
                    offer.notes.push(note(self.battle.volley_words(&volley), cite!("9.1.3.a")));
                }
            }
            Action::Retreat { to, .. } => offer.place = Some(self.battle.place(to)),
            Action::Place { unit, .. } => offer.targets = vec![self.battle.piece_id(Piece::Unit(unit))],
            Action::Advance { to, .. } => {
                offer.place = to.or(self.state.fire.at).map(|hex| self.battle.place(hex))
            }
            Action::Follow { .. } => {
                if let Some(Step::Follow { to, .. }) = self.state.agenda.top() {
                    offer.place = Some(self.battle.place(to));
                }
            }
            Action::Burn { .. } | Action::Search { .. } | Action::Build { .. } | Action::Raze { .. } => {}
        }
        offer.rolls |= action == Action::Open;
        offer
    }

    /// Whether the die falls as soon as this unit is named: nobody is left to join.
    fn rolls_at_once(self, at: Hex, firers: Units, unit: UnitId) -> bool {
        let mut all = firers;
        all.insert(unit);
        self.who_may_join(at, all).is_empty()
    }

    fn march_offer(self, piece: Piece, to: Hex, marching: &mut Marching<'a>, offer: &mut Offer) {
        let zone = marching.lines.zone;
        let (walk, reach) = marching.of(self, piece);
        offer.place = Some(self.battle.place(to));
        let path = if walk.routed { [to].into_iter().collect() } else { reach.path(walk, to) };
        let from = self.state.post_of(piece).hex();
        offer.path = from.into_iter().chain(path).map(|hex| self.battle.place(hex)).collect();
        offer.cost = reach.spent_at(to).map(|spent| halves(spent - walk.spent));
        if zone.contains(to) {
            offer.notes.push(OfferNote {
                text: "Stops in an enemy zone".into(),
                warning: false,
                stop: true,
                rule: Some(cite!("1.1.2.c")),
            });
        }
        offer.rule = Some(if from.is_some() { cite!("8.1.3.a") } else { cite!("8.3.a") });
    }

    fn label(self, action: Action) -> String {
        let unit = |id: UnitId| self.battle.unit(id).name.clone();
        let leader = |id: LeaderId| self.battle.leader(id).name.clone();
        match action {
            Action::Done => match self.state.phase {
                Phase::Movement => "End the movement".into(),
                Phase::Organization => "End the organization".into(),
                Phase::Rally => "End the rally".into(),
                _ => "End the fire".into(),
            },
            Action::Build { .. } => "Build a breastwork".into(),
            Action::Raze { .. } => "Pull the breastwork down".into(),
            Action::Burn { site, .. } => format!("Set fire to {}", self.battle.sites[usize::from(site)].name),
            Action::Search { .. } => "Search for the ford".into(),
            Action::Fire { at, .. } => format!("Fire at {}", self.target_words(at)),
            Action::Join { unit: u } => does(&unit(u), "fires too"),
            Action::Open => "Open fire".into(),
            Action::March { to, .. } => format!("March to {}", self.battle.number(to)),
            Action::Change { drill, .. } => capital(drill.word()),
            Action::Tide => "Roll again with the Tide of Battle".into(),
            Action::Keep => "Let the die stand".into(),
            Action::Place { unit: u, .. } => format!("Go to {}", unit(u)),
            Action::Stay { leader: l } => format!("{} goes back with his unit", leader(l)),
            Action::Retreat { to, .. } => format!("Go back to {}", self.battle.number(to)),
            Action::Advance { unit: u, to } => match to.or(self.state.fire.at) {
                Some(hex) => format!("{} {}", does(&unit(u), "advances into"), self.battle.number(hex)),
                None => does(&unit(u), "advances"),
            },
            Action::Hold => "Do not advance".into(),
            Action::Follow { leader: l } => format!("{} comes along", leader(l)),
            Action::Remain { leader: l } => format!("{} stays behind", leader(l)),
            Action::Rally { unit: u } => format!("Rally {}", unit(u)),
        }
    }
}

fn note(text: String, rule: game::Rule) -> OfferNote {
    OfferNote { text, warning: false, stop: false, rule: Some(rule) }
}
