import type { PostgresConnection } from "./open-postgres.ts";
import { Rejection } from "./rejection.ts";
import { quoteIdentifier } from "./sql-text.ts";

/** The settings of a transaction; `timeoutMs` bounds each statement. */
export interface TransactionOptions {
  readOnly: boolean;
  timeoutMs: number;
  role?: string | undefined;
  /** Where names without a schema are looked for: the table's own schema comes first. */
  schema: string;
}

/**
 * The second wall: one transaction whose settings hold whatever the statement is. They are local to it, so that a pooler
 * hands none of them on. `finish` says whether what was done is kept; every error rolls back.
 */
export async function inTransaction<Value>(
  connection: PostgresConnection,
  options: TransactionOptions,
  work: () => Promise<{ commit: boolean; value: Value }>,
): Promise<Value> {
  await connection.command(beginText(options));
  try {
    const { commit, value } = await work();
    await connection.command(commit ? "commit" : "rollback");
    return value;
  } catch (error) {
    // Where the connection is gone, the database rolls back by itself.
    await connection.command("rollback").catch(() => undefined);
    throw error;
  }
}

/** Taken by SET ROLE for "no role", which would be the credential's own. */
const noRole = "none";

function beginText({ readOnly, timeoutMs, role, schema }: TransactionOptions): string {
  if (role === noRole) throw new Rejection("There is no role of that name.", "Name a role of the database.");
  const places = [...new Set([schema, "public", "extensions", "pg_temp"])].map(quoteIdentifier).join(", ");
  const timeout = Math.round(timeoutMs);
  const settings = [
    readOnly ? "begin read only" : "begin read write",
    ...(role === undefined ? [] : [`set local role ${quoteIdentifier(role)}`]),
    ...(readOnly ? ["set local default_transaction_read_only = on"] : []),
    `set local statement_timeout = ${timeout}`,
    `set local lock_timeout = ${Math.min(timeout, 5_000)}`,
    `set local idle_in_transaction_session_timeout = ${timeout + 5_000}`,
    `set local search_path = ${places}`,
    // The statement was checked as these settings read it.
    "set local standard_conforming_strings = on",
    "set local transform_null_equals = off",
    // Values come back as text in these forms.
    "set local timezone = 'UTC'",
    "set local datestyle = 'ISO, YMD'",
    "set local intervalstyle = 'iso_8601'",
    "set local bytea_output = 'hex'",
    "set local extra_float_digits = 1",
  ];
  return settings.join("; ");
}
