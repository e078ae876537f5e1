/** What people read of the vendor. */
export const vendorName = "Gemini";

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
