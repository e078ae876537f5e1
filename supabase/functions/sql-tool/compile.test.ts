import { describe, expect, test } from "vitest";
import type { Where } from "../../../src/nodes/tools/postgres/condition.ts";
import { compileWhere, requireRestriction } from "./compile-where.ts";
import { predicateSql } from "./predicate.ts";
import { renderSql } from "./sql-text.ts";

const compile = async (where: Where) => renderSql(predicateSql(await compileWhere(where, "orders")));
const fragment = (sql: string, parameters: (string | number | boolean)[] = []): Where => ({ sql, parameters });

describe("S13 a harmless condition", () => {
  test.each<[Where, string, unknown[]]>([
    [{ column: "name", operator: "=", value: "O'Brien -- & co; $1" }, '"name" = $1', ["O'Brien -- & co; $1"]],
    [
      [
        { column: "id", operator: "in", value: [1, 2] },
        {
          any: [
            { column: "a", operator: "is null" },
            { column: "b", operator: "between", value: [1, 5] },
          ],
        },
      ],
      '"id" in ($1, $2) and ("a" is null or "b" between $3 and $4)',
      [1, 2, 1, 5],
    ],
    [
      fragment("status = 'it''s -- & ; fine' and total > 10"),
      '"status" = $1 and "total" > $2::integer',
      ["it's -- & ; fine", 10],
    ],
    [fragment("orders.total * 1.5 >= $1 -- comment", [7]), '("total" * $1::numeric) >= $2', ["1.5", 7]],
    [
      fragment("created_at > now() - interval '7 days'"),
      '"created_at" > (pg_catalog.now() - ($1)::interval)',
      ["7 days"],
    ],
    [
      fragment("extract(year from created_at) = 2024"),
      'pg_catalog.date_part($1, "created_at") = $2::integer',
      ["year", 2024],
    ],
    [
      fragment("not (lower(name) like 'a%' or name is null)"),
      'not (pg_catalog.lower("name") like $1 or "name" is null)',
      ["a%"],
    ],
    [
      fragment("id in (1, 2) and x not between 1 and 2"),
      '"id" in ($1::integer, $2::integer) and "x" not between $3::integer and $4::integer',
      [1, 2, 1, 2],
    ],
    [fragment("id = any($1)", []), "", []],
    [
      fragment("data->>'kind' = 'x' and tags @> array['a']"),
      `("data" ->> $1) = $2 and ("tags" @> array[$3])`,
      ["kind", "x", "a"],
    ],
    [
      fragment("active is true and coalesce(n, 0) <> 0"),
      `"active" is true and coalesce("n", $1::integer) <> $2::integer`,
      [0, 0],
    ],
    [
      fragment("case when a = 1 then b else 'x' end = 'y'"),
      `(case when ("a" = $1::integer) then "b" else $2 end) = $3`,
      [1, "x", "y"],
    ],
    [fragment(`"Weird ""name" = '5'::int`), `"Weird ""name" = ($1)::int4`, ["5"]],
  ])("%j", async (where, text, values) => {
    if (text === "") return expect(compile(where)).rejects.toThrow("no parameter $1");
    expect(await compile(where)).toEqual({ text, parameters: values });
  });
});

