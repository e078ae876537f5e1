import { z } from "zod/mini";
import type { ModelListing } from "../../engine/model/provider.ts";
import { stored } from "../shared/stored.ts";

/** The oldest lists go first; a list of some gateways is long. */
const mostLists = 12;

const listSchema = z.object({
  at: z.number(),
  models: z.array(z.object({ id: z.string(), title: z.optional(z.string()), retired: z.optional(z.boolean()) })),
});
/** Without storage a list is fetched again after a reload. */
const kept = stored("switchyard:model-lists", z.record(z.string(), listSchema));

/** A vendor's list and when it came, in milliseconds since 1970. */
interface KeptModelList {
  at: number;
  models: ModelListing[];
}

const readAll = (): Record<string, KeptModelList> => kept.read() ?? {};

/** The list that was last fetched under this name, if this browser still has it. */
export function keptModelList(name: string): KeptModelList | undefined {
  const all = readAll();
  return Object.hasOwn(all, name) ? all[name] : undefined;
}

/** Keeps a list for later visits. */
export function keepModelList(name: string, list: KeptModelList): void {
  const others = Object.entries(readAll()).filter(([other]) => other !== name);
  const newest = others.toSorted(([, a], [, b]) => b.at - a.at).slice(0, mostLists - 1);
  kept.write(Object.fromEntries([[name, list], ...newest]));
}
