import type { JsonObject } from "../engine/json.ts";
import { suggestedModels } from "../engine/models/newer-models.ts";
import { defineProvider } from "../engine/model/provider.ts";
import { geminiTraits } from "./gemini/model-traits.ts";
import { geminiConfig, type GeminiSettings, vendorName } from "./gemini/gemini-settings.ts";
import { vendorChatModel } from "./wire/vendor-chat-model.ts";

/** Google's Gemini over the Gemini API. */
export const geminiProvider = defineProvider({
  id: "gemini",
  nodeType: "gemini-model",
  title: "Google Gemini",
  summary: "Gemini models from Google.",
  keywords: ["llm", "vertex", "bard", "model", "google ai", "flash", "vision"],
  icon: "letter-g",
  credentialTypes: ["gemini"],
  reach: [{ to: "model", searches: ({ googleSearch, urlContext }) => googleSearch === true || urlContext === true }],
  config: geminiConfig,
  suggestedModels: suggestedModels.gemini,
  canSee: (model) => geminiTraits(model).vision,
  filesOf: (model) => geminiTraits(model).files ?? [],
  async listModels(context, signal) {
    const { listGeminiModels } = await import("./gemini/list-models.ts");
    return await listGeminiModels(vendorName, context, signal);
  },
  embeddings: {
    suggestedModels: ["gemini-embedding-001"],
    async embed(request, context) {
      const { embedTexts } = await import("./gemini/embed-texts.ts");
      return await embedTexts(vendorName, context, request);
    },
  },
  create(config, context) {
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
      async adapter() {
        const { geminiAdapter } = await import("./gemini/adapter.ts");
        return geminiAdapter({ config, traits, vendor, context });
      },
    });
  },
});

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
