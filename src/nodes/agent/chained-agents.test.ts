import { describe, expect, it } from "vitest";
import { validateWorkflow } from "../../engine/document/validate.ts";
import type { JsonObject } from "../../engine/json.ts";
import { messageText } from "../../engine/model/message.ts";
import { buildWorkflow } from "../../engine/testing/build-workflow.ts";
import { runToEnd } from "../../engine/testing/run-to-end.ts";
import { startNode, stepNode } from "../../engine/testing/sample-nodes.ts";
import { scriptedModel } from "../../engine/testing/scripted-model.ts";
import { modelNodeOf } from "../../engine/testing/service-node.ts";
import { testHost } from "../../engine/testing/test-host.ts";
import { aiAgent } from "./ai-agent.ts";

const model = scriptedModel(({ messages }) => ({ text: `<${messages.slice(-1).map(messageText).join("")}>` }));
const registry = Object.fromEntries(
  [startNode, stepNode, aiAgent, modelNodeOf("m", model)].map((node) => [node.type, node]),
);

/** Two agents in a row; the second one with these settings. */
function chain(second: JsonObject = {}, first: JsonObject = {}) {
  return buildWorkflow({
    nodes: {
      start: ["start"],
      one: ["ai-agent", first, "Writer"],
      two: ["ai-agent", second, "Editor"],
      model: ["m"],
    },
    edges: ["start.main -> one.main", "one.main -> two.main", "model.model -> one.model", "model.model -> two.model"],
  });
}

const problemsOf = (second: JsonObject, first: JsonObject = {}) =>
  validateWorkflow(chain(second, first), registry).filter(({ nodeId }) => nodeId === "two");

describe("an agent after another agent", () => {
  it("takes the other one's response with the default settings", async () => {
    const document = chain();
    expect(validateWorkflow(document, registry)).toEqual([]);
    const { end } = await runToEnd(document, { registry, host: testHost(), input: { message: "Hi" } });
    expect(end.output).toMatchObject({ response: "<<Hi>>" });
  });

  it("prefers a message where the data has one", async () => {
    const document = buildWorkflow({
      nodes: { start: ["start"], agent: ["ai-agent"], model: ["m"] },
      edges: ["start.main -> agent.main", "model.model -> agent.model"],
    });
    const input = { message: "asked", response: "not this" };
    const { end } = await runToEnd(document, { registry, host: testHost(), input });
    expect(end.output).toMatchObject({ response: "<asked>" });
  });

  it("names the default's path where the data has neither", async () => {
    const document = buildWorkflow({
      nodes: { start: ["start"], agent: ["ai-agent"], model: ["m"] },
      edges: ["start.main -> agent.main", "model.model -> agent.model"],
    });
    const { end } = await runToEnd(document, { registry, host: testHost(), input: { text: "x" } });
    expect(end.error).toMatchObject({ code: "expression_error" });
    expect(end.error?.message).toContain("message");
  });

  it("is told before the run of a template that can only fail", () => {
    expect(problemsOf({ userMessage: "Look at {{json.answer}}" })).toMatchObject([
      { field: "userMessage", severity: "error", code: "expression_error" },
    ]);
    expect(problemsOf({ userMessage: "Look at {{json.response}} and {{json.metadata.iterations}}" })).toEqual([]);
    expect(problemsOf({ userMessage: "{{json.toolCalls}}" })).toHaveLength(1);
    expect(problemsOf({ userMessage: "{{json.toolCalls}}" }, { outputFormat: "full" })).toEqual([]);
    expect(problemsOf({ userMessage: "{{json.error}}" }, { onError: "continue" })).toEqual([]);
  });

  it("is not judged where the data is not known", () => {
    const document = buildWorkflow({
      nodes: {
        start: ["start"],
        step: ["step"],
        agent: ["ai-agent", { userMessage: "{{json.anything}}" }],
        model: ["m"],
      },
      edges: ["start.main -> step.main", "step.main -> agent.main", "model.model -> agent.model"],
    });
    expect(validateWorkflow(document, registry)).toEqual([]);
  });
});
