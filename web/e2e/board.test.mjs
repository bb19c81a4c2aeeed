/** The board in Chromium against the real program: whole games, two browsers, hot seat, replay, chat. */
import { readFileSync } from "node:fs";
import { expect } from "@playwright/test";
import { beginFixed } from "./fixed.mjs";
import { decideByKeys, decideByMouse, playOut } from "./hands.mjs";
import { assert, axe, begin, beginByKeys, dice, fingerprint, gameId, moment, placeOf, sentence, sitDown, turn, visit, waitForTurn } from "./lib.mjs";
import { note, test } from "./runner.mjs";

/** One seat against captain, to the end. The dice are fixed: the battle is the same each time. */
function wholeGame(battle, decide, seed) {
  return async ({ browser, server }) => {
    const page = await visit(browser, server);
    await beginFixed(page, battle);
    const n = await playOut(page, decide, dice(seed));
    assert(/wins?\b|drawn/.test(await sentence(page)), "the prompt names the result");
    note(`${n} decisions; ${(await sentence(page)).split("\n")[0]}`);
  };
}

const RIDGE = { scenario: "battle-hymn/mcphersons-ridge", seed: 4 };
const ROAD = { scenario: "brigade-battles/sunken-road", seed: 1 };
const CABIN = { scenario: "american-revolution/the-cabin", seed: 1 };

/** No battle of a test is longer. */
const LONGEST = 15 * 60_000;

/** Names of the cards that lie face up in a browser. */
const openCards = (page) => page.$$eval(".hand button.card[aria-pressed=true] b", (all) => all.map((b) => b.textContent));

test("Battle Hymn: a whole game by mouse against captain", wholeGame(RIDGE, decideByMouse, 5));
test("Battle Hymn: a whole game by keyboard alone against captain", wholeGame(RIDGE, decideByKeys, 11));
test("Brigade Battles: a whole game by mouse against captain", wholeGame(ROAD, decideByMouse, 6));
test("Brigade Battles: a whole game by keyboard alone against captain", wholeGame(ROAD, decideByKeys, 12));
test("American Revolution: a whole game by keyboard alone against captain", wholeGame(CABIN, decideByKeys, 13));

test("each hex system is set up by keyboard alone", async ({ browser, server }) => {
  const page = await visit(browser, server);
  for (const [system, battle] of [["Battle Hymn", "McPherson's Ridge"], ["Brigade Battle Series", "Sunken Road"], ["American Revolution", "The Cabin"]]) {
    await beginByKeys(page, { system, battle });
    await waitForTurn(page, ["mine"]);
    assert((await page.getByRole("heading", { level: 1 }).innerText()).includes(battle), `${battle} is set up`);
  }
  note("three systems");
});

test("American Revolution: two browsers to the end, tactics sealed", async ({ browser, server }) => {
  const ada = await visit(browser, server);
  await begin(ada, { system: "American Revolution", battle: "The Cabin", second: "By link", name: "Ada" });
  const bertram = await sitDown(browser, server, ada, "Bertram");
  const roll = dice(17);
  let acts = 0;
  let idle = 0;
  let sealed = 0;
  let turned = 0;
  for (const until = Date.now() + LONGEST; Date.now() < until; ) {
    const [a, b] = [await turn(ada), await turn(bertram)];
    if (a === "over" && b === "over") break;
    const page = a === "mine" ? ada : b === "mine" ? bertram : undefined;
    if (!page) {
      await ada.waitForTimeout(20);
      continue;
    }
    const other = page === ada ? bertram : ada;
    const secret = /in secret/.test(await sentence(page));
    const before = secret ? await openCards(other) : [];
    idle = (await decideByMouse(page, roll, 0.85)) ? 0 : idle + 1;
    assert(idle < 6, `nothing happens at: ${await sentence(page)}`);
    if (idle > 0) continue;
    acts++;
    if (secret) {
      sealed++;
      // Until both are in, the other browser knows no more than before.
      const both = (await other.locator(".turned").count()) > 0 || (await turn(other)) !== "mine";
      if (!both) assert((await openCards(other)).join() === before.join(), "a sealed card shows in the other browser");
    }
    if ((await ada.locator(".turned .flip").count()) === 2) turned++;
  }
  await waitForTurn(ada, ["over"]);
  await waitForTurn(bertram, ["over"]);
  assert((await sentence(ada)) === (await sentence(bertram)), "both see the same end");
  assert(sealed >= 2, `only ${sealed} tactics were chosen in secret`);
  await bertram.context().close();
  note(`${acts} decisions by both, ${sealed} tactics in secret, ${turned} pairs turned over; ${(await sentence(ada)).split("\n")[0]}`);
});

