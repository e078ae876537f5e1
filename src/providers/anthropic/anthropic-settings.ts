/** What people read of the vendor. */
export const vendorName = "Anthropic";

export const efforts = ["default", "low", "medium", "high", "xhigh", "max"] as const;
export const cacheDurations = ["5m", "1h"] as const;
type Effort = (typeof efforts)[number];

/** A Claude call's settings; `topK` and `thinkingBudget` 0 are off, `effort` "default" leaves it to the model. */
export interface AnthropicSettings {
  model: string;
  temperature: number;
  /** Null: what the model allows, since the API wants a number. */
  maxTokens: number | null;
  topP: number;
  topK: number;
  stop: string[];
  thinkingBudget: number;
  effort: Effort;
  webSearch: boolean;
  promptCaching: boolean;
  parallelToolCalls: boolean;
  cacheDuration: (typeof cacheDurations)[number];
}

/** What a fresh node has: leaving one of these out for a model that refuses it is no surprise and needs no warning. */
export const anthropicDefaults = { temperature: 0.7, topP: 1, topK: 0, thinkingBudget: 0 };
