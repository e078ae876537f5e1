import { describe, expect, it } from "vitest";
import { runCodeInThread } from "../../../worker/runtime/run-code.ts";
import type { WorkflowDocument } from "../../engine/document/workflow-document.ts";
import type { Host } from "../../engine/host.ts";
import type { Json, JsonObject } from "../../engine/json.ts";
import { proposeCase } from "../../evaluation/suite/propose-case.ts";
import { recordingOf } from "../../engine/run/replay/recording.ts";
import type { RunEvent } from "../../engine/run/events.ts";
import type { RunPart } from "../../engine/run/run-part.ts";
import { buildWorkflow } from "../../engine/testing/build-workflow.ts";
import { runToEnd } from "../../engine/testing/run-to-end.ts";
import { realSleep } from "../../engine/testing/real-sleep.ts";
import { testHost, type TestHostOptions } from "../../engine/testing/test-host.ts";
import { approveRefunds } from "../../features/library/templates/approve-refunds.ts";
import { codeTools } from "../../features/library/templates/code-tools.ts";
import { enrichList } from "../../features/library/templates/enrich-list.ts";
import { extractJson } from "../../features/library/templates/extract-json.ts";
import { weeklyReport } from "../../features/library/templates/weekly-report.ts";
import { nodeRegistry } from "../../nodes/index.ts";
import type { ReadRun } from "./desk.ts";
import { caseEvents } from "./case-events.ts";
import { proveFix } from "./prove-fix.ts";

const inSandbox: TestHostOptions = { runCode: runCodeInThread };

/** A host whose code really runs, so that its clock is the real one; the demo model's pauses are left out. */
function openHost(options: TestHostOptions) {
  const sleep: Host["sleep"] = async (ms, signal) => {
    signal.throwIfAborted();
    if (ms >= 1_000) await realSleep(ms, signal);
  };
  return Object.assign(testHost({ ...inSandbox, ...options }), { now: Date.now, sleep });
}

/** The workflow with settings of one node changed. */
function withConfig(document: WorkflowDocument, nodeId: string, config: JsonObject): WorkflowDocument {
  const changed = structuredClone(document);
  const node = changed.nodes[nodeId];
  if (!node) throw new Error(`There is no node ${nodeId}.`);
  node.config = { ...node.config, ...config };
  return changed;
}

function without(document: WorkflowDocument, edgeId: string): WorkflowDocument {
  const changed = structuredClone(document);
  if (!changed.edges[edgeId]) throw new Error(`There is no wire ${edgeId}.`);
  delete changed.edges[edgeId];
  return changed;
}

/** A real run of the workflow, as it is stored. */
async function record(
  document: WorkflowDocument,
  {
    input = {},
    outcome = "failed",
    part = {},
    ...world
  }: TestHostOptions & { input?: Json; outcome?: string; part?: RunPart } = {},
): Promise<ReadRun> {
  const host = openHost(world);
  const { events, end } = await runToEnd(document, { registry: nodeRegistry, host, input, ...part });
  expect(end.outcome).toBe(outcome);
  return { id: end.runId, events: JSON.parse(JSON.stringify(events)) as RunEvent[], document };
}

async function prove(run: ReadRun, fixed: WorkflowDocument, world: TestHostOptions = {}) {
  const host = openHost(world);
  const { signal } = new AbortController();
  const proof = await proveFix({ run, fixed, registry: nodeRegistry, host, signal });
  return { ...proof, host };
}

const report = weeklyReport.build("w");
const wrongPath = withConfig(report, "agent", { userMessage: "{{json.titel}}: total {{string(json.total)}}." });

