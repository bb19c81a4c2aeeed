//! Every rule as a situation.

suite::situation_tests!(skirmish::Skirmish, "situations");
