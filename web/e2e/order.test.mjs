/** Keeping order: somebody is reported, judged, told, and answers; muted and blocked; by keyboard, at three widths. */
import { execFileSync } from "node:child_process";
import { assert, axe, gameId, visit } from "./lib.mjs";
import { test } from "./runner.mjs";

const DEVICE = { protocol: "ctap2", transport: "internal", hasResidentKey: true, hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true };
const BINARY = process.env.LINSTOCK_BIN;

async function device(browser, server, options) {
  const page = await visit(browser, { url: server.url.replace("127.0.0.1", "localhost") }, options);
  const keys = await page.context().newCDPSession(page);
  await keys.send("WebAuthn.enable");
  await keys.send("WebAuthn.addVirtualAuthenticator", { options: DEVICE });
  return page;
}

async function register(page, name) {
  await page.goto(`${page.base}/#/account`);
  await page.getByLabel("Your name").fill(name);
  await page.getByRole("button", { name: "Create an account" }).click();
  await page.getByRole("button", { name: "I have kept them" }).click();
}

/** Tab until the focus is on a control with these words. */
async function focus(page, words) {
  for (let i = 0; i < 120; i++) {
    await page.keyboard.press("Tab");
    if (await page.evaluate((w) => (document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.labels?.[0]?.textContent ?? document.activeElement?.textContent ?? "").trim().startsWith(w), words)) return;
  }
  throw new Error(`Tab does not lead to ${words}.`);
}

async function clean(page, where) {
  for (const width of [1440, 820, 390]) {
    await page.setViewportSize({ width, height: 900 });
    const found = await axe(page);
    assert(found.length === 0, `${where} at ${width}: ${found.join("\n")}`);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    assert(wide <= 0, `${where} at ${width}: ${wide} pixels too wide`);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
}

const openChat = async (page) => {
  await page.getByRole("tab", { name: /^Chat/ }).click();
  await page.getByLabel("Say").waitFor();
};

/** Two at one table, who have met by an invitation. */
async function meet(host, guest, guestName) {
  const seats = { first: { kind: "here", name: "Ada" }, second: { kind: "link" } };
  await host.goto(`${host.base}/`);
  const salt = "0f".repeat(16);
  const made = await host.evaluate(async (body) => (await fetch("/api/v1/games", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) })).json(), { scenario: "battle-hymn/mcphersons-ridge", seats, salt });
  await host.goto(`${host.base}/#/seat/${made.game}/${made.seats.first.token}`);
  await host.waitForSelector("#map[data-drawn]");
  await guest.goto(`${guest.base}/#/claim/${made.game}/${made.seats.second.invitation}`);
  await guest.getByLabel(/name/i).first().fill(guestName);
  await guest.keyboard.press("Enter");
  await guest.waitForSelector("#map[data-drawn]");
  return made.game;
}

