import type { Tool, ToolCallContext, ToolResult } from "../../engine/tool/tool.ts";
import type { RunContext } from "../../engine/document/define-node.ts";
import { isJsonObject, type Json, type JsonSchema } from "../../engine/json.ts";
import { RunError } from "../../engine/errors.ts";
import { embedCounted } from "../../providers/embeddings/embed-counted.ts";
import { repeatsOf } from "../flow/error-field.ts";
import { commonTool, type ToolConfig } from "./tool-fields.ts";
import { storedFilter } from "./knowledge/passage-filter.ts";
import { planSearch, type SearchPlan, type SearchSettings } from "./knowledge/plan-search.ts";
import { searchOutput } from "./knowledge/search-output.ts";

/** The settings of the node, once parsed. */
interface SearchConfig extends ToolConfig, SearchSettings {
  collection: string;
  collectionName: string;
  topK: number;
  minScore: number;
  /** By the name of what is noted with a passage. */
  filter: Record<string, string>;
  embeddingPrice: number | null;
  retries: number;
  retryDelayMs: number;
}

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
export async function run(context: RunContext<SearchConfig, unknown>): Promise<{ tools: Tool[] }> {
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
