import { beforeEach, expect, test, vi } from "vitest";
import { Member } from "../../src/club/member.svelte";
import { toText } from "../../src/club/passkey";
import { knownMember, rememberMember } from "../../src/club/signs";

const FACE = { name: "Ada", made: 1, passkeys: [], sessions: [], codes: 10, fresh: true };
const asked: { path: string; init: RequestInit }[] = [];
let answer: { status: number; body: unknown };

beforeEach(() => {
  asked.length = 0;
  answer = { status: 200, body: FACE };
  const kept = new Map<string, string>();
  vi.stubGlobal("localStorage", { getItem: (k: string) => kept.get(k) ?? null, setItem: (k: string, v: string) => kept.set(k, v), removeItem: (k: string) => kept.delete(k) });
  vi.stubGlobal("fetch", (path: string, init: RequestInit) => {
    asked.push({ path, init });
    return Promise.resolve(new Response(answer.status === 204 ? null : JSON.stringify(answer.body), { status: answer.status }));
  });
});

const problem = (status: number, code: string) => (answer = { status, body: { code, message: code, refusal: null, position: null, roll: null, faults: [] } });

test("nobody is asked about an account until somebody has one here", async () => {
  const member = new Member();
  await member.look();
  expect([member.known, member.face, asked.length]).toEqual([true, undefined, 0]);
});

test("who is signed in is known again, and the cookie goes along", async () => {
  rememberMember("Ada");
  const member = new Member();
  await member.look();
  expect(member.face?.name).toBe("Ada");
  expect([asked[0]?.path, asked[0]?.init.credentials]).toEqual(["/api/v1/account", "same-origin"]);
});

test("a session that has ended is forgotten", async () => {
  rememberMember("Ada");
  const member = new Member();
  problem(401, "sign_in_needed");
  await member.look();
  expect([member.face, knownMember()]).toEqual([undefined, undefined]);
});

test("a server that fails leaves the sign-in as it is", async () => {
  rememberMember("Ada");
  problem(503, "store_failed");
  const member = new Member();
  await member.look();
  expect([member.problem, knownMember()]).toEqual(["store_failed", "Ada"]);
});

test("what needs a fresh sign-in says so, and signing out forgets", async () => {
  rememberMember("Ada");
  const member = new Member();
  await member.look();
  problem(403, "sign_in_again");
  expect(await member.delete()).toBe(false);
  expect(member.face?.fresh).toBe(false);
  answer = { status: 204, body: null };
  expect(await member.signOut()).toBe(true);
  expect([member.face, knownMember()]).toEqual([undefined, undefined]);
});

test("bytes are written as WebAuthn writes them", () => {
  expect(toText(new Uint8Array([0xfb, 0xff, 0xfe, 0x01]).buffer)).toBe("-__-AQ");
});
