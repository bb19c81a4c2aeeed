/** Shared by the browser tests: a real server, a real browser, and hands for both. */
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** The program under test: LINSTOCK_BIN, or whatever cargo built last here. */
function binary() {
  if (process.env.LINSTOCK_BIN) return process.env.LINSTOCK_BIN;
  const target = process.env.CARGO_TARGET_DIR ?? join(root, "target");
  const found = ["release", "checked", "debug"].map((p) => join(target, p, "linstock")).find(existsSync);
  if (!found) throw new Error("No program to test: build it (cargo build -p linstock) or name it in LINSTOCK_BIN.");
  return found;
}

async function freePort() {
  return new Promise((done) => {
    const s = createServer().listen(0, "127.0.0.1", () => {
      const { port } = s.address();
      s.close(() => done(port));
    });
  });
}

/** All tests come from one address: what protects a server from one greedy player would stop them. */
const MANY = ["--games-an-hour", "100000", "--max-games", "100000", "--rate", "2000"];

export class Server {
  /** With options of its own, made from its address as a name. */
  static async start(more = () => []) {
    const s = new Server();
    s.port = await freePort();
    s.more = more(`http://localhost:${s.port}`);
    s.data = mkdtempSync(join(tmpdir(), "linstock-e2e-"));
    await s.up();
    // The library is read ahead; the tests begin when it is there.
    await (await fetch(`${s.url}/api/v1/scenarios`)).text();
    return s;
  }

  get url() {
    return `http://127.0.0.1:${this.port}`;
  }

  async up() {
    this.process = spawn(binary(), ["serve", "--data", this.data, "--addr", `127.0.0.1:${this.port}`, ...MANY, ...this.more], { stdio: "ignore", cwd: root });
    this.process.once("exit", (code, signal) => {
      if (!this.killed) console.log(`the server ended by itself: ${signal ?? code}`);
    });
    this.killed = false;
    for (let i = 0; i < 1200; i++) {
      try {
        if ((await fetch(`${this.url}/healthz`)).ok) return;
      } catch {
        // Not up yet.
      }
      await new Promise((r) => setTimeout(r, 50));
    }
    throw new Error("The server did not come up.");
  }

  /** Without any chance to tidy up. */
  async kill() {
    this.killed = true;
    const gone = new Promise((r) => this.process.once("exit", r));
    this.process.kill("SIGKILL");
    await gone;
  }

  async stop() {
    await this.kill();
    rmSync(this.data, { recursive: true, force: true });
  }
}

/** A page laid over the program's own (DIST) counts as foreign to it, and would not be let speak to this machine. */
const FOREIGN = "--disable-features=LocalNetworkAccessChecks";

export const LAUNCH = {
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", ...(process.env.DIST ? [FOREIGN] : [])],
};

/** A browser for the scripts that are no tests. */
export const openBrowser = () => chromium.launch(LAUNCH);

/** Every page of the present test. */
export const visited = [];

/** A page that fails the test on any error and on any request to another host. */
export async function visit(browser, server, { width = 1440, height = 900, dark = false, still = true, touch = false, ratio = 1, coach = "never" } = {}) {
  const context = await browser.newContext({
    viewport: { width, height }, colorScheme: dark ? "dark" : "light", reducedMotion: still ? "reduce" : "no-preference", hasTouch: touch, isMobile: touch, deviceScaleFactor: ratio, acceptDownloads: true,
  });
  // The coach would speak into battles that are about something else.
  await context.addInitScript((speaks) => {
    // A frame without an origin of its own keeps nothing.
    if (self.origin === "null") return;
    const [key, kept] = ["linstock.settings", localStorage.getItem("linstock.settings")];
    if (kept === null) localStorage.setItem(key, JSON.stringify({ coach: speaks }));
  }, coach);
  if (process.env.DIST) await overlay(context, process.env.DIST);
  const page = await context.newPage();
  page.setDefaultTimeout(90_000);
  page.faults = [];
  page.on("pageerror", (e) => page.faults.push(`error: ${e.message}${process.env.TELL ? e.stack : ""}`));
  page.on("console", (m) => {
    if (m.type() === "error" && !/Failed to load resource|WebSocket connection/.test(m.text())) page.faults.push(`console: ${m.text()}`);
  });
  page.on("request", (r) => {
    const u = new URL(r.url());
    if (!["127.0.0.1", "localhost", ""].includes(u.hostname) && !["data:", "blob:"].includes(u.protocol)) page.faults.push(`request to ${u.host}`);
  });
  page.base = server.url;
  visited.push(page);
  return page;
}

