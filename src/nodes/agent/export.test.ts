import { describe, expect, it } from "vitest";
import { z } from "zod/mini";
import type { RunEvent } from "../../engine/run/events.ts";
import { toOtlp } from "../../engine/run/export/otel.ts";
import { recordingOf } from "../../engine/run/replay/recording.ts";
import { buildWorkflow } from "../../engine/testing/build-workflow.ts";
import { testMemory, testTool } from "../../engine/testing/run-scripted-agent.ts";
import { runToEnd } from "../../engine/testing/run-to-end.ts";
import { startNode, stepNode } from "../../engine/testing/sample-nodes.ts";
import { scriptedModel } from "../../engine/testing/scripted-model.ts";
import { memoryNodeOf, modelNodeOf, toolNodeOf } from "../../engine/testing/service-node.ts";
import { testHost } from "../../engine/testing/test-host.ts";
import { aiAgent } from "./ai-agent.ts";

/** OTLP/JSON of traces as opentelemetry-proto 1.x defines it, nothing else allowed. */
const value: z.ZodMiniType = z.lazy(() =>
  z.union([
    z.strictObject({ stringValue: z.string() }),
    z.strictObject({ boolValue: z.boolean() }),
    z.strictObject({ intValue: z.string().check(z.regex(/^-?\d+$/)) }),
    z.strictObject({ doubleValue: z.number() }),
    z.strictObject({ arrayValue: z.strictObject({ values: z.array(value) }) }),
  ]),
);
const attributes = z
  .array(z.strictObject({ key: z.string().check(z.minLength(1)), value }))
  .check(z.refine((list) => new Set(list.map(({ key }) => key)).size === list.length, "keys are unique"));
const traceId = z.string().check(z.regex(/^(?!0{32})[0-9a-f]{32}$/));
const spanId = z.string().check(z.regex(/^(?!0{16})[0-9a-f]{16}$/));
const nanos = z.string().check(z.regex(/^\d+$/));
const span = z.strictObject({
  traceId,
  spanId,
  parentSpanId: z.optional(spanId),
  name: z.string().check(z.minLength(1)),
  kind: z.int().check(z.minimum(1), z.maximum(5)),
  startTimeUnixNano: nanos,
  endTimeUnixNano: nanos,
  attributes,
  events: z.array(z.strictObject({ timeUnixNano: nanos, name: z.string().check(z.minLength(1)), attributes })),
  links: z.array(z.strictObject({ traceId, spanId, attributes })),
  status: z.strictObject({ code: z.int().check(z.minimum(0), z.maximum(2)), message: z.optional(z.string()) }),
});
const traces = z.strictObject({
  resourceSpans: z.array(
    z.strictObject({
      resource: z.strictObject({ attributes }),
      scopeSpans: z.array(
        z.strictObject({ scope: z.strictObject({ name: z.string() }), spans: z.array(span), schemaUrl: z.url() }),
      ),
      schemaUrl: z.url(),
    }),
  ),
});

const model = () =>
  scriptedModel(
    [
      { calls: [{ name: "ask_agent", arguments: { message: "Sub" }, callId: "h1" }] },
      { text: "helped" },
      { calls: [{ name: "add", arguments: { a: 1 }, callId: "t1" }] },
      { text: "Done." },
    ],
    { provider: "gemini", modelId: "g-1", price: { input: 1, output: 1 } },
  );

/** start → step → agent, which asks another agent and a tool that fails. */
async function run(options: { replay?: Parameters<typeof runToEnd>[1]["replay"] } = {}) {
  const add = testTool("add", () => ({ ok: false, error: { message: "secret result" } }));
  const nodes = [
    startNode,
    stepNode,
    aiAgent,
    modelNodeOf("m", model()),
    memoryNodeOf("mem", testMemory()),
    toolNodeOf("add-tool", add),
  ];
  const document = buildWorkflow({
    name: "Sums",
    nodes: {
      start: ["start"],
      step: ["step"],
      agent: ["ai-agent", { userMessage: "secret question" }],
      helper: ["ai-agent"],
      model: ["m"],
      memory: ["mem"],
      add: ["add-tool"],
    },
    edges: [
      "start.main -> step.main",
      "step.main -> agent.main",
      "model.model -> agent.model",
      "model.model -> helper.model",
      "memory.memory -> agent.memory",
      "helper.tool -> agent.tools",
      "add.tool -> agent.tools",
    ],
  });
  const registry = Object.fromEntries(nodes.map((node) => [node.type, node]));
  return runToEnd(document, { registry, host: testHost(), input: "secret input", ...options });
}

