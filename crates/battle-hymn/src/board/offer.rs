//! An offer in words: what a button or a hex on the board says.

use game::Rule;
use game::board::{Offer, OfferNote, Share};
use hexmap::Hex;

use crate::action::Action;
use crate::at::At;
use crate::rules::cavalry::COST_OF_SEAT;
use crate::state::{Id, Step, Trail};

impl At<'_> {
    /// A legal action, anchored.
    pub(crate) fn offer(self, action: &Action) -> Offer {
        let notation = self.battle.write(action);
        let verb = notation.split(' ').next().unwrap_or_default().to_owned();
        let mut offer = Offer::new(notation, verb, self.label(action));
        offer.piece = action.unit().map(Id::piece);
        offer.place = action.hex().map(|hex| self.battle.place(hex));
        offer.rule = self.rule_of(action);
        offer.rolls = self.rolls(action);
        offer.button = matches!(action, Action::Combat | Action::Wait | Action::Done | Action::Pass);
        self.add_details(action, &mut offer);
        offer
    }

    fn label(self, action: &Action) -> String {
        let hex = |hex: Hex| self.ground().name(hex);
        let does = |unit: Id, verb: &str| self.battle.does(unit, verb);
        let goes = |unit: Id, verb: &str, to: Hex| format!("{} {}", does(unit, verb), hex(to));
        match *action {
            Action::Combat => "Combat Turn now".into(),
            Action::Wait => "Wait: draw a marker".into(),
            Action::March { to, .. } => format!("March to {}", hex(to)),
            Action::Mount { unit } => does(unit, "mounts"),
            Action::Dismount { unit, horses } => {
                format!("{}, horses in {}", does(unit, "dismounts"), hex(horses))
            }
            Action::Enter { unit, at: None } => does(unit, "enters beside its Area"),
            Action::Enter { unit, at: Some(at) } => goes(unit, "enters at", at),
            Action::Exit { unit, by } => goes(unit, "leaves the map at", by),
            Action::Rally { unit } => does(unit, "rallies"),
            Action::Place { unit, at } => goes(unit, "forms up at", at),
            Action::Done => "End the Movement Turn".into(),
            Action::Withdraw { unit } => does(unit, "withdraws"),
            Action::Bombard { unit, at } => format!("{} {}", does(unit, "bombards"), self.name(at)),
            Action::Split { unit, shares } => {
                let words: Vec<String> =
                    shares.iter().map(|(t, s)| format!("{s} on {}", self.name(t))).collect();
                format!("{}: {}", self.name(unit), words.join(", "))
            }
            Action::Engage { unit } => {
                let names: Vec<&str> = self.engaged_by(unit).map(|e| self.name(e)).collect();
                format!("{} against {}", self.name(unit), names.join(", "))
            }
            Action::Attack { unit, at } => format!("{} {} by choice", does(unit, "attacks"), self.name(at)),
            Action::Check { unit } => does(unit, "checks"),
            Action::Retreat { unit, to } => goes(unit, "falls back to", to),
            Action::RetreatOff { unit } => does(unit, "leaves the map"),
            Action::Advance { unit, to } => goes(unit, "advances to", to),
            Action::AdvanceInto { to } => format!("Somebody advances to {}", hex(to)),
            Action::FallBack { unit } => does(unit, "falls back"),
            Action::Pass => self.pass_label().into(),
        }
    }

    fn pass_label(self) -> &'static str {
        match self.state.agenda.top() {
            Some(Step::CavalryRetreat) => "All stand",
            Some(Step::Bombard) => "Cease fire",
            Some(Step::Withdraw) => "Nobody withdraws",
            Some(Step::Options) => "No attack by choice",
            Some(Step::Advance) => "Hold the line",
            _ => "Pass",
        }
    }

    /// The rule that allows it.
    fn rule_of(self, action: &Action) -> Option<Rule> {
        Some(match *action {
            Action::Combat => cite!("3.9.b"),
            Action::Wait => cite!("3.9.d"),
            Action::March { .. } => cite!("5.1.a"),
            Action::Mount { .. } => cite!("11.3.i"),
            Action::Dismount { .. } => cite!("11.3.g"),
            Action::Enter { at: None, .. } => cite!("12.2.e"),
            Action::Enter { .. } => cite!("12.2.a"),
            Action::Exit { unit, by } => {
                self.battle.way_out(unit, by, self.state.hour).map_or(cite!("5.5.a"), |w| w.rule)
            }
            Action::Rally { .. } => cite!("10.5.b"),
            Action::Place { .. } => cite!("10.5.3.b"),
            Action::Done => cite!("4.e"),
            Action::Withdraw { .. } if self.rolls(action) => cite!("6.1.1.a"),
            Action::Withdraw { .. } => cite!("6.1.3.a"),
            Action::Bombard { .. } => cite!("6.1.2.b"),
            Action::Split { .. } => cite!("6.1.7.f"),
            Action::Engage { .. } => cite!("6.1.6.b"),
            Action::Attack { .. } => cite!("6.1.7.c"),
            Action::Check { .. } => cite!("6.2.4.b"),
            Action::Retreat { .. } => cite!("7.3.a"),
            Action::RetreatOff { .. } => cite!("7.7.a"),
            Action::Advance { .. } => cite!("8.1.a"),
            Action::AdvanceInto { .. } => cite!("3.1.f"),
            Action::FallBack { .. } => cite!("6.1.8.b"),
            Action::Pass => return None,
        })
    }

    /// Whether dice roll at once.
    fn rolls(self, action: &Action) -> bool {
        match *action {
            Action::Wait
            | Action::Enter { at: None, .. }
            | Action::Rally { .. }
            | Action::Bombard { .. }
            | Action::Split { .. }
            | Action::Engage { .. }
            | Action::Check { .. }
            | Action::AdvanceInto { .. } => true,
            Action::Withdraw { .. } => self.state.agenda.top() == Some(Step::CavalryRetreat),
            Action::Retreat { to, .. } => self.friend_must_check(to).is_some(),
            Action::Pass => matches!(self.state.agenda.top(), Some(Step::Withdraw | Step::Options)),
            _ => false,
        }
    }

    /// Costs, ways, targets and warnings.
    fn add_details(self, action: &Action, offer: &mut Offer) {
        let straight =
            |unit: Id, to: Hex| vec![self.battle.place(self.piece(unit).hex), self.battle.place(to)];
        match *action {
            Action::Wait => offer.main = !self.in_contact(),
            Action::March { unit, to, path } => self.add_march(unit, to, path, offer),
            Action::Mount { .. } | Action::Dismount { .. } => offer.cost = Some(COST_OF_SEAT.to_string()),
            Action::Enter { unit, at: Some(at) } => {
                offer.cost = self.entry_cost(unit, at).map(|c| c.to_string())
            }
            Action::Bombard { at, .. } => {
                offer.targets = vec![at.piece()];
                offer.place = Some(self.battle.place(self.piece(at).hex));
            }
            Action::Attack { at, .. } => offer.targets = vec![at.piece()],
            Action::Engage { unit } => offer.targets = self.engaged_by(unit).map(Id::piece).collect(),
            Action::Split { unit, shares } => {
                let share = |(at, amount): (Id, u8)| Share { by: unit.piece(), at: at.piece(), amount };
                offer.shares = shares.iter().map(share).collect();
                offer.targets = offer.shares.iter().map(|share| share.at).collect();
            }
            Action::Retreat { unit, to } => {
                offer.path = straight(unit, to);
                offer.notes.extend(self.retreat_note(unit, to));
            }
            Action::Advance { unit, to } => offer.path = straight(unit, to),
            _ => {}
        }
    }

    /// Whether the side stands so close to the enemy that a Combat Turn would bring a fight.
    fn in_contact(self) -> bool {
        self.state.held.is_some_and(|side| !self.engagements(side).is_empty())
    }

    /// The enemies in the Engagement of a unit.
    fn engaged_by(self, unit: Id) -> impl Iterator<Item = Id> {
        let side = self.state.attacking_side();
        let group = self.engagements(side).into_iter().find(|g| g.contains(unit)).unwrap_or_default();
        group.without(self.battle.armies[side].units).into_iter()
    }

    fn add_march(self, unit: Id, to: Hex, path: Option<Trail>, offer: &mut Offer) {
        let start = self.piece(unit).hex;
        if let Some((way, cost)) = self.way_of_march(unit, to, path) {
            offer.path = std::iter::once(start).chain(way).map(|h| self.battle.place(h)).collect();
            offer.cost = Some(cost.to_string());
        } else {
            offer.path = self.ground().walk(start, path).map(|h| self.battle.place(h)).collect();
        }
        let over = self.covered_from(self.side(unit).enemy(), to);
        offer.notes.extend(self.units_in(to, over).into_iter().map(|enemy| OfferNote {
            text: format!("Stops in the zone of {}, who fires as it comes up", self.name(enemy)),
            warning: true,
            stop: true,
            rule: Some(cite!("5.3.h")),
        }));
    }

    /// 7.8: the friend in a hex who must check morale before another falls back on him.
    fn friend_must_check(self, to: Hex) -> Option<Id> {
        let by_choice = self.state.retreat_under_way().is_some_and(|r| r.voluntary);
        self.state.at(to).filter(|_| !by_choice)
    }

    fn retreat_note(self, unit: Id, to: Hex) -> Option<OfferNote> {
        let note = |text: String, rule| OfferNote { text, warning: true, stop: false, rule: Some(rule) };
        if let Some(friend) = self.friend_must_check(to) {
            return Some(note(format!("{} must check morale", self.name(friend)), cite!("7.8.a")));
        }
        let costly = self.state.at(to).is_none() && self.covers(self.side(unit).enemy(), to);
        costly.then(|| note("Costs 1 SP".into(), cite!("7.6.b")))
    }
}