describe("the proof of a fix", () => {
  it("a wrong path in a template: fixed, and nothing but the rest is run", async () => {
    const run = await record(wrongPath);
    const proof = await prove(run, report);
    expect(proof).toMatchObject({
      kind: "fixed",
      reason: "With the changes, the run gets past the failing step and completes.",
    });
    expect(proof.events.at(-1)).toMatchObject({ type: "run-end", outcome: "completed" });
  });

  it("an edit of something else: still fails, with the words of the error", async () => {
    const run = await record(wrongPath);
    const proof = await prove(run, withConfig(wrongPath, "report", { keepInput: true }));
    expect(proof.kind).toBe("still-fails");
    expect(proof.reason).toContain("titel");
  });

  it("a fix that uncovers the next fault: still fails, at a later step", async () => {
    const twice = withConfig(wrongPath, "report", { fields: { total: "{{totals.totl}}" } });
    const proof = await prove(await record(twice), withConfig(twice, "agent", report.nodes["agent"]?.config ?? {}));
    expect(proof.kind).toBe("still-fails");
    expect(proof.reason).toMatch(/^The run now fails at a later step: .*totl/);
  });

  it("a run of a part of the workflow: that part alone is run again", async () => {
    const broken = withConfig(report, "report", { fields: { total: "{{totals.totl}}" } });
    const part = { startNodeId: "report", pinned: { week: { title: "One" }, totals: { total: 3 } } };
    const proof = await prove(await record(broken, { input: { response: "Three." }, part }), report);
    expect(proof.kind).toBe("fixed");
    expect(proof.events.filter(({ type }) => type === "node-start")).toMatchObject([{ nodeId: "report" }]);
  });

  it("a tool with a wrong setting: fixed, although the recording has the failed call", async () => {
    const right = codeTools.build("w");
    const wrong = withConfig(right, "facts", { code: "return { words: txt.split(' ').length };" });
    const run = await record(wrong, {
      input: { message: 'Use text_facts on "one two three"' },
      outcome: "completed",
    });
    expect(run.events.some((event) => event.type === "tool-call-end" && !event.ok)).toBe(true);
    expect(await prove(run, right)).toMatchObject({ kind: "fixed" });
    expect(await prove(run, withConfig(wrong, "agent", { maxIterations: 4 }))).toMatchObject({ kind: "still-fails" });
    expect(await prove(run, wrong)).toMatchObject({
      kind: "still-fails",
      reason: expect.stringContaining("The call of text_facts fails again"),
    });
  });

  it("a tool that a person agreed to is called again with what they agreed to, and nobody is asked", async () => {
    const right = approveRefunds.build("w");
    const wrong = withConfig(right, "refund", { code: "return { receipt: 'R-' + ordr };" });
    const input = { message: "Please issue_refund for order 1001" };
    const run = await record(wrong, { input, outcome: "completed" });
    const proof = await prove(run, right);
    expect(proof.kind).toBe("fixed");
    expect(proof.host.approvals).toEqual([]);
    const edited = withConfig(right, "agent", { systemPrompt: "You are brief." });
    const other = { ...run, events: run.events.filter(({ type }) => type !== "approval-end") };
    const unasked = await prove(other, edited);
    expect(unasked.kind).toBe("not-reproduced");
    expect(unasked.reason).toContain("A person has to approve calls of issue_refund");
    expect(unasked.host.approvals).toEqual([]);
  });

  it("a missing model, where the run did not even start: fixed by the wire", async () => {
    const cut = without(report, "model.model-agent.model");
    const run = await record(cut);
    expect(await prove(run, report)).toMatchObject({ kind: "fixed" });
    expect(await prove(run, cut)).toMatchObject({ kind: "still-fails" });
  });

  it("a cut wire of the flow, after which a name is unknown: fixed", async () => {
    const cut = withConfig(without(report, "week.main-totals.main"), "week", {});
    cut.edges["around"] = { id: "around", from: { node: "start", port: "main" }, to: { node: "totals", port: "main" } };
    const run = await record(cut);
    expect(await prove(run, report)).toMatchObject({ kind: "fixed" });
  });

  it("a schema of the output that no answer fits: fixed", async () => {
    const right = extractJson.build("w");
    const schema = { type: "object", properties: { amount: { type: "number", minimum: 1_000 } }, required: ["amount"] };
    const wrong = withConfig(right, "agent", { outputSchema: schema });
    const run = await record(wrong);
    expect(await prove(run, right)).toMatchObject({ kind: "fixed" });
    expect(await prove(run, withConfig(wrong, "check", { keepInput: true }))).toMatchObject({ kind: "still-fails" });
  });
});

