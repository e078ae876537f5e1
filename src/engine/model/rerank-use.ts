import type { Usage } from "./chat-model.ts";

/** What one request took that put passages into a better order. */
export interface RerankUse {
  /** Whose interface it is. */
  provider: string;
  model: string;
  /** How many texts were compared with the query. */
  texts: number;
  /** Input tokens as the server counted them, else as estimated; there is no output. */
  usage: Usage;
  /** The server did not count tokens. */
  estimated: boolean;
  /** US dollars; null when the price is not known. */
  costUsd: number | null;
  /** Milliseconds. */
  durationMs: number;
}
