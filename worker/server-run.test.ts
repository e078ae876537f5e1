import { EventEmitter, once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import type { WorkflowDocument } from "../src/engine/document/workflow-document.ts";
import type { RunEvent } from "../src/engine/run/events.ts";
import { buildWorkflow } from "../src/engine/testing/build-workflow.ts";
import type { RunQueue } from "./run-queue.ts";
import { ServerRun } from "./server-run.ts";

interface Attempt {
  run: ServerRun;
  /** What was called and what was stored, in order. */
  told: string[];
  /** Resolves once the run has left the worker. */
  over: Promise<void>;
}

/** Runs a workflow as a worker does. `answer` is given the last part of each call's address; `onStored` hears what is stored. */
async function attempt(
  document: WorkflowDocument,
  answer: (name: string, response: ServerResponse) => void,
  onStored: (stored: readonly RunEvent[]) => void = () => undefined,
): Promise<Attempt> {
  const told: string[] = [];
  const server = createServer((request, response) => {
    request.resume();
    const name = request.url?.split("/").at(-1) ?? "";
    told.push(`called ${name}`);
    answer(name, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const store = (events: string) => {
    const stored = JSON.parse(events) as RunEvent[];
    const kept: readonly RunEvent["type"][] = ["write-start", "node-end", "tool-call-end", "model-response"];
    for (const event of stored) if (kept.includes(event.type)) told.push(`stored ${event.type}`);
    onStored(stored);
  };
  const queue: Partial<RunQueue> = {
    takePrices: async () => undefined,
    checkUnknownPrices: async () => ({ limited: false, allowed: false }),
    book: async () => ({ state: "free" }),
    async append(_run, events) {
      store(events);
      return { state: "ok" };
    },
    async release(_run, events, status) {
      store(events);
      told.push("gave back");
      return status;
    },
    async finish(_run, events) {
      store(events);
      told.push("finished");
      return "ok";
    },
  };
  const run = new ServerRun(
    {
      id: "00000000-0000-4000-8000-0000000000aa",
      owner: "00000000-0000-4000-8000-0000000000bb",
      workflowId: document.id,
      source: "manual",
      callers: null,
      attempt: 1,
      input: { message: "Go." },
      forkedFrom: undefined,
      cancelled: false,
      limits: {},
      document: JSON.parse(JSON.stringify(document)) as unknown,
      workflows: {},
      files: [],
    },
    {
      queue: queue as RunQueue,
      access: {
        url: `http://127.0.0.1:${port}`,
        publishableKey: "test-key-publishable",
        accessToken: async () => "test-key-token",
      },
      worker: "test",
      claimedAt: Date.now(),
      log: (line) => told.push(line),
      onEvent: () => undefined,
      onNews: () => undefined,
    },
  );
  const over = run.done.then(() => {
    server.close();
    server.closeAllConnections();
  });
  return { run, told, over };
}

/** Longer than any test: what is given back earlier was not waited for. */
const longGraceMs = 3_600_000;

const post: [string, object] = ["http-request", { method: "POST", url: "https://api.example.com/x" }];
const steps = (...names: string[]) =>
  buildWorkflow({
    nodes: { start: ["manual-trigger"], ...Object.fromEntries(names.map((name) => [name, post])) },
    edges: names.map((name, index) => `${names[index - 1] ?? "start"}.main -> ${name}.main`),
  });

function done(response: ServerResponse): void {
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify({ success: true, statusCode: 200, headers: {}, body: "ok" }));
}

/** A run whose first call has come, which is not answered yet. */
async function inFirstCall(document: WorkflowDocument) {
  const calls = new EventEmitter<{ call: [ServerResponse] }>();
  const called = once(calls, "call");
  const made = await attempt(document, (_name, response) => void calls.emit("call", response));
  const ended = made.over.then(() => Promise.reject(new Error(`It made no call: ${made.told.join(", ")}`)));
  const [response] = (await Promise.race([called, ended])) as [ServerResponse];
  return { ...made, response };
}

it("S97 makes a call that the log says has begun, also where the worker is told to stop while that is stored", async () => {
  const stop = new EventEmitter();
  const { run, told, over } = await attempt(
    steps("post"),
    (_name, response) => done(response),
    (stored) => void (stored.some(({ type }) => type === "write-start") && stop.emit("stop")),
  );
  stop.on("stop", () => void run.release(longGraceMs));
  await over;
  expect(told.slice(1)).toEqual(["stored write-start", "called execute-http", "stored node-end", "finished"]);
});

it("S97 a call that ends after its worker was told to stop is in the log as ended, and the next one does not begin", async () => {
  const { run, told, over, response } = await inFirstCall(steps("first", "second"));
  void run.release(longGraceMs);
  done(response);
  await over;
  expect(told).toEqual([
    "stored node-end",
    "stored write-start",
    "called execute-http",
    "stored node-end",
    "gave back",
  ]);
});

it("S97 a run whose last call ends after its worker was told to stop ends with it", async () => {
  const { run, told, over, response } = await inFirstCall(steps("only"));
  void run.release(longGraceMs);
  done(response);
  await over;
  expect(told.slice(1)).toEqual(["stored write-start", "called execute-http", "stored node-end", "finished"]);
});

it("S97 a call that has not ended when the worker waits no longer is left open in the log, whatever comes later", async () => {
  const { run, told, over, response } = await inFirstCall(steps("first", "second"));
  await run.release(0);
  done(response);
  await over;
  expect(told.slice(1)).toEqual(["stored write-start", "called execute-http", "gave back"]);
});

it("S80 an answer of a model that ends after its worker was told to stop is not asked for again", async () => {
  const document = buildWorkflow({
    nodes: {
      chat: ["chat-trigger"],
      agent: ["ai-agent"],
      model: ["openai-compatible-model", { credential: "00000000-0000-4000-8000-0000000000cc", model: "steps-1" }],
      tool: ["http-request-tool", { toolName: "look", method: "GET", url: "https://api.example.com/x" }],
    },
    edges: ["chat.main -> agent.main", "model.model -> agent.model", "tool.tool -> agent.tools"],
  });
  const { run, told, over, response } = await inFirstCall(document);
  void run.release(longGraceMs);
  const call = { index: 0, id: "call_1", type: "function", function: { name: "look", arguments: "{}" } };
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const choice of [
    { index: 0, delta: { role: "assistant", tool_calls: [call] }, finish_reason: null },
    { index: 0, delta: {}, finish_reason: "tool_calls" },
  ]) {
    const chunk = {
      id: "chatcmpl-1",
      object: "chat.completion.chunk",
      created: 0,
      model: "steps-1",
      choices: [choice],
    };
    response.write(`data: ${JSON.stringify(chunk)}\n\n`);
  }
  response.end("data: [DONE]\n\n");
  await over;
  expect(told).toEqual(["stored node-end", "called completions", "stored model-response", "gave back"]);
});
