import { type KnowledgeMode, knowledgeModes } from "../../engine/knowledge/knowledge.ts";
import { modeTitles } from "../../nodes/knowledge/mode-titles.ts";

/** Where to choose how a collection with embeddings is searched; one without is always searched by keyword. */
export const modeOptions = knowledgeModes.map((value) => ({ value, label: modeTitles[value] }));

/** What each does, in one line. */
export const modeHelp: Record<KnowledgeMode, string> = {
  hybrid: "Matches by words and by meaning. Best for most documents.",
  semantic: "Matches by meaning, even in other words. Can miss names, numbers and rare words.",
  keyword: "Matches the words themselves, including other forms and typos. Uses no model.",
};
