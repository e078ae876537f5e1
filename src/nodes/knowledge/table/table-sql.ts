import type { Condition } from "../../../engine/knowledge/filter/condition.ts";
import type { PostgresTable, VectorComparison } from "../../../engine/knowledge/postgres-table.ts";
import { boundValues, type BoundValues } from "./bound-values.ts";
import { filterSql } from "./filter-sql.ts";
import { quoteName, quoteTable } from "./table-name.ts";

/** One statement and the values of `$1`, `$2`, … in it. */
export interface TableSearch {
  sql: string;
  parameters: BoundValues["values"];
}

/** Which rows, and how many at most. */
export interface Wanted {
  filter: Condition | undefined;
  limit: number;
}

const operators: Record<VectorComparison, string> = { cosine: "<=>", "inner-product": "<#>", l2: "<->" };

/** Characters of a passage at most, as many as a large chunk has. */
const mostCharacters = 20_000;

/** Names of the result's columns, which no metadata column can take. */
export const metadataAlias = (index: number): string => `m${index}`;

/** `id`, `text`, `title` and `url` as text, `m0` and so on as JSON. */
function columnsSql({ id, text, title, url, metadata }: PostgresTable): { alias: string; value: string }[] {
  const asText = (column: string | null) => (column === null ? "null::text" : `${quoteName(column)}::text`);
  return [
    { alias: "id", value: asText(id) },
    { alias: "text", value: `left(${asText(text)}, ${mostCharacters})` },
    { alias: "title", value: asText(title) },
    { alias: "url", value: asText(url) },
    ...metadata.map(({ column }, index) => ({ alias: metadataAlias(index), value: `to_json(${quoteName(column)})` })),
  ];
}

const selected = (columns: readonly { alias: string; value: string }[]): string =>
  columns.map(({ alias, value }) => `${value} as ${alias}`).join(", ");

const whereSql = (
  conditions: readonly string[],
  table: PostgresTable,
  filter: Condition | undefined,
  bound: BoundValues,
) => [...conditions, ...(filter ? [filterSql(filter, table, bound)] : [])].join(" and ");

/** The nearest rows first, each with its cosine `distance`, whatever the order goes by: scores of all tables are on one scale. */
export function meaningSql(
  table: PostgresTable,
  column: string,
  vector: readonly number[],
  wanted: Wanted,
): TableSearch {
  const bound = boundValues();
  const vectors = quoteName(column);
  // Its type is that of the column, vector or halfvec.
  const asked = bound.bind(JSON.stringify(vector));
  const where = whereSql([`${vectors} is not null`], table, wanted.filter, bound);
  const sql =
    `select ${selected(columnsSql(table))}, (${vectors} <=> ${asked})::float8 as distance from ${quoteTable(table.table)} where ${where}` +
    ` order by ${vectors} ${operators[table.comparison]} ${asked} limit ${wanted.limit}`;
  return { sql, parameters: bound.values };
}

/**
 * Rows with any of the words, `found` saying which, in the forms that the language knows; `telling` says which words are none that
 * it leaves out. Those with more of them come first.
 */
export function wordsSql(table: PostgresTable, words: readonly string[], wanted: Wanted): TableSearch {
  const bound = boundValues();
  const { bind } = bound;
  // As an index of it is written, so that it is used.
  const document = `to_tsvector('${table.language}', ${quoteName(table.text)})`;
  const queryOf = (text: string) => `to_tsquery('${table.language}', ${bind(text)})`;
  const any = queryOf(words.map(quoted).join(" | "));
  const queries = words.map((word) => queryOf(quoted(word)));
  const columns = columnsSql(table);
  const where = whereSql([`${document} @@ ${any}`], table, wanted.filter, bound);
  const rows =
    `select ${selected(columns)}, ${document} as document from ${quoteTable(table.table)} where ${where}` +
    ` order by ts_rank(${document}, ${any}) desc, ${quoteName(table.id)} limit ${wanted.limit}`;
  const listed = [
    ...columns.map(({ alias }) => alias),
    `to_json(array[${queries.map((query) => `document @@ ${query}`).join(", ")}]) as found`,
    `to_json(array[${queries.map((query) => `${query}::text <> ''`).join(", ")}]) as telling`,
  ];
  return { sql: `select ${listed.join(", ")} from (${rows}) as passages`, parameters: bound.values };
}

const quoted = (word: string): string => `'${word}'`;
