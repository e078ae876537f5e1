import type { Host, QueryVectors } from "../../engine/host.ts";
import { queryVectors } from "../../engine/in-memory/query-vectors.ts";
import type { KnowledgeEmbedding } from "../../engine/knowledge/knowledge.ts";

/** Queries of one run whose vectors are kept. */
const maxCached = 200;

/** Of hosts that keep none beyond their run. */
const ofHosts = new WeakMap<Host, QueryVectors>();

/** The vectors of queries that were embedded before: asking the same again costs nothing. */
export function cachedVectors(host: Host, { provider, model, credential }: KnowledgeEmbedding) {
  const kept = host.queryVectors ?? ofHosts.get(host) ?? queryVectors(maxCached, host.now).of("");
  if (!host.queryVectors) ofHosts.set(host, kept);
  const keyOf = (text: string) => JSON.stringify([provider, model, credential, text]);
  return {
    of: (text: string) => kept.get(keyOf(text)),
    keep: (text: string, vector: readonly number[]) => kept.set(keyOf(text), vector),
  };
}
