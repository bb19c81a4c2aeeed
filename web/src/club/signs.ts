/** Whether this browser is signed in, as far as the page knows without asking: nothing speaks of accounts until somebody wants one. */
const KEY = "linstock.member";

export function knownMember(): string | undefined {
  try {
    return localStorage.getItem(KEY) ?? undefined;
  } catch {
    return undefined;
  }
}

export function rememberMember(name: string | undefined): void {
  try {
    if (name === undefined) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, name);
  } catch {
    // Nothing is kept in a private window.
  }
}
