/** Two strangers meet in the lobby: a challenge put up, accepted, played, fought again; by mouse, by keyboard, on a phone. */
import { assert, axe, begin, gameId, sentence, turn, visit, waitForTurn } from "./lib.mjs";
import { note, test } from "./runner.mjs";

const openLobby = async (page) => {
  await page.goto(`${page.base}/#/lobby`);
  await page.getByRole("heading", { name: "Open challenges" }).waitFor();
};
const row = (page, words) => page.getByRole("row").filter({ hasText: words });

/** Puts up a challenge from the lobby's own button. */
async function putUp(page, name, words) {
  await openLobby(page);
  await page.getByRole("button", { name: "New challenge" }).click();
  await page.getByLabel("Offer this seat in the lobby").waitFor();
  assert(await page.getByLabel("Offer this seat in the lobby").isChecked(), "a new challenge goes to the lobby");
  await page.locator("label.battle", { hasText: "McPherson's Ridge" }).click();
  await page.locator(".seat input[maxlength='40']").first().fill(name);
  await page.getByLabel("A line for the lobby").fill(words);
  await page.getByRole("button", { name: "Start the battle" }).click();
  await page.waitForSelector("#map[data-drawn]");
}

test("two strangers meet in the lobby and fight again with the sides changed", async ({ browser, server }) => {
  const ada = await visit(browser, server);
  await ada.goto(`${server.url}/`);
  await ada.getByRole("button", { name: "Start the battle" }).waitFor();
  assert((await ada.getByRole("link", { name: "Lobby" }).count()) === 0, "no sign of the lobby on one's own machine until it is wanted");
  await putUp(ada, "Ada <i>", "new player, <b>be kind</b>");
  const bertram = await visit(browser, server);
  await openLobby(bertram);
  const offered = row(bertram, "Ada <i>");
  await offered.getByText("new player, <b>be kind</b>").waitFor();
  await offered.getByText("here now").waitFor();
  await row(bertram, "Captain").getByRole("link", { name: "Play Captain" }).waitFor();
  const found = await axe(bertram);
  assert(found.length === 0, found.join("\n"));
  // Her own row can be withdrawn, not accepted; his can be accepted by keyboard alone.
  await ada.goto(`${server.url}/#/lobby`);
  await row(ada, "Ada <i>").getByRole("button", { name: /^Withdraw/ }).waitFor();
  assert((await row(ada, "Ada <i>").getByRole("button", { name: /^Accept/ }).count()) === 0, "nobody accepts their own challenge");
  await ada.goBack();
  await ada.waitForSelector("#map[data-drawn]");
  await bertram.getByLabel("Your name").fill("Bertram");
  await bertram.getByLabel("Your name").focus();
  for (let i = 0; i < 12; i++) {
    await bertram.keyboard.press("Tab");
    if (await bertram.evaluate(() => document.activeElement?.getAttribute("aria-label")?.startsWith("Accept Ada"))) break;
  }
  await bertram.keyboard.press("Enter");
  await bertram.waitForSelector("#map[data-drawn]");
  await ada.locator("text=Bertram").first().waitFor();
  assert(gameId(ada) === gameId(bertram), "both sit at one table");
  // Bertram resigns; each sees the other's offer, and they meet in a new game.
  await bertram.getByRole("button", { name: "Menu" }).click();
  await bertram.getByRole("menuitem", { name: "Resign" }).click();
  await bertram.getByRole("menuitem", { name: "Yes, resign" }).click();
  await waitForTurn(ada, ["over"]);
  const old = gameId(ada);
  await ada.getByRole("button", { name: "Offer a rematch" }).click();
  await bertram.getByRole("button", { name: "Play the rematch" }).click();
  await ada.waitForFunction((was) => !location.hash.includes(was), old);
  await bertram.waitForFunction((was) => !location.hash.includes(was), old);
  await Promise.all([ada, bertram].map((page) => page.waitForSelector("#map[data-drawn]")));
  assert(gameId(ada) === gameId(bertram), "the rematch is one game");
  const sides = await Promise.all([ada, bertram].map((page) => page.evaluate(() => JSON.parse(localStorage.getItem("linstock.vault")).seats.map((s) => s.side).slice(0, 2).join())));
  assert(sides.join(" ") === "second,first first,second", `sides changed: ${sides}`);
  const turns = [await turn(ada), await turn(bertram)];
  assert(turns.filter((t) => t === "mine").length === 1, `one of them decides: ${turns}`);
  note(`rematch: ${(await sentence(turns[0] === "mine" ? ada : bertram)).split("\n")[0]}`);
});

