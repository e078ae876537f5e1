import { useEffect } from "react";
import { singleSelectedNode } from "../../state/editor/canvas-store.ts";
import { copySelection, cutSelection, paste } from "../../state/commands/clipboard.ts";
import { commandForKey } from "../../state/commands/keymap.ts";
import { nudgeSelection } from "../../state/commands/move-nodes.ts";
import { keptClip } from "../../state/editor/kept-clip.ts";
import { kindOfClip } from "../../state/editing/node-clip.ts";
import { editorDialogStore } from "../../state/editor/editor-dialog-store.ts";
import { type Editor, useEditor } from "../../state/editor/editor-context.tsx";
import { isCovered, isElsewhere } from "../../ui/overlays/keyboard-owner.ts";
import { takeText } from "../../ui/text/take-text.ts";

const arrows: Readonly<Record<string, { x: number; y: number }>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

/** Whether typing goes into a control, so that single keys and the clipboard belong to it. */
function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof Element && target.closest("input, textarea, select, [contenteditable=true], [role=tree]") !== null
  );
}

const usefulWhileTyping = new Set(
  "mod+k mod+i mod+enter mod+shift+enter mod+alt+enter mod+. mod+j mod+s f8 f9 f10".split(" "),
);

/** Keys that work while typing too: those that text controls do not use themselves. */
function worksWhileTyping(keys: readonly string[] | undefined): boolean {
  return keys?.some((key) => usefulWhileTyping.has(key)) === true;
}

function onKeyDown(editor: Editor, event: KeyboardEvent): void {
  if (event.defaultPrevented || isElsewhere() || isCovered()) return;
  const typing = isTyping(event.target);
  const command = commandForKey(editor.commands, editor.context, event);
  if (command !== undefined && (!typing || worksWhileTyping(command.keys))) {
    // Space and Enter press the focused button; other single keys are free.
    event.preventDefault();
    void command.run(editor.context);
    return;
  }
  if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
  const step = arrows[event.key];
  const { selection } = editor.canvas.getState();
  const onControl = event.target instanceof Element && event.target.closest("button, a, [role=tab], [role=separator]");
  if (onControl) return;
  if (step !== undefined && Object.keys(selection.nodes).length > 0) {
    event.preventDefault();
    const factor = event.shiftKey ? 4 : 1;
    nudgeSelection(editor.context, { x: step.x * factor, y: step.y * factor });
  }
  const nodeId = singleSelectedNode(editor.canvas.getState());
  if (event.key === "Enter" && nodeId !== null) {
    event.preventDefault();
    editor.canvas.setState({ inspectorTab: "settings", focusField: { nodeId, field: "" } });
  }
}

function onCopyOrCut(editor: Editor, event: ClipboardEvent): void {
  if (isTyping(event.target) || isElsewhere() || isCovered() || String(document.getSelection() ?? "") !== "") return;
  const text = event.type === "cut" ? cutSelection(editor.context) : copySelection(editor.context);
  if (text === null) return;
  event.preventDefault();
  event.clipboardData?.setData("text/plain", text);
  keptClip.write(text);
}

function onPaste(editor: Editor, event: ClipboardEvent): void {
  if (isTyping(event.target) || isElsewhere()) return;
  const text = event.clipboardData?.getData("text/plain") ?? "";
  const kind = kindOfClip(text);
  if (kind === null || (kind !== "workflow" && isCovered())) return;
  event.preventDefault();
  if (kind !== "workflow") paste(editor.context, text);
  else editorDialogStore.getState().show({ kind: "import", text });
}

/** A file from outside the page; what is dragged inside it belongs to others. */
function draggedFile(event: DragEvent): boolean {
  return event.dataTransfer?.types.includes("Files") === true && !isElsewhere();
}

function onDrop(event: DragEvent): void {
  if (event.defaultPrevented || !draggedFile(event)) return;
  event.preventDefault();
  void takeText(event.dataTransfer?.files[0], (text, fileName) =>
    editorDialogStore.getState().show({ kind: "import", text, fileName }),
  );
}

/** The keyboard and the clipboard of the editor; text controls, dialogs and menus keep theirs. */
export function useEditorKeys(): void {
  const editor = useEditor();
  useEffect(() => {
    const leave = new AbortController();
    const { signal } = leave;
    window.addEventListener("keydown", (event) => onKeyDown(editor, event), { signal });
    window.addEventListener("copy", (event) => onCopyOrCut(editor, event), { signal });
    window.addEventListener("cut", (event) => onCopyOrCut(editor, event), { signal });
    window.addEventListener("drop", onDrop, { signal });
    window.addEventListener("dragover", (event) => void (draggedFile(event) && event.preventDefault()), { signal });
    window.addEventListener("paste", (event) => onPaste(editor, event), { signal });
    window.addEventListener("pointerdown", () => editor.document.getState().mark(), { signal, capture: true });
    return () => leave.abort();
  }, [editor]);
}
