game::rulebook!();
