/** Where and when somebody with an account is told what happens in their games. */
import { call } from "../lib/api";
import type { AccountFace, ChannelFace, NoticesFace, NoticeTerms, NoticeWishes, WebhookFormat } from "../wire";
import { trouble } from "./member.svelte";
import { toText } from "./passkey";

const ask = <T>(path: string, body?: unknown) => call<T>(`/api/v1/account${path}`, { body, session: true });

export const letters = {
  terms: () => call<NoticeTerms>("/api/v1/notices"),
  /** Asks for a link that signs in. */
  askEntry: (address: string) => ask<void>("/email/sign-in", { address }),
  enter: (token: string) => ask<AccountFace>("/email/sign-in/end", { token }),
  confirm: (token: string) => ask<NoticesFace>("/notices/email/end", { token }),
};

/** Whether this browser can show notices of a page that is not open. */
const pushWorks = () => "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;

export class Told {
  terms = $state.raw<NoticeTerms>();
  face = $state.raw<NoticesFace>();
  problem = $state("");
  /** For those who listen: what was done. */
  said = $state("");
  busy = $state(false);
  readonly pushes = $derived(this.terms?.push != null && pushWorks());

  /** Asks the server; where it sends nothing there is nothing to show. */
  look = () =>
    this.#do("", async () => {
      this.terms = await letters.terms();
      if (this.terms.webhooks) this.face = await ask<NoticesFace>("/notices");
    });

  wish = (wishes: NoticeWishes) => this.#do("Saved.", async () => void (this.face = await ask<NoticesFace>("/notices", wishes)));
  address = (address: string) => this.#do(`A letter is on its way to ${address}. Open its link in this browser.`, () => ask<void>("/notices/email", { address }));
  webhook = (url: string, format: WebhookFormat) => this.#do("Added.", async () => void (this.face = await ask<NoticesFace>("/notices/webhook", { url, format })));
  mute = ({ id, muted }: ChannelFace) =>
    this.#do(muted ? "On again." : "Off.", async () => void (this.face = await ask<NoticesFace>(`/notices/channels/${encodeURIComponent(id)}/mute`, { muted: !muted })));
  remove = ({ id }: ChannelFace) => this.#do("Removed.", async () => void (this.face = await ask<NoticesFace>(`/notices/channels/${encodeURIComponent(id)}/remove`, {})));

  /** Asks the browser, and tells the server where its messages go. */
  push = () =>
    this.#do("This browser shows notices now.", async () => {
      if ((await Notification.requestPermission()) !== "granted") throw new Denied();
      const worker = await navigator.serviceWorker.register("notices.js");
      await navigator.serviceWorker.ready;
      const subscription = await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: this.terms?.push ?? undefined });
      const key = (name: PushEncryptionKeyName) => toText(subscription.getKey(name) ?? new ArrayBuffer(0));
      this.face = await ask<NoticesFace>("/notices/push", { endpoint: subscription.endpoint, p256dh: key("p256dh"), auth: key("auth") });
    });

  async #do(said: string, work: () => Promise<void>): Promise<boolean> {
    if (this.busy) return false;
    this.busy = true;
    [this.problem, this.said] = ["", ""];
    try {
      await work();
      this.said = said;
      return true;
    } catch (error) {
      this.problem = error instanceof Denied ? "The browser does not allow notices. Allow them in its settings for this page." : trouble(error);
      return false;
    } finally {
      this.busy = false;
    }
  }
}

class Denied extends Error {}
