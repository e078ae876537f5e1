import { isJsonObject, type Json, type JsonObject } from "../json.ts";
import { hasTemplate, splitTemplate } from "../template/split-template.ts";
import { readQuoted, writeQuoted } from "./quoted-text.ts";
import { slugify } from "./slugify.ts";
import type { WorkflowDocument } from "./workflow-document.ts";

/** Gives the new name of a node, or undefined where it stays. */
type Rename = (name: string) => string | undefined;

interface Token {
  kind: "quoted" | "word" | "mark";
  text: string;
}

const pattern = /[rRbB]{0,2}(?:"(?:[^"\\]|\\[^])*"|'(?:[^'\\]|\\[^])*')|\d[\w.]*|[A-Za-z_]\w*|\s+|[^]/gu;
const loops = new Set(["map", "filter", "all", "exists", "exists_one", "bind"]);

/** Every name that an expression of the document reads as a node's, whether there is such a node or not. */
export function mentionedNames(document: Pick<WorkflowDocument, "nodes">): Set<string> {
  const names = new Set<string>();
  for (const { config } of Object.values(document.nodes)) {
    renameInValue(config, (name) => {
      names.add(name);
      return undefined;
    });
  }
  return names;
}

/** A config with the names of nodes changed in all its expressions: the config itself where nothing changes. */
export function renameInConfig(config: JsonObject, rename: Rename): JsonObject {
  return renameInValue(config, rename) as JsonObject;
}

function renameInValue(value: Json, rename: Rename): Json {
  if (typeof value === "string") return hasTemplate(value) ? renameInText(value, rename) : value;
  if (Array.isArray(value)) {
    const renamed = value.map((item) => renameInValue(item, rename));
    return renamed.some((item, index) => item !== value[index]) ? renamed : value;
  }
  if (!isJsonObject(value)) return value;
  const renamed = Object.entries(value).map(([key, inner]) => [key, renameInValue(inner, rename)] as const);
  return renamed.some(([key, inner]) => inner !== value[key]) ? Object.fromEntries(renamed) : value;
}

/** A text with the names of nodes changed in its `{{ … }}`, also in those that are not well formed. */
function renameInText(text: string, rename: Rename, quote = '"'): string {
  try {
    return splitTemplate(text)
      .map((part) => (part.kind === "text" ? part.text : `{{${renameInExpression(part.source, rename, quote)}}}`))
      .join("");
  } catch {
    return text.replace(
      /\{\{([^]*?)\}\}/g,
      (_all, source: string) => `{{${renameInExpression(source, rename, quote)}}}`,
    );
  }
}

function renameInExpression(source: string, rename: Rename, quote: string): string {
  const all = source.match(pattern) ?? [];
  /** Where the tokens stand that are no space. */
  const places = all.flatMap((text, at) => (/^\s/.test(text) ? [] : [at]));
  const tokens = places.map((at): Token => ({ kind: kindOf(all[at] ?? ""), text: all[at] ?? "" }));
  const textAt = (index: number) => tokens[index]?.text;
  /** Where the dot stands by which a token is a member of what is before it, as in `a.b` and `a.?b`. */
  const dotBefore = (index: number) => {
    const dot = textAt(index - 1) === "?" ? index - 2 : index - 1;
    return textAt(dot) === "." ? dot : undefined;
  };
  const isNodes = (index: number) => textAt(index) === "nodes" && dotBefore(index) === undefined;
  const own = new Set(
    tokens.flatMap(({ kind, text }, index) =>
      kind === "word" && textAt(index - 1) === "(" && textAt(index + 1) === "," && loops.has(textAt(index - 2) ?? "")
        ? [text]
        : [],
    ),
  );
  const write = (index: number, text: string) => {
    const at = places[index];
    if (at !== undefined) all[at] = text;
  };
  /** Writes `nodes["name"]` where a name was read as `nodes.name` or by itself; `dot` is the token of the dot. */
  const writeMember = (index: number, name: string, dot?: number) => {
    if (/^[a-z_]\w*$/.test(name)) return write(index, name);
    if (dot === undefined) return write(index, `nodes[${quote}${name}${quote}]`);
    write(dot, "");
    if (dot + 1 < index) write(dot + 1, "");
    write(index, `[${dot + 1 < index ? "?" : ""}${quote}${name}${quote}]`);
  };
  /** Where the argument of `has(…)` begins and ends whose member chain a token is part of. */
  const askedIn = (index: number) => {
    const isPart = (text = "") => /^(?:[.?]|[A-Za-z_]\w*)$/.test(text);
    let [first, end] = [index, index];
    while (isPart(textAt(first - 1))) first -= 1;
    while (isPart(textAt(end))) end += 1;
    const isAsked = textAt(first - 1) === "(" && textAt(first - 2) === "has" && dotBefore(first - 2) === undefined;
    return isAsked && textAt(end) === ")" ? { first, end } : undefined;
  };
  /** Writes `has(a.b)` as `a.?b.hasValue()`, since `has` takes no brackets. */
  const writeAsked = (index: number, name: string) => {
    const asked = askedIn(index);
    const last = asked && dotBefore(asked.end - 1);
    if (asked === undefined || last === undefined || /^[a-z_]\w*$/.test(name)) return;
    write(asked.first - 2, "");
    write(asked.first - 1, "");
    if (asked.end - 1 === index) write(index, `[?${quote}${name}${quote}]`);
    else if (last === asked.end - 2) write(last, ".?");
    write(asked.end, ".hasValue()");
  };

  for (const [index, { kind, text }] of tokens.entries()) {
    if (kind === "quoted") {
      const quoted = readQuoted(text);
      const opens = textAt(index - 1) === "?" ? index - 2 : index - 1;
      const isKey = textAt(opens) === "[" && isNodes(opens - 1) && textAt(index + 1) === "]";
      const isAmong = textAt(index + 1) === "in" && textAt(index + 2) === "nodes";
      if (isKey || (isAmong && !/^[.[]$/.test(textAt(index + 3) ?? ""))) {
        const next = rename(slugify(quoted.text));
        if (next !== undefined) write(index, writeQuoted({ ...quoted, text: next }));
      } else if (hasTemplate(quoted.text)) {
        const next = renameInText(quoted.text, rename, quoted.mark === '"' ? "'" : '"');
        if (next !== quoted.text) write(index, writeQuoted({ ...quoted, text: next }));
      }
      continue;
    }
    if (kind !== "word" || textAt(index + 1) === "(") continue;
    const dot = dotBefore(index);
    if (dot === undefined ? own.has(text) : !isNodes(dot - 1)) continue;
    const next = rename(text);
    if (next === undefined) continue;
    writeMember(index, next, dot);
    writeAsked(index, next);
  }
  return all.join("");
}

function kindOf(text: string): Token["kind"] {
  if (/^["']|^[rRbB]{1,2}["']/.test(text)) return "quoted";
  return /^[A-Za-z_]/.test(text) ? "word" : "mark";
}
