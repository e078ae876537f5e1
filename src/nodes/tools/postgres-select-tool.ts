import { z } from "zod/mini";
import { defineNode } from "../../engine/document/define-node.ts";
import { out } from "../../engine/document/ports.ts";
import { retryFields } from "../flow/error-field.ts";
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
} from "./postgres/sql-fields.ts";
import { toolNameOf } from "./tool-fields.ts";

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
  ...retryFields("After broken connections and time limits."),
});

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
  reach: [readReach],
  toolName: toolNameOf(toolName),
  describe: (raw) => `SELECT ${tableWords(raw)}`,
  load: () => import("./postgres-select-tool.run.ts"),
});