test("of two who accept at once one is told, and a challenge can be withdrawn", async ({ browser, server }) => {
  const ada = await visit(browser, server);
  await putUp(ada, "Ada", "first come");
  const [bertram, eve] = [await visit(browser, server), await visit(browser, server, { width: 390, height: 844, touch: true })];
  await Promise.all([openLobby(bertram), openLobby(eve)]);
  await Promise.all([bertram, eve].map((page) => row(page, "first come").getByRole("button", { name: /^Accept/ }).waitFor()));
  // Nobody looks again before both have pressed.
  await Promise.all([bertram, eve].map((page) => row(page, "first come").getByRole("button", { name: /^Accept/ }).click()));
  const late = await Promise.race([bertram, eve].map((page) => page.getByText("Taken a moment ago").waitFor().then(() => page)));
  const seated = late === eve ? bertram : eve;
  await seated.waitForSelector("#map[data-drawn]");
  await late.getByText("Taken a moment ago").waitFor({ state: "detached" });
  assert((await row(late, "first come").count()) === 0, "the row is gone");
  // The menu of a board offers a seat too, and takes it back.
  const cara = await visit(browser, server);
  await begin(cara, { second: "By link", name: "Cara" });
  await cara.getByRole("button", { name: "Menu" }).click();
  await cara.getByRole("menuitem", { name: "Links and seats" }).click();
  await cara.getByLabel("A line for the lobby").fill("from the board");
  await cara.getByRole("button", { name: "Offer it" }).click();
  await cara.getByRole("button", { name: "Withdraw it" }).waitFor();
  const found = [...(await axe(cara)), ...(await axe(late))];
  assert(found.length === 0, found.join("\n"));
  await row(late, "from the board").waitFor();
  await cara.getByRole("button", { name: "Withdraw it" }).click();
  await row(late, "from the board").waitFor({ state: "detached" });
  await cara.getByRole("button", { name: "Offer it" }).waitFor();
});

test("a computer in the lobby leads to the set-up", async ({ browser, server }) => {
  const page = await visit(browser, server, { width: 1024, height: 768 });
  await openLobby(page);
  await page.getByLabel("System").selectOption("american-revolution");
  await row(page, "Colonel").getByRole("link", { name: "Play Colonel" }).click();
  await page.getByRole("radio", { name: "Colonel" }).waitFor();
  assert((await page.getByRole("radio", { name: /American Revolution/ }).getAttribute("aria-checked")) === "true", "the system is chosen");
  assert((await page.getByRole("radio", { name: "Colonel" }).getAttribute("aria-checked")) === "true", "the level is chosen");
});

test("a public game is followed, found again, and let go", async ({ browser, server }) => {
  const ada = await visit(browser, server);
  await begin(ada, { name: "Ada", watched: true });
  const stranger = await visit(browser, server);
  await openLobby(stranger);
  await stranger.getByRole("button", { name: "Follow McPherson's Ridge: Ada" }).first().click();
  const followed = stranger.getByRole("list", { name: "Games you follow" });
  await followed.getByText("Ada").waitFor();
  const found = await axe(stranger);
  assert(found.length === 0, found.join("\n"));
  await stranger.reload();
  await followed.getByRole("link", { name: "Watch" }).click();
  await stranger.waitForSelector("#map[data-drawn]");
  assert(gameId(stranger) === gameId(ada), "it is her game");
  await openLobby(stranger);
  await stranger.getByRole("button", { name: "Unfollow McPherson's Ridge" }).click();
  await followed.waitFor({ state: "detached" });
});
