/** npm run e2e, npm run measure, npm run pictures: the board in Chromium against the real program. */
import { defineConfig } from "@playwright/test";
import { LAUNCH } from "./e2e/lib.mjs";

export default defineConfig({
  testDir: "e2e",
  // A test that fails now and then is a fault to be found: none is tried twice.
  retries: 0,
  // Each test is a server and one or more browsers: side by side they would only wait for each other.
  workers: 1,
  // The longest plays a whole battle on a busy machine.
  timeout: 20 * 60_000,
  forbidOnly: process.env.CI !== undefined,
  reporter: [["./e2e/reporter.mjs"]],
  outputDir: process.env.FAILSHOT ?? "../target/e2e",
  use: { launchOptions: LAUNCH, screenshot: "only-on-failure" },
  projects: [
    { name: "board", testMatch: "*.test.mjs" },
    { name: "measure", testMatch: "*.measure.mjs" },
    { name: "site", testMatch: "*.site.mjs" },
    { name: "pictures", testMatch: "*.pictures.mjs" },
  ],
});
