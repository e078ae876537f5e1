import type Anthropic from "@anthropic-ai/sdk";
import type { ProviderContext } from "../../engine/model/provider.ts";
import { loadOnce } from "../../engine/load-once.ts";

/** Ten minutes, the SDK's own default; named, since the SDK refuses long answers in one piece without it. */
const timeoutMs = 600_000;

const loadSdk = loadOnce(() => import("@anthropic-ai/sdk"));

/**
 * A function that loads the SDK at its first call and always hands out the same client. Every request goes through
 * `host.fetch`, which replaces origin and key; retries are the engine's.
 */
export function anthropicClient(context: ProviderContext): () => Promise<Anthropic> {
  const connection = { provider: "anthropic", credential: context.credential };
  let client: Anthropic | undefined;
  return async () => {
    if (client) return client;
    const { Anthropic: Client } = await loadSdk();
    client = new Client({
      apiKey: "added-by-the-host",
      webhookKey: null,
      baseURL: "https://anthropic.invalid",
      fetch: (input, init) => context.host.fetch(connection, input, init),
      dangerouslyAllowBrowser: true,
      maxRetries: 0,
      timeout: timeoutMs,
      logLevel: "off",
    });
    return client;
  };
}
