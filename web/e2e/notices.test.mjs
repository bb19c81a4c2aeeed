/** Notices in a browser: an address is confirmed by its link, a letter tells of one's turn, and the game opens from it. */
import { createServer } from "node:net";
import { assert, axe, Server, visit } from "./lib.mjs";
import { test } from "./runner.mjs";

const DEVICE = { protocol: "ctap2", transport: "internal", hasResidentKey: true, hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true };

/** A mail server on this machine; `letter` waits for the next one. */
async function mail() {
  const [letters, waiting] = [[], []];
  const take = (letter) => (waiting.length > 0 ? waiting.shift()(letter) : letters.push(letter));
  const server = createServer((socket) => {
    let [buffer, text] = ["", undefined];
    const say = (line) => socket.write(`${line}\r\n`);
    say("220 sink ESMTP");
    socket.on("error", () => {});
    socket.on("data", (data) => {
      buffer += data;
      for (let end = buffer.indexOf("\r\n"); end >= 0; end = buffer.indexOf("\r\n")) {
        const line = buffer.slice(0, end);
        buffer = buffer.slice(end + 2);
        if (text === undefined) {
          if (/^data/i.test(line)) [text] = [""];
          if (/^quit/i.test(line)) socket.end("221 bye\r\n");
          else say(text === "" ? "354 go on" : "250 ok");
        } else if (line === ".") {
          take(text.replaceAll("=\n", "").replaceAll("=3D", "="));
          text = undefined;
          say("250 taken");
        } else text += `${line}\n`;
      }
    });
  });
  await new Promise((up) => server.listen(0, "127.0.0.1", up));
  return { port: server.address().port, letter: () => (letters.length > 0 ? Promise.resolve(letters.shift()) : new Promise((come) => waiting.push(come))), close: () => server.close() };
}

async function clean(page, where) {
  const found = await axe(page);
  assert(found.length === 0, `${where}: ${found.join("\n")}`);
}

/** What the page would send: `path` under /api/v1, with a seat's token or the session. */
const send = (page, path, body, token) =>
  page.evaluate(
    async ([path, body, token]) => {
      const headers = { "Content-Type": "application/json", ...(token ? { Authorization: `Bearer ${token}` } : {}) };
      const answer = await fetch(`/api/v1${path}`, body ? { method: "POST", headers, body: JSON.stringify(body) } : { headers });
      return answer.status === 204 ? undefined : answer.json();
    },
    [path, body, token],
  );

/** A battle of two people, in which Bertram sits opposite to whoever decides first; it goes on until he must decide. */
async function hisTurn(page) {
  const here = (name) => ({ kind: "here", name });
  const salt = "0123456789abcdef0123456789abcdef";
  const { game, seats } = await send(page, "/games", { scenario: "battle-hymn/mcphersons-ridge", seats: { first: here("Ada"), second: here("Bertram") }, salt });
  const first = await send(page, `/games/${game}/position`, undefined, seats.first.token);
  const [ada, bertram] = first.status.side === "first" ? ["first", "second"] : ["second", "first"];
  await send(page, "/account/seats", { seats: [{ game, token: seats[bertram].token }] });
  for (let n = 0; n < 400; n++) {
    const { status, state, offers } = await send(page, `/games/${game}/position`, undefined, seats[ada].token);
    if (status.side === bertram) return game;
    const offer = offers[(n * 7) % offers.length];
    await send(page, `/games/${game}/acts`, { id: `turn-${n}-abcdefgh`, state, action: offer.action, salt }, seats[ada].token);
  }
  throw new Error("It never was his turn.");
}

test("an address is confirmed, and a letter opens the game", async ({ browser }) => {
  const post = await mail();
  const server = await Server.start((url) => ["--url", url, "--smtp", `smtp://127.0.0.1:${post.port}`, "--mail-from", "Linstock <linstock@example.org>"]);
  try {
    const page = await visit(browser, { url: server.url.replace("127.0.0.1", "localhost") });
    const keys = await page.context().newCDPSession(page);
    await keys.send("WebAuthn.enable");
    await keys.send("WebAuthn.addVirtualAuthenticator", { options: DEVICE });
    await page.goto(`${page.base}/#/account`);
    await page.getByLabel("Your name").fill("Bertram");
    await page.getByRole("button", { name: "Create an account" }).click();
    await page.getByRole("button", { name: "I have kept them" }).click();
    await page.getByRole("heading", { name: "Notices" }).waitFor();
    await clean(page, "notices without an address");
    await page.getByLabel("E-mail address").fill("bertram@example.org");
    await page.getByRole("button", { name: "Send me a link" }).click();
    await page.getByText("A letter is on its way to bertram@example.org.").waitFor();
    const [confirm] = (await post.letter()).match(/http\S+\/#\/confirm\/\w+/);
    await page.goto(confirm);
    await page.getByRole("button", { name: "Confirm the address" }).waitFor();
    await clean(page, "confirming an address");
    await page.getByRole("button", { name: "Confirm the address" }).click();
    await page.getByText("Letters to bertram@example.org").waitFor();
    await page.getByLabel("Quiet hours").check();
    await page.getByLabel("From").fill("03:00");
    await page.getByLabel("To", { exact: true }).fill("03:00");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Saved.").waitFor();
    await clean(page, "notices with an address");
    const game = await hisTurn(page);
    const told = await post.letter();
    assert(/^Subject: Your turn in /m.test(told), told);
    const [link] = told.match(/http\S+\/#\/mine\/\w+/);
    assert(link.endsWith(game), link);
    await page.goto(link);
    await page.getByRole("button", { name: "Play here" }).waitFor();
    await clean(page, "a game from a notice");
    await page.getByRole("button", { name: "Play here" }).click();
    await page.waitForSelector("#map[data-drawn]");
    assert(page.url().endsWith(`#/game/${game}`), page.url());
    // One click stops the letters; a look does not.
    const [stop] = told.match(/http\S+\/notices\/unsubscribe\/[^\s>]+/);
    await page.goto(stop);
    await page.getByRole("button", { name: "Stop them" }).click();
    await page.getByText("No more letters will come.").waitFor();
    await page.goto(`${page.base}/#/account`);
    await page.getByText("Letters to bertram@example.org (off)").waitFor();
    // Out, and in again by a letter: the address still opens the account.
    await page.getByRole("button", { name: "Sign out", exact: true }).click();
    await page.getByRole("heading", { name: "By e-mail" }).waitFor();
    await clean(page, "signing in by e-mail");
    await page.getByLabel("E-mail address").fill("bertram@example.org");
    await page.getByRole("button", { name: "Send me a link" }).click();
    const [enter] = (await post.letter()).match(/http\S+\/#\/enter\/\w+/);
    await page.goto(enter);
    await page.getByRole("main").getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { name: "Bertram" }).waitFor();
  } finally {
    await server.stop();
    post.close();
  }
});
