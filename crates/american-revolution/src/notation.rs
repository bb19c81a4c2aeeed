//! Actions as journals and situations write them.

use game::Line;
use hexmap::Hex;

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
            let foes: Vec<String> = battle.ground.neighbours_in(from, at).map(hex).collect();
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
        let mut words = Words { at: self, line: Line::new(notation) };
        let action = words.action()?;
        words.line.end()?;
        Ok(action)
    }

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

/// The words of an action, read in a position.
struct Words<'a> {
    at: At<'a>,
    line: Line<'a>,
}

impl Words<'_> {
    fn action(&mut self) -> Result<Action, String> {
        let verb = self.line.word("an action")?;
        Ok(match verb {
            "spend" => Action::Spend(self.line.integer("a number of chits", 0..=255)? as u8),
            "dictate" => Action::Dictate(self.line.find("side", |word| self.at.battle.find_side(word))?),
            "hearten" => Action::Hearten,
            "hasten" => Action::Hasten(self.line.integer("a turn", 0..=255)? as u8),
            "enter" => Action::Enter(self.piece()?),
            "march" => self.march()?,
            "leave" => Action::Leave(self.piece()?),
            "rally" => Action::Rally(self.piece()?),
            "dismiss" => Action::Dismiss(self.piece()?),
            "bombard" => Action::Bombard { guns: self.pieces()?, at: self.hex()? },
            "shoot" => Action::Shoot { rifles: self.pieces()?, at: self.hex()? },
            "target" => Action::Target(self.piece()?),
            "peek" => Action::Peek(self.hex()?),
            "attack" => self.attack()?,
            "divert" => Action::Divert(self.hex()?),
            "resolve" => Action::Resolve(self.hex()?),
            "lead" => Action::Lead(self.piece()?),
            "withdraw" => Action::Withdraw,
            "play" => Action::Play(self.line.find("tactic", Tactic::parse)?),
            "reroll" => Action::Reroll,
            "pick" => Action::Pick(self.piece()?),
            "retreat" => self.retreat()?,
            "shed" => Action::Shed,
            "yield" => Action::Yield,
            "follow" => Action::Follow(self.piece()?),
            "advance" => Action::Advance { unit: self.piece()?, to: self.hex()? },
            "done" => Action::Done,
            _ => return Err(format!("`{verb}` is not an action")),
        })
    }

    fn piece(&mut self) -> Result<Piece, String> {
        self.line.find("unit or leader", |word| self.at.battle.find(word))
    }

    fn hex(&mut self) -> Result<Hex, String> {
        let word = self.line.word("a hex")?;
        self.hex_of(word)
    }

    fn hex_of(&self, word: &str) -> Result<Hex, String> {
        self.at.battle.ground.grid.parse(word).ok_or_else(|| format!("there is no hex `{word}`"))
    }

    /// Several pieces: `a+b`.
    fn pieces(&mut self) -> Result<Pieces, String> {
        let find =
            |id: &str| self.at.battle.find(id).ok_or_else(|| format!("there is no unit or leader `{id}`"));
        self.line.word("a unit")?.split('+').map(find).collect()
    }

    /// Where a piece of the deciding side stands; none for an enemy. Where he is is not told to whoever names him: that
    /// he is an enemy is refusal enough.
    fn stand_of(&self, piece: Piece) -> Result<Option<Hex>, String> {
        if self.at.side(piece) != self.at.deciding_side() {
            return Ok(None);
        }
        let off = || format!("`{}` is not on the map", self.at.counter(piece).id);
        self.at.hex(piece).map(Some).ok_or_else(off)
    }

    fn march(&mut self) -> Result<Action, String> {
        let piece = self.piece()?;
        let Some(from) = self.stand_of(piece)? else {
            let from = self.hex()?;
            while self.line.next_word().is_some() {}
            return Ok(Action::March { piece, from, way: Way::EMPTY });
        };
        let believed = self.at.believed(self.at.deciding_side());
        let known = At::new(self.at.battle, &believed);
        let way = self.way(from, |to| known.marched(piece, to))?;
        Ok(Action::March { piece, from, way })
    }

    fn retreat(&mut self) -> Result<Action, String> {
        let unit = match self.at.state.agenda.top() {
            Some(Step::Retreating { unit, .. } | Step::SlippingAway(unit)) => unit,
            _ => return Err("no unit has to retreat now".into()),
        };
        let from = self.at.hex(unit).ok_or("the unit is not on the map")?;
        let at = self.at;
        let way = self.way(from, |to| at.retreated(from, to))?;
        Ok(Action::Retreat { from, way })
    }

    fn attack(&mut self) -> Result<Action, String> {
        let unit = self.piece()?;
        let hexes = self.line.word("a hex")?;
        let Some(from) = self.stand_of(unit)? else {
            let from = self.hex_of(hexes.split('+').next().unwrap_or_default())?;
            return Ok(Action::Attack { unit, from, at: 0 });
        };
        let mut at = 0;
        for word in hexes.split('+') {
            let direction = self.at.battle.ground.grid.direction(from, self.hex_of(word)?);
            let apart = || format!("{word} is not next to `{}`", self.at.counter(unit).id);
            at |= direction.ok_or_else(apart)?.bit();
        }
        Ok(Action::Attack { unit, from, at })
    }

    /// A way by its hexes, or by the last one alone, which `found` then finds.
    fn way(&mut self, from: Hex, found: impl Fn(Hex) -> Option<Way>) -> Result<Way, String> {
        let first = self.line.word("a hex")?;
        let mut at = self.hex_of(first)?;
        let Battle { ground, .. } = self.at.battle;
        if self.line.peek().is_none() && !ground.adjacent(from, at) {
            return found(at).ok_or_else(|| format!("no way to {first} was found; name every hex of it"));
        }
        let mut way = Way::EMPTY;
        let mut step = |from: Hex, to: Hex| {
            let apart = || format!("{} is not next to {}", ground.grid.name(to), ground.grid.name(from));
            if way.len() == Way::LONGEST {
                return Err("the way is too long".to_owned());
            }
            way = way.then(ground.grid.direction(from, to).ok_or_else(apart)?);
            Ok(())
        };
        step(from, at)?;
        while let Some(word) = self.line.next_word() {
            let to = self.hex_of(word)?;
            step(at, to)?;
            at = to;
        }
        Ok(way)
    }
}
