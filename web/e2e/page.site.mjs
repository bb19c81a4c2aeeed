/** The static site in Chromium: whole games with no server behind them, with the network off after the first visit, and a new release
 *  under an open game. `SITE` names the folder, `LINSTOCK_BIN` the program that checks the journals. */
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { test } from "@playwright/test";
import { decideByMouse, playOut } from "./hands.mjs";
import { assert, begin, dice, sentence, visit, waitForTurn } from "./lib.mjs";

const SITE = process.env.SITE ?? fileURLToPath(new URL("../../site", import.meta.url));
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".json": "application/json", ".woff2": "font/woff2", ".webmanifest": "application/manifest+json" };
const note = (text) => test.info().annotations.push({ type: "note", description: text });

/** A plain web host, with the headers that docs/static-site.md asks for. */
async function serve(folder) {
  const host = { sent: 0, folder };
  const server = createServer((request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, "http://host").pathname));
    const file = join(host.folder, path.endsWith("/") ? `${path}index.html` : path);
    if (!existsSync(file)) return void response.writeHead(404).end();
    const body = readFileSync(file);
    const type = TYPES[extname(file)] ?? "application/octet-stream";
    const packed = /text|json|javascript|svg/.test(type) ? gzipSync(body) : undefined;
    host.sent += (packed ?? body).length;
    if (packed) response.setHeader("Content-Encoding", "gzip");
    const kept = /^\/(assets|release)\//.test(path) ? "public, max-age=31536000, immutable" : "no-cache";
    response.writeHead(200, { "Content-Type": type, "Cache-Control": kept }).end(packed ?? body);
  });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  host.url = `http://127.0.0.1:${server.address().port}`;
  host.stop = () => new Promise((done) => (server.closeAllConnections(), server.close(done)));
  return host;
}

/** The whole site lies in the browser. */
const stored = (page) =>
  page.evaluate(async () => {
    const { active } = await navigator.serviceWorker.ready;
    if (active.state !== "activated") await new Promise((done) => (active.onstatechange = () => active.state === "activated" && done()));
  });

/** The number of the state on the board. */
const state = (page) => page.evaluate(() => Number(document.querySelector(".battle")?.getAttribute("data-state") ?? -1));

/** What the board exports, checked by the native program. */
async function verify(page) {
  await page.getByRole("button", { name: "Menu" }).click();
  const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("menuitem", { name: "Export the journal" }).click()]);
  const found = spawnSync(process.env.LINSTOCK_BIN, ["replay", "--verify", await file.path()], { encoding: "utf8" });
  assert(found.status === 0, `the journal does not hold: ${found.stdout}${found.stderr}`);
}

/** Looks at the game from its beginning. */
async function replay(page) {
  const at = (moment) => page.waitForFunction((m) => document.querySelector(".battle")?.getAttribute("data-moment") === m, moment);
  await page.getByRole("button", { name: "Replay" }).click();
  await at("0");
  await page.getByRole("button", { name: "One move on" }).click();
  await at("1");
}

const BATTLES = [
  ["Battle Hymn", "Drill"],
  ["Brigade Battle Series", "The Sunken Lane"],
  ["American Revolution", "Drill"],
  ["Hallowed Ground", "The drill ground"],
  ["Fields of Honor", "Drill"],
];

for (const [system, battle] of BATTLES) {
  test(`${system}: a whole game, its replay and its export with the network off`, async ({ browser }) => {
    const host = await serve(SITE);
    const page = await visit(browser, host);
    await page.goto(`${host.url}/`);
    await stored(page);
    await host.stop();
    await begin(page, { system, battle, level: "Random" });
    const n = await playOut(page, decideByMouse, dice(5));
    const [result] = (await sentence(page)).split("\n");
    assert(/wins?\b|drawn/.test(result), `the prompt names the result: ${result}`);
    await verify(page);
    await replay(page);
    assert(page.faults.length === 0, page.faults.join("; "));
    note(`${n} decisions; ${result}`);
    await page.context().close();
  });
}

