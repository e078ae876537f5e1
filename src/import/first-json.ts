import { readJson } from "../engine/json.ts";

/**
 * The first JSON value of a text, whatever stands before or after it: copied text often brings a word or two along. Objects one
 * below the other are a list.
 */
export function firstJson(text: string): { ok: true; value: unknown } | { ok: false; problem: string } {
  const plain = text.replace(/^\uFEFF/, "").trim();
  try {
    return { ok: true, value: readJson(plain) };
  } catch (error) {
    const cut = balanced(plain);
    if (cut !== undefined && cut !== plain) {
      try {
        const first: unknown = readJson(cut);
        const others = objectsIn(plain.slice(plain.indexOf(cut) + cut.length));
        return { ok: true, value: others.length > 0 ? [first, ...others] : first };
      } catch {
        // The first message says more.
      }
    }
    const reason = error instanceof Error ? error.message : "it cannot be parsed";
    return { ok: false, problem: `The file holds no JSON: ${reason}.` };
  }
}

/** Objects that follow each other, as far as they can be read. */
function objectsIn(text: string): unknown[] {
  const found: unknown[] = [];
  let rest = text;
  for (;;) {
    const begin = /^[\s,]*(?=\{)/.exec(rest);
    const cut = begin ? balanced(rest) : undefined;
    if (!begin || cut === undefined) return found;
    try {
      found.push(readJson(cut));
    } catch {
      return found;
    }
    rest = rest.slice(begin[0].length + cut.length);
  }
}

/** From the first opening bracket to where it closes. */
function balanced(text: string): string | undefined {
  const start = text.search(/[[{]/);
  if (start === -1) return undefined;
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') {
      for (at += 1; at < text.length && text[at] !== '"'; at += 1) if (text[at] === "\\") at += 1;
    } else if (character === "{" || character === "[") depth += 1;
    else if (character === "}" || character === "]") {
      depth -= 1;
      if (depth === 0) return text.slice(start, at + 1);
    }
  }
  return undefined;
}
