import type { Host } from "../../engine/host.ts";
import type { KnowledgeEmbedding } from "../../engine/knowledge/knowledge.ts";

/** Queries of one run whose vectors are kept. */
const mostKept = 200;

/** By host, which belongs to one run of one account. */
const ofHosts = new WeakMap<Host, Map<string, readonly number[]>>();

/** The vectors of queries that a run has embedded: asking the same again costs nothing. */
export function keptVectors(host: Host, { provider, model, credential }: KnowledgeEmbedding) {
  const kept = ofHosts.get(host) ?? new Map<string, readonly number[]>();
  ofHosts.set(host, kept);
  const keyOf = (text: string) => JSON.stringify([provider, model, credential, text]);
  return {
    of: (text: string) => kept.get(keyOf(text)),
    keep(text: string, vector: readonly number[]): void {
      const [oldest] = kept.keys();
      if (kept.size >= mostKept && oldest !== undefined) kept.delete(oldest);
      kept.set(keyOf(text), vector);
    },
  };
}
