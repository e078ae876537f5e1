import type { JsonObject } from "../engine/json.ts";
import { loadOnce } from "../engine/load-once.ts";
import type { ChatModel } from "../engine/model/chat-model.ts";
import type { ProviderContext } from "../engine/model/provider.ts";
import { answerTokensOf, claudeTraits } from "./anthropic/model-traits.ts";
import { type AnthropicSettings, vendorName } from "./anthropic/anthropic-settings.ts";
import { vendorChatModel } from "./wire/vendor-chat-model.ts";

const loadAdapter = loadOnce(() => import("./anthropic/adapter.ts"));

/** A Claude model. */
export function create(config: AnthropicSettings & { streaming: boolean }, context: ProviderContext): ChatModel {
  const traits = claudeTraits(config.model);
  const { tools, vision, files = [], streaming, json, reasoning } = traits;
  const vendor = vendorName;
  return vendorChatModel({
    provider: "anthropic",
    vendor,
    modelId: config.model,
    capabilities: { tools, vision, files, streaming, json, reasoning },
    settings: loggedSettings(config),
    answerTokens: answerTokensOf(config, traits),
    context,
    adapter: loadOnce(async () => (await loadAdapter()).anthropicAdapter({ config, traits, vendor, context })),
  });
}

/** Settings as the log shows them: those that differ from "not set". */
function loggedSettings(settings: AnthropicSettings): JsonObject {
  return {
    temperature: settings.temperature,
    ...(settings.maxTokens !== null ? { maxTokens: settings.maxTokens } : {}),
    ...(settings.parallelToolCalls ? {} : { parallelToolCalls: false }),
    ...(settings.topP !== 1 ? { topP: settings.topP } : {}),
    ...(settings.topK !== 0 ? { topK: settings.topK } : {}),
    ...(settings.stop.length > 0 ? { stop: settings.stop } : {}),
    ...(settings.thinkingBudget > 0 ? { thinkingBudget: settings.thinkingBudget } : {}),
    ...(settings.effort !== "default" ? { effort: settings.effort } : {}),
    ...(settings.webSearch ? { webSearch: true } : {}),
    ...(settings.promptCaching ? { promptCaching: true } : {}),
    ...(settings.promptCaching && settings.cacheDuration === "1h" ? { cacheDuration: "1h" } : {}),
  };
}
