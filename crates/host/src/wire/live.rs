//! What is said over the live connection.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::games::GameFace;
use super::positions::Position;
use super::problems::Problem;
use super::talk::ChatLine;

/// What a client says over the WebSocket.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum ClientMessage {
    /// Must come first, within ten seconds; said again it changes the eyes (hot-seat hand-over).
    Hello {
        /// The seat's token; none to watch.
        #[serde(default)]
        #[cfg_attr(feature = "declare", ts(optional))]
        token: Option<String>,
        /// The last state already known, so that the log begins at what is new; left out, it is whole.
        #[serde(default)]
        #[cfg_attr(feature = "declare", ts(as = "Option<u64>", optional))]
        state: u64,
        /// The last chat line already known.
        #[serde(default)]
        #[cfg_attr(feature = "declare", ts(as = "Option<u64>", optional))]
        chat_after: u64,
    },
    /// Answered by `pong`.
    Ping,
}

/// What the server says over the WebSocket.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ServerMessage {
    /// The answer to `hello`.
    Welcome {
        /// The game.
        game: Box<GameFace>,
        /// The present position.
        position: Box<Position>,
        /// Chat since `chat_after`.
        chat: Vec<ChatLine>,
    },
    /// Something happened.
    Position {
        /// The present position; its log begins where the last one ended.
        position: Box<Position>,
    },
    /// A seat was taken, somebody came or went, the computer began to think.
    Game {
        /// The game.
        game: Box<GameFace>,
    },
    /// A new line of chat.
    Chat {
        /// The line.
        line: ChatLine,
    },
    /// What the client said could not be understood or allowed.
    Problem {
        /// What is wrong.
        problem: Problem,
    },
    /// The answer to `ping`.
    Pong,
    /// The server is going down; connect again in a moment.
    Bye,
}
