import { z } from "zod/mini";
import { approvalPolicies } from "../../engine/tool/tool.ts";
import { field } from "../../engine/config/field.ts";
import { defineNode } from "../../engine/document/define-node.ts";
import { out } from "../../engine/document/ports.ts";
import type { Json, JsonObject } from "../../engine/json.ts";
import { repeatIfHarmless, repeatsOf, retryFields, toolAfterCrash } from "../flow/error-field.ts";
import { approvalMark, isGuarded, statementWords } from "./postgres/sql-card.ts";
import {
  databaseFields,
  limitField,
  postgresFamily,
  sqlToolFields,
  statementFields,
  writeFields,
} from "./postgres/sql-fields.ts";
import { rowLimits } from "./postgres/sql-request.ts";
import { toolNameOf } from "./tool-fields.ts";
import { statementParts } from "./postgres/part-schemas.ts";
import { rejected } from "./postgres/run-sql.ts";
import { type SqlCall, sqlTool } from "./postgres/sql-tool.ts";

const toolName = "postgres_execute";
const whenWriting = { field: "readOnly", in: [false] };
const bounds = writeFields();
/** `writes` is what people expect: reading goes unasked, changing does not. */
const approvals = ["writes", ...approvalPolicies] as const;

const config = z.object({
  ...databaseFields(),
  ...statementFields(),
  limit: limitField(rowLimits.default),
  maxAffectedRows: field(bounds.maxAffectedRows, {
    label: "Most rows to change",
    help: "A statement that would change more rows is undone.",
    visibleWhen: whenWriting,
  }),
  dryRun: field(bounds.dryRun, {
    label: "Dry run",
    help: "Shows the rows before and after, and undoes the change. Nothing is ever changed.",
    visibleWhen: whenWriting,
  }),
  ...sqlToolFields({ toolName, toolDescription: "Runs one SQL statement on a Postgres database." }),
  approval: field(z._default(z.enum(approvals), "writes"), {
    label: "Approval",
    help: "Writes: you see the rows before and after, and agree to every call, unless the tool is read only. Ask: to every call. Once: to the first call of a run. Ask after untrusted: once texts from outside are in the conversation.",
    section: "Limits",
  }),
  ...retryFields("How often to try again when the connection breaks or the time is over.", {
    field: "readOnly",
    in: [true],
  }),
  afterCrash: toolAfterCrash(repeatIfHarmless, whenWriting),
});

type Config = z.infer<typeof config>;

/** The request of an execute, with what was left to the model in its place. */
export function executeCall(
  filled: Pick<Config, "statement" | "parameters" | "readOnly" | "limit" | "maxAffectedRows" | "dryRun">,
  given: JsonObject,
): SqlCall {
  const { statement, parameters, readOnly, limit, maxAffectedRows, dryRun } = filled;
  const own = typeof statement === "string" ? { sql: statement, parameters } : statement;
  if (typeof statement !== "string" && parameters.length > 0) {
    const suggestion = "Leave the parameters empty, or write $1, $2 … in place of the templates.";
    return { ok: false, answer: rejected("execute", "The statement has templates and parameters.", suggestion) };
  }
  const sql = given["sql"] ?? own.sql;
  const values: Json = given["parameters"] ?? own.parameters;
  const request = { sql, parameters: values, readOnly, limit };
  return { ok: true, request: readOnly ? request : { ...request, maxAffectedRows, dryRun } };
}

export const postgresExecuteTool = defineNode({
  type: "postgres-execute-tool",
  version: 1,
  role: "tool",
  title: "Postgres execute",
  summary: "Lets the agent run an SQL statement, read-only by default.",
  keywords: ["sql", "database", "query", "neon"],
  family: postgresFamily,
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
      writes: (raw) => raw["readOnly"] === false,
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
  async run(context) {
    const { readOnly, approval } = context.config;
    const tool = await sqlTool<Config>(context, {
      operation: "execute",
      approval: approval === "writes" ? (readOnly ? "never" : "ask") : approval,
      writes: !readOnly,
      parts: () => statementParts(readOnly),
      call: executeCall,
    });
    return { tools: [{ ...tool, repeats: readOnly ? repeatsOf({ ...context.config }) : undefined }] };
  },
});
