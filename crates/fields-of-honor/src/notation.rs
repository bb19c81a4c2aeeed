//! Actions as journals and situations write them.

use arrayvec::ArrayVec;
use game::Line;
use table::{Angle, Spot};

use crate::action::Action;
use crate::at::At;
use crate::board::dragging;
use crate::rules::basics::Formation;
use crate::rules::charge::{ChargeLine, Reaction};
use crate::rules::fire::{Aim, Volley};
use crate::rules::leaders::Lead;
use crate::rules::movement::{Leg, Legs};
use crate::rules::sequence::Step;
use crate::setup::battle::Battle;
use crate::state::{BodyId, Command, LeaderId, Share};

const BANDS: [&str; 4] = ["short", "medium", "long", "extreme"];

/// Thousandths as a decimal number: 4500 is `4.5`.
pub(crate) fn number(mils: i64) -> String {
    let sign = if mils < 0 { "-" } else { "" };
    let (whole, rest) = (mils.abs() / 1000, mils.abs() % 1000);
    if rest == 0 {
        return format!("{sign}{whole}");
    }
    let digits = format!("{rest:03}");
    format!("{sign}{whole}.{}", digits.trim_end_matches('0'))
}

fn degrees(hundredths: i16) -> String {
    number(i64::from(hundredths) * 10)
}

fn stands(mask: u16) -> String {
    let all: Vec<String> = (0..16).filter(|i| mask & (1 << i) != 0).map(|i| (i + 1).to_string()).collect();
    all.join(",")
}

/// The action in notation.
pub(crate) fn write(battle: &Battle, action: &Action) -> String {
    let u = |id: &BodyId| battle.slug(*id);
    let l = |id: &LeaderId| battle.leaders[id.i()].id.clone();
    let place = |s: &Spot| format!("{} {}", number(i64::from(s.x)), number(i64::from(s.y)));
    match action {
        Action::Pass => "pass".to_owned(),
        Action::Wave => "wave".to_owned(),
        Action::Order { leader, order, marker } => {
            format!("order {} {} {}", l(leader), order.name(), place(marker))
        }
        Action::Test(id) => format!("test {}", u(id)),
        Action::Blow(id) => format!("blow {}", u(id)),
        Action::Spot { by, at } => format!("spot {} at {}", u(by), place(at)),
        Action::Lead { leader, lead: Lead::Ride(spot) } => format!("ride {} {}", l(leader), place(spot)),
        Action::Lead { leader, lead: Lead::Attach(id) } => format!("attach {} {}", l(leader), u(id)),
        Action::Charge(lines) => {
            let all: Vec<String> = lines.iter().map(|line| line_words(battle, line)).collect();
            format!("charge {}", all.join(" and "))
        }
        Action::React { reaction, fires_at } => match reaction {
            Reaction::Retire { band } => {
                format!("react retire {} {}", BANDS[usize::from(*band)], fires_at + 1)
            }
            other => format!("react {} {}", other.word(), fires_at + 1),
        },
        Action::Support { by, at } => format!("support {} {}", u(by), at + 1),
        Action::Move { unit, legs } => {
            let all: Vec<String> = legs.iter().map(leg_words).collect();
            format!("move {} {}", u(unit), all.join(" "))
        }
        Action::Snap { by, stands: mask } => format!("snap {} stands {}", u(by), stands(*mask)),
        Action::Dash(line) => format!("dash {}", line_words(battle, line)),
        Action::Fire(volley) => volley_words(battle, volley),
        Action::Fight(id) => format!("melee {}", u(id)),
        Action::Split(shares) => {
            let all: Vec<String> = shares.iter().map(|s| format!("{}:{}", u(&s.at), s.dice)).collect();
            format!("split {} {}", shares.first().map_or(String::new(), |s| u(&s.by)), all.join(" "))
        }
        Action::Stay => "stay".to_owned(),
        Action::Turn => "turn".to_owned(),
        Action::Withdraw => "withdraw".to_owned(),
        Action::Pursue => "pursue".to_owned(),
        Action::Hold => "hold".to_owned(),
        Action::Reform { formation, files } => format!("reform {} {files}", formation.name()),
        Action::Recover(id) => format!("recover {}", u(id)),
        Action::Leave(id) => format!("leave {}", u(id)),
    }
}

fn line_words(battle: &Battle, line: &ChargeLine) -> String {
    let mut out = format!("{} at {}", battle.slug(line.by), battle.slug(line.at));
    if line.turn != 0 {
        out += &format!(" turn {}", degrees(line.turn));
    }
    if line.files > 0 {
        out += &format!(" files {}", line.files);
    }
    if line.rush {
        out += " rush";
    }
    out
}

