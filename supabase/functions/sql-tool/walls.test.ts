import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestDatabase, type TestDatabase } from "./testing/test-database.ts";

let db: TestDatabase;

beforeAll(async () => {
  db = await startTestDatabase();
});

afterAll(() => db.stop());

describe("S12 hostile identifiers are names of nothing", () => {
  const names = [
    'orders"; drop table orders; --',
    "orders; drop table orders",
    "orders where 1=1",
    '"orders" o, secrets',
    "orders--",
    "(select * from secrets)",
    "public.orders.extra",
    "other.public.orders",
    "pg_catalog.pg_authid",
    "pg_shadow",
    "PG_SHADOW",
    '"pg_catalog"."pg_authid"',
    "information_schema.tables",
    "INFORMATION_SCHEMA.tables",
    "pg_temp.orders",
    "pg_toast.x",
    "",
    ".",
    "orders.",
    ".orders",
    '"',
    "a\u0000b",
    "x".repeat(64),
  ];

  test.each(names)("as a table: %j", async (table) => {
    const results = await Promise.all([
      db.call({ operation: "select", table }).catch((error: unknown) => error),
      db.call({ operation: "insert", table, rows: [{ id: 1 }] }).catch((error: unknown) => error),
      db
        .call({ operation: "delete", table, where: { column: "id", operator: "=", value: 1 } })
        .catch((error: unknown) => error),
    ]);
    for (const result of results) expect(result).not.toMatchObject({ success: true });
  });

  test.each([
    'id" = 1 or "id',
    "id; drop table orders",
    "id) or (1=1",
    "count(*)",
    "*, (select value from secrets)",
    "secrets.value",
    "ctid\u0000",
  ])("as a column: %j", async (column) => {
    const requests = [
      { operation: "select", table: "orders", columns: [column] },
      { operation: "select", table: "orders", orderBy: [{ column }] },
      { operation: "select", table: "orders", where: { column, operator: "=", value: 1 } },
      { operation: "insert", table: "orders", rows: [{ [column]: 1 }] },
      {
        operation: "update",
        table: "orders",
        values: { [column]: 1 },
        where: { column: "id", operator: "=", value: 1 },
      },
      { operation: "delete", table: "orders", where: { column: "id", operator: "=", value: 1 }, returning: [column] },
    ];
    for (const request of requests) {
      expect(await db.fail(request)).toMatchObject({ errorType: expect.stringMatching(/invalid_column|syntax_error/) });
    }
  });

  test.each(['keeper"; reset role; --', "admin", "nobody", "none", "x".repeat(64)])("as a role: %j", async (role) => {
    const result = await db.call({ operation: "select", table: "orders", role }).catch((error: unknown) => error);
    expect(result).not.toMatchObject({ success: true });
  });

  test("and all is still there", async () => {
    expect((await db.read({ operation: "execute", sql: "select count(*) as n from orders" })).data).toEqual([
      { n: 300 },
    ]);
  });
});

const hidden = [
  "select 1; delete from orders",
  "select 1; commit; delete from orders",
  "with gone as (delete from orders returning *) select * from gone",
  "with new as (insert into orders values (0) returning *) select * from new",
  "explain analyze delete from orders",
  "explain select 1",
  "select * into copy_of_orders from orders",
  "create table copy_of_orders as select * from orders",
  "copy orders to '/tmp/x'",
  "copy orders from program 'id'",
  "do $$ begin delete from orders; end $$",
  "set role admin",
  "set session authorization admin",
  "reset role",
  "set transaction read write",
  "select set_config('transaction_read_only', 'off', false)",
  "select pg_catalog.set_config('role', 'admin', false)",
  "select evil()",
  "select public.evil()",
  "select * from evil()",
  "select nextval('x')",
  "select pg_sleep(1)",
  "select pg_read_file('/etc/passwd')",
  "select lo_import('/etc/passwd')",
  "select pg_terminate_backend(1)",
  "select query_to_xml('delete from orders', true, true, '')",
  "select * from dblink('x', 'y') as t(a int)",
  "select * from orders for update",
  "select * from orders for share",
  "lock table orders",
  "truncate orders",
  "drop table orders",
  "alter table orders add x int",
  "grant all on orders to public",
  "vacuum",
  "call evil()",
  "prepare x as delete from orders",
  "execute x",
  "declare c cursor for select 1",
  "listen x",
  "notify x",
  "begin",
  "commit",
  "rollback",
  "refresh materialized view x",
  "merge into orders using customers on true when matched then delete",
  "select * from pg_catalog.pg_authid",
  "select * from pg_shadow",
  "with pg_shadow as (select * from pg_shadow) select * from pg_shadow",
  "select * from information_schema.tables",
  "table pg_user",
  "select 'pg_authid'::regclass",
  "select cast('x' as regrole)",
  "select current_user",
  "select session_user",
  "select current_setting('data_directory')",
  "select version()",
  "select inet_server_addr()",
  "select has_table_privilege('orders', 'select')",
  "select array(select 1) operator(pg_catalog.=) array[1]",
  "select xmlparse(document '<x/>')",
  "select * from orders tablesample system (1)",
  "select repeat('x', 1000000000)",
  "select * from generate_series(1, 100000000)",
  ";",
  "-- nothing",
];

