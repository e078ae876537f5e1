import { parseExpressionAt } from "acorn";
import { slugify } from "../../engine/document/slugify.ts";
import { isJsonObject, type Json, type JsonObject } from "../../engine/json.ts";
import { pathAt } from "../../engine/template/path-at.ts";
import { concat } from "../expressions/concat.ts";
import type { Names } from "../expressions/members.ts";
import { AlwaysFails, NoExpression, type Piece, piece, quoted, asArgument } from "../expressions/piece.ts";
import { attempt, contained, translatePiece, type Translated } from "../expressions/translate.ts";
import type { TranslateOptions } from "../expressions/translation.ts";
import type { N8nNode } from "./read-n8n.ts";
import { splitExpression, type TextPart } from "./split-expression.ts";

/** A step that is put before a node: its title, and the path of its output in expressions. */
export interface StepName {
  title: string;
  path: string;
}

/** An expression that a code node has to work out before its node. */
export interface CodeValue {
  key: string;
  source: string;
}

/** The part of n8n's data in which computed values stand, in the input of their node. */
export const computedKey = "computed";

/** What became of an expression where it was read: CEL, or why there is none. */
export type Became =
  | { as: "cel"; cel: string; note?: string }
  | { as: "code" | "unsupported" | "dropped"; note: string };

/**
 * Reads one node's parameters: texts with expressions become templates. What was read, and what became of each expression,
 * is remembered for the account of the node.
 */
export class NodeWork {
  readonly node: N8nNode;
  readonly computed: CodeValue[] = [];
  /** Whether it gets several items at once, as a list. */
  readonly getsItems: boolean;
  /** What became of each expression, by its source. */
  readonly became = new Map<string, Became[]>();
  private options: TranslateOptions;
  /** Whether code can be put in front of the node. */
  private readonly canCompute: boolean;
  private readonly reserve: (title: string) => { title: string; slug: string };
  private keeper: StepName | undefined;
  /** Whether it sends the file that comes in. */
  sendsFile = false;

  constructor(
    node: N8nNode,
    options: {
      names: Names;
      zone: string | undefined;
      canCompute: boolean;
      getsItems?: boolean;
      reserve?: (title: string) => { title: string; slug: string };
    },
  ) {
    this.reserve = options.reserve ?? ((title) => ({ title, slug: slugify(title) }));
    this.node = node;
    this.getsItems = options.getsItems === true;
    this.options = { names: options.names, zone: options.zone };
    this.canCompute = options.canCompute;
  }

  /** Whether it is a step of the flow, before which others can be put. */
  get inFlow(): boolean {
    return this.canCompute;
  }

  /** The node that keeps the input for those behind the steps, where there is one. */
  get keepsInput(): StepName | undefined {
    return this.keeper;
  }

  /** Lets other steps run first: from here on, expressions read the input from a node that keeps it. */
  keepInput(): StepName {
    if (this.keeper) return this.keeper;
    this.keeper = this.step("input");
    const { names } = this.options;
    this.options = { ...this.options, names: { ...names, input: names.input ?? this.keeper.path } };
    return this.keeper;
  }

  /** The file that comes in, as a template; n8n names it by a property, here it is the first in the input. */
  file(...property: string[]): string {
    this.sendsFile = true;
    const name = this.node.parameters.find(property).value;
    if (name === "data") this.drop(property, "There is one file in the input.");
    else if (property.length > 0) this.lack(property, "The first file of the input is sent.");
    return `{{firstFile(${this.keeper?.path ?? "json"})}}`;
  }

  /** All that comes in, as a template, of which the files are sent. */
  allInput(): string {
    this.sendsFile = true;
    return `{{${this.keeper?.path ?? "json"}}}`;
  }

  /** The title of a step before this node, and the path of its output. */
  step(name: string): StepName {
    const { title, slug } = this.reserve(`${this.node.name.slice(0, 150)}: ${name}`);
    return { title, path: pathAt("nodes", {}, [slug]) };
  }

  /** The parameter under a name, or under a path of names. */
  at(...path: string[]): Json | undefined {
    return plainLocator(this.node.parameters.take(path));
  }

  /** All parameters. */
  get all(): JsonObject {
    return this.node.parameters.read;
  }

  /** A parameter as text without expressions; `usual` where it has none or is no text. */
  word(path: string | readonly string[], usual = ""): string {
    const { value, keys } = this.plain(path);
    const isText = typeof value === "string" && !this.isExpression(value);
    if (!isText && typeof value !== "number" && typeof value !== "boolean") return usual;
    this.node.parameters.mark(keys);
    return String(value).replace(/^=/, "") || usual;
  }

