//! 6 Organization Phase: breastworks, burning, the search for fords.

use game::words::does;
use game::{Effects, Kind, RollNote};
use hexmap::Hex;

use crate::action::Action;
use crate::refusals::{Bar, bar};
use crate::rules::command::in_command;
use crate::rules::concepts::piece_entry;
use crate::setup::battle::{Battle, SitePlace};
use crate::setup::pieces::Arm;
use crate::state::{Face, Ford, State, Task, UnitId};

/// R60: what was begun a turn ago is finished at the start of the owner's Organization Phase.
pub(crate) fn complete(battle: &Battle, state: &mut State, fx: &mut impl Effects) {
    for unit in battle.of[state.active].iter() {
        let task = state.unit(unit).task;
        let Some(hex) = state.unit(unit).post.hex() else { continue };
        state.unit_mut(unit).task = Task::None;
        match task {
            Task::None => {}
            Task::Build => {
                state.works.insert(hex);
                fx.tell(|| {
                    let text = does(&battle.unit(unit).name, "completes a breastwork.");
                    piece_entry(battle, state, Kind::Note, text, unit).rule(cite!("6.1.1.e"))
                });
            }
            Task::Burn(site) => {
                state.burned |= 1 << site;
                fx.tell(|| {
                    let text = format!("{} is burned.", battle.sites[usize::from(site)].name);
                    piece_entry(battle, state, Kind::Note, text, unit).rule(cite!("6.1.2.d"))
                });
            }
        }
    }
}

/// 6.1, 5.2.4: who may take an organization action at all.
fn may_organize(battle: &Battle, state: &State, unit: UnitId) -> Result<Hex, Bar> {
    let here = state.unit(unit);
    if battle.unit(unit).side != state.active {
        return Err(bar!("6.1.a", "only the player whose turn it is organizes: choose one of his units"));
    }
    let Some(hex) = here.post.hex() else {
        return Err(bar!("6.1.a", "the unit is not on the map"));
    };
    if here.routed {
        return Err(bar!(
            "6.1.a",
            "a routed unit takes no organization action: it would have to rally first"
        ));
    }
    if !in_command(state, unit) {
        return Err(bar!(
            "5.2.4.d",
            "it is out of command: a leader must have it in his radius in the Command Phase"
        ));
    }
    Ok(hex)
}

/// R62: building and burning both tie the unit for the turn, so it does one of them once.
fn is_free(state: &State, unit: UnitId) -> Result<(), Bar> {
    match state.unit(unit).task {
        Task::None => Ok(()),
        Task::Build => Err(bar!("6.1.1.b", "it is building a breastwork this turn")),
        Task::Burn(_) => Err(bar!("6.1.2.b", "it is setting a fire this turn")),
    }
}

/// 6.1.1: may the unit begin a breastwork?
pub(crate) fn may_build(battle: &Battle, state: &State, unit: UnitId) -> Result<(), Bar> {
    if !battle.switches.breastworks {
        return Err(bar!("6.1.a", "this battle has no breastworks"));
    }
    let hex = may_organize(battle, state, unit)?;
    let digs = match battle.unit(unit).arm {
        Arm::Infantry => true,
        Arm::Cavalry => state.unit(unit).deployed,
        Arm::Artillery => false,
    };
    if !digs {
        return Err(bar!("6.1.1.a", "only infantry and dismounted cavalry build breastworks"));
    }
    if state.works.contains(hex) {
        return Err(bar!("6.1.1.h", "there is a breastwork in the hex already"));
    }
    is_free(state, unit)
}

/// 6.1.1: may the unit pull a breastwork down?
pub(crate) fn may_raze(battle: &Battle, state: &State, unit: UnitId) -> Result<(), Bar> {
    if !battle.switches.breastworks {
        return Err(bar!("6.1.a", "this battle has no breastworks"));
    }
    let hex = may_organize(battle, state, unit)?;
    if !state.works.contains(hex) {
        return Err(bar!("6.1.1.g", "there is no breastwork in its hex"));
    }
    Ok(())
}

/// 6.1.2: may the unit set fire to the site?
pub(crate) fn may_burn(battle: &Battle, state: &State, unit: UnitId, site: u8) -> Result<(), Bar> {
    if !battle.switches.burning {
        return Err(bar!("6.1.a", "nothing is burned in this battle"));
    }
    let Some(place) = battle.sites.get(usize::from(site)).map(|s| s.place) else {
        return Err(bar!("6.1.2.a", "there is nothing to burn there"));
    };
    let hex = may_organize(battle, state, unit)?;
    if battle.unit(unit).arm == Arm::Artillery {
        return Err(bar!("6.1.2.a", "only infantry and cavalry burn: artillery may not"));
    }
    if state.burned >> site & 1 == 1 {
        return Err(bar!("6.1.2.d", "it is burned already"));
    }
    let there = match place {
        SitePlace::Depot(at) => at == hex,
        SitePlace::Bridge(side) => {
            let (a, b) = battle.map.grid.hexes_of(side);
            hex == a || Some(hex) == b
        }
    };
    if !there {
        return Err(bar!(
            "6.1.2.a",
            "the unit must stand next to the bridge, or in the hex of the depot or rail line"
        ));
    }
    is_free(state, unit)
}

