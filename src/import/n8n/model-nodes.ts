import type { JsonObject } from "../../engine/json.ts";
import type { Made, Mapper, Mappers } from "./made.ts";
import type { NodeWork } from "./node-work.ts";

const isModelEdge = (kind: string) => (kind === "ai_languageModel" || kind === "ai_embedding" ? "model" : undefined);

function modelName(work: NodeWork, usual: string): string {
  for (const key of ["model", "modelName", "modelId", "deploymentName"]) {
    const name = work.word(key).replace(/^models\//, "");
    if (name !== "") return name;
  }
  const value = work.at("model") ?? work.at("modelName") ?? work.at("modelId");
  if (work.isExpression(value)) work.noted(String(value), { ok: false, reason: "a model cannot be an expression" });
  return usual;
}

/** Settings that the models here have by the same names. */
function sampling(
  work: NodeWork,
  names: Readonly<Record<string, string>>,
  lowest: Readonly<Record<string, number>> = {},
): JsonObject {
  const config: JsonObject = {};
  for (const [from, to] of Object.entries(names)) {
    const value = work.number(["options", from]) ?? work.number(from);
    if (value === undefined || (value < 0 && (lowest[to] ?? 0) >= 0)) continue;
    if (to === "maxTokens" && value < 1) continue;
    config[to] = to === "maxTokens" || to === "topK" ? Math.round(value) : value;
  }
  return config;
}

const openaiNames = {
  temperature: "temperature",
  maxTokens: "maxTokens",
  topP: "topP",
  frequencyPenalty: "frequencyPenalty",
  presencePenalty: "presencePenalty",
};
const below = { frequencyPenalty: -2, presencePenalty: -2 };
const efforts = ["none", "minimal", "low", "medium", "high", "xhigh"] as const;

function openaiLike(work: NodeWork): JsonObject {
  const effort = work.choice(["options", "reasoningEffort"], ["", ...efforts], "");
  return {
    ...sampling(work, openaiNames, below),
    ...(work.choice(["options", "responseFormat"], ["text", "json_object"], "text") === "json_object"
      ? { jsonMode: true }
      : {}),
    ...(effort === "" ? {} : { reasoningEffort: effort }),
  };
}

function model(type: string, usual: string, config: (work: NodeWork) => JsonObject, note = ""): Mapper {
  return (work): Made => {
    const address = work.word(["options", "baseURL"]);
    const moved = address !== "" && type === "openai-model";
    return {
      type: moved ? "openai-compatible-model" : type,
      config: { ...config(work), model: modelName(work, usual) },
      output: isModelEdge,
      needs: "a credential for the model",
      ...(note === "" && !moved ? {} : { note: moved ? `The address ${address} belongs in the credential.` : note }),
    };
  };
}

function served(preset: string, usual: string, note = ""): Mapper {
  return model("openai-compatible-model", usual, (work) => ({ preset, ...openaiLike(work) }), note);
}

const gemini = model("gemini-model", "gemini-2.5-flash", (work) =>
  sampling(work, { temperature: "temperature", maxOutputTokens: "maxTokens", topP: "topP", topK: "topK" }),
);

const anthropic = model("anthropic-model", "claude-sonnet-4-6", (work) => {
  const config = sampling(work, {
    temperature: "temperature",
    maxTokensToSample: "maxTokens",
    maxTokens: "maxTokens",
    topK: "topK",
    thinkingBudget: "thinkingBudget",
  });
  const temperature = config.temperature;
  return typeof temperature === "number" && temperature > 1 ? { ...config, temperature: 1 } : config;
});

/** The settings of a model that stands beside a node which asks its vendor itself. */
export function samplingOf(work: NodeWork, type: string): JsonObject {
  if (type === "gemini-model")
    return sampling(work, { temperature: "temperature", maxOutputTokens: "maxTokens", topP: "topP", topK: "topK" });
  if (type === "anthropic-model")
    return sampling(work, { temperature: "temperature", maxTokens: "maxTokens", topK: "topK" });
  const names = { ...openaiNames, maxOutputTokens: "maxTokens", num_predict: "maxTokens" };
  return sampling(work, { frequency_penalty: "frequencyPenalty", ...names }, below);
}

const other = "Any server with OpenAI's API will do; choose one that has this model.";

/** Chat models, by n8n's names. */
export const modelNodes: Mappers = {
  lmChatOpenAi: model("openai-model", "gpt-4o-mini", openaiLike),
  lmOpenAi: model("openai-model", "gpt-4o-mini", openaiLike, "A completion model became a chat model."),
  lmChatAnthropic: anthropic,
  lmChatGoogleGemini: gemini,
  lmGooglePalm: gemini,
  lmChatGooglePalm: gemini,
  lmChatGoogleVertex: model(
    "gemini-model",
    "gemini-2.5-flash",
    (work) => sampling(work, { temperature: "temperature", maxOutputTokens: "maxTokens" }),
    "Vertex AI became the Gemini API, which has keys of its own.",
  ),
  lmChatOpenRouter: served("openrouter", "openai/gpt-4o-mini"),
  lmChatGroq: served("groq", "llama-3.3-70b-versatile"),
  lmChatMistralCloud: served("mistral", "mistral-small-latest"),
  lmChatDeepSeek: served("deepseek", "deepseek-chat"),
  lmChatXAiGrok: served("xai", "grok-3-mini"),
  lmChatOllama: served("ollama", "llama3.2"),
  lmOllama: served("ollama", "llama3.2"),
  lmChatAzureOpenAi: model("openai-compatible-model", "gpt-4o-mini", (work) => ({
    preset: "azure",
    azureDeployment: work
      .word("model")
      .replace(/[^A-Za-z0-9._-]/g, "")
      .slice(0, 100),
    ...openaiLike(work),
  })),
  lmChatAwsBedrock: served("custom", "anthropic.claude-sonnet", `Bedrock is not spoken directly. ${other}`),
  lmChatCohere: served("custom", "command-r-plus", other),
  lmCohere: served("custom", "command-r-plus", other),
  lmChatVercelAiGateway: served("custom", "openai/gpt-4o-mini", other),
  lmChatPerplexity: served("custom", "sonar", other),
  lmChatLemonade: served("custom", "llama3.2", other),
  lmOpenHuggingFaceInference: served("custom", "mistralai/Mistral-7B-Instruct-v0.3", other),
  lmChatHuggingFaceInference: served("custom", "mistralai/Mistral-7B-Instruct-v0.3", other),
};

/** A model of a type that is not known by name. */
export const anyModel: Mapper = served("custom", "model", other);
