//! Actions as a player writes them: `advance 2nd-wisconsin forward 3 right 90 5`.

use game::Line;
use game::read::thousandths;
use table::{Angle, Spot};

use crate::action::{Action, Change, Double, Maneuver, Order, Slant};
use crate::at::At;
use crate::rules::formations::Formation;
use crate::setup::battle::Battle;
use crate::setup::pieces::{BrigadeId, CommanderId, UnitId, Units};

/// Thousandths as a decimal without idle zeros: 3500 is `3.5`.
pub(crate) fn decimal(thousandths: i32) -> String {
    let (sign, n) = if thousandths < 0 { ("-", -thousandths) } else { ("", thousandths) };
    let text = format!("{sign}{}.{:03}", n / 1000, n % 1000);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Hundredths of a degree as degrees.
pub(crate) fn degrees(hundredths: i32) -> String {
    decimal(hundredths * 10)
}

/// `2nd Wisconsin` as `2nd-wisconsin`.
pub(crate) fn slug(name: &str) -> String {
    let mut out = String::new();
    for c in name.chars() {
        if c.is_ascii_alphanumeric() {
            out.push(c.to_ascii_lowercase());
        } else if !out.ends_with('-') && !out.is_empty() {
            out.push('-');
        }
    }
    out.trim_end_matches('-').to_owned()
}

const fn side_word(right: bool) -> &'static str {
    if right { "right" } else { "left" }
}

fn change_word(to: Formation) -> &'static str {
    match to {
        Formation::DismountedLine => "dismount",
        Formation::Limbered => "limber",
        Formation::Deployed => "deploy",
        _ => "mount",
    }
}

fn with_change(change: Change, go: String) -> String {
    match change {
        Change::None => go,
        Change::Before(to) => format!("{} {go}", change_word(to)),
        Change::After(to) => format!("{go} {}", change_word(to)),
    }
}

fn slanted(slant: Slant) -> &'static str {
    match slant {
        Slant::Left => "left ",
        Slant::Straight => "",
        Slant::Right => "right ",
    }
}

fn write_maneuver(maneuver: &Maneuver) -> String {
    match *maneuver {
        Maneuver::Forward { first, turn, then } => {
            let mut go = format!("forward {}", decimal(first));
            if turn != 0 {
                go += &format!(" {} {}", side_word(turn > 0), degrees(turn.abs()));
            }
            if turn != 0 || then != 0 {
                go += &format!(" {}", decimal(then));
            }
            go
        }
        Maneuver::Oblique { right, by } => format!("oblique {} {}", side_word(right), decimal(by)),
        Maneuver::Back { slant, by } => format!("back {}{}", slanted(slant), decimal(by)),
        Maneuver::Sidestep { right, by } => format!("sidestep {} {}", side_word(right), decimal(by)),
        Maneuver::Retire { degrees: 0 } => "retire".to_owned(),
        Maneuver::Retire { degrees } => format!("retire {} {}", side_word(degrees > 0), degrees.abs()),
    }
}

impl Battle {
    pub(crate) fn write_action(&self, action: &Action) -> String {
        let unit = |u: UnitId| self.unit(u).slug.as_str();
        let officer = |c: CommanderId| self.officer(c).slug.as_str();
        let spot = |s: Spot| format!("{} {}", decimal(s.x), decimal(s.y));
        let list = |units: &Units| units.iter().map(|u| unit(*u)).collect::<Vec<_>>().join(" ");
        let leave = |exit: bool| if exit { " exit" } else { "" };
        match action {
            Action::Pass => "pass".to_owned(),
            Action::Go { first } => format!("go {}", if *first { "first" } else { "second" }),
            Action::Attach { commander, unit: u } => format!("attach {} {}", officer(*commander), unit(*u)),
            Action::Detach { commander, to } => format!("detach {} {}", officer(*commander), spot(*to)),
            Action::Charge { target, by } => format!("charge {} at {}", list(by), unit(*target)),
            Action::Countercharge => "countercharge".to_owned(),
            Action::Activate { brigade } => format!("activate {}", self.brigade(*brigade).slug),
            Action::Order { unit: u, order } => match order {
                Order::Hold => format!("hold {}", unit(*u)),
                Order::Rally => format!("rally {}", unit(*u)),
                Order::Advance { maneuver, change, exit } => {
                    let go = with_change(*change, write_maneuver(maneuver));
                    format!("advance {} {go}{}", unit(*u), leave(*exit))
                }
                Order::March { double: Double::Ahead { slant: Slant::Straight, by }, exit } => {
                    format!("march {} {}{}", unit(*u), decimal(*by), leave(*exit))
                }
                Order::March { double: Double::Ahead { slant, by }, exit } => {
                    format!("march {} oblique {}{}{}", unit(*u), slanted(*slant), decimal(*by), leave(*exit))
                }
                Order::March { double: Double::Road { by }, exit } => {
                    format!("march {} road {}{}", unit(*u), decimal(*by), leave(*exit))
                }
                Order::Reform { formation, facing } => {
                    format!("reform {} {} {}", unit(*u), formation.word(), degrees(facing.get()))
                }
            },
            Action::Ride { commander, to } => format!("ride {} {}", officer(*commander), spot(*to)),
            Action::Shoot { unit: u, target } => format!("shoot {} at {}", unit(*u), unit(*target)),
            Action::Pick { unit: u } => format!("pick {}", unit(*u)),
            Action::Reroll => "reroll".to_owned(),
            Action::Aside { left } => format!("aside {}", side_word(!*left)),
            Action::BreakThrough { by } => format!("break-through {}", list(by)),
        }
    }
}

