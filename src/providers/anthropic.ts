import type { JsonObject } from "../engine/json.ts";
import { suggestedModels } from "../engine/models/newer-models.ts";
import { defineProvider } from "../engine/model/provider.ts";
import { answerTokensOf, claudeTraits } from "./anthropic/model-traits.ts";
import { anthropicConfig, type AnthropicSettings, vendorName } from "./anthropic/anthropic-settings.ts";
import { vendorChatModel } from "./wire/vendor-chat-model.ts";

/** Anthropic's Claude over the Messages API. */
export const anthropicProvider = defineProvider({
  id: "anthropic",
  nodeType: "anthropic-model",
  title: "Anthropic",
  summary: "Claude models from Anthropic.",
  keywords: ["llm", "claude", "model", "sonnet", "opus", "haiku", "vision"],
  icon: "letter-a",
  credentialTypes: ["anthropic"],
  reach: [{ to: "model", searches: ({ webSearch }) => webSearch === true }],
  config: anthropicConfig,
  suggestedModels: suggestedModels.anthropic,
  canSee: (model) => claudeTraits(model).vision,
  filesOf: (model) => claudeTraits(model).files ?? [],
  async listModels(context, signal) {
    const { listClaudeModels } = await import("./anthropic/list-models.ts");
    return await listClaudeModels(vendorName, context, signal);
  },
  create(config, context) {
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
      async adapter() {
        const { anthropicAdapter } = await import("./anthropic/adapter.ts");
        return anthropicAdapter({ config, traits, vendor, context });
      },
    });
  },
});

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
