/** Passkeys: what the server writes in JSON, and what the browser wants and gives as bytes. */

const toBytes = (text: string) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (c) => c.charCodeAt(0));

export function toText(bytes: ArrayBuffer): string {
  const letters = Array.from(new Uint8Array(bytes), (b) => String.fromCharCode(b)).join("");
  return btoa(letters).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

const descriptors = (list: PublicKeyCredentialDescriptorJSON[] | undefined) =>
  (list ?? []).map(({ id }): PublicKeyCredentialDescriptor => ({ id: toBytes(id), type: "public-key" }));

/** Whether this page can use passkeys: they belong to a name, and an address such as 127.0.0.1 is none. */
export const passkeysWork = () => window.isSecureContext && "credentials" in navigator && !/^[\d.]+$|^\[/.test(location.hostname);

/** Asks for a new passkey. */
export async function newKey(asked: PublicKeyCredentialCreationOptionsJSON): Promise<object> {
  const publicKey = {
    ...asked,
    challenge: toBytes(asked.challenge),
    user: { ...asked.user, id: toBytes(asked.user.id) },
    excludeCredentials: descriptors(asked.excludeCredentials),
  } as PublicKeyCredentialCreationOptions;
  const made = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential;
  const response = made.response as AuthenticatorAttestationResponse;
  return written(made, { attestationObject: toText(response.attestationObject), clientDataJSON: toText(response.clientDataJSON) });
}

/** Asks for a passkey that the browser knows. */
export async function knownKey(asked: PublicKeyCredentialRequestOptionsJSON): Promise<object> {
  const publicKey = { ...asked, challenge: toBytes(asked.challenge), allowCredentials: descriptors(asked.allowCredentials) } as PublicKeyCredentialRequestOptions;
  const found = (await navigator.credentials.get({ publicKey })) as PublicKeyCredential;
  const response = found.response as AuthenticatorAssertionResponse;
  return written(found, {
    authenticatorData: toText(response.authenticatorData),
    clientDataJSON: toText(response.clientDataJSON),
    signature: toText(response.signature),
    userHandle: response.userHandle === null ? null : toText(response.userHandle),
  });
}

const written = (key: PublicKeyCredential, response: object) => ({ id: key.id, rawId: toText(key.rawId), type: key.type, response, clientExtensionResults: {} });
