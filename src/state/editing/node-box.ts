import type { NodeRegistry } from "../../engine/document/define-node.ts";
import type { NodeRecord } from "../../engine/document/workflow-document.ts";
import { group } from "../../nodes/flow/group.ts";
import { stickyNote } from "../../nodes/flow/sticky-note.ts";
import type { Point } from "../editor/canvas-store.ts";
import { cardWidth, grid, headerHeight } from "./node-geometry.ts";
import { geometryOf } from "./shown-ports.ts";

/** Canvas pixels. */
export interface Size {
  width: number;
  height: number;
}

export interface Box extends Point, Size {}

/** What a person may pull to a size of their own: notes and open groups. */
const resizable = new Set([stickyNote.type, group.type]);

export function isResizable(node: NodeRecord): boolean {
  return resizable.has(node.type) && node.config["folded"] !== true;
}

function ownLength(value: unknown, usual: number): number {
  return typeof value === "number" && Number.isFinite(value) ? Math.max(grid * 4, value) : usual;
}

/** How much room a node takes: its own size where it has one, else that of its type. */
export function nodeSize(registry: NodeRegistry, node: NodeRecord): Size {
  if (node.type === group.type && node.config["folded"] === true) return { width: cardWidth, height: headerHeight };
  const { width, height } = geometryOf(registry, node);
  if (!resizable.has(node.type)) return { width, height };
  return { width: ownLength(node.config["width"], width), height: ownLength(node.config["height"], height) };
}

export function nodeBox(registry: NodeRegistry, node: NodeRecord): Box {
  return { ...node.position, ...nodeSize(registry, node) };
}

/** The smallest box around others, or undefined around none. */
export function boxAround(boxes: readonly Box[]): Box | undefined {
  if (boxes.length === 0) return undefined;
  const x = Math.min(...boxes.map((box) => box.x));
  const y = Math.min(...boxes.map((box) => box.y));
  const right = Math.max(...boxes.map((box) => box.x + box.width));
  const bottom = Math.max(...boxes.map((box) => box.y + box.height));
  return { x, y, width: right - x, height: bottom - y };
}

export function middleOf({ x, y, width, height }: Box): Point {
  return { x: x + width / 2, y: y + height / 2 };
}

export function contains(box: Box, { x, y }: Point): boolean {
  return x >= box.x && y >= box.y && x <= box.x + box.width && y <= box.y + box.height;
}
