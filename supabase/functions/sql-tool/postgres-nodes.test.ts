import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { runToEnd } from "../../../src/engine/testing/run-to-end.ts";
import { databaseAssistant } from "../../../src/features/library/templates/database-assistant.ts";
import { nodeRegistry } from "../../../src/nodes/index.ts";
import { callSqlTool } from "../../../src/nodes/tools/postgres/testing/call-sql-tool.ts";
import { postgresExecuteTool } from "../../../src/nodes/tools/postgres-execute-tool.ts";
import { postgresSelectTool } from "../../../src/nodes/tools/postgres-select-tool.ts";
import { shopPassword, startShop, type Shop } from "./testing/shop.ts";

let shop: Shop;

beforeAll(async () => {
  shop = await startShop();
});
afterAll(() => shop.stop());
beforeEach(() => shop.restock());

const open = [{ column: "status", operator: "=", value: "open" }];
const hints = { schemaHints: true, tables: ["orders"] };

describe("the Postgres tools on a real PostgreSQL", () => {
  test("select with conditions, order, columns and fewer rows", async () => {
    const input = {
      table: "orders",
      columns: ["id", "total"],
      where: open,
      orderBy: [{ column: "id", direction: "desc" }],
      limit: 1,
    };
    const { results } = await callSqlTool({ host: shop.hostWith(), node: postgresSelectTool, calls: [input] });
    expect(results[0]).toMatchObject({
      success: true,
      operation: "select",
      rowCount: 1,
      truncated: true,
      data: [{ id: 2, total: "20.50" }],
    });
  });

  test("S30 templates in a fragment are bound: a hostile value finds nothing and changes nothing", async () => {
    const config = { tableName: "orders", where: "status = {{json.status}}" };
    const status = "x' or 1=1; drop table orders; --";
    const hostile = await callSqlTool({
      host: shop.hostWith(),
      node: postgresSelectTool,
      config,
      calls: [{}],
      input: { status },
    });
    expect(hostile.results[0]).toMatchObject({ success: true, rowCount: 0 });
    const plain = await callSqlTool({
      host: shop.hostWith(),
      node: postgresSelectTool,
      config,
      calls: [{}],
      input: { status: "paid" },
    });
    expect(plain.results[0]).toMatchObject({ rowCount: 1 });
    expect(await shop.orders()).toHaveLength(3);
  });

  test("S15 execute reads with parameters, and writes only when it is allowed to", async () => {
    const host = shop.hostWith();
    const reads = await callSqlTool({
      host,
      node: postgresExecuteTool,
      calls: [
        { sql: "select sum(total) as sum from orders where status = $1", parameters: ["open"] },
        { sql: "delete from orders" },
      ],
    });
    expect(reads.results[0]).toMatchObject({ success: true, data: [{ sum: "30.50" }] });
    expect(reads.results[1]).toMatchObject({ details: { success: false } });
    expect(await shop.orders()).toHaveLength(3);
    const config = { readOnly: false, statement: 'delete from orders where id = {{ai("id", "which", "integer")}}' };
    const writes = await callSqlTool({ host, node: postgresExecuteTool, config, calls: [{ id: 3 }] });
    expect(host.approvals).toMatchObject([{ input: { id: 3 }, preview: { affectedRows: 1 } }]);
    expect(writes.results[0]).toMatchObject({ success: true, affectedRows: 1 });
    expect(await shop.orders()).toHaveLength(2);
  });

  test("failures let the model recover, and schema hints name what exists", async () => {
    const input = { columns: ["statuz"] };
    const config = { tableName: "orders" };
    const blind = await callSqlTool({ host: shop.hostWith(), node: postgresSelectTool, config, calls: [input] });
    expect(blind.results[0]).toMatchObject({
      details: { errorType: "invalid_column", suggestion: expect.stringMatching(/./) },
    });
    expect(JSON.stringify(blind.results[0])).not.toContain("total");
    expect(blind.offered?.description).not.toContain("Columns");

    const hinted = await callSqlTool({
      host: shop.hostWith(hints),
      node: postgresSelectTool,
      calls: [{ table: "orders" }, { table: "notes" }],
    });
    expect(hinted.offered?.description).toContain(
      "orders: id integer primary key, status text not null, total numeric",
    );
    expect(hinted.offered?.description).not.toContain("notes");
    expect(hinted.results[0]).toMatchObject({ success: true, rowCount: 3 });
    // A table that the list leaves out does not exist for the model: its choices do not hold it.
    expect(hinted.read[1]).toContain("Invalid arguments");
  });

  test("S20 S43 a wrong password and a dead server are named, without host, user, password or query", async () => {
    const host = shop.hostWith();
    await shop.run("alter role shop password 'test-key-changed-0123456789'");
    const wrong = await callSqlTool({ host, node: postgresSelectTool, config: { tableName: "orders" }, calls: [{}] });
    await shop.run(`alter role shop password '${shopPassword}'`);
    expect(wrong.results[0]).toMatchObject({
      code: "invalid_credentials",
      details: { errorType: "authentication_error" },
    });
    for (const secret of [shopPassword, "127.0.0.1", "shop", "select"]) {
      expect(JSON.stringify(wrong.results[0]).toLowerCase().replace('"operation":"select"', "")).not.toContain(secret);
    }
  });
});

describe("the database assistant", () => {
  test("answers from the tables on the demo model", async () => {
    const document = databaseAssistant.build("00000000-0000-4000-8000-000000000001");
    for (const id of ["read", "change"]) Object.assign(document.nodes[id]?.config ?? {}, { credential: "c" });
    const host = shop.hostWith(hints);
    const run = await runToEnd(document, {
      registry: nodeRegistry,
      host,
      input: { message: databaseAssistant.example ?? "" },
    });
    expect(run.end.error).toBeUndefined();
    expect(run.of("tool-call-end")).toMatchObject([{ toolName: "read_rows", ok: true, output: { rowCount: 3 } }]);
    expect(JSON.stringify(run.end.output)).toContain("20.50");
  });
});
