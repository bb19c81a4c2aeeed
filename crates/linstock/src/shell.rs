//! What a shell and a manual want to know of the program.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow};
use clap::CommandFactory as _;
use clap_complete::Shell;

use crate::{Arguments, Failure, Outcome};

/// Completions for a shell, to standard output.
pub(crate) fn completions(shell: Shell) -> Outcome {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "linstock", &mut script);
    print(&script)
}

/// The manual: one page to standard output, or a page for every command into a folder.
pub(crate) fn man(folder: Option<PathBuf>) -> Outcome {
    match folder {
        Some(folder) => pages(&folder).map_err(Failure::Machine),
        None => {
            let mut page = Vec::new();
            clap_mangen::Man::new(Arguments::command())
                .render(&mut page)
                .map_err(|error| Failure::Machine(error.into()))?;
            print(&page)
        }
    }
}

fn pages(folder: &Path) -> anyhow::Result<()> {
    let place = || format!("the pages cannot be written to {}", folder.display());
    std::fs::create_dir_all(folder).with_context(place)?;
    clap_mangen::generate_to(Arguments::command(), folder).with_context(place)
}

fn print(text: &[u8]) -> Outcome {
    match std::io::stdout().write_all(text) {
        // Who stops reading has seen enough.
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        written => written.map_err(|error| Failure::Machine(anyhow!("it cannot be written: {error}"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_sound() {
        Arguments::command().debug_assert();
    }
}
