import type { z } from "zod/mini";
import type { NodeIcon } from "../document/node-icon.ts";
import type { Reach } from "../document/reach.ts";
import type { Host } from "../host.ts";
import type { JsonObject } from "../json.ts";
import type { ChatModel, FileKind } from "./chat-model.ts";
import type { Transcript, TranscriptionRequest } from "./transcription.ts";

/** One model as a vendor lists it. */
export interface ModelListing {
  id: string;
  title?: string;
  /** The vendor says that it is gone or going. */
  retired?: boolean;
}

/** What a provider needs to talk to its vendor. */
export interface ProviderContext {
  host: Host;
  /** Id of the stored credential; empty when the provider needs none. */
  credential: string;
  /** Milliseconds for `now`, ids and retries come from the host; nothing here keeps state. */
  nodeId: string;
}

/** Texts to turn into vectors, in one request. */
export interface EmbeddingRequest {
  model: string;
  texts: readonly string[];
  signal: AbortSignal;
  /** Called with the input tokens as the vendor counted them; not called where it does not tell. */
  onTokens?(count: number): void;
}

/** A vendor's embeddings. */
export interface EmbeddingProvider {
  suggestedModels: readonly string[];
  /** Those of its server, the likeliest first; absent where the vendor's are known. Rejects with a RunError. */
  listModels?(context: ProviderContext, signal: AbortSignal): Promise<string[]>;
  /** One vector per text, in order, all of one length. Rejects with a RunError. */
  embed(request: EmbeddingRequest, context: ProviderContext): Promise<number[][]>;
}

/** Who makes vectors: a model provider, or something that does nothing else. */
export interface EmbeddingProviderDefinition extends Pick<ProviderDefinition, "id" | "title" | "credentialTypes"> {
  embeddings: EmbeddingProvider;
}

/** A vendor's transcription. */
export interface TranscriptionProvider {
  suggestedModels: readonly string[];
  /** US dollars per minute by model, as the vendor's price page has them. */
  perMinuteUsd: Readonly<Record<string, number>>;
  /** Rejects with a RunError. */
  transcribe(request: TranscriptionRequest, context: ProviderContext): Promise<Transcript>;
}

/** A model vendor: config, model list and ChatModel. `modelNode(provider)` makes the node of it. */
export interface ProviderDefinition<Config extends z.ZodMiniObject = z.ZodMiniObject> {
  id: string;
  /** Stored name of the node type, such as `openai-model`. */
  nodeType: string;
  title: string;
  summary: string;
  /** What else people call it, for searches. */
  keywords: readonly string[];
  icon: NodeIcon;
  /** Credential types that fit; empty when none is needed. */
  credentialTypes: readonly string[];
  /** Settings besides `credential` and `model`, which `modelNode` adds. */
  config: Config;
  /** Who answers: a server or the browser (`to: "model"`), or nobody outside (`nowhere`). */
  reach: readonly Extract<Reach, { to: "model" }>[];
  /** Default and suggestions for the model field; the live list comes from `listModels`. */
  suggestedModels: readonly string[];
  /** The list of known models (`findModel`) that fits these settings, where that is not the provider's own. */
  catalogOf?(config: JsonObject): string;
  /** The vendor's own list, live. Rejects with a RunError. */
  listModels(context: ProviderContext, signal: AbortSignal): Promise<ModelListing[]>;
  /** Whether a model takes images. Absent: taken for able, as a name that nobody knows. */
  canSee?(model: string): boolean;
  /** The kinds of files that a model reads; none where absent. */
  filesOf?(model: string): readonly FileKind[];
  /** Where the vendor has embeddings. */
  embeddings?: EmbeddingProvider;
  /** Where the vendor writes down recordings. */
  transcription?: TranscriptionProvider;
  /** Throws a RunError for settings that cannot work. The vendor's code is loaded with the model's first call. */
  create(config: z.infer<Config> & { model: string }, context: ProviderContext): ChatModel;
  /** One muted line for the card. */
  describe?(config: JsonObject): string;
}

/** Ties the types of a provider together: what `create` is given follows from `config`. */
export function defineProvider<Config extends z.ZodMiniObject>(
  definition: ProviderDefinition<Config>,
): ProviderDefinition<Config> {
  return definition;
}
