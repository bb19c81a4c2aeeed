/** Whatever rolls dice shows its chances before it is played: random decisions of all five systems, chosen from the list. */
import { expect } from "@playwright/test";
import { fixedSeat, sitAt } from "./fixed.mjs";
import { choose, Hand } from "./framing.mjs";
import { assert, dice, visit } from "./lib.mjs";
import { note, test } from "./runner.mjs";

/** ODDS=100: so many decisions of each system; else a few. */
const DECISIONS = Number(process.env.ODDS ?? 25);

async function report(server, seat, position, offer) {
  const answer = await fetch(`${server.url}/api/v1/games/${seat.game}/odds`, {
    method: "POST",
    headers: { Authorization: `Bearer ${seat.token}`, "Content-Type": "application/json" },
    body: JSON.stringify({ state: position.state, action: offer.action, horizon: "decision" }),
  });
  return answer.ok ? answer.json() : undefined;
}

/** Puts an offer into the hand by the list of choices. */
async function take(page, position, offer) {
  const list = page.locator(".choices");
  await list.waitFor();
  const name = position.view.pieces.find((p) => p.id === offer.piece)?.name;
  const head = list.locator("button.head[aria-expanded=false]").filter({ has: page.getByText(name ?? "nobody", { exact: true }) });
  if (offer.piece !== null && (await head.count()) > 0) await head.first().click();
  const more = list.locator("button.more");
  if ((await more.count()) > 0) await more.first().click();
  const row = list.locator("ul button").filter({ has: page.getByText(offer.label, { exact: true }) });
  if ((await row.count()) === 0) return false;
  if ((await row.first().getAttribute("aria-pressed")) !== "true") await row.first().click();
  return true;
}

for (const scenario of ["battle-hymn/mcphersons-ridge", "brigade-battles/sunken-road", "american-revolution/third-line", "hallowed-ground/crossroads", "fields-of-honor/drill-ground"])
  test(`odds: what rolls dice in ${scenario} shows its chances`, async ({ browser, server }) => {
    const page = await visit(browser, server);
    const seat = await fixedSeat(server.url, { scenario, opponent: "ensign", seed: 8 });
    await sitAt(page, seat);
    const [hand, roll] = [new Hand(server.url, seat), dice(8)];
    let [rolled, unlisted] = [0, 0];
    for (let n = 0; n < DECISIONS; n++) {
      const position = await hand.decision();
      if (position.status.kind === "over") break;
      await page.locator(`.battle[data-state="${position.state}"]:not([data-busy])`).waitFor();
      // Cards that are played in secret have a panel of their own.
      const offer = choose(position.offers, roll);
      const found = offer.verb === "play" ? undefined : await report(server, seat, position, offer);
      if (found?.rolls) {
        rolled++;
        if (await take(page, position, offer)) {
          const odds = page.locator("[data-odds]").filter({ hasText: offer.label });
          await expect(odds, `${position.prompt.kind}: ${offer.action}`).toContainText(/\d/, { timeout: 20_000 });
          const legend = await odds.innerText();
          assert(/[a-z]{3}/.test(legend), `no words: ${legend}`);
        } else unlisted++;
        await page.keyboard.press("Escape");
        await page.keyboard.press("Escape");
      }
      await hand.act(position, offer);
    }
    assert(rolled > 0, "nothing rolled dice");
    assert(unlisted === 0, `${unlisted} of ${rolled} were not in the list`);
    note(`${rolled} of ${DECISIONS} decisions roll dice`);
  });
