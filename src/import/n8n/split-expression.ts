/** A part of one of n8n's texts: as it is, or the JavaScript between `{{` and `}}`. */
export type TextPart = { text: string } | { source: string };

/** The parts of a parameter's text. One that does not begin with `=` is text, whatever it holds. */
export function splitExpression(raw: string, isValid: (source: string) => boolean): TextPart[] {
  if (!raw.startsWith("=")) return [{ text: raw }];
  const parts: TextPart[] = [];
  let rest = raw.slice(1);
  for (;;) {
    const open = rest.indexOf("{{");
    if (open === -1) break;
    const end = closing(rest, open + 2, isValid);
    if (end === -1) break;
    if (open > 0) parts.push({ text: rest.slice(0, open) });
    parts.push({ source: rest.slice(open + 2, end) });
    rest = rest.slice(end + 2);
  }
  if (rest !== "" || parts.length === 0) parts.push({ text: rest });
  return parts;
}

/** The first `}}` that leaves valid JavaScript before it, or the first at all. */
function closing(text: string, from: number, isValid: (source: string) => boolean): number {
  const first = text.indexOf("}}", from);
  for (let end = first, tries = 0; end !== -1 && tries < 8; end = text.indexOf("}}", end + 1), tries += 1) {
    if (isValid(text.slice(from, end))) return end;
  }
  return first;
}
