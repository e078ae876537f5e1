import { describe, expect, it } from "vitest";
import { readDocument } from "../document/read-document.ts";
import { collectRun, endOf, startedNodes } from "../testing/collect-run.ts";
import { sampleDocument, sampleRegistry } from "../testing/sample-nodes.ts";
import { partialExtent } from "./partial-extent.ts";
import { reduceRunAll } from "./reduce-run.ts";
import { problemsOfRun } from "./run-reach.ts";
import { emptyRunState } from "./run-state.ts";

const chain = () =>
  sampleDocument(
    { start: "start", a: ["step", { value: "{{[json, 1]}}" }], b: ["step", { value: "{{[json, a]}}" }], c: "step" },
    ["start>a", "a>b", "b>c"],
  );

describe("pinned outputs", () => {
  it("are taken instead of running the node, until they are ignored", async () => {
    const document = chain();
    Object.assign(document.nodes.a ?? {}, { pin: { output: "pinned" } });
    expect(endOf(await collectRun(document, 0)).output).toEqual(["pinned", "pinned"]);
    expect(endOf(await collectRun(document, 0, { ignorePins: true })).output).toEqual([
      [0, 1],
      [0, 1],
    ]);
    expect(endOf(await collectRun(document, 0, { pinned: { a: 9 } })).output).toEqual([9, 9]);
    // Null is an output, too.
    Object.assign(document.nodes.a ?? {}, { pin: { output: null } });
    expect(endOf(await collectRun(document, 0)).output).toEqual([null, null]);
  });

  it("spare a node its problems, but a run of that node alone does not take them", async () => {
    const document = sampleDocument({ start: "start", agent: "agent" }, ["start>agent"]);
    Object.assign(document.nodes.agent ?? {}, { pin: { output: "said" } });
    expect(problemsOfRun(document, sampleRegistry, { input: {} })).toEqual([]);
    const alone = { input: {}, startNodeId: "agent", stopAfterNodeId: "agent" };
    expect(problemsOfRun(document, sampleRegistry, alone)).not.toEqual([]);
    const fixed = chain();
    Object.assign(fixed.nodes.a ?? {}, { pin: { output: "pinned" } });
    expect(endOf(await collectRun(fixed, 5, { startNodeId: "a", stopAfterNodeId: "a" })).output).toEqual([5, 1]);
    expect(endOf(await collectRun(fixed, 5, { startNodeId: "a" })).output).toEqual(["pinned", "pinned"]);
  });

  it("are kept with the document; what is no pin is left out", () => {
    const document = chain();
    Object.assign(document.nodes.a ?? {}, { pin: { output: { deep: [1] } } });
    Object.assign(document.nodes.b ?? {}, { pin: "nonsense" });
    const read = readDocument(JSON.parse(JSON.stringify(document)), sampleRegistry);
    expect(read.ok && [read.document.nodes.a?.pin, read.document.nodes.b?.pin]).toEqual([
      { output: { deep: [1] } },
      undefined,
    ]);
  });
});

describe("the extent of a partial run", () => {
  it("takes over input and outputs of the last run, or what is typed", async () => {
    const document = chain();
    const state = reduceRunAll(emptyRunState("r"), await collectRun(document, 0, { runId: "r" }));
    const extentOf = (nodeId: string, options = {}) => {
      const found = partialExtent(document, sampleRegistry, nodeId, { state, ...options });
      return found.ok ? found.extent : found.reason;
    };
    expect(extentOf("b")).toEqual({ input: [0, 1], startNodeId: "b", pinned: { start: 0, a: [0, 1] } });
    expect(extentOf("b", { until: "b", input: "typed" })).toMatchObject({ input: "typed", stopAfterNodeId: "b" });
    expect(extentOf("start")).toMatchObject({ input: 0, startNodeId: "start" });
    const only = partialExtent(document, sampleRegistry, "b", { state, until: "b" });
    const events = await collectRun(document, null, only.ok ? only.extent : {});
    expect(startedNodes(events)).toEqual(["b"]);
    expect(endOf(events).output).toEqual([
      [0, 1],
      [0, 1],
    ]);
  });

  it("finds what the node before has pinned, and says when there is nothing", () => {
    const document = chain();
    expect(partialExtent(document, sampleRegistry, "b", {})).toEqual({ ok: false, reason: "no-input" });
    Object.assign(document.nodes.a ?? {}, { pin: { output: "pinned" } });
    expect(partialExtent(document, sampleRegistry, "b", {})).toEqual({
      ok: true,
      extent: { input: "pinned", startNodeId: "b", pinned: { a: "pinned" } },
    });
  });
});
