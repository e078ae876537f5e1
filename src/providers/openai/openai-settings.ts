/** What people read of OpenAI itself. */
export const vendorName = "OpenAI";

/** What errors call another server, where only its own people know its name. */
export const compatibleServer = "the OpenAI-compatible server";

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
