/**
 * Characters that a person does not see and a model reads: format and control characters (zero-width, bidirectional, tags),
 * private use, lone surrogates, variation selectors, and fillers that look like nothing. Tab and line breaks are seen.
 */
const hidden =
  /(?![\t\n\r])\p{Cc}|[\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180d\u180f\u3164\uffa0\ufe00-\ufe0f\u{e0100}-\u{e01ef}]/gu;

/** Whether a text holds characters that are not seen. */
export function hasHidden(text: string): boolean {
  return text.search(hidden) >= 0;
}

/** The text as a person sees it. */
export function stripHidden(text: string): string {
  return text.replace(hidden, "");
}

/** The text with its unseen characters made visible, such as ⟨U+200B⟩. */
export function showHidden(text: string): string {
  return text.replace(hidden, (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
    return `⟨U+${code}⟩`;
  });
}
