/** The inch table in Chromium: both miniatures systems played out, poses dragged, turned, refused, read by axe. */
import { beginFixed, fixedSeat, sitAt } from "./fixed.mjs";
import { choose, Hand, SCENARIOS } from "./framing.mjs";
import { assert, axe, begin, dice, fingerprint, visit, waitForTurn } from "./lib.mjs";
import { note, test } from "./runner.mjs";
import { playByTree } from "./tree.mjs";
import { brass, CROSSROADS, decideByMouse, decideWithKeys, drag, DRILL_GROUND, restingLabels, TABLES, untilMoves, wholeGame } from "./tables.mjs";

test("no label lies on another or leaves the map, on every table at three zooms", async ({ browser, server }) => {
  const page = await visit(browser, server, { width: 1440, height: 900 });
  const told = [];
  for (const [system, battles] of TABLES)
    for (const battle of battles) {
      await begin(page, { system, battle, level: "Captain" });
      await waitForTurn(page, ["mine", "over"]);
      await page.locator("#map").focus();
      for (const keys of [["0"], ["0", "+", "+"], ["0", "-", "-"]]) {
        for (const key of keys) await page.keyboard.press(key);
        const found = await restingLabels(page);
        assert(found.faults.length === 0, `${battle}, ${keys.join(" ")}: ${found.faults.join("; ")}`);
        told.push(found.labels);
      }
    }
  note(`${told.length} looks at ${told.reduce((a, b) => a + b, 0)} labels`);
});

/** PLATES=6: so many turns of each table; else a few. */
const TURNS = Number(process.env.PLATES ?? 2);

test("no label lies on another or leaves the map after each turn, on every table at three zooms", async ({ browser, server }) => {
  let [looks, labels] = [0, 0];
  for (const scenario of SCENARIOS.filter((id) => /^(hallowed-ground|fields-of-honor)/.test(id))) {
    const page = await visit(browser, server);
    const seat = await fixedSeat(server.url, { scenario, opponent: "ensign", seed: 2 });
    const [hand, roll] = [new Hand(server.url, seat), dice(6)];
    await sitAt(page, seat);
    for (let turn = 0; turn < TURNS; turn++) {
      const position = await nextTurn(hand, roll);
      if (!position) break;
      await page.locator(`.battle[data-state="${position.state}"]`).waitFor();
      await page.locator("#map").focus();
      for (const keys of [["0"], ["0", "+", "+"], ["0", "-", "-"]]) {
        for (const key of keys) await page.keyboard.press(key);
        const found = await restingLabels(page);
        assert(found.faults.length === 0, `${scenario}, turn ${turn + 2}, ${keys.join(" ")}: ${found.faults.join("; ")}`);
        [looks, labels] = [looks + 1, labels + found.labels];
      }
    }
    await page.context().close();
  }
  note(`${looks} looks at ${labels} labels`);
});

/** Plays on until another turn has begun; nothing if the battle ends before. */
async function nextTurn(hand, roll) {
  const turnOf = (position) => position.view.track.findIndex((cell) => cell.now);
  let position = await hand.decision();
  for (const turn = turnOf(position); turnOf(position) === turn; position = await hand.decision()) {
    if (position.status.kind === "over") return undefined;
    await hand.act(position, choose(position.offers, roll));
  }
  return position;
}

test("table: the crossroads by mouse against captain", ({ browser, server }) => wholeGame({ browser, server }, CROSSROADS, decideByMouse, 3));
test("table: the crossroads by keyboard alone against captain", ({ browser, server }) => wholeGame({ browser, server }, CROSSROADS, decideWithKeys, 7));
test("table: the drill ground by mouse against captain", ({ browser, server }) => wholeGame({ browser, server }, DRILL_GROUND, decideByMouse, 5));
test("table: the drill ground by keyboard alone against captain", ({ browser, server }) => wholeGame({ browser, server }, DRILL_GROUND, decideWithKeys, 9));

for (const [name, { scenario }, seed] of [["the crossroads", CROSSROADS, 4], ["the drill ground", DRILL_GROUND, 6]])
  test(`table: ${name} by the accessibility tree alone against captain`, async ({ browser, server }) => {
    const page = await visit(browser, server);
    await beginFixed(page, { scenario });
    const { n, words } = await playByTree(page, dice(seed));
    assert(/wins?\b|drawn/.test(words), `the heading names the result: ${words}`);
    note(`${n} decisions; ${words}`);
  });

test("table: a block is dragged, turned, stops where it must, and a refusal names its rule", async ({ browser, server }) => {
  const page = await visit(browser, server);
  await begin(page, CROSSROADS);
  await untilMoves(page);
  // Straight ahead, much too far: the ghost stops at the end of the allowance.
  await drag(page, "3rd-blue", 0, -320);
  await page.locator(".tape text.inches").waitFor();
  await page.mouse.up();
  await page.waitForFunction(() => /8 of 8 in/.test(document.querySelector(".tape text.inches")?.textContent ?? ""));
  await page.locator("#map").focus();
  for (let i = 0; i < 3; i++) await page.keyboard.press("Shift+]");
  await page.waitForFunction(() => /right 45°/.test(document.querySelector("#decision button.brass")?.textContent ?? ""));
  const turned = await brass(page).innerText();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  // The tape measures whatever it is laid along.
  await page.keyboard.press("m");
  await drag(page, "3rd-blue", 120, 0);
  await page.mouse.up();
  const tape = await page.locator(".tape text.inches").textContent();
  assert(/^\d+(\.\d)? in$/.test(tape), `the tape says ${tape}`);
  await page.keyboard.press("m");
  // What goes too far is refused, and the refusal has a rule.
  const state = await fingerprint(page);
  await page.evaluate(async () => {
    const id = location.hash.split("/")[2];
    const seat = JSON.parse(localStorage.getItem("linstock.vault")).seats.find((s) => s.game === id);
    const at = document.querySelector(".battle").getAttribute("data-state");
    const ask = (action) => fetch(`/api/v1/games/${id}/check`, { method: "POST", headers: { Authorization: `Bearer ${seat.token}`, "Content-Type": "application/json" }, body: JSON.stringify({ state: Number(at), action }) });
    window.refused = await (await ask("advance 3rd-blue forward 30")).json();
  });
  const refused = await page.evaluate(() => window.refused);
  assert(refused.code === "refused" && refused.refusal.rule, `a check refuses by rule: ${JSON.stringify(refused)}`);
  assert((await fingerprint(page)) === state, "a check plays nothing");
  note(`${turned.replace(/\s+/g, " ")}; ${refused.refusal.why}`);
});

test("table: axe finds nothing", async ({ browser, server }) => {
  const found = [];
  for (const battle of [CROSSROADS, DRILL_GROUND])
    for (const size of [{ dark: false }, { dark: true, width: 390, height: 844 }]) {
      const page = await visit(browser, server, size);
      await begin(page, battle);
      await untilMoves(page);
      await page.keyboard.press("Space");
      await page.keyboard.press("5");
      await page.waitForTimeout(300);
      found.push(...(await axe(page)).map((f) => `${battle.battle}${size.dark ? ", phone, dark" : ""}: ${f}`));
      await page.context().close();
    }
  const all = [...new Set(found)];
  assert(all.length === 0, `\n    ${all.join("\n    ")}`);
  note("both systems, wide and phone, light and dark");
});