test("a lesson with the network off that was never opened before", async ({ browser }) => {
  const host = await serve(SITE);
  const page = await visit(browser, host);
  await page.goto(`${host.url}/`);
  await stored(page);
  await host.stop();
  await page.goto(`${host.url}/#/learn/battle-hymn/01-first-march`);
  await page.waitForSelector("#map[data-drawn]");
  const solution = page.getByRole("button", { name: "Show the solution" });
  for (let i = 0; i < 5 && !(await solution.isVisible()); i++) await page.keyboard.press("i");
  await solution.click();
  await page.locator("#decision h2", { hasText: "Solved." }).waitFor();
  assert(page.faults.length === 0, page.faults.join("; "));
  await page.context().close();
});

/** What may be loaded before the first move, in bytes. */
const LOAD = 950_000;

test("ten seconds to the first move on a slow line, with little to load", async ({ browser }) => {
  const host = await serve(SITE);
  const page = await visit(browser, host);
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("Network.emulateNetworkConditions", { offline: false, latency: 40, downloadThroughput: 10e6 / 8, uploadThroughput: 10e6 / 8 });
  // What is fetched in the background for later does not count.
  await page.addInitScript(() => { navigator.serviceWorker.register = () => Promise.resolve(); });
  const begun = performance.now();
  await begin(page, { battle: "McPherson's Ridge", system: "Battle Hymn", level: "Captain" });
  await waitForTurn(page, ["mine"]);
  const seconds = (performance.now() - begun) / 1000;
  const [sent, context] = [host.sent, page.context()];
  await page.close();
  // The same again, when everything lies in the browser's cache.
  const warm = await context.newPage();
  warm.base = host.url;
  const again = performance.now();
  await begin(warm, { battle: "McPherson's Ridge", system: "Battle Hymn", level: "Captain" });
  await waitForTurn(warm, ["mine"]);
  note(`${seconds.toFixed(1)} s, ${(sent / 1000).toFixed(0)} kB; ${((performance.now() - again) / 1000).toFixed(1)} s when warm`);
  assert(sent <= LOAD, `${sent} bytes are loaded before the first move, ${LOAD} at most`);
  await host.stop();
  await context.close();
});

const isNew = async (page) => (await page.locator('meta[name="release"]').count()) > 0;

test("a new release under an open game: it goes on, and the next visit is new", async ({ browser }) => {
  const folder = mkdtempSync(join(tmpdir(), "linstock-release-"));
  cpSync(SITE, folder, { recursive: true });
  const host = await serve(folder);
  const page = await visit(browser, host);
  await page.goto(`${host.url}/`);
  await stored(page);
  await begin(page, { battle: "Drill", system: "Battle Hymn", level: "Random" });
  await waitForTurn(page, ["mine"]);
  const before = await state(page);
  const address = page.url();
  // The new release differs in its page and its worker.
  const html = readFileSync(join(folder, "index.html"), "utf8").replace("<head>", '<head><meta name="release" content="next">');
  writeFileSync(join(folder, "index.html"), html);
  writeFileSync(join(folder, "sw.js"), readFileSync(join(folder, "sw.js"), "utf8").replace('"linstock-" + "', '"linstock-" + "next-'));
  await page.evaluate(async () => { await (await navigator.serviceWorker.getRegistration()).update(); });
  assert(await decideByMouse(page, dice(9)), "the game goes on");
  await page.reload();
  await page.waitForSelector("#map[data-drawn]");
  assert((await state(page)) > before, "nothing is lost");
  // When the last page of the old release is closed, the new one takes over.
  const context = page.context();
  await page.close();
  let next = await context.newPage();
  for (let i = 0; i < 50; i++) {
    await next.goto(`${host.url}/`);
    if (await isNew(next)) break;
    await next.close();
    await new Promise((done) => setTimeout(done, 200));
    next = await context.newPage();
  }
  assert(await isNew(next), "the next visit is new");
  await next.goto(address);
  await next.waitForSelector("#map[data-drawn]");
  await host.stop();
  rmSync(folder, { recursive: true });
  await context.close();
});
