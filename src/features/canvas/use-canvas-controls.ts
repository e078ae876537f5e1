import { getViewportForBounds, type OnMove, type Viewport, useReactFlow, useStore, useStoreApi } from "@xyflow/react";
import { useCallback, useEffect, useLayoutEffect, useRef } from "react";
import { type CanvasState, singleSelectedNode } from "../../state/editor/canvas-store.ts";
import { hiddenNodes } from "../../state/editing/group-members.ts";
import { type Box, boxAround, middleOf, nodeBox } from "../../state/editing/node-box.ts";
import { useCanvasStore, useEditor, useRunStore } from "../../state/editor/editor-context.tsx";
import { currentRun, liveRunId } from "../../state/run/run-store.ts";
import { roomOfSettings } from "../../state/editor/dock.ts";
import { isOnePane } from "../../state/editor/one-pane.ts";
import { activeNodes } from "./active-node.ts";
import { focusNode } from "./focus-node.ts";
import { detailOf, fitOptions, levelOf, minZoom } from "./zoom-levels.ts";

/** Milliseconds of a zoom or pan that a command asked for. */
const glide = 180;

/** Pixels. */
const paletteWidth = 280;
const outlineWidth = 320;

/** Pixels of the canvas that the palette or the outline covers at the left; on a phone they cover all of it. */
function coveredLeft({ paletteOpen, outlineOpen }: CanvasState): number {
  if (isOnePane()) return 0;
  return paletteOpen ? paletteWidth : outlineOpen ? outlineWidth : 0;
}

/** Gives commands a hold of the mounted canvas, and tells the store how much detail the zoom allows. */
export function useCanvasControls(): void {
  const { canvas, document } = useEditor();
  const flow = useReactFlow();
  const internals = useStoreApi();

  // As soon as the view changes, before anything is drawn for it: a graph that is fitted into the view would otherwise draw each
  // of its cards in full first, and no frame may show one level's cards in the other's looks.
  useLayoutEffect(() => {
    const tell = () => {
      const { transform, nodes } = internals.getState();
      const next = { zoomLevel: levelOf(transform[2]), detail: detailOf(transform[2], nodes.length) };
      const { zoomLevel, detail } = canvas.getState();
      if (next.zoomLevel !== zoomLevel || next.detail !== detail) canvas.setState(next);
    };
    tell();
    return internals.subscribe(tell);
  }, [canvas, internals]);

  useEffect(() => {
    const view = (): Box => {
      const { width, height, transform } = internals.getState();
      const [x, y, zoom] = transform;
      const covered = coveredLeft(canvas.getState());
      return { x: (covered - x) / zoom, y: -y / zoom, width: (width - covered) / zoom, height: height / zoom };
    };
    canvas.setState({
      controls: {
        fit: (nodeIds) => {
          const { nodes } = document.getState().document;
          const shown = nodeIds?.map((id) => ({ id: hiddenNodes(nodes).get(id) ?? id }));
          void flow.fitView({ ...fitOptions, ...(shown ? { nodes: shown } : {}), duration: glide });
        },
        zoomToOne: () => void flow.zoomTo(1, { duration: glide }),
        zoomIn: () => void flow.zoomIn({ duration: glide }),
        zoomOut: () => void flow.zoomOut({ duration: glide }),
        reveal: (nodeId) => {
          const zoom = Math.max(0.6, flow.getZoom());
          const id = hiddenNodes(document.getState().document.nodes).get(nodeId) ?? nodeId;
          void flow.fitView({ nodes: [{ id }], minZoom: zoom, maxZoom: zoom, duration: glide });
        },
        focus: (nodeId) => focusNode(canvas, hiddenNodes(document.getState().document.nodes).get(nodeId) ?? nodeId),
        view: () => view(),
        roomBesideSettings: () => {
          const seen = view();
          if (singleSelectedNode(canvas.getState()) !== null) return seen;
          const { height, transform } = internals.getState();
          const { right, bottom } = roomOfSettings(height);
          return { ...seen, width: seen.width - right / transform[2], height: seen.height - bottom / transform[2] };
        },
        center: () => middleOf(view()),
        toDocument: (point) => flow.screenToFlowPosition(point),
      },
    });
    return () => canvas.setState({ controls: null });
  }, [canvas, document, flow, internals]);
}

/** Pixels that a card keeps from the edge of the visible part. */
const margin = 24;
const barHeight = 56;

/** Gives a function that moves the view just enough to make cards visible: all of them, or the first where they need more room. */
function useBringIntoView(): (nodeIds: readonly string[]) => void {
  const { canvas, document, registry } = useEditor();
  const flow = useReactFlow();
  const internals = useStoreApi();
  return useCallback(
    (nodeIds) => {
      const { nodes } = document.getState().document;
      const hidden = hiddenNodes(nodes);
      const boxes = nodeIds.flatMap((id) => {
        const node = nodes[hidden.get(id) ?? id];
        return node ? [nodeBox(registry, node)] : [];
      });
      const { paneDragging, width, height } = internals.getState();
      const all = boxAround(boxes);
      if (all === undefined || paneDragging) return;
      const { x, y, zoom } = flow.getViewport();
      const start = coveredLeft(canvas.getState()) + margin;
      const fits = all.width * zoom <= width - margin - start && all.height * zoom <= height - 2 * margin;
      const size = fits ? all : (boxes[0] ?? all);
      const left = size.x * zoom + x;
      const top = size.y * zoom + y;
      const right = left + size.width * zoom;
      const bottom = top + size.height * zoom;
      const dx = left < start ? start - left : right > width - margin ? width - margin - right : 0;
      // The bars that float at the top and at the bottom, where there is room enough to keep clear of them.
      const rim = height > size.height * zoom + 3 * barHeight ? barHeight : margin;
      const dy = top < rim ? rim - top : bottom > height - rim ? height - rim - bottom : 0;
      if (dx !== 0 || dy !== 0) void flow.setViewport({ x: x + dx, y: y + dy, zoom }, { duration: glide });
    },
    [canvas, document, registry, flow, internals],
  );
}

