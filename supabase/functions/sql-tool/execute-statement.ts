import type { SqlRequestOf } from "../../../src/nodes/tools/postgres/sql-request.ts";
import { checkStatement, type CheckedStatement } from "./check-statement.ts";
import type { WriteOutcome } from "./change-rows.ts";
import { compareRows, rowsBefore, shownRows, type RowsBefore } from "./dry-run.ts";
import { refuseOwnCode } from "./own-code.ts";
import { refuseOuterColumns } from "./refuse-outer-columns.ts";
import type { ReadOutcome } from "./select-rows.ts";
import type { SingleWrite } from "./single-write.ts";
import { type SqlContext, transactionOf } from "./sql-context.ts";
import { requireListed, showTable } from "./table-name.ts";
import { inTransaction } from "./transaction.ts";
import { watchWrite } from "./watch-write.ts";

type Request = SqlRequestOf<"execute">;

/** One statement of the model's or the person's own, checked and then sent as it is, with its values beside it. */
export async function executeStatement(request: Request, context: SqlContext): Promise<ReadOutcome | WriteOutcome> {
  const { sql: text, readOnly, parameters, limit } = request;
  const checked = await checkStatement(text, { readOnly, parameters: parameters.length });
  for (const table of checked.tables) requireListed(table, context.listed, context.schemaHints);
  context.concerns(...checked.tables);
  const isRead = checked.kind === "select";
  const transaction = transactionOf(request, readOnly || isRead, "public");
  return inTransaction<ReadOutcome | WriteOutcome>(context.connection, transaction, async () => {
    await refuseOwnCode(context.connection, checked.names);
    await refuseOuterColumns(context.connection, checked.subqueryColumns, checked.table);
    if (!isRead) return change(request, checked, context);
    const { rows } = await context.connection.query({ text, parameters }, { limit });
    const table = checked.table === undefined ? null : showTable(checked.table);
    const found = { operation: "execute" as const, table, data: rows.rows, truncated: rows.truncated };
    return { commit: true, value: { ...found, rowCount: rows.rows.length } };
  });
}

/** Runs what changes rows, and keeps it only when it touched no more than is allowed and is no dry run. */
async function change(
  request: Request,
  checked: CheckedStatement,
  context: SqlContext,
): Promise<{ commit: boolean; value: WriteOutcome }> {
  const { shape, single } = checked;
  const common = { operation: "execute" as const, table: shape.table, statement: shape };
  if (request.dryRun && single !== undefined) {
    const before = await foundBy(single, request, context);
    if (before !== undefined) {
      const { rows, affected, also, notes } = await run(
        { ...request, sql: single.text, limit: shownRows + 1 },
        checked,
        context,
      );
      const dryRun = { ...compareRows(single.kind, before, rows.rows, affected), ...also, ...notes };
      return {
        commit: false,
        value: { ...common, affectedRows: affected, ...also, data: [], truncated: rows.truncated, dryRun },
      };
    }
  }
  const { rows, affected, also, notes } = await run(request, checked, context);
  const done = { ...common, affectedRows: affected, ...also, data: rows.rows, truncated: rows.truncated };
  if (!request.dryRun) return { commit: true, value: done };
  const shown = {
    before: [],
    after: [],
    paired: false,
    affectedRows: affected,
    truncated: affected > 0,
    ...also,
    ...notes,
  };
  return { commit: false, value: { ...done, dryRun: shown } };
}

/** The rows that it finds, none for an insert; undefined where its condition is one that cannot be asked alone. */
async function foundBy(
  { kind, table, only, found }: SingleWrite,
  { parameters }: Request,
  { connection }: SqlContext,
): Promise<RowsBefore | undefined> {
  if (kind === "insert") return { rows: [], key: [] };
  const where = found(parameters);
  return where === undefined ? undefined : rowsBefore({ table, only, where }, connection);
}

async function run(
  { sql: text, parameters, limit, maxAffectedRows, dryRun }: Request,
  { writesInWith, changed }: CheckedStatement,
  { connection }: SqlContext,
) {
  const watch = await watchWrite(connection, { named: changed, maxAffectedRows, dryRun, writesInWith });
  const { rows, affected } = await connection.query({ text, parameters }, { limit, countAll: true });
  return { rows, ...(await watch(affected)) };
}
