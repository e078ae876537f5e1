import { azureOr } from "./azure.ts";
import { keyAndBaseUrl } from "./key-and-base-url.ts";
import { above, bearer, defineVendor, modelName, type PathRule, perMillion, price } from "./vendor.ts";

const baseUrl = "https://api.openai.com/v1";

/** What OpenAI's API, and servers that speak it, have for models (OpenAI API reference). */
export const openaiPaths: readonly PathRule[] = [
  { method: "POST", path: /^\/(chat\/completions|responses|embeddings|completions)$/ },
  { method: "GET", path: new RegExp(`^/models(/${modelName})?$`) },
];

/** Headers that OpenAI's clients send and its servers answer with. */
export const openaiHeaders = {
  requestHeaders: ["openai-beta"],
  responseHeaders: [/^openai-(processing-ms|version)$/],
} as const;

/**
 * OpenAI. Prices of the standard tier as published at developers.openai.com/api/docs/pricing; batch and priority tiers
 * are not counted. Embedding limits: developers.openai.com/api/docs/guides/embeddings. Output limits: the models' pages at
 * developers.openai.com/api/docs/models; gpt-4 has 8,192 tokens for input and output together. A picture costs gpt-4o-mini 2,833
 * tokens and 5,667 for each of up to eight tiles (developers.openai.com/api/docs/guides/images-vision).
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
  prices: {
    "gpt-3.5-turbo": price(0.5, 1.5),
    "gpt-4": price(30, 60),
    "gpt-4-turbo": price(10, 30),
    "gpt-4o": price(2.5, 10, 1.25),
    "gpt-4o-mini": price(0.15, 0.6, 0.075),
    "gpt-4.1": price(2, 8, 0.5),
    "gpt-4.1-mini": price(0.4, 1.6, 0.1),
    "gpt-4.1-nano": price(0.1, 0.4, 0.025),
    "gpt-5": price(1.25, 10, 0.125),
    "gpt-5-mini": price(0.25, 2, 0.025),
    "gpt-5-nano": price(0.05, 0.4, 0.005),
    "gpt-5-pro": price(15, 120),
    "gpt-5-codex": price(1.25, 10, 0.125),
    "gpt-5.1": price(1.25, 10, 0.125),
    "gpt-5.2": price(1.75, 14, 0.175),
    "gpt-5.2-codex": price(1.75, 14, 0.175),
    "gpt-5.3-codex": price(1.75, 14, 0.175),
    "gpt-5.4": price(2.5, 15, 0.25, above(272_000, 5, 22.5, 0.5)),
    "gpt-5.4-mini": price(0.75, 4.5, 0.075),
    "gpt-5.4-nano": price(0.2, 1.25, 0.02),
    "gpt-5.5": price(5, 30, 0.5, above(272_000, 10, 45, 1)),
    "gpt-5.6-luna": price(0.2, 1.2, 0.02, above(200_000, 0.4, 1.8, 0.04)),
    "gpt-5.6-sol": price(5, 30, 0.5, above(272_000, 10, 45, 1)),
    "gpt-5.6-terra": price(2, 12, 0.2, above(272_000, 4, 18, 0.4)),
    o1: price(15, 60, 7.5),
    "o1-mini": price(1.1, 4.4, 0.55),
    o3: price(2, 8, 0.5),
    "o3-mini": price(1.1, 4.4, 0.55),
    "o4-mini": price(1.1, 4.4, 0.275),
  },
  embeddingPrices: {
    "text-embedding-3-small": perMillion(0.02),
    "text-embedding-3-large": perMillion(0.13),
    "text-embedding-ada-002": perMillion(0.1),
  },
  embeddingLimits: [
    ["text-embedding-3-", 8_191],
    ["text-embedding-ada-002", 8_191],
  ],
  outputLimits: [
    ["gpt-3.5-", 4_096],
    ["gpt-4.1", 32_768],
    ["gpt-4o", 16_384],
    ["gpt-4", 4_096],
    ["gpt-5-chat", 16_384],
    ["gpt-5", 128_000],
    ["o1-mini", 65_536],
    ["o1", 100_000],
    ["o3", 100_000],
    ["o4", 100_000],
  ],
  imageTokens: [["gpt-4o-mini", 48_169]],
});
