/** How a player likes the table: kept in this browser. */
export type ThemeChoice = "system" | "light" | "dark";
/** When the coach speaks: at every decision, at those not known yet, before blunders only, or when asked. */
export type CoachSpeaks = "all" | "new" | "blunders" | "never";

const KEY = "linstock.settings";

const DEFAULTS = {
  theme: "system" as ThemeChoice,
  textScale: 1,
  plainSigns: false,
  strongHatches: false,
  /** 0 is off; otherwise how many times as fast. */
  motion: 1,
  sound: false,
  notices: false,
  keys: true,
  centimetres: false,
  dock: 368,
  coach: "new" as CoachSpeaks,
};

export type SettingsData = typeof DEFAULTS;

function load(): SettingsData {
  try {
    return { ...DEFAULTS, ...(JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<SettingsData>) };
  } catch {
    return { ...DEFAULTS };
  }
}

class Settings {
  data = $state(load());
  systemDark = $state(false);

  constructor() {
    const dark = matchMedia("(prefers-color-scheme: dark)");
    this.systemDark = dark.matches;
    dark.addEventListener("change", (e) => (this.systemDark = e.matches));
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) this.data.motion = 0;
  }

  get theme(): "light" | "dark" {
    if (this.data.theme !== "system") return this.data.theme;
    return this.systemDark ? "dark" : "light";
  }

  /** Takes over what somebody brings; a field of another kind is left as it was. */
  take(given: Partial<SettingsData>): void {
    const now = this.data as Record<string, unknown>;
    for (const [name, value] of Object.entries(given)) if (typeof value === typeof now[name]) now[name] = value;
    this.save();
  }

  save(): void {
    try {
      localStorage.setItem(KEY, JSON.stringify(this.data));
    } catch {
      // Nothing is kept in a private window.
    }
  }

  /** Puts the settings on the page. */
  apply(): void {
    const root = document.documentElement;
    root.classList.toggle("dark", this.theme === "dark");
    root.classList.toggle("still", this.data.motion === 0);
    root.style.setProperty("--text-scale", String(this.data.textScale));
  }
}

export const settings = new Settings();
