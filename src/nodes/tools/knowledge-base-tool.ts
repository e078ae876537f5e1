import { z } from "zod/mini";
import { field } from "../../engine/config/field.ts";
import { defineNode, type RunContext } from "../../engine/document/define-node.ts";
import { out } from "../../engine/document/ports.ts";
import { knowledgeModes } from "../../engine/knowledge/knowledge.ts";
import { providers } from "../../providers/index.ts";
import type { Tool, ToolCallContext, ToolResult } from "../../engine/tool/tool.ts";
import { isJsonObject, type Json, type JsonSchema } from "../../engine/json.ts";
import { RunError } from "../../engine/errors.ts";
import { embedCounted } from "../../providers/embeddings/embed-counted.ts";
import { embeddingPriceField } from "../models/price-fields.ts";
import { repeatsOf, retryFields } from "../flow/error-field.ts";
import { commonTool, toolFields, toolNameOf } from "./tool-fields.ts";
import { storedFilter } from "./knowledge/passage-filter.ts";
import { planSearch, type SearchPlan } from "./knowledge/plan-search.ts";
import { searchOutput } from "./knowledge/search-output.ts";

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
    help: "Semantic: passages that mean the same. Keyword: passages with the same words, without a key. Hybrid: both. A collection without embeddings is searched by keyword.",
  }),
  topK: field(z._default(z.int().check(z.minimum(1), z.maximum(50)), 5), {
    label: "Results",
    help: "How many passages a search returns at most.",
  }),
  minScore: field(z._default(z.number().check(z.minimum(0), z.maximum(1)), 0.7), {
    label: "Lowest score",
    help: "How well a passage has to fit, from 0 to 1; 0.5 is nothing in common. Raise it when unrelated passages are found, lower it when too few are.",
  }),
  filter: field(z._default(z.record(z.string(), z.string()), {}), {
    label: "Only passages with",
    help: 'Searches only there: document handbook.md, page 3, row 12 or entry 4. The model may choose: {{ai("document", "which document", "string", "")}}. Empty values are ignored.',
    template: "text",
    ai: true,
  }),
  embeddingModel: field(z._default(z.string().check(z.trim(), z.maxLength(200)), ""), {
    label: "Embedding model",
    help: "Empty: the collection's own. Any other is refused, since the two cannot be compared.",
    section: "Embeddings",
    placeholder: "The collection's own",
    visibleWhen: byMeaning,
  }),
  credential: field(z._default(z.string().check(z.maxLength(200)), ""), {
    label: "Credential",
    help: "The key for the embedding model. Empty: the collection's own.",
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
  ...retryFields("How often to try again when the connection breaks or the embedding model is busy."),
});

type Config = z.infer<typeof config>;

export const knowledgeBaseTool = defineNode({
  type: "knowledge-base-tool",
  version: 1,
  role: "tool",
  title: "Knowledge base",
  summary: "Lets the agent search your documents and quote them.",
  keywords: [
    "rag",
    "vector store",
    "retrieval",
    "retriever",
    "embeddings",
    "documents",
    "files",
    "pdf",
    "search",
    "pinecone",
    "qdrant",
    "docs",
    "faq",
    "wiki",
    "upload",
    "csv",
    "word",
    "content",
    "notion",
    "google drive",
    "semantic search",
  ],
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
  run,
});

/** Embedding models take some 8,000 tokens; a question needs far less. */
const maxQueryChars = 4_000;

const ownParameters = (topK: number) => ({
  type: "object",
  properties: {
    query: {
      type: "string",
      minLength: 1,
      maxLength: maxQueryChars,
      description: "What to look for: a question, or the words that the passage would have.",
    },
    limit: {
      type: "integer",
      minimum: 1,
      maximum: topK,
      description: `How many passages to return; ${topK} if left out.`,
    },
  },
  required: ["query"],
  additionalProperties: false,
});

