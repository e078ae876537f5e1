import { type Expression, parseExpressionAt } from "acorn";
import { compileExpression } from "../../engine/template/expression.ts";
import { TemplateProblem } from "../../engine/template/template-problem.ts";
import { AlwaysFails, asValue, asWritten, NoExpression, type Piece, piece } from "./piece.ts";
import type { TranslateOptions } from "./translation.ts";
import { Translator } from "./translator.ts";

/** The CEL text, or why there is none. */
export type Translated =
  /** `missing`: it reads a name that does not exist, so that it gives nothing wherever it runs. */
  { ok: true; cel: string; kind: Piece["kind"]; missing?: string } | { ok: false; reason: string };

/**
 * Translates a JavaScript expression, as n8n evaluates it, over its syntax tree; nothing is evaluated. What JavaScript
 * answers with a TypeError, such as a path through something missing, gives null, as n8n does.
 */
export function translate(source: string, options: TranslateOptions): Translated {
  return attempt(() => translatePiece(source, options));
}

/** The piece that an expression is, to be made part of a larger one. Throws NoExpression or SyntaxError. */
export function translatePiece(source: string, options: TranslateOptions): Piece {
  if (source.length > 20_000) throw new NoExpression("so much text");
  return new Translator(options).expression(parseWhole(source), new Map());
}

/** What `make` gives as a whole expression, or why there is none. */
export function attempt(make: () => Piece): Translated {
  try {
    const result = make();
    const cel = whole(result);
    compileExpression(cel);
    return { ok: true, cel, kind: result.kind };
  } catch (error) {
    if (error instanceof AlwaysFails) return { ok: true, cel: "null", kind: "null", missing: error.message };
    if (error instanceof NoExpression) return { ok: false, reason: error.message };
    if (error instanceof TemplateProblem) return { ok: false, reason: error.message };
    if (error instanceof SyntaxError) return { ok: false, reason: "it is not valid JavaScript" };
    if (error instanceof RangeError) return { ok: false, reason: "it nests too deeply" };
    return { ok: false, reason: error instanceof Error ? error.message : String(error) };
  }
}

const onlyPath = /^(?:json|nodes)(?:\.\??\w+|\[\??(?:\d+|"[^"\\]*")\])+$/;

/** The piece as a part of a larger expression, in which a failure of it alone gives null. */
export function contained(result: Piece): Piece {
  if (result.special || result.literal !== undefined || result.kind === "null") return result;
  if (result.kind === "opt" && onlyPath.test(result.code)) {
    const code = optionalPath(result.code);
    return piece("opt", code, { strict: `${code}.value()` });
  }
  const plain = asValue(result);
  return cannotFail(plain) ? result : piece("dyn", `maybe(${plain})`);
}

/** The piece as an expression that gives null where JavaScript fails. */
function whole(result: Piece): string {
  if (result.kind === "opt" && onlyPath.test(result.code)) return `${optionalPath(result.code)}.orValue(null)`;
  const plain = result.kind === "date" ? asWritten(result) : asValue(result);
  return cannotFail(plain) ? plain : `maybe(${plain})`;
}

/** Every step of a path optional: `json.a.?b` → `json.?a.?b`. The first step behind `nodes` names a node. */
function optionalPath(code: string): string {
  return code.replace(/"[^"]*"|\.(?!\?)|\[(?!\?)/g, (one) => (one.startsWith('"') ? one : `${one}?`));
}

/** Whether CEL cannot fail on it: values as written, and what asks the model. */
function cannotFail(code: string): boolean {
  return /^(?:"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?|true|false|null|now|json|ai\((?:[^()"]|"(?:[^"\\]|\\.)*")*\)|iso\(now(?:, "[^"]*")?\)|run\.id|workflow\.(?:name|id))$/.test(
    code,
  );
}

function parseWhole(source: string): Expression {
  const text = `(${source.trim().replace(/;+$/, "")}\n)`;
  const root = parseExpressionAt(text, 0, { ecmaVersion: 2024 });
  const rest = text.slice(root.end).replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, "");
  if (!/^[)\s]*$/.test(rest)) throw new SyntaxError("more follows");
  return root;
}
