import type { SourceDocument } from "../../../engine/knowledge/source-document.ts";
import { sha256 } from "../../shared/sha256.ts";

/** Equal for chunks that say the same under the same headings. */
export function chunkHash({ heading, content }: { heading: string; content: string }): string {
  return sha256(`${heading}\u0000${content}`);
}

/** Equal for documents with the same text and structure, whatever their names. */
export function documentHash({ kind, sections }: Pick<SourceDocument, "kind" | "sections">): string {
  return sha256(JSON.stringify([kind, sections.map(({ headings, text }) => [headings, text])]));
}
