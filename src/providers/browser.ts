import { RunError } from "../engine/errors.ts";
import type { JsonObject } from "../engine/json.ts";
import { defineProvider } from "../engine/model/provider.ts";
import { browserConfig, type BrowserSettings, modelId } from "./browser/browser-settings.ts";
import { vendorChatModel } from "./wire/vendor-chat-model.ts";

/** The language model that some browsers have built in: on this device, without a key. It calls no tools. */
export const browserProvider = defineProvider({
  id: "browser",
  nodeType: "browser-model",
  title: "Browser model",
  summary: "A model built into some browsers: on this device, no key.",
  keywords: ["llm", "chrome", "local model", "offline"],
  icon: "app-window",
  credentialTypes: [],
  reach: [{ to: "model" }],
  config: browserConfig,
  suggestedModels: [modelId],
  canSee: () => false,
  listModels: () => Promise.resolve([{ id: modelId, title: "The browser's own" }]),
  describe: () => "On this device, no key",
  create(config, context) {
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
        adapter: async () => (await import("./browser/adapter.ts")).browserAdapter(config, context.host),
      }),
      price: { input: 0, output: 0 },
    };
  },
});

/** As the log shows them: what is left to the browser is left out. */
function loggedSettings({ streaming, language, temperature, topK }: BrowserSettings): JsonObject {
  return {
    streaming,
    ...(language === "" ? {} : { language }),
    ...(temperature === null ? {} : { temperature }),
    ...(topK === null ? {} : { topK }),
  };
}
