import type { Json } from "../../engine/json.ts";
import { asArgument, type Piece } from "../expressions/piece.ts";
import type { NodeWork } from "./node-work.ts";
import { parsed } from "./tool-parameters.ts";

/** One expression and nothing else. */
const wholeExpression = /^=\s*\{\{(?:(?!\}\})[^])+\}\}$/;

/**
 * A value of a field that has a type, such as `number`, `booleanValue`: a fixed text is read as that type, and what an expression gives
 * is made it. `lenient`: what cannot be made a number stays what it is.
 */
export function typedValue(work: NodeWork, value: Json | undefined, type: string, lenient: boolean): Json {
  const kind = type.replace(/Value$/, "");
  if (typeof value !== "string") return work.template(value);
  if (!value.startsWith("=")) return fixedValue(work, value, kind);
  if (!["number", "boolean", "array", "object"].includes(kind) || !wholeExpression.test(value))
    return work.template(value);
  const one = work.operand(value);
  return `{{${converted(one, asArgument(one), kind, lenient)}}}`;
}

function fixedValue(work: NodeWork, value: string, kind: string): Json {
  if (kind === "number") return value.trim() === "" || Number.isNaN(Number(value)) ? value : Number(value);
  if (kind === "boolean") return value === "true";
  const inner = kind === "array" || kind === "object" ? parsed(value) : undefined;
  return work.template(inner ?? value);
}

function converted(one: Piece, code: string, kind: string, lenient: boolean): string {
  switch (kind) {
    case "number":
      if (one.kind === "int" || one.kind === "number") return code;
      return `isNothing(${code})${lenient ? ` || isNaN(${code})` : ""} ? dyn(${code}) : dyn(number(${code}))`;
    case "boolean":
      if (one.kind === "bool") return code;
      return `isNothing(${code})${lenient ? ` || !includes(${words}, lower(text(${code})))` : ""} ? dyn(${code}) : dyn(!includes(["", "false", "0"], lower(text(${code}))))`;
    default:
      if (one.kind === "list" || one.kind === "map") return code;
      return `typeName(${code}) == "string" ? ${lenient ? `(matchesPattern(${code}, "^\\\\s*[\\\\[{]") ? dyn(coalesce(maybe(parseJson(${code})), ${code})) : dyn(${code}))` : `dyn(parseJson(${code}))`} : dyn(${code})`;
  }
}

const words = '["true", "false", "1", "0"]';
