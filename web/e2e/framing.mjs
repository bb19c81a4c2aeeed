/** Is everything a decision is about in the free part of the map? Scripted games, looked at decision by decision. */
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { fixedSeat, sitAt } from "./fixed.mjs";
import { assert, dice, visit } from "./lib.mjs";

export const SIZES = [{ width: 1440, height: 900 }, { width: 1024, height: 768 }, { width: 390, height: 844 }];

const FOLDER = fileURLToPath(new URL("../../scenarios", import.meta.url));

/** Every scenario of the library. */
export const SCENARIOS = readdirSync(FOLDER, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .flatMap((system) => readdirSync(`${FOLDER}/${system.name}`).filter((file) => file.endsWith(".toml")).map((file) => `${system.name}/${file.slice(0, -".toml".length)}`))
  .sort();

/** A seat played over the interface for programs, while a page looks on. */
export class Hand {
  #seat;
  #base;
  #acts = 0;

  constructor(base, seat) {
    this.#base = base;
    this.#seat = seat;
  }

  async #ask(path, body) {
    const answer = await fetch(`${this.#base}/api/v1/games/${this.#seat.game}${path}`, {
      method: body ? "POST" : "GET",
      headers: { Authorization: `Bearer ${this.#seat.token}`, "Content-Type": "application/json" },
      body: body && JSON.stringify(body),
    });
    const found = await answer.json();
    assert(answer.ok, `${path}: ${found.message}`);
    return found;
  }

  /** The position once this seat has to decide, or the battle is over. */
  async decision() {
    for (let i = 0; i < 1200; i++) {
      const position = await this.#ask("/position?log_from=1000000");
      if (position.status.kind === "over" || position.offers.length > 0) return position;
      await new Promise((done) => setTimeout(done, 25));
    }
    throw new Error("the computer does not answer");
  }

  /** Nothing random comes from here: the dice of the battle are fixed. */
  act(position, offer) {
    return this.#ask("/acts", { id: `framing-${this.#acts++}`, state: position.state, action: offer.action, salt: "00".repeat(16) });
  }
}

/** One offer: a kind of thing first, so that a hundred marches do not outweigh one volley. */
export function choose(offers, roll) {
  const kinds = [...new Set(offers.map((o) => o.verb))];
  const verb = kinds[roll(kinds.length)];
  const some = offers.filter((o) => o.verb === verb);
  return some[roll(some.length)];
}

/** Who acts, who is acted upon and who fights, of those on the map. */
function concerned(position) {
  const onMap = new Set(position.view.pieces.filter((p) => !("box" in p.place)).map((p) => p.id));
  const ids = [...position.offers.flatMap((o) => [...(o.piece === null ? [] : [o.piece]), ...o.targets]), ...(position.view.combat?.pieces ?? [])];
  return [...new Set(ids)].filter((id) => onMap.has(id));
}

/**
 * What of these pieces, and of the places that are marked, does not lie in the free part of the map, once the page shows this
 * state and has come to rest.
 */
const hidden = (page, state, ids) =>
  page.evaluate(async ([wanted, pieces]) => {
    const frame = () => new Promise((done) => requestAnimationFrame(() => done()));
    const until = performance.now() + 30_000;
    const rests = () => `${document.querySelector("#map .layer")?.style.transform} ${document.querySelector("#map svg")?.getAttribute("width")} ${document.querySelector("#decision")?.getBoundingClientRect().height}`;
    for (let was = "", same = 0; same < 4; ) {
      if (performance.now() > until) return ["the page does not come to rest"];
      await frame();
      const battle = document.querySelector(".battle");
      const ready = battle?.getAttribute("data-state") === String(wanted) && !battle.hasAttribute("data-busy");
      same = ready && was === rests() ? same + 1 : 0;
      was = rests();
    }
    const map = document.querySelector("#map").getBoundingClientRect();
    const covers = [...document.querySelectorAll(".foot .prompt, .dock, .engine > .panel, .told, .tools, .mini, .hands .card, .reserve, .orders > *")]
      .map((el) => ({ name: el.className.toString().split(" ")[0], r: el.getBoundingClientRect() }))
      .filter(({ r }) => r.width > 0 && r.height > 0);
    const SLACK = 2;
    const fault = (name, r) => {
      const [x, y] = [Math.round(r.x), Math.round(r.y)];
      if (r.left < map.left - SLACK || r.top < map.top - SLACK || r.right > map.right + SLACK || r.bottom > map.bottom + SLACK) return `${name} at ${x}, ${y} is outside the map`;
      const cover = covers.find((c) => Math.min(c.r.right, r.right) - Math.max(c.r.left, r.left) > SLACK && Math.min(c.r.bottom, r.bottom) - Math.max(c.r.top, r.top) > SLACK);
      return cover && `${name} at ${x}, ${y} lies under ${cover.name}`;
    };
    const faults = pieces.flatMap(({ id, mates }) => {
      const el = [id, ...mates].map((n) => document.querySelector(`#map [data-piece="${n}"] .mover`)).find((found) => found);
      return el ? (fault(el.closest("[data-piece]").dataset.slug, el.getBoundingClientRect()) ?? []) : `piece ${id} is not drawn`;
    });
    // Of a place its middle must lie open.
    const point = (r) => new DOMRect(r.x + r.width / 2, r.y + r.height / 2, 0, 0);
    for (const el of document.querySelectorAll("#map [data-goal], #map [data-spot]")) {
      const found = fault(el.dataset.goal ?? "a pose", point(el.getBoundingClientRect()));
      if (found) faults.push(found);
    }
    return faults;
  }, [state, ids]);

const hexOf = (piece) => ("hex" in piece.place ? piece.place.hex : undefined);

/** In a stack any counter of it will do. */
function withMates(position, ids) {
  return ids.map((id) => {
    const piece = position.view.pieces.find((p) => p.id === id);
    const hex = hexOf(piece);
    return { id, mates: hex === undefined ? [] : position.view.pieces.filter((p) => hexOf(p) === hex).map((p) => p.id) };
  });
}

/** Plays one seat for so many decisions and looks at each, with empty hands and with the first unit picked up. */
export async function frameGame({ browser, server }, scenario, size, decisions, seed) {
  const page = await visit(browser, server, size);
  const seat = await fixedSeat(server.url, { scenario, opponent: "ensign", seed, side: seed % 2 });
  await sitAt(page, seat);
  const [hand, roll, faults] = [new Hand(server.url, seat), dice(seed), []];
  let looks = 0;
  const look = async (position, what, ids) => {
    looks++;
    const found = await hidden(page, position.state, withMates(position, ids));
    if (found.length > 0) {
      faults.push(`${scenario} at ${size.width}, ${position.prompt.kind} ${position.moment} (${what}): ${found.length} of ${ids.length}, ${found.slice(0, 3).join("; ")}`);
      if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${scenario.replace("/", "-")}-${size.width}-${position.moment}-${what.replace(/ /g, "-")}.png` });
    }
  };
  for (let n = 0; n < decisions; n++) {
    const position = await hand.decision();
    if (position.status.kind === "over") break;
    await look(position, "empty hands", concerned(position));
    if (!(await page.locator("#map").evaluate((map) => map.querySelector("[data-goal], [data-spot]") !== null)) && position.offers.some((o) => o.piece !== null)) {
      await page.locator("#map").focus();
      await page.keyboard.press("Space");
      await look(position, "unit picked", []);
      await page.keyboard.press("Escape");
    }
    await hand.act(position, choose(position.offers, roll));
  }
  await page.context().close();
  return { looks, faults };
}
