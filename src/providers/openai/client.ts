import type OpenAI from "openai";
import type { ProviderContext } from "../../engine/model/provider.ts";
import { loadOnce } from "../../engine/load-once.ts";
import { sharedClients } from "../wire/shared-client.ts";
import { readableRefusal } from "./readable-refusal.ts";

/** The host replaces origin and key, so neither says anything; the paths under it are the vendor's own. */
const nowhere = "https://openai.invalid";
const noKey = "added-by-the-host";

const loadSdk = loadOnce(() => import("openai"));
const shared = sharedClients<OpenAI>();

/**
 * A function that loads the SDK at its first call and hands out one client per host, credential and address. Every request goes through
 * `host.fetch`; retries are the engine's, and nothing is read from or written to the environment or the console.
 * `query` is added to every request.
 */
export function openaiClient(
  provider: string,
  context: ProviderContext,
  address: { path?: string; query?: Record<string, string> } = {},
): () => Promise<OpenAI> {
  const connection = { provider, credential: context.credential };
  const { host } = context;
  const key = JSON.stringify([connection, address]);
  const make = async () => {
    const { OpenAI: Client } = await loadSdk();
    return new Client({
      apiKey: noKey,
      adminAPIKey: null,
      organization: null,
      project: null,
      webhookSecret: null,
      baseURL: nowhere + (address.path ?? ""),
      ...(address.query ? { defaultQuery: address.query } : {}),
      fetch: async (input, init) => readableRefusal(await host.fetch(connection, input, init)),
      dangerouslyAllowBrowser: true,
      maxRetries: 0,
      logLevel: "off",
    });
  };
  return () => shared(host, key, make);
}
