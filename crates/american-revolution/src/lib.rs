//! Battles of the American Revolution, the series rules of June 2022, as a pure function.

//!

//! | chapter of the book | file |

//! | --- | --- |

//! | 1. Introduction: what single volumes add | `rules/volume.rs` |

//! | 2. Components, 3. Terminology | `setup/battle.rs`, `rules/charts.rs` |

//! | 4. How To Win | `rules/how_to_win.rs` |

//! | 5. Sequence of Play | `rules/sequence.rs` |

//! | 6. Initiative | `rules/initiative.rs` |

//! | 7. Stacking; 7.4 limited intelligence | `rules/stacking.rs`; `rules/intelligence.rs` |

//! | 8. Zones of Control | `rules/zones.rs` |

//! | 9. Movement; pins in 9.3, 9.6 and 13.1 | `rules/movement.rs`; `rules/pins.rs` |

//! | 10. Rifle Fire | `rules/rifle_fire.rs` |

//! | 11. Defensive Artillery Fire | `rules/artillery_fire.rs` |

//! | 12. Close Combat | `rules/close_combat.rs` |

//! | 12.1 who attacks whom; 12.23 advance | `rules/designation.rs`; `rules/advance.rs` |

//! | 12.5 tactics; 12.6 momentum | `rules/tactics.rs`; `rules/momentum.rs` |

//! | 13. Combat Results; 13.2 retreat | `rules/results.rs`; `rules/retreat.rs` |

//! | 14. Leaders | `rules/leaders.rs` |

//! | 15. Rally and Unit Morale, 13.5 morale checks | `rules/rally.rs` |

//! | 16. Army Morale | `rules/army_morale.rs` |

game::rulebook!();

mod action;
mod at;
mod board;
mod contract;
mod facts;
mod invariant;
mod judgement;
mod legal;
mod notation;
mod rules;
mod setup;
mod state;

pub use action::{Action, Way};
pub use at::At;
pub use invariant::invariant;
pub use rules::sequence::Step;
pub use rules::tactics::Tactic;
pub use setup::battle::{Arm, Battle, Counter, LeaderSheet, Roles, Start};
pub use setup::pieces::{Piece, Pieces};
pub use state::{Attack, Ending, Level, Order, Phase, Pin, Shot, Spot, State};

/// The system.
#[derive(Debug, Clone, Copy)]
pub struct AmericanRevolution;
