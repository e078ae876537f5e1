import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../engine/json.ts";
import { messageText } from "../../engine/model/message.ts";
import { recordingOf } from "../../engine/run/replay/recording.ts";
import type { ReplayMiss, ReplayOptions } from "../../engine/run/replay/replay-options.ts";
import { buildWorkflow } from "../../engine/testing/build-workflow.ts";
import { testTool } from "../../engine/testing/run-scripted-agent.ts";
import { runToEnd } from "../../engine/testing/run-to-end.ts";
import { eachNode, startNode, stepNode } from "../../engine/testing/sample-nodes.ts";
import { scriptedModel, type ScriptedTurn } from "../../engine/testing/scripted-model.ts";
import { modelNodeOf, toolNodeOf } from "../../engine/testing/service-node.ts";
import { testHost } from "../../engine/testing/test-host.ts";
import { aiAgent } from "../agent/ai-agent.ts";
import { chatTrigger } from "../triggers/chat-trigger.ts";
import { workflowTool } from "./workflow-tool.ts";

/** Asks the tool that it is told to ask, and repeats what came back. */
const model = () =>
  scriptedModel(({ messages, tools }): ScriptedTurn => {
    const last = messages.at(-1);
    if (last?.role === "tool") return { text: `(${last.text})` };
    const name = tools[0]?.name ?? "";
    const text = last ? messageText(last) : "";
    const input: JsonObject = name === "add" ? { of: text } : { message: `${text}+` };
    return { calls: [{ name, arguments: input, callId: `${name}-${text}` }] };
  });

/** An agent that asks another one: as a tool of its own, or inside another workflow. */
function studio(kind: "agent" | "workflow") {
  const [chat, add] = [model(), testTool("add", ({ of }) => ({ ok: true, output: `sum of ${String(of)}` }))];
  const nodes = [startNode, chatTrigger, aiAgent, workflowTool, modelNodeOf("m", chat), toolNodeOf("add-tool", add)];
  const inner = buildWorkflow({
    id: "inner",
    nodes: { start: ["chat-trigger"], agent: ["ai-agent"], model: ["m"], tool: ["add-tool"] },
    edges: ["start.main -> agent.main", "model.model -> agent.model", "tool.tool -> agent.tools"],
  });
  const helper = { start: ["start"], agent: ["ai-agent"], model: ["m"] } as const;
  const document =
    kind === "workflow"
      ? buildWorkflow({
          nodes: {
            start: ["start"],
            agent: ["ai-agent"],
            model: ["m"],
            tool: ["workflow-tool", { workflow: "inner", toolName: "helper" }],
          },
          edges: ["start.main -> agent.main", "model.model -> agent.model", "tool.tool -> agent.tools"],
        })
      : buildWorkflow({
          nodes: {
            start: [...helper.start],
            agent: [...helper.agent],
            model: [...helper.model],
            helper: ["ai-agent", { toolName: "helper" }],
            add: ["add-tool"],
          },
          edges: [
            "start.main -> agent.main",
            "model.model -> agent.model",
            "model.model -> helper.model",
            "helper.tool -> agent.tools",
            "add.tool -> helper.tools",
          ],
        });
  const registry = Object.fromEntries(nodes.map((node) => [node.type, node]));
  const host = testHost({ workflows: { inner } });
  const run = (replay?: ReplayOptions) =>
    runToEnd(document, { registry, host, input: { message: "a" }, ...(replay ? { replay } : {}) });
  return { run, chat, add };
}

