import type { SourceText } from "../../evaluation/suite/question-from-text.ts";
import type { DocumentSummary, KnowledgeRepository } from "../../services/knowledge.ts";

export interface ChunkPlace {
  document: DocumentSummary;
  position: number;
}

/** Places of `count` chunks at most, at even distances over all documents, none of them twice. */
export function spread(documents: readonly DocumentSummary[], count: number): ChunkPlace[] {
  const all = documents.flatMap((document) =>
    Array.from({ length: document.chunks }, (_, position): ChunkPlace => ({ document, position })),
  );
  const wanted = Math.min(count, all.length);
  const even = Array.from({ length: wanted }, (_, index) => all[Math.floor(((index + 0.5) * all.length) / wanted)]);
  // Every other one first, so that those that are left out at the end are spread, too.
  return [...even.filter((_, index) => index % 2 === 0), ...even.filter((_, index) => index % 2 === 1)].filter(
    (place) => place !== undefined,
  );
}

/** The text of a chunk; undefined where there is none at that place. */
export async function readChunk(
  knowledge: Pick<KnowledgeRepository, "chunks">,
  { document, position }: ChunkPlace,
): Promise<SourceText | undefined> {
  const [chunk] = await knowledge.chunks(document.id, { from: position, limit: 1 });
  return chunk && { document: document.name, heading: chunk.heading, content: chunk.content };
}
