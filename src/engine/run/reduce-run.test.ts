import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { modelRequest, modelResponse, numberEvents } from "../testing/run-events.ts";
import type { RunEvent, RunEventBody } from "./events.ts";
import { interruptRun, reduceRun, reduceRunAll } from "./reduce-run.ts";
import { emptyRunState, type RunState, toolOutcome } from "./run-state.ts";

const stamp = (bodies: readonly RunEventBody[]) => numberEvents("r", bodies, 1_000);

const model = { nodeId: "agent", modelNodeId: "model", edgeId: "em", iteration: 1 };
const tool = { nodeId: "agent", toolNodeId: "tool", edgeId: "et", toolName: "search" };
const memory = { nodeId: "agent", memoryNodeId: "memory", edgeId: "ey", session: "s-1" };
const usage = { inputTokens: 10, outputTokens: 5 };

const request = (callId: string) => modelRequest({ ...model, callId });

const response = (callId: string, text: string) =>
  modelResponse(text, { ...model, callId, usage, costUsd: 0.5, durationMs: 3 });

const toolEnd = (callId: string, ok = true): RunEventBody => ({
  type: "tool-call-end",
  ...tool,
  callId,
  ok,
  output: 1,
  text: "1",
  size: 1,
  truncated: false,
  durationMs: 1,
});

const story = stamp([
  { type: "run-start", workflowId: "w", workflowName: "W", input: { message: "hi" } },
  { type: "node-start", nodeId: "start", input: { message: "hi" } },
  { type: "node-end", nodeId: "start", output: { message: "hi" }, ports: ["main"], durationMs: 0 },
  { type: "edge-pass", edgeId: "e0" },
  { type: "node-start", nodeId: "agent", input: { message: "hi" } },
  { type: "memory-load", ...memory, messages: 2, durationMs: 1 },
  { type: "iteration-start", nodeId: "agent", iteration: 1, round: 1, maxIterations: 10 },
  request("c1"),
  { type: "text-delta", nodeId: "agent", callId: "c1", text: "Let me " },
  { type: "text-delta", nodeId: "agent", callId: "c1", text: "see" },
  response("c1", "Let me see"),
  { type: "tool-call-start", ...tool, callId: "t1", input: { q: 1 } },
  { type: "tool-call-start", ...tool, callId: "t2", input: { q: 2 } },
  { type: "approval-wait", ...tool, callId: "t2", input: { q: 2 } },
  toolEnd("t1"),
  { type: "approval-end", ...tool, callId: "t2", approved: true, input: { q: 2 } },
  toolEnd("t2", false),
  {
    type: "retry",
    nodeId: "agent",
    attempt: 1,
    maxAttempts: 3,
    delayMs: 500,
    error: { code: "rate_limit", message: "Slow down.", hint: "Wait.", retryable: true },
  },
  request("c2"),
  response("c2", "Done"),
  { type: "memory-save", ...memory, messages: 2, durationMs: 1 },
  { type: "warning", nodeId: "agent", message: "Careful.", hint: "Look." },
  { type: "iteration-end", nodeId: "agent", iteration: 2, round: 1, finish: "completed" },
  { type: "node-end", nodeId: "agent", output: { response: "Done" }, ports: ["main"], durationMs: 9 },
  { type: "node-skip", nodeId: "other", reason: "Not taken." },
  {
    type: "run-end",
    outcome: "completed",
    output: { response: "Done" },
    usage: { inputTokens: 20, outputTokens: 10 },
    costUsd: 1,
    durationMs: 20,
  },
]);

const upTo = (count: number): RunState => reduceRunAll(emptyRunState("r"), story.slice(0, count));
const after = (find: (event: RunEvent) => boolean): RunState => upTo(story.findIndex(find) + 1);

