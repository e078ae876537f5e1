import { z } from "zod/mini";
import { defineNode } from "../../engine/document/define-node.ts";
import { out } from "../../engine/document/ports.ts";
import { approvalMark, tableWords, writeReach } from "./postgres/sql-card.ts";
import {
  databaseFields,
  sqlToolFields,
  tableField,
  whereField,
  writeApprovalField,
  writeFields,
} from "./postgres/sql-fields.ts";
import { toolNameOf } from "./tool-fields.ts";

const toolName = "postgres_delete";

const config = z.object({
  ...databaseFields(),
  tableName: tableField(),
  where: whereField("Empty: the model gives the condition. A condition that fits every row is refused."),
  ...writeFields(),
  ...sqlToolFields({ toolName, toolDescription: "Deletes rows of a Postgres table that fit a condition." }),
  approval: writeApprovalField(),
});

export const postgresDeleteTool = defineNode({
  type: "postgres-delete-tool",
  version: 1,
  role: "tool",
  title: "Postgres delete",
  summary: "Lets the agent delete rows of a Postgres table, and shows them first.",
  icon: "database",
  config,
  inputs: {},
  outputs: { tool: out("tool", { label: "Tool", side: "left" }) },
  reach: [writeReach("deletes")],
  toolName: toolNameOf(toolName),
  describe: (raw) => `DELETE ${tableWords(raw)}${approvalMark(raw)}`,
  load: () => import("./postgres-delete-tool.run.ts"),
});
