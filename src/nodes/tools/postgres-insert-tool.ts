import { z } from "zod/mini";
import { defineNode } from "../../engine/document/define-node.ts";
import { out } from "../../engine/document/ports.ts";
import { approvalMark, tableWords, writeReach } from "./postgres/sql-card.ts";
import {
  databaseFields,
  rowsField,
  sqlToolFields,
  tableField,
  writeApprovalField,
  writeFields,
} from "./postgres/sql-fields.ts";
import { toolNameOf } from "./tool-fields.ts";

const toolName = "postgres_insert";

const config = z.object({
  ...databaseFields(),
  tableName: tableField(),
  rows: rowsField(),
  ...writeFields(" Empty: the keys of the new rows."),
  ...sqlToolFields({ toolName, toolDescription: "Adds rows to a Postgres table." }),
  approval: writeApprovalField(),
});

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
  reach: [writeReach("adds")],
  toolName: toolNameOf(toolName),
  describe: (raw) => `INSERT ${tableWords(raw)}${approvalMark(raw)}`,
  load: () => import("./postgres-insert-tool.run.ts"),
});
