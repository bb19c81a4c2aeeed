import { svelte } from "@sveltejs/vite-plugin-svelte";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { chunkName, school } from "./school/plugin.ts";

const server = process.env.LINSTOCK_SERVER ?? "http://127.0.0.1:1863";

export default defineConfig({
  plugins: [svelte(), school(fileURLToPath(new URL("..", import.meta.url)))],
  worker: { format: "es" },
  build: {
    target: "es2022",
    // A data: URL would need a wider Content-Security-Policy than 'self'.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // The largest are the situations of a system, loaded when they are opened.
    chunkSizeWarningLimit: 900,
    rolldownOptions: { output: { chunkFileNames: chunkName } },
  },
  test: {
    projects: [
      { extends: true, test: { name: "plain", include: ["tests/*.test.ts"], testTimeout: 60_000 } },
      { extends: true, test: { name: "page", include: ["tests/page/*.test.ts"], environment: "./tests/page/environment.ts" } },
    ],
  },
  server: {
    proxy: { "/api": { target: server, ws: true }, "/healthz": server },
  },
});
