import type { Point } from "../editor/canvas-store.ts";
import { type Box, middleOf } from "./node-box.ts";

export type Direction = "left" | "right" | "up" | "down";

const ways: Record<Direction, Point> = {
  left: { x: -1, y: 0 },
  right: { x: 1, y: 0 },
  up: { x: 0, y: -1 },
  down: { x: 0, y: 1 },
};

/** How much farther something counts that lies to the side of the way than something straight ahead. */
const sideways = 2.5;

/** The card that an arrow key leads to: the nearest one ahead, where straight ahead counts for more. */
export function neighbourOf<Card extends Box>(
  from: Box,
  cards: readonly Card[],
  direction: Direction,
): Card | undefined {
  const start = middleOf(from);
  const way = ways[direction];
  let best: { card: Card; cost: number } | undefined;
  for (const card of cards) {
    const middle = middleOf(card);
    const by = { x: middle.x - start.x, y: middle.y - start.y };
    const ahead = by.x * way.x + by.y * way.y;
    const aside = Math.abs(by.x * way.y) + Math.abs(by.y * way.x);
    if (ahead <= 1) continue;
    const cost = ahead + aside * sideways;
    if (best === undefined || cost < best.cost) best = { card, cost };
  }
  return best?.card;
}

/** Cards as one reads: from left to right, those of one column from top to bottom. */
export function inReadingOrder<Card extends Box>(cards: readonly Card[]): Card[] {
  return cards.toSorted((a, b) => a.x - b.x || a.y - b.y);
}
