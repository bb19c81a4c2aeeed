// Keeps the whole site for when there is no network. One release is one cache: a page never sees files of two. A new release is
// fetched whole beside the old one and takes over at the next visit after the last page of the old one was closed.
const RELEASE = "linstock-" + "VERSION";
const FILES = [/* FILES */];
/** Situations and handbooks are kept once they have been opened; the lessons are small, and kept from the first visit. */
const LATER = /(^|\/)assets\/school-[\w-]+-(situations|handbook|index)-/;

self.addEventListener("install", (event) => {
  const stocked = async () => {
    const cache = await caches.open(RELEASE);
    // What the browser has already is not fetched again; names with a hash never change their content.
    await cache.addAll(FILES.filter((path) => !LATER.test(path)).map((path) => new Request(path, { cache: /-[\w-]{8}\.|^release\//.test(path) ? "default" : "reload" })));
    // What was opened before and has not changed stays.
    for (const path of FILES.filter((path) => LATER.test(path))) {
      const kept = await caches.match(path);
      if (kept) await cache.put(path, kept);
    }
  };
  event.waitUntil(stocked());
});

self.addEventListener("activate", (event) => {
  const tidied = async () => {
    for (const name of await caches.keys()) if (name.startsWith("linstock-") && name !== RELEASE) await caches.delete(name);
    await self.clients.claim();
  };
  event.waitUntil(tidied());
});

self.addEventListener("message", ({ data }) => {
  if (data === "take over") void self.skipWaiting();
});

/** A new release waits, and no page of this one is open. */
async function outdated() {
  const { waiting } = self.registration;
  if (!waiting || (await self.clients.matchAll({ type: "window" })).length > 0) return false;
  waiting.postMessage("take over");
  return true;
}

async function fetched(cache, request) {
  const response = await fetch(request);
  if (response.ok && LATER.test(new URL(request.url).pathname)) await cache.put(request, response.clone());
  return response;
}

async function answer(request) {
  const cache = await caches.open(RELEASE);
  if (request.mode !== "navigate") return (await cache.match(request, { ignoreSearch: true })) ?? fetched(cache, request);
  if (await outdated()) {
    try {
      return await fetch(request);
    } catch {
      // No network: this release does for once more.
    }
  }
  return (await cache.match("index.html")) ?? fetch(request);
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method === "GET" && new URL(request.url).origin === self.location.origin) event.respondWith(answer(request));
});
