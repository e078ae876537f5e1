import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { z } from "zod/mini";
import { callFunction } from "../supabase/functions/_shared/testing/call-function.ts";
import { type LoopbackServer, startLoopbackServer } from "../supabase/functions/_shared/testing/loopback-server.ts";
import { signUp, type SignedIn } from "../supabase/local/testing/clients.ts";
import { plant } from "../supabase/local/testing/sample-rows.ts";
import { startTestStack, type TestStack } from "../supabase/local/testing/start-stack.ts";
import { createActivity } from "../src/state/account/storage/activity.ts";
import { createSupabaseClient } from "../src/state/shared/storage/supabase-client.ts";
import { sendTracesOf } from "./send-traces.ts";
import { type Parameter, type WorkerStatement, workerStatements } from "./statements.ts";

const headers = { Authorization: "Bearer test-key-collector-0123456789", "X-Scope": "studio" };

let stack: TestStack;
let owner: SignedIn;
let collector: LoopbackServer;
let answer: { status: number; body: object };

beforeAll(async () => {
  collector = await startLoopbackServer((_request, response) => {
    response.writeHead(answer.status, { "content-type": "application/json" }).end(JSON.stringify(answer.body));
  });
  stack = await startTestStack({ functions: true, allowHosts: collector.host });
  owner = await signUp(stack);
});
afterAll(async () => {
  await stack.stop();
  await collector.stop();
});
beforeEach(() => {
  answer = { status: 200, body: {} };
  collector.seen.length = 0;
});

async function activityOf(user: SignedIn) {
  const client = createSupabaseClient(
    { supabaseUrl: stack.url, supabaseKey: stack.key, embedded: true },
    { persistSession: false },
  );
  const { data } = await user.client.auth.getSession();
  await client.auth.setSession(data.session ?? { access_token: "", refresh_token: "" });
  return createActivity(client);
}

/** A publication whose traces go to `url`. */
async function published(url: string, content = false): Promise<string> {
  const workflow = await plant(stack, "studio_workflows", owner, {
    id: randomUUID(),
    name: "T",
    document: { nodes: {} },
  });
  const id = String(workflow.id);
  await plant(stack, "studio_publications", owner, { workflow_id: id, slug: `traces-${id}`, live: 1 });
  await plant(stack, "studio_published", owner, {
    workflow_id: id,
    version: 1,
    document: { nodes: { agent: { title: "Helper" } } },
    hash: "0".repeat(64),
  });
  await (await activityOf(owner)).saveCollector(id, { url, headers, content });
  return id;
}

const collectorUrl = () => `http://${collector.host}/v1/traces`;

/** A run of an agent that ends, with what a worker would have stored of it. */
async function ended(workflowId: string): Promise<string> {
  const run = await plant(stack, "studio_runs", owner, {
    id: randomUUID(),
    workflow_id: workflowId,
    status: "running",
    source: "api",
    published_version: 1,
  });
  const runId = String(run.id);
  const call = { nodeId: "agent", modelNodeId: "model", edgeId: "e", callId: "call-1", iteration: 1 };
  const events = [
    { type: "run-start", workflowId, workflowName: "T", input: { message: "My card is [card]" } },
    { type: "node-start", nodeId: "agent", input: { message: "My card is [card]" } },
    {
      type: "model-request",
      ...call,
      purpose: "answer",
      provider: "openai",
      model: "gpt-test",
      settings: { temperature: 0 },
      toolChoice: "auto",
      messages: [{ role: "user", parts: [{ type: "text", text: "My card is [card]" }] }],
      tools: [],
    },
    { type: "text-delta", nodeId: "agent", callId: "call-1", text: "Fine." },
    {
      type: "model-response",
      ...call,
      message: { role: "assistant", parts: [{ type: "text", text: "Fine." }] },
      finishReason: "stop",
      usage: { inputTokens: 7, outputTokens: 2 },
      costUsd: 0.5,
      durationMs: 5,
    },
    { type: "node-end", nodeId: "agent", output: { response: "Fine." }, ports: ["main"], durationMs: 6 },
    {
      type: "run-end",
      outcome: "completed",
      output: { response: "Fine." },
      costUsd: 0.5,
      durationMs: 9,
      usage: { inputTokens: 7, outputTokens: 2 },
    },
  ].map((event, seq) => ({ ...event, runId, seq, at: 1_700_000_000_000 + seq }));
  for (const event of events) {
    const at = new Date(event.at).toISOString();
    const keys = { run_id: runId, run_added_at: run.added_at, seq: event.seq };
    await plant(stack, "studio_run_events", owner, { ...keys, at, type: event.type, event });
  }
  await stack.sql("update public.studio_runs set status = 'completed', ended_at = now() where id = $1", [runId]);
  return runId;
}

