//! 12.5 Tactics Cards: which may be played, and what they do to each other.

use game::odds::{Suffered, Verdict};
use game::words::{side_does, signed};
use game::{BySide, Effects, Entry, Kind, Rule, Side};
use hexmap::Hex;
use serde::{Deserialize, Serialize};

use crate::action::Action;
use crate::judgement;
use crate::legal::{Bar, Lawful};
use crate::rules::sequence::Step;
use crate::rules::{close_combat, leaders, retreat};
use crate::setup::battle::Battle;
use crate::setup::pieces::Pieces;
use crate::state::State;

/// The eight tactics, in the order of the matrix (12.52.a).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[allow(missing_docs)]
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

/// The empty hexes next to both a hex of attackers and a hex of defenders (12.53.e, R49), those that the lead unit of
/// `side` may not enter left out (12.53.g).
#[must_use]
pub fn has_open_flank(battle: &Battle, state: &State, side: Side) -> bool {
    let fight = &state.fight;
    let lead = fight.lead[side];
    fight.attacking_hexes().any(|a| {
        fight.defending_hexes().any(|d| {
            common(battle, a, d).any(|hex| {
                let empty = state.in_hex(hex).is_empty();
                let open = lead.is_none_or(|lead| {
                    let arm = battle.counter(lead).arm;
                    state.hex(lead).is_some_and(|from| {
                        let from = if battle.ground.adjacent(from, hex) {
                            from
                        } else if side == state.phasing {
                            a
                        } else {
                            d
                        };
                        battle.ground.may_enter(arm, from, hex)
                    })
                });
                empty && open
            })
        })
    })
}

/// The hexes next to both.
pub(crate) fn common(battle: &Battle, a: Hex, d: Hex) -> impl Iterator<Item = Hex> + '_ {
    battle.ground.neighbours(a).map(|(_, hex)| hex).filter(move |&hex| battle.ground.adjacent(hex, d))
}

/// Who would have to retreat if `side` withdrew by the tactic: attacking artillery never (12.23.m).
#[must_use]
pub fn would_retreat(battle: &Battle, state: &State, side: Side) -> Pieces {
    state.fight.of(battle, side) & state.on_map()
}

/// Whether a side may play that card in the combat at hand (12.53).
pub(crate) fn may_play(battle: &Battle, state: &State, side: Side, tactic: Tactic) -> Lawful {
    let own = state.fight.of(battle, side);
    match tactic {
        Tactic::Skirmish | Tactic::AttackEnEchelon | Tactic::StandFast => Ok(()),
        Tactic::Withdraw => may_withdraw(battle, state, side, own),
        Tactic::FrontalAssault | Tactic::CommitReserve
            if !leaders::opens_tactics(battle, state, side, own) =>
        {
            Err(Bar::new(
                cite!("12.53.d"),
                "a leader in command must be stacked with or adjacent to a unit of the combat",
            ))
        }
        Tactic::TurnFlank | Tactic::RefuseFlank if !leaders::opens_tactics(battle, state, side, own) => {
            Err(Bar::new(
                cite!("12.53.f"),
                "a leader in command must be stacked with or adjacent to a unit of the combat",
            ))
        }
        Tactic::TurnFlank | Tactic::RefuseFlank if !has_open_flank(battle, state, side) => Err(Bar::new(
            cite!("12.53.f"),
            "there is no open flank: an empty hex next to both attackers and defenders",
        )),
        _ => Ok(()),
    }
}

fn may_withdraw(battle: &Battle, state: &State, side: Side, own: Pieces) -> Lawful {
    let foes = state.fight.of(battle, !side);
    let all_infantry = !own.meets(battle.roles.cavalry | battle.roles.artillery);
    let open = own.filter_map(|u| state.hex(u)).any(|hex| battle.ground.terrain[hex.index()].is_open());
    if all_infantry && open && foes.meets(battle.roles.dragoons) {
        return Err(Bar::new(cite!("12.53.b"), "foot in open ground cannot withdraw from dragoons"));
    }
    if !retreat::all_can_go(battle, state, would_retreat(battle, state, side), 1) {
        return Err(Bar::new(cite!("12.53.c"), "a unit that has to retreat has no way to do so"));
    }
    Ok(())
}

pub(crate) fn offers(battle: &Battle, state: &State, side: Side, out: &mut Vec<Action>) {
    out.extend(Tactic::ALL.into_iter().filter(|&t| is_open(battle, state, side, t)).map(Action::Play));
}

/// Whether that card may lie on the table: it is eligible, or the house rule lets any be tried (12.55.a).
fn is_open(battle: &Battle, state: &State, side: Side, tactic: Tactic) -> bool {
    battle.house.illegal_tactics || may_play(battle, state, side, tactic).is_ok()
}

