import type { Json } from "../../json.ts";
import type { ComparedValue, Comparison, Condition } from "./condition.ts";

/** Why a filter cannot be used, and what to do. */
export interface FilterFailure {
  ok: false;
  message: string;
  hint: string;
}

/** A filter that was read; `condition` undefined where it is empty. */
export type ReadFilter = { ok: true; condition: Condition | undefined } | FilterFailure;

/** Characters of a filter, comparisons in it, and nested parentheses. */
const limits = { length: 4_000, comparisons: 100, depth: 16 };

/** What a filter is written with, in a sentence for people and models. */
export const filterOperators = "Operators: =, !=, <, <=, >, >=, in (…), starts with, and, or, not, and parentheses.";

const example = `Write it like team = "sales" and year >= 2025. ${filterOperators}`;

class FilterProblem extends Error {
  readonly hint: string;
  constructor(message: string, hint = example) {
    super(message);
    this.hint = hint;
  }
}

type Token =
  | { type: "text"; value: string; at: number }
  | { type: "number"; value: number; at: number }
  | { type: "parameter"; index: number; at: number }
  | { type: "word"; word: string; at: number }
  | { type: "sign"; sign: string; at: number }
  | { type: "end"; at: number };

/**
 * Reads a filter such as `team = "sales" and (year >= 2025 or document starts with "guides/")`. `$1` stands for the first of
 * `parameters`, whatever is in it.
 */
export function parseFilter(text: string, parameters: readonly Json[] = []): ReadFilter {
  try {
    if (text.trim() === "") return { ok: true, condition: undefined };
    if (text.length > limits.length) {
      throw new FilterProblem(`The filter is longer than ${limits.length} characters.`, "Make it shorter.");
    }
    return { ok: true, condition: new Reader(tokensOf(text), parameters).read() };
  } catch (error) {
    if (!(error instanceof FilterProblem)) throw error;
    return { ok: false, message: error.message, hint: error.hint };
  }
}

const tokenShape =
  /\s*(?:(?<text>"(?:[^"\\]|\\[^])*"|'(?:[^'\\]|\\[^])*')|(?<number>-?\d+(?:\.\d+)?)(?![\p{L}\p{N}_])|\$(?<parameter>\d{1,3})|(?<word>[\p{L}_][\p{L}\p{N}_-]*)|(?<sign><=|>=|!=|<>|==|[=<>(),]))/uy;

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  let end = 0;
  while (text.slice(end).trim() !== "") {
    tokenShape.lastIndex = end;
    const found = tokenShape.exec(text);
    const at = end + (/^\s*/.exec(text.slice(end))?.[0].length ?? 0);
    if (!found) throw unreadable(text, at);
    tokens.push(tokenOf(found, at));
    end = tokenShape.lastIndex;
  }
  return [...tokens, { type: "end", at: text.length }];
}

function tokenOf({ groups = {} }: RegExpExecArray, at: number): Token {
  const { text, number, parameter, word, sign } = groups;
  if (text !== undefined) return { type: "text", value: text.slice(1, -1).replace(/\\([^])/gu, "$1"), at };
  if (number !== undefined) return { type: "number", value: Number(number), at };
  if (parameter !== undefined) return { type: "parameter", index: Number(parameter) - 1, at };
  if (word !== undefined) return { type: "word", word, at };
  return { type: "sign", sign: sign ?? "", at };
}

function unreadable(text: string, at: number): FilterProblem {
  const character = String.fromCodePoint(text.codePointAt(at) ?? 32);
  if (character === '"' || character === "'") {
    return new FilterProblem(`The quote at ${at + 1} is not closed.`, `Close the text with another ${character}.`);
  }
  return new FilterProblem(`The filter has an unexpected ${character} at ${at + 1}.`);
}

const comparisons: Readonly<Record<string, Comparison | "!=">> = {
  "=": "=",
  "==": "=",
  "!=": "!=",
  "<>": "!=",
  "<": "<",
  "<=": "<=",
  ">": ">",
  ">=": ">=",
};

class Reader {
  readonly #tokens: readonly Token[];
  readonly #parameters: readonly Json[];
  #at = 0;
  #comparisons = 0;

  constructor(tokens: readonly Token[], parameters: readonly Json[]) {
    this.#tokens = tokens;
    this.#parameters = parameters;
  }

  read(): Condition {
    const condition = this.#either(0);
    if (this.#next().type !== "end") throw this.#unexpected("and, or, or the end");
    return condition;
  }

  #next(): Token {
    return this.#tokens[this.#at] ?? { type: "end", at: 0 };
  }

