//! Boards, views and pieces with nothing special about them: a system begins with these and adds what it has.

use super::{
    Board, Ground, HexFace, HexGround, OverlayName, OverlayOf, Piece, PieceId, Place, Prompt, SideFace,
    TrackCell, View,
};
use crate::scenario::Head;
use crate::{BySide, Rule, Side};

impl Board {
    /// A board of `system` with the head of its scenario; charts, options and overlays are still empty:
    /// `Board { charts, ..Board::new("Battle Hymn", &battle.head, sides, ground) }`.
    #[must_use]
    pub fn new(system: &str, head: &Head, sides: BySide<SideFace>, ground: Ground) -> Self {
        Board {
            system: system.into(),
            title: head.title.clone(),
            subtitle: head.subtitle.clone(),
            blurb: head.blurb.clone(),
            sides,
            ground,
            charts: Vec::new(),
            options: Vec::new(),
            overlays: Vec::new(),
        }
    }
}

impl OverlayName {
    /// `OverlayName::new("zones", "Zones of control", OverlayOf::Board)`.
    #[must_use]
    pub fn new(id: &str, name: &str, of: OverlayOf) -> Self {
        OverlayName { id: id.into(), name: name.into(), of }
    }
}

impl Prompt {
    /// A decision of this kind, asked in one sentence.
    #[must_use]
    pub fn new(side: Side, kind: &str, sentence: impl Into<String>, rule: Rule) -> Self {
        Prompt { side, kind: kind.into(), sentence: sentence.into(), detail: String::new(), rule }
    }
}

impl HexGround {
    /// A map without art or hexsides, the even columns half a hex lower.
    #[must_use]
    pub fn new(cols: u16, rows: u16, hexes: Vec<HexFace>) -> Self {
        HexGround {
            cols,
            rows,
            even_low: true,
            hex_yards: 100,
            inset: [0, 0],
            survey: serde_json::Value::Null,
            hexes,
            sides: Vec::new(),
        }
    }
}

impl HexFace {
    /// `HexFace::new("0910", "woods")`.
    #[must_use]
    pub fn new(hex: impl Into<String>, terrain: &str) -> Self {
        HexFace { hex: hex.into(), terrain: terrain.into(), level: 0, name: None }
    }
}

impl View {
    /// These pieces and this score.
    #[must_use]
    pub fn new(pieces: Vec<Piece>, score: BySide<i32>) -> Self {
        View {
            pieces,
            marks: Vec::new(),
            track: Vec::new(),
            phases: Vec::new(),
            panels: Vec::new(),
            score,
            tally: Vec::new(),
            combat: None,
        }
    }
}

impl TrackCell {
    /// A turn of a battle whose present turn is `now`.
    #[must_use]
    pub fn new(turn: u8, now: u8) -> Self {
        TrackCell {
            label: turn.to_string(),
            sub: String::new(),
            side: None,
            now: turn == now,
            past: turn < now,
            night: false,
            flag: false,
            check: false,
        }
    }
}

impl Piece {
    /// A unit in good order: `Piece { gauge, ..Piece::new(PieceId(0), side, "meredith", "Meredith", "infantry", place) }`.
    #[must_use]
    pub fn new(id: PieceId, side: Side, slug: &str, name: &str, arm: &str, place: Place) -> Self {
        Piece {
            id,
            slug: slug.into(),
            side,
            name: name.into(),
            byname: None,
            arm: arm.into(),
            band: None,
            place,
            footprint: None,
            big: String::new(),
            small: Vec::new(),
            gauge: None,
            figures: Vec::new(),
            state: None,
            badges: Vec::new(),
            spent: false,
            hidden: false,
            livery: None,
        }
    }
}
