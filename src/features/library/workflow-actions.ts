import { ServiceError, type StoredWorkflow, type WorkflowRepository } from "../../services/services.ts";

const maxName = 200;

/** A name that no workflow in the list has: "Ask with tools", "Ask with tools 2", … */
export function freeName(wanted: string, taken: readonly string[]): string {
  const base = wanted.slice(0, maxName - 6);
  if (!taken.includes(base)) return base;
  for (let count = 2; ; count += 1) {
    const name = `${base} ${count}`;
    if (!taken.includes(name)) return name;
  }
}

/** Gives a stored workflow another name, on top of whatever was saved meanwhile. */
export async function renameWorkflow(workflows: WorkflowRepository, id: string, name: string): Promise<void> {
  let stored = await workflows.get(id);
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const saved = await workflows.save({ ...stored.document, name }, stored.revision);
    if (saved.ok) return;
    stored = saved.theirs;
  }
  throw new ServiceError(
    "conflict",
    "The workflow is being changed elsewhere.",
    "Rename it in the tab where it is open.",
  );
}

/** Stores a copy under a new id; nodes and edges keep theirs, since these only have to differ within one workflow. */
export async function duplicateWorkflow(
  workflows: WorkflowRepository,
  id: string,
  options: { newId: string; namesLike: (name: string) => Promise<readonly string[]> },
): Promise<StoredWorkflow> {
  const { document } = await workflows.get(id);
  const name = `${document.name} copy`;
  return workflows.create({ ...document, id: options.newId, name: freeName(name, await options.namesLike(name)) });
}
