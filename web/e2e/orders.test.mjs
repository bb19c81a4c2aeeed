/** What stays, what is not asked again, and what is not forgotten: taking back, standing orders, ending a phase. */
import { expect } from "@playwright/test";
import { beginFixed, fixedSeat, sitAt } from "./fixed.mjs";
import { choose, Hand } from "./framing.mjs";
import { assert, begin, dice, visit, waitForTurn } from "./lib.mjs";
import { note, test } from "./runner.mjs";

/** Plays from the page's own seat, whatever rolls dice first, until the server says so; answers the position. */
const playUntil = (page, undo) =>
  page.evaluate(async (undo) => {
    const id = location.hash.split("/")[2];
    const { token } = JSON.parse(localStorage.getItem("linstock.vault")).seats.find((s) => s.game === id);
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const look = async () => (await fetch(`/api/v1/games/${id}/position`, { headers })).json();
    for (let i = 0; i < 2000; i++) {
      const position = await look();
      if (position.undo === undo) return position.state;
      if (position.offers.length === 0) {
        await new Promise((done) => setTimeout(done, 20));
        continue;
      }
      const { action } = position.offers.find((o) => o.rolls) ?? position.offers[i % position.offers.length];
      const body = JSON.stringify({ id: `until-dice-${i}`, state: position.state, action, salt: "0f".repeat(16) });
      await fetch(`/api/v1/games/${id}/acts`, { method: "POST", headers, body });
    }
    throw new Error(`never ${undo}`);
  }, undo);

test("against the computer a roll stays made, and the board says so", async ({ browser, server }) => {
  const page = await visit(browser, server);
  await begin(page);
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
  const face = await page.evaluate(async () => (await fetch(`/api/v1/games/${location.hash.split("/")[2]}`, { headers: { authorization: `Bearer ${JSON.parse(localStorage.getItem("linstock.vault")).seats[0].token}` } })).json());
  assert(face.rolls_back === true, "the battle remembers what was agreed");
  note(face.title);
});

/** Plays whatever comes first until somebody could do this and the phase could be ended instead. */
const playUntilLeft = (page, verb) =>
  page.evaluate(async (verb) => {
    const id = location.hash.split("/")[2];
    const { token } = JSON.parse(localStorage.getItem("linstock.vault")).seats.find((s) => s.game === id);
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    for (let i = 0; i < 4000; i++) {
      const position = await (await fetch(`/api/v1/games/${id}/position`, { headers })).json();
      const { offers, state, view } = position;
      const left = offers.find((o) => o.verb === verb);
      const end = offers.find((o) => o.button && /^(pass|end|done)/.test(o.verb));
      if (left && end) return { state, name: view.pieces.find((p) => p.id === left.piece)?.name, end: end.label };
      if (position.status.kind === "over") throw new Error(`nobody could ${verb}`);
      if (offers.length === 0) {
        await new Promise((done) => setTimeout(done, 20));
        continue;
      }
      const { action } = offers.find((o) => o.rolls) ?? offers[i % offers.length];
      await fetch(`/api/v1/games/${id}/acts`, { method: "POST", headers, body: JSON.stringify({ id: `until-left-${i}`, state, action, salt: "0f".repeat(16) }) });
    }
    throw new Error(`nobody could ${verb} in time`);
  }, verb);

async function saysOnce(page, verb, words) {
  const { state, name, end } = await playUntilLeft(page, verb);
  const shown = () => page.locator(".battle").getAttribute("data-state");
  await expect.poll(shown, { timeout: 20_000 }).toBe(String(state));
  await waitForTurn(page, ["mine"]);
  const said = page.getByRole("region", { name: "Left undone" });
  await expect(said).toHaveCount(0);
  // What the other side did may still unfold: the key then only leads to the present.
  await expect(async () => {
    await page.keyboard.press("Escape");
    await page.keyboard.press("e");
    await expect(said).toContainText(words, { timeout: 1_000 });
  }).toPass({ timeout: 30_000 });
  assert((await shown()) === String(state), "nothing was ended");
  await said.getByRole("button", { name, exact: true }).click();
  await expect(page.locator(".battle")).toHaveAttribute("data-picked", /\d/);
  await page.keyboard.press("Escape");
  await page.keyboard.press("e");
  await expect.poll(shown, { timeout: 20_000 }).not.toBe(String(state));
  note(`${name} ${words}; ${end}`);
}

