/** Games that count: offered with a rating, accepted, given up, counted for both, fought again; and a first number against the computer. */
import { assert, gameId, visit, waitForTurn } from "./lib.mjs";
import { clean, device, openAccount, press, register } from "./members.mjs";
import { note, test } from "./runner.mjs";

const row = (page, words) => page.getByRole("row").filter({ hasText: words });
const ratings = (page) => row(page.getByRole("region", { name: "Ratings" }), "Battle Hymn");
const WIDTHS = [[390, 844], [1024, 768], [1440, 900]];

async function member(browser, server, name) {
  const page = await device(browser, server);
  await register(page, name);
  await page.getByRole("button", { name: "I have kept them" }).click();
  return page;
}

async function resign(page) {
  await page.getByRole("button", { name: "Menu" }).click();
  await page.getByRole("menuitem", { name: "Resign" }).click();
  await page.getByRole("menuitem", { name: "Yes, resign" }).click();
  await waitForTurn(page, ["over"]);
}

test("two members play for rating: a challenge, an acceptance by keyboard, two ratings, a rematch", async ({ browser, server }) => {
  const [ada, bertram] = [await member(browser, server, "Ada"), await member(browser, server, "Bertram")];
  await openAccount(ada);
  await ada.getByText("No rated games yet.").waitFor();
  await ada.goto(`${ada.base}/#/new/challenge`);
  await ada.getByLabel("Offer this seat in the lobby").waitFor();
  await ada.locator("label.battle", { hasText: "McPherson's Ridge" }).click();
  await ada.getByText("Choose a clock: a rated game between two people needs one.").waitFor();
  assert(await ada.getByLabel("Rated game").isDisabled(), "without a clock it cannot count");
  await ada.getByRole("radiogroup", { name: "Clock" }).getByRole("radio", { name: "Fast" }).click();
  await ada.getByLabel("Rated game").check();
  await ada.getByLabel("Opponents").selectOption({ label: "within 400 of mine" });
  await clean(ada, "setting up a rated game");
  await ada.getByRole("button", { name: "Start the battle" }).click();
  await ada.waitForSelector("#map[data-drawn]");

  // Strangers see it, and what they would need.
  const stranger = await visit(browser, { url: ada.base });
  await stranger.goto(`${ada.base}/#/lobby`);
  await row(stranger, "Rated, for 1100 to 1900").getByRole("link", { name: /^Sign in to accept/ }).waitFor();
  await row(stranger, "Captain").getByText("1500 ± 50").waitFor();
  for (const [width, height] of WIDTHS) {
    await stranger.setViewportSize({ width, height });
    await clean(stranger, `the lobby at ${width}`);
  }

  await bertram.goto(`${bertram.base}/#/lobby`);
  await row(bertram, "Rated, for 1100 to 1900").getByText("new, 0 of 5 games").waitFor();
  await press(bertram, "Accept");
  await bertram.waitForSelector("#map[data-drawn]");
  assert(gameId(ada) === gameId(bertram), "both sit at one table");
  await resign(bertram);
  await bertram.getByText(/^Your rating: new, 1 of 5 games/).waitFor();
  await ada.getByText(/^Your rating: new, 1 of 5 games/).waitFor();
  const changes = await Promise.all([ada, bertram].map(async (page) => (await page.getByRole("region", { name: "Rating" }).innerText()).match(/\(([+−]\d+)\)/)?.[1]));
  assert(changes[0]?.startsWith("+") && changes[1]?.startsWith("−"), `both change: ${changes}`);
  note(`ratings: ${changes}`);

  const old = gameId(ada);
  await ada.getByRole("button", { name: "Offer a rematch" }).click();
  await bertram.getByRole("button", { name: "Play the rematch" }).click();
  for (const page of [ada, bertram]) {
    await page.waitForFunction((was) => !location.hash.includes(was), old);
    await page.waitForSelector("#map[data-drawn]");
  }
  await resign(ada);
  await ada.getByText(/^Your rating: new, 2 of 5 games/).waitFor();
  await openAccount(ada);
  await ratings(ada).getByText("new, 2 of 5 games").waitFor();
  for (const [width, height] of WIDTHS) {
    await ada.setViewportSize({ width, height });
    await clean(ada, `ratings at ${width}`);
  }
});

test("a newcomer has a number after five games against the computer", async ({ browser, server }) => {
  const ada = await member(browser, server, "Ada");
  await ada.goto(`${ada.base}/#/new/computer/battle-hymn/ensign`);
  await ada.locator("label.battle", { hasText: "McPherson's Ridge" }).click();
  await ada.getByText("Rated 1145 ± 50").waitFor();
  await ada.getByLabel("Rated game").check();
  await ada.getByRole("button", { name: "Start the battle" }).click();
  await ada.waitForSelector("#map[data-drawn]");
  await resign(ada);
  await ada.getByText(/^Your rating: new, 1 of 5 games/).waitFor();
  // The same four times more, without the board.
  await ada.evaluate(async () => {
    const send = async (path, body, token) => {
      const answer = await fetch(`/api/v1${path}`, { method: "POST", headers: { "Content-Type": "application/json", ...(token ? { Authorization: `Bearer ${token}` } : {}) }, body: JSON.stringify(body) });
      if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
      return answer.json();
    };
    const seats = { first: { kind: "here", name: "Ada" }, second: { kind: "computer", level: "ensign" } };
    for (let n = 0; n < 4; n++) {
      const { game, seats: given } = await send("/games", { scenario: "battle-hymn/mcphersons-ridge", seats, salt: "0".repeat(32) });
      const { state } = await send("/account/rated", { game, token: given.first.token });
      let refused = true;
      // The computer may have decided in between.
      for (let at = state; refused && at < state + 50; at++) refused = await send(`/games/${game}/resign`, { id: `resign-${n}-${at}`, state: at }, given.first.token).then(() => false, () => true);
    }
  });
  await ada.waitForFunction(async () => (await (await fetch("/api/v1/account/ratings")).json()).systems[0]?.standing.games === 5);
  await openAccount(ada);
  const told = ratings(ada);
  await told.getByText(/ ± /).waitFor();
  const words = await told.innerText();
  assert(/\d+ ± \d+/.test(words), `a number: ${words}`);
  note(`after five games lost to the Ensign: ${words.replace(/\s+/g, " ")}`);
  await clean(ada, "a rating with its history");
});