  /** One of the choices that are known; `usual` where it has none of them. Another value stays unread, so that the report tells it. */
  choice<const Choice extends string>(
    path: string | readonly string[],
    known: readonly Choice[],
    usual: NoInfer<Choice>,
  ): Choice {
    const { value, keys } = this.plain(path);
    const chosen = typeof value === "string" ? known.find((one) => one === value.replace(/^=/, "")) : undefined;
    if (chosen === undefined) return usual;
    this.node.parameters.mark(keys);
    return chosen;
  }

  number(path: string | readonly string[]): number | undefined {
    const { value, keys } = this.plain(path);
    const number = typeof value === "string" && value.trim() !== "" ? Number(value.replace(/^=/, "")) : value;
    if (typeof number !== "number" || !Number.isFinite(number)) return undefined;
    this.node.parameters.mark(keys);
    return number;
  }

  flag(path: string | readonly string[]): boolean {
    const { value, keys } = this.plain(path);
    if (typeof value !== "boolean") return false;
    this.node.parameters.mark(keys);
    return value;
  }

  /** Says that what stands at a path has no effect in n8n as the node is set. */
  drop(path: string | readonly string[], why: string): void {
    this.node.parameters.tell(typeof path === "string" ? [path] : path, { why, isWithoutEffect: true });
  }

  /** Says why what stands at a path has no counterpart. What the node sends is the same without it. */
  lack(path: string | readonly string[], why: string): void {
    this.node.parameters.tell(typeof path === "string" ? [path] : path, { why, isWithoutEffect: false });
  }

  /** A value and its keys, not counted as read: not every reader can use each. */
  private plain(path: string | readonly string[]): { value: Json | undefined; keys: readonly string[] } {
    const found = this.node.parameters.find(typeof path === "string" ? [path] : path);
    const value = plainLocator(found.value);
    return { value, keys: value === found.value ? found.keys : [...found.keys, "value"] };
  }

  list(...path: string[]): JsonObject[] {
    const { value } = this.node.parameters.find(path);
    const read = Array.isArray(value) ? this.at(...path) : [];
    if (!Array.isArray(value) || !Array.isArray(read)) return [];
    // What is no row is not taken out, so that it counts as left over.
    return value.flatMap((row, index) => (isJsonObject(row) ? [fieldsOf(read[index])] : []));
  }

  /** A parameter as a template: numbers, lists and objects with the texts inside translated. */
  template(value: Json | undefined): Json {
    const inner = plainLocator(value);
    if (inner === undefined) return "";
    if (typeof inner === "string") return this.text(inner);
    if (Array.isArray(inner)) return inner.map((one) => this.template(one));
    if (!isJsonObject(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).map(([key, one]) => [key, this.template(one)]));
  }

  /** As `template`, for a field that holds text. */
  textOf(value: Json | undefined): string {
    const made = this.template(value);
    if (typeof made === "string") return made;
    return made === null ? "" : typeof made === "object" ? JSON.stringify(made) : String(made);
  }

  /** One of n8n's texts as a template. */
  text(raw: string): string {
    return this.partsOf(raw)
      .map((part) => ("text" in part ? escaped(part.text) : `{{${this.expression(part.source)}}}`))
      .join("");
  }

  /** CEL for one expression; what cannot be one is worked out by a code node, or left as null. */
  private expression(source: string): string {
    const made = attempt(() => translatePiece(source, this.options));
    return this.noted(source, made);
  }

  /** Remembers what became of an expression and gives its CEL, by way of code where it has to be. */
  noted(source: string, made: Translated): string {
    if (made.ok) {
      this.remember(source, {
        as: "cel",
        cel: made.cel,
        ...(made.missing === undefined ? {} : goneNote(made.missing)),
      });
      return made.cel;
    }
    if (!this.canCompute || !isExpression(source)) {
      this.remember(source, { as: "unsupported", note: `Has no counterpart here: ${made.reason}. Gives nothing.` });
      return "null";
    }
    const key = `value${this.computed.length + 1}`;
    this.computed.push({ key, source: source.trim() });
    this.remember(source, { as: "code", note: `Worked out by a code node before it: ${made.reason}.` });
    return `${this.keeper?.path ?? "json"}.${computedKey}.${key}`;
  }

  /** Says what stands here for the expressions of a text that are not translated word by word. */
  standsFor(raw: string, cel: string): void {
    for (const part of this.partsOf(raw)) if ("source" in part) this.remember(part.source, { as: "cel", cel });
  }

