import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestDatabase, type TestDatabase } from "./testing/test-database.ts";

let db: TestDatabase;

beforeAll(async () => {
  db = await startTestDatabase();
});

afterAll(() => db.stop());

const ids = (rows: readonly Record<string, unknown>[]) => rows.map((row) => row["id"]);

describe("select", () => {
  const select = (request: Record<string, unknown> = {}) =>
    db.read({
      operation: "select",
      table: "orders",
      columns: ["id"],
      orderBy: [{ column: "id" }],
      ...request,
    });

  test("gives columns, order, limit and whether there is more", async () => {
    const result = await select({ limit: 2, orderBy: [{ column: "id", direction: "desc" }] });
    expect(result).toMatchObject({ operation: "select", table: "orders", rowCount: 2, truncated: true });
    expect(ids(result.data)).toEqual([300, 299]);
    const exact = await select({ where: [{ column: "id", operator: "<=", value: 2 }], limit: 2 });
    expect(exact).toMatchObject({ rowCount: 2, truncated: false });
    const second = await select({ columns: ["id"], limit: 2, offset: 2, orderBy: [{ column: "id" }] });
    expect(second).toMatchObject({ data: [{ id: 3 }, { id: 4 }], truncated: true });
  });

  test.each([
    [{ column: "id", operator: "=", value: 7 }, [7]],
    [{ column: "id", operator: "=", value: "7" }, [7]],
    [{ column: "id", operator: "<", value: 3 }, [1, 2]],
    [{ column: "id", operator: ">=", value: 299 }, [299, 300]],
    [{ column: "id", operator: "in", value: [3, 1] }, [1, 3]],
    [{ column: "id", operator: "in", value: [] }, []],
    [
      [
        { column: "id", operator: "not in", value: [] },
        { column: "id", operator: "<", value: 3 },
      ],
      [1, 2],
    ],
    [{ column: "id", operator: "between", value: [4, 5] }, [4, 5]],
    [{ column: "note", operator: "like", value: "note 10_" }, [100, 101, 102, 103, 104, 105, 106, 107, 108, 109]],
    [{ column: "note", operator: "ilike", value: "NOTE 7" }, [7]],
    [{ column: "note", operator: "is null" }, []],
    [
      {
        any: [
          { column: "id", operator: "=", value: 1 },
          {
            all: [
              { column: "id", operator: "<>", value: 9 },
              { column: "total", operator: "=", value: "4.50" },
            ],
          },
        ],
      },
      [1, 3],
    ],
    [
      {
        all: [
          { column: "status", operator: "not in", value: ["paid"] },
          { column: "id", operator: "<", value: 4 },
          { column: "note", operator: "is not null" },
        ],
      },
      [2],
    ],
    [{ sql: "id % 100 = 0 and status = $1", parameters: ["open"] }, [100, 200, 300]],
    [{ sql: "lower(note) in ('note 1', 'note 2') and created_at::date = date '2024-01-01'" }, [1, 2]],
    [{ sql: "extract(year from created_at) = 2024 and id = any($1)", parameters: [[5, 6]] }, [5, 6]],
    [{ sql: "coalesce(total, 0) between 1.5 and 3 or orders.id = '9'" }, [1, 2, 9]],
    [{ sql: "created_at > now() - interval '7 days'" }, []],
    [{ sql: "case when id < 2 then true else false end and not (note ~ '^x')" }, [1]],
  ])("finds by %j", async (where, expected) => {
    expect(ids((await select({ where })).data)).toEqual(expected);
  });

  test("takes a table of another schema and the oddest of names", async () => {
    const table = 'sales."Odd ""Name"""';
    const rows = [{ "a.b": 1, select: 'x"; drop table orders; --' }];
    await db.write({ operation: "insert", table, rows });
    const found = await db.read({ operation: "select", table, where: { column: "a.b", operator: "=", value: 1 } });
    expect(found.data).toEqual([{ ...rows[0], plain: null }]);
  });
});

describe("execute", () => {
  test("runs one statement with its parameters", async () => {
    const sql = "with paid as (select * from orders where status = $1) select count(*) as n, max(id) as n from paid;";
    const { data, table } = await db.read({ operation: "execute", sql, parameters: ["paid"] });
    expect(table).toBe("orders");
    expect(Object.keys(data[0] ?? {})).toEqual(["n", "n_2"]);
  });

  test("writes when it may, and says what", async () => {
    const sql =
      "insert into customers (id, email) values ($1, $2) on conflict (id) do update set email = excluded.email returning id";
    const result = await db.write({ operation: "execute", sql, parameters: [1, "x@example.com"], readOnly: false });
    expect(result).toMatchObject({
      affectedRows: 1,
      data: [{ id: 1 }],
      statement: { kind: "insert", table: "customers", columns: ["id", "email"] },
    });
    const dry = await db.write({
      operation: "execute",
      sql: "delete from customers where id = 1 returning id",
      readOnly: false,
      dryRun: true,
    });
    expect(dry).toMatchObject({ affectedRows: 1, dryRun: { before: [{ id: 1, email: "x@example.com" }], after: [] } });
    expect((await db.read({ operation: "execute", sql: "select 1 as one from customers where id = 1" })).rowCount).toBe(
      1,
    );
  });
});

test("S19 of a million rows and of huge values only a part enters the memory", async () => {
  const million = "select n, repeat_.t from generate_rows n, (select 1 as t) repeat_";
  await db.run(
    "create view public.generate_rows as select generate_series(1, 1000000) as n; grant select on generate_rows to public",
  );
  for (const request of [
    { operation: "select", table: "generate_rows", limit: 1_000 },
    { operation: "execute", sql: million, limit: 1_000 },
  ]) {
    expect(await db.read(request)).toMatchObject({ rowCount: 1_000, truncated: true });
  }
  await db.run(
    "create view public.huge as select n, repeat('x', 60000) as t from generate_series(1, 5000) n; grant select on huge to public",
  );
  const huge = await db.read({ operation: "select", table: "huge", limit: 5_000 });
  expect(huge.truncated).toBe(true);
  expect(JSON.stringify(huge).length).toBeLessThan(5_000_000);
  expect(huge.data[0]?.["t"]).toMatch(/x… \[cut; 60000 characters in all\]$/);
  await db.run("create view public.monster as select repeat('x', 100000000) as t; grant select on monster to public");
  expect(await db.fail({ operation: "select", table: "monster" })).toMatchObject({
    errorType: "rejected",
    error: "The rows are too large.",
  });
});

test("a greeting and a description say who answers and what there is", async () => {
  const hints = { settings: { schemaHints: true, tables: [] } };
  expect(await db.call({ operation: "test" }, hints)).toMatchObject({
    success: true,
    schemaHints: true,
    superuser: false,
  });
  const described = await db.call({ operation: "describe", table: "customers" }, hints);
  expect(described).toMatchObject({
    success: true,
    tables: [
      {
        table: "customers",
        kind: "table",
        columns: [
          { name: "id", type: "integer", nullable: false, hasDefault: false, primaryKey: true },
          { name: "email", type: "text", nullable: true },
          { name: "age" },
          { name: "manager" },
        ],
      },
    ],
  });
  const all = JSON.stringify(await db.call({ operation: "describe" }, hints));
  expect(all).toContain('sales.\\"Odd');
  expect(all).not.toContain("pg_");
  expect(JSON.stringify(await db.call({ operation: "describe" }, { ...hints, user: "reader" }))).not.toContain(
    "secrets",
  );
  expect(await db.fail({ operation: "describe", table: "nothing" }, hints)).toMatchObject({
    errorType: "invalid_table",
  });
});
