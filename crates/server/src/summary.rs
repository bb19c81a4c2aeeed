//! What lists show of a game that is not in memory.

use game::BySide;
use game::board::SideFace;
use serde::{Deserialize, Serialize};
use store::{GameRow, SeatRow};

use crate::room::{Play, dice_of};
use crate::seats::{Held, Seat};
use crate::wire::{DiceKind, GameFace, ScenarioFace, SeatFace, SeatKind, Status};

/// Kept beside the journal, so that a list does not have to read it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Summary {
    scenario: String,
    system: String,
    title: String,
    sides: BySide<Face>,
    status: Status,
    state: u64,
    moment: u64,
    dice: DiceKind,
    commitment: Option<String>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Face {
    id: String,
    name: String,
    livery: String,
}

/// What a game is called.
#[derive(Debug, Clone)]
pub(crate) struct Heading {
    pub(crate) scenario: String,
    pub(crate) system: String,
    pub(crate) title: String,
    pub(crate) sides: BySide<SideFace>,
}

impl Heading {
    pub(crate) fn of(face: &ScenarioFace) -> Self {
        let ScenarioFace { id, system, title, sides, .. } = face.clone();
        Heading { scenario: id, system, title, sides }
    }
}

impl Summary {
    pub(crate) fn read(row: &GameRow) -> Option<Summary> {
        serde_json::from_str(&row.summary).ok()
    }

    pub(crate) fn status(&self) -> &Status {
        &self.status
    }

    pub(crate) fn heading(self) -> Heading {
        let sides = self.sides.map(|f| SideFace::new(&f.id, &f.name, &f.livery));
        Heading { scenario: self.scenario, system: self.system, title: self.title, sides }
    }

    /// Of a game whose journal is about to grow by `grown` lines.
    pub(crate) fn of(heading: &Heading, play: &Play, grown: u64, status: Status) -> Self {
        let (dice, commitment) = dice_of(&play.table.header().dice);
        let face = |side: SideFace| Face { id: side.id, name: side.name, livery: side.livery };
        Summary {
            scenario: heading.scenario.clone(),
            system: heading.system.clone(),
            title: heading.title.clone(),
            sides: heading.sides.clone().map(face),
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
        let mut seats = seats.into_iter().map(Seat::of_row);
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
            sides: summary.sides.map(|f| SideFace::new(&f.id, &f.name, &f.livery)),
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
            created: row.made as u64,
            touched: row.touched as u64,
        })
    }
}
