import { describe, expect, it } from "vitest";
import { z } from "zod/mini";
import type { JsonObject } from "../json.ts";
import { buildWorkflow } from "../testing/build-workflow.ts";
import { sampleRegistry } from "../testing/sample-nodes.ts";
import { defineNode } from "./define-node.ts";
import { out } from "./ports.ts";
import type { Reach } from "./reach.ts";
import { validateWorkflow } from "./validate.ts";

const reaching = (type: string, reach: Reach<"credential" | "url">) =>
  defineNode({
    type,
    version: 1,
    role: "tool",
    title: type,
    summary: "For tests.",
    icon: "box",
    config: z.object({ credential: z._default(z.string(), ""), url: z._default(z.string(), "https://a.test/") }),
    inputs: {},
    outputs: { tool: out("tool") },
    reach: [reach],
    run: () => ({ tools: [] }),
  });

const rows = { to: "database", credential: "credential", does: () => "adds rows" } as const;

/** By what they add up to: "docs" private data and untrusted input, "web" untrusted input, "post" a way out. */
const tools = [
  reaching("docs", { to: "knowledge" }),
  reaching("web", { to: "host", url: "url" }),
  reaching("post", { ...rows, reads: () => false, writes: () => true, sends: () => true }),
];
const registry = { ...sampleRegistry, ...Object.fromEntries(tools.map((tool) => [tool.type, tool])) };

/** Warnings about agents that have these tools. */
function warnings(nodes: Record<string, [string, JsonObject?]>, edges: readonly string[]) {
  const document = buildWorkflow({
    nodes: { start: ["start"], agent: ["agent"], model: ["model"], ...nodes },
    edges: ["start.main -> agent.main", "model.model -> agent.model", ...edges],
  });
  return validateWorkflow(document, registry).filter(({ message }) => message.includes("at once"));
}

const all: Record<string, [string, JsonObject?]> = {
  docs: ["docs"],
  web: ["web", { url: "https://a.test/" }],
  post: ["post"],
};
const wired = ["docs.tool -> agent.tools", "web.tool -> agent.tools", "post.tool -> agent.tools"] as const;

describe("exposure", () => {
  it("S49 warns when one agent has private data, untrusted input and a way out", () => {
    expect(warnings(all, wired)).toMatchObject([
      { nodeId: "agent", severity: "warning", message: expect.stringContaining('a way out ("post")') },
    ]);
  });

  it("is quiet when one of the three is missing", () => {
    const [docs, web, post] = wired;
    expect(warnings(all, [docs, web])).toEqual([]);
    expect(warnings(all, [web, post])).toEqual([]);
    expect(warnings(all, [docs, post])).toHaveLength(1);
  });

  it("S49 is quiet when a person is asked before something leaves", () => {
    expect(warnings({ ...all, post: ["post", { approval: "ask" }] }, wired)).toEqual([]);
    expect(warnings({ ...all, post: ["post", { approval: "once" }] }, wired)).toHaveLength(1);
  });

  it("counts the tools of an agent that serves as a tool", () => {
    const nodes = { ...all, helper: ["agent"] as [string], brain: ["model"] as [string] };
    const edges = [
      "docs.tool -> helper.tools",
      "brain.model -> helper.model",
      "helper.tool -> agent.tools",
      "web.tool -> agent.tools",
      "post.tool -> agent.tools",
    ];
    expect(warnings(nodes, edges).map(({ nodeId }) => nodeId)).toEqual(["agent"]);
  });
});