describe("what cannot be proved", () => {
  it("a run that did not fail", async () => {
    const run = await record(report, { outcome: "completed" });
    expect(await prove(run, wrongPath)).toEqual({
      kind: "not-reproduced",
      reason: "No step of the run failed, so there is nothing to reproduce.",
      events: [],
      host: expect.anything(),
    });
  });

  it("a failure that does not repeat", async () => {
    const run = await record(report, { runCode: async () => ({ ok: false, error: "Out of luck.", logs: [] }) });
    const proof = await prove(run, withConfig(report, "week", { keepInput: true }));
    expect(proof).toMatchObject({
      kind: "not-reproduced",
      reason: "When run again from its recording, the workflow did not fail at the same step.",
    });
  });

  it("a change that takes the failing step out of the way", async () => {
    const run = await record(wrongPath);
    const proof = await prove(run, without(wrongPath, "totals.main-agent.main"));
    expect(proof).toMatchObject({
      kind: "not-reproduced",
      reason: "The changes remove the failing step, so there is nothing to try.",
    });
  });

  it("anything, once it is stopped", async () => {
    const run = await record(wrongPath);
    const stop = new AbortController();
    stop.abort();
    const options = { run, fixed: report, registry: nodeRegistry, host: openHost({}) };
    expect(await proveFix({ ...options, signal: stop.signal })).toMatchObject({
      kind: "not-reproduced",
      reason: "It was stopped.",
    });
    const later = new AbortController();
    const runCode: TestHostOptions["runCode"] = async (request, signal) => {
      later.abort();
      return await runCodeInThread(request, signal);
    };
    expect(await proveFix({ ...options, host: openHost({ runCode }), signal: later.signal })).toMatchObject({
      kind: "not-reproduced",
      reason: "It was stopped.",
    });
  });
});

const jsonAnswer = (body: Json, statusCode = 200): Json => ({
  success: statusCode < 300,
  statusCode,
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
  truncated: false,
});

/** Requests that leave the studio, and what they are answered. */
function web(answer: () => Json = () => jsonAnswer({ id: 7 })) {
  const sent: JsonObject[] = [];
  return {
    sent,
    world: {
      functions: {
        "execute-http": (body: JsonObject) => {
          sent.push(body);
          return { ok: true as const, body: answer() };
        },
      },
    },
  };
}

describe("what may change something outside is not done", () => {
  const flow = (node: [string, JsonObject], path: string) =>
    buildWorkflow({
      nodes: {
        start: ["manual-trigger", { input: { name: "Ada" } }],
        fields: ["set-fields", { fields: { text: path } }],
        write: node,
      },
      edges: ["start.main -> fields.main", "fields.main -> write.main"],
    });
  const post: [string, JsonObject] = [
    "http-request",
    { url: "https://api.example.com/", method: "POST", body: "{{json.text}}" },
  ];
  const insert: [string, JsonObject] = [
    "postgres",
    { credential: "credential-1", operation: "insert", tableName: "people", rows: { name: "{{json.text}}" } },
  ];

  it.each([
    ["a request that posts", post],
    ["a row that is inserted", insert],
  ])("%s after the failing step: fixed, and stopped there", async (_name, node) => {
    const { sent, world } = web();
    const run = await record(flow(node, "{{json.nam}}"), world);
    const proof = await prove(run, flow(node, "{{json.name}}"), world);
    expect(proof).toMatchObject({
      kind: "fixed",
      reason:
        'With the changes, the run gets past the failing step. It was then stopped: "write" may change something outside, so it is not run.',
    });
    expect(sent).toEqual([]);
    expect(proof.host.functionCalls).toEqual([]);
  });

  it("the failing step itself: nothing is claimed", async () => {
    const node: [string, JsonObject] = [
      "http-request",
      { url: "https://api.example.com/{{json.nothing}}", method: "POST" },
    ];
    const right: [string, JsonObject] = [
      "http-request",
      { url: "https://api.example.com/{{json.text}}", method: "POST" },
    ];
    const { sent, world } = web();
    const run = await record(flow(node, "{{json.name}}"), world);
    const proof = await prove(run, flow(right, "{{json.name}}"), world);
    expect(proof).toMatchObject({
      kind: "not-reproduced",
      reason: expect.stringContaining("The failing step cannot be repeated without side effects"),
    });
    expect(sent).toEqual([]);
  });

  it("a tool that posts: neither called as it was nor as it is now", async () => {
    const { sent, world } = web(() => jsonAnswer({}, 404));
    const agent = (url: string) =>
      buildWorkflow({
        nodes: {
          chat: ["chat-trigger"],
          agent: ["ai-agent"],
          model: ["demo-model", { streaming: false }],
          send: [
            "http-request-tool",
            { toolName: "send_order", toolDescription: "Sends an order.", method: "POST", url, approval: "never" },
          ],
        },
        edges: ["chat.main -> agent.main", "model.model -> agent.model", "send.tool -> agent.tools"],
      });
    const run = await record(agent("https://api.example.com/order"), {
      ...world,
      input: { message: "Please send_order now" },
      outcome: "completed",
    });
    const before = sent.length;
    const proof = await prove(run, agent("https://api.example.com/orders"), world);
    expect(proof).toMatchObject({
      kind: "not-reproduced",
      reason: expect.stringContaining("The tool send_order may change something outside"),
    });
    expect(sent).toHaveLength(before);
  });
});

