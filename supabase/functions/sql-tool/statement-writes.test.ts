import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startTestDatabase, type TestDatabase } from "./testing/test-database.ts";

let db: TestDatabase;

beforeAll(async () => {
  db = await startTestDatabase();
  await db.run(`
    set role keeper;
    create table archive (id integer, note text);
    create table parts (id integer, region text) partition by list (region);
    create table parts_north partition of parts for values in ('north');
    create view orders_seen as select * from orders;
  `);
});

beforeEach(() =>
  db.run(`
    truncate archive, parts; insert into parts select n, 'north' from generate_series(1, 20) n;
    delete from orders; insert into orders (id, status, note) select n, 'open', 'note ' || n from generate_series(1, 30) n;
    delete from customers; insert into customers (id, age) values (1, 30), (2, 40), (99, 50);
  `),
);

afterAll(() => db.stop());

const execute = (sql: string, more: object = {}) => ({ operation: "execute", sql, readOnly: false, ...more });

const ids = async (table: string): Promise<unknown[]> =>
  (await db.run(`select id from ${table} order by id`)).map(({ id }) => id);

describe("merge", () => {
  const both =
    "merge into orders o using customers c on o.id = c.id when matched then update set note = 'known' when not matched then insert (id, note) values (c.id, 'new')";

  test("changes what it matches, adds what it does not, and says its shape", async () => {
    expect(await db.write(execute(both))).toMatchObject({
      affectedRows: 3,
      statement: { kind: "merge", table: "orders", columns: ["note", "id"], condition: '"o"."id" = "c"."id"' },
    });
    expect(await db.run("select note from orders where id in (1, 99) order by id")).toEqual([
      { note: "known" },
      { note: "new" },
    ]);
  });

  test("takes values as parameters, and deletes by a condition", async () => {
    const sql =
      "merge into orders o using (values ($1::integer)) v (id) on o.id = v.id when matched and o.status = $2 then delete";
    expect(await db.write(execute(sql, { parameters: [5, "open"] }))).toMatchObject({ affectedRows: 1 });
    expect(await ids("orders")).not.toContain(5);
  });

  test("S14 rolls back above the cap, and as a dry run", async () => {
    expect(await db.fail(execute(both, { maxAffectedRows: 2 }))).toMatchObject({
      errorType: "rejected",
      error: expect.stringContaining("touch 3 rows"),
    });
    const dry = await db.write(execute(both, { dryRun: true }));
    expect(dry.dryRun).toMatchObject({ affectedRows: 3, before: [], after: [], truncated: true });
    expect(await ids("orders")).toHaveLength(30);
    expect(await db.run("select 1 from orders where note = 'known'")).toHaveLength(0);
  });

  test("S15 is refused where the tool only reads", async () => {
    expect(await db.fail({ operation: "execute", sql: both })).toMatchObject({
      errorType: "rejected",
      error: "The tool may only read, and this statement writes.",
    });
  });
});

