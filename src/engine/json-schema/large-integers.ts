import { encodePointer, type OutputUnit, type ValidationResult } from "@cfworker/json-schema";
import { isJsonObject, type Json, type JsonObject, type JsonSchema } from "../json.ts";
import { isLargeInteger } from "../lossless-json.ts";
import { plainData, schemasByName } from "./schema-patterns.ts";

/** Keywords whose value is a number that the value is compared with. */
const bounds = new Set(["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"]);

/** Branches of a schema may apply one after the other, as places are found to hold numbers. */
const maxPasses = 8;

/** Validates a value against a schema. */
type Validate = (schema: JsonSchema, value: Json) => ValidationResult;

/**
 * A check in which the digits of a large integer, which are text in a value and in a schema that were read from JSON, count as
 * an integer wherever the schema wants a number. The validator compares doubles, so that for such a value all large integers
 * are replaced by small ones in the same order.
 */
export function validateLargeIntegers(schema: JsonSchema, value: Json, validate: Validate): ValidationResult {
  let result = validate(schema, value);
  if (result.valid || !holdsLargeInteger(value)) return result;
  const stand = standIns(schema, value);
  const standingSchema = withStandIns(schema, stand);
  const places = new Set<string>();
  for (let pass = 0; pass < maxPasses && !result.valid; pass += 1) {
    const more = numbersWanted(result.errors, value).filter((place) => !places.has(place));
    if (more.length === 0) break;
    for (const place of more) places.add(place);
    result = validate(standingSchema, replaced(value, places, stand, "#"));
  }
  return { valid: result.valid, errors: readable(result.errors, stand) };
}

/** Where digits stand and the schema asked for something else: a number, or one of its own. */
function numbersWanted(errors: readonly OutputUnit[], value: Json): string[] {
  return errors
    .filter(({ keyword, error }) => {
      if (keyword === "type") return /Expected .*"(?:integer|number)"/.test(error);
      return (keyword === "const" || keyword === "enum") && /(?:[[,]| match )-?\d/.test(error);
    })
    .map(({ instanceLocation }) => instanceLocation)
    .filter((place) => isLargeInteger(valueAt(value, place)));
}

const unescaped = (step: string) => decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~");

function valueAt(value: Json, place: string): Json | undefined {
  let found: Json | undefined = value;
  for (const step of place.split("/").slice(1).map(unescaped)) {
    if (Array.isArray(found)) found = found[Number(step)];
    else found = isJsonObject(found) && Object.hasOwn(found, step) ? found[step] : undefined;
  }
  return found;
}

function replaced(value: Json, places: ReadonlySet<string>, stand: StandIns, place: string): Json {
  const large = largeOf(value);
  if (large !== undefined && (typeof value === "number" || places.has(place))) return stand.get(large) ?? value;
  if (Array.isArray(value)) return value.map((item, index) => replaced(item, places, stand, `${place}/${index}`));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      replaced(inner, places, stand, `${place}/${encodePointer(name)}`),
    ]),
  );
}

/** Numbers in place of large integers, in the same order, none of them one that a value could have by itself. */
type StandIns = ReadonlyMap<bigint, number>;

function largeOf(value: Json | undefined): bigint | undefined {
  if (typeof value === "number")
    return Number.isInteger(value) && !Number.isSafeInteger(value) ? BigInt(value) : undefined;
  return isLargeInteger(value) ? BigInt(value) : undefined;
}

function standIns(schema: JsonSchema, value: Json): StandIns {
  const found = new Set<bigint>();
  const open: Json[] = [schema, value];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const large = largeOf(next);
    if (large !== undefined) found.add(large);
    if (Array.isArray(next)) for (const each of next) open.push(each);
    else if (isJsonObject(next)) for (const each of Object.values(next)) open.push(each);
  }
  const sorted = [...found].toSorted((one, other) => (one < other ? -1 : 1));
  const negative = sorted.filter((one) => one < 0n).length;
  // From 2^53 on, only even integers are doubles.
  return new Map(
    sorted.map((one, index) =>
      index < negative ? [one, -(2 ** 53) - 2 * (negative - index)] : [one, 2 ** 53 + 2 * (index - negative + 1)],
    ),
  );
}

function holdsLargeInteger(value: Json): boolean {
  const open: Json[] = [value];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (isLargeInteger(next)) return true;
    if (Array.isArray(next)) for (const each of next) open.push(each);
    else if (isJsonObject(next)) for (const each of Object.values(next)) open.push(each);
  }
  return false;
}

function withStandIns(schema: JsonSchema, stand: StandIns): JsonSchema {
  const standIn = (value: Json | undefined) => {
    const large = largeOf(value);
    return large === undefined ? undefined : stand.get(large);
  };
  const inside = (part: Json): Json =>
    Array.isArray(part) ? part.map(inside) : isJsonObject(part) ? rewritten(part) : part;
  /** A value that the schema lists, both as text and as a number. */
  const listed = (value: Json): Json[] => {
    const number = standIn(value);
    return number === undefined ? [value] : typeof value === "string" ? [value, number] : [number];
  };
  function rewritten(part: JsonObject): JsonObject {
    const next: JsonObject = {};
    for (const [word, rule] of Object.entries(part)) {
      if (bounds.has(word)) next[word] = standIn(rule) ?? rule;
      else if (word === "enum" && Array.isArray(rule)) next[word] = rule.flatMap(listed);
      else if (plainData.has(word)) next[word] = rule;
      else if ((schemasByName.has(word) || word === "patternProperties") && isJsonObject(rule))
        next[word] = Object.fromEntries(Object.entries(rule).map(([name, inner]) => [name, inside(inner)]));
      else next[word] = inside(rule);
    }
    const { const: only } = part;
    if (standIn(only) === undefined) return next;
    const { const: _replaced, ...rest } = next;
    return rest["enum"] === undefined
      ? { ...rest, enum: listed(only ?? null) }
      : { ...rest, allOf: [...(Array.isArray(rest["allOf"]) ? rest["allOf"] : []), { enum: listed(only ?? null) }] };
  }
  return rewritten(schema);
}

/** Errors in the numbers of the value and its schema. */
function readable(errors: OutputUnit[], stand: StandIns): OutputUnit[] {
  const original = new Map([...stand].map(([large, number]) => [String(number), String(large)]));
  const restored = (text: string) => text.replace(/-?\d{16,}/g, (digits) => original.get(digits) ?? digits);
  return errors.map((unit) => ({ ...unit, error: restored(unit.error) }));
}
