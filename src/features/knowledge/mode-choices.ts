import { type KnowledgeMode, knowledgeModes } from "../../engine/knowledge/knowledge.ts";
import { modeTitles } from "../../nodes/knowledge/mode-titles.ts";

/** Where to choose how a collection with embeddings is searched; one without is always searched by keyword. */
export const modeOptions = knowledgeModes.map((value) => ({ value, label: modeTitles[value] }));

/** What each does, in one line. */
export const modeHelp: Record<KnowledgeMode, string> = {
  hybrid: "Finds the same words and the same meaning. Best for most documents.",
  semantic: "Finds what means the same in other words. Can miss names, numbers and rare words.",
  keyword: "Finds the words themselves, in other forms and with typing errors. Asks no model.",
};
