import { isJsonObject, type JsonObject } from "../../engine/json.ts";
import type { Source } from "../../engine/model/message.ts";

/** Adds pages that are not there yet, in order; a title that came later is taken. Only web addresses count. */
export function addSources(sources: Source[], found: readonly Source[]): void {
  for (const { url, title } of found) {
    if (!/^https?:\/\//i.test(url)) continue;
    const known = sources.find((source) => source.url === url);
    if (!known) sources.push(title ? { url, title } : { url });
    else if (title) known.title ??= title;
  }
}

/** The member of a message that holds them, if there are any. */
export function withSources(sources: readonly Source[]): { sources?: Source[] } {
  return sources.length > 0 ? { sources: [...sources] } : {};
}

/** An object's address and title, under the names that vendors have. */
export function pageIn(value: unknown): Source[] {
  if (!isJsonObject(value)) return [];
  const url = value.url ?? value.uri;
  if (typeof url !== "string") return [];
  return [{ url, ...(typeof value.title === "string" && value.title !== "" ? { title: value.title } : {}) }];
}

/**
 * The pages that a chunk, an answer or a message of Chat Completions cites: `search_results` and `citations` (Perplexity, xAI), and
 * annotations (`url_citation`: OpenAI's search models, OpenRouter).
 */
export function citedPages(holder: object): Source[] {
  const { search_results: results, citations, annotations } = holder as JsonObject;
  return [
    ...(Array.isArray(results) ? results.flatMap(pageIn) : []),
    ...(Array.isArray(citations)
      ? citations.flatMap((each) => (typeof each === "string" ? [{ url: each }] : pageIn(each)))
      : []),
    ...(Array.isArray(annotations)
      ? annotations.flatMap((each) => (isJsonObject(each) ? [...pageIn(each), ...pageIn(each.url_citation)] : []))
      : []),
  ];
}