/// The words of a notation, with sentences for what is missing.
struct Reader<'a> {
    at: At<'a>,
    line: Line<'a>,
}

impl<'a> Reader<'a> {
    fn unit(&mut self) -> Result<UnitId, String> {
        self.line.find("unit", |word| self.at.battle.unit_named(word))
    }

    fn officer(&mut self) -> Result<CommanderId, String> {
        self.line.find("commander", |word| self.at.battle.officer_named(word))
    }

    fn brigade(&mut self) -> Result<BrigadeId, String> {
        self.line.find("brigade", |word| self.at.battle.brigade_named(word))
    }

    fn length(&mut self) -> Result<i32, String> {
        self.line.thousandths("a length in inches")
    }

    fn spot(&mut self) -> Result<Spot, String> {
        Ok(Spot::new(self.length()?, self.length()?))
    }

    /// Where a hand would put a piece, and how it should face if that was said.
    fn goal(&mut self) -> Result<(Spot, Option<Angle>), String> {
        let at = self.spot()?;
        let facing = if self.is_number() { Some(Angle::hundredths(self.angle()?)) } else { None };
        Ok((at, facing))
    }

    fn angle(&mut self) -> Result<i32, String> {
        let word = self.line.word("degrees")?;
        let turn = thousandths(word).and_then(|n| i32::try_from((n + 5).div_euclid(10)).ok());
        turn.filter(|n| n.abs() <= 36_000).ok_or_else(|| format!("`{word}` is not a number of degrees"))
    }

    fn right(&mut self) -> Result<bool, String> {
        match self.line.word("left or right")? {
            "left" => Ok(false),
            "right" => Ok(true),
            other => Err(format!("`{other}` is neither left nor right")),
        }
    }

    fn slant(&mut self) -> Slant {
        if self.line.take("left") {
            Slant::Left
        } else if self.line.take("right") {
            Slant::Right
        } else {
            Slant::Straight
        }
    }

    /// `mount`, `dismount`, `limber` or `deploy`.
    fn change(&mut self) -> Option<Formation> {
        let table = [
            ("mount", Formation::SupportedLine),
            ("dismount", Formation::DismountedLine),
            ("limber", Formation::Limbered),
            ("deploy", Formation::Deployed),
        ];
        table.into_iter().find(|(word, _)| self.line.take(word)).map(|(_, to)| to)
    }

    fn is_number(&mut self) -> bool {
        self.line.peek().is_some_and(|w| thousandths(w).is_some())
    }

    fn maneuver(&mut self) -> Result<(Maneuver, Change), String> {
        let before = self.change();
        let maneuver = match self.line.next_word() {
            Some("forward") => {
                let first = self.length()?;
                let mut turn = 0;
                if self.line.peek().is_some_and(|w| ["left", "right"].contains(&w)) {
                    turn = if self.right()? { self.angle()? } else { -self.angle()? };
                }
                let then = if self.is_number() { self.length()? } else { 0 };
                Maneuver::Forward { first, turn, then }
            }
            Some("oblique") => Maneuver::Oblique { right: self.right()?, by: self.length()? },
            Some("back") => Maneuver::Back { slant: self.slant(), by: self.length()? },
            Some("sidestep") => Maneuver::Sidestep { right: self.right()?, by: self.length()? },
            Some("retire") => {
                let side = self.slant();
                let degrees = if side == Slant::Straight { 0 } else { self.angle()? / 100 };
                let degrees =
                    i8::try_from(degrees).map_err(|_| "a Retire goes up to 45 degrees aside".to_owned())?;
                Maneuver::Retire { degrees: if side == Slant::Left { -degrees } else { degrees } }
            }
            None if before.is_some() => Maneuver::Forward { first: 0, turn: 0, then: 0 },
            _ => return Err("expected forward, oblique, back, sidestep or retire".to_owned()),
        };
        let change = match (before, self.change()) {
            (Some(to), None) => Change::Before(to),
            (None, Some(to)) => Change::After(to),
            (None, None) => Change::None,
            (Some(_), Some(_)) => return Err("at most one change of formation".to_owned()),
        };
        Ok((maneuver, change))
    }

