import type { ChatModel } from "../engine/model/chat-model.ts";
import type { ProviderContext } from "../engine/model/provider.ts";
import { compatibleServers, type CompatibleServerId } from "../engine/vendors/compatible-servers.ts";
import { openaiChatModel } from "./openai/chat-model.ts";
import { openaiSender } from "./openai/client.ts";
import { modelTraits, type ModelTraits } from "./openai/model-traits.ts";
import { compatibleServer, type OpenaiSettings } from "./openai/openai-settings.ts";

interface CompatibleConfig extends OpenaiSettings {
  preset: CompatibleServerId;
  azureDeployment: string;
  azureApiVersion: string;
  streaming: boolean;
}

/** A model of a server that speaks OpenAI's Chat Completions. */
export function create(config: CompatibleConfig, context: ProviderContext): ChatModel {
  return openaiChatModel({
    provider: "openai-compatible",
    vendor: config.preset === "custom" ? compatibleServer : compatibleServers[config.preset].title,
    server: config.preset,
    settings: config,
    traits: compatibleTraits(config.model, config.reasoningEffort !== "default"),
    streaming: config.streaming,
    api: "chat",
    context,
    send: sender(config, context),
  });
}

function sender(config: CompatibleConfig, context: ProviderContext) {
  if (config.preset !== "azure") return openaiSender("openai-compatible", context);
  return openaiSender("openai-compatible", context, {
    ...(config.azureDeployment ? { path: `/openai/deployments/${config.azureDeployment}` } : {}),
    ...(config.azureApiVersion ? { query: { "api-version": config.azureApiVersion } } : {}),
  });
}

/**
 * OpenAI's own names keep their traits wherever they are served. Any other name counts as able to do everything, with
 * sampling settings as usual; asking for a reasoning effort is taken at its word.
 */
function compatibleTraits(model: string, effort: boolean): ModelTraits {
  const traits = modelTraits(model);
  const name = model.toLowerCase().split("/").at(-1) ?? "";
  if (/^(gpt-\d|o\d)/.test(name))
    return { ...traits, files: [], responsesOnly: false, chatOnly: true, verbosity: false };
  return {
    tools: true,
    vision: true,
    streaming: true,
    json: true,
    reasoning: effort,
    fixedSampling: false,
    responsesOnly: false,
    chatOnly: true,
    verbosity: false,
  };
}
