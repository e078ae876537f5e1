import { definitionOf, edgeKind } from "../../engine/document/can-connect.ts";
import type { NodeRegistry } from "../../engine/document/define-node.ts";
import type { PortSide } from "../../engine/document/ports.ts";
import type { EdgeRecord, WorkflowDocument } from "../../engine/document/workflow-document.ts";
import type { Point } from "../editor/canvas-store.ts";
import { layoutInWorker } from "./layout-in-worker.ts";
import { nodeSize } from "./node-box.ts";
import { cardWidth, nodeGeometry, type PortDirection } from "./node-geometry.ts";
import { snap } from "./place-node.ts";
import { wrapRows } from "./wrap-rows.ts";

/** Free space, in canvas pixels, between a card and its services. */
const serviceGap = { x: 40, y: 40 };

interface Placed extends Point {
  id: string;
}

/** A node with the services that stand around it, itself first; positions are relative to the block's upper left corner. */
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

const moved = (block: Block, by: Point): Placed[] =>
  block.nodes.map(({ id, x, y }) => ({ id, x: x + by.x, y: y + by.y }));

/** A service below its user, with the place that puts its port right under the one that it serves. */
interface Hanging {
  block: Block;
  x: number;
}

function portX(plan: Plan, id: string, direction: PortDirection, name: string): number {
  const definition = definitionOf(plan.registry, plan.document.nodes[id]?.type ?? "");
  const placed = nodeGeometry(definition).ports.find((port) => port.direction === direction && port.name === name);
  return placed?.x ?? cardWidth / 2;
}

/** Services below a node, each under its port where there is room, else side by side as near to that as possible. */
function hang(plan: Plan, id: string): Hanging[] {
  const hanging: Hanging[] = [];
  for (const edge of plan.services.get(id) ?? []) {
    const side = sideOf(plan, edge);
    if ((side !== "bottom" && side !== "top") || plan.placed.has(edge.from.node)) continue;
    plan.placed.add(edge.from.node);
    const block = blockOf(plan, edge.from.node);
    const own = (block.nodes[0]?.x ?? 0) + portX(plan, edge.from.node, "output", edge.from.port);
    hanging.push({ block, x: portX(plan, id, "input", edge.to.port) - own });
  }
  const wished = hanging.map(({ x }) => x);
  for (const [index, next] of hanging.entries()) {
    const last = hanging[index - 1];
    if (last !== undefined) next.x = Math.max(next.x, last.x + last.block.width + serviceGap.x);
  }
  const off = hanging.reduce((sum, { x }, index) => sum + x - (wished[index] ?? x), 0) / Math.max(1, hanging.length);
  return hanging.map(({ block, x }) => ({ block, x: x - off }));
}

/** The node on top, left services below to the left, right ones below to the right, the others under their ports between. */
function blockOf(plan: Plan, id: string): Block {
  const own = sizeOf(plan, id);
  const left = serviceBlocks(plan, id, "left");
  const right = serviceBlocks(plan, id, "right");
  const below = hang(plan, id);
  const leftWidth = left.length === 0 ? 0 : Math.max(...left.map(({ width }) => width)) + serviceGap.x;
  const rightWidth = right.length === 0 ? 0 : Math.max(...right.map(({ width }) => width)) + serviceGap.x;
  const start = Math.min(0, ...below.map(({ x }) => x));
  const end = Math.max(own.width, ...below.map(({ x, block }) => x + block.width));
  const under = own.height + serviceGap.y;
  const at = leftWidth - start;
  const nodes: Placed[] = [{ id, x: at, y: 0 }];
  let bottom = own.height;
  for (const { block, x } of below) {
    const y = under + serviceGap.y * 1.5;
    nodes.push(...moved(block, { x: at + x, y }));
    bottom = Math.max(bottom, y + block.height);
  }
  for (const [column, offset] of [
    [left, 0],
    [right, at + end + serviceGap.x],
  ] as const) {
    let y = under;
    for (const block of column) {
      nodes.push(...moved(block, { x: offset, y }));
      bottom = Math.max(bottom, y + block.height);
      y += block.height + serviceGap.y;
    }
  }
  return { width: at + end + rightWidth, height: bottom, nodes };
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
  return wrapRows(straighten(positions, blocks, flow), blocks, flow);
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
