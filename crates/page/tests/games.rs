//! Whole games in a page: the same journals as on a server, and a page that is closed and opened again goes on where it was.

use page::{Page, handle};
use serde_json::{Value, json};

/// A page and whatever its browser would keep.
struct Browser {
    page: Page,
    now: u64,
    kept: Option<Value>,
}

impl Browser {
    fn new() -> Self {
        Browser { page: Page::default(), now: 1_000, kept: None }
    }

    fn ask(&mut self, request: Value) -> (u64, Value) {
        let answer: Value =
            serde_json::from_str(&handle(&mut self.page, &request.to_string())).expect("JSON");
        if !answer["keep"].is_null() {
            self.kept = Some(answer["keep"].clone());
        }
        (answer["status"].as_u64().expect("a status"), answer["body"].clone())
    }

    fn http(&mut self, method: &str, path: &str, token: Option<&str>, body: Value) -> (u64, Value) {
        self.now += 1;
        // Never the same twice, as the browser promises.
        let random: String = (0..160u64).map(|i| format!("{:02x}", (self.now * 31 + i * 7) % 256)).collect();
        let token = token.map(|token| format!("Bearer {token}"));
        self.ask(json!({ "ask": "http", "method": method, "path": path, "token": token, "body": body,
            "now": self.now, "random": random }))
    }

    fn begin(&mut self, scenario: &str, second: Value) -> (String, String) {
        self.begin_agreed(scenario, second, false)
    }

    fn begin_agreed(&mut self, scenario: &str, second: Value, rolls_back: bool) -> (String, String) {
        let body = json!({ "scenario": scenario, "salt": "0f".repeat(16), "rolls_back": rolls_back,
            "seats": { "first": { "kind": "here", "name": "Ada" }, "second": second } });
        let (status, created) = self.http("POST", "/api/v1/games", None, body);
        assert_eq!(status, 201, "{scenario}: {created}");
        let text = |value: &Value| value.as_str().expect("text").to_owned();
        (text(&created["game"]), text(&created["seats"]["first"]["token"]))
    }

    fn position(&mut self, game: &str, token: &str) -> Value {
        let (status, position) =
            self.http("GET", &format!("/api/v1/games/{game}/position?log_from=0"), Some(token), Value::Null);
        assert_eq!(status, 200, "{position}");
        position
    }

    /// Plays one decision, whoever must decide; false at the end.
    fn step(&mut self, game: &str, token: &str, pick: usize) -> bool {
        let position = self.position(game, token);
        let status = &position["status"];
        if status["kind"] == "over" {
            return false;
        }
        if status["side"] == "first" {
            let offers = position["offers"].as_array().expect("offers");
            let action = &offers[pick % offers.len()]["action"];
            let act = json!({ "id": format!("act-{pick:06}"), "state": position["state"], "action": action, "salt": "0f".repeat(16) });
            let (status, answer) = self.http("POST", &format!("/api/v1/games/{game}/acts"), Some(token), act);
            assert_eq!(status, 200, "{answer}");
        } else {
            self.now += 1;
            let (status, answer) = self.ask(json!({ "ask": "think", "game": game, "now": self.now }));
            assert_eq!((status, answer), (200, json!(true)));
        }
        true
    }
}

const DRILLS: [&str; 5] = [
    "battle-hymn/drill",
    "brigade-battles/drill",
    "american-revolution/drill",
    "hallowed-ground/drill",
    "fields-of-honor/drill-ground",
];

/// A journal replayed by the native engine, every roll computed again.
fn verified(journal: &str) -> bool {
    let parsed = game::journal::parse(journal).expect("a journal");
    let scenario = catalogue::open(&parsed.header.scenario, &parsed.header.options).expect("a scenario");
    let (table, broken) = scenario.resume(parsed, None).expect("a game");
    broken.is_none() && table.verify().is_ok()
}

#[test]
fn a_game_against_the_computer_goes_on_in_a_page_that_was_closed() {
    for scenario in DRILLS {
        let mut browser = Browser::new();
        let (game, token) = browser.begin(scenario, json!({ "kind": "computer", "level": "captain" }));
        for pick in 0..30 {
            if !browser.step(&game, &token, pick * 7) {
                break;
            }
        }
        let before = browser.position(&game, &token);
        let kept = browser.kept.clone().expect("something to keep");
        let mut again = Browser { now: browser.now + 1_000, ..Browser::new() };
        assert_eq!(again.ask(json!({ "ask": "open", "record": kept })).0, 200);
        assert_eq!(again.position(&game, &token), before, "{scenario}: closed and opened");
        again.step(&game, &token, 3);
    }
}

