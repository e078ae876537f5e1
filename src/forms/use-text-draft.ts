import { useState } from "react";

/**
 * The text of a control whose stored value is not text (a number, JSON). What is typed stays as it was typed; a value that
 * changes from outside, by undo or a reset, replaces it.
 */
export function useTextDraft(stored: string): [string, (text: string, storedAs: string) => void] {
  const [draft, setDraft] = useState({ text: stored, storedAs: stored });
  if (draft.storedAs !== stored) {
    setDraft({ text: stored, storedAs: stored });
    return [stored, (text, storedAs) => setDraft({ text, storedAs })];
  }
  return [draft.text, (text, storedAs) => setDraft({ text, storedAs })];
}
