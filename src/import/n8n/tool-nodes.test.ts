import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../engine/json.ts";
import { nodeRegistry } from "../../nodes/index.ts";
import { readImported } from "../testing/read-imported.ts";

const ai = "@n8n/n8n-nodes-langchain.";
const tool = (parameters: JsonObject) =>
  readImported(
    {
      nodes: [
        { name: "Chat", type: `${ai}chatTrigger`, typeVersion: 1, position: [0, 0], parameters: {} },
        { name: "Agent", type: `${ai}agent`, typeVersion: 2, position: [200, 0], parameters: {} },
        {
          name: "It",
          type: `${ai}toolHttpRequest`,
          typeVersion: 1.1,
          position: [200, 200],
          parameters: { method: "POST", url: "https://a.test", ...parameters },
        },
      ],
      connections: {
        Chat: { main: [[{ node: "Agent", type: "main", index: 0 }]] },
        It: { ai_tool: [[{ node: "Agent", type: "ai_tool", index: 0 }]] },
      },
    },
    nodeRegistry,
  ).node("It");

describe("the older HTTP tool of n8n", () => {
  const dry = '{{ai("dry", "", "string")}}';

  it.each<[JsonObject, JsonObject]>([
    [{ sendQuery: true, specifyQuery: "json", jsonQuery: '{"dry": {dry}}' }, { query: { dry } }],
    [{ sendQuery: true, specifyQuery: "json", jsonQuery: '{"dry": "{dry}", "n": 3}' }, { query: { dry, n: "3" } }],
    [{ sendHeaders: true, specifyHeaders: "json", jsonHeaders: '{"X-A": "{dry}"}' }, { headers: { "X-A": dry } }],
    [{ sendBody: true, specifyBody: "json", jsonBody: '{"a": {"b": {dry}}}' }, { body: { a: { b: dry } } }],
    [{}, { query: {}, headers: {} }],
  ])("keeps what %j sends", (parameters, config) => {
    expect(tool(parameters)).toMatchObject({ type: "http-request-tool", config });
  });

  it.each<[JsonObject]>([
    [{ sendQuery: true, specifyQuery: "model" }],
    [{ sendHeaders: true, specifyHeaders: "model" }],
    [{ sendQuery: true, specifyQuery: "json", jsonQuery: '{"dry": ' }],
    [{ sendQuery: true, specifyQuery: "json", jsonQuery: "[1]" }],
    [{ sendHeaders: true, specifyHeaders: "json", jsonHeaders: "={{ $json.headers }}" }],
  ])("is a placeholder for %j", (parameters) => {
    expect(tool(parameters)).toMatchObject({ type: "placeholder-tool", config: { toolName: "It" } });
  });
});
