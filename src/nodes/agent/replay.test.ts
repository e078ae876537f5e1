import { describe, expect, it } from "vitest";
import { z } from "zod/mini";
import { defineNode } from "../../engine/document/define-node.ts";
import { one, out } from "../../engine/document/ports.ts";
import { nowhere } from "../../engine/document/reach.ts";
import type { WorkflowDocument } from "../../engine/document/workflow-document.ts";
import type { Json, JsonObject } from "../../engine/json.ts";
import type { ModelRequest } from "../../engine/model/chat-model.ts";
import { messageText, userMessage, type Message } from "../../engine/model/message.ts";
import type { RunEvent } from "../../engine/run/events.ts";
import { recordingOf } from "../../engine/run/replay/recording.ts";
import type { ReplayOptions } from "../../engine/run/replay/replay-options.ts";
import { buildWorkflow } from "../../engine/testing/build-workflow.ts";
import { testMemory, testTool } from "../../engine/testing/run-scripted-agent.ts";
import { type FinishedRun, runToEnd } from "../../engine/testing/run-to-end.ts";
import { startNode } from "../../engine/testing/sample-nodes.ts";
import { scriptedModel, type ScriptedTurn } from "../../engine/testing/scripted-model.ts";
import { memoryNodeOf, modelNodeOf, toolNodeOf } from "../../engine/testing/service-node.ts";
import { testHost, type TestHost } from "../../engine/testing/test-host.ts";
import { aiAgent } from "./ai-agent.ts";

/** Asks for both tools at once, then for one of them, then answers with all results. */
const script = ({ messages }: ModelRequest): ScriptedTurn => {
  const results = messages.filter((message) => message.role === "tool").map(messageText);
  const question = messages.findLast((message) => message.role === "user");
  if (results.length === 0)
    return {
      text: "Looking.",
      calls: [
        { name: "weather", arguments: { city: "Oslo" }, callId: "w1" },
        { name: "send", arguments: { to: "Ada" }, callId: "s1" },
      ],
    };
  if (results.length === 2) return { calls: [{ name: "weather", arguments: { city: "Bergen" }, callId: "w2" }] };
  return { text: `${question ? messageText(question) : ""} → ${results.join(", ")}` };
};

/** start → effect → agent → after, with a model, a memory and two tools; everything that touches something counts. */
function studio(options: { config?: JsonObject; host?: TestHost; answer?: (city: Json) => string } = {}) {
  const model = scriptedModel(script, { price: { input: 1, output: 1 } });
  const memory = testMemory([
    userMessage("Earlier"),
    { role: "assistant", parts: [{ type: "text", text: "Indeed." }] },
  ]);
  let loads = 0;
  const load = memory.getMessages.bind(memory);
  memory.getMessages = (session) => {
    loads += 1;
    return load(session);
  };
  const weather = testTool("weather", ({ city }) => ({
    ok: true,
    output: options.answer?.(city ?? "") ?? `rain in ${String(city)}`,
  }));
  const send = testTool("send", "sent", { approval: "ask" });
  const effects: Json[] = [];
  const effect = defineNode({
    type: "effect",
    version: 1,
    role: "flow",
    title: "Effect",
    summary: "For tests.",
    icon: "box",
    config: z.object({ word: z._default(z.string(), "done") }),
    inputs: { main: one("main") },
    outputs: { main: out("main") },
    reach: nowhere,
    run({ json, config }): Json {
      effects.push(json);
      return { message: `Question ${config.word}`, effect: effects.length };
    },
  });
  const nodes = [
    startNode,
    effect,
    aiAgent,
    modelNodeOf("m", model),
    memoryNodeOf("mem", memory),
    toolNodeOf("weather-tool", weather),
    toolNodeOf("send-tool", send),
  ];
  const registry = Object.fromEntries(nodes.map((node) => [node.type, node]));
  const document = buildWorkflow({
    nodes: {
      start: ["start"],
      effect: ["effect"],
      agent: ["ai-agent", { toolConcurrency: 2, rememberToolCalls: "full", ...options.config }],
      after: ["effect"],
      model: ["m"],
      memory: ["mem"],
      weather: ["weather-tool"],
      send: ["send-tool"],
    },
    edges: [
      "start.main -> effect.main",
      "effect.main -> agent.main",
      "agent.main -> after.main",
      "model.model -> agent.model",
      "memory.memory -> agent.memory",
      "weather.tool -> agent.tools",
      "send.tool -> agent.tools",
    ],
  });
  const host = options.host ?? testHost();
  const run = (replay?: ReplayOptions, of: WorkflowDocument = document) =>
    runToEnd(of, { registry, host, input: { go: 1 }, ...(replay ? { replay } : {}) });
  return { run, document, model, memory, weather, send, effects, host, loads: () => loads };
}

