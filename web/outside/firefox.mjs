/** npm run firefox: a whole battle of each system in Firefox, over WebDriver BiDi, with the hands that play in Chromium. */
import { existsSync } from "node:fs";
import puppeteer from "puppeteer-core";
import { beginFixed } from "../e2e/fixed.mjs";
import { decideByMouse, playOut } from "../e2e/hands.mjs";
import { assert, dice, sentence, Server } from "../e2e/lib.mjs";
import { Page } from "./page.mjs";

/** The introductory battle of each system, with the seed of its dice. */
const BATTLES = [
  ["battle-hymn/mcphersons-ridge", 4],
  ["brigade-battles/sunken-road", 1],
  ["american-revolution/the-cabin", 1],
  ["hallowed-ground/crossroads", 3],
  ["fields-of-honor/drill-ground", 5],
];

/** Debian's, or whatever is called Firefox here. */
const found = () => ["/usr/bin/firefox-esr", "/usr/bin/firefox"].find(existsSync);

const LAUNCH = {
  browser: "firefox",
  executablePath: process.env.LINSTOCK_FIREFOX ?? found(),
  headless: true,
  extraPrefsFirefox: { "ui.prefersReducedMotion": 1 },
};

async function battle(browser, server, scenario, seed) {
  const page = await Page.open(browser, server.url);
  await beginFixed(page, { scenario, seed });
  const decisions = await playOut(page, decideByMouse, dice(seed));
  const result = (await sentence(page)).split("\n")[0];
  assert(/wins?\b|drawn/.test(result), `${scenario}: the prompt names the result, not “${result}”`);
  assert(page.faults.length === 0, `${scenario}: ${page.faults.join("; ")}`);
  await page.close();
  return `${decisions} decisions; ${result}`;
}

const server = await Server.start();
const browser = await puppeteer.launch(LAUNCH);
try {
  console.log(await browser.version());
  for (const [scenario, seed] of BATTLES) {
    const began = Date.now();
    const told = await battle(browser, server, scenario, seed);
    console.log(`ok   Firefox: ${scenario} (${((Date.now() - began) / 1000).toFixed(1)} s) ${told}`);
  }
} finally {
  await browser.close();
  await server.stop();
}
