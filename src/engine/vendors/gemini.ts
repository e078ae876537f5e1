import { keyAndBaseUrl } from "./key-and-base-url.ts";
import { defineVendor, modelName } from "./vendor.ts";

const baseUrl = "https://generativelanguage.googleapis.com";

/** Google Gemini. Limits of embeddings: ai.google.dev/gemini-api/docs/embeddings. */
export const gemini = defineVendor({
  title: "Google Gemini",
  credentialFields: keyAndBaseUrl("aistudio.google.com/apikey", baseUrl),
  baseUrl,
  versionSegment: "/v1beta",
  paths: [
    {
      method: "POST",
      path: new RegExp(
        `^/v1(beta|alpha)?/(models|tunedModels)/${modelName}:(generateContent|streamGenerateContent|countTokens|embedContent|batchEmbedContents)$`,
      ),
    },
    { method: "POST", path: /^\/v1(beta|alpha)?\/interactions$/ },
    { method: "GET", path: new RegExp(`^/v1(beta|alpha)?/models(/${modelName})?$`) },
  ],
  check: { path: "/v1beta/models", query: "pageSize=1" },
  authorize: (apiKey) => ({ "x-goog-api-key": apiKey }),
  requestHeaders: [],
  responseHeaders: [],
  telemetryName: "gcp.gemini",
  embeddingLimits: [
    ["gemini-embedding-001", 2_048],
    ["text-embedding-004", 2_048],
  ],
  outputTokens: 65_536,
});
