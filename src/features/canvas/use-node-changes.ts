import { type EdgeChange, type NodeChange, type ReactFlowState, useStoreApi } from "@xyflow/react";
import { dropCopies } from "./drag-copies.tsx";
import type { MouseEvent, TouchEvent } from "react";
import { useMemo } from "react";
import type { Guides, Point } from "../../state/editor/canvas-store.ts";
import { canInsertExisting, insertExisting } from "../../state/commands/insert-existing.ts";
import { moveNodes, withGroupMembers } from "../../state/commands/move-nodes.ts";
import { hiddenNodes } from "../../state/editing/group-members.ts";
import { boxAround, contains, middleOf, nodeBox } from "../../state/editing/node-box.ts";
import { type GuideLines, guideLines, snapToGuides } from "../../state/editing/snap-guides.ts";
import { useEditor, type Editor } from "../../state/editor/editor-context.tsx";
import { createDragLayer, type DragLayer, layerFrom } from "./drag-layer.ts";
import { edgeAt } from "./edge-at.ts";
import type { CanvasEdge, CanvasNode } from "./project-document.ts";
import { cullFrom } from "./zoom-levels.ts";

type Ids = Readonly<Record<string, true>>;

/** Canvas pixels within which a dragged card comes level with another one. */
const guideReach = 5;

/** The ids that are selected after React Flow's changes, or null when none of them is about the selection. */
function selectedAfter(
  before: Ids,
  changes: readonly (NodeChange<CanvasNode> | EdgeChange<CanvasEdge>)[],
): string[] | null {
  const ids = new Set(Object.keys(before));
  let touched = false;
  for (const change of changes) {
    if (change.type !== "select") continue;
    touched = true;
    if (change.selected) ids.add(change.id);
    else ids.delete(change.id);
  }
  return touched ? [...ids] : null;
}

function positionsIn(changes: readonly NodeChange<CanvasNode>[]): Record<string, Point> {
  const positions: Record<string, Point> = {};
  for (const change of changes) {
    if (change.type === "position" && change.position !== undefined) positions[change.id] = change.position;
  }
  return positions;
}

/** The lines of the cards in view that stay where they are. */
function linesOf({ canvas, document, registry }: Editor, moving: Readonly<Record<string, Point>>): GuideLines {
  const view = canvas.getState().controls?.view();
  const { nodes } = document.getState().document;
  const hidden = hiddenNodes(nodes);
  const stays = Object.values(nodes).filter((node) => moving[node.id] === undefined && !hidden.has(node.id));
  const boxes = stays.map((node) => nodeBox(registry, node));
  return guideLines(view === undefined ? [] : boxes.filter((box) => contains(view, middleOf(box))));
}

interface Levelled {
  positions: Record<string, Point>;
  guides: Guides | null;
}

/** Moves what is dragged level with what is near, and says along which line. */
function levelled(editor: Editor, positions: Record<string, Point>, lines: GuideLines): Levelled {
  const { nodes } = editor.document.getState().document;
  const boxes = Object.entries(positions).flatMap(([id, at]) => {
    const node = nodes[id];
    return node === undefined ? [] : [{ ...nodeBox(editor.registry, node), ...at }];
  });
  const box = boxAround(boxes);
  if (box === undefined) return { positions, guides: null };
  const { by, guides } = snapToGuides(box, lines, guideReach);
  if (by.x === 0 && by.y === 0) return { positions, guides };
  const moved = Object.entries(positions).map(([id, { x, y }]) => [id, { x: x + by.x, y: y + by.y }]);
  return { positions: Object.fromEntries(moved), guides };
}

type AnyPointer = MouseEvent | TouchEvent | globalThis.MouseEvent | globalThis.TouchEvent;

function pointOf(event: AnyPointer): Point {
  const at = "clientX" in event ? event : event.touches[0];
  return { x: at?.clientX ?? 0, y: at?.clientY ?? 0 };
}

/** Whether React Flow draws every node, so that none goes or comes while it is dragged. */
function drawsAll({ canvas, document }: Editor): boolean {
  return canvas.getState().zoomLevel === "far" || Object.keys(document.getState().document.nodes).length <= cullFrom;
}

