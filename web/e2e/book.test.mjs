/** The rules to read and to see. */
import { fileURLToPath } from "node:url";
import { createServer } from "vite";
import { assert, axe, gameId, visit } from "./lib.mjs";
import { note, test } from "./runner.mjs";

/** For each system rules of different kinds: one that refuses, one that rolls, one that moves. */
const RULES = {
  "battle-hymn": ["5.3.a", "6.1.4.c", "10.3.a"],
  "brigade-battles": ["1.1.2.c", "9.5.d", "9.8.n"],
  "american-revolution": ["8.31.a", "12.23.e", "13.1.o"],
  "hallowed-ground": ["5.4.d", "7.3.k", "8.4.a"],
  "fields-of-honor": ["charge.sequence.a", "fire.procedure.a", "qrs.morale.a"],
};

const drawn = (page) => page.waitForSelector(".stage #map[data-drawn]", { timeout: 60_000 });
const step = async (page) => Number(await page.locator(".stage .caption").getAttribute("data-step"));

/** Opens a rule's first situation and waits until it stands on the stage. */
async function show(page, system, rule) {
  await page.goto(`${page.base}/#/rules/${system}/${rule}`);
  await page.locator(`#r-${rule.replaceAll(".", "\\.")}`).waitFor();
  await drawn(page);
}

for (const [system, rules] of Object.entries(RULES)) {
  test(`Show me: rules of ${system}`, async ({ browser, server }) => {
    const page = await visit(browser, server);
    for (const rule of rules) {
      await show(page, system, rule);
      // From the set-up to the end by keys, each step with its own address.
      const last = (await page.locator(".stage .transport ol button").count()) - 1;
      assert(last >= 1, `${rule}: a situation without a step`);
      while ((await step(page)) > 0) await page.keyboard.press("ArrowLeft");
      for (let i = 1; i <= last; i++) {
        await page.keyboard.press("ArrowRight");
        await page.waitForFunction((n) => document.querySelector(".stage .caption")?.getAttribute("data-step") === String(n), i);
        assert(page.url().endsWith(`/${i}`), `${rule}: step ${i} has the address ${page.url()}`);
        assert((await page.locator(".stage .caption").innerText()).length > 5, `${rule}: step ${i} says nothing`);
      }
      assert((await page.locator(".stage .bad").count()) === 0, `${rule}: something does not hold`);
      assert((await page.locator(".stage .failed").count()) === 0, `${rule}: could not be shown`);
    }
    // The address of a step opens that step.
    const address = page.url();
    const other = await visit(browser, server);
    await other.goto(address);
    await drawn(other);
    assert((await step(other)) === (await step(page)), "a shared address opens another step");
    note(`${rules.join(", ")}`);
  });
}

test("J and K walk the rules, Space plays", async ({ browser, server }) => {
  const page = await visit(browser, server);
  await show(page, "battle-hymn", "5.3.a");
  await page.keyboard.press("j");
  await page.waitForURL(/5\.3\.b/);
  await drawn(page);
  await page.keyboard.press("k");
  await page.waitForURL(/5\.3\.a/);
  await drawn(page);
  await page.locator(".stage .transport ol button").first().click();
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press("Space");
  await page.waitForFunction(() => document.querySelector(".stage .caption")?.getAttribute("data-step") === "1");
});

test("Take over from a step, play, and go back", async ({ browser, server }) => {
  const page = await visit(browser, server);
  for (const [system, rule] of [["battle-hymn", "5.3.a"], ["hallowed-ground", "5.4.d"]]) {
    await show(page, system, rule);
    await page.locator(".stage .transport ol button").first().click();
    const address = page.url();
    await page.getByRole("button", { name: "Take over from here" }).click();
    await page.waitForSelector(".battle #map[data-drawn]", { timeout: 60_000 });
    const game = gameId(page);
    assert(game.length > 0, "no game was begun");
    assert((await page.locator("#decision h2").innerText()).length > 0, "nobody decides");
    await page.getByRole("link", { name: "Back to the situation" }).click();
    await drawn(page);
    assert(page.url() === address, `back leads to ${page.url()}`);
  }
});

test("A rule leads to the battles in which it is met", async ({ browser, server }) => {
  const page = await visit(browser, server);
  await page.goto(`${server.url}/#/rules/american-revolution/13.1.o`);
  const battle = page.locator("article.open dl a[href^='#/new/battle/']").last();
  const [title, address] = [await battle.innerText(), await battle.getAttribute("href")];
  await battle.click();
  await page.locator("[role=radio][aria-checked=true]", { hasText: "American Revolution" }).waitFor();
  await page.getByRole("heading", { name: title }).first().waitFor();
  note(`${title}, ${address}`);
});

