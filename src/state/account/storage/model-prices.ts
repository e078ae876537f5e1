import { z } from "zod/mini";
import type { Host } from "../../../engine/host.ts";
import { type StoredPrices, takeStoredPrices } from "../../../engine/models/accepted-models.ts";
import { listDate } from "../../../engine/models/known-models.ts";
import { readPriceList } from "../../../engine/models/read-price-list.ts";
import { type PriceService, ServiceError } from "../../../services/services.ts";
import { fetchPage } from "../../knowledge/storage/fetch-page.ts";
import { execute, parseAnswer } from "../../shared/storage/query.ts";
import type { SupabaseClient } from "../../shared/storage/supabase-client.ts";

/** So long a list may take. */
const timeoutMs = 30_000;

/**
 * Prices of models: read from an address through the guarded way out (at most 5 MB, and no private address that is not allowed),
 * kept in the database.
 */
export function createModelPrices(
  { database }: Pick<SupabaseClient, "database">,
  callFunction: Host["callFunction"],
): Omit<PriceService, "address"> {
  let known: StoredPrices | undefined;

  async function take(): Promise<StoredPrices> {
    const asked = database.rpc("studio_read_prices", { p_known: known?.revision ?? null });
    known = takeStoredPrices(await parseAnswer("read the prices of models", z.unknown(), asked));
    return known;
  }

  return {
    take,
    async check(address) {
      const { body } = await fetchPage(address, callFunction, AbortSignal.timeout(timeoutMs));
      const changes = readPriceList(body);
      if (changes !== null) return changes;
      const hint =
        "It has to have the form of models.dev/api.json. Check the address that the studio was started with.";
      throw new ServiceError("invalid", "There is no list of models at this address.", hint);
    },
    async accept(models, source) {
      const asked = { p_models: models, p_source: source, p_known_on: listDate };
      await execute("accept the prices", database.rpc("studio_accept_prices", asked));
      return take();
    },
    async drop() {
      await execute("take the prices back", database.rpc("studio_drop_prices"));
      return take();
    },
  };
}
