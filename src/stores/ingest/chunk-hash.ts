import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import type { SourceDocument } from "../../engine/knowledge/source-document.ts";

/*
 * SHA-256 as hex. Not by WebCrypto, which a page has only when it is served securely.
 */

function hashOf(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text)));
}

/** Equal for chunks that say the same under the same headings. */
export function chunkHash({ heading, content }: { heading: string; content: string }): string {
  return hashOf(`${heading}\u0000${content}`);
}

/** Equal for documents with the same text and structure, whatever their names. */
export function documentHash({ kind, sections }: Pick<SourceDocument, "kind" | "sections">): string {
  return hashOf(JSON.stringify([kind, sections.map(({ headings, text }) => [headings, text])]));
}
