/** A battle of one's own from a file, and what an invitation tells. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { assert, axe, begin, visit, waitForTurn } from "./lib.mjs";
import { note, test } from "./runner.mjs";

const scenario = (id) => readFileSync(fileURLToPath(new URL(`../../scenarios/${id}.toml`, import.meta.url)), "utf8");
const asFile = (name, text) => ({ name, mimeType: "application/toml", buffer: Buffer.from(text) });

/** Lets go of a file over the page. */
async function dropFile(page, name, text) {
  const data = await page.evaluateHandle(([n, t]) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([t], n, { type: "application/toml" }));
    return transfer;
  }, [name, text]);
  await page.dispatchEvent("main", "drop", { dataTransfer: data });
}

test("a scenario file is checked, mended and played", async ({ browser, server }) => {
  const page = await visit(browser, server);
  await page.goto(`${server.url}/`);
  await page.getByRole("button", { name: "Start the battle" }).waitFor();
  const text = scenario("battle-hymn/mcphersons-ridge").replace(/^title = .*/m, 'title = "The Ridge by Night"');
  const broken = text.replace(/^title = .*/m, "title = 7");
  const line = broken.split("\n").findIndex((l) => l === "title = 7") + 1;
  await page.getByRole("button", { name: "Open a file" }).click();
  await page.getByLabel("Scenario or journal").setInputFiles(asFile("ridge by night.toml", broken));
  const faults = page.getByRole("list", { name: "Faults" });
  await faults.waitFor();
  const first = await faults.getByRole("button").first().innerText();
  assert(first.includes(`Line ${line}, column 9`) && first.includes("title = 7") && first.includes("Expected"), `the fault stands at its line: ${first}`);
  const found = await axe(page);
  assert(found.length === 0, found.join("\n"));
  // The fault leads to its place in the text.
  await faults.getByRole("button").first().click();
  const area = page.getByLabel("Text of the scenario");
  assert((await area.evaluate((a) => a.value.slice(a.selectionStart, a.selectionEnd))) === "7", "the wrong value is marked");
  await area.fill(text);
  await page.getByRole("button", { name: "Check again" }).click();
  const own = page.locator("label.battle", { hasText: "The Ridge by Night" });
  await own.waitFor();
  assert((await own.innerText()).includes("Your file") && (await own.locator("input").isChecked()), "it is listed and chosen");
  await page.getByRole("button", { name: "Start the battle" }).click();
  await page.waitForSelector("#map[data-drawn]");
  await waitForTurn(page, ["mine"]);
  assert(await page.getByRole("heading", { level: 1, name: "The Ridge by Night" }).count(), "it is played");
  note(first.replace(/\s+/g, " "));
});

test("a dropped scenario is set up like any other", async ({ browser, server }) => {
  const page = await visit(browser, server);
  await page.goto(`${server.url}/`);
  await page.getByRole("button", { name: "Start the battle" }).waitFor();
  await dropFile(page, "roads.toml", scenario("hallowed-ground/crossroads").replace(/^title = .*/m, 'title = "My Crossroads"'));
  await page.locator("label.battle", { hasText: "My Crossroads" }).waitFor();
  assert((await page.getByRole("radio", { name: /This Hallowed Ground/ }).getAttribute("aria-checked")) === "true", "its system is chosen");
  await dropFile(page, "words.toml", "Not a scenario at all");
  await page.getByRole("heading", { name: "“words” has a fault" }).waitFor();
  note("set up, and a stray text is told as such");
});

test("an invitation names battle, side and host", async ({ browser, server }) => {
  const ada = await visit(browser, server);
  await begin(ada, { system: "American Revolution", battle: "The Cabin", second: "By link", name: "Ada <b>" });
  const { game, invitation } = await ada.evaluate(() => JSON.parse(localStorage.getItem("linstock.vault")).invitations[0]);
  const guest = await visit(browser, server);
  await guest.goto(`${server.url}/#/claim/${game}/${invitation}`);
  await guest.getByRole("heading", { level: 1, name: "The Cabin" }).waitFor();
  const words = await guest.locator("form").innerText();
  assert(words.includes("Ada <b> invites you") && /You would play the \w+/.test(words), words);
  const found = await axe(guest);
  assert(found.length === 0, found.join("\n"));
  await guest.getByLabel("Your name").fill("Bertram");
  await guest.getByRole("button", { name: "Sit down" }).click();
  await guest.waitForSelector("#map[data-drawn]");
  const late = await visit(browser, server);
  await late.goto(`${server.url}/#/claim/${game}/${invitation}`);
  await late.getByText("holds the seat").waitFor();
  assert((await late.getByRole("button", { name: "Sit down" }).count()) === 0, "a seat that is taken is not offered");
  note(words.split("\n").slice(0, 3).join(" / "));
});
