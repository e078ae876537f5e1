import { definitionOf } from "./can-connect.ts";
import type { JsonObject } from "../json.ts";
import type { NodeRegistry } from "./define-node.ts";
import type { CheckedNode, Problem } from "./problem.ts";
import { outreachOf } from "./outreach.ts";
import type { NodeRecord, WorkflowDocument } from "./workflow-document.ts";

/** A node that waits for a person, and what it would do, as the end of a sentence. */
export interface AwaitedNode {
  node: NodeRecord;
  outreach: string;
}

/**
 * Returns the nodes with each one that contacts something or runs code marked as unreviewed, and without consent that
 * was given elsewhere. Does not change its argument.
 */
export function markForReview(nodes: WorkflowDocument["nodes"], registry: NodeRegistry): Record<string, NodeRecord> {
  return Object.fromEntries(
    Object.entries(nodes).map(([id, node]) => {
      const definition = definitionOf(registry, node.type);
      const { unreviewed: _before, callers: _callers, ...rest } = node;
      const plain = { ...rest, config: withoutAgreements(node.config, definition?.agreed ?? []) };
      const waits = definition !== undefined && outreachOf(definition, node) !== undefined;
      return [id, waits ? { ...plain, unreviewed: true } : plain];
    }),
  );
}

function withoutAgreements(config: JsonObject, fields: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(config).filter(([name]) => !fields.includes(name)));
}

/** The nodes that wait for a person, in document order. */
export function awaitingReview(document: Pick<WorkflowDocument, "nodes">, registry: NodeRegistry): AwaitedNode[] {
  return Object.values(document.nodes).flatMap((node) => {
    const definition = node.unreviewed === true ? definitionOf(registry, node.type) : undefined;
    return definition ? [{ node, outreach: outreachOf(definition, node) ?? "does nothing outside any more" }] : [];
  });
}

/** The problem that keeps an imported node from running before a person has reviewed it. */
export function reviewProblems({ node, definition }: CheckedNode): Problem[] {
  if (node.unreviewed !== true) return [];
  const outreach = outreachOf(definition, node);
  if (outreach === undefined) return [];
  return [
    {
      nodeId: node.id,
      severity: "error",
      code: "invalid_config",
      message: `"${node.title}" came with an import and waits for your review: it ${outreach}.`,
      hint: "Look at its settings, then mark it as reviewed in the list above the canvas.",
      review: true,
    },
  ];
}
