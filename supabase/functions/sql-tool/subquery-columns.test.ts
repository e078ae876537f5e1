import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startTestDatabase, type TestDatabase } from "./testing/test-database.ts";

let db: TestDatabase;

beforeAll(async () => {
  db = await startTestDatabase();
  await db.run(`
    set role keeper;
    create table items (item integer, order_number integer, weight integer);
    create view heavy_items as select * from items where weight > 5;
  `);
});

beforeEach(() =>
  db.run(`
    truncate items; insert into items values (1, 7, 1), (2, 8, 9);
    delete from orders; insert into orders (id, status, note) select n, 'open', 'note ' || n from generate_series(1, 30) n;
  `),
);

afterAll(() => db.stop());

const execute = (sql: string) => ({ operation: "execute", sql, readOnly: false, maxAffectedRows: 1_000 });
const count = async () => (await db.run("select count(*)::integer as n from orders"))[0]?.["n"];

describe("S14 a subquery that takes its column from the changed table", () => {
  test.each([
    "delete from orders where id in (select id from items)",
    "delete from orders where id in (select id)",
    "delete from orders o where o.id = any (select id from items i where i.weight > 0)",
    "delete from orders where id in (select id from items where weight > 0 group by id order by id limit 1)",
    "delete from orders where status = 'open' and id in (select id from heavy_items)",
    "delete from orders where exists (select 1 from items where note like 'note%')",
    "delete from orders where id in (select x.id from (select id from items) x)",
    "delete from orders where id in (with x as (select id from items) select id from x)",
    "with x as (select order_number from items) delete from orders where id in (select id from x)",
    "delete from orders where id in (select order_number from items union select id from items)",
    "delete from orders where (select id from items limit 1) = id",
    "update orders set note = 'x' where id in (select id from items)",
    "delete from orders using items i where orders.id in (select id from items)",
    "merge into orders o using items i on o.id in (select id from items) when matched then delete",
    "with gone as (delete from orders where id in (select id from items) returning id) select 1",
  ])("is refused: %s", async (sql) => {
    expect(await db.fail(execute(sql))).toMatchObject({
      errorType: "rejected",
      error: expect.stringContaining("subquery"),
      suggestion: expect.stringContaining("orders."),
    });
    expect(await count()).toBe(30);
  });

  test.each([
    "delete from orders where id in (select orders.id from items)",
    "delete from orders o where o.id in (select o.id from items)",
    "delete from orders where orders.id in (select orders.id from items where items.weight > 0)",
  ])("is refused as a comparison of each row with itself: %s", async (sql) => {
    expect(await db.fail(execute(sql))).toMatchObject({
      errorType: "rejected",
      error: expect.stringContaining("holds for every row"),
    });
  });
});

describe("a subquery with columns of its own", () => {
  test.each([
    ["delete from orders where id in (select order_number from items)", 2],
    ["delete from orders where id in (select order_number from heavy_items)", 1],
    ["delete from orders where id in (select order_number from items where weight > 5 order by weight limit 3)", 1],
    ["delete from orders where id in (select order_number as id from items group by order_number order by id)", 2],
    ["delete from orders where exists (select 1 from items where order_number = orders.id)", 2],
    [
      "delete from orders o where exists (select from items i join heavy_items h using (item) where i.order_number = o.id)",
      1,
    ],
    ["delete from orders where id in (select orders.id from items where order_number = orders.id)", 2],
    ["delete from orders where id in (select n from unnest(array[1]) n union select order_number from items)", 3],
    ["delete from orders where id in (select n from unnest(array[3, 4]) n)", 2],
    ["delete from orders where id in (select n from (values (3), (4)) v (n))", 2],
    ["delete from orders where id in (select column1 from (values (3)) v)", 1],
    ["delete from orders where id in (select x from (select order_number as x from items) y where x > 7)", 1],
    ["delete from orders where id in (select order_number from items where item in (select item from heavy_items))", 1],
    ["delete from orders where id in (select order_number from (select * from items) x)", 2],
    ["with old as (select id from orders where id > 28) delete from orders where id in (select id from old)", 2],
    ["with old (n) as (select order_number from items) delete from orders where id in (select n from old)", 2],
    [
      "with gone as (delete from items where item > 0 returning order_number) delete from orders where id in (select order_number from gone)",
      4,
    ],
    ["delete from orders where id in (with x as (select max(order_number) from items) select max from x)", 1],
    ["delete from orders where id = (select max(order_number) from items)", 1],
    ["delete from orders where ctid in (select ctid from orders where id = 1)", 1],
  ])("changes what it finds: %s", async (sql, affectedRows) => {
    expect(await db.write(execute(sql))).toMatchObject({ affectedRows });
  });

  test("of a table that is not there is named by the database", async () => {
    const sql = "delete from orders where id in (select order_number from itemz)";
    expect(await db.fail(execute(sql))).toMatchObject({ errorType: "invalid_table" });
  });
});
