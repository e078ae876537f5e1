import { definitionOf, endsFit } from "./can-connect.ts";
import { checkedNodes } from "./checked-nodes.ts";
import type { NodeRegistry } from "./define-node.ts";
import type { Problem } from "./problem.ts";
export type { Problem } from "./problem.ts";
import { branchProblems, cycleProblems, reachProblems } from "./validate-graph.ts";
import { reviewProblems } from "./review.ts";
import { exposureProblems } from "./validate-exposure.ts";
import { defaultProblems } from "./validate-defaults.ts";
import { pathProblems } from "./validate-paths.ts";
import { configProblems, portProblems, toolNameProblems } from "./validate-node.ts";
import type { EdgeRecord, NodeRecord, WorkflowDocument } from "./workflow-document.ts";

/**
 * Everything wrong with a workflow, in document order; canvas, panel and engine read the same list. Never throws.
 * Turned-off nodes are judged only by whether others miss them.
 */
export function validateWorkflow(document: WorkflowDocument, registry: NodeRegistry): Problem[] {
  const problems: Problem[] = [];
  const known = checkedNodes(document, registry);
  for (const node of Object.values(document.nodes)) {
    if (!definitionOf(registry, node.type) && !node.disabled) problems.push(unknownType(node));
  }
  for (const edge of Object.values(document.edges)) {
    const problem = edgeProblem(document, registry, edge);
    if (problem) problems.push(problem);
  }
  for (const checked of known.values()) {
    if (checked.node.disabled) continue;
    problems.push(...configProblems(checked, document), ...portProblems(checked, known));
    problems.push(...toolNameProblems(checked, known));
    problems.push(...pathProblems(checked, known), ...defaultProblems(checked, known, document));
    problems.push(...exposureProblems(checked, known), ...reviewProblems(checked));
  }
  problems.push(...cycleProblems(document, registry));
  problems.push(...branchProblems(known), ...reachProblems(known));
  return problems;
}

function unknownType(node: NodeRecord): Problem {
  return {
    nodeId: node.id,
    severity: "error",
    code: "invalid_config",
    message: `"${node.title}" is of the type "${node.type}", which is not known here.`,
    hint: "Replace the node, or turn it off. Its data is kept.",
  };
}

function edgeProblem(document: WorkflowDocument, registry: NodeRegistry, edge: EdgeRecord): Problem | undefined {
  const source = document.nodes[edge.from.node];
  const target = document.nodes[edge.to.node];
  if (source && target && (!definitionOf(registry, source.type) || !definitionOf(registry, target.type)))
    return undefined;
  const ends = endsFit(document, registry, edge.from, edge.to);
  if (ends.ok) return undefined;
  return {
    nodeId: target?.id,
    edgeId: edge.id,
    severity: "error",
    code: "missing_connection",
    message: ends.reason,
    hint: "Remove this connection and draw it again.",
  };
}
