import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { testPassword, startTestDatabase, type CallOptions, type TestDatabase } from "./testing/test-database.ts";

let db: TestDatabase;

beforeAll(async () => {
  db = await startTestDatabase();
  await db.run(`
    insert into customers values (1, 'taken@example.com', 30, null), (2, 'boss', 40, 1);
    create table busy (id integer primary key, span int4range, code varchar(3), exclude using gist (span with &&));
    insert into busy values (1, '[1,5)', 'abc');
    create function complain() returns trigger language plpgsql as $$ begin raise exception 'secret of the trigger'; end $$;
    create table guarded (id integer); create trigger guard before insert on guarded for each row execute function complain();
    create table "Odd" ("it""s" integer, "a.b" text);
    create unique index busy_code on busy (lower(code), id);
    create table logged (id integer); create table other (must integer not null);
    create function also() returns trigger language plpgsql as $$ begin insert into other values (null); return new; end $$;
    create trigger copy before insert on logged for each row execute function also();
    create role inserter login password '${testPassword}'; grant insert on customers, busy, orders, logged to inserter;
    create table made (id integer generated always as identity, twice integer generated always as (1 + 1) stored);
    grant all on all tables in schema public to keeper;
  `);
});

afterAll(() => db.stop());

const hints: CallOptions = { settings: { schemaHints: true } };
const insert = (table: string, row: object) => ({ operation: "insert", table, rows: [row] });
const select = (where: object, table = "orders") => ({ operation: "select", table, where });

/** Everything that can go wrong in the database, its category, and what only hints may add. */
const cases: [string, object, string, string, RegExp | null][] = [
  ["a missing table", { operation: "select", table: "custmers" }, "invalid_table", "42P01", /Did you mean customers\?/],
  [
    "a missing table like no other",
    { operation: "select", table: "xyzzyxyzzy" },
    "invalid_table",
    "42P01",
    /There are the tables .*orders/,
  ],
  ["a missing schema", { operation: "select", table: "nope.orders" }, "invalid_table", "42P01", /Did you mean orders/],
  [
    "a missing column",
    { operation: "select", table: "orders", columns: ["totl"] },
    "invalid_column",
    "42703",
    /orders has the columns id, status, total/,
  ],
  ["a missing column in a condition", select({ sql: "totl > 5" }), "invalid_column", "42703", /status, total/],
  [
    "a missing column to write",
    { operation: "update", table: "orders", values: { totl: 1 }, where: { sql: "id = 1" } },
    "invalid_column",
    "42703",
    /status, total/,
  ],
  [
    "a missing column in a statement",
    { operation: "execute", sql: "select nme from customers, orders" },
    "invalid_column",
    "42703",
    /customers has the columns .* orders has the columns/,
  ],
  [
    "an ambiguous column",
    { operation: "execute", sql: "select id from orders, customers" },
    "invalid_column",
    "42702",
    /customers has/,
  ],
  ["a generated column", insert("made", { twice: 3 }), "invalid_column", "428C9", null],
  [
    "a taken value",
    insert("customers", { id: 3, email: "taken@example.com" }),
    "constraint_violation",
    "23505",
    /customers_email_key on email/,
  ],
  [
    "a missing parent",
    insert("customers", { id: 4, manager: 99 }),
    "constraint_violation",
    "23503",
    /customers_manager_fkey on manager/,
  ],
  [
    "a row that others need",
    { operation: "delete", table: "customers", where: { sql: "id = 1" } },
    "constraint_violation",
    "23503",
    /customers_manager_fkey/,
  ],
  [
    "a broken rule",
    insert("customers", { id: 5, age: -1 }),
    "constraint_violation",
    "23514",
    /customers_age_check on age/,
  ],
  ["a missing value", insert("customers", { id: null }), "constraint_violation", "23502", /column id/],
  ["an overlap", insert("busy", { id: 2, span: "[2,3)" }), "constraint_violation", "23P01", /busy_span_excl on span/],
  ["a text too long", insert("busy", { id: 3, code: "abcd" }), "constraint_violation", "22001", null],
  ["a number too large", insert("orders", { id: 99_999_999_999 }), "constraint_violation", "22003", null],
  ["a trigger's objection", insert("guarded", { id: 1 }), "constraint_violation", "P0001", null],
  ["a value of another type", select({ column: "id", operator: "=", value: "abc" }), "syntax_error", "22P02", null],
  [
    "a date that is none",
    select({ column: "created_at", operator: ">", value: "2024-13-45" }),
    "syntax_error",
    "22008",
    null,
  ],
  [
    "an operator that does not fit",
    select({ column: "id", operator: "like", value: "1%" }),
    "syntax_error",
    "42883",
    null,
  ],
  ["a division by zero", select({ sql: "id / 0 = 1" }), "syntax_error", "22012", null],
  ["a bad expression", select({ sql: "note ~ '('" }), "syntax_error", "2201B", null],
  ["a condition that is none", select({ sql: "note" }), "syntax_error", "42804", null],
];

