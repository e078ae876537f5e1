import type { DragEvent, MouseEvent } from "react";
import { useEffect, useMemo, useState } from "react";
import { definitionOf } from "../../engine/document/can-connect.ts";
import type { Point } from "../../state/editor/canvas-store.ts";
import { addNode, type NodeStart } from "../../state/commands/add-node.ts";
import { toggleFold } from "../../state/commands/group-commands.ts";
import { insertNewNode } from "../../state/commands/insert-node.ts";
import { findOperation, startOf, useOfType } from "../../state/editor/connectors.ts";
import { isFolded, isGroup } from "../../state/editing/group-members.ts";
import { splitEdge } from "../../state/editing/insert-on-edge.ts";
import { draggedType, nodeDragType, operationDragType } from "../../state/editing/node-drag.ts";
import { cardWidth } from "../../state/editing/node-geometry.ts";
import { probeNode } from "../../state/editing/probe-node.ts";
import { panelStore } from "../../state/editor/panel-store.ts";
import { useEditor, type Editor } from "../../state/editor/editor-context.tsx";
import type { MenuPlace } from "./canvas-menu.tsx";
import { edgeAt } from "./edge-at.ts";
import { hoverEdge } from "./hover-edge.ts";

type AnyMouse = MouseEvent | globalThis.MouseEvent;

/** The edge under a node type that is dragged in from the palette, where that type fits. */
function edgeUnder({ document, registry }: Editor, event: DragEvent, type: string): string | null {
  const definition = definitionOf(registry, type);
  if (definition === undefined) return null;
  const workflow = document.getState().document;
  const probe = probeNode(definition);
  return edgeAt({ x: event.clientX, y: event.clientY }, (id) => {
    const edge = workflow.edges[id];
    return edge !== undefined && splitEdge(workflow, registry, edge, probe) !== undefined;
  });
}

/** Adds what is dropped where it is let go, or puts it between the ends of an edge. */
function drop(editor: Editor, made: { type: string; start?: NodeStart }, edgeId: string | null, point: Point): void {
  const { context } = editor;
  if (edgeId !== null) insertNewNode(context, { ...made, edgeId, at: point });
  // With its header under the pointer.
  else addNode(context, { ...made, position: { x: point.x - cardWidth / 2, y: point.y - 28 } });
}

function doubleClicked(editor: Editor, nodeId: string, target: EventTarget): void {
  const { canvas, document, context, readOnly } = editor;
  if (readOnly) return;
  const node = document.getState().document.nodes[nodeId];
  if (node === undefined || !(target instanceof Element)) return;
  if (definitionOf(editor.registry, node.type)?.drawnAs === "note")
    canvas.setState({ editing: { nodeId, part: "text" } });
  else if (isFolded(node)) toggleFold(context, nodeId);
  else if (target.closest(".card-title, .frame-title") !== null) {
    canvas.setState({ editing: { nodeId, part: "title" } });
  }
}

/** A click on a card, while a second one may still follow. */
interface Click extends Point {
  nodeId: string;
  target: EventTarget;
  time: number;
}

/** Milliseconds and pixels between the two clicks of a double-click. */
const doubleClick = { within: 400, distance: 5 };

/**
 * The first click opens the settings, under which the second one may fall, or the view makes room for them. It is meant
 * for the card all the same.
 */
function secondClick(editor: Editor, first: Click | null, event: PointerEvent): boolean {
  if (first === null || !(event.target instanceof Element)) return false;
  const isNear = Math.hypot(event.clientX - first.x, event.clientY - first.y) <= doubleClick.distance;
  const isOnCard = event.target.closest(".react-flow__node")?.getAttribute("data-id") === first.nodeId;
  if (!isNear || isOnCard || event.timeStamp - first.time > doubleClick.within) return false;
  event.preventDefault();
  event.stopPropagation();
  doubleClicked(editor, first.nodeId, first.target);
  return true;
}

/** While Space is held, the pointer pans whatever is under it: cards and wires let it through (canvas.css). */
function onSpaceDown({ key, target }: KeyboardEvent): void {
  const isTaken =
    target instanceof Element &&
    target.closest("input, textarea, select, button, a, summary, [contenteditable=true], [role=tree]");
  if (key === " " && isTaken === null) document.querySelector(".canvas")?.setAttribute("data-space", "");
}

function releaseSpace(): void {
  document.querySelector(".canvas")?.removeAttribute("data-space");
}

function onSpaceUp({ key }: KeyboardEvent): void {
  if (key === " ") releaseSpace();
}

