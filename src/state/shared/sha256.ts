import { sha256 as sha256Of } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";

/** The SHA-256 of a text, in hex; the browser's own is missing where the page came over plain HTTP. */
export function sha256(text: string): string {
  return bytesToHex(sha256Of(utf8ToBytes(text)));
}
