/** What this browser keeps: the seats it holds and what their players have seen, invitations it has to pass on, a name. */
import type { Side } from "../wire";

export interface HeldSeat {
  game: string;
  side: Side;
  token: string;
  /** The last moment that was on the board. */
  seen?: number;
  /** One person plays both sides: the board is not covered between them. */
  solo?: boolean;
}

export interface Invitation {
  game: string;
  side: Side;
  invitation: string;
}

/** A free seat of this browser's game that stands in the lobby. */
export interface PutUpSeat {
  challenge: string;
  game: string;
}

interface Kept {
  name: string;
  seats: HeldSeat[];
  invitations: Invitation[];
  challenges: PutUpSeat[];
}

const KEY = "linstock.vault";

function read(): Kept {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Kept>;
    return { name: kept.name ?? "", seats: kept.seats ?? [], invitations: kept.invitations ?? [], challenges: kept.challenges ?? [] };
  } catch {
    return { name: "", seats: [], invitations: [], challenges: [] };
  }
}

function write(change: (kept: Kept) => void): void {
  const kept = read();
  change(kept);
  try {
    localStorage.setItem(KEY, JSON.stringify(kept));
  } catch {
    // Private windows may keep nothing; the seat then lives as long as the page.
  }
}

export const vault = {
  name: () => read().name,
  setName: (name: string) => write((k) => void (k.name = name)),
  seats: () => read().seats,
  seatsOf: (game: string) => read().seats.filter((s) => s.game === game),
  hold: (seat: HeldSeat) =>
    write((k) => {
      k.seats = [seat, ...k.seats.filter((s) => !(s.game === seat.game && s.side === seat.side))].slice(0, 200);
    }),
  /** The last moment of a game that this browser has shown. */
  seen: (game: string) => read().seats.find((s) => s.game === game)?.seen,
  setSeen: (game: string, moment: number) => write((k) => k.seats.filter((s) => s.game === game).forEach((s) => (s.seen = moment))),
  solo: (game: string) => read().seats.some((s) => s.game === game && s.solo === true),
  setSolo: (game: string, solo: boolean) => write((k) => k.seats.filter((s) => s.game === game).forEach((s) => (s.solo = solo))),
  forget: (game: string) =>
    write((k) => {
      k.seats = k.seats.filter((s) => s.game !== game);
      k.invitations = k.invitations.filter((s) => s.game !== game);
      k.challenges = k.challenges.filter((s) => s.game !== game);
    }),
  invite: (invitation: Invitation) => write((k) => void (k.invitations = [invitation, ...k.invitations].slice(0, 50))),
  putUp: (challenge: string, game: string) => write((k) => void (k.challenges = [{ challenge, game }, ...k.challenges].slice(0, 50))),
  /** The game that a challenge of this browser's belongs to. */
  challenged: (challenge: string) => read().challenges.find((c) => c.challenge === challenge)?.game,
  invitation: (game: string, side: Side) => read().invitations.find((i) => i.game === game && i.side === side)?.invitation,
};
