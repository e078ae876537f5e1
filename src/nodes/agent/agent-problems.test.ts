import { describe, expect, it } from "vitest";
import { validateWorkflow } from "../../engine/document/validate.ts";
import type { JsonObject } from "../../engine/json.ts";
import { sampleDocument } from "../../engine/testing/sample-nodes.ts";
import { nodeRegistry } from "../index.ts";

/** What is wrong with an agent that has a calculator, each with these settings. */
function problems(agent: JsonObject, calculator: JsonObject): string[] {
  const document = sampleDocument(
    {
      start: "manual-trigger",
      agent: ["ai-agent", agent],
      model: "demo-model",
      calculator: ["calculator-tool", calculator],
    },
    ["start>agent", "model.model>agent.model", "calculator.tool>agent.tools"],
    nodeRegistry,
  );
  return validateWorkflow(document, nodeRegistry).map(({ nodeId, message }) => `${nodeId}: ${message}`);
}

describe("an agent's tools before a run", () => {
  it("may not be named as those of its scratchpad, while that is on", () => {
    expect(problems({ scratchpad: true }, { toolName: "recall" })).toEqual([
      'calculator: "agent" has two tools named "recall": one of its own and "calculator".',
    ]);
    expect(problems({ scratchpad: true }, {})).toEqual([]);
    expect(problems({}, { toolName: "recall" })).toEqual([]);
  });
});
