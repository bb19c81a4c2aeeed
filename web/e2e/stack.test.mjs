/** The stack builder: who of a stack marches together, by one gesture. */
import { assert, begin, moment, placeOf, visit, waitForTurn } from "./lib.mjs";
import { note, test } from "./runner.mjs";

const BUILDER = 'section[aria-label="March together"]';

/** The hex that the log says a unit marched to. */
async function marchedTo(page, name) {
  const entry = page.locator(".log, #log, aside.dock").getByText(new RegExp(`${name} marches to \\d{4}`)).first();
  await entry.waitFor();
  return /marches to (\d{4})/.exec(await entry.innerText())?.[1];
}

test("American Revolution: a stack marches together", async ({ browser, server }) => {
  const page = await visit(browser, server);
  await begin(page, { system: "American Revolution", battle: "The Cabin", second: "Me", name: "Ada", other: "Bertram" });
  if ((await waitForTurn(page, ["mine", "handover"])) === "handover") {
    await page.getByRole("button", { name: /^Play / }).click();
    await page.waitForSelector(".piece");
  }
  const stack = await placeOf(page, page.locator('.piece[data-slug="u-3h"]'));
  await page.mouse.click(stack.x, stack.y);
  await page.locator(BUILDER).waitFor();
  const ticks = page.locator(`${BUILDER} input:checked`);
  assert((await ticks.count()) === 1, "at first a piece goes alone");
  await page.keyboard.press("t");
  await page.waitForFunction((b) => document.querySelectorAll(`${b} input:checked`).length === 3, BUILDER);
  assert(/6 strength points · 1 leader · slowest 4/.test(await page.locator(`${BUILDER} p`).innerText()), "the whole stack is weighed");
  // The general stays.
  const rows = await page.$$eval(`${BUILDER} label b`, (all) => all.map((b) => b.textContent));
  await page.keyboard.press(String(rows.indexOf("Poor") + 1));
  await page.waitForFunction((b) => document.querySelectorAll(`${b} input:checked`).length === 2, BUILDER);
  assert(/6 strength points · slowest 4/.test(await page.locator(`${BUILDER} p`).innerText()), "without the general");
  const before = await moment(page);
  const all = page.locator(".choices button.more");
  if ((await all.count()) > 0) await all.click();
  await page.locator(".choices ul button", { hasText: "0810" }).first().click();
  await page.locator("#decision button.brass").click();
  const [first, third] = [await marchedTo(page, "1st New Hampshire"), await marchedTo(page, "3rd New Hampshire")];
  assert(first === third, `one went to ${first}, the other to ${third}`);
  assert((await moment(page)) === before + 2, "two marches by one gesture");
  assert((await page.getByText(/Poor marches to/).count()) === 0, "the general stays");
  note(`both to ${first}`);
});
