//! What is wrong with a set-up, and what to do about it.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::path::Path;

use clap::{Args, CommandFactory as _};
use game::Options;

use crate::place::{self, Tenant};
use crate::say::say;
use crate::serve::Serve;
use crate::{Arguments, Failure, Outcome};

/// Tell what is wrong with a set-up. Takes the options of `serve`, and changes nothing.
#[derive(Args)]
pub(crate) struct Doctor {
    #[command(flatten)]
    serve: Serve,
}

/// How a check went.
enum Finding {
    Well(String),
    /// It works, but somebody should know.
    Odd(String),
    Wrong {
        what: String,
        remedy: String,
    },
}

fn wrong(what: impl Into<String>, remedy: impl Into<String>) -> Finding {
    Finding::Wrong { what: what.into(), remedy: remedy.into() }
}

impl Doctor {
    pub(crate) fn run(self) -> Outcome {
        say!("linstock {}", env!("CARGO_PKG_VERSION"));
        let findings = [
            ("rules", rules()),
            ("board", board()),
            ("data", data(&self.serve.data())),
            ("address", address(self.serve.given_addr())),
            ("names", names(&self.serve)),
            ("settings", settings(std::env::vars_os().filter_map(|(name, _)| name.into_string().ok()))),
            ("browser", browser()),
        ];
        let mut sick = false;
        for (part, finding) in findings {
            match finding {
                Finding::Well(said) => say!("ok     {part:<9} {said}"),
                Finding::Odd(said) => say!("note   {part:<9} {said}"),
                Finding::Wrong { what, remedy } => {
                    sick = true;
                    say!("WRONG  {part:<9} {what}\n                 {remedy}");
                }
            }
        }
        if sick { Err(Failure::DoesNotHold) } else { Ok(()) }
    }
}

/// Every scenario of the library can be set up.
fn rules() -> Finding {
    let ids = catalogue::scenario_ids();
    let faulty = ids.iter().find_map(|id| Some((id, catalogue::open(id, &Options::new()).err()?)));
    match faulty {
        None if ids.is_empty() => {
            wrong("the program carries no scenarios", "Install it again; this build is incomplete.")
        }
        None => Finding::Well(format!(
            "{} systems, {} scenarios, all can be set up",
            catalogue::systems().len(),
            ids.len()
        )),
        Some((id, error)) => {
            wrong(format!("{id} cannot be set up: {error}"), "Install the program again, or report this.")
        }
    }
}

#[cfg(feature = "serve")]
fn board() -> Finding {
    match server::board_files() {
        0 => {
            let remedy = "Run `npm ci && npm run build` in web, then build the program again.";
            wrong("this program was built without the board", remedy)
        }
        files => Finding::Well(format!("inside the program ({files} files)")),
    }
}

#[cfg(not(feature = "serve"))]
fn board() -> Finding {
    Finding::Odd("this build has no board; build it with the feature `serve`".to_owned())
}

/// The data folder can be written, or could be made.
fn data(folder: &Path) -> Finding {
    let shown = folder.display();
    if place::in_use(folder) {
        return Finding::Odd(format!("{shown} is in use by a Linstock that runs now"));
    }
    // Where the folder would be made, if it is not there yet.
    let Some(there) = folder.ancestors().map(here).find(|f| f.exists()) else {
        return wrong(format!("{shown} cannot be reached"), "Name another folder with --data.");
    };
    if !there.is_dir() {
        return wrong(
            format!("{} is a file, not a folder", there.display()),
            "Name another folder with --data.",
        );
    }
    match try_to_write(there) {
        Ok(()) if there == here(folder) => Finding::Well(format!("{shown} can be written")),
        Ok(()) => Finding::Well(format!("{shown} will be made")),
        Err(error) => wrong(
            format!("{} cannot be written: {error}", there.display()),
            "Give the folder to the user that runs Linstock, make room, or name another with --data.",
        ),
    }
}

/// The empty path is the folder we are in.
fn here(path: &Path) -> &Path {
    if path.as_os_str().is_empty() { Path::new(".") } else { path }
}

/// As much as a busy minute writes, so that a full disk is noticed too.
fn try_to_write(folder: &Path) -> io::Result<()> {
    let trial = folder.join(format!(".linstock-doctor-{}", std::process::id()));
    let written = File::create_new(&trial)
        .and_then(|mut file| io::Write::write_all(&mut file, &[0; 1 << 16]).and_then(|()| file.sync_all()));
    let removed = fs::remove_file(&trial);
    written.and(removed)
}

