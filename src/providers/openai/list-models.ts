import type { Model } from "openai/resources/models";
import { RunError } from "../../engine/errors.ts";
import type { ModelListing, ProviderContext } from "../../engine/model/provider.ts";
import { missingCredential } from "../wire/credential.ts";
import { openaiSender } from "./client.ts";
import { mapOpenaiError } from "./error-shapes.ts";

interface ListOptions {
  provider: string;
  /** The vendor's name for people. */
  vendor: string;
  context: ProviderContext;
  keep(id: string): boolean;
}

/** The server's `/models`, those that `keep` lets through, sorted by id. Rejects with a RunError. */
export async function listOpenaiModels(
  { provider, vendor, context, keep }: ListOptions,
  signal: AbortSignal,
): Promise<ModelListing[]> {
  if (context.credential === "") throw new RunError(missingCredential(vendor));
  try {
    const models: ModelListing[] = [];
    const response = await openaiSender(provider, context)({ path: "/models", signal });
    const { data } = (await response.json()) as { data?: Model[] };
    for (const model of data ?? []) {
      if (keep(model.id))
        models.push({ id: model.id, ...titleOf(model), ...(retires(model) ? { retired: true } : {}) });
    }
    return models.toSorted((a, b) => a.id.localeCompare(b.id));
  } catch (error) {
    throw new RunError(mapOpenaiError(error, { vendor, signal, now: context.host.now() }));
  }
}

/** OpenRouter and some others send a title; OpenAI does not. */
function titleOf(model: object): { title?: string } {
  return "name" in model && typeof model.name === "string" && model.name !== "" ? { title: model.name } : {};
}

/** How servers mark a model that is gone or going: a flag, a lifecycle word, or a date. */
function retires(model: object): boolean {
  if ("deprecated" in model && model.deprecated === true) return true;
  if ("lifecycle_status" in model && /deprecat|retir/i.test(String(model.lifecycle_status))) return true;
  return "expiration_date" in model && typeof model.expiration_date === "string" && model.expiration_date !== "";
}