describe("reduceRun", () => {
  it("follows a run from start to end", () => {
    const end = upTo(story.length);
    expect(end).toMatchObject({ status: "completed", output: { response: "Done" }, costUsd: 1, activeEdges: {} });
    expect(end.usage).toEqual({ inputTokens: 20, outputTokens: 10 });
    expect(end.usedEdges).toEqual({ e0: true, ey: true, em: true, et: true });
    expect(Object.fromEntries(Object.entries(end.nodes).map(([id, node]) => [id, node.status]))).toEqual({
      start: "done",
      agent: "done",
      memory: "done",
      model: "done",
      tool: "failed",
      other: "skipped",
    });
    expect(end.nodes.agent).toMatchObject({
      session: "s-1",
      usage: { inputTokens: 20 },
      iteration: 1,
      maxIterations: 10,
    });
    expect(end.nodes.tool).toMatchObject({ uses: 2, active: 0 });
    expect(end.steps.map((step) => step.kind)).toEqual([
      "note",
      "model",
      "tool",
      "tool",
      "note",
      "model",
      "note",
      "note",
      "note",
      "note",
    ]);
    expect(end.logs.map((line) => line.level)).toEqual(["warn"]);
  });

  it("shows a model call against its edge while it is under way, with the text so far", () => {
    const state = upTo(10);
    expect(state.nodes.model).toMatchObject({ status: "running", active: 1 });
    expect(state.activeEdges).toEqual({ em: "backward" });
    expect(state.nodes.agent?.text).toBe("Let me see");
    expect(state.steps.at(-1)).toMatchObject({ kind: "model", text: "Let me see" });
    expect(upTo(11).activeEdges).toEqual({});
  });

  it("shows the conversation as the session while its scratchpad is read", () => {
    const pad = { ...memory, session: "s-1:scratchpad", messages: 1, durationMs: 1 };
    const { nodes } = reduceRunAll(emptyRunState("r"), stamp([{ type: "memory-load", ...pad }]));
    expect([nodes["agent"]?.session, nodes["memory"]?.session]).toEqual(["s-1", "s-1"]);
  });

  it("keeps the edge active while one of two parallel calls is under way", () => {
    const both = after((event) => event.type === "approval-wait");
    expect(both.nodes.tool).toMatchObject({ status: "approval", active: 2 });
    const one = after((event) => event.type === "tool-call-end" && event.callId === "t1");
    expect(one.activeEdges).toEqual({ et: "backward" });
    const none = after((event) => event.type === "tool-call-end" && event.callId === "t2");
    expect(none.activeEdges).toEqual({});
    expect(none.steps.at(-1)).toMatchObject({ kind: "tool", approval: { state: "approved" }, end: { ok: false } });
  });

  it("shows a rejected call as rejected, and lets a tool's time begin once the person has decided", () => {
    const call = { ...tool, callId: "t9" };
    const asked: RunEventBody[] = [
      { type: "tool-call-start", ...call, input: {} },
      { type: "approval-wait", ...call, input: {} },
      { type: "approval-end", ...call, approved: false, input: {}, reason: "No." },
    ];
    const end = toolEnd("t9", false);
    for (const last of [end, { ...end, rejected: true as const }]) {
      const events = stamp([...asked, last]);
      const { nodes, steps } = reduceRunAll(emptyRunState("r"), events);
      expect(nodes["tool"]).toMatchObject({ status: "rejected", startedAt: events[2]?.at });
      const [step] = steps;
      expect(step?.kind === "tool" && toolOutcome(step)).toBe("rejected");
    }
  });

  it("shows a form as waiting for a person, and belongs it to its call", () => {
    const question = { ...tool, callId: "t1/form-1" };
    const form = { message: "Which?", schema: { type: "object" } };
    const begun = stamp([
      { type: "tool-call-start", ...tool, callId: "t1", input: {} },
      { type: "tool-progress", ...tool, callId: "t1", progress: 1, total: 4, text: "Begun" },
      { type: "form-wait", ...question, form },
      { type: "form-end", ...question, action: "accept", input: { a: 1 } },
      toolEnd("t1"),
    ]).map((event) => (event.type.startsWith("form-") ? { ...event, parentCallId: "t1" } : event));
    const state = (count: number) => reduceRunAll(emptyRunState("r"), begun.slice(0, count));
    const news = { progress: 1, total: 4, text: "Begun" };
    expect(state(2)).toMatchObject({ nodes: { tool: { progress: news } }, steps: [{ progress: news }] });
    expect(state(3).nodes["tool"]?.status).toBe("approval");
    expect(state(3).steps[0]).toMatchObject({ forms: [{ wait: { form } }] });
    expect(state(4).nodes["tool"]?.status).toBe("running");
    expect(state(4).steps[0]).toMatchObject({ forms: [{ end: { action: "accept", input: { a: 1 } } }] });
    expect(state(5).nodes["tool"]).not.toHaveProperty("progress");
    expect(state(5).steps[0]).not.toHaveProperty("progress");
  });

  it("shows a retry until the next attempt", () => {
    const waiting = after((event) => event.type === "retry");
    expect(waiting.nodes.agent?.retry).toMatchObject({ attempt: 1, until: 1_000 + 17 + 500 });
    const again = after((event) => event.type === "model-request" && event.callId === "c2");
    expect(again.nodes.agent?.retry).toBe(undefined);
  });

  it("takes the text of a response that was not streamed", () => {
    const state = after((event) => event.type === "model-response" && event.callId === "c2");
    expect(state.nodes.agent?.text).toBe("Done");
  });

  it("keeps the identity of what an event does not touch", () => {
    const before = upTo(9);
    const now = upTo(9);
    const next = reduceRun(before, story[9] ?? story[0]!);
    expect(before).toEqual(now);
    expect(next.nodes.start).toBe(before.nodes.start);
    expect(next.nodes.agent).not.toBe(before.nodes.agent);
    expect(next.steps[0]).toBe(before.steps[0]);
    expect(next.logs).toBe(before.logs);
    expect(next.activeEdges).toBe(before.activeEdges);
  });

  it("ignores events already seen and events of another run", () => {
    const state = upTo(10);
    expect(reduceRunAll(state, story.slice(0, 10))).toBe(state);
    expect(reduceRun(state, { type: "edge-pass", edgeId: "x", runId: "other", seq: 99, at: 0 })).toBe(state);
  });

  it("marks the node that an error names besides the one that failed", () => {
    const error = {
      code: "invalid_credentials",
      message: "No key.",
      hint: "Add one.",
      retryable: false,
      nodeId: "model",
    } as const;
    const state = reduceRunAll(
      emptyRunState("r"),
      stamp([{ type: "node-error", nodeId: "agent", error, handled: false, durationMs: 0 }]),
    );
    expect(state.nodes.agent).toMatchObject({ status: "failed", error });
    expect(state.nodes.model).toMatchObject({ status: "failed", error });
    expect(state.logs).toMatchObject([{ level: "error", message: "No key." }]);
  });

  it("S58 shows a run that was broken off as interrupted", () => {
    const state = interruptRun(upTo(12));
    expect(state.status).toBe("interrupted");
    expect(state.activeEdges).toEqual({});
    expect(Object.values(state.nodes).some((node) => node.status === "running")).toBe(false);
    expect(interruptRun(upTo(story.length)).status).toBe("completed");
  });

  it("reduces any events in any order without throwing, in batches as one by one, and changes no older state", () => {
    const any = fc.array(fc.tuple(fc.nat(story.length - 1), fc.nat(3)), { maxLength: 60 });
    fc.assert(
      fc.property(any, fc.nat(60), (picks, cut) => {
        const events = picks.map(([index, jump], position): RunEvent => {
          const event = story[index] ?? story[0]!;
          return { ...event, seq: position * 4 + jump };
        });
        const head = reduceRunAll(emptyRunState("r"), events.slice(0, cut));
        const frozen = structuredClone(head);
        let live = head;
        for (const event of events.slice(cut)) live = reduceRun(live, event);
        expect(live).toEqual(reduceRunAll(emptyRunState("r"), events));
        expect(head).toEqual(frozen);
      }),
    );
  });

  it("replays stored events to the state that was shown live", () => {
    let live = emptyRunState("r");
    for (const event of story) {
      live = reduceRun(live, event);
      const stored: RunEvent[] = JSON.parse(JSON.stringify(story.slice(0, event.seq + 1)));
      expect(reduceRunAll(emptyRunState("r"), stored)).toEqual(live);
    }
  });
});