    fn units_until(&mut self, stop: &str) -> Result<Units, String> {
        let mut units = Units::new();
        while self.line.peek().is_some_and(|w| w != stop) {
            let unit = self.unit()?;
            units.try_push(unit).map_err(|_| "at most eight units".to_owned())?;
        }
        Ok(units)
    }

    fn advance(&mut self) -> Result<Action, String> {
        let unit = self.unit()?;
        let (maneuver, change) = if self.line.take("toward") {
            let (at, facing) = self.goal()?;
            (self.at.field().drag_advance(unit, at, facing), Change::None)
        } else if self.line.take("to") {
            let (at, facing) = self.goal()?;
            (self.at.field().maneuver_towards(unit, at, facing), Change::None)
        } else {
            self.maneuver()?
        };
        Ok(Action::Order { unit, order: Order::Advance { maneuver, change, exit: self.line.take("exit") } })
    }

    fn march(&mut self) -> Result<Action, String> {
        let unit = self.unit()?;
        let double = if self.line.take("toward") {
            let (at, _) = self.goal()?;
            self.at.field().drag_march(unit, at)
        } else if self.line.take("road") {
            Double::Road { by: self.length()? }
        } else {
            let slant = if self.line.take("oblique") { self.slant() } else { Slant::Straight };
            Double::Ahead { slant, by: self.length()? }
        };
        Ok(Action::Order { unit, order: Order::March { double, exit: self.line.take("exit") } })
    }

    fn reform(&mut self) -> Result<Action, String> {
        let unit = self.unit()?;
        let named = |word: &str| Formation::WORDS.iter().position(|w| *w == word).map(|i| Formation::ALL[i]);
        let formation = self.line.find("formation", named)?;
        let facing = Angle::hundredths(self.angle()?);
        Ok(Action::Order { unit, order: Order::Reform { formation, facing } })
    }

    fn ride(&mut self) -> Result<Action, String> {
        let commander = self.officer()?;
        let to = if self.line.take("toward") {
            let (at, _) = self.goal()?;
            let field = self.at.field();
            field.drag_ride(commander, at, |to| field.fits(&Action::Ride { commander, to }).is_ok())
        } else {
            self.spot()?
        };
        Ok(Action::Ride { commander, to })
    }

    fn action(&mut self) -> Result<Action, String> {
        let verb = self.line.word("an action")?;
        Ok(match verb {
            "pass" => Action::Pass,
            "go" => match self.line.word("first or second")? {
                "first" => Action::Go { first: true },
                "second" => Action::Go { first: false },
                other => return Err(format!("`{other}` is neither first nor second")),
            },
            "attach" => Action::Attach { commander: self.officer()?, unit: self.unit()? },
            "detach" => Action::Detach { commander: self.officer()?, to: self.spot()? },
            "charge" => {
                let by = self.units_until("at")?;
                self.line.take("at");
                Action::Charge { target: self.unit()?, by }
            }
            "countercharge" => Action::Countercharge,
            "activate" => Action::Activate { brigade: self.brigade()? },
            "hold" => Action::Order { unit: self.unit()?, order: Order::Hold },
            "rally" => Action::Order { unit: self.unit()?, order: Order::Rally },
            "advance" => self.advance()?,
            "march" => self.march()?,
            "reform" => self.reform()?,
            "ride" => self.ride()?,
            "shoot" => {
                let unit = self.unit()?;
                self.line.take("at");
                Action::Shoot { unit, target: self.unit()? }
            }
            "pick" => Action::Pick { unit: self.unit()? },
            "reroll" => Action::Reroll,
            "aside" => Action::Aside { left: !self.right()? },
            "break-through" => Action::BreakThrough { by: self.units_until("")? },
            other => return Err(format!("`{other}` is not an action of this game")),
        })
    }
}

impl At<'_> {
    pub(crate) fn read_action(self, notation: &str) -> Result<Action, String> {
        let mut reader = Reader { at: self, line: Line::new(notation) };
        let action = reader.action()?;
        reader.line.end()?;
        Ok(action)
    }
}