  /** Says why the expressions of a text have no effect in n8n as the node is set. */
  idle(raw: Json | undefined, why: string): void {
    if (typeof raw !== "string") return;
    for (const part of this.partsOf(raw))
      if ("source" in part) this.remember(part.source, { as: "dropped", note: why });
  }

  /** The parts of a parameter's text: as they are, or expressions. */
  partsOf(raw: string): TextPart[] {
    return splitExpression(raw, isExpression);
  }

  private remember(source: string, became: Became): void {
    const [position] = /\$(?:itemIndex|runIndex|position)\b/.exec(source) ?? [];
    const isSilent = position !== undefined && became.as === "cel" && became.note === undefined;
    const told = isSilent ? { ...became, note: `“${position}” is always 0 here.` } : became;
    const before = this.became.get(source);
    if (before) before.push(told);
    else this.became.set(source, [told]);
  }

  /** The CEL of a parameter that is one expression and nothing else; undefined for any other. */
  whole(value: Json | undefined): string | undefined {
    const inner = plainLocator(value);
    const [only, ...more] = typeof inner === "string" ? this.partsOf(inner.trim()) : [];
    return only && "source" in only && more.length === 0 ? asArgument(this.operand(String(inner).trim())) : undefined;
  }

  /** A parameter as a piece of a larger expression, such as a condition. Throws NoExpression. */
  operand(value: Json | undefined): Piece {
    const inner = plainLocator(value);
    if (typeof inner !== "string") return literal(inner ?? null);
    const parts = this.partsOf(inner);
    const [only] = parts;
    if (only && parts.length === 1) {
      return "text" in only ? piece("string", quoted(only.text), { literal: only.text }) : this.source(only.source);
    }
    const pieces = parts.map((part) => ("text" in part ? quoted(part.text) : asArgument(this.source(part.source))));
    return piece("string", concat(pieces));
  }

  private source(source: string): Piece {
    try {
      const made = contained(translatePiece(source, this.options));
      this.remember(source, { as: "cel", cel: typeof made.literal === "string" ? made.literal : made.code });
      return made;
    } catch (error) {
      if (error instanceof AlwaysFails) {
        this.remember(source, { as: "cel", cel: "null", ...goneNote(error.message) });
        return piece("null", "null");
      }
      if (!(error instanceof NoExpression || error instanceof SyntaxError)) throw error;
      const code = this.noted(source, { ok: false, reason: error.message });
      return code === "null" ? piece("null", "null") : piece("opt", code.replace(/\.(\w+)$/, ".?$1"), { strict: code });
    }
  }

  /** The CEL path of another node's output. */
  pathOf(name: string): string | undefined {
    return this.options.names.node(name);
  }

  /** Whether the parameter is an expression. */
  isExpression(value: Json | undefined): boolean {
    const inner = plainLocator(value);
    return typeof inner === "string" && inner.startsWith("=") && inner.includes("{{");
  }
}

const goneNote = (name: string) => ({ note: `It reads “${name}”, which the file does not have. Gives nothing.` });

/** What a resource locator points at: `{ "__rl": true, "mode": "id", "value": … }`. */
export function plainLocator(value: Json | undefined): Json | undefined {
  if (
    isJsonObject(value) &&
    "value" in value &&
    ("__rl" in value || ("mode" in value && Object.keys(value).length <= 4))
  ) {
    return value.value;
  }
  return value;
}

function literal(value: Json): Piece {
  if (value === null) return piece("null", "null");
  if (typeof value === "boolean") return piece("bool", String(value));
  if (typeof value === "number" && Number.isSafeInteger(value)) return piece("int", String(value), { literal: value });
  if (typeof value === "number") return piece("number", String(value), { literal: value });
  return piece(Array.isArray(value) ? "list" : "map", JSON.stringify(value));
}

/** Text that templates leave as it is. */
export function escaped(text: string): string {
  return text.replaceAll("{{", '{{"{{"}}');
}

function isExpression(source: string): boolean {
  try {
    const text = `(${source.trim().replace(/;+$/, "")}\n)`;
    return /^[)\s]*$/.test(
      text.slice(parseExpressionAt(text, 0, { ecmaVersion: 2024 }).end).replace(/\/\*[\s\S]*?\*\//g, ""),
    );
  } catch {
    return false;
  }
}

/** The fields of an object as given, for nodes whose parameters are read whole. */
export function fieldsOf(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}
