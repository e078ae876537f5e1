import { lookup } from "../lookup.ts";

/** JavaScript that renders a Jinja template, or why there is none. */
export type Rendered = { ok: true; code: string } | { ok: false; reason: string };

/**
 * Translates the common part of Jinja (values, filters, if, for, set) to the body of a function that reads its variables
 * from `values` and returns the text. Nothing is evaluated here.
 */
export function renderJinja(template: string): Rendered {
  if (template.length > 50_000) return { ok: false, reason: "it is too long" };
  try {
    const code = `${runtime}\n${new Blocks(template).compile()}`;
    return code.length > longestCode ? { ok: false, reason: "it is too long" } : { ok: true, code };
  } catch (error) {
    if (error instanceof NoJinja) return { ok: false, reason: error.message };
    if (error instanceof RangeError) return { ok: false, reason: "it nests too deeply" };
    throw error;
  }
}

/** Whether a template has nothing but names and paths between double braces. */
export function isPlainJinja(template: string): boolean {
  return !/\{%|\{#/.test(template) && template.replace(/\{\{\s*[A-Za-z_][\w.]*\s*\}\}/g, "").search(/\{\{|\}\}/) === -1;
}

/** Characters of the JavaScript that a template may become. */
const longestCode = 500_000;

class NoJinja extends Error {}

const runtime = `const own = (value, key) => { if (value === null || value === undefined) return undefined; if (Array.isArray(value) && typeof key === "number") return value.at(key); return Object.prototype.hasOwnProperty.call(Object(value), key) ? value[key] : undefined; };
const list = (value) => Array.isArray(value) ? value : value === null || value === undefined ? [] : typeof value === "string" ? [...value] : typeof value === "object" ? Object.keys(value) : [];
const text = (value) => value === null || value === undefined ? "" : typeof value === "string" ? value : value === true ? "True" : value === false ? "False" : typeof value === "object" ? JSON.stringify(value) : String(value);
const truth = (value) => Array.isArray(value) ? value.length > 0 : value !== null && typeof value === "object" ? Object.keys(value).length > 0 : Boolean(value);
const holds = (all, one) => typeof all === "string" ? all.includes(text(one)) : list(all).some((each) => each === one);
const add = (a, b) => typeof a === "number" && typeof b === "number" ? a + b : Array.isArray(a) && Array.isArray(b) ? [...a, ...b] : text(a) + text(b);
const at = (value, path) => String(path).split(".").reduce((one, key) => own(one, /^\\d+$/.test(key) ? Number(key) : key), value);
const keyed = (key, exact) => (one) => { const value = key === undefined ? one : at(one, key); return typeof value === "string" && !exact ? value.toLowerCase() : value; };
const sorted = (v, key, exact) => { const of = keyed(key, exact); return [...list(v)].sort((a, b) => (of(a) < of(b) ? -1 : of(a) > of(b) ? 1 : 0)); };
const filters = {
  upper: (v) => text(v).toUpperCase(), lower: (v) => text(v).toLowerCase(), string: text,
  trim: (v, signs) => { if (signs === undefined) return text(v).trim(); let [from, to] = [0, text(v).length]; const all = text(v); while (from < to && signs.includes(all[from])) from += 1; while (to > from && signs.includes(all[to - 1])) to -= 1; return all.slice(from, to); },
  capitalize: (v) => text(v).charAt(0).toUpperCase() + text(v).slice(1).toLowerCase(),
  title: (v) => text(v).replace(/\\b\\w/g, (one) => one.toUpperCase()),
  length: (v) => typeof v === "string" ? v.length : list(v).length, count: (v) => list(v).length,
  default: (v, usual = "", all = false) => v === undefined || v === null || (all && !truth(v)) ? usual : v,
  join: (v, by = "", key) => list(v).map((one) => text(key === undefined ? one : at(one, key))).join(by),
  first: (v) => list(v)[0], last: (v) => list(v).at(-1), reverse: (v) => typeof v === "string" ? [...v].reverse().join("") : [...list(v)].reverse(),
  replace: (v, from, to, most = -1) => { const parts = text(v).split(text(from)); const kept = most < 0 || parts.length - 1 <= most ? parts : [...parts.slice(0, most), parts.slice(most).join(text(from))]; return kept.join(text(to)); },
  int: (v, usual = 0, base = 10) => { const number = parseInt(v === true ? 1 : v, base); return Number.isNaN(number) ? usual : number; }, float: (v, usual = 0) => { const number = parseFloat(v); return Number.isNaN(number) ? usual : number; },
  abs: (v) => Math.abs(v), round: (v, places = 0, how = "common") => (how === "floor" ? Math.floor : how === "ceil" ? Math.ceil : Math.round)(v * 10 ** places) / 10 ** places,
  tojson: (v, indent) => JSON.stringify(v === undefined ? null : v, null, indent), safe: (v) => v, list,
  unique: (v, exact = false, key) => { const seen = new Set(); const of = keyed(key, exact); return list(v).filter((one) => !seen.has(of(one)) && seen.add(of(one))); },
  sort: (v, backwards = false, exact = false, key) => { const all = sorted(v, key, exact); return backwards ? all.reverse() : all; }, sum: (v, key, start = 0) => list(v).reduce((all, one) => all + Number(key === undefined ? one : at(one, key)), start),
  max: (v, exact = false, key) => sorted(v, key, exact).at(-1), min: (v, exact = false, key) => sorted(v, key, exact)[0],
  items: (v) => Object.entries(v === null || v === undefined ? {} : v),
  truncate: (v, size = 255, words = false, end = "...", leeway = 5) => { const all = text(v); if (all.length <= size + leeway) return all; const cut = all.slice(0, Math.max(0, size - end.length)); return (words || !cut.includes(" ") ? cut : cut.slice(0, cut.lastIndexOf(" "))) + end; },
  wordcount: (v) => text(v).split(/\\s+/).filter(Boolean).length, escape: (v) => text(v).replace(/[&<>"']/g, (c) => "&#" + c.charCodeAt(0) + ";"),
  striptags: (v) => text(v).replace(/<[^>]*>/g, ""),
  indent: (v, width = 4, first = false, blank = false) => text(v).split("\\n").map((line, index) => (index === 0 ? first : blank || line !== "") ? (typeof width === "string" ? width : " ".repeat(width)) + line : line).join("\\n"),
};
const tests = {
  defined: (v) => v !== undefined, undefined: (v) => v === undefined, none: (v) => v === null, None: (v) => v === null,
  string: (v) => typeof v === "string", number: (v) => typeof v === "number", boolean: (v) => typeof v === "boolean", integer: (v) => Number.isInteger(v),
  mapping: (v) => typeof v === "object" && v !== null && !Array.isArray(v), sequence: (v) => typeof v === "string" || (typeof v === "object" && v !== null), iterable: (v) => typeof v === "string" || (typeof v === "object" && v !== null),
  even: (v) => v % 2 === 0, odd: (v) => Math.abs(v % 2) === 1,
};
filters.e = filters.escape; filters.d = filters.default;
const methods = { items: (v) => Object.entries(v ?? {}), keys: (v) => Object.keys(v ?? {}), values: (v) => Object.values(v ?? {}), get: (v, key, usual) => own(v, key) ?? usual, upper: filters.upper, lower: filters.lower, strip: filters.trim, title: filters.title, capitalize: filters.capitalize, split: (v, by) => by === undefined ? text(v).split(/\\s+/).filter(Boolean) : text(v).split(by), replace: filters.replace, join: (v, all) => list(all).map(text).join(v), startswith: (v, part) => text(v).startsWith(part), endswith: (v, part) => text(v).endsWith(part) };
const range = (a, b, by = 1) => { const [from, to] = b === undefined ? [0, a] : [a, b]; const all = []; for (let at = from; by > 0 ? at < to : at > to; at += by) { all.push(at); if (all.length > 10000) break; } return all; };`;

/** The names of each filter's arguments, in order (jinja.palletsprojects.com/en/stable/templates/#list-of-builtin-filters). */
const signatures: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    "upper lower string capitalize title length count first last reverse abs safe list items wordcount escape e striptags"
      .split(" ")
      .map((name) => [name, []]),
  ),
  trim: ["chars"],
  default: ["default_value", "boolean"],
  d: ["default_value", "boolean"],
  join: ["d", "attribute"],
  replace: ["old", "new", "count"],
  int: ["default", "base"],
  float: ["default"],
  round: ["precision", "method"],
  tojson: ["indent"],
  unique: ["case_sensitive", "attribute"],
  sort: ["reverse", "case_sensitive", "attribute"],
  sum: ["attribute", "start"],
  max: ["case_sensitive", "attribute"],
  min: ["case_sensitive", "attribute"],
  truncate: ["length", "killwords", "end", "leeway"],
  indent: ["width", "first", "blank"],
};
const testNames = new Set(
  "defined undefined none None string number boolean integer mapping sequence iterable even odd".split(" "),
);
const methodNames = new Set(
  "items keys values get upper lower strip title capitalize split replace join startswith endswith".split(" "),
);

