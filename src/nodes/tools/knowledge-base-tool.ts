import { z } from "zod";
import type { ToolCallContext, ToolResult } from "../../engine/agent/tool.ts";
import { field } from "../../engine/config/field.ts";
import { defineNode } from "../../engine/document/define-node.ts";
import { out } from "../../engine/document/ports.ts";
import { knowledgeModes } from "../../engine/knowledge/knowledge.ts";
import { RunError } from "../../engine/run/errors.ts";
import { providers } from "../../providers/index.ts";
import { planSearch, type SearchPlan } from "./knowledge/plan-search.ts";
import { searchOutput } from "./knowledge/search-output.ts";
import { commonTool, toolFields, toolNameOf } from "./tool-fields.ts";

const toolName = "knowledge_base_search";
/** Embedding models take some 8,000 tokens; a question needs far less. */
const maxQueryChars = 4_000;
const byMeaning = { field: "mode", in: ["hybrid", "semantic"] };

const config = z.object({
  collection: field(z.string().max(200).default(""), {
    label: "Collection",
    help: "Which documents to search. Collections are made on the Knowledge page.",
    control: "collection",
    required: true,
  }),
  collectionName: field(z.string().max(200).default(""), {
    label: "Name of the collection",
    help: "Shown on the card; follows from the choice.",
    hidden: true,
  }),
  mode: field(z.enum(knowledgeModes).default("hybrid"), {
    label: "Mode",
    help: "semantic finds what means the same, keyword the words themselves (needs no key), hybrid both. A collection without embeddings is searched by keyword.",
  }),
  topK: field(z.number().int().min(1).max(50).default(5), {
    label: "Results",
    help: "How many passages a search gives at most.",
  }),
  minScore: field(z.number().min(0).max(1).default(0.7), {
    label: "Lowest score",
    help: "From 0 to 1; 0.5 is nothing in common. By meaning, 0.7 is a cosine similarity of 0.4; by keyword, one telling word of the query's six; hybrid takes the better of the two.",
  }),
  embeddingModel: field(z.string().trim().max(200).default(""), {
    label: "Embedding model",
    help: "Empty takes the collection's own. Another model than that is refused: its vectors cannot be compared.",
    section: "Embeddings",
    placeholder: "The collection's own",
    visibleWhen: byMeaning,
  }),
  credential: field(z.string().max(200).default(""), {
    label: "Credential",
    help: "Signs the embedding requests. None takes the collection's own.",
    control: "credential",
    credentialTypes: providers.flatMap(({ embeddings, credentialTypes }) => (embeddings ? credentialTypes : [])),
    section: "Embeddings",
    visibleWhen: byMeaning,
  }),
  ...toolFields({
    toolName,
    toolDescription:
      "Searches the knowledge base and returns passages of its documents, best first. Use it for every question that the documents may answer; answer from the passages and name the document.",
  }),
});

const parameters = (topK: number) => ({
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

type VectorPlan = Exclude<SearchPlan, { mode: "keyword" }>;

type SearchCall = Pick<ToolCallContext, "callId" | "signal">;

/** The words of a failure, whatever was thrown. */
function failureOf(error: unknown): Extract<ToolResult, { ok: false }> {
  if (error instanceof RunError) {
    const { message, hint, code } = error.data;
    return { ok: false, error: { message, hint, code } };
  }
  const reason = error instanceof Error ? error.message : String(error);
  return { ok: false, error: { message: `The knowledge base could not be searched: ${reason}`, code: "tool_error" } };
}

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
  toolName: toolNameOf(toolName),
  describe({ collection, collectionName, mode, topK }) {
    if (typeof collection !== "string" || collection === "") return "Choose a collection";
    const name = typeof collectionName === "string" && collectionName !== "" ? collectionName : "A collection";
    return [name, mode ?? "hybrid", topK ?? 5].map(String).join(" · ");
  },
  exposure: () => ["private-data", "untrusted-input"],
  async run(context) {
    const { config: settings, host, signal, node } = context;
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
    const vectorOf = async (text: string, { embedding, provider, mode }: VectorPlan, call: SearchCall) => {
      const { callId, signal: stop } = call;
      const access = { host, credential: embedding.credential, nodeId: node.id };
      try {
        const request = { model: embedding.model, texts: [text], signal: stop };
        return (await provider.embeddings?.embed(request, access))?.[0];
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
          parameters: parameters(topK),
          async execute(input, call) {
            const text = String(input["query"]).trim().slice(0, maxQueryChars);
            const limit = typeof input["limit"] === "number" ? Math.min(input["limit"], topK) : topK;
            try {
              const embedding = plan.mode === "keyword" ? undefined : await vectorOf(text, plan, call);
              const mode = embedding ? plan.mode : "keyword";
              const query = { collection: id, text, mode, limit, minScore, signal: call.signal };
              const hits = await host.knowledge.search(embedding ? { ...query, embedding } : query);
              return { ok: true, output: searchOutput(hits, { collection: collection.name, mode, minScore }) };
            } catch (error) {
              call.signal.throwIfAborted();
              return failureOf(error);
            }
          },
        },
      ],
    };
  },
});
