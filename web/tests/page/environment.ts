/** Where the state of a page can be tested: compiled as for a browser, with as much of one as it touches. */
import type { Environment } from "vitest/environments";

export default {
  name: "page",
  viteEnvironment: "client",
  setup(global: Record<string, unknown>) {
    const kept = new Map<string, string>();
    const given = {
      window: global,
      location: { hash: "", href: "http://127.0.0.1/", origin: "http://127.0.0.1", pathname: "/" },
      history: { replaceState: () => {} },
      localStorage: { getItem: (k: string) => kept.get(k) ?? null, setItem: (k: string, v: string) => kept.set(k, v) },
      matchMedia: () => ({ matches: false, addEventListener: () => {} }),
      addEventListener: () => {},
    };
    Object.assign(global, given);
    return { teardown: () => Object.keys(given).forEach((name) => delete global[name]) };
  },
} satisfies Environment;
