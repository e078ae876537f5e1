import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestDatabase, type TestDatabase } from "./testing/test-database.ts";

let db: TestDatabase;

beforeAll(async () => {
  db = await startTestDatabase();
  await db.run(`
    create function public.leaks(text) returns boolean language plpgsql security definer
      as $$ begin raise exception '%', (select value from public.secrets limit 1); end $$;
    create domain public.halfvec as text check (public.leaks(value));
    create domain public."TEXT" as text check (public.leaks(value));
    create schema extensions;
    create extension citext with schema extensions;
    create table extensions.places (id integer, name text);
    create table extensions.orders (id integer);
    insert into extensions.places values (1, 'Rome');
    grant usage on schema extensions to keeper;
    grant select, delete on extensions.places to keeper;
  `);
});

afterAll(() => db.stop());

describe("S15 a cast does not lead to a type that the database made itself", () => {
  test.each([
    "select note::halfvec from orders",
    "select cast(note as halfvec) from orders",
    "select array[note]::halfvec[] from orders",
    'select note::"TEXT" from orders',
    "select id from orders where note::halfvec is not null",
  ])("%s", async (sql) => {
    expect(await db.fail({ operation: "execute", sql })).toMatchObject({
      errorType: "rejected",
      error: expect.stringContaining("type of its own"),
    });
  });

  test("nor in a condition of the tools that select and change rows", async () => {
    const where = { sql: "note::halfvec = 'x'", parameters: [] };
    for (const request of [
      { operation: "select", where },
      { operation: "update", values: { note: "x" }, where },
      { operation: "delete", where },
      { operation: "delete", where, dryRun: true },
    ]) {
      expect(await db.fail({ table: "orders", ...request }), request.operation).toMatchObject({
        errorType: "rejected",
        error: expect.stringContaining("type of its own"),
      });
    }
  });

  test("but types of Postgres and of extensions are what they were", async () => {
    const sql = "select 'A'::citext = 'a'::citext as same, '1'::TEXT as one, '2'::pg_catalog.int4 as two";
    expect((await db.read({ operation: "execute", sql })).data).toEqual([{ same: true, one: "1", two: 2 }]);
    const where = { sql: "note::citext = $1", parameters: ["NOTE 7"] };
    expect((await db.read({ operation: "select", table: "orders", columns: ["id"], where })).data).toEqual([{ id: 7 }]);
  });
});

describe("a table's name without a schema means the schema public", () => {
  const listed = { settings: { tables: ["places", "orders"] } };

  test("S12 and leads to no table of another one, listed or not", async () => {
    for (const sql of ["select * from places", "select 1 from orders, places p", "delete from places where id = 1"]) {
      for (const options of [listed, {}]) {
        expect(await db.fail({ operation: "execute", sql, readOnly: false }, options), sql).toMatchObject({
          errorType: "rejected",
          suggestion: expect.stringContaining("schema"),
        });
      }
    }
    expect(await db.run("select count(*)::integer as n from extensions.places")).toEqual([{ n: 1 }]);
  });

  test("while that one is reached by its whole name, where it is allowed", async () => {
    const sql = "select name from extensions.places";
    expect((await db.read({ operation: "execute", sql })).data).toEqual([{ name: "Rome" }]);
    expect(await db.fail({ operation: "execute", sql }, listed)).toMatchObject({ errorType: "permission_denied" });
    const both = "with places as (select 1 as id) select o.id from orders o join places using (id)";
    expect((await db.read({ operation: "execute", sql: both })).data).toEqual([{ id: 1 }]);
  });
});
