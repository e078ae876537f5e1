import type { EventOf } from "../../engine/run/events.ts";

/** What is said where a call, or a step, was done again after a crash. */
export function repeatText({ toolName, again = 1 }: EventOf<"write-start">): string {
  const times = again === 1 ? "twice" : `${again + 1} times`;
  return toolName === undefined ? `May have been done ${times}` : `${toolName} may have been called ${times}`;
}