/** As a database gives events back: without identity, with keys in another order. */
function stored(events: readonly RunEvent[]): RunEvent[] {
  const turned = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(turned);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value)
        .toReversed()
        .map(([key, inner]) => [key, turned(inner)]),
    );
  };
  return (JSON.parse(JSON.stringify(events)) as unknown[]).map((event) => turned(event) as RunEvent);
}

async function recorded(options?: Parameters<typeof studio>[0]) {
  const first = studio(options);
  const original = await first.run();
  expect(original.end.outcome).toBe("completed");
  return { original, recording: recordingOf(stored(original.events), first.document) };
}

const texts = (events: readonly RunEvent[]) => events.filter((event) => !event.replayed).map((event) => event.type);
const callOf = (run: FinishedRun, index: number) => run.of("model-request")[index]?.callId ?? "";

describe("replay of a whole run", () => {
  it("compacts where the recording did, whatever is allowed now", async () => {
    const answer = (city: Json) => `${String(city)}: ${"rain ".repeat(1_000)}`;
    const { original, recording } = await recorded({ answer, config: { compactAbove: 1_000 } });
    expect(original.of("compaction")).toHaveLength(1);
    const sent = (run: FinishedRun) => run.of("model-request").map(({ messages }) => messages);
    for (const compactAbove of [null, 1_000_000]) {
      const { document } = studio({ config: { compactAbove } });
      const replay = await studio({ answer }).run({ recording: { ...recording, document } }, document);
      expect(sent(replay)).toEqual(sent(original));
      expect(replay.of("compaction")).toHaveLength(1);
    }
    const { document } = studio({ config: { compactAbove: 1_000 } });
    const whole = await recorded({ answer, config: { compactAbove: null } });
    const replay = await studio({ answer }).run({ recording: { ...whole.recording, document } }, document);
    expect(replay.of("compaction")).toEqual([]);
    expect(sent(replay)).toEqual(sent(whole.original));
  });

  it("offers the same tools in each request where the agent searches for them", async () => {
    const config = { toolSearch: "always" };
    const { original, recording } = await recorded({ config });
    const replay = await studio({ config }).run({ recording });
    const offered = (run: FinishedRun) => run.of("model-request").map(({ tools }) => tools.map(({ name }) => name));
    expect(offered(original).at(-1)).toEqual(["find_tools", "weather", "send"]);
    expect(offered(replay)).toEqual(offered(original));
  });

  it("gives the same end without touching anything: no model, tool, memory, node or approval", async () => {
    const { original, recording } = await recorded();
    const again = studio();
    const replay = await again.run({ recording });
    expect(replay.end).toMatchObject({ outcome: "completed", output: original.end.output });
    expect(replay.end).toMatchObject({ usage: { inputTokens: 0, outputTokens: 0 }, costUsd: 0 });
    expect([again.model.requests, again.weather.inputs, again.send.inputs, again.effects]).toEqual([[], [], [], []]);
    expect([again.memory.writes, again.loads(), again.host.approvals]).toEqual([[], 0, []]);
    expect(replay.of("run-start")[0]?.forkedFrom).toEqual({ runId: recording.runId });
    // Every step of the original is there again, marked.
    expect(replay.events.map((event) => event.type)).toEqual(original.events.map((event) => event.type));
    expect(texts(replay.events)).not.toContain("model-request");
    expect(replay.of("tool-call-end").every((event) => event.replayed)).toBe(true);
    expect(replay.events.map((event) => event.seq)).toEqual(replay.events.map((_, index) => index));
  });

  it("resumes a run that broke off, and says when a call that had begun is made again", async () => {
    const { original, recording } = await recorded();
    const cut = original.events.findIndex((event) => event.type === "tool-call-end" && event.callId === "w2");
    const again = studio();
    const replay = await again.run({ recording: { ...recording, events: recording.events.slice(0, cut) } });
    expect(replay.end.output).toMatchObject({ message: "Question done" });
    expect(again.weather.inputs).toEqual([{ city: "Bergen" }]);
    expect(again.send.inputs).toEqual([]);
    expect(again.model.requests).toHaveLength(1);
    expect(replay.of("warning").map((event) => event.message)).toEqual([
      "The call of weather had begun when the recorded run broke off; it is made again.",
    ]);
    expect(again.memory.writes).toHaveLength(1);
  });
});

