/** The battle screen over a fixture: dev/battle.html?theme=dark&pick=0&choose=0910 */
import "../src/style/fonts.css";
import "../src/style/tokens.css";
import "../src/style/base.css";
import { mount } from "svelte";
import Battle from "../src/screens/Battle.svelte";
import { GameSession } from "../src/lib/session.svelte";
import { settings } from "../src/lib/settings.svelte";
import { board, game, position } from "./fixture";

const q = new URLSearchParams(location.search);
settings.data.theme = q.get("theme") === "dark" ? "dark" : "light";
settings.apply();

class Fixture extends GameSession {
  override async start(): Promise<void> {
    this.board = board;
    this.game = game;
    this.seats = [{ game: "fixture", side: "first", token: "x" }];
    this.side = "first";
    this.link = "live";
    this.take(position);
  }
}
mount(Battle, { target: document.getElementById("app")!, props: { game: "fixture", session: new Fixture("fixture") } });
