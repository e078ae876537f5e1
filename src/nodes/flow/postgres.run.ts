import type { RunContext } from "../../engine/document/define-node.ts";
import { isJsonObject, type Json, type JsonObject } from "../../engine/json.ts";
import { RunError } from "../../engine/errors.ts";
import { runSql } from "../tools/postgres/run-sql.ts";
import { logWrite, type SqlCall } from "../tools/postgres/sql-tool.ts";
import { deleteCall } from "../tools/postgres-delete-tool.run.ts";
import { executeCall } from "../tools/postgres-execute-tool.run.ts";
import { insertCall } from "../tools/postgres-insert-tool.run.ts";
import { selectCall } from "../tools/postgres-select-tool.run.ts";
import { updateCall } from "../tools/postgres-update-tool.run.ts";

/** The settings of the node, once parsed. */
interface PostgresConfig {
  credential: string;
  operation: "select" | "insert" | "update" | "delete" | "execute";
  tableName: string;
  columns: unknown;
  rows: Json;
  values: JsonObject;
  where: unknown;
  orderBy: unknown;
  statement: string | { sql: string; parameters: Json[] };
  parameters: Json[];
  readOnly: boolean;
  limit: number;
  offset: number;
  returning: string[];
  maxAffectedRows: number;
  result: "full" | "rows";
  statementTimeoutMs: number;
  role: string;
}

/** The request that the tool of the same operation would make, with nothing left to a model. */
function callOf(config: PostgresConfig): SqlCall {
  const fixed = { ...config, dryRun: false };
  switch (config.operation) {
    case "select":
      return selectCall(fixed, {});
    case "insert":
      return insertCall(fixed, {});
    case "update":
      return updateCall(fixed, {});
    case "delete":
      return deleteCall(fixed, {});
    case "execute":
      return executeCall(fixed, {});
  }
}

/** The function's result, or its rows alone. Throws a RunError with the words of a refusal. */
export async function run(context: RunContext<PostgresConfig, unknown>): Promise<Json> {
  const { config, host, signal, log } = context;
  const { credential, role, statementTimeoutMs, operation } = config;
  const call = callOf(config);
  const common = { credential, timeoutMs: statementTimeoutMs, ...(role === "" ? {} : { role }) };
  const answer = call.ok ? await runSql(host, operation, { ...common, ...call.request }, signal) : call.answer;
  logWrite(answer, (...line) => log("info", ...line));
  const { result } = answer;
  if (result.ok) {
    const rows = isJsonObject(result.output) ? result.output["data"] : undefined;
    return config.result === "rows" ? (rows ?? []) : result.output;
  }
  const {
    message,
    hint = "Check the node's settings.",
    code = "tool_error",
    details,
    retryable = false,
  } = result.error;
  throw new RunError({ code, message, hint, retryable, ...(details === undefined ? {} : { cause: details }) });
}
