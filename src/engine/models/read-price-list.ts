import { parseJson } from "../json.ts";
import { knownLists } from "./known-models.ts";
import { type ModelLists, type PriceChange, priceChanges } from "./price-changes.ts";
import { sourceApi } from "./source-models.ts";
import { listIds, toListedModels } from "./to-listed-models.ts";

/** How a list in the form of models.dev's `api.json` differs from what is known; null for a text that has no such list. */
export function readPriceList(text: string): PriceChange[] | null {
  const read = sourceApi.safeParse(parseJson(text));
  if (!read.success) return null;
  const source = Object.fromEntries(Object.keys(listIds).map((id) => [id, read.data[id]?.models ?? {}]));
  // A list that is missing says nothing of its models.
  const found: ModelLists = Object.fromEntries(
    Object.entries(toListedModels(source)).filter(([, models]) => Object.keys(models).length > 0),
  );
  if (Object.keys(found).length === 0) return null;
  const now = knownLists();
  return priceChanges(Object.fromEntries(Object.keys(found).map((list) => [list, now[list] ?? {}])), found);
}
