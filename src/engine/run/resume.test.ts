import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { aiAgent } from "../../nodes/agent/ai-agent.ts";
import { workflowTool } from "../../nodes/tools/workflow-tool.ts";
import { windowMemory } from "../../nodes/memories/window-memory.ts";
import { chatTrigger } from "../../nodes/triggers/chat-trigger.ts";
import type { ApprovalDecision, Host } from "../host.ts";
import type { JsonObject } from "../json.ts";
import { buildWorkflow } from "../testing/build-workflow.ts";
import { testTool } from "../testing/run-scripted-agent.ts";
import { eachNode, startNode, stepNode } from "../testing/sample-nodes.ts";
import { scriptedModel, type ScriptedTurn } from "../testing/scripted-model.ts";
import { modelNodeOf, toolNodeOf } from "../testing/service-node.ts";
import { testHost } from "../testing/test-host.ts";
import type { EventOf, RunEvent, RunEventType } from "./events.ts";
import { reduceRunAll } from "./reduce-run.ts";
import { emptyRunState } from "./run-state.ts";
import { runWorkflow } from "./run-workflow.ts";

const runId = "00000000-0000-4000-8000-00000000feed";

/** Two tools at once, a helper agent, another workflow, one more tool, the answer; one failed attempt in between. */
function answers(): (turn: number) => ScriptedTurn {
  const turns: ScriptedTurn[] = [
    { text: ["Let me ", "see."], calls: [call("a", "add", "1"), call("b", "send", "2")] },
    { reasoning: "Hm.", calls: [call("c", "helper", "h")] },
    { calls: [call("d", "flow", "f"), call("e", "add", "3")] },
    { text: "Done.", usage: { inputTokens: 100, outputTokens: 10 } },
  ];
  return (turn) => turns[turn] ?? { text: "?" };
}

function call(id: string, name: string, text: string) {
  const input: JsonObject = name === "add" || name === "send" ? { of: text } : { message: text };
  return { name, arguments: input, callId: id };
}

interface WorldOptions {
  approve?: () => ApprovalDecision;
  /** The vendor refuses the first request of the third turn. */
  failsOnce?: boolean;
}

/** Everything that one run needs; what the tools did is on record, over all attempts. */
function world({ approve = () => ({ approved: true, input: {} }), failsOnce = false }: WorldOptions = {}) {
  const turns = answers();
  const made: string[] = [];
  const asked: string[] = [];
  let fails = failsOnce;
  const outer = scriptedModel(({ messages }) => {
    const turn = messages.filter(({ role }) => role === "assistant").length - 1;
    if (turn !== 2 || !fails) return turns(turn);
    fails = false;
    return { error: { code: "rate_limit", retryable: true } };
  });
  const inner = scriptedModel(({ messages }): ScriptedTurn => {
    const last = messages.at(-1);
    if (last?.role === "tool") return { text: `(${last.text})` };
    return { calls: [call(`inner-${messages.length}`, "add", "inner")] };
  });
  const add = testTool("add", ({ of }) => {
    made.push(`add ${String(of)}`);
    return { ok: true, output: `sum of ${String(of)}` };
  });
  const send = testTool(
    "send",
    ({ of }) => {
      made.push(`send ${String(of)}`);
      return { ok: true, output: "sent" };
    },
    { approval: "ask" },
  );
  const nodes = [
    startNode,
    stepNode,
    eachNode,
    chatTrigger,
    aiAgent,
    workflowTool,
    windowMemory,
    modelNodeOf("outer-model", outer),
    modelNodeOf("inner-model", inner),
    toolNodeOf("add-tool", add),
    toolNodeOf("send-tool", send),
  ];
  const flow = buildWorkflow({
    id: "flow",
    nodes: { start: ["chat-trigger"], agent: ["ai-agent"], model: ["inner-model"], tool: ["add-tool"] },
    edges: ["start.main -> agent.main", "model.model -> agent.model", "tool.tool -> agent.tools"],
  });
  const document = buildWorkflow({
    nodes: {
      start: ["start"],
      each: ["each"],
      one: ["step", { value: "{{json * 2}}" }],
      agent: ["ai-agent", { userMessage: "Go", sessionId: "s" }],
      after: ["step", { value: "{{json.response}}" }],
      model: ["outer-model"],
      memory: ["window-memory"],
      helper: ["ai-agent", { toolName: "helper" }],
      innerModel: ["inner-model"],
      flow: ["workflow-tool", { workflow: "flow", toolName: "flow" }],
      add: ["add-tool"],
      send: ["send-tool"],
    },
    edges: [
      "start.main -> each.main",
      "each.main -> one.main",
      "each.done -> agent.main",
      "agent.main -> after.main",
      "model.model -> agent.model",
      "memory.memory -> agent.memory",
      "innerModel.model -> helper.model",
      "add.tool -> helper.tools",
      "helper.tool -> agent.tools",
      "flow.tool -> agent.tools",
      "add.tool -> agent.tools",
      "send.tool -> agent.tools",
    ],
  });
  const registry = Object.fromEntries(nodes.map((node) => [node.type, node]));
  const host = testHost({
    workflows: { flow },
    approve: async (request) => {
      asked.push(request.callId);
      const decision = approve();
      return decision.approved ? { approved: true, input: request.input } : decision;
    },
  });
  // As a process has them: ids differ from attempt to attempt, the conversation begins with one exchange.
  const conversation = host.messages.append({ workflowId: document.id, sessionId: "s" }, [
    { role: "user", parts: [{ type: "text", text: "Hi" }] },
    { role: "assistant", parts: [{ type: "text", text: "Hello" }] },
  ]);

  /** One attempt; stops like a killed process once the log holds `until` events. */
  async function attempt(log: RunEvent[], number: number, until = Infinity): Promise<void> {
    await conversation;
    const controller = new AbortController();
    const resume = log.length > 0 ? { events: [...log], attempt: number } : undefined;
    // A process that is gone writes nothing.
    const append: Host["messages"]["append"] = (...args) =>
      controller.signal.aborted ? new Promise<never>(() => undefined) : host.messages.append(...args);
    const events = runWorkflow(document, {
      registry,
      host: { ...host, messages: { ...host.messages, append } },
      input: [1, 2],
      runId,
      signal: controller.signal,
      ...(resume ? { resume } : {}),
    });
    for await (const event of events) {
      if (log.length >= until) {
        controller.abort();
        return;
      }
      const stored: RunEvent = JSON.parse(JSON.stringify(event));
      log.push(stored);
    }
  }
  return { attempt, made, asked, host, outer, document, registry };
}

