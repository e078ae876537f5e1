import { describe, expect, it } from "vitest";
import { nodeRegistry } from "../../nodes/index.ts";
import { validateWorkflow } from "../../engine/document/validate.ts";
import { langflow, langflowEdge, langflowNode } from "../testing/langflow-flow.ts";
import { readImported } from "../testing/read-imported.ts";

const read = (source: unknown) => readImported(source, nodeRegistry);

describe("a flow of Langflow", () => {
  const { document, report, node, edges, entry, format } = read(langflow);

  it("names every component and edge once", () => {
    expect(format).toBe("langflow");
    expect(report.nodes).toMatchObject({ total: 8, placeholder: 1 });
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

  it("asks an agent without an input of its own what the chat was asked", () => {
    const made = read({
      data: {
        nodes: [langflowNode("ChatInput-a", {}, "Input"), langflowNode("Prompt-b"), langflowNode("Agent-c", {}, "It")],
        edges: [
          langflowEdge("ChatInput-a", "message", "Prompt-b", "topic"),
          langflowEdge("Prompt-b", "prompt", "Agent-c", "system_prompt"),
        ],
      },
    });
    expect(made.node("It")?.config).toMatchObject({ userMessage: "{{nodes.?input.?message.orValue(null)}}" });
  });

  it("runs a search with settings that have no counterpart, and names them", () => {
    const { node: one, entry: told } = read({
      data: { nodes: [langflowNode("AgentQL-a", { url: "https://a.test", mode: "fast" }, "It")], edges: [] },
    });
    expect([one("It")?.type, told("It")?.outcome]).toEqual(["http-request", "needsCredential"]);
  });

  describe("with files and services", () => {
    const alone = (id: string, values: object) =>
      read({ data: { nodes: [langflowNode(id, values, "It")], edges: [] } });
    const local = { storage_location: [{ name: "Local", icon: "hard-drive" }], file_name: "news.txt" };

    it.each([
      ["json", "json"],
      ["txt", "text"],
      ["excel", "xlsx"],
      ["markdown", "markdown"],
    ])("makes a file of the run instead of one on the disk: %s", (kind, format) => {
      const made = read({
        data: {
          nodes: [
            langflowNode("ChatInput-a", {}, "Input"),
            langflowNode("SaveToFile-b", { ...local, local_format: kind }, "It"),
          ],
          edges: [langflowEdge("ChatInput-a", "message", "SaveToFile-b", "input")],
        },
      });
      expect(made.node("It")).toMatchObject({
        type: "make-file",
        config: { format, name: "news", content: "{{nodes.?input.?message.orValue(null)}}" },
      });
      expect(made.edges).toEqual(["Input.main > It.main"]);
    });

    it.each([
      ["AWS", { storage_location: [{ name: "AWS" }], local_format: "json" }, "writes to AWS"],
      ["a format that is not made", { ...local, local_format: "xml" }, "format xml"],
    ])("keeps a place for what goes to %s", (_, values, words) => {
      expect(alone("SaveToFile-b", values).node("It")).toMatchObject({
        type: "placeholder",
        config: { instead: expect.stringContaining(words) },
      });
    });

    it("adds documents to a collection, and tells how Langflow cut them", () => {
      const made = alone("KnowledgeIngestion-a", { chunk_size: 1000, column_config: [{ column_name: "text" }] });
      expect(made.node("It")).toMatchObject({ type: "add-document", config: { name: "It" } });
      const told = made.report.entries.filter(({ about }) => about === "setting").map(({ note }) => note.slice(0, 24));
      expect(told).toEqual(["1000 (A collection cuts ", '[{"column_name":"text"}]']);
    });

    it("keeps a place for what adds a document several times", () => {
      expect(alone("KnowledgeIngestion-a", { allow_duplicates: true }).node("It")?.type).toBe("placeholder");
    });

    it("runs an actor of Apify, with the input that the model gives", () => {
      const actor = { actor_id: "apify/google-search-scraper", dataset_fields: "url,title", flatten_dataset: false };
      const made = read({
        data: {
          nodes: [
            langflowNode("ApifyActors-a", { ...actor, run_input: '{"pages": 1}' }, "It"),
            langflowNode("Agent-b", {}, "Helper"),
          ],
          edges: [langflowEdge("ApifyActors-a", "tool", "Agent-b", "tools")],
        },
      });
      expect(made.node("It")).toMatchObject({
        type: "http-request-tool",
        config: {
          method: "POST",
          url: "https://api.apify.com/v2/acts/apify~google-search-scraper/run-sync-get-dataset-items",
          query: { fields: "url,title" },
          body: '{{ai("run_input", "Input of the actor apify/google-search-scraper, as JSON", "json")}}',
          needsCredential: true,
        },
      });
      expect(made.entry("It")).toMatchObject({ outcome: "needsCredential" });
      expect(made.report.entries.find(({ sourceType }) => sourceType === "run_input")?.note).toContain('{"pages": 1}');
      const step = alone("ApifyActors-a", { ...actor, run_input: '{"pages": 1}' });
      expect(step.node("It")).toMatchObject({ type: "http-request", config: { body: { pages: 1 } } });
    });

    it.each([
      ["no actor", { run_input: "{}" }],
      ["what flattens its results", { actor_id: "a/b", flatten_dataset: true }],
    ])("keeps a place for %s of Apify", (_, values) => {
      expect(alone("ApifyActors-a", values).node("It")?.type).toBe("placeholder");
    });
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

describe("common components of Langflow", () => {
  /** A component between a question and an answer. */
  const between = (component: ReturnType<typeof langflowNode>, field: string, output = "text") => {
    const { id } = component;
    const made = read({
      data: {
        nodes: [langflowNode("ChatInput-a", {}, "Input"), component, langflowNode("ChatOutput-z", {}, "Out")],
        edges: [
          langflowEdge("ChatInput-a", "message", id, field),
          langflowEdge(id, output, "ChatOutput-z", "input_value"),
        ],
      },
    });
    const wrong = validateWorkflow(made.document, nodeRegistry)
      .filter(({ severity, code }) => severity === "error" && code !== "invalid_credentials")
      .filter(({ message }) => !message.includes("waits for your review"));
    expect(wrong).toEqual([]);
    return made;
  };
  const message = "nodes.?input.?message.orValue(null)";

  it.each([
    ["URL", { urls: ["https://example.com/a"] }, "x", { url: "https://example.com/a", method: "GET" }],
    ["WebSearchNoAPI", {}, "query", { url: "https://api.duckduckgo.com/" }],
    ["RSSReaderSimple", { rss_url: "https://example.com/feed" }, "x", { url: "https://example.com/feed" }],
  ])("%s becomes a request", (type, values, field, config) => {
    const { node } = between(langflowNode(`${type}-b`, values, "It"), field);
    expect(node("It")).toMatchObject({ type: "http-request", config });
  });

  it.each([
    ["TextInput", { input_value: "Be kind" }, "x", { text: "Be kind", message: "Be kind" }],
    ["CurrentDate", {}, "x", { text: "{{iso(now)}}" }],
    ["MessagetoData", {}, "message", { text: `{{text(${message})}}` }],
    ["ParserComponent", { pattern: "<{text}>", mode: "Parser" }, "input_data", { text: `<{{text(${message})}}>` }],
  ])("%s becomes fields", (type, values, field, fields) => {
    const { node } = between(langflowNode(`${type}-b`, values, "It"), field);
    expect(node("It")).toMatchObject({ type: "set-fields", config: { fields } });
  });

  it("a text of its own starts nothing: the question still does", () => {
    const { document } = between(langflowNode("TextInput-b", { input_value: "Be kind" }, "It"), "x");
    expect(Object.values(document.nodes).filter(({ type }) => type.endsWith("-trigger"))).toHaveLength(1);
  });

  it("a smart function becomes an agent that changes the data, another flow a tool to be chosen", () => {
    const smart = between(langflowNode("LambdaFilterComponent-b", { filter_instruction: "Keep names" }, "It"), "data");
    expect(smart.node("It")).toMatchObject({
      type: "ai-agent",
      config: { userMessage: `Keep names\n\n{{toJson(${message})}}` },
    });
    expect(smart.node("Out")?.config).toMatchObject({ fields: { response: "{{nodes.?it.?response.orValue(null)}}" } });
    const flows = read({
      data: {
        nodes: [
          langflowNode("ChatInput-a"),
          langflowNode("Agent-b", {}, "Helper"),
          langflowNode("RunFlow-c", { flow_name_selected: "Refunds" }, "Run"),
        ],
        edges: [
          langflowEdge("ChatInput-a", "message", "Agent-b", "input_value"),
          langflowEdge("RunFlow-c", "component_as_tool", "Agent-b", "tools"),
        ],
      },
    });
    expect(flows.node("Run")).toMatchObject({ type: "workflow-tool", config: { toolName: "Refunds" } });
  });
});