function handlers(editor: Editor, flow: () => ReactFlowState<CanvasNode, CanvasEdge>) {
  const { canvas, context } = editor;
  let lines: GuideLines | null = null;
  /** Many nodes on their way, and where they are by now. */
  let layered: { layer: DragLayer; places: Record<string, Point> } | null = null;

  const layerOf = (places: Readonly<Record<string, Point>>): DragLayer | undefined => {
    if (layered !== null) return layered.layer;
    const ids = Object.keys(places);
    if (ids.length < layerFrom || canvas.getState().copying || !drawsAll(editor)) return undefined;
    return createDragLayer(flow(), new Set(ids));
  };

  const drop = (): Readonly<Record<string, Point>> | null => {
    const places = layered?.places ?? null;
    layered?.layer.end();
    layered = null;
    return places;
  };

  const moveOn = (places: Record<string, Point>, guides: Guides | null) => {
    const layer = layerOf(places);
    if (layer === undefined) {
      canvas.setState(({ drag }) => ({ drag: { ...drag, ...places }, guides }));
      return;
    }
    // Each of them is as far from its place as any other.
    const { nodes } = editor.document.getState().document;
    const [id, place] = Object.entries(places).find(([id]) => nodes[id] !== undefined) ?? [];
    const start = nodes[id ?? ""]?.position;
    if (place !== undefined && start !== undefined) layer.moveTo({ x: place.x - start.x, y: place.y - start.y });
    layered = { layer, places: { ...layered?.places, ...places } };
    if (guides !== canvas.getState().guides) canvas.setState({ guides });
  };

  return {
    onNodesChange(changes: NodeChange<CanvasNode>[]) {
      const { selection, drag, select } = canvas.getState();
      const selected = selectedAfter(selection.nodes, changes);
      if (selected !== null) select(selected, Object.keys(selection.edges));
      const positions = positionsIn(changes);
      const ids = Object.keys(positions);
      if (ids.length === 0) return;
      const dragging = changes.some((change) => change.type === "position" && change.dragging === true);
      if (dragging) {
        lines ??= linesOf(editor, withGroupMembers(context, positions));
        const { positions: level, guides } = levelled(editor, positions, lines);
        moveOn(withGroupMembers(context, level), guides);
      } else if (drag === null) moveNodes(context, positions);
    },
    onEdgesChange(changes: EdgeChange<CanvasEdge>[]) {
      const { selection, select } = canvas.getState();
      const selected = selectedAfter(selection.edges, changes);
      if (selected !== null) select(Object.keys(selection.nodes), selected);
    },
    onDragStart(event: AnyPointer) {
      lines = null;
      drop();
      canvas.setState({ drag: {}, copying: event.altKey, hoveredEdge: null });
    },
    /** A node that stands alone may be put on the edge under the pointer, or under the middle of its card. */
    onNodeDrag(event: AnyPointer, node: CanvasNode, all: CanvasNode[]) {
      if (all.length !== 1 || canvas.getState().copying) return;
      const card = event.target instanceof Element ? event.target.closest(".react-flow__node") : null;
      const box = card?.getBoundingClientRect();
      const fits = (edgeId: string) => canInsertExisting(context, node.id, edgeId);
      const middle = box && { x: box.left + box.width / 2, y: box.top + box.height / 2 };
      const dropEdge = edgeAt(pointOf(event), fits) ?? (middle ? edgeAt(middle, fits) : null);
      if (dropEdge !== canvas.getState().dropEdge) canvas.setState({ dropEdge });
    },
    /** The document changes once, when the gesture ends. */
    onDragStop() {
      const { dropEdge, copying } = canvas.getState();
      const drag = drop() ?? canvas.getState().drag;
      lines = null;
      canvas.setState({ drag: null, copying: false, guides: null, dropEdge: null });
      const [only, ...others] = Object.entries(drag ?? {});
      if (drag === null || only === undefined) return;
      if (copying) dropCopies(context, drag);
      else if (dropEdge !== null && others.length === 0) {
        insertExisting(context, { nodeId: only[0], edgeId: dropEdge, position: only[1] });
      } else moveNodes(context, drag);
    },
  };
}

/** Brings React Flow's selection and drag into the stores. */
export function useNodeChanges() {
  const editor = useEditor();
  const flow = useStoreApi<CanvasNode, CanvasEdge>();
  return useMemo(() => handlers(editor, flow.getState), [editor, flow]);
}
