/** A march before it is made: what each hex costs and why, and the fire it would draw. */
import { fixedSeat, sitAt } from "./fixed.mjs";
import { choose, Hand } from "./framing.mjs";
import { assert, dice, visit } from "./lib.mjs";
import { note, test } from "./runner.mjs";

/** The march as the rules tell it hex by hex. */
async function marchOf(server, seat, { state }, { action }) {
  const answer = await fetch(`${server.url}/api/v1/games/${seat.game}/check`, {
    method: "POST",
    headers: { Authorization: `Bearer ${seat.token}`, "Content-Type": "application/json" },
    body: JSON.stringify({ state, action }),
  });
  return (await answer.json()).march;
}

/** How many marches of a position are looked at for the fire they would meet. */
const LOOKED_AT = 30;

/** Looks at offers until one suits, playing one or another meanwhile. The dice are fixed: it is the same battle each time. */
async function untilOffered({ hand, server, seat }, suits, fired) {
  const roll = dice(2);
  for (let n = 0; n < 120; n++) {
    const position = await hand.decision();
    assert(position.status.kind !== "over", "no such march came up");
    let found;
    for (const o of position.offers.filter((o) => o.path.length > 1 && suits(o)).slice(0, LOOKED_AT))
      if (!found && (!fired || (await marchOf(server, seat, position, o)).fire.length > 0)) found = o;
    if (found) return { position, offer: found };
    await hand.act(position, choose(position.offers, roll));
  }
  throw new Error("no such march came up");
}

const points = (cost) => (cost.endsWith("½") ? Number(cost.slice(0, -1)) + 0.5 : Number(cost));

for (const [scenario, suits, fired] of [
  ["battle-hymn/mcphersons-ridge", (o) => o.notes.some((n) => n.stop), true],
  ["brigade-battles/drill", (o) => o.path.length > 2, false],
  ["brigade-battles/sunken-road", (o) => o.path.length > 1, true],
  ["american-revolution/the-cabin", (o) => o.path.length > 2, false],
  ["american-revolution/guilford-court-house", (o) => o.path.length > 1, true],
])
  test(`a march hex by hex${fired ? " and the fire it meets" : ""}: ${scenario}`, async ({ browser, server }) => {
    const page = await visit(browser, server);
    const seat = await fixedSeat(server.url, { scenario, opponent: "ensign", seed: 4 });
    const hand = new Hand(server.url, seat);
    const { position, offer } = await untilOffered({ hand, server, seat }, suits, fired);
    await sitAt(page, seat);
    await page.locator(`.battle[data-state="${position.state}"][data-turn=mine]`).waitFor();
    const name = position.view.pieces.find((p) => p.id === offer.piece).name;
    await page.locator(".choices button.head", { hasText: name }).first().click();
    const all = page.locator(".choices button", { hasText: /^Show all/ });
    if ((await all.count()) > 0) await all.first().click();
    await page.locator(".choices ul button", { hasText: offer.label }).first().click();
    const steps = page.locator("ol.steps li");
    await steps.first().waitFor();
    const costs = await steps.locator("b").allInnerTexts();
    assert(costs.map(points).reduce((a, b) => a + b, 0) === points(offer.cost), `${costs.join(" + ")} is not ${offer.cost}`);
    assert((await steps.locator(".tag").count()) === costs.length, "each hex names its rule");
    if (fired) assert(/may fire \d+ dic?e/.test(await page.locator(".fire").first().innerText()), "the fire it draws is told with its dice");
    note(`${offer.label}: ${(await steps.allInnerTexts()).join("; ").replace(/\s+/g, " ")}`);
  });
