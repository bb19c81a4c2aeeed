/** What a prompt is about lies in the free part of the map, at every decision, on every map, on three screens. */
import { frameGame, SCENARIOS, SIZES } from "./framing.mjs";
import { assert } from "./lib.mjs";
import { note, test } from "./runner.mjs";

/** FRAMING=60: so many decisions of every scenario on every screen; else a few of each on one. */
const LONG = Number(process.env.FRAMING ?? 0);
const FEW = 6;

for (const [i, scenario] of SCENARIOS.entries())
  test(`framing: ${scenario}`, async ({ browser, server }) => {
    const sizes = LONG > 0 ? SIZES : [SIZES[i % SIZES.length]];
    let looks = 0;
    const faults = [];
    for (const [n, size] of sizes.entries()) {
      const found = await frameGame({ browser, server }, scenario, size, LONG > 0 ? LONG : FEW, 1 + i + n);
      looks += found.looks;
      faults.push(...found.faults);
    }
    assert(faults.length === 0, `\n    ${faults.join("\n    ")}`);
    note(`${looks} looks`);
  });
