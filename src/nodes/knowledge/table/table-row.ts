import type { JsonObject } from "../../../engine/json.ts";
import type { PostgresTable } from "../../../engine/knowledge/postgres-table.ts";
import { metadataAlias } from "./table-sql.ts";

/** A row as a passage. */
export interface TableRow {
  id: string;
  text: string;
  /** Its id where it has no title. */
  title: string;
  /** Empty where it has none. */
  url: string;
  /** What its metadata columns hold, without empty ones. */
  metadata: JsonObject;
}

/** A row as the statements of `table-sql.ts` give it. */
export function tableRow(row: JsonObject, { metadata }: PostgresTable): TableRow {
  const textOf = (name: string): string => (typeof row[name] === "string" ? row[name] : "");
  const held = metadata.map(({ column }, index) => [column, row[metadataAlias(index)] ?? null] as const);
  return {
    id: textOf("id"),
    text: textOf("text"),
    title: textOf("title") || textOf("id"),
    url: textOf("url"),
    metadata: Object.fromEntries(held.filter(([, value]) => value !== null)),
  };
}
