import fc from "fast-check";
import { parse } from "libpg-query";
import { expect, test } from "vitest";
import type { Json } from "../../../src/engine/json.ts";
import type { Condition, Where } from "../../../src/nodes/tools/postgres/condition.ts";
import { conditionOperators } from "../../../src/nodes/tools/postgres/condition.ts";
import { checkStatement } from "./check-statement.ts";
import { compileWhere } from "./compile-where.ts";
import { predicateSql } from "./predicate.ts";
import { Rejection } from "./rejection.ts";
import { scalarFunctions } from "./safe-names.ts";
import { renderSql } from "./sql-text.ts";
import { startTestDatabase } from "./testing/test-database.ts";

/** What Postgres's own grammar sees in a statement: how many there are, its tables, functions and texts. */
async function contents(text: string) {
  const { stmts } = await parse(text);
  const seen = {
    statements: stmts?.length ?? 0,
    tables: new Set<string>(),
    functions: new Set<string>(),
    texts: new Set<string>(),
    subqueries: 0,
  };
  const walk = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(walk);
    if (typeof value !== "object" || value === null) return;
    for (const [key, inner] of Object.entries(value)) {
      if (key === "RangeVar") seen.tables.add(String(inner.relname));
      if (key === "SubLink") seen.subqueries += 1;
      if (key === "FuncCall")
        seen.functions.add(inner.funcname.map((part: { String: { sval: string } }) => part.String.sval).join("."));
      if (key === "A_Const" && inner.sval) seen.texts.add(String(inner.sval.sval));
      walk(inner);
    }
  };
  walk(stmts);
  return seen;
}

/** The statement of a condition; null when it is refused. */
async function statementOf(where: Where): Promise<{ text: string; parameters: Json[] } | null> {
  try {
    const { text, parameters } = renderSql(predicateSql(await compileWhere(where, "orders")));
    return { text: `select * from "public"."orders" where ${text}`, parameters };
  } catch (error) {
    if (error instanceof Rejection) return null;
    throw error;
  }
}

async function requireHarmless(where: Where): Promise<boolean> {
  const statement = await statementOf(where);
  if (statement === null) return false;
  const seen = await contents(statement.text);
  expect(seen.statements).toBe(1);
  expect([...seen.tables]).toEqual(["orders"]);
  expect(seen.subqueries).toBe(0);
  expect([...seen.texts]).toEqual([]);
  for (const name of seen.functions) {
    expect(name).toMatch(/^pg_catalog\./);
    const plain = name.replace("pg_catalog.", "");
    expect(scalarFunctions.has(plain) || plain === "date_part").toBe(true);
  }
  return true;
}

const hostile = [
  "'",
  '"',
  ";",
  "--",
  "/*",
  "*/",
  "$1",
  "$$",
  "\\",
  "\n",
  ")",
  "(",
  "x' or '1'='1",
  'x" or "1"="1',
  "secrets",
  "); drop table orders; --",
  "\u0000",
];
const oddText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 20 }),
  fc.array(fc.constantFrom(...hostile), { maxLength: 6 }).map((parts) => parts.join("")),
);
const value: fc.Arbitrary<Json> = fc.oneof(
  oddText,
  fc.integer(),
  fc.boolean(),
  fc.array(oddText, { minLength: 1, maxLength: 3 }),
  fc.dictionary(oddText, oddText, { maxKeys: 2 }),
);

const condition: fc.Arbitrary<Condition> = fc.letrec<{ condition: Condition }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 3 },
    fc.record({ column: oddText, operator: fc.constantFrom(...conditionOperators), value }),
    fc.record({ all: fc.array(tie("condition"), { maxLength: 3 }) }),
    fc.record({ any: fc.array(tie("condition"), { maxLength: 3 }) }),
  ),
})).condition;

test("S12 S13 no structured condition reaches another table, whatever its names and values are", async () => {
  let accepted = 0;
  await fc.assert(
    fc.asyncProperty(condition, async (where) => {
      if (await requireHarmless(where)) accepted += 1;
    }),
    { numRuns: 600 },
  );
  expect(accepted).toBeGreaterThan(50);
});