describe("what goes wrong in the database", () => {
  test.each(cases)("%s", async (_name, request, errorType, sqlState, hinted) => {
    const plain = await db.fail(request);
    expect(plain).toMatchObject({ success: false, errorType, sqlState });
    expect(plain.error).toMatch(/\.$/);
    expect(plain.suggestion).toMatch(/[.?]$/);
    const open = await db.fail(request, hints);
    expect(open).toMatchObject({ errorType, sqlState });
    const said = (failed: typeof plain) => `${failed.error} ${failed.suggestion}`;
    if (hinted === null) expect(said(open)).toBe(said(plain));
    else {
      expect(said(open)).toMatch(hinted);
      // Without the owner's consent no rule is named, and no table but those that the request names, unless it asks for one that there is not.
      expect(said(plain)).not.toMatch(/_key|_fkey|_check|_excl/);
      if (sqlState !== "42P01") expect(said(plain)).not.toMatch(/secrets|kinds|nokey/);
    }
  });

  test.each<[string, object, string | null]>([
    ["a column", { operation: "select", table: "orders", columns: ["id", "totl"] }, "total"],
    ["a column of a condition", select({ sql: "statsu = 'open'" }), "status"],
    ["a column of another case", { operation: "select", table: "orders", columns: ["Total"] }, "total"],
    ["a column in a statement", { operation: "execute", sql: "select o.creted_at from orders o" }, "created_at"],
    [
      "a column to write",
      { operation: "update", table: "orders", values: { statu: "x" }, where: { sql: "id = 1" } },
      "status",
    ],
    ["a table", { operation: "select", table: "oders" }, "orders"],
    ["a table in a statement", { operation: "execute", sql: "select * from custmers" }, "customers"],
  ])("without hints names the nearest that may be selected anyway: %s", async (_name, request, near) => {
    const { suggestion } = await db.fail(request, { user: "reader" });
    expect(suggestion).toBe(`Did you mean ${near}?`);
  });

  test("without hints a name like no other is answered with all that may be selected anyway", async () => {
    await db.run(
      "create table partly (id integer, shown text, masked text); grant select (id, shown) on partly to reader",
    );
    const told = async (request: object) => (await db.fail(request, { user: "reader" })).suggestion;
    expect(await told({ operation: "select", table: "orders", columns: ["zzzzzzz"] })).toBe(
      "orders has the columns id, status, total, note, created_at.",
    );
    expect(await told({ operation: "select", table: "partly", columns: ["zzzzzzz"] })).toBe(
      "partly has the columns id, shown.",
    );
    expect(await told({ operation: "select", table: "xyzzyxyzzy" })).toMatch(
      /^There are the tables .*customers.*orders/,
    );
    expect(await told({ operation: "select", table: "xyzzyxyzzy" })).not.toMatch(/secrets|nokey/);
  });

  test.each<[string, object, string]>([
    ["a column that is not there", insert("orders", { id: 900, totl: 1 }), "There is no such column. It is totl."],
    ["a column with a quote", insert("Odd", { "it's": 1 }), "It is it's."],
    ["a column that is generated", insert("made", { twice: 3 }), "It is twice."],
    [
      "a number that is none",
      insert("orders", { id: 900, note: "n/a", total: "n/a" }),
      'It is "n/a" for the column total (numeric(12,2)).',
    ],
    [
      "a date that is none",
      insert("orders", { id: 900, created_at: "soon" }),
      'It is "soon" for the column created_at (timestamp with time zone).',
    ],
    [
      "a day that there is not",
      insert("kinds", { day: "2024-02-31" }),
      'It is "2024-02-31" for the column day (date).',
    ],
    ["a choice that is none", insert("kinds", { feeling: "angry" }), 'It is "angry" for the column feeling (mood).'],
    ["one of a list", insert("kinds", { numbers: [1, "two"] }), 'It is "two" for the column numbers (integer[]).'],
    ["an empty text for a number", insert("kinds", { big: "" }), 'It is "" for the column big (bigint).'],
    [
      "a text too long",
      insert("busy", { id: 3, code: "wxyz" }),
      'It is "wxyz" for the column code (character varying(3)).',
    ],
    [
      "an integer too large",
      insert("orders", { id: 99_999_999_999 }),
      'It is "99999999999" for the column id (integer).',
    ],
    [
      "a number too large",
      insert("orders", { id: 900, total: 1e11 }),
      'It is "100000000000" for the column total (numeric(12,2)).',
    ],
    [
      "the row that does not fit",
      {
        operation: "insert",
        table: "orders",
        rows: [
          { id: 901, total: 1 },
          { id: 902, total: "x" },
        ],
      },
      'It is "x" for the column total',
    ],
    [
      "a value of a change",
      { operation: "update", table: "orders", values: { total: "x" }, where: { sql: "id = 1" } },
      'It is "x" for the column total',
    ],
    [
      "a value of a condition",
      { operation: "delete", table: "orders", where: [{ column: "id", operator: "in", value: [1, "x"] }] },
      'It is "x" for the column id',
    ],
    [
      "a parameter",
      { operation: "execute", sql: "select * from orders where note = $1 and id = $2", parameters: ["y", "x"] },
      'It is "x" for $2.',
    ],
    [
      "a value that is taken",
      insert("customers", { id: 3, email: "taken@example.com" }),
      "The rule is about the column email.",
    ],
    ["a value that an index takes once", insert("orders", { id: 1 }), "The rule is about the column id."],
    ["a row that is not there", insert("customers", { id: 4, manager: 99 }), "The rule is about the column manager."],
    ["a rule", insert("customers", { id: 5, age: -1 }), "The rule is about the column age."],
  ])("names what is the request's own: %s", async (_name, request, words) => {
    for (const options of [{}, hints]) {
      const { error, errorType } = await db.fail(request, options);
      if (errorType === "constraint_violation" && words.startsWith("The rule") && options === hints) continue;
      expect(error).toContain(words);
    }
  });

  test("repeats no value that the author fixed, where a model gave the rest", async () => {
    const told = async (given: string[]) =>
      (await db.fail({ ...insert("orders", { id: 900, total: "fixed-by-author" }), given }, {})).error;
    expect(await told(["900"])).toContain("It is the value for the column total (numeric(12,2)).");
    expect(await told(["900"])).not.toContain("fixed-by-author");
    expect(await told(["fixed-by-author"])).toContain('It is "fixed-by-author" for the column total');
  });

  test("names no column that is neither the request's own nor to be selected, nor one of a table that a trigger writes to", async () => {
    const asInserter = { connectionString: db.urlOf("inserter", testPassword) };
    const told = async (request: object) => {
      const { error, suggestion } = await db.fail(request, asInserter);
      return `${error} ${suggestion}`;
    };
    expect(await told(insert("orders", { total: 1 }))).toBe(
      "A column that must have a value has none. Give every required column a value.",
    );
    expect(await told(insert("orders", { id: null }))).toContain("Give the column id a value.");
    expect(await told(insert("orders", { id: "x" }))).toContain('It is "x" for the column id.');
    expect(await told(insert("logged", { id: 1 }))).not.toContain("must integer");
    expect(await told(insert("logged", { id: 1 }))).not.toMatch(/column must[^ ]* a value\./);
  });

  test("names no column or table that the role may not select, nor one that the call's own role may not", async () => {
    await db.run(
      "create table hidden (id integer, shown text, masked text); grant select (id, shown) on hidden to reader",
    );
    const column = { operation: "select", table: "hidden", columns: ["maskd"] };
    expect((await db.fail(column, { user: "reader" })).suggestion).not.toContain("masked");
    const table = { operation: "select", table: "secret" };
    expect((await db.fail(table, { user: "reader" })).suggestion).not.toContain("secrets");
    expect((await db.fail(table)).suggestion).toBe("Did you mean secrets?");
    const asAuditor = { operation: "select", table: "order", role: "auditor" };
    expect((await db.fail(asAuditor)).suggestion).not.toContain("orders");
  });

  test("hints name only what the credential's list allows", async () => {
    const limited: CallOptions = { settings: { schemaHints: true, tables: ["orders"] } };
    const failed = await db.fail({ operation: "select", table: "order" }, limited);
    expect(failed).toMatchObject({ errorType: "permission_denied", suggestion: "Use one of these tables: orders." });
    const settings = { tables: ["orders", "secrets"] };
    const unsaid = await db.fail({ operation: "select", table: "order" }, { settings });
    expect(unsaid).toMatchObject({ errorType: "permission_denied", suggestion: "Did you mean orders?" });
    const unreadable = await db.fail({ operation: "select", table: "secret" }, { settings, user: "reader" });
    expect(JSON.stringify(unreadable)).not.toContain("secrets");
    const unlisted = await db.fail({ operation: "select", table: "customrs" }, { settings });
    expect(JSON.stringify(unlisted)).not.toContain("customers");
  });

  test("hints look with the role's own rights", async () => {
    const failed = await db.fail({ operation: "select", table: "secret" }, { ...hints, user: "reader" });
    expect(failed.suggestion).not.toContain("secrets");
  });
});

