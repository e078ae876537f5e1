import { describe, expect, it } from "vitest";
import type { Host } from "../../engine/host.ts";
import type { Json, JsonObject } from "../../engine/json.ts";
import { messageText } from "../../engine/model/message.ts";
import type { Breakpoints, PauseDecision, PausePlace, PauseRequest } from "../../engine/run/breakpoints.ts";
import { reduceRunAll } from "../../engine/run/reduce-run.ts";
import { emptyRunState } from "../../engine/run/run-state.ts";
import { buildWorkflow } from "../../engine/testing/build-workflow.ts";
import { testTool } from "../../engine/testing/run-scripted-agent.ts";
import { runToEnd } from "../../engine/testing/run-to-end.ts";
import { startNode, stepNode } from "../../engine/testing/sample-nodes.ts";
import { scriptedModel, type ScriptedTurn } from "../../engine/testing/scripted-model.ts";
import { modelNodeOf, toolNodeOf } from "../../engine/testing/service-node.ts";
import { testHost, type TestHost } from "../../engine/testing/test-host.ts";
import { workflowTool } from "../tools/workflow-tool.ts";
import { chatTrigger } from "../triggers/chat-trigger.ts";
import { aiAgent } from "./ai-agent.ts";

type Decide = (request: PauseRequest, host: TestHost, signal: AbortSignal) => PauseDecision | Promise<PauseDecision>;

interface Setup {
  holdsAt: Breakpoints["holdsAt"];
  decide?: Decide;
  config?: JsonObject;
  input?: Json;
  signal?: AbortSignal;
  /** The agent's tool is a workflow with an agent of its own. */
  nested?: boolean;
}

/** start → step → agent, which calls `add` once; `asked` is every place where the run was held. */
async function run({ holdsAt, decide, config = {}, input = { message: "Hi" }, signal, nested }: Setup) {
  const model = scriptedModel(({ messages }): ScriptedTurn => {
    const last = messages.at(-1);
    if (last?.role === "tool") return { text: `It is ${last.text}.` };
    const name = nested && last && messageText(last) === "Hi" ? "helper" : "add";
    return { calls: [{ name, arguments: name === "add" ? { a: 1 } : { message: "Inner" }, callId: `${name}-1` }] };
  });
  const add = testTool("add", ({ a }) => ({ ok: true, output: a ?? null }), {
    parameters: { type: "object", properties: { a: { type: "number" } }, required: ["a"] },
  });
  const nodes = [
    startNode,
    stepNode,
    chatTrigger,
    aiAgent,
    workflowTool,
    modelNodeOf("m", model),
    toolNodeOf("add", add),
  ];
  const inner = buildWorkflow({
    id: "inner",
    nodes: { start: ["chat-trigger"], agent: ["ai-agent"], model: ["m"], tool: ["add"] },
    edges: ["start.main -> agent.main", "model.model -> agent.model", "tool.tool -> agent.tools"],
  });
  const host = testHost({ workflows: { inner } });
  const asked: PauseRequest[] = [];
  const pause: Host["pause"] = async (request, stop) => {
    asked.push(request);
    return (await decide?.(request, host, stop)) ?? { action: "continue" };
  };
  const document = buildWorkflow({
    nodes: {
      start: ["start"],
      step: ["step"],
      agent: ["ai-agent", config],
      model: ["m"],
      tool: nested ? ["workflow-tool", { workflow: "inner", toolName: "helper" }] : ["add"],
    },
    edges: [
      "start.main -> step.main",
      "step.main -> agent.main",
      "model.model -> agent.model",
      "tool.tool -> agent.tools",
    ],
  });
  const registry = Object.fromEntries(nodes.map((node) => [node.type, node]));
  const finished = await runToEnd(document, {
    registry,
    host: { ...host, pause },
    input,
    breakpoints: { holdsAt },
    ...(signal ? { signal } : {}),
  });
  return { ...finished, asked, model, add, host };
}

const at =
  (...ids: string[]): Breakpoints["holdsAt"] =>
  ({ atNodeId }: PausePlace) =>
    ids.includes(atNodeId);
const everyTool: Breakpoints["holdsAt"] = ({ kind }) => kind === "tool-call";