describe("fork", () => {
  it("at a tool call makes only that one again, with other arguments, and goes on for real", async () => {
    const { recording } = await recorded();
    const fork = studio();
    const run = await fork.run({ recording, changes: { w1: { kind: "arguments", input: { city: "Rome" } } } });
    expect(fork.weather.inputs).toEqual([{ city: "Rome" }, { city: "Bergen" }]);
    // Its neighbour of the same turn is served: nothing is sent twice and nobody is asked.
    expect(fork.send.inputs).toEqual([]);
    expect(fork.host.approvals).toEqual([]);
    expect(fork.effects).toHaveLength(1);
    expect(fork.model.requests).toHaveLength(2);
    expect(run.of("node-end").find((event) => event.nodeId === "agent")?.output).toMatchObject({
      response: "Question done → rain in Rome, sent, rain in Bergen",
    });
    expect(run.of("run-start")[0]?.forkedFrom).toMatchObject({ runId: recording.runId, callId: "w1" });
    expect(run.end.usage).toEqual({ inputTokens: 20, outputTokens: 10 });
    expect(fork.memory.writes).toEqual([]);
    expect(run.of("memory-save")).toMatchObject([{ scratch: true, session: "session" }]);
  });

  it("takes a given result, or a failure, in the place of a call", async () => {
    const { recording } = await recorded();
    for (const [change, shown] of [
      [{ kind: "result", ok: true, output: "sun" }, "sun"],
      [{ kind: "result", ok: false, output: "no station" }, "Error: no station"],
    ] as const) {
      const fork = studio();
      const run = await fork.run({ recording, changes: { w1: change } });
      expect(fork.weather.inputs).toEqual([{ city: "Bergen" }]);
      expect(run.of("node-end").find((event) => event.nodeId === "agent")?.output).toMatchObject({
        response: `Question done → ${shown}, sent, rain in Bergen`,
      });
    }
  });

  it("counts a tool whose result was given among those used", async () => {
    const fork = studio();
    const changes = { s1: { kind: "result", ok: true, output: "posted" } } as const;
    const run = await fork.run({ recording: (await recorded()).recording, changes });
    expect(run.of("node-end")[2]?.output).toMatchObject({ metadata: { toolsUsed: ["weather", "send"] } });
    expect(fork.send.inputs).toEqual([]);
  });

  it("at a model call sends other messages, from which the conversation goes on", async () => {
    const { original, recording } = await recorded();
    const second = original.of("model-request")[1];
    const messages = (second?.messages ?? []).map((message): Message => {
      return message.role === "user" && messageText(message) === "Question done" ? userMessage("Asked anew") : message;
    });
    const fork = studio();
    const run = await fork.run({ recording, changes: { [callOf(original, 1)]: { kind: "request", messages } } });
    expect(fork.model.requests).toHaveLength(2);
    expect(fork.model.requests[0]?.messages).toEqual(messages);
    expect(run.of("node-end").find((event) => event.nodeId === "agent")?.output).toMatchObject({
      response: "Asked anew → rain in Oslo, sent, rain in Bergen",
    });
    expect(fork.memory.writes).toEqual([]);
  });

  it("takes a given answer in the place of a model's", async () => {
    const { original, recording } = await recorded();
    const message = { role: "assistant", parts: [{ type: "text", text: "Enough." }] } as const;
    const fork = studio();
    const run = await fork.run({
      recording,
      changes: { [callOf(original, 1)]: { kind: "response", message: { ...message, parts: [...message.parts] } } },
    });
    expect(fork.model.requests).toEqual([]);
    expect(run.of("node-end").find((event) => event.nodeId === "agent")?.output).toMatchObject({ response: "Enough." });
    expect(fork.effects).toHaveLength(1);
  });

  it("at a call without a change makes it again", async () => {
    const { original, recording } = await recorded();
    const fork = studio();
    await fork.run({ recording, until: callOf(original, 2) });
    expect(fork.model.requests).toHaveLength(1);
    expect(fork.weather.inputs).toEqual([]);
  });

  it("at a number of the log serves what began before it", async () => {
    const { original, recording } = await recorded();
    const after = original.events.find((event) => event.type === "node-start" && event.nodeId === "after");
    const fork = studio();
    const run = await fork.run({ recording, until: after?.seq ?? -1 });
    expect(fork.model.requests).toEqual([]);
    expect(fork.effects).toHaveLength(1);
    expect(run.end.outcome).toBe("completed");
    const beginning = studio();
    await beginning.run({ recording, until: 0 });
    expect(beginning.effects).toHaveLength(2);
    expect(beginning.model.requests).toHaveLength(3);
  });

  it("asks for an approval of what runs for real", async () => {
    const { recording } = await recorded();
    const fork = studio();
    await fork.run({ recording, until: "s1" });
    expect(fork.host.approvals.map((request) => request.callId)).toEqual(["s1"]);
    expect(fork.send.inputs).toEqual([{ to: "Ada" }]);
    expect(fork.weather.inputs).toEqual([{ city: "Bergen" }]);
  });
});

