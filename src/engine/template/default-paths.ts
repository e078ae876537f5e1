import type { AiCall } from "./ai-call.ts";
import { celEnvironment } from "./cel-environment.ts";
import { nodesOf } from "./instrument.ts";
import { readTitleAsName } from "./node-names.ts";
import { holdsTemplate, splitTemplate } from "./split-template.ts";

/** A variable that an expression reads, with the first name after it where there is one: `json` and `city` of `json.city.name`. */
export interface ReadName {
  variable: string;
  key?: string;
}

/** What the default of an `ai(…)` reads. It has to be well formed. */
export function namesInDefault({ default: value, otherwise }: AiCall): ReadName[] {
  if (otherwise) return namesIn(otherwise.source);
  if (value === undefined || !holdsTemplate(value)) return [];
  return splitTemplate(value).flatMap((part) => (part.kind === "text" ? [] : namesIn(part.source)));
}

function namesIn(source: string): ReadName[] {
  const nodes = [...nodesOf(celEnvironment().parse(source).ast)];
  for (const node of nodes) readTitleAsName(node);
  // What a loop brings in, such as x of list.map(x, x.id).
  const own = new Set(
    nodes.flatMap((node) => (node.op === "rcall" && node.args[2][0]?.op === "id" ? [node.args[2][0].args] : [])),
  );
  const keyed = new Map(
    nodes.flatMap((node) => {
      if (node.op === "." && node.args[0].op === "id") return [[node.args[0], node.args[1]] as const];
      if (node.op !== "[]" || node.args[0].op !== "id" || node.args[1].op !== "value") return [];
      const key = node.args[1].args;
      return typeof key === "string" ? [[node.args[0], key] as const] : [];
    }),
  );
  // What is asked for with has(…) may be missing.
  const tested = new Set(
    nodes.flatMap((node) =>
      node.op === "call" && node.args[0] === "has" ? node.args[1].flatMap((each) => [...nodesOf(each)]) : [],
    ),
  );
  return nodes.flatMap((node): ReadName[] => {
    if (node.op !== "id" || own.has(node.args) || tested.has(node)) return [];
    const key = keyed.get(node);
    return [{ variable: node.args, ...(key === undefined ? {} : { key }) }];
  });
}
