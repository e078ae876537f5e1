import type { ASTNode } from "@marcbachmann/cel-js";
import type { Json } from "../../json.ts";
import { aiCallOf } from "../../template/ai-call.ts";
import { celEnvironment } from "../../template/cel-environment.ts";
import { nodesOf } from "../../template/instrument.ts";
import { toJson } from "../../template/to-json.ts";

/**
 * An expression (the text between the braces) in which the descriptions and defaults of its `ai(…)` calls are masked, as
 * the tool that is offered to the model has them. Names and types stay, and so does an expression that is not well formed.
 */
export function maskAiCalls(source: string, mask: (value: Json) => Json): string {
  let masked = "";
  let rest = 0;
  for (const node of wordsOf(source)) {
    if (node.op !== "value") continue;
    const before = toJson(node.args);
    const after = mask(before);
    if (after === before) continue;
    // What JSON writes, CEL reads.
    masked += source.slice(rest, node.start) + JSON.stringify(after);
    rest = node.end;
  }
  return masked + source.slice(rest);
}

/** The second and the fourth argument of every `ai(…)`, with all inside them, as they stand in the source. */
function wordsOf(source: string): ASTNode[] {
  if (!/\bai\s*\(/.test(source)) return [];
  try {
    const calls = [...nodesOf(celEnvironment().parse(source).ast)].filter(
      (node) => aiCallOf(node, source) !== undefined,
    );
    const words = calls.flatMap((call) => (call.op === "call" ? [call.args[1][1], call.args[1][3]] : []));
    return words.flatMap((word) => (word ? [...nodesOf(word)] : [])).toSorted((a, b) => a.start - b.start);
  } catch {
    return [];
  }
}
