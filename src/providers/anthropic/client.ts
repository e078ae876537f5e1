import type Anthropic from "@anthropic-ai/sdk";
import type { ProviderContext } from "../../engine/model/provider.ts";
import { loadOnce } from "../../engine/load-once.ts";
import { sharedClients } from "../wire/shared-client.ts";

/** Ten minutes, the SDK's own default; named, since the SDK refuses long answers in one piece without it. */
const timeoutMs = 600_000;

const loadSdk = loadOnce(() => import("@anthropic-ai/sdk"));
const shared = sharedClients<Anthropic>();

/**
 * A function that loads the SDK at its first call and hands out one client per host and credential. Every request goes through
 * `host.fetch`, which replaces origin and key; retries are the engine's.
 */
export function anthropicClient({ host, credential }: ProviderContext): () => Promise<Anthropic> {
  const connection = { provider: "anthropic", credential };
  const make = async () => {
    const { Anthropic: Client } = await loadSdk();
    return new Client({
      apiKey: "added-by-the-host",
      webhookKey: null,
      baseURL: "https://anthropic.invalid",
      fetch: (input, init) => host.fetch(connection, input, init),
      dangerouslyAllowBrowser: true,
      maxRetries: 0,
      timeout: timeoutMs,
      logLevel: "off",
    });
  };
  return () => shared(host, credential, make);
}
