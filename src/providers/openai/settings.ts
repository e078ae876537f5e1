import type { JsonObject } from "../../engine/json.ts";

/** The settings that both OpenAI APIs are driven by; `effort` "default" leaves it to the model. */
export interface OpenaiSettings {
  model: string;
  temperature: number;
  /** Null leaves it to the model. */
  maxTokens: number | null;
  topP: number;
  frequencyPenalty: number;
  presencePenalty: number;
  seed?: number;
  stop: string[];
  reasoningEffort: ReasoningEffort;
  jsonMode: boolean;
  parallelToolCalls: boolean;
  /** What only OpenAI itself has. */
  own?: OwnSettings;
}

/** Settings of OpenAI's own models; "default" leaves it to the vendor. */
export interface OwnSettings {
  verbosity: (typeof verbosities)[number];
  serviceTier: (typeof serviceTiers)[number];
  webSearch: boolean;
}

export const verbosities = ["default", "low", "medium", "high"] as const;
export const serviceTiers = ["default", "flex", "priority"] as const;

export const reasoningEfforts = ["default", "none", "minimal", "low", "medium", "high", "xhigh"] as const;
type ReasoningEffort = (typeof reasoningEfforts)[number];

/** What a fresh node has: leaving one of these out for a model that refuses it is no surprise and needs no warning. */
export const openaiDefaults = { temperature: 0.7, topP: 1, frequencyPenalty: 0, presencePenalty: 0 };

/** Settings as the log shows them: those that differ from "not set". */
export function loggedSettings(settings: OpenaiSettings): JsonObject {
  const { own } = settings;
  return {
    temperature: settings.temperature,
    ...(settings.maxTokens !== null ? { maxTokens: settings.maxTokens } : {}),
    ...(settings.topP !== openaiDefaults.topP ? { topP: settings.topP } : {}),
    ...(settings.frequencyPenalty !== 0 ? { frequencyPenalty: settings.frequencyPenalty } : {}),
    ...(settings.presencePenalty !== 0 ? { presencePenalty: settings.presencePenalty } : {}),
    ...(settings.seed !== undefined ? { seed: settings.seed } : {}),
    ...(settings.stop.length > 0 ? { stop: settings.stop } : {}),
    ...(settings.reasoningEffort !== "default" ? { reasoningEffort: settings.reasoningEffort } : {}),
    ...(settings.jsonMode ? { jsonMode: true } : {}),
    ...(settings.parallelToolCalls ? {} : { parallelToolCalls: false }),
    ...(own && own.verbosity !== "default" ? { verbosity: own.verbosity } : {}),
    ...(own && own.serviceTier !== "default" ? { serviceTier: own.serviceTier } : {}),
    ...(own?.webSearch ? { webSearch: true } : {}),
  };
}
