import type { FocusEvent, KeyboardEvent } from "react";
import { useEffect, useMemo } from "react";
import { singleSelectedNode } from "../../state/editor/canvas-store.ts";
import { edgesOf } from "../../state/editing/edge-index.ts";
import { hiddenNodes } from "../../state/editing/group-members.ts";
import { type Direction, inReadingOrder, neighbourOf } from "../../state/editing/neighbour.ts";
import { nodeBox } from "../../state/editing/node-box.ts";
import { type Editor, useCanvasStore, useEditor } from "../../state/editor/editor-context.tsx";
import { focusEdge, focusNode } from "./focus-node.ts";

const directions: Readonly<Record<string, Direction>> = {
  ArrowLeft: "left",
  ArrowRight: "right",
  ArrowUp: "up",
  ArrowDown: "down",
};

/** What has the keyboard on the canvas: a card, a wire, or the canvas itself. */
function focusedPart(target: EventTarget): { node?: string; edge?: string } | null {
  if (!(target instanceof Element)) return null;
  const part = target.closest(".react-flow__node, .react-flow__edge");
  // Buttons and fields on a card keep their keys.
  if (part !== null && part !== target) return null;
  const id = part?.getAttribute("data-id") ?? undefined;
  if (part === null) return target.classList.contains("react-flow") ? {} : null;
  return part.classList.contains("react-flow__node") ? { node: id } : { edge: id };
}

export function shownBoxes({ document, registry }: Editor) {
  const { nodes } = document.getState().document;
  const hidden = hiddenNodes(nodes);
  return Object.values(nodes).flatMap((node) =>
    hidden.has(node.id) ? [] : [{ id: node.id, ...nodeBox(registry, node) }],
  );
}

function goFromNode(editor: Editor, nodeId: string, direction: Direction): string | undefined {
  const boxes = shownBoxes(editor);
  const from = boxes.find(({ id }) => id === nodeId);
  return (
    from &&
    neighbourOf(
      from,
      boxes.filter(({ id }) => id !== nodeId),
      direction,
    )?.id
  );
}

/** Left and right lead to the ends of a wire, up and down to the other wires of the card that it comes from. */
function goFromEdge(editor: Editor, edgeId: string, direction: Direction): void {
  const { edges } = editor.document.getState().document;
  const edge = edges[edgeId];
  if (edge === undefined) return;
  if (direction === "left") return focusNode(editor.canvas, edge.from.node);
  if (direction === "right") return focusNode(editor.canvas, edge.to.node);
  const { incoming, outgoing } = edgesOf(edges, edge.from.node);
  const all = [...outgoing, ...incoming];
  const next = all[(all.indexOf(edge) + (direction === "down" ? 1 : all.length - 1)) % all.length];
  if (next !== undefined) focusEdge(next.id);
}

function onArrow(editor: Editor, event: KeyboardEvent, direction: Direction): boolean {
  const part = focusedPart(event.target);
  if (part === null) return false;
  const { selection, select } = editor.canvas.getState();
  if (part.edge !== undefined) {
    goFromEdge(editor, part.edge, direction);
    return true;
  }
  // Arrows move what is selected; with Alt they go on in any case.
  const isSelected = part.node === undefined ? Object.keys(selection.nodes).length > 0 : selection.nodes[part.node];
  if (isSelected && !event.altKey) return false;
  const next = part.node === undefined ? startOf(editor) : goFromNode(editor, part.node, direction);
  if (next === undefined) return true;
  if (isSelected) select([next]);
  focusNode(editor.canvas, next);
  return true;
}

/** Where the keyboard comes in: at the selected card, else at the first one as one reads. */
function startOf(editor: Editor): string | undefined {
  const selected = singleSelectedNode(editor.canvas.getState());
  return selected ?? inReadingOrder(shownBoxes(editor))[0]?.id;
}

/** Enter and Space select what has the keyboard; with Shift it joins the selection or leaves it. */
function onSelectKey(editor: Editor, event: KeyboardEvent): boolean {
  const part = focusedPart(event.target);
  const { selection, select } = editor.canvas.getState();
  const nodes = Object.keys(selection.nodes);
  const edges = Object.keys(selection.edges);
  if (part?.edge !== undefined) select(event.shiftKey ? nodes : [], [...(event.shiftKey ? edges : []), part.edge]);
  if (part?.node === undefined) return part?.edge !== undefined;
  const { node } = part;
  if (event.shiftKey) select(selection.nodes[node] ? nodes.filter((id) => id !== node) : [...nodes, node], edges);
  else select([node]);
  // Enter goes on to the settings.
  return event.key !== "Enter" || event.shiftKey;
}

function onOtherKey(editor: Editor, event: KeyboardEvent): boolean {
  const part = focusedPart(event.target);
  if (part === null || event.ctrlKey || event.metaKey || event.altKey) return false;
  if (event.key === "e" && part.node !== undefined) {
    const { outgoing, incoming } = edgesOf(editor.document.getState().document.edges, part.node);
    const first = outgoing[0] ?? incoming[0];
    if (first !== undefined) focusEdge(first.id);
    return true;
  }
  if (event.key !== "Home" && event.key !== "End") return false;
  const next = inReadingOrder(shownBoxes(editor)).at(event.key === "Home" ? 0 : -1);
  if (next !== undefined) focusNode(editor.canvas, next.id);
  return true;
}

function handlers(editor: Editor) {
  return {
    onKeyDown(event: KeyboardEvent) {
      const direction = directions[event.key];
      const isHandled =
        direction !== undefined
          ? !event.shiftKey && onArrow(editor, event, direction)
          : event.key === "Enter" || event.key === " "
            ? onSelectKey(editor, event)
            : onOtherKey(editor, event);
      if (!isHandled) return;
      event.preventDefault();
      event.stopPropagation();
    },
    /** Tab comes to the canvas as a whole, which hands on to a card. */
    onFocus(event: FocusEvent) {
      const { currentTarget, target, relatedTarget } = event;
      const cameFromInside = relatedTarget instanceof Node && currentTarget.contains(relatedTarget);
      if (target !== currentTarget || cameFromInside || !currentTarget.matches(":focus-visible")) return;
      const start = startOf(editor);
      if (start !== undefined) focusNode(editor.canvas, start);
    },
  };
}

/** The keyboard on the canvas: one stop of the Tab key, arrows from card to card, and along wires. */
export function useCanvasKeys() {
  const editor = useEditor();
  return useMemo(() => handlers(editor), [editor]);
}

/** Where a command selects another card while the keyboard is on one, such as a copy or a new group, it goes along. */
export function useFocusFollowsSelection(): void {
  const { canvas } = useEditor();
  const selected = useCanvasStore(singleSelectedNode);
  useEffect(() => {
    const { activeElement } = document;
    const isOnCard = activeElement?.classList.contains("react-flow__node") === true;
    if (selected === null || !isOnCard || activeElement.getAttribute("data-id") === selected) return;
    focusNode(canvas, selected);
  }, [canvas, selected]);
}
