/**
 * Speed is measured, not tested: npm run measure, on a quiet machine.
 * Pan and zoom of the full Gettysburg map: frame times, and what the main thread does for each frame.
 * On a loaded machine frames come late through no fault of the page; the thread's own CPU time tells the truth.
 */
import { assert, begin, visit } from "./lib.mjs";
import { note, test } from "./runner.mjs";

const CATEGORIES = ["toplevel", "devtools.timeline", "disabled-by-default-devtools.timeline"];
/** What 60 frames a second leave: 16.7 ms, half of it for the page. */
const BUDGET = 8;

const quantile = (sorted, q) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? 0;

async function wallTimes(page, act) {
  await page.evaluate(() => {
    window.frameTimes = [];
    let last = performance.now();
    const tick = (now) => {
      window.frameTimes.push(now - last);
      last = now;
      window.frameLoop = requestAnimationFrame(tick);
    };
    window.frameLoop = requestAnimationFrame(tick);
  });
  await act();
  const times = await page.evaluate(() => {
    cancelAnimationFrame(window.frameLoop);
    return window.frameTimes.slice(3);
  });
  return times.sort((a, b) => a - b);
}

/** CPU time of the page's main thread for each frame it commits, ms. */
function workOf(trace) {
  const { traceEvents: events } = JSON.parse(trace);
  const commits = events.filter((e) => e.name === "Commit" && e.ph === "X");
  const counts = new Map();
  for (const e of commits) counts.set(e.pid, (counts.get(e.pid) ?? 0) + 1);
  const [pid] = [...counts].sort((a, b) => b[1] - a[1])[0] ?? [];
  const tid = commits.find((e) => e.pid === pid)?.tid;
  const here = events.filter((e) => e.pid === pid && e.tid === tid && e.ph === "X");
  const ends = commits.filter((e) => e.pid === pid).map((e) => e.ts).sort((a, b) => a - b);
  const work = ends.map(() => 0);
  for (const task of here.filter((e) => e.name === "RunTask")) {
    // A task belongs to the frame it leads to or holds.
    const i = ends.findIndex((t) => t >= task.ts);
    if (i >= 0) work[i] += (task.tdur ?? task.dur) / 1000;
  }
  const kinds = new Map();
  for (const e of here) if (e.tdur) kinds.set(e.name, (kinds.get(e.name) ?? 0) + e.tdur / 1000);
  return { work: work.sort((a, b) => a - b), kinds: [...kinds].sort((a, b) => b[1] - a[1]).slice(0, 14) };
}

async function measured(browser, page, act) {
  await browser.startTracing(page, { categories: CATEGORIES });
  const wall = await wallTimes(page, act);
  const { work, kinds } = workOf(await browser.stopTracing());
  if (process.env.KINDS) console.log(kinds.map(([n, t]) => `    ${n} ${t.toFixed(1)}`).join("\n"));
  return { wall, work };
}

/** A pan and a zoom by mouse over the map on the page, in words. */
async function gestures(browser, page) {
  const map = await page.locator("#map").boundingBox();
  const [cx, cy] = [map.x + map.width / 2, map.y + map.height / 2 - 60];
  const pan = await measured(browser, page, async () => {
    await page.mouse.move(cx + 200, cy);
    await page.mouse.down();
    for (let i = 0; i < 90; i++) {
      await page.mouse.move(cx + 200 - 4 * i + 20 * Math.sin(i / 7), cy + 60 * Math.sin(i / 15));
      await page.waitForTimeout(12);
    }
    await page.mouse.up();
  });
  const zoom = await measured(browser, page, async () => {
    await page.mouse.move(cx, cy);
    for (let i = 0; i < 60; i++) {
      await page.mouse.wheel(0, i < 30 ? -30 : 30);
      await page.waitForTimeout(14);
    }
  });
  const show = ({ wall, work }) =>
    `frames of ${quantile(wall, 0.5).toFixed(1)} ms (95 % ${quantile(wall, 0.95).toFixed(1)}, worst ${quantile(wall, 1).toFixed(0)}, ${wall.length} in all), ` +
    `work ${quantile(work, 0.5).toFixed(1)} ms a frame (95 % ${quantile(work, 0.95).toFixed(1)}, worst ${quantile(work, 1).toFixed(0)})`;
  return { words: `\n    pan: ${show(pan)}\n    zoom: ${show(zoom)}`, smooth: quantile(pan.work, 0.95) < BUDGET && quantile(zoom.work, 0.95) < BUDGET };
}

test("pan and zoom are smooth", async ({ browser, server }) => {
  const page = await visit(browser, server, { still: false });
  await begin(page, { battle: "The First Day", level: "Captain" });
  await page.waitForTimeout(2500);
  const { words, smooth } = await gestures(browser, page);
  assert(smooth, words);
  note(words);
});

test("a page is interactive within a second", async ({ browser, server }) => {
  const page = await visit(browser, server);
  await page.goto(`${server.url}/`);
  await page.getByRole("button", { name: "Start the battle" }).waitFor();
  const again = await visit(browser, server);
  const start = performance.now();
  await again.goto(`${server.url}/`);
  await again.getByRole("button", { name: "Start the battle" }).waitFor();
  const took = performance.now() - start;
  assert(took < Number(process.env.PATIENCE ?? 1000), `took ${took.toFixed(0)} ms`);
  note(`${took.toFixed(0)} ms with a cold cache`);
});
