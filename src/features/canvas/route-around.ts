import type { PortSide } from "../../engine/document/ports.ts";
import type { Point } from "../../state/editor/canvas-store.ts";
import type { Box } from "../../state/editing/node-box.ts";

/** Where a wire ends, and the side of its card that it leaves from. */
export interface WireEnd extends Point {
  side: PortSide;
}

/** Canvas pixels. */
const stub = 16;
const clearance = 12;
const cornerRadius = 10;
/** What a corner costs, as a detour of so many pixels. */
const cornerCost = 60;

const ways = [
  { x: 1, y: 0 },
  { x: 0, y: 1 },
  { x: -1, y: 0 },
  { x: 0, y: -1 },
] as const;

const wayOf: Record<PortSide, number> = { right: 0, bottom: 1, left: 2, top: 3 };

export const grown = ({ x, y, width, height }: Box, by: number): Box => ({
  x: x - by,
  y: y - by,
  width: width + 2 * by,
  height: height + 2 * by,
});

export const overlap = (a: Box, b: Box): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

/** The box between two points; flat for a level line, so that it only overlaps what the line goes through. */
const between = (a: Point, b: Point): Box => ({
  x: Math.min(a.x, b.x),
  y: Math.min(a.y, b.y),
  width: Math.abs(a.x - b.x),
  height: Math.abs(a.y - b.y),
});

/** Whether a line of level and upright parts goes through a box. */
export function crosses(points: readonly Point[], box: Box): boolean {
  return points.some((point, index) => {
    const next = points[index + 1];
    return next !== undefined && overlap(between(point, next), box);
  });
}

const sorted = (values: number[]): number[] => [...new Set(values)].toSorted((a, b) => a - b);

const away = ({ x, y, side }: WireEnd, by: number): Point => {
  const way = ways[wayOf[side]] ?? ways[0];
  return { x: x + way.x * by, y: y + way.y * by };
};

/** Where a search has come to: a crossing of the lanes beside the boxes, and the way it came. */
interface Step {
  column: number;
  row: number;
  way: number;
  cost: number;
  from: Step | null;
}

/**
 * The shortest line of few corners from one end to the other along the lanes beside the boxes, through none of them (Dijkstra
 * over the crossings). Null where there is no way.
 */
export function routeAround(source: WireEnd, target: WireEnd, boxes: readonly Box[]): Point[] | null {
  const walls = boxes.map((box) => grown(box, clearance - 1));
  const [start, end] = [away(source, stub), away(target, stub)];
  const lanes = boxes.map((box) => grown(box, clearance));
  const columns = sorted([start.x, end.x, ...lanes.flatMap(({ x, width }) => [x, x + width])]);
  const rows = sorted([start.y, end.y, ...lanes.flatMap(({ y, height }) => [y, y + height])]);
  const at = (step: Pick<Step, "column" | "row">): Point => ({ x: columns[step.column] ?? 0, y: rows[step.row] ?? 0 });
  const isFree = (a: Point, b: Point) => !walls.some((wall) => overlap(between(a, b), wall));
  const goal = { column: columns.indexOf(end.x), row: rows.indexOf(end.y) };
  const lastWay = (wayOf[target.side] + 2) % 4;

  const open: Step[] = [
    { column: columns.indexOf(start.x), row: rows.indexOf(start.y), way: wayOf[source.side], cost: 0, from: null },
  ];
  const done = new Set<number>();
  while (open.length > 0) {
    const step = open.pop();
    if (step === undefined) break;
    const key = (step.row * columns.length + step.column) * 4 + step.way;
    if (done.has(key)) continue;
    done.add(key);
    if (step.column === goal.column && step.row === goal.row && step.way === lastWay) {
      return straightened([target, ...pathTo(step, at), source].toReversed());
    }
    for (const [way, { x, y }] of ways.entries()) {
      const turn = (way - step.way + 4) % 4;
      // A wire does not turn back on itself.
      if (turn === 2) continue;
      if (turn !== 0 && done.has(key - step.way + way)) continue;
      const next = turn === 0 ? { column: step.column + x, row: step.row + y } : step;
      const [here, there] = [at(step), at(next)];
      const isOutside = columns[next.column] === undefined || rows[next.row] === undefined;
      if (isOutside || (turn === 0 && !isFree(here, there))) continue;
      const length = Math.abs(here.x - there.x) + Math.abs(here.y - there.y);
      const cost = step.cost + (turn === 0 ? length : cornerCost);
      insert(open, { column: next.column, row: next.row, way, cost, from: step });
    }
  }
  return null;
}

/** Keeps the cheapest step last. */
function insert(open: Step[], step: Step): void {
  let [low, high] = [0, open.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((open[middle]?.cost ?? 0) > step.cost) low = middle + 1;
    else high = middle;
  }
  open.splice(low, 0, step);
}

/** From the last point back to the first. */
function pathTo(last: Step, at: (step: Step) => Point): Point[] {
  const points: Point[] = [];
  for (let step: Step | null = last; step !== null; step = step.from) points.push(at(step));
  return points;
}

/** Without the points between which the line goes straight on. */
function straightened(points: readonly Point[]): Point[] {
  const kept: Point[] = [];
  for (const { x, y } of points) {
    const [before, last] = kept.slice(-2);
    const isOn =
      last !== undefined &&
      before !== undefined &&
      ((before.x === last.x && last.x === x) || (before.y === last.y && last.y === y));
    if (isOn) kept.pop();
    const newest = kept.at(-1);
    if (newest?.x !== x || newest.y !== y) kept.push({ x, y });
  }
  return kept;
}

/** An SVG path along the points, with round corners. */
export function roundedPath(points: readonly Point[]): string {
  const [first, ...rest] = points;
  if (first === undefined) return "";
  const parts = rest.map((corner, index) => {
    const before = points[index] ?? corner;
    const after = rest[index + 1];
    if (after === undefined) return `L${corner.x},${corner.y}`;
    const [into, out] = [lengthOf(before, corner), lengthOf(corner, after)];
    const radius = Math.min(cornerRadius, into / 2, out / 2);
    const from = along(corner, before, radius / (into || 1));
    const to = along(corner, after, radius / (out || 1));
    return `L${from.x},${from.y}Q${corner.x},${corner.y} ${to.x},${to.y}`;
  });
  return `M${first.x},${first.y}${parts.join("")}`;
}

const lengthOf = (a: Point, b: Point): number => Math.hypot(a.x - b.x, a.y - b.y);

const along = (from: Point, to: Point, share: number): Point => ({
  x: from.x + (to.x - from.x) * share,
  y: from.y + (to.y - from.y) * share,
});

/** The middle of a line along the points, and its direction there in degrees. */
export function middleOfRoute(points: readonly Point[]): Point & { degrees: number } {
  const whole = points.reduce((sum, point, index) => sum + lengthOf(point, points[index + 1] ?? point), 0);
  let left = whole / 2;
  for (const [index, point] of points.entries()) {
    const next = points[index + 1];
    if (next === undefined) break;
    const length = lengthOf(point, next);
    if (length >= left && length > 0) {
      const degrees = (Math.atan2(next.y - point.y, next.x - point.x) * 180) / Math.PI;
      return { ...along(point, next, left / length), degrees };
    }
    left -= length;
  }
  return { x: points[0]?.x ?? 0, y: points[0]?.y ?? 0, degrees: 0 };
}
