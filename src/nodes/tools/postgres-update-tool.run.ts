import type { ApprovalPolicy, Tool } from "../../engine/tool/tool.ts";
import type { JsonObject } from "../../engine/json.ts";
import { tablePart, whereParts, valuesPart } from "./postgres/part-schemas.ts";
import { readRequestWhere } from "./postgres/read-where.ts";
import { rejected } from "./postgres/run-sql.ts";
import type { SqlToolConfig } from "./postgres/sql-fields.ts";
import { type SqlCall, sqlTool, type SqlToolContext } from "./postgres/sql-tool.ts";

/** The settings of the node, once parsed. */
interface UpdateConfig extends SqlToolConfig {
  tableName: string;
  values: JsonObject;
  where: unknown;
  returning: string[];
  maxAffectedRows: number;
  dryRun: boolean;
  approval: ApprovalPolicy;
}

/** The request of a update, with what was left to the model in its place. */
export function updateCall(
  filled: Pick<UpdateConfig, "tableName" | "values" | "where" | "returning" | "maxAffectedRows">,
  given: JsonObject,
): SqlCall {
  const where = readRequestWhere(filled.where, given);
  if (!where.ok) return { ok: false, answer: rejected("update", "The condition cannot be read.", where.problem) };
  if (!("where" in where.part)) {
    const suggestion = "Say which rows with where, such as the id; every row at once is refused.";
    return { ok: false, answer: rejected("update", "An update needs a condition.", suggestion) };
  }
  const { maxAffectedRows, returning } = filled;
  return {
    ok: true,
    request: {
      table: given["table"] ?? filled.tableName,
      values: given["values"] ?? filled.values,
      maxAffectedRows,
      returning,
      ...where.part,
    },
  };
}

/** The tool of one node. */
export async function run(context: SqlToolContext<UpdateConfig>): Promise<{ tools: Tool[] }> {
  const tool = await sqlTool<UpdateConfig>(context, {
    operation: "update",
    approval: context.config.approval,
    writes: true,
    parts: (table, tables) => [
      tablePart(tables),
      valuesPart(table),
      ...whereParts(table, "Which rows to change; needed, and not every row."),
    ],
    call: updateCall,
  });
  return { tools: [tool] };
}
