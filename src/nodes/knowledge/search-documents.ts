import { z } from "zod/mini";
import { field } from "../../engine/config/field.ts";
import { defineNode } from "../../engine/document/define-node.ts";
import { one, out } from "../../engine/document/ports.ts";
import type { JsonObject } from "../../engine/json.ts";
import type { KnowledgeHit } from "../../engine/knowledge/knowledge.ts";
import { joinTaint, sourceNamed, type Taint } from "../../engine/trust/taint.ts";
import { onErrorField, repeatsOf, retryFields } from "../flow/error-field.ts";
import { collectionFields, openCollection } from "./collection-fields.ts";
import { planSearch } from "./plan-search.ts";
import { rerankCalls } from "./rerank-fields.ts";
import { searchCollection } from "./search-collection.ts";
import { describeSearch, searchFields } from "./search-fields.ts";

export const searchDocuments = defineNode({
  type: "search-documents",
  version: 1,
  role: "flow",
  title: "Search documents",
  summary: "Finds passages in the documents of a collection.",
  keywords: ["knowledge", "rag", "retrieve", "retrieval", "vector store", "query", "find", "lookup", "similarity"],
  section: "data",
  icon: "book-search",
  config: z.object({
    ...collectionFields("Which documents to search."),
    query: field(z._default(z.string(), "{{json.message}}"), {
      label: "Query",
      help: "What to look for: a question, or the words that the passage would have.",
      control: "textarea",
      template: "text",
      required: true,
    }),
    ...searchFields({ ai: false }),
    ...retryFields("How often to try again when the connection breaks or the embedding model is busy."),
    onError: onErrorField,
  }),
  inputs: { main: one("main", { label: "Input" }) },
  outputs: { main: out("main", { label: "Output" }) },
  reach: [
    { to: "knowledge" },
    { to: "embeddings", credential: "credential" },
    { to: "embeddings", credential: "rerankCredential" },
  ],
  repeats: repeatsOf,
  calls: rerankCalls,
  describe: (raw) => describeSearch(raw),
  outputKeys: () => ["collection", "mode", "results"],
  /** `{ collection, mode, results: [{ metadata, score, relevance?, content }], note? }`. */
  async run({ config, host, signal, node, emit, log, addUntrusted }): Promise<JsonObject> {
    const collection = await openCollection(host, config, node, signal);
    const plan = planSearch(collection, config);
    if (plan.mode === "keyword" && plan.lessThanAsked) {
      log("info", `"${collection.name}" has no embeddings, so it is searched by keyword.`);
    }
    const { query: text, topK: limit } = config;
    const asked = { collection, plan, settings: config, text, limit, narrowedBy: config };
    const { hits, output } = await searchCollection(asked, {
      host,
      nodeId: node.id,
      signal,
      onUse: (use) => void emit({ type: "embedding", nodeId: node.id, ...use }),
      onRerank: (use) => void emit({ type: "rerank", nodeId: node.id, ...use }),
      warn: (message, hint) => void emit({ type: "warning", nodeId: node.id, message, hint }),
    });
    addUntrusted(joinTaint([sourceNamed(`"${node.title}"`)], ...hits.map(authorsOf)));
    return output;
  },
});

/** The strangers who may have written a passage. */
function authorsOf({ metadata: { untrusted } }: KnowledgeHit): Taint {
  return Array.isArray(untrusted) ? untrusted.filter((source) => typeof source === "string") : [];
}
