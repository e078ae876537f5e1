import { z } from "zod/mini";
import { field } from "../../engine/config/field.ts";
import { RunError } from "../../engine/errors.ts";
import type { Host } from "../../engine/host.ts";
import { onlyRead } from "../../engine/knowledge/knowledge-errors.ts";
import type { KnowledgeCollection } from "../../engine/knowledge/knowledge.ts";
import type { JsonObject } from "../../engine/json.ts";

/** Which collection a node works on. */
export const collectionFields = (help: string) => ({
  collection: field(z._default(z.string().check(z.maxLength(200)), ""), {
    label: "Collection",
    help: `${help} Collections are made on the Knowledge page.`,
    control: "collection",
    required: true,
  }),
  collectionName: field(z._default(z.string().check(z.maxLength(200)), ""), {
    label: "Name of the collection",
    help: "Shown on the card; set by your choice.",
    hidden: true,
  }),
});

interface ChosenCollection {
  collection: string;
  collectionName: string;
}

/** The collection of a node's settings. Throws a RunError of code `invalid_config` where there is none. */
export async function openCollection(
  host: Host,
  { collection: id, collectionName }: ChosenCollection,
  node: { id: string; title: string },
  signal: AbortSignal,
): Promise<KnowledgeCollection> {
  const found = await host.knowledge.collection(id, { signal });
  if (found !== null) return found;
  const named = collectionName === "" ? "" : ` "${collectionName}"`;
  throw new RunError({
    code: "invalid_config",
    message: `The collection${named} of "${node.title}" does not exist any more, or belongs to another account.`,
    hint: "Choose another collection in the node's settings, or make one on the Knowledge page.",
    nodeId: node.id,
  });
}

/** The same for a node that changes documents; throws as well where the collection is only read. */
export async function openDocuments(...given: Parameters<typeof openCollection>): Promise<KnowledgeCollection> {
  const collection = await openCollection(...given);
  if (collection.table) throw onlyRead();
  return collection;
}

/** The line of a card: the collection, and what else decides. */
export function describeCollection({ collection, collectionName }: JsonObject, ...others: unknown[]): string {
  if (typeof collection !== "string" || collection === "") return "Choose a collection";
  const name = typeof collectionName === "string" && collectionName !== "" ? collectionName : "A collection";
  return [name, ...others].map(String).join(" · ");
}
