/**
 * School's texts as modules: `virtual:school` names for each system what can be loaded, and each of it is a file of its own with
 * a hash in its name, fetched when it is first opened. Server and static site carry the same files.
 */
import type { Plugin } from "vite";
import { handbook } from "./handbook.ts";
import { coach, handbookText, index, lessons, situations, systems } from "./texts.ts";

const NAME = "virtual:school";
const KINDS = { situations, index, lessons, coach, handbook: (root: string, system: string) => handbook(handbookText(root, system), system) };

const asModule = (value: unknown) => `export default JSON.parse(${JSON.stringify(JSON.stringify(value))});`;

export function school(root: string): Plugin {
  return {
    name: "school",
    resolveId: (id) => (id === NAME || id.startsWith(`${NAME}/`) ? `\0${id}` : undefined),
    load(id) {
      if (!id.startsWith(`\0${NAME}`)) return undefined;
      const [, system, kind] = id.split("/");
      if (system === undefined) {
        const entry = (s: string, k: string) => `${JSON.stringify(k)}: () => import(${JSON.stringify(`${NAME}/${s}/${k}`)}).then((m) => m.default)`;
        return `export default {${systems(root).map((s) => `${JSON.stringify(s)}: {${Object.keys(KINDS).map((k) => entry(s, k)).join(", ")}}`).join(", ")}};`;
      }
      return asModule(KINDS[kind as keyof typeof KINDS](root, system));
    },
  };
}

/** The file's name tells what a chunk is, so that the site's worker can leave school until it is opened. */
export const chunkName = (chunk: { moduleIds: string[] }): string => {
  const [, system, kind] = chunk.moduleIds.find((id) => id.startsWith(`\0${NAME}/`))?.split("/") ?? [];
  return system ? `assets/school-${system}-${kind}-[hash].js` : "assets/[name]-[hash].js";
};