describe("special runs", () => {
  it("a pinned node counts as it did in the run", async () => {
    const pinned = structuredClone(wrongPath);
    const week = pinned.nodes["week"];
    if (!week) throw new Error("There is no week.");
    week.pin = { output: { title: "Pinned" } };
    const codes: Json[] = [];
    const runCode: TestHostOptions["runCode"] = async ({ args }) => {
      codes.push(args["json"] ?? null);
      return { ok: true, output: { title: "Pinned", shop: "S", total: 1, average: 1, best: "b" }, logs: [] };
    };
    const run = await record(pinned, { runCode });
    const fixed = withConfig(pinned, "agent", report.nodes["agent"]?.config ?? {});
    const proof = await prove(run, fixed, { runCode });
    expect(proof.kind).toBe("fixed");
    expect(codes.every((json) => JSON.stringify(json) === '{"title":"Pinned"}')).toBe(true);
    // The real thing, which takes no pinned output.
    const pinnedFix = structuredClone(wrongPath);
    const agent = pinnedFix.nodes["agent"];
    if (!agent) throw new Error("There is no agent.");
    agent.pin = { output: { response: "Pinned" } };
    const { events } = await runToEnd(pinnedFix, {
      registry: nodeRegistry,
      host: openHost({}),
      input: {},
      ignorePins: true,
    });
    const real = { id: "r", events, document: pinnedFix };
    expect(await prove(real, withConfig(pinnedFix, "agent", report.nodes["agent"]?.config ?? {}))).toMatchObject({
      kind: "fixed",
    });
  });

  it("a for-each: each item has to go well, whichever failed first", async () => {
    const right = enrichList.build("w");
    const wrong = withConfig(right, "agent", { userMessage: "Describe {{json.nam}}." });
    const run = await record(wrong, { outcome: "completed" });
    const proof = await prove(run, right);
    expect(proof.kind).toBe("fixed");
    expect(proof.events.filter((event) => event.type === "node-end" && event.nodeId === "keep")).toHaveLength(3);
    const half = withConfig(right, "agent", { userMessage: '{{json.city == "Oslo" ? json.name : json.nam}}' });
    expect(await prove(run, half)).toMatchObject({ kind: "still-fails" });
  });

  it("a request that was read before the failing step is served, and made again only where its settings changed", async () => {
    const build = (url: string, path: string) =>
      buildWorkflow({
        nodes: {
          start: ["manual-trigger"],
          get: ["http-request", { url, result: "body" }],
          fields: ["set-fields", { fields: { text: path } }],
        },
        edges: ["start.main -> get.main", "get.main -> fields.main"],
      });
    const { sent, world } = web();
    const run = await record(build("https://api.example.com/a", "{{json.wrong}}"), world);
    expect(sent).toHaveLength(1);
    expect(await prove(run, build("https://api.example.com/a", "{{json.id}}"), world)).toMatchObject({ kind: "fixed" });
    expect(sent).toHaveLength(1);
    const other = web(() => jsonAnswer({ wrong: 1 }));
    expect(await prove(run, build("https://api.example.com/b", "{{json.wrong}}"), other.world)).toMatchObject({
      kind: "fixed",
    });
    expect(other.sent).toHaveLength(1);
  });
});

describe("a test case of a failed run", () => {
  it("is made of the run with the proven fix, told as the run that failed, and can be replayed", async () => {
    const run = await record(wrongPath);
    const events = caseEvents(run, await prove(run, report));
    const made = proposeCase(events);
    expect(made.case).toMatchObject({ input: {}, source: { runId: run.id } });
    expect(JSON.stringify(made.case.expected)).toContain("4030");
    const again = await runToEnd(report, {
      registry: nodeRegistry,
      host: openHost({}),
      input: made.case.input,
      replay: { recording: recordingOf(events), serve: "exchanges", onMismatch: "stop", mayWrite: [] },
    });
    expect(again.end.outcome).toBe("completed");
  });

  it("is made of the failed run where nothing is proven", async () => {
    const run = await record(wrongPath);
    expect(caseEvents(run, null)).toBe(run.events);
    expect(caseEvents(run, await prove(run, wrongPath))).toBe(run.events);
  });
});
