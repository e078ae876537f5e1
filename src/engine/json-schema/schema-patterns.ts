import { isJsonObject, type Json, type JsonObject, type JsonSchema } from "../json.ts";
import { matchesPattern } from "../template/match-pattern.ts";

const mostSteps = 5_000_000;

/** The patterns of a schema take too long on a value. */
export class PatternLimit extends Error {}

/** Where a JSON Schema holds schemas by names; elsewhere its words are rules. */
export const schemasByName: ReadonlySet<string> = new Set(["properties", "dependentSchemas", "$defs", "definitions"]);
/** Where it holds plain data. */
export const plainData: ReadonlySet<string> = new Set(["const", "enum", "default", "examples"]);

function textsOf(value: Json, found: Set<string>): Set<string> {
  if (typeof value === "string") found.add(value);
  else if (Array.isArray(value)) for (const each of value) textsOf(each, found);
  else if (isJsonObject(value)) {
    for (const [name, inner] of Object.entries(value)) {
      found.add(name);
      textsOf(inner, found);
    }
  }
  return found;
}

/** Whether a schema holds a regular expression anywhere. */
export function hasPatterns(schema: JsonSchema): boolean {
  return /"pattern(?:Properties)?"/.test(JSON.stringify(schema));
}

const literal = (text: string) => text.replace(/[$()*+./?[\\\]^{|}]/g, "\\$&");

/**
 * The schema for this one value with each regular expression replaced by the list of the value's own texts that it matches,
 * found in linear time: the same answer, and nothing that could hang. One that cannot be matched so, as with look-around, is left unchecked. Throws a PatternLimit.
 */
export function withoutPatterns(schema: JsonSchema, value: Json): JsonSchema {
  const texts = textsOf(value, new Set());
  const replaced = new Map<string, string>();
  let steps = 0;
  const count = (visited: number) => {
    steps += visited;
    if (steps > mostSteps) throw new PatternLimit("The patterns of the schema take too long to check.");
  };
  function listOf(pattern: string): string {
    const known = replaced.get(pattern);
    if (known !== undefined) return known;
    let list: string;
    try {
      const matched = [...texts].filter((text) => matchesPattern(text, pattern, count));
      list = matched.length === 0 ? "(?!)" : `^(?:${matched.map(literal).join("|")})$`;
    } catch (error) {
      if (error instanceof PatternLimit) throw error;
      list = "^";
    }
    replaced.set(pattern, list);
    return list;
  }
  const inside = (part: Json): Json =>
    Array.isArray(part) ? part.map(inside) : isJsonObject(part) ? rewritten(part) : part;
  const each = (part: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(part).map(([name, inner]) => [name, inside(inner)]));
  function rewritten(part: JsonObject): JsonObject {
    const entries = Object.entries(part).map(([word, rule]): [string, Json] => {
      if (word === "pattern" && typeof rule === "string") return [word, listOf(rule)];
      if (word === "patternProperties" && isJsonObject(rule)) {
        // Two expressions may match the same names; an empty group keeps them apart.
        const rules = Object.entries(rule).map(([pattern, inner], index): [string, Json] => [
          `${listOf(pattern)}${"(?:)".repeat(index)}`,
          inside(inner),
        ]);
        return [word, Object.fromEntries(rules)];
      }
      if (plainData.has(word)) return [word, rule];
      return [word, schemasByName.has(word) && isJsonObject(rule) ? each(rule) : inside(rule)];
    });
    return Object.fromEntries(entries);
  }
  return rewritten(schema);
}
