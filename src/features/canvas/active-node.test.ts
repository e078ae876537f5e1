import { describe, expect, it } from "vitest";
import { emptyRunState, type NodeRunState } from "../../engine/run/run-state.ts";
import { activeNode } from "./active-node.ts";

const node = (status: NodeRunState["status"], startedAt: number): NodeRunState => ({
  status,
  startedAt,
  active: 0,
  text: "",
  uses: 0,
});

describe("activeNode", () => {
  const run = {
    ...emptyRunState("run"),
    nodes: {
      done: node("done", 9),
      agent: node("running", 1),
      tool: node("approval", 5),
      "flow/inner": node("running", 8),
      later: node("waiting", 0),
    },
  };

  it("is the node that began last of those at work, nested workflows left out", () => {
    expect(activeNode(run)).toBe("tool");
  });

  it("is none without a run that goes on", () => {
    expect(activeNode(undefined)).toBeNull();
    expect(activeNode({ ...run, status: "completed" })).toBeNull();
  });
});
