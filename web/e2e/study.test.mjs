/** A study on the board: played in the background, its report drawn in a frame of its own. */
import { assert, axe, visit } from "./lib.mjs";
import { note, test } from "./runner.mjs";

test("a study's report draws its charts, day and night, and asks for nothing", async ({ browser, server }) => {
  const page = await visit(browser, server);
  await page.goto(`${server.url}/`);
  const asked = { scenario: "battle-hymn/drill", players: { first: "random", second: "random" }, games: 50, options: {}, changes: [] };
  const begun = await page.request.post(`${server.url}/api/v1/studies`, { data: asked });
  assert(begun.ok(), await begun.text());
  const { id } = await begun.json();
  await page.goto(`${server.url}/#/study/${id}`);
  const report = page.frameLocator("iframe");
  await report.getByRole("heading", { name: "Who wins" }).waitFor();
  const charts = report.locator(".chart");
  await report.locator(".chart.drawn").nth((await charts.count()) - 1).waitFor();
  const told = await charts.locator("[role=graphics-document]").evaluateAll((all) => all.map((drawn) => drawn.getAttribute("aria-label")));
  assert(told.length === (await charts.count()) && told.every((says) => says?.length > 20), `every chart says what it shows: ${told.join("; ")}`);
  // Each chart has its numbers beside it.
  assert((await report.locator(".panel:has(.chart) table").count()) === told.length, "a table for each chart");
  const own = await report.locator("body").evaluate(() => {
    try {
      return window.parent.document.title;
    } catch {
      return null;
    }
  });
  assert(own === null, "the report cannot reach the board");

  const night = await visit(browser, server, { dark: true, width: 390, height: 844 });
  await night.goto(`${server.url}/api/v1/studies/${id}/report`);
  await night.locator(".chart.drawn").nth(told.length - 1).waitFor();
  const light = await night.locator(".chart text").first().evaluate((text) => getComputedStyle(text).fill);
  assert(Number(light.match(/\d+/)[0]) > 128, `words are light by night: ${light}`);
  assert(await night.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "a phone need not scroll sideways");
  const found = await axe(night);
  assert(found.length === 0, found.join("\n"));
  note(`${told.length} charts, ${((await (await page.request.get(`${server.url}/api/v1/studies/${id}/report`)).body()).length / 1000).toFixed(0)} kB`);
});
