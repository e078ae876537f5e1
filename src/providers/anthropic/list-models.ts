import { RunError } from "../../engine/run/errors.ts";
import type { ModelListing, ProviderContext } from "../../engine/model/provider.ts";
import { missingCredential } from "../wire/credential.ts";
import { mapSdkError } from "../wire/sdk-error.ts";
import { anthropicClient } from "./client.ts";

/** The vendor's own list. Rejects with a RunError. */
export async function listClaudeModels(
  vendor: string,
  context: ProviderContext,
  signal: AbortSignal,
): Promise<ModelListing[]> {
  if (context.credential === "") throw new RunError(missingCredential(vendor));
  try {
    const models: ModelListing[] = [];
    const sdk = await anthropicClient(context)();
    for await (const model of sdk.models.list({ limit: 1000 }, { signal })) {
      const going = model.lifecycle === "deprecated" || model.lifecycle === "retired";
      models.push({ id: model.id, title: model.display_name, ...(going ? { retired: true } : {}) });
    }
    return models;
  } catch (error) {
    throw new RunError(mapSdkError(error, { vendor, signal, now: context.host.now() }));
  }
}
