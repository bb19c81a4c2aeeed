//! Section 11.3: mounting, dismounting, horse holders, and what becomes of the horses.

use game::log::Kind;
use game::words::does;
use game::{Allowed, Effects, Entry, No};
use hexmap::{Hex, HexSet};

use crate::action::{Action, Offers};
use crate::at::At;
use crate::at::Run;
use crate::rules::movement::Explorer;
use crate::rules::reach::{Bounds, Reach};
use crate::rules::retreat::Hexes;
use crate::rules::zones::{Field, directions};
use crate::setup::ground::CLOSED;
use crate::setup::pieces::{Arm, Column};
use crate::state::{Causes, Id, Mount, NOWHERE, State, Status};

/// 11.3.d, 11.3.s.
pub(crate) const COST_OF_SEAT: u8 = 3;
/// 11.3.k: beyond its leash a unit comes nearer to its horses before anything else.
pub(crate) const MUST_RETURN: No =
    No::new(cite!("11.3.k"), "A unit more than 9 MP from its horses must come nearer to them.");
/// 11.3.j.
const LEASH: u8 = 9;
/// Ways to the horses longer than this are no longer told apart.
const LONGEST_LEASH: usize = 96;

impl At<'_> {
    /// Cavalry that can still get on its horses or off them.
    pub(crate) fn has_horses(self, id: Id) -> bool {
        self.unit(id).arm == Arm::Cavalry && self.piece(id).mount != Mount::HorsesLost
    }

    /// Whether the unit could mount or dismount with what it has left.
    pub(crate) fn may_change_seat(self, id: Id) -> bool {
        self.unit(id).arm == Arm::Cavalry
            && match self.piece(id).mount {
                Mount::Mounted => self.horse_hexes(id).next().is_some(),
                Mount::Dismounted => self.check_mount(id).is_ok(),
                Mount::HorsesLost => false,
            }
    }

    /// `mount` and `dismount` of a unit of the active Formation.
    pub(crate) fn offer_mounting(self, id: Id, out: &mut impl Offers) {
        if self.unit(id).arm != Arm::Cavalry || self.state.moved.contains(id) || self.held_back(id) {
            return;
        }
        match self.piece(id).mount {
            Mount::Mounted => {
                self.horse_hexes(id).for_each(|horses| out.offer(Action::Dismount { unit: id, horses }))
            }
            Mount::Dismounted if self.check_mount(id).is_ok() => out.offer(Action::Mount { unit: id }),
            Mount::Dismounted | Mount::HorsesLost => {}
        }
    }

    /// 11.3.f.
    fn check_horse_hex(self, hex: Hex, direction: usize, hidden: &HexSet) -> Allowed {
        let there = self.ground().beyond[hex.index()][direction];
        let why = if there == NOWHERE {
            "The horses need a neighbouring hex of the map."
        } else if self.ground().costs[Column::Cavalry as usize][hex.index()][direction] == CLOSED {
            "Cavalry cannot enter that hex from here, so its horses cannot wait there."
        } else if !hidden.contains(there) {
            "An enemy sees that hex; the horses must wait out of sight."
        } else if self.state.at(there).is_some() {
            "A unit is in that hex; the horses wait alone."
        } else if self.state.horse_markers.into_iter().any(|u| self.piece(u).horses == there) {
            "Other horses wait in that hex."
        } else {
            return Ok(());
        };
        Err(No::new(cite!("11.3.f"), why))
    }

    /// Whether the unit may dismount, wherever its horses go.
    pub(crate) fn check_dismount(self, id: Id) -> Allowed {
        let piece = self.piece(id);
        if self.unit(id).arm != Arm::Cavalry || piece.mount != Mount::Mounted {
            return Err(No::new(cite!("11.3.d"), "Only mounted cavalry dismounts."));
        }
        if self.points_left(id) < COST_OF_SEAT {
            return Err(No::new(cite!("11.3.d"), "It costs 3 MP, and the unit has fewer left."));
        }
        if piece.intact() <= self.state.holders_for(id) {
            return Err(No::new(cite!("11.3.h"), "Its horse holders would leave it without an intact SP."));
        }
        Ok(())
    }

    /// The whole order `dismount`.
    pub(crate) fn check_dismount_with(self, id: Id, horses: Hex) -> Allowed {
        self.check_dismount(id)?;
        let hex = self.piece(id).hex;
        let hidden = self.out_of_sight(self.side(id));
        match self.ground().direction(hex, horses) {
            Some(direction) => self.check_horse_hex(hex, direction, &hidden),
            None => Err(No::new(cite!("11.3.f"), "The horses need a neighbouring hex.")),
        }
    }

    /// `mount`.
    pub(crate) fn check_mount(self, id: Id) -> Allowed {
        let piece = self.piece(id);
        match piece.mount {
            Mount::HorsesLost => return Err(No::new(cite!("11.3.r"), "Its horses are lost.")),
            Mount::Mounted => return Err(No::new(cite!("11.3.i"), "It is not dismounted cavalry.")),
            Mount::Dismounted => {}
        }
        if self.ground().distance(piece.hex, piece.horses) != 1 {
            return Err(No::new(cite!("11.3.i"), "Its horses must be in a neighbouring hex."));
        }
        if self.points_left(id) < COST_OF_SEAT {
            return Err(No::new(cite!("11.3.d"), "It costs 3 MP, and the unit has fewer left."));
        }
        Ok(())
    }

    /// The leash of a dismounted unit; others have none.
    #[inline]
    pub(crate) fn leash_of(self, field: &Field, id: Id) -> Option<Leash> {
        if self.piece(id).mount != Mount::Dismounted {
            return None;
        }
        // Within the leash nothing beyond it matters; only one that has strayed needs the whole field.
        let leash = self.measured_leash::<{ LEASH as usize + 1 }>(field, id);
        if leash.start.is_some() {
            return Some(leash);
        }
        let mut leash = self.measured_leash::<LONGEST_LEASH>(field, id);
        if leash.can_be_shortened() {
            leash.limit = self.shortest_leash_in_reach(field, id, &leash).max(LEASH);
        }
        Some(leash)
    }

    fn measured_leash<const B: usize>(self, field: &Field, id: Id) -> Leash {
        let piece = self.piece(id);
        let bounds = Bounds { closed: field.enemies, stops: HexSet::EMPTY };
        let mut reach = Reach::<B>::new();
        let ground = self.ground();
        reach.explore_back(ground, &ground.costs[Column::Infantry as usize], piece.horses, &bounds);
        let mut leash = Leash { lengths: *reach.costs(), bounds, start: None, limit: LEASH };
        leash.start = leash.length(piece.hex);
        leash
    }

    /// The shortest leash the unit can march to in this Turn (11.3.k).
    fn shortest_leash_in_reach(self, field: &Field, id: Id, leash: &Leash) -> u8 {
        let bounds = self.bounds_of(field, id);
        let costs = self.costs(id);
        let points = self.points_left(id);
        let mut shortest = CLOSED;
        Explorer::new().explore(self.ground(), costs, self.piece(id).hex, points, &bounds, |hex, _| {
            if !field.friends.contains(hex) {
                shortest = shortest.min(leash.length(hex).unwrap_or(CLOSED));
            }
        });
        shortest
    }

    /// R53: of hexes equally good, those nearest the horses by infantry MPs.
    pub(crate) fn nearest_to_horses(self, id: Id, hexes: &mut Hexes) {
        if self.piece(id).mount != Mount::Dismounted || hexes.len() < 2 {
            return;
        }
        let field = self.field_of(self.side(id));
        let leash = self.measured_leash::<LONGEST_LEASH>(&field, id);
        let Some(least) = hexes.iter().filter_map(|&h| leash.length(h)).min() else { return };
        hexes.retain(|h| leash.length(*h) == Some(least));
    }

    /// Infantry MPs to its horses, for those who ask.
    pub(crate) fn leash_length(self, id: Id) -> Option<u8> {
        let field = self.field_of(self.side(id));
        self.leash_of(&field, id)?.start
    }
}