/** Sends all that is due, and gives in how many requests. */
async function send(): Promise<number> {
  let requests = 0;
  const options = {
    worker: "worker-1",
    url: stack.url,
    publishableKey: stack.key,
    tokens: { tokenFor: () => Promise.resolve(owner.accessToken) },
    door: {
      ask: (statement: WorkerStatement, parameters: readonly Parameter[]) =>
        stack.sql<Record<string, unknown>>(workerStatements[statement], [...parameters]),
    },
  };
  while (await sendTracesOf(owner.userId, options)) requests += 1;
  return requests;
}

const waitingOf = (workflowId: string) =>
  stack.sql<{ attempts: number; late: boolean }>(
    "select attempts, next_at > now() as late from private.studio_trace_exports where workflow_id = $1 order by run_id",
    [workflowId],
  );

/** What a receiver reads of a request (opentelemetry-proto 1.x, `ExportTraceServiceRequest` in JSON). */
const request = z.object({
  resourceSpans: z.array(
    z.object({
      scopeSpans: z.array(
        z.object({
          spans: z.array(
            z.object({
              traceId: z.string().check(z.regex(/^[0-9a-f]{32}$/)),
              spanId: z.string().check(z.regex(/^[0-9a-f]{16}$/)),
              name: z.string(),
              startTimeUnixNano: z.string().check(z.regex(/^\d+$/)),
              attributes: z.array(z.object({ key: z.string(), value: z.record(z.string(), z.unknown()) })),
            }),
          ),
        }),
      ),
    }),
  ),
});

const spansOf = (body: string) =>
  request.parse(JSON.parse(body)).resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans));

test("finished runs go to the collector once, several in a request, with the names of OpenTelemetry and without what was said", async () => {
  const id = await published(collectorUrl());
  const runs = [await ended(id), await ended(id)];
  expect(await send()).toBe(1);
  expect(await send()).toBe(0);
  expect(collector.seen).toHaveLength(1);
  const [seen] = collector.seen;
  expect(seen).toMatchObject({ method: "POST", url: "/v1/traces", headers: { "content-type": "application/json" } });
  expect(seen?.headers).toMatchObject({ authorization: headers.Authorization, "x-scope": "studio" });
  const spans = spansOf(seen?.body ?? "");
  expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set(runs.map((run) => run.replaceAll("-", ""))));
  expect(spans.map(({ name }) => name)).toEqual([
    "run T",
    "invoke_agent Helper",
    "chat gpt-test",
    "run T",
    "invoke_agent Helper",
    "chat gpt-test",
  ]);
  const chat = Object.fromEntries(spans[2]?.attributes.map(({ key, value }) => [key, value]) ?? []);
  expect(chat).toMatchObject({
    "gen_ai.operation.name": { stringValue: "chat" },
    "gen_ai.provider.name": { stringValue: "openai" },
    "gen_ai.request.model": { stringValue: "gpt-test" },
    "gen_ai.usage.input_tokens": { intValue: "7" },
  });
  expect(seen?.body).not.toMatch(/Fine\.|card/);
  expect(await waitingOf(id)).toEqual([]);
  expect(await (await activityOf(owner)).collector(id)).toMatchObject({ problem: null, sentAt: expect.any(String) });
});

test("what was said is sent where that is switched on, as it is stored: masked", async () => {
  const id = await published(collectorUrl(), true);
  await ended(id);
  await send();
  expect(collector.seen[0]?.body).toContain("My card is [card]");
  expect(collector.seen[0]?.body).toContain("gen_ai.output.messages");
});