describe("S20 no failure carries host, user, password or query", () => {
  test("of the database", async () => {
    for (const [, request] of cases) {
      for (const options of [{}, hints]) {
        const text = JSON.stringify(await db.fail(request, options));
        expect(text).not.toContain(testPassword);
        expect(text).not.toContain("127.0.0.1");
        expect(text).not.toContain("keeper");
        expect(text).not.toMatch(/select \*|insert into|taken@example|secret of the trigger|LINE 1|unnamed portal/i);
      }
    }
  });

  test.each<[string, CallOptions, string]>([
    ["a wrong password", { connectionString: "wrong-password" }, "authentication_error"],
    ["an unknown user", { connectionString: "unknown-user" }, "authentication_error"],
    ["an unknown database", { connectionString: "unknown-database" }, "connection_error"],
    ["a closed port", { connectionString: "closed-port" }, "connection_error"],
    ["a name that does not exist", { connectionString: "unknown-host" }, "connection_error"],
    ["a server without TLS", { tls: true }, "connection_error"],
  ])("of %s", async (_name, { connectionString, ...options }, errorType) => {
    const right = db.urlOf("keeper", testPassword);
    const strings: Record<string, string> = {
      "wrong-password": db.urlOf("keeper", "test-key-wrong-0123456789"),
      "unknown-user": db.urlOf("stranger", testPassword),
      "unknown-database": right.replace(/postgres$/, "elsewhere"),
      "closed-port": right.replace(`:${db.port}`, ":1"),
      "unknown-host": right.replace("127.0.0.1", "db.example.test"),
    };
    const resolve = () => Promise.reject(Object.assign(new Error("getaddrinfo ENOTFOUND"), { code: "ENOTFOUND" }));
    const isUnknownHost = connectionString === "unknown-host";
    const request = { operation: "select", table: "orders", where: { sql: "note = 'canary-query'" } };
    const failed = await db.fail(request, {
      ...options,
      ...(isUnknownHost ? { resolve, tls: true } : {}),
      connectionString: strings[connectionString ?? ""] ?? right,
    });
    expect(failed).toMatchObject({ operation: "select", errorType, error: expect.stringMatching(/\.$/) });
    const text = JSON.stringify(failed);
    expect(text).not.toMatch(/test-key|127\.0\.0\.1|db\.example|keeper|stranger|elsewhere|canary|:\d{4,5}/);
  });
});

