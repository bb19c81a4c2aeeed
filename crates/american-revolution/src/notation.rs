//! Actions as journals and situations write them.

use game::{Now, Rules};
use hexmap::Hex;

use crate::AmericanRevolution;
use crate::action::{Action, Way};
use crate::at::At;
use crate::rules::sequence::Step;
use crate::rules::tactics::Tactic;
use crate::setup::battle::Battle;
use crate::setup::pieces::{Piece, Pieces};

fn hexes(battle: &Battle, from: Hex, way: Way) -> String {
    let mut at = from;
    let mut out = String::new();
    for direction in way.steps() {
        let Some(to) = battle.ground.neighbour(at, direction) else { break };
        at = to;
        out.push(' ');
        out += &battle.hex_name(at);
    }
    out
}

fn names(battle: &Battle, pieces: Pieces) -> String {
    pieces.map(|p| battle.counter(p).id.as_str()).collect::<Vec<_>>().join("+")
}

/// The action in notation.
pub(crate) fn write(battle: &Battle, action: &Action) -> String {
    let id = |p: Piece| battle.counter(p).id.as_str();
    let hex = |h: Hex| battle.hex_name(h);
    match *action {
        Action::Spend(chits) => format!("spend {chits}"),
        Action::Dictate(side) => format!("dictate {}", battle.armies[side].id),
        Action::Hearten => "hearten".into(),
        Action::Hasten(turn) => format!("hasten {turn}"),
        Action::Enter(piece) => format!("enter {}", id(piece)),
        Action::March { piece, from, way } => format!("march {}{}", id(piece), hexes(battle, from, way)),
        Action::Leave(piece) => format!("leave {}", id(piece)),
        Action::Rally(unit) => format!("rally {}", id(unit)),
        Action::Dismiss(unit) => format!("dismiss {}", id(unit)),
        Action::Bombard { guns, at } => format!("bombard {} {}", names(battle, guns), hex(at)),
        Action::Shoot { rifles, at } => format!("shoot {} {}", names(battle, rifles), hex(at)),
        Action::Target(unit) => format!("target {}", id(unit)),
        Action::Peek(at) => format!("peek {}", hex(at)),
        Action::Attack { unit, from, at } => {
            let foes: Vec<String> = battle
                .ground
                .neighbours(from)
                .filter(|(d, _)| at & d.bit() != 0)
                .map(|(_, h)| hex(h))
                .collect();
            format!("attack {} {}", id(unit), foes.join("+"))
        }
        Action::Divert(at) => format!("divert {}", hex(at)),
        Action::Resolve(at) => format!("resolve {}", hex(at)),
        Action::Lead(unit) => format!("lead {}", id(unit)),
        Action::Withdraw => "withdraw".into(),
        Action::Play(tactic) => format!("play {}", tactic.slug()),
        Action::Reroll => "reroll".into(),
        Action::Pick(piece) => format!("pick {}", id(piece)),
        Action::Retreat { from, way } => format!("retreat{}", hexes(battle, from, way)),
        Action::Shed => "shed".into(),
        Action::Yield => "yield".into(),
        Action::Follow(leader) => format!("follow {}", id(leader)),
        Action::Advance { unit, to } => format!("advance {} {}", id(unit), hex(to)),
        Action::Done => "done".into(),
    }
}

