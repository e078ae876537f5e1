import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type PostgresConnection, withPostgres } from "./open-postgres.ts";
import { testPassword, startTestDatabase, type TestDatabase } from "./testing/test-database.ts";
import { inTransaction } from "./transaction.ts";

let db: TestDatabase;

beforeAll(async () => {
  db = await startTestDatabase();
});

afterAll(() => db.stop());

/** The function's own connection and transaction, past the checks of what is run in it. */
async function inside<Value>(
  user: "keeper" | "reader",
  readOnly: boolean,
  work: (connection: PostgresConnection) => Promise<Value>,
): Promise<Value> {
  const fields = { connectionString: db.urlOf(user, testPassword), tls: false };
  const options = { policy: { allowHosts: [], allowLoopback: true }, timeoutMs: 5_000, credential: "c" };
  const done = await withPostgres(fields, [new URL(fields.connectionString).host], options, (connection) =>
    inTransaction(connection, { readOnly, timeoutMs: 500, schema: "public" }, async () => ({
      commit: false,
      value: await work(connection),
    })),
  );
  if (!done.ok) throw new Error(done.error.message);
  return done.value;
}

describe("S16 the second wall stands without the first", () => {
  /** What the database says to text that the checks would have refused. */
  async function straight(user: "keeper" | "reader", sql: string, readOnly = true): Promise<string> {
    try {
      await inside(user, readOnly, (connection) => connection.query({ text: sql, parameters: [] }, { limit: 1 }));
      return "done";
    } catch (error) {
      return error instanceof postgres.PostgresError ? error.code : String(error);
    }
  }

  test.each([true, false])("its bounds hold for whatever runs in it (read only: %s)", async (readOnly) => {
    const names = ["statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout"];
    const text = [...names, "transaction_read_only", "default_transaction_read_only"]
      .map((name) => `current_setting('${name}') as ${name}`)
      .join(", ");
    const { rows } = await inside("keeper", readOnly, (connection) =>
      connection.query({ text: `select ${text}`, parameters: [] }, { limit: 1 }),
    );
    const switched = readOnly ? "on" : "off";
    expect(rows.rows).toEqual([
      {
        statement_timeout: "500ms",
        lock_timeout: "500ms",
        idle_in_transaction_session_timeout: "5500ms",
        transaction_read_only: switched,
        default_transaction_read_only: switched,
      },
    ]);
  });

  test.each([
    ["delete from orders", "25006"],
    ["with gone as (delete from orders returning *) select * from gone", "25006"],
    ["merge into orders o using customers c on o.id = c.id when matched then delete", "25006"],
    ["select public.evil()", "25006"],
    ["select 1; delete from orders", "42601"],
    ["create table x (a int)", "25006"],
    ["select count(*) from orders a, orders b, orders c, orders d", "57014"],
  ])("a read-only transaction refuses %s", async (sql, code) => {
    expect(await straight("keeper", sql)).toBe(code);
  });

  test.each([
    ["delete from orders", "42501"],
    ["select * from secrets", "42501"],
    ["update customers set age = 1", "42501"],
    ["merge into orders o using customers c on o.id = c.id when matched then delete", "42501"],
    ["select ('select to_tsvector(value) from secrets'::text).ts_stat", "42501"],
    ["select ('/etc/passwd'::text).pg_read_file", "42501"],
    ["set role keeper", "42501"],
    ["copy orders to '/tmp/x'", "42501"],
  ])("a role with few rights refuses %s", async (sql, code) => {
    expect(await straight("reader", sql, false)).toBe(code);
  });

  test("for tools: a reader may read and no more, whatever the tool allows", async () => {
    const as = { user: "reader" } as const;
    expect(await db.read({ operation: "select", table: "orders", limit: 1 }, as)).toMatchObject({ rowCount: 1 });
    for (const request of [
      { operation: "insert", table: "orders", rows: [{ id: 0 }] },
      { operation: "update", table: "orders", values: { note: "x" }, where: { sql: "id = 1" } },
      { operation: "delete", table: "orders", where: { sql: "id = 1" } },
      { operation: "select", table: "secrets" },
      { operation: "execute", sql: "delete from orders where id = 1", readOnly: false },
      { operation: "select", table: "orders", role: "keeper" },
    ]) {
      expect(await db.fail(request, as)).toMatchObject({ errorType: "permission_denied", sqlState: "42501" });
    }
  });

  test("a role is taken for one statement, with its rights and no others", async () => {
    expect(await db.read({ operation: "select", table: "secrets", role: "auditor" })).toMatchObject({ rowCount: 1 });
    expect(await db.fail({ operation: "select", table: "orders", role: "auditor" })).toMatchObject({
      sqlState: "42501",
    });
  });
});

test("S15 a function in the shape of a column is refused", async () => {
  await db.run(
    "create function public.leak(orders) returns text language sql security definer as 'select value from public.secrets'",
  );
  for (const sql of [
    "select orders.leak from orders",
    "select o.leak from orders o limit 1",
    "select (o).leak from orders o limit 1",
    "select t.o.leak from (select o from orders o) t",
    "select (t.o).leak from (select o from orders o) t",
  ]) {
    const failed = await db.fail({ operation: "execute", sql });
    expect(failed, sql).toMatchObject({ errorType: expect.stringMatching(/rejected|invalid_|syntax/) });
  }
  for (const request of [
    { operation: "select", table: "orders", columns: ["leak"] },
    { operation: "select", table: "orders", where: { sql: "orders.leak = 'x'" } },
    { operation: "select", table: "orders", orderBy: [{ column: "leak" }] },
  ]) {
    expect(await db.fail(request)).toMatchObject({ errorType: "invalid_column" });
  }
  const plain = "select o.id, o.status from orders o where o.id = 1";
  expect((await db.read({ operation: "execute", sql: plain })).data).toEqual([{ id: 1, status: "paid" }]);
});

test("S18 a slow statement ends in time, and its connection is freed", async () => {
  const sql = "select count(*) from orders a, orders b, orders c, orders d";
  expect(await db.fail({ operation: "execute", sql, timeoutMs: 300 })).toMatchObject({
    errorType: "timeout",
    sqlState: "57014",
  });
  const active = "select pid from pg_stat_activity where application_name = 'switchyard'";
  await expect.poll(() => db.run(active)).toHaveLength(0);
});

test("S18 a row that someone else holds ends in time too", async () => {
  const holder = postgres(db.url, { max: 1 });
  await holder.begin(async (sql) => {
    await sql`update orders set note = 'held' where id = 77`;
    const request = {
      operation: "update",
      table: "orders",
      values: { note: "mine" },
      where: { sql: "id = 77" },
      timeoutMs: 400,
    };
    expect(await db.fail(request)).toMatchObject({ errorType: "timeout" });
  });
  await holder.end();
});
