import { exportCode } from "../../export/export-code.ts";
import type { ExportTarget } from "../../export/export-target.ts";
import { saveFile } from "../../features/library/save-file.ts";
import { fileName } from "../../features/library/workflow-file.ts";
import type { CommandContext } from "../../state/commands/command.ts";

/** Saves the workflow as a program for another library; what it does not have stands in its first lines. */
export function exportProgram({ document, registry, notify }: CommandContext, target: ExportTarget): void {
  const workflow = document.getState().document;
  const { code, notes } = exportCode(workflow, { target, registry });
  saveFile(fileName(workflow.name, "ts"), code, "text/typescript");
  if (notes.length === 0) return;
  const counted = notes.length === 1 ? "1 thing is" : `${notes.length} things are`;
  notify({ tone: "info", message: `${counted} not as in the studio`, hint: "The first lines of the file say what." });
}
