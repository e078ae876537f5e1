import { format, type OutputUnit, type ValidationResult, Validator } from "@cfworker/json-schema";
import { validateLargeIntegers } from "./large-integers.ts";
import type { SchemaVerdict } from "./schema-verdict.ts";
import { hasPatterns, PatternLimit, withoutPatterns } from "./schema-patterns.ts";
import type { Json, JsonObject, JsonSchema } from "../json.ts";

/** Checks one value against one schema, at once, however long that takes; the schema is compiled at the first use. */
type CheckAtOnce = (value: Json) => SchemaVerdict;

// The library's own pattern for `url` takes exponential time on a long name; names such as `constructor` are no formats.
format["url"] = (text) => /^(?:https?|ftp):\/\/\S+$/i.test(text) && URL.canParse(text);
Object.setPrototypeOf(format, null);

/** Keywords that only say that something below them failed. */
const umbrellas = new Set([
  "properties",
  "items",
  "prefixItems",
  "additionalProperties",
  "$ref",
  "allOf",
  "anyOf",
  "oneOf",
]);

function fieldName(location: string): string {
  const path = location.replace(/^#\/?/, "").split("/").filter(Boolean);
  return path.map((step) => decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~")).join(".");
}

function sentence(unit: OutputUnit): string {
  const name = fieldName(unit.instanceLocation);
  // Of `additionalProperties: false`, whose own words speak of the schema.
  if (name !== "" && unit.keyword === "false") return `Field "${name}" is not known here; leave it out.`;
  return name === "" ? unit.error : `Field "${name}": ${unit.error}`;
}

/** At most five reasons, the most precise ones, each naming its field. */
function describeErrors(errors: OutputUnit[]): string {
  const precise = errors.filter((unit) => !umbrellas.has(unit.keyword));
  const sentences = new Set((precise.length > 0 ? precise : errors).map(sentence));
  return [...sentences].slice(0, 5).join(" ");
}

const checks = new WeakMap<JsonSchema, CheckAtOnce>();

/**
 * A check by JSON Schema draft 2020-12, without code generation; made once per schema, since a run offers those of the run
 * before. A schema that is itself broken is said so.
 */
export function schemaCheck(schema: JsonSchema): CheckAtOnce {
  const known = checks.get(schema);
  if (known) return known;
  const check = newCheck(schema);
  checks.set(schema, check);
  return check;
}

function newCheck(schema: JsonSchema): CheckAtOnce {
  let validator: Validator | undefined;
  let patterned: boolean | undefined;
  function validate(by: JsonSchema, value: Json): ValidationResult {
    patterned ??= hasPatterns(schema);
    if (patterned) return validateWith(by, value);
    if (by !== schema) return new Validator(by, "2020-12", false).validate(value);
    validator ??= new Validator(schema, "2020-12", false);
    return validator.validate(value);
  }
  return (value) => {
    try {
      const { valid, errors } = validateLargeIntegers(schema, value, validate);
      return valid ? { ok: true } : { ok: false, reason: describeErrors(errors) };
    } catch (error) {
      return { ok: false, reason: failureReason(error) };
    }
  };
}

/** Why a check could not be made. */
function failureReason(error: unknown): string {
  if (error instanceof PatternLimit) return error.message;
  if (error instanceof RangeError)
    return "The JSON Schema itself is broken: it is nested too deeply or leads in circles.";
  return `The JSON Schema itself is broken: ${error instanceof Error ? error.message : String(error)}`;
}

function validateWith(schema: JsonSchema, value: Json): ValidationResult {
  return new Validator(withoutPatterns(schema, value), "2020-12", false).validate(value);
}

/**
 * What is wrong with arguments, by the argument that it is in and under "" what is no argument's; empty where they fit. Made
 * at once, for a person who edits them: ask only for what `isHarmless` says is quick.
 */
export function argumentProblems(schema: JsonSchema, input: JsonObject): Record<string, string> {
  const problems: Record<string, string> = {};
  const add = (name: string, problem: string) => {
    if (!Object.hasOwn(problems, name)) problems[name] = problem;
  };
  try {
    const checked = validateLargeIntegers(schema, input, validateWith);
    const precise = checked.errors.filter((unit) => !umbrellas.has(unit.keyword));
    for (const unit of precise.length > 0 ? precise : checked.errors) {
      const missing = unit.keyword === "required" ? /property "(.*)"\.$/.exec(unit.error)?.[1] : undefined;
      const [name = "", ...deeper] = unit.instanceLocation.replace(/^#\/?/, "").split("/").map(plainName);
      if (missing !== undefined && name === "") add(missing, "This is required.");
      else if (unit.keyword === "false" && deeper.length === 0) add("", `“${name}” is not known here; leave it out.`);
      else add(name, deeper.length === 0 ? problemWords(unit) : `${deeper.join(".")}: ${problemWords(unit)}`);
    }
  } catch (error) {
    add("", failureReason(error));
  }
  return problems;
}

const plainName = (step: string) => decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~");

/** A validator's sentence without "Instance", which means the value that stands there. */
function problemWords({ error }: OutputUnit): string {
  const said = error.replace(/^Instance /, "");
  return `${said.charAt(0).toUpperCase()}${said.slice(1)}`;
}
