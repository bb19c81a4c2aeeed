//! Games over HTTP and WebSocket.

pub mod wire;
