import type { JsonObject } from "../../engine/json.ts";

export const thinkingLevels = ["default", "minimal", "low", "medium", "high"] as const;
export const safetyThresholds = ["default", "off", "none", "only-high", "medium-and-above", "low-and-above"] as const;
export type SafetyThreshold = (typeof safetyThresholds)[number];

/** A Gemini call's settings. `thinkingBudget` -1 leaves it to the model; `topK` 0 is off; "default" is the vendor's. */
export interface GeminiSettings {
  model: string;
  temperature: number;
  maxTokens: number;
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
}

export const geminiDefaults = { temperature: 0.7, maxTokens: 1000, topP: 1, topK: 0, thinkingBudget: -1 };

/** Settings as the log shows them: those that differ from "not set". */
export function loggedSettings(settings: GeminiSettings): JsonObject {
  const { harassment, hateSpeech, sexuallyExplicit, dangerousContent } = settings;
  const safety = Object.entries({ harassment, hateSpeech, sexuallyExplicit, dangerousContent });
  return {
    temperature: settings.temperature,
    maxTokens: settings.maxTokens,
    ...(settings.topP !== 1 ? { topP: settings.topP } : {}),
    ...(settings.topK !== 0 ? { topK: settings.topK } : {}),
    ...(settings.seed !== undefined ? { seed: settings.seed } : {}),
    ...(settings.stop.length > 0 ? { stop: settings.stop } : {}),
    ...(settings.jsonMode ? { jsonMode: true } : {}),
    ...(settings.thinkingBudget >= 0 ? { thinkingBudget: settings.thinkingBudget } : {}),
    ...(settings.thinkingLevel !== "default" ? { thinkingLevel: settings.thinkingLevel } : {}),
    ...Object.fromEntries(safety.filter(([, threshold]) => threshold !== "default")),
  };
}
