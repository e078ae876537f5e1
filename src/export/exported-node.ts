import { filledConfig } from "../engine/config/field-values.ts";
import { definitionOf } from "../engine/document/can-connect.ts";
import type { NodeRegistry } from "../engine/document/define-node.ts";
import { nodeSlugs } from "../engine/document/slug.ts";
import type { EdgeRecord, NodeRecord, WorkflowDocument } from "../engine/document/workflow-document.ts";
import type { JsonObject } from "../engine/json.ts";
import type { CodeFile } from "./code-file.ts";
import type { ExpressionPlace } from "./expression-code.ts";
import type { TargetCode } from "./export-target.ts";

/** Everything that writing a workflow as a program needs. */
export interface ExportWork {
  document: WorkflowDocument;
  registry: NodeRegistry;
  file: CodeFile;
  target: TargetCode;
  /** How expressions name nodes. */
  slugs: ReadonlyMap<string, string>;
  /** The names of the functions of nodes, by id. */
  functions: Map<string, string>;
}

export function exportWork(parts: Pick<ExportWork, "document" | "registry" | "file" | "target">): ExportWork {
  return { ...parts, slugs: nodeSlugs(parts.document), functions: new Map() };
}

/** The config of a node with the defaults of what it leaves out. */
export function configOf({ registry }: Pick<ExportWork, "registry">, node: NodeRecord): JsonObject {
  const definition = definitionOf(registry, node.type);
  return definition ? filledConfig(definition.config, node.config) : node.config;
}

/** Where the expressions of a node stand; `args` where the model fills in parts. */
export function placeOf({ document, file, slugs }: ExportWork, node: NodeRecord, args?: string): ExpressionPlace {
  const workflow = { id: document.id, name: document.name };
  const isNode = (name: string) => [...slugs.values()].includes(name);
  return { file, node: node.title, workflow, isNode, ...(args === undefined ? {} : { args }) };
}

/** The edges into a port, or out of one. */
export function edgesAt(
  { document }: Pick<ExportWork, "document">,
  end: "from" | "to",
  node: string,
  port?: string,
): EdgeRecord[] {
  return Object.values(document.edges).filter(
    (edge) => edge[end].node === node && (port === undefined || edge[end].port === port),
  );
}

/** The nodes that serve a port, without those that are turned off. */
export function servantsOf(work: Pick<ExportWork, "document">, node: string, port: string): NodeRecord[] {
  return edgesAt(work, "to", node, port).flatMap(({ from }) => {
    const found = work.document.nodes[from.node];
    return found === undefined || found.disabled === true ? [] : [found];
  });
}
