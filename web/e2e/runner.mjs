/** The test runner with a real server, and pages that must not go wrong. */
import { test as base } from "@playwright/test";
import { assert, Server, visited } from "./lib.mjs";

export const test = base.extend({
  server: [
    async ({}, use) => {
      const server = await Server.start();
      await use(server);
      await server.stop();
    },
    { scope: "worker" },
  ],
  /** Any error of a page fails the test, whatever else it found. */
  faultless: [
    async ({ browser }, use) => {
      visited.length = 0;
      await use();
      const faults = visited.flatMap((page) => page.faults);
      for (const context of browser.contexts()) await context.close();
      assert(faults.length === 0, faults.join("; "));
    },
    { auto: true },
  ],
});

/** What a test found, for its line in the report. */
export function note(text) {
  test.info().annotations.push({ type: "note", description: text });
}
