import { z } from "zod/mini";
import { field } from "../../engine/config/field.ts";
import { defineNode, type RunContext } from "../../engine/document/define-node.ts";
import { out } from "../../engine/document/ports.ts";
import type { Tool, ToolResult } from "../../engine/tool/tool.ts";
import { fieldsOf, type KnowledgeField } from "../../engine/knowledge/filter/check-filter.ts";
import { filterOperators } from "../../engine/knowledge/filter/parse-filter.ts";
import { isJsonObject, type Json, type JsonObject, type JsonSchema } from "../../engine/json.ts";
import { RunError } from "../../engine/errors.ts";
import { repeatsOf, retryFields } from "../flow/error-field.ts";
import { commonTool, toolFields, toolNameOf } from "./tool-fields.ts";
import { collectionFields, openCollection } from "../knowledge/collection-fields.ts";
import { passagesOf } from "../knowledge/passages.ts";
import { planSearch } from "../knowledge/plan-search.ts";
import { rerankCalls } from "../knowledge/rerank-fields.ts";
import { maxQueryChars, searchCollection } from "../knowledge/search-collection.ts";
import { describeSearch, searchFields } from "../knowledge/search-fields.ts";

const toolName = "knowledge_base_search";
const config = z.object({
  ...collectionFields("Which documents to search."),
  ...searchFields({ ai: true }),
  modelFilters: field(z._default(z.boolean(), false), {
    label: "Let the model filter",
    help: "On: the model may narrow a search by the metadata of the documents, where they have some. It never sees what the filters above leave out.",
    startsAs: true,
  }),
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
  reach: [
    { to: "knowledge" },
    { to: "embeddings", credential: "credential" },
    { to: "embeddings", credential: "rerankCredential" },
  ],
  toolName: toolNameOf(toolName),
  calls: rerankCalls,
  describe: (raw) => describeSearch(raw),
  run,
});

/** Fields that the model is told of. */
const maxFields = 40;

/** The filter of the model's own. It is told the names of fields, not their values: those may be a stranger's text. */
function filterParameter(fields: readonly KnowledgeField[]): JsonObject {
  const listed = fieldsOf(fields)
    .slice(0, maxFields)
    .map(({ name, types }) => `${name} (${types.join(" or ")})`);
  const description = `Narrows the search, such as year >= 2025 and team = "sales". ${filterOperators} Fields: ${listed.join(", ")}. The metadata of passages shows their values. Leave it out to search all.`;
  return { filter: { type: "string", maxLength: 1_000, description } };
}

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

const hasProperty = ({ properties }: JsonSchema, name: string) =>
  isJsonObject(properties) && Object.hasOwn(properties, name);

/** What a search takes, and what the author left to the model of the filter. */
function parameters(topK: number, asked: JsonSchema, fields: readonly KnowledgeField[]): JsonSchema {
  const own = ownParameters(topK);
  const properties = isJsonObject(asked["properties"]) ? asked["properties"] : {};
  const required: Json[] = Array.isArray(asked["required"]) ? asked["required"] : [];
  return {
    ...own,
    properties: { ...(fields.length > 0 ? filterParameter(fields) : {}), ...properties, ...own.properties },
    required: [...new Set([...own.required, ...required])],
  };
}

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
  const { topK, modelFilters } = settings;
  const collection = await openCollection(host, settings, node, signal);
  const plan = planSearch(collection, settings);
  if (plan.mode === "keyword" && plan.lessThanAsked) {
    context.log("info", `"${collection.name}" has no embeddings, so it is searched by keyword.`);
  }
  const fields = modelFilters ? ((await passagesOf(collection, host, signal).fields()) ?? []) : [];
  const isOwnFilter = fields.length > 0 && !hasProperty(ai.parameters, "filter");
  return {
    tools: [
      {
        ...commonTool(settings),
        repeats: repeatsOf({ ...settings }),
        parameters: parameters(topK, ai.parameters, fields),
        async execute(input, { callId, signal: stop, spending, addUsage }) {
          const text = String(input["query"]);
          const limit = typeof input["limit"] === "number" ? Math.min(input["limit"], topK) : topK;
          try {
            const asked = {
              collection,
              plan,
              settings,
              text,
              limit,
              narrowedBy: ai.bind(input),
              ...(isOwnFilter && typeof input["filter"] === "string" ? { narrowedMore: input["filter"] } : {}),
            };
            const { output } = await searchCollection(asked, {
              host,
              nodeId: node.id,
              signal: stop,
              spending,
              onUse(use) {
                addUsage(use.usage, use.costUsd);
                context.emitWithin(callId, { type: "embedding", nodeId: node.id, ...use });
              },
              onRerank(use) {
                addUsage(use.usage, use.costUsd);
                context.emitWithin(callId, { type: "rerank", nodeId: node.id, ...use });
              },
              warn: (message, hint) =>
                void context.emitWithin(callId, { type: "warning", nodeId: node.id, message, hint }),
            });
            return { ok: true, output };
          } catch (error) {
            stop.throwIfAborted();
            return failureOf(error);
          }
        },
      },
    ],
  };
}