const KINDS = { html: "text/html; charset=utf-8", js: "text/javascript", css: "text/css", svg: "image/svg+xml", woff2: "font/woff2" };

/** DIST=web/dist: the board as just built in place of the one inside the program. */
async function overlay(context, dist) {
  await context.route(
    (url) => !url.pathname.startsWith("/api") && url.pathname !== "/healthz",
    async (route) => {
      const path = new URL(route.request().url()).pathname.replace(/^\/$/, "/index.html");
      const file = join(dist, path);
      if (!existsSync(file)) return route.continue();
      return route.fulfill({ body: readFileSync(file), contentType: KINDS[path.split(".").pop()] ?? "application/octet-stream" });
    },
  );
}

export function assert(condition, message) {
  if (!condition) throw new Error(message);
}

/** Sets up a battle on the home screen with the mouse. */
export async function begin(page, { battle = "McPherson's Ridge", system = "Battle Hymn", first = "Me", second = "Computer", level, name = "Ada", other, watched = false } = {}) {
  await page.goto(`${page.base}/`);
  await page.getByRole("radio", { name: new RegExp(system) }).first().click();
  await page.locator("label.battle", { hasText: battle }).first().click();
  const seats = page.locator(".seat");
  await seats.nth(0).getByRole("radio", { name: first, exact: true }).click();
  await seats.nth(1).getByRole("radio", { name: second, exact: true }).click();
  if (level) for (const [i, kind] of [first, second].entries()) if (kind === "Computer") await seats.nth(i).getByRole("radio", { name: level }).click();
  if (name) await page.locator(".seat input").first().fill(name);
  if (other) await page.locator(".seat input").nth(1).fill(other);
  if (watched) {
    await page.locator("summary", { hasText: "House rules" }).click();
    await page.getByText("Anyone can watch").click();
  }
  await page.getByRole("button", { name: "Start the battle" }).click();
  await page.waitForSelector("#map[data-drawn], .handover", { timeout: 90_000 });
}

/** Sets up a battle without a mouse: Tab to a control, arrows or Space within it, Enter to begin. */
export async function beginByKeys(page, { battle, system }) {
  await page.goto(`${page.base}/`);
  await page.getByRole("button", { name: "Start the battle" }).waitFor();
  const focused = () => page.evaluate(() => {
    const el = document.activeElement;
    return { words: `${el?.textContent ?? ""} ${el?.closest("label")?.textContent ?? ""}`, group: el?.closest("[role=radiogroup], fieldset")?.getAttribute("aria-label") ?? "", radio: el?.getAttribute("type") === "radio" || el?.getAttribute("role") === "radio" };
  });
  const walk = async (found) => {
    for (let i = 0; i < 90; i++) {
      await page.keyboard.press("Tab");
      if (found(await focused())) return;
    }
    throw new Error("Tab does not lead there.");
  };
  await walk((f) => f.radio && f.words.includes(system));
  await page.keyboard.press("Space");
  await page.locator("label.battle", { hasText: battle }).waitFor();
  await walk((f) => f.radio && (f.words.includes(battle) || f.words.match(/units/)));
  for (let i = 0; i < 12 && !(await focused()).words.includes(battle); i++) await page.keyboard.press("ArrowDown");
  await walk((f) => f.words.includes("Start the battle"));
  await page.keyboard.press("Enter");
  await page.waitForSelector("#map[data-drawn]", { timeout: 90_000 });
}

/** Another browser takes the seat that waits. */
export async function sitDown(browser, server, host, name) {
  const invitation = await host.evaluate(() => JSON.parse(localStorage.getItem("linstock.vault")).invitations[0]);
  const page = await visit(browser, server);
  await page.goto(`${server.url}/#/claim/${invitation.game}/${invitation.invitation}`);
  await page.getByLabel("Your name").fill(name);
  await page.getByRole("button", { name: "Sit down" }).click();
  await page.waitForSelector("#map[data-drawn]", { timeout: 90_000 });
  return page;
}

