/** What a line stands for. */
export type SketchKind = "main" | "model" | "memory" | "tool";

/** What a card is for. Frames lie under everything else. */
export type SketchRole = SketchKind | "agent" | "note" | "frame";

/** How a node or a line differs from another version. Told apart by sign and line, not by colour alone. */
export type SketchMark = "added" | "removed" | "changed" | "moved";

export interface SketchNode {
  id: string;
  x: number;
  y: number;
  role: SketchRole;
  /** Of a note or a frame; cards have the size of a card. */
  size?: { width: number; height: number };
  title: string;
  /** Of a card. */
  icon?: string;
  mark?: SketchMark;
}

/** A graph reduced to cards and lines, in canvas pixels. */
export interface Sketch {
  nodes: SketchNode[];
  edges: { from: string; to: string; kind: SketchKind; mark?: "added" | "removed" }[];
}

/** When the nodes of a picture's run work, by their ids: from a step until another. */
export type RunSpans = Readonly<Record<string, readonly (readonly [at: number, until: number])[]>>;

export const sketchCard = { width: 232, height: 64 };
export const sketchColours: Record<SketchRole, string> = {
  agent: "var(--color-accent)",
  main: "var(--color-role-main)",
  model: "var(--color-role-model)",
  memory: "var(--color-role-memory)",
  tool: "var(--color-role-tool)",
  note: "var(--color-warning-soft)",
  frame: "var(--color-line)",
};

/** Behind the icon of a card. */
export const tileColours: Record<Exclude<SketchRole, "note" | "frame">, string> = {
  agent: "var(--color-accent-soft)",
  main: "var(--color-role-main-soft)",
  model: "var(--color-role-model-soft)",
  memory: "var(--color-role-memory-soft)",
  tool: "var(--color-role-tool-soft)",
};

export const markColours: Record<SketchMark, string> = {
  added: "var(--color-success)",
  removed: "var(--color-danger)",
  changed: "var(--color-warning)",
  moved: "var(--color-role-memory)",
};
