import type { EdgeRecord } from "../../engine/document/workflow-document.ts";
import type { Point } from "../editor/canvas-store.ts";
import type { Size } from "./node-box.ts";
import { snap } from "./place-node.ts";

/** A flow no longer than this, in canvas pixels, stays one line: about a dozen cards. */
const longestLine = 4_000;
/** How much wider than high a wrapped flow should be. */
const shape = 1.8;
/** Between two rows, in canvas pixels; the wire that joins them passes there. */
const rowGap = 120;

/** A node of the flow with what stands around it; the places are relative to its upper left corner. */
interface Block extends Size {
  nodes: readonly (Point & { id: string })[];
}

/** Blocks that stand above each other: everything of the flow between two cuts from top to bottom. */
interface Column {
  left: number;
  right: number;
  top: number;
  bottom: number;
  heads: string[];
}

function columnsOf(positions: Record<string, Point>, blocks: ReadonlyMap<string, Block>): Column[] {
  const boxes = [...blocks].flatMap(([id, block]): Column[] => {
    const at = positions[id];
    const own = block.nodes[0];
    if (at === undefined || own === undefined) return [];
    const [left, top] = [at.x - own.x, at.y - own.y];
    return [{ left, top, right: left + block.width, bottom: top + block.height, heads: [id] }];
  });
  const columns: Column[] = [];
  for (const box of boxes.toSorted((a, b) => a.left - b.left)) {
    const last = columns.at(-1);
    if (last === undefined || box.left >= last.right) columns.push(box);
    else {
      last.right = Math.max(last.right, box.right);
      last.top = Math.min(last.top, box.top);
      last.bottom = Math.max(last.bottom, box.bottom);
      last.heads.push(...box.heads);
    }
  }
  return columns;
}

/** Where the flow may go on in the next row: before a column into which only one wire leads from all those before it. */
function cutsOf(columns: readonly Column[], flow: readonly EdgeRecord[]): boolean[] {
  const columnOf = new Map(columns.flatMap(({ heads }, index) => heads.map((id) => [id, index] as const)));
  const crossing = Array.from(columns, () => 0);
  for (const { from, to } of flow) {
    const ends = [columnOf.get(from.node) ?? 0, columnOf.get(to.node) ?? 0];
    for (let index = Math.min(...ends) + 1; index <= Math.max(...ends); index += 1) {
      crossing[index] = (crossing[index] ?? 0) + 1;
    }
  }
  return crossing.map((count) => count <= 1);
}

/** Breaks a flow that would be a very long line into rows, read like text. */
export function wrapRows(
  positions: Record<string, Point>,
  blocks: ReadonlyMap<string, Block>,
  flow: readonly EdgeRecord[],
): Record<string, Point> {
  const columns = columnsOf(positions, blocks);
  const [first, last] = [columns[0], columns.at(-1)];
  if (first === undefined || last === undefined || last.right - first.left <= longestLine) return positions;
  const length = last.right - first.left;
  const height = Math.max(...columns.map(({ bottom }) => bottom)) - Math.min(...columns.map(({ top }) => top)) + rowGap;
  const rowWidth = length / Math.max(1, Math.round(Math.sqrt(length / height / shape)));
  const cuts = cutsOf(columns, flow);
  const rows: Column[][] = [];
  for (const [index, column] of columns.entries()) {
    const row = rows.at(-1);
    const due = Math.floor((column.left - first.left) / rowWidth);
    if (row === undefined || (cuts[index] === true && due >= rows.length)) rows.push([column]);
    else row.push(column);
  }
  const wrapped = { ...positions };
  let top = 0;
  for (const row of rows) {
    const left = row[0]?.left ?? 0;
    const by = { x: first.left - left, y: top - Math.min(...row.map((column) => column.top)) };
    for (const head of row.flatMap(({ heads }) => heads)) {
      for (const { id } of blocks.get(head)?.nodes ?? []) {
        const at = positions[id];
        if (at !== undefined) wrapped[id] = snap({ x: at.x + by.x, y: at.y + by.y });
      }
    }
    top += Math.max(...row.map(({ bottom }) => bottom)) - Math.min(...row.map((column) => column.top)) + rowGap;
  }
  return wrapped;
}