function read(events: readonly RunEvent[], options?: Parameters<typeof toOtlp>[1]) {
  const exported = traces.parse(JSON.parse(JSON.stringify(toOtlp(events, options))));
  const spans = exported.resourceSpans[0]?.scopeSpans[0]?.spans ?? [];
  const named = (name: string) => spans.filter((each) => each.name === name);
  const of = (each: (typeof spans)[number] | undefined, key: string) =>
    each?.attributes.find((attribute) => attribute.key === key)?.value;
  return { spans, named, of };
}

describe("the OpenTelemetry export", () => {
  it("is OTLP JSON with spans nested as things happened", async () => {
    const { events } = await run();
    const { spans, named } = read(events, { titleOf: (id) => (id === "agent" ? "Solver" : undefined) });
    const parentOf = (name: string, index = 0) =>
      spans.find(({ spanId: id }) => id === named(name)[index]?.parentSpanId)?.name;
    expect(spans.map(({ name }) => name)).toEqual([
      "run Sums",
      "node start",
      "node step",
      "invoke_agent Solver",
      "chat g-1",
      "execute_tool ask_agent",
      "chat g-1",
      "chat g-1",
      "execute_tool add",
      "chat g-1",
    ]);
    expect(named("run Sums")[0]?.parentSpanId).toBeUndefined();
    expect(parentOf("invoke_agent Solver")).toBe("run Sums");
    expect(parentOf("chat g-1")).toBe("invoke_agent Solver");
    expect(parentOf("chat g-1", 1)).toBe("execute_tool ask_agent");
    expect(parentOf("execute_tool add")).toBe("invoke_agent Solver");
    expect(new Set(spans.map((each) => each.traceId)).size).toBe(1);
    expect(new Set(spans.map((each) => each.spanId)).size).toBe(spans.length);
    expect(spans.every((each) => BigInt(each.endTimeUnixNano) >= BigInt(each.startTimeUnixNano))).toBe(true);
  });

  it("names things in the words of the conventions", async () => {
    const { named, of } = read((await run()).events);
    const [chat] = named("chat g-1");
    expect(chat?.kind).toBe(3);
    expect(of(chat, "gen_ai.operation.name")).toEqual({ stringValue: "chat" });
    expect(of(chat, "gen_ai.provider.name")).toEqual({ stringValue: "gcp.gemini" });
    expect(of(chat, "gen_ai.request.model")).toEqual({ stringValue: "g-1" });
    expect(of(chat, "gen_ai.conversation.id")).toEqual({ stringValue: "session" });
    expect(of(chat, "gen_ai.usage.input_tokens")).toEqual({ intValue: "10" });
    expect(of(chat, "gen_ai.response.finish_reasons")).toEqual({
      arrayValue: { values: [{ stringValue: "tool_call" }] },
    });
    const [tool] = named("execute_tool add");
    expect(of(tool, "gen_ai.tool.call.id")).toEqual({ stringValue: "t1" });
    expect(of(tool, "error.type")).toEqual({ stringValue: "tool_error" });
    expect(tool?.status.code).toBe(2);
    const [agent] = named("invoke_agent agent");
    expect(of(agent, "gen_ai.agent.name")).toEqual({ stringValue: "agent" });
    expect(agent?.events.map(({ name }) => name)).toContain("switchyard.memory_save");
    expect(of(named("run Sums")[0], "switchyard.cost_usd")).toMatchObject({ doubleValue: expect.any(Number) });
  });

  it("holds what was said only when it is asked for", async () => {
    const { events } = await run();
    expect(JSON.stringify(toOtlp(events))).not.toContain("secret");
    const { named, of } = read(events, { content: true });
    const input = of(named("chat g-1")[0], "gen_ai.input.messages");
    expect(input).toEqual({
      stringValue: JSON.stringify([{ role: "user", parts: [{ type: "text", content: "secret question" }] }]),
    });
    expect(JSON.stringify(of(named("execute_tool add")[0], "gen_ai.tool.call.result"))).toContain("secret result");
  });

  it("is the same every time, ends what was cut short, and links a fork to its origin", async () => {
    const { events } = await run();
    expect(toOtlp(events)).toEqual(toOtlp(JSON.parse(JSON.stringify(events)) as RunEvent[]));
    const cut = read(events.slice(0, 12));
    expect(cut.of(cut.spans[0], "switchyard.interrupted")).toEqual({ boolValue: true });
    const again = await run({ replay: { recording: recordingOf(events) } });
    const { spans, named, of } = read(again.events);
    expect(spans[0]?.links[0]?.spanId).toBe(read(events).spans[0]?.spanId);
    expect(of(named("chat g-1")[0], "switchyard.replayed")).toEqual({ boolValue: true });
    expect(read([]).spans).toEqual([]);
  });
});
