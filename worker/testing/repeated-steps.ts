import type { RunEvent } from "../../src/engine/run/events.ts";
import type { StepServers } from "./step-servers.ts";

/** Calls that were made although the log held their answer already: what must never be. */
export function repeatedSteps(
  events: readonly RunEvent[],
  run: string,
  { modelHits, toolHits }: Pick<StepServers, "modelHits" | "toolHits">,
): string[] {
  const toolEnds = events.filter((event) => event.type === "tool-call-end").map(({ at }) => at);
  const modelEnds = events
    .filter((event) => event.type === "model-response" && event.finishReason !== "cancelled" && !event.error)
    .map(({ at }) => at);
  const late = (kind: string, ends: readonly number[], hits: typeof toolHits) =>
    hits
      .filter((hit) => hit.run === run && hit.at > (ends[hit.step] ?? Infinity))
      .map(({ step }) => `${kind} ${step} of ${run}`);
  return [...late("tool call", toolEnds, toolHits), ...late("model call", modelEnds, modelHits)];
}
