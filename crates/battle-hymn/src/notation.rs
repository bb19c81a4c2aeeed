//! Orders as journals and situations write them.

use hexmap::Hex;

use crate::action::{Action, MAX_TARGETS};
use crate::at::At;
use crate::rules::movement::Explorer;
use crate::rules::zones::opposite;
use crate::setup::battle::Battle;
use crate::setup::ground::CLOSED;
use crate::state::{Id, NOWHERE, Trail};

impl Battle {
    /// The action in notation.
    pub(crate) fn write(&self, action: &Action) -> String {
        let unit = |id: &Id| self.unit(*id).id.as_str();
        let hex = |hex: &Hex| self.ground.name(*hex);
        match action {
            Action::Combat => "combat".into(),
            Action::Wait => "wait".into(),
            Action::March { unit: u, to, path: None } => format!("march {} {}", unit(u), hex(to)),
            Action::March { unit: u, to, path: Some(path) } => {
                let start = self.start_of_path(*to, *path);
                let way: Vec<String> = self.ground.walk(start, Some(*path)).map(|h| hex(&h)).collect();
                format!("march {} {}", unit(u), way.join(" "))
            }
            Action::Mount { unit: u } => format!("mount {}", unit(u)),
            Action::Dismount { unit: u, horses } => format!("dismount {} horses {}", unit(u), hex(horses)),
            Action::Enter { unit: u, at: None } => format!("enter {}", unit(u)),
            Action::Enter { unit: u, at: Some(at) } => format!("enter {} {}", unit(u), hex(at)),
            Action::Exit { unit: u, by } => format!("exit {} {}", unit(u), hex(by)),
            Action::Rally { unit: u } => format!("rally {}", unit(u)),
            Action::Place { unit: u, at } => format!("place {} {}", unit(u), hex(at)),
            Action::Done => "done".into(),
            Action::Withdraw { unit: u } => format!("withdraw {}", unit(u)),
            Action::Bombard { unit: u, at } => format!("bombard {} at {}", unit(u), unit(at)),
            Action::Split { unit: u, shares } => {
                let parts: Vec<String> = shares.iter().map(|(t, s)| format!("{}={s}", unit(&t))).collect();
                format!("split {} {}", unit(u), parts.join(" "))
            }
            Action::Engage { unit: u } => format!("engage {}", unit(u)),
            Action::Attack { unit: u, at } => format!("attack {} {}", unit(u), unit(at)),
            Action::Check { unit: u } => format!("check {}", unit(u)),
            Action::Retreat { unit: u, to } => format!("retreat {} {}", unit(u), hex(to)),
            Action::RetreatOff { unit: u } => format!("retreat {} off", unit(u)),
            Action::Advance { unit: u, to } => format!("advance {} {}", unit(u), hex(to)),
            Action::AdvanceInto { to } => format!("advance {}", hex(to)),
            Action::FallBack { unit: u } => format!("fallback {}", unit(u)),
            Action::Pass => "pass".into(),
        }
    }

    /// Where a path that ends in `to` began.
    fn start_of_path(&self, to: Hex, path: Trail) -> Hex {
        path.directions().rev().fold(to, |at, d| {
            let before = self.ground.beyond[at.index()][opposite(d)];
            if before == NOWHERE { at } else { before }
        })
    }
}

