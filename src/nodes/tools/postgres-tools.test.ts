import { describe, expect, it } from "vitest";
import { testHost } from "../../engine/testing/test-host.ts";
import { givenValues } from "./postgres/given-values.ts";
import { type Answer, base, call, hostWith, read, rows } from "./postgres/testing/sql-answers.ts";
import { postgresDeleteTool } from "./postgres-delete-tool.ts";
import { postgresExecuteTool } from "./postgres-execute-tool.ts";
import { postgresInsertTool } from "./postgres-insert-tool.ts";
import { postgresSelectTool } from "./postgres-select-tool.ts";
import { postgresUpdateTool } from "./postgres-update-tool.ts";

describe("what the author leaves empty", () => {
  it("is the model's in a select: table, columns, condition, order and fewer rows", async () => {
    const where = [{ column: "status", operator: "=", value: "open" }];
    const input = { table: "orders", columns: ["id"], where, orderBy: [{ column: "id", direction: "desc" }], limit: 5 };
    const { offered, requests, results, properties } = await call(postgresSelectTool, {}, input);
    expect(Object.keys(properties)).toEqual(["table", "columns", "where", "whereSql", "orderBy", "limit", "offset"]);
    expect(offered?.parameters["required"]).toEqual(["table"]);
    expect(requests).toEqual([
      { ...base, given: ["orders", "id", "status", "=", "open", "desc", "5"], operation: "select", ...input },
    ]);
    expect(results).toEqual([read]);
  });

  it("is the model's in a select: where it reads on, past what the author skips", async () => {
    const { requests } = await call(postgresSelectTool, { tableName: "orders", offset: 5 }, { limit: 10, offset: 20 });
    expect(requests).toMatchObject([{ limit: 10, offset: 25 }]);
  });

  it("is the model's in writes: rows, values and the condition", async () => {
    const insert = await call(postgresInsertTool, { approval: "never" }, { table: "orders", rows });
    const given = givenValues({ table: "orders", rows });
    expect(insert.requests).toEqual([
      { ...base, given, operation: "insert", table: "orders", rows, maxAffectedRows: 100 },
    ]);
    const input = { table: "orders", values: { status: "paid" }, whereSql: "id = 1" };
    const update = await call(postgresUpdateTool, { approval: "never", returning: ["id"] }, input);
    expect(update.requests[0]).toMatchObject({
      operation: "update",
      values: { status: "paid" },
      where: { sql: "id = 1", parameters: [] },
      returning: ["id"],
    });
    const deleted = await call(
      postgresDeleteTool,
      { approval: "never" },
      { table: "orders", where: [{ column: "id", operator: "=", value: 1 }] },
    );
    expect(deleted.requests[0]).toMatchObject({
      operation: "delete",
      where: [{ column: "id", operator: "=", value: 1 }],
    });
  });

  it("is the whole statement of execute, read-only unless told otherwise", async () => {
    const host = hostWith(() => ({ ...read, operation: "execute", table: null }));
    const input = { sql: "select * from orders where id = $1", parameters: [1] };
    const { requests, host: asked } = await call(postgresExecuteTool, {}, input, host);
    expect(requests).toEqual([
      { ...base, given: [input.sql, "1"], operation: "execute", ...input, readOnly: true, limit: 1_000 },
    ]);
    expect(asked.approvals).toEqual([]);
  });
});