describe.each(["agent", "workflow"] as const)("a recorded %s inside a tool call", (kind) => {
  it("is run anew while models and tools answer from the recording", async () => {
    const recording = recordingOf((await studio(kind).run()).events);
    const again = studio(kind);
    const replay = await again.run({ recording, serve: "exchanges", onMismatch: "stop" });
    expect(replay.end).toMatchObject({ outcome: "completed", output: { response: "((sum of a+))" } });
    expect([again.chat.requests, again.add.inputs]).toEqual([[], []]);
  });

  it("has its own tools served while its model is asked", async () => {
    const recording = recordingOf((await studio(kind).run()).events);
    const again = studio(kind);
    const replay = await again.run({ recording, serve: "tools", onMismatch: "stop" });
    expect(replay.end).toMatchObject({ outcome: "completed", output: { response: "((sum of a+))" } });
    expect([again.chat.requests.length, again.add.inputs]).toEqual([4, []]);
    const nothing = { runId: recording.runId, events: recording.events.slice(0, 1) };
    const missing = studio(kind);
    const misses: string[] = [];
    const options = {
      serve: "tools",
      onMismatch: "stop",
      onMiss: ({ message }: ReplayMiss) => misses.push(message),
    } as const;
    await missing.run({ recording: nothing, ...options });
    expect([missing.add.inputs, misses]).toEqual([[], [expect.stringContaining("no call of add")]]);
  });

  it("is served as a whole with everything that happened in it", async () => {
    const original = await studio(kind).run();
    expect(original.end.output).toMatchObject({ response: "((sum of a+))" });
    const again = studio(kind);
    const replay = await again.run({ recording: recordingOf(original.events) });
    expect(replay.end.output).toEqual(original.end.output);
    expect([again.chat.requests, again.add.inputs]).toEqual([[], []]);
    const shape = (events: typeof original.events) =>
      events.map((event) => [event.type, event.parentCallId, "nodeId" in event ? event.nodeId : undefined]);
    expect(shape(replay.events)).toEqual(shape(original.events));
  });

  it("can be forked in the middle: what stands before it in either agent is served", async () => {
    const original = await studio(kind).run();
    const fork = studio(kind);
    const changes = { "add-a+": { kind: "result", ok: true, output: "7" } } as const;
    const run = await fork.run({ recording: recordingOf(original.events), changes });
    expect(run.end.output).toMatchObject({ response: "((7))" });
    expect(fork.add.inputs).toEqual([]);
    // The inner answer and the outer answer; the two questions before are served.
    expect(fork.chat.requests).toHaveLength(2);
    expect(run.of("warning")).toEqual([]);
    expect(run.of("model-request").map((event) => event.replayed === true)).toEqual([true, true, false, false]);
  });
});

describe("a recorded for-each", () => {
  it("serves each item's nodes, and runs those after the fork point", async () => {
    const registry = Object.fromEntries([startNode, eachNode, stepNode].map((node) => [node.type, node]));
    const document = buildWorkflow({
      nodes: { start: ["start"], each: ["each"], inner: ["step", { value: "{{json * 2}}" }], after: ["step"] },
      edges: ["start.main -> each.main", "each.main -> inner.main", "each.done -> after.main"],
    });
    const options = { registry, host: testHost(), input: [1, 2, 3] };
    const original = await runToEnd(document, options);
    const recording = recordingOf(original.events);
    const replay = await runToEnd(document, { ...options, replay: { recording } });
    expect(replay.end.output).toEqual([2, 4, 6]);
    const ran = (events: typeof replay) =>
      events
        .of("node-start")
        .flatMap(({ nodeId, item, replayed }) => (replayed ? [] : [`${nodeId} ${item ?? ""}`.trim()]));
    expect(ran(replay)).toEqual(["each"]);
    const third = original.of("node-start").find(({ item }) => item === 2)?.seq ?? -1;
    const fork = await runToEnd(document, { ...options, replay: { recording, until: third } });
    expect(ran(fork)).toEqual(["each", "inner 2", "after"]);
    expect(fork.end.output).toEqual([2, 4, 6]);
  });
});

describe("a recorded failure", () => {
  const registry = Object.fromEntries([startNode, stepNode].map((node) => [node.type, node]));
  const edges = ["start.main -> first.main", "first.main -> last.main"];
  const broken = (onError: string) =>
    buildWorkflow({
      nodes: { start: ["start"], first: ["step", { fail: "{{json}}", onError }], last: ["step"] },
      edges,
    });

  it("is served as it was, handled or not", async () => {
    for (const onError of ["fail", "continue"]) {
      const options = { registry, host: testHost(), input: "no luck" };
      const original = await runToEnd(broken(onError), options);
      const replay = await runToEnd(broken(onError), {
        ...options,
        replay: { recording: recordingOf(original.events) },
      });
      expect(replay.end).toMatchObject({ outcome: original.end.outcome, output: original.end.output });
      expect(replay.end.error).toEqual(original.end.error);
      expect(replay.of("node-error")).toMatchObject([{ replayed: true, handled: onError === "continue" }]);
    }
  });

  it("can be left where it happened, with the workflow as it has been repaired", async () => {
    const document = broken("fail");
    const options = { registry, host: testHost(), input: "no luck" };
    const { events } = await runToEnd(document, options);
    const failed = events.find((event) => event.type === "node-start" && event.nodeId === "first")?.seq ?? -1;
    Object.assign(document.nodes.first?.config ?? {}, { fail: "" });
    const run = await runToEnd(document, { ...options, replay: { recording: recordingOf(events), until: failed } });
    expect(run.end).toMatchObject({ outcome: "completed", output: "no luck" });
    expect(run.of("node-start").map(({ nodeId, replayed }) => [nodeId, replayed === true])).toEqual([
      ["start", true],
      ["first", false],
      ["last", false],
    ]);
  });
});