function of<Type extends RunEventType>(log: readonly RunEvent[], type: Type): EventOf<Type>[] {
  return log.filter((event): event is EventOf<Type> => event.type === type);
}

/** What happened, without order, times and what an interruption adds. */
function shape(log: readonly RunEvent[]): string[] {
  const broken = new Set(of(log, "run-resume").flatMap(({ brokenOff }) => brokenOff));
  return log
    .filter((event) => !("callId" in event && event.callId !== undefined && broken.has(event.callId)))
    .filter(({ type }) => type !== "run-resume")
    .map((event) => [event.type, "nodeId" in event ? event.nodeId : "", event.item ?? ""].join(" "))
    .toSorted();
}

function expectWhole(log: readonly RunEvent[], expected: readonly RunEvent[]): void {
  expect(log.map(({ seq }) => seq)).toEqual(log.map((_, index) => index));
  expect(of(log, "run-start")).toHaveLength(1);
  expect(of(log, "run-end")).toHaveLength(1);
  const [end, wanted] = [of(log, "run-end")[0], of(expected, "run-end")[0]];
  expect(end?.output).toEqual(wanted?.output);
  expect(end?.usage).toEqual(wanted?.usage);
  expect(end?.costUsd).toEqual(wanted?.costUsd);
  expect(shape(log)).toEqual(shape(expected));
  const state = reduceRunAll(emptyRunState(runId), log);
  expect(state.status).toBe("completed");
  expect(Object.values(state.nodes).filter(({ status }) => status !== "done")).toEqual([]);
  expect(state.activeEdges).toEqual({});
}

async function whole() {
  const original = world();
  const log: RunEvent[] = [];
  await original.attempt(log, 1);
  return { log, made: original.made };
}

