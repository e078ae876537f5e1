import { filledConfig } from "../config/field-values.ts";
import { portOf } from "./can-connect.ts";
import type { CheckedNode, Problem } from "./problem.ts";
import { type Exposure, exposureOf } from "./exposure.ts";

const words: Record<Exposure, string> = {
  "private-data": "private data",
  "untrusted-input": "untrusted input",
  "way-out": "a way out",
};

/** When a node's calls ask a person, as its settings say. */
export function approvalOf({ node, definition }: Pick<CheckedNode, "node" | "definition">): unknown {
  return filledConfig(definition.config, node.config)["approval"];
}

/** What a node exposes to. A tool that, at least after a stranger's text, sends only what a person has seen is no way out. */
export function exposuresOf(checked: Pick<CheckedNode, "node" | "definition">): readonly Exposure[] {
  const all = exposureOf(checked.definition, checked.node.config);
  const approval = approvalOf(checked);
  return approval === "ask" || approval === "ask-after-untrusted"
    ? all.filter((exposure) => exposure !== "way-out")
    : all;
}

const exposing = new Set(["tool", "model"]);

/** The tools and models that a node uses, those of agents that serve as its tools included. Turned-off ones are left out. */
export function servicesOf(
  user: CheckedNode,
  known: ReadonlyMap<string, CheckedNode>,
  found = new Set<CheckedNode>(),
): ReadonlySet<CheckedNode> {
  for (const edge of user.incoming) {
    const service = known.get(edge.from.node);
    const kind = portOf(user.definition.inputs, edge.to.port)?.kind;
    if (!service || service.node.disabled || kind === undefined || !exposing.has(kind) || found.has(service)) continue;
    found.add(service);
    servicesOf(service, known, found);
  }
  return found;
}

/**
 * A warning when one agent has private data, untrusted input and a way out at once: a text that it reads could then tell it
 * to send the data away.
 */
export function exposureProblems(agent: CheckedNode, known: ReadonlyMap<string, CheckedNode>): Problem[] {
  if (agent.definition.role !== "agent") return [];
  const found = new Map<Exposure, string[]>();
  for (const service of servicesOf(agent, known)) {
    for (const exposure of exposuresOf(service)) {
      const titles = found.get(exposure) ?? [];
      if (!titles.includes(service.node.title)) found.set(exposure, [...titles, service.node.title]);
    }
  }
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