test.each([
  ["create table x (a int)", "changes tables, types, roles or rights", "database's owner"],
  ["alter table orders add x int", "changes tables, types, roles or rights", "database's owner"],
  ["drop table orders", "changes tables, types, roles or rights", "database's owner"],
  ["grant all on orders to public", "changes tables, types, roles or rights", "database's owner"],
  ["create function f() returns int language sql as 'select 1'", "changes tables", "database's owner"],
  ["call evil()", "Procedures and blocks of code are not run", "INSERT, UPDATE, DELETE or MERGE"],
  ["do $$ begin end $$", "Procedures and blocks of code are not run", "INSERT, UPDATE, DELETE or MERGE"],
  ["copy orders to '/tmp/x'", "COPY moves files", "Read with SELECT"],
  ["truncate orders", "TRUNCATE takes every row", "DELETE with a condition"],
  ["explain select 1", "EXPLAIN is not allowed", "Send the SELECT itself"],
  ["commit", "a transaction of its own", "Send the statement alone"],
  ["select * into x from orders", "SELECT INTO makes a table", "Leave INTO out"],
  ["select * from (select * from orders for update) o", "Rows are not locked here", "Leave that clause out"],
  ["select * from other.public.orders", "another database", "schema.table"],
  ["set role admin", "This kind of statement is not allowed", "Use SELECT"],
])("S15 %s is refused with the reason and the way that is open", async (sql, reason, way) => {
  for (const readOnly of [true, false]) {
    const failed = await db.fail({ operation: "execute", sql, readOnly });
    expect(failed).toMatchObject({ errorType: "rejected", error: expect.stringContaining(reason), sqlState: null });
    expect(failed.suggestion).toContain(way);
  }
});

