import { keyAndBaseUrl } from "./key-and-base-url.ts";
import { above, defineVendor, modelName, perMillion, price } from "./vendor.ts";

const baseUrl = "https://generativelanguage.googleapis.com";

/** Google Gemini. Prices as published at ai.google.dev/gemini-api/docs/pricing, limits at …/docs/embeddings and …/docs/models. */
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
  prices: {
    "gemini-2.0-flash": price(0.1, 0.4, 0.025),
    "gemini-2.0-flash-lite": price(0.075, 0.3),
    "gemini-2.5-flash": price(0.3, 2.5, 0.03),
    "gemini-2.5-flash-lite": price(0.1, 0.4, 0.01),
    "gemini-2.5-pro": price(1.25, 10, 0.125, above(200_000, 2.5, 15, 0.25)),
    "gemini-3-pro": price(2, 12, 0.2, above(200_000, 4, 18, 0.4)),
    "gemini-3-flash": price(0.5, 3, 0.05),
    "gemini-3.1-pro": price(2, 12, 0.2, above(200_000, 4, 18, 0.4)),
    "gemini-3.1-flash-lite": price(0.25, 1.5),
    "gemini-3.5-flash": price(1.5, 9, 0.15),
  },
  embeddingPrices: { "gemini-embedding-001": perMillion(0.15) },
  embeddingLimits: [
    ["gemini-embedding-001", 2_048],
    ["text-embedding-004", 2_048],
  ],
  outputLimits: [
    ["gemini-1.", 8_192],
    ["gemini-2.0", 8_192],
    ["gemini-", 65_536],
  ],
});