describe("a request that is not valid", () => {
  test.each([
    [{ operation: "drop", table: "orders" }],
    [{ operation: "select" }],
    [{ operation: "select", table: "orders", limit: 10_001 }],
    [{ operation: "select", table: "orders", surprise: true }],
    [{ operation: "update", table: "orders", values: { note: "x" } }],
    [{ operation: "delete", table: "orders" }],
    [{ operation: "select", table: "orders", timeoutMs: 60_001 }],
    [{ operation: "select", table: "orders", where: { column: "id", operator: "= 1 or 1 =", value: 1 } }],
  ])("%j", async (request) => {
    expect(await db.refuse(request)).toMatchObject({ code: "invalid_config" });
  });

  test.each([
    [{ operation: "insert", table: "orders", rows: [{}] }],
    [{ operation: "update", table: "orders", values: {}, where: { sql: "id = 1" } }],
    [{ operation: "execute", sql: "select $1", parameters: [] }],
    [{ operation: "execute", sql: "select 1", parameters: [1] }],
    [{ operation: "execute", sql: "selec 1" }],
  ])("%j is a result that the model reads", async (request) => {
    expect(await db.fail(request)).toMatchObject({ errorType: "syntax_error", sqlState: null });
  });

  test("a list of tables that cannot be read allows none", async () => {
    const failed = await db.fail({ operation: "select", table: "orders" }, { settings: { tables: ["a.b.c"] } });
    expect(failed).toMatchObject({ errorType: "rejected" });
    const broken = await db.refuse({ operation: "select", table: "orders" }, { settings: { tables: "orders" } });
    expect(broken).toMatchObject({ code: "invalid_credentials" });
  });
});
