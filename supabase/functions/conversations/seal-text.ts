import { failure, success, type Outcome } from "../_shared/failure.ts";
import type { FunctionEnvironment } from "../_shared/function-environment.ts";

/** Where a text of a conversation belongs. It is authenticated with the ciphertext, so that it can be read nowhere else. */
export interface TextPlace {
  workflowId: string | null;
  sessionId: string;
  kind: "message" | "title";
}

/** `sealed` is base64: 12 bytes of initialisation vector, then ciphertext and tag. `key` is the version of the master key. */
export interface SealedText {
  id: string;
  key: number;
  sealed: string;
}

/** `changed`: not what was sealed for this owner and place. `key`: the key of its version is not there. */
export type OpenedText = { ok: true; text: string } | { ok: false; reason: "changed" | "key" };

/** Encrypts and decrypts the texts of one owner. */
export interface TextSealer {
  /** With the newest key. Fails when there is none. */
  seal(place: TextPlace, text: string): Promise<Outcome<SealedText>>;
  /** With the key of its version. Never rejects. */
  open(place: TextPlace, sealed: SealedText): Promise<OpenedText>;
}

type Keys = Pick<FunctionEnvironment, "credentialKeys" | "credentialKeyVersion">;

const ivBytes = 12;
/** Characters that `String.fromCharCode` takes as arguments at once. */
const chunk = 0x8000;

/**
 * AES-256-GCM, a fresh random IV for each text (NIST SP 800-38D §8.2.2), under keys of the owner's own that are derived from
 * the master keys for credentials (HKDF, RFC 5869).
 */
export function createTextSealer(keys: Keys, owner: string): TextSealer {
  const derived = new Map<number, Promise<CryptoKey>>();

  function keyOf(version: number): Promise<CryptoKey> | undefined {
    const known = derived.get(version);
    const master = keys.credentialKeys.get(version);
    if (known !== undefined || master === undefined) return known;
    const key = deriveKey(master, owner);
    derived.set(version, key);
    return key;
  }

  function additionalData({ workflowId, sessionId, kind }: TextPlace, id: string, version: number) {
    const parts = ["switchyard-conversation", owner, workflowId, sessionId, kind, id, version];
    return new TextEncoder().encode(JSON.stringify(parts));
  }

  return {
    async seal(place, text) {
      const version = keys.credentialKeyVersion;
      const key = version === null ? undefined : keyOf(version);
      if (version === null || key === undefined) {
        const hint = "The operator has to set CREDENTIALS_KEYS and CREDENTIALS_KEY_VERSION for the edge functions.";
        return failure("internal", "This installation has no key for encrypting conversations.", hint);
      }
      const id = crypto.randomUUID();
      const iv = crypto.getRandomValues(new Uint8Array(ivBytes));
      const algorithm = { name: "AES-GCM", iv, additionalData: additionalData(place, id, version) };
      const ciphertext = await crypto.subtle.encrypt(algorithm, await key, new TextEncoder().encode(text));
      const whole = new Uint8Array(ivBytes + ciphertext.byteLength);
      whole.set(iv);
      whole.set(new Uint8Array(ciphertext), ivBytes);
      return success({ id, key: version, sealed: toBase64(whole) });
    },

    async open(place, { id, key: version, sealed }) {
      const key = keyOf(version);
      if (key === undefined) return { ok: false, reason: "key" };
      try {
        const whole = fromBase64(sealed);
        const iv = whole.slice(0, ivBytes);
        const algorithm = { name: "AES-GCM", iv, additionalData: additionalData(place, id, version) };
        const text = await crypto.subtle.decrypt(algorithm, await key, whole.slice(ivBytes));
        return { ok: true, text: new TextDecoder().decode(text) };
      } catch {
        return { ok: false, reason: "changed" };
      }
    },
  };
}

async function deriveKey(master: Uint8Array<ArrayBuffer>, owner: string): Promise<CryptoKey> {
  const material = await crypto.subtle.importKey("raw", master, "HKDF", false, ["deriveKey"]);
  const info = new TextEncoder().encode(JSON.stringify(["switchyard-conversations", owner]));
  return crypto.subtle.deriveKey(
    { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info },
    material,
    { name: "AES-GCM", length: 256 },
    false,
    ["encrypt", "decrypt"],
  );
}

function toBase64(bytes: Uint8Array): string {
  let text = "";
  for (let start = 0; start < bytes.length; start += chunk) {
    text += String.fromCharCode(...bytes.subarray(start, start + chunk));
  }
  return btoa(text);
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const characters = atob(text);
  const bytes = new Uint8Array(characters.length);
  for (let index = 0; index < bytes.length; index += 1) bytes[index] = characters.charCodeAt(index);
  return bytes;
}
