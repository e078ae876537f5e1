import type { ModelListing, ProviderContext } from "../../engine/model/provider.ts";
import { RunError } from "../../engine/errors.ts";
import { missingCredential } from "../wire/credential.ts";
import { geminiSender } from "./client.ts";
import { mapGeminiError } from "./map-error.ts";

/** A page of `models.list`; the SDK gives its models other members than the API has. */
interface ModelPage {
  models?: { name: string; displayName?: string; description?: string; supportedGenerationMethods?: string[] }[];
  nextPageToken?: string;
}

/** The vendor's own list, those that write texts. Rejects with a RunError. */
export async function listGeminiModels(
  vendor: string,
  context: ProviderContext,
  signal: AbortSignal,
): Promise<ModelListing[]> {
  if (context.credential === "") throw new RunError(missingCredential(vendor));
  const send = geminiSender(context);
  try {
    const models: ModelListing[] = [];
    for (let token: string | undefined = ""; token !== undefined;) {
      const query = new URLSearchParams({ pageSize: "1000", ...(token ? { pageToken: token } : {}) });
      const response = await send({ path: `/v1beta/models?${query}`, signal });
      const page = (await response.json()) as ModelPage;
      for (const { name, displayName, description = "", supportedGenerationMethods: methods } of page.models ?? []) {
        if (!methods?.includes("generateContent")) continue;
        const going = /deprecated|retired|discontinued/i.test(description);
        const title = displayName ? { title: displayName } : {};
        models.push({ id: name.replace(/^models\//, ""), ...title, ...(going ? { retired: true } : {}) });
      }
      token = page.nextPageToken || undefined;
    }
    return models;
  } catch (error) {
    throw new RunError(mapGeminiError(error, { vendor, signal, now: context.host.now() }));
  }
}
