import type { Json, JsonObject } from "../../../engine/json.ts";
import type { KnowledgeHit, KnowledgeMode } from "../../../engine/knowledge/knowledge.ts";

function resultOf({ chunkId, content, score, metadata }: KnowledgeHit): Json {
  const { document, heading, position, documentId: _documentId, ...others } = metadata;
  return {
    content,
    score: Math.round(score * 1_000) / 1_000,
    metadata: { document, heading, position, ...others, chunkId },
  };
}

/**
 * What the model gets of a search: `results[] { content, score 0–1, metadata { document, heading, position, chunkId, … } }`,
 * best first. An empty list comes with a note on what to do, since finding nothing is an answer too.
 */
export function searchOutput(
  hits: readonly KnowledgeHit[],
  search: { collection: string; mode: KnowledgeMode; minScore: number },
): JsonObject {
  const { collection, mode, minScore } = search;
  const output = { collection, mode, results: hits.map(resultOf) };
  if (hits.length > 0) return output;
  return {
    ...output,
    note: `Nothing in "${collection}" scores ${minScore} or more for this query. Try other words; if that finds nothing either, say that the documents do not answer it.`,
  };
}
