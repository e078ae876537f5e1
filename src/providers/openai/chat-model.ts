import type { JsonObject } from "../../engine/json.ts";
import type { ChatModel } from "../../engine/model/chat-model.ts";
import { vendorChatModel } from "../wire/vendor-chat-model.ts";
import type { OpenaiModelOptions } from "./adapter.ts";
import { openaiDefaults, type OpenaiSettings } from "./openai-settings.ts";

/** A ChatModel over Chat Completions and Responses. */
export function openaiChatModel(options: OpenaiModelOptions): ChatModel {
  const { provider, vendor, server, settings, traits, context } = options;
  const { tools, vision, files = [], streaming, json, reasoning } = traits;
  const draws = settings.own?.imageGeneration === true && tools && options.api !== "chat";
  return vendorChatModel({
    provider,
    ...(server === "openai" ? {} : { catalog: server }),
    vendor,
    modelId: settings.model,
    capabilities: { tools, vision, files, streaming, json, reasoning },
    settings: loggedSettings(settings),
    answerTokens: { set: settings.maxTokens },
    ...(draws ? { uncounted: "pictures" } : {}),
    context,
    adapter: async () => (await import("./adapter.ts")).openaiAdapter(options),
  });
}

/** Settings as the log shows them: those that differ from "not set". */
function loggedSettings(settings: OpenaiSettings): JsonObject {
  const { own } = settings;
  return {
    ...(settings.temperature !== null ? { temperature: settings.temperature } : {}),
    ...(settings.maxTokens !== null ? { maxTokens: settings.maxTokens } : {}),
    ...(settings.topP !== openaiDefaults.topP ? { topP: settings.topP } : {}),
    ...(settings.frequencyPenalty !== 0 ? { frequencyPenalty: settings.frequencyPenalty } : {}),
    ...(settings.presencePenalty !== 0 ? { presencePenalty: settings.presencePenalty } : {}),
    ...(settings.seed !== undefined ? { seed: settings.seed } : {}),
    ...(settings.stop.length > 0 ? { stop: settings.stop } : {}),
    ...(settings.reasoningEffort !== "default" ? { reasoningEffort: settings.reasoningEffort } : {}),
    ...(settings.jsonMode ? { jsonMode: true } : {}),
    ...(settings.parallelToolCalls ? {} : { parallelToolCalls: false }),
    ...(own && own.verbosity !== "default" ? { verbosity: own.verbosity } : {}),
    ...(own && own.serviceTier !== "default" ? { serviceTier: own.serviceTier } : {}),
    ...(own?.webSearch ? { webSearch: true } : {}),
    ...(own?.imageGeneration ? { imageGeneration: true } : {}),
  };
}