fn address(given: Option<SocketAddr>) -> Finding {
    let addr = given.unwrap_or(place::USUAL);
    match TcpListener::bind(addr) {
        Ok(_) => Finding::Well(format!("{addr} is free")),
        Err(error) if error.kind() == io::ErrorKind::AddrInUse => match (place::tenant(addr), given) {
            (Tenant::Linstock, None) => Finding::Odd(format!(
                "{addr} is taken by another Linstock; `linstock serve` will take the next free port"
            )),
            (Tenant::Linstock, Some(_)) => Finding::Odd(format!("a Linstock is running at http://{addr}")),
            (Tenant::Stranger, _) => wrong(
                format!("{addr} is taken by another program"),
                "Choose another port: linstock serve --addr 127.0.0.1:1864",
            ),
        },
        Err(error) => wrong(
            format!("cannot listen on {addr}: {error}"),
            "Choose an address of this machine, and a port above 1023: --addr 127.0.0.1:1863",
        ),
    }
}

/// Whoever lets others in should name the names it goes by.
fn names(serve: &Serve) -> Finding {
    let addr = serve.given_addr().unwrap_or(place::USUAL);
    match (addr.ip().is_loopback(), serve.hosts()) {
        (true, []) => Finding::Well("only this machine can connect".to_owned()),
        (false, []) => Finding::Odd(format!(
            "{addr} is open to others under any name; give --host with the name that players use"
        )),
        (_, hosts) => Finding::Well(hosts.join(", ")),
    }
}

/// Settings in the environment that nobody reads are mistyped.
fn settings(set: impl Iterator<Item = String>) -> Finding {
    let known = known_settings();
    let ours: Vec<String> = set.filter(|name| name.starts_with("LINSTOCK_")).collect();
    let strange: Vec<&str> = ours.iter().map(String::as_str).filter(|name| !known.contains(*name)).collect();
    if strange.is_empty() {
        return Finding::Well(match ours.len() {
            0 => "none in the environment".to_owned(),
            n => format!("{n} in the environment, all known"),
        });
    }
    let known: Vec<&str> = known.iter().map(String::as_str).collect();
    wrong(
        format!("nothing reads {}", strange.join(", ")),
        format!("Correct or remove it. Known are {}.", known.join(", ")),
    )
}

fn known_settings() -> BTreeSet<String> {
    let program = Arguments::command();
    let of_serve = program.find_subcommand("serve").into_iter().flat_map(clap::Command::get_arguments);
    let named = of_serve.filter_map(|argument| argument.get_env()?.to_str().map(str::to_owned));
    named.chain(["LINSTOCK_LOG", "LINSTOCK_LOG_JSON"].map(str::to_owned)).collect()
}

fn browser() -> Finding {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = |name: &&&str| std::env::split_paths(&path).any(|folder| folder.join(name).is_file());
    match place::OPENERS.iter().chain(place::WINDOWS).find(found) {
        Some(opener) => Finding::Well(format!("`--open` uses {opener}")),
        None => Finding::Odd("none found; open the address that `linstock serve` prints yourself".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_wrong(finding: &Finding, word: &str) -> bool {
        matches!(finding, Finding::Wrong { what, .. } if what.contains(word))
    }

    #[test]
    fn a_mistyped_setting_is_named() {
        let set = |name: &str| settings([name.to_owned(), "HOME".to_owned()].into_iter());
        assert!(is_wrong(&set("LINSTOCK_DTAA"), "LINSTOCK_DTAA"));
        assert!(matches!(set("LINSTOCK_DATA"), Finding::Well(_)));
        assert!(matches!(set("LINSTOCK_LOG"), Finding::Well(_)));
    }

    #[test]
    fn a_data_folder_that_is_a_file_is_found_out() {
        let file = std::env::temp_dir().join(format!("linstock-doctor-file-{}", std::process::id()));
        fs::write(&file, "").unwrap();
        assert!(is_wrong(&data(&file.join("data")), "is a file"));
        fs::remove_file(&file).unwrap();
        let folder = std::env::temp_dir().join(format!("linstock-doctor-none-{}", std::process::id()));
        assert!(matches!(data(&folder), Finding::Well(said) if said.ends_with("will be made")));
        assert!(!folder.exists(), "looking changes nothing");
    }

    #[test]
    fn a_port_that_a_stranger_has_is_told() {
        let stranger = TcpListener::bind("127.0.0.1:0").unwrap();
        let addr = stranger.local_addr().unwrap();
        assert!(is_wrong(&address(Some(addr)), "another program"));
        drop(stranger);
    }
}
