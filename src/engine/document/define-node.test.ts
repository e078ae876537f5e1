import { describe, expect, it } from "vitest";
import { z } from "zod/mini";
import { runToEnd } from "../testing/run-to-end.ts";
import { sampleDocument, sampleRegistry } from "../testing/sample-nodes.ts";
import { testHost } from "../testing/test-host.ts";
import { defineNode, type RunContext } from "./define-node.ts";
import { one, out } from "./ports.ts";
import { nowhere } from "./reach.ts";

const described = {
  type: "shout",
  version: 1,
  role: "flow",
  title: "Shout",
  summary: "For tests.",
  icon: "box",
  config: z.object({ word: z._default(z.string(), "hello") }),
  inputs: { main: one("main") },
  outputs: { main: out("main") },
  reach: nowhere,
} as const;

const shout = { run: ({ config }: RunContext<{ word: string }, unknown>) => config.word.toUpperCase() };

const runOf = (definition: ReturnType<typeof lazily>) => {
  const registry = { ...sampleRegistry, shout: definition };
  const document = sampleDocument({ start: "start", shout: "shout" }, ["start>shout"], registry);
  return runToEnd(document, { registry, host: testHost(), input: {} });
};

const lazily = (load: () => Promise<typeof shout>) => defineNode({ ...described, load });

describe("a node whose work is loaded", () => {
  it("loads it once, with the first run or before", async () => {
    let loads = 0;
    const node = lazily(async () => {
      loads += 1;
      return shout;
    });
    await node.preload?.();
    expect((await runOf(node)).end).toMatchObject({ outcome: "completed", output: "HELLO" });
    await runOf(node);
    expect(loads).toBe(1);
  });

  it("fails in a run while it cannot be loaded, and is asked for again", async () => {
    let online = false;
    const node = lazily(() => (online ? Promise.resolve(shout) : Promise.reject(new Error("Offline."))));
    expect((await runOf(node)).end).toMatchObject({ outcome: "failed", error: { nodeId: "shout" } });
    online = true;
    expect((await runOf(node)).end).toMatchObject({ outcome: "completed", output: "HELLO" });
  });
});