function handlers(editor: Editor, openMenu: (place: MenuPlace) => void) {
  const { canvas, document } = editor;
  const open = (event: AnyMouse, on: MenuPlace["on"]) => {
    event.preventDefault();
    openMenu({ at: { x: event.clientX, y: event.clientY }, on });
  };
  const isFrame = (id: string) => {
    const node = document.getState().document.nodes[id];
    return isGroup(node) && !isFolded(node);
  };
  let last: Click | null = null;
  return {
    onPointerDownAnywhere(event: PointerEvent) {
      if (secondClick(editor, last, event)) last = null;
    },
    /** A frame is left out of boxes drawn over it, so a click on its header is all that selects it. */
    onNodeClick(event: AnyMouse, node: { id: string }) {
      const { clientX: x, clientY: y, timeStamp: time, target } = event;
      last = target === null ? null : { nodeId: node.id, x, y, time, target };
      panelStore.getState().showSettings(true);
      if (!isFrame(node.id)) return;
      const { selection, select } = canvas.getState();
      const adds = event.shiftKey || event.metaKey || event.ctrlKey;
      const others = Object.keys(selection.nodes).filter((id) => id !== node.id);
      if (!adds) select([node.id]);
      else select(selection.nodes[node.id] ? others : [...others, node.id]);
    },
    onNodeDoubleClick(event: AnyMouse, node: { id: string }) {
      if (event.target !== null) doubleClicked(editor, node.id, event.target);
    },
    onEdgeDoubleClick(event: AnyMouse, edge: { id: string }) {
      if (editor.readOnly) return;
      const at = { x: event.clientX, y: event.clientY };
      canvas.setState({ picker: { kind: "insert", edgeId: edge.id, at } });
    },
    onNodeContextMenu(event: AnyMouse, node: { id: string }) {
      const { selection, select } = canvas.getState();
      if (!selection.nodes[node.id]) select([node.id]);
      open(event, "node");
    },
    onEdgeContextMenu(event: AnyMouse, edge: { id: string }) {
      canvas.getState().select([], [edge.id]);
      open(event, "edge");
    },
    onEdgeMouseEnter(_event: AnyMouse, edge: { id: string }) {
      if (canvas.getState().drag === null) hoverEdge(canvas, edge.id);
    },
    onEdgeMouseLeave: () => hoverEdge(canvas, null),
    onPaneContextMenu: (event: AnyMouse) => open(event, "pane"),
    onSelectionContextMenu: (event: AnyMouse) => open(event, "node"),
    onDragOver(event: DragEvent) {
      const type = draggedType(event.dataTransfer.types);
      if (type === undefined) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = "copy";
      const dropEdge = edgeUnder(editor, event, type);
      if (dropEdge !== canvas.getState().dropEdge) canvas.setState({ dropEdge });
    },
    onDragLeave(event: DragEvent) {
      const inside = event.relatedTarget instanceof Node && event.currentTarget.contains(event.relatedTarget);
      if (!inside) canvas.setState({ dropEdge: null });
    },
    /** A node type from the palette lands where it is let go, or between the ends of the edge there. */
    onDrop(event: DragEvent) {
      const type = event.dataTransfer.getData(nodeDragType);
      const point = canvas.getState().controls?.toDocument({ x: event.clientX, y: event.clientY });
      if (type === "" || point === undefined) return;
      event.preventDefault();
      const { dropEdge } = canvas.getState();
      canvas.setState({ dropEdge: null });
      // Only the name of an operation travels: what it stands for is the studio's own.
      const operation = event.dataTransfer.getData(operationDragType);
      const use = useOfType(type);
      if (operation === "" || use === undefined) return drop(editor, { type }, dropEdge, point);
      void findOperation(operation).then((choice) => {
        if (choice !== undefined) drop(editor, startOf(choice, use), dropEdge, point);
      });
    },
  };
}

/** Clicks, right clicks and drops. The functions stay the same, or React Flow would draw every node again. */
export function useCanvasHandlers() {
  const editor = useEditor();
  const [menu, setMenu] = useState<MenuPlace | null>(null);
  const { onPointerDownAnywhere, ...stable } = useMemo(() => handlers(editor, setMenu), [editor]);
  const closeMenu = useMemo(() => () => setMenu(null), []);
  useEffect(() => {
    const leave = new AbortController();
    const options = { capture: true, signal: leave.signal };
    window.addEventListener("pointerdown", onPointerDownAnywhere, options);
    window.addEventListener("keydown", onSpaceDown, options);
    window.addEventListener("keyup", onSpaceUp, options);
    window.addEventListener("blur", releaseSpace, options);
    return () => leave.abort();
  }, [onPointerDownAnywhere]);
  return { handlers: stable, menu, closeMenu };
}
