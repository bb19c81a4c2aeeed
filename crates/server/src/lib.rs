//! Games over HTTP and WebSocket.

mod declare;
pub mod wire;

pub use declare::declare;
