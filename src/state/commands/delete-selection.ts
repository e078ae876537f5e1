import { isFolded, withMembers } from "../editing/group-members.ts";
import type { Command, CommandContext } from "./command.ts";

export function hasSelectedNodes(context: CommandContext): boolean {
  return Object.keys(context.canvas.getState().selection.nodes).length > 0;
}

export function hasSelection(context: CommandContext): boolean {
  return hasSelectedNodes(context) || Object.keys(context.canvas.getState().selection.edges).length > 0;
}

/**
 * Removes the selected nodes with all their edges, and the selected edges. A folded group goes with all that is in it;
 * of an open one only the frame.
 */
export function deleteSelection(context: CommandContext, verb: "Delete" | "Cut" = "Delete"): void {
  const { selection, clearSelection } = context.canvas.getState();
  const store = context.document.getState();
  const chosen = Object.keys(selection.nodes);
  const folded = chosen.filter((id) => isFolded(store.document.nodes[id]));
  const nodeIds = [...new Set([...chosen, ...withMembers(store.document.nodes, context.registry, folded)])];
  const only = nodeIds.length === 1 && nodeIds[0] ? store.document.nodes[nodeIds[0]]?.title : undefined;
  const what = nodeIds.length === 0 ? "connection" : (only ?? `${nodeIds.length} nodes`);
  store.edit(`${verb} ${what}`, (document) => {
    for (const id of nodeIds) delete document.nodes[id];
    for (const edge of Object.values(document.edges)) {
      const goes = selection.edges[edge.id] || !document.nodes[edge.from.node] || !document.nodes[edge.to.node];
      if (goes) delete document.edges[edge.id];
    }
  });
  clearSelection();
}

/** Takes one connection away. */
export function deleteEdge(context: CommandContext, edgeId: string): void {
  context.document.getState().edit("Disconnect", (document) => {
    delete document.edges[edgeId];
  });
}

export const deleteCommand: Command = {
  id: "delete",
  label: "Delete",
  group: "Edit",
  icon: "trash-2",
  keys: ["delete", "backspace"],
  when: hasSelection,
  run: (context) => deleteSelection(context),
};
