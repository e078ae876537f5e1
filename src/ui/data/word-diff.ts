import { diffWordsWithSpace } from "diff";

/** A stretch of a text, and whether the other text lacks it. */
export interface DiffPart {
  text: string;
  changed: boolean;
}

/** Texts of more changed words are shown as they are: marks on every other word help nobody, and finding them takes long. */
const mostEdits = 400;

/** Both texts, cut where they begin and end to differ by word; null when they have too little in common. */
export function wordDiff(before: string, after: string): { before: DiffPart[]; after: DiffPart[] } | null {
  const parts = diffWordsWithSpace(before, after, { maxEditLength: mostEdits });
  if (!parts?.some(({ added, removed, value }) => !added && !removed && /\w/.test(value))) return null;
  const side = (other: "added" | "removed") =>
    joined(parts.flatMap((part) => (part[other] ? [] : [{ text: part.value, changed: part.added || part.removed }])));
  return { before: side("added"), after: side("removed") };
}

/** Neighbours that are alike as one, with the blank between two marked words. */
function joined(parts: readonly DiffPart[]): DiffPart[] {
  const whole: DiffPart[] = [];
  for (const [index, part] of parts.entries()) {
    const isBetween =
      part.text.trim() === "" && parts[index - 1]?.changed === true && parts[index + 1]?.changed === true;
    const changed = part.changed || isBetween;
    const last = whole.at(-1);
    if (last?.changed === changed) whole[whole.length - 1] = { text: last.text + part.text, changed };
    else whole.push({ text: part.text, changed });
  }
  return whole;
}
