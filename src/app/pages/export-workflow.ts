import { saveFile } from "../../features/library/save-file.ts";
import { toWorkflowFile } from "../../features/library/workflow-file.ts";
import type { CommandContext } from "../../state/commands/command.ts";

/** Saves the workflow as a file. */
export function exportWorkflow({ document, notify }: CommandContext): void {
  const file = toWorkflowFile(document.getState().document);
  saveFile(file.name, file.text);
  if (file.warning) notify({ tone: "info", ...file.warning });
}
