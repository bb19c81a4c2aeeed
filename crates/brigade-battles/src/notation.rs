//! Actions as journals, situations and players write them.

use hexmap::Hex;

use crate::action::{Action, Drill};
use crate::at::At;
use crate::setup::battle::{Battle, SitePlace};
use crate::setup::pieces::Arm;
use crate::state::{LeaderId, Piece, UnitId};

impl Drill {
    /// The order as notation writes it.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Drill::Limber => "limber",
            Drill::Unlimber => "unlimber",
            Drill::Mount => "mount",
            Drill::Dismount => "dismount",
        }
    }
}

impl Battle {
    /// The action in notation.
    pub(crate) fn write(&self, action: Action) -> String {
        let unit = |id: UnitId| &self.unit(id).slug;
        let leader = |id: LeaderId| &self.leader(id).slug;
        let hex = |hex: Hex| self.number(hex);
        match action {
            Action::Done => "done".into(),
            Action::Build { unit: u } => format!("build {}", unit(u)),
            Action::Raze { unit: u } => format!("raze {}", unit(u)),
            Action::Burn { unit: u, site } => format!("burn {} {}", unit(u), self.site_name(site)),
            Action::Search { unit: u, ford } => {
                format!("search {} {}", unit(u), self.map.side_name(self.fords[usize::from(ford)].side))
            }
            Action::Fire { unit: u, at } => format!("fire {} at {}", unit(u), hex(at)),
            Action::Join { unit: u } => format!("join {}", unit(u)),
            Action::Open => "open".into(),
            Action::March { piece, to } => format!("march {} {}", self.slug_of(piece), hex(to)),
            Action::Change { unit: u, drill } => format!("{} {}", drill.word(), unit(u)),
            Action::Tide => "tide".into(),
            Action::Keep => "keep".into(),
            Action::Place { leader: l, unit: u } => format!("place {} {}", leader(l), unit(u)),
            Action::Stay { leader: l } => format!("stay {}", leader(l)),
            Action::Retreat { unit: u, to } => format!("retreat {} {}", unit(u), hex(to)),
            Action::Advance { unit: u, to: None } => format!("advance {}", unit(u)),
            Action::Advance { unit: u, to: Some(to) } => format!("advance {} {}", unit(u), hex(to)),
            Action::Hold => "hold".into(),
            Action::Follow { leader: l } => format!("follow {}", leader(l)),
            Action::Remain { leader: l } => format!("remain {}", leader(l)),
            Action::Rally { unit: u } => format!("rally {}", unit(u)),
        }
    }

    /// A site by its hex or hexside.
    pub(crate) fn site_name(&self, site: u8) -> String {
        match self.sites[usize::from(site)].place {
            SitePlace::Bridge(side) => self.map.side_name(side),
            SitePlace::Depot(hex) => self.number(hex),
        }
    }
}

