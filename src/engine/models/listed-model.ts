/** What is known of a model. Prices are US dollars per million tokens; what is not known is absent. */
export interface ListedModel {
  input?: number;
  output?: number;
  /** Input that the vendor has cached. */
  cached?: number;
  /** Prices of a call whose input is longer than `above` tokens. */
  long?: [above: number, input: number, output: number, cached: number];
  /** The longest input in tokens; where a vendor only tells the whole context, that. */
  inputTokens?: number;
  /** The longest answer in tokens, thinking included. */
  outputTokens?: number;
  /** A day or a month, such as `2026-10-26` or `2026-10`. */
  released?: string;
  family?: string;
  /** What it reads besides text. */
  reads?: ("image" | "pdf" | "audio")[];
  tools?: boolean;
  /** The vendor advises against it. */
  deprecated?: boolean;
  /** The day from which it answers no more. */
  retires?: string;
}

/** Models by name. */
export type ModelList = Readonly<Record<string, ListedModel>>;
