import type { ListedModel } from "./listed-model.ts";
import type { SourceLists, SourceModel } from "./source-models.ts";

/** Our lists by models.dev's id of who serves the models. */
export const listIds = {
  openai: "openai",
  anthropic: "anthropic",
  google: "gemini",
  openrouter: "openrouter",
  groq: "groq",
  deepseek: "deepseek",
  mistral: "mistral",
  xai: "xai",
  togetherai: "together",
  moonshotai: "moonshot",
  alibaba: "qwen",
  zai: "zai",
  cerebras: "cerebras",
} as const;

/** Our lists: models that write text, and those that only read it (embeddings), in the order of their names. */
export function toListedModels(source: SourceLists): Record<string, Record<string, ListedModel>> {
  return Object.fromEntries(
    Object.entries(listIds).map(([id, list]) => [
      list,
      Object.fromEntries(
        Object.entries(source[id] ?? {})
          .filter(([, { modalities }]) => !modalities || modalities.output.includes("text"))
          .toSorted(([a], [b]) => (a < b ? -1 : 1))
          .map(([name, model]) => [name, toListedModel(model)]),
      ),
    ]),
  );
}

function toListedModel({ cost, limit, modalities, ...model }: SourceModel): ListedModel {
  const reads = (["image", "pdf", "audio"] as const).filter((kind) => modalities?.input.includes(kind));
  const tier = cost?.tiers?.toSorted((a, b) => a.tier.size - b.tier.size)[0];
  const over = cost?.context_over_200k;
  const long = tier ? { ...tier, above: tier.tier.size } : over ? { ...over, above: 200_000 } : undefined;
  const inputTokens = limit?.input || limit?.context;
  return {
    ...(cost ? { input: cost.input, output: cost.output } : {}),
    // A paid model whose cached input is free is one of which nobody has told the price.
    ...(cost?.cache_read ? { cached: cost.cache_read } : {}),
    ...(long ? { long: [long.above, long.input, long.output, long.cache_read || long.input] } : {}),
    ...(inputTokens ? { inputTokens } : {}),
    ...(limit?.output ? { outputTokens: limit.output } : {}),
    ...(model.release_date ? { released: model.release_date } : {}),
    ...(model.family ? { family: model.family } : {}),
    ...(reads.length > 0 ? { reads } : {}),
    ...(model.tool_call ? { tools: true } : {}),
    ...(model.status === "deprecated" ? { deprecated: true } : {}),
  };
}
