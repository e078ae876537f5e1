import type { WorkflowDocument } from "../../engine/document/workflow-document.ts";
import type { StoredWorkflow, WorkflowRepository } from "../../services/services.ts";
import { storedText } from "../shared/stored.ts";
import { saveBeforeReading } from "../document/left-autosaves.ts";
import { assistantDocument, assistantName } from "./assistant-workflow.ts";
import { canAssist } from "./can-assist.ts";

/** Which workflow this browser's assistant is; without storage it is found by its name. */
const keptId = storedText("switchyard:assistant");

/** Makes a workflow the assistant of this browser. */
export function keepAssistant(id: string): void {
  keptId.write(id);
}

/** The account's assistant: the one that was chosen, else one of that name, else a new one. Rejects as the repository does. */
export async function openAssistant(workflows: WorkflowRepository, newId: () => string): Promise<StoredWorkflow> {
  const kept = keptId.read();
  const ids = [
    ...(kept === null ? [] : [kept]),
    ...(await workflows.list(assistantName)).filter(({ name }) => name === assistantName).map(({ id }) => id),
  ];
  for (const id of ids) {
    await saveBeforeReading(id);
    const stored = (await workflows.find(id)) && (await workflows.get(id));
    if (stored && canAssist(stored.document)) {
      keepAssistant(stored.id);
      return stored;
    }
  }
  const created = await workflows.create(assistantDocument(newId()));
  keepAssistant(created.id);
  return created;
}

/** Whether the assistant is this workflow. */
export function isKeptAssistant({ id }: Pick<WorkflowDocument, "id">): boolean {
  return keptId.read() === id;
}
