import { describe, expect, it } from "vitest";
import { collectRun, endOf, startedNodes } from "../../engine/testing/collect-run.ts";
import { sampleDocument } from "../../engine/testing/sample-nodes.ts";
import { testHost } from "../../engine/testing/test-host.ts";
import { nodeRegistry } from "../index.ts";

/** trigger → slow and quick code → merge → after; the slow branch ends only once `after` has started. */
async function race(mode: "all" | "first") {
  const document = sampleDocument(
    {
      start: "manual-trigger",
      slow: ["code", { code: "return 'slow'" }],
      quick: ["code", { code: "return 'quick'" }],
      join: ["merge", { mode }],
      after: "set-fields",
    },
    ["start>slow", "start>quick", "slow>join", "quick>join", "join>after"],
    nodeRegistry,
  );
  let turns = 0;
  const host = testHost({
    async runCode({ code }) {
      const isSlow = code.includes("slow");
      for (let turn = 0; turn < (isSlow ? 50 : 1); turn += 1) await Promise.resolve();
      turns += 1;
      return { ok: true, output: { from: isSlow ? "slow" : "quick", turn: turns }, logs: [] };
    },
  });
  return collectRun(document, {}, { registry: nodeRegistry, host });
}

describe("merge", () => {
  it("first goes on with what comes first and runs what follows once", async () => {
    const events = await race("first");
    expect(startedNodes(events)).toEqual(["start", "slow", "quick", "join", "after"]);
    const order = events.flatMap((event) =>
      event.type === "node-start" || event.type === "node-end" ? [`${event.type} ${event.nodeId}`] : [],
    );
    expect(order.indexOf("node-start after")).toBeLessThan(order.indexOf("node-end slow"));
    expect(endOf(events).output).toMatchObject({ from: "quick" });
  });

  it("all waits for both", async () => {
    const events = await race("all");
    const order = events.flatMap((event) => (event.type === "node-end" ? [event.nodeId] : []));
    expect(order).toEqual(["start", "quick", "slow", "join", "after"]);
  });
});
