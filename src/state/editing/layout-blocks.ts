import { Graph, layout } from "@dagrejs/dagre";
import type { Point } from "../editor/canvas-store.ts";
import type { Size } from "./node-box.ts";

/** Free space, in canvas pixels, between neighbours in the flow. */
const flowGap = { rank: 72, node: 48 };

/** The flow to lay out, as plain data: it goes to a worker. */
export interface BlockGraph {
  /** Room that each block takes, by id. */
  blocks: Record<string, Size>;
  flow: { from: string; to: string }[];
}

/** Upper left corners of the blocks by id, the flow going from left to right. Takes a second or more for a thousand. */
export function layoutBlocks({ blocks, flow }: BlockGraph): Record<string, Point> {
  const graph = new Graph();
  graph.setGraph({ rankdir: "LR", ranksep: flowGap.rank, nodesep: flowGap.node });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const [id, { width, height }] of Object.entries(blocks)) graph.setNode(id, { width, height });
  for (const { from, to } of flow) graph.setEdge(from, to);
  layout(graph);
  const corners: Record<string, Point> = {};
  for (const [id, { width, height }] of Object.entries(blocks)) {
    const middle: { x?: number; y?: number } = graph.node(id);
    corners[id] = { x: (middle.x ?? 0) - width / 2, y: (middle.y ?? 0) - height / 2 };
  }
  return corners;
}
