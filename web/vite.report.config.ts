// The script that draws the charts of a study's report, as one packed file that the program carries (crates/study/src/report).

import { gzipSync } from "node:zlib";
import { defineConfig, type Plugin } from "vite";

const packed: Plugin = {
  name: "packed",
  generateBundle(_, bundle) {
    for (const [name, file] of Object.entries(bundle)) {
      if (file.type !== "chunk") continue;
      delete bundle[name];
      this.emitFile({ type: "asset", fileName: `${name}.gz`, source: gzipSync(file.code, { level: 9 }) });
    }
  },
};

export default defineConfig({
  plugins: [packed],
  build: {
    target: "es2022",
    outDir: "dist/report",
    copyPublicDir: false,
    lib: { entry: "report/charts.ts", formats: ["iife"], name: "charts", fileName: () => "charts.js" },
  },
});
