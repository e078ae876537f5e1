import type { DocumentSection } from "../../../../engine/knowledge/source-document.ts";
import { ServiceError } from "../../../../services/services.ts";
import { readCsv } from "./read-csv.ts";
import { readHtml } from "./read-html.ts";
import { readJson } from "./read-json.ts";
import { readMarkdown } from "./read-markdown.ts";

const readers = {
  csv: (text) => ({ sections: readCsv(text) }),
  html: readHtml,
  json: (text) => ({ sections: readJson(text) }),
  markdown: (text) => ({ sections: readMarkdown(text) }),
} satisfies Record<string, (text: string) => ReadText>;

/** Formats of text whose structure takes work to find. */
export type TextKind = keyof typeof readers;

/** What a text says. Only pages have a title; it is empty where they name none. */
export interface ReadText {
  sections: DocumentSection[];
  title?: string;
}

/** What reading gives, as data that passes from thread to thread. */
export type TextAnswer = ReadText | { failure: string; hint: string };

/** Characters of a text that are read at all: twice what a document may keep, since tables are padded. */
const mostRead = 20_000_000;

/** The sections of a text, or why there are none. */
export function readStructured(kind: TextKind, text: string): TextAnswer {
  if (text.length > mostRead) {
    const failure = `The file has ${Math.ceil(text.length / 1e6)} million characters; ${mostRead / 1e6} million are read.`;
    return { failure, hint: "Split it into several files." };
  }
  try {
    return readers[kind](text);
  } catch (error) {
    if (error instanceof ServiceError) return { failure: error.message, hint: error.hint };
    // Lists in lists in lists go deeper than the stack.
    if (error instanceof RangeError)
      return {
        failure: "The file is nested too deep to be read.",
        hint: "Simplify it, or paste its text as plain text.",
      };
    const reason = error instanceof Error ? error.message : String(error);
    return { failure: `The file cannot be read: ${reason}.`, hint: "Part of it may be damaged. Save it again." };
  }
}
