import { z } from "zod/mini";
import { defineNode } from "../../engine/document/define-node.ts";
import { out } from "../../engine/document/ports.ts";
import type { JsonObject } from "../../engine/json.ts";
import { repeatsOf, retryFields } from "../flow/error-field.ts";
import { readReach, tableWords } from "./postgres/sql-card.ts";
import {
  columnsField,
  databaseFields,
  limitField,
  offsetField,
  orderByField,
  sqlToolFields,
  tableField,
  whereField,
  postgresFamily,
} from "./postgres/sql-fields.ts";
import { toolNameOf } from "./tool-fields.ts";
import { columnsPart, orderByPart, tablePart, whereParts } from "./postgres/part-schemas.ts";
import { readColumns, readOrderBy } from "./postgres/read-columns.ts";
import { readRequestWhere } from "./postgres/read-where.ts";
import { rejected } from "./postgres/run-sql.ts";
import { type SqlCall, sqlTool } from "./postgres/sql-tool.ts";

const toolName = "postgres_select";

const config = z.object({
  ...databaseFields(),
  tableName: tableField(),
  columns: columnsField(),
  where: whereField("Empty: the model may give a condition; without one every row fits."),
  orderBy: orderByField(),
  limit: limitField(100),
  offset: offsetField(),
  ...sqlToolFields({ toolName, toolDescription: "Reads rows of a Postgres table and returns them as JSON." }),
  ...retryFields("How often to try again when the connection breaks or the time is over."),
});

type Config = z.infer<typeof config>;

/** The request of a select, with what was left to the model in its place. */
export function selectCall(
  filled: Pick<Config, "tableName" | "columns" | "where" | "orderBy" | "limit" | "offset">,
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

export const postgresSelectTool = defineNode({
  type: "postgres-select-tool",
  version: 1,
  role: "tool",
  title: "Postgres select",
  summary: "Lets the agent read rows of a table.",
  keywords: [
    "sql",
    "database",
    "query",
    "neon",
    "table",
    "mysql",
    "mongodb",
    "supabase",
    "read",
    "find",
    "row",
    "column",
  ],
  family: postgresFamily,
  icon: "database",
  config,
  inputs: {},
  outputs: { tool: out("tool", { label: "Tool", side: "left" }) },
  reach: [readReach],
  toolName: toolNameOf(toolName),
  describe: (raw) => `SELECT ${tableWords(raw)}`,
  async run(context) {
    const { limit } = context.config;
    const tool = await sqlTool<Config>(context, {
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
  },
});

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
