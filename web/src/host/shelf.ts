/** Games kept in the browser's own database. */
import type { GameFace } from "../wire";
import type { GameRecord } from "./engine";

export interface Kept {
  id: string;
  record: GameRecord;
  face: GameFace;
}

const opened = new Promise<IDBDatabase>((done, fail) => {
  const request = indexedDB.open("linstock", 1);
  request.onupgradeneeded = () => request.result.createObjectStore("games", { keyPath: "id" });
  request.onsuccess = () => done(request.result);
  request.onerror = () => fail(request.error ?? new Error("The browser keeps nothing."));
});

async function ask<T>(mode: IDBTransactionMode, work: (games: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const database = await opened;
  return new Promise((done, fail) => {
    const transaction = database.transaction("games", mode, { durability: "strict" });
    const request = work(transaction.objectStore("games"));
    // Only what is on disk is told to be kept.
    transaction.oncomplete = () => done(request.result);
    transaction.onerror = () => fail(transaction.error ?? new Error("The browser could not keep the game."));
  });
}

export const shelf = {
  get: (id: string) => ask<Kept | undefined>("readonly", (games) => games.get(id) as IDBRequest<Kept | undefined>),
  put: (kept: Kept) => ask("readwrite", (games) => games.put(kept)),
};
