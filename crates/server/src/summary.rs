//! What lists show of a game that is not in memory.

use game::board::SideFace;
use game::{BySide, journal};
use host::play::dice_of;
use host::seats::{Held, Seat};
use host::wire::{DiceKind, GameFace, SeatFace, SeatKind, Status};
use host::{Failure, Heading, Materials, Play, Still};
use serde::{Deserialize, Serialize};
use store::{GameRow, Kept, SeatRow};

/// Kept beside the journal, so that a list does not have to read it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Summary {
    pub(crate) scenario: String,
    pub(crate) system: String,
    pub(crate) title: String,
    sides: BySide<Face>,
    pub(crate) status: Status,
    state: u64,
    moment: u64,
    dice: DiceKind,
    commitment: Option<String>,
}

/// A side as it is kept.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Face {
    id: String,
    name: String,
    livery: String,
}

impl Face {
    pub(crate) fn of(side: SideFace) -> Self {
        Face { id: side.id, name: side.name, livery: side.livery }
    }

    pub(crate) fn show(self) -> SideFace {
        SideFace::new(&self.id, &self.name, &self.livery)
    }
}

/// A seat as it was kept.
pub(crate) fn seat(row: SeatRow) -> Seat {
    let kind = match row.kind.as_str() {
        "computer" => SeatKind::Computer,
        "link" => SeatKind::Link,
        _ => SeatKind::Here,
    };
    Seat::new(kind, row.name, row.invitation, row.token)
}

/// What is needed to set a kept game up again.
pub(crate) fn materials(kept: Kept, chat: i64, still: Option<Still>) -> Result<Materials, Failure> {
    let status = Summary::read(&kept.game).map(|summary| summary.status);
    let mut seats = kept.seats.into_iter().map(seat);
    let (Some(first), Some(second)) = (seats.next(), seats.next()) else {
        return Err(Failure::internal("a game without two seats"));
    };
    Ok(Materials {
        lines: kept.lines,
        secret: journal::unhex(&kept.game.secret).and_then(|s| s.try_into().ok()),
        seats: BySide { first, second },
        asked: kept.game.asked.and_then(|asked| serde_json::from_str(&asked).ok()),
        touched: kept.game.touched as u64,
        chat,
        status,
        still,
    })
}

impl Summary {
    pub(crate) fn read(row: &GameRow) -> Option<Summary> {
        Summary::parse(&row.summary)
    }

    pub(crate) fn parse(text: &str) -> Option<Summary> {
        serde_json::from_str(text).ok()
    }

    pub(crate) fn heading(self) -> Heading {
        let sides = self.sides.map(Face::show);
        Heading { scenario: self.scenario, system: self.system, title: self.title, sides }
    }

    /// Of a game whose journal is about to grow by `grown` lines.
    pub(crate) fn of(heading: &Heading, play: &Play, grown: u64, status: Status) -> Self {
        let (dice, commitment) = dice_of(&play.table.header().dice);
        Summary {
            scenario: heading.scenario.clone(),
            system: heading.system.clone(),
            title: heading.title.clone(),
            sides: heading.sides.clone().map(Face::of),
            status,
            state: play.state + grown,
            moment: play.table.moment(),
            dice,
            commitment,
        }
    }

    pub(crate) fn write(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// The face of a kept game. `present` tells who is connected, if the game is in memory.
    pub(crate) fn face(
        row: &GameRow,
        seats: Vec<SeatRow>,
        held: Held,
        present: BySide<bool>,
    ) -> Option<GameFace> {
        let summary = Summary::read(row)?;
        let mut seats = seats.into_iter().map(seat);
        let seats = BySide { first: seats.next()?, second: seats.next()? };
        let decides = match summary.status {
            Status::Deciding { side, .. } => Some(side),
            Status::Over { .. } => None,
        };
        Some(GameFace {
            id: row.id.clone(),
            scenario: summary.scenario,
            system: summary.system,
            title: summary.title,
            sides: summary.sides.map(Face::show),
            seats: BySide::from_fn(|side| SeatFace {
                kind: seats[side].kind,
                name: seats[side].name.clone(),
                taken: seats[side].taken(),
                present: present[side] || seats[side].kind == SeatKind::Computer,
            }),
            status: summary.status,
            yours: held.speaks_for(decides),
            state: summary.state,
            moment: summary.moment,
            closed: None,
            public: row.public,
            dice: summary.dice,
            commitment: summary.commitment,
            rolls_back: false,
            created: row.made as u64,
            touched: row.touched as u64,
            rematch: crate::lobby::seen_rematch(row, held),
            clock: None,
            rated: None,
        })
    }
}