/** Fragments put together from what a condition has and from what it must not have. */
const atom = fc.constantFrom(
  "id",
  "orders.id",
  "status",
  "1",
  "2.5",
  "'text'",
  "'it''s'",
  "$1",
  "null",
  "true",
  "now()",
  "lower(status)",
  "id::text",
  "array[1]",
  "date '2024-01-01'",
  "secrets.value",
  "(select value from secrets)",
  "(table secrets)",
  "pg_sleep(1)",
  "current_user",
  "evil(id)",
  "public.evil()",
  "array(select 1)",
  "exists(select 1 from secrets)",
  "'secrets'::regclass",
  "xmlforest(id)",
  "$$x$$",
  "E'\\\\'",
  "U&'\\0041'",
  "b'1'",
  "count(*)",
  "(orders).id",
  "orders",
  "orders.*",
  "*",
  "row(1, 2)",
  "any(select 1)",
  '"secrets"',
);
const joint = fc.constantFrom(
  " = ",
  " <> ",
  " and ",
  " or ",
  " like ",
  " in ",
  " || ",
  " + ",
  ", ",
  " is ",
  " not ",
  " between ",
  " union select ",
  ") union select * from secrets where (",
  "; ",
  " -- ",
  " /* ",
  " */ ",
  " = any ",
  " operator(pg_catalog.=) ",
  ' collate "C" ',
  " from secrets where ",
  " order by ",
  " ",
  " is null ",
  " at time zone ",
  "::",
  " ? ",
  " @> ",
  " filter (where true) ",
  " over () ",
);
const fragment = fc
  .tuple(
    fc.array(fc.tuple(fc.constantFrom("", "(", "not "), atom, fc.constantFrom("", ")"), joint), { maxLength: 5 }),
    atom,
  )
  .map(([parts, last]) => `${parts.flat().join("")}${last}`);

test("S13 no fragment reaches another table, a function that is not listed, or a text that is not bound", async () => {
  let accepted = 0;
  const check = async (sql: string): Promise<void> => {
    if (await requireHarmless({ sql, parameters: [1] })) accepted += 1;
  };
  await fc.assert(
    fc.asyncProperty(fc.oneof({ weight: 8, arbitrary: fragment }, { weight: 1, arbitrary: oddText }), check),
    { numRuns: 3_000 },
  );
  expect(accepted).toBeGreaterThan(50);
});

test("S13 no fragment brings a row of another table out of a real database", async () => {
  const db = await startTestDatabase();
  const call = (sql: string) =>
    db.call({ operation: "select", table: "orders", limit: 3, where: { sql, parameters: [1] } });
  try {
    expect(await call("id = $1")).toMatchObject({ success: true, rowCount: 1 });
    await fc.assert(
      fc.asyncProperty(fragment, async (sql) => {
        expect(JSON.stringify(await call(sql))).not.toContain("canary");
      }),
      { numRuns: 100 },
    );
  } finally {
    await db.stop();
  }
});

test("S15 no statement that passes as a read writes, or reads a table that was not seen", async () => {
  const part = fc.constantFrom(
    "select ",
    "id",
    "*",
    " from ",
    "orders",
    "secrets",
    "(",
    ")",
    " where ",
    "id = 1",
    ", ",
    "with x as (",
    "x",
    "delete from orders",
    "insert into orders values (1)",
    " returning *",
    "update orders set id = 1",
    " into copied",
    " for update",
    "; ",
    " union ",
    "values (1)",
    "table secrets",
    "(select 1 from secrets)",
    " as a",
    " join ",
    " on true",
    "pg_sleep(1)",
    "count(*)",
    "lateral ",
    "public.secrets",
    "explain ",
    " -- ",
  );
  let accepted = 0;
  const statements = fc.array(part, { minLength: 1, maxLength: 12 }).map((parts) => `select ${parts.join("")}`);
  await fc.assert(
    fc.asyncProperty(statements, async (sql) => {
      const checked = await checkStatement(sql, { readOnly: true, parameters: 0 }).catch((error: unknown) => {
        if (error instanceof Rejection) return null;
        throw error;
      });
      if (checked === null) return;
      accepted += 1;
      const text = JSON.stringify(await parse(sql));
      expect(text).not.toMatch(/InsertStmt|UpdateStmt|DeleteStmt|intoClause|lockingClause|pg_sleep/);
      const named = new Set([...text.matchAll(/"ctename":"(\w+)"/g)].map((match) => match[1]));
      const seen = (await contents(sql)).tables;
      for (const table of seen) {
        expect(named.has(table) || checked.tables.some(({ name }) => name === table)).toBe(true);
      }
    }),
    { numRuns: 4_000 },
  );
  expect(accepted).toBeGreaterThan(20);
});
