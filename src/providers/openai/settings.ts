import type { JsonObject } from "../../engine/json.ts";

/** The settings that both OpenAI APIs are driven by; `effort` "default" leaves it to the model. */
export interface OpenaiSettings {
  model: string;
  temperature: number;
  maxTokens: number;
  topP: number;
  frequencyPenalty: number;
  presencePenalty: number;
  seed?: number;
  stop: string[];
  reasoningEffort: ReasoningEffort;
  jsonMode: boolean;
}

export const reasoningEfforts = ["default", "none", "minimal", "low", "medium", "high", "xhigh"] as const;
type ReasoningEffort = (typeof reasoningEfforts)[number];

/** What a fresh node has: leaving one of these out for a model that refuses it is no surprise and needs no warning. */
export const openaiDefaults = { temperature: 0.7, maxTokens: 1000, topP: 1, frequencyPenalty: 0, presencePenalty: 0 };

/** Settings as the log shows them: those that differ from "not set". */
export function loggedSettings(settings: OpenaiSettings): JsonObject {
  return {
    temperature: settings.temperature,
    maxTokens: settings.maxTokens,
    ...(settings.topP !== openaiDefaults.topP ? { topP: settings.topP } : {}),
    ...(settings.frequencyPenalty !== 0 ? { frequencyPenalty: settings.frequencyPenalty } : {}),
    ...(settings.presencePenalty !== 0 ? { presencePenalty: settings.presencePenalty } : {}),
    ...(settings.seed !== undefined ? { seed: settings.seed } : {}),
    ...(settings.stop.length > 0 ? { stop: settings.stop } : {}),
    ...(settings.reasoningEffort !== "default" ? { reasoningEffort: settings.reasoningEffort } : {}),
    ...(settings.jsonMode ? { jsonMode: true } : {}),
  };
}
