import { z } from "zod/mini";
import { defineNode } from "../../engine/document/define-node.ts";
import { out } from "../../engine/document/ports.ts";
import { approvalMark, tableWords, writeReach } from "./postgres/sql-card.ts";
import {
  databaseFields,
  sqlToolFields,
  tableField,
  valuesField,
  whereField,
  writeApprovalField,
  writeFields,
} from "./postgres/sql-fields.ts";
import { toolNameOf } from "./tool-fields.ts";

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

export const postgresUpdateTool = defineNode({
  type: "postgres-update-tool",
  version: 1,
  role: "tool",
  title: "Postgres update",
  summary: "Lets the agent change rows of a Postgres table, and shows the change first.",
  icon: "database",
  config,
  inputs: {},
  outputs: { tool: out("tool", { label: "Tool", side: "left" }) },
  reach: [writeReach("changes")],
  toolName: toolNameOf(toolName),
  describe: (raw) => `UPDATE ${tableWords(raw)}${approvalMark(raw)}`,
  load: () => import("./postgres-update-tool.run.ts"),
});
