import type { Guides, Point } from "../editor/canvas-store.ts";
import type { Box } from "./node-box.ts";

/** What dragged cards may come level with: every line of the cards that stay. */
interface Line {
  at: number;
  /** The extent of the card along the line. */
  from: number;
  to: number;
}

export interface GuideLines {
  x: readonly Line[];
  y: readonly Line[];
}

/** The left, middle and right of each box, and the top, middle and bottom. */
export function guideLines(boxes: readonly Box[]): GuideLines {
  return {
    x: boxes.flatMap(({ x, y, width, height }) =>
      [x, x + width / 2, x + width].map((at) => ({ at, from: y, to: y + height })),
    ),
    y: boxes.flatMap(({ x, y, width, height }) =>
      [y, y + height / 2, y + height].map((at) => ({ at, from: x, to: x + width })),
    ),
  };
}

function nearest(lines: readonly Line[], marks: readonly number[], reach: number): { by: number; line: Line } | null {
  let best: { by: number; line: Line } | null = null;
  for (const line of lines) {
    for (const mark of marks) {
      const by = line.at - mark;
      if (Math.abs(by) <= reach && (best === null || Math.abs(by) < Math.abs(best.by))) best = { by, line };
    }
  }
  return best;
}

/** How far a dragged box still has to go to be level with something within `reach` pixels, and the lines to show. */
export function snapToGuides(box: Box, lines: GuideLines, reach: number): { by: Point; guides: Guides | null } {
  const x = nearest(lines.x, [box.x, box.x + box.width / 2, box.x + box.width], reach);
  const y = nearest(lines.y, [box.y, box.y + box.height / 2, box.y + box.height], reach);
  const by = { x: x?.by ?? 0, y: y?.by ?? 0 };
  if (x === null && y === null) return { by, guides: null };
  const top = box.y + by.y;
  const left = box.x + by.x;
  const guides: Guides = {};
  if (x !== null) {
    guides.x = { at: x.line.at, from: Math.min(x.line.from, top), to: Math.max(x.line.to, top + box.height) };
  }
  if (y !== null) {
    guides.y = { at: y.line.at, from: Math.min(y.line.from, left), to: Math.max(y.line.to, left + box.width) };
  }
  return { by, guides };
}
