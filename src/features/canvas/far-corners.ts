import type { Box } from "../../state/editing/node-box.ts";

/**
 * An SVG path of a speck at each of two corners a view's size beyond it, to be drawn transparent: what is drawn between them
 * never takes more room than they do. Where the room that it takes changes, Chromium sorts all layers of the page anew.
 */
export function farCorners({ x, y, width, height }: Box): string {
  return `M${x - width} ${y - height}h1v1z M${x + 2 * width} ${y + 2 * height}h1v1z`;
}
