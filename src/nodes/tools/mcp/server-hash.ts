import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import type { McpConnection } from "../../../engine/host.ts";

/** Tells whether two runs spoke to the same server with the same credential, without naming either: SHA-256 in hex. */
export function serverHash({ url, credential }: McpConnection): string {
  return bytesToHex(sha256(utf8ToBytes(JSON.stringify([url, credential]))));
}
