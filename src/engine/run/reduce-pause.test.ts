import { describe, expect, it } from "vitest";
import { numberEvents } from "../testing/run-events.ts";
import type { RunEventBody } from "./events.ts";
import { reduceRunAll } from "./reduce-run.ts";
import { emptyRunState } from "./run-state.ts";

function stateAfter(bodies: readonly RunEventBody[]) {
  return reduceRunAll(emptyRunState("run"), numberEvents("run", bodies));
}

const call = { nodeId: "agent", toolNodeId: "tool", edgeId: "e", callId: "c1", toolName: "calculator" };
const start: RunEventBody = { type: "tool-call-start", ...call, input: { expression: "1" } };
const place = { pauseId: "p1", nodeId: "agent", atNodeId: "tool" };
const wait: RunEventBody = {
  type: "pause-wait",
  ...place,
  kind: "tool-call",
  callId: "c1",
  input: { expression: "1" },
};

describe("a run that is held", () => {
  it("keeps the node paused until it goes on, with the arguments that went in instead", () => {
    expect(stateAfter([start, wait]).nodes["tool"]?.status).toBe("paused");
    const edited = stateAfter([
      start,
      wait,
      { type: "pause-end", ...place, action: "continue", input: { expression: "2" } },
    ]);
    expect(edited.nodes["tool"]?.status).toBe("running");
    expect(edited.steps[0]).toMatchObject({ start: { input: { expression: "1" } }, heldInput: { expression: "2" } });
  });

  it("leaves the arguments as they were when nobody changed them", () => {
    const state = stateAfter([start, wait, { type: "pause-end", ...place, action: "step" }]);
    expect(state.steps[0]).not.toHaveProperty("heldInput");
  });
});
