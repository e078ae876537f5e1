/** JavaScript that renders a Jinja template, or why there is none. */
export type Rendered = { ok: true; code: string } | { ok: false; reason: string };

/**
 * Translates the common part of Jinja (values, filters, if, for, set) to the body of a function that reads its variables
 * from `values` and returns the text. Nothing is evaluated here.
 */
export function renderJinja(template: string): Rendered {
  if (template.length > 50_000) return { ok: false, reason: "it is too long" };
  try {
    return { ok: true, code: `${runtime}\n${new Blocks(template).compile()}` };
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

class NoJinja extends Error {}

const runtime = `const own = (value, key) => { if (value === null || value === undefined) return undefined; if (Array.isArray(value) && typeof key === "number") return value.at(key); return Object.prototype.hasOwnProperty.call(Object(value), key) ? value[key] : undefined; };
const list = (value) => Array.isArray(value) ? value : value === null || value === undefined ? [] : typeof value === "string" ? [...value] : typeof value === "object" ? Object.keys(value) : [];
const text = (value) => value === null || value === undefined ? "" : typeof value === "string" ? value : value === true ? "True" : value === false ? "False" : typeof value === "object" ? JSON.stringify(value) : String(value);
const truth = (value) => Array.isArray(value) ? value.length > 0 : value !== null && typeof value === "object" ? Object.keys(value).length > 0 : Boolean(value);
const holds = (all, one) => typeof all === "string" ? all.includes(text(one)) : list(all).some((each) => each === one);
const add = (a, b) => typeof a === "number" && typeof b === "number" ? a + b : Array.isArray(a) && Array.isArray(b) ? [...a, ...b] : text(a) + text(b);
const filters = {
  upper: (v) => text(v).toUpperCase(), lower: (v) => text(v).toLowerCase(), trim: (v) => text(v).trim(), string: text,
  capitalize: (v) => text(v).charAt(0).toUpperCase() + text(v).slice(1).toLowerCase(),
  title: (v) => text(v).replace(/\\b\\w/g, (one) => one.toUpperCase()),
  length: (v) => typeof v === "string" ? v.length : list(v).length, count: (v) => list(v).length,
  default: (v, usual = "", all = false) => v === undefined || v === null || (all && !truth(v)) ? usual : v,
  join: (v, by = "", key) => list(v).map((one) => text(key === undefined ? one : own(one, key))).join(by),
  first: (v) => list(v)[0], last: (v) => list(v).at(-1), reverse: (v) => typeof v === "string" ? [...v].reverse().join("") : [...list(v)].reverse(),
  replace: (v, from, to) => text(v).split(from).join(text(to)), int: (v) => parseInt(v, 10) || 0, float: (v) => parseFloat(v) || 0,
  abs: (v) => Math.abs(v), round: (v, places = 0) => Math.round(v * 10 ** places) / 10 ** places,
  tojson: (v) => JSON.stringify(v === undefined ? null : v), safe: (v) => v, list, unique: (v) => [...new Set(list(v))],
  sort: (v) => [...list(v)].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0)), sum: (v) => list(v).reduce((all, one) => all + Number(one), 0),
  max: (v) => list(v).reduce((a, b) => (a > b ? a : b)), min: (v) => list(v).reduce((a, b) => (a < b ? a : b)),
  items: (v) => Object.entries(v === null || v === undefined ? {} : v), truncate: (v, size = 255) => text(v).length > size ? text(v).slice(0, size - 3) + "..." : text(v),
  wordcount: (v) => text(v).split(/\\s+/).filter(Boolean).length, escape: (v) => text(v).replace(/[&<>"']/g, (c) => "&#" + c.charCodeAt(0) + ";"),
  striptags: (v) => text(v).replace(/<[^>]*>/g, ""), map: (v, options) => list(v).map((one) => own(one, own(options, "attribute"))), indent: (v, size = 4) => text(v).split("\\n").join("\\n" + " ".repeat(size)),
};
filters.e = filters.escape; filters.d = filters.default;
const methods = { items: (v) => Object.entries(v ?? {}), keys: (v) => Object.keys(v ?? {}), values: (v) => Object.values(v ?? {}), get: (v, key, usual) => own(v, key) ?? usual, upper: filters.upper, lower: filters.lower, strip: filters.trim, title: filters.title, capitalize: filters.capitalize, split: (v, by) => by === undefined ? text(v).split(/\\s+/).filter(Boolean) : text(v).split(by), replace: filters.replace, join: (v, all) => list(all).map(text).join(v), startswith: (v, part) => text(v).startsWith(part), endswith: (v, part) => text(v).endsWith(part) };
const range = (a, b, by = 1) => { const [from, to] = b === undefined ? [0, a] : [a, b]; const all = []; for (let at = from; by > 0 ? at < to : at > to; at += by) { all.push(at); if (all.length > 10000) break; } return all; };`;

const filterNames = new Set(
  "upper lower trim string capitalize title length count default join first last reverse replace int float abs round tojson safe list unique sort sum max min items truncate wordcount escape striptags map indent e d".split(
    " ",
  ),
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
    const given =
      variables.length === 1
        ? `[${JSON.stringify(variables[0])}]: ${all}[${index}]`
        : variables.map((name, place) => `[${JSON.stringify(name)}]: own(${all}[${index}], ${place})`).join(", ");
    const body = this.until(["endfor", "else"]);
    const other = wordOf(this.tags[this.at]) === "else" ? this.otherwise() : "";
    this.next("endfor");
    return `{ const ${all} = list(${expression(source)}); const ${outer} = s;
for (let ${index} = 0; ${index} < ${all}.length; ${index} += 1) {
s = { ...${outer}, ${given}, loop: { index: ${index} + 1, index0: ${index}, first: ${index} === 0, last: ${index} === ${all}.length - 1, length: ${all}.length } };
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
    const tests: Readonly<Record<string, string>> = {
      defined: `(${value} !== undefined)`,
      undefined: `(${value} === undefined)`,
      none: `(${value} === null)`,
      None: `(${value} === null)`,
      string: `(typeof ${value} === "string")`,
      number: `(typeof ${value} === "number")`,
      mapping: `(typeof ${value} === "object" && !Array.isArray(${value}))`,
      iterable: `(typeof ${value} === "object")`,
      even: `(${value} % 2 === 0)`,
      odd: `(${value} % 2 === 1)`,
    };
    const code = Object.hasOwn(tests, name) ? tests[name] : undefined;
    if (code === undefined) throw new NoJinja(`the test “${name}”`);
    return negated ? `!${code}` : code;
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
      if (!filterNames.has(name)) throw new NoJinja(`the filter “${name}”`);
      this.at += 1;
      const args = this.take("(") ? this.args(")") : [];
      code = this.steps(`filters.${name}(${[code, ...args].join(", ")})`);
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
    return `methods.${token.value}(${[value, ...this.args(")")].join(", ")})`;
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
    if (token.value === "[") return `[${this.args("]").join(", ")}]`;
    if (token.value === "{") return this.record();
    throw new NoJinja(`“${token.value}”`);
  }

  private name(name: string): string {
    if (Object.hasOwn(constants, name)) return constants[name] ?? "null";
    if (words.has(name)) throw new NoJinja(`“${name}”`);
    if (this.is("(") && name === "range") {
      this.at += 1;
      return `range(${this.args(")").join(", ")})`;
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

  /** Arguments up to a closing sign; named ones come last, as one record. */
  private args(end: string): string[] {
    const plain: string[] = [];
    const named: string[] = [];
    while (!this.take(end)) {
      const [first, second] = this.tokens.slice(this.at, this.at + 2);
      if (first?.kind === "name" && second?.value === "=" && second.kind === "sign") {
        this.at += 2;
        named.push(`${JSON.stringify(first.value)}: ${this.choice()}`);
      } else {
        plain.push(this.choice());
      }
      if (!this.is(end)) this.need(",");
    }
    return named.length > 0 ? [...plain, `{ ${named.join(", ")} }`] : plain;
  }
}
