import { isJsonObject, type Json, parseJson } from "../../engine/json.ts";
import { isRow } from "../../engine/knowledge/postgres-table.ts";
import type { RunState } from "../../engine/run/run-state.ts";

/** A piece of a document that an answer rests on. */
export interface Citation {
  chunkId: string;
  document: string;
  /** The headings above it, or empty. */
  heading: string;
  /** On which it begins; null in what has no pages. */
  page: number | null;
  /** Its place in the document, from 0. */
  position: number;
  score: number;
  /** Where the source stands on the web; of rows of a table only. */
  url?: string;
}

function citationOf(result: Json): Citation | undefined {
  if (!isJsonObject(result) || !isJsonObject(result["metadata"])) return undefined;
  const { chunkId, document, heading, page, position, url } = result["metadata"];
  if (typeof chunkId !== "string" || typeof document !== "string") return undefined;
  return {
    chunkId,
    document,
    heading: typeof heading === "string" ? heading : "",
    page: typeof page === "number" ? page : null,
    position: typeof position === "number" ? position : 0,
    score: typeof result["score"] === "number" ? result["score"] : 0,
    ...(isRow(chunkId) && typeof url === "string" ? { url } : {}),
  };
}

/**
 * What tool results cite, each piece once, in the order in which it was found. Results of other tools than a knowledge
 * base cite nothing.
 */
export function citationsIn(outputs: readonly Json[]): Citation[] {
  const found = new Map<string, Citation>();
  for (const output of outputs) {
    if (!isJsonObject(output) || !("collection" in output) || !Array.isArray(output["results"])) continue;
    for (const result of output["results"]) {
      const citation = citationOf(result);
      if (citation !== undefined && !found.has(citation.chunkId)) found.set(citation.chunkId, citation);
    }
  }
  return [...found.values()];
}

/** What the answer of a run cites: the hits of its successful searches. */
export function citationsOfRun({ steps }: Pick<RunState, "steps">): Citation[] {
  return citationsIn(steps.flatMap((step) => (step.kind === "tool" && step.end?.ok === true ? [step.end.output] : [])));
}

/** The hits whose place is complete in a result that was cut short. */
function hitsInCutText(text: string): Json[] {
  if (!text.startsWith('{"collection":')) return [];
  return [...text.matchAll(/"metadata":(\{[^{}]*\})/g)].flatMap(([, metadata = ""]) => {
    const read = parseJson(metadata);
    return read === undefined ? [] : [{ metadata: read }];
  });
}

/** As `citationsIn`, from results as the model read them and a memory keeps them; of a cut one, what is left. */
export function citationsInText(texts: readonly string[]): Citation[] {
  return citationsIn(texts.map((text) => parseJson(text) ?? { collection: "", results: hitsInCutText(text) }));
}
