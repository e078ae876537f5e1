import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { JsonObject } from "../json.ts";
import { buildWorkflow } from "../testing/build-workflow.ts";
import { sampleRegistry } from "../testing/sample-nodes.ts";
import { type Exposure, defineNode } from "./define-node.ts";
import { out } from "./ports.ts";
import { validateWorkflow } from "./validate.ts";

const exposed = (type: string, ...exposures: Exposure[]) =>
  defineNode({
    type,
    version: 1,
    role: "tool",
    title: type,
    summary: "For tests.",
    icon: "box",
    config: z.object({}),
    inputs: {},
    outputs: { tool: out("tool") },
    exposure: () => exposures,
    run: () => ({ tools: [] }),
  });

const tools = [exposed("mail", "private-data"), exposed("web", "untrusted-input"), exposed("post", "way-out")];
const registry = { ...sampleRegistry, ...Object.fromEntries(tools.map((tool) => [tool.type, tool])) };

/** Warnings about agents that have these tools. */
function warnings(nodes: Record<string, [string, JsonObject?]>, edges: string[]) {
  const document = buildWorkflow({
    nodes: { start: ["start"], agent: ["agent"], model: ["model"], ...nodes },
    edges: ["start.main -> agent.main", "model.model -> agent.model", ...edges],
  });
  return validateWorkflow(document, registry).filter(({ message }) => message.includes("at once"));
}

const all: Record<string, [string, JsonObject?]> = { mail: ["mail"], web: ["web"], post: ["post"] };
const wired = ["mail.tool -> agent.tools", "web.tool -> agent.tools", "post.tool -> agent.tools"];

describe("exposure", () => {
  it("S49 warns when one agent has private data, untrusted input and a way out", () => {
    expect(warnings(all, wired)).toMatchObject([
      { nodeId: "agent", severity: "warning", message: expect.stringContaining('a way out ("post")') },
    ]);
  });

  it("is quiet when one of the three is missing", () => {
    for (const left of wired)
      expect(
        warnings(
          all,
          wired.filter((edge) => edge !== left),
        ),
      ).toEqual([]);
  });

  it("S49 is quiet when a person is asked before something leaves", () => {
    expect(warnings({ ...all, post: ["post", { approval: "ask" }] }, wired)).toEqual([]);
    expect(warnings({ ...all, post: ["post", { approval: "once" }] }, wired)).toHaveLength(1);
  });

  it("counts the tools of an agent that serves as a tool", () => {
    const nodes = { ...all, helper: ["agent"] as [string], brain: ["model"] as [string] };
    const edges = [
      "mail.tool -> helper.tools",
      "brain.model -> helper.model",
      "helper.tool -> agent.tools",
      "web.tool -> agent.tools",
      "post.tool -> agent.tools",
    ];
    expect(warnings(nodes, edges).map(({ nodeId }) => nodeId)).toEqual(["agent"]);
  });
});
