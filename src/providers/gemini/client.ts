import type { GoogleGenAI } from "@google/genai/web";
import type { ProviderContext } from "../../engine/model/provider.ts";
import { GeminiRefusal } from "./map-error.ts";
import { loadOnce } from "../../engine/load-once.ts";
import { sharedClients } from "../wire/shared-client.ts";

/** The SDK without its Node parts: no files, no environment, no Google login. */
export const loadGeminiSdk = loadOnce(() => import("@google/genai/web"));
const shared = sharedClients<GoogleGenAI>();

/**
 * A function that loads the SDK at its first call and hands out one client per host and credential. Every request goes through
 * `host.fetch`, which replaces origin and key; retries are the engine's. A refusal rejects with a GeminiRefusal.
 */
export function geminiClient({ host, credential }: ProviderContext): () => Promise<GoogleGenAI> {
  const connection = { provider: "gemini", credential };
  const make = async () => {
    const { GoogleGenAI: Client } = await loadGeminiSdk();
    return new Client({
      apiKey: "added-by-the-host",
      httpOptions: {
        baseUrl: "https://gemini.invalid",
        fetch: async (input: string | URL | Request, init?: RequestInit) => {
          const response = await host.fetch(connection, input, init);
          if (!response.ok) throw new GeminiRefusal(response.status, response.headers, await response.text());
          return response;
        },
      },
    });
  };
  return () => shared(host, credential, make);
}
