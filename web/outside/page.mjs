/** A page of Puppeteer's with the names that the hands of the browser tests use. */
export class Page {
  faults = [];

  constructor(tab, base) {
    this.tab = tab;
    this.base = base;
    this.mouse = tab.mouse;
    this.keyboard = tab.keyboard;
    tab.on("pageerror", (error) => this.faults.push(`error: ${error.message}`));
    tab.on("console", (line) => {
      if (line.type() === "error" && !/Failed to load resource|WebSocket connection/.test(line.text())) this.faults.push(`console: ${line.text()}`);
    });
  }

  /** In a context of its own: nothing is kept from one battle to the next, and no coach speaks. */
  static async open(browser, base) {
    const context = await browser.createBrowserContext();
    const tab = await context.newPage();
    await tab.setViewport({ width: 1440, height: 900 });
    await tab.evaluateOnNewDocument(() => {
      if (location.protocol === "http:" && localStorage.getItem("linstock.settings") === null) localStorage.setItem("linstock.settings", JSON.stringify({ coach: "never" }));
    });
    return new Page(tab, base);
  }

  close = () => this.tab.browserContext().close();
  goto = (url) => this.tab.goto(url);
  evaluate = (ask, value) => this.tab.evaluate(ask, value);
  waitForSelector = (selector, options) => this.tab.waitForSelector(selector, options);
  waitForTimeout = (ms) => new Promise((done) => setTimeout(done, ms));

  locator(selector) {
    const nth = async (n) => (await this.tab.$$(selector))[n];
    return {
      innerText: async () => (await nth(0)).evaluate((el) => el.innerText),
      nth: (n) => ({ click: async () => (await nth(n)).click() }),
    };
  }
}
