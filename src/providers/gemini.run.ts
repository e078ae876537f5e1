import type { JsonObject } from "../engine/json.ts";
import { loadOnce } from "../engine/load-once.ts";
import type { ChatModel } from "../engine/model/chat-model.ts";
import type { ProviderContext } from "../engine/model/provider.ts";
import { geminiTraits } from "./gemini/model-traits.ts";
import { type geminiApis, type GeminiSettings, vendorName } from "./gemini/gemini-settings.ts";
import { vendorChatModel } from "./wire/vendor-chat-model.ts";

const loadAdapter = loadOnce(() => import("./gemini/adapter.ts"));

/** A Gemini model. */
export function create(
  config: GeminiSettings & { streaming: boolean; api: (typeof geminiApis)[number] },
  context: ProviderContext,
): ChatModel {
  const traits = geminiTraits(config.model);
  const { tools, vision, files = [], streaming, json, reasoning } = traits;
  const vendor = vendorName;
  return vendorChatModel({
    provider: "gemini",
    vendor,
    modelId: config.model,
    capabilities: { tools, vision, files, streaming, json, reasoning },
    settings: loggedSettings(config),
    answerTokens: { set: config.maxTokens },
    context,
    adapter: loadOnce(async () => (await loadAdapter()).geminiAdapter({ config, traits, vendor, context })),
  });
}

/** Settings as the log shows them: those that differ from "not set". */
function loggedSettings(settings: GeminiSettings): JsonObject {
  const { harassment, hateSpeech, sexuallyExplicit, dangerousContent } = settings;
  const safety = Object.entries({ harassment, hateSpeech, sexuallyExplicit, dangerousContent });
  return {
    ...(settings.temperature !== null ? { temperature: settings.temperature } : {}),
    ...(settings.maxTokens !== null ? { maxTokens: settings.maxTokens } : {}),
    ...(settings.topP !== 1 ? { topP: settings.topP } : {}),
    ...(settings.topK !== 0 ? { topK: settings.topK } : {}),
    ...(settings.seed !== undefined ? { seed: settings.seed } : {}),
    ...(settings.stop.length > 0 ? { stop: settings.stop } : {}),
    ...(settings.googleSearch ? { googleSearch: true } : {}),
    ...(settings.urlContext ? { urlContext: true } : {}),
    ...(settings.jsonMode ? { jsonMode: true } : {}),
    ...(settings.thinkingBudget >= 0 ? { thinkingBudget: settings.thinkingBudget } : {}),
    ...(settings.thinkingLevel !== "default" ? { thinkingLevel: settings.thinkingLevel } : {}),
    ...Object.fromEntries(safety.filter(([, threshold]) => threshold !== "default")),
  };
}