pub(crate) fn check(battle: &Battle, state: &State, side: Side, action: &Action) -> Lawful {
    match *action {
        Action::Play(_) if battle.house.illegal_tactics => Ok(()),
        Action::Play(tactic) => may_play(battle, state, side, tactic),
        _ => Err(Bar::other("a tactic is chosen in secret")),
    }
}

/// A side seals its tactic; nobody else learns of it (12.23.k, R43).
pub(crate) fn seal(battle: &Battle, state: &mut State, side: Side, tactic: Tactic, fx: &mut impl Effects) {
    state.agenda.pop();
    state.fight.tactic[side] = Some(tactic);
    fx.tell(|| {
        Entry::new(
            Kind::Draw,
            format!("{} {}.", side_does(&battle.armies[side].name, "seals"), tactic.name()),
        )
        .side(side)
        .rule(cite!("12.23.k"))
        .only(side)
    });
}

/// What both tactics come to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Clash {
    /// A modifier, with its rule.
    Drm(i8, Rule),
    /// No Combat.
    NoCombat,
}

/// The matrix' answer; a card that was not eligible gives the opponent one in his favour (12.55).
#[must_use]
pub fn clash(battle: &Battle, state: &State, attacker: Tactic, defender: Tactic) -> Clash {
    let side = state.phasing;
    let fair = |side, tactic| !battle.house.illegal_tactics || may_play(battle, state, side, tactic).is_ok();
    let one = battle.charts.illegal_tactic;
    match (fair(side, attacker), fair(!side, defender)) {
        (true, true) => battle
            .charts
            .tactics(attacker, defender)
            .map_or(Clash::NoCombat, |drm| Clash::Drm(drm, cite!("TM.a"))),
        (true, false) => Clash::Drm(one, cite!("12.55.a")),
        (false, true) => Clash::Drm(-one, cite!("12.55.a")),
        (false, false) => Clash::Drm(0, cite!("12.55.b")),
    }
}

/// Both cards are turned over (12.23.k). A card that these eyes could not see is drawn among those that could lie there.
pub(crate) fn reveal(battle: &Battle, state: &mut State, fx: &mut impl Effects) {
    state.agenda.pop();
    for side in Side::BOTH {
        if state.fight.tactic[side].is_none() {
            let could: arrayvec::ArrayVec<Tactic, 8> =
                Tactic::ALL.into_iter().filter(|&t| is_open(battle, state, side, t)).collect();
            let drawn =
                fx.draw(could.len(), || game::RollNote::new("The sealed card is guessed.", cite!("12.23.k")));
            state.fight.tactic[side] = Some(could[drawn]);
        }
    }
    let (Some(attacker), Some(defender)) =
        (state.fight.tactic[state.phasing], state.fight.tactic[!state.phasing])
    else {
        return;
    };
    fx.revealed();
    let clash = clash(battle, state, attacker, defender);
    fx.tell(|| {
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
            state.fight.tactics_drm = drm;
            state.agenda.push(Step::Roll);
        }
        Clash::NoCombat => no_combat(battle, state, attacker, defender),
    }
}

/// No Combat: whoever played Withdraw retreats one hex, the defender first; then the advance (12.23.l to 12.23.n).
fn no_combat(battle: &Battle, state: &mut State, attacker: Tactic, defender: Tactic) {
    let side = state.phasing;
    state.agenda.push(Step::Advancing);
    state.agenda.push(Step::Settle);
    state.netting = true;
    for (who, tactic) in [(side, attacker), (!side, defender)] {
        if tactic == Tactic::Withdraw {
            state.waiting |= would_retreat(battle, state, who);
            state.agenda.push(Step::Withdrawing(who, false));
        }
    }
}

/// What the cards and the die have come to, once both are known; what momentum may change is not foreseen.
pub(crate) fn verdict(battle: &Battle, state: &State) -> Option<Verdict> {
    let side = state.phasing;
    let (attacker, defender) = (state.fight.tactic[side]?, state.fight.tactic[!side]?);
    if state.agenda.iter().any(|step| matches!(step, Step::Reveal | Step::Roll)) {
        return None;
    }
    let suffered = |who: Side| {
        let tactic = if who == side { attacker } else { defender };
        if !state.fight.rolled {
            let says = if tactic == Tactic::Withdraw { "withdraws" } else { "-" };
            return Suffered { pain: 0, says: says.to_owned() };
        }
        let hit = close_combat::result(battle, state)[usize::from(who != side)];
        Suffered { pain: judgement::pain(hit.effect), says: hit.words() }
    };
    let clash = match clash(battle, state, attacker, defender) {
        Clash::Drm(drm, _) => signed(drm),
        Clash::NoCombat => "No Combat".to_owned(),
    };
    Some(Verdict { clash, suffers: BySide::from_fn(suffered) })
}
