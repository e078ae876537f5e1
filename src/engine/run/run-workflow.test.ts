import { describe, expect, it } from "vitest";
import type { Json } from "../json.ts";
import { collectRun, endOf, ofType, startedNodes } from "../testing/collect-run.ts";
import { sampleDocument, sampleRegistry } from "../testing/sample-nodes.ts";
import { testHost } from "../testing/test-host.ts";
import type { RunEvent } from "./events.ts";
import { runWorkflow } from "./run-workflow.ts";

describe("runWorkflow", () => {
  it("runs a chain in order and gives the last output", async () => {
    const document = sampleDocument(
      { start: "start", one: ["step", { value: "{{json.n + 1}}" }], two: ["step", { value: "{{[json, start.n]}}" }] },
      ["start>one", "one>two"],
    );
    const events = await collectRun(document, { n: 1 });
    expect(events.map((event) => event.type)).toEqual([
      "run-start",
      "node-start",
      "node-end",
      "edge-pass",
      "node-start",
      "node-end",
      "edge-pass",
      "node-start",
      "node-end",
      "run-end",
    ]);
    expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => index));
    expect(endOf(events)).toMatchObject({ outcome: "completed", output: [2, 1], costUsd: 0 });
  });

  it("takes only the branch that fired and skips the other", async () => {
    const document = sampleDocument(
      { start: "start", fork: ["fork", { test: "{{json.ok}}" }], a: "step", b: "step", c: "step" },
      ["start>fork", "fork.yes>a", "fork.no>b", "b>c"],
    );
    const events = await collectRun(document, { ok: true });
    expect(startedNodes(events)).toEqual(["start", "fork", "a"]);
    expect(ofType(events, "node-skip").map((event) => event.nodeId)).toEqual(["b", "c"]);
    expect(ofType(events, "node-end")[1]).toMatchObject({
      nodeId: "fork",
      output: { yes: { ok: true } },
      ports: ["yes"],
    });
    expect(endOf(events).output).toEqual({ ok: true });
  });

  it("joins branches: waits for all, leaves skipped ones out, or goes on at the first", async () => {
    const nodes = { start: "start", fork: "fork", a: ["step", { value: 1 }], b: ["step", { value: 2 }] } as const;
    const edges = ["start>fork", "fork.yes>a", "fork.no>b", "a>join", "b>join"];
    const all = await collectRun(sampleDocument({ ...plain(nodes), join: "join" }, edges));
    expect(endOf(all)?.output).toEqual([1]);
    const slow = sampleDocument(
      {
        start: "start",
        a: ["step", { value: "slow", pause: 500 }],
        b: ["step", { value: "fast", pause: 5 }],
        first: ["join", { first: true }],
        all: "join",
      },
      ["start>a", "start>b", "a>first", "b>first", "a>all", "b>all"],
    );
    const events = await collectRun(slow);
    expect(endOf(events).output).toEqual({ first: ["fast"], all: ["slow", "fast"] });
  });

  it("runs independent branches in parallel", async () => {
    const document = sampleDocument({ start: "start", a: ["step", { pause: 100 }], b: ["step", { pause: 100 }] }, [
      "start>a",
      "start>b",
    ]);
    const host = testHost();
    const events = await collectRun(document, {}, { host });
    expect(startedNodes(events)).toEqual(["start", "a", "b"]);
    expect(endOf(events).durationMs).toBe(100);
  });

  it("wires services into their consumer with the edge they came over", async () => {
    const document = sampleDocument(
      {
        start: "start",
        agent: "agent",
        model: ["test-model", { model: "{{json.model}}" }],
        memory: "test-memory",
        tool: "test-tool",
        helper: "agent",
      },
      [
        "start>agent",
        "model.model>agent.model",
        "model.model>helper.model",
        "memory.memory>agent.memory",
        "tool.tool>agent.tools",
        "helper.tool>agent.tools",
      ],
    );
    const events = await collectRun(document, { message: "hi", model: "m-1", sessionId: "s" });
    expect(endOf(events).output).toEqual({
      message: "hi",
      model: "m-1",
      session: "s",
      tools: ["search", "ask_agent"],
    });
    expect(startedNodes(events)).toEqual(["start", "agent"]);
  });

  it("leaves turned-off services out and lets turned-off nodes pass", async () => {
    const document = sampleDocument(
      { start: "start", off: ["step", { value: "never" }], agent: "agent", model: "test-model", tool: "test-tool" },
      ["start>off", "off>agent", "model.model>agent.model", "tool.tool>agent.tools"],
    );
    for (const id of ["off", "tool"]) Object.assign(document.nodes[id] ?? {}, { disabled: true });
    const events = await collectRun(document, { message: "hi" });
    expect(endOf(events).output).toMatchObject({ message: "hi", tools: [] });
    expect(ofType(events, "node-skip").map((event) => event.nodeId)).toEqual(["off"]);
  });

  it("skips what follows a turned-off node that stops, problems there included", async () => {
    const document = sampleDocument(
      { start: "start", off: ["step", { value: "never" }], next: "step", agent: "agent", other: "step" },
      ["start>off", "off>next", "next>agent", "start>other"],
    );
    Object.assign(document.nodes["off"] ?? {}, { disabled: true, stops: true });
    const events = await collectRun(document, { message: "hi" });
    expect(endOf(events)).toMatchObject({ outcome: "completed", output: { message: "hi" } });
    expect(ofType(events, "node-skip").map((event) => event.nodeId)).toEqual(["off", "next", "agent"]);
    expect(startedNodes(events)).toEqual(["start", "other"]);
  });

  it("fails with the node's error and stops the others", async () => {
    const document = sampleDocument(
      { start: "start", bad: ["step", { fail: "broken" }], slow: ["step", { pause: 9_999 }], next: "step" },
      ["start>slow", "start>bad", "bad>next"],
    );
    const events = await collectRun(document);
    expect(endOf(events)).toMatchObject({
      outcome: "failed",
      output: null,
      error: { message: "broken", nodeId: "bad" },
    });
    expect(ofType(events, "node-error").map(({ nodeId, error, handled }) => [nodeId, error.code, handled])).toEqual([
      ["bad", "internal", false],
      ["slow", "cancelled", false],
    ]);
    expect(startedNodes(events)).not.toContain("next");
  });

  it("goes on with { error } where the node says so", async () => {
    const document = sampleDocument(
      { start: "start", bad: ["step", { fail: "broken", onError: "continue" }], next: "step" },
      ["start>bad", "bad>next"],
    );
    const events = await collectRun(document);
    expect(endOf(events)).toMatchObject({ outcome: "completed", output: { error: { message: "broken" } } });
    expect(ofType(events, "node-error")[0]).toMatchObject({ nodeId: "bad", handled: true });
  });

  it("names node, field, position and the nearest name when a template fails", async () => {
    const document = sampleDocument({ start: "start", step: ["step", { value: "Hi {{json.nme}}" }] }, ["start>step"]);
    const events = await collectRun(document, { name: "Ada" });
    expect(endOf(events).error).toMatchObject({
      code: "expression_error",
      nodeId: "step",
      hint: 'Did you mean "name"?',
    });
    expect(endOf(events).error?.message).toContain('"step", field "Value", character 11');
  });

  it("does not see parallel branches in templates", async () => {
    for (const value of ["{{a}}", "{{nodes.a}}"]) {
      const document = sampleDocument(
        { start: "start", a: ["step", { value: 1 }], late: ["step", { pause: 50 }], b: ["step", { value }] },
        ["start>a", "start>late", "late>b"],
      );
      const events = await collectRun(document);
      expect(ofType(events, "node-end").map(({ nodeId }) => nodeId)).toEqual(["start", "a", "late"]);
      expect(endOf(events).error).toMatchObject({ code: "expression_error", nodeId: "b" });
    }
  });

  it("reports what validation finds instead of starting", async () => {
    const document = sampleDocument({ start: "start", agent: "agent" }, ["start>agent"]);
    const events = await collectRun(document);
    expect(events.map((event) => event.type)).toEqual(["run-start", "node-error", "run-end"]);
    expect(endOf(events)).toMatchObject({ outcome: "failed", error: { code: "missing_connection", nodeId: "agent" } });
  });

  it("runs although an unreached node is incomplete", async () => {
    const document = sampleDocument({ start: "start", alone: "agent" }, []);
    expect(endOf(await collectRun(document, 7))).toMatchObject({ outcome: "completed", output: 7 });
  });

  it("S56 ends as cancelled when stopped, once, and writes nothing after", async () => {
    const controller = new AbortController();
    const document = sampleDocument({ start: "start", slow: ["step", { pause: 60_000 }], next: "step" }, [
      "start>slow",
      "slow>next",
    ]);
    const events: RunEvent[] = [];
    const options = { registry: sampleRegistry, host: testHost(), input: {}, signal: controller.signal };
    for await (const event of runWorkflow(document, options)) {
      events.push(event);
      if (event.type === "node-start" && event.nodeId === "slow") controller.abort();
    }
    expect(events.slice(-2)).toMatchObject([
      { type: "node-error", nodeId: "slow", error: { code: "cancelled" } },
      { type: "run-end", outcome: "cancelled", error: { code: "cancelled" } },
    ]);
  });

  it("S56 ends although a node does not listen to the signal", async () => {
    const controller = new AbortController();
    const { join } = sampleRegistry;
    if (!join) throw new Error("The sample registry has a join.");
    const registry = { ...sampleRegistry, join: { ...join, run: () => new Promise<Json>(() => {}) } };
    const document = sampleDocument({ start: "start", deaf: "join" }, ["start>deaf"]);
    const pending = collectRun(document, {}, { registry, signal: controller.signal });
    await Promise.resolve();
    controller.abort();
    const events = await pending;
    expect(startedNodes(events)).toEqual(["start", "deaf"]);
    expect(endOf(events)).toMatchObject({ outcome: "cancelled" });
  });

  it("stops when the reader leaves", async () => {
    const document = sampleDocument({ start: "start", slow: ["step", { pause: 60_000 }] }, ["start>slow"]);
    let aborted = false;
    const host = testHost();
    const sleep = host.sleep;
    host.sleep = (ms, signal) => {
      signal.addEventListener("abort", () => (aborted = true));
      return sleep(ms, signal);
    };
    for await (const event of runWorkflow(document, { registry: sampleRegistry, host, input: {} })) {
      if (event.type === "node-start" && event.nodeId === "slow") break;
    }
    expect(aborted).toBe(true);
  });

  it("does not start when the signal is already aborted", async () => {
    const events = await collectRun(sampleDocument({ start: "start" }, []), {}, { signal: AbortSignal.abort() });
    expect(events.map((event) => event.type)).toEqual(["run-start", "run-end"]);
  });

  it("S43 redacts every text of every event", async () => {
    const document = sampleDocument({ start: "start", bad: ["step", { fail: "key test-key-123 refused" }] }, [
      "start>bad",
    ]);
    const events = await collectRun(
      document,
      { deep: [{ "test-key-123": "a test-key-123 b" }] },
      { redact: (text) => text.replaceAll("test-key-123", "•••") },
    );
    expect(JSON.stringify(events)).not.toContain("test-key-123");
    expect(endOf(events).error?.message).toBe("key ••• refused");
  });
});

type SampleNodes = Parameters<typeof sampleDocument>[0];

function plain(
  nodes: Readonly<Record<string, string | readonly [string, { readonly [key: string]: Json }]>>,
): SampleNodes {
  return Object.fromEntries(
    Object.entries(nodes).map(([id, entry]) => [id, typeof entry === "string" ? entry : [entry[0], { ...entry[1] }]]),
  );
}
