use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::Path;

/// Rules that a test proves if it comes to its end. Kept in the folder that `LINSTOCK_PROOFS` names; without it nothing
/// is written.
#[derive(Debug)]
pub struct Proof {
    system: &'static str,
    ids: &'static [&'static str],
}

impl Proof {
    /// Made by [`crate::proves!`].
    #[must_use]
    pub fn new(system: &'static str, ids: &'static [&'static str]) -> Self {
        Proof { system, ids }
    }
}

impl Drop for Proof {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            record(self.system, self.ids, "a Rust test");
        }
    }
}

pub(crate) fn record(system: &str, ids: &[impl AsRef<str>], by: &str) {
    let Some(folder) = std::env::var_os("LINSTOCK_PROOFS") else { return };
    let folder = Path::new(&folder);
    fs::create_dir_all(folder).expect("the folder of proofs can be made");
    let path = folder.join(format!("{system}.tsv"));
    let mut file =
        OpenOptions::new().create(true).append(true).open(path).expect("the proofs can be written");
    let rows: String = ids.iter().map(|id| format!("{}\t{by}\n", id.as_ref())).collect();
    file.write_all(rows.as_bytes()).expect("the proofs can be written");
}
