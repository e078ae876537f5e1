import { z } from "zod/mini";
import { type Chunking, type Split, splitSchema } from "../../../engine/knowledge/chunking.ts";
import { knowledgeModes } from "../../../engine/knowledge/knowledge.ts";
import { documentKinds } from "../../../engine/knowledge/source-document.ts";
import { postgresTableSchema } from "../../../engine/knowledge/postgres-table.ts";
import { isSearchLanguage } from "../../../engine/knowledge/search-languages.ts";
import { documentStatuses, type StoredChunk } from "../../../engine/knowledge/stored-documents.ts";
import { untrustedField } from "../../../engine/trust/taint.ts";
import type { ChunkEntry, CollectionSummary, DocumentSummary, OpenIngest } from "../../../services/knowledge.ts";

/** Null is also one that this studio does not know yet. */
const language = z.pipe(
  z.nullable(z.string()),
  z.transform((name) => (name !== null && isSearchLanguage(name) ? name : null)),
);

const metadata = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]));

/** Null, or what this studio does not know yet: by size. */
export const splitting = z.pipe(
  z.unknown(),
  z.transform((stored) => splitSchema.safeParse(stored).data),
);

export function chunkingOf(row: {
  chunk_size: number;
  chunk_overlap: number;
  splitting?: Split | undefined;
}): Chunking {
  const sizes = { size: row.chunk_size, overlap: row.chunk_overlap };
  return row.splitting ? { ...sizes, split: row.splitting } : sizes;
}

export const collectionRow = z.pipe(
  z.object({
    id: z.string(),
    name: z.string(),
    description: z.string(),
    embedding_provider: z.nullable(z.string()),
    embedding_model: z.nullable(z.string()),
    embedding_credential: z.string(),
    dimension: z.nullable(z.number()),
    chunk_size: z.number(),
    chunk_overlap: z.number(),
    splitting,
    language,
    search_mode: z.nullable(z.enum(knowledgeModes)),
    postgres_table: z.nullable(postgresTableSchema),
    documents: z.coerce.number(),
    chunks: z.coerce.number(),
    created_at: z.string(),
    updated_at: z.string(),
  }),
  z.transform((row): CollectionSummary => {
    const { embedding_provider: provider, embedding_model: model, embedding_credential: credential } = row;
    return {
      id: row.id,
      name: row.name,
      description: row.description,
      embedding: provider === null || model === null ? null : { provider, model, credential },
      dimension: row.dimension,
      chunking: chunkingOf(row),
      language: row.language,
      searchMode: row.search_mode,
      ...(row.postgres_table ? { table: row.postgres_table } : {}),
      documents: row.documents,
      chunks: row.chunks,
      createdAt: row.created_at,
      updatedAt: row.updated_at,
    };
  }),
);

const shownError = z.object({ message: z.string(), hint: z.string() });

export const documentColumns =
  "id,collection_id,name,kind,source,content_hash,size,status,error,chunks,tokens,cost_usd,language,language_chosen,metadata,upload,created_at,updated_at";

export const documentRow = z.pipe(
  z.object({
    id: z.string(),
    collection_id: z.string(),
    name: z.string(),
    kind: z.enum(documentKinds),
    source: z.string(),
    content_hash: z.string(),
    size: z.coerce.number(),
    status: z.enum(documentStatuses),
    error: z.nullable(shownError),
    chunks: z.number(),
    tokens: z.coerce.number(),
    cost_usd: z.nullable(z.number()),
    language,
    language_chosen: z.boolean(),
    metadata,
    upload: z.nullable(z.string()),
    created_at: z.string(),
    updated_at: z.string(),
  }),
  z.transform((row): DocumentSummary => ({
    id: row.id,
    collectionId: row.collection_id,
    name: row.name,
    kind: row.kind,
    source: row.source,
    hash: row.content_hash,
    size: row.size,
    status: row.status,
    error: row.error,
    chunks: row.chunks,
    tokens: row.tokens,
    costUsd: row.cost_usd,
    language: row.language,
    languageChosen: row.language_chosen,
    metadata: row.metadata,
    waits: row.upload !== null,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  })),
);

const parentColumns = { parent: z.nullable(z.number()), lead: z.nullable(z.string()) };

/** As a field of a chunk; none where it has no parent. */
const parentField = (first: number | null, lead: string | null) =>
  first === null ? {} : { parent: { first, lead: lead ?? "" } };

export const chunkColumns = "id,document_id,position,heading,content,tokens,embedded,metadata,parent,lead";

export const chunkRow = z.pipe(
  z.object({
    id: z.string(),
    document_id: z.string(),
    position: z.number(),
    heading: z.string(),
    content: z.string(),
    tokens: z.number(),
    embedded: z.boolean(),
    metadata: z.record(z.string(), z.json()),
    ...parentColumns,
  }),
  z.transform(({ document_id: documentId, parent, lead, ...row }): ChunkEntry => ({
    ...row,
    documentId,
    ...parentField(parent, lead),
  })),
);

export const storedChunkColumns = "id,content_hash,position,embedded,metadata,parent,lead";

export const storedChunkRow = z.pipe(
  z.object({
    id: z.string(),
    content_hash: z.string(),
    position: z.number(),
    embedded: z.boolean(),
    metadata: z.record(z.string(), z.json()),
    ...parentColumns,
  }),
  z.transform(({ content_hash: hash, parent, lead, ...row }): StoredChunk => ({
    ...row,
    hash,
    ...parentField(parent, lead),
  })),
);

const sections = z.array(
  z.object({
    headings: z.array(z.string()),
    text: z.string(),
    metadata: z.optional(z.record(z.string(), z.json())),
    alone: z.optional(z.boolean()),
  }),
);

export const sectionsRow = z.object({ sections });

export const openIngestRow = z.pipe(
  z.object({
    ingest: z.string(),
    sections,
    untrusted: z.array(z.string()),
  }),
  z.transform(({ untrusted, ...row }): OpenIngest => ({ ...row, ...untrustedField(untrusted) })),
);
