import { TemplateProblem } from "./template-problem.ts";

const closers: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" };

/** What a token of the grammar is called, where the parser missed it. */
const tokens: Readonly<Record<string, string>> = {
  IDENTIFIER: "A name",
  NUMBER: "A number",
  STRING: "A text",
  COLON: "A :",
  COMMA: "A ,",
  DOT: "A .",
  QUESTION: "A ?",
  RPAREN: "A )",
  RBRACKET: "A ]",
  RBRACE: "A }",
};

/** What people write who come from another language, and what it is here. */
const habits: Readonly<Record<string, string>> = {
  "=": "Compare with ==.",
  "|": "Write || for “or”. Functions are called as size(json.list).",
  "&": "Write && for “and”.",
  $: "Names have no $ here: write json.name.",
  "#": "There are no blocks here. Choose with condition ? one : other.",
  "`": 'Put text into "quotes" and join it with +.',
  ";": "An expression is one value. Use a code node for steps.",
  "!": "Write != for “is not”, or ! before a value.",
};

const example = "For example: json.name, json.count + 1 or json.list.map(x, x.id).";

/** What the parser of expressions found wrong, in words, and what to do. */
export function syntaxMessage(summary: string): { message: string; hint: string } {
  const [, wanted, got] = /^Expected (\w+), got (\w+)/.exec(summary) ?? [];
  const [, token] = /^Unexpected token: (\w+)/.exec(summary) ?? [];
  const [, character] = /^Unexpected character: '?(.)'?/su.exec(summary) ?? [];
  if (token === "EOF") return { message: "The expression ends too early: a value is missing here.", hint: example };
  if (wanted !== undefined) {
    const what = tokens[wanted];
    if (what !== undefined)
      return { message: `${what} is missing ${got === "EOF" ? "at the end" : "here"}.`, hint: example };
  }
  if (token === "DOT" || token === "QUESTION") {
    const hint = "There is no ?. and no ??: write has(json.name) ? json.name : other.";
    return { message: "A value is missing here.", hint };
  }
  if (character !== undefined) {
    const hint =
      habits[character] ??
      (/[\p{L}\p{So}]/u.test(character) && !/\w/.test(character)
        ? 'Such a name goes in quotes and brackets: nodes["名前"], json["名前"].'
        : undefined) ??
      (/\w/.test(character) ? "Join two values with + or compare them with ==." : example);
    return { message: `The “${character}” does not belong here.`, hint };
  }
  return { message: "This cannot be read as an expression.", hint: example };
}

/** What was open where the text ended before the expression did. */
export interface Unclosed {
  /** Where the expression's braces are. */
  start: number;
  /** Brackets that were opened and not closed, the innermost last. */
  brackets: readonly string[];
  /** A quote that was opened and not closed. */
  quote?: string | undefined;
  /** Where a brace or two stood before the brackets were closed, or a brace that stood alone. */
  brace?: number | undefined;
}

/** Names what is missing where an expression is not closed. */
export function unclosedProblem({ start, brackets, quote, brace }: Unclosed): TemplateProblem {
  const problem = (position: number, message: string, hint: string) =>
    new TemplateProblem("syntax", position, message, hint);
  if (quote !== undefined) return problem(start, `A ${quote} is missing: the text in quotes does not end.`, "Add it.");
  const innermost = brackets.at(-1);
  const closer = closers[innermost ?? ""];
  if (closer !== undefined) {
    return problem(brace ?? start, `A ${closer} is missing here.`, `Every ${innermost} needs its ${closer}.`);
  }
  if (brace !== undefined) return problem(brace, "A } is missing here.", "An expression ends with }}.");
  return problem(start, "The expression that starts here is not closed.", "Add }} after it.");
}
