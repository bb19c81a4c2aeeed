/** Members of the club in browsers of their own: devices with passkeys, accounts, and what is pressed without a mouse. */
import { assert, axe, visit } from "./lib.mjs";

const DEVICE = { protocol: "ctap2", transport: "internal", hasResidentKey: true, hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true };

/** A page on a device of its own, which can keep passkeys. They belong to a name: an address has none. */
export async function device(browser, server, options) {
  const page = await visit(browser, { url: server.url.replace("127.0.0.1", "localhost") }, options);
  page.keys = await page.context().newCDPSession(page);
  await page.keys.send("WebAuthn.enable");
  page.authenticator = (await page.keys.send("WebAuthn.addVirtualAuthenticator", { options: DEVICE })).authenticatorId;
  return page;
}

export async function openAccount(page) {
  await page.goto(`${page.base}/#/account`);
  await page.getByRole("heading", { level: 1 }).waitFor();
}

/** Tab until the focus is on a control with these words, then Enter. */
export async function press(page, words) {
  for (let i = 0; i < 60; i++) {
    await page.keyboard.press("Tab");
    if (await page.evaluate((w) => (document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.textContent ?? "").trim().startsWith(w), words)) {
      await page.keyboard.press("Enter");
      return;
    }
  }
  throw new Error(`Tab does not lead to ${words}.`);
}

export async function clean(page, where) {
  const found = await axe(page);
  assert(found.length === 0, `${where}: ${found.join("\n")}`);
}

export async function register(page, name) {
  await page.goto(`${page.base}/#/lobby`);
  await page.getByRole("link", { name: "Sign in" }).click();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  await clean(page, "signing in");
  await page.getByLabel("Your name").fill(name);
  await page.getByRole("button", { name: "Create an account" }).click();
  await page.getByRole("heading", { name: "Keep these recovery codes" }).waitFor();
}