impl At<'_> {
    /// Reads notation. A march or a retreat may name its last hex alone: the way is then the one that is offered.
    pub(crate) fn read(self, notation: &str) -> Result<Action, String> {
        let At { battle, state } = self;
        let mut words = notation.split_whitespace();
        let verb = words.next().ok_or("an action is expected")?;
        let rest: Vec<&str> = words.collect();
        let word = |i: usize| rest.get(i).copied().ok_or_else(|| format!("`{verb}` needs more words"));
        let piece =
            |text: &str| battle.find(text).ok_or_else(|| format!("there is no unit or leader `{text}`"));
        let hex =
            |text: &str| battle.ground.grid.parse(text).ok_or_else(|| format!("there is no hex `{text}`"));
        let several = |text: &str| text.split('+').map(piece).collect::<Result<Pieces, String>>();
        let most =
            |n: usize| if rest.len() > n { Err(format!("`{verb}` has too many words")) } else { Ok(()) };
        if !matches!(verb, "march" | "retreat") {
            most(2)?;
        }
        let decides = match AmericanRevolution::now(battle, state) {
            Now::Decides(side) => side,
            Now::Over(_) => state.phasing,
        };
        Ok(match verb {
            "spend" => {
                Action::Spend(word(0)?.parse().map_err(|_| "a number of chits is expected".to_owned())?)
            }
            "dictate" => Action::Dictate(
                battle.find_side(word(0)?).ok_or_else(|| format!("there is no side `{}`", rest[0]))?,
            ),
            "hearten" => Action::Hearten,
            "hasten" => Action::Hasten(word(0)?.parse().map_err(|_| "a turn is expected".to_owned())?),
            "enter" => Action::Enter(piece(word(0)?)?),
            // Where an enemy stands is not told to whoever names him; that he is an enemy is refusal enough.
            "march" if battle.side(piece(word(0)?)?) != decides => {
                Action::March { piece: piece(word(0)?)?, from: hex(word(1)?)?, way: Way::EMPTY }
            }
            "march" => {
                let piece = piece(word(0)?)?;
                let from = state.hex(piece).ok_or_else(|| format!("`{}` is not on the map", rest[0]))?;
                let known = At::new(battle, state).believed(decides);
                let way =
                    read_way(battle, from, &rest[1..], |to| At::new(battle, &known).marched(piece, to))?;
                Action::March { piece, from, way }
            }
            "leave" => Action::Leave(piece(word(0)?)?),
            "rally" => Action::Rally(piece(word(0)?)?),
            "dismiss" => Action::Dismiss(piece(word(0)?)?),
            "bombard" => Action::Bombard { guns: several(word(0)?)?, at: hex(word(1)?)? },
            "shoot" => Action::Shoot { rifles: several(word(0)?)?, at: hex(word(1)?)? },
            "target" => Action::Target(piece(word(0)?)?),
            "peek" => Action::Peek(hex(word(0)?)?),
            "attack" if battle.side(piece(word(0)?)?) != decides => {
                let at = word(1)?.split('+').next().unwrap_or_default();
                Action::Attack { unit: piece(word(0)?)?, from: hex(at)?, at: 0 }
            }
            "attack" => {
                let unit = piece(word(0)?)?;
                let from = state.hex(unit).ok_or_else(|| format!("`{}` is not on the map", rest[0]))?;
                let mut at = 0;
                for text in word(1)?.split('+') {
                    let to = hex(text)?;
                    let direction = battle.ground.grid.direction(from, to);
                    at |= direction.ok_or_else(|| format!("{text} is not next to `{}`", rest[0]))?.bit();
                }
                Action::Attack { unit, from, at }
            }
            "divert" => Action::Divert(hex(word(0)?)?),
            "resolve" => Action::Resolve(hex(word(0)?)?),
            "lead" => Action::Lead(piece(word(0)?)?),
            "withdraw" => Action::Withdraw,
            "play" => Action::Play(
                Tactic::parse(word(0)?).ok_or_else(|| format!("there is no tactic `{}`", rest[0]))?,
            ),
            "reroll" => Action::Reroll,
            "pick" => Action::Pick(piece(word(0)?)?),
            "retreat" => {
                let unit = match state.agenda.top() {
                    Some(Step::Retreating { unit, .. } | Step::SlippingAway(unit)) => unit,
                    _ => return Err("no unit has to retreat now".into()),
                };
                let from = state.hex(unit).ok_or("the unit is not on the map")?;
                let way = read_way(battle, from, &rest, |to| At::new(battle, state).retreated(from, to))?;
                Action::Retreat { from, way }
            }
            "shed" => Action::Shed,
            "yield" => Action::Yield,
            "follow" => Action::Follow(piece(word(0)?)?),
            "advance" => Action::Advance { unit: piece(word(0)?)?, to: hex(word(1)?)? },
            "done" => Action::Done,
            _ => return Err(format!("`{verb}` is no action")),
        })
    }
}

/// A way by its hexes, or by the last one alone.
fn read_way(
    battle: &Battle,
    from: Hex,
    hexes: &[&str],
    found: impl Fn(Hex) -> Option<Way>,
) -> Result<Way, String> {
    let parse =
        |text: &str| battle.ground.grid.parse(text).ok_or_else(|| format!("there is no hex `{text}`"));
    let last = parse(hexes.last().ok_or("a hex is expected")?)?;
    if hexes.len() == 1 && !battle.ground.adjacent(from, last) {
        return found(last).ok_or_else(|| format!("no way to {} was found; name every hex of it", hexes[0]));
    }
    if hexes.len() > Way::LONGEST {
        return Err("the way is too long".into());
    }
    let (mut at, mut way) = (from, Way::EMPTY);
    for text in hexes {
        let to = parse(text)?;
        let direction = battle
            .ground
            .grid
            .direction(at, to)
            .ok_or_else(|| format!("{text} is not next to {}", battle.hex_name(at)))?;
        way = way.then(direction);
        at = to;
    }
    Ok(way)
}

impl At<'_> {
    fn marched(self, piece: Piece, to: Hex) -> Option<Way> {
        let mut found = None;
        self.reach(piece, |hex, way, _| {
            if hex == to {
                found = Some(way);
            }
        });
        found
    }

    fn retreated(self, from: Hex, to: Hex) -> Option<Way> {
        let mut offers = Vec::new();
        self.offers(&mut offers);
        offers.into_iter().find_map(|action| match action {
            Action::Retreat { way, .. } if way.end(&self.battle.ground, from) == Some(to) => Some(way),
            _ => None,
        })
    }
}
