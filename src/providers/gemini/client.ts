import type { GoogleGenAI } from "@google/genai/web";
import type { ProviderContext } from "../../engine/model/provider.ts";
import { GeminiRefusal } from "./map-error.ts";
import { loadOnce } from "../../engine/load-once.ts";

/** The SDK without its Node parts: no files, no environment, no Google login. */
export const loadGeminiSdk = loadOnce(() => import("@google/genai/web"));

/**
 * A function that loads the SDK at its first call and always hands out the same client. Every request goes through
 * `host.fetch`, which replaces origin and key; retries are the engine's. A refusal rejects with a GeminiRefusal.
 */
export function geminiClient(context: ProviderContext): () => Promise<GoogleGenAI> {
  const connection = { provider: "gemini", credential: context.credential };
  let client: GoogleGenAI | undefined;
  return async () => {
    if (client) return client;
    const { GoogleGenAI: Client } = await loadGeminiSdk();
    client = new Client({
      apiKey: "added-by-the-host",
      httpOptions: {
        baseUrl: "https://gemini.invalid",
        fetch: async (input: string | URL | Request, init?: RequestInit) => {
          const response = await context.host.fetch(connection, input, init);
          if (!response.ok) throw new GeminiRefusal(response.status, response.headers, await response.text());
          return response;
        },
      },
    });
    return client;
  };
}
