/** What stays, what is not asked again, and what is not forgotten: taking back, standing orders, ending a phase. */
import { expect } from "@playwright/test";
import { assert, begin, visit, waitForTurn } from "./lib.mjs";
import { note, test } from "./runner.mjs";

/** Plays from the page's own seat, whatever rolls dice first, until the server says so; answers the position. */
const playUntil = (page, undo) =>
  page.evaluate(async (undo) => {
    const id = location.hash.split("/")[2];
    const { token } = JSON.parse(localStorage.getItem("linstock.vault")).seats.find((s) => s.game === id);
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const look = async () => (await fetch(`/api/games/${id}/position`, { headers })).json();
    for (let i = 0; i < 2000; i++) {
      const position = await look();
      if (position.undo === undo) return position.state;
      if (position.offers.length === 0) {
        await new Promise((done) => setTimeout(done, 20));
        continue;
      }
      const { action } = position.offers.find((o) => o.rolls) ?? position.offers[i % position.offers.length];
      const body = JSON.stringify({ id: `until-dice-${i}`, state: position.state, action, salt: "0f".repeat(16) });
      await fetch(`/api/games/${id}/acts`, { method: "POST", headers, body });
    }
    throw new Error(`never ${undo}`);
  }, undo);

test("against the computer a roll stays made, and the board says so", async ({ browser, server }) => {
  const page = await visit(browser, server);
  await begin(page, { system: "Hallowed Ground", battle: "Drill" });
  await playUntil(page, "rolled");
  await waitForTurn(page, ["mine", "theirs"]);
  const button = page.getByRole("button", { name: /^Undo/ });
  await expect(button).toBeDisabled();
  await expect(button).toHaveAttribute("title", "The dice have fallen; this battle was set up so that rolls stay.");
  await page.keyboard.press("u");
  await page.getByText("The dice have fallen; this battle was set up so that rolls stay.").first().waitFor();
});

test("rolls may be taken back where that was ticked at set-up", async ({ browser, server }) => {
  const page = await visit(browser, server);
  await page.goto(`${server.url}/`);
  await page.locator("summary", { hasText: "House rules" }).click();
  await page.getByText("Rolls may be taken back").click();
  await expect(page.locator("summary", { hasText: "House rules: Rolls may be taken back" })).toBeVisible();
  await page.getByRole("button", { name: "Start the battle" }).click();
  await page.waitForSelector("#map[data-drawn]", { timeout: 90_000 });
  const face = await page.evaluate(async () => (await fetch(`/api/games/${location.hash.split("/")[2]}`, { headers: { authorization: `Bearer ${JSON.parse(localStorage.getItem("linstock.vault")).seats[0].token}` } })).json());
  assert(face.rolls_back === true, "the battle remembers what was agreed");
  note(face.title);
});