describe("a change within WITH", () => {
  const move = (last: number) =>
    `with gone as (delete from orders where id <= ${last} returning id, note) insert into archive select * from gone returning id`;

  test("is carried out, counted and told with the statement's own", async () => {
    expect(await db.write(execute(move(2)))).toMatchObject({
      affectedRows: 4,
      data: [{ id: 1 }, { id: 2 }],
      statement: {
        kind: "insert",
        table: "archive",
        also: [{ kind: "delete", table: "orders", condition: '"id" <= ?' }],
      },
    });
    expect(await ids("archive")).toEqual([1, 2]);
    expect(await ids("orders")).toHaveLength(28);
  });

  test("may stand before a SELECT, whose rows come back", async () => {
    const sql = "with gone as (delete from orders where id = $1 returning *) select count(*) as n from gone";
    expect(await db.write(execute(sql, { parameters: [3] }))).toMatchObject({
      affectedRows: 1,
      data: [{ n: 1 }],
      statement: { kind: "delete", table: "orders" },
    });
    expect(await ids("orders")).not.toContain(3);
  });

  test("S14 counts for the cap whatever the statement gives back", async () => {
    for (const sql of [
      move(6),
      "with gone as (delete from orders where id <= 11) select 1",
      "with gone as (delete from orders where id <= 11 returning id) select id from gone limit 1",
      "with gone as (delete from parts where id <= 11 returning id) select 1",
      "with a as (delete from orders where id <= 6), b as (delete from customers where id > 0), c as (insert into archive select id from orders where id > 28) select 1",
    ]) {
      expect(await db.fail(execute(sql, { maxAffectedRows: 10, limit: 1 })), sql).toMatchObject({
        errorType: "rejected",
        error: expect.stringMatching(/touch 1[12] rows/),
      });
    }
    expect(await ids("orders")).toHaveLength(30);
    expect(await ids("parts")).toHaveLength(20);
  });

  test("S14 of what is not counted is rolled back", async () => {
    const sql = "with gone as (delete from orders_seen where id = 1) select 1";
    expect(await db.fail(execute(sql))).toMatchObject({
      errorType: "rejected",
      error: expect.stringContaining("cannot be counted"),
    });
    expect(await ids("orders")).toContain(1);
  });

  test("as a dry run changes nothing", async () => {
    const { dryRun } = await db.write(execute(move(2), { dryRun: true }));
    expect(dryRun).toMatchObject({ affectedRows: 4, before: [], after: [] });
    expect(await ids("archive")).toEqual([]);
    expect(await ids("orders")).toHaveLength(30);
  });
});

describe("a dry run of a statement on one table", () => {
  test("shows an update's rows before and after, whatever it gives back", async () => {
    for (const sql of [
      "update orders set note = $1 where id in (8, 7) and status = $2",
      "update orders as o set note = $1 where o.id in (8, 7) and o.status = $2 returning o.id, lower(o.note) as low;",
      "UPDATE public.orders SET note = $1 WHERE id BETWEEN 7 AND 8 AND status = $2 -- both\n",
    ]) {
      const { dryRun, data } = await db.write(execute(sql, { parameters: ["new", "open"], dryRun: true }));
      expect(dryRun, sql).toMatchObject({
        before: [
          { id: 7, note: "note 7", status: "open" },
          { id: 8, note: "note 8" },
        ],
        after: [
          { id: 7, note: "new", status: "open" },
          { id: 8, note: "new" },
        ],
        paired: true,
        affectedRows: 2,
        truncated: false,
      });
      expect(data).toEqual([]);
    }
    expect(await db.run("select 1 from orders where note = 'new'")).toHaveLength(0);
  });

  test("shows a delete's rows, and an insert's", async () => {
    const gone = await db.write(execute("delete from orders where id = 9 returning id", { dryRun: true }));
    expect(gone.dryRun).toMatchObject({ before: [{ id: 9, note: "note 9" }], after: [], affectedRows: 1 });
    const added = await db.write(
      execute("insert into orders (id) values (500) on conflict do nothing", { dryRun: true }),
    );
    expect(added.dryRun).toMatchObject({ before: [], after: [{ id: 500, status: "open" }], affectedRows: 1 });
    expect(await ids("orders")).toHaveLength(30);
  });

  test("says how many where a subquery chooses the rows", async () => {
    const sql = "delete from orders where id in (select id from customers)";
    const { dryRun } = await db.write(execute(sql, { dryRun: true }));
    expect(dryRun).toMatchObject({ before: [], after: [], affectedRows: 2, truncated: true });
    expect(await ids("orders")).toHaveLength(30);
  });

  test("S14 keeps to the cap", async () => {
    const sql = "update orders set note = 'x' where id > 5";
    expect(await db.fail(execute(sql, { dryRun: true, maxAffectedRows: 24 }))).toMatchObject({
      error: expect.stringContaining("touch 25 rows"),
    });
  });
});
