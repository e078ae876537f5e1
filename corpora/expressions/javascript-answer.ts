import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { type AnyNode, parseExpressionAt } from "acorn";
import { getQuickJS, type QuickJSContext } from "quickjs-emscripten";
import type { Json } from "../../src/engine/json.ts";

/** What an expression is evaluated with. */
export interface JavaScriptWorld {
  json: Json;
  nodes: Record<string, Json>;
  /** Milliseconds since 1970. */
  now: number;
  zone: string;
}

/** What JavaScript itself answers, as n8n takes it: null for a missing value and where it throws. */
export interface JavaScript {
  /** Throws where the source is no expression, or takes longer than a second. */
  answer(source: string, world: JavaScriptWorld): Json;
  close(): void;
}

const luxon = readFileSync(
  join(dirname(createRequire(import.meta.url).resolve("luxon/package.json")), "build/global/luxon.min.js"),
  "utf8",
);
const around = readFileSync(new URL("javascript-world.mjs", import.meta.url), "utf8");

/** The international parts of the language, which the sandbox does not have, by plain values alone. */
function international(request: string): string {
  const [kind, method, ...args] = JSON.parse(request) as [string, string, ...unknown[]];
  if (kind === "Collator") return JSON.stringify(String(args[0]).localeCompare(String(args[1])));
  if (kind === "Text") return JSON.stringify(Buffer.from(String(args[0])).toString("base64"));
  const [locale, options, value] = args as [string | undefined, object | undefined, number];
  if (kind === "NumberFormat") {
    const format = new Intl.NumberFormat(locale, options);
    return JSON.stringify(method === "format" ? format.format(value) : format.resolvedOptions());
  }
  const format = new Intl.DateTimeFormat(locale, options);
  if (method === "formatToParts") return JSON.stringify(format.formatToParts(value));
  return JSON.stringify(method === "format" ? format.format(value) : format.resolvedOptions());
}

/**
 * n8n asks `isEmpty()` of what is missing, too, and `isWeekend()` where Luxon has no method: such a call becomes one of a
 * function.
 */
function withExtensions(source: string): string {
  const text = `(${source}\n)`;
  const edits: [at: number, remove: number, insert: string][] = [];
  const visit = (node: AnyNode) => {
    if (node.type === "CallExpression" && node.callee.type === "MemberExpression") {
      const { object, property } = node.callee;
      if (property.type === "Identifier" && ["isEmpty", "isNotEmpty", "isWeekend"].includes(property.name)) {
        edits.push([object.start, 0, "$extend("], [object.end, node.end - object.end, `, "${property.name}")`]);
      }
    }
    for (const value of Object.values(node) as unknown[]) {
      for (const one of Array.isArray(value) ? value : [value]) {
        if (typeof one === "object" && one !== null && "type" in one) visit(one as AnyNode);
      }
    }
  };
  visit(parseExpressionAt(text, 0, { ecmaVersion: 2024 }));
  return edits
    .toSorted(([a], [b]) => b - a)
    .reduce((code, [at, remove, insert]) => code.slice(0, at) + insert + code.slice(at + remove), text);
}

/**
 * The value of an expression as JSON, and null where n8n has none. The text "Invalid DateTime", which stands for a date
 * that cannot be read, counts as none.
 */
const valueOf = `function valueAsJson(make) {
  try {
    const value = make();
    if (value === "Invalid DateTime" || value === "Invalid Date") return "null";
    return value?.isValid === false ? "null" : (JSON.stringify(value) ?? "null");
  } catch {
    return "null";
  }
}`;

function evaluate(context: QuickJSContext, code: string): string {
  const result = context.evalCode(code);
  if (result.error) {
    const message = JSON.stringify(context.dump(result.error));
    result.error.dispose();
    throw new Error(message);
  }
  const value: unknown = context.dump(result.value);
  result.value.dispose();
  return String(value);
}

/** JavaScript with Luxon in the sandbox, where an expression reaches nothing but its own data, for a second at most. */
export async function openJavaScript(): Promise<JavaScript> {
  const quickjs = await getQuickJS();
  const context = quickjs.newContext();
  let deadline = Infinity;
  context.runtime.setInterruptHandler(() => Date.now() > deadline);
  context
    .newFunction("askOutside", (request) => context.newString(international(context.getString(request))))
    .consume((made) => context.setProp(context.global, "askOutside", made));
  evaluate(context, luxon);
  evaluate(context, `${around}\n${valueOf}`);
  return {
    answer(source, { json, nodes, now, zone }) {
      deadline = Date.now() + 1_000;
      const data = [json, nodes, now, zone].map((value) => JSON.stringify(value)).join(", ");
      const code = `openWorld(${data}); valueAsJson(() => ${withExtensions(source)})`;
      return JSON.parse(evaluate(context, code)) as Json;
    },
    close() {
      context.dispose();
    },
  };
}
