/**
 * Characters that a person does not see and a model reads: format and control characters (zero-width, bidirectional, tags),
 * private use, lone surrogates, and what Unicode lets fonts ignore, such as variation selectors and fillers. Tab and line breaks are seen.
 */
const hidden = /(?![\t\n\r])\p{Cc}|[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/gu;

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
