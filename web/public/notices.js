// Shows what the server tells this browser when no page is open, and opens the game from it.
self.addEventListener("push", (event) => {
  const told = event.data?.json() ?? {};
  const { title = "Linstock", body, tag = "linstock", hash = "#/account" } = told;
  event.waitUntil(self.registration.showNotification(title, { body: body ?? undefined, tag, icon: "icon.svg", data: { hash } }));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const hash = String(event.notification.data?.hash ?? "");
  const place = new URL(hash.startsWith("#/") ? hash : "#/", self.registration.scope).href;
  event.waitUntil(open(place));
});

async function open(place) {
  const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const page = pages.find((p) => p.url === place);
  return page ? page.focus() : self.clients.openWindow(place);
}
