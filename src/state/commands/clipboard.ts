import { keptClip } from "../editor/kept-clip.ts";
import { clipText, selectedPart } from "../editing/node-clip.ts";
import type { Command, CommandContext } from "./command.ts";
import { deleteSelection, hasSelectedNodes } from "./delete-selection.ts";
import { duplicateSelection, pasteText } from "./paste.ts";

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
  paste(context, text);
}

/** Inserts nodes from a text, or says that it has none. */
export function paste(context: CommandContext, text: string): void {
  if (pasteText(context, text)) return;
  context.notify({
    tone: "info",
    message: "The clipboard contains no nodes.",
    hint: "Copy some nodes, or a workflow as JSON.",
  });
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
