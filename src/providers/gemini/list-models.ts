import type { ModelListing, ProviderContext } from "../../engine/model/provider.ts";
import { RunError } from "../../engine/run/errors.ts";
import { missingCredential } from "../wire/credential.ts";
import { geminiClient } from "./client.ts";
import { mapGeminiError } from "./map-error.ts";

/** The vendor's own list, those that write texts. Rejects with a RunError. */
export async function listGeminiModels(
  vendor: string,
  context: ProviderContext,
  signal: AbortSignal,
): Promise<ModelListing[]> {
  if (context.credential === "") throw new RunError(missingCredential(vendor));
  try {
    const models: ModelListing[] = [];
    const { models: api } = await geminiClient(context)();
    for await (const model of await api.list({ config: { pageSize: 1000, abortSignal: signal } })) {
      if (!model.name || !model.supportedActions?.includes("generateContent")) continue;
      const title = model.displayName ? { title: model.displayName } : {};
      const going = /deprecated|retired|discontinued/i.test(model.description ?? "");
      models.push({ id: model.name.replace(/^models\//, ""), ...title, ...(going ? { retired: true } : {}) });
    }
    return models;
  } catch (error) {
    throw new RunError(mapGeminiError(error, { vendor, signal, now: context.host.now() }));
  }
}
