import type { SqlRequestOf } from "../../../src/nodes/tools/postgres/sql-request.ts";
import type { SqlReadResult } from "../../../src/nodes/tools/postgres/sql-result.ts";
import { compileWhere } from "./compile-where.ts";
import { refuseOwnTypes } from "./own-code.ts";
import { isAlwaysTrue, predicateSql } from "./predicate.ts";
import type { SqlContext } from "./sql-context.ts";
import { transactionOf } from "./sql-context.ts";
import { quoteIdentifier, type Sql } from "./sql-text.ts";
import { parseTableName, quoteTable, requireListed, showTable } from "./table-name.ts";
import { inTransaction } from "./transaction.ts";

/** What a read found. */
export type ReadOutcome = Omit<SqlReadResult, "success" | "executionTimeMs">;

const everyRow = "The condition holds for every row, so it restricts nothing: these are rows of the whole table.";

/** Rows of one table that fit a condition. One row more than asked for is fetched, to know whether there are more. */
export async function selectRows(request: SqlRequestOf<"select">, context: SqlContext): Promise<ReadOutcome> {
  const table = parseTableName(request.table);
  requireListed(table, context.listed, context.schemaHints);
  context.concerns(table);
  const where = request.where === undefined ? undefined : await compileWhere(request.where, table.name);
  const isAll = where === undefined || (where.kind === "and" && where.parts.length === 0);
  const order = request.orderBy.map(({ column, direction }) => `${quoteIdentifier(column)} ${direction}`);
  const sql: Sql = [
    `select ${columnList(request.columns)} from ${quoteTable(table)}`,
    ...(isAll ? [] : [" where ", ...predicateSql(where)]),
    ...(order.length === 0 ? [] : [` order by ${order.join(", ")}`]),
    ` limit ${request.limit + 1}${request.offset === 0 ? "" : ` offset ${request.offset}`}`,
  ];
  const { rows } = await inTransaction(context.connection, transactionOf(request, true, table.schema), async () => {
    if (where !== undefined) await refuseOwnTypes(context.connection, predicateSql(where));
    return { commit: true, value: await context.connection.query(sql, { limit: request.limit }) };
  });
  return {
    operation: "select",
    table: showTable(table),
    rowCount: rows.rows.length,
    data: rows.rows,
    truncated: rows.truncated,
    ...(where !== undefined && !isAll && isAlwaysTrue(where) ? { note: everyRow } : {}),
  };
}

/** `*` alone is every column. */
export function columnList(columns: readonly string[]): string {
  return columns.map((column) => (column === "*" ? "*" : quoteIdentifier(column))).join(", ");
}
