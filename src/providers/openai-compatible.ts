import { z } from "zod/mini";
import { field } from "../engine/config/field.ts";
import { compatibleServers, type CompatibleServerId } from "../engine/vendors/compatible-servers.ts";
import type { FileKind } from "../engine/model/chat-model.ts";
import { findModel } from "../engine/models/known-models.ts";
import {
  defineProvider,
  type EmbeddingProvider,
  type ModelListing,
  type ProviderContext,
} from "../engine/model/provider.ts";
import { listedEmbeddingModels, usualEmbeddingModels } from "./embeddings/listed-models.ts";
import { openaiChatModel } from "./openai/chat-model.ts";
import { openaiSender } from "./openai/client.ts";
import { openaiEmbeddings } from "./openai/embeddings.ts";
import { openaiTranscription } from "./openai/transcription.ts";
import { modelTraits, type ModelTraits } from "./openai/model-traits.ts";
import { compatibleConfig, compatibleServer, openaiConfig } from "./openai/openai-settings.ts";

const servers = Object.keys(compatibleServers) as [CompatibleServerId, ...CompatibleServerId[]];

const titles = Object.fromEntries(Object.entries(compatibleServers).map(([id, { title }]) => [id, title]));

const config = z.object({
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
  ...compatibleConfig,
});

type Config = z.infer<typeof config>;

async function listModels(context: ProviderContext, signal: AbortSignal): Promise<ModelListing[]> {
  const { listOpenaiModels } = await import("./openai/list-models.ts");
  const list = { provider: "openai-compatible", vendor: compatibleServer, context, keep: () => true };
  return await listOpenaiModels(list, signal);
}

/** Embeddings of such a server. */
export const compatibleEmbeddings: EmbeddingProvider = {
  ...openaiEmbeddings({
    provider: "openai-compatible",
    vendor: compatibleServer,
    suggestedModels: usualEmbeddingModels,
  }),
  async listModels(context, signal) {
    return listedEmbeddingModels(usualEmbeddingModels, await listModels(context, signal));
  },
};

/** Any server that speaks OpenAI's Chat Completions; its address and optional key are in the credential. */
export const openaiCompatibleProvider = defineProvider({
  id: "openai-compatible",
  nodeType: "openai-compatible-model",
  title: "OpenAI-compatible",
  summary: "Ollama, LM Studio, OpenRouter, Azure and other servers.",
  keywords: ["llm", "local model", "vllm", "llama", "mistral", "deepseek", "groq", "together"],
  icon: "plug",
  credentialTypes: ["openai-compatible"],
  reach: [{ to: "model" }],
  config,
  // Which models a server has, only the server knows.
  suggestedModels: [],
  catalogOf: ({ preset }) => (typeof preset === "string" ? preset : "custom"),
  listModels,
  embeddings: compatibleEmbeddings,
  transcription: openaiTranscription({
    provider: "openai-compatible",
    vendor: compatibleServer,
    suggestedModels: ["whisper-large-v3-turbo", "whisper-large-v3"],
    // Each server has its own.
    perMinuteUsd: {},
  }),
  create: (settings, context) =>
    openaiChatModel({
      provider: "openai-compatible",
      vendor: settings.preset === "custom" ? compatibleServer : compatibleServers[settings.preset].title,
      server: settings.preset,
      settings,
      traits: compatibleTraits(settings.model, settings.preset, settings.reasoningEffort !== "default"),
      streaming: settings.streaming,
      api: "chat",
      context,
      send: sender(settings, context),
    }),
});

function sender(config: Config, context: ProviderContext) {
  if (config.preset !== "azure") return openaiSender("openai-compatible", context);
  return openaiSender("openai-compatible", context, {
    ...(config.azureDeployment ? { path: `/openai/deployments/${config.azureDeployment}` } : {}),
    ...(config.azureApiVersion ? { query: { "api-version": config.azureApiVersion } } : {}),
  });
}

/** What a model reads where its server takes files in the form of OpenAI (openrouter.ai/docs, "PDF inputs" and "Audio"). */
function filesOn(server: string, model: string): FileKind[] {
  if (server !== "openrouter") return [];
  return (findModel(server, model)?.reads ?? []).filter((kind) => kind !== "image");
}

/**
 * OpenAI's own names keep their traits wherever they are served. Any other name counts as able to do everything, with
 * sampling settings as usual; asking for a reasoning effort is taken at its word.
 */
function compatibleTraits(model: string, server: string, effort: boolean): ModelTraits {
  const files = filesOn(server, model);
  const traits = modelTraits(model);
  const name = model.toLowerCase().split("/").at(-1) ?? "";
  if (/^(gpt-\d|o\d)/.test(name)) return { ...traits, files, responsesOnly: false, chatOnly: true, verbosity: false };
  return {
    tools: true,
    vision: true,
    files,
    streaming: true,
    json: true,
    reasoning: effort,
    fixedSampling: false,
    responsesOnly: false,
    chatOnly: true,
    verbosity: false,
  };
}
