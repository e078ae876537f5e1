import { describe, expect, it } from "vitest";
import { aiAgent } from "../../nodes/agent/ai-agent.ts";
import { setFields } from "../../nodes/flow/set-fields.ts";
import { chatTrigger } from "../../nodes/triggers/chat-trigger.ts";
import type { NodeRegistry } from "../../engine/document/define-node.ts";
import type { ModelRequest } from "../../engine/model/chat-model.ts";
import type { RunEvent } from "../../engine/run/events.ts";
import { recordingOf } from "../../engine/run/replay/recording.ts";
import type { RunPart } from "../../engine/run/run-part.ts";
import { runWorkflow } from "../../engine/run/run-workflow.ts";
import { buildWorkflow } from "../../engine/testing/build-workflow.ts";
import { testMemory, testTool } from "../../engine/testing/run-scripted-agent.ts";
import { type ScriptedTurn, scriptedModel } from "../../engine/testing/scripted-model.ts";
import { memoryNodeOf, modelNodeOf, toolNodeOf } from "../../engine/testing/service-node.ts";
import { testHost } from "../../engine/testing/test-host.ts";
import { checkCalls } from "./check-calls.ts";
import { checkableCalls } from "./checkable-calls.ts";
import type { Sample } from "./sample-call.ts";
import { stabilityOf } from "./stability.ts";

const asksTool = ({ messages }: ModelRequest) => messages.at(-1)?.role !== "tool";

/** A recorded run of an agent that asks for the weather and then answers, followed by another node. */
async function recordedRun(part: RunPart = {}, prompt = "{{json.message}}") {
  let answer = (request: ModelRequest): ScriptedTurn =>
    asksTool(request) ? { calls: [{ name: "weather", arguments: { city: "Oslo" } }] } : { text: "It rains." };
  const model = scriptedModel((request) => answer(request), { price: { input: 1_000, output: 1_000 } });
  const weather = testTool("weather", () => ({ ok: true, output: "rain" }));
  const memory = testMemory([]);
  const nodes = [
    chatTrigger,
    aiAgent,
    setFields,
    modelNodeOf("m", model),
    memoryNodeOf("mem", memory),
    toolNodeOf("weather-tool", weather),
  ];
  const registry: NodeRegistry = Object.fromEntries(nodes.map((node) => [node.type, node]));
  const document = buildWorkflow({
    nodes: {
      start: ["chat-trigger"],
      agent: ["ai-agent", { userMessage: prompt }],
      after: ["set-fields"],
      model: ["m"],
      memory: ["mem"],
      weather: ["weather-tool"],
    },
    edges: [
      "start.main -> agent.main",
      "agent.main -> after.main",
      "model.model -> agent.model",
      "memory.memory -> agent.memory",
      "weather.tool -> agent.tools",
    ],
  });
  const events: RunEvent[] = [];
  const input = { message: "Weather in Oslo?", sessionId: "s" };
  for await (const event of runWorkflow(document, { registry, host: testHost(), input, ...part })) events.push(event);
  expect(events.at(-1)).toMatchObject({ type: "run-end", outcome: "completed" });
  const before = { tool: weather.inputs.length, memory: memory.writes.length };
  const check = async (
    now: (request: ModelRequest, index: number) => ScriptedTurn,
    options: { trials: number; maxCostUsd?: number; signal?: AbortSignal },
  ) => {
    let index = 0;
    answer = (request) => now(request, index++);
    const calls = checkableCalls(events);
    const samples = new Map<string, Sample[]>(calls.map(({ callId }) => [callId, []]));
    const end = await checkCalls({
      document,
      registry,
      host: testHost(),
      recording: recordingOf(events, document),
      signal: new AbortController().signal,
      calls,
      onSample: (callId, sample) => samples.get(callId)?.push(sample),
      ...options,
    });
    return { end, stability: calls.map(({ callId, recorded }) => stabilityOf(recorded, samples.get(callId) ?? [])) };
  };
  const sideEffects = () => ({
    tool: weather.inputs.length - before.tool,
    memory: memory.writes.length - before.memory,
  });
  return { events, check, sideEffects };
}

