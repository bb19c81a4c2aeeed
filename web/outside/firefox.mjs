/**
 * npm test: a whole battle of each system in Firefox, driven over WebDriver BiDi, with the hands that play in Chromium.
 * Its packages are its own, because nobody needs them to play or to build.
 */
import { existsSync } from "node:fs";
import puppeteer from "puppeteer-core";
import { beginFixed } from "../e2e/fixed.mjs";
import { decideByMouse, playOut } from "../e2e/hands.mjs";
import { assert, dice, sentence, Server } from "../e2e/lib.mjs";

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

/** What the hands ask of a page and Puppeteer calls otherwise. */
class Page {
  faults = [];

  constructor(page, base) {
    this.page = page;
    this.base = base;
    this.mouse = page.mouse;
    this.keyboard = page.keyboard;
    page.on("pageerror", (error) => this.faults.push(`error: ${error.message}`));
    page.on("console", (line) => {
      if (line.type() === "error" && !/Failed to load resource|WebSocket connection/.test(line.text())) this.faults.push(`console: ${line.text()}`);
    });
  }

  goto = (url) => this.page.goto(url);
  evaluate = (ask, value) => this.page.evaluate(ask, value);
  waitForSelector = (selector, options) => this.page.waitForSelector(selector, options);
  waitForTimeout = (ms) => new Promise((done) => setTimeout(done, ms));

  locator(selector) {
    const nth = async (n) => (await this.page.$$(selector))[n];
    return {
      innerText: async () => (await nth(0)).evaluate((el) => el.innerText),
      nth: (n) => ({ click: async () => (await nth(n)).click() }),
    };
  }
}

async function battle(browser, server, scenario, seed) {
  // A context of its own: nothing is kept from one battle to the next.
  const context = await browser.createBrowserContext();
  const tab = await context.newPage();
  await tab.setViewport({ width: 1440, height: 900 });
  await tab.evaluateOnNewDocument(() => {
    if (location.protocol === "http:" && localStorage.getItem("linstock.settings") === null) localStorage.setItem("linstock.settings", JSON.stringify({ coach: "never" }));
  });
  const page = new Page(tab, server.url);
  await beginFixed(page, { scenario, seed });
  const decisions = await playOut(page, decideByMouse, dice(seed));
  const result = (await sentence(page)).split("\n")[0];
  assert(/wins?\b|drawn/.test(result), `${scenario}: the prompt names the result, not “${result}”`);
  assert(page.faults.length === 0, `${scenario}: ${page.faults.join("; ")}`);
  await context.close();
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
