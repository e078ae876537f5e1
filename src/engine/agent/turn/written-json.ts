import { type Json, readJson } from "../../json.ts";

/**
 * The JSON values that a model's answer may mean, the likeliest first: the whole text, the contents of its code fences from the
 * last on, and each list or object in its prose, in their order or `longestFirst`. Takes time that grows with the text alone.
 */
export function* writtenJson(text: string, longestFirst: boolean): Generator<Json> {
  const seen = new Set<string>();
  const spans = longestFirst ? valueSpans(text).toSorted((a, b) => b.length - a.length) : valueSpans(text);
  for (const part of [text.trim(), ...fencedParts(text).toReversed(), ...spans]) {
    if (part === "" || seen.has(part)) continue;
    seen.add(part);
    const value = readLoose(part);
    if (value !== undefined) yield value;
  }
}

/** JSON with what models get wrong in it: a comma after the last item, and line breaks and tabs within a text. */
function readLoose(text: string): Json | undefined {
  for (const each of [text, repaired(text)]) {
    try {
      return readJson(each);
    } catch {
      // The next way may read it.
    }
  }
  return undefined;
}

const escapes: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** A text of JSON, the last one perhaps without its end, or what stands between two of them. */
const tokens = /"(?:[^"\\]|\\[\s\S])*(?:"|\\?$)|[^"]+/g;

function repaired(text: string): string {
  return text.replace(tokens, (part) =>
    part.startsWith('"')
      ? part.replace(/[\n\r\t]/g, (sign) => escapes[sign] ?? sign)
      : part.replace(/,(\s*[\]}])/g, "$1"),
  );
}

/** What stands in code fences; of a last one that is not closed, all to the end. */
function fencedParts(text: string): string[] {
  const parts: string[] = [];
  let open: string[] | undefined;
  for (const line of text.split("\n")) {
    if (/^\s*```/.test(line)) {
      if (open) parts.push(open.join("\n").trim());
      open = open ? undefined : [];
    } else open?.push(line);
  }
  if (open) parts.push(open.join("\n").trim());
  return parts;
}

const closing: Readonly<Record<string, string>> = { "}": "{", "]": "[" };

/** How often the search begins again behind a bracket that is never closed, so that prose with one hides no value. */
const maxRestarts = 5;

/** The outermost lists and objects of a text whose brackets match, in their order. */
function valueSpans(text: string): string[] {
  const spans: string[] = [];
  let from = 0;
  for (let attempt = 0; attempt <= maxRestarts; attempt += 1) {
    const { found, unclosed } = scanBrackets(text, from);
    for (const [start, end] of found) spans.push(text.slice(start, end));
    if (unclosed === undefined) break;
    from = unclosed + 1;
  }
  return spans;
}

/** `unclosed`: the first bracket after the last span that is not closed. */
function scanBrackets(text: string, from: number): { found: [number, number][]; unclosed: number | undefined } {
  const found: [number, number][] = [];
  const open: number[] = [];
  const counts: Record<string, number> = { "{": 0, "[": 0 };
  let inText = false;
  for (let at = from; at < text.length; at += 1) {
    const sign = text[at] ?? "";
    if (inText) {
      if (sign === "\\") at += 1;
      else if (sign === '"') inText = false;
    } else if (sign === '"') inText = open.length > 0;
    else if (sign === "{" || sign === "[") {
      open.push(at);
      counts[sign] = (counts[sign] ?? 0) + 1;
    } else {
      const opening = closing[sign];
      if (opening === undefined || !counts[opening]) continue;
      // Brackets within it that are not closed belong to the text around them.
      for (let start = open.pop(); start !== undefined; start = open.pop()) {
        const opened = text[start] ?? "";
        counts[opened] = (counts[opened] ?? 0) - 1;
        if (opened !== opening) continue;
        if (open.length === 0) found.push([start, at + 1]);
        break;
      }
    }
  }
  return { found, unclosed: open[0] };
}
