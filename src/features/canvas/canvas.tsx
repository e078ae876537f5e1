import {
  Background,
  BackgroundVariant,
  type EdgeTypes,
  type NodeProps,
  type NodeTypes,
  ReactFlow,
  ReactFlowProvider,
  SelectionMode,
} from "@xyflow/react";
import "@xyflow/react/dist/base.css";
import { memo, type ReactNode, useMemo, useState } from "react";
import { grid } from "../../state/editing/node-geometry.ts";
import { useCanvasStore, useDocumentStore, useEditor } from "../../state/editor/editor-context.tsx";
import "./canvas.css";
import "./cards.css";
import "./ports.css";
import "./run-states.css";
import "./wires.css";
import "./overview.css";
import "./proposed.css";
import { CanvasMenu } from "./canvas-menu.tsx";
import { ConnectionWire } from "./connection-wire.tsx";
import { DragCopies } from "./drag-copies.tsx";
import { FoldedCard, FrameCard, NoteCard } from "./frame-cards.tsx";
import { GhostCard } from "./ghost-card.tsx";
import { GuideLines } from "./guide-lines.tsx";
import { IconSprite } from "./icon-sprite.tsx";
import { Minimap } from "./minimap.tsx";
import { NodeCard } from "./node-card.tsx";
import { Pickers } from "./pickers.tsx";
import { type CanvasEdge, type CanvasNode, createEdgeProjector, createNodeProjector } from "./project-document.ts";
import { RefusalHint } from "./refusal-hint.tsx";
import { createEdgeRouter } from "./route-edges.ts";
import { SelectionBar } from "./selection-bar.tsx";
import { useDeclaredGeometry } from "./use-declared-geometry.ts";
import { useCanvasHandlers } from "./use-canvas-handlers.ts";
import { useCanvasControls, useFollowRun, useKeepSelectedVisible, useRefit } from "./use-canvas-controls.ts";
import { useCanvasKeys, useFocusFollowsSelection } from "./use-canvas-keys.ts";
import { useFocusAfterRemoval } from "./use-focus-after-removal.ts";
import { useAssistant } from "../../state/assistant/assistant-store.ts";
import { proposedMarks, withProposed } from "./proposed-elements.ts";
import { useConnecting } from "./use-connecting.ts";
import { useNodeChanges } from "./use-node-changes.ts";
import { Wire } from "./wire.tsx";
import { WireTools } from "./wire-tools.tsx";
import { ZoomControls } from "./zoom-controls.tsx";
import { cullFrom, fitOptions, minZoom } from "./zoom-levels.ts";

/** Where a card lies is nothing that is drawn in it. */
function sameLook(a: NodeProps<CanvasNode>, b: NodeProps<CanvasNode>): boolean {
  return a.data.id === b.data.id && a.selected === b.selected;
}

const nodeTypes: NodeTypes = {
  card: NodeCard,
  note: memo(NoteCard, sameLook),
  frame: memo(FrameCard, sameLook),
  folded: memo(FoldedCard, sameLook),
  ghost: memo(GhostCard, sameLook),
};
const edgeTypes: EdgeTypes = { wire: Wire };
const snapGrid: [number, number] = [grid, grid];
const addToSelection = ["Shift", "Meta", "Control"];

function useProjection() {
  const { registry } = useEditor();
  const document = useDocumentStore((state) => state.document);
  const selection = useCanvasStore((state) => state.selection);
  // What is copied by a drag stays in its place.
  const drag = useCanvasStore((state) => (state.copying ? null : state.drag));
  const dropEdge = useCanvasStore((state) => state.dropEdge);
  const projectNodes = useMemo(() => createNodeProjector(registry), [registry]);
  const projectEdges = useMemo(() => createEdgeProjector(registry), [registry]);
  const nodes = useMemo(
    () => projectNodes(document, selection.nodes, drag),
    [projectNodes, document, selection.nodes, drag],
  );
  const plain = useMemo(
    () => projectEdges(document, selection.edges, dropEdge),
    [projectEdges, document, selection.edges, dropEdge],
  );
  const [routeEdges] = useState(createEdgeRouter);
  const resting = drag === null ? nodes : null;
  const edges = useMemo(() => routeEdges(resting, plain), [routeEdges, resting, plain]);
  const proposal = useAssistant((state) => state.proposal);
  const marks = useMemo(
    () => (proposal?.base.id === document.id ? proposedMarks(proposal, document, registry) : null),
    [proposal, document, registry],
  );
  return useMemo(
    () => (marks === null ? { nodes, edges } : withProposed({ nodes, edges }, marks)),
    [nodes, edges, marks],
  );
}

