// Keeps the whole site for when there is no network. One release is one cache: a page never sees files of two. A new release is
// fetched whole beside the old one and takes over when the last page of the old one is closed.
const RELEASE = "linstock-" + "VERSION";
const FILES = [/* FILES */];

self.addEventListener("install", (event) => {
  const fetched = async () => {
    const cache = await caches.open(RELEASE);
    // What the browser has already is not fetched again; names with a hash never change their content.
    await cache.addAll(FILES.map((path) => new Request(path, { cache: /-[\w-]{8}\.|^release\//.test(path) ? "default" : "reload" })));
  };
  event.waitUntil(fetched());
});

self.addEventListener("activate", (event) => {
  const tidied = async () => {
    for (const name of await caches.keys()) if (name.startsWith("linstock-") && name !== RELEASE) await caches.delete(name);
    await self.clients.claim();
  };
  event.waitUntil(tidied());
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || new URL(request.url).origin !== self.location.origin) return;
  const answer = async () => {
    const cache = await caches.open(RELEASE);
    const path = request.mode === "navigate" ? "index.html" : request;
    return (await cache.match(path, { ignoreSearch: true })) ?? fetch(request);
  };
  event.respondWith(answer());
});
