import { sha256 as sha256Of } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import type { SourceDocument } from "../../engine/knowledge/source-document.ts";

const sha256 = (text: string) => bytesToHex(sha256Of(utf8ToBytes(text)));

/** Equal for chunks that say the same under the same headings. */
export function chunkHash({ heading, content }: { heading: string; content: string }): string {
  return sha256(`${heading}\u0000${content}`);
}

/** Equal for documents with the same text and structure from the same authors, whatever their names. */
export function documentHash({ kind, sections, untrusted }: HashedDocument): string {
  const said = [kind, sections.map(({ headings, text }) => [headings, text])];
  return sha256(JSON.stringify(untrusted === undefined ? said : [...said, untrusted]));
}

type HashedDocument = Pick<SourceDocument, "kind" | "sections" | "untrusted">;
