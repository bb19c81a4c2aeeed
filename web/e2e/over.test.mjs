/** What lies over the board: menu, sheets, the finder. Their keys are their own, and the focus finds its way back. */
import { assert, axe, begin, fingerprint, visit, waitForTurn } from "./lib.mjs";
import { note, test } from "./runner.mjs";

const focused = (page) => page.evaluate(() => (document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.textContent ?? "").trim());
const inDialog = (page) => page.evaluate(() => document.activeElement?.closest("dialog") !== null);
const press = async (page, ...keys) => {
  for (const key of keys) await page.keyboard.press(key);
};
const openMenu = async (page) => {
  await page.getByRole("button", { name: "Menu" }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("menu").waitFor();
};

test("no key plays beneath a menu or a sheet", async ({ browser, server }) => {
  const page = await visit(browser, server);
  await begin(page, { second: "Me", name: "Ada", other: "Bertram" });
  await waitForTurn(page, ["mine"]);
  const before = await fingerprint(page);
  await openMenu(page);
  assert((await focused(page)) === "Home", "the menu opens at its first item");
  await press(page, "e", "u", "z", "1");
  await press(page, "ArrowUp");
  assert((await focused(page)) === "Resign", "up from the first item is the last");
  await press(page, "Home", "ArrowDown");
  assert(/^Replay/.test(await focused(page)), "arrows walk the menu");
  await press(page, "Escape");
  await page.getByRole("menu").waitFor({ state: "detached" });
  assert((await focused(page)) === "Menu", "the focus goes back to the menu's button");
  const found = [];
  for (const [item, sheet] of [["Settings", "Settings"], ["Keys", "Keys"], ["Links and seats", "Links and seats"]]) {
    await openMenu(page);
    await page.getByRole("menuitem", { name: item, exact: true }).press("Enter");
    await page.getByRole("dialog", { name: sheet }).waitFor();
    found.push(...(await axe(page)).map((f) => `${sheet}: ${f}`));
    await press(page, "e", "u", ",");
    for (let i = 0; i < 16; i++) {
      await press(page, "Tab");
      assert((await inDialog(page)) || (await page.evaluate(() => document.activeElement === document.body)), `${sheet}: Tab leads to the board: ${await focused(page)}`);
    }
    await press(page, "Escape");
    await page.getByRole("dialog", { name: sheet }).waitFor({ state: "detached" });
    assert((await focused(page)) === "Menu", `${sheet}: the focus goes back to the menu's button, not to ${await focused(page)}`);
  }
  assert(found.length === 0, found.join("\n"));
  await openMenu(page);
  await page.getByRole("menuitem", { name: "Find a unit or hex" }).press("Enter");
  await page.getByLabel("Find a unit or hex").waitFor();
  assert((await focused(page)) === "Find a unit or hex", `the finder has the focus, not ${await focused(page)}`);
  await press(page, "Escape");
  await page.getByRole("search").waitFor({ state: "detached" });
  assert((await focused(page)) === "Menu", "the focus goes back from the finder");
  await press(page, "?");
  await page.getByRole("dialog", { name: "Keys" }).waitFor();
  await page.mouse.click(8, 400);
  await page.getByRole("dialog", { name: "Keys" }).waitFor({ state: "detached" });
  await page.waitForTimeout(300);
  assert((await fingerprint(page)) === before, "nothing was played");
  note("menu, settings, keys, links, finder");
});
