/** Who is signed in here, and what they may do with their account. */
import { Refused, Unreachable } from "../lib/api";
import { vault } from "../lib/vault";
import type { AccountFace, Codes } from "../wire";
import { knownKey, newKey } from "./passkey";
import { accounts } from "./requests";
import { knownMember, rememberMember } from "./signs";

type CreationOptions = PublicKeyCredentialCreationOptionsJSON;
type RequestOptions = PublicKeyCredentialRequestOptionsJSON;

/** What went wrong, in words. */
export function trouble(error: unknown): string {
  if (error instanceof Refused || error instanceof Unreachable) return error.message;
  // The browser says no more than that: the person has changed their mind, or there is no passkey.
  if (error instanceof DOMException && error.name === "NotAllowedError") return "No passkey was used. Try again, or use a recovery code.";
  if (error instanceof DOMException && error.name === "InvalidStateError") return "This device has a passkey for your account already.";
  return "That did not work. Try again.";
}

export class Member {
  /** None if nobody is signed in. */
  face = $state.raw<AccountFace>();
  /** It is known whether somebody is. */
  known = $state(false);
  problem = $state("");
  busy = $state(false);
  /** Recovery codes, shown once. */
  codes = $state.raw<string[]>([]);

  /** Asks the server, unless nobody has ever signed in here. */
  async look(): Promise<void> {
    if (knownMember() !== undefined) {
      try {
        this.#take(await accounts.face());
      } catch (error) {
        if (error instanceof Refused && error.problem.code === "sign_in_needed") this.#leave();
        else this.problem = trouble(error);
      }
    }
    this.known = true;
  }

  register = (name: string) =>
    this.#do(async () => {
      const { ceremony, options } = await accounts.register(name);
      this.#show(await accounts.endRegister({ ceremony, credential: await newKey(options.publicKey as CreationOptions) }));
    });

  signIn = () =>
    this.#do(async () => {
      const { ceremony, options } = await accounts.signIn();
      this.#take(await accounts.endSignIn({ ceremony, credential: await knownKey(options.publicKey as RequestOptions) }));
    });

  recover = (code: string) => this.#do(async () => this.#take(await accounts.recover(code)));

  signOut = () =>
    this.#do(async () => {
      await accounts.signOut();
      this.#leave();
    });

  rename = (name: string) => this.#do(async () => this.#take(await accounts.rename(name)));

  addKey = () =>
    this.#do(async () => {
      const { ceremony, options } = await accounts.addKey();
      this.#take(await accounts.endAddKey({ ceremony, credential: await newKey(options.publicKey as CreationOptions) }));
    });

  removeKey = (id: string) => this.#do(async () => this.#take(await accounts.removeKey(id)));
  newCodes = () => this.#do(async () => this.#show(await accounts.newCodes()));
  endSession = (id: string) => this.#do(async () => this.#take(await accounts.endSession(id)));
  endOthers = () => this.#do(async () => this.#take(await accounts.endOthers()));

  /** Gives everything that is kept to the browser as a file. */
  export = () =>
    this.#do(async () => {
      const file = URL.createObjectURL(await accounts.export());
      const link = Object.assign(document.createElement("a"), { href: file, download: "linstock-account.json" });
      link.click();
      URL.revokeObjectURL(file);
    });

  delete = () =>
    this.#do(async () => {
      await accounts.delete();
      this.#leave();
    });

  #take(face: AccountFace): void {
    this.face = face;
    rememberMember(face.name);
    if (vault.name() === "") vault.setName(face.name);
  }

  #show({ account, codes }: Codes): void {
    this.#take(account);
    this.codes = codes;
  }

  #leave(): void {
    this.face = undefined;
    this.codes = [];
    rememberMember(undefined);
  }

  /** One thing at a time; answers whether it was done. */
  async #do(work: () => Promise<void>): Promise<boolean> {
    if (this.busy) return false;
    this.busy = true;
    this.problem = "";
    try {
      await work();
      return true;
    } catch (error) {
      this.problem = trouble(error);
      if (error instanceof Refused && error.problem.code === "sign_in_needed") this.#leave();
      if (error instanceof Refused && error.problem.code === "sign_in_again" && this.face) this.face = { ...this.face, fresh: false };
      return false;
    } finally {
      this.busy = false;
    }
  }
}