fn volley_words(battle: &Battle, volley: &Volley) -> String {
    let by = battle.slug(volley.by);
    match volley.at {
        Aim::Leader(leader) => format!("snipe {by} at {}", battle.leaders[leader.i()].id),
        Aim::Wall { wall, along } => {
            format!(
                "batter {by} wall {wall} along {} stands {}",
                number(i64::from(along)),
                stands(volley.stands)
            )
        }
        Aim::Body(at) => {
            let shrapnel = if volley.shrapnel { " shrapnel" } else { "" };
            format!("fire {by} at {} stands {}{shrapnel}", battle.slug(at), stands(volley.stands))
        }
    }
}

fn leg_words(leg: &Leg) -> String {
    match leg {
        Leg::Ahead { length, aside: 0 } => format!("ahead {}", number(i64::from(*length))),
        Leg::Ahead { length, aside } => {
            format!("ahead {} slant {}", number(i64::from(*length)), degrees(*aside))
        }
        Leg::Wheel { turn } => format!("wheel {}", degrees(*turn)),
        Leg::WheelBack { turn } => format!("wheelback {}", degrees(*turn)),
        Leg::Face { turn } => format!("face {}", degrees(*turn)),
        Leg::Form { formation, files } => format!("form {} {files}", formation.name()),
        Leg::Sidle { length, bearing } => {
            format!("sidle {} bearing {}", number(i64::from(*length)), degrees(*bearing))
        }
        Leg::Slew { turn } => format!("slew {}", degrees(*turn)),
        Leg::Prone => "prone".to_owned(),
        Leg::Up => "up".to_owned(),
        Leg::Dismount => "dismount".to_owned(),
        Leg::Mount => "mount".to_owned(),
        Leg::Hide => "hide".to_owned(),
        Leg::Detach { ahead } => format!("detach {}", number(i64::from(*ahead))),
        Leg::Rejoin => "rejoin".to_owned(),
        Leg::Box => "box".to_owned(),
        Leg::Unbox => "unbox".to_owned(),
    }
}

/// The words of a line, taken one by one.
struct Words<'a> {
    at: At<'a>,
    line: Line<'a>,
}

impl<'a> Words<'a> {
    fn unit(&mut self) -> Result<BodyId, String> {
        self.line.find("unit", |word| self.at.find_body(word))
    }

    fn order(&mut self) -> Result<Command, String> {
        self.line.find("order", |word| Command::ALL.into_iter().find(|order| order.name() == word))
    }

    fn charge(&mut self) -> Result<Action, String> {
        let mut lines = ArrayVec::new();
        lines.push(self.charge_line()?);
        while self.line.take("and") {
            let line = self.charge_line()?;
            lines.try_push(line).map_err(|_| "at most four units charge together".to_owned())?;
        }
        Ok(Action::Charge(lines))
    }

    fn leader(&mut self) -> Result<LeaderId, String> {
        self.line.find("leader", |word| self.at.battle.find_leader(word))
    }

    fn degrees(&mut self) -> Result<i16, String> {
        let mils = self.line.thousandths("an angle in degrees")?;
        if mils % 10 != 0 || mils.abs() > 180_000 {
            return Err("an angle has at most two decimals and 180 degrees".to_owned());
        }
        Ok((mils / 10) as i16)
    }

    fn small(&mut self, what: &str) -> Result<u8, String> {
        Ok(self.line.integer(what, 0..=255)? as u8)
    }

    fn optional_small(&mut self) -> Option<u8> {
        let number = self.line.peek()?.parse().ok()?;
        self.line.next_word();
        Some(number)
    }

    fn spot(&mut self) -> Result<Spot, String> {
        Ok(Spot::new(self.line.thousandths("x in inches")?, self.line.thousandths("y in inches")?))
    }

    fn formation(&mut self) -> Result<(Formation, u8), String> {
        let word = self.line.word("a formation")?;
        let index = Formation::NAMES.iter().position(|n| *n == word);
        let index = index
            .ok_or_else(|| format!("`{word}` is no formation; one of {}", Formation::NAMES.join(", ")))?;
        Ok((Formation::ALL[index], self.optional_small().unwrap_or(0)))
    }

