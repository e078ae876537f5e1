import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestDatabase, type TestDatabase } from "./testing/test-database.ts";

let db: TestDatabase;

beforeAll(async () => {
  db = await startTestDatabase();
  await db.run(`
    create function public.leak_with_default(orders, integer default 0) returns text language sql security definer
      as 'select value from public.secrets limit 1';
    create function public.leak_of_many(variadic orders[]) returns text language sql security definer
      as 'select value from public.secrets limit 1';
    create function public.lower(orders) returns text language sql security definer
      as 'select value from public.secrets limit 1';
    create function public.plus(text, integer) returns text language sql security definer
      as 'select value from public.secrets limit 1';
    create operator public.- (leftarg = text, rightarg = integer, function = public.plus);
    create type public.place as (city text, street text);
    create table public.shops (id integer, at public.place);
    insert into public.shops values (1, ('Rome', 'Via Appia'));
    grant select on public.shops to keeper;
  `);
});

afterAll(() => db.stop());

const only = { settings: { tables: ["orders"] } };

describe("S15 a name after a dot calls nothing", () => {
  test.each([
    // Runs any SQL that it is given as text.
    "select ('select to_tsvector(value) from secrets'::text).ts_stat",
    "select x.ts_stat from unnest(array['select to_tsvector(value) from secrets']) x",
    "select unnest.ts_stat from unnest(array['select to_tsvector(value) from secrets'])",
    "select x.value.ts_stat from unnest(array['select to_tsvector(value) from secrets']) with ordinality x(value, place)",
    "select (x.value).ts_stat from unnest(array['select to_tsvector(value) from secrets']) with ordinality x(value, place)",
    "select (select (note).pg_read_file from orders limit 1)",
    "select ('data_directory'::text).current_setting",
    "select ('public.secrets'::text).pg_relation_size",
    "select ((0.1)::float8).pg_sleep",
    "select ('x'::text).nextval",
    "select * from orders where ('/'::text).pg_ls_dir is not null",
    "select orders.leak_with_default from orders limit 1",
    "select o.leak_of_many from orders o limit 1",
    "select (o).leak_with_default from orders o limit 1",
  ])("%s", async (sql) => {
    const failed = await db.fail({ operation: "execute", sql }, only);
    expect(failed).toMatchObject({ errorType: expect.stringMatching(/rejected|invalid_/) });
    expect(JSON.stringify(failed)).not.toContain("canary");
  });

  test("in a statement that writes neither", async () => {
    for (const sql of [
      "insert into orders (id, note) values (9001, ('data_directory'::text).current_setting)",
      "update orders set note = ('data_directory'::text).current_setting where id = 1",
      "delete from orders where id = 1 and ((1)::float8).pg_sleep is null",
      "with seen as (select ('x'::text).current_setting) delete from orders where id = 1",
    ]) {
      expect(await db.fail({ operation: "execute", sql, readOnly: false }), sql).toMatchObject({
        errorType: "rejected",
      });
    }
  });

  test("and names of fields and columns are what they were", async () => {
    const read = async (sql: string) => (await db.read({ operation: "execute", sql })).data;
    expect(await read("select (s.at).city, (at).street from shops s")).toEqual([{ city: "Rome", street: "Via Appia" }]);
    expect(await read("select o.id, o.status from orders o where o.id = 1")).toEqual([{ id: 1, status: "paid" }]);
    expect(await read("select x.value from unnest(array[7]) with ordinality x(value, place)")).toEqual([{ value: 7 }]);
    expect(await read("select e.key from jsonb_each('{\"a\":1}') e")).toEqual([{ key: "a" }]);
  });
});

describe("S15 a listed name does not lead to code of the database", () => {
  test("a function with a namesake needs its full name", async () => {
    for (const sql of ["select lower(o) from orders o limit 1", "select lower(note) from orders limit 1"]) {
      const failed = await db.fail({ operation: "execute", sql });
      expect(failed).toMatchObject({ errorType: "rejected", suggestion: expect.stringContaining("pg_catalog.") });
    }
    const sql = "select pg_catalog.lower('ABC') as low";
    expect((await db.read({ operation: "execute", sql })).data).toEqual([{ low: "abc" }]);
  });

  test("an operator of the database that runs code with rights of its own is refused", async () => {
    const sql = "select note - 1 from orders limit 1";
    expect(await db.fail({ operation: "execute", sql })).toMatchObject({ errorType: "rejected" });
    const fine = "select id + 1 as next from orders where id = 1";
    expect((await db.read({ operation: "execute", sql: fine })).data).toEqual([{ next: 2 }]);
  });

  test("neither does a word that stands for such an operator", async () => {
    await db.run(`
      create function public.leak_of_two(text, integer) returns boolean language sql security definer
        as 'select exists (select from public.secrets)';
      ${["=", "<", ">", "<=", ">="].map((name) => `create operator public.${name} (leftarg = text, rightarg = integer, function = public.leak_of_two);`).join(" ")}
    `);
    for (const sql of [
      "select id from orders where note between 1 and 2",
      "select id from orders where note not between symmetric 1 and 2",
      "select id from orders where note in (select 1)",
      "select case note when 1 then 'one' end from orders",
      "select id from orders join (select 1 as note) x using (note)",
      "select id from orders natural join (select 1 as note) x",
    ]) {
      expect(await db.fail({ operation: "execute", sql }), sql).toMatchObject({
        errorType: "rejected",
        error: expect.stringContaining("operator of its own"),
      });
    }
  });
});

test("S15 a cast of the database that runs with another role's rights is not made", async () => {
  await db.run(`
    create type public.pair as (a integer, b text);
    create function public.pair_text(public.pair) returns text language sql security definer
      as 'select value from public.secrets limit 1';
    create cast (public.pair as text) with function public.pair_text(public.pair) as implicit;
    create table public.pairs (p public.pair);
    insert into public.pairs values ((1, 'x'));
    grant select on public.pairs to keeper;
  `);
  for (const sql of ["select p::text from pairs", "select upper(p) from pairs", "select (p).upper from pairs"]) {
    expect(await db.fail({ operation: "execute", sql }, { settings: { tables: ["pairs"] } }), sql).toMatchObject({
      errorType: "rejected",
    });
  }
  await db.run("drop cast (public.pair as text)");
  const plain = "select (p).a from pairs";
  expect((await db.read({ operation: "execute", sql: plain })).data).toEqual([{ a: 1 }]);
});
