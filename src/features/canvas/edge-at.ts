import type { Point } from "../../state/editor/canvas-store.ts";

/** The edge at a point of the browser window, under whatever lies over it, that `fits`; null when there is none. */
export function edgeAt({ x, y }: Point, fits: (edgeId: string) => boolean): string | null {
  for (const element of document.elementsFromPoint(x, y)) {
    const id = element.closest(".react-flow__edge")?.getAttribute("data-id");
    if (id !== null && id !== undefined && fits(id)) return id;
  }
  return null;
}
