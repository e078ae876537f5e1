import type { AnyNodeDefinition } from "../../../../engine/document/define-node.ts";
import type { FunctionResult } from "../../../../engine/host.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../../engine/json.ts";
import { testHost } from "../../../../engine/testing/test-host.ts";
import { callSqlTool } from "./call-sql-tool.ts";

/** What the function answers in tests of the nodes, and how it is asked. */

export const rows = [{ id: 1, status: "open" }];
export const read = {
  success: true,
  operation: "select",
  table: "orders",
  data: rows,
  rowCount: 1,
  truncated: false,
  executionTimeMs: 2,
};
const statement = { kind: "update", table: "orders", columns: ["status"], condition: '"id" = ?' };
export const written = {
  success: true,
  operation: "update",
  table: "orders",
  data: [],
  affectedRows: 1,
  truncated: false,
  executionTimeMs: 2,
  statement,
};
export const dryRun = {
  before: rows,
  after: [{ id: 1, status: "paid" }],
  paired: true,
  affectedRows: 1,
  truncated: false,
};
export const noHints = {
  success: false,
  operation: "describe",
  error: "Schema hints are off.",
  errorType: "rejected",
  suggestion: "Ask.",
  sqlState: null,
};
export const column = { type: "integer", nullable: false, hasDefault: false, primaryKey: false };
const tables = [
  {
    table: "orders",
    kind: "table",
    columns: [
      { ...column, name: "id", primaryKey: true },
      { ...column, name: "status", type: "character varying(20)", nullable: true },
    ],
  },
  { table: "sales.people", kind: "view", columns: [{ ...column, name: "name", type: "text" }] },
];
export const hints = { success: true, operation: "describe", executionTimeMs: 1, tables, truncated: false };

export type Answer = (body: JsonObject) => Json;

/** The function as it answers; `describe` has no hints unless a test says so. */
export function hostWith(answer: Answer, described: Json = noHints, approve?: Parameters<typeof testHost>[0]) {
  const sql = (body: JsonObject): FunctionResult => ({
    ok: true,
    body: body["operation"] === "describe" ? described : answer(body),
  });
  return testHost({ ...approve, functions: { "sql-tool": sql } });
}

export const write: Answer = (body) => (body["dryRun"] === true ? { ...written, dryRun } : written);

export async function call(
  node: AnyNodeDefinition,
  config: JsonObject,
  input: JsonObject,
  host = hostWith(node.type === "postgres-select-tool" ? () => read : write),
  json = {},
) {
  const run = await callSqlTool({ host, node, config, calls: [input], input: json });
  const requests = host.functionCalls.map(({ body }) => body).filter((body) => body["operation"] !== "describe");
  return { ...run, host, requests, properties: propertiesOf(run.offered?.parameters) };
}

export function propertiesOf(schema: JsonObject | undefined): JsonObject {
  const properties = schema?.["properties"];
  return isJsonObject(properties) ? properties : {};
}

export const base = { credential: "c", timeoutMs: 10_000 };
