import { keyAndBaseUrl } from "./key-and-base-url.ts";
import { above, defineVendor, modelName, price } from "./vendor.ts";

const baseUrl = "https://api.anthropic.com";

/** Anthropic. Prices as published at platform.claude.com/docs/en/about-claude/pricing, without surcharges for cache writes. */
export const anthropic = defineVendor({
  title: "Anthropic",
  credentialFields: keyAndBaseUrl("console.anthropic.com/settings/keys", baseUrl),
  baseUrl,
  versionSegment: "/v1",
  paths: [
    { method: "POST", path: /^\/v1\/messages(\/count_tokens)?$/ },
    { method: "GET", path: new RegExp(`^/v1/models(/${modelName})?$`) },
  ],
  check: { path: "/v1/models", query: "limit=1", headers: { "anthropic-version": "2023-06-01" } },
  authorize: (apiKey) => ({ "x-api-key": apiKey }),
  requestHeaders: ["anthropic-beta", "anthropic-version"],
  responseHeaders: [/^anthropic-ratelimit-/],
  telemetryName: "anthropic",
  prices: {
    "claude-3-haiku": price(0.25, 1.25, 0.03),
    "claude-3-opus": price(15, 75, 1.5),
    "claude-3-5-haiku": price(0.8, 4, 0.08),
    "claude-3-5-sonnet": price(3, 15, 0.3),
    "claude-3-7-sonnet": price(3, 15, 0.3),
    "claude-sonnet-4": price(3, 15, 0.3),
    "claude-sonnet-4-5": price(3, 15, 0.3),
    "claude-sonnet-4-6": price(3, 15, 0.3),
    "claude-sonnet-5": price(2, 10, 0.2),
    "claude-sonnet-5-5": price(2, 10, 0.1),
    "claude-haiku-4-5": price(1, 5, 0.1),
    "claude-haiku-5-5": price(0.1, 0.5, 0.01, above(100_000, 0.5, 2.5, 0.05)),
    "claude-opus-4": price(15, 75, 1.5),
    "claude-opus-4-1": price(15, 75, 1.5),
    "claude-opus-4-5": price(5, 25, 0.5),
    "claude-opus-4-6": price(5, 25, 0.5),
    "claude-opus-4-7": price(5, 25, 0.5),
    "claude-opus-4-8": price(5, 25, 0.5),
    "claude-opus-5": price(5, 25, 0.5),
    "claude-opus-5-5": price(4, 20, 0.2),
    "claude-fable-5": price(10, 50, 1),
    "claude-fable-5-1": price(10, 50, 0.25),
  },
  embeddingPrices: {},
  embeddingLimits: [],
  // Documented are 264 to 804 (platform.claude.com/docs/en/agents-and-tools/tool-use/overview).
  toolsTokens: 1_000,
});
