import type { Json } from "../json.ts";
import { unclosedProblem } from "./syntax-message.ts";
import { TemplateProblem } from "./template-problem.ts";

/** A piece of a template: text as it is, or the source between `{{` and `}}` and where it starts. */
type TemplatePart = { kind: "text"; text: string } | { kind: "expression"; source: string; start: number };

/** Bounds that keep a template's cost small, in characters and counts. */
export const templateLimits = {
  text: 1_000_000,
  expression: 5_000,
  expressions: 500,
  nesting: 48,
  /** Characters that the templates of one node's settings may make together. */
  output: 10_000_000,
  /** Milliseconds that they may take together. */
  milliseconds: 3_000,
} as const;

/** Whether a text holds the start of an expression. */
export function hasTemplate(text: string): boolean {
  return text.includes("{{");
}

/** Whether a value is a text that holds the start of an expression. */
export function holdsTemplate(value: Json): value is string {
  return typeof value === "string" && hasTemplate(value);
}

/**
 * Splits a text at its `{{ … }}`. Braces and quotes inside an expression are honoured, so that `{{ {"a": {}} }}` ends
 * where it should. One pass, linear in the text. Throws a TemplateProblem when an expression is not closed or a limit
 * is passed.
 */
export function splitTemplate(text: string): TemplatePart[] {
  if (text.length > templateLimits.text) {
    throw new TemplateProblem(
      "limit",
      0,
      "The text is too long for a template.",
      "Shorten it to a million characters.",
    );
  }
  const parts: TemplatePart[] = [];
  let rest = 0;
  let count = 0;
  for (let open = text.indexOf("{{"); open !== -1; open = text.indexOf("{{", rest)) {
    count += 1;
    if (count > templateLimits.expressions) {
      throw new TemplateProblem(
        "limit",
        open,
        `The text contains more than ${templateLimits.expressions} expressions.`,
        "Compute the values in a code node and insert the result once.",
      );
    }
    if (open > rest) parts.push({ kind: "text", text: text.slice(rest, open) });
    const end = expressionEnd(text, open + 2);
    parts.push({ kind: "expression", source: text.slice(open + 2, end), start: open + 2 });
    rest = end + 2;
  }
  if (rest < text.length) parts.push({ kind: "text", text: text.slice(rest) });
  return parts;
}

/** Position of the `}}` that closes the expression starting at `start`. */
function expressionEnd(text: string, start: number): number {
  const open: string[] = [];
  let nesting = 0;
  let quote: string | undefined;
  let brace: number | undefined;
  const last = Math.min(text.length, start + templateLimits.expression + 2);
  for (let at = start; at < last; at += 1) {
    const character = text[at];
    if (character === '"' || character === "'") {
      const end = quoteEnd(text, at, last);
      if (end === last) quote = character;
      at = end;
    } else if (character === "{" || character === "(" || character === "[") {
      nesting += 1;
      open.push(character);
      if (nesting > templateLimits.nesting) {
        throw new TemplateProblem("limit", at, "The expression is nested too deeply.", "Split it over several nodes.");
      }
    } else if (character === ")" || character === "]") {
      nesting -= 1;
      open.pop();
    } else if (character === "}") {
      if (nesting <= 0 && text[at + 1] === "}") return at;
      nesting -= 1;
      if (open.at(-1) === "{") open.pop();
      else brace ??= at;
    }
  }
  if (last < text.length) {
    throw new TemplateProblem(
      "limit",
      start - 2,
      `The expression is longer than ${templateLimits.expression} characters or is not closed.`,
      "Close it with }}, or shorten it.",
    );
  }
  throw unclosedProblem({ start: start - 2, brackets: open, quote, brace });
}

/** Position of the quote that closes the one at `at`; raw strings and triple quotes end at the same place. */
function quoteEnd(text: string, at: number, last: number): number {
  const quote = text[at];
  for (let end = at + 1; end < last; end += 1) {
    if (text[end] === "\\") end += 1;
    else if (text[end] === quote) return end;
  }
  return last;
}
