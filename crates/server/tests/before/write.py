#!/usr/bin/env python3
"""Plays games against the server of an older version and writes its database down for `upgrade.rs`.

    python3 write.py OLDER/target/debug/linstock 18400 OLDER/scenarios/brigade-battles/drill.toml

writes linstock.sql and games.json beside this file. Only the standard library, and only what that version's own interface has.
"""

import json, pathlib, random, secrets, sqlite3, subprocess, sys, tempfile, time, urllib.error, urllib.request

PROGRAM, PORT, MINE = sys.argv[1:]
BASE = f"http://127.0.0.1:{PORT}"
HERE = pathlib.Path(__file__).parent
DRILLS = [
    "battle-hymn/drill",
    "brigade-battles/drill",
    "american-revolution/drill",
    "hallowed-ground/drill",
    "fields-of-honor/drill-ground",
]
dice = random.Random(1863)


def ask(method, path, body=None, token=None):
    headers = {"Content-Type": "application/json", "Origin": BASE}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(f"{BASE}/api{path}", data, headers, method=method)
    try:
        with urllib.request.urlopen(request) as answer:
            return json.loads(answer.read())
    except urllib.error.HTTPError as error:
        raise SystemExit(f"{method} {path}: {error.code} {error.read().decode()[:400]}") from error


class Game:
    def __init__(self, scenario, second=None, **more):
        first = {"kind": "here", "name": "Ada"}
        seats = {"first": first, "second": second or {"kind": "here", "name": "Grace"}}
        made = ask("POST", "/games", {"scenario": scenario, "seats": seats, "salt": secrets.token_hex(16), **more})
        self.id, self.scenario = made["game"], scenario
        self.tokens = {side: made["seats"][side]["token"] for side in ("first", "second")}
        self.say(f"Well met, {scenario}.")

    def say(self, text):
        ask("POST", f"/games/{self.id}/chat", {"id": secrets.token_hex(8), "text": text}, self.tokens["first"])

    def face(self):
        return ask("GET", f"/games/{self.id}", token=self.tokens["first"])

    def send(self, what, token, **more):
        state = ask("GET", f"/games/{self.id}/position", token=token)["state"]
        body = {"id": secrets.token_hex(8), "state": state, **more}
        return ask("POST", f"/games/{self.id}/{what}", body, token)

    def play(self, most):
        """Takes offers at random until so many decisions are on record or the game is over."""
        while True:
            face = self.face()
            if face["status"]["kind"] == "over" or face["moment"] >= most:
                return self
            token = self.tokens[face["status"]["side"]]
            if token is None:
                time.sleep(0.05)  # a computer thinks
                continue
            offers = ask("GET", f"/games/{self.id}/position", token=token)["offers"]
            self.send("acts", token, action=dice.choice(offers)["action"], salt=secrets.token_hex(16))

    def known(self):
        face = self.face()
        over = face["status"]["kind"] == "over"
        token = self.tokens["first"] if over else self.tokens[face["status"]["side"]] or self.tokens["first"]
        return {
            "game": self.id,
            "scenario": self.scenario,
            "token": token,
            "moment": face["moment"],
            "over": over,
        }


data = pathlib.Path(tempfile.mkdtemp())
server = subprocess.Popen([PROGRAM, "serve", "--data", data, "--addr", f"127.0.0.1:{PORT}"])
time.sleep(2)
games = []
for drill in DRILLS:
    games += [Game(drill).play(1), Game(drill).play(24)]
games.append(Game("battle-hymn/drill").play(10))
games[-1].send("resign", games[-1].tokens["first"])
games.append(Game("battle-hymn/drill").play(400))
games.append(Game("american-revolution/drill").play(60))
games.append(Game("american-revolution/drill", options={"limited_intelligence": True}).play(30))
games.append(Game("hallowed-ground/drill", {"kind": "computer", "level": "captain"}).play(12))
games.append(Game("brigade-battles/drill", {"kind": "link"}).play(0))
games.append(Game("fields-of-honor/drill-ground", options={"orders": True}).play(20))
undone = Game("battle-hymn/drill").play(12)
undone.send("undo", undone.known()["token"])
games.append(undone)
games.append(Game("brigade-battles/mine", text=pathlib.Path(MINE).read_text()).play(5))
time.sleep(1)
known = [game.known() for game in games]

server.terminate()
server.wait()
database = sqlite3.connect(next(data.glob("*.sqlite")))
version = database.execute("PRAGMA user_version").fetchone()[0]
with open(HERE / "linstock.sql", "w") as out:
    out.write("-- A data directory that the program of commit d3fcc36 wrote, the version before issue 14, by `write.py`.\n")
    out.writelines(f"{line}\n" for line in database.iterdump() if "sqlite_sequence" not in line)
    out.write(f"PRAGMA user_version = {version};\n")
(HERE / "games.json").write_text(json.dumps(known, indent=1) + "\n")
print(f"{len(known)} games, {sum(game['moment'] for game in known)} decisions")
