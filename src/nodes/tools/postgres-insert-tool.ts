import { z } from "zod";
import { defineNode } from "../../engine/document/define-node.ts";
import { out } from "../../engine/document/ports.ts";
import type { JsonObject } from "../../engine/json.ts";
import { rowsPart, tablePart } from "./postgres/part-schemas.ts";
import { approvalMark, outreachWords, tableWords, writeExposure } from "./postgres/sql-card.ts";
import {
  databaseFields,
  rowsField,
  sqlToolFields,
  tableField,
  writeApprovalField,
  writeFields,
} from "./postgres/sql-fields.ts";
import { type SqlCall, sqlTool } from "./postgres/sql-tool.ts";
import { toolNameOf } from "./tool-fields.ts";

const toolName = "postgres_insert";

const config = z.object({
  ...databaseFields(),
  tableName: tableField(),
  rows: rowsField(),
  ...writeFields(),
  ...sqlToolFields({ toolName, toolDescription: "Adds rows to a Postgres table." }),
  approval: writeApprovalField(),
});

type Config = z.infer<typeof config>;

function callOf(filled: Config, given: JsonObject): SqlCall {
  const rows = given["rows"] ?? filled.rows;
  const { maxAffectedRows, returning } = filled;
  return {
    ok: true,
    request: {
      table: given["table"] ?? filled.tableName,
      rows: Array.isArray(rows) ? rows : [rows],
      maxAffectedRows,
      returning,
    },
  };
}

export const postgresInsertTool = defineNode({
  type: "postgres-insert-tool",
  version: 1,
  role: "tool",
  title: "Postgres insert",
  summary: "Lets the agent add rows to a Postgres table.",
  icon: "database",
  config,
  inputs: {},
  outputs: { tool: out("tool", { label: "Tool", side: "left" }) },
  toolName: toolNameOf(toolName),
  describe: (raw) => `INSERT ${tableWords(raw)}${approvalMark(raw)}`,
  exposure: writeExposure,
  outreach: (raw) => outreachWords("adds", raw),
  async run(context) {
    const tool = await sqlTool(context, {
      operation: "insert",
      approval: context.config.approval,
      writes: true,
      parts: (table, tables) => [tablePart(tables), rowsPart(table)],
      call: callOf,
    });
    return { tools: [tool] };
  },
});
