import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestDatabase, type TestDatabase } from "./testing/test-database.ts";

let db: TestDatabase;

beforeAll(async () => {
  db = await startTestDatabase();
});

afterAll(() => db.stop());

describe("insert", () => {
  test("puts rows of different columns in by one statement, with defaults for what is missing", async () => {
    const rows = [
      { id: 1001, note: "one" },
      { id: 1002, status: "paid", total: "0.10" },
    ];
    const result = await db.write({ operation: "insert", table: "orders", rows, returning: ["id", "status", "total"] });
    expect(result).toMatchObject({
      affectedRows: 2,
      data: [
        { id: 1001, status: "open", total: null },
        { id: 1002, status: "paid", total: "0.10" },
      ],
      statement: { kind: "insert", table: "orders", columns: ["id", "note", "status", "total"], condition: null },
    });
  });

  test("gives back the keys of the new rows, unless columns are named", async () => {
    const rows = [{ text: "a" }, { text: "b" }];
    await db.run("create table numbered (id integer generated always as identity primary key, text text)");
    await db.run("grant all on numbered to keeper; grant insert on numbered to reader");
    const made = await db.write({ operation: "insert", table: "numbered", rows });
    expect(made).toMatchObject({ affectedRows: 2, data: [{ id: 1 }, { id: 2 }] });
    const named = await db.write({ operation: "insert", table: "numbered", rows, returning: ["text"] });
    expect(named.data).toEqual([{ text: "a" }, { text: "b" }]);
    const none = await db.write({ operation: "insert", table: "numbered", rows, returning: [] });
    expect(none).toMatchObject({ affectedRows: 2, data: [] });
  });

  test("gives back no keys where there are none, or where the role may not read them", async () => {
    const noKey = await db.write({ operation: "insert", table: "secrets", rows: [{ id: 5 }] });
    expect(noKey).toMatchObject({ affectedRows: 1, data: [] });
    const unread = await db.write(
      { operation: "insert", table: "numbered", rows: [{ text: "c" }] },
      { user: "reader" },
    );
    expect(unread).toMatchObject({ affectedRows: 1, data: [] });
    await db.run(`create table guarded (id integer primary key); grant all on guarded to reader;
      alter table guarded enable row level security; create policy add on guarded for insert with check (true)`);
    const hidden = await db.write({ operation: "insert", table: "guarded", rows: [{ id: 1 }] }, { user: "reader" });
    expect(hidden).toMatchObject({ affectedRows: 1, data: [] });
  });

  test("of no rows adds none, and says so", async () => {
    for (const dryRun of [false, true]) {
      const result = await db.write({ operation: "insert", table: "orders", rows: [], dryRun });
      expect(result).toMatchObject({ affectedRows: 0, data: [], statement: { kind: "insert", table: "orders" } });
    }
  });

  test("puts in all or none", async () => {
    const rows = [{ id: 1003 }, { id: 1 }];
    expect(await db.fail({ operation: "insert", table: "orders", rows })).toMatchObject({ sqlState: "23505" });
    const where = { column: "id", operator: "=", value: 1003 };
    expect((await db.read({ operation: "select", table: "orders", where })).rowCount).toBe(0);
  });

  test("says when there are more values than a statement can carry", async () => {
    const rows = Array.from({ length: 10_000 }, (_, id) => ({ id, a: 1, b: 2, c: 3, d: 4, e: 5, f: 6 }));
    expect(await db.fail({ operation: "insert", table: "customers", rows })).toMatchObject({
      errorType: "rejected",
      error: "There are too many values in one call.",
    });
  });

  test("puts a thousand rows in at once", async () => {
    const rows = Array.from({ length: 1_000 }, (_, index) => ({ id: 5_000 + index, age: index }));
    expect((await db.write({ operation: "insert", table: "customers", rows })).affectedRows).toBe(1_000);
  });
});

