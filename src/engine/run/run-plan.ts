import { definitionOf, portOf } from "../document/can-connect.ts";
import type { AnyNodeDefinition, NodeRegistry } from "../document/define-node.ts";
import { nodeSlugs } from "../document/slug.ts";
import { unknownNode } from "../document/unknown-node.ts";
import type { EdgeRecord, NodeRecord, WorkflowDocument } from "../document/workflow-document.ts";
import { compileConfig, type ConfigTemplates } from "../template/config-templates.ts";

/** An edge of the main flow with the node it leads to; `slot` is its place among that node's main inputs. */
export interface MainLink {
  edge: EdgeRecord;
  port: string;
  target: NodePlan;
  slot: number;
}

/** A node as the scheduler sees it: looked up and linked once per run. */
export interface NodePlan {
  id: string;
  node: NodeRecord;
  definition: AnyNodeDefinition;
  slug: string;
  templates: ConfigTemplates;
  /** Main edges that arrive, in the order in which they were drawn. */
  mainIn: EdgeRecord[];
  mainOut: MainLink[];
  /** Names of the outputs of kind main. */
  mainPorts: readonly string[];
  /** Edges from services, with the input they arrive at. */
  services: EdgeRecord[];
  /** The parsed config, kept when it holds no templates. */
  parsed?: Record<string, unknown>;
}

/** A workflow prepared for a run. Nodes of unknown type keep their place, but can only be passed through. */
export interface RunPlan {
  nodes: ReadonlyMap<string, NodePlan>;
  bySlug: ReadonlyMap<string, NodePlan>;
  /** Nodes that run only inside a for-each, by the node whose branch they are. */
  branchMembers: ReadonlyMap<string, ReadonlySet<string>>;
  /** Whether what callers send counts as the owner's words: the owner said so of the door that started the run. */
  callersTrusted?: boolean;
}

/** Looks everything up and links the nodes. Linear in the document. */
export function planRun(document: WorkflowDocument, registry: NodeRegistry): RunPlan {
  const slugs = nodeSlugs(document);
  const nodes = new Map<string, NodePlan>();
  const bySlug = new Map<string, NodePlan>();
  for (const node of Object.values(document.nodes)) {
    const definition = definitionOf(registry, node.type) ?? unknownNode(document, registry, node);
    const plan: NodePlan = {
      id: node.id,
      node,
      definition,
      slug: slugs.get(node.id) ?? node.id,
      templates: compileConfig(definition, node.config),
      mainIn: [],
      mainOut: [],
      mainPorts: Object.entries(definition.outputs).flatMap(([name, port]) => (port.kind === "main" ? [name] : [])),
      services: [],
    };
    nodes.set(node.id, plan);
    bySlug.set(plan.slug, plan);
  }
  for (const edge of Object.values(document.edges)) {
    const source = nodes.get(edge.from.node);
    const target = nodes.get(edge.to.node);
    const kind = source && portOf(source.definition.outputs, edge.from.port)?.kind;
    if (!source || !target || kind === undefined) continue;
    if (kind !== "main") {
      target.services.push(edge);
      continue;
    }
    source.mainOut.push({ edge, port: edge.from.port, target, slot: target.mainIn.length });
    target.mainIn.push(edge);
  }
  return { nodes, bySlug, branchMembers: branchesOf(nodes) };
}

function branchesOf(nodes: ReadonlyMap<string, NodePlan>): Map<string, Set<string>> {
  const branches = new Map<string, Set<string>>();
  for (const plan of nodes.values()) {
    const ports = plan.definition.branches;
    if (!ports || plan.node.disabled) continue;
    const starts = plan.mainOut.filter((link) => ports.includes(link.port)).map((link) => link.target);
    branches.set(plan.id, reachableFrom(starts));
  }
  return new Map([...branches].map(([id, members]) => [id, withoutInner(id, members, branches)]));
}

/** A branch without what runs only inside the for-each nodes within it. */
function withoutInner(id: string, members: Set<string>, branches: ReadonlyMap<string, Set<string>>): Set<string> {
  const own = new Set(members);
  for (const [other, inner] of branches) {
    if (other !== id && members.has(other)) for (const member of inner) own.delete(member);
  }
  return own;
}

/**
 * The ids of these nodes and of all that follow them on main; on demand only as far as turned-off nodes let a run come, or as a run
 * comes without a person who agrees.
 */
export function reachableFrom(
  starts: readonly NodePlan[],
  options: { heedStops?: boolean; heedAgreements?: boolean } = {},
): Set<string> {
  const reached = new Set(starts.map((plan) => plan.id));
  const open = [...starts];
  for (let plan = open.pop(); plan; plan = open.pop()) {
    if (options.heedStops === true && plan.node.disabled === true && plan.node.stops === true) continue;
    const agreed = options.heedAgreements === true && !plan.node.disabled ? plan.definition.agreedOutput : undefined;
    for (const link of plan.mainOut) {
      if (reached.has(link.target.id) || (agreed !== undefined && link.port === agreed)) continue;
      reached.add(link.target.id);
      open.push(link.target);
    }
  }
  return reached;
}

/** The ids of a node and of all that lead to it on main. */
export function ancestorsOf(plan: RunPlan, id: string): Set<string> {
  const reached = new Set([id]);
  const open = [id];
  for (let current = open.pop(); current !== undefined; current = open.pop()) {
    for (const edge of plan.nodes.get(current)?.mainIn ?? []) {
      if (reached.has(edge.from.node)) continue;
      reached.add(edge.from.node);
      open.push(edge.from.node);
    }
  }
  return reached;
}
