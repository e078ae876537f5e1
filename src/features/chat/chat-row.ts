import type { LogRow } from "../../ui/data/virtual-log/virtual-log.tsx";

/** A row of a conversation: a message, a turn, or a notice between them. */
export interface ChatRow extends LogRow {
  /** What it says, for a search; absent where it is not a part of what was said. */
  words?(): string;
  /** What a copy of the conversation has of it; absent where it is not a part of what was said. */
  transcript?(): string;
}

/** What was said, in a copy of a conversation. */
export function speech(speaker: "You" | "Answer", text: string): string {
  return text.trim() === "" ? "" : `${speaker}:\n${text.trim()}`;
}

/** The whole conversation as text, oldest first, whatever part of it the page holds. */
export function transcriptOf(rows: readonly ChatRow[]): string {
  return rows
    .map((row) => row.transcript?.() ?? "")
    .filter((text) => text !== "")
    .join("\n\n");
}

const [lineHeight, letterWidth, gap] = [22, 7, 16];

/** How high a text stands in a conversation, roughly, by the width of that. */
export function estimateText(text: string): (width: number) => number {
  let breaks = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) breaks += 1;
  return (width) => {
    const letters = Math.max(10, (Math.min(width, 768) - 48) / letterWidth);
    return (Math.ceil(text.length / letters) + breaks * 0.7) * lineHeight + gap;
  };
}

/** Keys of the rows that say something, in any case of letters; oldest first, none for an empty search. */
export function findRows(rows: readonly ChatRow[], search: string): string[] {
  const wanted = search.trim().toLowerCase();
  if (wanted === "") return [];
  return rows.flatMap(({ key, words }) => (words?.().toLowerCase().includes(wanted) === true ? [key] : []));
}
