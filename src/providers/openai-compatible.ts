import { z } from "zod/mini";
import { field } from "../engine/config/field.ts";
import { compatibleServers, type CompatibleServerId } from "../engine/vendors/compatible-servers.ts";
import { defineProvider } from "../engine/model/provider.ts";
import { openaiConfig } from "./openai/common-config.ts";
import { openaiEmbeddings } from "./openai/embeddings.ts";
import { compatibleServer } from "./openai/openai-settings.ts";

const servers = Object.keys(compatibleServers) as [CompatibleServerId, ...CompatibleServerId[]];

const titles = Object.fromEntries(Object.entries(compatibleServers).map(([id, { title }]) => [id, title]));

/** Any server that speaks OpenAI's Chat Completions; its address and optional key are in the credential. */
export const openaiCompatibleProvider = defineProvider({
  id: "openai-compatible",
  nodeType: "openai-compatible-model",
  title: "OpenAI-compatible",
  summary: "Ollama, LM Studio, vLLM, OpenRouter, Azure OpenAI, or any server with the same API.",
  icon: "plug",
  credentialTypes: ["openai-compatible"],
  reach: [{ to: "model" }],
  config: z.object({
    preset: field(z._default(z.enum(servers), "custom"), {
      label: "Server",
      help: "Which kind of server the credential's base URL leads to.",
      optionTitles: titles,
    }),
    azureDeployment: field(
      z._default(
        z
          .string()
          .check(z.maxLength(100), z.regex(/^[A-Za-z0-9._-]*$/, "Letters, digits, dots, dashes and underscores only.")),
        "",
      ),
      {
        label: "Deployment",
        help: "Name of the Azure deployment. Leave empty when the credential's base URL ends in /openai/v1 or already names it.",
        visibleWhen: { field: "preset", in: ["azure"] },
      },
    ),
    azureApiVersion: field(
      z._default(z.string().check(z.maxLength(40), z.regex(/^[A-Za-z0-9._-]*$/, "A version such as 2024-10-21.")), ""),
      {
        label: "API version",
        help: "Such as 2024-10-21. Leave empty for a base URL that ends in /openai/v1.",
        visibleWhen: { field: "preset", in: ["azure"] },
      },
    ),
    ...openaiConfig,
  }),
  suggestedModels: ["llama3.2", "qwen3", "gpt-oss:20b", "mistral"],
  async listModels(context, signal) {
    const { listOpenaiModels } = await import("./openai/list-models.ts");
    const list = { provider: "openai-compatible", vendor: compatibleServer, context, keep: () => true };
    return await listOpenaiModels(list, signal);
  },
  embeddings: openaiEmbeddings({
    provider: "openai-compatible",
    vendor: compatibleServer,
    suggestedModels: ["nomic-embed-text", "mxbai-embed-large", "bge-m3"],
  }),
  load: () => import("./openai-compatible.run.ts"),
});
