import type { ChatModel } from "../engine/model/chat-model.ts";
import type { ProviderContext } from "../engine/model/provider.ts";
import type { OpenaiModelOptions } from "./openai/adapter.ts";
import { openaiChatModel } from "./openai/chat-model.ts";
import { openaiSender } from "./openai/client.ts";
import { modelTraits } from "./openai/model-traits.ts";
import { type OpenaiSettings, type OwnSettings, vendorName } from "./openai/openai-settings.ts";

type OpenaiConfig = OpenaiSettings & OwnSettings & Pick<OpenaiModelOptions, "streaming" | "api">;

/** A model of OpenAI. */
export function create(config: OpenaiConfig, context: ProviderContext): ChatModel {
  return openaiChatModel({
    provider: "openai",
    vendor: vendorName,
    server: "openai",
    settings: { ...config, own: config },
    traits: modelTraits(config.model),
    streaming: config.streaming,
    api: config.api,
    context,
    send: openaiSender("openai", context),
  });
}
