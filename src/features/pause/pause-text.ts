import type { PauseRequest } from "../../engine/run/breakpoints.ts";

/** What a run is held before, as the beginning of a sentence. `title` names the node of the breakpoint. */
export function pauseText({ kind, toolName }: Pick<PauseRequest, "kind" | "toolName">, title: string): string {
  switch (kind) {
    case "node":
      return `Paused before ${title}`;
    case "model-call":
      return `Paused before a call to ${title}`;
    case "tool-call":
      return `Paused before the tool call ${toolName ?? title}`;
    default:
      return kind satisfies never;
  }
}

/** What the value that goes in is called. */
export function pausedInputLabel(kind: PauseRequest["kind"]): string {
  switch (kind) {
    case "node":
      return "Input";
    case "model-call":
      return "Messages";
    case "tool-call":
      return "Arguments";
    default:
      return kind satisfies never;
  }
}
