import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { ApprovalRequest } from "../../../src/engine/host.ts";
import { callSqlTool } from "../../../src/nodes/tools/postgres/testing/call-sql-tool.ts";
import { postgresDeleteTool } from "../../../src/nodes/tools/postgres-delete-tool.ts";
import { postgresExecuteTool } from "../../../src/nodes/tools/postgres-execute-tool.ts";
import { postgresInsertTool } from "../../../src/nodes/tools/postgres-insert-tool.ts";
import { postgresUpdateTool } from "../../../src/nodes/tools/postgres-update-tool.ts";
import { startShop, type Shop } from "./testing/shop.ts";

let shop: Shop;

beforeAll(async () => {
  shop = await startShop();
});
afterAll(() => shop.stop());
beforeEach(() => shop.restock());

const open = [{ column: "status", operator: "=", value: "open" }];

describe("the Postgres tools that change rows, on a real PostgreSQL", () => {
  test("insert several rows, and give their ids back", async () => {
    const config = { tableName: "notes", returning: ["id"], approval: "never" };
    const rows = [{ text: "one" }, { text: "it's -- two" }];
    const { results, of } = await callSqlTool({
      host: shop.hostWith(),
      node: postgresInsertTool,
      config,
      calls: [{ rows }],
    });
    expect(results[0]).toMatchObject({ success: true, affectedRows: 2, data: [{ id: expect.any(Number) }, {}] });
    expect(await shop.run("select text from notes order by id")).toMatchObject([
      { text: "one" },
      { text: "it's -- two" },
    ]);
    expect(of("log")).toMatchObject([{ message: "INSERT notes: 2 rows" }]);
    expect(JSON.stringify(of("log"))).not.toContain("two");
  });

  test("update shows the change, takes an edited condition and changes just that", async () => {
    const asked: ApprovalRequest[] = [];
    const previews: unknown[] = [];
    const narrower = { values: { status: "shipped" }, where: [{ column: "id", operator: "=", value: 2 }] };
    const host = shop.hostWith(
      {},
      {
        async approve(request) {
          asked.push(request);
          previews.push(await request.previewOf?.(narrower));
          expect(await shop.orders()).toMatchObject([{ status: "open" }, { status: "open" }, { status: "paid" }]);
          return { approved: true, input: narrower };
        },
      },
    );
    const input = { values: { status: "shipped" }, where: open };
    const { results, of } = await callSqlTool({
      host,
      node: postgresUpdateTool,
      config: { tableName: "orders" },
      calls: [input],
    });
    expect(asked[0]?.preview).toMatchObject({
      affectedRows: 2,
      paired: true,
      before: [
        { id: 1, status: "open" },
        { id: 2, status: "open" },
      ],
      after: [
        { id: 1, status: "shipped" },
        { id: 2, status: "shipped" },
      ],
    });
    expect(previews).toMatchObject([{ ok: true, output: { affectedRows: 1, before: [{ id: 2 }] } }]);
    expect(results[0]).toMatchObject({ success: true, operation: "update", affectedRows: 1 });
    expect(await shop.orders()).toMatchObject([{ status: "open" }, { status: "shipped" }, { status: "paid" }]);
    expect(of("log")[0]).toMatchObject({
      data: { statement: "update", table: "orders", columns: ["status"], affectedRows: 1 },
    });
    expect(JSON.stringify(of("log"))).not.toContain("shipped");
  });

  test("S14 a condition that fits every row, or too many, changes nothing and asks nobody", async () => {
    const host = shop.hostWith();
    const all = await callSqlTool({
      host,
      node: postgresDeleteTool,
      config: { tableName: "orders" },
      calls: [{ whereSql: "1 = 1" }, {}],
    });
    expect(all.read[0]).toContain("rejected");
    expect(all.read[1]).toContain("needs a condition");
    const config = { tableName: "orders", maxAffectedRows: 1 };
    const many = await callSqlTool({ host, node: postgresDeleteTool, config, calls: [{ where: open }] });
    expect(many.results[0]).toMatchObject({ details: { success: false, errorType: "rejected" } });
    expect(host.approvals).toEqual([]);
    expect(await shop.orders()).toHaveLength(3);
  });

  test("a dry run shows what would go and keeps it", async () => {
    const config = { tableName: "orders", dryRun: true };
    const { results } = await callSqlTool({
      host: shop.hostWith(),
      node: postgresDeleteTool,
      config,
      calls: [{ where: open }],
    });
    expect(results[0]).toMatchObject({ success: true, dryRun: { affectedRows: 2, after: [] } });
    expect(await shop.orders()).toHaveLength(3);
  });

  test("execute shows the rows of a delete before and after, and logs what WITH changes", async () => {
    const shown: unknown[] = [];
    const host = shop.hostWith(
      {},
      {
        async approve({ preview, input }) {
          shown.push(preview);
          return { approved: true, input };
        },
      },
    );
    const many = "with gone as (delete from orders where id = 2 returning id) delete from orders where id = 1";
    const { of } = await callSqlTool({
      host,
      node: postgresExecuteTool,
      config: { readOnly: false },
      calls: [{ sql: "delete from orders where id = 3" }, { sql: many }],
    });
    expect(shown).toMatchObject([
      { affectedRows: 1, before: [{ id: 3 }], after: [] },
      { affectedRows: 2, before: [], after: [], table: "orders" },
    ]);
    expect(of("log")).toMatchObject([
      { message: 'DELETE orders where "id" = ?: 1 row' },
      {
        message: 'DELETE orders where "id" = ?, DELETE orders where "id" = ?: 2 rows',
        data: { affectedRows: 2, also: [{ statement: "delete", table: "orders", condition: '"id" = ?' }] },
      },
    ]);
    expect(await shop.orders()).toEqual([]);
  });
});
