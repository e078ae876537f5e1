import { keyAndBaseUrl } from "./key-and-base-url.ts";
import { defineVendor, modelName } from "./vendor.ts";

const baseUrl = "https://api.anthropic.com";

/** Anthropic. */
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
  embeddingLimits: [],
  // Documented are 264 to 804 (platform.claude.com/docs/en/agents-and-tools/tool-use/overview).
  toolsTokens: 1_000,
});
