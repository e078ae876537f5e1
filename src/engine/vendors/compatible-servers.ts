/** The vendor that stands for all of these servers, and the type of their credentials. */
export const compatibleVendor = "openai-compatible";

/** A server that speaks OpenAI's Chat Completions. */
export interface CompatibleServer {
  title: string;
  /** Where its API begins; null where everybody has an address of their own. */
  baseUrl: string | null;
  /** The path that shows whether a key works, where the list of models is open to anyone. */
  checkPath?: string;
}

/** The servers to choose from on a model node and in a credential; another one is one more line. */
export const compatibleServers = {
  custom: { title: "OpenAI-compatible server", baseUrl: null },
  ollama: { title: "Ollama", baseUrl: "http://localhost:11434/v1" },
  "lm-studio": { title: "LM Studio", baseUrl: "http://localhost:1234/v1" },
  vllm: { title: "vLLM", baseUrl: "http://localhost:8000/v1" },
  // OpenRouter lists its models to everybody (OpenRouter API reference, "Get current API key").
  openrouter: { title: "OpenRouter", baseUrl: "https://openrouter.ai/api/v1", checkPath: "/key" },
  groq: { title: "Groq", baseUrl: "https://api.groq.com/openai/v1" },
  deepseek: { title: "DeepSeek", baseUrl: "https://api.deepseek.com/v1" },
  mistral: { title: "Mistral", baseUrl: "https://api.mistral.ai/v1" },
  xai: { title: "xAI", baseUrl: "https://api.x.ai/v1" },
  together: { title: "Together AI", baseUrl: "https://api.together.xyz/v1" },
  moonshot: { title: "Moonshot AI", baseUrl: "https://api.moonshot.ai/v1" },
  qwen: { title: "Qwen", baseUrl: "https://dashscope-intl.aliyuncs.com/compatible-mode/v1" },
  zai: { title: "Z.ai", baseUrl: "https://api.z.ai/api/paas/v4" },
  cerebras: { title: "Cerebras", baseUrl: "https://api.cerebras.ai/v1" },
  azure: { title: "Azure OpenAI", baseUrl: null },
} as const satisfies Record<string, CompatibleServer>;

/** A key of `compatibleServers`, as model nodes store it. */
export type CompatibleServerId = keyof typeof compatibleServers;

const servers: readonly CompatibleServer[] = Object.values(compatibleServers);

/** The listed server at an address, if any. */
export function compatibleServerAt(address: URL): CompatibleServer | undefined {
  return servers.find(({ baseUrl }) => baseUrl !== null && new URL(baseUrl).host === address.host);
}

/** The listed server at a host such as `api.groq.com` or `127.0.0.1:11434`, if any. */
export function compatibleServerIdAt(host: string): CompatibleServerId | undefined {
  const named = host.replace(/^127\.0\.0\.1(?=:)/, "localhost");
  const ids = Object.keys(compatibleServers) as CompatibleServerId[];
  return ids.find((id) => {
    const { baseUrl } = compatibleServers[id];
    return baseUrl !== null && new URL(baseUrl).host === named;
  });
}

/** The addresses to suggest, with whose they are. */
export const compatibleAddresses: readonly { value: string; detail: string }[] = servers.flatMap(({ baseUrl, title }) =>
  baseUrl === null ? [] : [{ value: baseUrl, detail: title }],
);