/** What floats over the graph; apart from it, so that a drag does not draw it again. */
const Overlay = memo(function Overlay({ children }: { children?: ReactNode }) {
  const [mapOpen, setMapOpen] = useState(false);
  const picking = useCanvasStore((state) => state.picker !== null);
  const detail = useCanvasStore((state) => state.detail);
  useCanvasControls();
  useKeepSelectedVisible();
  useFollowRun();
  useFocusFollowsSelection();
  useFocusAfterRemoval();
  return (
    <>
      {/* From where a card is a box, its dots are smaller than a pixel. */}
      {detail !== "box" && <Background variant={BackgroundVariant.Dots} gap={grid * 2} size={1.2} />}
      <ZoomControls mapOpen={mapOpen} onToggleMap={() => setMapOpen(!mapOpen)} />
      {mapOpen && <Minimap />}
      {children}
      {picking && <Pickers />}
    </>
  );
});

/** What shows only with a gesture or a selection. */
function GestureParts() {
  const { readOnly } = useEditor();
  const hasSeveral = useCanvasStore((state) => Object.keys(state.selection.nodes).length > 1);
  const copying = useCanvasStore((state) => state.copying);
  const overEdge = useCanvasStore((state) => state.hoveredEdge !== null);
  if (readOnly) return null;
  return (
    <>
      {hasSeveral && <SelectionBar />}
      {overEdge && <WireTools />}
      {copying && <DragCopies />}
    </>
  );
}

function Graph({ children }: { children?: ReactNode }) {
  useDeclaredGeometry();
  const zoomLevel = useCanvasStore((state) => state.zoomLevel);
  const { nodes, edges } = useProjection();
  const { onNodesChange, onEdgesChange, onDragStart, onNodeDrag, onDragStop } = useNodeChanges();
  const { handlers: connection, scene, connecting, refusal, dismissRefusal } = useConnecting();
  const { handlers, menu, closeMenu } = useCanvasHandlers();
  const keys = useCanvasKeys();
  const refit = useRefit();
  const { readOnly } = useEditor();
  const inOverview = useCanvasStore((state) => state.detail === "box");
  return (
    <ReactFlow<CanvasNode, CanvasEdge>
      className="canvas"
      data-zoom={zoomLevel}
      data-overview={inOverview || undefined}
      data-connecting={connecting?.kind}
      data-connecting-to={connecting?.direction}
      aria-label="Workflow canvas"
      aria-description="Arrow keys move between cards, Enter opens the settings, O lists everything in an outline."
      nodes={nodes}
      edges={edges}
      nodeTypes={nodeTypes}
      edgeTypes={edgeTypes}
      onNodesChange={onNodesChange}
      onEdgesChange={onEdgesChange}
      tabIndex={0}
      disableKeyboardA11y
      {...keys}
      onNodeDragStart={onDragStart}
      onNodeDrag={onNodeDrag}
      onNodeDragStop={onDragStop}
      onSelectionDragStart={onDragStart}
      onSelectionDragStop={onDragStop}
      {...connection}
      {...handlers}
      {...refit}
      connectionLineComponent={ConnectionWire}
      connectionRadius={26}
      connectOnClick={false}
      nodesDraggable={!readOnly}
      nodesConnectable={!readOnly}
      fitView
      fitViewOptions={fitOptions}
      minZoom={minZoom}
      maxZoom={2}
      snapToGrid
      snapGrid={snapGrid}
      panOnScroll
      selectionMode={SelectionMode.Partial}
      multiSelectionKeyCode={addToSelection}
      selectNodesOnDrag={false}
      deleteKeyCode={null}
      zoomOnDoubleClick={false}
      elevateNodesOnSelect={false}
      onlyRenderVisibleElements={zoomLevel !== "far" && nodes.length > cullFrom}
    >
      <Overlay>{children}</Overlay>
      <GuideLines />
      <GestureParts />
      <RefusalHint refusal={refusal} scene={scene} onDismiss={dismissRefusal} />
      {menu !== null && <CanvasMenu place={menu} onClose={closeMenu} />}
    </ReactFlow>
  );
}

/** The graph of the open workflow. `children` float over it, such as the hint on an empty canvas. */
export function Canvas({ children }: { children?: ReactNode }) {
  const { registry } = useEditor();
  return (
    <ReactFlowProvider>
      <IconSprite registry={registry} />
      <Graph>{children}</Graph>
    </ReactFlowProvider>
  );
}