impl<'a> At<'a> {
    /// The hexes its horses may be held in; none if it may not dismount at all.
    fn horse_hexes(self, id: Id) -> impl Iterator<Item = Hex> + 'a {
        let able = self.check_dismount(id).is_ok();
        let hidden = if able { self.out_of_sight(self.side(id)) } else { HexSet::EMPTY };
        let hex = self.piece(id).hex;
        let nearby = self.ground().beyond[hex.index()];
        (0..6).filter(move |&d| able && self.check_horse_hex(hex, d, &hidden).is_ok()).map(move |d| nearby[d])
    }
}

impl<F: Effects> Run<'_, F> {
    pub(crate) fn dismount(&mut self, unit: Id, horses: Hex) {
        self.take_in_hand(unit);
        let holders = self.state.holders_for(unit);
        let piece = self.state.piece_mut(unit);
        piece.strength -= holders;
        (piece.holders, piece.mount, piece.horses) = (holders, Mount::Dismounted, horses);
        self.state.horse_markers.insert(unit);
        self.state.left -= COST_OF_SEAT;
        self.go_on(unit);
        let places = [self.state.piece(unit).hex, horses];
        self.tell_at(unit, Kind::March, cite!("11.3.g"), places, |name, hex| {
            format!("{}; {holders} SP hold the horses in {}.", does(name, "dismounts"), hex(horses))
        });
    }

    pub(crate) fn mount(&mut self, unit: Id) {
        self.take_in_hand(unit);
        self.state.rejoin(unit);
        self.state.left -= COST_OF_SEAT;
        self.go_on(unit);
        self.tell_of(unit, Kind::March, cite!("11.3.i"), |name| does(name, "mounts."));
    }

    /// In the saddle or out of it, the unit may march on.
    fn go_on(&mut self, unit: Id) {
        self.state.stride = !self.state.stopped.contains(unit);
        if self.state.left == 0 || (!self.state.stride && !self.at().may_change_seat(unit)) {
            self.state.end_move();
        }
    }

    /// 11.3.o: the zone of a unit in `hex`, or the unit itself, takes enemy horses.
    pub(crate) fn capture_horses_near(&mut self, by: Id, hex: Hex) {
        if self.state.horse_markers.is_empty() {
            return;
        }
        let enemies = self.battle.armies[self.battle.side(by).enemy()].units;
        for owner in self.state.horse_markers.and(enemies) {
            let horses = self.state.piece(owner).horses;
            let reached = horses == hex
                || directions(self.battle.ground.zone_out[hex.index()])
                    .any(|d| self.battle.ground.beyond[hex.index()][d] == horses);
            if reached {
                self.lose_horses(owner, by);
            }
        }
    }

    /// 11.3.p: the holders and one more SP are lost, a Demoralized one if possible.
    fn lose_horses(&mut self, owner: Id, by: Id) {
        let (horses, holders) = (self.state.piece(owner).horses, self.state.piece(owner).holders);
        self.fx.tell(|| {
            let held = match holders {
                0 => String::new(),
                n => format!(" and the {n} SP holding them"),
            };
            Entry::new(
                Kind::Loss,
                format!("{} {}{held}.", self.battle.does(by, "takes the horses of"), self.battle.name(owner)),
            )
            .side(self.battle.side(by))
            .rule(cite!("11.3.o"))
            .piece(owner.piece())
            .piece(by.piece())
            .place(self.battle.place(horses))
        });
        let piece = self.state.piece_mut(owner);
        (piece.holders, piece.mount, piece.horses) = (0, Mount::HorsesLost, NOWHERE);
        self.state.horse_markers.remove(owner);
        self.lose_one(owner, cite!("11.3.p"));
        self.remove_if_broken(owner, Causes::NONE);
    }

    /// Control and horses when a unit appears on the map, by entry or placement.
    pub(crate) fn appear(&mut self, unit: Id, hex: Hex) {
        self.state.put(unit, hex);
        self.take_control(unit, hex);
        self.capture_horses_near(unit, hex);
    }
}

