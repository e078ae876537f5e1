import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isJsonObject, type Json, type JsonObject } from "../../engine/json.ts";
import { nodeRegistry } from "../../nodes/index.ts";
import { difyWorkflow } from "../testing/dify-app.ts";
import { flowiseAgentflow, flowiseEdge, flowiseNode } from "../testing/flowise-flow.ts";
import { langflow, langflowEdge, langflowNode } from "../testing/langflow-flow.ts";
import { readImported } from "../testing/read-imported.ts";

const read = (source: unknown) => readImported(source, nodeRegistry);
const dify = (data: object) =>
  read(
    difyWorkflow(
      [
        { type: "start", title: "Start", variables: [] },
        { title: "It", ...data },
      ],
      [["n0", "n1"]],
    ),
  );
const langflowStep = (type: string, values: object) =>
  read({
    name: "One",
    data: {
      nodes: [langflowNode("ChatInput-a"), langflowNode(`${type}-b`, values, "It")],
      edges: [langflowEdge("ChatInput-a", "message", `${type}-b`, "input_value")],
    },
  });

/** The data of a flow's nodes, with what they hold. */
function dataIn(source: JsonObject): JsonObject[] {
  const inner = isJsonObject(source.data) ? source.data : source;
  const nodes = Array.isArray(inner.nodes) ? inner.nodes.filter(isJsonObject) : [];
  const objects = (value: Json): JsonObject[] => {
    if (Array.isArray(value)) return value.flatMap(objects);
    return isJsonObject(value) ? [value, ...Object.values(value).flatMap(objects)] : [];
  };
  return nodes.flatMap(({ data }) => {
    if (!isJsonObject(data)) return [];
    const template = isJsonObject(data.node) && isJsonObject(data.node.template) ? [data.node.template] : [];
    return isJsonObject(data.inputs) ? objects(data.inputs) : template;
  });
}

