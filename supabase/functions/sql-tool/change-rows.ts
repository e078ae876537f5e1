import type { SqlRequestOf } from "../../../src/nodes/tools/postgres/sql-request.ts";
import { rowLimits } from "../../../src/nodes/tools/postgres/sql-request.ts";
import type { DryRun, SqlRow, SqlWriteResult, StatementShape } from "../../../src/nodes/tools/postgres/sql-result.ts";
import { compileWhere, requireRestriction } from "./compile-where.ts";
import { predicateSql } from "./predicate.ts";
import { Rejection } from "./rejection.ts";
import { columnList } from "./select-rows.ts";
import { type SqlContext, transactionOf } from "./sql-context.ts";
import { joinSql, quoteIdentifier, sqlShape, type Sql } from "./sql-text.ts";
import { parseTableName, quoteTable, requireListed, showTable, type TableName } from "./table-name.ts";
import { inTransaction } from "./transaction.ts";

export type WriteOutcome = Omit<SqlWriteResult, "success" | "executionTimeMs">;

/** How many rows a dry run shows. */
const SHOWN_ROWS = 100;

type Write = {
  request: SqlRequestOf<"insert" | "update" | "delete">;
  table: TableName;
  statement: Sql;
  /** The rows that it finds; absent for an insert. */
  found?: Sql;
  shape: StatementShape;
  maxAffectedRows: number;
};

export async function insertRows(request: SqlRequestOf<"insert">, context: SqlContext): Promise<WriteOutcome> {
  const table = allowedTable(request.table, context);
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
      maxAffectedRows: request.maxAffectedRows ?? request.rows.length,
    },
    context,
  );
}

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
    if (!request.dryRun) {
      const { rows, affected, truncated } = await runWrite(statement, request.returning, context);
      requireFew(affected, maxAffectedRows);
      return { commit: true, value: { ...common, affectedRows: affected, data: rows, truncated } };
    }
    const key = found === undefined ? [] : await keyColumns(table, context);
    const before = found === undefined ? [] : await rowsBefore(table, found, key, context);
    const { rows, affected, truncated } = await runWrite(statement, ["*"], context, SHOWN_ROWS + 1);
    requireFew(affected, maxAffectedRows);
    const dryRun = compareRows(request.operation, before, rows, key, affected);
    return { commit: false, value: { ...common, affectedRows: affected, data: [], truncated, dryRun } };
  });
}

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
    ` returning ${columnList(returning)}) select (select pg_catalog.count(*) from changed) as "${COUNT}", changed.* from changed limit ${limit + 1}`,
  ];
  const { rows } = await connection.query(sql, { limit });
  const affected = Number(rows.rows[0]?.[COUNT] ?? 0);
  const data = rows.rows.map(({ [COUNT]: _count, ...row }) => row);
  return { rows: data, affected, truncated: rows.truncated };
}

/** No column of a table is called so. */
const COUNT = "switchyard affected rows";

function requireFew(affected: number, most: number): void {
  if (affected <= most) return;
  throw new Rejection(
    `The statement would touch ${affected} rows, and ${most} are allowed; nothing was changed.`,
    "Narrow the condition, or ask the person to raise the limit on the tool.",
  );
}

async function rowsBefore(
  table: TableName,
  found: Sql,
  key: readonly string[],
  { connection }: SqlContext,
): Promise<SqlRow[]> {
  const order = key.length === 0 ? "" : ` order by ${key.map(quoteIdentifier).join(", ")}`;
  const sql: Sql = [`select * from ${quoteTable(table)} where `, ...found, `${order} limit ${SHOWN_ROWS + 1}`];
  const { rows } = await connection.query(sql, { limit: SHOWN_ROWS + 1 });
  return rows.rows;
}

/** The columns of the primary key, which tell which row after the change is which before. */
async function keyColumns({ schema, name }: TableName, { connection }: SqlContext): Promise<string[]> {
  const sql: Sql = [
    "select a.attname as name from pg_catalog.pg_index i join pg_catalog.pg_class t on t.oid = i.indrelid ",
    "join pg_catalog.pg_namespace n on n.oid = t.relnamespace ",
    "join pg_catalog.pg_attribute a on a.attrelid = t.oid and a.attnum = any(i.indkey) where i.indisprimary and n.nspname = ",
    { bind: schema },
    " and t.relname = ",
    { bind: name },
  ];
  const { rows } = await connection.query(sql, { limit: 32 });
  return rows.rows.flatMap((row) => (typeof row["name"] === "string" ? [row["name"]] : []));
}

function compareRows(
  operation: Write["request"]["operation"],
  before: readonly SqlRow[],
  changed: readonly SqlRow[],
  key: readonly string[],
  affectedRows: number,
): DryRun {
  const truncated = affectedRows > SHOWN_ROWS;
  const shown = before.slice(0, SHOWN_ROWS);
  switch (operation) {
    case "insert":
      return { before: [], after: changed.slice(0, SHOWN_ROWS), paired: false, affectedRows, truncated };
    case "delete":
      return { before: shown, after: [], paired: false, affectedRows, truncated };
    case "update": {
      const keyOf = (row: SqlRow): string => JSON.stringify(key.map((name) => row[name] ?? null));
      const byKey = new Map(changed.map((row) => [keyOf(row), row]));
      const pairs = shown.flatMap((row) => {
        const after = key.length === 0 ? undefined : byKey.get(keyOf(row));
        return after === undefined ? [] : [{ row, after }];
      });
      // A key that itself changes, or a table without one, leaves two lists.
      if (pairs.length === 0 || (pairs.length < shown.length && !truncated)) {
        return { before: shown, after: changed.slice(0, SHOWN_ROWS), paired: false, affectedRows, truncated };
      }
      const [rows, afters] = [pairs.map(({ row }) => row), pairs.map(({ after }) => after)];
      return { before: rows, after: afters, paired: true, affectedRows, truncated };
    }
  }
}
