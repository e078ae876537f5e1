/**
 * Tokens that an embedding model takes per text, by provider and the beginning of the model's name, as published at
 * developers.openai.com/api/docs/guides/embeddings, ai.google.dev/gemini-api/docs/embeddings and, for models that people
 * serve themselves, on their model cards. Longer names go before the shorter ones that they begin with.
 */
const limits: Readonly<Record<string, readonly (readonly [name: string, tokens: number])[]>> = {
  openai: [
    ["text-embedding-3-", 8_191],
    ["text-embedding-ada-002", 8_191],
  ],
  gemini: [
    ["gemini-embedding-001", 2_048],
    ["text-embedding-004", 2_048],
  ],
  "openai-compatible": [
    ["text-embedding-3-", 8_191],
    ["text-embedding-ada-002", 8_191],
    ["nomic-embed-text", 8_192],
    ["mxbai-embed-large", 512],
    ["all-minilm", 256],
    ["bge-m3", 8_192],
    ["bge-", 512],
    ["snowflake-arctic-embed2", 8_192],
    ["snowflake-arctic-embed", 512],
    ["multilingual-e5-", 512],
    ["e5-", 512],
    ["gte-", 512],
    ["mistral-embed", 8_192],
  ],
};

/** Tokens that a model takes per text; null where that is not known. A path before the name (`BAAI/…`) does not count. */
export function inputLimitOf({ provider, model }: { provider: string; model: string }): number | null {
  const listed = Object.hasOwn(limits, provider) ? (limits[provider] ?? []) : [];
  const name = model.toLowerCase().replace(/^.*\//, "");
  return listed.find(([start]) => name.startsWith(start))?.[1] ?? null;
}