describe("what nobody read of a flow's nodes", () => {
  it("is told with its value", () => {
    const source = fc.constantFrom<object>(flowiseAgentflow, langflow);
    fc.assert(
      fc.property(source, fc.nat(), fc.constantFrom("limit", "filter", "body", "odd"), (given, place, key) => {
        const flow: unknown = structuredClone(given);
        if (!isJsonObject(flow as Json)) return;
        const all = dataIn(flow as JsonObject);
        const target = all[place % all.length];
        if (!target || Object.hasOwn(target, key)) return;
        target[key] = given === langflow ? { value: "marked value" } : "marked value";
        const { document, report } = read(flow);
        expect(JSON.stringify([document.nodes, report.entries])).toContain("marked value");
      }),
      { numRuns: 60 },
    );
  });

  it("makes a request that sends something a placeholder, and one that reads approximated", () => {
    const post = langflowStep("APIRequest", {
      url_input: "https://a.test",
      method: "POST",
      body: [{ key: "a", value: "1" }],
    });
    expect(post.node("It")).toMatchObject({ type: "placeholder", config: { settings: { method: "POST" } } });
    expect(post.entry("It")?.note).toContain("here: body[0].key, body[0].value.");
    const get = langflowStep("APIRequest", {
      url_input: "https://a.test",
      method: "GET",
      headers: [{ key: "a", value: "1" }],
    });
    expect(get.node("It")?.type).toBe("http-request");
    expect(get.report.entries).toContainEqual(
      expect.objectContaining({ sourceType: "headers[0].value", outcome: "approximated", note: "Not taken over: 1" }),
    );
  });

  it("takes what repeats the wires of a node for told by its edges", () => {
    const model = "{{chatOpenAI_0.data.instance}}";
    const flow = {
      nodes: [flowiseNode("toolAgent_0", "Agents", { model, tools: [model], maxIterations: 3 })],
      edges: [],
    };
    expect(JSON.stringify(read(flow).report.entries)).not.toContain("data.instance");
  });

  it("leaves a request whose whole body came along as it is", () => {
    const body = { type: "json", data: [{ id: "key-1", type: "text", value: '{"a": 1}' }] };
    const { node } = dify({
      type: "http-request",
      method: "post",
      url: "https://a.test",
      body,
      timeout: { max_connect_timeout: 9 },
    });
    expect(node("It")?.type).toBe("http-request");
  });

  it("keeps a Flowise agent's request as a placeholder where its headers have no counterpart", () => {
    const tool = (name: string, more: object) => ({
      agentSelectedTool: name,
      agentSelectedToolConfig: { [`${name}Url`]: "https://a.test", agentSelectedTool: name, ...more },
    });
    const agent = (tools: object[]) =>
      read({
        nodes: [
          {
            id: "s",
            position: { x: 0, y: 0 },
            data: { name: "startAgentflow", label: "Start", category: "Agent Flows", inputAnchors: [], inputs: {} },
          },
          {
            id: "a",
            position: { x: 9, y: 0 },
            data: {
              name: "agentAgentflow",
              label: "It",
              category: "Agent Flows",
              inputAnchors: [],
              inputs: { agentTools: tools },
            },
          },
        ],
        edges: [{ source: "s", sourceHandle: "s-output-startAgentflow", target: "a", targetHandle: "a" }],
      });
    const made = agent([
      tool("requestsPost", { requestsPostUrl: "https://a.test", requestPostBody: '{"a": ' }),
      tool("requestsPut", { requestsPutUrl: "https://a.test", oddSetting: "of this one" }),
      tool("requestsGet", { requestsGetUrl: "https://a.test", requestsGetHeaders: "{}" }),
    ]);
    expect(made.node("It")?.type).toBe("ai-agent");
    expect(made.node("requestsPost")).toMatchObject({ type: "placeholder-tool", config: { toolName: "requestsPost" } });
    expect(made.node("requestsPut")).toMatchObject({ type: "placeholder-tool", config: { toolName: "requestsPut" } });
    expect(made.node("requestsPut")?.config.instead).toContain("agentTools[1].agentSelectedToolConfig.oddSetting");
    expect(made.node("requestsGet")?.type).toBe("http-request-tool");
  });

  it("leaves a memory a memory, whatever else was set there", () => {
    const { node, report } = read({
      nodes: [
        flowiseNode("conversationChain_0", "Chains"),
        flowiseNode("RedisBackedChatMemory_0", "Memory", { memoryKey: "chat_history", oddSetting: "x" }),
      ],
      edges: [flowiseEdge("RedisBackedChatMemory_0", "conversationChain_0", "memory")],
    });
    expect(node("RedisBackedChatMemory_0")?.type).toBe("redis-memory");
    const told = Object.fromEntries(report.entries.map(({ sourceType, outcome }) => [sourceType, outcome]));
    expect(told).toMatchObject({ "inputs.oddSetting": "approximated", "inputs.memoryKey": "dropped" });
  });

  it("tells a switch that is off unless it is known to make no difference then", () => {
    const { report } = langflowStep("ParseData", { odd_switch: false, stream: false });
    const told = Object.fromEntries(report.entries.map(({ sourceType, outcome }) => [sourceType, outcome]));
    expect(told).toMatchObject({ odd_switch: "approximated", stream: "dropped" });
  });
});

describe("a router of Langflow", () => {
  it.each<[object, string]>([
    [{ match_text: "Ann", case_sensitive: false }, "equals(lower(text("],
    [{ match_text: "Ann", case_sensitive: false }, '"ann"'],
    [{ match_text: "Ann", case_sensitive: false, operator: "starts with" }, "beginsWith(text(lower(text("],
    [{ match_text: "Ann", case_sensitive: true }, '"Ann"'],
    [{ match_text: "Ann" }, '"Ann"'],
    [{ match_text: "A.n", case_sensitive: false, operator: "regex" }, '"^(?:A.n)"'],
  ])("compares %j with %s", (values, code) => {
    expect(langflowStep("ConditionalRouter", values).node("It")?.config.condition).toContain(code);
  });
});