impl State {
    /// 11.3.g: one third of the unit's SPs.
    pub(crate) fn holders_for(&self, id: Id) -> u8 {
        self.piece(id).strength / 3
    }

    /// Holders and horses come back to the unit.
    fn rejoin(&mut self, unit: Id) {
        let piece = self.piece_mut(unit);
        piece.strength += piece.holders;
        (piece.holders, piece.mount, piece.horses) = (0, Mount::Mounted, NOWHERE);
        self.horse_markers.remove(unit);
    }

    /// A unit that leaves the map takes its horses along.
    pub(crate) fn horses_go_with_unit(&mut self, unit: Id) {
        if self.piece(unit).mount == Mount::Dismounted {
            self.rejoin(unit);
        }
    }

    /// R60: a shattered unit's holders rejoin it; those of an eliminated one are lost with it.
    pub(crate) fn horses_of_lost_unit(&mut self, unit: Id, status: Status) {
        if self.piece(unit).mount != Mount::Dismounted {
            return;
        }
        if status == Status::Eliminated {
            self.piece_mut(unit).holders = 0;
        }
        self.rejoin(unit);
    }

    /// Where the horse marker of a unit that begins dismounted stands, and how many hold it.
    pub(crate) fn begin_dismounted(&mut self, unit: Id, horses: Hex) {
        let holders = self.holders_for(unit);
        let piece = self.piece_mut(unit);
        piece.strength -= holders;
        (piece.holders, piece.mount, piece.horses) = (holders, Mount::Dismounted, horses);
        self.horse_markers.insert(unit);
    }
}

/// How far a dismounted unit is from its horses, by hex, and how far it may be (11.3.j, R62).
#[derive(Debug)]
pub(crate) struct Leash {
    lengths: [u8; HexSet::CAPACITY],
    bounds: Bounds,
    start: Option<u8>,
    /// The longest leash a march may end with: nine, or for one that has strayed the shortest it can reach.
    limit: u8,
}

impl Leash {
    /// Infantry MPs from a hex to the horses.
    pub(crate) fn length(&self, hex: Hex) -> Option<u8> {
        let length = self.lengths[hex.index()];
        (length != CLOSED && !self.bounds.closed.contains(hex)).then_some(length)
    }

    /// Whether the unit is beyond its leash already (11.3.k).
    pub(crate) fn is_overstretched(&self) -> bool {
        self.start.is_none_or(|s| s > LEASH)
    }

    /// Whether it is too long and there is a way back at all (11.3.k).
    pub(crate) fn can_be_shortened(&self) -> bool {
        self.start.is_some_and(|s| s > LEASH)
    }

    /// Within nine MPs; for one that began beyond and cannot be back this Turn, as near as it can come.
    pub(crate) fn allows(&self, hex: Hex) -> bool {
        match (self.length(hex), self.start) {
            (_, None) => true,
            (Some(there), Some(here)) => there <= self.limit && (here <= LEASH || there < here),
            (None, Some(_)) => false,
        }
    }
}