test("two browsers, a reload, and the server killed in the middle", async ({ browser, server }) => {
  const ada = await visit(browser, server);
  await begin(ada, { second: "By link", name: "Ada" });
  const bertram = await sitDown(browser, server, ada, "Bertram <b>");
  await ada.locator("text=Bertram <b>").first().waitFor();
  const roll = dice(3);
  let acts = 0;
  for (const until = Date.now() + LONGEST; Date.now() < until; ) {
    const [a, b] = [await turn(ada), await turn(bertram)];
    if (a === "over" && b === "over") break;
    assert(!(a === "mine" && b === "mine"), "both think it is their turn");
    const page = a === "mine" ? ada : b === "mine" ? bertram : undefined;
    if (!page) {
      await ada.waitForTimeout(40);
      continue;
    }
    if (!(await decideByMouse(page, roll))) continue;
    acts++;
    if (acts === 5) {
      await bertram.reload();
      await bertram.waitForSelector("#map[data-drawn]", { timeout: 60_000 });
    }
    if (acts === 8) {
      const before = await moment(ada);
      await server.kill();
      await ada.locator("text=Connection lost").waitFor();
      await server.up();
      await ada.locator("text=Connection lost").waitFor({ state: "detached" });
      await bertram.locator("text=Connection lost").waitFor({ state: "detached" });
      assert((await moment(ada)) === before, "nothing acknowledged is missing");
    }
  }
  await waitForTurn(ada, ["over"]);
  await waitForTurn(bertram, ["over"]);
  assert((await sentence(ada)) === (await sentence(bertram)), "both see the same end");
  assert(acts > 8, "the restart came in the middle");
  await bertram.context().close();
  note(`${acts} decisions by both; ${(await sentence(ada)).split("\n")[0]}`);
});

test("a spectator watches and cannot act", async ({ browser, server }) => {
  const ada = await visit(browser, server);
  await begin(ada, { second: "Computer", watched: true });
  const eve = await visit(browser, server);
  await eve.goto(`${server.url}/#/game/${gameId(ada)}`);
  await eve.waitForSelector("#map[data-drawn]", { timeout: 60_000 });
  await waitForTurn(ada, ["mine"]);
  const before = await fingerprint(eve);
  await decideByMouse(ada, dice(5));
  await eve.waitForFunction((was) => `${document.querySelector(".battle")?.getAttribute("data-state")} 0` !== was, before);
  assert((await eve.locator(".choices").count()) === 0, "a bystander is offered nothing");
  assert((await eve.locator("#decision button.brass").count()) === 0, "a bystander has no brass button");
  await eve.context().close();
  note("sees each move, is offered nothing");
});

test("a private game is not for other eyes", async ({ browser, server }) => {
  const ada = await visit(browser, server);
  await begin(ada, {});
  const eve = await visit(browser, server);
  await eve.goto(`${server.url}/#/game/${gameId(ada)}`);
  await eve.locator("text=/This battle is private|Battle not found/").waitFor();
  await eve.context().close();
  note("nothing is shown");
});

test("hot seat hands the board over", async ({ browser, server }) => {
  const page = await visit(browser, server);
  await begin(page, { second: "Me", name: "Ada", other: "Bertram" });
  const roll = dice(9);
  let handed = 0;
  for (let i = 0; i < 60 && handed < 3; i++) {
    const t = await waitForTurn(page, ["mine", "handover", "over"]);
    if (t === "over") break;
    if (t === "handover") {
      assert((await page.locator(".piece").count()) === 0, "the map is under paper");
      assert((await page.locator("aside.dock").count()) === 0, "the dock is under paper");
      await page.getByRole("button", { name: /^Play / }).click();
      await page.waitForSelector(".piece");
      handed++;
      continue;
    }
    await decideByMouse(page, roll, 0.2);
  }
  assert(handed >= 2, `handed over ${handed} times`);
  note(`${handed} hand-overs`);
});

/** A battle that opens with a march of one's own: three brigades of cavalry may go, the enemy is on the map. */
async function atAMarch(browser, server) {
  const page = await visit(browser, server);
  await beginFixed(page, { scenario: "battle-hymn/mcphersons-ridge", seed: MARCH_FIRST });
  await waitForTurn(page, ["mine"]);
  assert(/marches/.test(await sentence(page)), `not a march: ${await sentence(page)}`);
  // All of the map, whatever was brought near before.
  await page.locator("#map").focus();
  await page.keyboard.press("0");
  return page;
}
/** A seed whose first decision is that march. */
const MARCH_FIRST = 4;
const marcher = (page) => page.locator(".piece[data-may]").first();

