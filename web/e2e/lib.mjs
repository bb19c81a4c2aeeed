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

export class Server {
  static async start() {
    const s = new Server();
    s.port = await freePort();
    s.data = mkdtempSync(join(tmpdir(), "linstock-e2e-"));
    await s.up();
    // The library is read ahead; the tests begin when it is there.
    await (await fetch(`${s.url}/api/scenarios`)).text();
    return s;
  }

  get url() {
    return `http://127.0.0.1:${this.port}`;
  }

  async up() {
    this.process = spawn(binary(), ["serve", "--data", this.data, "--addr", `127.0.0.1:${this.port}`], { stdio: "ignore", cwd: root });
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
    const gone = new Promise((r) => this.process.once("exit", r));
    this.process.kill("SIGKILL");
    await gone;
  }

  async stop() {
    await this.kill();
    rmSync(this.data, { recursive: true, force: true });
  }
}

export async function openBrowser() {
  return chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"] });
}

/** A page that fails the test on any error and on any request to another host. */
export async function visit(browser, server, { width = 1440, height = 900, dark = false, still = true, touch = false, ratio = 1 } = {}) {
  const context = await browser.newContext({
    viewport: { width, height }, colorScheme: dark ? "dark" : "light", reducedMotion: still ? "reduce" : "no-preference", hasTouch: touch, isMobile: touch, deviceScaleFactor: ratio, acceptDownloads: true,
  });
  if (process.env.DIST) await overlay(context, process.env.DIST);
  const page = await context.newPage();
  page.setDefaultTimeout(90_000);
  page.faults = [];
  page.on("pageerror", (e) => page.faults.push(`error: ${e.message}`));
  page.on("console", (m) => {
    if (m.type() === "error" && !/Failed to load resource|WebSocket connection/.test(m.text())) page.faults.push(`console: ${m.text()}`);
  });
  page.on("request", (r) => {
    const u = new URL(r.url());
    if (!["127.0.0.1", ""].includes(u.hostname) && !["data:", "blob:"].includes(u.protocol)) page.faults.push(`request to ${u.host}`);
  });
  page.base = server.url;
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
    await page.getByText("Anybody may watch").click();
  }
  await page.getByRole("button", { name: "Begin the battle" }).click();
  await page.waitForSelector("#map[data-drawn], .handover", { timeout: 90_000 });
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
    const r = await fetch(`/api/games/${id}`, { headers: seat ? { Authorization: `Bearer ${seat.token}` } : {} });
    return (await r.json()).moment;
  });
}

/** Waits until something has changed on the board. */
async function settle(page, before) {
  for (let i = 0; i < 150; i++) {
    if ((await fingerprint(page)) !== before) return true;
    await page.waitForTimeout(30);
  }
  return false;
}

export const fingerprint = (page) => page.evaluate(() => `${document.querySelector(".battle")?.getAttribute("data-state")} ${document.querySelector(".handover") ? 1 : 0}`);

export function dice(seed) {
  let a = seed >>> 0;
  return (n) => {
    a = (Math.imul(a, 1664525) + 1013904223) >>> 0;
    return Math.floor((a / 4294967296) * n);
  };
}

/** One decision with the mouse: march a unit on the map, or press what there is to press. */
export async function decideByMouse(page, roll, marches = 0.45) {
  const before = await fingerprint(page);
  const brass = page.locator("#decision button.brass");
  const goals = page.locator("[data-goal]");
  if ((await goals.count()) === 0 && (await page.locator(".may").count()) > 0 && roll(100) < marches * 100) {
    const may = page.locator(".piece:has(.may)");
    await click(page, may.nth(roll(await may.count())));
    await page.waitForTimeout(60);
  }
  const n = await goals.count();
  if (n > 0) {
    await click(page, goals.nth(roll(n)));
    await page.waitForTimeout(60);
  }
  if ((await brass.count()) > 0 && (await brass.isEnabled())) await brass.click();
  else {
    const plain = page.locator("#decision .acts button.plain");
    if ((await plain.count()) > 0) await plain.last().click();
    else {
      // Everything on the map is in the list too.
      const row = page.locator(".choices ul button").first();
      if ((await row.count()) === 0) await page.locator(".choices button.head").first().click();
      await page.locator(".choices ul button").first().click();
      // Some rows act at once and leave nothing to confirm; settle tells whether anything happened.
      await page.locator("#decision button.brass").click({ timeout: 3000 }).catch(() => {});
    }
  }
  return settle(page, before);
}

/** Clicks the middle of something drawn on the map, if it is in the window. */
async function click(page, locator) {
  const box = await locator.boundingBox();
  if (!box) return;
  const map = await page.locator("#map").boundingBox();
  const x = box.x + box.width / 2;
  const y = box.y + box.height / 2;
  if (x < map.x + 8 || y < map.y + 8 || x > map.x + map.width - 8 || y > map.y + map.height - 120) return;
  await page.mouse.click(x, y);
}

/** One decision with the keyboard alone. */
export async function decideByKeys(page, roll, marches = 0.45) {
  const before = await fingerprint(page);
  if (roll(100) < marches * 100) {
    await page.keyboard.press("Space");
    await page.waitForTimeout(30);
    const steps = 1 + roll(5);
    for (let i = 0; i < steps; i++) await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.waitForTimeout(40);
  }
  if ((await page.locator("#decision button.brass").count()) > 0) {
    // Enter presses the brass button when no other button has the focus.
    await focusMap(page);
    await page.keyboard.press("Enter");
  } else await page.keyboard.press("e");
  if (await settle(page, before)) return true;
  // No brass and nothing to end: through the list of choices in the dock, on its first tab.
  await page.keyboard.press("Escape");
  for (let i = 0; i < 60 && !(await page.evaluate(() => document.activeElement?.getAttribute("role") === "tab")); i++) await page.keyboard.press("Tab");
  for (let i = 0; i < 6; i++) await page.keyboard.press("ArrowLeft");
  for (let i = 0; i < 80; i++) {
    await page.keyboard.press("Tab");
    const where = await page.evaluate(() => (document.activeElement?.closest(".choices ul") ? "row" : document.activeElement?.classList.contains("head") ? "head" : ""));
    if (where === "head") {
      await page.keyboard.press("Enter");
      continue;
    }
    if (where !== "row") continue;
    await page.keyboard.press("Enter");
    await page.keyboard.press("Enter");
    return settle(page, before);
  }
  return false;
}

/** By keys: the skip links stand first on the page. */
async function focusMap(page) {
  if (await page.evaluate(() => document.activeElement?.id === "map" || document.activeElement === document.body)) return;
  await page.evaluate(() => document.activeElement?.blur());
}

const axeSource = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");

/** Serious and critical findings of axe on the page as it stands. */
export async function axe(page) {
  await page.evaluate(axeSource);
  const found = await page.evaluate(async () => {
    const r = await window.axe.run(document, { resultTypes: ["violations"] });
    return r.violations.filter((v) => v.impact === "serious" || v.impact === "critical").map((v) => `${v.id}: ${v.help} (${v.nodes.length}) ${v.nodes.slice(0, 3).map((n) => `${n.target.join(" ")} ${n.any[0]?.message ?? ""}`).join("; ")}`);
  });
  return found;
}
