import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startTestDatabase, type TestDatabase } from "./testing/test-database.ts";

let db: TestDatabase;

beforeAll(async () => {
  db = await startTestDatabase();
  await db.run(`
    set role keeper;
    create table parents (id integer primary key, name text);
    create table children (id integer primary key, parent integer references parents on delete cascade);
    create table late (id integer primary key, parent integer references parents on delete cascade deferrable initially deferred);
    create table audit (at timestamptz default now(), what text);
    create table watched (id integer primary key, name text);
    create function note() returns trigger language plpgsql as $$ begin insert into audit (what) values (tg_op); return null; end $$;
    create trigger note after insert or update or delete on watched for each row execute function note();
    create table ruled (id integer primary key);
    create table log_of_rule (id integer);
    create rule note as on delete to ruled do also insert into log_of_rule values (old.id);
    create table numbered (id serial primary key, name text);
    create table identified (id integer generated always as identity, name text);
    create table split (id integer, name text) partition by range (id);
    create table split_low partition of split for values from (0) to (100);
    create table split_high partition of split for values from (100) to (1000);
    reset role;
    create table public.owned_by_another (id integer generated always as identity, name text);
    grant insert, select on owned_by_another to keeper;
  `);
});

beforeEach(() =>
  db.run(`
    truncate parents, children, late, audit, watched, ruled, log_of_rule, numbered, identified, split;
    insert into parents values (1, 'a'), (2, 'b');
    insert into children select n, 1 from generate_series(1, 20) n;
    insert into late select n, 2 from generate_series(1, 20) n;
    insert into watched select n, 'w' from generate_series(1, 8) n;
    truncate audit;
    insert into ruled select n from generate_series(1, 8) n;
    insert into split select n, 's' from generate_series(95, 104) n;
  `),
);

afterAll(() => db.stop());

const one = (id: number) => [{ column: "id", operator: "=", value: id }];
const few = [{ column: "id", operator: "<=", value: 8 }];

describe("S68 the row cap counts", () => {
  test.each([
    ["cascades", "parents", 1, "20 of children"],
    ["cascades that wait for the end of the transaction", "parents", 2, "20 of late"],
  ])("%s", async (_name, table, id, words) => {
    const failure = await db.fail({ operation: "delete", table, where: one(id), maxAffectedRows: 10 });
    expect(failure).toMatchObject({ errorType: "rejected", error: expect.stringContaining(words) });
    expect(await db.run("select count(*)::int as n from parents")).toEqual([{ n: 2 }]);
  });

  test("triggers, in every operation", async () => {
    const limit = { table: "watched", maxAffectedRows: 10 };
    const rows = Array.from({ length: 8 }, (_, index) => ({ id: 100 + index }));
    for (const request of [
      { operation: "insert", rows, ...limit },
      { operation: "update", values: { name: "x" }, where: few, ...limit },
      { operation: "delete", where: few, ...limit },
      { operation: "execute", sql: "delete from watched where id <= 8", readOnly: false, maxAffectedRows: 10 },
    ])
      expect((await db.fail(request)).error).toContain(
        "8 rows and, through triggers, cascades or rules, 8 more (8 of audit)",
      );
    expect(await db.run("select count(*)::int as n from audit")).toEqual([{ n: 0 }]);
  });

  test("rules", async () => {
    const failure = await db.fail({ operation: "delete", table: "ruled", where: few, maxAffectedRows: 10 });
    expect(failure.error).toContain("8 of log_of_rule");
  });

  test("rows of partitions once", async () => {
    const where = [{ column: "id", operator: ">=", value: 95 }];
    const request = { operation: "update", table: "split", values: { name: "t" }, where, maxAffectedRows: 10 };
    const result = await db.write(request);
    expect(result.affectedRows).toBe(10);
    expect(result.alsoChanged).toBeUndefined();
  });

  test("and says what else changed where it is allowed", async () => {
    const result = await db.write({ operation: "delete", table: "parents", where: one(1), maxAffectedRows: 50 });
    expect(result).toMatchObject({ affectedRows: 1, alsoChanged: [{ table: "children", rows: 20 }] });
  });
});

describe("S68 a dry run", () => {
  test("says what triggers and cascades would change, and changes nothing", async () => {
    const request = { operation: "delete", table: "parents", where: one(1), dryRun: true, maxAffectedRows: 50 };
    const { dryRun } = await db.write(request);
    expect(dryRun).toMatchObject({ affectedRows: 1, alsoChanged: [{ table: "children", rows: 20 }] });
    expect(dryRun?.notes).toBeUndefined();
    expect(await db.run("select count(*)::int as n from children")).toEqual([{ n: 20 }]);
  });

  test.each(["numbered", "identified", "owned_by_another"])(
    "says that it used up numbers of a sequence: %s",
    async (table) => {
      const rows = [{ name: "x" }];
      const request = { operation: "insert", table, rows, dryRun: true };
      for (let time = 0; time < 2; time += 1)
        expect((await db.write(request)).dryRun?.notes).toEqual([
          expect.stringContaining(`numbers of ${table}_id_seq`),
        ]);
      const statement = `insert into ${table} (name) values ('x')`;
      const executed = await db.write({ operation: "execute", sql: statement, readOnly: false, dryRun: true });
      expect(executed.dryRun?.notes).toEqual([expect.stringContaining(`numbers of ${table}_id_seq`)]);
      expect(await db.run(`select count(*)::int as n from ${table}`)).toEqual([{ n: 0 }]);
    },
  );
});

describe("S68 a select", () => {
  test.each([
    [
      "a list",
      [
        { column: "id", operator: "is not null" },
        { column: "id", operator: "=", value: 1 },
      ],
      false,
    ],
    ["SQL that is true for all", { sql: "1 = 1", parameters: [] }, true],
    ["opposites", { sql: "id = 1 or not id = 1", parameters: [] }, true],
    ["SQL that restricts", { sql: "id = 1", parameters: [] }, false],
  ])("says where its condition holds for every row: %s", async (_name, where, told) => {
    const { note } = await db.read({ operation: "select", table: "parents", where });
    expect(note === undefined).toBe(!told);
  });
});
