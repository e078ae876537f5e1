import type { KnowledgeEmbedding } from "../../../engine/knowledge/knowledge.ts";
import {
  maxMetadataColumns,
  type PostgresTable,
  type VectorComparison,
} from "../../../engine/knowledge/postgres-table.ts";
import type { SearchLanguage } from "../../../engine/knowledge/search-languages.ts";
import type { TableDraft } from "../../../nodes/knowledge/table/check-table.ts";
import { embeddingProblem } from "../embedding-choices.ts";

/** A table as it is typed; an empty column is one that the table does not have. */
export interface TypedTable {
  credential: string;
  table: string;
  id: string;
  text: string;
  title: string;
  url: string;
  vector: string;
  comparison: VectorComparison;
  /** Columns with commas between them. */
  metadata: string;
  filter: string;
  language: SearchLanguage;
}

export const newTable: TypedTable = {
  credential: "",
  table: "",
  id: "id",
  text: "",
  title: "",
  url: "",
  vector: "",
  comparison: "cosine",
  metadata: "",
  filter: "",
  language: "english",
};

/** A stored table, to be edited. */
export function typedTable({
  title,
  url,
  vector,
  metadata,
  dimension: _dimension,
  ...table
}: PostgresTable): TypedTable {
  const columns = metadata.map(({ column }) => column).join(", ");
  return { ...table, title: title ?? "", url: url ?? "", vector: vector ?? "", metadata: columns };
}

/** What is wrong with the fields of a typed table, by field. */
export type TableProblems = Partial<Record<keyof TypedTable | "embedding", string>>;

/** What was typed, or what is missing. */
export function readTyped(
  typed: TypedTable,
  embedding: KnowledgeEmbedding | null,
): { ok: true; draft: TableDraft; embedding: KnowledgeEmbedding | null } | { ok: false; problems: TableProblems } {
  const columns = typed.metadata.split(",").map((name) => name.trim());
  const metadata = [...new Set(columns.filter(Boolean))];
  const vector = orNull(typed.vector);
  const required = (name: "credential" | "table" | "id" | "text", words: string): TableProblems =>
    typed[name].trim() === "" ? { [name]: words } : {};
  const missing = embeddingProblem(embedding);
  const problems: TableProblems = {
    ...required("credential", "Choose the credential of the database."),
    ...required("table", "Name the table."),
    ...required("id", "Name the column that tells rows apart."),
    ...required("text", "Name the column with the text."),
    ...(metadata.length > maxMetadataColumns ? { metadata: `Name at most ${maxMetadataColumns} columns.` } : {}),
    ...(vector !== null && embedding === null ? { embedding: "Choose the model that made the vectors." } : {}),
    ...(vector !== null && missing !== undefined ? { embedding: missing } : {}),
  };
  if (Object.keys(problems).length > 0) return { ok: false, problems };
  const { comparison, language } = typed;
  const draft: TableDraft = {
    credential: typed.credential,
    table: typed.table.trim(),
    id: typed.id.trim(),
    text: typed.text.trim(),
    title: orNull(typed.title),
    url: orNull(typed.url),
    vector,
    comparison,
    metadata,
    filter: typed.filter.trim(),
    language,
  };
  return { ok: true, draft, embedding: vector === null ? null : embedding };
}

const orNull = (name: string): string | null => (name.trim() === "" ? null : name.trim());