    fn stands(&mut self) -> Result<Option<u16>, String> {
        if !self.line.take("stands") {
            return Ok(None);
        }
        let mut mask = 0;
        for part in self.line.word("numbers of stands")?.split(',') {
            let n: u8 = part.parse().map_err(|_| format!("`{part}` is no number of a stand"))?;
            if !(1..=16).contains(&n) {
                return Err(format!("there is no stand {n}"));
            }
            mask |= 1 << (n - 1);
        }
        Ok(Some(mask))
    }

    fn charge_line(&mut self) -> Result<ChargeLine, String> {
        let by = self.unit()?;
        self.line.must("at")?;
        let at = self.unit()?;
        let mut line = ChargeLine { by, at, turn: 0, rush: false, files: 0 };
        loop {
            if self.line.take("turn") {
                line.turn = self.degrees()?;
            } else if self.line.take("files") {
                line.files = self.small("a number of stands")?;
            } else if self.line.take("rush") {
                line.rush = true;
            } else {
                return Ok(line);
            }
        }
    }

    fn leg(&mut self) -> Result<Leg, String> {
        let word = self.line.word("a part of the move")?;
        Ok(match word {
            "ahead" => {
                let length = self.line.thousandths("inches")?;
                let aside = if self.line.take("slant") { self.degrees()? } else { 0 };
                Leg::Ahead { length, aside }
            }
            "wheel" => Leg::Wheel { turn: self.degrees()? },
            "wheelback" => Leg::WheelBack { turn: self.degrees()? },
            "face" => Leg::Face { turn: self.degrees()? },
            "form" => {
                let (formation, files) = self.formation()?;
                Leg::Form { formation, files }
            }
            "sidle" => {
                let length = self.line.thousandths("inches")?;
                self.line.must("bearing")?;
                Leg::Sidle { length, bearing: self.degrees()? }
            }
            "slew" => Leg::Slew { turn: self.degrees()? },
            "prone" => Leg::Prone,
            "up" => Leg::Up,
            "dismount" => Leg::Dismount,
            "mount" => Leg::Mount,
            "hide" => Leg::Hide,
            "detach" => Leg::Detach { ahead: self.line.thousandths("inches")?.clamp(-1, 32_000) as i16 },
            "rejoin" => Leg::Rejoin,
            "box" => Leg::Box,
            "unbox" => Leg::Unbox,
            _ => return Err(format!("`{word}` is no part of a move")),
        })
    }

    fn legs(&mut self) -> Result<Legs, String> {
        let mut legs = Legs::new();
        while self.line.peek().is_some() {
            let leg = self.leg()?;
            legs.try_push(leg).map_err(|_| "a move has six parts at the most".to_owned())?;
        }
        Ok(legs)
    }

    /// Where a hand would put a body, and how it should face if that was said.
    fn toward(&mut self, unit: BodyId) -> Result<Legs, String> {
        let at = self.spot()?;
        let facing = if self.line.peek().is_some() { Some(self.degrees()?) } else { None };
        let facing = facing.map(|f| Angle::hundredths(i32::from(f)));
        Ok(self.at.drag_toward(unit, at, facing))
    }

    fn ride_toward(&mut self, leader: LeaderId) -> Result<Spot, String> {
        let at = self.spot()?;
        let side = self.at.battle.leaders[leader.i()].side;
        // A client may say a facing to everybody; a leader has none.
        if self.line.peek().is_some_and(|w| game::read::thousandths(w).is_some()) {
            self.line.next_word();
        }
        let may = |to: Spot| self.at.may_lead(side, leader, Lead::Ride(to)).is_ok();
        Ok(dragging::ride(self.at.state.leaders[leader.i()].at, at, may))
    }

    fn reaction(&mut self) -> Result<Action, String> {
        let word = self.line.word("a reaction")?;
        let reaction = match word {
            "stand" => Reaction::Stand,
            "retire" => {
                let band = BANDS.iter().position(|band| self.line.take(band)).unwrap_or(0);
                Reaction::Retire { band: band as u8 }
            }
            "countercharge" => Reaction::Counter,
            "face" => Reaction::Face,
            "square" => Reaction::Square,
            _ => {
                return Err(format!(
                    "`{word}` is no reaction; one of stand, retire, countercharge, face, square"
                ));
            }
        };
        let usual = match self.at.state.agenda.top() {
            Some(Step::React { target }) => {
                let body = self.at.state.charge.targets[usize::from(target)].body;
                self.at.state.charge.chargers.iter().position(|c| c.on && c.line.at == body).unwrap_or(0)
            }
            _ => 0,
        };
        let fires_at = self.optional_small().map_or(usual as u8, |n| n.saturating_sub(1));
        Ok(Action::React { reaction, fires_at })
    }