describe("S13 a hostile condition is refused", () => {
  test.each([
    "1=1) or (select count(*) from users) > (0",
    "id = 1) union select * from (users",
    "id = 1; drop table users",
    "id = (select 1)",
    "id in (select id from users)",
    "exists (select 1 from users)",
    "pg_sleep(10) is null",
    "pg_read_file('/etc/passwd') = ''",
    "current_setting('x') = ''",
    "set_config('x', 'y', false) = ''",
    "query_to_xml('select 1', true, true, '') is null",
    "dblink('x') is null",
    "public.evil(id) = 1",
    "lo_import('/etc/passwd') = 1",
    "repeat('x', 1000000000) = ''",
    "users.id = 1",
    "orders.* is null",
    "a.b.c = 1",
    "'pg_authid'::regclass = 1",
    "id operator(public.=) 1",
    "name collate \"C\" = 'x'",
    "count(*) > 1",
    "sum(total) over () > 1",
    "current_user = 'x'",
    "id = 1 order by 1",
    "id = 1 for update",
    "id = $2",
    "id = 1 /* ",
    "id = 'x",
    "(id).evil = 1",
    "array(select 1) = '{1}'",
    "xmlelement(name x) is null",
    "x = b'101'",
    "id::varchar(5) = ''",
    "grouping(id) = 1",
    "id = 1 group by id",
    "id = 1) limit (1",
    "\u0000",
    "(".repeat(300) + "true" + ")".repeat(300),
    "not ".repeat(4_000) + "true",
    `a ${"+ 1 ".repeat(2_000)} = 1`,
  ])("%s", async (sql) => {
    await expect(compile(fragment(sql, [1]))).rejects.toThrow(
      expect.objectContaining({ name: "Rejection", problem: expect.objectContaining({ error: expect.any(String) }) }),
    );
  });
});

describe("S14 a condition that restricts nothing is refused for writes", () => {
  const requireFor = async (where: Where) => requireRestriction(await compileWhere(where, "orders"));

  test.each<Where>([
    [],
    { all: [] },
    { any: [{ all: [] }, { column: "id", operator: "=", value: 1 }] },
    fragment(""),
    ...[
      "true",
      "1=1",
      "1 = 1 or id = 5",
      "id = 5 or true",
      "'a' = 'a'",
      "id = id",
      "orders.id = id",
      "id >= id",
      "id is null or id is not null",
      "x = 1 or not (x = 1)",
      "x > 1 or x <= 1",
      "(a = 1 or b = 2) or a <> 1",
      "not false",
      "not (1 = 2)",
      "not (id <> id)",
      "name like '%'",
      "name like '%%'",
      "name ~ '.*'",
      "now() > '2000-01-01'",
      "$1 = $1",
      "$1",
      "id in (id)",
      "id in (1, id)",
      "id between id and id",
      "(id = id) is true",
      "(true)",
      "true and 1 = 1",
      "coalesce(null, true)",
      "case when true then true end",
      "id is not distinct from id",
      "not (id is null and id is not null)",
      "(id = id) is not false",
      "not ((id = id) is false)",
    ].map((sql) => fragment(sql, [1])),
    {
      any: [
        { column: "id", operator: "is null" },
        { column: "id", operator: "is not null" },
      ],
    },
    {
      any: [
        { column: "id", operator: "=", value: 1 },
        { column: "id", operator: "<>", value: 1 },
      ],
    },
    { column: "name", operator: "like", value: "%" },
    { column: "id", operator: "not in", value: [] },
  ])("%j", async (where) => {
    await expect(requireFor(where)).rejects.toThrow("holds for every row");
  });

  test.each<Where>([
    { column: "id", operator: "=", value: 1 },
    { column: "id", operator: "in", value: [] },
    ...[
      "id = 1",
      "id = 1 and 1 = 1",
      "id = 1 or id = 2",
      "active",
      "not active",
      "id <> -1",
      "name like 'a%'",
      "x is null",
      "a = 1 or b <> 1",
    ].map((sql) => fragment(sql)),
  ])("%j is not", async (where) => {
    await expect(requireFor(where)).resolves.toBeUndefined();
  });
});

test("S12 names are quoted whatever they hold, and refused where Postgres would cut them", async () => {
  for (const column of ['id" = 1 or 1=1 --', "a;drop table x", "a.b", "ünï", "$1", "select"]) {
    const { text } = await compile({ column, operator: "=", value: 1 });
    expect(text).toBe(`"${column.replaceAll('"', '""')}" = $1`);
  }
  await expect(compile({ column: "é".repeat(40), operator: "=", value: 1 })).rejects.toThrow("too long");
});

test.each<[Where, RegExp]>([
  [{ column: "a", operator: "=" }, /needs a value/],
  [{ column: "a", operator: "=", value: null }, /null/],
  [{ column: "a", operator: "between", value: [1] }, /two values/],
])("%j says what it lacks", async (where, words) => {
  await expect(compile(where)).rejects.toThrow(words);
});
