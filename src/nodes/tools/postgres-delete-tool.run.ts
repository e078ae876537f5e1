import type { ApprovalPolicy, Tool } from "../../engine/tool/tool.ts";
import type { JsonObject } from "../../engine/json.ts";
import { tablePart, whereParts } from "./postgres/part-schemas.ts";
import { readRequestWhere } from "./postgres/read-where.ts";
import { rejected } from "./postgres/run-sql.ts";
import type { SqlToolConfig } from "./postgres/sql-fields.ts";
import { type SqlCall, sqlTool, type SqlToolContext } from "./postgres/sql-tool.ts";

/** The settings of the node, once parsed. */
interface DeleteConfig extends SqlToolConfig {
  tableName: string;
  where: unknown;
  returning: string[];
  maxAffectedRows: number;
  dryRun: boolean;
  approval: ApprovalPolicy;
}

/** The request of a delete, with what was left to the model in its place. */
export function deleteCall(
  filled: Pick<DeleteConfig, "tableName" | "where" | "returning" | "maxAffectedRows">,
  given: JsonObject,
): SqlCall {
  const where = readRequestWhere(filled.where, given);
  if (!where.ok) return { ok: false, answer: rejected("delete", "The condition cannot be read.", where.problem) };
  if (!("where" in where.part)) {
    const suggestion = "Say which rows with where, such as the id; every row at once is refused.";
    return { ok: false, answer: rejected("delete", "A delete needs a condition.", suggestion) };
  }
  const { maxAffectedRows, returning } = filled;
  return {
    ok: true,
    request: { table: given["table"] ?? filled.tableName, maxAffectedRows, returning, ...where.part },
  };
}

/** The tool of one node. */
export async function run(context: SqlToolContext<DeleteConfig>): Promise<{ tools: Tool[] }> {
  const tool = await sqlTool<DeleteConfig>(context, {
    operation: "delete",
    approval: context.config.approval,
    writes: true,
    parts: (table, tables) => [
      tablePart(tables),
      ...whereParts(table, "Which rows to delete; needed, and not every row."),
    ],
    call: deleteCall,
  });
  return { tools: [tool] };
}
