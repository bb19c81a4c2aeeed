//! Standard output: it may be closed before everything is said, and what is said may come from a file of strangers.

use std::fmt::Arguments;
use std::io::{self, ErrorKind, Write as _};
use std::process;

/// A line on standard output, without the control characters that a title or a name may hold.
macro_rules! say {
    ($($words:tt)*) => { $crate::say::line(format_args!($($words)*)) };
}
pub(crate) use say;

/// Who stops reading has seen enough: then the program ends, quietly and well.
pub(crate) fn line(words: Arguments<'_>) {
    let words = game::faults::printable(&words.to_string());
    match writeln!(io::stdout(), "{words}") {
        Ok(()) => {}
        Err(e) if e.kind() == ErrorKind::BrokenPipe => process::exit(0),
        Err(e) => {
            complain(format_args!("the answer cannot be written: {e}"));
            process::exit(3);
        }
    }
}

/// A line on standard error; if nobody hears it, nobody does.
pub(crate) fn complain(words: Arguments<'_>) {
    let words = game::faults::printable(&words.to_string());
    let _ = writeln!(io::stderr(), "linstock: {words}");
}
