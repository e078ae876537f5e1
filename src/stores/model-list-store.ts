import { z } from "zod";
import type { ModelListing } from "../engine/model/provider.ts";

const storageKey = "switchyard:model-lists";
/** The oldest lists go first; a list of some gateways is long. */
const mostLists = 12;

const listSchema = z.object({
  at: z.number(),
  models: z.array(z.object({ id: z.string(), title: z.string().optional(), retired: z.boolean().optional() })),
});
const storeSchema = z.record(z.string(), listSchema);

/** A vendor's list and when it came, in milliseconds since 1970. */
interface KeptModelList {
  at: number;
  models: ModelListing[];
}

function readAll(): Record<string, KeptModelList> {
  try {
    return storeSchema.catch({}).parse(JSON.parse(localStorage.getItem(storageKey) ?? "{}"));
  } catch {
    return {};
  }
}

/** The list that was last fetched under this name, if this browser still has it. */
export function keptModelList(name: string): KeptModelList | undefined {
  const all = readAll();
  return Object.hasOwn(all, name) ? all[name] : undefined;
}

/** Keeps a list for later visits. */
export function keepModelList(name: string, list: KeptModelList): void {
  const others = Object.entries(readAll()).filter(([other]) => other !== name);
  const newest = others.toSorted(([, a], [, b]) => b.at - a.at).slice(0, mostLists - 1);
  try {
    localStorage.setItem(storageKey, JSON.stringify(Object.fromEntries([[name, list], ...newest])));
  } catch {
    // Without storage the list is fetched again after a reload.
  }
}
