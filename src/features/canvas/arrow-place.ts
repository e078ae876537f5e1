import type { EdgeFlow } from "../../engine/run/run-state.ts";
import type { Point } from "../../state/editor/canvas-store.ts";
import { middleOfRoute } from "./route-around.ts";

/** An SVG transform that puts an arrow onto the middle of a cubic Bézier path (`M x,y C x,y x,y x,y`), along its flow. */
export function arrowPlace(path: string, flow: EdgeFlow): string {
  const [x0 = 0, y0 = 0, x1 = 0, y1 = 0, x2 = 0, y2 = 0, x3 = 0, y3 = 0] = (
    path.match(/-?\d+(?:\.\d+)?(?:e-?\d+)?/g) ?? []
  ).map(Number);
  // Point and tangent of the curve at one half.
  const x = (x0 + 3 * x1 + 3 * x2 + x3) / 8;
  const y = (y0 + 3 * y1 + 3 * y2 + y3) / 8;
  const degrees = (Math.atan2(y3 + y2 - y1 - y0, x3 + x2 - x1 - x0) * 180) / Math.PI;
  return `translate(${x} ${y}) rotate(${flow === "forward" ? degrees : degrees + 180})`;
}

/** As `arrowPlace`, on a wire that goes round cards. */
export function arrowOnRoute(route: readonly Point[], flow: EdgeFlow): string {
  const { x, y, degrees } = middleOfRoute(route);
  return `translate(${x} ${y}) rotate(${flow === "forward" ? degrees : degrees + 180})`;
}
