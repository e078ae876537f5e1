import { markForReview } from "../../engine/document/review.ts";
import { shownAmong } from "../editing/group-members.ts";
import { keptClip } from "../../browser/kept-clip.ts";
import { clipText, insertPart, readClip, selectedPart } from "../editing/node-clip.ts";
import type { Command, CommandContext } from "./command.ts";
import { deleteSelection, hasSelectedNodes } from "./delete-selection.ts";

/** The selected nodes as text for the clipboard, or null when none is selected. */
export function copySelection(context: CommandContext): string | null {
  if (!hasSelectedNodes(context)) return null;
  return clipText(
    selectedPart(context.document.getState().document, context.registry, context.canvas.getState().selection),
  );
}

/** As `copySelection`, and removes what was copied. */
export function cutSelection(context: CommandContext): string | null {
  const text = copySelection(context);
  if (text !== null) deleteSelection(context, "Cut");
  return text;
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
  return true;
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

/**
 * Keeps copied text for the other tabs of this browser as well, where the page may not write to the clipboard. A
 * browser without storage has the clipboard keys left.
 */
async function toClipboard(context: CommandContext, take: (context: CommandContext) => string | null): Promise<void> {
  const text = take(context);
  if (text === null) return;
  const kept = keptClip.write(text);
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    if (kept) return;
    context.notify({
      tone: "error",
      message: "The browser did not let the page write to the clipboard.",
      hint: "Use the keyboard: select the nodes and press Ctrl+C or ⌘C.",
    });
  }
}

async function fromClipboard(context: CommandContext): Promise<void> {
  let text: string | null;
  try {
    text = await navigator.clipboard.readText();
  } catch {
    text = keptClip.read();
    if (text === null) {
      context.notify({
        tone: "error",
        message: "The browser did not let the page read the clipboard.",
        hint: "Use the keyboard: click the canvas and press Ctrl+V or ⌘V.",
      });
      return;
    }
  }
  if (pasteText(context, text)) return;
  context.notify({ tone: "info", message: "The clipboard contains no nodes.", hint: "Copy some nodes first." });
}

/** The keys of the first three arrive as clipboard events, so the keymap has nothing to do for them. */
export const clipboardCommands: readonly Command[] = [
  {
    id: "copy",
    label: "Copy",
    group: "Edit",
    icon: "copy",
    nativeKeys: ["mod+c"],
    when: hasSelectedNodes,
    run: (context) => toClipboard(context, copySelection),
  },
  {
    id: "cut",
    label: "Cut",
    group: "Edit",
    icon: "scissors",
    nativeKeys: ["mod+x"],
    when: hasSelectedNodes,
    run: (context) => toClipboard(context, cutSelection),
  },
  {
    id: "paste",
    label: "Paste",
    group: "Edit",
    icon: "clipboard-paste",
    nativeKeys: ["mod+v"],
    when: () => true,
    run: fromClipboard,
  },
  {
    id: "duplicate",
    label: "Duplicate",
    group: "Edit",
    icon: "copy",
    keys: ["mod+d"],
    when: hasSelectedNodes,
    run: duplicateSelection,
  },
];
