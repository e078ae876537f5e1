import { isQuoteOf, type RightPassage } from "../../../evaluation/retrieval/right-passage.ts";
import type { KnowledgeRepository } from "../../../services/knowledge.ts";

/** Chunks per request. */
const pageSize = 200;

/** Whether the words of a passage stand in a document of that name, in what was read of it or in its chunks. */
export async function findQuote(
  knowledge: Pick<KnowledgeRepository, "documents" | "sections" | "chunks">,
  collectionId: string,
  { document: name, quote }: RightPassage,
): Promise<boolean> {
  const documents = (await knowledge.documents(collectionId)).filter((document) => document.name === name);
  for (const { id } of documents) {
    const sections = await knowledge.sections(id);
    if (isQuoteOf(sections.map(({ text }) => text).join("\n"), quote)) return true;
    // Chunks of tables repeat the names of columns, which what was read has once.
    for (let from = 0; ; from += pageSize) {
      const chunks = await knowledge.chunks(id, { from, limit: pageSize });
      if (chunks.some(({ content }) => isQuoteOf(content, quote))) return true;
      if (chunks.length < pageSize) break;
    }
  }
  return false;
}