impl At<'_> {
    /// Reads notation.
    ///
    /// # Errors
    /// A sentence that says what was expected.
    pub(crate) fn read(self, notation: &str) -> Result<Action, String> {
        let words: Vec<&str> = notation.split_whitespace().collect();
        let (&verb, rest) =
            words.split_first().ok_or("An order was expected, such as `march meredith 0910`.")?;
        let unit = |at: usize| self.battle.unit_at(verb, rest, at);
        let hex = |at: usize| self.battle.hex_at(verb, rest, at);
        let only = |n: usize, action: Action| match rest.len() {
            len if len == n => Ok(action),
            _ => Err(format!("`{verb}` is followed by {n} word{}.", if n == 1 { "" } else { "s" })),
        };
        match verb {
            "combat" => only(0, Action::Combat),
            "wait" => only(0, Action::Wait),
            "done" => only(0, Action::Done),
            "pass" => only(0, Action::Pass),
            "march" => self.read_march(rest),
            "mount" => only(1, Action::Mount { unit: unit(0)? }),
            "dismount" => match rest {
                [_, "horses", _] => Ok(Action::Dismount { unit: unit(0)?, horses: hex(2)? }),
                _ => Err("`dismount gamble horses 0504` was expected.".into()),
            },
            "enter" if rest.len() == 1 => Ok(Action::Enter { unit: unit(0)?, at: None }),
            "enter" => only(2, Action::Enter { unit: unit(0)?, at: Some(hex(1)?) }),
            "exit" => only(2, Action::Exit { unit: unit(0)?, by: hex(1)? }),
            "rally" => only(1, Action::Rally { unit: unit(0)? }),
            "place" => only(2, Action::Place { unit: unit(0)?, at: hex(1)? }),
            "withdraw" => only(1, Action::Withdraw { unit: unit(0)? }),
            "bombard" => match rest {
                [_, "at", _] => Ok(Action::Bombard { unit: unit(0)?, at: unit(2)? }),
                _ => Err("`bombard calef at archer` was expected.".into()),
            },
            "split" => self.battle.read_split(rest),
            "engage" => only(1, Action::Engage { unit: unit(0)? }),
            "attack" => only(2, Action::Attack { unit: unit(0)?, at: unit(1)? }),
            "check" => only(1, Action::Check { unit: unit(0)? }),
            "retreat" if rest.get(1) == Some(&"off") => only(2, Action::RetreatOff { unit: unit(0)? }),
            "retreat" => only(2, Action::Retreat { unit: unit(0)?, to: hex(1)? }),
            "advance" if rest.len() == 1 => Ok(Action::AdvanceInto { to: hex(0)? }),
            "advance" => only(2, Action::Advance { unit: unit(0)?, to: hex(1)? }),
            "fallback" => only(1, Action::FallBack { unit: unit(0)? }),
            _ => Err(format!("`{verb}` is no order of Battle Hymn.")),
        }
    }

    /// `march gamble 0505`, or with way points: the cheapest way to each in turn.
    fn read_march(self, rest: &[&str]) -> Result<Action, String> {
        let unit = self.battle.unit_at("march", rest, 0)?;
        let points: Vec<Hex> =
            (1..rest.len().max(2)).map(|i| self.battle.hex_at("march", rest, i)).collect::<Result<_, _>>()?;
        let Some((&to, _)) = points.split_last() else { return Err("`march` wants a hex.".into()) };
        if points.len() == 1 || !self.piece(unit).on_map() {
            return Ok(Action::March { unit, to, path: None });
        }
        let mut at = self.piece(unit).hex;
        let mut path = None;
        for &point in &points {
            for next in self.leg(unit, at, point) {
                let direction = self.ground().direction(at, next).ok_or("The way has a gap.")?;
                path = Some(Trail::longer(path, direction).ok_or("The way is too long.")?);
                at = next;
            }
        }
        if at != to || path.is_none() {
            return Err("No way leads over these hexes.".into());
        }
        Ok(Action::March { unit, to, path })
    }

    /// The cheapest way from one way point to the next; where there is none, straight on, for the rules to refuse.
    fn leg(self, unit: Id, from: Hex, to: Hex) -> Vec<Hex> {
        if self.ground().direction(from, to).is_some() {
            return vec![to];
        }
        let field = self.field_of(self.side(unit));
        let bounds = self.bounds_of(&field, unit);
        let costs = self.costs(unit);
        let mut reach = Explorer::new();
        reach.explore(self.ground(), costs, from, self.points_left(unit), &bounds, |_, _| {});
        if let Some(path) = reach.path(self.ground(), costs, from, to, &bounds) {
            return path.into_iter().collect();
        }
        let mut way = Vec::new();
        let mut at = from;
        while at != to && way.len() < Trail::MOST {
            let open = |d: &usize| self.ground().beyond[at.index()][*d] != NOWHERE;
            let nearer = (0..6).filter(open).min_by_key(|&d| {
                let next = self.ground().beyond[at.index()][d];
                (self.ground().distance(next, to), costs[at.index()][d] == CLOSED, next)
            });
            let Some(direction) = nearer else { break };
            at = self.ground().beyond[at.index()][direction];
            way.push(at);
        }
        way
    }
}

impl Battle {
    fn unit_at(&self, verb: &str, rest: &[&str], at: usize) -> Result<Id, String> {
        let word = rest.get(at).ok_or_else(|| format!("`{verb}` wants a unit."))?;
        self.find(word).ok_or_else(|| format!("There is no unit `{word}`."))
    }

    fn hex_at(&self, verb: &str, rest: &[&str], at: usize) -> Result<Hex, String> {
        let word = rest.get(at).ok_or_else(|| format!("`{verb}` wants a hex."))?;
        self.ground.grid.parse(word).ok_or_else(|| format!("There is no hex {word}."))
    }

    fn read_split(&self, rest: &[&str]) -> Result<Action, String> {
        let unit = self.unit_at("split", rest, 0)?;
        let mut parts: Vec<(Id, u8)> = Vec::new();
        for part in &rest[1..] {
            let (name, share) = part.split_once('=').ok_or("`split davis weed=3 baxter=2` was expected.")?;
            let target = self.find(name).ok_or_else(|| format!("There is no unit `{name}`."))?;
            parts.push((target, share.parse().map_err(|_| format!("`{share}` is no number of SPs."))?));
        }
        if parts.is_empty() || parts.len() > MAX_TARGETS {
            return Err("A unit divides its fire over one to six enemies.".into());
        }
        parts.sort_unstable();
        Ok(Action::Split { unit, shares: parts.into_iter().collect() })
    }
}
