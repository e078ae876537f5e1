import { canonicalJson } from "../../engine/canonical-json.ts";
import { mergeMetadata } from "../../engine/knowledge/document-metadata.ts";
import type { SourceDocument } from "../../engine/knowledge/source-document.ts";
import type { DocumentWriter, KnownDocument } from "../../engine/knowledge/stored-documents.ts";

/** Brings the metadata of a document up to date whose text did not change. Gives whether something was new. */
export async function noteMetadata(
  known: Pick<KnownDocument, "id" | "metadata">,
  { metadata = {} }: Pick<SourceDocument, "metadata">,
  writer: Pick<DocumentWriter, "setMetadata">,
): Promise<boolean> {
  const merged = mergeMetadata(known.metadata, metadata);
  if (canonicalJson(merged) === canonicalJson(known.metadata)) return false;
  await writer.setMetadata(known.id, merged);
  return true;
}
