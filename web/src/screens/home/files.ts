/** What a player brings along: a journal or a scenario. */

/** A file's name without its ending and with nothing an id may not have. */
export const nameOf = (file: string) => file.replace(/\.[a-z]+$/i, "").replace(/[^\p{L}\p{N} ._-]/gu, "").trim().slice(0, 60) || "my battle";

/** Journals are lines of JSON; scenarios are TOML. */
export const isJournal = (text: string) => /^\s*\{/.test(text);
