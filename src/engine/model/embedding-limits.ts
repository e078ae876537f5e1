import { compatibleVendor } from "../vendors/compatible-servers.ts";
import { vendorOf } from "../vendors/index.ts";
import { builtInEmbedding, localEmbedding } from "./free-embeddings.ts";

/** Of gte-small (huggingface.co/Supabase/gte-small). */
const builtInLimit = 512;

/** Tokens that a model takes per text; null where that is not known. A path before the name (`BAAI/…`) does not count. */
export function inputLimitOf({ provider, model }: { provider: string; model: string }): number | null {
  if (provider === builtInEmbedding) return builtInLimit;
  const name = model.toLowerCase().replace(/^.*\//, "");
  const vendor = vendorOf(provider === localEmbedding ? compatibleVendor : provider);
  return vendor?.embeddingLimits.find(([start]) => name.startsWith(start))?.[1] ?? null;
}
