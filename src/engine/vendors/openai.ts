import { azureOr } from "./azure.ts";
import { keyAndBaseUrl } from "./key-and-base-url.ts";
import { bearer, defineVendor, modelName, type PathRule } from "./vendor.ts";

const baseUrl = "https://api.openai.com/v1";

/** What OpenAI's API, and servers that speak it, have for models (OpenAI API reference). */
export const openaiPaths: readonly PathRule[] = [
  { method: "POST", path: /^\/(chat\/completions|responses|embeddings|completions|audio\/transcriptions)$/ },
  { method: "GET", path: new RegExp(`^/models(/${modelName})?$`) },
];

/** Headers that OpenAI's clients send and its servers answer with. */
export const openaiHeaders = {
  requestHeaders: ["openai-beta"],
  responseHeaders: [/^openai-(processing-ms|version)$/],
} as const;

/**
 * OpenAI. Embedding limits: developers.openai.com/api/docs/guides/embeddings. A picture costs gpt-4o-mini 2,833 tokens and 5,667 for
 * each of up to eight tiles (developers.openai.com/api/docs/guides/images-vision).
 */
export const openai = defineVendor({
  title: "OpenAI",
  credentialFields: keyAndBaseUrl("platform.openai.com/api-keys", baseUrl),
  baseUrl,
  versionSegment: null,
  paths: openaiPaths,
  check: { path: "/models", query: "" },
  authorize: azureOr(bearer),
  ...openaiHeaders,
  telemetryName: "openai",
  embeddingLimits: [
    ["text-embedding-3-", 8_191],
    ["text-embedding-ada-002", 8_191],
  ],
  outputTokens: 16_384,
  imageTokens: [["gpt-4o-mini", 48_169]],
});