describe("breakpoints", () => {
  it("hold a node before it starts, and let it go on as it was or with another input", async () => {
    const plain = await run({ holdsAt: at("step") });
    expect(plain.asked).toMatchObject([{ kind: "node", nodeId: "step", atNodeId: "step", input: { message: "Hi" } }]);
    expect(plain.end.outcome).toBe("completed");
    const types = plain.events.map((event) => event.type);
    expect(types.indexOf("pause-wait")).toBeLessThan(types.indexOf("pause-end"));
    const edited = await run({
      holdsAt: at("step"),
      decide: () => ({ action: "continue", input: { message: "Edited" } }),
    });
    expect(edited.of("node-start").find(({ nodeId }) => nodeId === "step")?.input).toEqual({ message: "Edited" });
    expect(edited.of("pause-end")[0]).toMatchObject({ action: "continue", input: { message: "Edited" } });
    expect(edited.model.requests[0]?.messages.map(messageText)).toContain("Edited");
  });

  it("show as a paused node until it goes on", async () => {
    const { events } = await run({ holdsAt: at("step") });
    const until = events.findIndex((event) => event.type === "pause-wait") + 1;
    const held = reduceRunAll(emptyRunState(events[0]?.runId ?? ""), events.slice(0, until));
    expect(held.nodes.step).toMatchObject({ status: "paused", pauses: [{ input: { message: "Hi" } }] });
    const after = reduceRunAll(held, events.slice(until));
    expect(after.nodes.step).toMatchObject({ status: "done" });
    expect(after.nodes.step?.pauses).toBeUndefined();
  });

  it("hold every tool call, whose arguments can be edited and are checked again", async () => {
    const { asked, add, end } = await run({
      holdsAt: everyTool,
      decide: () => ({ action: "continue", input: { a: 5 } }),
    });
    expect(asked).toMatchObject([
      { kind: "tool-call", nodeId: "agent", atNodeId: "tool", toolName: "add", input: { a: 1 } },
    ]);
    expect(add.inputs).toEqual([{ a: 5 }]);
    expect(end.output).toMatchObject({ response: "It is 5." });
    const wrong = await run({ holdsAt: everyTool, decide: () => ({ action: "continue", input: { a: "five" } }) });
    expect(wrong.add.inputs).toEqual([]);
    expect(wrong.of("tool-call-end")[0]?.text).toContain("after editing");
  });

  it("hold a model call, whose messages can be edited", async () => {
    const { asked, model, end } = await run({
      holdsAt: at("model"),
      decide: ({ input }) =>
        isFirstCall(input)
          ? { action: "continue", input: { messages: [{ role: "user", parts: [{ type: "text", text: "Other" }] }] } }
          : { action: "continue" },
    });
    expect(asked.map(({ kind }) => kind)).toEqual(["model-call", "model-call"]);
    expect(model.requests[0]?.messages.map(messageText)).toEqual(["Other"]);
    expect(model.requests[1]?.messages[0] && messageText(model.requests[1].messages[0])).toBe("Other");
    expect(end.outcome).toBe("completed");
    const unreadable = await run({ holdsAt: at("model"), decide: () => ({ action: "continue", input: "nonsense" }) });
    expect(unreadable.end.outcome).toBe("completed");
    expect(unreadable.of("warning")[0]?.message).toContain("could not be read");
  });

  it("step from one place to the next", async () => {
    let steps = 0;
    const { asked } = await run({
      holdsAt: at("step"),
      decide: () => ({ action: ++steps < 3 ? "step" : "continue" }),
    });
    expect(asked.map(({ kind, atNodeId }) => [kind, atNodeId])).toEqual([
      ["node", "step"],
      ["node", "agent"],
      ["model-call", "model"],
    ]);
  });

  it("end the run when it is stopped there, or by Stop meanwhile", async () => {
    for (const kind of ["node", "tool-call"] as const) {
      const stopped = await run({ holdsAt: (place) => place.kind === kind, decide: () => ({ action: "stop" }) });
      expect(stopped.end.outcome).toBe("cancelled");
      expect(stopped.add.inputs).toEqual([]);
      expect(stopped.asked).toHaveLength(1);
      expect(stopped.of("pause-end").map(({ action }) => action)).toEqual(["stop"]);
    }
    const controller = new AbortController();
    const aborted = await run({
      holdsAt: everyTool,
      signal: controller.signal,
      decide: (_request, _host, signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener("abort", () => reject(signal.reason), { once: true });
          controller.abort();
        }),
    });
    expect(aborted.end.outcome).toBe("cancelled");
    expect(aborted.add.inputs).toEqual([]);
  });

  it("stop the agent's clock while it is held", async () => {
    const { end } = await run({
      holdsAt: everyTool,
      config: { timeoutMs: 1_000 },
      decide: async (_request, host, signal) => {
        await host.sleep(60_000, signal);
        return { action: "continue" };
      },
    });
    expect(end).toMatchObject({ outcome: "completed", output: { metadata: { finishReason: "completed" } } });
  });

  it("hold calls of a workflow inside a tool call at the tool's node", async () => {
    const { asked, events, end } = await run({ nested: true, holdsAt: everyTool });
    expect(asked.map(({ nodeId, atNodeId, toolName }) => [nodeId, atNodeId, toolName])).toEqual([
      ["agent", "tool", "helper"],
      ["tool", "tool", "add"],
    ]);
    const waits = events.filter((event) => event.type === "pause-wait");
    expect(waits[1]).toMatchObject({ nodeId: "tool/agent", atNodeId: "tool/tool", parentCallId: "helper-1" });
    expect(end.outcome).toBe("completed");
    // A breakpoint on a node of the open workflow says nothing about the inner one's node of the same name.
    const named = await run({ nested: true, holdsAt: at("agent") });
    expect(named.asked.map(({ kind }) => kind)).toEqual(["node"]);
  });

  it("are passed by where nobody can be asked", async () => {
    const failing = await run({ holdsAt: everyTool, decide: () => Promise.reject(new Error("no window")) });
    expect(failing.end.outcome).toBe("completed");
  });
});

/** Whether a held model call is the first one of its loop. */
function isFirstCall(input: Json): boolean {
  return typeof input === "object" && input !== null && !Array.isArray(input) && JSON.stringify(input).includes('"Hi"');
}
