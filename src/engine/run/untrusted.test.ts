import { describe, expect, it } from "vitest";
import type { Exposure } from "../document/define-node.ts";
import { sampleDocument, sampleRegistry } from "../testing/sample-nodes.ts";
import { planRun } from "./run-plan.ts";
import { bringsUntrusted, hasUntrustedInput } from "./untrusted.ts";

const outside = (): readonly Exposure[] => ["untrusted-input"];

function withExposure(type: string, as: string) {
  const definition = sampleRegistry[type];
  if (!definition) throw new Error(`There is no ${type}.`);
  return { ...definition, type: as, exposure: outside };
}

const registry = {
  ...sampleRegistry,
  "page-tool": withExposure("test-tool", "page-tool"),
  fetch: withExposure("step", "fetch"),
};

function planOf(nodes: Parameters<typeof sampleDocument>[0], edges: string[]) {
  const plan = planRun(sampleDocument(nodes, edges, registry), registry);
  return (id: string) => {
    const node = plan.nodes.get(id);
    if (!node) throw new Error(`There is no ${id}.`);
    return { brings: bringsUntrusted(plan, node), receives: hasUntrustedInput(plan, node) };
  };
}

describe("S49 texts of strangers", () => {
  it("come from a node that reads from outside, to all that follow it", () => {
    const of = planOf({ start: "start", fetch: "fetch", step: "step", agent: "agent" }, [
      "start>fetch",
      "fetch>step",
      "step>agent",
    ]);
    expect(of("start")).toEqual({ brings: false, receives: false });
    expect(of("fetch")).toEqual({ brings: true, receives: false });
    expect(of("agent")).toEqual({ brings: false, receives: true });
  });

  it("come from an agent that has such a tool, also by way of another agent", () => {
    const of = planOf(
      { start: "start", boss: "agent", helper: "agent", after: "step", tool: "page-tool", own: "test-tool" },
      ["start>boss", "boss>after", "helper.tool>boss.tools", "tool.tool>helper.tools", "own.tool>boss.tools"],
    );
    expect(of("own").brings).toBe(false);
    expect(of("helper").brings).toBe(true);
    expect(of("after").receives).toBe(true);
    expect(of("boss").receives).toBe(false);
  });

  it("do not come from a node that is turned off", () => {
    const of = planOf({ start: "start", fetch: "fetch", agent: "agent" }, ["start>fetch", "fetch>agent"]);
    expect(of("agent").receives).toBe(true);
    const document = sampleDocument(
      { start: "start", fetch: "fetch", agent: "agent" },
      ["start>fetch", "fetch>agent"],
      registry,
    );
    const fetch = document.nodes["fetch"];
    if (fetch) fetch.disabled = true;
    const plan = planRun(document, registry);
    const agent = plan.nodes.get("agent");
    expect(agent && hasUntrustedInput(plan, agent)).toBe(false);
  });
});
