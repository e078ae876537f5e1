import { isJsonObject, type Json } from "../../../engine/json.ts";
import type { RunEvent } from "../../../engine/run/events.ts";
import { type FoundPassage, maxQuote } from "../../../evaluation/retrieval/right-passage.ts";
import type { Services } from "../../../services/services.ts";

/** A search of a run: what was looked for, and what was found. */
export interface RunSearch {
  query: string;
  found: FoundPassage[];
}

/** Runs that are looked through. */
const mostRuns = 30;

/** What agents looked for in a collection in the latest runs, each question once. Rejects with a ServiceError. */
export async function recentSearches(
  { runs }: Pick<Services, "runs">,
  collectionName: string,
  signal: AbortSignal,
): Promise<RunSearch[]> {
  const { runs: latest } = await runs.page({ trials: false }, mostRuns);
  const searches = new Map<string, RunSearch>();
  for (const { id } of latest) {
    signal.throwIfAborted();
    for (const search of searchesOf(await runs.events(id), collectionName)) {
      if (!searches.has(search.query)) searches.set(search.query, search);
    }
  }
  return [...searches.values()];
}

/** The searches of one run in a collection that found something. */
export function searchesOf(events: readonly RunEvent[], collectionName: string): RunSearch[] {
  const queries = new Map<string, string>();
  return events.flatMap((event): RunSearch[] => {
    if (event.type === "tool-call-start" && isJsonObject(event.input) && typeof event.input["query"] === "string")
      queries.set(event.callId, event.input["query"]);
    if (event.type !== "tool-call-end" || !event.ok) return [];
    const query = queries.get(event.callId)?.trim() ?? "";
    const found = foundIn(event.output, collectionName);
    return query === "" || found.length === 0 ? [] : [{ query, found }];
  });
}

function foundIn(output: Json, collectionName: string): FoundPassage[] {
  if (!isJsonObject(output) || output["collection"] !== collectionName || !Array.isArray(output["results"])) return [];
  return output["results"].flatMap((result): FoundPassage[] => {
    if (!isJsonObject(result) || !isJsonObject(result["metadata"])) return [];
    const { document } = result["metadata"];
    const { content } = result;
    if (typeof document !== "string" || typeof content !== "string") return [];
    return [{ document, content: content.slice(0, maxQuote) }];
  });
}
