import { describe, expect, it } from "vitest";
import { exposureOf } from "../../engine/document/exposure.ts";
import { outreachOf } from "../../engine/document/outreach.ts";
import type { Json, JsonObject } from "../../engine/json.ts";
import { runToEnd } from "../../engine/testing/run-to-end.ts";
import { sampleDocument } from "../../engine/testing/sample-nodes.ts";
import { type Answer, hostWith, read, rows, write } from "../tools/postgres/testing/sql-answers.ts";
import { nodeRegistry } from "../index.ts";
import { postgres } from "./postgres.ts";

async function run(config: JsonObject, answer: Answer = () => read, input: Json = {}) {
  const host = hostWith(answer);
  const node = ["postgres", { credential: "c", ...config }] as const;
  const document = sampleDocument({ start: "manual-trigger", node: [...node] }, ["start>node"], nodeRegistry);
  const ran = await runToEnd(document, { registry: nodeRegistry, host, input });
  return { ...ran, requests: host.functionCalls.map(({ body }) => body) };
}

const common = { credential: "c", timeoutMs: 10_000 };
const written: Answer = (body) => ({ ...(write(body) as JsonObject), operation: body["operation"] ?? "update" });

describe("postgres", () => {
  it("selects by conditions with the run's data, always bound", async () => {
    const where = [{ column: "id", operator: "=", value: "{{json.id}}" }];
    const config = { tableName: "orders", columns: ["id", "status"], where, orderBy: "id desc", limit: 5, offset: 10 };
    const { requests, end } = await run(config, () => read, { id: 7 });
    expect(requests).toEqual([
      {
        ...common,
        operation: "select",
        table: "orders",
        columns: ["id", "status"],
        where: [{ column: "id", operator: "=", value: 7 }],
        orderBy: [{ column: "id", direction: "desc" }],
        limit: 5,
        offset: 10,
      },
    ]);
    expect(end.output).toEqual(read);
    expect((await run({ tableName: "orders", result: "rows" })).end.output).toEqual(rows);
    expect((await run({ tableName: "orders" })).requests).toMatchObject([{ columns: ["*"], limit: 1_000 }]);
  });

  it("inserts, updates and deletes, and logs what it changed without values", async () => {
    const insert = await run({ operation: "insert", tableName: "orders", rows: "{{json.items}}" }, written, {
      items: [{ id: 1 }, { id: 2 }],
    });
    expect(insert.requests).toEqual([
      { ...common, operation: "insert", table: "orders", rows: [{ id: 1 }, { id: 2 }], maxAffectedRows: 100 },
    ]);
    const values = { status: "{{json.status}}" };
    const where = "id = {{json.id}}";
    const update = await run(
      { operation: "update", tableName: "orders", values, where, returning: ["id"], role: "clerk" },
      written,
      { id: "1 or true", status: "it's" },
    );
    expect(update.requests).toMatchObject([
      {
        operation: "update",
        values: { status: "it's" },
        where: { parameters: ["1 or true"] },
        returning: ["id"],
        role: "clerk",
      },
    ]);
    expect(update.of("log").map(({ message }) => message)).toEqual(['UPDATE orders where "id" = ?: 1 row']);
    const remove = await run({ operation: "delete", tableName: "orders", where }, written, { id: 1 });
    expect(remove.requests).toMatchObject([{ operation: "delete", table: "orders" }]);
  });

  it("executes one statement, read only unless told otherwise", async () => {
    const statement = "select * from orders where id = {{json.id}}";
    const { requests } = await run({ operation: "execute", statement }, () => ({ ...read, operation: "execute" }), {
      id: 3,
    });
    expect(requests).toMatchObject([{ operation: "execute", parameters: [3], readOnly: true, limit: 1_000 }]);
    const writing = {
      operation: "execute",
      statement: "delete from orders where id = $1",
      parameters: [3],
      readOnly: false,
    };
    expect((await run(writing, written)).requests).toMatchObject([
      { readOnly: false, parameters: [3], maxAffectedRows: 100 },
    ]);
  });

  it("fails with the database's words, or goes on where it is told to", async () => {
    const refusal = {
      success: false,
      operation: "select",
      error: "There is no such table.",
      errorType: "invalid_table",
      suggestion: "Did you mean orders?",
      sqlState: "42P01",
    };
    const { end } = await run({ tableName: "oders" }, () => refusal);
    expect(end.error).toMatchObject({
      code: "tool_error",
      message: "There is no such table.",
      hint: "Did you mean orders?",
      nodeId: "node",
    });
    expect((await run({ tableName: "oders", onError: "continue" }, () => refusal)).end.output).toMatchObject({
      error: { message: "There is no such table." },
    });
    const twice = await run({ operation: "delete", tableName: "orders", where: [] });
    expect(twice.end.error?.message).toBe("A delete needs a condition.");
    expect(twice.requests).toEqual([]);
  });

  it("finds before a run what the database would refuse at every run", () => {
    const first = (config: JsonObject) => postgres.check?.(config, {})[0]?.message;
    expect(first({ operation: "update", values: { a: 1 }, where: [] })).toBe("An update needs a condition.");
    expect(first({ operation: "delete" })).toBe("A delete needs a condition.");
    expect(first({ operation: "insert", rows: [] })).toBe("There are no rows to insert.");
    expect(first({ operation: "update", where: "id = 1" })).toBe("There is nothing to change.");
    expect(first({})).toBeUndefined();
  });

  it("says on its card, and before an imported one runs, what it does", () => {
    expect(postgres.describe?.({ tableName: "orders" })).toBe("SELECT orders");
    expect(postgres.describe?.({ operation: "execute", statement: "select\n 1" })).toBe("select 1");
    const outreach = (config: JsonObject) => outreachOf(postgres, { config });
    expect(outreach({ operation: "delete", tableName: "orders" })).toBe(
      "deletes rows of orders in a Postgres database",
    );
    expect(outreach({ operation: "execute", statement: "select 1" })).toBe(
      "runs SQL on a Postgres database (select 1)",
    );
    expect(exposureOf(postgres, {})).toEqual(["private-data", "untrusted-input"]);
    expect(exposureOf(postgres, { operation: "insert" })).toEqual([]);
  });
});