/** Where each piece lies, in a page: seen from Archer, in steps as long as Davis is away, because what is drawn grows with the zoom. */
function places() {
  const at = new Map([...document.querySelectorAll("[data-piece]")].map((p) => [p.getAttribute("data-slug"), p.getAttribute("transform").match(/-?[\d.]+/g).map(Number)]));
  const [x, y] = at.get("archer");
  const step = Math.abs(at.get("davis")[1] - y);
  return [...at].map(([slug, [px, py]]) => `${slug} ${((px - x) / step).toFixed(2)} ${((py - y) / step).toFixed(2)}`).sort().join("\n");
}

test("undo takes a march back", async ({ browser, server }) => {
  const page = await atAMarch(browser, server);
  const where = () => page.evaluate(places);
  const at = await placeOf(page, marcher(page));
  const before = await where();
  await page.mouse.click(at.x, at.y);
  await page.locator(".choices ul button[aria-pressed]", { hasNotText: "!" }).nth(2).click();
  const state = await fingerprint(page);
  await page.locator("#decision button.brass").click();
  await page.getByRole("button", { name: /^Undo/ }).waitFor();
  await page.waitForFunction((was) => `${document.querySelector(".battle")?.getAttribute("data-state")} 0` !== was, state);
  assert((await where()) !== before, "the march moved something");
  await page.keyboard.press("u");
  await expect.poll(where, { timeout: 20_000 }).toBe(before);
  note("position as before");
});

test("a refused drop says why, and its rule opens", async ({ browser, server }) => {
  const page = await atAMarch(browser, server);
  // No unit may enter a hex that an enemy holds.
  const enemy = await placeOf(page, page.locator('.piece[data-slug="pegram"]'));
  const from = await placeOf(page, marcher(page));
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move((from.x + enemy.x) / 2, (from.y + enemy.y) / 2, { steps: 4 });
  await page.mouse.move(enemy.x, enemy.y, { steps: 4 });
  await page.mouse.up();
  const refusal = page.locator("[role=alert]").first();
  await refusal.waitFor({ timeout: 30_000 });
  const words = await refusal.innerText();
  await refusal.locator(".tag").first().click();
  await page.getByRole("dialog", { name: /^Rule/ }).locator("h3").waitFor();
  const rule = await page.getByRole("dialog", { name: /^Rule/ }).innerText();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog", { name: /^Rule/ }).waitFor({ state: "detached" });
  note(`${words.split("\n")[0]} / ${rule.split("\n").slice(0, 2).join(": ")}`);
});

test("replay, journal out and in again", async ({ browser, server }) => {
  const page = await visit(browser, server);
  await begin(page, { first: "Me", level: "Captain" });
  await playOut(page, (p, roll) => decideByMouse(p, roll, 0.1), dice(21));
  const finished = page.url();
  await page.getByRole("button", { name: "Replay" }).click();
  await page.locator(".timeline").waitFor();
  await page.waitForFunction(() => document.querySelector(".battle")?.getAttribute("data-moment") === "0");
  await page.getByRole("button", { name: "One move on" }).click();
  await page.getByRole("button", { name: "One move on" }).click();
  await page.waitForFunction(() => document.querySelector(".battle")?.getAttribute("data-moment") === "2");
  // The browser's Back leads out of the replay and not out of the battle; Forward leads into it again.
  await page.goBack();
  await page.waitForFunction(() => /#\/game\/[^/]+$/.test(location.hash) && document.querySelector(".battle") !== null);
  await page.goForward();
  await page.waitForFunction(() => document.querySelector(".battle")?.getAttribute("data-moment") === "2");
  await page.getByRole("button", { name: "Play on from here" }).click();
  await page.waitForFunction((was) => location.href.split("/")[5] !== was.split("/")[5], finished);
  await waitForTurn(page, ["mine"]);
  assert(Number(await page.locator(".battle").getAttribute("data-moment")) >= 2, "the new battle begins where the old one stood");
  await page.goto(finished);
  await page.getByRole("button", { name: "Replay" }).click();
  await page.getByRole("slider", { name: "Moment" }).press("End");
  await page.getByRole("group", { name: "Whose eyes" }).getByRole("button").first().click();
  await page.getByRole("button", { name: "Copy a link to this moment" }).click();
  assert(/#\/game\/[^/]+\/\d+/.test(page.url()), "the address names the moment");
  const linked = await visit(browser, server);
  await linked.goto(page.url());
  await linked.locator(".timeline").waitFor();
  await linked.context().close();
  await page.getByRole("button", { name: "Menu" }).click();
  const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("menuitem", { name: "Export the journal" }).click()]);
  const text = readFileSync(await file.path(), "utf8");
  assert(text.split("\n").filter((l) => l !== "").length > 10, "the journal has lines");
  // Half a journal is a game that can go on.
  const lines = text.split("\n").filter((l) => l !== "");
  const half = lines.slice(0, Math.ceil(lines.length / 2)).join("\n") + "\n";
  await page.goto(`${server.url}/`);
  await page.getByRole("button", { name: "Open a file" }).click();
  await page.getByLabel("Scenario or journal").setInputFiles({ name: "half.jsonl", mimeType: "application/x-ndjson", buffer: Buffer.from(half) });
  await page.waitForSelector("#map[data-drawn], .handover", { timeout: 60_000 });
  const m = await moment(page);
  assert(m > 0, "the imported battle goes on from where it was");
  // The same battle again, from the other side of the table.
  await page.goto(finished);
  await page.getByRole("button", { name: "Change sides" }).click();
  await page.waitForURL((url) => url.href !== finished && url.hash.startsWith("#/game/"));
  await page.locator(".briefing h3", { hasText: "You are the Confederacy" }).waitFor();
  note(`${lines.length} lines out, moment ${m} in`);
});

