import type { KnowledgeMode } from "../../engine/knowledge/knowledge.ts";

export const modeLabels: Record<KnowledgeMode, string> = {
  hybrid: "Hybrid: meaning and words",
  semantic: "Semantic: meaning",
  keyword: "Keyword: words",
};