#[test]
fn a_roll_stays_unless_the_battle_was_set_up_otherwise() {
    let begin = |rolls_back: bool| {
        let mut browser = Browser::new();
        let opponent = json!({ "kind": "computer", "level": "captain" });
        let (game, token) = browser.begin_agreed("battle-hymn/drill", opponent, rolls_back);
        (browser, game, token)
    };
    let undo = |browser: &mut Browser, game: &str, token: &str| {
        let state = browser.position(game, token)["state"].clone();
        let body = json!({ "id": "undo-0000", "state": state });
        browser.http("POST", &format!("/api/v1/games/{game}/undo"), Some(token), body)
    };
    let (mut browser, game, token) = begin(false);
    let rolled = (0..100).find(|pick| {
        browser.step(&game, &token, pick * 7);
        browser.position(&game, &token)["undo"] == "rolled"
    });
    let rolled = rolled.expect("dice fall at last");
    let (status, answer) = undo(&mut browser, &game, &token);
    assert_eq!((status, &answer["code"]), (409, &json!("settled")), "{answer}");

    let (mut browser, game, token) = begin(true);
    for pick in 0..=rolled {
        browser.step(&game, &token, pick * 7);
    }
    assert_eq!(browser.position(&game, &token)["undo"], "free");
    let (status, answer) = undo(&mut browser, &game, &token);
    assert_eq!((status, &answer["done"]), (200, &json!("taken_back")), "{answer}");
}

#[test]
fn a_finished_game_tells_its_journal_and_its_dice_hold() {
    for scenario in DRILLS {
        let mut browser = Browser::new();
        let (game, token) = browser.begin(scenario, json!({ "kind": "computer", "level": "random" }));
        let mut pick = 0;
        while pick < 60 && browser.step(&game, &token, pick * 11) {
            pick += 1;
        }
        let state = browser.position(&game, &token)["state"].clone();
        let resign = json!({ "id": "resigning", "state": state });
        let (status, answer) =
            browser.http("POST", &format!("/api/v1/games/{game}/resign"), Some(&token), resign);
        assert!([200, 409].contains(&status), "{scenario}: {answer}");
        let position = browser.position(&game, &token);
        if position["status"]["kind"] != "over" {
            continue; // The computer decides; only who decides may give up.
        }
        let (status, proof) =
            browser.http("GET", &format!("/api/v1/games/{game}/dice"), Some(&token), Value::Null);
        assert_eq!((status, &proof["verdict"]), (200, &json!("holds")), "{scenario}: {proof}");
        let (_, journal) =
            browser.http("GET", &format!("/api/v1/games/{game}/journal"), Some(&token), Value::Null);
        assert!(verified(journal.as_str().expect("text")), "{scenario}");
    }
}

#[test]
fn what_a_server_refuses_a_page_refuses() {
    let mut browser = Browser::new();
    let (game, token) = browser.begin("battle-hymn/drill", json!({ "kind": "link" }));
    let path = |rest: &str| format!("/api/v1/games/{game}{rest}");
    let code = |(status, body): (u64, Value)| (status, body["code"].as_str().unwrap_or_default().to_owned());
    assert_eq!(code(browser.http("GET", &path("/position"), None, Value::Null)), (401, "seat_needed".into()));
    assert_eq!(
        code(browser.http("GET", &path(""), Some(&"0".repeat(64)), Value::Null)),
        (403, "forged_seat".into())
    );
    assert_eq!(
        code(browser.http("GET", "/api/v1/games/aaaaaaaaaaaaaaaa", None, Value::Null)),
        (404, "no_such_game".into())
    );
    assert_eq!(code(browser.http("POST", "/api/v1/nothing", None, json!({}))), (404, "no_such_page".into()));
    let act = |state: u64, action: &str| json!({ "id": "act-00000", "state": state, "action": action, "salt": "0f".repeat(16) });
    assert_eq!(code(browser.http("POST", &path("/acts"), Some(&token), act(99, "x"))), (409, "stale".into()));
    let state = browser.position(&game, &token)["state"].as_u64().expect("a state");
    assert_eq!(code(browser.http("POST", &path("/acts"), Some(&token), act(state, "dance"))).0, 422);
    assert_eq!(code(browser.ask(json!({ "ask": "sing" }))), (400, "malformed".into()));
}
