import { parseExpressionAt } from "acorn";
import { isJsonObject, type Json, type JsonObject } from "../../engine/json.ts";
import type { Names } from "../expressions/members.ts";
import { AlwaysFails, NoExpression, type Piece, piece, quoted, asArgument } from "../expressions/piece.ts";
import { attempt, contained, translatePiece, type Translated } from "../expressions/translate.ts";
import type { TranslateOptions } from "../expressions/translation.ts";
import type { ReportNotes } from "../report.ts";
import type { N8nNode } from "./read-n8n.ts";
import { splitExpression } from "./split-expression.ts";

/** An expression that a code node has to work out before its node. */
export interface CodeValue {
  key: string;
  source: string;
}

/** The part of n8n's data in which computed values stand, in the input of their node. */
export const computedKey = "computed";

/**
 * Reads one node's parameters: texts with expressions become templates, and what has no counterpart is noted. Each
 * expression is counted once, when it is read.
 */
export class NodeWork {
  readonly node: N8nNode;
  readonly computed: CodeValue[] = [];
  private readonly options: TranslateOptions;
  private readonly notes: ReportNotes;
  /** Whether code can be put in front of the node. */
  private readonly canCompute: boolean;

  constructor(
    node: N8nNode,
    options: { names: Names; zone: string | undefined; notes: ReportNotes; canCompute: boolean },
  ) {
    this.node = node;
    this.options = { names: options.names, zone: options.zone };
    this.notes = options.notes;
    this.canCompute = options.canCompute;
  }

  /** The parameter under a name, or under a path of names. */
  at(...path: string[]): Json | undefined {
    let value: Json | undefined = this.node.parameters;
    for (const key of path) {
      value = isJsonObject(value) ? value[key] : undefined;
    }
    return plainLocator(value);
  }

  /** A parameter as text without expressions; `usual` where it has none or is no text. */
  word(path: string | readonly string[], usual = ""): string {
    const value = this.at(...(typeof path === "string" ? [path] : path));
    if (typeof value === "number" || typeof value === "boolean") return String(value);
    return typeof value === "string" && value !== "" && !value.startsWith("=") ? value : usual;
  }

  number(path: string | readonly string[]): number | undefined {
    const value = this.at(...(typeof path === "string" ? [path] : path));
    const number = typeof value === "string" && value.trim() !== "" ? Number(value.replace(/^=/, "")) : value;
    return typeof number === "number" && Number.isFinite(number) ? number : undefined;
  }

  flag(path: string | readonly string[]): boolean {
    return this.at(...(typeof path === "string" ? [path] : path)) === true;
  }

  list(...path: string[]): JsonObject[] {
    const value = this.at(...path);
    return Array.isArray(value) ? value.filter(isJsonObject) : [];
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
    return splitExpression(raw, isExpression)
      .map((part) => ("text" in part ? escaped(part.text) : `{{${this.expression(part.source)}}}`))
      .join("");
  }

  /** CEL for one expression; what cannot be one is worked out by a code node, or left as null. */
  private expression(source: string): string {
    const made = attempt(() => translatePiece(source, this.options));
    return this.noted(source, made);
  }

  /** Counts an expression and gives its CEL, by way of code where it has to be. */
  noted(source: string, made: Translated): string {
    if (made.ok) {
      this.notes.expression(this.node.name, source, "cel");
      return made.cel;
    }
    if (!this.canCompute || !isExpression(source)) {
      this.notes.expression(
        this.node.name,
        source,
        "unsupported",
        `Has no counterpart here: ${made.reason}. Gives nothing.`,
      );
      return "null";
    }
    const key = `value${this.computed.length + 1}`;
    this.computed.push({ key, source: source.trim() });
    this.notes.expression(this.node.name, source, "code", `Worked out by a code node before it: ${made.reason}.`);
    return `json.${computedKey}.${key}`;
  }

  /** A parameter as a piece of a larger expression, such as a condition. Throws NoExpression. */
  operand(value: Json | undefined): Piece {
    const inner = plainLocator(value);
    if (typeof inner !== "string") return literal(inner ?? null);
    const parts = splitExpression(inner, isExpression);
    const [only] = parts;
    if (only && parts.length === 1) {
      return "text" in only ? piece("string", quoted(only.text), { literal: only.text }) : this.source(only.source);
    }
    const pieces = parts
      .slice(0, 15)
      .map((part) => ("text" in part ? quoted(part.text) : asArgument(this.source(part.source))));
    return piece("string", `concat(${pieces.join(", ")})`);
  }

  private source(source: string): Piece {
    try {
      const made = contained(translatePiece(source, this.options));
      this.notes.expression(this.node.name, source, "cel");
      return made;
    } catch (error) {
      if (error instanceof AlwaysFails) {
        this.notes.expression(this.node.name, source, "cel");
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
