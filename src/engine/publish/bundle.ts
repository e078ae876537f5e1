import { canonicalJson } from "../canonical-json.ts";
import { describeFields } from "../config/describe-fields.ts";
import { definitionOf } from "../document/can-connect.ts";
import type { NodeRegistry } from "../document/define-node.ts";
import { type Problem, validateWorkflow } from "../document/validate.ts";
import type { NodeRecord, WorkflowDocument } from "../document/workflow-document.ts";
import type { WorkflowLoader } from "../host.ts";
import { budgetProblems, limitProblems } from "../spending/unknown-prices.ts";
import type { JsonObject } from "../json.ts";
import { publishedForm } from "./published-form.ts";
import type { Schedule } from "./schedule.ts";

/** A schedule of a published version: when it starts by itself, and the trigger node that says so. */
export interface PublishedSchedule extends Schedule {
  nodeId: string;
  /** What each run is given; the time it stands for, `scheduledAt`, is added to it. */
  input: JsonObject;
}

/** A version as it is published: everything that a run of it needs, whatever becomes of the workflows later. */
export interface Bundle {
  document: WorkflowDocument;
  /** The other workflows that it runs, directly or through each other, by id. */
  workflows: Record<string, WorkflowDocument>;
  /** SHA-256 in hex of the canonical JSON of all the rest. */
  hash: string;
  schedules: PublishedSchedule[];
}

/** What keeps a workflow from being published, and in which workflow it is. */
export interface BundleProblem extends Problem {
  workflow: { id: string; name: string };
}

export type BundleResult = { ok: true; bundle: Bundle } | { ok: false; problems: BundleProblem[] };

interface BundleOptions {
  registry: NodeRegistry;
  /** Gives the other workflows as they are stored now. */
  workflows: WorkflowLoader;
  /**
   * A limit in money holds for its runs: then every model needs a known price. The budgets of its agents are looked at in any case.
   */
  limitsMoney?: boolean;
  /** The SHA-256 of a text, in hex. */
  sha256(text: string): string | Promise<string>;
}

/**
 * A workflow with all that it runs, ready to be published; or every error in any of them, those of the workflow itself
 * first. Workflows may run each other in circles. Never rejects unless `sha256` does.
 */
export async function bundleWorkflow(document: WorkflowDocument, options: BundleOptions): Promise<BundleResult> {
  const { registry, workflows: loader } = options;
  const root = publishedForm(document);
  const found = new Map([[root.id, root]]);
  const problems: BundleProblem[] = errorsOf(root, options);
  // A map goes on to what is added to it meanwhile.
  for (const from of found.values()) {
    for (const { node, id } of workflowsRunBy(from, registry)) {
      if (found.has(id)) continue;
      const loaded = await loader.load(id);
      if (!loaded.ok) {
        problems.push(notLoaded(from, node, loaded.error));
        continue;
      }
      const other = withoutCallers(publishedForm({ ...loaded.document, id }));
      found.set(id, other);
      problems.push(...errorsOf(other, options));
    }
  }
  if (problems.length > 0) return { ok: false, problems };
  found.delete(root.id);
  const workflows = Object.fromEntries(found);
  const schedules = schedulesOf(root, registry);
  const hash = await options.sha256(canonicalJson({ document: root, workflows, schedules }));
  return { ok: true, bundle: { document: root, workflows, hash, schedules } };
}

/** What callers may fill in there was decided for the doors of that workflow, and not for those of this one. */
function withoutCallers(document: WorkflowDocument): WorkflowDocument {
  const nodes: Record<string, NodeRecord> = {};
  for (const [id, { callers: _callers, ...node }] of Object.entries(document.nodes)) nodes[id] = node;
  return { ...document, nodes };
}

/** The nodes that run another workflow, each with the id of that workflow; those that are turned off do not count. */
function workflowsRunBy(document: WorkflowDocument, registry: NodeRegistry): { node: NodeRecord; id: string }[] {
  return Object.values(document.nodes).flatMap((node) => {
    const definition = definitionOf(registry, node.type);
    if (definition === undefined || node.disabled === true) return [];
    return describeFields(definition.config)
      .filter(({ control }) => control === "workflow")
      .flatMap(({ name }) => {
        const id = node.config[name];
        return typeof id === "string" && id !== "" ? [{ node, id }] : [];
      });
  });
}

function schedulesOf(document: WorkflowDocument, registry: NodeRegistry): PublishedSchedule[] {
  return Object.values(document.nodes).flatMap((node) => {
    const schedule = node.disabled === true ? undefined : definitionOf(registry, node.type)?.schedule?.(node.config);
    return schedule === undefined ? [] : [{ nodeId: node.id, ...schedule, input: {} }];
  });
}

function errorsOf(
  document: WorkflowDocument,
  { registry, limitsMoney }: Pick<BundleOptions, "registry" | "limitsMoney">,
): BundleProblem[] {
  const errors = validateWorkflow(document, registry).filter(({ severity }) => severity === "error");
  const prices = limitsMoney
    ? limitProblems(document, registry)
    : budgetProblems(document, registry, new Set(Object.keys(document.nodes)));
  return [...errors, ...prices].map((problem) => ({ ...problem, workflow: { id: document.id, name: document.name } }));
}

function notLoaded(
  { id, name }: WorkflowDocument,
  node: NodeRecord,
  { message, hint }: { message: string; hint: string },
): BundleProblem {
  return {
    workflow: { id, name },
    nodeId: node.id,
    severity: "error",
    code: "invalid_config",
    message: `The workflow that "${node.title}" runs cannot be published with it. ${message}`,
    hint,
  };
}
