import type { Usage } from "./chat-model.ts";

/** What one embedding request took. */
export interface EmbeddingUse {
  provider: string;
  model: string;
  /** How many texts were turned into vectors. */
  texts: number;
  /** Input tokens as the vendor counted them, else as estimated; there is no output. */
  usage: Usage;
  /** The vendor did not count. */
  estimated: boolean;
  /** US dollars; null when the model's price is not known. */
  costUsd: number | null;
  /** Milliseconds. */
  durationMs: number;
}
