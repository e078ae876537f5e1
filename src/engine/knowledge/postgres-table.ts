import { z } from "zod/mini";
import "../config/english-issues.ts";
import type { KnowledgeField } from "./filter/check-filter.ts";
import { isSearchLanguage, type SearchLanguage } from "./search-languages.ts";

/** How pgvector compares two vectors: `<=>`, `<#>` and `<->`. */
export const vectorComparisons = ["cosine", "inner-product", "l2"] as const;

/** One of `vectorComparisons`. */
export type VectorComparison = (typeof vectorComparisons)[number];

/** Metadata columns of a table at most. */
export const maxMetadataColumns = 32;

/** At most 63 bytes, as Postgres keeps names. */
const columnName = z.string().check(
  z.trim(),
  z.minLength(1),
  z.refine((name) => new TextEncoder().encode(name).length <= 63, "must be at most 63 bytes long"),
);

const language = z.string().check(z.refine(isSearchLanguage, "must be a language that Postgres knows"));

/**
 * A table of one's own Postgres that stands for a collection: each row is a passage. It is only read. `null` columns are ones
 * that the table does not have; without `vector` it is searched by keyword.
 */
export const postgresTableSchema = z.object({
  /** Id of a stored credential of type postgres. */
  credential: z.string().check(z.minLength(1), z.maxLength(200)),
  /** `table` or `schema.table`; a part with dots stands in double quotes. */
  table: z.string().check(z.trim(), z.minLength(1), z.maxLength(300)),
  id: columnName,
  text: columnName,
  title: z.nullable(columnName),
  url: z.nullable(columnName),
  vector: z.nullable(columnName),
  comparison: z.enum(vectorComparisons),
  /** Numbers in each vector; null without vectors, or where no row had one yet. */
  dimension: z.nullable(z.int().check(z.minimum(1), z.maximum(16_000))),
  metadata: z
    .array(
      z.object({
        column: columnName,
        type: z.enum(["text", "number", "boolean"]),
        /** A list of such values. */
        list: z.boolean(),
      }),
    )
    .check(z.maxLength(maxMetadataColumns)),
  /** Which rows are searched at all, as a filter of metadata; empty for every row. */
  filter: z.string().check(z.maxLength(4_000)),
  /** Whose word forms keyword search compares. */
  language: z.pipe(
    language,
    z.transform((name): SearchLanguage => (isSearchLanguage(name) ? name : "simple")),
  ),
});

export type PostgresTable = z.infer<typeof postgresTableSchema>;

/** A metadata column, with the type of its values. */
export type MetadataColumn = PostgresTable["metadata"][number];

/** The id of a row's passage. */
export const rowChunkId = (id: string): string => `row:${id}`;

/** Whether a passage is a row of a table, so that no stored chunk stands behind it. */
export const isRow = (chunkId: string): boolean => chunkId.startsWith("row:");

/** What rows are filtered by besides what every passage has. */
export function tableFields({ metadata }: Pick<PostgresTable, "metadata">): KnowledgeField[] {
  return metadata.map(({ column, type }) => ({ name: column, types: [type], examples: [] }));
}
