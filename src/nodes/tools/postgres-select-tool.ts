import { z } from "zod";
import { defineNode } from "../../engine/document/define-node.ts";
import { out } from "../../engine/document/ports.ts";
import type { JsonObject } from "../../engine/json.ts";
import { columnsPart, orderByPart, tablePart, whereParts } from "./postgres/part-schemas.ts";
import { readColumns, readOrderBy } from "./postgres/read-columns.ts";
import { rejected } from "./postgres/run-sql.ts";
import { outreachWords, readExposure, tableWords } from "./postgres/sql-card.ts";
import {
  columnsField,
  databaseFields,
  limitField,
  orderByField,
  sqlToolFields,
  tableField,
  whereField,
} from "./postgres/sql-fields.ts";
import { type SqlCall, sqlTool } from "./postgres/sql-tool.ts";
import { readRequestWhere } from "./postgres/read-where.ts";
import { toolNameOf } from "./tool-fields.ts";

const toolName = "postgres_select";

const config = z.object({
  ...databaseFields(),
  tableName: tableField(),
  columns: columnsField(),
  where: whereField("Empty: the model may give a condition; without one every row fits."),
  orderBy: orderByField(),
  limit: limitField(),
  ...sqlToolFields({ toolName, toolDescription: "Reads rows of a Postgres table and returns them as JSON." }),
});

type Config = z.infer<typeof config>;

function callOf(filled: Config, given: JsonObject): SqlCall {
  const where = readRequestWhere(filled.where, given);
  if (!where.ok) return { ok: false, answer: rejected("select", "The condition cannot be read.", where.problem) };
  const asked = typeof given["limit"] === "number" ? given["limit"] : filled.limit;
  return {
    ok: true,
    request: {
      table: given["table"] ?? filled.tableName,
      columns: readColumns(given["columns"] ?? filled.columns),
      orderBy: readOrderBy(given["orderBy"] ?? filled.orderBy),
      limit: Math.min(asked, filled.limit),
      ...where.part,
    },
  };
}

export const postgresSelectTool = defineNode({
  type: "postgres-select-tool",
  version: 1,
  role: "tool",
  title: "Postgres select",
  summary: "Lets the agent read rows of a Postgres table.",
  icon: "database",
  config,
  inputs: {},
  outputs: { tool: out("tool", { label: "Tool", side: "left" }) },
  toolName: toolNameOf(toolName),
  describe: (raw) => `SELECT ${tableWords(raw)}`,
  exposure: () => readExposure,
  outreach: (raw) => outreachWords("reads", raw),
  async run(context) {
    const { limit } = context.config;
    const tool = await sqlTool(context, {
      operation: "select",
      approval: context.config.approval,
      writes: false,
      parts: (table, tables) => [
        tablePart(tables),
        columnsPart(table),
        ...whereParts(table, "Which rows; all if left out."),
        orderByPart(table),
        limitPart(limit),
      ],
      call: callOf,
    });
    return { tools: [tool] };
  },
});

/** Always open: the model may ask for fewer rows than the author allows. */
function limitPart(limit: number) {
  const schema = { type: "integer", minimum: 1, maximum: limit, description: `The most rows; ${limit} if left out.` };
  return { parameter: "limit", schema, required: false };
}