/// 6.1.3: may the unit search for this ford?
pub(crate) fn may_search(battle: &Battle, state: &State, unit: UnitId, ford: u8) -> Result<(), Bar> {
    if !battle.switches.fords {
        return Err(bar!("6.1.a", "all fords are known in this battle"));
    }
    let (Some(site), Some(Ford::Unsearched(_))) =
        (battle.fords.get(usize::from(ford)), state.fords.get(usize::from(ford)))
    else {
        return Err(bar!("6.1.3.b", "no unsearched ford marker lies there"));
    };
    let hex = may_organize(battle, state, unit)?;
    if battle.unit(unit).arm == Arm::Artillery {
        return Err(bar!("6.1.3.b", "only infantry and cavalry search for fords"));
    }
    let (a, b) = battle.map.grid.hexes_of(site.side);
    if hex != a && Some(hex) != b {
        return Err(bar!("6.1.3.b", "the unit must begin the phase in a hex next to the marker"));
    }
    Ok(())
}

/// Every organization action that is open, until `each` says stop.
fn each_action(battle: &Battle, state: &State, mut each: impl FnMut(Action) -> bool) {
    let switches = battle.switches;
    if !(switches.breastworks || switches.burning || switches.fords) {
        return;
    }
    for unit in battle.of[state.active].iter() {
        if may_organize(battle, state, unit).is_err() {
            continue;
        }
        let build = may_build(battle, state, unit).ok().map(|()| Action::Build { unit });
        let raze = may_raze(battle, state, unit).ok().map(|()| Action::Raze { unit });
        let sites = (0..battle.sites.len() as u8)
            .filter(|&site| may_burn(battle, state, unit, site).is_ok())
            .map(|site| Action::Burn { unit, site });
        let fords = (0..battle.fords.len() as u8)
            .filter(|&ford| may_search(battle, state, unit, ford).is_ok())
            .map(|ford| Action::Search { unit, ford });
        for action in build.into_iter().chain(raze).chain(sites).chain(fords) {
            if !each(action) {
                return;
            }
        }
    }
}

/// The organization actions that are open.
pub(crate) fn offers(battle: &Battle, state: &State, out: &mut Vec<Action>) {
    each_action(battle, state, |action| {
        out.push(action);
        true
    });
}

/// Whether any is.
pub(crate) fn anything(battle: &Battle, state: &State) -> bool {
    let mut found = false;
    each_action(battle, state, |_| {
        found = true;
        false
    });
    found
}

/// Carries an organization action out.
pub(crate) fn perform(battle: &Battle, state: &mut State, action: Action, fx: &mut impl Effects) {
    let name = |unit: UnitId| &battle.unit(unit).name;
    match action {
        Action::Build { unit } => {
            state.unit_mut(unit).task = Task::Build;
            fx.tell(|| {
                let text = does(name(unit), "begins a breastwork.");
                piece_entry(battle, state, Kind::Note, text, unit).rule(cite!("6.1.1.b"))
            });
        }
        Action::Raze { unit } => {
            if let Some(hex) = state.unit(unit).post.hex() {
                state.works.remove(hex);
            }
            fx.tell(|| {
                let text = does(name(unit), "pulls the breastwork down.");
                piece_entry(battle, state, Kind::Note, text, unit).rule(cite!("6.1.1.g"))
            });
        }
        Action::Burn { unit, site } => {
            state.unit_mut(unit).task = Task::Burn(site);
            fx.tell(|| {
                let text =
                    format!("{} {}.", does(name(unit), "sets fire to"), battle.sites[usize::from(site)].name);
                piece_entry(battle, state, Kind::Note, text, unit).rule(cite!("6.1.2.b"))
            });
        }
        Action::Search { unit, ford } => search(battle, state, unit, ford, fx),
        _ => {}
    }
}

/// 6.1.3: the marker is turned up. A face that nobody knows is drawn among those that are still face down, which is
/// the same as having mixed them before.
fn search(battle: &Battle, state: &mut State, unit: UnitId, ford: u8, fx: &mut impl Effects) {
    let index = usize::from(ford);
    let yes = match state.fords[index] {
        Ford::Unsearched(Face::Yes) | Ford::Found => true,
        Ford::Unsearched(Face::No) | Ford::None => false,
        Ford::Unsearched(Face::Hidden) => {
            let yes_in_all = battle.fords.iter().filter(|site| site.face == Face::Yes).count();
            let yes_found = state.fords.iter().filter(|&&ford| ford == Ford::Found).count();
            let face_down = state.fords.iter().filter(|ford| matches!(ford, Ford::Unsearched(_))).count();
            let drawn =
                fx.draw(face_down, || RollNote::new("The ford marker is turned up.", cite!("6.1.3.b")));
            drawn < yes_in_all.saturating_sub(yes_found)
        }
    };
    state.fords[index] = if yes { Ford::Found } else { Ford::None };
    fx.revealed();
    fx.tell(|| {
        let side = battle.map.side_name(battle.fords[index].side);
        let (found, rule) =
            if yes { ("finds a ford", cite!("6.1.3.c")) } else { ("finds no ford", cite!("6.1.3.d")) };
        let text = format!("{} at {side}.", does(name_of(battle, unit), found));
        piece_entry(battle, state, Kind::Note, text, unit).rule(rule)
    });
}

fn name_of(battle: &Battle, unit: UnitId) -> &str {
    &battle.unit(unit).name
}
