import { describe, expect, it } from "vitest";
import { z } from "zod/mini";
import type { AnyNodeDefinition } from "../engine/document/define-node.ts";
import { nowhere } from "../engine/document/reach.ts";
import { code } from "./flow/code.ts";
import { httpRequest } from "./flow/http-request.ts";
import { setFields } from "./flow/set-fields.ts";
import { nodeTypes } from "./index.ts";
import { redisMemory } from "./memories/redis-memory.ts";
import { reachProblems } from "./testing/reach-problems.ts";
import type { Use } from "./testing/recording-host.ts";
import { calculatorTool } from "./tools/calculator-tool.ts";
import { httpRequestTool } from "./tools/http-request-tool.ts";
import { mcpTool } from "./tools/mcp-tool.ts";

const ownFetch = globalThis.fetch;

/** Adds every request that goes past the host. */
async function watchPage<Value>(uses: Use[], run: () => Promise<Value>): Promise<Value> {
  globalThis.fetch = async (input: string | URL | Request) => {
    uses.push({ through: "page", url: input instanceof Request ? input.url : String(input) });
    return new Response("Nothing here", { status: 404 });
  };
  try {
    return await run();
  } finally {
    globalThis.fetch = ownFetch;
  }
}

const problemsOf = (definition: AnyNodeDefinition) => reachProblems(definition, watchPage);

describe("S33 S49 what a node does is what it declares:", () => {
  it.each(nodeTypes.map((definition) => [definition.type, definition] as const))("%s", async (_type, definition) => {
    expect(await problemsOf(definition)).toEqual([]);
  });
});

describe("S33 S49 S97 a node that declares something else is found out:", () => {
  it.each<[string, AnyNodeDefinition, RegExp]>([
    ["a request", { ...httpRequestTool, reach: nowhere }, /does not declare .*execute-http/],
    ["a request of a flow", { ...httpRequest, reach: nowhere }, /does not declare .*execute-http/],
    ["another address", { ...httpRequest, reach: [{ to: "host", url: "method" }] }, /does not declare .*api\.example/],
    ["a credential", { ...httpRequest, reach: [{ to: "host", url: "url" }] }, /credential "credential"/],
    ["code", { ...code, reach: nowhere }, /does not declare .*sandbox/],
    ["an edge function", { ...redisMemory, reach: [{ to: "conversations" }] }, /does not declare .*redis-memory/],
    ["an MCP server", { ...mcpTool, reach: [{ to: "server", credential: "credential" }] }, /does not declare .*mcp/],
    ["a reach that it never uses", { ...calculatorTool, reach: [{ to: "code" }] }, /"code" and never went there/],
    [
      "a write that no setting is about",
      { ...httpRequest, config: z.omit(httpRequest.config, { afterCrash: true }) },
      /has no setting "afterCrash"/,
    ],
    [
      "a request past the host",
      {
        ...setFields,
        run: async () => {
          await globalThis.fetch("https://elsewhere.example.com/");
          return null;
        },
      },
      /does not declare .*elsewhere/,
    ],
  ])("%s", async (_name, definition, problem) => {
    expect((await problemsOf(definition)).join("\n")).toMatch(problem);
  });
});
