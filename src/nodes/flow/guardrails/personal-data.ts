import { maskKind, type MaskKind } from "../../../engine/run/privacy/known-patterns.ts";
import { createMask } from "../../../engine/run/privacy/mask-text.ts";

/** What kinds of personal data are called in a sentence. */
const kindWords: Record<MaskKind, string> = {
  keys: "keys or tokens",
  emails: "e-mail addresses",
  cards: "card numbers",
  ibans: "bank account numbers",
  phones: "phone numbers",
};

/** The text with personal data masked, and which kinds it held, in words. */
export function maskPersonalData(
  text: string,
  { kinds, patterns }: { kinds: readonly MaskKind[]; patterns: readonly string[] },
): { masked: string; found: string[] } {
  let masked = text;
  const found: string[] = [];
  for (const kind of kinds) {
    const next = maskKind(kind, masked);
    if (next !== masked) found.push(kindWords[kind]);
    masked = next;
  }
  const next = createMask({ mask: [], patterns: [...patterns] })(masked);
  if (next !== masked) found.push("text that matches an own pattern");
  return { masked: next, found };
}
