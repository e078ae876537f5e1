/** Algorithms of the signatures that webhooks carry. */
type Hash = "SHA-256" | "SHA-1";

const encoder = new TextEncoder();

/** Text as UTF-8 bytes; bytes as they are. */
export function bytesOf(data: string | Uint8Array): Uint8Array<ArrayBuffer> {
  return typeof data === "string" ? encoder.encode(data) : new Uint8Array(data);
}

/** Parts of a signed message, one after the other. */
export function joinParts(...parts: readonly (string | Uint8Array)[]): Uint8Array<ArrayBuffer> {
  const all = parts.map(bytesOf);
  const joined = new Uint8Array(all.reduce((sum, { byteLength }) => sum + byteLength, 0));
  let offset = 0;
  for (const part of all) {
    joined.set(part, offset);
    offset += part.byteLength;
  }
  return joined;
}

/** HMAC (RFC 2104) of a message. */
export async function hmac(
  key: string | Uint8Array,
  message: string | Uint8Array,
  hash: Hash = "SHA-256",
): Promise<Uint8Array<ArrayBuffer>> {
  const imported = await crypto.subtle.importKey("raw", bytesOf(key), { name: "HMAC", hash }, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", imported, bytesOf(message)));
}

/**
 * Whether two secrets or signatures are the same. It takes as long for a wrong first byte as for a wrong last one, since
 * digests of both are compared, and all of them.
 */
export async function sameBytes(given: string | Uint8Array, wanted: string | Uint8Array): Promise<boolean> {
  const [a, b] = await Promise.all(
    [given, wanted].map(async (data) => new Uint8Array(await crypto.subtle.digest("SHA-256", bytesOf(data)))),
  );
  if (a === undefined || b === undefined) return false;
  let difference = 0;
  for (let index = 0; index < a.length; index += 1) difference |= (a[index] ?? 0) ^ (b[index] ?? 0);
  return difference === 0;
}

/** Bytes as lower-case hexadecimal digits. */
export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Hexadecimal digits as bytes; undefined where the text is something else. */
export function fromHex(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (text.length % 2 !== 0 || !/^[0-9a-f]*$/i.test(text)) return undefined;
  return Uint8Array.from({ length: text.length / 2 }, (_, index) =>
    Number.parseInt(text.slice(index * 2, index * 2 + 2), 16),
  );
}

/** Bytes as base64 (RFC 4648 §4). */
export function toBase64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}

/** Base64 as bytes; undefined where the text is something else. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}
