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
  it("may not be named as any tool of a workspace, which has them all or not at all", () => {
    const clashes = (tools: Record<string, [string, JsonObject]>) => {
      const nodes: Parameters<typeof sampleDocument>[0] = {
        start: "manual-trigger",
        agent: ["ai-agent", {}],
        model: "demo-model",
        ...tools,
      };
      const wired = Object.keys(tools).map((id) => `${id}.tool>agent.tools`);
      const document = sampleDocument(nodes, ["start>agent", "model.model>agent.model", ...wired], nodeRegistry);
      return validateWorkflow(document, nodeRegistry).map(({ message, hint }) => `${message} ${hint}`);
    };
    const renamed = (name: string): [string, JsonObject] => ["calculator-tool", { toolName: name }];
    for (const name of ["list_files", "read_file", "write_file", "edit_file", "search_files", "query_table"]) {
      expect(clashes({ space: ["workspace-tool", {}], calculator: renamed(name) })).toEqual([
        `"agent" has two tools named "${name}": "space" and "calculator". Give "calculator" another tool name.`,
      ]);
    }
    expect(clashes({ calculator: renamed("edit_file"), space: ["workspace-tool", {}] })).toEqual([
      '"agent" has two tools named "edit_file": "calculator" and "space". The tools of "space" are always named so: rename the other, or remove one of the two.',
    ]);
    expect(clashes({ space: ["workspace-tool", {}], other: ["workspace-tool", {}] })).toHaveLength(1);
    expect(clashes({ space: ["workspace-tool", {}], calculator: renamed("calculate") })).toEqual([]);
  });

  it("may not be named as those of its scratchpad, while that is on", () => {
    expect(problems({ scratchpad: true }, { toolName: "recall" })).toEqual([
      'calculator: "agent" has two tools named "recall": one of its own and "calculator".',
    ]);
    expect(problems({ scratchpad: true }, {})).toEqual([]);
    expect(problems({}, { toolName: "recall" })).toEqual([]);
  });
});
