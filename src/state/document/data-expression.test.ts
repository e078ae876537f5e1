import { expect, it } from "vitest";
import { buildWorkflow } from "../../engine/testing/build-workflow.ts";
import { dataExpression } from "./data-expression.ts";

const document = buildWorkflow({ nodes: { a: ["manual-trigger", {}, "Start here"], b: ["ai-agent", {}, "Agent"] } });

it("names a node's data as the nodes that read it do", () => {
  const value = { list: [{ id: 1 }] };
  expect(dataExpression(document, "b", "input", value)("$/list/0/id")).toBe("json.list[0].id");
  expect(dataExpression(document, "a", "output", value)("$/list/0/id")).toBe("nodes.start_here.list[0].id");
  expect(dataExpression(document, "gone", "output", value)("$/list")).toBeUndefined();
});
