import { z } from "zod";
import { approvalPolicies } from "../../engine/agent/tool.ts";
import { field } from "../../engine/config/field.ts";
import { defineNode } from "../../engine/document/define-node.ts";
import { out } from "../../engine/document/ports.ts";
import type { Json } from "../../engine/json.ts";
import { approvalMark, isGuarded } from "./postgres/sql-card.ts";
import { databaseFields, limitField, sqlToolFields, writeFields } from "./postgres/sql-fields.ts";
import { rowLimits } from "./postgres/sql-request.ts";
import { toolNameOf } from "./tool-fields.ts";
import { isWholeByModel } from "./whole-by-model.ts";

const toolName = "postgres_execute";
const whenWriting = { field: "readOnly", in: [false] };
const bounds = writeFields();
/** `writes` is what people expect: reading goes unasked, changing does not. */
const approvals = ["writes", ...approvalPolicies] as const;

const fragment = z.object({ sql: z.string().max(100_000), parameters: z.array(z.json()) });

const config = z.object({
  ...databaseFields(),
  statement: field(z.union([z.string().max(100_000), fragment]).default(""), {
    label: "Statement",
    help: 'One SQL statement. Values are {{json.id}} or {{ai("id", "which", "integer")}}, without quotes and always bound, or $1 with parameters. Empty: the model writes it.',
    control: "textarea",
    template: "sql",
    ai: true,
    placeholder: "select count(*) from orders where status = $1",
  }),
  parameters: field(z.array(z.json()).max(1_000).default([]), {
    label: "Parameters",
    help: "A list of values for $1, $2 and so on, in order.",
    control: "json",
    template: "value",
    ai: true,
    placeholder: '["{{ai("status", "of the orders", "string")}}"]',
  }),
  readOnly: field(z.boolean().default(true), {
    label: "Read only",
    help: "On: SELECT only, in a read-only transaction. Off: also one INSERT, UPDATE, DELETE or MERGE.",
  }),
  limit: limitField(rowLimits.default),
  maxAffectedRows: field(bounds.maxAffectedRows, {
    label: "Most rows to change",
    help: "A statement that would touch more is rolled back.",
    visibleWhen: whenWriting,
  }),
  dryRun: field(bounds.dryRun, {
    label: "Dry run",
    help: "Runs the statement, returns the rows before and after, and rolls back. Nothing is ever changed.",
    visibleWhen: whenWriting,
  }),
  ...sqlToolFields({ toolName, toolDescription: "Runs one SQL statement on a Postgres database." }),
  approval: field(z.enum(approvals).default("writes"), {
    label: "Approval",
    help: "Writes: you see the rows before and after, and agree to every call, unless the tool is read only. Ask: to every call. Once: to the first call of a run. Ask after untrusted: once texts from outside are in the conversation.",
    section: "Limits",
  }),
});

function statementWords(statement: Json | undefined): string {
  if (typeof statement !== "string" || statement.trim() === "" || isWholeByModel(statement)) return "Any statement";
  return statement.trim().replace(/\s+/g, " ").slice(0, 80);
}

export const postgresExecuteTool = defineNode({
  type: "postgres-execute-tool",
  version: 1,
  role: "tool",
  title: "Postgres execute",
  summary: "Lets the agent run one SQL statement, read-only unless you allow more.",
  icon: "database",
  config,
  inputs: {},
  outputs: { tool: out("tool", { label: "Tool", side: "left" }) },
  reach: [
    {
      to: "database",
      credential: "credential",
      does: (raw) => `runs SQL on a Postgres database (${statementWords(raw["statement"])})`,
      reads: () => true,
      sends(raw) {
        const { approval = "writes" } = raw;
        return raw["readOnly"] === false && approval !== "writes" && !isGuarded(raw, "writes");
      },
    },
  ],
  toolName: toolNameOf(toolName),
  describe(raw) {
    const reads = raw["readOnly"] !== false;
    const { approval = "writes" } = raw;
    const mark = approvalMark(approval === "writes" ? { ...raw, approval: reads ? "never" : "ask" } : raw);
    return `${statementWords(raw["statement"])}${reads ? " · read only" : ""}${mark}`;
  },
  load: () => import("./postgres-execute-tool.run.ts"),
});
