import { useEffect } from "react";
import type { Point } from "../../state/editor/canvas-store.ts";
import type { DocumentState } from "../../state/document/document-store.ts";
import { type Editor, useEditor } from "../../state/editor/editor-context.tsx";
import { middleOf, nodeBox } from "../../state/editing/node-box.ts";
import { focusedElement } from "../../ui/overlays/return-focus.ts";
import { focusCanvas, focusNode, isCardInView } from "./focus-node.ts";
import { shownBoxes } from "./use-canvas-keys.ts";

/** Frames until what is removed has left the page. */
const patience = 40;

/** Where on the canvas the keyboard is on something that a change takes away: a card or a wire, or a button that goes with the selection. */
function lostPlace(
  { registry }: Editor,
  active: Element,
  now: DocumentState["document"],
  before: DocumentState["document"],
): Point | undefined {
  const part = active.closest(".react-flow__node, .react-flow__edge");
  const id = part?.getAttribute("data-id") ?? "";
  const edge = now.edges[id] === undefined ? before.edges[id] : undefined;
  const candidates = part === null ? Object.keys(before.nodes) : [id];
  const lost = edge?.from.node ?? candidates.find((each) => now.nodes[each] === undefined);
  const node = before.nodes[lost ?? ""];
  return node && middleOf(nodeBox(registry, node));
}

function nearestInView(editor: Editor, to: Point): string | undefined {
  const distance = (box: Parameters<typeof middleOf>[0]) => {
    const { x, y } = middleOf(box);
    return Math.hypot(x - to.x, y - to.y);
  };
  return shownBoxes(editor)
    .toSorted((one, other) => distance(one) - distance(other))
    .find(({ id }) => isCardInView(id))?.id;
}

/** Where the keyboard is on what is deleted, it goes to the nearest card that can be seen, or to the canvas where there is none. */
export function useFocusAfterRemoval(): void {
  const editor = useEditor();
  useEffect(
    () =>
      editor.document.subscribe(({ document: now }, { document: before }) => {
        const active = focusedElement();
        if (active === null || (now.nodes === before.nodes && now.edges === before.edges)) return;
        const place = lostPlace(editor, active, now, before);
        if (place === undefined) return;
        const onceGone = (frames: number) => {
          if (focusedElement() === null) {
            const next = nearestInView(editor, place);
            if (next === undefined) focusCanvas();
            else focusNode(editor.canvas, next);
          } else if (document.activeElement === active && frames > 0) requestAnimationFrame(() => onceGone(frames - 1));
        };
        requestAnimationFrame(() => onceGone(patience));
      }),
    [editor],
  );
}