describe("checkCalls", () => {
  it("makes each model call again and counts what it decides, and does nothing else", async () => {
    const { check, sideEffects } = await recordedRun();
    let tools = 0;
    const { end, stability } = await check(
      (request) => {
        if (!asksTool(request)) return { text: `Rain, said ${Math.random()} times.` };
        tools += 1;
        return tools % 4 === 0
          ? { text: "I do not know." }
          : { calls: [{ name: "weather", arguments: { city: "Oslo" } }] };
      },
      { trials: 8 },
    );
    expect(end).toBe("complete");
    expect(stability.map(({ same, of, failed }) => ({ same, of, failed }))).toEqual([
      { same: 6, of: 8, failed: 0 },
      { same: 8, of: 8, failed: 0 },
    ]);
    expect(stability[0]?.decisions.map(({ decision, count, isRecorded }) => [decision.key, count, isRecorded])).toEqual(
      [
        ['weather {"city":"Oslo"}', 6, true],
        ["answer", 2, false],
      ],
    );
    expect(sideEffects()).toEqual({ tool: 0, memory: 0 });
  });

  it("tells other arguments from the same, and leaves out what the vendor refused", async () => {
    const { check } = await recordedRun();
    const { stability } = await check(
      (request, index) => {
        if (!asksTool(request)) return { error: { code: "invalid_credentials", message: "The key is wrong." } };
        const city = index % 3 === 0 ? "Bergen" : "Oslo";
        return { calls: [{ name: "weather", arguments: { city } }] };
      },
      { trials: 3 },
    );
    expect(stability[0]?.decisions.map(({ decision }) => decision.key).toSorted()).toEqual([
      'weather {"city":"Bergen"}',
      'weather {"city":"Oslo"}',
    ]);
    expect(stability[1]).toMatchObject({
      same: 0,
      of: 0,
      failed: 3,
      failure: { message: "The key is wrong." },
      interval: { low: 0, high: 1 },
    });
  });

  it("runs the part that the recorded run took, and says so where the recording does not tell which", async () => {
    const part = { startNodeId: "agent", stopAfterNodeId: "agent", pinned: { start: { message: "Pinned" } } };
    const { check, events } = await recordedRun(part, "{{start.message}}");
    const asked: string[] = [];
    const answer = (request: ModelRequest): ScriptedTurn => {
      asked.push(JSON.stringify(request.messages));
      return { text: "It rains." };
    };
    const { stability } = await check(answer, { trials: 1 });
    expect(stability).toMatchObject([{ failed: 0 }, { failed: 0 }]);
    expect(asked).toHaveLength(2);
    for (const messages of asked) expect(messages).toContain("Pinned");

    const [start] = events;
    if (start?.type === "run-start") delete start.part;
    expect((await check(answer, { trials: 1 })).stability).toMatchObject([
      { failed: 1, failure: { message: expect.stringContaining("which part was not stored") } },
      { failed: 1 },
    ]);
    expect(asked).toHaveLength(2);
  });

  it("stops at its budget, and when it is told to", async () => {
    const { check } = await recordedRun();
    const costly = (): ScriptedTurn => ({ text: "Dear.", usage: { inputTokens: 1_000_000, outputTokens: 0 } });
    const dear = await check(costly, { trials: 10, maxCostUsd: 1_500 });
    expect(dear.end).toBe("budget");
    expect(dear.stability.reduce((sum, { of }) => sum + of, 0)).toBeLessThan(6);
    const stopped = await check(costly, { trials: 10, signal: AbortSignal.abort() });
    expect(stopped).toMatchObject({ end: "stopped", stability: [{ of: 0 }, { of: 0 }] });
  });
});
