import { z } from "zod/mini";
import { field, fieldHints, type FieldHints } from "../../engine/config/field.ts";
import { type ConfigFinding, defineNode, type RunContext } from "../../engine/document/define-node.ts";
import { one, out } from "../../engine/document/ports.ts";
import { isJsonObject, type Json, type JsonObject } from "../../engine/json.ts";
import { RunError } from "../../engine/errors.ts";
import { saysNothing } from "../tools/postgres/says-nothing.ts";
import { rowWords, statementWords } from "../tools/postgres/sql-card.ts";
import {
  columnsField,
  databaseFields,
  limitField,
  offsetField,
  orderByField,
  rowsField,
  statementFields,
  statementLimitFields,
  tableField,
  valuesField,
  whereField,
  writeFields,
} from "../tools/postgres/sql-fields.ts";
import { rowLimits } from "../tools/postgres/sql-request.ts";
import { runSql } from "../tools/postgres/run-sql.ts";
import { logWrite, type SqlCall } from "../tools/postgres/sql-tool.ts";
import { deleteCall } from "../tools/postgres-delete-tool.ts";
import { executeCall } from "../tools/postgres-execute-tool.ts";
import { insertCall } from "../tools/postgres-insert-tool.ts";
import { selectCall } from "../tools/postgres-select-tool.ts";
import { updateCall } from "../tools/postgres-update-tool.ts";
import { onErrorField, repeatIfHarmless, repeatsOf, retryFields, stepAfterCrash } from "./error-field.ts";

const operations = ["select", "insert", "update", "delete", "execute"] as const;

type Operation = (typeof operations)[number];

/** A field of the Postgres tools in a flow, where no model fills it in. */
function fixed<Type extends z.ZodMiniType>(
  type: Type,
  shown: readonly Operation[],
  hints: Partial<FieldHints> = {},
): Type {
  const { label = "", help = "", ...rest } = fieldHints(type) ?? {};
  return field(type, { label, help, ...rest, ai: false, visibleWhen: { field: "operation", in: shown }, ...hints });
}

const changing = writeFields();
const own = statementFields();

const config = z.object({
  ...databaseFields("node"),
  operation: field(z._default(z.enum(operations), "select"), {
    label: "Operation",
    help: "What to do with the rows.",
    optionTitles: { select: "Select", insert: "Insert", update: "Update", delete: "Delete", execute: "Execute SQL" },
  }),
  tableName: fixed(tableField(), ["select", "insert", "update", "delete"], {
    help: "Such as orders or sales.orders.",
    required: true,
  }),
  columns: fixed(columnsField(), ["select"], { help: "Which columns to read, one per line. * is all of them." }),
  rows: fixed(rowsField(), ["insert"], {
    help: "A list of objects with a value for each column, or {{json.items}}. Columns left out take their default.",
    placeholder: '[{ "name": "{{json.name}}" }]',
  }),
  values: fixed(valuesField(), ["update"], { help: "The column and its new value." }),
  where: fixed(whereField(""), ["select", "update", "delete"], {
    help: "Which rows: conditions that must all hold, or SQL. Values such as {{json.id}} are never run as SQL. Update and delete need one.",
  }),
  orderBy: fixed(orderByField(), ["select"], { help: "Columns with asc or desc, such as created_at desc, id." }),
  statement: fixed(own.statement, ["execute"], {
    help: "One SQL statement. Insert values as {{json.id}} without quotes, or as $1 with parameters.",
    required: true,
  }),
  parameters: fixed(own.parameters, ["execute"], { placeholder: '["{{json.status}}"]' }),
  readOnly: fixed(own.readOnly, ["execute"]),
  limit: fixed(limitField(rowLimits.default), ["select", "execute"], { help: "The most rows to return." }),
  offset: fixed(offsetField(), ["select"], { help: "How many rows to skip at the beginning." }),
  returning: fixed(changing.returning, ["insert", "update", "delete"], {
    help: "Columns of the changed rows to give back, one per line; * for all. Empty: after an insert the keys of the new rows.",
  }),
  maxAffectedRows: fixed(changing.maxAffectedRows, ["insert", "update", "delete", "execute"]),
  result: field(z._default(z.enum(["full", "rows"]), "full"), {
    label: "Output",
    help: "Everything: the rows and how many there were. Rows: only the list.",
    optionTitles: { full: "Everything", rows: "Rows" },
  }),
  ...statementLimitFields(),
  ...retryFields("How often to try again when the connection breaks or the time is over. Not for SQL that may write.", {
    field: "operation",
    in: ["select", "execute"],
  }),
  afterCrash: stepAfterCrash(repeatIfHarmless, { field: "operation", in: ["insert", "update", "delete", "execute"] }),
  onError: onErrorField,
});

