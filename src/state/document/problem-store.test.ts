import { describe, expect, it, vi } from "vitest";
import { sampleDocument } from "../../engine/testing/sample-nodes.ts";
import { nodeRegistry } from "../../nodes/index.ts";
import { createDocumentStore } from "./document-store.ts";
import { createProblemStore, problemsOf } from "./problem-store.ts";

/** The problems of a workflow with an unfinished agent, which the trigger leads to or not. */
async function unfinished(edges: readonly string[]) {
  const document = sampleDocument(
    { start: "manual-trigger", fields: "set-fields", agent: "ai-agent" },
    ["start>fields", ...edges],
    nodeRegistry,
  );
  const problems = createProblemStore(createDocumentStore(document, 1), nodeRegistry);
  expect(problems.checkRun({})).toBeNull();
  const stop = problems.start();
  await vi.waitFor(() => expect(problems.checkRun({})).not.toBeNull(), 60_000);
  stop();
  return problems;
}

describe("problem store", () => {
  it("shows every problem, and lets only those at nodes that a run comes to keep it from starting", async () => {
    const aside = await unfinished([]);
    expect(problemsOf(aside.getState(), "agent").map(({ severity }) => severity)).toContain("error");
    expect(aside.checkRun({})).toEqual([]);

    const inTheWay = await unfinished(["fields>agent"]);
    expect(inTheWay.checkRun({})).toMatchObject([{ nodeId: "agent", message: '"agent" needs a model.' }]);
  });
});
