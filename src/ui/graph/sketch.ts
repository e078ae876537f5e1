/** What a line stands for, and a card by what it serves. */
export type SketchKind = "main" | "model" | "memory" | "tool";

/** Frames lie under everything else. */
export type SketchRole = SketchKind | "note" | "frame";

/** How a node or a line differs from another version. Told apart by sign and line, not by colour alone. */
export type SketchMark = "added" | "removed" | "changed" | "moved";

export interface SketchNode {
  id: string;
  x: number;
  y: number;
  role: SketchRole;
  /** Of a note or a frame; cards have the size of a card. */
  size?: { width: number; height: number };
  /** Written on the card; bars stand for it when absent. */
  title?: string;
  mark?: SketchMark;
}

/** A graph reduced to boxes and lines, in canvas pixels. */
export interface Sketch {
  nodes: SketchNode[];
  edges: { from: string; to: string; kind: SketchKind; mark?: "added" | "removed" }[];
}

export const sketchCard = { width: 232, height: 64 };
export const sketchColours: Record<SketchRole, string> = {
  main: "var(--color-role-main)",
  model: "var(--color-role-model)",
  memory: "var(--color-role-memory)",
  tool: "var(--color-role-tool)",
  note: "var(--color-warning-soft)",
  frame: "var(--color-line)",
};

export const markColours: Record<SketchMark, string> = {
  added: "var(--color-success)",
  removed: "var(--color-danger)",
  changed: "var(--color-warning)",
  moved: "var(--color-role-memory)",
};
