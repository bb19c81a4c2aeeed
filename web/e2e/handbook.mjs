/** make handbook: each system's handbook as a PDF, printed by Chromium from the board's own page. */
import { mkdirSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { assert, openBrowser, Server, visit } from "./lib.mjs";

const folder = resolve(process.argv[2] ?? "../target/handbook");
mkdirSync(folder, { recursive: true });
const server = await Server.start();
const browser = await openBrowser();
try {
  const systems = await (await fetch(`${server.url}/api/v1/systems`)).json();
  for (const { id, title } of systems) {
    const page = await visit(browser, server, { width: 1000, height: 1400 });
    await page.goto(`${server.url}/#/handbook/${id}/print`);
    await page.locator("main h2.chapter").first().waitFor();
    // The whole book is there when every diagram is drawn.
    await page.waitForFunction(() => document.querySelectorAll("figure[data-diagram]").length > 0 && document.querySelectorAll("figure[data-diagram=waiting]").length === 0, undefined, { timeout: 180_000 });
    const missing = await page.locator("figure .blank").count();
    assert(missing === 0, `${id}: ${missing} diagrams could not be drawn`);
    await page.evaluate(() => document.fonts.ready);
    const path = join(folder, `${id}.pdf`);
    const footer = `<div style="width:100%;font:8px sans-serif;color:#555;padding:0 16mm;display:flex;justify-content:space-between"><span>${title}</span><span class="pageNumber"></span></div>`;
    await page.pdf({ path, format: "A4", printBackground: true, displayHeaderFooter: true, headerTemplate: "<span></span>", footerTemplate: footer, margin: { top: "16mm", bottom: "18mm", left: "17mm", right: "17mm" }, tagged: true, outline: true });
    const diagrams = await page.locator("figure svg").count();
    assert(page.faults.length === 0, page.faults.join("; "));
    console.log(`${path}: ${Math.round(statSync(path).size / 1000)} kB, ${diagrams} diagrams`);
    await page.close();
  }
} finally {
  await browser.close();
  await server.stop();
}
