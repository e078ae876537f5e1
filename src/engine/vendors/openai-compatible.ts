import { z } from "zod/mini";
import { field } from "../config/field.ts";
import { blankAsMissing, headerSecret, webAddress } from "../credentials/credential-values.ts";
import { azureOr, azurePaths } from "./azure.ts";
import { compatibleAddresses, compatibleServers } from "./compatible-servers.ts";
import { openaiHeaders, openaiPaths } from "./openai.ts";
import { bearer, defineVendor } from "./vendor.ts";

/** Any server that speaks OpenAI's Chat Completions. Embedding limits are those of the models' cards. */
export const openaiCompatible = defineVendor({
  title: compatibleServers.custom.title,
  credentialFields: z.strictObject({
    baseUrl: field(webAddress(), {
      label: "Base URL",
      help: "Where the server's API begins. Choose a server, or type the address of yours.",
      control: "text",
      suggestions: compatibleAddresses,
      placeholder: compatibleServers.ollama.baseUrl,
      required: true,
    }),
    apiKey: field(blankAsMissing(headerSecret()), {
      label: "API key",
      help: "Leave empty when the server asks for none.",
      control: "text",
    }),
  }),
  baseUrl: null,
  versionSegment: null,
  // Servers that put texts into order do so under `/rerank`.
  paths: [...openaiPaths, ...azurePaths, { method: "POST", path: /^\/rerank$/ }],
  check: { path: "/models", query: "" },
  authorize: azureOr(bearer),
  ...openaiHeaders,
  telemetryName: "openai_compatible",
  embeddingLimits: [
    ["text-embedding-3-", 8_191],
    ["text-embedding-ada-002", 8_191],
    ["nomic-embed-text", 8_192],
    ["mxbai-embed-large", 512],
    ["all-minilm", 256],
    ["bge-m3", 8_192],
    ["bge-", 512],
    ["snowflake-arctic-embed2", 8_192],
    ["snowflake-arctic-embed", 512],
    ["multilingual-e5-", 512],
    ["e5-", 512],
    ["gte-", 512],
    ["mistral-embed", 8_192],
  ],
});
