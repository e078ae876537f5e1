import type { Host } from "../host.ts";
import { isJsonObject, type Json, type JsonSchema } from "../json.ts";
import type { SchemaCheck, SchemaRequest } from "./schema-verdict.ts";
import { schemaCheck } from "./schema-check.ts";

/** Characters of schema and value together that are checked at all. */
const mostChecked = 20_000_000;
/** A schema's characters times a value's weight that take some tens of milliseconds at most, where each part is looked at once. */
const harmlessWork = 20_000_000;
/** Characters of a schema that is read within some tens of milliseconds, whatever the value. */
const harmlessSchema = 100_000;
/** The weight of a value that is harmless for words whose cost grows faster than the value. */
const harmlessValue = 1_000;

/** Words of JSON Schema by which a small schema can ask for any amount of work. */
const references = /"\$(?:ref|dynamicRef|recursiveRef)"/;
/** Words whose cost grows faster than the value: comparisons of each with each, and regular expressions. */
const steep = /"(?:pattern|patternProperties|uniqueItems|format)"/;

interface SchemaFacts {
  /** Characters; 0 for one that is nested too deeply to be looked at, which is said at once. */
  length: number;
  refers: boolean;
  steep: boolean;
}

const known = new WeakMap<JsonSchema, SchemaFacts>();

function factsOf(schema: JsonSchema): SchemaFacts {
  const before = known.get(schema);
  if (before) return before;
  const text = textOf(schema);
  const facts = { length: text.length, refers: references.test(text), steep: steep.test(text) };
  known.set(schema, facts);
  return facts;
}

function textOf(schema: JsonSchema): string {
  try {
    return JSON.stringify(schema);
  } catch (error) {
    if (error instanceof RangeError) return "";
    throw error;
  }
}

/** Characters and parts of a value, counted until there are more than `most`. */
function weightOf(value: Json, most: number): number {
  let weight = 0;
  const open: Json[] = [value];
  for (let next = open.pop(); next !== undefined && weight <= most; next = open.pop()) {
    weight += typeof next === "string" ? next.length + 1 : 1;
    if (Array.isArray(next)) for (const each of next) open.push(each);
    else if (isJsonObject(next)) {
      for (const [name, inner] of Object.entries(next)) {
        weight += name.length;
        open.push(inner);
      }
    }
  }
  return weight;
}

/** Whether a check costs so little, whatever the schema says, that it can be made at once. */
export function isHarmless({ schema, value }: SchemaRequest): boolean {
  const facts = factsOf(schema);
  if (facts.refers || facts.length > harmlessSchema) return false;
  const most = facts.steep ? Math.min(harmlessValue, harmlessWork / facts.length) : harmlessWork / facts.length;
  return weightOf(value, most) <= most;
}

/**
 * The check of a schema. What could take long is left to the host, which makes it where it holds up nobody and ends it
 * when it takes too long; what is too large to be handed over is refused.
 */
export function boundedCheck(
  host: Pick<Host, "checkSchema">,
  schema: JsonSchema,
  signal: () => AbortSignal,
): SchemaCheck {
  const atOnce = schemaCheck(schema);
  return async (value) => {
    if (host.checkSchema === undefined || isHarmless({ schema, value })) return atOnce(value);
    if (factsOf(schema).length + weightOf(value, mostChecked) > mostChecked) {
      return { ok: false, reason: "The value is too large to be checked against its schema. Send less at once." };
    }
    return host.checkSchema({ schema, value }, signal());
  };
}
