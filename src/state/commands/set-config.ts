import type { Json, JsonObject } from "../../engine/json.ts";
import type { CommandContext } from "./command.ts";

/**
 * Writes one config field; undefined removes it, so that the default holds. Edits of one field between two marks are one
 * undo step: the form marks when a control takes the focus.
 */
export function setConfigField(
  context: CommandContext,
  nodeId: string,
  field: { name: string; label: string },
  value: Json | undefined,
): void {
  context.document.getState().commit(`Edit ${field.label.toLowerCase()}`, (document) => {
    const node = document.nodes[nodeId];
    if (node === undefined) return;
    if (value === undefined) delete node.config[field.name];
    else node.config[field.name] = value;
  });
}

/** Writes several fields that belong together, as one undo step. */
export function setConfigFields(context: CommandContext, nodeId: string, label: string, values: JsonObject): void {
  context.document.getState().commit(`Edit ${label.toLowerCase()}`, (document) => {
    const node = document.nodes[nodeId];
    if (node !== undefined) Object.assign(node.config, values);
  });
}

/** Writes the notes of a node. */
export function setNotes(context: CommandContext, nodeId: string, notes: string): void {
  context.document.getState().commit("Edit notes", (document) => {
    const node = document.nodes[nodeId];
    if (node === undefined) return;
    if (notes === "") delete node.notes;
    else node.notes = notes.slice(0, 10_000);
  });
}
