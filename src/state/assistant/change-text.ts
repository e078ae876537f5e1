import { describeFields } from "../../engine/config/describe-fields.ts";
import { definitionOf, portOf } from "../../engine/document/can-connect.ts";
import type { NodeRegistry } from "../../engine/document/define-node.ts";
import { outreachOf } from "../../engine/document/outreach.ts";
import type { NodeRecord, WorkflowDocument } from "../../engine/document/workflow-document.ts";
import type { Json } from "../../engine/json.ts";
import type { Change } from "./changes.ts";

/** A change in words: what it does, and, for settings, the text before and after. */
export interface ChangeText {
  title: string;
  /** What a new or changed node contacts, as a sentence; a person should read it. */
  reaches?: string;
  before?: string;
  after?: string;
}

/** What a change does, from the workflow alone. `draft` is what is proposed as a whole. */
export function changeText(
  change: Change,
  { base, draft, registry }: { base: WorkflowDocument; draft: WorkflowDocument; registry: NodeRegistry },
): ChangeText {
  const titleOf = (id: string) => (draft.nodes[id] ?? base.nodes[id])?.title ?? id;
  const typeOf = (node: NodeRecord) => definitionOf(registry, node.type)?.title ?? node.type;
  switch (change.kind) {
    case "add":
      return { title: `Add ${named(change.node.title, typeOf(change.node))}`, ...reachOf(change.node, registry) };
    case "remove":
      return { title: `Remove ${change.node.title}` };
    case "replace":
      return {
        title: `Replace ${change.before.title} with ${named(change.node.title, typeOf(change.node))}`,
        ...reachOf(change.node, registry),
      };
    case "rename":
      return { title: `Rename ${change.before} to ${change.after}` };
    case "set": {
      const node = draft.nodes[change.nodeId] ?? base.nodes[change.nodeId];
      const definition = node && definitionOf(registry, node.type);
      const label = definition && describeFields(definition.config).find(({ name }) => name === change.field)?.label;
      const before = base.nodes[change.nodeId];
      const newReach = node && before && reachOf(node, registry).reaches !== reachOf(before, registry).reaches;
      return {
        title: `${titleOf(change.nodeId)}: ${label ?? change.field}`,
        before: valueText(change.before),
        after: valueText(change.after),
        ...(newReach ? reachOf(node, registry) : {}),
      };
    }
    case "connect":
    case "disconnect": {
      const { from, to } = change.edge;
      const target = draft.nodes[to.node] ?? base.nodes[to.node];
      const inputs = target && definitionOf(registry, target.type)?.inputs;
      const kind = inputs && portOf(inputs, to.port)?.kind;
      const as = kind === undefined || kind === "main" ? "" : ` as its ${kind}`;
      return change.kind === "connect"
        ? { title: `Connect ${titleOf(from.node)} to ${titleOf(to.node)}${as}` }
        : { title: `Disconnect ${titleOf(from.node)} from ${titleOf(to.node)}` };
    }
  }
}

function named(title: string, type: string): string {
  return title === type ? title : `${title} (${type})`;
}

function reachOf(node: NodeRecord, registry: NodeRegistry): { reaches?: string } {
  const definition = definitionOf(registry, node.type);
  const reaches = definition && outreachOf(definition, node);
  return reaches === undefined ? {} : { reaches: `It ${reaches}.` };
}

function valueText(value: Json | undefined): string {
  if (value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}

/** All changes in one sentence, computed from them: "Adds 2 nodes and changes 1 setting." */
export function summaryOf(changes: readonly Change[]): string {
  const count = (...kinds: readonly Change["kind"][]) => changes.filter(({ kind }) => kinds.includes(kind)).length;
  const counted = (verb: string, number: number, noun: string) =>
    number === 0 ? [] : [`${verb} ${number} ${noun}${number === 1 ? "" : "s"}`];
  const parts = [
    ...counted("adds", count("add"), "node"),
    ...counted("removes", count("remove"), "node"),
    ...counted("replaces", count("replace"), "node"),
    ...counted("renames", count("rename"), "node"),
    ...counted("changes", count("set"), "setting"),
    ...counted("makes", count("connect"), "connection"),
    ...counted("removes", count("disconnect"), "connection"),
  ];
  if (parts.length === 0) return "No changes.";
  const [last] = parts.slice(-1);
  const text = parts.length === 1 ? (last ?? "") : `${parts.slice(0, -1).join(", ")} and ${last}`;
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
