//! Any text given as a journal opens up to its last good line, never with a panic.
#![no_main]

use game::journal;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let Ok(parsed) = journal::parse(text) else { return };
    let header = parsed.header.clone();
    let opened = match &header.text {
        Some(text) => catalogue::open_text(&header.scenario, text, &header.options),
        None => catalogue::open(&header.scenario, &header.options),
    };
    let Ok(scenario) = opened else { return };
    if let Ok((table, _)) = scenario.resume(parsed, None) {
        let _ = table.verify();
    }
});
