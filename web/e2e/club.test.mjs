/** Two people play by the clock, and one of them leaves orders: both in browsers of their own. */
import { assert, axe, gameId, turn, visit } from "./lib.mjs";
import { note, test } from "./runner.mjs";

const timers = (page) => page.locator("header").getByRole("timer");

test("two people play by the clock, and an order is played for one who is away", async ({ browser, server }) => {
  const ada = await visit(browser, server);
  await ada.goto(`${server.url}/#/new/challenge`);
  await ada.getByLabel("Offer this seat in the lobby").waitFor();
  await ada.locator("label.battle", { hasText: "McPherson's Ridge" }).click();
  await ada.getByRole("radiogroup", { name: "Clock" }).getByRole("radio", { name: "Fast" }).click();
  await ada.getByLabel("Weekends are free").check();
  await ada.getByRole("button", { name: "Start the battle" }).click();
  await ada.waitForSelector("#map[data-drawn]");
  // Until somebody sits opposite nobody's clock runs.
  await timers(ada).first().waitFor();
  assert((await timers(ada).allInnerTexts()).every((words) => words === "3 d 0 h left"), "both clocks are full");

  const bertram = await visit(browser, server);
  await bertram.goto(`${server.url}/#/lobby`);
  const row = bertram.getByRole("row").filter({ hasText: "McPherson's Ridge" });
  await row.getByText("Clock: Fast, weekends off").waitFor();
  await row.getByRole("button", { name: /^Accept/ }).click();
  await bertram.waitForSelector("#map[data-drawn]");
  assert(gameId(ada) === gameId(bertram), "both sit at one table");

  // Whoever decides spends time; the other does not. A weekend is free.
  const weekend = [0, 6].includes(new Date().getDay());
  for (const page of [ada, bertram]) {
    await page.waitForFunction((weekend) => [...document.querySelectorAll("header [role=timer]")].some((t) => (weekend ? t.textContent.includes("weekend") : t.textContent === "2 d 23 h left")), weekend);
    const words = await timers(page).allInnerTexts();
    assert(words.length === 2 && words.includes("3 d 0 h left"), `one clock runs: ${words}`);
  }

  // The one who decides leaves it to the captain, and the log of both says so.
  const [here, away] = (await turn(ada)) === "mine" ? [ada, bertram] : [bertram, ada];
  await here.getByRole("tab", { name: "Orders" }).click();
  await here.getByText("No orders. You are asked every time.").waitFor();
  await here.getByLabel("then").selectOption("captain");
  const found = await axe(here);
  assert(found.length === 0, found.join("\n"));
  await here.getByRole("button", { name: "Add this order" }).click();
  await here.getByRole("list", { name: "Your orders" }).getByText("let the captain decide").waitFor();
  await here.getByText(/^Orders have decided/).waitFor();
  for (const page of [here, away]) {
    await page.getByRole("tab", { name: "Log" }).click();
    await page.getByText("as ordered").first().waitFor();
  }
  await away.getByRole("tab", { name: "Orders" }).click();
  await away.getByText("No orders. You are asked every time.").waitFor();
  await here.getByRole("tab", { name: "Orders" }).click();
  await here.getByRole("button", { name: "Lift order 1" }).click();
  await here.getByText("No orders. You are asked every time.").waitFor();
  note(await here.getByText(/^Orders have decided/).innerText());

  // On the home page the game stands with its clock.
  await away.goto(`${server.url}/`);
  await away.locator("article", { hasText: "McPherson's Ridge" }).getByRole("timer").waitFor();
});
