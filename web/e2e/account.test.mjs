/** An account from its first passkey to its end: made, left, found again on another device, exported, deleted; by keyboard too. */
import { readFileSync } from "node:fs";
import { assert, begin, gameId, visit, waitForTurn } from "./lib.mjs";
import { clean, device, openAccount, press, register } from "./members.mjs";
import { test } from "./runner.mjs";

/** What a password manager does: the passkeys of one device on another. */
async function synchronise(from, to) {
  const { credentials } = await from.keys.send("WebAuthn.getCredentials", { authenticatorId: from.authenticator });
  for (const credential of credentials) await to.keys.send("WebAuthn.addCredential", { authenticatorId: to.authenticator, credential });
}

test("an account is made with a passkey, keeps a game, and is found again on another device", async ({ browser, server }) => {
  const ada = await device(browser, server);
  await begin(ada, { name: "Ada" });
  const game = gameId(ada);
  await ada.goto(`${ada.base}/#/`);
  await ada.getByRole("button", { name: "Start the battle" }).waitFor();
  assert((await ada.getByRole("link", { name: /Sign in|Account/ }).count()) === 0, "no sign of accounts until somebody wants one");
  await register(ada, "Ada <b>");
  await ada.getByRole("heading", { name: "Ada <b>" }).waitFor();
  assert((await ada.locator("code").count()) === 10, "ten recovery codes");
  const code = await ada.locator("code").first().textContent();
  await clean(ada, "a new account");
  await ada.getByRole("button", { name: "I have kept them" }).click();
  await ada.goto(`${ada.base}/#/game/${game}`);
  await ada.getByRole("button", { name: "Menu" }).click();
  await ada.getByRole("menuitem", { name: "Links and seats" }).click();
  await ada.getByRole("button", { name: "Keep this game with my account" }).click();
  await ada.getByText("This game is with your account.").waitFor();
  await clean(ada, "keeping a game from the board");
  await openAccount(ada);
  await ada.getByRole("link", { name: "Open McPherson's Ridge" }).waitFor();
  assert((await ada.getByRole("button", { name: "Keep with my account" }).count()) === 0, "it is with the account now");
  await clean(ada, "a game with the account");
  // Out and in again, without a mouse.
  await press(ada, "Sign out");
  await ada.getByRole("heading", { name: "Sign in" }).waitFor();
  await press(ada, "Sign in with a passkey");
  await ada.getByRole("heading", { name: "Ada <b>" }).waitFor();
  // The same passkey on a telephone: the game is played there, and the first browser holds its seat no longer.
  const phone = await device(browser, server, { width: 390, height: 844, touch: true });
  await synchronise(ada, phone);
  await openAccount(phone);
  await phone.getByRole("button", { name: "Sign in with a passkey" }).click();
  await phone.getByRole("button", { name: "Play here: McPherson's Ridge" }).click();
  await phone.waitForSelector("#map[data-drawn]");
  assert(gameId(phone) === game, "the same game");
  await openAccount(ada);
  await ada.getByRole("button", { name: "Play here: McPherson's Ridge" }).waitFor();
  await openAccount(phone);
  await phone.getByRole("link", { name: "Open McPherson's Ridge" }).waitFor();
  await clean(phone, "on a telephone");
  // A device that is lost is signed out; a code opens the account once.
  await ada.reload();
  await ada.getByRole("button", { name: "Sign out everywhere else" }).click();
  await ada.getByRole("button", { name: "Sign out everywhere else" }).waitFor({ state: "detached" });
  await phone.reload();
  await phone.getByRole("heading", { name: "Sign in" }).waitFor();
  await phone.getByLabel("Recovery code").fill(code);
  await phone.getByRole("button", { name: "Use the code" }).click();
  await phone.getByText("9 recovery codes left").waitFor();
  await phone.getByRole("button", { name: "Sign out", exact: true }).click();
  await phone.getByLabel("Recovery code").fill(code);
  await phone.getByRole("button", { name: "Use the code" }).click();
  await phone.getByText("This did not open an account.").waitFor();
});

test("an archive is searched, everything is exported, and an account is deleted by keyboard", async ({ browser, server }) => {
  const ada = await device(browser, server);
  await begin(ada, { name: "Ada" });
  await ada.getByRole("button", { name: "Menu" }).click();
  await ada.getByRole("menuitem", { name: "Resign" }).click();
  await ada.getByRole("menuitem", { name: "Yes, resign" }).click();
  await waitForTurn(ada, ["over"]);
  const game = gameId(ada);
  await register(ada, "Ada");
  await ada.getByRole("button", { name: "I have kept them" }).click();
  await ada.getByRole("button", { name: "Keep with my account" }).click();
  await ada.getByText("1 finished game", { exact: true }).waitFor();
  assert((await ada.getByRole("row", { name: "Battle Hymn 0 1 0" }).count()) === 1, "one battle lost");
  await ada.getByLabel("Result").selectOption("won");
  await ada.getByText("0 finished games").waitFor();
  await ada.getByLabel("Result").selectOption("lost");
  await ada.getByRole("textbox", { name: "Battle" }).fill("mcph");
  await ada.getByText("1 finished game", { exact: true }).waitFor();
  const [download] = await Promise.all([ada.waitForEvent("download"), press(ada, "Export everything")]);
  const file = JSON.parse(readFileSync(await download.path(), "utf8"));
  assert(file.account.name === "Ada" && file.games.length === 1 && file.games[0].game.id === game, "the file has the account and the game");
  assert(JSON.parse(file.games[0].journal[0]).scenario === "battle-hymn/mcphersons-ridge", "and its journal");
  await press(ada, "Delete the account");
  await ada.getByRole("dialog", { name: "Delete the account" }).waitFor();
  await clean(ada, "before deleting");
  await press(ada, "Delete it for good");
  await ada.getByRole("heading", { name: "Sign in" }).waitFor();
  await ada.getByRole("button", { name: "Sign in with a passkey" }).click();
  await ada.getByText("This did not open an account.").waitFor();
  // The game is there as it was, without the name.
  await ada.goto(`${ada.base}/#/game/${game}`);
  await ada.waitForSelector("#map[data-drawn]");
  const names = await ada.evaluate(async (id) => Object.values((await (await fetch(`/api/v1/games/${id}`)).json()).seats).map((s) => s.name), game);
  assert(names.includes("Former member") && !names.includes("Ada"), names.join());
});

test("at an address without a name the page says where passkeys work", async ({ browser, server }) => {
  const page = await visit(browser, server);
  await openAccount(page);
  await page.getByText("Passkeys work only where the server has a name").waitFor();
  assert((await page.getByRole("link", { name: /localhost/ }).count()) === 1, "and leads there");
  await clean(page, "without a name");
});
