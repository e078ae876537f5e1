import { lookup } from "../lookup.ts";

const entities: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  "#39": "'",
  apos: "'",
  nbsp: " ",
};

/** The words of a small piece of HTML, as editors of other builders store them. Text without tags stays as it is. */
export function htmlText(html: string): string {
  if (!/<\/?(?:p|br|span|strong|em|ul|ol|li|h[1-6]|code|pre|div|a|b|i|u|blockquote|hr)\b[^>]*>/i.test(html))
    return html;
  return html
    .replace(/\r?\n/g, "\n")
    .replace(/<(?:br|hr)\s*\/?>/gi, "\n")
    .replace(/<li\b[^>]*>/gi, "- ")
    .replace(/<\/(?:p|li|h[1-6]|div|pre|blockquote)>/gi, "\n")
    .replace(/<\/?(?:p|span|strong|em|ul|ol|h[1-6]|code|pre|div|a|b|i|u|s|blockquote)\b[^>]*>/gi, "")
    .replace(/&(amp|lt|gt|quot|#39|apos|nbsp);/g, (_, name: string) => lookup(entities, name) ?? "")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}
