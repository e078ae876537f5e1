import { z } from "zod/mini";
import { field } from "../../engine/config/field.ts";
import { defineNode } from "../../engine/document/define-node.ts";
import { out } from "../../engine/document/ports.ts";
import { knowledgeModes } from "../../engine/knowledge/knowledge.ts";
import { providers } from "../../providers/index.ts";
import { embeddingPriceField } from "../models/price-fields.ts";
import { retryFields } from "../flow/error-field.ts";
import { toolFields, toolNameOf } from "./tool-fields.ts";

const toolName = "knowledge_base_search";
const byMeaning = { field: "mode", in: ["hybrid", "semantic"] };

const config = z.object({
  collection: field(z._default(z.string().check(z.maxLength(200)), ""), {
    label: "Collection",
    help: "Which documents to search. Collections are made on the Knowledge page.",
    control: "collection",
    required: true,
  }),
  collectionName: field(z._default(z.string().check(z.maxLength(200)), ""), {
    label: "Name of the collection",
    help: "Shown on the card; set by your choice.",
    hidden: true,
  }),
  mode: field(z._default(z.enum(knowledgeModes), "hybrid"), {
    label: "Mode",
    help: "Semantic: what means the same. Keyword: the words themselves, without a key. Hybrid: both. A collection without embeddings is searched by keyword.",
  }),
  topK: field(z._default(z.int().check(z.minimum(1), z.maximum(50)), 5), {
    label: "Results",
    help: "The most passages a search returns.",
  }),
  minScore: field(z._default(z.number().check(z.minimum(0), z.maximum(1)), 0.7), {
    label: "Lowest score",
    help: "From 0 to 1; 0.5 is nothing in common. By meaning, 0.7 is a cosine similarity of 0.4; by keyword, one telling word of the query's six; hybrid takes the better of the two.",
  }),
  filter: field(z._default(z.record(z.string(), z.string()), {}), {
    label: "Only passages with",
    help: 'What is noted with a passage: document handbook.md, page 3, row 12 or entry 4. The model may choose: {{ai("document", "which document", "string", "")}}. Empty values are ignored.',
    template: "text",
    ai: true,
  }),
  embeddingModel: field(z._default(z.string().check(z.trim(), z.maxLength(200)), ""), {
    label: "Embedding model",
    help: "Empty: the collection's own. Another model is refused, since its vectors cannot be compared.",
    section: "Embeddings",
    placeholder: "The collection's own",
    visibleWhen: byMeaning,
  }),
  credential: field(z._default(z.string().check(z.maxLength(200)), ""), {
    label: "Credential",
    help: "Signs the embedding requests. Empty: the collection's own.",
    control: "credential",
    credentialTypes: providers.flatMap(({ embeddings, credentialTypes }) => (embeddings ? credentialTypes : [])),
    section: "Embeddings",
    visibleWhen: byMeaning,
  }),
  embeddingPrice: embeddingPriceField(byMeaning),
  ...toolFields({
    approval: "never",
    toolName,
    toolDescription:
      "Searches the knowledge base and returns passages of its documents, best first. Use it for every question that the documents may answer; answer from the passages and name the document.",
  }),
  ...retryFields("After broken connections and a busy embedding model."),
});

export const knowledgeBaseTool = defineNode({
  type: "knowledge-base-tool",
  version: 1,
  role: "tool",
  title: "Knowledge base",
  summary: "Lets the agent search your documents and quote them.",
  icon: "book-open",
  config,
  inputs: {},
  outputs: { tool: out("tool", { label: "Tool", side: "left" }) },
  reach: [{ to: "knowledge" }, { to: "embeddings", credential: "credential" }],
  toolName: toolNameOf(toolName),
  describe({ collection, collectionName, mode, topK }) {
    if (typeof collection !== "string" || collection === "") return "Choose a collection";
    const name = typeof collectionName === "string" && collectionName !== "" ? collectionName : "A collection";
    return [name, mode ?? "hybrid", topK ?? 5].map(String).join(" · ");
  },
  load: () => import("./knowledge-base-tool.run.ts"),
});
