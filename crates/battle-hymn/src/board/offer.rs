//! An offer in words: what a button or a hex on the board says.

use game::Rule;
use game::board::{Offer, OfferNote, Share};
use game::words::does;
use hexmap::Hex;

use crate::action::Action;

use crate::at::At;
use crate::state::{Id, NOWHERE, Step};

impl At<'_> {
    /// Whether the side stands so close to the enemy that a Combat Turn would bring a fight.
    fn in_contact(self) -> bool {
        self.state.held.is_some_and(|side| !self.engagements(side).is_empty())
    }

    /// A legal action, anchored.
    pub(crate) fn offer(self, action: &Action) -> Offer {
        let name = |id: Id| self.name(id).to_owned();
        let hex = |hex: Hex| self.ground().name(hex);
        let new = |verb: &str, label: String| Offer::new(self.battle.write(action), verb, label);
        let button = |verb: &str, label: &str| Offer { button: true, ..new(verb, label.to_owned()) };
        let of = |unit: Id, offer: Offer| Offer { piece: Some(unit.piece()), ..offer };
        let at = |to: Hex, offer: Offer| Offer { place: Some(self.battle.place(to)), ..offer };
        let by = |rule: Rule, offer: Offer| Offer { rule: Some(rule), ..offer };
        match *action {
            Action::Combat => by(cite!("3.9.b"), button("combat", "Combat Turn now")),
            Action::Wait => by(
                cite!("3.9.d"),
                Offer { rolls: true, main: !self.in_contact(), ..button("wait", "Wait: draw a marker") },
            ),
            Action::March { unit, to, path } => by(
                cite!("5.1.a"),
                of(
                    unit,
                    self.march_offer(unit, to, path, at(to, new("march", format!("March to {}", hex(to))))),
                ),
            ),
            Action::Mount { unit } => by(
                cite!("11.3.i"),
                of(unit, Offer { cost: Some("3".into()), ..new("mount", does(&name(unit), "mounts")) }),
            ),
            Action::Dismount { unit, horses } => {
                let label = format!("{}, horses in {}", does(&name(unit), "dismounts"), hex(horses));
                by(
                    cite!("11.3.g"),
                    of(unit, at(horses, Offer { cost: Some("3".into()), ..new("dismount", label) })),
                )
            }
            Action::Enter { unit, at: NOWHERE } => by(
                cite!("12.2.e"),
                of(unit, Offer { rolls: true, ..new("enter", does(&name(unit), "enters beside its Area")) }),
            ),
            Action::Enter { unit, at: entry } => {
                let cost = self.entry_cost(unit, entry).map(|c| c.to_string());
                by(
                    cite!("12.2.a"),
                    of(
                        unit,
                        at(
                            entry,
                            Offer {
                                cost,
                                ..new("enter", format!("{} {}", does(&name(unit), "enters at"), hex(entry)))
                            },
                        ),
                    ),
                )
            }
            Action::Exit { unit, by: way } => by(
                self.battle.way_out(unit, way, self.state.hour).map_or(cite!("5.5.a"), |w| w.rule),
                of(
                    unit,
                    at(way, new("exit", format!("{} {}", does(&name(unit), "leaves the map at"), hex(way)))),
                ),
            ),
            Action::Rally { unit } => by(
                cite!("10.5.b"),
                of(unit, Offer { rolls: true, ..new("rally", does(&name(unit), "rallies")) }),
            ),
            Action::Place { unit, at: to } => by(
                cite!("10.5.3.b"),
                of(unit, at(to, new("place", format!("{} {}", does(&name(unit), "forms up at"), hex(to))))),
            ),
            Action::Done => by(cite!("4.e"), button("done", "End the Movement Turn")),
            Action::Withdraw { unit } => {
                let rolls = self.state.agenda.top() == Some(Step::CavalryRetreat);
                let rule = if rolls { cite!("6.1.1.a") } else { cite!("6.1.3.a") };
                by(rule, of(unit, Offer { rolls, ..new("withdraw", does(&name(unit), "withdraws")) }))
            }
            Action::Bombard { unit, at: target } => {
                let offer = new("bombard", format!("{} {}", does(&name(unit), "bombards"), name(target)));
                let place = self.battle.place(self.piece(target).hex);
                by(
                    cite!("6.1.2.b"),
                    of(
                        unit,
                        Offer { rolls: true, targets: vec![target.piece()], place: Some(place), ..offer },
                    ),
                )
            }
            Action::Split { unit, targets, shares } => {
                let parts = || targets.iter().zip(shares).filter(|(t, _)| **t != Id::NONE);
                let words: Vec<String> = parts().map(|(t, s)| format!("{s} on {}", name(*t))).collect();
                let shares =
                    parts().map(|(t, amount)| Share { by: unit.piece(), at: (*t).piece(), amount }).collect();
                let offer = new("split", format!("{}: {}", name(unit), words.join(", ")));
                by(
                    cite!("6.1.7.f"),
                    of(
                        unit,
                        Offer {
                            rolls: true,
                            shares,
                            targets: parts().map(|(t, _)| (*t).piece()).collect(),
                            ..offer
                        },
                    ),
                )
            }
            Action::Engage { unit } => {
                let group = self
                    .engagements(self.state.attacking_side())
                    .into_iter()
                    .find(|g| g.contains(unit))
                    .unwrap_or_default();
                let enemies = group.without(self.battle.armies[self.state.attacking_side()].units);
                let names: Vec<&str> = enemies.into_iter().map(|e| self.name(e)).collect();
                let targets = enemies.into_iter().map(Id::piece).collect();
                by(
                    cite!("6.1.6.b"),
                    of(
                        unit,
                        Offer {
                            rolls: true,
                            targets,
                            ..new("engage", format!("{} against {}", name(unit), names.join(", ")))
                        },
                    ),
                )
            }
            Action::Attack { unit, at: target } => {
                let offer =
                    new("attack", format!("{} {} by choice", does(&name(unit), "attacks"), name(target)));
                by(cite!("6.1.7.c"), of(unit, Offer { targets: vec![target.piece()], ..offer }))
            }
            Action::Check { unit } => by(
                cite!("6.2.4.b"),
                of(unit, Offer { rolls: true, ..new("check", does(&name(unit), "checks")) }),
            ),
            Action::Retreat { unit, to } => {
                let mut offer = of(
                    unit,
                    at(to, new("retreat", format!("{} {}", does(&name(unit), "falls back to"), hex(to)))),
                );
                offer.path = vec![self.battle.place(self.piece(unit).hex), self.battle.place(to)];
                offer.notes = self.retreat_notes(unit, to);
                offer.rolls = offer.notes.iter().any(|n| n.rule == Some(cite!("7.8.a")));
                by(cite!("7.3.a"), offer)
            }
            Action::RetreatOff { unit } => {
                by(cite!("7.7.a"), of(unit, new("retreat", does(&name(unit), "leaves the map"))))
            }
            Action::Advance { unit, to } => {
                let offer = of(
                    unit,
                    at(to, new("advance", format!("{} {}", does(&name(unit), "advances to"), hex(to)))),
                );
                by(
                    cite!("8.1.a"),
                    Offer {
                        path: vec![self.battle.place(self.piece(unit).hex), self.battle.place(to)],
                        ..offer
                    },
                )
            }
            Action::AdvanceInto { to } => by(
                cite!("3.1.f"),
                at(to, Offer { rolls: true, ..new("advance", format!("Somebody advances to {}", hex(to))) }),
            ),
            Action::FallBack { unit } => {
                by(cite!("6.1.8.b"), of(unit, new("fallback", does(&name(unit), "falls back"))))
            }
            Action::Pass => {
                let rolls = matches!(self.state.agenda.top(), Some(Step::Withdraw | Step::Options));
                let label = match self.state.agenda.top() {
                    Some(Step::CavalryRetreat) => "All stand",
                    Some(Step::Bombard) => "Cease fire",
                    Some(Step::Withdraw) => "Nobody withdraws",
                    Some(Step::Options) => "No attack by choice",
                    Some(Step::Advance) => "Hold the line",
                    _ => "Pass",
                };
                Offer { rolls, ..button("pass", label) }
            }
        }
    }

    fn march_offer(self, unit: Id, to: Hex, path: u64, mut offer: Offer) -> Offer {
        let start = self.piece(unit).hex;
        if let Some((way, cost)) = self.way_of_march(unit, to, path) {
            offer.path = std::iter::once(start).chain(way).map(|h| self.battle.place(h)).collect();
            offer.cost = Some(cost.to_string());
        } else {
            offer.path = self.ground().walk(start, path).map(|h| self.battle.place(h)).collect();
        }
        let over = self.covered_from(self.side(unit).enemy(), to);
        for enemy in self.units_in(to, over) {
            offer.notes.push(OfferNote {
                text: format!("Stops in the zone of {}, who fires as it comes up", self.name(enemy)),
                warning: true,
                stop: true,
                rule: Some(cite!("5.3.h")),
            });
        }
        offer
    }

    fn retreat_notes(self, unit: Id, to: Hex) -> Vec<OfferNote> {
        let note = |text: String, rule| OfferNote { text, warning: true, stop: false, rule: Some(rule) };
        match self.state.at(to) {
            Some(friend) if !self.state.retreat_under_way().is_some_and(|r| r.voluntary) => {
                vec![note(format!("{} must check morale", self.name(friend)), cite!("7.8.a"))]
            }
            None if self.covers(self.side(unit).enemy(), to) => {
                vec![note("Costs 1 SP".into(), cite!("7.6.b"))]
            }
            _ => Vec::new(),
        }
    }
}
