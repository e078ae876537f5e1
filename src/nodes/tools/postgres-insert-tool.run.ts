import type { ApprovalPolicy, Tool } from "../../engine/tool/tool.ts";
import type { Json, JsonObject } from "../../engine/json.ts";
import { tablePart, rowsPart } from "./postgres/part-schemas.ts";
import type { SqlToolConfig } from "./postgres/sql-fields.ts";
import { type SqlCall, sqlTool, type SqlToolContext } from "./postgres/sql-tool.ts";

/** The settings of the node, once parsed. */
interface InsertConfig extends SqlToolConfig {
  tableName: string;
  rows: Json;
  returning: string[];
  maxAffectedRows: number;
  dryRun: boolean;
  approval: ApprovalPolicy;
}

/** The request of a insert, with what was left to the model in its place. */
export function insertCall(
  filled: Pick<InsertConfig, "tableName" | "rows" | "returning" | "maxAffectedRows">,
  given: JsonObject,
): SqlCall {
  const rows = given["rows"] ?? filled.rows;
  const { maxAffectedRows, returning } = filled;
  return {
    ok: true,
    request: {
      table: given["table"] ?? filled.tableName,
      rows: Array.isArray(rows) ? rows : [rows],
      maxAffectedRows,
      // Without columns of its own the function gives back the keys.
      ...(returning.length === 0 ? {} : { returning }),
    },
  };
}

/** The tool of one node. */
export async function run(context: SqlToolContext<InsertConfig>): Promise<{ tools: Tool[] }> {
  const tool = await sqlTool<InsertConfig>(context, {
    operation: "insert",
    approval: context.config.approval,
    writes: true,
    parts: (table, tables) => [tablePart(tables), rowsPart(table)],
    call: insertCall,
  });
  return { tools: [tool] };
}
