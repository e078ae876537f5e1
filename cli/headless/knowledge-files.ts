import { z } from "zod/mini";
import type { KeptCollection } from "../../src/engine/in-memory/knowledge-store.ts";
import { CommandFailure } from "./command-failure.ts";
import { readJsonFile } from "./read-file.ts";

const exportedCollection = z.object({
  format: z.literal("switchyard-knowledge"),
  version: z.literal(1),
  id: z.string(),
  name: z.string(),
  documents: z.array(
    z.object({
      name: z.string(),
      metadata: z.optional(z.record(z.string(), z.json())),
      chunks: z.array(
        z.object({
          heading: z.string(),
          content: z.string(),
          metadata: z.record(z.string(), z.json()),
          parent: z.optional(z.object({ first: z.number(), lead: z.string() })),
        }),
      ),
    }),
  ),
});

/**
 * Collections that were exported on the Knowledge page, for tools to search by keyword: an export carries no vectors.
 * Throws CommandFailure for a file that is none.
 */
export async function readKnowledgeFiles(paths: readonly string[]): Promise<KeptCollection[]> {
  return await Promise.all(paths.map(readKnowledgeFile));
}

async function readKnowledgeFile(path: string): Promise<KeptCollection> {
  const parsed = exportedCollection.safeParse(await readJsonFile(path, "knowledge file"));
  if (!parsed.success) {
    throw new CommandFailure(
      `The file ${path} is not an exported collection.`,
      "Export it from the Knowledge page again.",
    );
  }
  const { id, name, documents } = parsed.data;
  const chunks = documents.flatMap((document) =>
    document.chunks.map(({ heading, content, metadata, parent }, position) => ({
      chunkId: `${document.name}#${position}`,
      content,
      ...(parent ? { parent } : {}),
      metadata: {
        ...document.metadata,
        ...metadata,
        documentId: document.name,
        document: document.name,
        heading,
        position,
      },
    })),
  );
  return { id, name, embedding: null, dimension: null, chunks };
}
