/** npm run e2e, npm run measure, npm run pictures: the board in Chromium against the real program. */
import { defineConfig } from "@playwright/test";
import { LAUNCH } from "./e2e/lib.mjs";

export default defineConfig({
  testDir: "e2e",
  // A browser on a crowded machine can miss its moment, and a whole run should not be lost for it. A test that passes only
  // when tried again is a fault all the same: the report ends with "FLAKY", its name and its first error. Mend it.
  retries: 2,
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
