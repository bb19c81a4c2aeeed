//! The last view of a game, packed and kept beside its journal.

use std::io::{Read, Write};

use catalogue::Table;
use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use host::{Still, Volume};
use store::Picture;

/// The largest picture that is kept or read, in bytes before it is packed.
const LARGEST: u64 = 16 << 20;

/// The view that a picture shows.
pub(crate) fn read(picture: &Picture) -> Option<Still> {
    serde_json::from_slice(&unpacked(&picture.body)?).ok()
}

/// The picture of a game at the state it has come to.
pub(crate) fn picture(table: &dyn Table, volume: &Volume, state: u64) -> Option<Picture> {
    let still = Still::of(table)?;
    let (board, tag) = volume.board();
    Some(Picture {
        state: state as i64,
        board_hash: tag.trim_matches('"').to_owned(),
        board: packed(&board)?,
        body: packed(&serde_json::to_vec(&still).ok()?)?,
    })
}

fn packed(bytes: &[u8]) -> Option<Vec<u8>> {
    if bytes.len() as u64 > LARGEST {
        return None;
    }
    let mut packer = ZlibEncoder::new(Vec::new(), Compression::default());
    packer.write_all(bytes).ok()?;
    packer.finish().ok()
}

pub(crate) fn unpacked(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    ZlibDecoder::new(bytes).take(LARGEST).read_to_end(&mut out).ok()?;
    Some(out)
}
