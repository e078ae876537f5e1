import { describe, expect, it } from "vitest";
import type { Reach } from "../document/reach.ts";
import { planRun } from "../run/run-plan.ts";
import { sampleDocument, sampleRegistry } from "../testing/sample-nodes.ts";
import { bringsUntrusted, outsideUpTo } from "./outside-nodes.ts";

const web: Reach = { to: "host", url: "url" };

function reachingOut(type: string, as: string) {
  const definition = sampleRegistry[type];
  if (!definition) throw new Error(`There is no ${type}.`);
  return { ...definition, type: as, reach: [web] };
}

const registry = {
  ...sampleRegistry,
  "page-tool": reachingOut("test-tool", "page-tool"),
  fetch: reachingOut("step", "fetch"),
};

function planOf(nodes: Parameters<typeof sampleDocument>[0], edges: string[]) {
  const document = sampleDocument(nodes, edges, registry);
  return { document, plan: () => planRun(document, registry) };
}

describe("S49 what the graph says of nodes that did not run", () => {
  it("names a node that reads from outside for all that follow it", () => {
    const plan = planOf({ start: "start", fetch: "fetch", step: "step" }, ["start>fetch", "fetch>step"]).plan();
    expect(outsideUpTo(plan, "start")).toEqual([]);
    expect(outsideUpTo(plan, "fetch")).toEqual(['"fetch"']);
    expect(outsideUpTo(plan, "step")).toEqual(['"fetch"']);
  });

  it("names an agent with such a tool, also by way of another agent", () => {
    const plan = planOf(
      { start: "start", boss: "agent", helper: "agent", after: "step", tool: "page-tool", own: "test-tool" },
      ["start>boss", "boss>after", "helper.tool>boss.tools", "tool.tool>helper.tools", "own.tool>boss.tools"],
    ).plan();
    const brings = (id: string) => {
      const node = plan.nodes.get(id);
      return node && bringsUntrusted(plan, node);
    };
    expect([brings("own"), brings("helper")]).toEqual([false, true]);
    expect(outsideUpTo(plan, "after")).toEqual(['"boss"']);
  });

  it("names what a for-each does per item", () => {
    const plan = planOf({ start: "start", each: "each", fetch: "fetch", after: "step" }, [
      "start>each",
      "each.main>fetch",
      "each.done>after",
    ]).plan();
    expect(outsideUpTo(plan, "after")).toEqual(['"fetch"']);
  });

  it("does not name a node that is turned off", () => {
    const { document, plan } = planOf({ start: "start", fetch: "fetch" }, ["start>fetch"]);
    const fetch = document.nodes["fetch"];
    if (fetch) fetch.disabled = true;
    expect(outsideUpTo(plan(), "fetch")).toEqual([]);
  });
});
