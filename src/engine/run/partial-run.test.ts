import { describe, expect, it } from "vitest";
import { collectRun, endOf, ofType, startedNodes } from "../testing/collect-run.ts";
import { sampleDocument } from "../testing/sample-nodes.ts";

describe("partial runs", () => {
  it("runs from a node with given input and pinned outputs", async () => {
    const document = sampleDocument(
      { start: "start", a: ["step", { value: "a" }], b: ["step", { value: "{{[json, a]}}" }], c: "step" },
      ["start>a", "a>b", "b>c"],
    );
    const events = await collectRun(document, "typed", { startNodeId: "b", pinned: { a: "pinned" } });
    expect(startedNodes(events)).toEqual(["b", "c"]);
    expect(endOf(events).output).toEqual(["typed", "pinned"]);
    const only = await collectRun(document, "typed", { startNodeId: "b", stopAfterNodeId: "b", pinned: { a: "p" } });
    expect(startedNodes(only)).toEqual(["b"]);
    const upTo = await collectRun(document, "in", { stopAfterNodeId: "a" });
    expect(startedNodes(upTo)).toEqual(["start", "a"]);
    expect(endOf(upTo).output).toBe("a");
    expect(endOf(await collectRun(document, {}, { startNodeId: "gone" }))).toMatchObject({ outcome: "failed" });
    const service = sampleDocument({ model: "test-model" }, []);
    expect(endOf(await collectRun(service, {}, { startNodeId: "model" })).error?.message).toContain("main flow");
  });

  it("takes a pinned output instead of running the node", async () => {
    const document = sampleDocument(
      { start: "start", bad: ["step", { fail: "x" }], fork: "fork", yes: "step", no: "step" },
      ["start>bad", "bad>fork", "fork.yes>yes", "fork.no>no"],
    );
    const events = await collectRun(document, {}, { pinned: { bad: 5, fork: { no: 6 } } });
    expect(startedNodes(events)).toEqual(["start", "bad", "fork", "no"]);
    expect(endOf(events).output).toBe(6);
  });
});

describe("branches per item", () => {
  it("runs a branch per item and goes on with the results", async () => {
    const document = sampleDocument(
      {
        start: "start",
        each: "each",
        inner: ["step", { value: "{{json * 2}}" }],
        last: ["step", { value: "{{string(json.item)}}!" }],
        after: "step",
      },
      ["start>each", "each>inner", "inner>last", "each.done>after"],
    );
    Object.assign(document.nodes.last?.config ?? {}, { value: "{{json + size(start)}}" });
    const events = await collectRun(document, [1, 2, 3]);
    expect(endOf(events)).toMatchObject({ outcome: "completed", output: [5, 7, 9] });
    const inner = ofType(events, "node-start").filter((event) => event.nodeId === "inner");
    expect(inner.map((event) => event.item)).toEqual([0, 1, 2]);
    const none = await collectRun(document, []);
    expect(ofType(none, "node-skip").map((event) => event.nodeId)).toEqual(["inner", "last"]);
    expect(endOf(none).output).toEqual([]);
  });

  it("fails the for-each when an item's branch fails", async () => {
    const document = sampleDocument({ start: "start", each: "each", inner: ["step", { fail: "{{json}}" }] }, [
      "start>each",
      "each>inner",
    ]);
    const events = await collectRun(document, ["", "second", ""]);
    expect(endOf(events)).toMatchObject({ outcome: "failed", error: { message: "second", nodeId: "inner" } });
    expect(ofType(events, "node-error").map((event) => [event.nodeId, event.item])).toEqual([
      ["inner", 1],
      ["each", undefined],
    ]);
  });
});
