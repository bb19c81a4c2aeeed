/** Where the interface for programs begins: docs/api.md. */
const API = "/api/v1/";

/** The parts of an address below it: `games`, `abc`, `position`. Nothing for an address that is not of it. */
export function parts(path: string): string[] {
  return path.startsWith(API) ? path.slice(API.length).split("?")[0]!.split("/") : [];
}
