// Puts the static site together: the board, the rules of each system as WebAssembly, and what lists show, in a folder that any
// web host can serve. scripts/site builds the engines before.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { build } from "vite";

const [engines, site] = process.argv.slice(2);
if (!engines || !site) throw new Error("usage: build.mjs <folder of engines> <folder of the site>");

const systems = ["battle-hymn", "brigade-battles", "american-revolution", "hallowed-ground", "fields-of-honor"];
const modules = new Map(systems.map((system) => [system, readFileSync(join(engines, `${system}.wasm`))]));

/** Asks an engine as the page will. */
async function asker(bytes) {
  const { instance } = await WebAssembly.instantiate(bytes);
  const { memory, room, handle, answer } = instance.exports;
  return (path) => {
    const request = new TextEncoder().encode(JSON.stringify({ ask: "http", method: "GET", path, now: 0 }));
    const place = room(request.length);
    new Uint8Array(memory.buffer, place, request.length).set(request);
    const length = handle(place, request.length);
    const { status, body } = JSON.parse(new TextDecoder().decode(new Uint8Array(memory.buffer, answer(), length)));
    if (status !== 200) throw new Error(`${path}: ${JSON.stringify(body)}`);
    return body;
  };
}

/** As small as a module gets: the page unpacks it (src/host/lzma.ts). */
function pack(bytes) {
  const packed = execFileSync("xz", ["--format=lzma", "--lzma1=preset=9e,lc=4,pb=0,nice=273", "--stdout"], { input: bytes, maxBuffer: 2 ** 26 });
  packed.writeBigUInt64LE(BigInt(bytes.length), 5);
  return packed;
}

const files = new Map();
const lists = { systems: [], scenarios: [] };
for (const [system, bytes] of modules) {
  const ask = await asker(bytes);
  lists.systems.push(...ask("/api/v1/systems"));
  lists.scenarios.push(...ask("/api/v1/scenarios"));
  files.set(`${system}.rules.json`, JSON.stringify(ask(`/api/v1/systems/${system}/rules`)));
  files.set(`${system}.wasm.lzma`, pack(bytes));
}
files.set("systems.json", JSON.stringify(lists.systems));
files.set("scenarios.json", JSON.stringify(lists.scenarios));

const hash = (bytes) => createHash("sha256").update(bytes).digest("hex").slice(0, 12);
const release = hash([...files.values()].map(hash).join());

rmSync(site, { recursive: true, force: true });
process.env.VITE_HOST = "page";
process.env.VITE_RELEASE = release;
await build({ base: "./", logLevel: "warn", build: { outDir: site, emptyOutDir: true } });

mkdirSync(join(site, "release", release), { recursive: true });
for (const [name, bytes] of files) writeFileSync(join(site, "release", release, name), bytes);

const all = (folder) => readdirSync(folder).flatMap((name) => (statSync(join(folder, name)).isDirectory() ? all(join(folder, name)) : [join(folder, name)]));
const list = all(site).map((path) => relative(site, path).replaceAll("\\", "/")).filter((path) => path !== "sw.js").sort();
const manifest = list.map((path) => [path, hash(readFileSync(join(site, path)))]);
const worker = readFileSync(new URL("sw.js", import.meta.url), "utf8");
const version = hash(JSON.stringify(manifest));
writeFileSync(join(site, "sw.js"), worker.replace('"VERSION"', JSON.stringify(version)).replace("[/* FILES */]", JSON.stringify(manifest.map(([path]) => path))));
writeFileSync(join(site, ".nojekyll"), "");

const size = (name) => `${(files.get(name).length / 1000).toFixed(0)} kB`;
console.log(`site ${version}, release ${release}`);
for (const system of systems) console.log(`  ${system}: ${size(`${system}.wasm.lzma`)}`);
