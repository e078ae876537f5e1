import type { z } from "zod/mini";

/** A request that a vendor's model API has: nothing else passes the proxy. `path` begins behind the base URL. */
export interface PathRule {
  method: "GET" | "POST";
  path: RegExp;
}

/** The headers that carry an API key to an address. */
export type Authorize = (apiKey: string, url: URL) => Record<string, string>;

/** Tokens by the beginning of a model's name, such as what an embedding model takes per text; longer beginnings stand first. */
export type TokenLimits = readonly (readonly [name: string, tokens: number])[];

/** The fields that every credential for calls of models has. */
export type ModelCredentialFields = z.ZodMiniObject<{
  apiKey: z.ZodMiniType<string | undefined>;
  baseUrl: z.ZodMiniType<string | undefined>;
}>;

/**
 * Everything that Switchyard knows about a model vendor besides its wire format, which is `src/providers/<id>`. The
 * credential type, the proxy's rules, limits and exports derive from it; its models are in `engine/models`.
 */
export interface Vendor<Fields extends ModelCredentialFields = ModelCredentialFields> {
  title: string;
  /** The form of its credential; `apiKey` is the secret. */
  credentialFields: Fields;
  /** Where its API begins when the credential names no other address. */
  baseUrl: string | null;
  /** A version segment that clients put in the path; dropped when the base URL already ends with it. */
  versionSegment: string | null;
  paths: readonly PathRule[];
  /** A GET that costs nothing and needs the key. */
  check: { path: string; query: string; headers?: Record<string, string> };
  authorize: Authorize;
  /** Headers of its own that a client may send, lower case. */
  requestHeaders: readonly string[];
  /** Headers of its own that a client is told. */
  responseHeaders: readonly RegExp[];
  /** Its name in OpenTelemetry (`gen_ai.provider.name`, semantic conventions for generative AI). */
  telemetryName: string;
  embeddingLimits: TokenLimits;
  /** The longest answer of a model that is not listed, in tokens: few enough for every newer one to take it as a limit. */
  outputTokens?: number;
  /** What a picture counts at most, where that is more than usual. */
  imageTokens?: TokenLimits;
  /** Its own instructions for a model that is given tools, at most. */
  toolsTokens?: number;
}

/** Infers the type of the credential's fields. */
export function defineVendor<Fields extends ModelCredentialFields>(vendor: Vendor<Fields>): Vendor<Fields> {
  return vendor;
}

/** One segment of a model name; `/` separates segments, so that names such as `meta-llama/Llama-3` pass. */
export const modelName = String.raw`[A-Za-z0-9_.:@~-]+(?:/[A-Za-z0-9_.:@~-]+)*`;

/** The usual header. */
export const bearer: Authorize = (apiKey) => ({ authorization: `Bearer ${apiKey}` });