test.each([429, 503])("after a status of %i the same is sent again later, and given up in the end", async (status) => {
  const id = await published(collectorUrl());
  await ended(id);
  answer = { status, body: {} };
  await send();
  expect(await waitingOf(id)).toEqual([{ attempts: 1, late: true }]);
  const { problem, waiting } = (await (await activityOf(owner)).collector(id)) ?? {};
  expect([problem, waiting]).toEqual([`The collector answered with the status ${status}.`, 1]);
  await stack.sql("update private.studio_trace_exports set next_at = now(), attempts = 5 where workflow_id = $1", [id]);
  await send();
  expect(await waitingOf(id)).toEqual([]);
});

test("what a collector will never take is not sent again: another status, a part of it, a blocked address", async () => {
  const id = await published(collectorUrl());
  await ended(id);
  answer = { status: 400, body: {} };
  await send();
  expect(await waitingOf(id)).toEqual([]);
  await ended(id);
  answer = { status: 200, body: { partialSuccess: { rejectedSpans: "3", errorMessage: "Too old." } } };
  await send();
  expect(await waitingOf(id)).toEqual([]);
  const activity = await activityOf(owner);
  expect((await activity.collector(id))?.problem).toBe("The collector refused 3 spans: Too old.");
  const inside = await published("http://10.0.0.1/v1/traces");
  await ended(inside);
  await send();
  expect(await waitingOf(inside)).toEqual([]);
  expect((await activity.collector(inside))?.problem).toContain("10.0.0.1");
});

test("headers never come back, and are not sent to another address", async () => {
  const id = await published(collectorUrl());
  const activity = await activityOf(owner);
  expect(await activity.collector(id)).toMatchObject({ headerNames: ["Authorization", "X-Scope"] });
  expect(JSON.stringify(await activity.collector(id))).not.toContain("test-key-collector");
  await activity.saveCollector(id, { url: collectorUrl(), content: true });
  expect(await activity.collector(id)).toMatchObject({ headerNames: ["Authorization", "X-Scope"], content: true });
  await activity.saveCollector(id, { url: `http://${collector.host}/elsewhere`, content: false });
  expect(await activity.collector(id)).toMatchObject({ headerNames: [] });
  await ended(id);
  await send();
  expect(collector.seen[0]?.url).toBe("/elsewhere");
  expect(collector.seen[0]?.headers["authorization"]).toBeUndefined();
  await activity.saveCollector(id, null);
  expect(await activity.collector(id)).toBeNull();
});

test("S37 another account neither reads nor changes a collector, nor has runs of others sent", async () => {
  const id = await published(collectorUrl());
  const run = await ended(id);
  const stranger = await signUp(stack);
  const theirs = await activityOf(stranger);
  expect(await theirs.collector(id)).toBeNull();
  await expect(theirs.saveCollector(id, null)).rejects.toMatchObject({ kind: "not-found" });
  const asked = await callFunction(stack, "send-traces", stranger.accessToken, { workflow: id, runs: [run] });
  expect(asked).toMatchObject({ status: 200, json: { sent: 0 } });
  expect(collector.seen).toEqual([]);
  for (const body of [
    {},
    { workflow: id, runs: [] },
    { workflow: id, runs: ["x"] },
    { workflow: id, runs: [run], url: "x" },
  ])
    expect((await callFunction(stack, "send-traces", owner.accessToken, body)).status).toBe(400);
});

test("a run ends although its trace cannot be queued", async () => {
  const id = await published(collectorUrl());
  await stack.sql("alter table private.studio_trace_exports rename to studio_trace_exports_away");
  const run = await ended(id).finally(() =>
    stack.sql("alter table private.studio_trace_exports_away rename to studio_trace_exports"),
  );
  expect(await stack.sql("select status from public.studio_runs where id = $1", [run])).toEqual([
    { status: "completed" },
  ]);
});

test("nothing is sent without a header that cannot be opened, and the problem names it", async () => {
  const id = await published(`${collectorUrl()}/closed`);
  await ended(id);
  await stack.sql(
    'update private.studio_collectors set headers = headers || \'{"X-Scope": "sealed.99.AAAA.AAAA"}\' where workflow_id = $1',
    [id],
  );
  await send();
  expect(collector.seen.filter(({ url }) => url.endsWith("/closed"))).toEqual([]);
  const [problem] = await stack.sql("select * from private.studio_collectors where workflow_id = $1", [id]);
  expect(JSON.stringify(problem)).toContain("The header X-Scope cannot be opened. Enter it again.");
});
