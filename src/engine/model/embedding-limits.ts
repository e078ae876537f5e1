import { vendorOf } from "../vendors/index.ts";

/** Tokens that a model takes per text; null where that is not known. A path before the name (`BAAI/…`) does not count. */
export function inputLimitOf({ provider, model }: { provider: string; model: string }): number | null {
  const name = model.toLowerCase().replace(/^.*\//, "");
  return vendorOf(provider)?.embeddingLimits.find(([start]) => name.startsWith(start))?.[1] ?? null;
}
