import { z } from "zod/mini";
import type { SqlRequestOf } from "../../../src/nodes/tools/postgres/sql-request.ts";
import type { SqlDescribeResult, TableDescription } from "../../../src/nodes/tools/postgres/sql-result.ts";
import { Rejection } from "./rejection.ts";
import { type SqlContext, transactionOf } from "./sql-context.ts";
import type { Sql } from "./sql-text.ts";
import { parseTableName, requireListed, showTable, type TableName } from "./table-name.ts";
import { inTransaction } from "./transaction.ts";

/** Columns of all tables together; a model has no use for more. */
const maxColumns = 2_000;

const columnSchema = z.object({
  schema: z.string(),
  table: z.string(),
  kind: z.enum(["table", "view"]),
  name: z.string(),
  type: z.string(),
  nullable: z.boolean(),
  hasDefault: z.boolean(),
  primaryKey: z.boolean(),
});

/** Throws a Rejection where the credential's owner has not turned schema hints on. Needs no connection. */
export function requireHints(schemaHints: boolean): void {
  if (schemaHints) return;
  throw new Rejection(
    "The credential does not tell which tables and columns there are.",
    "Its owner can turn schema hints on.",
    "permission_denied",
  );
}

/** The tables and columns that the credential's list allows and its role may read. Rejected unless schema hints are on. */
export async function describeTables(
  request: SqlRequestOf<"describe">,
  context: SqlContext,
): Promise<Omit<SqlDescribeResult, "success" | "executionTimeMs">> {
  requireHints(context.schemaHints);
  const wanted = request.table === undefined ? context.listed : [parseTableName(request.table)];
  for (const table of wanted) requireListed(table, context.listed, context.schemaHints);
  context.concerns(...wanted);
  const rows = await inTransaction(context.connection, transactionOf(request, true, "public"), async () => {
    const { rows: found } = await context.connection.query(columnsQuery(wanted), { limit: maxColumns });
    return { commit: true, value: found };
  });
  const tables = grouped(z.array(columnSchema).parse(rows.rows));
  if (request.table !== undefined && tables.length === 0) {
    throw new Rejection("There is no such table.", "Describe without a table to see which there are.", "invalid_table");
  }
  return { operation: "describe", tables, truncated: rows.truncated };
}

function columnsQuery(wanted: readonly TableName[]): Sql {
  return [
    "select n.nspname as schema, t.relname as table, a.attname as name, ",
    "case when t.relkind in ('v', 'm') then 'view' else 'table' end as kind, ",
    "pg_catalog.format_type(a.atttypid, a.atttypmod) as type, not a.attnotnull as nullable, ",
    `a.atthasdef or a.attidentity <> '' as "hasDefault", `,
    `exists (select 1 from pg_catalog.pg_index i where i.indrelid = t.oid and i.indisprimary and a.attnum = any(i.indkey)) as "primaryKey" `,
    "from pg_catalog.pg_class t join pg_catalog.pg_namespace n on n.oid = t.relnamespace ",
    "join pg_catalog.pg_attribute a on a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped ",
    "where t.relkind in ('r', 'v', 'm', 'p', 'f') and not t.relispartition ",
    "and n.nspname !~ '^pg_' and n.nspname <> 'information_schema' ",
    "and pg_catalog.has_schema_privilege(n.oid, 'usage') and pg_catalog.has_column_privilege(t.oid, a.attnum, 'select') ",
    ...(wanted.length === 0
      ? []
      : [
          "and exists (select 1 from pg_catalog.json_array_elements(",
          { bind: JSON.stringify(wanted) },
          "::pg_catalog.json) w where w ->> 'schema' = n.nspname and w ->> 'name' = t.relname) ",
        ]),
    `order by n.nspname <> 'public', n.nspname, t.relname, a.attnum limit ${maxColumns + 1}`,
  ];
}

function grouped(columns: readonly z.infer<typeof columnSchema>[]): TableDescription[] {
  const tables = new Map<string, TableDescription>();
  for (const { schema, table, kind, ...column } of columns) {
    const name = showTable({ schema, name: table });
    const found = tables.get(name) ?? { table: name, kind, columns: [] };
    found.columns.push(column);
    tables.set(name, found);
  }
  return [...tables.values()];
}
