/** npm run lighthouse: Lighthouse's score for accessibility on every kind of screen, which must be 100. */
import { snapshot } from "lighthouse";
import puppeteer from "puppeteer-core";
import { beginFixed } from "../e2e/fixed.mjs";
import { assert, LAUNCH, Server } from "../e2e/lib.mjs";
import { Page } from "./page.mjs";

/** A battle of each system, then the screens by their addresses with what shows that they are there. */
const BATTLES = ["battle-hymn/mcphersons-ridge", "brigade-battles/sunken-road", "american-revolution/the-cabin", "hallowed-ground/crossroads", "fields-of-honor/drill-ground"];
const SCREENS = [
  ["home", "#/", /Start the battle/],
  ["lobby", "#/lobby", /[Ll]obby/],
  ["account", "#/account", /passkey/i],
  ["courses", "#/learn", /Learn/],
  ["a lesson", "#/learn/battle-hymn/01-first-march", /Next/i],
  ["handbook", "#/handbook/battle-hymn", /Handbook/i],
  ["rules", "#/rules/battle-hymn", /Show me/],
  ["studies", "#/studies", /[Ss]tud/],
];

/** The score in hundredths, and what it finds. */
async function judge(page) {
  const { lhr } = await snapshot(page.tab, { config: { extends: "lighthouse:default", settings: { onlyCategories: ["accessibility"], formFactor: "desktop", screenEmulation: { disabled: true } } } });
  const found = Object.values(lhr.audits).filter((a) => a.score !== null && a.score < 1 && lhr.categories.accessibility.auditRefs.some((ref) => ref.id === a.id && ref.weight > 0));
  const where = (audit) => (audit.details?.items ?? []).slice(0, 3).map((item) => item.node?.snippet ?? "").join(" ");
  return { score: Math.round(100 * lhr.categories.accessibility.score), found: found.map((a) => `${a.id}: ${where(a)}`) };
}

const server = await Server.start();
const browser = await puppeteer.launch({ ...LAUNCH, headless: true });
const low = [];
async function look(name, open) {
  const page = await Page.open(browser, server.url);
  // Nothing fades: colours are judged as they are meant.
  await page.tab.emulateMediaFeatures([{ name: "prefers-reduced-motion", value: "reduce" }]);
  await open(page);
  const { score, found } = await judge(page);
  console.log(`${score === 100 ? "ok  " : "FAIL"} Lighthouse: ${name} ${score}${found.map((f) => `\n       ${f}`).join("")}`);
  if (score < 100) low.push(name);
  await page.close();
}
try {
  for (const [name, address, shown] of SCREENS)
    await look(name, async (page) => {
      await page.goto(`${server.url}/${address}`);
      await page.tab.waitForFunction((words) => new RegExp(words, "i").test(document.body.innerText), { timeout: 60_000 }, shown.source);
    });
  for (const scenario of BATTLES) await look(scenario, (page) => beginFixed(page, { scenario, seed: 1 }));
} finally {
  await browser.close();
  await server.stop();
}
assert(low.length === 0, `below 100: ${low.join(", ")}`);
