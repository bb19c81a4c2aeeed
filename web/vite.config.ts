import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

const server = process.env.LINSTOCK_SERVER ?? "http://127.0.0.1:1863";

export default defineConfig({
  plugins: [svelte()],
  worker: { format: "es" },
  build: {
    target: "es2022",
    // A data: URL would need a wider Content-Security-Policy than 'self'.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 400,
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
