/** School: lessons as a learner goes through them, with a wrong try before the right one. */
import { byKeys, byMouse, lesson, openLesson, readPages, solved, whenRead } from "./lessons.mjs";
import { fixedSeat, sitAt } from "./fixed.mjs";
import { assert, axe, visit } from "./lib.mjs";
import { note, test } from "./runner.mjs";

/** Two of each system, of different kinds (marches, retreats, fires, cards, chips, wheels, charges), each with a wrong try. */
const LESSONS = [
  ["battle-hymn/03-zone-of-control", "beside Davis"], ["battle-hymn/08-retreat", "to the right"],
  ["brigade-battles/03-zones", "not close enough"], ["brigade-battles/06-one-fire", "alone"],
  ["american-revolution/01-first-march", "elsewhere"], ["american-revolution/07-tactics", "round the flank"],
  ["hallowed-ground/03-formations", "a deep line"], ["hallowed-ground/08-charge", "at the fresh one"],
  ["fields-of-honor/03-wheel", "to the left"], ["fields-of-honor/11-charge", "the fresh one"],
];

/** Through the pages, a wrong try with the lesson's answer to it, then the solution. */
async function learn(page, id, wrong, play, keys) {
  const { erring, solution } = lesson(id, wrong);
  await openLesson(page, id);
  await readPages(page, keys);
  const again = page.locator("#decision button.brass", { hasText: "Try again" });
  for (const action of erring) await play(page, action);
  await whenRead(page, "#decision button.brass:has-text('Try again')", keys);
  assert((await page.locator(".task .answer").innerText()).length > 10, `${id}: no answer to a wrong try`);
  if (keys) await page.locator("body").press("Enter");
  else await again.click();
  await again.waitFor({ state: "detached" });
  for (const action of solution.slice(erring.length - 1)) await play(page, action);
  await solved(page, keys);
}

for (const [name, play, keys] of [["mouse", byMouse, false], ["keyboard alone", byKeys, true]])
  test(`school: ten lessons by ${name}`, async ({ browser, server }) => {
    const page = await visit(browser, server);
    for (const [id, wrong] of LESSONS)
      await learn(page, id, wrong, play, keys).catch((e) => {
        throw new Error(`${id}: ${e.message}`, { cause: e });
      });
    note(`${LESSONS.length} lessons, each with a wrong try`);
  });