describe("S15 writes hidden in reads are refused", () => {
  test.each(hidden)("%s", async (sql) => {
    const { errorType, sqlState } = await db.fail({ operation: "execute", sql });
    expect(["rejected", "syntax_error"]).toContain(errorType);
    // The first wall refused it: the database was not asked.
    expect(sqlState).toBeNull();
  });

  test("inside an update, a delete or an insert too", async () => {
    for (const sql of [
      "insert into orders select id from pg_catalog.pg_class",
      "update orders set note = (select passwd from pg_shadow limit 1) where id = 1",
      "update orders set note = pg_read_file('/etc/passwd') where id = 1",
      "delete from orders using pg_authid where id = 1",
      "with gone as (delete from customers returning *) update orders set note = 'x' where id = 1",
      "insert into orders (id) values (evil())",
      "insert into orders (id) values (1) returning current_user",
      "insert into orders (id) values (1) on conflict (id) do update set note = current_user",
      "update orders set note = 'x'",
      "update orders set note = 'x' where true",
      "update orders set note = 'x' where 1 = 1 or id = 5",
      "delete from orders",
      "delete from orders where id = id",
      "delete from orders where exists (select 1)",
      "delete from orders where 1 = 1 or id in (select id from customers)",
      "delete from orders where true or regexp_split_to_array(note, 'x') is null",
      "delete from orders where not (false and id in (select id from customers))",
      "delete from orders where exists (select c.id from customers c)",
      "delete from orders using customers where customers.id = 1",
      "update orders o set note = 'x' from customers c where c.id = 1 or o.id = c.id",
      "with gone as (delete from orders) select 1",
      "with gone as (delete from orders where id = id returning *) select * from gone",
      "with gone as (delete from orders where id = 1 returning *) delete from customers",
      "select * from (with gone as (delete from orders where id = 1 returning *) select * from gone) t",
      "insert into customers with gone as (delete from orders where id = 1 returning *) select id from gone",
      "merge into orders o using customers c on true when matched then delete",
      "merge into orders o using customers c on c.id = 1 when matched then update set note = 'x'",
      "merge into orders o using customers c on o.id = c.id when not matched by source then delete",
      "merge into pg_catalog.pg_class o using customers c on o.oid = c.id when matched then delete",
      "merge into orders o using pg_authid c on o.id = 1 when not matched then insert (note) values (c.rolpassword)",
      "merge into orders o using customers c on o.id = c.id when matched then update set note = evil()",
    ]) {
      expect(await db.fail({ operation: "execute", sql, readOnly: false }), sql).toMatchObject({
        errorType: "rejected",
      });
    }
  });

  test("and harmless reads are not", async () => {
    for (const sql of [
      "select distinct status, count(*) filter (where total > 1) over (partition by status order by id rows between 1 preceding and current row) from orders limit 3",
      "select o.*, c.email from orders o left join lateral (select * from customers c where c.id = o.id) c on true limit 1",
      "select status, percentile_cont(0.5) within group (order by total) from orders group by rollup (status) having count(*) > 1",
      "with recursive up(id, depth) as (select id, 1 from customers union all select c.id, depth + 1 from customers c join up on c.manager = up.id) select * from up",
      "select 1 union all select 2 order by 1 desc offset 1",
      "values (1, 'a'), (2, 'b')",
      "select * from unnest(array[1, 2]) with ordinality as t(value, place)",
      "select jsonb_build_object('a', 1) -> 'a', 'it''s; -- fine', $x$delete from orders$x$, interval '1 day', now() at time zone 'utc'",
      "select * from (select id, row_number() over w from orders window w as (order by id)) t where row_number = 1",
      "select case when exists (select 1 from customers) then 1 else 0 end, 5 = any(array(select id from orders)), cast(1.5 as numeric(10, 2)), 'x' like 'X' -- done",
    ]) {
      expect(await db.call({ operation: "execute", sql }), sql).toMatchObject({ success: true });
    }
  });
});

test("S15 the credential's list of tables holds for every way to name one", async () => {
  const only = { settings: { tables: ["orders", 'sales."Odd ""Name"""'] } };
  expect(await db.read({ operation: "select", table: "public.orders", limit: 1 }, only)).toMatchObject({ rowCount: 1 });
  for (const request of [
    { operation: "select", table: "customers" },
    { operation: "select", table: "sales.orders" },
    { operation: "insert", table: "customers", rows: [{ id: 1 }] },
    { operation: "execute", sql: "select * from orders, customers" },
    { operation: "execute", sql: "select (select max(id) from public.customers)" },
    { operation: "execute", sql: "with orders as (select * from customers) select * from orders" },
    { operation: "execute", sql: "with customers as (select * from customers) select * from customers" },
    { operation: "execute", sql: "delete from orders using customers where orders.id = customers.id", readOnly: false },
    {
      operation: "execute",
      sql: "with secrets as (select 1) delete from secrets where id = 1 returning *",
      readOnly: false,
    },
    { operation: "execute", sql: "with secrets as (select 1) insert into secrets values (2, 'x')", readOnly: false },
    {
      operation: "execute",
      sql: "with secrets as (select 1) update secrets set value = '' where id = 1",
      readOnly: false,
    },
    {
      operation: "execute",
      sql: "with gone as (delete from secrets where id = 1 returning *) select * from gone",
      readOnly: false,
    },
    {
      operation: "execute",
      sql: "merge into secrets s using orders o on s.id = o.id when matched then delete",
      readOnly: false,
    },
  ]) {
    expect(await db.fail(request, only), JSON.stringify(request)).toMatchObject({ errorType: "permission_denied" });
  }
  const named =
    "with recursive tree as (select id from orders where id = 1 union select id + 1 from tree where id < 3) select * from tree";
  expect(await db.read({ operation: "execute", sql: named }, only)).toMatchObject({ rowCount: 3 });
});
