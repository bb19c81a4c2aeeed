//! 12.5 Tactics Cards: which may be played, and what they do to each other.

use arrayvec::ArrayVec;
use game::odds::{Suffered, Verdict};
use game::words::{side_does, signed};
use game::{Allowed, BySide, Effects, Entry, Kind, No, Rule, Side};
use hexmap::Hex;
use serde::{Deserialize, Serialize};

use crate::action::Action;
use crate::at::{At, Run};
use crate::judgement;
use crate::legal::no;
use crate::rules::sequence::Step;
use crate::setup::battle::Battle;
use crate::setup::pieces::Pieces;
use crate::state::State;

/// The eight tactics, in the order of the matrix (12.52.a).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Tactic {
    Skirmish,
    AttackEnEchelon,
    StandFast,
    Withdraw,
    FrontalAssault,
    CommitReserve,
    TurnFlank,
    RefuseFlank,
}

impl Tactic {
    /// All eight.
    pub const ALL: [Tactic; 8] = [
        Tactic::Skirmish,
        Tactic::AttackEnEchelon,
        Tactic::StandFast,
        Tactic::Withdraw,
        Tactic::FrontalAssault,
        Tactic::CommitReserve,
        Tactic::TurnFlank,
        Tactic::RefuseFlank,
    ];

    /// As printed.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Tactic::Skirmish => "Skirmish",
            Tactic::AttackEnEchelon => "Attack en Echelon",
            Tactic::StandFast => "Stand Fast",
            Tactic::Withdraw => "Withdraw",
            Tactic::FrontalAssault => "Frontal Assault",
            Tactic::CommitReserve => "Commit Reserve",
            Tactic::TurnFlank => "Turn Flank",
            Tactic::RefuseFlank => "Refuse Flank",
        }
    }

    /// In notation: `attack-en-echelon`.
    #[must_use]
    pub fn slug(self) -> String {
        self.name().to_lowercase().replace(' ', "-")
    }

    /// Reads either.
    #[must_use]
    pub fn parse(text: &str) -> Option<Tactic> {
        Tactic::ALL.into_iter().find(|t| t.name() == text || t.slug() == text)
    }
}

impl At<'_> {
    /// The empty hexes next to both a hex of attackers and a hex of defenders (12.53.e, R49), those that the lead unit
    /// of `side` may not enter left out (12.53.g).
    pub(crate) fn has_open_flank(self, side: Side) -> bool {
        let fight = &self.state.fight;
        let lead = fight.lead[side];
        fight.attacking_hexes().any(|a| {
            fight.defending_hexes().any(|d| {
                self.battle.hexes_next_to_both(a, d).any(|hex| {
                    let empty = self.in_hex(hex).is_empty();
                    let open = lead.is_none_or(|lead| {
                        let arm = self.counter(lead).arm;
                        self.hex(lead).is_some_and(|from| {
                            let from = if self.battle.ground.adjacent(from, hex) {
                                from
                            } else if side == self.state.phasing {
                                a
                            } else {
                                d
                            };
                            self.battle.ground.may_enter(arm, from, hex)
                        })
                    });
                    empty && open
                })
            })
        })
    }

    /// Who would have to retreat if `side` withdrew by the tactic: attacking artillery never (12.23.m).
    pub(crate) fn would_retreat(self, side: Side) -> Pieces {
        self.fighters(side) & self.on_map()
    }

    /// Whether a side may play that card in the combat at hand (12.53).
    pub(crate) fn may_play(self, side: Side, tactic: Tactic) -> Allowed {
        let own = self.fighters(side);
        match tactic {
            Tactic::Skirmish | Tactic::AttackEnEchelon | Tactic::StandFast => Ok(()),
            Tactic::Withdraw => self.may_play_withdraw(side, own),
            Tactic::FrontalAssault | Tactic::CommitReserve if !self.opens_tactics(side, own) => no(
                cite!("12.53.d"),
                "a leader in command must be stacked with or adjacent to a unit of the combat",
            ),
            Tactic::TurnFlank | Tactic::RefuseFlank if !self.opens_tactics(side, own) => no(
                cite!("12.53.f"),
                "a leader in command must be stacked with or adjacent to a unit of the combat",
            ),
            Tactic::TurnFlank | Tactic::RefuseFlank if !self.has_open_flank(side) => no(
                cite!("12.53.f"),
                "there is no open flank: an empty hex next to both attackers and defenders",
            ),
            _ => Ok(()),
        }
    }

    fn may_play_withdraw(self, side: Side, own: Pieces) -> Allowed {
        let foes = self.fighters(!side);
        let all_infantry = !own.meets(self.battle.roles.cavalry | self.battle.roles.artillery);
        let open =
            own.filter_map(|u| self.hex(u)).any(|hex| self.battle.ground.terrain[hex.index()].is_open());
        if all_infantry && open && foes.meets(self.battle.roles.dragoons) {
            return no(cite!("12.53.b"), "foot in open ground cannot withdraw from dragoons");
        }
        if !self.all_can_go(self.would_retreat(side), 1) {
            return no(cite!("12.53.c"), "a unit that has to retreat has no way to do so");
        }
        Ok(())
    }

    pub(crate) fn offer_tactics(self, side: Side, out: &mut Vec<Action>) {
        out.extend(Tactic::ALL.into_iter().filter(|&t| self.may_lay(side, t)).map(Action::Play));
    }

    /// Whether that card may lie on the table: it is eligible, or the house rule lets any be tried (12.55.a).
    fn may_lay(self, side: Side, tactic: Tactic) -> bool {
        self.battle.house.illegal_tactics || self.may_play(side, tactic).is_ok()
    }

    pub(crate) fn check_tactic(self, side: Side, action: &Action) -> Allowed {
        match *action {
            Action::Play(_) if self.battle.house.illegal_tactics => Ok(()),
            Action::Play(tactic) => self.may_play(side, tactic),
            _ => Err(No::other("a tactic is chosen in secret")),
        }
    }

    /// The matrix' answer; a card that was not eligible gives the opponent one in his favour (12.55).
    pub(crate) fn clash(self, attacker: Tactic, defender: Tactic) -> Clash {
        let side = self.state.phasing;
        let fair = |side, tactic| !self.battle.house.illegal_tactics || self.may_play(side, tactic).is_ok();
        let one = self.battle.charts.illegal_tactic;
        match (fair(side, attacker), fair(!side, defender)) {
            (true, true) => self
                .battle
                .charts
                .tactics(attacker, defender)
                .map_or(Clash::NoCombat, |drm| Clash::Drm(drm, cite!("TM.a"))),
            (true, false) => Clash::Drm(one, cite!("12.55.a")),
            (false, true) => Clash::Drm(-one, cite!("12.55.a")),
            (false, false) => Clash::Drm(0, cite!("12.55.b")),
        }
    }

    /// What the cards and the die have come to, once both are known; what momentum may change is not foreseen.
    pub(crate) fn verdict(self) -> Option<Verdict> {
        let side = self.state.phasing;
        let (attacker, defender) = (self.state.fight.tactic[side]?, self.state.fight.tactic[!side]?);
        if self.state.agenda.iter().any(|step| matches!(step, Step::Reveal | Step::Roll)) {
            return None;
        }
        let suffered = |who: Side| {
            let tactic = if who == side { attacker } else { defender };
            if !self.state.fight.rolled {
                let says = if tactic == Tactic::Withdraw { "withdraws" } else { "-" };
                return Suffered { pain: 0, says: says.to_owned() };
            }
            let hit = self.result()[usize::from(who != side)];
            Suffered { pain: judgement::pain(hit.effect), says: hit.words() }
        };
        let clash = match self.clash(attacker, defender) {
            Clash::Drm(drm, _) => signed(drm),
            Clash::NoCombat => "No Combat".to_owned(),
        };
        Some(Verdict { clash, suffers: BySide::from_fn(suffered) })
    }
}