describe("what the author writes", () => {
  it("is fixed: the model cannot choose another table, nor more rows than allowed", async () => {
    const config = { tableName: "orders", columns: ["id, status"], orderBy: 'created_at desc, "Odd, name"', limit: 10 };
    const { properties, requests } = await call(postgresSelectTool, config, { limit: 10 });
    expect(Object.keys(properties)).toEqual(["where", "whereSql", "limit", "offset"]);
    expect(requests[0]).toMatchObject({
      table: "orders",
      columns: ["id", "status"],
      orderBy: [
        { column: "created_at", direction: "desc" },
        { column: "Odd, name", direction: "asc" },
      ],
      limit: 10,
    });
    const other = await call(postgresSelectTool, config, { table: "secrets" });
    expect(other.requests).toEqual([]);
    expect(other.read[0]).toContain("table");
  });

  it("S30 has its templates as values: in a fragment they are bound, in conditions they keep their type", async () => {
    const json = { name: "x' or 1=1 --", id: 7 };
    const fragment = { tableName: "orders", where: "name = {{json.name}} and id = {{json.id}}" };
    const bound = await call(postgresSelectTool, fragment, {}, undefined, json);
    expect(bound.requests[0]?.["where"]).toEqual({ sql: "name = $1 and id = $2", parameters: [json.name, 7] });
    const list = { tableName: "orders", where: [{ column: "id", operator: "=", value: "{{json.id}}" }] };
    const typed = await call(postgresSelectTool, list, {}, undefined, json);
    expect(typed.requests[0]?.["where"]).toEqual([{ column: "id", operator: "=", value: 7 }]);
  });

  it("may leave parts to the model with ai(…), which become typed parameters", async () => {
    const config = {
      approval: "never",
      tableName: "orders",
      values: { status: '{{ai("status", "the new status", "string")}}' },
      where: [{ column: "id", operator: "=", value: '{{ai("id", "of the order", "integer")}}' }],
    };
    const { properties, requests } = await call(postgresUpdateTool, config, { status: "paid", id: 3 });
    expect(properties).toEqual({
      status: { type: "string", description: "the new status" },
      id: { type: "integer", description: "of the order" },
    });
    expect(requests[0]).toMatchObject({
      values: { status: "paid" },
      where: [{ column: "id", operator: "=", value: 3 }],
    });
  });

  it("may be one ai(…), which keeps its name and gets the field's schema", async () => {
    const config = {
      tableName: "orders",
      columns: ['{{ai("fields", "what to show", "array")}}'],
      where: '{{ai("filter", "which orders", "json")}}',
    };
    const filter = [{ any: [{ column: "id", operator: "in", value: [1, 2] }] }];
    const { properties, requests } = await call(postgresSelectTool, config, { fields: ["id"], filter });
    expect(properties["filter"]).toMatchObject({ type: "array", description: "which orders" });
    expect(properties["fields"]).toMatchObject({ type: "array", description: "what to show" });
    expect(requests[0]).toMatchObject({ columns: ["id"], where: filter });
  });

  it("may be a statement with templates or with parameters, not with both", async () => {
    const answer: Answer = () => ({ ...read, operation: "execute", table: null });
    const config = {
      statement: 'select * from orders where id = {{ai("id", "", "integer")}} and note = {{json.note}}',
    };
    const bound = await call(postgresExecuteTool, config, { id: 4 }, hostWith(answer), { note: "it's" });
    expect(bound.requests[0]).toMatchObject({
      sql: "select * from orders where id = $1 and note = $2",
      parameters: [4, "it's"],
    });
    const both = await call(postgresExecuteTool, { ...config, parameters: [1] }, { id: 4 }, hostWith(answer), {
      note: "",
    });
    expect(both.requests).toEqual([]);
    expect(both.results[0]).toMatchObject({ details: { success: false, errorType: "rejected" } });
  });
});

describe("failures that the model reads", () => {
  it("have the shape of every failure, with a suggestion", async () => {
    const failure = {
      success: false,
      operation: "select",
      error: 'There is no column "stat".',
      errorType: "invalid_column",
      suggestion: "Columns: id, status.",
      sqlState: "42703",
    };
    const {
      results,
      read: said,
      end,
    } = await call(
      postgresSelectTool,
      { tableName: "orders" },
      {},
      hostWith(() => failure),
    );
    expect(results[0]).toEqual({
      message: failure.error,
      hint: failure.suggestion,
      code: "tool_error",
      details: failure,
    });
    expect(said[0]).toContain("Columns: id, status.");
    expect(end.outcome).toBe("completed");
  });

  it("S14 say that an update or delete needs a condition, without asking the database", async () => {
    for (const node of [postgresUpdateTool, postgresDeleteTool]) {
      const { requests, results } = await call(node, { approval: "never", tableName: "orders", values: { a: 1 } }, {});
      expect(requests).toEqual([]);
      expect(results[0]).toMatchObject({
        details: { success: false, errorType: "rejected", suggestion: expect.stringContaining("where") },
      });
    }
  });

  it("name the part of a request that does not fit", async () => {
    const both = await call(
      postgresSelectTool,
      { tableName: "o" },
      { where: [{ column: "a", operator: "is null" }], whereSql: "b" },
    );
    expect(both.read[0]).toContain("not both");
    const odd = await call(postgresInsertTool, { approval: "never", tableName: "o", rows: ["text"] }, {});
    expect(odd.read[0]).toContain("rows.0");
  });

  it("pass on what the function refuses", async () => {
    const error = { code: "rate_limit" as const, message: "Too many calls.", hint: "Wait 3 s.", retryable: true };
    const host = testHost({ functions: { "sql-tool": () => ({ ok: false, status: 429, error }) } });
    const { results, of } = await call(postgresSelectTool, { tableName: "orders" }, {}, host);
    expect(results[0]).toEqual({ message: "Too many calls.", hint: "Wait 3 s.", code: "rate_limit" });
    expect(of("log")).toMatchObject([{ level: "warn", message: expect.stringContaining("could not be listed") }]);
  });

  it("are told from an answer that cannot be read", async () => {
    const { results } = await call(
      postgresSelectTool,
      { tableName: "orders" },
      {},
      hostWith(() => ({ surprise: 1 })),
    );
    expect(results[0]).toMatchObject({ code: "internal" });
  });
});
