import { renameReferences } from "../editing/rename-references.ts";
import type { CommandContext } from "./command.ts";

/** Gives a node another title. Templates that name the node by its old slug are changed along. Empty titles are ignored. */
export function renameNode(context: CommandContext, nodeId: string, title: string): void {
  const name = title.trim().slice(0, 200);
  const store = context.document.getState();
  if (name === "" || store.document.nodes[nodeId]?.title === name) return;
  store.edit("Rename node", (document) => renameReferences(document, nodeId, name));
}

/** Gives the workflow another name. Empty names are ignored. */
export function renameWorkflow(context: CommandContext, name: string): void {
  const trimmed = name.trim().slice(0, 200);
  if (trimmed === "") return;
  context.document.getState().edit("Rename workflow", (document) => {
    if (document.name !== trimmed) document.name = trimmed;
  });
}
