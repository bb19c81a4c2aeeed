/** Pan and zoom of the full Gettysburg map: frame times, measured in the page. */
import { assert, begin, visit } from "./lib.mjs";

async function frames(page, act) {
  await page.evaluate(() => {
    window.frameTimes = [];
    let last = performance.now();
    const tick = (now) => {
      window.frameTimes.push(now - last);
      last = now;
      if (window.frameTimes) window.frameLoop = requestAnimationFrame(tick);
    };
    window.frameLoop = requestAnimationFrame(tick);
  });
  await act();
  return page.evaluate(() => {
    cancelAnimationFrame(window.frameLoop);
    const t = window.frameTimes.slice(3).sort((a, b) => a - b);
    const at = (q) => t[Math.min(t.length - 1, Math.floor(t.length * q))];
    return { n: t.length, median: at(0.5), p95: at(0.95), worst: t[t.length - 1] };
  });
}

export async function smoothness({ browser, server }) {
  const page = await visit(browser, server, { still: false });
  await begin(page, { battle: "The First Day", level: "Captain" });
  await page.waitForTimeout(1500);
  const map = await page.locator("#map").boundingBox();
  const [cx, cy] = [map.x + map.width / 2, map.y + map.height / 2 - 60];
  const pan = await frames(page, async () => {
    await page.mouse.move(cx + 200, cy);
    await page.mouse.down();
    for (let i = 0; i < 90; i++) {
      await page.mouse.move(cx + 200 - 4 * i + 20 * Math.sin(i / 7), cy + 60 * Math.sin(i / 15));
      await page.waitForTimeout(12);
    }
    await page.mouse.up();
  });
  const zoom = await frames(page, async () => {
    await page.mouse.move(cx, cy);
    for (let i = 0; i < 60; i++) {
      await page.mouse.wheel(0, i < 30 ? -30 : 30);
      await page.waitForTimeout(14);
    }
  });
  const show = (f) => `median ${f.median.toFixed(1)}, 95 % ${f.p95.toFixed(1)}, worst ${f.worst.toFixed(0)} ms of ${f.n}`;
  const note = `pan ${show(pan)}; zoom ${show(zoom)}`;
  assert(pan.median < 20 && zoom.median < 20, note);
  return { page, note };
}
