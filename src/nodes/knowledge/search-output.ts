import type { Json, JsonObject } from "../../engine/json.ts";
import type { Condition } from "../../engine/knowledge/filter/condition.ts";
import type { KnowledgeMode } from "../../engine/knowledge/knowledge.ts";
import type { RankedHit } from "./rerank-hits.ts";
import { filterText } from "./passage-filter.ts";

/** The place stands before the content, so that a result that is cut short still says where it came from. */
function resultOf({ chunkId, content, parentText, score, relevance, metadata }: RankedHit): Json {
  const { document, heading, position, documentId: _documentId, ...others } = metadata;
  const place = { document, heading, position, chunkId, ...others };
  const rounded = (value: number) => Math.round(value * 1_000) / 1_000;
  const ranked: JsonObject = relevance === undefined ? {} : { relevance: rounded(relevance) };
  return { metadata: place, score: rounded(score), ...ranked, content: parentText ?? content };
}

/**
 * What the model gets of a search: `results[] { metadata { document, heading, position, chunkId, … }, score 0–1, relevance?, content }`,
 * best first; the content is that of the chunk's parent where it has one. An empty list comes with a note on what to do, since finding nothing is an answer too.
 */
export function searchOutput(
  hits: readonly RankedHit[],
  search: { collection: string; mode: KnowledgeMode; minScore: number; filter: Condition | undefined },
): JsonObject {
  const { collection, mode, minScore, filter } = search;
  const output = { collection, mode, results: hits.map(resultOf) };
  if (hits.length > 0) return output;
  const places = filterText(filter);
  const among = places === "" ? "" : ` among passages with ${places}`;
  return {
    ...output,
    note: `Nothing in "${collection}"${among} scores ${minScore} or more for this query. Try other words; if that finds nothing either, say that the documents do not answer it.`,
  };
}