describe("a workflow that has changed since", () => {
  it("is run for real from where it asks something else, with a warning", async () => {
    const { recording } = await recorded();
    const changed = studio({ config: { systemPrompt: "Be brief." } });
    const run = await changed.run({ recording });
    expect(run.of("warning").map((event) => event.message)).toEqual([
      '"agent" has other settings than in the recorded run.',
      "The agent asks its model something different from the recorded run (messages).",
    ]);
    expect(changed.model.requests).toHaveLength(3);
    // What stands before the change is still served; what follows gets another input, and so is not.
    expect(changed.effects).toHaveLength(0);
    expect(run.end.outcome).toBe("completed");
  });

  it("ends where it must not leave the recording", async () => {
    const { recording } = await recorded();
    const changed = studio({ config: { systemPrompt: "Be brief." } });
    const run = await changed.run({ recording, onMismatch: "stop" });
    expect(run.end).toMatchObject({ outcome: "failed", error: { nodeId: "agent", code: "invalid_config" } });
    expect(run.end.error?.message).toContain("other settings");
    expect(changed.model.requests).toEqual([]);
  });

  it("does not count dates and times as a change", async () => {
    const config = { systemPrompt: "Today is {{now}}." };
    const { recording } = await recorded({ config });
    const later = studio({ config, host: testHost({ startsAt: 1_900_000_000_000 }) });
    const run = await later.run({ recording, until: "w2" });
    expect(run.of("warning")).toEqual([]);
    expect(later.model.requests).toHaveLength(1);
  });
});
