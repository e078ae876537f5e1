import type { JsonObject } from "../../engine/json.ts";
import type { Service } from "./made.ts";
import { lookup } from "../lookup.ts";

/** A model as other builders name it. */
export interface ModelWords {
  /** The vendor in any spelling: `langgenius/openai/openai`, `chatAnthropic`, `AzureOpenAI`. */
  vendor: string;
  model: string;
  /** Sampling settings by the names that vendors give them. */
  parameters: JsonObject;
}

/** How a vendor is recognised, and the node that speaks to it. The first that fits counts. */
const vendors: readonly [pattern: RegExp, type: string, preset: string | undefined, usual: string][] = [
  [/azure/i, "openai-compatible-model", "azure", "gpt-4o-mini"],
  [/openrouter/i, "openai-compatible-model", "openrouter", "openai/gpt-4o-mini"],
  [/api.?compatible|openai.?compatible|customopenai|localai/i, "openai-compatible-model", "custom", "model"],
  [/bedrock/i, "openai-compatible-model", "custom", "anthropic.claude-sonnet"],
  [/anthropic|claude/i, "anthropic-model", undefined, "claude-sonnet-4-6"],
  [/gemini|google|vertex|palm/i, "gemini-model", undefined, "gemini-2.5-flash"],
  [/groq/i, "openai-compatible-model", "groq", "llama-3.3-70b-versatile"],
  [/mistral/i, "openai-compatible-model", "mistral", "mistral-small-latest"],
  [/deepseek/i, "openai-compatible-model", "deepseek", "deepseek-chat"],
  [/(^|[/_])x(ai)?$|xai|grok/i, "openai-compatible-model", "xai", "grok-3-mini"],
  [/ollama/i, "openai-compatible-model", "ollama", "llama3.2"],
  [/openai|(^|[/_])gpt/i, "openai-model", undefined, "gpt-4o-mini"],
];

const spoken = new Set(["azure", "openrouter", "groq", "mistral", "deepseek", "xai", "ollama"]);

/** Names that vendors and builders give to the settings that models here have. */
const settingNames: Readonly<Record<string, string>> = {
  temperature: "temperature",
  max_tokens: "maxTokens",
  maxtokens: "maxTokens",
  max_output_tokens: "maxTokens",
  maxoutputtokens: "maxTokens",
  max_completion_tokens: "maxTokens",
  max_tokens_to_sample: "maxTokens",
  maxtokenstosample: "maxTokens",
  num_predict: "maxTokens",
  top_p: "topP",
  topp: "topP",
  top_k: "topK",
  topk: "topK",
  frequency_penalty: "frequencyPenalty",
  frequencypenalty: "frequencyPenalty",
  presence_penalty: "presencePenalty",
  presencepenalty: "presencePenalty",
  reasoning_effort: "reasoningEffort",
  reasoningeffort: "reasoningEffort",
};

const bounds: Readonly<Record<string, readonly [low: number, high: number]>> = {
  temperature: [0, 2],
  maxTokens: [1, 1_000_000],
  topP: [0, 1],
  topK: [0, 500],
  frequencyPenalty: [-2, 2],
  presencePenalty: [-2, 2],
};

const fieldsOf: Readonly<Record<string, readonly string[]>> = {
  "anthropic-model": ["temperature", "maxTokens", "topP", "topK"],
  "gemini-model": ["temperature", "maxTokens", "topP", "topK"],
  "openai-model": ["temperature", "maxTokens", "topP", "frequencyPenalty", "presencePenalty", "reasoningEffort"],
};

const efforts = ["none", "minimal", "low", "medium", "high", "xhigh"];

/** The field of a model for another builder's name of a setting; undefined where the model has none for it. */
function fieldOf(type: string, name: string): string | undefined {
  const field = Object.hasOwn(settingNames, name.toLowerCase()) ? settingNames[name.toLowerCase()] : undefined;
  const known = fieldsOf[type] ?? fieldsOf["openai-model"] ?? [];
  return field !== undefined && known.includes(field) ? field : undefined;
}

function setting(type: string, field: string, raw: unknown): [string, string | number] | undefined {
  if (field === "reasoningEffort") {
    return typeof raw === "string" && efforts.includes(raw) ? [field, raw] : undefined;
  }
  const value = typeof raw === "string" && raw.trim() !== "" ? Number(raw) : raw;
  if (typeof value !== "number" || !Number.isFinite(value)) return undefined;
  const [low, high] = lookup(bounds, field) ?? [0, 1];
  if (value < low) return undefined;
  const most = field === "temperature" && type === "anthropic-model" ? 1 : high;
  const kept = Math.min(most, value);
  return [field, field === "maxTokens" || field === "topK" ? Math.round(kept) : kept];
}

/** The model node for another builder's model, wired to what asks it. */
export function modelService({ vendor, model, parameters }: ModelWords): { service: Service; note: string } {
  const last = vendor.split("/").at(-1) ?? vendor;
  const [, type, preset, usual] = vendors.find(([pattern]) => pattern.test(last)) ?? [
    undefined,
    "openai-compatible-model",
    "custom",
    "model",
  ];
  const name =
    model
      .trim()
      .replace(/^models\//, "")
      .slice(0, 200) || usual;
  const sampling = Object.keys(parameters).flatMap((key) => {
    const field = fieldOf(type, key);
    const made = field === undefined ? undefined : setting(type, field, parameters[key]);
    return made ? [made] : [];
  });
  const note =
    preset !== undefined && !spoken.has(preset)
      ? model.trim() === ""
        ? "The file names no model: choose one, and replace this node if its vendor has a node of its own."
        : `“${last || "Its vendor"}” is not spoken to directly: choose any server with OpenAI's API that has the model ${name}.`
      : "";
  return {
    service: {
      type,
      title: name,
      config: { ...(preset === undefined ? {} : { preset }), ...Object.fromEntries(sampling), model: name },
      output: "model",
      input: "model",
      shared: true,
    },
    note,
  };
}
