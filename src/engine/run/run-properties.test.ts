import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { WorkflowDocument } from "../document/workflow-document.ts";
import type { JsonObject } from "../json.ts";
import { sampleDocument, sampleRegistry } from "../testing/sample-nodes.ts";
import { testHost } from "../testing/test-host.ts";
import type { RunEvent } from "./events.ts";
import { reduceRun, reduceRunAll } from "./reduce-run.ts";
import { emptyRunState } from "./run-state.ts";
import { runWorkflow } from "./run-workflow.ts";

interface Shape {
  kind: "step" | "fork" | "join" | "each";
  config: JsonObject;
  disabled: boolean;
  parents: number[];
}

const shape: fc.Arbitrary<Shape> = fc.record({
  kind: fc.constantFrom("step", "step", "fork", "join", "join", "each"),
  config: fc.record({
    fail: fc.constantFrom("", "", "", "", "broken", "{{json.missing}}"),
    pause: fc.constantFrom(0, 0, 1, 5),
    onError: fc.constantFrom("fail", "continue"),
    test: fc.boolean(),
    first: fc.boolean(),
  }),
  disabled: fc.constantFrom(false, false, false, false, true),
  parents: fc.array(fc.nat(30), { minLength: 1, maxLength: 3 }),
});

/** A random workflow without cycles: every node follows nodes before it; only joins take several. */
function documentOf(shapes: readonly Shape[]): WorkflowDocument {
  const kinds = ["start", ...shapes.map((one) => one.kind)];
  const edges = new Set<string>();
  for (const [index, one] of shapes.entries()) {
    const parents = one.kind === "join" ? one.parents : one.parents.slice(0, 1);
    for (const pick of parents) {
      const parent = pick % (index + 1);
      const outputs: Record<string, string[]> = { fork: ["yes", "no"], each: ["main", "done"] };
      const ports = outputs[kinds[parent] ?? ""] ?? ["main"];
      edges.add(`n${parent}.${ports[pick % ports.length]}>n${index + 1}`);
    }
  }
  const nodes = Object.fromEntries(
    kinds.map((kind, index): [string, [string, JsonObject]] => [`n${index}`, [kind, shapes[index - 1]?.config ?? {}]]),
  );
  const document = sampleDocument(nodes, [...edges]);
  for (const [index, one] of shapes.entries())
    Object.assign(document.nodes[`n${index + 1}`] ?? {}, { disabled: one.disabled });
  return document;
}

async function eventsOf(document: WorkflowDocument, stopAt: number): Promise<RunEvent[]> {
  const controller = new AbortController();
  const events: RunEvent[] = [];
  const options = { registry: sampleRegistry, host: testHost(), input: [1, 2], signal: controller.signal };
  for await (const event of runWorkflow(document, options)) {
    events.push(event);
    if (events.length === stopAt) controller.abort();
  }
  return events;
}

function expectWellFormed(events: readonly RunEvent[]): void {
  expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => index));
  expect(events[0]?.type).toBe("run-start");
  expect(events.filter((event) => event.type === "run-start").length).toBe(1);
  expect(events.filter((event) => event.type === "run-end").length).toBe(1);
}

/** Each node starts at most once per item, ends exactly once after that, and is not skipped as well. */
function expectNodesInOrder(events: readonly RunEvent[]): void {
  const refused = !events.some((event) => event.type === "node-start");
  const states = new Map<string, "started" | "ended" | "skipped">();
  for (const event of events) {
    if (event.type === "node-start") {
      const key = `${event.nodeId} ${event.item ?? ""}`;
      expect(states.get(key)).toBe(undefined);
      states.set(key, "started");
    } else if (event.type === "node-end" || (event.type === "node-error" && !refused)) {
      const key = `${event.nodeId} ${event.item ?? ""}`;
      expect(states.get(key)).toBe("started");
      states.set(key, "ended");
    } else if (event.type === "node-skip") {
      const key = `${event.nodeId} ${event.item ?? ""}`;
      expect(states.get(key)).toBe(undefined);
      states.set(key, "skipped");
    }
  }
  expect([...states.values()]).not.toContain("started");
}

/** A value never arrives before its source ended. */
function expectEdgesAfterSources(events: readonly RunEvent[], document: WorkflowDocument): void {
  const done = new Set<string>();
  for (const event of events) {
    if (event.type === "edge-pass") {
      const source = document.edges[event.edgeId]?.from.node ?? "";
      const isEach = document.nodes[source]?.type === "each";
      if (!isEach) expect(done).toContain(source);
    } else if (event.type === "node-end" || event.type === "node-error" || event.type === "node-skip") {
      done.add(event.nodeId);
    }
  }
}

const hasNestedLoops = (document: WorkflowDocument): boolean =>
  Object.values(document.nodes).filter((node) => node.type === "each").length > 1;

describe("any run", () => {
  it("is well formed, whatever fails, is skipped, turned off or stopped", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(shape, { maxLength: 14 }), fc.nat(60), async (shapes, stopAt) => {
        const document = documentOf(shapes);
        const events = await eventsOf(document, stopAt);
        expect(events.at(-1)?.type).toBe("run-end");
        expectWellFormed(events);
        expectEdgesAfterSources(events, document);
        if (!hasNestedLoops(document)) expectNodesInOrder(events);
      }),
      { numRuns: 300 },
    );
  });

  it("gives the same events every time", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(shape, { maxLength: 10 }), async (shapes) => {
        const document = documentOf(shapes);
        const first = await eventsOf(document, 0);
        expect(await eventsOf(document, 0)).toEqual(first);
      }),
      { numRuns: 50 },
    );
  });

  it("reduces to the same state live and replayed, and no prefix throws", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(shape, { maxLength: 10 }), fc.nat(40), async (shapes, stopAt) => {
        const events = await eventsOf(documentOf(shapes), stopAt);
        const runId = events[0]?.runId ?? "";
        let live = emptyRunState(runId);
        for (const event of events) live = reduceRun(live, event);
        const stored: RunEvent[] = JSON.parse(JSON.stringify(events));
        expect(reduceRunAll(emptyRunState(runId), stored)).toEqual(live);
        expect(Object.values(live.nodes).some((node) => node.status === "running")).toBe(false);
      }),
      { numRuns: 100 },
    );
  });
});