  #take(): Token {
    const token = this.#next();
    this.#at += 1;
    return token;
  }

  #isWord(word: string): boolean {
    const next = this.#next();
    return next.type === "word" && next.word.toLowerCase() === word;
  }

  #takeWord(word: string): boolean {
    if (!this.#isWord(word)) return false;
    this.#at += 1;
    return true;
  }

  #takeSign(sign: string): boolean {
    const next = this.#next();
    if (next.type !== "sign" || next.sign !== sign) return false;
    this.#at += 1;
    return true;
  }

  #unexpected(wanted: string): FilterProblem {
    const token = this.#next();
    const found = token.type === "end" ? "The filter ends" : `The filter has ${shown(token)} at ${token.at + 1}`;
    return new FilterProblem(`${found} where ${wanted} is expected.`);
  }

  #either(depth: number): Condition {
    if (depth > limits.depth) throw new FilterProblem(`The filter has more than ${limits.depth} nested parentheses.`);
    const first = this.#both(depth);
    const others: Condition[] = [];
    while (this.#takeWord("or")) others.push(this.#both(depth));
    return others.length === 0 ? first : { is: "or", of: [first, ...others] };
  }

  #both(depth: number): Condition {
    const first = this.#one(depth);
    const others: Condition[] = [];
    while (this.#takeWord("and")) others.push(this.#one(depth));
    return others.length === 0 ? first : { is: "and", of: [first, ...others] };
  }

  #one(depth: number): Condition {
    if (this.#takeWord("not")) {
      if (depth > limits.depth) throw new FilterProblem(`The filter has more than ${limits.depth} nested "not".`);
      return { is: "not", of: this.#one(depth + 1) };
    }
    if (!this.#takeSign("(")) return this.#comparison();
    const inner = this.#either(depth + 1);
    if (!this.#takeSign(")")) throw this.#unexpected("a closing parenthesis");
    return inner;
  }

  #comparison(): Condition {
    const name = this.#next();
    if (name.type !== "word") throw this.#unexpected("the name of a field");
    this.#at += 1;
    const field = name.word;
    if (this.#takeWord("not")) {
      if (!this.#takeWord("in")) throw this.#unexpected("in");
      return { is: "not", of: this.#isOneOf(field) };
    }
    if (this.#takeWord("in")) return this.#isOneOf(field);
    if (this.#takeWord("starts")) {
      if (!this.#takeWord("with")) throw this.#unexpected("with");
      return this.#compared(field, "starts with", this.#value(field));
    }
    const sign = this.#next();
    const comparison = sign.type === "sign" ? comparisons[sign.sign] : undefined;
    if (comparison === undefined) throw this.#unexpected(`a comparison of ${field}`);
    this.#at += 1;
    const value = this.#value(field);
    if (comparison !== "!=") return this.#compared(field, comparison, value);
    return { is: "not", of: this.#compared(field, "=", value) };
  }

  #compared(field: string, is: Comparison, value: ComparedValue): Condition {
    this.#comparisons += 1;
    if (this.#comparisons > limits.comparisons) {
      throw new FilterProblem(`The filter has more than ${limits.comparisons} comparisons.`, "Make it shorter.");
    }
    return { is, field, value };
  }

  #isOneOf(field: string): Condition {
    const values: ComparedValue[] = [];
    if (this.#next().type === "parameter") values.push(...this.#listParameter(field));
    else {
      if (!this.#takeSign("(")) throw this.#unexpected("an opening parenthesis");
      do values.push(this.#value(field));
      while (this.#takeSign(","));
      if (!this.#takeSign(")")) throw this.#unexpected("a comma or a closing parenthesis");
    }
    return { is: "or", of: values.map((value) => this.#compared(field, "=", value)) };
  }

  #listParameter(field: string): ComparedValue[] {
    const given = this.#parameter();
    const list = Array.isArray(given) ? given : given === undefined ? [] : [given];
    if (list.length > 0 && list.every(isCompared)) return list;
    throw new FilterProblem(
      `The values inserted for "${field}" cannot be compared.`,
      "Insert a list of texts or numbers.",
    );
  }

  #parameter(): Json | undefined {
    const token = this.#take();
    return token.type === "parameter" ? this.#parameters[token.index] : undefined;
  }

  #value(field: string): ComparedValue {
    const token = this.#next();
    if (token.type === "text" || token.type === "number") {
      this.#at += 1;
      return token.value;
    }
    if (token.type === "parameter") {
      const given = this.#parameter();
      if (given !== undefined && isCompared(given) && given !== "") return given;
      throw new FilterProblem(
        `The value inserted for "${field}" ${given === null || given === "" ? "is empty" : "cannot be compared"}.`,
        "Insert a text, a number, true or false.",
      );
    }
    if (this.#takeWord("true")) return true;
    if (this.#takeWord("false")) return false;
    if (token.type === "word") {
      const message = `The filter has ${token.word} at ${token.at + 1} where a value is expected.`;
      throw new FilterProblem(message, `Put texts in quotes: ${field} = "${token.word}".`);
    }
    throw this.#unexpected(`a value for ${field}`);
  }
}

const isCompared = (value: Json): value is ComparedValue =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean";

function shown(token: Exclude<Token, { type: "end" }>): string {
  switch (token.type) {
    case "text":
      return JSON.stringify(token.value);
    case "number":
      return String(token.value);
    case "parameter":
      return `$${token.index + 1}`;
    case "word":
      return token.word;
    case "sign":
      return token.sign;
    default:
      return token satisfies never;
  }
}
