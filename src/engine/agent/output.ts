import type { Json, JsonObject } from "../json.ts";
import type { AgentFinish } from "./ending.ts";
import { metadataOf, type Progress } from "./progress.ts";
import type { AgentSettings } from "./settings.ts";

/**
 * The agent's output (SPEC §3.2): response and metadata; `full` adds tool calls, plan and reflections,
 * `returnIntermediateSteps` adds every step.
 */
export function outputOf(
  settings: AgentSettings,
  progress: Progress,
  response: Json,
  finish: AgentFinish,
  now: number,
): { response: Json; metadata: JsonObject } & JsonObject {
  const { plan, reflections, steps } = progress;
  const toolCalls = progress.toolCalls.map((call): JsonObject => ({ ...call }));
  return {
    response,
    metadata: metadataOf(progress, finish, now),
    ...(settings.outputFormat === "full" ? { toolCalls, plan, reflections } : {}),
    ...(settings.returnIntermediateSteps ? { steps } : {}),
  };
}
