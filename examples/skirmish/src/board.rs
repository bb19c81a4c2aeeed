//! What a person sees.

use game::board::{Board, Ground, HexFace, HexGround, Offer, Piece, Prompt, SideFace, TrackCell, View};
use game::words::capital;
use game::{BySide, Display, Eyes, Notation, PieceId, Place};

use crate::{Action, Battle, Skirmish, State, cite};

impl Display for Skirmish {
    fn board(battle: &Battle) -> Board {
        let hexes = battle.grid.hexes().map(|hex| HexFace::new(battle.grid.name(hex).to_string(), "open"));
        let ground = HexGround::new(battle.grid.columns(), battle.grid.rows(), hexes.collect());
        let sides = BySide {
            first: SideFace::new("blue", "Blue", "union"),
            second: SideFace::new("grey", "Grey", "confederate"),
        };
        Board::new("Skirmish", &battle.head, sides, Ground::Hexes(ground))
    }

    fn view(battle: &Battle, state: &State, _: Eyes) -> View {
        let pieces = state.units.iter().zip(&battle.names).enumerate().map(|(index, (unit, slug))| {
            let place = match unit.men {
                0 => Place::Box("lost".into()),
                _ => Place::Hex(battle.grid.name(unit.hex).to_string()),
            };
            let id = PieceId(index as u16);
            let piece = Piece::new(id, unit.side, slug, &capital(slug), "infantry", place);
            Piece { big: unit.men.to_string(), spent: unit.acted, ..piece }
        });
        let track = (1..=battle.turns).map(|turn| TrackCell::new(turn, state.turn)).collect();
        View { track, ..View::new(pieces.collect(), state.points) }
    }

    fn prompt(_: &Battle, state: &State) -> Prompt {
        let sentence = "Choose a unit, then a hex to move to or an enemy to fire at.";
        Prompt::new(state.side, "act", sentence, cite!("1.b"))
    }

    fn offer(battle: &Battle, _: &State, action: &Action) -> Offer {
        let (notation, id) = (Self::write(battle, action), |unit: usize| PieceId(unit as u16));
        match *action {
            Action::Move(unit, to) => {
                let to = battle.grid.name(to).to_string();
                let offer = Offer::new(notation, "move", format!("Move to {to}"));
                Offer { piece: Some(id(unit)), place: Some(Place::Hex(to)), ..offer }
            }
            Action::Fire(unit, at) => {
                let offer = Offer::new(notation, "fire", format!("Fire at {}", capital(&battle.names[at])));
                Offer { piece: Some(id(unit)), targets: vec![id(at)], rolls: true, ..offer }
            }
            Action::Done => Offer { button: true, ..Offer::new(notation, "done", "End the turn") },
        }
    }
}
