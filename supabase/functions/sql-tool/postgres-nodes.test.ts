import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createNodeHost } from "../../../scripts/headless/node-host.ts";
import type { ApprovalRequest } from "../../../src/engine/host.ts";
import type { JsonObject } from "../../../src/engine/json.ts";
import { runToEnd } from "../../../src/engine/testing/run-to-end.ts";
import { testHost, type TestHost, type TestHostOptions } from "../../../src/engine/testing/test-host.ts";
import { databaseAssistant } from "../../../src/features/library/templates/database-assistant.ts";
import { nodeRegistry } from "../../../src/nodes/index.ts";
import { callSqlTool } from "../../../src/nodes/tools/postgres/testing/call-sql-tool.ts";
import { postgresDeleteTool } from "../../../src/nodes/tools/postgres-delete-tool.ts";
import { postgresExecuteTool } from "../../../src/nodes/tools/postgres-execute-tool.ts";
import { postgresInsertTool } from "../../../src/nodes/tools/postgres-insert-tool.ts";
import { postgresSelectTool } from "../../../src/nodes/tools/postgres-select-tool.ts";
import { postgresUpdateTool } from "../../../src/nodes/tools/postgres-update-tool.ts";
import { startPostgresServer, type PostgresServer } from "../_shared/testing/postgres-server.ts";

const password = "test-key-shop-0123456789abcdef";

const shop = `
  create role shop login password '${password}';
  grant create on schema public to shop;
  set role shop;
  create table orders (id integer primary key, status text not null, total numeric(10, 2));
  create table notes (id integer generated always as identity primary key, text text not null);
`;
const stock = `
  truncate orders, notes;
  insert into orders values (1, 'open', 10), (2, 'open', 20.5), (3, 'paid', 30);
`;

let server: PostgresServer;

beforeAll(async () => {
  server = await startPostgresServer({ setup: shop });
});
afterAll(() => server.stop());
beforeEach(() => server.run(stock));

/** The headless host's own functions under a test host. */
function hostWith(settings: JsonObject = {}, options: TestHostOptions = {}): TestHost {
  const connectionString = server.urlOf("shop", password);
  const credential = { type: "postgres" as const, fields: { connectionString, tls: false } };
  const real = createNodeHost({
    credentials: {
      get: (id) => (id === "c" ? { credential, allowedHosts: [`127.0.0.1:${server.port}`], settings } : undefined),
      secrets: [password],
    },
    policy: { allowHosts: [] },
    approve: false,
    workflows: { load: () => Promise.reject(new Error("There is none.")) },
  });
  const made = testHost(options);
  made.callFunction = real.callFunction;
  // No time limit passes; the demo model's pauses between words do at once.
  made.sleep = (ms, signal) =>
    ms < 1_000
      ? Promise.resolve()
      : new Promise((_resolve, reject) =>
          signal.addEventListener("abort", () => reject(signal.reason), { once: true }),
        );
  return made;
}

