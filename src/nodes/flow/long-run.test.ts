import { describe, expect, it } from "vitest";
import { runWorkflow } from "../../engine/run/run-workflow.ts";
import { realSleep } from "../../engine/testing/real-sleep.ts";
import { runToEnd } from "../../engine/testing/run-to-end.ts";
import { sampleDocument } from "../../engine/testing/sample-nodes.ts";
import { testHost } from "../../engine/testing/test-host.ts";
import { nodeRegistry } from "../index.ts";

const document = sampleDocument(
  { start: "manual-trigger", each: ["for-each", { concurrency: 4 }], code: ["code", { code: "return json" }] },
  ["start>each", "each>code"],
  nodeRegistry,
);
const input = Array.from({ length: 200 }, (_, index) => index);
const host = testHost({
  runCode: ({ args }) => Promise.resolve({ ok: true, output: args["json"] ?? null, logs: [] }),
});

/** A host that makes the run wait for the next task at every chance. */
function politeHost() {
  let asked = 0;
  const breathe = () => {
    asked += 1;
    return realSleep(0, new AbortController().signal);
  };
  return { host: { ...host, breathe }, asked: () => asked };
}

describe("a run that never waits by itself", () => {
  it("gives others a turn where the host asks for it, with the same result", async () => {
    const polite = politeHost();
    let turns = 0;
    const over = new AbortController();
    const others = async () => {
      for (; !over.signal.aborted; turns += 1) await realSleep(0, new AbortController().signal);
    };
    const working = others();
    const { end } = await runToEnd(document, { registry: nodeRegistry, host: polite.host, input });
    over.abort();
    await working;
    expect(end.output).toEqual(input);
    expect(polite.asked()).toBeGreaterThanOrEqual(input.length);
    expect(turns).toBeGreaterThan(5);
  });

  it("is stopped while it waits for its turn, and starts nothing after", async () => {
    const stop = new AbortController();
    const options = { registry: nodeRegistry, host: politeHost().host, input, signal: stop.signal };
    const started: number[] = [];
    for await (const event of runWorkflow(document, options)) {
      if (event.type === "node-start" && event.nodeId === "code") started.push(event.item ?? -1);
      if (started.length === 20) stop.abort();
      if (event.type === "run-end") expect(event.outcome).toBe("cancelled");
    }
    expect(started.length).toBeLessThan(30);
  });
});