export const gameId = (page) => page.url().split("#/game/")[1].split("/")[0];

/** What the page shows of whose turn it is: "mine", "theirs", "over", "handover". */
export const turn = (page) => page.evaluate(() => document.querySelector(".battle")?.getAttribute("data-turn") ?? "theirs");

export async function waitForTurn(page, wanted, timeout = 120_000) {
  const end = Date.now() + timeout;
  for (;;) {
    const t = await turn(page);
    if (wanted.includes(t)) return t;
    if (Date.now() > end) throw new Error(`Waited for ${wanted.join(" or ")}, still ${t}: ${await sentence(page)}`);
    await page.waitForTimeout(40);
  }
}

export const sentence = (page) => page.locator("#decision h2").innerText().catch(() => "");

/** The number of the state shown, read from the server with the page's own seat. */
export async function moment(page) {
  return page.evaluate(async () => {
    const id = location.hash.split("/")[2];
    const seat = JSON.parse(localStorage.getItem("linstock.vault") ?? "{}").seats?.find((s) => s.game === id);
    const r = await fetch(`/api/v1/games/${id}`, { headers: seat ? { Authorization: `Bearer ${seat.token}` } : {} });
    return (await r.json()).moment;
  });
}

/** How long a stage may take to come to rest. */
const RESTLESS = 20_000;

/**
 * Where something on the map is once the map has come to rest: nothing is under way to the server, the map is drawn, and the
 * same place is read in frames that follow each other. It must lie open: no panel above it, not outside the window.
 */
export async function placeOf(page, locator) {
  const handle = await locator.elementHandle();
  const found = await handle.evaluate(async (el, patience) => {
    const frame = () => new Promise((done) => requestAnimationFrame(() => done()));
    const where = () => {
      const r = el.getBoundingClientRect();
      return { x: r.x + r.width / 2, y: r.y + r.height / 2 };
    };
    const until = performance.now() + patience;
    let [at, same] = [where(), 0];
    while (same < 4 && performance.now() < until) {
      await frame();
      const now = where();
      const busy = document.querySelector(".battle[data-busy]") !== null || document.querySelector("#map[data-drawn]") === null;
      same = !busy && Math.hypot(now.x - at.x, now.y - at.y) < 0.5 ? same + 1 : 0;
      at = now;
    }
    const above = document.elementFromPoint(at.x, at.y);
    const open = document.querySelector("#map").contains(above) && !above.closest(".mini, .fan, .toast-at, button");
    return { ...at, gone: !el.isConnected, rests: same >= 4, open, above: above?.outerHTML.slice(0, 80) };
  }, RESTLESS);
  if (found.gone) return placeOf(page, locator);
  assert(found.rests, `${locator} does not come to rest`);
  assert(found.open, `${locator} at ${Math.round(found.x)}, ${Math.round(found.y)} does not lie open: ${found.above ?? "outside the window"}`);
  return { x: found.x, y: found.y };
}

export const fingerprint = (page) => page.evaluate(() => `${document.querySelector(".battle")?.getAttribute("data-state")} ${document.querySelector(".handover") ? 1 : 0}`);

export function dice(seed) {
  let a = seed >>> 0;
  return (n) => {
    a = (Math.imul(a, 1664525) + 1013904223) >>> 0;
    return Math.floor((a / 4294967296) * n);
  };
}

const axeSource = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");

/** What axe finds on the page as it stands, at every level. */
export async function axe(page) {
  await page.evaluate(axeSource);
  const found = await page.evaluate(async () => {
    const r = await window.axe.run(document, { resultTypes: ["violations"] });
    return r.violations.map((v) => `${v.id} (${v.impact}): ${v.help} (${v.nodes.length}) ${v.nodes.slice(0, 3).map((n) => `${n.target.join(" ")} ${n.any[0]?.message ?? ""}`).join("; ")}`);
  });
  return found;
}