test("The handbook is read, searched and printed", async ({ browser, server }) => {
  const page = await visit(browser, server);
  await page.goto(`${server.url}/#/handbook/battle-hymn`);
  await page.getByRole("heading", { name: /Your first battle/ }).waitFor();
  await page.getByRole("link", { name: /Marching/ }).first().click();
  await page.locator("a.rule", { hasText: /^5\.3\.a$/ }).first().click();
  await page.waitForURL(/handbook\/battle-hymn\/marching\/5\.3\.a/);
  await drawn(page);
  for (const [asked, wanted] of [["ZOC", "zone of control"], ["LOS", "line of sight"], ["odds", "To Hit Chance"]]) {
    await page.keyboard.press("/");
    await page.keyboard.press("Control+a");
    await page.keyboard.type(asked);
    await page.locator(".word", { hasText: wanted }).waitFor();
    await page.keyboard.press("Escape");
  }
  await page.keyboard.press("/");
  await page.keyboard.type("bombardmint");
  await page.getByRole("button", { name: "bombardment" }).click();
  await page.locator(".word", { hasText: "bombardment" }).waitFor();
  const systems = await (await fetch(`${server.url}/api/v1/systems`)).json();
  let diagrams = 0;
  for (const { id } of systems) {
    const print = await visit(browser, server);
    await print.goto(`${server.url}/#/handbook/${id}/print`);
    await print.locator("main h2.chapter").first().waitFor();
    await print.waitForFunction(() => document.querySelectorAll("figure[data-diagram]").length > 0 && document.querySelectorAll("figure[data-diagram=waiting]").length === 0);
    assert((await print.locator("figure .blank").count()) === 0, `${id}: a diagram could not be drawn`);
    diagrams += await print.locator("figure svg").count();
    await print.close();
  }
  note(`${diagrams} diagrams in five handbooks`);
});

test("Two units on the charts", async ({ browser, server }) => {
  const page = await visit(browser, server);
  await show(page, "battle-hymn", "6.2.2.a");
  await page.getByRole("button", { name: "Take over from here" }).click();
  await page.waitForSelector(".battle #map[data-drawn]", { timeout: 60_000 });
  await page.getByRole("tab", { name: "Charts" }).click();
  for (const nth of [0, 1]) {
    const select = page.locator(".choices select").nth(nth);
    await select.selectOption({ index: 1 });
  }
  await page.locator("tr.lit").first().waitFor();
  const words = await page.locator("p.far").innerText();
  assert(/next to each other|apart/.test(words), `no distance: ${words}`);
  note(`${words} ${await page.locator("tr.lit").count()} rows lit`);
});

test("Two units on the charts of a table, also when it is not their turn to fire", async ({ browser, server }) => {
  const page = await visit(browser, server);
  for (const [id, by, at, hit] of [["fields-of-honor/03-wheel", "Red 1st Regiment", "Blue 2nd Regiment", /dice, hitting on/], ["hallowed-ground/07-shooting", "1st Gray", "3rd Blue", /saves each hit/]]) {
    await page.goto(`${server.url}/#/learn/${id}`);
    await page.waitForSelector("#map[data-drawn]");
    await page.getByRole("tab", { name: "Charts" }).click();
    for (const [nth, name] of [by, at].entries()) {
      const select = page.locator(".choices select").nth(nth);
      await select.selectOption({ label: await select.locator("option", { hasText: name }).first().innerText() });
    }
    await page.locator("tr.lit").first().waitFor();
    await page.getByText(hit).first().waitFor();
    note(`${id}: ${await page.locator("tr.lit").count()} rows lit, ${await page.locator("td.hit").count()} cells`);
  }
});

test("Handbook, rules, glossary and charts at three widths, with axe", async ({ browser, server }) => {
  const found = [];
  for (const [width, height, dark] of [[1440, 900, false], [1024, 768, true], [390, 844, false]]) {
    const page = await visit(browser, server, { width, height, dark });
    for (const hash of ["handbook/battle-hymn", "handbook/fields-of-honor/glossary", "handbook/american-revolution/charts", "rules/battle-hymn/5.3.a", "rules/hallowed-ground/7.3.k", "handbook/brigade-battles/print"]) {
      await page.goto(`${server.url}/#/${hash}`);
      await page.locator("main h1").waitFor();
      if (hash.startsWith("rules")) await drawn(page);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      if (wide > 0) found.push(`${hash} at ${width}: ${wide} px too wide`);
      found.push(...(await axe(page)).map((f) => `${hash} at ${width}: ${f}`));
    }
    await page.close();
  }
  assert(found.length === 0, found.join("\n"));
});

test("Each rule of each system opens a situation that holds", async ({ server }) => {
  // School's texts as the board carries them.
  const vite = await createServer({ root: fileURLToPath(new URL("..", import.meta.url)), server: { middlewareMode: true, ws: false }, appType: "custom", logLevel: "error" });
  const root = fileURLToPath(new URL("../..", import.meta.url));
  try {
    const { index, situations, systems } = await vite.ssrLoadModule("/school/texts.ts");
    const told = [];
    for (const system of systems(root)) {
      const [listed, texts] = [index(root, system), situations(root, system)];
      const rules = (await (await fetch(`${server.url}/api/v1/systems/${system}/rules`)).json()).map((r) => r.id);
      const asked = new Map();
      for (const rule of rules) {
        const name = listed.rules[rule]?.[0];
        assert(name !== undefined, `${system} ${rule}: no situation shows it`);
        if (asked.has(name)) continue;
        const answer = await fetch(`${server.url}/api/v1/situations`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ text: texts[name] }) });
        const demo = await answer.json();
        assert(answer.ok, `${system} ${rule}: ${name}: ${demo.message}`);
        assert(demo.steps.length > 0 && demo.steps.every((s) => s.holds), `${system} ${rule}: ${name} does not hold`);
        assert(demo.start.view.pieces.length > 0, `${system} ${rule}: ${name} has an empty board`);
        asked.set(name, demo);
      }
      told.push(`${system}: ${rules.length} rules, ${asked.size} situations`);
    }
    note(told.join("; "));
  } finally {
    await vite.close();
  }
});
