import type { SqlRequestOf } from "../../../src/nodes/tools/postgres/sql-request.ts";
import type { SqlTestResult } from "../../../src/nodes/tools/postgres/sql-result.ts";
import { type SqlContext, transactionOf } from "./sql-context.ts";
import { inTransaction } from "./transaction.ts";

/** Connects and asks who answers, with the same settings as every statement. */
export async function greetDatabase(
  request: SqlRequestOf<"test">,
  context: SqlContext,
): Promise<Omit<SqlTestResult, "success" | "executionTimeMs">> {
  const sql =
    "select pg_catalog.current_setting('server_version') as version, pg_catalog.current_setting('is_superuser') = 'on' as superuser";
  const row = await inTransaction(context.connection, transactionOf(request, true, "public"), async () => {
    const { rows } = await context.connection.query([sql], { limit: 1 });
    return { commit: true, value: rows.rows[0] };
  });
  return {
    operation: "test",
    // Distributions write their own name behind the number.
    serverVersion: /^[\d.]+/.exec(String(row?.["version"] ?? ""))?.[0] ?? "unknown",
    schemaHints: context.schemaHints,
    superuser: row?.["superuser"] === true,
  };
}
