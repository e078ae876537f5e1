import type { JsonSchema } from "../json.ts";

/** What a browser says of the language model that is built into it; `missing` when it knows of no such thing. */
export type BrowserModelState = "missing" | "unavailable" | "downloadable" | "downloading" | "available";

/** One message as the browser's model takes it. A system message comes first and only once. */
export interface BrowserModelMessage {
  role: "system" | "user" | "assistant";
  content: string;
}

/** What a session depends on: a BCP 47 language tag, empty for none, and sampling, which not every page may choose. */
export interface BrowserModelSettings {
  language: string;
  temperature?: number;
  topK?: number;
}

/** How a session begins. */
export interface BrowserModelOpening extends BrowserModelSettings {
  /** The conversation before the prompt. */
  messages: BrowserModelMessage[];
  signal: AbortSignal;
  /** Called while the browser downloads the model, with the share (0–1) that is there. */
  onDownload(share: number): void;
}

/** A conversation with the browser's model. Rejections carry the names of the Prompt API, such as `NotAllowedError`. */
export interface BrowserModelSession {
  /** Tokens of the conversation so far, the last answer included; undefined where the browser does not count. */
  tokens(): number | undefined;
  /** Tokens that a prompt would add; undefined where the browser does not count. */
  measure(prompt: string): Promise<number | undefined>;
  /** The answer in pieces. `schema`: the answer is JSON that fits it. */
  prompt(prompt: string, options: { signal: AbortSignal; schema?: JsonSchema }): AsyncIterable<string>;
  /** Lets go of what the session holds. */
  close(): void;
}

/**
 * The language model of the browser that runs the studio (Prompt API, webmachinelearning.github.io/prompt-api). It works
 * on the device: nothing you say to it leaves the machine.
 */
export interface BrowserModel {
  /** Never rejects. */
  state(settings: BrowserModelSettings): Promise<BrowserModelState>;
  /** Whether this page may choose temperature and topK. */
  hasSampling: boolean;
  /** Downloads the model first where it is not there yet, which browsers allow only shortly after a click. */
  open(opening: BrowserModelOpening): Promise<BrowserModelSession>;
}
