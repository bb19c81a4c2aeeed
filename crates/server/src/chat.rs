//! Chat between the seats.

use std::sync::Arc;

use game::Side;
use store::{ChatRow, Request, StoreError};

use crate::problem::OrFailed;
use crate::room::{News, Room};
use crate::world;
use host::Failure;
use host::requests;
use host::seats::{Held, Tokens};
use host::wire::{ChatLine, Code, Say};

/// How many lines are read at once.
const MOST: i64 = 500;
/// How often somebody who was too late with a line tries the next number.
const ATTEMPTS: usize = 8;

/// Lines after `after`, for seats and, where the game is public, for bystanders.
pub(crate) async fn read(room: &Room, held: Held, after: u64) -> Result<Vec<ChatLine>, Failure> {
    if held.none() && !room.about.public {
        return Ok(Vec::new());
    }
    let hidden = room.hidden(held).await?;
    let rows = room
        .shared
        .store
        .chat(&room.about.id, i64::try_from(after).unwrap_or(i64::MAX), MOST)
        .await
        .or_failed()?;
    Ok(rows.into_iter().map(line).filter(|line| Some(line.side) != hidden).collect())
}

/// All lines after `after`, as far as they are read at once.
pub(crate) async fn since(room: &Room, after: i64) -> Result<Vec<ChatLine>, Failure> {
    let rows = room.shared.store.chat(&room.about.id, after, MOST).await.or_failed()?;
    Ok(rows.into_iter().map(line).collect())
}

/// Says something; said twice with the same id it stands once.
pub(crate) async fn say(room: Arc<Room>, tokens: Tokens, say: Say) -> Result<ChatLine, Failure> {
    requests::check_id(&say.id)?;
    let text = requests::chat(&say.text)?;
    let content = requests::content(&["chat", &text], &None, &[]);
    for _ in 0..ATTEMPTS {
        let mut play = room.play().await?;
        let side = tokens.seats(&play.seats)?.must_sit(play.decides())?;
        room.may_talk(side).await?;
        let n = play.chat + 1;
        room.shared.owners.may_say(play.chat as u64)?;
        let row = ChatRow {
            n,
            side: side.index() as i64,
            name: play.seats[side].name.clone(),
            text: text.clone(),
            at: world::now() as i64,
        };
        let request = Request {
            id: say.id.clone(),
            content: content.clone(),
            answer: n.to_string(),
            seq: play.state as i64 + 1,
        };
        match room.shared.store.say(&room.about.id, row.clone(), request).await {
            Ok(version) => {
                room.advance(version);
                play.chat = n;
                let line = line(row);
                room.tell(News::Chat(line.clone()));
                return Ok(line);
            }
            // Said before; or somebody on another node was faster with a line of this number.
            Err(StoreError::Conflict) => {
                if let Some(line) = said_before(&room, &say.id, &content).await? {
                    return Ok(line);
                }
            }
            Err(error) => return Err(crate::problem::store_failed(error)),
        }
    }
    Err(Failure::new(Code::Busy, "Too many write in this game at once; try again in a moment."))
}

async fn said_before(room: &Room, id: &str, content: &str) -> Result<Option<ChatLine>, Failure> {
    let reused = || Failure::new(Code::IdReused, "This id was used for something else.");
    let Some(request) = room.shared.store.request(&room.about.id, id).await.or_failed()? else {
        return Ok(None);
    };
    if request.content != content {
        return Err(reused());
    }
    let n: i64 = request.answer.parse().map_err(|_| reused())?;
    let row = room.shared.store.chat(&room.about.id, n - 1, 1).await.or_failed()?.pop().ok_or_else(reused)?;
    Ok(Some(line(row)))
}

fn line(row: ChatRow) -> ChatLine {
    let side = if row.side == 0 { Side::First } else { Side::Second };
    ChatLine { n: row.n as u64, side, name: row.name, text: row.text, at: row.at as u64 }
}
