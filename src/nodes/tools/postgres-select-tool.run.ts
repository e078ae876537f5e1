import type { ApprovalPolicy, Tool } from "../../engine/tool/tool.ts";
import type { JsonObject } from "../../engine/json.ts";
import { repeatsOf } from "../flow/error-field.ts";
import { columnsPart, orderByPart, tablePart, whereParts } from "./postgres/part-schemas.ts";
import { readColumns, readOrderBy } from "./postgres/read-columns.ts";
import { readRequestWhere } from "./postgres/read-where.ts";
import { rejected } from "./postgres/run-sql.ts";
import type { SqlToolConfig } from "./postgres/sql-fields.ts";
import { type SqlCall, sqlTool, type SqlToolContext } from "./postgres/sql-tool.ts";

/** The settings of the node, once parsed. */
interface SelectConfig extends SqlToolConfig {
  tableName: string;
  columns: unknown;
  where: unknown;
  orderBy: unknown;
  limit: number;
  offset: number;
  approval: ApprovalPolicy;
  retries: number;
  retryDelayMs: number;
}

/** The request of a select, with what was left to the model in its place. */
export function selectCall(
  filled: Pick<SelectConfig, "tableName" | "columns" | "where" | "orderBy" | "limit" | "offset">,
  given: JsonObject,
): SqlCall {
  const where = readRequestWhere(filled.where, given);
  if (!where.ok) return { ok: false, answer: rejected("select", "The condition cannot be read.", where.problem) };
  const asked = typeof given["limit"] === "number" ? given["limit"] : filled.limit;
  const offset = filled.offset + (typeof given["offset"] === "number" ? given["offset"] : 0);
  return {
    ok: true,
    request: {
      table: given["table"] ?? filled.tableName,
      columns: readColumns(given["columns"] ?? filled.columns),
      orderBy: readOrderBy(given["orderBy"] ?? filled.orderBy),
      limit: Math.min(asked, filled.limit),
      ...(offset > 0 ? { offset } : {}),
      ...where.part,
    },
  };
}

/** The tool of one node. */
export async function run(context: SqlToolContext<SelectConfig>): Promise<{ tools: Tool[] }> {
  const { limit } = context.config;
  const tool = await sqlTool<SelectConfig>(context, {
    operation: "select",
    approval: context.config.approval,
    writes: false,
    parts: (table, tables) => [
      tablePart(tables),
      columnsPart(table),
      ...whereParts(table, "Which rows; all if left out."),
      orderByPart(table),
      limitPart(limit),
      offsetPart,
    ],
    call: selectCall,
  });
  return { tools: [{ ...tool, repeats: repeatsOf({ ...context.config }) }] };
}

/** Always open: the model may ask for fewer rows than the author allows. */
function limitPart(limit: number) {
  const schema = { type: "integer", minimum: 1, maximum: limit, description: `The most rows; ${limit} if left out.` };
  return { parameter: "limit", schema, required: false };
}

/** Always open: the model reads on where a result was truncated. */
const offsetPart = {
  parameter: "offset",
  schema: {
    type: "integer",
    minimum: 0,
    description: "Rows to skip, to read on page by page; sort by something then.",
  },
  required: false,
};
