/** Whether this page speaks of the lobby. On one's own machine nobody else comes by: it stays out of the way until wanted. */
import { inPage } from "../host/transport";

const KEY = "linstock.lobby";
const OWN = ["localhost", "127.0.0.1", "[::1]"];

/** Other people can reach this server, or this browser has been in the lobby before. */
export function lobbyShown(): boolean {
  if (inPage) return false;
  try {
    return !OWN.includes(location.hostname) || localStorage.getItem(KEY) !== null;
  } catch {
    return !OWN.includes(location.hostname);
  }
}

export function rememberLobby(): void {
  try {
    localStorage.setItem(KEY, "1");
  } catch {
    // Nothing is kept in a private window.
  }
}