const needsCondition: Readonly<Record<string, string>> = { update: "An update", delete: "A delete" };

/** What the server would refuse at every run. */
function check(raw: JsonObject): ConfigFinding[] {
  const find = (name: string, message: string, hint: string): ConfigFinding[] => [
    { field: name, severity: "error", message, hint },
  ];
  const { operation = "select", where, rows, values } = raw;
  const which = typeof operation === "string" ? needsCondition[operation] : undefined;
  if (which !== undefined && saysNothing(where)) {
    return find("where", `${which} needs a condition.`, "Say which rows, such as id = {{json.id}}.");
  }
  if (operation === "insert" && saysNothing(rows))
    return find("rows", "There are no rows to insert.", "Give the rows.");
  if (operation === "update" && saysNothing(values)) {
    return find("values", "There is nothing to change.", "Give at least one column a value.");
  }
  return [];
}

const verbs: Readonly<Record<string, string>> = {
  select: "reads",
  insert: "adds",
  update: "changes",
  delete: "deletes",
};

function does(raw: JsonObject): string {
  const verb = verbs[String(raw["operation"] ?? "select")];
  return verb === undefined
    ? `runs SQL on a Postgres database (${statementWords(raw["statement"])})`
    : rowWords(verb, raw);
}

function words(value: Json | undefined, otherwise: string): string {
  return typeof value === "string" && value.trim() !== "" ? value.trim() : otherwise;
}

type Config = z.infer<typeof config>;

export const postgres = defineNode({
  type: "postgres",
  version: 1,
  role: "flow",
  title: "Postgres",
  summary: "Reads or changes rows of a database, or runs SQL.",
  keywords: [
    "sql",
    "database",
    "query",
    "neon",
    "table",
    "mysql",
    "mongodb",
    "supabase",
    "insert",
    "update",
    "select",
    "delete",
    "row",
    "column",
    "save",
    "store",
  ],
  section: "data",
  icon: "database",
  config,
  inputs: { main: one("main", { label: "Input" }) },
  outputs: { main: out("main", { label: "Output" }) },
  reach: [
    {
      to: "database",
      credential: "credential",
      does,
      reads: ({ operation = "select", returning }) =>
        operation === "select" || operation === "execute" || (Array.isArray(returning) && returning.length > 0),
      writes: ({ operation = "select", readOnly }) =>
        operation !== "select" && (operation !== "execute" || readOnly === false),
      // What it writes is what the workflow's author put there.
      sends: () => false,
    },
  ],
  check,
  repeats({ operation = "select", readOnly, ...raw }) {
    const reads = operation === "select" || (operation === "execute" && readOnly !== false);
    return reads ? repeatsOf(raw) : undefined;
  },
  describe(raw) {
    const { operation = "select" } = raw;
    if (operation === "execute") return statementWords(raw["statement"]);
    return `${String(operation).toUpperCase()} ${words(raw["tableName"], "· no table yet")}`;
  },
  run,
});

/** The request that the tool of the same operation would make, with nothing left to a model. */
function callOf(config: Config): SqlCall {
  const fixed = { ...config, dryRun: false };
  switch (config.operation) {
    case "select":
      return selectCall(fixed, {});
    case "insert":
      return insertCall(fixed, {});
    case "update":
      return updateCall(fixed, {});
    case "delete":
      return deleteCall(fixed, {});
    case "execute":
      return executeCall(fixed, {});
  }
}

/** The function's result, or its rows alone. Throws a RunError with the words of a refusal. */
async function run(context: RunContext<Config, unknown>): Promise<Json> {
  const { config, host, signal, log } = context;
  const { credential, role, statementTimeoutMs, operation } = config;
  const call = callOf(config);
  const common = { credential, timeoutMs: statementTimeoutMs, ...(role === "" ? {} : { role }) };
  const answer = call.ok ? await runSql(host, operation, { ...common, ...call.request }, signal) : call.answer;
  logWrite(answer, (...line) => log("info", ...line));
  const { result } = answer;
  if (result.ok) {
    const rows = isJsonObject(result.output) ? result.output["data"] : undefined;
    return config.result === "rows" ? (rows ?? []) : result.output;
  }
  const {
    message,
    hint = "Check the node's settings.",
    code = "tool_error",
    details,
    retryable = false,
  } = result.error;
  throw new RunError({ code, message, hint, retryable, ...(details === undefined ? {} : { cause: details }) });
}
