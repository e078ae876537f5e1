import { describe, expect, it } from "vitest";
import { nodeRegistry } from "../../../nodes/index.ts";
import { validateWorkflow } from "../../document/validate.ts";
import { langflow, langflowEdge, langflowNode } from "../testing/langflow-flow.ts";
import { readImported } from "../testing/read-imported.ts";

const read = (source: unknown) => readImported(source, nodeRegistry);

describe("a flow of Langflow", () => {
  const { document, report, node, edges, entry, format } = read(langflow);

  it("names every component and edge once", () => {
    expect(format).toBe("langflow");
    expect(report.nodes).toMatchObject({ total: 9, placeholder: 1 });
    expect(report.edges).toEqual({ total: 6, mapped: 6, reported: 0 });
    expect(entry("Own")).toMatchObject({ outcome: "placeholder" });
    const wrong = validateWorkflow(document, nodeRegistry)
      .filter(({ severity, code }) => severity === "error" && code !== "invalid_credentials")
      .filter(({ message }) => !message.includes("waits for your review"));
    expect(wrong).toEqual([]);
  });

  it("has prompts, agents with their models and tools, conditions and answers", () => {
    expect(node("Prompt")?.config).toMatchObject({ fields: { text: 'You help with sums. {{"{{"}}plain}}' } });
    expect(node("Helper")?.config).toMatchObject({
      maxIterations: 5,
      systemPrompt: "{{nodes.?prompt.?text.orValue(null)}}",
    });
    expect(node("claude-sonnet-4-6")).toMatchObject({ type: "anthropic-model", config: { temperature: 0.1 } });
    expect(edges).toEqual(
      expect.arrayContaining(["Calculator.tool > Helper.tools", "Which.false > No.main", "Input.main > Prompt.main"]),
    );
  });

  it("takes models that are wired, stores as tools, parts of collections and null slots", () => {
    const made = read({
      data: {
        nodes: [
          null,
          langflowNode("ChatInput-a"),
          langflowNode("OpenAIModel-b", { model_name: "gpt-4o" }, "Model"),
          langflowNode("Agent-c", {}, "Helper"),
          langflowNode("Chroma-d", {}, "Store"),
          langflowNode("OpenAIEmbeddings-e", {}, "Embeddings"),
        ],
        edges: [
          null,
          langflowEdge("ChatInput-a", "message", "Agent-c", "input_value"),
          langflowEdge("OpenAIModel-b", "model_output", "Agent-c", "model"),
          langflowEdge("Chroma-d", "component_as_tool", "Agent-c", "tools"),
          langflowEdge("OpenAIEmbeddings-e", "embeddings", "Chroma-d", "embedding"),
          langflowEdge("Gone-x", "a", "Agent-c", "input_value"),
        ],
      },
    });
    expect(made.edges).toEqual(
      expect.arrayContaining([
        "Model.model > Helper.model",
        "Store.tool > Helper.tools",
        "ChatInput-a.main > Helper.main",
      ]),
    );
    expect(made.report.edges).toMatchObject({ total: 5, mapped: 3, reported: 2 });
  });
});
