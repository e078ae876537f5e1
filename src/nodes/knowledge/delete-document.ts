import { z } from "zod/mini";
import { field } from "../../engine/config/field.ts";
import { defineNode } from "../../engine/document/define-node.ts";
import { one, out } from "../../engine/document/ports.ts";
import type { JsonObject } from "../../engine/json.ts";
import { onErrorField, repeatIfHarmless, stepAfterCrash } from "../flow/error-field.ts";
import { collectionFields, describeCollection, openDocuments } from "./collection-fields.ts";

export const deleteDocument = defineNode({
  type: "delete-document",
  version: 1,
  role: "flow",
  title: "Delete a document",
  summary: "Deletes a document of a collection by its name.",
  keywords: ["knowledge", "rag", "remove", "vector store", "forget"],
  section: "data",
  icon: "book-x",
  config: z.object({
    ...collectionFields("Which collection has the document."),
    name: field(z._default(z.string(), ""), {
      label: "Name",
      help: "The name of the document, such as handbook.md. It can be restored for an hour on the collection's page.",
      template: "text",
      required: true,
    }),
    afterCrash: stepAfterCrash(repeatIfHarmless),
    onError: onErrorField,
  }),
  inputs: { main: one("main", { label: "Input" }) },
  outputs: { main: out("main", { label: "Output" }) },
  reach: [{ to: "knowledge", does: "deletes documents of a collection" }],
  describe: (raw) => describeCollection(raw, ...(raw["name"] ? [raw["name"]] : [])),
  outputKeys: () => ["collection", "name", "deleted"],
  /** `{ collection, name, deleted }`: how many documents had this name. */
  async run({ config, host, signal, node }): Promise<JsonObject> {
    const name = config.name.trim();
    const collection = await openDocuments(host, config, node, signal);
    const found = await host.knowledge.findDocuments(collection.id, { name, hash: "" });
    const named = found.filter((document) => document.name === name);
    for (const { id } of named) {
      signal.throwIfAborted();
      await host.knowledge.removeDocument(id);
    }
    return { collection: collection.name, name, deleted: named.length };
  },
});