impl At<'_> {
    /// The change of formation that is next for the unit's arm, from the one that it is in.
    pub(crate) fn next_drill(self, unit: UnitId) -> Drill {
        match (self.battle.unit(unit).arm, self.state.unit(unit).deployed) {
            (Arm::Artillery, true) => Drill::Limber,
            (Arm::Artillery, false) => Drill::Unlimber,
            (_, true) => Drill::Mount,
            (_, false) => Drill::Dismount,
        }
    }

    /// Reads notation.
    pub(crate) fn read(self, notation: &str) -> Result<Action, String> {
        let words: Vec<&str> = notation.split_whitespace().collect();
        let unit =
            |slug: &str| self.battle.unit_named(slug).ok_or_else(|| format!("there is no unit `{slug}`"));
        let leader =
            |slug: &str| self.battle.leader_named(slug).ok_or_else(|| format!("there is no leader `{slug}`"));
        let piece = |slug: &str| {
            self.battle.piece_named(slug).ok_or_else(|| format!("there is no unit or leader `{slug}`"))
        };
        let hex = |number: &str| {
            self.battle.map.grid.parse(number).ok_or_else(|| format!("there is no hex `{number}`"))
        };
        let site =
            |at: &str| self.battle.site_at(at).ok_or_else(|| format!("there is nothing to burn at `{at}`"));
        let ford =
            |at: &str| self.battle.ford_at(at).ok_or_else(|| format!("there is no ford marker at `{at}`"));
        let change = |slug: &str, drill: Drill| unit(slug).map(|unit| Action::Change { unit, drill });
        match words[..] {
            ["done"] => Ok(Action::Done),
            ["open"] => Ok(Action::Open),
            ["tide"] => Ok(Action::Tide),
            ["keep"] => Ok(Action::Keep),
            ["hold"] => Ok(Action::Hold),
            ["build", u] => Ok(Action::Build { unit: unit(u)? }),
            ["raze", u] => Ok(Action::Raze { unit: unit(u)? }),
            ["burn", u, at] => Ok(Action::Burn { unit: unit(u)?, site: site(at)? }),
            ["search", u, at] => Ok(Action::Search { unit: unit(u)?, ford: ford(at)? }),
            ["fire", u, "at", target] => Ok(Action::Fire { unit: unit(u)?, at: self.target_hex(target)? }),
            ["join", u] => Ok(Action::Join { unit: unit(u)? }),
            ["march", p, to] => Ok(Action::March { piece: piece(p)?, to: hex(to)? }),
            ["limber", u] => change(u, Drill::Limber),
            ["unlimber", u] => change(u, Drill::Unlimber),
            ["mount", u] => change(u, Drill::Mount),
            ["dismount", u] => change(u, Drill::Dismount),
            ["place", l, u] => Ok(Action::Place { leader: leader(l)?, unit: unit(u)? }),
            ["stay", l] => Ok(Action::Stay { leader: leader(l)? }),
            ["retreat", u, to] => Ok(Action::Retreat { unit: unit(u)?, to: hex(to)? }),
            ["advance", u] => Ok(Action::Advance { unit: unit(u)?, to: None }),
            ["advance", u, to] => Ok(Action::Advance {
                unit: unit(u)?,
                to: Some(hex(to)?).filter(|_| self.state.fire.at != hex(to).ok()),
            }),
            ["follow", l] => Ok(Action::Follow { leader: leader(l)? }),
            ["remain", l] => Ok(Action::Remain { leader: leader(l)? }),
            ["rally", u] => Ok(Action::Rally { unit: unit(u)? }),
            _ => Err(format!(
                "`{notation}` is not an action; expected such as `march rodes 0910`, `fire rodes at meagher`, \
                 `join caldwell`, `open`, `retreat rodes 0506`, `rally rodes`, `done`"
            )),
        }
    }

    /// A target by its hex, its unit or a leader.
    fn target_hex(self, target: &str) -> Result<Hex, String> {
        if let Some(hex) = self.battle.map.grid.parse(target) {
            return Ok(hex);
        }
        let piece = self
            .battle
            .piece_named(target)
            .ok_or_else(|| format!("there is no hex, unit or leader `{target}`"))?;
        self.state.post_of(piece).hex().ok_or_else(|| format!("`{target}` is not on the map"))
    }

    /// Whom a fire at the hex would hit, in words.
    pub(crate) fn target_words(self, at: Hex) -> String {
        if let Some(unit) = self.state.unit_at(at) {
            return self.battle.unit(unit).name.clone();
        }
        let leaders = self.leaders_in(self.state.firing_side().enemy(), at);
        let names: Vec<&str> = leaders.iter().map(|l| self.battle.leader(l).name.as_str()).collect();
        if names.is_empty() { self.battle.number(at) } else { names.join(" and ") }
    }

    /// The pieces that a fire at the hex is aimed at.
    pub(crate) fn target_pieces(self, at: Hex) -> Vec<Piece> {
        if let Some(unit) = self.state.unit_at(at) {
            return vec![Piece::Unit(unit)];
        }
        self.leaders_in(self.state.firing_side().enemy(), at).iter().map(Piece::Leader).collect()
    }
}
