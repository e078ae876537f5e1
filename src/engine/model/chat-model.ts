import type { JsonObject, JsonSchema } from "../json.ts";
import type { RunErrorData } from "../errors.ts";
import type { AssistantMessage, Message } from "./message.ts";

/** Tokens of one model call. `inputTokens` includes the cached ones, `outputTokens` the reasoning ones. */
export interface Usage {
  inputTokens: number;
  outputTokens: number;
  cachedInputTokens?: number;
  reasoningTokens?: number;
}

/** A tool's definition for the model. */
export interface ToolDefinition {
  name: string;
  description: string;
  parameters: JsonSchema;
}

/**
 * Whether the model may, must or must not call tools. With `none` the tools are still named, since a model's signed thoughts hold
 * only for the tools that it had when it thought.
 */
export type ToolChoice = "auto" | "required" | "none";

/** Plain text, or JSON; with a schema where the model has to keep to one. */
export type ResponseFormat = { type: "text" } | { type: "json"; schema?: JsonSchema };

/** One model call. Temperature and the like belong to the model node and are already inside the ChatModel. */
export interface ModelRequest {
  messages: Message[];
  tools: ToolDefinition[];
  toolChoice: ToolChoice;
  responseFormat: ResponseFormat;
  /**
   * The longest answer in tokens, thinking included: what a spending limit has booked for a model whose settings have no limit.
   * The vendor is told.
   */
  maxOutputTokens?: number | undefined;
  signal: AbortSignal;
}

/**
 * Why a model ended its answer; the vendor's own reason is kept beside it. `pause`: it has to be called again to
 * continue the turn. `other`: not a normal end, so the answer may be incomplete.
 */
export type FinishReason = "stop" | "tool-calls" | "length" | "content-filter" | "pause" | "other";

/**
 * What a model call streams. Exactly one `finish` or `error` comes last.
 * An `error` after deltas means that the stream was cut; the text so far has already been delivered.
 */
export type ModelEvent =
  | { type: "text-delta"; text: string }
  | { type: "reasoning-delta"; text: string }
  | { type: "warning"; message: string; hint: string }
  /** What happens before the answer, such as a download; a line of the log. */
  | { type: "progress"; message: string }
  | {
      type: "finish";
      message: AssistantMessage;
      finishReason: FinishReason;
      /** The vendor's own reason. */
      rawFinishReason?: string;
      usage?: Usage;
    }
  | { type: "error"; error: RunErrorData };

/** Kinds of files that models read: documents in PDF, recordings in WAV or MP3. */
export type FileKind = "pdf" | "audio";

/** What a model can do; using what it lacks is a warning or an error. */
export interface ModelCapabilities {
  tools: boolean;
  vision: boolean;
  /** Kinds of files that it reads; none where absent. */
  files?: readonly FileKind[];
  streaming: boolean;
  json: boolean;
  reasoning: boolean;
}

/** US dollars per million tokens. Cached input costs as other input when `cachedInput` is absent. */
export interface ModelPrice {
  input: number;
  output: number;
  cachedInput?: number;
  /** Prices of a call whose input is longer than `aboveTokens`. */
  long?: { aboveTokens: number; input: number; output: number; cachedInput?: number };
}

/** How long an answer may be in tokens, thinking included. */
export interface AnswerTokens {
  /** What the settings say; null where they set no limit. */
  set: number | null;
  /** The vendor refuses a lower limit; 16 where absent. */
  min?: number;
  /** What the model writes at most; its vendor's documented limit where absent. */
  max?: number;
}

/** A configured chat model. `stream` never throws once started: failures are a last `error` event. */
export interface ChatModel {
  provider: string;
  /** The list that tells its price and limits (`findModel`), where that is not its provider's. */
  catalog?: string;
  modelId: string;
  capabilities: ModelCapabilities;
  /** Settings as shown in the log (temperature and so on); no secrets. */
  settings: JsonObject;
  /** The user's own price, or one that the provider knows; if absent, the price list applies. */
  price?: ModelPrice;
  /** Absent where the settings set no limit and nothing else is known. */
  answerTokens?: AnswerTokens;
  /** What its vendor charges for beside tokens, in the plural; no spending limit counts it. */
  uncounted?: string;
  stream(request: ModelRequest): AsyncIterable<ModelEvent>;
}