/** What a search takes, and what the author left to the model of the filter. */
function parameters(topK: number, asked: JsonSchema): JsonSchema {
  const own = ownParameters(topK);
  const properties = isJsonObject(asked["properties"]) ? asked["properties"] : {};
  const required: Json[] = Array.isArray(asked["required"]) ? asked["required"] : [];
  return {
    ...own,
    properties: { ...properties, ...own.properties },
    required: [...new Set([...own.required, ...required])],
  };
}

type VectorPlan = Exclude<SearchPlan, { mode: "keyword" }>;

type SearchCall = Pick<ToolCallContext, "callId" | "signal" | "addUsage" | "spending">;

/** The words of a failure, whatever was thrown. */
function failureOf(error: unknown): Extract<ToolResult, { ok: false }> {
  if (error instanceof RunError) {
    const { message, hint, code, retryable, retryAfterMs } = error.data;
    return { ok: false, error: { message, hint, code, retryable, ...(retryAfterMs ? { retryAfterMs } : {}) } };
  }
  const reason = error instanceof Error ? error.message : String(error);
  return { ok: false, error: { message: `The knowledge base could not be searched: ${reason}`, code: "tool_error" } };
}

/** The tool of one node. Throws a RunError when its collection cannot be searched as it asks. */
async function run(context: RunContext<Config, unknown>): Promise<{ tools: Tool[] }> {
  const { config: settings, host, signal, node, ai } = context;
  const { collection: id, topK, minScore } = settings;
  const collection = await host.knowledge.collection(id, { signal });
  if (collection === null) {
    const named = settings.collectionName === "" ? "" : ` "${settings.collectionName}"`;
    throw new RunError({
      code: "invalid_config",
      message: `The collection${named} of "${node.title}" does not exist any more, or belongs to another account.`,
      hint: "Choose another collection in the node's settings, or make one on the Knowledge page.",
      nodeId: node.id,
    });
  }
  const plan = planSearch(collection, settings);
  if (plan.mode === "keyword" && plan.lessThanAsked) {
    context.log("info", `"${collection.name}" has no embeddings, so it is searched by keyword.`);
  }

  /** The query's vector; undefined where a hybrid search goes on without it. */
  const vectorOf = async (text: string, { embedding, embeddings, mode }: VectorPlan, call: SearchCall) => {
    const { callId, signal: stop, spending } = call;
    try {
      const price = settings.embeddingPrice;
      const request = { embedding, texts: [text], signal: stop, host, nodeId: node.id, spending, price };
      const { vectors, use } = await embedCounted(embeddings, request);
      call.addUsage(use.usage, use.costUsd);
      context.emitWithin(callId, { type: "embedding", nodeId: node.id, ...use });
      return vectors[0];
    } catch (error) {
      stop.throwIfAborted();
      if (mode === "semantic") throw error;
      const { message, hint = "Check the collection's credential." } = failureOf(error).error;
      const warning = `The query could not be embedded, so "${collection.name}" is searched by keyword: ${message}`;
      context.emitWithin(callId, { type: "warning", nodeId: node.id, message: warning, hint });
      return undefined;
    }
  };

  return {
    tools: [
      {
        ...commonTool(settings),
        repeats: repeatsOf({ ...settings }),
        parameters: parameters(topK, ai.parameters),
        async execute(input, call) {
          const text = String(input["query"]).trim().slice(0, maxQueryChars);
          const limit = typeof input["limit"] === "number" ? Math.min(input["limit"], topK) : topK;
          try {
            const embedding = plan.mode === "keyword" ? undefined : await vectorOf(text, plan, call);
            const mode = embedding ? plan.mode : "keyword";
            const filter = storedFilter(ai.bind(input).filter);
            const query = { collection: id, text, mode, limit, minScore, filter, signal: call.signal };
            const hits = await host.knowledge.search(embedding ? { ...query, embedding } : query);
            return { ok: true, output: searchOutput(hits, { collection: collection.name, mode, minScore, filter }) };
          } catch (error) {
            call.signal.throwIfAborted();
            return failureOf(error);
          }
        },
      },
    ],
  };
}