/**
 * Keeps the selected card visible, such as when its settings open over it. Looks again whenever the selection or the room
 * for the canvas changes. For a card that was added from a port, which has its place where one looks, the view stands still.
 */
export function useKeepSelectedVisible(): void {
  const bringIntoView = useBringIntoView();
  const { canvas } = useEditor();
  const nodeId = useCanvasStore(singleSelectedNode);
  const width = useStore((state) => state.width);
  const height = useStore((state) => state.height);

  useEffect(() => {
    const { addedAtPort } = canvas.getState();
    if (addedAtPort !== null && addedAtPort !== nodeId) canvas.setState({ addedAtPort: null });
    if (nodeId !== null && nodeId !== addedAtPort && width > 0 && height > 0) bringIntoView([nodeId]);
  }, [bringIntoView, canvas, nodeId, width, height]);
}

/**
 * Lets the view go along with the active nodes of a run, such as an agent and its model, also when a panel takes room from the
 * canvas meanwhile.
 */
export function useFollowRun(): void {
  const bringIntoView = useBringIntoView();
  const following = useCanvasStore((state) => state.following);
  // As text, which is the same for the same nodes.
  const active = useRunStore((state) => activeNodes(currentRun(state)).join("\n"));
  const width = useStore((state) => state.width);
  const height = useStore((state) => state.height);

  useEffect(() => {
    if (following && active !== "" && width > 0 && height > 0) bringIntoView(active.split("\n"));
  }, [bringIntoView, following, active, width, height]);
}

/**
 * Fits the graph again when a panel takes or gives back room, as long as nobody has touched it since it was opened: no
 * gesture, selection or edit. From then on the view is the person's. Returns the handlers that tell of a pan or zoom of
 * their own; they mark the canvas while its view moves, without drawing anything again.
 */
export function useRefit(): { onMoveStart: OnMove; onMoveEnd: OnMove } {
  const { canvas, document, runs } = useEditor();
  const flow = useReactFlow();
  const width = useStore((state) => state.width);
  const height = useStore((state) => state.height);
  const internals = useStoreApi();
  const touched = useRef(false);
  const before = useRef({ width: 0, height: 0 });

  useEffect(() => {
    const touch = () => void (touched.current = true);
    const pane = internals.getState().domNode;
    pane?.addEventListener("pointerdown", touch, { capture: true });
    const stops = [
      canvas.subscribe((state, last) => {
        if (state.selection !== last.selection || state.paletteOpen) touch();
      }),
      document.subscribe((state, last) => {
        if (state.past !== last.past) touch();
      }),
    ];
    return () => {
      pane?.removeEventListener("pointerdown", touch, { capture: true });
      for (const stop of stops) stop();
    };
  }, [canvas, document, internals]);

  useEffect(() => {
    const last = before.current;
    before.current = { width, height };
    if (last.height === 0 || height === 0 || touched.current) return;
    const nodes = flow.getNodes();
    if (nodes.length === 0) return;
    const { x, zoom } = flow.getViewport();
    const bounds = flow.getNodesBounds(nodes);
    const left = bounds.x * zoom + x;
    const isVisible = left >= margin && left + bounds.width * zoom <= width - margin;
    if (height === last.height && width < last.width && isVisible) return;
    // Worked out here and now: React Flow's own fitting waits for the next change of a node.
    const view = getViewportForBounds(bounds, width, height, minZoom, fitOptions.maxZoom, fitOptions.padding);
    void flow.setViewport(view, { duration: glide });
  }, [flow, width, height]);

  const start = useRef<Viewport | null>(null);
  const onMoveStart = useCallback(
    (_event: MouseEvent | TouchEvent | null, viewport: Viewport) => {
      start.current = viewport;
      // At the edge of the canvas a drag moves the view with every frame, each time as a move of its own.
      if (canvas.getState().drag === null) internals.getState().domNode?.setAttribute("data-moving", "");
    },
    [canvas, internals],
  );
  const onMoveEnd = useCallback(
    (event: MouseEvent | TouchEvent | null, viewport: Viewport) => {
      internals.getState().domNode?.removeAttribute("data-moving");
      const { current } = start;
      // A click on the canvas ends a move that went nowhere. A wheel's move is told of only after its first step.
      const moved =
        event instanceof WheelEvent ||
        current?.x !== viewport.x ||
        current.y !== viewport.y ||
        current.zoom !== viewport.zoom;
      if (event === null || !moved) return;
      touched.current = true;
      if (liveRunId(runs.getState()) !== undefined) canvas.setState({ following: false });
    },
    [canvas, internals, runs],
  );
  return { onMoveStart, onMoveEnd };
}