describe("a run that is interrupted", () => {
  it("finishes from any event on, with nothing that was finished done again", async () => {
    const { log: expected, made } = await whole();
    expect(of(expected, "run-end")[0]?.outcome).toBe("completed");
    expect(made).toHaveLength(5);
    for (let cut = 1; cut < expected.length; cut += 1) {
      const again = world();
      const log: RunEvent[] = [];
      await again.attempt(log, 1, cut);
      const finished = of(log, "tool-call-end").length;
      const before = again.made.length;
      const requestsBefore = again.outer.requests.length;
      const answered = of(log, "model-response").filter(({ finishReason }) => finishReason !== "cancelled").length;
      await again.attempt(log, 2);
      expectWhole(log, expected);
      // A call whose end was not written is made again, any other is not.
      const openTools = of(log.slice(0, cut), "tool-call-start").length - finished;
      expect(again.made.length - before).toBeLessThanOrEqual(made.length - before + openTools);
      expect(of(log, "run-resume")).toHaveLength(1);
      expect(answered + again.outer.requests.length - requestsBefore).toBeLessThanOrEqual(10);
    }
  });

  it("finishes when it is interrupted twice", async () => {
    const { log: expected } = await whole();
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: expected.length - 1 }), fc.nat(30), async (cut, more) => {
        const again = world();
        const log: RunEvent[] = [];
        await again.attempt(log, 1, cut);
        const second = log.length + 1 + more;
        await again.attempt(log, 2, second);
        if (of(log, "run-end").length === 0) await again.attempt(log, 3);
        expect(of(log, "run-resume").length).toBeGreaterThan(0);
        expectWhole(log, expected);
      }),
      { numRuns: 120 },
    );
  });

  it("makes each finished model and tool call once", async () => {
    const { log: expected } = await whole();
    const cut = expected.findIndex(
      ({ type, ...event }) => type === "tool-call-end" && "callId" in event && event.callId === "c",
    );
    const again = world();
    await again.attempt(expected.slice(0, cut + 1), 2);
    expect(again.made.toSorted()).toEqual(["add 3", "add inner"]);
    // The third turn and the answer.
    expect(again.outer.requests).toHaveLength(2);
  });

  it("does not ask again what a person has decided, and asks what is open under the same call id", async () => {
    const { log: expected } = await whole();
    const decided = expected.findIndex(({ type }) => type === "approval-end");
    const later = world();
    const log = expected.slice(0, decided + 1);
    await later.attempt(log, 2);
    expect(later.asked).toEqual([]);
    expect(later.made).toContain("send 2");
    expectWhole(log, expected);

    const open = world();
    const waiting = expected.slice(0, expected.findIndex(({ type }) => type === "approval-wait") + 1);
    await open.attempt(waiting, 2);
    expect(open.asked).toEqual(["b"]);
    expectWhole(waiting, expected);
  });

  it("tells the model again what a person had rejected", async () => {
    const original = world({ approve: () => ({ approved: false, reason: "Not today" }) });
    const expected: RunEvent[] = [];
    await original.attempt(expected, 1);
    const log = expected.slice(0, expected.findIndex(({ type }) => type === "approval-end") + 1);
    const again = world();
    await again.attempt(log, 2);
    expect([again.asked, again.made.includes("send 2")]).toEqual([[], false]);
    expect(of(log, "tool-call-end").find(({ callId }) => callId === "b")?.text).toContain("Not today");
  });

  it("counts what earlier attempts spent, once", async () => {
    const { log: expected } = await whole();
    const log = expected.slice(0, -1);
    const again = world();
    await again.attempt(log, 2);
    expect(again.outer.requests).toEqual([]);
    expect(of(log, "run-end")[0]?.usage).toEqual(of(expected, "run-end")[0]?.usage);
  });

  it("goes on with a retry that it was waiting for", async () => {
    const flaky = world({ failsOnce: true });
    const log: RunEvent[] = [];
    const { log: smooth } = await whole();
    await flaky.attempt(log, 1);
    const expected = [...log];
    expect(expected.length).toBeGreaterThan(smooth.length);
    const rest = expected.slice(0, expected.findIndex(({ type }) => type === "retry") + 1);
    await world().attempt(rest, 2);
    expectWhole(rest, expected);
  });

  it("names the attempt, the worker and the calls that are made again", async () => {
    const { log: expected } = await whole();
    const cut = expected.findIndex(({ type }) => type === "text-delta") + 1;
    const again = world();
    const log = expected.slice(0, cut);
    await again.attempt(log, 2);
    const request = of(log, "model-request")[0];
    expect(of(log, "run-resume")).toEqual([
      expect.objectContaining({ seq: cut, attempt: 2, brokenOff: [request?.callId] }),
    ]);
    const state = reduceRunAll(emptyRunState(runId), log);
    expect(state.attempt).toBe(2);
    expect(state.steps.find(({ id }) => id === request?.callId)).toMatchObject({ brokenOff: true });
  });
});

describe("a host that keeps a durable log", () => {
  it("has every event before a model or a tool is called, and before a turn is remembered", async () => {
    const { host, attempt, made } = world();
    const log: RunEvent[] = [];
    let stored = 0;
    const checks: string[] = [];
    host.checkpoint = async () => {
      // The reader of the events gets its turn.
      for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
      stored = log.length;
      checks.push(log[stored - 1]?.type ?? "");
    };
    await attempt(log, 1);
    expect(made).toHaveLength(5);
    const calls = of(log, "model-request").length + of(log, "tool-call-start").length;
    expect(checks).toHaveLength(calls + of(log, "memory-save").length);
    expect(new Set(checks)).toEqual(new Set(["model-request", "tool-call-start", "approval-end", "iteration-end"]));
  });

  it("can stop the run at a checkpoint: nothing is called after it", async () => {
    const stopped = world();
    const controller = new AbortController();
    let checkpoints = 0;
    stopped.host.checkpoint = async () => {
      checkpoints += 1;
      if (checkpoints === 2) controller.abort();
    };
    const events: RunEvent[] = [];
    const run = runWorkflow(stopped.document, {
      registry: stopped.registry,
      host: stopped.host,
      input: null,
      runId,
      signal: controller.signal,
    });
    for await (const event of run) events.push(event);
    expect(of(events, "run-end")[0]?.outcome).toBe("cancelled");
    expect(stopped.made).toEqual([]);
  });
});
