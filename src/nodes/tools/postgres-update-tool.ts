import { z } from "zod/mini";
import { defineNode } from "../../engine/document/define-node.ts";
import { out } from "../../engine/document/ports.ts";
import type { JsonObject } from "../../engine/json.ts";
import { approvalMark, tableWords, writeReach } from "./postgres/sql-card.ts";
import {
  databaseFields,
  sqlToolFields,
  tableField,
  valuesField,
  whereField,
  writeApprovalField,
  writeFields,
  postgresFamily,
} from "./postgres/sql-fields.ts";
import { toolNameOf } from "./tool-fields.ts";
import { tablePart, valuesPart, whereParts } from "./postgres/part-schemas.ts";
import { readRequestWhere } from "./postgres/read-where.ts";
import { rejected } from "./postgres/run-sql.ts";
import { type SqlCall, sqlTool } from "./postgres/sql-tool.ts";

const toolName = "postgres_update";

const config = z.object({
  ...databaseFields(),
  tableName: tableField(),
  values: valuesField(),
  where: whereField("Empty: the model gives the condition. A condition that fits every row is refused."),
  ...writeFields(),
  ...sqlToolFields({ toolName, toolDescription: "Changes rows of a Postgres table that fit a condition." }),
  approval: writeApprovalField(),
});

type Config = z.infer<typeof config>;

/** The request of an update, with what was left to the model in its place. */
export function updateCall(
  filled: Pick<Config, "tableName" | "values" | "where" | "returning" | "maxAffectedRows">,
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

export const postgresUpdateTool = defineNode({
  type: "postgres-update-tool",
  version: 1,
  role: "tool",
  title: "Postgres update",
  summary: "Lets the agent change rows, and shows the change first.",
  keywords: ["sql", "database", "neon", "edit", "table"],
  family: postgresFamily,
  icon: "database",
  config,
  inputs: {},
  outputs: { tool: out("tool", { label: "Tool", side: "left" }) },
  reach: [writeReach("changes")],
  toolName: toolNameOf(toolName),
  describe: (raw) => `UPDATE ${tableWords(raw)}${approvalMark(raw)}`,
  async run(context) {
    const tool = await sqlTool<Config>(context, {
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
  },
});