test("ending a phase says once who could still enter the map", async ({ browser, server }) => {
  const page = await visit(browser, server);
  await beginFixed(page, { scenario: "american-revolution/the-cabin", seed: 1 });
  await saysOnce(page, "enter", "can still enter the map");
});

/** Plays on until a decision of this kind comes whose offers suit. */
async function untilDecision(hand, suits) {
  const roll = dice(5);
  for (let n = 0; n < 200; n++) {
    const position = await hand.decision();
    assert(position.status.kind !== "over", "no such decision came up");
    if (suits(position)) return position;
    await hand.act(position, choose(position.offers, roll));
  }
  throw new Error("no such decision came up");
}

test("everyone else holds: ordered from the prompt, shown, listed, in the journal, lifted", async ({ browser, server }) => {
  const page = await visit(browser, server);
  const seat = await fixedSeat(server.url, { scenario: "hallowed-ground/crossroads", opponent: "ensign", seed: 4 });
  await sitAt(page, seat);
  const hand = new Hand(server.url, seat);
  const holders = (p) => new Set(p.offers.filter((o) => o.verb === "hold").map((o) => o.piece)).size;
  const position = await untilDecision(hand, (p) => holders(p) > 1);
  await page.locator(`.battle[data-state="${position.state}"][data-turn=mine]`).waitFor();
  await page.getByText("Standing order…").click();
  await page.getByRole("button", { name: "Everyone else holds", exact: true }).click();
  const chip = page.getByRole("list", { name: "Standing orders" });
  await expect(chip).toContainText("this turn");
  await expect(chip).toContainText(/\d held/);
  await chip.getByText("Everyone else holds").first().click();
  const held = await chip.locator("ol li").allInnerTexts();
  assert(held.length > 0 && held.every((name) => position.view.pieces.some((p) => p.name === name)), `held: ${held}`);
  const journal = await page.evaluate(async ({ game, token }) => (await fetch(`/api/v1/games/${game}/journal`, { headers: { authorization: `Bearer ${token}` } })).text(), seat);
  assert(journal.split("\n").some((line) => line.includes('"ordered":true') && line.includes("hold")), "the journal says as ordered");
  await chip.getByRole("button", { name: "Lift the order: Everyone else holds" }).click();
  await expect(chip).toHaveCount(0);
  note(`${held.join(", ")} held`);
});

test("opportunity fire: not below 20 % or beyond 6 inches, or until contact, ordered from the prompt", async ({ browser, server }) => {
  const page = await visit(browser, server);
  const seat = await fixedSeat(server.url, { scenario: "fields-of-honor/drill-ground", opponent: "ensign", seed: 2 });
  await sitAt(page, seat);
  const hand = new Hand(server.url, seat);
  const asked = async () => {
    const position = await untilDecision(hand, (p) => p.prompt.kind === "opportunity" && p.offers.some((o) => o.verb === "wave") && p.offers.some((o) => o.verb === "snap"));
    await page.locator(`.battle[data-state="${position.state}"][data-turn=mine]`).waitFor();
    await page.getByText("Standing order…").click();
  };
  const chip = page.getByRole("list", { name: "Standing orders" });
  for (const [button, words] of [["Don't ask below 20 % or beyond 6 inches", "below 20 % or beyond 6 inches"], ["Let moves go by until contact", "until contact"]]) {
    await asked();
    await page.getByRole("button", { name: button, exact: true }).click();
    await expect(chip).toContainText(words);
    await chip.getByRole("button", { name: /^Lift the order/ }).click();
    await expect(chip).toHaveCount(0);
  }
});
