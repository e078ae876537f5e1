import type { ChatModel } from "../../engine/model/chat-model.ts";
import { loadOnce } from "../../engine/load-once.ts";
import { vendorChatModel } from "../wire/vendor-chat-model.ts";
import type { OpenaiModelOptions } from "./adapter.ts";
import { loggedSettings } from "./settings.ts";

const loadAdapter = loadOnce(() => import("./adapter.ts"));

/** A ChatModel over Chat Completions and Responses. */
export function openaiChatModel(options: OpenaiModelOptions): ChatModel {
  const { provider, vendor, settings, traits, context } = options;
  const { tools, vision, files = [], streaming, json, reasoning } = traits;
  return vendorChatModel({
    provider,
    vendor,
    modelId: settings.model,
    capabilities: { tools, vision, files, streaming, json, reasoning },
    settings: loggedSettings(settings),
    context,
    adapter: loadOnce(async () => (await loadAdapter()).openaiAdapter(options)),
  });
}
