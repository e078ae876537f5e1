import { describe, expect, it } from "vitest";
import { validateWorkflow } from "../document/validate.ts";
import type { WorkflowDocument } from "../document/workflow-document.ts";
import { collectRun, endOf, ofType, startedNodes } from "../testing/collect-run.ts";
import { sampleDocument, sampleRegistry } from "../testing/sample-nodes.ts";

/** A workflow in which one node is of a type that is not known, as after an import from a newer version. */
function withUnknown(
  nodes: Parameters<typeof sampleDocument>[0],
  edges: readonly string[],
  id: string,
): WorkflowDocument {
  const document = sampleDocument(nodes, edges);
  if (document.nodes[id]) document.nodes[id].type = "teleport";
  return document;
}

const inTheWay = () => withUnknown({ start: "start", odd: "step", after: "step" }, ["start>odd", "odd>after"], "odd");

const asTool = () =>
  withUnknown(
    { start: "start", agent: "agent", model: "test-model", odd: "test-tool" },
    ["start>agent", "model.model>agent.model", "odd.tool>agent.tools"],
    "odd",
  );

describe("nodes of unknown type", () => {
  it("stop a run before it starts when they stand in its way or serve one of its nodes", async () => {
    for (const document of [inTheWay(), asTool()]) {
      const events = await collectRun(document, { message: "hi" });
      expect(startedNodes(events)).toEqual([]);
      expect(endOf(events)).toMatchObject({ outcome: "failed", error: { code: "invalid_config", nodeId: "odd" } });
      expect(endOf(events).error?.message).toContain('the type "teleport"');
    }
  });

  it("do not matter where the run does not come", async () => {
    const document = withUnknown({ start: "start", step: "step", odd: "step" }, ["start>step"], "odd");
    expect(endOf(await collectRun(document, 1))).toMatchObject({ outcome: "completed", output: 1 });
  });

  it("let the input through when turned off, and serve nobody", async () => {
    const way = inTheWay();
    const tool = asTool();
    for (const document of [way, tool]) if (document.nodes.odd) document.nodes.odd.disabled = true;
    const events = await collectRun(way, 5);
    expect(ofType(events, "node-skip").map(({ nodeId }) => nodeId)).toEqual(["odd"]);
    expect(endOf(events)).toMatchObject({ outcome: "completed", output: 5 });
    expect(validateWorkflow(way, sampleRegistry)).toEqual([]);
    expect(endOf(await collectRun(tool, { message: "hi" }))).toMatchObject({ outcome: "completed" });
  });

  it("are the only thing reported: what follows them is not called unreachable", () => {
    expect(validateWorkflow(inTheWay(), sampleRegistry)).toMatchObject([{ nodeId: "odd", severity: "error" }]);
  });
});
