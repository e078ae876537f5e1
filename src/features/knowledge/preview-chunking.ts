import { compareChunks } from "../../engine/knowledge/compare-chunks.ts";
import { cutDocument, embeddedText } from "../../engine/knowledge/cut-document.ts";
import type { Chunking } from "../../engine/knowledge/chunking.ts";
import { letPageBreathe } from "../../engine/let-page-breathe.ts";
import { estimateTokens } from "../../engine/model/estimate-tokens.ts";
import { chunkHash } from "../../nodes/knowledge/chunk-hash.ts";
import type { DocumentSummary, KnowledgeRepository } from "../../services/knowledge.ts";

interface PreviewedChunk {
  document: string;
  heading: string;
  content: string;
  tokens: number;
}

/** What splitting documents again would change. */
export interface ChunkingPreview {
  documents: number;
  /** How many there would be. */
  chunks: number;
  /** How many stay as they are, with their vectors. */
  kept: number;
  added: number;
  removed: number;
  /** Estimated tokens of those that would be embedded. */
  tokens: number;
  /** How many sections the chunks are given as; null where a search gives the chunks themselves. */
  sections: number | null;
  /** Tokens of the smallest and of the largest chunk; 0 of none. */
  smallest: number;
  largest: number;
  /** The first ones. */
  examples: PreviewedChunk[];
}

const maxExamples = 8;

interface PreviewOptions {
  /** Whether chunks get vectors. */
  embeds: boolean;
  signal: AbortSignal;
  onProgress(documents: number): void;
}

/** Splits stored documents without changing them. Rejects as the repository does, or with the signal's reason. */
export async function previewChunking(
  knowledge: Pick<KnowledgeRepository, "sections" | "storedChunks">,
  documents: readonly Pick<DocumentSummary, "id" | "name">[],
  chunking: Chunking,
  { embeds, signal, onProgress }: PreviewOptions,
): Promise<ChunkingPreview> {
  const counts = { documents: 0, chunks: 0, kept: 0, added: 0, removed: 0, tokens: 0, largest: 0 };
  let smallest = Infinity;
  let sections = 0;
  const examples: PreviewedChunk[] = [];
  const breathe = letPageBreathe(() => performance.now());
  for (const { id, name } of documents) {
    const [read, stored] = await Promise.all([knowledge.sections(id), knowledge.storedChunks(id)]);
    signal.throwIfAborted();
    const wanted = [];
    for (const chunk of cutDocument(read, chunking)) {
      wanted.push({ ...chunk, hash: chunkHash(chunk) });
      if (chunk.parent === undefined || chunk.parent.first === chunk.position) sections += 1;
      smallest = Math.min(smallest, chunk.tokens);
      counts.largest = Math.max(counts.largest, chunk.tokens);
      const { heading, content, tokens } = chunk;
      if (examples.length < maxExamples) examples.push({ document: name, heading, content, tokens });
      await breathe();
      signal.throwIfAborted();
    }
    const changes = compareChunks(stored, wanted);
    const unembedded = changes.unembedded.map(({ chunk }) => chunk);
    counts.documents += 1;
    counts.chunks += wanted.length;
    counts.kept += changes.kept;
    counts.added += changes.add.length;
    counts.removed += changes.remove.length;
    for (const chunk of embeds ? [...changes.add, ...unembedded] : [])
      counts.tokens += estimateTokens(embeddedText(chunk));
    onProgress(counts.documents);
  }
  return {
    ...counts,
    sections: chunking.split?.by === "parents" ? sections : null,
    smallest: Number.isFinite(smallest) ? smallest : 0,
    examples,
  };
}