const orders = () => server.run("select id, status, total::text as total from orders order by id");
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
    const { results } = await callSqlTool({ host: hostWith(), node: postgresSelectTool, calls: [input] });
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
      host: hostWith(),
      node: postgresSelectTool,
      config,
      calls: [{}],
      input: { status },
    });
    expect(hostile.results[0]).toMatchObject({ success: true, rowCount: 0 });
    const plain = await callSqlTool({
      host: hostWith(),
      node: postgresSelectTool,
      config,
      calls: [{}],
      input: { status: "paid" },
    });
    expect(plain.results[0]).toMatchObject({ rowCount: 1 });
    expect(await orders()).toHaveLength(3);
  });

  test("insert several rows, and give their ids back", async () => {
    const config = { tableName: "notes", returning: ["id"], approval: "never" };
    const rows = [{ text: "one" }, { text: "it's -- two" }];
    const { results, of } = await callSqlTool({
      host: hostWith(),
      node: postgresInsertTool,
      config,
      calls: [{ rows }],
    });
    expect(results[0]).toMatchObject({ success: true, affectedRows: 2, data: [{ id: expect.any(Number) }, {}] });
    expect(await server.run("select text from notes order by id")).toMatchObject([
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
    const host = hostWith(
      {},
      {
        async approve(request) {
          asked.push(request);
          previews.push(await request.previewOf?.(narrower));
          expect(await orders()).toMatchObject([{ status: "open" }, { status: "open" }, { status: "paid" }]);
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
    expect(await orders()).toMatchObject([{ status: "open" }, { status: "shipped" }, { status: "paid" }]);
    expect(of("log")[0]).toMatchObject({
      data: { statement: "update", table: "orders", columns: ["status"], affectedRows: 1 },
    });
    expect(JSON.stringify(of("log"))).not.toContain("shipped");
  });

  test("S14 a condition that fits every row, or too many, changes nothing and asks nobody", async () => {
    const host = hostWith();
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
    expect(await orders()).toHaveLength(3);
  });

  test("a dry run shows what would go and keeps it", async () => {
    const config = { tableName: "orders", dryRun: true };
    const { results } = await callSqlTool({
      host: hostWith(),
      node: postgresDeleteTool,
      config,
      calls: [{ where: open }],
    });
    expect(results[0]).toMatchObject({ success: true, dryRun: { affectedRows: 2, after: [] } });
    expect(await orders()).toHaveLength(3);
  });

  test("S15 execute reads with parameters, and writes only when it is allowed to", async () => {
    const host = hostWith();
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
    expect(await orders()).toHaveLength(3);
    const config = { readOnly: false, statement: 'delete from orders where id = {{ai("id", "which", "integer")}}' };
    const writes = await callSqlTool({ host, node: postgresExecuteTool, config, calls: [{ id: 3 }] });
    expect(host.approvals).toMatchObject([{ input: { id: 3 }, preview: { affectedRows: 1 } }]);
    expect(writes.results[0]).toMatchObject({ success: true, affectedRows: 1 });
    expect(await orders()).toHaveLength(2);
  });

  test("execute shows the rows of a delete before and after, and logs what WITH changes", async () => {
    const shown: unknown[] = [];
    const host = hostWith(
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
    expect(await orders()).toEqual([]);
  });

  test("failures let the model recover, and schema hints name what exists", async () => {
    const input = { columns: ["statuz"] };
    const config = { tableName: "orders" };
    const blind = await callSqlTool({ host: hostWith(), node: postgresSelectTool, config, calls: [input] });
    expect(blind.results[0]).toMatchObject({
      details: { errorType: "invalid_column", suggestion: expect.stringMatching(/./) },
    });
    expect(JSON.stringify(blind.results[0])).not.toContain("total");
    expect(blind.offered?.description).not.toContain("Columns");

    const hinted = await callSqlTool({
      host: hostWith(hints),
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
    const host = hostWith();
    await server.run("alter role shop password 'test-key-changed-0123456789'");
    const wrong = await callSqlTool({ host, node: postgresSelectTool, config: { tableName: "orders" }, calls: [{}] });
    await server.run(`alter role shop password '${password}'`);
    expect(wrong.results[0]).toMatchObject({
      code: "invalid_credentials",
      details: { errorType: "authentication_error" },
    });
    for (const secret of [password, "127.0.0.1", "shop", "select"]) {
      expect(JSON.stringify(wrong.results[0]).toLowerCase().replace('"operation":"select"', "")).not.toContain(secret);
    }
  });
});

describe("the database assistant", () => {
  test("answers from the tables on the demo model", async () => {
    const document = databaseAssistant.build("00000000-0000-4000-8000-000000000001");
    for (const id of ["read", "change"]) Object.assign(document.nodes[id]?.config ?? {}, { credential: "c" });
    const host = hostWith(hints);
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
