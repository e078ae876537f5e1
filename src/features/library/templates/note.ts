import type { TemplateNode } from "./build-workflow.ts";

/** The note of a template: what it shows and what to try. It stands above the first node unless told otherwise. */
export function note(
  text: string,
  place: Partial<{ x: number; y: number; width: number; height: number }> = {},
): TemplateNode {
  const { x = 0, y = -224, width = 400, height = 168 } = place;
  return { type: "sticky-note", title: "Read me", at: [x, y], config: { text, tint: "yellow", width, height } };
}