/** The die, what is added to it and what comes of it: of a first throw, and of the one that a chit buys. */
test("school: dice stay until they are read", async ({ browser, server }) => {
  const page = await visit(browser, server);
  const goOn = page.locator("#decision button.brass", { hasText: "Go on" });
  await openLesson(page, "american-revolution/12-a-second-throw");
  await readPages(page, false);
  const { solution } = lesson("american-revolution/12-a-second-throw");
  const told = async () => {
    await goOn.waitFor();
    return (await page.locator(".told").innerText()).replace(/\s+/g, " ");
  };
  await byMouse(page, solution[0]);
  await byMouse(page, solution[1]);
  const first = await told();
  assert(/morale of the attacker's lead unit.*Total 2 at/.test(first), `the first throw is told as: ${first}`);
  // What was rolled outlives any other card, and Enter puts it away.
  await page.clock.install();
  await page.clock.runFor(60_000);
  assert((await told()) === first, "The dice went by themselves.");
  await page.clock.resume();
  await page.keyboard.press("Enter");
  await byMouse(page, solution[2]);
  const second = await told();
  assert(/Total 8 at/.test(second), `the second throw is told as: ${second}`);
  assert((await page.locator(".task.solved").count()) === 0, "The lesson spoke before the dice were read.");
  await goOn.click();
  await page.locator(".task.solved").waitFor();
});

/** A unit picked with the mouse: the map stays where it is, and the hex that is clicked next with it. */
test("school: the map stands still under a pointer that picks", async ({ browser, server }) => {
  const page = await visit(browser, server, { width: 1024, height: 640 });
  const camera = () => page.evaluate(() => document.querySelector("#map .layer").style.transform);
  const pick = async (where) => {
    await page.waitForTimeout(600);
    const before = await camera();
    const at = await page.evaluate(() => {
      const map = document.querySelector("#map").getBoundingClientRect();
      const off = ({ x, y }) => Math.hypot(x - map.x - map.width / 2, y - map.y - map.height / 2);
      const all = [...document.querySelectorAll(".piece[data-may]")].map((piece) => {
        const r = piece.getBoundingClientRect();
        return { id: piece.getAttribute("data-piece"), x: r.x + r.width / 2, y: r.y + r.height / 2 };
      });
      return all.sort((a, b) => off(a) - off(b))[0];
    });
    await page.mouse.click(at.x, at.y);
    await page.locator(`.battle[data-picked="${at.id}"]`).waitFor();
    await page.waitForTimeout(600);
    assert((await camera()) === before, `In ${where} the map moved when a unit was picked.`);
  };
  await openLesson(page, "battle-hymn/01-first-march");
  await readPages(page, false);
  await pick("a lesson");
  // In a battle, so near that it cannot be seen where the unit may go.
  await sitAt(page, await fixedSeat(server.url, { scenario: "brigade-battles/drill", opponent: "ensign", seed: 1, side: 0 }));
  for (let i = 0; i < 6; i++) await page.getByRole("button", { name: "Nearer" }).click();
  await pick("a battle");
});

/** Courses, a page, a task, a solved lesson and the coach, each by day and by night. */
for (const [width, height, touch] of [[1440, 900, false], [1024, 768, false], [390, 844, true]])
  test(`school: axe finds nothing at ${width} px, light or dark`, async ({ browser, server }) => {
    const page = await visit(browser, server, { width, height, touch, coach: "all" });
    const sound = async (where) => {
      for (const colorScheme of ["light", "dark"]) {
        await page.emulateMedia({ colorScheme });
        // Colours change slowly: what axe reads must have come to rest.
        await page.waitForTimeout(500);
        const found = await axe(page);
        assert(found.length === 0, `${where}, ${colorScheme}: ${found.join("; ")}`);
      }
    };
    const [id] = LESSONS[4];
    await page.goto(`${server.url}/#/learn`);
    await page.getByRole("link", { name: "Start the first lesson" }).waitFor();
    await sound("courses");
    await openLesson(page, id);
    await sound("a page");
    await readPages(page, false);
    await sound("the task");
    const share = await page.evaluate(() => document.querySelector("#dock").getBoundingClientRect().height / innerHeight);
    assert(width >= 600 || share <= 0.505, `The sheet takes ${Math.round(share * 100)} % of a phone.`);
    const seen = await page.evaluate(() => document.querySelector(".task").getBoundingClientRect().top < document.querySelector("#decision").getBoundingClientRect().top);
    assert(seen || width >= 600, "The task begins below what a phone shows.");
    for (const action of lesson(id).solution) await byKeys(page, action);
    await solved(page);
    await sound("solved");
    await page.goto(`${server.url}/#/learn/battle-hymn`);
    await page.getByRole("button", { name: /Your first battle/ }).click();
    await page.locator(".coach .why").waitFor();
    await sound("the coach");
    note("courses, a page, the task, solved, the coach");
  });

test("school: a lesson opens within a second", async ({ browser, server }) => {
  const page = await visit(browser, server);
  await page.goto(`${server.url}/#/learn`);
  await page.getByRole("link", { name: "Start the first lesson" }).waitFor();
  const took = [];
  for (const [id] of LESSONS) {
    await page.goto(`${server.url}/#/learn`);
    await page.getByRole("link", { name: /lesson/ }).first().waitFor();
    took.push(await page.evaluate(async (to) => {
      const from = performance.now();
      location.hash = `#/learn/${to}`;
      while (!document.querySelector("#dock [aria-label^='Page 1 of']") || !document.querySelector("#map .piece, #map .block, #map [data-piece]")) await new Promise(requestAnimationFrame);
      return Math.round(performance.now() - from);
    }, id));
  }
  took.sort((a, b) => a - b);
  assert(took[4] < 1000, `half of the lessons took longer than ${took[4]} ms`);
  note(`median ${took[4]} ms, slowest ${took[9]} ms, of ten`);
});
