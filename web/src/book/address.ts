/** Addresses of the book: what is read, and what stands on the stage beside it. */
export interface Standing {
  rule?: string;
  situation?: string;
  step?: number;
}

/** `#/rules/battle-hymn/5.3.a/05-marching%2F5.3.a-stop/2` */
export function bookLink(base: string, { rule, situation, step }: Standing = {}): string {
  const words = [rule, situation, situation === undefined ? undefined : step?.toString()];
  const last = words.findIndex((w) => w === undefined);
  return [base, ...words.slice(0, last < 0 ? words.length : last).map((w) => encodeURIComponent(w!))].join("/");
}

export const rulesBase = (system: string) => `#/rules/${system}`;
export const handbookBase = (system: string, chapter?: string) => `#/handbook/${system}${chapter === undefined ? "" : `/${chapter}`}`;
