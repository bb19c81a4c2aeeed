//! Conditional orders: what a seat has said it will do, should it be asked while it is away.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// An order: if this is asked, then do that. The first that fits is used; what none fits, the player is asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Order {
    /// The kind of decision, as the prompt names it: `opportunity-fire`.
    #[schema(max_length = 60)]
    pub kind: String,
    /// When it applies.
    #[serde(rename = "if")]
    pub given: Given,
    /// What is done.
    pub then: Then,
    /// It holds for this turn alone; none until it is lifted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "declare", ts(optional))]
    pub turn: Option<u32>,
    /// The order in the board's words, for its owner. Data, never markup.
    #[schema(max_length = 200)]
    pub words: String,
}

/// When an order applies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Given {
    /// Whenever this is asked.
    Always,
    /// When this unit could act.
    Unit {
        /// Its number, as the offers have it.
        piece: u16,
    },
    /// When what is done would harm an enemy with at least this chance, in per cent.
    Odds {
        /// 1 to 100.
        #[schema(minimum = 1, maximum = 100)]
        least: u8,
    },
}

/// What an order does.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Then {
    /// Declines: holds fire, stands, passes.
    Decline,
    /// Takes the first offer of this verb.
    Take {
        /// As the offer has it: `fire`.
        #[schema(max_length = 60)]
        verb: String,
    },
    /// Lets the computer's captain decide.
    Captain,
}

/// `POST /api/v1/games/{game}/orders`: a seat's orders from now on, the first to be tried first.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct PutOrders {
    /// At most 20.
    #[schema(max_items = 20)]
    pub orders: Vec<Order>,
}

/// A seat's orders, for its own eyes.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
pub struct OrdersFace {
    /// The orders in force.
    pub orders: Vec<Order>,
    /// How often orders have decided so far.
    pub used: u32,
    /// The present turn, for orders that hold for it alone.
    pub turn: u32,
}
