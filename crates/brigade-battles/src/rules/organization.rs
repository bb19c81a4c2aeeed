//! 6 Organization Phase: breastworks, burning, the search for fords.

use game::words::does;
use game::{Allowed, Effects, Kind, RollNote};
use hexmap::Hex;

use crate::action::Action;
use crate::at::{At, Run};
use crate::legal::no;
use crate::setup::pieces::Arm;
use crate::state::{Face, Ford, State, Task, UnitId};

impl At<'_> {
    /// 6.1, 5.2.4: who may take an organization action at all.
    fn may_organize(self, unit: UnitId) -> Allowed<Hex> {
        let here = self.state.unit(unit);
        if self.battle.unit(unit).side != self.state.active {
            return Err(no!("6.1.a", "only the player whose turn it is organizes: choose one of his units"));
        }
        let Some(hex) = here.post.hex() else {
            return Err(no!("6.1.a", "the unit is not on the map"));
        };
        if here.routed {
            return Err(no!(
                "6.1.a",
                "a routed unit takes no organization action: it would have to rally first"
            ));
        }
        if !self.state.in_command(unit) {
            return Err(no!(
                "5.2.4.d",
                "it is out of command: a leader must have it in his radius in the Command Phase"
            ));
        }
        Ok(hex)
    }

    /// 6.1.1.a: whether the unit can build at all.
    pub(crate) fn digs(self, unit: UnitId) -> bool {
        match self.battle.unit(unit).arm {
            Arm::Infantry => true,
            Arm::Cavalry => self.state.unit(unit).deployed,
            Arm::Artillery => false,
        }
    }

    /// 6.1.1: may the unit begin a breastwork?
    pub(crate) fn may_build(self, unit: UnitId) -> Allowed {
        if !self.battle.switches.breastworks {
            return Err(no!("6.1.a", "this battle has no breastworks"));
        }
        let hex = self.may_organize(unit)?;
        if !self.digs(unit) {
            return Err(no!("6.1.1.a", "only infantry and dismounted cavalry build breastworks"));
        }
        if self.state.works.contains(hex) {
            return Err(no!("6.1.1.h", "there is a breastwork in the hex already"));
        }
        self.state.is_free_to_work(unit)
    }

    /// 6.1.1: may the unit pull a breastwork down?
    pub(crate) fn may_raze(self, unit: UnitId) -> Allowed {
        if !self.battle.switches.breastworks {
            return Err(no!("6.1.a", "this battle has no breastworks"));
        }
        let hex = self.may_organize(unit)?;
        if !self.state.works.contains(hex) {
            return Err(no!("6.1.1.g", "there is no breastwork in its hex"));
        }
        Ok(())
    }

    /// 6.1.2: may the unit set fire to the site?
    pub(crate) fn may_burn(self, unit: UnitId, site: u8) -> Allowed {
        if !self.battle.switches.burning {
            return Err(no!("6.1.a", "nothing is burned in this battle"));
        }
        if usize::from(site) >= self.battle.sites.len() {
            return Err(no!("6.1.2.a", "there is nothing to burn there"));
        }
        let hex = self.may_organize(unit)?;
        if self.battle.unit(unit).arm == Arm::Artillery {
            return Err(no!("6.1.2.a", "only infantry and cavalry burn: artillery may not"));
        }
        if self.state.is_burned(site) {
            return Err(no!("6.1.2.d", "it is burned already"));
        }
        if !self.battle.is_at_site(site, hex) {
            return Err(no!(
                "6.1.2.a",
                "the unit must stand next to the bridge, or in the hex of the depot or rail line"
            ));
        }
        self.state.is_free_to_work(unit)
    }

    /// 6.1.3: may the unit search for this ford?
    pub(crate) fn may_search(self, unit: UnitId, ford: u8) -> Allowed {
        if !self.battle.switches.fords {
            return Err(no!("6.1.a", "all fords are known in this battle"));
        }
        let (Some(site), Some(Ford::Unsearched(_))) =
            (self.battle.fords.get(usize::from(ford)), self.state.fords.get(usize::from(ford)))
        else {
            return Err(no!("6.1.3.b", "no unsearched ford marker lies there"));
        };
        let hex = self.may_organize(unit)?;
        if self.battle.unit(unit).arm == Arm::Artillery {
            return Err(no!("6.1.3.b", "only infantry and cavalry search for fords"));
        }
        if !self.battle.map.is_beside(site.side, hex) {
            return Err(no!("6.1.3.b", "the unit must begin the phase in a hex next to the marker"));
        }
        Ok(())
    }

    /// Every organization action that is open, until `each` says stop.
    fn each_action(self, mut each: impl FnMut(Action) -> bool) {
        let switches = self.battle.switches;
        if !(switches.breastworks || switches.burning || switches.fords) {
            return;
        }
        for unit in self.battle.of[self.state.active].iter() {
            if self.may_organize(unit).is_err() {
                continue;
            }
            let build = self.may_build(unit).ok().map(|()| Action::Build { unit });
            let raze = self.may_raze(unit).ok().map(|()| Action::Raze { unit });
            let sites = (0..self.battle.sites.len() as u8)
                .filter(|&site| self.may_burn(unit, site).is_ok())
                .map(|site| Action::Burn { unit, site });
            let fords = (0..self.battle.fords.len() as u8)
                .filter(|&ford| self.may_search(unit, ford).is_ok())
                .map(|ford| Action::Search { unit, ford });
            for action in build.into_iter().chain(raze).chain(sites).chain(fords) {
                if !each(action) {
                    return;
                }
            }
        }
    }

    /// The organization actions that are open.
    pub(crate) fn offer_organization(self, out: &mut Vec<Action>) {
        self.each_action(|action| {
            out.push(action);
            true
        });
    }

    /// Whether any is.
    pub(crate) fn can_anyone_organize(self) -> bool {
        let mut found = false;
        self.each_action(|_| {
            found = true;
            false
        });
        found
    }
}

