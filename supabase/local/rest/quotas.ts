import type { InstanceKeys } from "../database/keys.ts";
import { createServiceCalls } from "../functions/service-calls.ts";
import type { SupabaseApi } from "./supabase-api.ts";

/** How much each user may keep, by kind; what is absent stays as it was set before. */
export type Quotas = Partial<Record<"rows" | "bytes" | "events" | "documents" | "uploads", number>>;

export async function setQuotas(
  api: SupabaseApi,
  keys: Pick<InstanceKeys, "secretKey">,
  quotas: Quotas,
): Promise<void> {
  const callAsService = createServiceCalls(api, keys);
  for (const [kind, most] of Object.entries(quotas)) {
    await callAsService("studio_set_quota", { p_kind: kind, p_most: most });
  }
}

/** Only whoever runs a studio accepts prices of models: all who use it where only its own machine reaches it. */
export async function openPrices(
  api: SupabaseApi,
  keys: Pick<InstanceKeys, "secretKey">,
  anybody: boolean,
): Promise<void> {
  await createServiceCalls(api, keys)("studio_open_prices", { p_anybody: anybody });
}
