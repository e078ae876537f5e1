import { defaultConfig } from "../config/field-values.ts";
import { portOf } from "./can-connect.ts";
import type { CheckedNode, Problem } from "./problem.ts";
import { type Exposure, exposureOf } from "./exposure.ts";

const words: Record<Exposure, string> = {
  "private-data": "private data",
  "untrusted-input": "untrusted input",
  "way-out": "a way out",
};

/** A tool that, at least after a stranger's text, sends only what a person has seen is no way out. */
function exposuresOf({ node, definition }: CheckedNode): readonly Exposure[] {
  const all = exposureOf(definition, node.config);
  const approval = node.config["approval"] ?? defaultConfig(definition.config)["approval"];
  return approval === "ask" || approval === "ask-after-untrusted"
    ? all.filter((exposure) => exposure !== "way-out")
    : all;
}

const exposing = new Set(["tool", "model"]);

/** What an agent's tools and models expose it to, those of agents that serve as its tools included; by kind, the titles. */
function collect(
  agent: CheckedNode,
  known: ReadonlyMap<string, CheckedNode>,
  found: Map<Exposure, string[]>,
  seen: Set<string>,
): void {
  if (seen.has(agent.node.id)) return;
  seen.add(agent.node.id);
  for (const edge of agent.incoming) {
    const tool = known.get(edge.from.node);
    const kind = portOf(agent.definition.inputs, edge.to.port)?.kind;
    if (!tool || tool.node.disabled || kind === undefined || !exposing.has(kind)) continue;
    for (const exposure of exposuresOf(tool)) {
      const titles = found.get(exposure) ?? [];
      if (!titles.includes(tool.node.title)) found.set(exposure, [...titles, tool.node.title]);
    }
    collect(tool, known, found, seen);
  }
}

/**
 * A warning when one agent has private data, untrusted input and a way out at once: a text that it reads could then tell it
 * to send the data away.
 */
export function exposureProblems(agent: CheckedNode, known: ReadonlyMap<string, CheckedNode>): Problem[] {
  if (agent.definition.role !== "agent") return [];
  const found = new Map<Exposure, string[]>();
  collect(agent, known, found, new Set());
  const kinds: Exposure[] = ["private-data", "untrusted-input", "way-out"];
  if (!kinds.every((kind) => found.has(kind))) return [];
  const list = kinds.map(
    (kind) => `${words[kind]} (${(found.get(kind) ?? []).map((title) => `"${title}"`).join(", ")})`,
  );
  return [
    {
      nodeId: agent.node.id,
      severity: "warning",
      code: "invalid_config",
      message: `"${agent.node.title}" has ${list.join(", ")} at once: a text that it reads could make it send the data away.`,
      hint: "Set the approval of the tools that send something to ask, or to ask after untrusted; or split the work between two agents.",
    },
  ];
}
