import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { withPostgres } from "./open-postgres.ts";
import { SessionPool } from "./session-pool.ts";
import { testPassword, startTestDatabase, type TestDatabase } from "./testing/test-database.ts";

let db: TestDatabase;

beforeAll(async () => {
  db = await startTestDatabase();
});

afterEach(async () => {
  await db.run("select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'switchyard'");
  await vi.waitFor(async () => {
    if ((await open()).length > 0) throw new Error("There are connections left.");
  }, 60_000);
});

afterAll(() => db.stop());

/** The connections of the function, as the database counts them. */
async function open(): Promise<unknown[]> {
  const rows = await db.run("select pid from pg_stat_activity where application_name = 'switchyard' order by pid");
  return rows.map((row) => row["pid"]);
}

/** Resolves once the only connection has been cleaned and waits. */
async function idle(): Promise<void> {
  await vi.waitFor(async () => {
    const [first, ...others] = await db.run(
      "select state, query from pg_stat_activity where application_name = 'switchyard'",
    );
    const waits = others.length === 0 && first?.["state"] === "idle" && first["query"] === "discard all";
    if (!waits) throw new Error("The connection does not wait.");
  }, 60_000);
}

const some = { operation: "select", table: "orders", columns: ["id"], limit: 1, credential: "one" };

test("the calls of a credential use one connection after another; other credentials and secrets have their own", async () => {
  const pool = new SessionPool();
  await db.read(some, { pool });
  await idle();
  const first = await open();
  await db.read(some, { pool });
  await idle();
  await db.fail({ ...some, table: "nothing" }, { pool });
  await idle();
  expect(await open()).toEqual(first);
  await db.read({ ...some, credential: "two" }, { pool });
  await db.read(some, { pool, user: "reader" });
  await expect.poll(async () => (await open()).length).toBe(3);
});

test("a connection that nobody wants is closed after the idle limit", async () => {
  await db.read(some, { pool: new SessionPool({ idleMs: 1 }) });
  await expect.poll(open).toEqual([]);
});

test("a connection that was cut off while it waited is replaced", async () => {
  const pool = new SessionPool();
  await db.read(some, { pool });
  await idle();
  await db.run("select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'switchyard'");
  expect(await db.read(some, { pool })).toMatchObject({ rowCount: 1 });
});

test("nothing that a call leaves in its session is there for the next", async () => {
  const pool = new SessionPool();
  const fields = { connectionString: db.urlOf("keeper", testPassword), tls: false };
  const options = { policy: { allowHosts: [], allowLoopback: true }, timeoutMs: 5_000, credential: "one", pool };
  const within = (text: string) =>
    withPostgres(fields, [new URL(fields.connectionString).host], options, async (connection) => {
      await connection.command(text);
      const settings = "select current_setting('work_mem') as memory, to_regclass('pg_temp.left_over')::text as table";
      return (await connection.query({ text: settings, parameters: [] }, { limit: 1 })).rows.rows;
    });
  const dirty = await within("set work_mem = '1MB'; create temporary table left_over (a integer)");
  expect(dirty).toMatchObject({ value: [{ memory: "1MB", table: "left_over" }] });
  await idle();
  const [connection] = await open();
  expect(await within("select 1")).toMatchObject({ value: [{ memory: "4MB", table: null }] });
  await idle();
  expect(await open()).toEqual([connection]);
});

test("a call that was stopped gives its connection to nobody", async () => {
  const pool = new SessionPool();
  await db.read(some, { pool });
  await idle();
  const stopped = new AbortController();
  const slow = "select count(*) from orders a, orders b, orders c, orders d";
  const answer = db.refuse({ operation: "execute", sql: slow, credential: "one" }, { pool, signal: stopped.signal });
  const running = () =>
    db.run("select 1 from pg_stat_activity where application_name = 'switchyard' and state = 'active'");
  await expect.poll(async () => (await running()).length).toBe(1);
  stopped.abort();
  expect(await answer).toMatchObject({ code: "cancelled" });
  await expect.poll(open).toEqual([]);
  expect(await db.read(some, { pool })).toMatchObject({ rowCount: 1 });
});

test("S2 a connection that waits is used only for an address that is permitted now", async () => {
  const pool = new SessionPool();
  await db.read(some, { pool });
  await idle();
  const key = { credential: "one", connectionString: db.urlOf("keeper", testPassword), tls: false };
  expect(pool.take(key, ["203.0.113.1"])).toBeUndefined();
  await expect.poll(open).toEqual([]);
});
