import type { SqlRequestOf } from "../../../src/nodes/tools/postgres/sql-request.ts";
import { affectedLimits, rowLimits } from "../../../src/nodes/tools/postgres/sql-request.ts";
import type { SqlWriteResult, StatementShape } from "../../../src/nodes/tools/postgres/sql-result.ts";
import { watchWrite } from "./watch-write.ts";
import { compileWhere, requireRestriction } from "./compile-where.ts";
import { compareRows, rowsBefore, shownRows, type RowsBefore } from "./dry-run.ts";
import { refuseOwnTypes } from "./own-code.ts";
import type { PostgresConnection } from "./open-postgres.ts";
import { predicateSql } from "./predicate.ts";
import { Rejection } from "./rejection.ts";
import { columnList } from "./select-rows.ts";
import { type SqlContext, transactionOf } from "./sql-context.ts";
import { joinSql, quoteIdentifier, sqlShape, type Sql } from "./sql-text.ts";
import { parseTableName, quoteTable, requireListed, showTable, type TableName } from "./table-name.ts";
import { inTransaction } from "./transaction.ts";

/** What a write did. */
export type WriteOutcome = Omit<SqlWriteResult, "success" | "executionTimeMs">;

interface Write {
  request: SqlRequestOf<"insert" | "update" | "delete">;
  table: TableName;
  statement: Sql;
  /** The rows that it finds; absent for an insert. */
  found?: Sql;
  shape: StatementShape;
  maxAffectedRows: number;
}

/** Inserts rows of one table; a column that a row leaves out takes its default. Throws a Rejection. */
export async function insertRows(request: SqlRequestOf<"insert">, context: SqlContext): Promise<WriteOutcome> {
  const table = allowedTable(request.table, context);
  if (request.rows.length === 0) return nothingInserted(request, table);
  const columns = [...new Set(request.rows.flatMap((row) => Object.keys(row)))];
  if (columns.length === 0)
    throw new Rejection("The rows hold no values.", "Give at least one column a value.", "syntax_error");
  const rows = request.rows.map((row): Sql => {
    const values = columns.map((column): Sql => {
      const value = Object.hasOwn(row, column) ? row[column] : undefined;
      return value === undefined ? ["default"] : [{ bind: value }];
    });
    return ["(", ...joinSql(values, ", "), ")"];
  });
  return write(
    {
      request,
      table,
      statement: [
        `insert into ${quoteTable(table)} (${columns.map(quoteIdentifier).join(", ")}) values `,
        ...joinSql(rows, ", "),
      ],
      shape: { kind: "insert", table: showTable(table), columns, condition: null },
      maxAffectedRows: request.maxAffectedRows ?? Math.max(request.rows.length, affectedLimits.default),
    },
    context,
  );
}

function nothingInserted({ operation, dryRun }: SqlRequestOf<"insert">, table: TableName): WriteOutcome {
  const name = showTable(table);
  return {
    operation,
    table: name,
    statement: { kind: "insert", table: name, columns: [], condition: null },
    affectedRows: 0,
    data: [],
    truncated: false,
    ...(dryRun ? { dryRun: compareRows(operation, { rows: [], key: [] }, [], 0) } : {}),
  };
}

/**
 * Changes the rows of one table that fit a condition. Throws a Rejection, also for an empty or always-true condition.
 */
export async function updateRows(request: SqlRequestOf<"update">, context: SqlContext): Promise<WriteOutcome> {
  const table = allowedTable(request.table, context);
  const columns = Object.keys(request.values);
  if (columns.length === 0)
    throw new Rejection("There is nothing to change.", "Give at least one column a value.", "syntax_error");
  const found = await condition(request, table);
  const values = Object.entries(request.values).map(([column, value]): Sql => [
    `${quoteIdentifier(column)} = `,
    { bind: value },
  ]);
  return write(
    {
      request,
      table,
      statement: [`update ${quoteTable(table)} set `, ...joinSql(values, ", "), " where ", ...found],
      found,
      shape: { kind: "update", table: showTable(table), columns, condition: sqlShape(found) },
      maxAffectedRows: request.maxAffectedRows,
    },
    context,
  );
}

/**
 * Deletes the rows of one table that fit a condition. Throws a Rejection, also for an empty or always-true condition.
 */
