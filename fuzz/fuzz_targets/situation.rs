//! Any text given as a situation is run or refused with its faults, never with a panic.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let _ = catalogue::try_situation("fuzz", text);
});
