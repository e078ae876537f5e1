import type { Made, Use } from "./made.ts";
import type { NodeWork } from "./node-work.ts";
import type { N8nNode } from "./read-n8n.ts";
import { knowledgeTool } from "./tool-nodes.ts";

const choose = "Make a collection on the Knowledge page and choose it here.";

/** A vector store: a tool of an agent, or a step that adds documents to a collection or searches it. */
export function vectorStore(work: NodeWork, use: Use): Made {
  const mode = work.word("mode", work.node.type.endsWith("Insert") ? "insert" : "retrieve");
  const isTool = mode === "retrieve-as-tool" || use.asTool;
  if (isTool || use.kinds.has("ai_vectorStore") || use.kinds.has("ai_retriever")) return knowledgeTool(work);
  if (mode === "insert" || mode === "update") return insertion(work, use.loader);
  if (mode === "load" || use.kinds.has("main") || use.kinds.size === 0) return search(work);
  return knowledgeTool(work);
}

/** What the node's loader reads becomes documents: the files of its input, a text, or all of its data. */
function insertion(work: NodeWork, loader: N8nNode | undefined): Made {
  const [dataType, jsonMode, jsonData] = ["dataType", "jsonMode", "jsonData"].map((key) =>
    loader?.parameters.take([key]),
  );
  const isFile = dataType === "binary";
  const text = jsonMode === "expressionData" && typeof jsonData === "string" ? work.text(jsonData) : "";
  const named = isFile
    ? "Files are added under their own names, and replace those that are there."
    : "Each run adds a document of its own; give it a name to have it replaced.";
  return {
    type: "add-document",
    config: isFile
      ? { content: "{{json}}" }
      : { content: text || "{{json}}", name: `${work.node.name.slice(0, 200)} {{run.id}}` },
    outcome: "approximated",
    note: `${choose} ${named} It gives { collection, documents }.`,
  };
}

/** A search, and the passages as n8n's documents. */
function search(work: NodeWork): Made {
  const most = work.number("topK");
  const config = {
    query: work.textOf(work.at("prompt")),
    minScore: 0.5,
    ...(most === undefined ? {} : { topK: Math.min(50, Math.max(1, Math.round(most))) }),
  };
  return {
    type: "code",
    config: {
      code: "return json.results.map(({ content, metadata, score }) => ({ document: { pageContent: content, metadata }, score }));",
    },
    before: [{ title: work.step("search").title, type: "search-documents", config }],
    outcome: "approximated",
    note: `${choose} Add the documents again.`,
  };
}
