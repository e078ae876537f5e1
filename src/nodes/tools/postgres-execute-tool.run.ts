import type { ApprovalPolicy, Tool } from "../../engine/tool/tool.ts";
import type { Json, JsonObject } from "../../engine/json.ts";
import { repeatsOf } from "../flow/error-field.ts";
import { statementParts } from "./postgres/part-schemas.ts";
import { rejected } from "./postgres/run-sql.ts";
import type { SqlToolConfig } from "./postgres/sql-fields.ts";
import { type SqlCall, sqlTool, type SqlToolContext } from "./postgres/sql-tool.ts";

/** The settings of the node, once parsed. */
interface ExecuteConfig extends SqlToolConfig {
  statement: string | { sql: string; parameters: Json[] };
  parameters: Json[];
  readOnly: boolean;
  limit: number;
  maxAffectedRows: number;
  dryRun: boolean;
  /** `writes`: ask for what changes rows, and for that alone. */
  approval: ApprovalPolicy | "writes";
  retries: number;
  retryDelayMs: number;
}

/** The request of an execute, with what was left to the model in its place. */
export function executeCall(
  filled: Pick<ExecuteConfig, "statement" | "parameters" | "readOnly" | "limit" | "maxAffectedRows" | "dryRun">,
  given: JsonObject,
): SqlCall {
  const { statement, parameters, readOnly, limit, maxAffectedRows, dryRun } = filled;
  const own = typeof statement === "string" ? { sql: statement, parameters } : statement;
  if (typeof statement !== "string" && parameters.length > 0) {
    const suggestion = "Leave the parameters empty, or write $1, $2 … in place of the templates.";
    return { ok: false, answer: rejected("execute", "The statement has templates and parameters.", suggestion) };
  }
  const sql = given["sql"] ?? own.sql;
  const values: Json = given["parameters"] ?? own.parameters;
  const request = { sql, parameters: values, readOnly, limit };
  return { ok: true, request: readOnly ? request : { ...request, maxAffectedRows, dryRun } };
}

/** The tool of one node. */
export async function run(context: SqlToolContext<ExecuteConfig>): Promise<{ tools: Tool[] }> {
  const { readOnly, approval } = context.config;
  const tool = await sqlTool<ExecuteConfig>(context, {
    operation: "execute",
    approval: approval === "writes" ? (readOnly ? "never" : "ask") : approval,
    writes: !readOnly,
    parts: () => statementParts(readOnly),
    call: executeCall,
  });
  return { tools: [{ ...tool, repeats: readOnly ? repeatsOf({ ...context.config }) : undefined }] };
}
