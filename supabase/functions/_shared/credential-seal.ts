import { failure, success, type Outcome } from "./failure.ts";
import type { FunctionEnvironment } from "./function-environment.ts";

/** What a sealed secret belongs to. It is authenticated with the ciphertext, so that neither can be swapped or changed. */
export interface SealBinding {
  owner: string;
  credentialId: string;
  type: string;
  allowedHosts: readonly string[];
}

/** Both texts are base64. */
interface SealedSecret {
  iv: string;
  ciphertext: string;
  keyVersion: number;
}

type Keys = Pick<FunctionEnvironment, "credentialKeys" | "credentialKeyVersion">;

const ivBytes = 12;

const keysHint =
  "The operator has to set CREDENTIALS_KEYS and CREDENTIALS_KEY_VERSION; a version in use must stay in the list.";

/** Encrypts a secret with the newest key: AES-256-GCM, a fresh random IV each time (NIST SP 800-38D §8.2.2). */
export async function sealSecret(keys: Keys, binding: SealBinding, secret: string): Promise<Outcome<SealedSecret>> {
  const version = keys.credentialKeyVersion;
  const bytes = version === null ? undefined : keys.credentialKeys.get(version);
  if (version === null || bytes === undefined) {
    return failure("internal", "This installation has no key for encrypting credentials.", keysHint);
  }
  const iv = crypto.getRandomValues(new Uint8Array(ivBytes));
  const ciphertext = await crypto.subtle.encrypt(
    { name: "AES-GCM", iv, additionalData: additionalData(binding, version) },
    await importKey(bytes),
    new TextEncoder().encode(secret),
  );
  return success({ iv: toBase64(iv), ciphertext: toBase64(new Uint8Array(ciphertext)), keyVersion: version });
}

/**
 * Decrypts a secret with the key of its version. Fails when the ciphertext was cut, changed, belongs to another
 * credential, owner, type, host list or key version, or when its key is gone.
 */
export async function openSecret(keys: Keys, binding: SealBinding, sealed: SealedSecret): Promise<Outcome<string>> {
  const bytes = keys.credentialKeys.get(sealed.keyVersion);
  if (bytes === undefined) {
    return failure("internal", "The key that encrypted this credential is no longer there.", keysHint);
  }
  try {
    const secret = await crypto.subtle.decrypt(
      { name: "AES-GCM", iv: fromBase64(sealed.iv), additionalData: additionalData(binding, sealed.keyVersion) },
      await importKey(bytes),
      fromBase64(sealed.ciphertext),
    );
    return success(new TextDecoder().decode(secret));
  } catch {
    return failure(
      "invalid_credentials",
      "The stored secret does not belong to this credential as it is now, so it was not used.",
      "Enter the secret again.",
    );
  }
}

function additionalData(binding: SealBinding, version: number): Uint8Array<ArrayBuffer> {
  const parts = [binding.owner, binding.credentialId, binding.type, [...binding.allowedHosts], version];
  return new TextEncoder().encode(JSON.stringify(["switchyard-credential", ...parts]));
}

function importKey(bytes: Uint8Array<ArrayBuffer>): Promise<CryptoKey> {
  return crypto.subtle.importKey("raw", bytes, "AES-GCM", false, ["encrypt", "decrypt"]);
}

function toBase64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