impl Battle {
    /// The hexes next to both.
    pub(crate) fn hexes_next_to_both(&self, a: Hex, d: Hex) -> impl Iterator<Item = Hex> + '_ {
        self.ground.neighbours(a).map(|(_, hex)| hex).filter(move |&hex| self.ground.adjacent(hex, d))
    }
}

impl<F: Effects> Run<'_, F> {
    /// A side seals its tactic; nobody else learns of it (12.23.k, R43).
    pub(crate) fn seal_tactic(&mut self, side: Side, tactic: Tactic) {
        self.state.agenda.pop();
        self.state.fight.tactic[side] = Some(tactic);
        self.fx.tell(|| {
            Entry::new(
                Kind::Draw,
                format!("{} {}.", side_does(&self.battle.armies[side].name, "seals"), tactic.name()),
            )
            .side(side)
            .rule(cite!("12.23.k"))
            .only(side)
        });
    }

    /// Both cards are turned over (12.23.k). A card that these eyes could not see is drawn among those that could lie
    /// there.
    pub(crate) fn reveal_tactics(&mut self) {
        self.state.agenda.pop();
        for side in Side::BOTH {
            if self.state.fight.tactic[side].is_none() {
                let at = self.at();
                let could: ArrayVec<Tactic, 8> =
                    Tactic::ALL.into_iter().filter(|&t| at.may_lay(side, t)).collect();
                let drawn = self.fx.draw(could.len(), || {
                    game::RollNote::new("The sealed card is guessed.", cite!("12.23.k"))
                });
                self.state.fight.tactic[side] = Some(could[drawn]);
            }
        }
        let (Some(attacker), Some(defender)) =
            (self.state.fight.tactic[self.state.phasing], self.state.fight.tactic[!self.state.phasing])
        else {
            return;
        };
        self.fx.revealed();
        let clash = self.at().clash(attacker, defender);
        self.fx.tell(|| {
            let says = match clash {
                Clash::Drm(drm, _) => signed(drm),
                Clash::NoCombat => "No Combat".to_owned(),
            };
            Entry::new(Kind::Draw, format!("{} against {}: {says}.", attacker.name(), defender.name()))
                .rule(cite!("12.23.k"))
                .rule(cite!("TM.a"))
        });
        match clash {
            Clash::Drm(drm, _) => {
                self.state.fight.tactics_drm = drm;
                self.state.agenda.push(Step::Roll);
            }
            Clash::NoCombat => self.state.no_combat(self.battle, attacker, defender),
        }
    }
}

/// What both tactics come to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Clash {
    /// A modifier, with its rule.
    Drm(i8, Rule),
    /// No Combat.
    NoCombat,
}

impl State {
    /// No Combat: whoever played Withdraw retreats one hex, the defender first; then the advance (12.23.l to 12.23.n).
    fn no_combat(&mut self, battle: &Battle, attacker: Tactic, defender: Tactic) {
        let side = self.phasing;
        self.agenda.push(Step::Advancing);
        self.agenda.push(Step::Settle);
        self.netting = true;
        for (who, tactic) in [(side, attacker), (!side, defender)] {
            if tactic == Tactic::Withdraw {
                self.waiting |= At::new(battle, self).would_retreat(who);
                self.agenda.push(Step::Withdrawing(who, false));
            }
        }
    }
}