test("what the computer did unfolds, and Enter leads to the present", async ({ browser, server }) => {
  const page = await visit(browser, server, { still: false });
  await begin(page, { system: "Civil War Brigade", battle: "The Sunken Road", level: "Captain" });
  await page.locator('.battle[data-turn="mine"]').waitFor();
  const before = await moment(page);
  await page.keyboard.press("e");
  // Read in one go: it does not stay for long.
  const seen = await page.waitForFunction(() => {
    const unfolds = [...document.querySelectorAll("#decision button")].some((b) => b.textContent.includes("Skip to now"));
    const step = document.querySelector("#decision .words p")?.textContent.match(/: [1-9]/);
    return unfolds && step && { told: document.querySelector("#decision h2").textContent.trim(), turn: document.querySelector(".battle").dataset.turn };
  });
  const { told, turn } = await seen.jsonValue();
  assert(turn === "theirs", "nothing is offered while it unfolds");
  await page.keyboard.press("Enter");
  await page.locator('.battle[data-turn="mine"]').waitFor();
  assert((await page.getByRole("button", { name: "Skip to now" }).count()) === 0, "the present is on the board");
  assert((await moment(page)) > before, "the other side has acted");
  note(told);
});

test("chat is data, never markup", async ({ browser, server }) => {
  const page = await visit(browser, server);
  await begin(page, { name: "<i>Ada</i>" });
  await page.getByRole("tab", { name: "Chat" }).click();
  await page.getByLabel("Say").fill("<img src=x onerror=alert(1)> hello");
  await page.keyboard.press("Enter");
  await page.locator("text=<img src=x onerror=alert(1)> hello").waitFor();
  assert((await page.locator(".chat img").count()) === 0, "no element was made of it");
  note("shown as written");
});

test("axe finds nothing", async ({ browser, server }) => {
  const found = [];
  for (const dark of [false, true]) {
    const page = await visit(browser, server, { dark });
    await page.goto(`${server.url}/`);
    await page.getByRole("button", { name: "Start the battle" }).waitFor();
    await page.waitForTimeout(500);
    found.push(...(await axe(page)).map((f) => `home: ${f}`));
    await page.goto(`${server.url}/#/rules`);
    await page.locator("dd").first().waitFor();
    found.push(...(await axe(page)).map((f) => `rules: ${f}`));
    await begin(page, { level: "Captain" });
    await waitForTurn(page, ["mine", "over"]);
    for (const tab of ["Log", "Forces", "Charts", "Score", "Chat"]) {
      await page.getByRole("tab", { name: tab }).click();
      found.push(...(await axe(page)).map((f) => `${tab}: ${f}`));
    }
    await page.getByRole("tab").first().click();
    found.push(...(await axe(page)).map((f) => `now: ${f}`));
    await page.getByRole("button", { name: "Menu" }).click();
    found.push(...(await axe(page)).map((f) => `menu: ${f}`));
    await page.getByRole("menuitem", { name: "Settings" }).click();
    found.push(...(await axe(page)).map((f) => `settings: ${f}`));
    await page.context().close();
    const phone = await visit(browser, server, { dark, width: 390, height: 844 });
    await begin(phone, { level: "Captain" });
    await waitForTurn(phone, ["mine", "over"]);
    found.push(...(await axe(phone)).map((f) => `phone: ${f}`));
    await phone.context().close();
  }
  const all = [...new Set(found)];
  assert(all.length === 0, `\n    ${all.join("\n    ")}`);
  note("home, rules, battle with every tab, menu, settings, phone; light and dark");
});