describe("update and delete", () => {
  const one = { column: "id", operator: "=", value: 10 };

  test("change what the condition finds and say its shape, without values", async () => {
    const request = {
      operation: "update",
      table: "orders",
      values: { status: "void", total: 7.25 },
      where: [one],
      returning: ["total"],
    };
    expect(await db.write(request)).toMatchObject({
      affectedRows: 1,
      data: [{ total: "7.25" }],
      statement: { kind: "update", table: "orders", columns: ["status", "total"], condition: '"id" = ?' },
    });
    const removed = await db.write({ operation: "delete", table: "orders", where: { sql: "id in (10, 11)" } });
    expect(removed).toMatchObject({
      affectedRows: 2,
      data: [],
      statement: { kind: "delete", condition: '"id" in (?, …)' },
    });
  });

  test("S14 roll back above the cap, with the exact count", async () => {
    const where = { sql: "id between 20 and 49" };
    for (const request of [
      { operation: "update", table: "orders", values: { note: "lost" }, where, maxAffectedRows: 29 },
      { operation: "update", table: "orders", values: { note: "lost" }, where, maxAffectedRows: 29, returning: ["id"] },
      { operation: "delete", table: "orders", where, maxAffectedRows: 29, returning: ["*"] },
      { operation: "delete", table: "orders", where, maxAffectedRows: 29, dryRun: true },
      {
        operation: "execute",
        sql: "delete from orders where id between 20 and 49",
        readOnly: false,
        maxAffectedRows: 29,
      },
      {
        operation: "execute",
        sql: "update orders set note = 'lost' where id between 20 and 49 returning id",
        readOnly: false,
        maxAffectedRows: 29,
        limit: 5,
      },
    ]) {
      const failed = await db.fail(request);
      expect(failed).toMatchObject({ errorType: "rejected", error: expect.stringContaining("touch 30 rows") });
    }
    const kept = await db.read({
      operation: "select",
      table: "orders",
      where: { sql: "id between 20 and 49 and note <> 'lost'" },
    });
    expect(kept.rowCount).toBe(30);
  });

  test("as a dry run show rows before and after, and change nothing", async () => {
    const where = [{ column: "id", operator: "in", value: [60, 59] }];
    const update = await db.write({
      operation: "update",
      table: "orders",
      values: { note: "new" },
      where,
      dryRun: true,
    });
    expect(update.dryRun).toMatchObject({
      before: [
        { id: 59, note: "note 59" },
        { id: 60, note: "note 60" },
      ],
      after: [
        { id: 59, note: "new" },
        { id: 60, note: "new" },
      ],
      paired: true,
      affectedRows: 2,
      truncated: false,
    });
    const remove = await db.write({ operation: "delete", table: "orders", where, dryRun: true });
    expect(remove.dryRun).toMatchObject({ before: [{ id: 59 }, { id: 60 }], after: [], affectedRows: 2 });
    const insert = await db.write({ operation: "insert", table: "orders", rows: [{ id: 2_000 }], dryRun: true });
    expect(insert.dryRun).toMatchObject({ before: [], after: [{ id: 2_000, status: "open" }] });
    const unchanged = await db.read({
      operation: "select",
      table: "orders",
      columns: ["note"],
      where: { sql: "id in (59, 60, 2000)" },
      orderBy: [{ column: "id" }],
    });
    expect(unchanged.data).toEqual([{ note: "note 59" }, { note: "note 60" }]);
  });

  test("as a dry run leave rows unpaired where no key tells them apart", async () => {
    const noKey = await db.write({
      operation: "update",
      table: "nokey",
      values: { b: "z" },
      where: { sql: "a > 0" },
      dryRun: true,
    });
    expect(noKey.dryRun).toMatchObject({ paired: false, before: [{}, {}], after: [{ b: "z" }, { b: "z" }] });
    const newKey = await db.write({
      operation: "update",
      table: "orders",
      values: { id: 7_000 },
      where: { sql: "id = 61" },
      dryRun: true,
    });
    expect(newKey.dryRun).toMatchObject({ paired: false, before: [{ id: 61 }], after: [{ id: 7_000 }] });
  });

  test("as a dry run show the first hundred of many", async () => {
    const request = {
      operation: "update",
      table: "orders",
      values: { note: "new" },
      where: { sql: "id > 100" },
      dryRun: true,
      maxAffectedRows: 500,
    };
    const { dryRun } = await db.write(request);
    expect(dryRun).toMatchObject({ truncated: true });
    expect(dryRun?.before).toHaveLength(100);
    expect(dryRun?.affectedRows).toBeGreaterThan(190);
  });
});
