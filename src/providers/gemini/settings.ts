import type { JsonObject } from "../../engine/json.ts";

export const thinkingLevels = ["default", "minimal", "low", "medium", "high"] as const;
export const safetyThresholds = ["default", "off", "none", "only-high", "medium-and-above", "low-and-above"] as const;
export const geminiApis = ["auto", "interactions", "generate-content"] as const;
export type SafetyThreshold = (typeof safetyThresholds)[number];

/** A Gemini call's settings. `thinkingBudget` -1 leaves it to the model; `topK` 0 is off; "default" is the vendor's. */
export interface GeminiSettings {
  model: string;
  /** Null leaves it to the model, as Gemini 3 wants. */
  temperature: number | null;
  /** Null leaves it to the model. */
  maxTokens: number | null;
  topP: number;
  topK: number;
  seed?: number;
  stop: string[];
  jsonMode: boolean;
  thinkingBudget: number;
  thinkingLevel: (typeof thinkingLevels)[number];
  harassment: SafetyThreshold;
  hateSpeech: SafetyThreshold;
  sexuallyExplicit: SafetyThreshold;
  dangerousContent: SafetyThreshold;
  googleSearch: boolean;
  urlContext: boolean;
}

export const geminiDefaults = { topP: 1, topK: 0, thinkingBudget: -1 };

/** Settings as the log shows them: those that differ from "not set". */
export function loggedSettings(settings: GeminiSettings): JsonObject {
  const { harassment, hateSpeech, sexuallyExplicit, dangerousContent } = settings;
  const safety = Object.entries({ harassment, hateSpeech, sexuallyExplicit, dangerousContent });
  return {
    ...(settings.temperature !== null ? { temperature: settings.temperature } : {}),
    ...(settings.maxTokens !== null ? { maxTokens: settings.maxTokens } : {}),
    ...(settings.topP !== 1 ? { topP: settings.topP } : {}),
    ...(settings.topK !== 0 ? { topK: settings.topK } : {}),
    ...(settings.seed !== undefined ? { seed: settings.seed } : {}),
    ...(settings.stop.length > 0 ? { stop: settings.stop } : {}),
    ...(settings.googleSearch ? { googleSearch: true } : {}),
    ...(settings.urlContext ? { urlContext: true } : {}),
    ...(settings.jsonMode ? { jsonMode: true } : {}),
    ...(settings.thinkingBudget >= 0 ? { thinkingBudget: settings.thinkingBudget } : {}),
    ...(settings.thinkingLevel !== "default" ? { thinkingLevel: settings.thinkingLevel } : {}),
    ...Object.fromEntries(safety.filter(([, threshold]) => threshold !== "default")),
  };
}
