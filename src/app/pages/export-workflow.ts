import { saveFile } from "../../features/library/save-file.ts";
import { toWorkflowFile } from "../../features/library/workflow-file.ts";
import { ServiceError, type Services } from "../../services/services.ts";
import { fileReader } from "../../state/file/file-bytes.ts";
import type { CommandContext } from "../../state/commands/command.ts";

/** Saves the workflow as a file. */
export async function exportWorkflow(
  { document, notify }: Pick<CommandContext, "document" | "notify">,
  files: Pick<Services["files"], "open">,
): Promise<void> {
  try {
    const file = await toWorkflowFile(document.getState().document, fileReader(files));
    saveFile(file.name, file.text);
    if (file.warning) notify({ tone: "info", ...file.warning });
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    notify({ tone: "error", message: error.message, hint: error.hint });
  }
}
