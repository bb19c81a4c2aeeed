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

  /** Every unit does something once, the farthest march or the first thing offered; leaders stay with their troops; then the rest is declined. */
  #sensible({ offers, prompt, view }) {
    const key = (o) => `${prompt.kind} ${o.piece}`;
    const leads = (o) => o.verb === "march" && view.pieces.some((p) => p.id === o.piece && p.arm === "leader");
    const open = offers.filter((o) => !o.button && o.piece !== null && !leads(o) && !/^(hold|lead|attach|detach|ride|reform)$/.test(o.verb) && !this.#done.has(key(o)));
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
    else if (offer.button) await this.#byButton(offer);
    else if (!(await this.#byDrag(position, offer))) await this.#byList(position, offer);
    const gone = page.locator(`.battle:not([data-state="${position.state}"]):not([data-busy])`);
    const left = page.getByRole("region", { name: "Left undone" });
    await gone.or(left).first().waitFor();
    // Whoever is left out is named once; a second press ends the phase.
    if ((await left.count()) > 0 && offer.button) await this.#byButton(offer);
    await gone.waitFor();
  }

  /** A card of the hand is pulled onto the table. */
  async #byButton({ label }) {
    const { page } = this;
    const act = page.locator("#decision .acts button", { hasText: label });
    const card = page.locator(".hand button.card", { hasText: label });
    await act.or(card).first().waitFor();
    if ((await act.count()) > 0) return this.#press(act);
    const box = await card.first().boundingBox();
    return this.#drag({ x: box.x + box.width / 2, y: box.y + box.height / 2 }, () => ({ x: box.x + box.width / 2, y: box.y - 100 }));
  }

  /** From here to where the hand finds its goal once it has taken something up; false if it finds none. */
  async #drag(from, find) {
    const { mouse } = this.page;
    await mouse.move(from.x, from.y);
    await mouse.down();
    await mouse.move(from.x + 8, from.y - 8, { steps: 3 });
    const to = await find();
    this.presses++;
    await mouse.move(to?.x ?? from.x, to?.y ?? from.y, { steps: 4 });
    await mouse.up();
    return to !== undefined;
  }

  /** A unit is taken to another hex in one go, also from beside the map. One that lies below others in its stack is picked from the list first. */
  async #byDrag(position, { piece, place, path, notes }) {
    const beside = this.page.locator(`[data-beside="${piece}"]`);
    const comesOn = (await beside.count()) > 0;
    if (!place?.hex || (path.length < 2 && !comesOn)) return false;
    const look = (selector) => this.page.evaluate((s) => {
      const r = document.querySelector(s)?.getBoundingClientRect();
      const at = r && { x: r.x + r.width / 2, y: r.y + r.height / 2 };
      const above = at && document.elementFromPoint(at.x, at.y);
      const other = above?.closest(".piece");
      return { at: above?.closest("#map") && !above.closest("button") ? at : undefined, top: !other || other.matches(s) };
    }, selector);
    const own = `.piece[data-piece="${piece}"]`;
    if (!comesOn && !(await look(own)).top) await this.#pick(position, piece);
    const box = comesOn ? await beside.boundingBox() : undefined;
    const from = box ? { x: box.x + box.width / 2, y: box.y + box.height / 2 } : (await look(own)).at;
    if (!from) return false;
    // A friend's hex shows the friend.
    const friend = position.view.pieces.find((p) => p.place.hex === place.hex);
    const gone = await this.#drag(from, async () => (await look(friend ? `.piece[data-piece="${friend.id}"]` : `[data-goal="${place.hex}"]`)).at);
    // What it would run into is shown before it goes.
    if (gone && notes.some((n) => n.warning)) await this.#press(this.page.locator("#decision button.brass"));
    return gone;
  }

  /** Opens a unit's part of the list, unless it is open. */
  async #pick(position, piece) {
    const name = position.view.pieces.find((p) => p.id === piece)?.name;
    const head = this.page.locator(".choices button.head[aria-expanded=false]", { hasText: name });
    await this.page.locator(".choices").waitFor();
    if ((await head.count()) > 0) await this.#press(head);
  }

  async #byList(position, offer) {
    const { page } = this;
    const row = page.locator(".choices ul button", { hasText: offer.label });
    await this.#pick(position, offer.piece);
    const brass = page.locator("#decision button.brass");
    // A unit with one thing to do is picked together with it.
    if (!(await brass.filter({ hasText: offer.label }).count())) {
      const all = page.locator(".choices button", { hasText: /^Show all/ });
      if ((await row.count()) === 0 && (await all.count()) > 0) await this.#press(all);
      await this.#press(row);
    }
    await this.#press(brass);
  }
}

/** Presses a turn may take. */
for (const [scenario, most] of [
  ["fields-of-honor/drill-ground", 25],
  ["hallowed-ground/crossroads", 20],
  ["battle-hymn/mcphersons-ridge", 21],
  ["brigade-battles/sunken-road", 21],
  ["american-revolution/the-cabin", 21],
])
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
