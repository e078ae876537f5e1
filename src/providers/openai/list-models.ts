import type { Model } from "openai/resources/models";
import { RunError } from "../../engine/run/errors.ts";
import type { ModelListing, ProviderContext } from "../../engine/model/provider.ts";
import { missingCredential } from "../wire/credential.ts";
import type { VendorSender } from "../wire/vendor-sender.ts";
import { mapOpenaiError } from "./error-shapes.ts";

/** The server's `/models`, those that `keep` lets through, sorted by id. Rejects with a RunError. */
export async function listOpenaiModels(
  send: VendorSender,
  { vendor, context, keep }: { vendor: string; context: ProviderContext; keep: (id: string) => boolean },
  signal: AbortSignal,
): Promise<ModelListing[]> {
  if (context.credential === "") throw new RunError(missingCredential(vendor));
  try {
    const models: ModelListing[] = [];
    const { data } = (await (await send({ path: "/models", signal })).json()) as { data?: Model[] };
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