test("somebody is reported, judged, told why, and answers", async ({ browser, server }) => {
  const ada = await device(browser, server);
  const eve = await device(browser, server);
  await register(eve, "Eve");
  const game = await meet(ada, eve, "Eve");
  await openChat(ada);
  await ada.getByText("About Eve").click();
  await ada.getByRole("button", { name: "Mute" }).waitFor();
  assert((await ada.getByRole("button", { name: "Report…" }).count()) === 0, "nothing can be reported where nobody reads it");
  // Eve keeps the game with her account and is rude.
  await eve.goto(`${eve.base}/#/account`);
  await eve.getByRole("button", { name: "Keep with my account" }).click();
  await eve.getByRole("link", { name: "Open McPherson's Ridge" }).click();
  await eve.waitForSelector("#map[data-drawn]");
  await openChat(eve);
  await eve.getByLabel("Say").fill("You <b>fool</b>");
  await eve.keyboard.press("Enter");
  await ada.getByText("You <b>fool</b>").waitFor();
  // An administrator is named on the command line, beside the running server.
  const zoe = await device(browser, server);
  await register(zoe, "Zoe");
  const command = (...words) => execFileSync(BINARY, ["admin", "--data", server.data, ...words], { encoding: "utf8" });
  const id = command("accounts", "Zoe").split(" ")[0];
  command("grant", id);
  assert(command("log").includes("granted"), "it is in the list");
  // Ada reports the line, by keyboard.
  await ada.reload();
  await ada.waitForSelector("#map[data-drawn]");
  await openChat(ada);
  await ada.getByLabel("Say").focus();
  await focus(ada, "About Eve");
  await ada.keyboard.press("Enter");
  await ada.getByRole("button", { name: "Report…" }).waitFor();
  await focus(ada, "Report…");
  await ada.keyboard.press("Enter");
  await ada.getByRole("dialog", { name: "Report Eve" }).waitFor();
  await clean(ada, "a report");
  await ada.getByLabel("What is it about?").selectOption({ label: "“You <b>fool</b>”" });
  await focus(ada, "In your words");
  await ada.keyboard.type("An insult <img src=x onerror=alert(1)>");
  await ada.keyboard.press("Enter");
  await ada.getByText("Reported. An administrator will look at it.").waitFor();
  // What stands in the lobby can be reported there.
  await ada.evaluate(async (body) => {
    const post = (path, body, token) => fetch(path, { method: "POST", headers: { "Content-Type": "application/json", ...(token ? { Authorization: `Bearer ${token}` } : {}) }, body: JSON.stringify(body) });
    const made = await (await post("/api/v1/games", body)).json();
    await post(`/api/v1/games/${made.game}/challenge`, { note: "come and lose" }, made.seats.first.token);
  }, { scenario: "battle-hymn/mcphersons-ridge", seats: { first: { kind: "here", name: "Mallory" }, second: { kind: "link" } }, salt: "0f".repeat(16) });
  await eve.goto(`${eve.base}/#/lobby`);
  await eve.getByRole("button", { name: "Report Mallory: McPherson's Ridge" }).click();
  await eve.getByRole("dialog", { name: "Report Mallory" }).waitFor();
  await eve.getByLabel("In your words").fill("A taunt");
  await eve.getByRole("button", { name: "Send the report" }).click();
  await eve.getByText("Reported.", { exact: true }).waitFor();
  await clean(eve, "the lobby");
  await eve.goto(`${eve.base}/#/game/${game}`);
  await eve.waitForSelector("#map[data-drawn]");
  await openChat(eve);
  // Zoe judges it.
  await zoe.reload();
  await zoe.getByRole("link", { name: /^Keep order/ }).click();
  await zoe.getByText("An insult <img src=x onerror=alert(1)>").waitFor();
  await zoe.getByText("A challenge: Mallory").waitFor();
  await clean(zoe, "the desk");
  const decide = zoe.getByRole("form", { name: "Decide about Eve" });
  await decide.getByLabel("What to do").selectOption("suspended");
  await decide.getByLabel("Days").fill("3");
  await decide.getByLabel("Why").fill("Insults");
  await decide.getByRole("button", { name: "Decide" }).click();
  await zoe.getByText("Answered: Insults").waitFor();
  // Eve can no longer write, reads why, and writes her one note by keyboard.
  await eve.getByLabel("Say").fill("And another");
  await eve.keyboard.press("Enter");
  await eve.getByText("Your account is suspended or closed.").waitFor();
  await eve.goto(`${eve.base}/#/account`);
  await eve.getByRole("heading", { name: "From the administrators" }).waitFor();
  await eve.getByText("Insults").waitFor();
  await clean(eve, "what one is told");
  await focus(eve, "Your note");
  await eve.keyboard.type("It was a joke.");
  await eve.keyboard.press("Enter");
  await eve.getByText("Not answered yet.").waitFor();
  assert((await eve.getByRole("button", { name: "Send the note" }).count()) === 0, "one note for each measure");
  // Zoe answers and lifts it.
  await zoe.reload();
  await zoe.getByLabel("Answer to Eve").fill("Not again, please.");
  await zoe.getByRole("button", { name: "Answer and lift it" }).click();
  await zoe.getByText("answered and lifted", { exact: true }).waitFor();
  await eve.reload();
  await eve.getByText("Not again, please.").waitFor();
  // To others there is no desk.
  await eve.goto(`${eve.base}/#/admin`);
  await eve.getByText("There is nothing here for you.").waitFor();
  assert(gameId(ada) === game, "the game is where it was");
});

test("whoever is muted is not heard, and a blocked one is told to nobody's harm", async ({ browser, server }) => {
  const ada = await device(browser, server);
  const eve = await device(browser, server);
  await meet(ada, eve, "Eve");
  await openChat(ada);
  await openChat(eve);
  await eve.getByLabel("Say").fill("Boo");
  await eve.keyboard.press("Enter");
  const boo = ada.getByRole("list", { name: "Chat" }).getByText("Boo");
  await boo.waitFor();
  await ada.getByText("About Eve").click();
  await ada.getByRole("button", { name: "Mute" }).click();
  await ada.getByText("Eve is muted.").waitFor();
  assert((await boo.count()) === 0, "what she wrote is hidden");
  await clean(ada, "somebody is muted");
  await ada.getByRole("button", { name: "Mute" }).click();
  await ada.getByText("You hear Eve again.").waitFor();
  await boo.waitFor();
  await ada.getByRole("button", { name: "Block" }).click();
  await ada.getByText("Eve is blocked.").waitFor();
  await eve.getByLabel("Say").fill("Hello?");
  await eve.keyboard.press("Enter");
  await eve.getByText("One of you two has blocked the other").waitFor();
});
