import type { WorkflowDocument } from "../../engine/document/workflow-document.ts";
import { shownAmong } from "../editing/group-members.ts";
import { insertPart } from "../editing/node-clip.ts";
import { nodeGeometry } from "../editing/node-geometry.ts";
import { definitionOf } from "../../engine/document/can-connect.ts";
import type { CommandContext } from "./command.ts";

/** Canvas pixels between what is there and what comes. */
const gap = 96;

/**
 * Adds the nodes of an imported workflow under those of the open one, as one undo step, and selects them. Variables that
 * are not there yet come along; gives back how many nodes came and the names of variables that were there already.
 */
export function addImported(context: CommandContext, imported: WorkflowDocument): { nodes: number; vars: string[] } {
  const store = context.document.getState();
  const placed = Object.values(store.document.nodes);
  const bottoms = placed.map(
    ({ type, position }) => position.y + nodeGeometry(definitionOf(context.registry, type)).height,
  );
  const at = placed.length === 0 ? { x: 0, y: 0 } : { x: leftOf(placed), y: Math.max(...bottoms) + gap };
  let ids: string[] = [];
  const vars: string[] = [];
  store.mark();
  store.commit(`Import ${imported.name}`, (document) => {
    ids = insertPart(document, imported, { at }, context.newId);
    for (const [name, value] of Object.entries(imported.vars ?? {})) {
      if (document.vars && Object.hasOwn(document.vars, name)) vars.push(name);
      else document.vars = { ...document.vars, [name]: value };
    }
  });
  store.mark();
  context.canvas.getState().select(shownAmong(context.document.getState().document.nodes, ids));
  return { nodes: ids.length, vars };
}

function leftOf(nodes: readonly { position: { x: number } }[]): number {
  return Math.min(...nodes.map(({ position }) => position.x));
}
