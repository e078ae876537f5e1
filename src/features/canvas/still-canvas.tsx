import {
  Background,
  BackgroundVariant,
  type EdgeTypes,
  type NodeTypes,
  Panel,
  ReactFlow,
  ReactFlowProvider,
  useReactFlow,
  useStore,
} from "@xyflow/react";
import "@xyflow/react/dist/base.css";
import { useEffect, useMemo } from "react";
import { grid } from "../../state/editing/node-geometry.ts";
import { useCanvasStore, useEditor } from "../../state/editor/editor-context.tsx";
import { IconButton } from "../../ui/buttons/icon-button.tsx";
import "./canvas.css";
import "./cards.css";
import "./ports.css";
import "./run-states.css";
import "./wires.css";
import "./overview.css";
import { IconSprite } from "./icon-sprite.tsx";
import { lowCanvas } from "./low-canvas.ts";
import { type CanvasEdge, type CanvasNode, createEdgeProjector, createNodeProjector } from "./project-document.ts";
import { StillCard } from "./still-card.tsx";
import { useDeclaredGeometry } from "./use-declared-geometry.ts";
import { Wire } from "./wire.tsx";
import { cullFrom, detailOf, fitOptions, levelOf, minZoom } from "./zoom-levels.ts";

const nodeTypes: NodeTypes = { card: StillCard };
const edgeTypes: EdgeTypes = { wire: Wire };

/** How close the view is decides how much the cards show. */
function useZoomLevel(): void {
  const { canvas } = useEditor();
  const zoom = useStore((state) => state.transform[2]);
  const count = useStore((state) => state.nodes.length);
  useEffect(
    () => canvas.getState().set({ zoomLevel: levelOf(zoom), detail: detailOf(zoom, count) }),
    [canvas, zoom, count],
  );
}

/** Brings the whole graph into view again when the room for it changes. */
function useFitToRoom(): void {
  const { fitView } = useReactFlow();
  const width = useStore((state) => state.width);
  const height = useStore((state) => state.height);
  useEffect(() => {
    if (width > 0 && height > 0) void fitView(fitOptions);
  }, [fitView, width, height]);
}

function Zoom() {
  const { zoomIn, zoomOut, fitView } = useReactFlow();
  const isLow = useStore(lowCanvas);
  useZoomLevel();
  useFitToRoom();
  if (isLow) return null;
  return (
    <Panel position="bottom-left" className="m-3! flex items-center gap-0.5 rounded-lg border bg-surface p-0.5">
      <IconButton size="sm" icon="minus" label="Zoom out" tooltipSide="top" onClick={() => void zoomOut()} />
      <IconButton size="sm" icon="plus" label="Zoom in" tooltipSide="top" onClick={() => void zoomIn()} />
      <IconButton
        size="sm"
        icon="maximize"
        label="Fit into view"
        tooltipSide="top"
        onClick={() => void fitView(fitOptions)}
      />
    </Panel>
  );
}

function Graph() {
  useDeclaredGeometry();
  const { document, registry } = useEditor();
  const zoomLevel = useCanvasStore((state) => state.zoomLevel);
  const [nodes, edges] = useMemo(() => {
    const { document: drawn } = document.getState();
    return [createNodeProjector(registry)(drawn, {}, null), createEdgeProjector(registry)(drawn, {}, null)] as const;
  }, [document, registry]);
  return (
    <ReactFlow<CanvasNode, CanvasEdge>
      className="canvas"
      data-zoom={zoomLevel}
      aria-label="Workflow"
      nodes={nodes}
      edges={edges}
      nodeTypes={nodeTypes}
      edgeTypes={edgeTypes}
      nodesDraggable={false}
      nodesConnectable={false}
      nodesFocusable={false}
      edgesFocusable={false}
      elementsSelectable={false}
      disableKeyboardA11y
      deleteKeyCode={null}
      fitView
      fitViewOptions={fitOptions}
      minZoom={minZoom}
      maxZoom={2}
      onlyRenderVisibleElements={zoomLevel !== "far" && nodes.length > cullFrom}
    >
      <Background variant={BackgroundVariant.Dots} gap={grid * 2} size={1.2} />
      <Zoom />
    </ReactFlow>
  );
}

/** The graph with a run on it, to be looked at: nothing can be chosen or changed. */
export function StillCanvas() {
  const { registry } = useEditor();
  return (
    <ReactFlowProvider>
      <IconSprite registry={registry} />
      <Graph />
    </ReactFlowProvider>
  );
}
