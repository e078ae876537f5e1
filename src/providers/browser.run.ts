import type { JsonObject } from "../engine/json.ts";
import { loadOnce } from "../engine/load-once.ts";
import type { ChatModel } from "../engine/model/chat-model.ts";
import type { ProviderContext } from "../engine/model/provider.ts";
import { RunError } from "../engine/errors.ts";
import { type BrowserSettings, modelId } from "./browser/browser-settings.ts";
import { vendorChatModel } from "./wire/vendor-chat-model.ts";

const loadAdapter = loadOnce(() => import("./browser/adapter.ts"));

/** The model of this browser. */
export function create(config: BrowserSettings & { model: string }, context: ProviderContext): ChatModel {
  if (config.model !== modelId)
    throw new RunError({
      code: "invalid_config",
      message: `The browser has no model named "${config.model}".`,
      hint: `Choose "${modelId}", or use another model node.`,
      nodeId: context.nodeId,
    });
  return {
    ...vendorChatModel({
      provider: "browser",
      vendor: "the browser",
      modelId,
      capabilities: { tools: false, vision: false, streaming: true, json: true, reasoning: false },
      settings: loggedSettings(config),
      context,
      keyless: true,
      adapter: loadOnce(async () => (await loadAdapter()).browserAdapter(config, context.host)),
    }),
    price: { input: 0, output: 0 },
  };
}

/** As the log shows them: what is left to the browser is left out. */
function loggedSettings({ streaming, language, temperature, topK }: BrowserSettings): JsonObject {
  return {
    streaming,
    ...(language === "" ? {} : { language }),
    ...(temperature === null ? {} : { temperature }),
    ...(topK === null ? {} : { topK }),
  };
}
