import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestDatabase, type TestDatabase } from "./testing/test-database.ts";

let db: TestDatabase;

beforeAll(async () => {
  db = await startTestDatabase();
});

afterAll(() => db.stop());

const stored = async (values: Record<string, unknown>) => {
  const rows = [values];
  const { data } = await db.write({ operation: "insert", table: "kinds", rows, returning: Object.keys(values) });
  return data[0];
};

test("values keep every digit and take their column's form", async () => {
  const same = {
    big: "9223372036854775807",
    num: "12345678901234567890.123456789",
    flt: 0.1,
    bool: false,
    day: "2024-02-29",
    at: "2024-02-29T23:59:59.123456",
    zoned: "2024-02-29T23:59:59Z",
    span: "P1DT2H",
    doc: { a: [1, null, "x"], b: { c: true } },
    raw: [1, 2],
    words: ["a", 'b "q" \\ , {}', "", "NULL", null],
    numbers: [1, null, -3],
    docs: [{ a: 1 }, { b: [2] }],
    feeling: "happy",
    key: "6f9619ff-8b86-4d01-b42d-00cf4fc964ff",
  };
  expect(await stored(same)).toEqual(same);
});

test("values with other forms are described or turned", async () => {
  expect(await stored({ big: 5, num: 1.5, bool: "yes", zoned: "2024-01-01T12:00:00+02:00" })).toEqual({
    big: 5,
    num: "1.5",
    bool: true,
    zoned: "2024-01-01T10:00:00Z",
  });
  expect(
    await stored({ bytes: "\\x00ff10", feelings: ["sad", "happy"], flt: "Infinity", doc: "text", raw: "[1]" }),
  ).toEqual({
    bytes: { bytea: "3 bytes", start: "00ff10" },
    feelings: ["sad", "happy"],
    flt: "Infinity",
    doc: "text",
    raw: [1],
  });
  expect(await stored({ doc: "12345678901234567890", numbers: [], bool: null })).toEqual({
    doc: "12345678901234567890",
    numbers: [],
    bool: null,
  });
});

test("lists of types that only this database knows are lists, and texts that look so stay texts", async () => {
  await db.run(`create domain tag as text; create type pair as (a integer, b text);
    create type odd as enum ('{a}', '{'); create table lists (moods mood[], tags tag[], pairs pair[], one odd, none mood[], deep mood[]);
    insert into lists values ('{sad,NULL}', '{"a,b"}', array[row(1, 'x')::pair], '{a}', '{}', '{{sad},{happy}}');
    grant all on lists to keeper;`);
  const { data } = await db.read({ operation: "select", table: "lists" });
  const row = {
    moods: ["sad", null],
    tags: ["a,b"],
    pairs: ["(1,x)"],
    one: "{a}",
    none: [],
    deep: [["sad"], ["happy"]],
  };
  expect(data).toEqual([row]);
  const sql = "select moods, moods as moods from lists";
  expect((await db.read({ operation: "execute", sql })).data).toEqual([
    { moods: ["sad", null], moods_2: ["sad", null] },
  ]);
});

test("a column with a quote in its name is read, filtered, sorted, written and given back", async () => {
  await db.run(
    `create table quoted ("it""s" integer primary key, "o'k" text, "a.b" text); grant all on quoted to keeper`,
  );
  const table = "quoted";
  const row = { 'it"s': 1, "o'k": "x", "a.b": "y" };
  expect((await db.write({ operation: "insert", table, rows: [row], returning: Object.keys(row) })).data).toEqual([
    row,
  ]);
  const where = [{ column: 'it"s', operator: "=", value: 1 }];
  const changed = { operation: "update", table, values: { "o'k": "z" }, where, returning: ['it"s', "o'k"] };
  expect((await db.write(changed)).data).toEqual([{ 'it"s': 1, "o'k": "z" }]);
  const orderBy = [{ column: 'it"s', direction: "desc" }];
  expect((await db.read({ operation: "select", table, columns: ["o'k", 'it"s'], where, orderBy })).data).toEqual([
    { "o'k": "z", 'it"s': 1 },
  ]);
  const fragment = { sql: '"it""s" = $1', parameters: [1] };
  expect((await db.read({ operation: "select", table, where: fragment })).rowCount).toBe(1);
  expect(
    (await db.write({ operation: "update", table, values: { "a.b": "q" }, where: fragment, dryRun: true }))
      .affectedRows,
  ).toBe(1);
  expect((await db.read({ operation: "execute", sql: 'select q."it""s" from quoted q' })).data).toEqual([
    { 'it"s': 1 },
  ]);
  expect((await db.write({ operation: "delete", table, where })).affectedRows).toBe(1);
});

test("JSON with a large integer stays JSON, with that integer's digits as text", async () => {
  const doc = '{"id": 7615917337495251231, "size": 1.5, "list": [-9223372036854775808, 5]}';
  expect(await stored({ doc, docs: [doc] })).toEqual({
    doc: { id: "7615917337495251231", size: 1.5, list: ["-9223372036854775808", 5] },
    docs: [{ id: "7615917337495251231", size: 1.5, list: ["-9223372036854775808", 5] }],
  });
});

test("S17 hostile values are stored as they are", async () => {
  const hostile = [
    "'; drop table orders; --",
    "$1",
    "\\'; select pg_sleep(10)",
    "{{json.message}}",
    "%s %n",
    '"quoted" \\ back',
    "🙂 \u202e rtl",
    "' or 1=1",
    "null",
    "{1,2}",
    "tab\tline\nbell\u0007",
  ];
  const rows = hostile.map((note, index) => ({ id: 9_000 + index, note }));
  await db.write({ operation: "insert", table: "orders", rows });
  for (const { id, note } of rows) {
    for (const where of [
      { column: "note", operator: "=", value: note },
      { sql: "note = $1", parameters: [note] },
      { sql: `note = '${note.replaceAll("'", "''")}'` },
    ]) {
      const found = await db.read({ operation: "select", table: "orders", columns: ["id", "note"], where });
      expect(found.data).toEqual([{ id, note }]);
    }
    const updated = await db.write({
      operation: "update",
      table: "orders",
      values: { note },
      where: { column: "id", operator: "=", value: id },
      returning: ["note"],
    });
    expect(updated.data).toEqual([{ note }]);
    const sql = "select $1::text as note";
    expect((await db.read({ operation: "execute", sql, parameters: [note] })).data).toEqual([{ note }]);
  }
  const together = { words: hostile, doc: { hostile }, docs: hostile.map((note) => ({ [note]: note })) };
  expect(await stored(together)).toEqual(together);
});

test("S17 any text and any JSON comes back as it was put in", async () => {
  const text = fc.string({ unit: "grapheme", maxLength: 50 }).filter((value) => !value.includes("\0"));
  const number = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => (Object.is(value, -0) ? 0 : value));
  await fc.assert(
    fc.asyncProperty(text, fc.array(fc.option(text)), number, async (plain, words, flt) => {
      const doc = { plain, words };
      expect(await stored({ doc, words, flt })).toEqual({ doc, words, flt });
    }),
    { numRuns: 40 },
  );
});
