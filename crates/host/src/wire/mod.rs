//! Everything that travels between the server and a client. The TypeScript declarations in `web/src/wire` and the
//! OpenAPI description are generated from these types; `docs/api.md` explains them.

mod accounts;
mod acting;
mod clocks;
mod descriptions;
mod dice;
mod games;
mod library;
mod live;
mod lobby;
mod notices;
mod order;
mod orders;
mod positions;
mod problems;
mod ratings;
mod school;
mod studies;
mod talk;

pub use accounts::*;
pub use acting::*;
pub use clocks::*;
pub use descriptions::*;
pub use dice::*;
pub use games::*;
pub use library::*;
pub use live::*;
pub use lobby::*;
pub use notices::*;
pub use order::*;
pub use orders::*;
pub use positions::*;
pub use problems::*;
pub use ratings::*;
pub use school::*;
pub use studies::*;
pub use talk::*;
