import { definitionOf, edgeKind } from "../../engine/document/can-connect.ts";
import type { NodeRegistry } from "../../engine/document/define-node.ts";
import type { PortSide } from "../../engine/document/ports.ts";
import type { EdgeRecord, WorkflowDocument } from "../../engine/document/workflow-document.ts";
import type { Point } from "../canvas-store.ts";
import { layoutInWorker } from "./layout-in-worker.ts";
import { nodeSize } from "./node-box.ts";
import { snap } from "./place-node.ts";

/** Free space, in canvas pixels, between a card and its services. */
const serviceGap = { x: 40, y: 40 };

interface Placed extends Point {
  id: string;
}

/** A node with the services that stand around it; positions are relative to the block's upper left corner. */
interface Block {
  width: number;
  height: number;
  nodes: Placed[];
}

interface Plan {
  document: WorkflowDocument;
  registry: NodeRegistry;
  /** Service edges by the node that uses the service. */
  services: Map<string, EdgeRecord[]>;
  placed: Set<string>;
}

function sizeOf(plan: Plan, id: string): { width: number; height: number } {
  const node = plan.document.nodes[id];
  return node === undefined ? { width: 0, height: 0 } : nodeSize(plan.registry, node);
}

function sideOf(plan: Plan, edge: EdgeRecord): PortSide {
  const user = plan.document.nodes[edge.to.node];
  return (user && definitionOf(plan.registry, user.type)?.inputs[edge.to.port]?.side) ?? "bottom";
}

/** Blocks of the services on one side of a node, in the order of their edges; a service is placed once. */
function serviceBlocks(plan: Plan, id: string, side: PortSide): Block[] {
  return (plan.services.get(id) ?? []).flatMap((edge) => {
    const service = edge.from.node;
    if (sideOf(plan, edge) !== side || plan.placed.has(service)) return [];
    plan.placed.add(service);
    return [blockOf(plan, service)];
  });
}

const extent = (blocks: readonly Block[], gap: number, along: "width" | "height") =>
  blocks.reduce((sum, block) => sum + block[along] + gap, -gap);

const moved = (block: Block, by: Point): Placed[] =>
  block.nodes.map(({ id, x, y }) => ({ id, x: x + by.x, y: y + by.y }));

/** The node on top, left services below to the left, right ones below to the right, the others in a row between. */
function blockOf(plan: Plan, id: string): Block {
  const own = sizeOf(plan, id);
  const left = serviceBlocks(plan, id, "left");
  const right = serviceBlocks(plan, id, "right");
  const below = [...serviceBlocks(plan, id, "bottom"), ...serviceBlocks(plan, id, "top")];
  const leftWidth = left.length === 0 ? 0 : Math.max(...left.map(({ width }) => width)) + serviceGap.x;
  const rightWidth = right.length === 0 ? 0 : Math.max(...right.map(({ width }) => width)) + serviceGap.x;
  const middle = Math.max(own.width, below.length === 0 ? 0 : extent(below, serviceGap.x, "width"));
  const under = own.height + serviceGap.y;
  const nodes: Placed[] = [{ id, x: leftWidth + (middle - own.width) / 2, y: 0 }];
  let bottom = own.height;
  let x = leftWidth + (middle - (below.length === 0 ? 0 : extent(below, serviceGap.x, "width"))) / 2;
  for (const block of below) {
    const y = under + serviceGap.y * 1.5;
    nodes.push(...moved(block, { x, y }));
    bottom = Math.max(bottom, y + block.height);
    x += block.width + serviceGap.x;
  }
  for (const [column, offset] of [
    [left, 0],
    [right, leftWidth + middle + serviceGap.x],
  ] as const) {
    let y = under;
    for (const block of column) {
      nodes.push(...moved(block, { x: offset, y }));
      bottom = Math.max(bottom, y + block.height);
      y += block.height + serviceGap.y;
    }
  }
  return { width: leftWidth + middle + rightWidth, height: bottom, nodes };
}

/** New positions for all nodes: the main flow from left to right, services around the node that uses them. */
export async function layoutDocument(
  document: WorkflowDocument,
  registry: NodeRegistry,
): Promise<Record<string, Point>> {
  const services = new Map<string, EdgeRecord[]>();
  const servants = new Set<string>();
  const flow: EdgeRecord[] = [];
  for (const edge of Object.values(document.edges)) {
    const kind = edgeKind(document, registry, edge) ?? "main";
    if (kind === "main") flow.push(edge);
    else {
      servants.add(edge.from.node);
      services.set(edge.to.node, [...(services.get(edge.to.node) ?? []), edge]);
    }
  }
  const plan: Plan = { document, registry, services, placed: new Set() };
  const inFlow = new Set(flow.flatMap((edge) => [edge.from.node, edge.to.node]));
  const heads = Object.keys(document.nodes).filter((id) => !servants.has(id) || inFlow.has(id));
  heads.forEach((id) => plan.placed.add(id));

  const blocks = new Map(heads.map((id) => [id, blockOf(plan, id)]));
  const corners = await layoutInWorker({
    blocks: Object.fromEntries([...blocks].map(([id, { width, height }]) => [id, { width, height }])),
    flow: flow.map(({ from, to }) => ({ from: from.node, to: to.node })),
  });

  const positions: Record<string, Point> = {};
  for (const [id, block] of blocks) {
    const corner = corners[id] ?? { x: 0, y: 0 };
    for (const node of block.nodes) positions[node.id] = snap({ x: corner.x + node.x, y: corner.y + node.y });
  }
  return straighten(positions, blocks, flow);
}

/** Where a node follows exactly one other one and nothing else does, its card moves level with it. */
function straighten(
  positions: Record<string, Point>,
  blocks: ReadonlyMap<string, Block>,
  flow: readonly EdgeRecord[],
): Record<string, Point> {
  const into = new Map<string, number>();
  const outOf = new Map<string, number>();
  for (const { from, to } of flow) {
    outOf.set(from.node, (outOf.get(from.node) ?? 0) + 1);
    into.set(to.node, (into.get(to.node) ?? 0) + 1);
  }
  const chains = flow.filter((edge) => into.get(edge.to.node) === 1 && outOf.get(edge.from.node) === 1);
  const sorted = chains.toSorted((a, b) => (positions[a.from.node]?.x ?? 0) - (positions[b.from.node]?.x ?? 0));
  for (const { from, to } of sorted) {
    const shift = (positions[from.node]?.y ?? 0) - (positions[to.node]?.y ?? 0);
    for (const { id } of blocks.get(to.node)?.nodes ?? []) {
      const at = positions[id];
      if (at) positions[id] = { x: at.x, y: at.y + shift };
    }
  }
  return positions;
}
