import { z } from "zod/mini";
import { defineNode } from "../../engine/document/define-node.ts";
import { out } from "../../engine/document/ports.ts";
import type { JsonObject } from "../../engine/json.ts";
import { approvalMark, tableWords, writeReach } from "./postgres/sql-card.ts";
import {
  databaseFields,
  sqlToolFields,
  tableField,
  whereField,
  writeApprovalField,
  writeFields,
  postgresFamily,
} from "./postgres/sql-fields.ts";
import { toolNameOf } from "./tool-fields.ts";
import { tablePart, whereParts } from "./postgres/part-schemas.ts";
import { readRequestWhere } from "./postgres/read-where.ts";
import { rejected } from "./postgres/run-sql.ts";
import { type SqlCall, sqlTool } from "./postgres/sql-tool.ts";

const toolName = "postgres_delete";

const config = z.object({
  ...databaseFields(),
  tableName: tableField(),
  where: whereField("Empty: the model gives the condition. A condition that fits every row is refused."),
  ...writeFields(),
  ...sqlToolFields({ toolName, toolDescription: "Deletes rows of a Postgres table that fit a condition." }),
  approval: writeApprovalField(),
});

type Config = z.infer<typeof config>;

/** The request of a delete, with what was left to the model in its place. */
export function deleteCall(
  filled: Pick<Config, "tableName" | "where" | "returning" | "maxAffectedRows">,
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

export const postgresDeleteTool = defineNode({
  type: "postgres-delete-tool",
  version: 1,
  role: "tool",
  title: "Postgres delete",
  summary: "Lets the agent delete rows, and shows them first.",
  keywords: ["sql", "database", "neon", "remove", "table"],
  family: postgresFamily,
  icon: "database",
  config,
  inputs: {},
  outputs: { tool: out("tool", { label: "Tool", side: "left" }) },
  reach: [writeReach("deletes")],
  toolName: toolNameOf(toolName),
  describe: (raw) => `DELETE ${tableWords(raw)}${approvalMark(raw)}`,
  async run(context) {
    const tool = await sqlTool<Config>(context, {
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
  },
});
