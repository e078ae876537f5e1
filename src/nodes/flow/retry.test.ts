import { describe, expect, it } from "vitest";
import type { FunctionResult } from "../../engine/host.ts";
import type { JsonObject } from "../../engine/json.ts";
import { buildWorkflow } from "../../engine/testing/build-workflow.ts";
import { runToEnd } from "../../engine/testing/run-to-end.ts";
import { sampleDocument } from "../../engine/testing/sample-nodes.ts";
import { scriptedModel } from "../../engine/testing/scripted-model.ts";
import { modelNodeOf } from "../../engine/testing/service-node.ts";
import { testHost } from "../../engine/testing/test-host.ts";
import { nodeRegistry } from "../index.ts";
import { read } from "../tools/postgres/testing/sql-answers.ts";

const answer = (statusCode: number, headers: JsonObject = {}): FunctionResult => ({
  ok: true,
  body: { success: statusCode < 300, statusCode, headers, body: "x", truncated: false },
});
const noAnswer: FunctionResult = {
  ok: true,
  body: { success: false, statusCode: 0, headers: {}, body: null, error: { code: "network", message: "It broke." } },
};
const broken: FunctionResult = {
  ok: true,
  body: {
    success: false,
    operation: "select",
    error: "The connection broke.",
    errorType: "connection_error",
    suggestion: "Try again.",
    sqlState: null,
  },
};

/** Runs one node whose function answers these one after the other. */
async function run(name: string, type: string, config: JsonObject, answers: FunctionResult[]) {
  let next = 0;
  const host = testHost({ functions: { [name]: () => answers[next++] ?? answer(200) } });
  const document = sampleDocument({ start: "manual-trigger", node: [type, config] }, ["start>node"], nodeRegistry);
  const ran = await runToEnd(document, { registry: nodeRegistry, host, input: {} });
  return { ...ran, calls: host.functionCalls.length, retries: ran.of("retry") };
}

const http = (config: JsonObject, ...answers: FunctionResult[]) =>
  run("execute-http", "http-request", { url: "https://a.example/x", retries: 2, ...config }, answers);
const sql = (config: JsonObject, ...answers: FunctionResult[]) =>
  run("sql-tool", "postgres", { credential: "c", tableName: "orders", retries: 2, ...config }, answers);

describe("a node of a flow that may be made again", () => {
  it("is, after a busy server, pausing longer each time", async () => {
    const { calls, retries, end } = await http({ retryDelayMs: 1_000 }, answer(503), noAnswer, answer(200));
    expect([calls, end.outcome]).toEqual([3, "completed"]);
    expect(retries).toMatchObject([
      { nodeId: "node", attempt: 1, maxAttempts: 2, error: { message: "The server answered with status 503." } },
      { nodeId: "node", attempt: 2, maxAttempts: 2, error: { message: "It broke." } },
    ]);
    const [first = 0, second = 0] = retries.map(({ delayMs }) => delayMs);
    expect(first >= 500 && first <= 1_000 && second >= 1_000 && second <= 2_000).toBe(true);
  });

  it("waits as long as the server asks", async () => {
    const { retries } = await http({}, answer(429, { "Retry-After": "7" }));
    expect(retries).toMatchObject([{ delayMs: 7_000 }]);
  });

  it("fails with the last error once its retries are used up", async () => {
    const { calls, end } = await http({}, answer(500), answer(500), answer(502));
    expect([calls, end.error?.message]).toEqual([3, "The server answered with status 502."]);
  });

  it("is not where another attempt changes nothing, could do harm, or was not asked for", async () => {
    expect((await http({}, answer(404))).calls).toBe(1);
    expect((await http({ method: "POST" }, answer(503))).calls).toBe(1);
    expect((await http({ retries: 0 }, answer(503))).calls).toBe(1);
  });

  it("is in a database where it only reads", async () => {
    const good: FunctionResult = { ok: true, body: read };
    expect(await sql({}, broken, good)).toMatchObject({ calls: 2, end: { outcome: "completed" } });
    const statement = { operation: "execute", statement: "select 1" };
    expect((await sql(statement, broken, good)).calls).toBe(2);
    expect((await sql({ ...statement, readOnly: false }, broken)).calls).toBe(1);
    expect((await sql({ operation: "insert", rows: [{ id: 1 }] }, broken)).calls).toBe(1);
  });
});

describe("a tool that may be made again", () => {
  async function call(type: string, name: string, config: JsonObject, answers: FunctionResult[]) {
    let next = 0;
    const fn = type === "http-request-tool" ? "execute-http" : "sql-tool";
    const noHints: FunctionResult = {
      ok: true,
      body: { ...(broken.ok ? { ...Object(broken.body) } : {}), errorType: "rejected" },
    };
    const host = testHost({
      functions: { [fn]: (body) => (body["operation"] === "describe" ? noHints : (answers[next++] ?? answer(200))) },
    });
    const model = scriptedModel([{ calls: [{ name, arguments: {} }] }, { text: "Done." }]);
    const document = buildWorkflow({
      nodes: { start: ["manual-trigger"], agent: ["ai-agent", { userMessage: "Hi" }], m: ["m"], tool: [type, config] },
      edges: ["start.main -> agent.main", "m.model -> agent.model", "tool.tool -> agent.tools"],
    });
    const registry = { ...nodeRegistry, m: modelNodeOf("m", model) };
    const ran = await runToEnd(document, { registry, host, input: {} });
    return { tries: next, retries: ran.of("retry"), ends: ran.of("tool-call-end") };
  }

  const tool = (config: JsonObject, ...answers: FunctionResult[]) =>
    call("http-request-tool", "http_request", { url: "https://a.example", approval: "never", ...config }, answers);

  it("is, so that the model reads only what came in the end", async () => {
    const { tries, retries, ends } = await tool({ retries: 2 }, answer(503), answer(200));
    expect([tries, ends.map(({ ok }) => ok)]).toEqual([2, [true]]);
    expect(retries).toMatchObject([{ nodeId: "tool", attempt: 1, maxAttempts: 2 }]);
    const select = { credential: "c", tableName: "orders", retries: 1 };
    expect(
      (await call("postgres-select-tool", "postgres_select", select, [broken, { ok: true, body: read }])).tries,
    ).toBe(2);
    const execute = (readOnly: boolean) => {
      const config = { credential: "c", statement: "select 1", readOnly, approval: "never", retries: 1 };
      return call("postgres-execute-tool", "postgres_execute", config, [broken, { ok: true, body: read }]);
    };
    expect((await execute(true)).tries).toBe(2);
    expect((await execute(false)).tries).toBe(1);
  });

  it("is not where another attempt changes nothing, could do harm, or was not asked for", async () => {
    expect((await tool({ retries: 2 }, answer(404))).tries).toBe(1);
    expect((await tool({ retries: 2, method: "POST" }, answer(503))).tries).toBe(1);
    expect((await tool({}, answer(503))).tries).toBe(1);
  });
});

describe("stop", () => {
  it("ends the run as failed, with its own text and hint", async () => {
    const config = { message: "No order {{json.id}} was found.", hint: "Check the number." };
    const document = sampleDocument({ start: "manual-trigger", node: ["stop", config] }, ["start>node"], nodeRegistry);
    const { end } = await runToEnd(document, { registry: nodeRegistry, host: testHost(), input: { id: 7 } });
    expect(end).toMatchObject({
      outcome: "failed",
      error: { message: "No order 7 was found.", hint: "Check the number.", nodeId: "node" },
    });
  });
});
