import type { Json, JsonObject } from "../../json.ts";
import type { AssistantMessage } from "../../model/message.ts";
import type { AgentFinish } from "../ending.ts";
import type { Progress } from "./progress.ts";
import type { AgentSettings } from "../settings.ts";

/** The `metadata` of the output (SPEC §3.2). */
export function metadataOf(progress: Progress, finish: AgentFinish, now: number): JsonObject {
  return {
    iterations: progress.iterations,
    rounds: progress.round,
    toolsUsed: [...progress.toolsUsed],
    finishReason: finish,
    usage: { ...progress.usage },
    costUsd: progress.costUsd,
    durationMs: now - progress.startedAt,
  };
}

/**
 * The agent's output (SPEC §3.2): response and metadata; the web pages (`sources`) and pictures (`images`, URLs) of the
 * answer where it has any; `full` adds tool calls, plan and reflections, `returnIntermediateSteps` adds every step.
 */
export function outputOf(
  settings: AgentSettings,
  progress: Progress,
  response: Json,
  finish: AgentFinish,
  now: number,
  said?: AssistantMessage,
): { response: Json; metadata: JsonObject } & JsonObject {
  const { plan, reflections, steps } = progress;
  const toolCalls = progress.toolCalls.map((call): JsonObject => ({ ...call }));
  const sources = (said?.sources ?? []).map((source): JsonObject => ({ ...source }));
  const images = (said?.parts ?? []).flatMap((part) => (part.type === "image" ? [part.url] : []));
  return {
    response,
    ...(sources.length > 0 ? { sources } : {}),
    ...(images.length > 0 ? { images } : {}),
    metadata: metadataOf(progress, finish, now),
    ...(settings.outputFormat === "full" ? { toolCalls, plan, reflections } : {}),
    ...(settings.returnIntermediateSteps ? { steps } : {}),
  };
}
