import { RunError } from "../../../engine/errors.ts";
import type { JsonObject } from "../../../engine/json.ts";
import type { MetadataColumn, PostgresTable } from "../../../engine/knowledge/postgres-table.ts";
import { readTable, type TableAccess } from "./read-table.ts";
import { fixedFilter, requireDimension } from "./search-table.ts";
import { quoteName, quoteTable } from "./table-name.ts";
import { meaningSql, metadataAlias, wordsSql } from "./table-sql.ts";

/** Rows in which a value of a column is looked for. */
const rowsLookedAt = 10_000;

/** What a person says of a table; the rest is read from it. */
export type TableDraft = Omit<PostgresTable, "dimension" | "metadata"> & { metadata: readonly string[] };

/**
 * Reads what there is to know of a table, and tries on it what searches do. `embedOne` gives a vector of the model that is to have
 * made those of the table. Rejects with a RunError that says what to correct.
 */
export async function checkTable(
  draft: TableDraft,
  access: Omit<TableAccess, "credential">,
  embedOne?: () => Promise<readonly number[]>,
): Promise<PostgresTable> {
  const from = { ...access, credential: draft.credential };
  const read = async (sql: string, parameters: readonly never[] = []): Promise<JsonObject> =>
    (await readTable({ sql, parameters, limit: 1 }, from))[0] ?? {};
  const table = quoteTable(draft.table);
  const names = [draft.id, draft.text, draft.title, draft.url, draft.vector, ...draft.metadata];
  const columns = names.filter((name) => name !== null).map(quoteName);
  await read(`select 1 as one from (select ${[...new Set(columns)].join(", ")} from ${table} limit 1) as passages`);
  const metadata = await readTypes(draft.metadata, table, read);
  const dimension = draft.vector === null ? null : await readDimension(draft.vector, table, read);
  const checked: PostgresTable = { ...draft, metadata, dimension };
  const wanted = { filter: fixedFilter(checked), limit: 1 };
  if (draft.vector !== null) {
    const vector = (await embedOne?.()) ?? Array.from({ length: dimension ?? 1 }, () => 1);
    requireDimension(dimension, vector.length);
    await readTable({ ...meaningSql(checked, draft.vector, vector, wanted), limit: 1 }, from);
  }
  await readTable({ ...wordsSql(checked, ["switchyard"], wanted), limit: 1 }, from);
  return checked;
}

type Read = (sql: string) => Promise<JsonObject>;

/** The type of each column as a value of it shows; text where it has none. Throws for objects, which no filter compares. */
async function readTypes(names: readonly string[], table: string, read: Read): Promise<MetadataColumn[]> {
  if (names.length === 0) return [];
  const typesOf = names.flatMap((name, index) => {
    const column = quoteName(name);
    const value = `from (select ${column} from ${table} limit ${rowsLookedAt}) as passages where ${column} is not null limit 1`;
    const alias = metadataAlias(index);
    return [
      `(select json_typeof(to_json(${column})) ${value}) as ${alias}`,
      `(select json_typeof(to_json(${column}) -> 0) ${value}) as ${alias}_items`,
    ];
  });
  const row = await read(`select ${typesOf.join(", ")}`);
  return names.map((column, index) => {
    const alias = metadataAlias(index);
    const list = row[alias] === "array";
    const type = list ? row[`${alias}_items`] : row[alias];
    if (type === "object" || type === "array") throw unfit(column);
    return { column, list, type: type === "number" || type === "boolean" ? type : "text" };
  });
}

async function readDimension(vector: string, table: string, read: Read): Promise<number | null> {
  const column = quoteName(vector);
  const row = await read(
    `select cardinality(string_to_array(${column}::text, ',')) as dimension from ${table} where ${column} is not null limit 1`,
  );
  return typeof row["dimension"] === "number" ? row["dimension"] : null;
}

function unfit(column: string): RunError {
  return new RunError({
    code: "invalid_config",
    message: `The column "${column}" holds objects, which cannot be filtered by.`,
    hint: "Leave it out, or give the table a column of its own for the value.",
  });
}