impl<F: Effects> Run<'_, F> {
    /// R60: what was begun a turn ago is finished at the start of the owner's Organization Phase.
    pub(crate) fn complete_works(&mut self) {
        for unit in self.battle.of[self.state.active].iter() {
            let task = self.state.unit(unit).task;
            let Some(hex) = self.state.unit_hex(unit) else { continue };
            self.state.unit_mut(unit).task = Task::None;
            match task {
                Task::None => {}
                Task::Build => {
                    self.state.works.insert(hex);
                    self.tell(|at| {
                        let text = does(&at.battle.unit(unit).name, "completes a breastwork.");
                        at.piece_entry(Kind::Note, text, unit).rule(cite!("6.1.1.e"))
                    });
                }
                Task::Burn(site) => {
                    self.state.burned |= 1 << site;
                    self.tell(|at| {
                        let text = format!("{} is burned.", at.battle.sites[usize::from(site)].name);
                        at.piece_entry(Kind::Note, text, unit).rule(cite!("6.1.2.d"))
                    });
                }
            }
        }
    }

    /// Carries an organization action out.
    pub(crate) fn organize(&mut self, action: Action) {
        let battle = self.battle;
        let name = |unit: UnitId| &battle.unit(unit).name;
        match action {
            Action::Build { unit } => {
                self.state.unit_mut(unit).task = Task::Build;
                self.tell(|at| {
                    let text = does(name(unit), "begins a breastwork.");
                    at.piece_entry(Kind::Note, text, unit).rule(cite!("6.1.1.b"))
                });
            }
            Action::Raze { unit } => {
                if let Some(hex) = self.state.unit_hex(unit) {
                    self.state.works.remove(hex);
                }
                self.tell(|at| {
                    let text = does(name(unit), "pulls the breastwork down.");
                    at.piece_entry(Kind::Note, text, unit).rule(cite!("6.1.1.g"))
                });
            }
            Action::Burn { unit, site } => {
                self.state.unit_mut(unit).task = Task::Burn(site);
                self.tell(|at| {
                    let place = &at.battle.sites[usize::from(site)].name;
                    let text = format!("{} {place}.", does(name(unit), "sets fire to"));
                    at.piece_entry(Kind::Note, text, unit).rule(cite!("6.1.2.b"))
                });
            }
            Action::Search { unit, ford } => self.search_ford(unit, ford),
            _ => {}
        }
    }

    /// 6.1.3: the marker is turned up. A face that nobody knows is drawn among those that are still face down, which is
    /// the same as having mixed them before.
    fn search_ford(&mut self, unit: UnitId, ford: u8) {
        let index = usize::from(ford);
        let yes = match self.state.fords[index] {
            Ford::Unsearched(Face::Yes) | Ford::Found => true,
            Ford::Unsearched(Face::No) | Ford::None => false,
            Ford::Unsearched(Face::Hidden) => {
                let yes_in_all = self.battle.fords.iter().filter(|site| site.face == Face::Yes).count();
                let yes_found = self.state.fords.iter().filter(|&&ford| ford == Ford::Found).count();
                let face_down =
                    self.state.fords.iter().filter(|ford| matches!(ford, Ford::Unsearched(_))).count();
                let drawn = self
                    .fx
                    .draw(face_down, || RollNote::new("The ford marker is turned up.", cite!("6.1.3.b")));
                drawn < yes_in_all.saturating_sub(yes_found)
            }
        };
        self.state.fords[index] = if yes { Ford::Found } else { Ford::None };
        self.fx.revealed();
        self.tell(|at| {
            let side = at.battle.map.side_name(at.battle.fords[index].side);
            let (found, rule) =
                if yes { ("finds a ford", cite!("6.1.3.c")) } else { ("finds no ford", cite!("6.1.3.d")) };
            let text = format!("{} at {side}.", does(&at.battle.unit(unit).name, found));
            at.piece_entry(Kind::Note, text, unit).rule(rule)
        });
    }
}

impl State {
    /// R62: building and burning both tie the unit for the turn, so it does one of them once.
    fn is_free_to_work(&self, unit: UnitId) -> Allowed {
        match self.unit(unit).task {
            Task::None => Ok(()),
            Task::Build => Err(no!("6.1.1.b", "it is building a breastwork this turn")),
            Task::Burn(_) => Err(no!("6.1.2.b", "it is setting a fire this turn")),
        }
    }
}
