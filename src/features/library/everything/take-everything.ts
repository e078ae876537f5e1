import { describeFields } from "../../../engine/config/describe-fields.ts";
import { definitionOf } from "../../../engine/document/can-connect.ts";
import type { WorkflowDocument } from "../../../engine/document/workflow-document.ts";
import { storeCaseFiles } from "../../../evaluation/suite/case-files.ts";
import type { EvaluationCase } from "../../../evaluation/suite/evaluation-case.ts";
import { nodeRegistry } from "../../../nodes/index.ts";
import type { Services } from "../../../services/services.ts";
import { fileStorer } from "../../../state/file/file-bytes.ts";
import { placedDocument } from "../../../state/editing/placed-document.ts";
import { readImport } from "../import/read-import.ts";
import { storePinnedFiles } from "../pinned-files.ts";
import { freeName } from "../workflow-actions.ts";
import type { Everything } from "./everything-file.ts";

type Target = Pick<Services, "workflows" | "evaluations" | "knowledge" | "runs" | "memory" | "files">;

/** How far an import has come; one that was interrupted goes on from here and makes nothing twice. */
export interface TakenSoFar {
  /** New ids by those of the file. */
  workflows: Map<string, string>;
  collections: Map<string, string>;
  /** Ids of suites by their places in the file. */
  suites: Map<number, string>;
  /** Places of those that have their cases. */
  filled: Set<number>;
  /** What cannot be taken, with its reason. */
  refused: Map<string, string>;
}

export const nothingTaken = (): TakenSoFar => ({
  workflows: new Map(),
  collections: new Map(),
  suites: new Map(),
  filled: new Set(),
  refused: new Map(),
});

/**
 * Takes a file's work into the account, beside what is there. Workflows get new ids, and free names where theirs are taken;
 * they are read as any from outside: without credentials, and nodes that reach out wait for review. Rejects with a
 * ServiceError, or, between two things that it makes, once `signal` is aborted; `taken` then says what was made.
 */
export async function takeEverything(
  services: Target,
  file: Everything,
  taken: TakenSoFar,
  options: {
    newId: () => string;
    withSettings: boolean;
    onProgress?: (done: number, all: number) => void;
    signal?: AbortSignal;
  },
): Promise<void> {
  const { workflows, evaluations, knowledge, runs, memory, files } = services;
  const { newId, withSettings, onProgress = () => {}, signal } = options;

  const own = await knowledge.collections();
  for (const { id, ...draft } of file.collections) {
    if (taken.collections.has(id)) continue;
    signal?.throwIfAborted();
    const there =
      own.find(({ name }) => name === draft.name) ?? (await knowledge.create({ ...draft, embedding: null }));
    taken.collections.set(id, there.id);
  }

  const planned = new Map(
    file.workflows.map((one) => [String(one.id), taken.workflows.get(String(one.id)) ?? newId()]),
  );
  const ownWorkflows = new Set([...planned.values(), ...(await workflows.list()).map(({ id }) => id)]);
  const things = {
    credentials: new Set<string>(),
    workflows: ownWorkflows,
    collections: new Set([...own.map(({ id }) => id), ...taken.collections.values()]),
  };
  const names = (await workflows.list()).map(({ name }) => name);
  for (const [index, one] of file.workflows.entries()) {
    onProgress(index, file.workflows.length);
    const oldId = String(one.id);
    if (taken.workflows.has(oldId)) continue;
    signal?.throwIfAborted();
    const read = readImport(JSON.stringify(one), things, newId);
    if (!read.ok) {
      taken.refused.set(String(one.name ?? oldId), read.problems.join(" "));
      continue;
    }
    const placed = await placedDocument(read.findings);
    const document = await storePinnedFiles(placed, read.findings.sent, fileStorer(files, signal));
    const name = freeName(document.name, names);
    names.push(name);
    const id = planned.get(oldId) ?? newId();
    await workflows.create({ ...renamed(document, planned, taken.collections), id, name });
    taken.workflows.set(oldId, id);
  }

  for (const [index, { name, workflow, settings, cases }] of file.suites.entries()) {
    const workflowId = taken.workflows.get(workflow);
    if (taken.filled.has(index)) continue;
    signal?.throwIfAborted();
    if (workflowId === undefined) {
      taken.refused.set(name, "The workflow that it tests is not in the file.");
      continue;
    }
    const id = taken.suites.get(index) ?? (await evaluations.create({ name, workflowId, settings })).id;
    taken.suites.set(index, id);
    const bare: { case: EvaluationCase }[] = [];
    // A recording is no part of the file.
    for (const { cassette: _cassette, files: sent = [], ...rest } of cases)
      bare.push({ case: await storeCaseFiles(rest, sent, fileStorer(files, signal)) });
    if (bare.length > 0) await evaluations.addCases(id, bare);
    taken.filled.add(index);
  }

  signal?.throwIfAborted();
  if (withSettings) {
    await runs.setRetention(file.settings.runs);
    await memory.setRetention(file.settings.conversations);
  }
}

/** The document with the new ids of the workflows and collections that its nodes name. */
function renamed(
  document: WorkflowDocument,
  workflows: ReadonlyMap<string, string>,
  collections: ReadonlyMap<string, string>,
): WorkflowDocument {
  const nodes = Object.entries(document.nodes).map(([id, node]) => {
    const definition = definitionOf(nodeRegistry, node.type);
    const config = { ...node.config };
    for (const { name, control } of definition ? describeFields(definition.config) : []) {
      const ids = control === "workflow" ? workflows : control === "collection" ? collections : undefined;
      const value = config[name];
      const next = typeof value === "string" ? ids?.get(value) : undefined;
      if (next !== undefined) config[name] = next;
    }
    return [id, { ...node, config }] as const;
  });
  return { ...document, nodes: Object.fromEntries(nodes) };
}
