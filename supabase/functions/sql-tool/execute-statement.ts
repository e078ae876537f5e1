import type { SqlRequestOf } from "../../../src/nodes/tools/postgres/sql-request.ts";
import { checkStatement } from "./check-statement.ts";
import type { WriteOutcome } from "./change-rows.ts";
import { refuseComputedFields } from "./computed-fields.ts";
import { Rejection } from "./rejection.ts";
import type { ReadOutcome } from "./select-rows.ts";
import { type SqlContext, transactionOf } from "./sql-context.ts";
import { requireListed, showTable } from "./table-name.ts";
import { inTransaction } from "./transaction.ts";

/** One statement of the model's or the person's own, checked and then sent as it is, with its values beside it. */
export async function executeStatement(
  request: SqlRequestOf<"execute">,
  context: SqlContext,
): Promise<ReadOutcome | WriteOutcome> {
  const { sql: text, readOnly, parameters, limit } = request;
  const checked = await checkStatement(text, { readOnly, parameters: parameters.length });
  for (const table of checked.tables) requireListed(table, context.listed, context.schemaHints);
  context.concerns(...checked.tables);
  const table = checked.table === undefined ? null : showTable(checked.table);
  const isRead = checked.kind === "select";
  const transaction = transactionOf(request, readOnly || isRead, "public");
  return inTransaction<ReadOutcome | WriteOutcome>(context.connection, transaction, async () => {
    await refuseComputedFields(context.connection, checked.fields);
    const { rows, affected } = await context.connection.query({ text, parameters }, { limit, countAll: !isRead });
    const found = { operation: "execute" as const, table, data: rows.rows, truncated: rows.truncated };
    if (isRead) return { commit: true, value: { ...found, rowCount: rows.rows.length } };
    if (affected > request.maxAffectedRows) {
      throw new Rejection(
        `The statement would touch ${affected} rows, and ${request.maxAffectedRows} are allowed; nothing was changed.`,
        "Narrow the condition, or ask the person to raise the limit on the tool.",
      );
    }
    const done = { ...found, affectedRows: affected, statement: checked.shape };
    if (!request.dryRun) return { commit: true, value: done };
    const shown = { before: [], after: rows.rows.slice(0, 100), paired: false, affectedRows: affected };
    return {
      commit: false,
      value: { ...done, data: [], dryRun: { ...shown, truncated: affected > shown.after.length } },
    };
  });
}