export async function deleteRows(request: SqlRequestOf<"delete">, context: SqlContext): Promise<WriteOutcome> {
  const table = allowedTable(request.table, context);
  const found = await condition(request, table);
  return write(
    {
      request,
      table,
      statement: [`delete from ${quoteTable(table)} where `, ...found],
      found,
      shape: { kind: "delete", table: showTable(table), columns: [], condition: sqlShape(found) },
      maxAffectedRows: request.maxAffectedRows,
    },
    context,
  );
}

function allowedTable(text: string, context: SqlContext): TableName {
  const table = parseTableName(text);
  requireListed(table, context.listed, context.schemaHints);
  context.concerns(table);
  return table;
}

async function condition(request: SqlRequestOf<"update" | "delete">, table: TableName): Promise<Sql> {
  const predicate = await compileWhere(request.where, table.name);
  requireRestriction(predicate);
  return predicateSql(predicate);
}

/** Runs it, counts what it touched, and keeps that only when it is not more than allowed and no dry run. */
async function write(
  { request, table, statement, found, shape, maxAffectedRows }: Write,
  context: SqlContext,
): Promise<WriteOutcome> {
  const { connection } = context;
  const common = { operation: request.operation, table: shape.table, statement: shape };
  return inTransaction(connection, transactionOf(request, false, table.schema), async () => {
    if (found !== undefined) await refuseOwnTypes(connection, found);
    const watch = await watchWrite(connection, { named: [table], maxAffectedRows, dryRun: request.dryRun });
    if (!request.dryRun) {
      const returning = request.returning ?? (await readableKey(connection, table));
      const { rows, affected, truncated } = await runWrite(statement, returning, context);
      const { also } = await watch(affected);
      return { commit: true, value: { ...common, affectedRows: affected, ...also, data: rows, truncated } };
    }
    const before: RowsBefore =
      found === undefined ? { rows: [], key: [] } : await rowsBefore({ table, only: false, where: found }, connection);
    const { rows, affected, truncated } = await runWrite(statement, ["*"], context, shownRows + 1);
    const { also, notes } = await watch(affected);
    const dryRun = { ...compareRows(request.operation, before, rows, affected), ...also, ...notes };
    return { commit: false, value: { ...common, affectedRows: affected, ...also, data: [], truncated, dryRun } };
  });
}

/**
 * The columns of a table's primary key, where the role may read all of them; none for a table whose rules or row security
 * could turn an insert that gives rows back into an error.
 */
async function readableKey(connection: PostgresConnection, { schema, name }: TableName): Promise<string[]> {
  const sql: Sql = [
    "select a.attname as name, pg_catalog.has_column_privilege(t.oid, a.attnum, 'select') as readable ",
    "from pg_catalog.pg_class t join pg_catalog.pg_namespace n on n.oid = t.relnamespace ",
    "join pg_catalog.pg_index i on i.indrelid = t.oid and i.indisprimary ",
    "join pg_catalog.pg_attribute a on a.attrelid = t.oid and a.attnum = any(i.indkey) where n.nspname = ",
    { bind: schema },
    " and t.relname = ",
    { bind: name },
    " and not t.relhasrules and not pg_catalog.row_security_active(t.oid) order by a.attnum",
  ];
  const { rows } = await connection.query(sql, { limit: maxKeyColumns });
  return rows.rows.every((row) => row["readable"] === true) ? rows.rows.map((row) => String(row["name"])) : [];
}

/** More columns than an index can have. */
const maxKeyColumns = 64;

/**
 * Runs a write. With RETURNING it stands inside WITH, where the database carries it out in full however few of its rows are
 * fetched, and counts them beside.
 */
async function runWrite(
  statement: Sql,
  returning: readonly string[],
  { connection }: SqlContext,
  limit: number = rowLimits.default,
) {
  if (returning.length === 0) {
    const { affected } = await connection.query(statement, { limit: 0 });
    return { rows: [], affected, truncated: false };
  }
  const sql: Sql = [
    "with changed as (",
    ...statement,
    ` returning ${columnList(returning)}) select (select pg_catalog.count(*) from changed) as "${count}", changed.* from changed limit ${limit + 1}`,
  ];
  const { rows } = await connection.query(sql, { limit });
  const affected = Number(rows.rows[0]?.[count] ?? 0);
  const data = rows.rows.map(({ [count]: _count, ...row }) => row);
  return { rows: data, affected, truncated: rows.truncated };
}

/** No column of a table is called so. */
const count = "switchyard affected rows";
