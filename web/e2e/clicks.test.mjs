/** How many presses a sensible turn takes: a button, a row of the list, a click on the map or a drag is one each. */
import { fixedSeat, sitAt } from "./fixed.mjs";
import { Hand } from "./framing.mjs";
import { assert, visit } from "./lib.mjs";
import { note, test } from "./runner.mjs";

const turnOf = (position) => position.view.track.findIndex((cell) => cell.now);

class Player {
  presses = 0;
  /** What each unit has done in this turn: nobody does a thing twice. */
  #done = new Set();

  constructor(page) {
    this.page = page;
  }

  async #press(locator) {
    this.presses++;
    await locator.first().click();
  }

  begin() {
    this.presses = 0;
    this.#done.clear();
  }

  /** Every unit does something once, the farthest march or the first thing offered; then the rest is declined. */
  #sensible({ offers, prompt }) {
    const key = (o) => `${prompt.kind} ${o.piece}`;
    const open = offers.filter((o) => !o.button && o.piece !== null && !/^(hold|lead|attach|detach|ride|reform)$/.test(o.verb) && !this.#done.has(key(o)));
    const cost = (o) => Number.parseFloat(o.cost ?? "0") || 0;
    const first = open.sort((a, b) => cost(b) - cost(a))[0];
    if (first) this.#done.add(key(first));
    return first ?? offers.find((o) => o.button) ?? offers[0];
  }

  async decide(position) {
    const { page } = this;
    await page.locator(`.battle[data-state="${position.state}"][data-turn=mine]`).waitFor();
    const bulk = page.locator("#decision .acts button", { hasText: /: all \d+/ });
    const offer = this.#sensible(position);
    const resting = position.offers.every((o) => o.button || o.verb === "hold" || this.#done.has(`${position.prompt.kind} ${o.piece}`));
    if ((resting || offer.verb === "test") && (await bulk.count()) > 0) await this.#press(bulk);
    else if (offer.button) await this.#press(page.locator("#decision .acts button", { hasText: offer.label }));
    else await this.#byList(position, offer);
    await page.locator(`.battle:not([data-state="${position.state}"]):not([data-busy])`).waitFor();
  }

  async #byList(position, offer) {
    const { page } = this;
    const name = position.view.pieces.find((p) => p.id === offer.piece)?.name;
    const row = page.locator(".choices ul button", { hasText: offer.label });
    const head = page.locator(".choices button.head[aria-expanded=false]", { hasText: name });
    await page.locator(".choices").waitFor();
    if ((await head.count()) > 0) await this.#press(head);
    const brass = page.locator("#decision button.brass");
    // A unit with one thing to do is picked together with it.
    if ((await brass.count()) === 0) {
      const all = page.locator(".choices button", { hasText: /^Show all/ });
      if ((await row.count()) === 0 && (await all.count()) > 0) await this.#press(all);
      await this.#press(row);
    }
    await this.#press(brass);
  }
}

/** Presses a turn may take. */
for (const [scenario, most] of [["fields-of-honor/drill-ground", 25], ["hallowed-ground/crossroads", 20]])
  test(`clicks: a turn of ${scenario}`, async ({ browser, server }) => {
    const page = await visit(browser, server);
    const seat = await fixedSeat(server.url, { scenario, opponent: "ensign", seed: 3 });
    await sitAt(page, seat);
    const [hand, player] = [new Hand(server.url, seat), new Player(page)];
    const turns = [];
    let position = await hand.decision();
    for (let n = 0; n < 3 && position.status.kind !== "over"; n++) {
      player.begin();
      for (const turn = turnOf(position); position.status.kind !== "over" && turnOf(position) === turn; position = await hand.decision()) await player.decide(position);
      turns.push(player.presses);
    }
    assert(Math.max(...turns) <= most, `${turns.join(", ")} presses a turn, at most ${most} are wanted`);
    note(`${turns.join(", ")} presses`);
  });
