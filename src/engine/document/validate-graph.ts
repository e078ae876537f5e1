import { maxAgentDepth, portOf } from "./can-connect.ts";
import type { NodeRegistry } from "./define-node.ts";
import { findCycle, serviceDepths } from "./graph-order.ts";
import type { CheckedNode, Problem } from "./problem.ts";
import type { EdgeRecord, WorkflowDocument } from "./workflow-document.ts";

/** Loops on main, agents that are tools of themselves, agents nested too deeply. */
export function cycleProblems(document: WorkflowDocument, registry: NodeRegistry): Problem[] {
  const problems: Problem[] = [];
  for (const flow of ["main", "service"] as const) {
    const cycle = findCycle(document, registry, flow);
    const [nodeId] = cycle;
    if (nodeId === undefined) continue;
    const titles = cycle.map((id) => `"${document.nodes[id]?.title ?? id}"`).join(" → ");
    problems.push({
      nodeId,
      severity: "error",
      code: "missing_connection",
      message:
        flow === "main" ? `These nodes form a loop: ${titles}.` : `These agents are tools of themselves: ${titles}.`,
      hint:
        flow === "main"
          ? "Remove a connection; use a For each or a Repeat until node."
          : "Remove one of the tool connections.",
    });
  }
  for (const [nodeId, depth] of serviceDepths(document, registry)) {
    if (depth <= maxAgentDepth) continue;
    problems.push({
      nodeId,
      severity: "error",
      code: "missing_connection",
      message: `"${document.nodes[nodeId]?.title ?? nodeId}" nests agents as tools ${depth} deep; the limit is ${maxAgentDepth}.`,
      hint: "Remove a level.",
    });
  }
  return problems;
}

/** No trigger at all, and nodes of the main flow that no trigger leads to. */
export function reachProblems(known: ReadonlyMap<string, CheckedNode>): Problem[] {
  const triggers = [...known.values()].filter(
    ({ node, definition }) => definition.role === "trigger" && !node.disabled,
  );
  if (triggers.length === 0) {
    return [
      {
        severity: "error",
        code: "missing_connection",
        message: "The workflow has no trigger, so nothing can start it.",
        hint: "Add a chat trigger or a manual trigger and connect it.",
      },
    ];
  }
  const reached = new Set(triggers.map(({ node }) => node.id));
  const open = [...triggers];
  for (let checked = open.pop(); checked; checked = open.pop()) {
    for (const edge of checked.outgoing) {
      const next = known.get(edge.to.node);
      if (!next || reached.has(next.node.id)) continue;
      if (portOf(checked.definition.outputs, edge.from.port)?.kind !== "main") continue;
      reached.add(next.node.id);
      open.push(next);
    }
  }
  const problems: Problem[] = [];
  for (const { node, definition, outgoing } of known.values()) {
    const standsInFlow = Object.values(definition.inputs).some((port) => port.kind === "main");
    const serves = outgoing.some((edge) => portOf(definition.outputs, edge.from.port)?.kind !== "main");
    if (reached.has(node.id) || node.disabled || !standsInFlow || serves) continue;
    problems.push({
      nodeId: node.id,
      severity: "warning",
      code: "missing_connection",
      message: `"${node.title}" is not reached from any trigger and will not run.`,
      hint: "Connect its input.",
    });
  }
  return problems;
}

/** Nodes that run per item of a for-each and also get something from outside its branch, which has no items. */
export function branchProblems(known: ReadonlyMap<string, CheckedNode>): Problem[] {
  const problems: Problem[] = [];
  for (const { node, definition, outgoing } of known.values()) {
    const { branches } = definition;
    if (!branches || node.disabled) continue;
    const entries = new Set(outgoing.filter((edge) => branches.includes(edge.from.port)).map((edge) => edge.id));
    const inside = insideBranch(
      known,
      outgoing.flatMap((edge) => (entries.has(edge.id) ? [edge.to.node] : [])),
    );
    for (const id of inside) {
      const member = known.get(id);
      const stray = member?.incoming.find(
        (edge) => !entries.has(edge.id) && isMain(known, edge) && !inside.has(edge.from.node),
      );
      if (!member || !stray) continue;
      const outside = known.get(stray.from.node)?.node.title ?? stray.from.node;
      problems.push({
        nodeId: id,
        edgeId: stray.id,
        severity: "error",
        code: "missing_connection",
        message: `"${member.node.title}" runs per item of "${node.title}" and also follows "${outside}", which does not.`,
        hint: `Connect it to only one of them; what comes after all items belongs to the other output of "${node.title}".`,
      });
    }
  }
  return problems;
}

function insideBranch(known: ReadonlyMap<string, CheckedNode>, starts: readonly string[]): Set<string> {
  const inside = new Set(starts);
  for (const id of inside) {
    for (const edge of known.get(id)?.outgoing ?? []) if (isMain(known, edge)) inside.add(edge.to.node);
  }
  return inside;
}

function isMain(known: ReadonlyMap<string, CheckedNode>, edge: EdgeRecord): boolean {
  const source = known.get(edge.from.node);
  return source !== undefined && portOf(source.definition.outputs, edge.from.port)?.kind === "main";
}
