import { definitionOf } from "../../engine/document/can-connect.ts";
import type { NodeRegistry } from "../../engine/document/define-node.ts";
import type { NodeRecord, WorkflowDocument } from "../../engine/document/workflow-document.ts";
import { nearestName } from "../../engine/template/nearest-name.ts";
import type { Variant } from "../suite/suite.ts";

/** The workflow with a variant's model and settings, or why it cannot have them. */
export type AppliedVariant = { ok: true; document: WorkflowDocument } | { ok: false; problem: string };

/** Puts a variant's settings into its node: `nodeId` is an id or a title, and may be left out where there is one model. */
export function applyVariant(document: WorkflowDocument, variant: Variant, registry: NodeRegistry): AppliedVariant {
  const { name: _name, nodeId, provider, ...settings } = variant;
  if (nodeId === undefined && provider === undefined && Object.keys(settings).length === 0)
    return { ok: true, document };
  const nodes = Object.values(document.nodes);
  const models = nodes.filter(({ type }) => definitionOf(registry, type)?.role === "model");
  const found = nodeId === undefined ? models : nodes.filter(({ id, title }) => id === nodeId || title === nodeId);
  const [node, ...more] = found;
  if (!node) {
    const problem = nodeId === undefined ? "The workflow has no model." : `The workflow has no node "${nodeId}".`;
    return { ok: false, problem };
  }
  if (more.length > 0) {
    const names = found.map(({ id, title }) => `${id} (${title})`).join(", ");
    return { ok: false, problem: `It is not clear which node is meant: ${names}. Name one by its id as "nodeId".` };
  }
  const type = provider === undefined ? node.type : modelType(registry, provider);
  if (type === undefined) return { ok: false, problem: `There is no model provider "${provider}".` };
  const definition = definitionOf(registry, type);
  const unknown = Object.keys(settings).find((key) => definition && !Object.hasOwn(definition.config.shape, key));
  if (definition && unknown !== undefined) {
    const known = Object.keys(definition.config.shape);
    const near = nearestName(unknown, known);
    const hint =
      near === undefined ? `It has ${known.join(", ")}.` : `Did you mean "${near}"? It has ${known.join(", ")}.`;
    return { ok: false, problem: `"${node.title}" has no setting "${unknown}". ${hint}` };
  }
  // Another vendor's settings mean nothing here.
  const kept = type === node.type ? node.config : {};
  const changed: NodeRecord = {
    ...node,
    type,
    version: definition?.version ?? node.version,
    config: { ...kept, ...settings },
  };
  return { ok: true, document: { ...document, nodes: { ...document.nodes, [node.id]: changed } } };
}

function modelType(registry: NodeRegistry, provider: string): string | undefined {
  return [provider, `${provider}-model`].find((type) => definitionOf(registry, type)?.role === "model");
}
