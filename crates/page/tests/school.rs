//! School without a server: demonstrations and lessons in a page.

use page::{Page, handle};
use serde_json::{Value, json};

const LESSON: &str = include_str!("../../../lessons/battle-hymn/03-zone-of-control.toml");
const SITUATION: &str = include_str!("../../battle-hymn/situations/05-movement/5.3.a-zone-stops.toml");

/// Asks as over HTTP: the status, the body, and the game to keep.
fn http(page: &mut Page, path: &str, token: Option<&str>, body: Value) -> (u64, Value, Value) {
    let token = token.map(|token| format!("Bearer {token}"));
    let random: String = (0..160u32).map(|i| format!("{:02x}", (i * 7 + path.len() as u32) % 256)).collect();
    let request = json!({ "ask": "http", "method": "POST", "path": path, "token": token, "body": body, "now": 1,
        "random": random });
    let answer: Value = serde_json::from_str(&handle(page, &request.to_string())).expect("JSON");
    (answer["status"].as_u64().expect("a status"), answer["body"].clone(), answer["keep"].clone())
}

#[test]
fn a_situation_is_shown_and_taken_over() {
    let page = &mut Page::default();
    let (status, shown, _) = http(page, "/api/v1/situations", None, json!({ "text": SITUATION }));
    assert_eq!(status, 200, "{shown}");
    assert_eq!(shown["steps"].as_array().unwrap().len(), 2);
    let seats = json!({ "first": { "kind": "here", "name": "Ada" }, "second": { "kind": "computer", "level": "captain" } });
    let body = json!({ "journal": shown["journal"], "seats": seats });
    let (status, created, _) = http(page, "/api/v1/games/import", None, body);
    assert_eq!((status, &created["broken"]), (201, &Value::Null), "{created}");
}

#[test]
fn a_lesson_is_solved_and_taken_up_again() {
    let page = &mut Page::default();
    let seats = json!({ "first": { "kind": "here", "name": "Ada" }, "second": { "kind": "link" } });
    let new = json!({ "scenario": "battle-hymn/zone", "text": LESSON, "seats": seats });
    let (status, created, kept) = http(page, "/api/v1/games", None, new);
    assert_eq!(status, 201, "{created}");
    let game = created["game"].as_str().unwrap().to_owned();
    let token = created["seats"]["first"]["token"].as_str().unwrap().to_owned();
    assert_eq!(kept["seats"]["second"]["kind"], "computer");
    let path = format!("/api/v1/games/{game}/lesson");
    let act = json!({ "id": "act-000001", "state": 1, "action": "march weed 0605" });
    let (status, acted, kept) = http(page, &format!("/api/v1/games/{game}/acts"), Some(&token), act);
    assert_eq!(status, 200, "{acted}");
    let solved = |page: &mut Page| http(page, &path, Some(&token), json!({})).1["solved"].clone();
    assert_eq!(solved(page), true);
    let page = &mut Page::default();
    let opened = handle(page, &json!({ "ask": "open", "record": kept }).to_string());
    assert!(opened.contains("200"), "{opened}");
    assert_eq!(solved(page), true, "after the page was closed");
}
