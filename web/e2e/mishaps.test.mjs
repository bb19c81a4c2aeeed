/** What goes wrong on the way: an address cut short, a part of the page that does not come, an answer that is lost. */
import { beginFixed } from "./fixed.mjs";
import { decideByMouse } from "./hands.mjs";
import { assert, begin, dice, gameId, moment, visit, waitForTurn } from "./lib.mjs";
import { note, test } from "./runner.mjs";

test("an address that cannot be read leads home", async ({ browser, server }) => {
  const page = await visit(browser, server);
  await page.goto(`${server.url}/#/game/%`);
  await page.getByRole("button", { name: "Start the battle" }).waitFor();
  note("home");
});

test("a map that does not load says so, and loads again", async ({ browser, server }) => {
  const page = await visit(browser, server);
  await begin(page, {});
  const game = gameId(page);
  await page.goto(`${server.url}/`);
  await page.reload();
  await page.route(/\/assets\/Battle-.*\.js$/, (route) => route.abort());
  await page.goto(`${server.url}/#/game/${game}`);
  const again = page.getByRole("button", { name: "Load again" });
  await again.waitFor();
  await page.unroute(/\/assets\/Battle-.*\.js$/);
  await again.click();
  await page.waitForSelector("#map[data-drawn]");
  note("the map is there");
});

test("an act whose answer is lost is played once", async ({ browser, server }) => {
  const page = await visit(browser, server);
  await begin(page, { second: "Me", name: "Ada", other: "Bertram" });
  await waitForTurn(page, ["mine"]);
  const before = await moment(page);
  const ids = [];
  await page.route("**/acts", async (route) => {
    ids.push(route.request().postDataJSON().id);
    if (ids.length > 1) return route.continue();
    await route.fetch();
    return route.abort();
  });
  await decideByMouse(page, dice(4));
  await page.waitForFunction(() => !document.querySelector(".battle")?.hasAttribute("data-busy"));
  assert(ids.length === 2 && ids[0] === ids[1], `sent as ${ids.join(", ")}`);
  assert((await moment(page)) === before + 1, "played once");
  assert((await page.locator(".notice").count()) === 0, "nothing is left to tell");
  note("sent twice, played once");
});

test("what is played before the last answer has come is heard", async ({ browser, server }) => {
  const page = await visit(browser, server);
  await beginFixed(page, { scenario: "battle-hymn/mcphersons-ridge", seed: 4 });
  await waitForTurn(page, ["mine"]);
  const before = await moment(page);
  // The live connection brings the new position long before the answer to the act.
  await page.route("**/acts", async (route) => {
    const answer = await route.fetch();
    await new Promise((done) => setTimeout(done, 3000));
    return route.fulfill({ response: answer });
  });
  await page.keyboard.press("c");
  await page.locator(".choices button.head").first().click();
  await page.locator(".choices ul button[aria-pressed]", { hasNotText: "!" }).nth(2).click();
  await page.locator("#decision button.brass").click();
  await page.getByRole("button", { name: /^Undo/ }).waitFor();
  assert((await page.locator(".battle[data-busy]").count()) === 1, "the answer is on its way");
  await page.keyboard.press("u");
  await page.getByRole("button", { name: /^Undo/ }).waitFor({ state: "detached" });
  assert((await moment(page)) === before, "the march is taken back");
  note("taken back");
});
