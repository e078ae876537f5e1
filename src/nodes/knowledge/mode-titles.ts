import type { KnowledgeMode } from "../../engine/knowledge/knowledge.ts";

/** The ways to search a collection with embeddings, the one for most cases first. */
export const modeTitles: Record<KnowledgeMode, string> = {
  hybrid: "Hybrid: words and meaning",
  semantic: "Semantic: meaning only",
  keyword: "Keyword: words only",
};
