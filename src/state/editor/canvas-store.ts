import { createStore, type StoreApi } from "zustand/vanilla";
import type { LooseEnd } from "../editing/find-connection.ts";

export interface Point {
  x: number;
  y: number;
}

export interface Selection {
  nodes: Readonly<Record<string, true>>;
  edges: Readonly<Record<string, true>>;
}

/** What the mounted canvas can do for commands. Points of the document unless said otherwise. */
interface CanvasControls {
  /** Brings the whole graph into view, or only some nodes. */
  fit(nodeIds?: readonly string[]): void;
  zoomIn(): void;
  zoomOut(): void;
  /** Shows one pixel of the document as one pixel of the screen. */
  zoomToOne(): void;
  /** Brings a node into view without changing the zoom more than needed. */
  reveal(nodeId: string): void;
  /** Gives the keyboard to a node's card, or to that of the folded group that hides it. */
  focus(nodeId: string): void;
  /** What is visible. */
  view(): { x: number; y: number; width: number; height: number };
  /** What stays visible once the settings of a node are open. */
  roomBesideSettings(): { x: number; y: number; width: number; height: number };
  /** The middle of what is visible. */
  center(): Point;
  /** From a point of the browser window to a point of the document. */
  toDocument(point: Point): Point;
}

/**
 * An open list to pick from: node types that fit a wire at the point `at` of the browser window (dropped at `position`
 * of the document, or beside its node without one), connections that a node may take, types that can stand on an edge,
 * types to make of a node, types that fit any open port of a node.
 */
export type Picker =
  | { kind: "add"; at: Point; position?: Point; wire: LooseEnd }
  | { kind: "connect"; nodeId: string }
  | { kind: "insert"; edgeId: string; at?: Point }
  | { kind: "replace"; nodeId: string }
  | { kind: "extend"; nodeId: string };

/** A node's position while it is dragged, and its size while it is resized. */
export interface DraggedBox extends Point {
  width?: number;
  height?: number;
}

/** Lines along which dragged nodes align with others. */
export interface Guides {
  x?: { at: number; from: number; to: number };
  y?: { at: number; from: number; to: number };
}

export type InspectorTab = "settings" | "input" | "output" | "notes";

/** Detail shown on nodes: chip and title · the whole card · the card with port labels. */
export type ZoomLevel = "far" | "normal" | "close";

/**
 * How much is drawn of each node and wire: all of it · chip and title without ports, where many nodes are in view from far
 * away · a box in its colour and a bare line, from so far away that nothing could be read.
 */
export type Detail = "full" | "lean" | "box";

export interface CanvasState {
  selection: Selection;
  /** Positions and sizes of nodes while they are dragged or resized; the document changes once, at the end. */
  drag: Readonly<Record<string, DraggedBox>> | null;
  /** A copy is dropped, and the original stays where it is. */
  copying: boolean;
  /** Alignment guides, shown during a drag. */
  guides: Guides | null;
  /** The edge that a drop would split at the moment. */
  dropEdge: string | null;
  /** The edge under the pointer, or whose buttons are. */
  hoveredEdge: string | null;
  zoomLevel: ZoomLevel;
  detail: Detail;
  /** The node that was added from a port: the view stands still for it. */
  addedAtPort: string | null;
  /** Whether the view follows the active node of a run, until a person pans or zooms during it. */
  following: boolean;
  paletteOpen: boolean;
  outlineOpen: boolean;
  commandMenuOpen: boolean;
  shortcutsOpen: boolean;
  /** The dialog that replaces the demo model with a real one. */
  realModelOpen: boolean;
  picker: Picker | null;
  inspectorTab: InspectorTab;
  /** The config field that should take the focus when the inspector shows this node. */
  focusField: { nodeId: string; field: string } | null;
  /** The node whose title is being changed on its card, or whose text on a note. */
  editing: { nodeId: string; part: "title" | "text" } | null;
  controls: CanvasControls | null;
  select(nodeIds: readonly string[], edgeIds?: readonly string[]): void;
  clearSelection(): void;
  set(change: Partial<Omit<CanvasState, "select" | "clearSelection" | "set">>): void;
}

export type CanvasStore = StoreApi<CanvasState>;

const nothing: Selection = { nodes: {}, edges: {} };

function asSet(ids: readonly string[]): Record<string, true> {
  return Object.fromEntries(ids.map((id) => [id, true as const]));
}

function sameIds(a: Readonly<Record<string, true>>, b: Readonly<Record<string, true>>): boolean {
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => b[key] === true);
}

/** What the canvas and the panels around it show; nothing of it is saved. */
export function createCanvasStore(): CanvasStore {
  return createStore<CanvasState>()((set, get) => ({
    selection: nothing,
    drag: null,
    copying: false,
    guides: null,
    dropEdge: null,
    hoveredEdge: null,
    zoomLevel: "normal",
    detail: "full",
    addedAtPort: null,
    following: true,
    paletteOpen: false,
    outlineOpen: false,
    commandMenuOpen: false,
    shortcutsOpen: false,
    realModelOpen: false,
    picker: null,
    inspectorTab: "settings",
    focusField: null,
    editing: null,
    controls: null,
    select(nodeIds, edgeIds = []) {
      const next = { nodes: asSet(nodeIds), edges: asSet(edgeIds) };
      const { selection } = get();
      if (sameIds(selection.nodes, next.nodes) && sameIds(selection.edges, next.edges)) return;
      set({ selection: next });
    },
    clearSelection() {
      get().select([]);
    },
    set,
  }));
}

/** The selected node, when it is exactly one and no edge is selected with it. */
export function singleSelectedNode(state: CanvasState): string | null {
  const nodes = Object.keys(state.selection.nodes);
  return nodes.length === 1 && Object.keys(state.selection.edges).length === 0 ? (nodes[0] ?? null) : null;
}
