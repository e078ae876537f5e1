import "../../../engine/config/english-issues.ts";
import type { ToolFailure, ToolResult } from "../../../engine/tool/tool.ts";
import type { Host } from "../../../engine/host.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../engine/json.ts";
import type { RunErrorCode } from "../../../engine/errors.ts";
import { sqlRequestSchema, type SqlOperation } from "./sql-request.ts";
import { type DryRun, type SqlErrorType, type SqlFailure, sqlResultSchema, type StatementShape } from "./sql-result.ts";

/** A statement's result for the model; of one that wrote, what the log is told; of a dry run, what it would change. */
export interface SqlAnswer {
  result: ToolResult;
  wrote?: StatementShape & { affectedRows: number };
  changes?: RowChanges;
}

/** The rows that a statement would change, as they are and as they would be. */
type RowChanges = DryRun & { operation: SqlOperation; table: string };

const codes: Record<SqlErrorType, RunErrorCode> = {
  connection_error: "tool_error",
  authentication_error: "invalid_credentials",
  invalid_table: "tool_error",
  invalid_column: "tool_error",
  syntax_error: "tool_error",
  constraint_violation: "tool_error",
  permission_denied: "tool_error",
  timeout: "timeout",
  rejected: "invalid_arguments",
};

/** A failure in the shape that models read, as the function gives it and as the tools give their own. */
function failed(failure: SqlFailure): SqlAnswer {
  const { error: message, suggestion: hint, errorType } = failure;
  const retryable = errorType === "connection_error" || errorType === "timeout";
  return { result: { ok: false, error: { message, hint, code: codes[errorType], details: failure, retryable } } };
}

/** A request that cannot be made as it stands; the database was not asked. */
export function rejected(operation: SqlOperation, error: string, suggestion: string): SqlAnswer {
  return failed({ success: false, operation, error, errorType: "rejected", suggestion, sqlState: null });
}

/** The first thing that is wrong with a request, in words. */
function requestProblem(request: JsonObject): { ok: true; body: JsonObject } | { ok: false; problem: string } {
  const checked = sqlRequestSchema.safeParse(request);
  if (checked.success) return { ok: true, body: request };
  const [issue] = checked.error.issues;
  const place = issue?.path.join(".") ?? "";
  return { ok: false, problem: `${place === "" ? "The request" : place}: ${issue?.message ?? "it does not fit"}.` };
}

/**
 * Sends one statement to the `sql-tool` function. What the database refuses is a result in the shape of every failure;
 * what the function itself refuses (a credential, an address, too many calls) is a failure with its own words. Rejects
 * only when aborted.
 */
export async function runSql(
  host: Pick<Host, "callFunction">,
  operation: Exclude<SqlOperation, "describe" | "test">,
  request: JsonObject,
  signal: AbortSignal,
): Promise<SqlAnswer> {
  const made = requestProblem({ operation, ...request });
  if (!made.ok) return rejected(operation, `The statement cannot be made. ${made.problem}`, "Correct that part.");
  const answer = await host.callFunction("sql-tool", made.body, { signal });
  if (!answer.ok) {
    const { message, hint, code, retryable } = answer.error;
    const error: ToolFailure = { message, hint, code, retryable };
    return { result: { ok: false, error } };
  }
  const read = sqlResultSchema.safeParse(answer.body);
  if (!read.success) {
    const error: ToolFailure = {
      message: "The database's answer could not be read.",
      hint: "Try it again.",
      code: "internal",
    };
    return { result: { ok: false, error } };
  }
  const { data } = read;
  if (!data.success) return failed(data);
  if (!("statement" in data)) return { result: { ok: true, output: answer.body } };
  const { statement, dryRun, affectedRows } = data;
  const output = withoutShape(answer.body);
  if (dryRun) return { result: { ok: true, output }, changes: { operation, table: statement.table, ...dryRun } };
  return { result: { ok: true, output }, wrote: { ...statement, affectedRows } };
}

/** The statement's shape is for the log; the model wrote it. */
function withoutShape(body: Json): Json {
  if (!isJsonObject(body)) return body;
  const { statement: _shape, ...shown } = body;
  return shown;
}
