import type { NodeRegistry } from "../../engine/document/define-node.ts";
import { readDocument } from "../../engine/document/read-document.ts";
import { markForReview } from "../../engine/document/review.ts";
import { schemaVersion } from "../../engine/document/workflow-document.ts";
import { isJsonObject, parseJson } from "../../engine/json.ts";
import { keptClip } from "../editor/kept-clip.ts";
import { shownAmong } from "../editing/group-members.ts";
import { insertPart } from "../editing/insert-part.ts";
import { type Part, selectedPart } from "../editing/node-clip.ts";
import type { CommandContext } from "./command.ts";

/**
 * Reads what `clipText` wrote, or a whole exported workflow. Null when the text is neither; problems are sentences.
 */
function readClip(
  text: string,
  registry: NodeRegistry,
): { part: Part; notes: string[] } | { problems: string[] } | null {
  const value = parseJson(text);
  if (!isJsonObject(value) || value["nodes"] === undefined) return null;
  const { kind: _kind, ...rest } = value;
  const read = readDocument({ schemaVersion, id: "clip", name: "Copied nodes", edges: {}, ...rest }, registry);
  return read.ok ? { part: read.document, notes: read.notes } : { problems: read.problems };
}

/** Whether a text was copied in this browser; clipboards may write line ends in their own way. */
function isOwnCopy(text: string): boolean {
  return keptClip.read() === text.replaceAll("\r\n", "\n");
}

/**
 * Inserts copied nodes or an exported workflow in the middle of the view. Nodes that reach out
 * wait for review unless they were copied in this browser. False when the text is something else.
 */
export function pasteText(context: CommandContext, text: string): boolean {
  const clip = readClip(text, context.registry);
  if (clip === null) return false;
  if ("problems" in clip) {
    context.notify({ tone: "error", message: "What you pasted cannot be used.", hint: clip.problems[0] ?? "" });
    return true;
  }
  if (Object.keys(clip.part.nodes).length === 0) return true;
  const part = isOwnCopy(text) ? clip.part : { ...clip.part, nodes: markForReview(clip.part.nodes, context.registry) };
  const center = context.canvas.getState().controls?.center() ?? { x: 0, y: 0 };
  const at = { x: center.x - 116, y: center.y - 28 };
  const store = context.document.getState();
  let ids: string[] = [];
  store.edit("Paste", (document) => {
    ids = [...insertPart(document, part, { at }, context.newId).values()];
  });
  context.canvas.getState().select(shownAmong(context.document.getState().document.nodes, ids));
  if (!isOwnCopy(text)) tellNotes(context, clip.notes);
  return true;
}

/** Says what of a text from elsewhere does not count; the list of problems names what keeps it from running. */
function tellNotes({ notify }: CommandContext, [first, ...more]: readonly string[]): void {
  if (first === undefined) return;
  const counted = more.length === 1 ? "One more thing is" : `${more.length} more things are`;
  notify({
    tone: "info",
    message: first,
    hint: more.length === 0 ? "" : `${counted} worth knowing; import it as a file to see all.`,
  });
}

/** Copies the selected nodes with the edges among them and puts the copies beside them. */
export function duplicateSelection(context: CommandContext): void {
  const store = context.document.getState();
  const part = selectedPart(store.document, context.registry, context.canvas.getState().selection);
  if (Object.keys(part.nodes).length === 0) return;
  let ids: string[] = [];
  store.edit("Duplicate", (document) => {
    ids = [...insertPart(document, part, { offset: 4 }, context.newId).values()];
  });
  context.canvas.getState().select(shownAmong(context.document.getState().document.nodes, ids));
}
