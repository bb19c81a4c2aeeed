//! Any text given as a scenario is opened or refused with its faults, never with a panic.
#![no_main]

use game::Options;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Ok(scenario) = catalogue::open_text("fuzz", text, &Options::new()) {
        let _ = scenario.info();
    }
});
