import { z } from "zod/mini";
import { defineNode } from "../../engine/document/define-node.ts";
import { out } from "../../engine/document/ports.ts";
import type { JsonObject } from "../../engine/json.ts";
import { approvalMark, tableWords, writeReach } from "./postgres/sql-card.ts";
import {
  databaseFields,
  rowsField,
  sqlToolFields,
  tableField,
  writeApprovalField,
  writeFields,
  postgresFamily,
} from "./postgres/sql-fields.ts";
import { toolNameOf } from "./tool-fields.ts";
import { rowsPart, tablePart } from "./postgres/part-schemas.ts";
import { type SqlCall, sqlTool } from "./postgres/sql-tool.ts";

const toolName = "postgres_insert";

const config = z.object({
  ...databaseFields(),
  tableName: tableField(),
  rows: rowsField(),
  ...writeFields(" Empty: the keys of the new rows."),
  ...sqlToolFields({ toolName, toolDescription: "Adds rows to a Postgres table." }),
  approval: writeApprovalField(),
});

type Config = z.infer<typeof config>;

/** The request of an insert, with what was left to the model in its place. */
export function insertCall(
  filled: Pick<Config, "tableName" | "rows" | "returning" | "maxAffectedRows">,
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

export const postgresInsertTool = defineNode({
  type: "postgres-insert-tool",
  version: 1,
  role: "tool",
  title: "Postgres insert",
  summary: "Lets the agent add rows to a table.",
  keywords: ["sql", "database", "neon", "create", "table", "mysql", "supabase", "save", "store", "row", "column"],
  family: postgresFamily,
  icon: "database",
  config,
  inputs: {},
  outputs: { tool: out("tool", { label: "Tool", side: "left" }) },
  reach: [writeReach("adds")],
  toolName: toolNameOf(toolName),
  describe: (raw) => `INSERT ${tableWords(raw)}${approvalMark(raw)}`,
  async run(context) {
    const tool = await sqlTool<Config>(context, {
      operation: "insert",
      approval: context.config.approval,
      writes: true,
      parts: (table, tables) => [tablePart(tables), rowsPart(table)],
      call: insertCall,
    });
    return { tools: [tool] };
  },
});
