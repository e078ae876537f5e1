import { describe, expect, it } from "vitest";
import { emptyRunState, type NodeRunState } from "../../engine/run/run-state.ts";
import { activeNodes } from "./active-node.ts";

const node = (status: NodeRunState["status"], startedAt: number): NodeRunState => ({
  status,
  startedAt,
  active: 0,
  text: "",
  uses: 0,
});

describe("activeNodes", () => {
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

  it("are those at work, the one that began last at first, nested workflows left out", () => {
    expect(activeNodes(run)).toEqual(["tool", "agent"]);
  });

  it("are none without a run that goes on", () => {
    expect(activeNodes(undefined)).toEqual([]);
    expect(activeNodes({ ...run, status: "completed" })).toEqual([]);
  });
});
