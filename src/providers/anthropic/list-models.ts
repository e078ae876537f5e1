import type { ModelInfo } from "@anthropic-ai/sdk/resources/models";
import { RunError } from "../../engine/errors.ts";
import type { ModelListing, ProviderContext } from "../../engine/model/provider.ts";
import { mapCallError } from "../wire/call-error.ts";
import { missingCredential } from "../wire/credential.ts";
import { anthropicSender } from "./client.ts";

interface ModelPage {
  data?: ModelInfo[];
  has_more?: boolean;
  last_id?: string | null;
}

/** The vendor's own list. Rejects with a RunError. */
export async function listClaudeModels(
  vendor: string,
  context: ProviderContext,
  signal: AbortSignal,
): Promise<ModelListing[]> {
  if (context.credential === "") throw new RunError(missingCredential(vendor));
  const send = anthropicSender(context);
  try {
    const models: ModelListing[] = [];
    for (let after: string | undefined = ""; after !== undefined;) {
      const query = new URLSearchParams({ limit: "1000", ...(after ? { after_id: after } : {}) });
      const response = await send({ path: `/v1/models?${query}`, signal });
      const { data, has_more: more, last_id: last } = (await response.json()) as ModelPage;
      for (const { id, display_name: title, lifecycle } of data ?? []) {
        const going = lifecycle === "deprecated" || lifecycle === "retired";
        models.push({ id, title, ...(going ? { retired: true } : {}) });
      }
      after = more && last ? last : undefined;
    }
    return models;
  } catch (error) {
    throw new RunError(mapCallError(error, { vendor, signal, now: context.host.now() }));
  }
}