interface Tag {
  kind: "text" | "value" | "block";
  source: string;
}

/** Cuts a template into text, values and blocks; a minus sign takes the blanks beside it away. */
function tagsOf(template: string): Tag[] {
  const tags: Tag[] = [];
  const pattern = /\{([{%#])(-?)([\s\S]*?)(-?)(?:\}\}|%\}|#\})/g;
  let from = 0;
  let trimmed = false;
  const addText = (end: number, trimEnd: boolean) => {
    let source = template.slice(from, end);
    if (trimmed) source = source.trimStart();
    if (trimEnd) source = source.trimEnd();
    if (source !== "") tags.push({ kind: "text", source });
  };
  for (const match of template.matchAll(pattern)) {
    const [whole, kind, before, source = "", after] = match;
    addText(match.index, before === "-");
    if (kind !== "#") tags.push({ kind: kind === "{" ? "value" : "block", source: source.trim() });
    from = match.index + whole.length;
    trimmed = after === "-";
    // Jinja drops the line break behind a block in Dify's settings of it.
    if (kind === "%" && after !== "-" && template[from] === "\n") from += 1;
  }
  addText(template.length, false);
  return tags;
}

class Blocks {
  private readonly tags: Tag[];
  private at = 0;
  private depth = 0;

  constructor(template: string) {
    this.tags = tagsOf(template);
  }

  compile(): string {
    const body = this.until([]);
    if (this.at < this.tags.length) throw new NoJinja(`“${this.tags[this.at]?.source ?? ""}” stands alone`);
    return `let out = "";\nlet s = { ...values };\n${body}\nreturn { output: out };`;
  }

  /** Statements up to one of these block words, which stays. */
  private until(ends: readonly string[]): string {
    const lines: string[] = [];
    for (let tag = this.tags[this.at]; tag; tag = this.tags[this.at]) {
      if (tag.kind === "block" && ends.includes(wordOf(tag))) break;
      this.at += 1;
      if (tag.kind === "text") lines.push(`out += ${JSON.stringify(tag.source)};`);
      else if (tag.kind === "value") lines.push(`out += text(${expression(tag.source)});`);
      else lines.push(this.block(tag));
    }
    return lines.join("\n");
  }

  private block(tag: Tag): string {
    const word = wordOf(tag);
    const rest = tag.source.slice(word.length).trim();
    if (word === "if") return this.condition(rest);
    if (word === "for") return this.loop(rest);
    if (word === "set") {
      const [, name, value] = /^([A-Za-z_]\w*)\s*=([\s\S]+)$/.exec(rest) ?? [];
      if (name !== undefined && value !== undefined) return `s[${JSON.stringify(name)}] = ${expression(value)};`;
    }
    throw new NoJinja(`the block “${word}”`);
  }

  private condition(test: string): string {
    let code = `if (truth(${expression(test)})) {\n${this.until(["elif", "else", "endif"])}\n}`;
    for (let tag = this.next("endif"); wordOf(tag) !== "endif"; tag = this.next("endif")) {
      const isElse = wordOf(tag) === "else";
      const head = isElse ? "else" : `else if (truth(${expression(tag.source.slice(4))}))`;
      code += ` ${head} {\n${this.until(isElse ? ["endif"] : ["elif", "else", "endif"])}\n}`;
    }
    return code;
  }

  private loop(head: string): string {
    const [, names = "", source] = /^([A-Za-z_]\w*(?:\s*,\s*[A-Za-z_]\w*)*)\s+in\s+([\s\S]+)$/.exec(head) ?? [];
    if (source === undefined) throw new NoJinja(`the loop “${head}”`);
    this.depth += 1;
    const [all, index, outer] = [`all${this.depth}`, `at${this.depth}`, `outer${this.depth}`];
    const variables = names.split(",").map((one) => one.trim());
    const given = (item: string) =>
      variables.length === 1
        ? `[${JSON.stringify(variables[0])}]: ${item}`
        : variables.map((name, place) => `[${JSON.stringify(name)}]: own(${item}, ${place})`).join(", ");
    const { items, test } = new Expression(tokensOf(source)).loop();
    const chosen =
      test === undefined
        ? `list(${items})`
        : `list(${items}).filter((one) => { s = { ...${outer}, ${given("one")} }; return truth(${test}); })`;
    const body = this.until(["endfor", "else"]);
    const other = wordOf(this.tags[this.at]) === "else" ? this.otherwise() : "";
    this.next("endfor");
    return `{ const ${outer} = s; const ${all} = ${chosen};
for (let ${index} = 0; ${index} < ${all}.length; ${index} += 1) {
s = { ...${outer}, ${given(`${all}[${index}]`)}, loop: { index: ${index} + 1, index0: ${index}, first: ${index} === 0, last: ${index} === ${all}.length - 1, length: ${all}.length } };
${body}
}
s = ${outer};${other === "" ? "" : `\nif (${all}.length === 0) {\n${other}\n}`} }`;
  }

  private otherwise(): string {
    this.at += 1;
    return this.until(["endfor"]);
  }

  private next(wanted: string): Tag {
    const tag = this.tags[this.at];
    if (!tag) throw new NoJinja(`“${wanted}” is missing`);
    this.at += 1;
    return tag;
  }
}

function wordOf(tag: Tag | undefined): string {
  return /^\w+/.exec(tag?.source ?? "")?.[0] ?? "";
}

const tokenPattern =
  /\s*(?:(\d+(?:\.\d+)?)|("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|([A-Za-z_]\w*)|(==|!=|<=|>=|\/\/|\*\*|[-+*/%~<>|.,()[\]{}:=]))/y;

interface Token {
  kind: "number" | "text" | "name" | "sign";
  value: string;
}

function tokensOf(source: string): Token[] {
  const tokens: Token[] = [];
  const trimmed = source.trimEnd();
  tokenPattern.lastIndex = 0;
  while (tokenPattern.lastIndex < trimmed.length) {
    const start = tokenPattern.lastIndex;
    const match = tokenPattern.exec(trimmed);
    if (!match) throw new NoJinja(`“${trimmed.slice(start, start + 20)}”`);
    const [, number, text, name, sign] = match;
    if (number !== undefined) tokens.push({ kind: "number", value: number });
    else if (text !== undefined) tokens.push({ kind: "text", value: unquoted(text) });
    else if (name !== undefined) tokens.push({ kind: "name", value: name });
    else tokens.push({ kind: "sign", value: sign ?? "" });
  }
  return tokens;
}

const unquoted = (text: string) =>
  text.slice(1, -1).replace(/\\(.)/g, (_, one: string) => ({ n: "\n", t: "\t", r: "\r" })[one] ?? one);

function expression(source: string): string {
  return new Expression(tokensOf(source)).whole();
}

const constants: Readonly<Record<string, string>> = {
  true: "true",
  True: "true",
  false: "false",
  False: "false",
  none: "null",
  None: "null",
};
const words = new Set(["and", "or", "not", "in", "is", "if", "else"]);

class Expression {
  private readonly tokens: Token[];
  private at = 0;

  constructor(tokens: Token[]) {
    this.tokens = tokens;
  }

  whole(): string {
    const code = this.choice();
    const rest = this.tokens[this.at];
    if (rest) throw new NoJinja(`“${rest.value}”`);
    return code;
  }

  /** What a loop goes through, and the test that each item has to pass. */
  loop(): { items: string; test: string | undefined } {
    const items = this.either();
    const test = this.take("if") ? this.choice() : undefined;
    const rest = this.tokens[this.at];
    if (rest) throw new NoJinja(`“${rest.value}”`);
    return { items, test };
  }

  private is(value: string, kind?: Token["kind"]): boolean {
    const token = this.tokens[this.at];
    return token?.value === value && token.kind !== "text" && (kind === undefined || token.kind === kind);
  }

  private take(value: string): boolean {
    if (!this.is(value)) return false;
    this.at += 1;
    return true;
  }

  private need(value: string): void {
    if (!this.take(value)) throw new NoJinja(`“${value}” is missing`);
  }

  private choice(): string {
    const value = this.either();
    if (!this.take("if")) return value;
    const test = this.either();
    return `(truth(${test}) ? ${value} : ${this.take("else") ? this.choice() : "undefined"})`;
  }

  private either(): string {
    let code = this.both();
    while (this.take("or")) code = `((a) => truth(a) ? a : ${this.both()})(${code})`;
    return code;
  }

  private both(): string {
    let code = this.negation();
    while (this.take("and")) code = `((a) => truth(a) ? ${this.negation()} : a)(${code})`;
    return code;
  }

  private negation(): string {
    return this.take("not") ? `!truth(${this.negation()})` : this.compared();
  }

  private compared(): string {
    let code = this.joined();
    for (;;) {
      const sign = this.tokens[this.at];
      if (sign?.kind === "sign" && ["==", "!=", "<", ">", "<=", ">="].includes(sign.value)) {
        this.at += 1;
        const operator = sign.value === "==" ? "===" : sign.value === "!=" ? "!==" : sign.value;
        code = `(${code} ${operator} ${this.joined()})`;
      } else if (this.take("in")) {
        code = `holds(${this.joined()}, ${code})`;
      } else if (this.is("not") && this.tokens[this.at + 1]?.value === "in") {
        this.at += 2;
        code = `!holds(${this.joined()}, ${code})`;
      } else if (this.take("is")) {
        code = this.test(code);
      } else {
        return code;
      }
    }
  }

  private test(value: string): string {
    const negated = this.take("not");
    const name = this.tokens[this.at]?.value ?? "";
    this.at += 1;
    if (!testNames.has(name)) throw new NoJinja(`the test “${name}”`);
    return `${negated ? "!" : ""}tests.${name}(${value})`;
  }

  private joined(): string {
    let code = this.sum();
    while (this.take("~")) code = `(text(${code}) + text(${this.sum()}))`;
    return code;
  }

  private sum(): string {
    let code = this.product();
    for (;;) {
      if (this.take("+")) code = `add(${code}, ${this.product()})`;
      else if (this.take("-")) code = `(${code} - ${this.product()})`;
      else return code;
    }
  }

  private product(): string {
    let code = this.unary();
    for (;;) {
      if (this.take("*")) code = `(${code} * ${this.unary()})`;
      else if (this.take("/")) code = `(${code} / ${this.unary()})`;
      else if (this.take("//")) code = `Math.floor(${code} / ${this.unary()})`;
      else if (this.take("%")) code = `(${code} % ${this.unary()})`;
      else if (this.take("**")) code = `(${code} ** ${this.unary()})`;
      else return code;
    }
  }

  private unary(): string {
    if (this.take("-")) return `(-${this.unary()})`;
    return this.filtered(this.steps(this.atom()));
  }

  private filtered(given: string): string {
    let code = given;
    while (this.take("|")) {
      const name = this.tokens[this.at]?.value ?? "";
      this.at += 1;
      const [first] = this.is("(") ? this.tokens.slice(this.at + 1) : [];
      const args = this.take("(") ? this.args(")") : none;
      const made =
        name === "map" ? mapped(code, args, first) : `filters.${name}(${[code, ...placed(name, args)].join(", ")})`;
      code = this.steps(made);
    }
    return code;
  }

  private steps(given: string): string {
    let code = given;
    for (;;) {
      if (this.take(".")) code = this.member(code);
      else if (this.take("[")) code = this.index(code);
      else return code;
    }
  }

  private member(value: string): string {
    const token = this.tokens[this.at];
    if (token?.kind !== "name" && token?.kind !== "number") throw new NoJinja("a path that ends in a dot");
    this.at += 1;
    if (token.kind === "number") return `own(${value}, ${token.value})`;
    if (!this.take("(")) return `own(${value}, ${JSON.stringify(token.value)})`;
    if (!methodNames.has(token.value)) throw new NoJinja(`the method “${token.value}”`);
    return `methods.${token.value}(${[value, ...this.plainArgs(")")].join(", ")})`;
  }

  private index(value: string): string {
    if (this.take(":")) {
      const end = this.choice();
      this.need("]");
      return `${value}.slice(0, ${end})`;
    }
    const first = this.choice();
    if (!this.take(":")) {
      this.need("]");
      return `own(${value}, ${first})`;
    }
    const end = this.is("]") ? "" : `, ${this.choice()}`;
    this.need("]");
    return `${value}.slice(${first}${end})`;
  }

  private atom(): string {
    const token = this.tokens[this.at];
    if (!token) throw new NoJinja("an expression that ends early");
    this.at += 1;
    if (token.kind === "number") return token.value;
    if (token.kind === "text") return JSON.stringify(token.value);
    if (token.kind === "name") return this.name(token.value);
    if (token.value === "(") {
      const code = this.choice();
      this.need(")");
      return `(${code})`;
    }
    if (token.value === "[") return `[${this.plainArgs("]").join(", ")}]`;
    if (token.value === "{") return this.record();
    throw new NoJinja(`“${token.value}”`);
  }

  private name(name: string): string {
    if (Object.hasOwn(constants, name)) return constants[name] ?? "null";
    if (words.has(name)) throw new NoJinja(`“${name}”`);
    if (this.is("(") && name === "range") {
      this.at += 1;
      return `range(${this.plainArgs(")").join(", ")})`;
    }
    if (this.is("(")) throw new NoJinja(`the function “${name}”`);
    return `own(s, ${JSON.stringify(name)})`;
  }

  private record(): string {
    const entries: string[] = [];
    while (!this.take("}")) {
      const key = this.choice();
      this.need(":");
      entries.push(`[text(${key})]: ${this.choice()}`);
      if (!this.is("}")) this.need(",");
    }
    return `({ ${entries.join(", ")} })`;
  }

  /** Arguments up to a closing sign. */
  private args(end: string): Arguments {
    const plain: string[] = [];
    const named = new Map<string, string>();
    while (!this.take(end)) {
      const [first, second] = this.tokens.slice(this.at, this.at + 2);
      if (first?.kind === "name" && second?.value === "=" && second.kind === "sign") {
        this.at += 2;
        named.set(first.value, this.choice());
      } else {
        plain.push(this.choice());
      }
      if (!this.is(end)) this.need(",");
    }
    return { plain, named };
  }

  private plainArgs(end: string): string[] {
    const { plain, named } = this.args(end);
    for (const name of named.keys()) throw new NoJinja(`the argument “${name}”`);
    return [...plain];
  }
}

interface Arguments {
  plain: readonly string[];
  named: ReadonlyMap<string, string>;
}

const none: Arguments = { plain: [], named: new Map() };

/** The arguments of a filter in the order of its signature. */
function placed(filter: string, { plain, named }: Arguments): string[] {
  const names = lookup(signatures, filter);
  if (!names) throw new NoJinja(`the filter “${filter}”`);
  const odd = [...named.keys()].find((name) => names.indexOf(name) < plain.length);
  if (odd !== undefined || plain.length > names.length)
    throw new NoJinja(`the argument ${odd === undefined ? plain.length : `“${odd}”`} of the filter “${filter}”`);
  const made = names.map((name, index) => plain[index] ?? named.get(name));
  const last = made.findLastIndex((one) => one !== undefined);
  return made.slice(0, last + 1).map((one) => one ?? "undefined");
}

/** `map(attribute="name")` reads a member of each item, and `map("upper")` puts each through a filter. */
function mapped(code: string, { plain, named }: Arguments, first: Token | undefined): string {
  if (plain.length > 0) {
    if (first?.kind !== "text") throw new NoJinja("a filter in “map” that is worked out");
    const args = placed(first.value, { plain: plain.slice(1), named });
    return `list(${code}).map((one) => filters.${first.value}(${["one", ...args].join(", ")}))`;
  }
  const attribute = named.get("attribute");
  const odd = [...named.keys()].find((name) => name !== "attribute" && name !== "default");
  if (attribute === undefined || odd !== undefined)
    throw new NoJinja(`the argument “${odd ?? ""}” of the filter “map”`);
  return `list(${code}).map((one) => filters.default(at(one, ${attribute}), ${named.get("default") ?? "null"}))`;
}