    fn fire(&mut self) -> Result<Action, String> {
        let by = self.unit()?;
        self.line.must("at")?;
        let at = self.unit()?;
        let given = self.stands()?;
        let shrapnel = self.line.take("shrapnel");
        let stands = given.unwrap_or_else(|| {
            let target = self.at.state.body(at).layout(self.at.battle);
            self.at.bearing(by, at, &target).map_or(0, |a| a.stands) & self.at.state.stands_unassigned(by)
        });
        Ok(Action::Fire(Volley { shrapnel, ..Volley::of(by, Aim::Body(at), stands) }))
    }

    fn batter(&mut self) -> Result<Action, String> {
        let by = self.unit()?;
        self.line.must("wall")?;
        let wall = self.small("the number of a wall")?;
        self.line.must("along")?;
        let along = u16::try_from(self.line.thousandths("inches")?)
            .map_err(|_| "a wall has no such place".to_owned())?;
        let stands = self.stands()?.unwrap_or((1 << self.at.firing_stands(by).fronts.len()) - 1);
        Ok(Action::Fire(Volley::of(by, Aim::Wall { wall, along }, stands)))
    }

    fn split(&mut self) -> Result<Action, String> {
        let by = self.unit()?;
        let mut shares = ArrayVec::new();
        while let Some(word) = self.line.next_word() {
            let (at, dice) =
                word.rsplit_once(':').ok_or_else(|| format!("`{word}` is no share; write unit:dice"))?;
            let at = self.at.find_body(at).ok_or_else(|| format!("there is no unit `{at}`"))?;
            let dice = dice.parse().map_err(|_| format!("`{dice}` is no number"))?;
            shares.try_push(Share { by, at, dice }).map_err(|_| "too many shares".to_owned())?;
        }
        Ok(Action::Split(shares))
    }
}

impl At<'_> {
    /// Reads notation.
    pub(crate) fn read_action(self, notation: &str) -> Result<Action, String> {
        let mut w = Words { at: self, line: Line::new(notation) };
        let verb = w.line.word("an action")?;
        let action = match verb {
            "pass" => Action::Pass,
            "wave" => Action::Wave,
            "order" => Action::Order { leader: w.leader()?, order: w.order()?, marker: w.spot()? },
            "test" => Action::Test(w.unit()?),
            "blow" => Action::Blow(w.unit()?),
            "spot" => {
                let by = w.unit()?;
                w.line.must("at")?;
                Action::Spot { by, at: w.spot()? }
            }
            "ride" => {
                let leader = w.leader()?;
                let spot = if w.line.take("toward") { w.ride_toward(leader)? } else { w.spot()? };
                Action::Lead { leader, lead: Lead::Ride(spot) }
            }
            "attach" => Action::Lead { leader: w.leader()?, lead: Lead::Attach(w.unit()?) },
            "charge" => w.charge()?,
            "react" => w.reaction()?,
            "support" => {
                let by = w.unit()?;
                Action::Support { by, at: w.optional_small().unwrap_or(1).saturating_sub(1) }
            }
            "move" => {
                let unit = w.unit()?;
                let legs = if w.line.take("toward") { w.toward(unit)? } else { w.legs()? };
                Action::Move { unit, legs }
            }
            "snap" => {
                let by = w.unit()?;
                let given = w.stands()?;
                let stands = given.or_else(|| self.can_snap(by)).unwrap_or(0);
                Action::Snap { by, stands }
            }
            "dash" => Action::Dash(w.charge_line()?),
            "fire" => w.fire()?,
            "snipe" => {
                let by = w.unit()?;
                w.line.must("at")?;
                let at = Aim::Leader(w.leader()?);
                Action::Fire(Volley::of(by, at, 0))
            }
            "batter" => w.batter()?,
            "melee" => Action::Fight(w.unit()?),
            "split" => w.split()?,
            "stay" => Action::Stay,
            "turn" => Action::Turn,
            "withdraw" => Action::Withdraw,
            "pursue" => Action::Pursue,
            "hold" => Action::Hold,
            "reform" => {
                let (formation, files) = w.formation()?;
                Action::Reform { formation, files }
            }
            "recover" => Action::Recover(w.unit()?),
            "leave" => Action::Leave(w.unit()?),
            _ => return Err(format!("there is no action `{verb}`")),
        };
        w.line.end()?;
        Ok(action)
    }
}
